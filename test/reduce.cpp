// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include "vectors.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/transform_reduce.h>

namespace {

using test::pattern;

using unsigned_128 = thrust_rns::number<thrust_rns::moduli_for_bits<128>>;
using unsigned_1024 = thrust_rns::number<thrust_rns::moduli_for_bits<1024>>;
using unsigned_64 = thrust_rns::number<thrust_rns::isupov_moduli<64>>;
using symmetric_64 = thrust_rns::number<thrust_rns::isupov_moduli<64>, thrust_rns::symmetric_range>;
using symmetric_even = thrust_rns::number<thrust_rns::moduli_set<13, 7, 16>, thrust_rns::symmetric_range>;

/// |X| + |Y| of small numbers: an operation that the library does not know.
struct sum_of_magnitudes {
  template <class A, class B>
  THRUST_RNS_HD symmetric_64 operator()(const A& a, const B& b) const {
    return magnitude(thrust_rns::detail::value_of(a)) + magnitude(thrust_rns::detail::value_of(b));
  }
  THRUST_RNS_HD static symmetric_64 magnitude(const symmetric_64& x) { return x < symmetric_64(0) ? -x : x; }
};

} // namespace

TEST_CASE_TEMPLATE("reduce sums modulo M at every size and alignment", Number, unsigned_128, unsigned_1024,
                   symmetric_even) {
  THRUST_RNS_TEST_ENGINE(engine, 201);
  std::size_t turn = 0;
  for (const std::size_t n : test::sizes_to_try()) {
    CAPTURE(n);
    for (const pattern p : {pattern::random, pattern::edges, pattern::lowest, pattern::zero}) {
      const std::vector<mpz_class> z = test::make_pattern<Number>(p, engine, n + 6);
      thrust_rns::device_vector<Number> v = test::make<Number>(z);
      for (std::size_t corner = turn++ % 5; corner < 16; corner += n <= 5 ? 1 : 5) { // as in extrema.cpp
        const auto b = static_cast<std::ptrdiff_t>(corner % 4), e = static_cast<std::ptrdiff_t>(n + 3 + corner / 4);
        CAPTURE(b);
        CAPTURE(e);
        const Number sum = corner % 2 == 0 ? thrust::reduce(v.begin() + b, v.begin() + e)
                                           : thrust::reduce(v.cbegin() + b, v.cbegin() + e);
        CHECK(test::value(sum) == test::sum_of<Number>(z.data() + b, e - b));
      }
    }
  }
}

TEST_CASE("a long sum is exact, of the largest residues too") {
  THRUST_RNS_TEST_ENGINE(engine, 202);
  const std::size_t n = test::amount<std::size_t>(100003, 20003);
  const auto length = static_cast<std::ptrdiff_t>(n);
  const std::vector<mpz_class> z = test::make_pattern<unsigned_128>(pattern::random, engine, n);
  const thrust_rns::device_vector<unsigned_128> v = test::make<unsigned_128>(z);
  CHECK(test::value(thrust::reduce(v.begin(), v.end())) == test::sum_of<unsigned_128>(z.data(), length));
  CHECK(test::value(thrust::reduce(v.begin() + 1, v.end() - 1)) ==
        test::sum_of<unsigned_128>(z.data() + 1, length - 2));

  const thrust_rns::device_vector<unsigned_128> top(n, unsigned_128(-1)); // every residue is m - 1
  CHECK(thrust::reduce(top.begin(), top.end()) == unsigned_128(-static_cast<long>(n)));
}

TEST_CASE("every sub-range of a short vector has its own sum") {
  THRUST_RNS_TEST_ENGINE(engine, 203);
  const std::vector<mpz_class> z = test::make_pattern<symmetric_even>(pattern::random, engine, 20);
  const thrust_rns::device_vector<symmetric_even> v = test::make<symmetric_even>(z);
  for (std::ptrdiff_t b = 0; b <= 20; ++b) {
    for (std::ptrdiff_t e = b; e <= 20; ++e) {
      CAPTURE(b);
      CAPTURE(e);
      CHECK(test::value(thrust::reduce(v.begin() + b, v.begin() + e)) ==
            test::sum_of<symmetric_even>(z.data() + b, e - b));
    }
  }
}

TEST_CASE("the initial value is added, and each name of plus sums") {
  THRUST_RNS_TEST_ENGINE(engine, 204);
  using number = symmetric_even;
  const std::vector<mpz_class> z = test::make_pattern<number>(pattern::random, engine, 555);
  const thrust_rns::device_vector<number> v = test::make<number>(z);
  const number sum = test::make<number>(test::sum_of<number>(z.data(), 555));
  for (const mpz_class& init : test::edge_values<number>()) {
    const number x = test::make<number>(init);
    CHECK(thrust::reduce(v.begin(), v.end(), x) == sum + x);
    CHECK(thrust::reduce(v.begin(), v.end(), x, thrust_rns::plus()) == sum + x);
    CHECK(thrust::reduce(v.begin(), v.end(), x, thrust::plus<number>()) == sum + x);
    CHECK(thrust::reduce(v.begin(), v.end(), x, thrust::plus<>()) == sum + x);
  }
}

TEST_CASE("transform_reduce by negate and plus subtracts the sum") {
  THRUST_RNS_TEST_ENGINE(engine, 208);
  using number = symmetric_even;
  const std::vector<mpz_class> z = test::make_pattern<number>(pattern::random, engine, 555);
  const thrust_rns::device_vector<number> v = test::make<number>(z);
  const number want = number(7) - test::make<number>(test::sum_of<number>(z.data(), 555));
  CHECK(thrust::transform_reduce(v.begin(), v.end(), thrust_rns::negate(), number(7), thrust_rns::plus()) == want);
  CHECK(thrust::transform_reduce(v.begin(), v.end(), thrust::negate<>(), number(7), thrust::plus<number>()) == want);
}

TEST_CASE_TEMPLATE("maximum and minimum are those of the range and the initial value", Number, unsigned_64,
                   symmetric_64) {
  THRUST_RNS_TEST_ENGINE(engine, 205);
  for (const pattern p : test::all_patterns) {
    CAPTURE(static_cast<int>(p));
    for (const std::size_t n : {1U, 5U, 256U, 2305U}) {
      CAPTURE(n);
      const std::vector<mpz_class> z = test::make_pattern<Number>(p, engine, n);
      const thrust_rns::device_vector<Number> v = test::make<Number>(z);
      const mpz_class largest = *std::max_element(z.begin(), z.end()), smallest = *std::min_element(z.begin(), z.end());
      for (const mpz_class& init :
           {test::smallest<Number>(), test::largest<Number>(), mpz_class(0), largest, smallest,
            test::wrap<Number>(largest + 1), test::wrap<Number>(smallest - 1), test::random_value<Number>(engine)}) {
        CAPTURE(init);
        const Number x = test::make<Number>(init);
        const mpz_class high = std::max(largest, init), low = std::min(smallest, init);
        CHECK(test::value(thrust::reduce(v.begin(), v.end(), x, thrust_rns::maximum())) == high);
        CHECK(test::value(thrust::reduce(v.begin(), v.end(), x, thrust_rns::minimum())) == low);
        CHECK(test::value(thrust::reduce(v.begin(), v.end(), x, thrust::maximum<Number>())) == high);
        CHECK(test::value(thrust::reduce(v.begin(), v.end(), x, thrust::minimum<Number>())) == low);
        CHECK(test::value(thrust::reduce(v.begin(), v.end(), x, thrust::maximum<>())) == high);
        CHECK(test::value(thrust::reduce(v.begin(), v.end(), x, thrust::minimum<>())) == low);
      }
    }
  }
}

TEST_CASE("an empty range gives the initial value, or 0") {
  using number = symmetric_64;
  const thrust_rns::device_vector<number> nothing;
  CHECK(thrust::reduce(nothing.begin(), nothing.end()) == number(0));
  CHECK(thrust::reduce(nothing.begin(), nothing.end(), number(-7)) == number(-7));
  CHECK(thrust::reduce(nothing.begin(), nothing.end(), number(-7), thrust_rns::maximum()) == number(-7));
  CHECK(thrust::reduce(nothing.begin(), nothing.end(), number(7), thrust_rns::minimum()) == number(7));
  const thrust_rns::device_vector<number> v(9, 5);
  CHECK(thrust::reduce(v.begin() + 3, v.begin() + 3) == number(0));
  CHECK(thrust::reduce(v.begin() + 9, v.end(), number(2), thrust_rns::plus()) == number(2));
}

TEST_CASE("an operation that the library does not know goes over every number once") {
  THRUST_RNS_TEST_ENGINE(engine, 206);
  for (const std::size_t n : {1U, 2U, 257U, 5000U}) {
    mpz_class sum = 3;
    std::vector<mpz_class> z;
    for (std::size_t j = 0; j < n; ++j) {
      z.emplace_back(static_cast<long>(engine() % 2001) - 1000);
      sum += abs(z.back());
    }
    const thrust_rns::device_vector<symmetric_64> v = test::make<symmetric_64>(z);
    CHECK(test::value(thrust::reduce(v.begin(), v.end(), symmetric_64(-3), sum_of_magnitudes())) == sum);
    CHECK(test::count_evaluated(v) == 0);
  }
}

TEST_CASE("sums and extrema are right over a view without evaluations, whatever is cached elsewhere") {
  THRUST_RNS_TEST_ENGINE(engine, 207);
  using number = symmetric_64;
  const std::vector<mpz_class> z = test::make_pattern<number>(pattern::random_length, engine, 1000);
  const thrust_rns::device_vector<number> v = test::make<number>(z);
  const auto s = v.as_span();
  const thrust_rns::const_device_iterator<number> bare(thrust_rns::span<const number>(s.plane(0), s.stride(), s.size()),
                                                       0);
  const mpz_class largest = *std::max_element(z.begin(), z.end());
  for (int repeat = 0; repeat < 2; ++repeat) {
    CHECK(test::value(thrust::reduce(bare, bare + 1000)) == test::sum_of<number>(z.data(), 1000));
    CHECK(test::value(thrust::reduce(bare, bare + 1000, test::make<number>(test::smallest<number>()),
                                     thrust_rns::maximum())) == largest);
    CHECK(thrust::max_element(v.begin(), v.end()) - v.begin() == thrust::max_element(bare, bare + 1000) - bare);
  }
}
