// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include "vectors.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/transform.h>

namespace {

using test::pattern;

using unsigned_512 = thrust_rns::number<thrust_rns::moduli_for_bits<512>>;
using symmetric_even = thrust_rns::number<thrust_rns::moduli_set<13, 7, 16>, thrust_rns::symmetric_range>;

using values = std::vector<mpz_class>;

/// An operation that the library does not know.
struct sum_of_both {
  template <class A, class B>
  THRUST_RNS_HD auto operator()(const A& a, const B& b) const {
    return thrust_rns::plus()(a, b);
  }
};

/// The scan of z[first], ..., by std::.
template <class Number, class Function>
std::vector<Number> scan_of(const values& z, std::size_t first, std::size_t n, const mpz_class* init, bool inclusive,
                            Function f) {
  std::vector<Number> want;
  mpz_class running = init == nullptr ? mpz_class(0) : *init;
  for (std::size_t j = 0; j < n; ++j) {
    if (!inclusive) want.push_back(test::make<Number>(running));
    running = init == nullptr && j == 0 ? z[first] : mpz_class(f(running, z[first + j]));
    if (inclusive) want.push_back(test::make<Number>(running));
  }
  return want;
}

const auto sum = [](const mpz_class& a, const mpz_class& b) { return mpz_class(a + b); };
const auto higher = [](const mpz_class& a, const mpz_class& b) { return std::max(a, b); };
const auto lower = [](const mpz_class& a, const mpz_class& b) { return std::min(a, b); };

/// An input and a result whose elements are all evaluated.
template <class Number>
struct scan_case {
  values z;
  thrust_rns::device_vector<Number> v, out;
  std::vector<Number> old;

  template <class Engine>
  scan_case(pattern p, Engine& engine, std::size_t size)
      : z(test::make_pattern<Number>(p, engine, size)), v(test::make<Number>(z)), out(size, Number(3)) {
    thrust::max_element(out.begin(), out.end());
    old = out.to_vector();
  }

  /// `call` writes `want` from `at` on.
  template <class Call>
  void check(std::size_t at, const std::vector<Number>& want, Call call) {
    const auto first = static_cast<std::ptrdiff_t>(at), n = static_cast<std::ptrdiff_t>(want.size());
    CHECK(call(out.begin() + first) == out.begin() + first + n);
    std::vector<Number> all = old;
    std::copy(want.begin(), want.end(), all.begin() + first);
    CHECK(out.to_vector() == all);
    const std::vector<std::uint64_t> e = test::evaluations_of(out);
    CHECK(std::count(e.begin() + first, e.begin() + first + n, 0) == n);
    CHECK(std::count(e.begin(), e.end(), 0) == n);
    out = old;
    thrust::max_element(out.begin(), out.end());
  }
};

} // namespace

TEST_CASE_TEMPLATE("running sums at every size and offset", Number, unsigned_512, symmetric_even) {
  THRUST_RNS_TEST_ENGINE(engine, 3101);
  std::size_t turn = 0;
  for (const std::size_t n : {0U, 1U, 2U, 3U, 4U, 5U, 127U, 129U, 513U, 4095U, 4097U}) {
    CAPTURE(n);
    scan_case<Number> c(turn % 2 == 0 ? pattern::random : pattern::edges, engine, n + 7);
    const std::size_t b = turn % 4, at = (turn + turn / 4) % 4;
    ++turn;
    CAPTURE(b);
    CAPTURE(at);
    const auto first = c.v.cbegin() + static_cast<std::ptrdiff_t>(b), last = first + static_cast<std::ptrdiff_t>(n);
    const mpz_class init = test::random_value<Number>(engine);
    const Number x = test::make<Number>(init);
    const mpz_class zero = 0;
    c.check(at, scan_of<Number>(c.z, b, n, nullptr, true, sum),
            [&](auto out) { return thrust::inclusive_scan(first, last, out); });
    c.check(at, scan_of<Number>(c.z, b, n, &init, true, sum),
            [&](auto out) { return thrust::inclusive_scan(first, last, out, x, thrust_rns::plus()); });
    c.check(at, scan_of<Number>(c.z, b, n, &zero, false, sum),
            [&](auto out) { return thrust::exclusive_scan(first, last, out); });
    c.check(at, scan_of<Number>(c.z, b, n, &init, false, sum),
            [&](auto out) { return thrust::exclusive_scan(first, last, out, x); });
  }
}

TEST_CASE("long running sums, out of place and in place, of the largest residues too") {
  THRUST_RNS_TEST_ENGINE(engine, 3102);
  using Number = symmetric_even;
  const std::size_t n = test::amount<std::size_t>(300'007, 70'007);
  std::vector<Number> x(n);
  Number running = 0;
  for (Number& e : x) e = engine() % 3 == 0 ? Number(-1) : Number(static_cast<int>(engine() % 1456));
  std::vector<Number> inclusive(n), exclusive(n);
  for (std::size_t j = 0; j < n; ++j) {
    exclusive[j] = running;
    running += x[j];
    inclusive[j] = running;
  }
  thrust_rns::device_vector<Number> v = x;
  thrust_rns::device_vector<Number> out(n);
  thrust::inclusive_scan(v.begin(), v.end(), out.begin(), thrust::plus<>());
  CHECK(out.to_vector() == inclusive);
  thrust::exclusive_scan(v.begin(), v.end(), v.begin(), Number(0), thrust::plus<Number>());
  CHECK(v.to_vector() == exclusive);
}

TEST_CASE_TEMPLATE("running maxima and minima of every pattern", Number, unsigned_512, symmetric_even) {
  THRUST_RNS_TEST_ENGINE(engine, 3103);
  std::size_t turn = 0;
  for (const pattern p : test::all_patterns) {
    CAPTURE(static_cast<int>(p));
    const std::size_t n = turn % 2 == 0 ? 300 : 1030, b = turn % 4, at = (turn + turn / 4) % 4;
    ++turn;
    scan_case<Number> c(p, engine, n + 7);
    const auto first = c.v.cbegin() + static_cast<std::ptrdiff_t>(b), last = first + static_cast<std::ptrdiff_t>(n);
    c.check(at, scan_of<Number>(c.z, b, n, nullptr, true, higher),
            [&](auto out) { return thrust::inclusive_scan(first, last, out, thrust_rns::maximum()); });
    CHECK(test::count_evaluated(c.v) == static_cast<std::ptrdiff_t>(n)); // as this library does, and Thrust does not
    for (const mpz_class& init :
         {c.z[b + n / 2], test::smallest<Number>(), test::largest<Number>(), test::random_value<Number>(engine)}) {
      const Number x = test::make<Number>(init);
      c.check(at, scan_of<Number>(c.z, b, n, &init, false, higher),
              [&](auto out) { return thrust::exclusive_scan(first, last, out, x, thrust::maximum<>()); });
      c.check(at, scan_of<Number>(c.z, b, n, &init, false, lower),
              [&](auto out) { return thrust::exclusive_scan(first, last, out, x, thrust_rns::minimum()); });
    }
    // In place, through a view without evaluations.
    const auto s = c.v.as_span();
    const auto bare =
        thrust_rns::device_iterator<Number>({s.plane(0), s.stride(), s.size()}, 0) + static_cast<std::ptrdiff_t>(b);
    c.check(at, scan_of<Number>(c.z, b, n, nullptr, true, higher),
            [&](auto out) { return thrust::inclusive_scan(bare, bare + (last - first), out, thrust_rns::maximum()); });
  }
}

TEST_CASE("running maxima of many pieces, in place, inclusive and exclusive") {
  THRUST_RNS_TEST_ENGINE(engine, 3104);
  using Number = symmetric_even;
  const std::size_t n = test::amount<std::size_t>(70'001, 40'001);
  std::vector<Number> x(n), inclusive(n), exclusive(n);
  Number running = -728;
  for (std::size_t j = 0; j < n; ++j) { // rises all the way, by ones
    const auto height = static_cast<int>(j * 1400 / n) - 700;
    x[j] = height - static_cast<int>(engine() % 20);
    exclusive[j] = running;
    running = std::max(running, x[j]);
    inclusive[j] = running;
  }
  for (const bool evaluated : {false, true}) {
    thrust_rns::device_vector<Number> v = x, w = x;
    if (evaluated) {
      thrust::max_element(v.begin(), v.end());
      thrust::max_element(w.begin(), w.end());
    }
    thrust::inclusive_scan(v.begin(), v.end(), v.begin(), thrust_rns::maximum());
    CHECK(v.to_vector() == inclusive);
    CHECK(test::count_evaluated(v) == 0);
    thrust::exclusive_scan(w.begin(), w.end(), w.begin(), Number(-728), thrust_rns::maximum());
    CHECK(w.to_vector() == exclusive);
    CHECK(test::count_evaluated(w) == 0);
  }
}

TEST_CASE("an operation that the library does not know, and vectors in host memory") {
  THRUST_RNS_TEST_ENGINE(engine, 3105);
  using Number = symmetric_even;
  scan_case<Number> c(pattern::random, engine, 1300);
  c.check(0, scan_of<Number>(c.z, 0, 1300, nullptr, true, sum),
          [&](auto out) { return thrust::inclusive_scan(c.v.begin(), c.v.end(), out, sum_of_both()); });
  thrust_rns::host_vector<Number> h = c.v, out(1300);
  thrust::inclusive_scan(h.begin(), h.end(), out.begin());
  CHECK(out.to_vector() == scan_of<Number>(c.z, 0, 1300, nullptr, true, sum));
  thrust::inclusive_scan(h.begin(), h.end(), h.begin(), thrust_rns::minimum());
  CHECK(h.to_vector() == scan_of<Number>(c.z, 0, 1300, nullptr, true, lower));
}

TEST_CASE("algorithms over planes end on any bits") {
  THRUST_RNS_TEST_ENGINE(engine, 3106);
  using Number = unsigned_512;
  std::vector<Number> bits(5000);
  for (Number& x : bits) {
    for (int i = 0; i < Number::size; ++i) x.set_residue(i, static_cast<std::uint32_t>(engine()));
  }
  thrust_rns::device_vector<Number> v = bits, out(bits.size());
  CHECK(thrust::inclusive_scan(v.begin(), v.end(), out.begin()) == out.end());
  CHECK(thrust::inclusive_scan(v.begin(), v.end(), out.begin(), thrust_rns::maximum()) == out.end());
  CHECK(thrust::transform(v.begin(), v.end(), v.begin(), out.begin(), thrust_rns::multiplies()) == out.end());
  const Number product = thrust::reduce(v.begin(), v.end(), Number(1), thrust_rns::multiplies());
  CHECK(product == thrust::reduce(v.begin(), v.end(), Number(1), thrust_rns::multiplies()));
  CHECK(v.to_vector() == bits);
}
