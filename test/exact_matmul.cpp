// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include "matrices.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <thrust/device_vector.h>

#include <thrust_rns/exact_matmul.h>

using namespace thrust_rns;
using test::integers;

namespace {

/// Words of an integer: two's complement in `limbs` of 64 bits, or the value itself.
template <class Word>
std::vector<Word> words_of(const integers& x, int limbs) {
  std::vector<Word> words;
  for (const mpz_class& z : x.values) {
    mpz_class rest = test::modulo(z, mpz_class(1) << static_cast<unsigned long>(64 * limbs));
    for (int k = 0; k < limbs; ++k, rest >>= 64) {
      words.push_back(static_cast<Word>(mpz_class(rest & mpz_class(~0ul)).get_ui()));
    }
  }
  return words;
}

integers values_of(const host_integer_matrix& m) {
  integers x(m.rows(), m.columns());
  for (std::size_t e = 0; e < x.values.size(); ++e) {
    mpz_class z;
    for (int k = m.limbs() - 1; k >= 0; --k) {
      const std::int64_t limb = m.words()[e * static_cast<std::size_t>(m.limbs()) + static_cast<std::size_t>(k)];
      z <<= 64;
      z += k == m.limbs() - 1 ? mpz_class(static_cast<long>(limb)) : mpz_class(static_cast<unsigned long>(limb));
    }
    x.values[e] = z;
  }
  return x;
}

/// a b by exact_matmul in device memory, from views with gaps and transposes.
template <class Word>
integers multiply(const integers& a, const integers& b, int a_limbs = 1, int b_limbs = 1) {
  const integers bt = b.transposed();
  const thrust::device_vector<Word> x = words_of<Word>(a, a_limbs), y = words_of<Word>(bt, b_limbs);
  const integer_span left(thrust::raw_pointer_cast(x.data()), a.rows, a.columns, a_limbs);
  const integer_span right(thrust::raw_pointer_cast(y.data()), bt.rows, bt.columns, b_limbs);
  return values_of(exact_matmul(thrust::device, left, right.transposed()));
}

integers random_integers(std::mt19937_64& engine, std::int64_t rows, std::int64_t columns, int bits) {
  const mpz_class half = test::power_of_two(bits - 1);
  return test::make_integers(rows, columns, [&] { return mpz_class(test::random_below(engine, 2 * half) - half); });
}
integers constant(std::int64_t rows, std::int64_t columns, const mpz_class& x) {
  return test::make_integers(rows, columns, [&] { return x; });
}

template <class Word>
void check_built_in(std::mt19937_64& engine) {
  constexpr int bits = std::numeric_limits<Word>::digits + 1;
  CAPTURE(bits);
  for (const std::int64_t inner : {1, 3, 31, 33, 130}) {
    CAPTURE(inner);
    const integers a = random_integers(engine, 5, inner, bits), b = random_integers(engine, inner, 7, bits);
    CHECK(multiply<Word>(a, b).values == test::product(a, b).values);
    const mpz_class low = -test::power_of_two(bits - 1), high = -low - 1;
    for (const mpz_class& x : {low, high}) {
      CHECK(multiply<Word>(constant(2, inner, low), constant(inner, 3, x)).values ==
            constant(2, 3, low * x * static_cast<long>(inner)).values);
    }
  }
}

} // namespace

TEST_CASE("built-in integers") {
  THRUST_RNS_TEST_ENGINE(engine, 2001);
  check_built_in<std::int8_t>(engine);
  check_built_in<std::int16_t>(engine);
  check_built_in<std::int32_t>(engine);
  check_built_in<std::int64_t>(engine);
}

TEST_CASE("integers of several limbs") {
  THRUST_RNS_TEST_ENGINE(engine, 2002);
  for (const int limbs : {2, 3, 16, 40}) {
    CAPTURE(limbs);
    if (test::small() && limbs > 16) continue;
    const integers a = random_integers(engine, 3, 17, 64 * limbs), b = random_integers(engine, 17, 5, 64 * limbs);
    CHECK(multiply<std::int64_t>(a, b, limbs, limbs).values == test::product(a, b).values);
    const mpz_class low = -test::power_of_two(64 * limbs - 1);
    CHECK(multiply<std::int64_t>(constant(2, 5, low), constant(5, 2, low), limbs, limbs).values ==
          constant(2, 2, 5 * low * low).values);
    CHECK(multiply<std::int64_t>(constant(2, 5, low), constant(5, 2, -low - 1), limbs, limbs).values ==
          constant(2, 2, 5 * low * (-low - 1)).values);
  }
  // Of different sizes, with entries much smaller than their limbs.
  const integers a = random_integers(engine, 4, 9, 1000), b = random_integers(engine, 9, 4, 12);
  CHECK(multiply<std::int64_t>(a, b, 16, 40).values == test::product(a, b).values);
}

TEST_CASE("larger matrices, by a random vector") {
  THRUST_RNS_TEST_ENGINE(engine, 2003);
  const std::int64_t n = test::amount(110, 66);
  const auto check = [&](int bits, int limbs, std::int64_t m, std::int64_t k) {
    CAPTURE(bits);
    const integers a = random_integers(engine, m, k, bits), b = random_integers(engine, k, m + 1, bits);
    CHECK(test::is_product(engine, a, b, multiply<std::int64_t>(a, b, limbs, limbs), 0));
  };
  check(64, 1, n, 300);
  check(128, 2, n, 65);
  check(1000, 16, 40, 70);
  check(40, 1, 3, 70000); // several parts of a sum
}

TEST_CASE("edges: no entries, zeros, shapes, too many bits") {
  const std::vector<std::int64_t> zeros(6, 0), ones(6, 1);
  const integer_span z(zeros.data(), 2, 3), one(ones.data(), 3, 2);
  const auto c = exact_matmul(thrust::host, z, one);
  CHECK(values_of(c).values == integers(2, 2).values);
  CHECK(c.limbs() == 1);
  CHECK(exact_matmul(thrust::host, integer_span(zeros.data(), 2, 0), integer_span(zeros.data(), 0, 3)).columns() == 3);
  CHECK(
      values_of(exact_matmul(thrust::host, integer_span(ones.data(), 2, 0), integer_span(ones.data(), 0, 3))).values ==
      integers(2, 3).values);
  std::string what;
  try {
    exact_matmul(thrust::host, z, z);
  } catch (const std::invalid_argument& e) {
    what = e.what();
  }
  CHECK(what == "thrust_rns: exact_matmul of shapes (2 x 3) (2 x 3)");
  std::vector<std::int64_t> wide(70, -1);
  wide[69] = INT64_MAX;
  const integer_span w(wide.data(), 1, 1, 70);
  CHECK_THROWS_AS(exact_matmul(thrust::host, w, w), range_error);
  CHECK_THROWS_AS(integer_span(zeros.data(), 2, 3, 2, 1), std::invalid_argument);
  CHECK_THROWS_AS(host_integer_matrix(2, 3, 0), std::invalid_argument);
  CHECK_THROWS_AS(host_integer_matrix(-1, 3), std::invalid_argument);
  CHECK_THROWS_AS(host_integer_matrix(INT64_MAX / 8, 2, 16), std::invalid_argument);
  CHECK(exact_matmul(host_integer_matrix(0, 2), host_integer_matrix(2, 3)).columns() == 3);
  CHECK(exact_matmul(host_integer_matrix(1, 0), host_integer_matrix(0, 3)).text(0, 2) == "0");

  host_integer_matrix m(2, 2);
  for (std::size_t k = 0; k < 4; ++k) m.words()[k] = static_cast<std::int64_t>(k) - 2;
  const host_integer_matrix square =
      device_integer_matrix(exact_matmul(device_integer_matrix(m), device_integer_matrix(m)));
  CHECK(square.text(0, 0) == "4");
  CHECK(square.text(0, 1) == "1");
  CHECK(exact_matmul(m, m).text(1, 0) == "0");
  CHECK(m.text(0, 0) == "-2");
}

#if !THRUST_RNS_CUDA_BACKEND
TEST_CASE("all instructions of the host agree, at all lengths of entries") {
  THRUST_RNS_TEST_ENGINE(engine, 2004);
  using detail::instructions;
  for (const int bits : {0, 1, 27, 28, 29, 55, 56, 63, 64, 65, 111, 127, 128, 447, 448, 1000, 4198}) {
    CAPTURE(bits);
    const int limbs = bits / 64 + 1;
    const mpz_class end = test::power_of_two(bits); // entries in [-end, end)
    integers a = random_integers(engine, 3, 7, bits + 1),
             b = random_integers(engine, 7, 6, bits + 1); // 21, 42 and 18 entries
    for (int k = 0; k < 7; ++k) {
      a(0, k) = b(k, 0) = -end;
      a(1, k) = b(k, 1) = end - 1;
    }
    const std::vector<std::int64_t> x = words_of<std::int64_t>(a, limbs), y = words_of<std::int64_t>(b, limbs);
    const integer_span<const std::int64_t> left(x.data(), 3, 7, limbs), right(y.data(), 7, 6, limbs);
    for (const instructions use : {instructions::portable, instructions::avx2, instructions::avx512}) {
      if (use > detail::widest_instructions()) continue;
      host_integer_matrix c(3, 6, (2 * bits + 3 + 2 + 63) / 64);
      detail::multiply_integers_on_host(thrust::seq, left.source(), bits, right.source(), bits, 3, 7, 6, 2 * bits + 3,
                                        c.as_span().data(), c.limbs(), use);
      CHECK(values_of(c).values == test::product(a, b).values);
    }
  }
}
#endif
