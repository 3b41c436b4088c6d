// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// The algorithms over arrays of whole numbers: every size and alignment.

#include "arrays.h"

#include <cstddef>
#include <vector>

#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>

namespace {

using test::no_policy;
using test::pattern;

using unsigned_64 = thrust_rns::number<thrust_rns::moduli_for_bits<64>>;
using symmetric_256 = thrust_rns::number<thrust_rns::moduli_for_bits<256>, thrust_rns::symmetric_range>;
using unsigned_512 = thrust_rns::number<thrust_rns::isupov_moduli<512>>;
using symmetric_even = thrust_rns::number<thrust_rns::moduli_set<13, 7, 16, 31>, thrust_rns::symmetric_range>;

std::vector<std::size_t> sizes() {
  if (test::small()) return {0, 1, 31, 33, 128, 1001};
  return {0, 1, 2, 31, 32, 33, 127, 128, 129, 10007};
}

} // namespace

TEST_CASE_TEMPLATE("Thrust's device vectors of whole numbers have exact extrema and sums at every size", Number,
                   unsigned_64, symmetric_256, unsigned_512, symmetric_even) {
  THRUST_RNS_TEST_ENGINE(engine, 1401);
  for (const std::size_t n : sizes()) {
    for (const pattern p : {pattern::random, pattern::random_length, pattern::ties, pattern::neighbours, pattern::edges,
                            pattern::lowest, pattern::all_equal}) {
      if (n > 1001 && p != pattern::random && p != pattern::neighbours) continue;
      CAPTURE(static_cast<int>(p));
      const std::vector<mpz_class> z = test::make_pattern<Number>(p, engine, n);
      const thrust::device_vector<Number> v = test::make<Number>(z);
      test::check<Number>(no_policy(), v.begin(), v.end(), z.data());
    }
  }
}

TEST_CASE_TEMPLATE("Thrust's host vectors of whole numbers have exact extrema and sums at every size", Number,
                   unsigned_64, symmetric_256, symmetric_even) {
  THRUST_RNS_TEST_ENGINE(engine, 1402);
  for (const std::size_t n : sizes()) {
    for (const pattern p : {pattern::random, pattern::ties, pattern::neighbours, pattern::edges}) {
      if (n > 1001 && p != pattern::random) continue;
      CAPTURE(static_cast<int>(p));
      const std::vector<mpz_class> z = test::make_pattern<Number>(p, engine, n);
      const thrust::host_vector<Number> v = test::make<Number>(z);
      test::check<Number>(no_policy(), v.begin(), v.end(), z.data());
    }
  }
}

TEST_CASE("every sub-range at odd offsets has its own extrema and sum") {
  THRUST_RNS_TEST_ENGINE(engine, 1405);
  using number = unsigned_64; // 12 bytes: a sub-range is aligned to 4 bytes only
  const std::vector<mpz_class> z = test::make_pattern<number>(pattern::random_length, engine, 400);
  const thrust::device_vector<number> d = test::make<number>(z);
  const number* raw = thrust::raw_pointer_cast(d.data());
  for (const std::ptrdiff_t b : {0, 1, 3, 5, 31, 129}) {
    for (const std::ptrdiff_t e : {130, 131, 257, 399, 400}) {
      CAPTURE(b);
      CAPTURE(e);
      test::check<number>(no_policy(), d.begin() + b, d.begin() + e, z.data() + b);
      test::check<number>(thrust::device, raw + b, raw + e, z.data() + b);
    }
  }
}

TEST_CASE("ties go to the first, the first largest in minmax_element too, and an empty range gives its end") {
  using number = symmetric_256;
  const std::vector<number> x{5, 9, -9, 9, 9, 0, -9};
  const thrust::device_vector<number> d = x;
  CHECK(thrust::max_element(d.begin(), d.end()) - d.begin() == 1);
  CHECK(thrust::min_element(d.begin(), d.end()) - d.begin() == 2);
  CHECK(thrust::minmax_element(d.begin(), d.end()).second - d.begin() == 1);
  CHECK(thrust::max_element(thrust::host, x.data() + 2, x.data() + 7) - x.data() == 3);
  CHECK(thrust::max_element(d.begin() + 4, d.begin() + 4) - d.begin() == 4);
  CHECK(thrust::minmax_element(d.end(), d.end()).first == d.end());
  const number* nothing = nullptr;
  CHECK(thrust::min_element(thrust::device, nothing, nothing) == nothing);
  CHECK(thrust::reduce(thrust::device, nothing, nothing) == number(0));
  CHECK(thrust::reduce(thrust::host, nothing, nothing, number(-4), thrust_rns::maximum()) == number(-4));
}
