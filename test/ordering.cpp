// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Thrust's own algorithms over the vectors' iterators: those that order, search and scan.

#include "vectors.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include <thrust/binary_search.h>
#include <thrust/count.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/find.h>
#include <thrust/functional.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

namespace {

using number = thrust_rns::number<thrust_rns::moduli_for_bits<64>, thrust_rns::symmetric_range>;
using device_vector = thrust_rns::device_vector<number>;

struct is_negative {
  THRUST_RNS_HD bool operator()(const number& x) const { return x < number(0); }
};

/// Orders by X mod m_0 alone, so that stability shows.
struct first_residue_less {
  THRUST_RNS_HD bool operator()(const number& a, const number& b) const { return a.residue(0) < b.residue(0); }
};

const std::size_t sizes[] = {1, 2, 33, 3001};

} // namespace

TEST_CASE("sort puts numbers in their exact order, and the extrema follow") {
  for (const std::size_t n : sizes) {
    CAPTURE(n);
    for (const test::pattern p : {test::pattern::random, test::pattern::neighbours, test::pattern::edges}) {
      THRUST_RNS_TEST_ENGINE(engine, 551);
      std::vector<mpz_class> z = test::make_pattern<number>(p, engine, n);
      device_vector v = test::make<number>(z);
      test::check_extrema(v, z);
      thrust::sort(v.begin(), v.end());
      std::sort(z.begin(), z.end());
      CHECK(test::values_of(v) == z);
      test::check_extrema(v, z);
    }
  }
}

TEST_CASE("stable_sort keeps the order of numbers that its comparator holds equal") {
  THRUST_RNS_TEST_ENGINE(engine, 552);
  const mpz_class m = static_cast<unsigned long>(number::base_type::moduli[0]);
  std::vector<number> x;
  for (int j = 0; j < 2000; ++j) {
    x.push_back(
        test::make<number>(m * static_cast<unsigned long>(engine() % 1000) + static_cast<unsigned long>(engine() % 7)));
  }
  device_vector v = x;
  thrust::stable_sort(v.begin(), v.end(), first_residue_less());
  std::stable_sort(x.begin(), x.end(), first_residue_less());
  CHECK(v.to_vector() == x);
}

TEST_CASE("find, count_if and the binary searches agree with the standard ones" * test::stock) {
  THRUST_RNS_TEST_ENGINE(engine, 553);
  std::vector<mpz_class> z = test::make_pattern<number>(test::pattern::random, engine, 1500);
  z[900] = z[1200] = 5;
  device_vector v = test::make<number>(z);
  CHECK(thrust::find(v.begin(), v.end(), number(5)) - v.begin() == 900);
  CHECK(thrust::find(v.begin(), v.begin() + 900, number(5)) == v.begin() + 900);
  CHECK(thrust::count_if(v.begin(), v.end(), is_negative()) ==
        std::count_if(z.begin(), z.end(), [](const mpz_class& x) { return x < 0; }));
}

TEST_CASE("inclusive_scan sums modulo M") {
  THRUST_RNS_TEST_ENGINE(engine, 554);
  for (const std::size_t n : sizes) {
    CAPTURE(n);
    const std::vector<mpz_class> z = test::make_pattern<number>(test::pattern::random, engine, n);
    const device_vector v = test::make<number>(z);
    device_vector sums(n);
    thrust::inclusive_scan(v.begin(), v.end(), sums.begin(), thrust_rns::plus());
    std::vector<mpz_class> expected(n);
    for (std::size_t j = 0; j < n; ++j) expected[j] = test::wrap<number>((j == 0 ? 0 : expected[j - 1]) + z[j]);
    CHECK(test::values_of(sums) == expected);
  }
}

TEST_CASE("ties: extrema, sorted unique values and bounds are those of the integers") {
  device_vector v{5, 9, -9, 9, 9, 0, -9};
  CHECK(thrust::max_element(v.begin(), v.end()) - v.begin() == 1);
  CHECK(thrust::min_element(v.begin(), v.end()) - v.begin() == 2);
  const thrust_rns::host_vector<number> h = v;
  const auto both = thrust::minmax_element(thrust::host, h.begin(), h.end());
  CHECK(both.first - h.begin() == 2);
  CHECK(both.second - h.begin() == 1); // std::minmax_element would give the last of the largest
  thrust::sort(v.begin(), v.end());
  CHECK(v == device_vector{-9, -9, 0, 5, 9, 9, 9});
  CHECK(thrust::lower_bound(v.begin(), v.end(), number(9)) - v.begin() == 4);
  CHECK(thrust::upper_bound(v.begin(), v.end(), number(9)) - v.begin() == 7);
  v.erase(thrust::unique(v.begin(), v.end()), v.end());
  CHECK(v == device_vector{-9, 0, 5, 9});
}

TEST_CASE("unique drops neighbours that are equal, and the extrema follow") {
  THRUST_RNS_TEST_ENGINE(engine, 555);
  std::vector<mpz_class> z = test::make_pattern<number>(test::pattern::ties, engine, 1000);
  device_vector v = test::make<number>(z);
  test::check_extrema(v, z);
  v.erase(thrust::unique(v.begin(), v.end()), v.end());
  z.erase(std::unique(z.begin(), z.end()), z.end());
  CHECK(test::values_of(v) == z);
  test::check_extrema(v, z);
}
