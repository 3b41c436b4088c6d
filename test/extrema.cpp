// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include "vectors.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>

namespace {

using test::pattern;

using unsigned_128 = thrust_rns::number<thrust_rns::moduli_for_bits<128>>;
using symmetric_128 = thrust_rns::number<thrust_rns::moduli_for_bits<128>, thrust_rns::symmetric_range>;
using symmetric_1024 = thrust_rns::number<thrust_rns::moduli_for_bits<1024>, thrust_rns::symmetric_range>;
using symmetric_even = thrust_rns::number<thrust_rns::moduli_set<13, 7, 16>, thrust_rns::symmetric_range>;

/// The same numbers, without room for evaluations.
template <class Number>
thrust_rns::const_device_iterator<Number> without_evaluations(const thrust_rns::device_vector<Number>& v) {
  const auto s = v.as_span();
  return {thrust_rns::span<const Number>(s.plane(0), s.stride(), s.size()), 0};
}

/// Compares the residues modulo the first modulus: an order that the library does not know.
struct first_residue_less {
  template <class A, class B>
  THRUST_RNS_HD bool operator()(const A& a, const B& b) const {
    return thrust_rns::detail::value_of(a).residue(0) < thrust_rns::detail::value_of(b).residue(0);
  }
};

} // namespace

TEST_CASE_TEMPLATE("max_element and min_element give the first extreme at every size and alignment", Number,
                   unsigned_128, symmetric_128, symmetric_1024, symmetric_even) {
  THRUST_RNS_TEST_ENGINE(engine, 101);
  std::size_t turn = 0;
  for (const std::size_t n : test::sizes_to_try()) {
    CAPTURE(n);
    for (const pattern p : test::all_patterns) {
      CAPTURE(static_cast<int>(p));
      const std::vector<mpz_class> z = test::make_pattern<Number>(p, engine, n + 6);
      thrust_rns::device_vector<Number> v = test::make<Number>(z);
      // 4 alignments of the begin, 4 of the end: all for the short ranges, and in turns for the others
      for (std::size_t corner = turn++ % 5; corner < 16; corner += n <= 5 ? 1 : 5) {
        const auto b = static_cast<std::ptrdiff_t>(corner % 4), e = static_cast<std::ptrdiff_t>(n + 3 + corner / 4);
        CAPTURE(b);
        CAPTURE(e);
        if (engine() % 2 == 0) v.invalidate_evaluations();
        if (corner % 2 == 0) {
          test::check_extrema(v.begin() + b, v.begin() + e, z.data() + b);
        } else {
          test::check_extrema(v.cbegin() + b, v.cbegin() + e, z.data() + b);
        }
      }
    }
  }
}

TEST_CASE("max_element and min_element give the first extreme of a range of many blocks") {
  THRUST_RNS_TEST_ENGINE(engine, 102);
  const std::size_t n = test::amount<std::size_t>(100003, 5003);
  for (const pattern p : {pattern::random, pattern::ties, pattern::neighbours, pattern::edges}) {
    CAPTURE(static_cast<int>(p));
    const std::vector<mpz_class> z = test::make_pattern<symmetric_128>(p, engine, n);
    const thrust_rns::device_vector<symmetric_128> v = test::make<symmetric_128>(z);
    test::check_extrema(v, z);
    test::check_extrema(v.begin() + 3, v.end() - 2, z.data() + 3);
  }
}

TEST_CASE_TEMPLATE("a single maximum or minimum is found at every position", Number, unsigned_128, symmetric_even) {
  THRUST_RNS_TEST_ENGINE(engine, 103);
  constexpr std::size_t n = 70;
  const mpz_class low = test::smallest<Number>(), high = test::largest<Number>();
  const mpz_class x = low + 1 + test::random_below(engine, mpz_class(high - low - 1)); // low < x < high
  std::vector<mpz_class> z(n, x);
  thrust_rns::device_vector<Number> v = test::make<Number>(z);
  for (std::size_t j = 0; j < n; ++j) {
    CAPTURE(j);
    for (const mpz_class& planted : {mpz_class(x + 1), high, mpz_class(x - 1), low}) {
      z[j] = planted;
      v[j] = test::make<Number>(planted);
      test::check_extrema(v, z);
    }
    z[j] = x;
    v[j] = test::make<Number>(x);
  }
}

TEST_CASE("every sub-range of a short vector has its own extrema") {
  THRUST_RNS_TEST_ENGINE(engine, 104);
  const std::vector<mpz_class> z = test::make_pattern<symmetric_128>(pattern::random_length, engine, 20);
  const thrust_rns::device_vector<symmetric_128> v = test::make<symmetric_128>(z);
  for (std::ptrdiff_t b = 0; b <= 20; ++b) {
    for (std::ptrdiff_t e = b; e <= 20; ++e) {
      CAPTURE(b);
      CAPTURE(e);
      test::check_extrema(v.begin() + b, v.begin() + e, z.data() + b);
    }
  }
}

TEST_CASE("each comparator orders the numbers as its name says") {
  THRUST_RNS_TEST_ENGINE(engine, 105);
  using number = symmetric_128;
  for (const pattern p : {pattern::random, pattern::ties, pattern::neighbours}) {
    const std::vector<mpz_class> z = test::make_pattern<number>(p, engine, 777);
    const thrust_rns::device_vector<number> v = test::make<number>(z);
    const auto first = v.begin(), last = v.end();
    const std::ptrdiff_t largest = std::max_element(z.begin(), z.end()) - z.begin();
    const std::ptrdiff_t smallest = std::min_element(z.begin(), z.end()) - z.begin();

    CHECK(thrust::max_element(first, last, thrust_rns::less()) - first == largest);
    CHECK(thrust::max_element(first, last, thrust::less<number>()) - first == largest);
    CHECK(thrust::max_element(first, last, thrust::less<>()) - first == largest);
    CHECK(thrust::max_element(first, last, thrust_rns::greater()) - first == smallest);
    CHECK(thrust::max_element(first, last, thrust::greater<number>()) - first == smallest);
    CHECK(thrust::max_element(first, last, thrust::greater<>()) - first == smallest);
    CHECK(thrust::min_element(first, last, thrust_rns::less()) - first == smallest);
    CHECK(thrust::min_element(first, last, thrust::less<number>()) - first == smallest);
    CHECK(thrust::min_element(first, last, thrust::less<>()) - first == smallest);
    CHECK(thrust::min_element(first, last, thrust_rns::greater()) - first == largest);
    CHECK(thrust::min_element(first, last, thrust::greater<number>()) - first == largest);
    CHECK(thrust::min_element(first, last, thrust::greater<>()) - first == largest);
  }
}

TEST_CASE("a comparator that the library does not know decides all the same" * test::stock) {
  THRUST_RNS_TEST_ENGINE(engine, 106);
  using number = symmetric_even;
  for (const std::size_t n : {1U, 2U, 100U, 3000U}) {
    const std::vector<mpz_class> z = test::make_pattern<number>(pattern::random, engine, n);
    const std::vector<number> x = test::make<number>(z);
    thrust_rns::device_vector<number> v = x;
    CHECK(thrust::max_element(v.begin(), v.end(), first_residue_less()) - v.begin() ==
          std::max_element(x.begin(), x.end(), first_residue_less()) - x.begin());
    CHECK(test::count_evaluated(v) == 0);
  }
}

TEST_CASE("an empty range gives its end") {
  const thrust_rns::device_vector<unsigned_128> nothing;
  CHECK(thrust::max_element(nothing.begin(), nothing.end()) == nothing.end());
  CHECK(thrust::min_element(nothing.begin(), nothing.end(), thrust_rns::greater()) == nothing.end());
  thrust_rns::device_vector<unsigned_128> v(10, 3);
  CHECK(thrust::max_element(v.begin() + 7, v.begin() + 7) - v.begin() == 7);
  CHECK(thrust::min_element(v.begin() + 10, v.begin() + 10) == v.end());
  CHECK(test::count_evaluated(v) == 0);
}

TEST_CASE("the result holds for mutable and const iterators, through which the number can be read and written") {
  thrust_rns::device_vector<unsigned_128> v{5, 8, 2};
  auto largest = thrust::max_element(v.begin(), v.end());
  CHECK(*largest == unsigned_128(8));
  *largest = 1;
  CHECK(*thrust::max_element(v.cbegin(), v.cend()) == unsigned_128(5));
  CHECK(*thrust::min_element(v.begin(), v.end()) == unsigned_128(1));
}

TEST_CASE_TEMPLATE("the result is the same with all, some and no evaluations cached, and without room for them", Number,
                   unsigned_128, symmetric_1024) {
  THRUST_RNS_TEST_ENGINE(engine, 107);
  for (const pattern p : {pattern::random, pattern::neighbours, pattern::edges}) {
    for (const std::size_t n : {1U, 7U, 256U, 2050U}) {
      CAPTURE(n);
      const std::vector<mpz_class> z = test::make_pattern<Number>(p, engine, n);
      const auto length = static_cast<std::ptrdiff_t>(n);
      thrust_rns::device_vector<Number> v = test::make<Number>(z);
      const auto bare = without_evaluations(v);
      test::check_extrema(bare, bare + length, z.data());
      CHECK(test::count_evaluated(v) == 0);

      test::check_extrema(v.begin() + length / 3, v.begin() + 2 * length / 3, z.data() + length / 3);
      CHECK(test::count_evaluated(v) >= 2 * length / 3 - length / 3);
      test::check_extrema(v, z);
      CHECK(test::count_evaluated(v) == length);
      const std::vector<std::uint64_t> evaluations = test::evaluations_of(v);
      test::check_extrema(v, z);
      CHECK(test::evaluations_of(v) == evaluations);

      v.invalidate_evaluations();
      CHECK(test::count_evaluated(v) == 0);
      test::check_extrema(v, z);
      CHECK(test::evaluations_of(v) == evaluations);
    }
  }
}

TEST_CASE("only the elements of the range are evaluated, and each as evaluate would") {
  THRUST_RNS_TEST_ENGINE(engine, 108);
  using number = symmetric_128;
  const std::vector<mpz_class> z = test::make_pattern<number>(pattern::edges, engine, 300);
  const thrust_rns::device_vector<number> v = test::make<number>(z);
  test::check_extrema(v.begin() + 5, v.begin() + 290, z.data() + 5);
  const std::vector<std::uint64_t> evaluations = test::evaluations_of(v);
  for (std::size_t j = 0; j < z.size(); ++j) {
    CAPTURE(j);
    const std::uint64_t expected = thrust_rns::evaluate(test::make<number>(z[j])).key();
    CHECK((5 <= j && j < 290 ? test::are_keys_of_one(evaluations[j], expected) : evaluations[j] == 0));
  }
}

TEST_CASE("ties go to the first of the equal numbers") {
  const thrust_rns::device_vector<symmetric_128> v{5, 9, -9, 9, 9, 0, -9};
  CHECK(thrust::max_element(v.begin(), v.end()) - v.begin() == 1);
  CHECK(thrust::min_element(v.begin(), v.end()) - v.begin() == 2);
  CHECK(thrust::max_element(v.begin(), v.end(), thrust_rns::greater()) - v.begin() == 2);
  CHECK(thrust::min_element(v.begin(), v.end(), thrust_rns::greater()) - v.begin() == 1);
  CHECK(thrust::max_element(v.begin() + 2, v.end()) - v.begin() == 3);
  CHECK(thrust::min_element(v.begin() + 3, v.end()) - v.begin() == 6);
}
