// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// What the tests of rings share: products by the definition, operands to try, elements from and to integers.
///
/// Nothing here multiplies, reduces or converts through the library: elements are written and read as rows of memory.

#include "support.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <random>
#include <type_traits>
#include <vector>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/transform.h>

#include <thrust_rns/ring.h>
#include <thrust_rns/ring_multiply.h>
#include <thrust_rns/ring_vector.h>

namespace test {

/// The coefficients of a polynomial, constant first.
using integers = std::vector<int>;

// ---- the oracle ------------------------------------------------------------------------------------------------

/// The representative of x modulo m in [-(m/2), (m-1)/2].
inline int centred(std::int64_t x, int m) {
  const auto r = static_cast<int>((x % m + m) % m);
  return r > (m - 1) / 2 ? r - m : r;
}

/// a b modulo x^n - x - 1 and m, centred: all n^2 terms, then x^(n+k) = x^(k+1) + x^k from the highest on.
inline integers product(const integers& a, const integers& b, int m) {
  const std::size_t n = a.size();
  if (std::count(a.begin(), a.end(), 0) < std::count(b.begin(), b.end(), 0)) return product(b, a, m);
  std::vector<std::int64_t> c(2 * n - 1);
  for (std::size_t i = 0; i < n; ++i) {
    if (a[i] == 0) continue;
    for (std::size_t j = 0; j < n; ++j) c[i + j] += std::int64_t{a[i]} * b[j];
  }
  for (std::size_t k = 2 * n - 2; k >= n; --k) {
    c[k - n + 1] += c[k];
    c[k - n] += c[k];
  }
  integers reduced(n);
  for (std::size_t i = 0; i < n; ++i) reduced[i] = centred(c[i], m);
  return reduced;
}

/// f of each pair of coefficients, centred modulo m.
template <class Function>
integers each(const integers& a, const integers& b, int m, Function f) {
  integers c(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) c[i] = centred(f(a[i], b[i]), m);
  return c;
}
inline integers sum(const integers& a, const integers& b, int m) {
  return each(a, b, m, [](int x, int y) { return x + y; });
}

// ---- elements as rows of bytes: these are not templates, so that they compile once ---------------------------------

/// An element type.
struct element_kind {
  int degree, row, modulus, smallest, largest; // modulus: 0 for integers
  std::size_t coefficient_bytes;

  std::size_t row_bytes() const { return static_cast<std::size_t>(row) * coefficient_bytes; }
};
template <class E>
constexpr element_kind kind_of() {
  element_kind kind{E::degree,
                    (E::degree + 31) / 32 * 32,
                    0,
                    E::coefficients::smallest,
                    E::coefficients::largest,
                    sizeof(typename E::storage_type)};
  if constexpr (E::is_full) kind.modulus = E::coefficients::modulus;
  return kind;
}

using bytes = std::vector<unsigned char>;
using device_bytes = thrust::device_vector<unsigned char>;

/// The row of the element with these coefficients: representatives in [0, modulus), or bytes with a sign. Ternary
/// elements take any integers, modulo 3.
inline void write_row(unsigned char* row, const integers& values, const element_kind& kind) {
  std::memset(row, 0, kind.row_bytes());
  for (std::size_t i = 0; i < values.size(); ++i) {
    int x = values[i];
    if (kind.modulus != 0) x = (x % kind.modulus + kind.modulus) % kind.modulus;
    if (kind.modulus == 0 && kind.largest == 1) x = centred(x, 3);
    std::memcpy(row + i * kind.coefficient_bytes, &x, kind.coefficient_bytes); // the low bytes come first
  }
}
/// The coefficients of a row, centred.
inline integers read_row(const unsigned char* row, const element_kind& kind) {
  integers values(static_cast<std::size_t>(kind.degree));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (kind.modulus != 0) {
      std::uint16_t x = 0;
      std::memcpy(&x, row + 2 * i, 2);
      values[i] = centred(x, kind.modulus);
    } else {
      values[i] = static_cast<signed char>(row[i]);
    }
  }
  return values;
}

template <class E>
E element(const integers& values) {
  E e;
  write_row(reinterpret_cast<unsigned char*>(e.data()), values, kind_of<E>());
  return e;
}

/// The coefficients of an element, centred. Its row must be well formed.
template <class E>
integers integers_of(const E& e) {
  const integers values = read_row(reinterpret_cast<const unsigned char*>(e.data()), kind_of<E>());
  REQUIRE(std::memcmp(element<E>(values).data(), e.data(), sizeof(E)) == 0);
  return values;
}

/// What nobody has written: every bit is set, padding too.
constexpr unsigned char untouched = 0xff;

/// Rows of these elements between `before` and two rows that nobody has written.
inline bytes with_neighbours(const std::vector<integers>& elements, const element_kind& kind, std::size_t before) {
  bytes rows((before + elements.size() + 2) * kind.row_bytes(), untouched);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    write_row(rows.data() + (before + i) * kind.row_bytes(), elements[i], kind);
  }
  return rows;
}

/// The first row that differs; -1 if none.
inline std::ptrdiff_t first_difference(const bytes& x, const bytes& y, const element_kind& kind) {
  REQUIRE(x.size() == y.size());
  const auto at = std::mismatch(x.begin(), x.end(), y.begin()).first;
  return at == x.end() ? -1 : (at - x.begin()) / static_cast<std::ptrdiff_t>(kind.row_bytes());
}

inline bytes on_host(const device_bytes& v) {
  bytes host(v.size());
  thrust::copy(v.begin(), v.end(), host.begin());
  return host;
}

/// Row `at` of rows of E in device memory.
template <class E>
thrust::device_ptr<E> row_of(device_bytes& rows, std::ptrdiff_t at) {
  return thrust::device_pointer_cast(reinterpret_cast<E*>(thrust::raw_pointer_cast(rows.data())) + at);
}

// ---- operands to try -------------------------------------------------------------------------------------------

inline integers random_integers(std::mt19937_64& engine, const element_kind& kind) {
  integers values(static_cast<std::size_t>(kind.degree));
  const auto count = static_cast<unsigned>(kind.largest - kind.smallest + 1);
  for (int& x : values) x = kind.smallest + static_cast<int>(engine() % count);
  return values;
}

inline integers monomial(int degree, int power, int factor) {
  integers values(static_cast<std::size_t>(degree));
  values[static_cast<std::size_t>(power)] = factor;
  return values;
}

/// 0, all smallest, all largest, alternating both ways, random, multiples of x^i at both ends.
inline std::vector<integers> operands(std::mt19937_64& engine, const element_kind& kind) {
  const auto n = static_cast<std::size_t>(kind.degree);
  const int low = kind.smallest, high = kind.largest;
  std::vector<integers> all{integers(n), integers(n, low), integers(n, high)};
  for (int k = 0; k < 2; ++k) {
    integers alternating(n, k == 0 ? low : high);
    for (std::size_t i = 1; i < n; i += 2) alternating[i] = k == 0 ? high : low;
    all.push_back(alternating);
    all.push_back(random_integers(engine, kind));
  }
  for (const int power : {0, 1, kind.degree - 2, kind.degree - 1}) {
    all.push_back(monomial(kind.degree, power, engine() % 2 == 0 ? low : 1));
  }
  return all;
}

struct products {
  std::vector<integers> a, b, c;
};

/// `count` pairs of operands and their products modulo m: each of `operands` by each, then these again.
inline products make_products(std::mt19937_64& engine, const element_kind& kind_a, const element_kind& kind_b, int m,
                              std::size_t count) {
  products p;
  const std::vector<integers> as = operands(engine, kind_a), bs = operands(engine, kind_b);
  const std::size_t distinct = as.size() * bs.size();
  for (std::size_t i = 0; i < count; ++i) {
    p.a.push_back(as[i % as.size()]);
    p.b.push_back(bs[i / as.size() % bs.size()]);
    p.c.push_back(i < distinct ? product(p.a[i], p.b[i], m) : p.c[i - distinct]);
  }
  return p;
}

/// Multiplies `size` rows of a and b from rows at_a and at_b on, to row at_c of c on; returns how many it says it wrote.
using multiplication = std::function<std::ptrdiff_t(
    thrust::device_vector<unsigned char>& a, std::ptrdiff_t at_a, thrust::device_vector<unsigned char>& b,
    std::ptrdiff_t at_b, thrust::device_vector<unsigned char>& c, std::ptrdiff_t at_c, std::ptrdiff_t size)>;

/// Products of batches of several sizes at offsets that differ; `into_a`, `into_b`: and in place.
inline void check_products(std::mt19937_64& engine, const element_kind& kind_a, const element_kind& kind_b,
                           const element_kind& kind_c, int m, bool into_a, bool into_b,
                           const multiplication& multiply) {
  constexpr int at_a = 1, at_b = 2, at_c = 3, count = 237;
  const products p = make_products(engine, kind_a, kind_b, m, count);
  device_bytes a(with_neighbours(p.a, kind_a, at_a)), b(with_neighbours(p.b, kind_b, at_b));
  for (const int size : {0, 1, 31, 32, 33, count}) {
    CAPTURE(size);
    bytes want = with_neighbours({p.c.begin(), p.c.begin() + size}, kind_c, at_c);
    device_bytes c(want.size(), untouched);
    CHECK(multiply(a, at_a, b, at_b, c, at_c, size) == size);
    CHECK(first_difference(on_host(c), want, kind_c) == -1);
  }
  constexpr int some = 33;
  const std::vector<integers> first_ones(p.c.begin(), p.c.begin() + some);
  if (into_a) {
    device_bytes c(with_neighbours({p.a.begin(), p.a.begin() + some}, kind_a, at_a));
    CHECK(multiply(c, at_a, b, at_b, c, at_a, some) == some);
    CHECK(first_difference(on_host(c), with_neighbours(first_ones, kind_c, at_a), kind_c) == -1);
  }
  if (into_b) {
    device_bytes c(with_neighbours({p.b.begin(), p.b.begin() + some}, kind_b, at_b));
    CHECK(multiply(a, at_a, c, at_b, c, at_b, some) == some);
    CHECK(first_difference(on_host(c), with_neighbours(first_ones, kind_c, at_b), kind_c) == -1);
  }
}

/// thrust::transform with ring_multiplies.
template <class R, class A, class B, class Output = thrust_rns::detail::result_element<R>>
multiplication multiplies() {
  return [](device_bytes& a, std::ptrdiff_t at_a, device_bytes& b, std::ptrdiff_t at_b, device_bytes& c,
            std::ptrdiff_t at_c, std::ptrdiff_t size) {
    const auto first = row_of<A>(a, at_a);
    const auto result = row_of<Output>(c, at_c);
    const thrust_rns::ring_multiplies<R, Output> f;
    return thrust::transform(first, first + size, row_of<B>(b, at_b), result, f) - result;
  };
}

template <class R, class A, class B, class Output = thrust_rns::detail::result_element<R>>
void check_products(std::mt19937_64& engine) {
  check_products(engine, kind_of<A>(), kind_of<B>(), kind_of<Output>(), R::modulus, std::is_same_v<A, Output>,
                 std::is_same_v<B, Output>, multiplies<R, A, B, Output>());
}

} // namespace test
