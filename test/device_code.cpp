// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// The algorithms called in device code.

#include "vectors.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <thrust/binary_search.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

namespace {

using number = thrust_rns::number<thrust_rns::moduli_for_bits<64>, thrust_rns::symmetric_range>;
using device_vector = thrust_rns::device_vector<number>;

constexpr std::size_t n = 600;

/// Calls the algorithms in device code.
struct call_in_device_code {
  device_vector::const_iterator first, last;
  number lowest;
  std::int64_t* index; // 4 a call
  number* value;       // 2 a call

  THRUST_RNS_HD void operator()(int k) const {
    index[4 * k] = thrust::max_element(thrust::seq, first, last) - first;
    index[4 * k + 1] = thrust::max_element(thrust::device, first, last) - first;
    index[4 * k + 2] = thrust::min_element(thrust::device, first, last) - first;
    index[4 * k + 3] = thrust::max_element(thrust::device, first, last, thrust_rns::greater()) - first;
    value[2 * k] = thrust::reduce(thrust::device, first, last);
    value[2 * k + 1] = thrust::reduce(thrust::device, first, last, lowest, thrust_rns::maximum());
  }
};

/// Sorts, searches and selects in device code: [first, last) ends sorted downwards, with equal numbers once.
struct order_in_device_code {
  device_vector::iterator first, last;
  number x;
  std::int64_t* answers;

  THRUST_RNS_HD void operator()(int) const {
    answers[0] = thrust::is_sorted(thrust::device, first, last) ? 1 : 0;
    thrust::sort(thrust::device, first, last);
    answers[1] = thrust::is_sorted(thrust::device, first, last) ? 1 : 0;
    answers[2] = thrust::lower_bound(thrust::device, first, last, x) - first;
    answers[3] = thrust::upper_bound(thrust::seq, first, last, x) - first;
    answers[4] = thrust::count_if(thrust::device, first, last, thrust_rns::less_than(x));
    const auto end = thrust::unique(thrust::device, first, last);
    answers[5] = end - first;
    thrust::stable_sort(thrust::device, first, end, thrust_rns::greater());
  }
};

} // namespace

TEST_CASE("in device code sorting, searching and selecting are right") {
  THRUST_RNS_TEST_ENGINE(engine, 808);
  std::vector<mpz_class> z = test::make_pattern<number>(test::pattern::random, engine, 150);
  for (std::size_t j = 50; j < 100; ++j) z[j] = z[j - 50];
  const mpz_class x = z[60];
  device_vector v = test::make<number>(z);
  thrust::max_element(v.begin(), v.end());
  thrust::device_vector<std::int64_t> answers(6, -1);
  const thrust::counting_iterator<int> k(0);
  thrust::for_each(
      thrust::device, k, k + 1,
      order_in_device_code{v.begin(), v.end(), test::make<number>(x), thrust::raw_pointer_cast(answers.data())});
  std::sort(z.begin(), z.end());
  const auto place = std::lower_bound(z.begin(), z.end(), x) - z.begin();
  const std::int64_t expected[] = {0, 1, place, place + 2, place, 100};
  for (std::size_t i = 0; i < 6; ++i) CHECK(static_cast<std::int64_t>(answers[i]) == expected[i]);
  z.erase(std::unique(z.begin(), z.end()), z.end());
  std::reverse(z.begin(), z.end());
  v.resize(100);
  CHECK(test::values_of(v) == z);
  CHECK(test::evaluations_are_right(v));
}

TEST_CASE("in device code the calls are right, with and without cached evaluations") {
  THRUST_RNS_TEST_ENGINE(engine, 807);
  const std::vector<mpz_class> z = test::make_pattern<number>(test::pattern::random, engine, n);
  const std::ptrdiff_t largest = std::max_element(z.begin(), z.end()) - z.begin();
  const std::ptrdiff_t smallest = std::min_element(z.begin(), z.end()) - z.begin();
  const number sum = test::make<number>(test::sum_of<number>(z.data(), n)),
               lowest(test::make<number>(test::smallest<number>()));
  const device_vector v = test::make<number>(z);
  constexpr int threads = 3;
  const thrust::counting_iterator<int> k(0);
  for (int repeat = 0; repeat < 2; ++repeat) {
    thrust::device_vector<std::int64_t> index(4 * threads, -1);
    thrust::device_vector<number> value(2 * threads, number(0));
    thrust::for_each(thrust::device, k, k + threads,
                     call_in_device_code{v.begin(), v.end(), lowest, thrust::raw_pointer_cast(index.data()),
                                         thrust::raw_pointer_cast(value.data())});
    for (int t = 0; t < threads; ++t) {
      const auto at = [&](int i) { return static_cast<std::int64_t>(index[static_cast<std::size_t>(4 * t + i)]); };
      CHECK(at(0) == largest);
      CHECK(at(1) == largest);
      CHECK(at(2) == smallest);
      CHECK(at(3) == smallest);
      CHECK(static_cast<number>(value[static_cast<std::size_t>(2 * t)]) == sum);
      CHECK(static_cast<number>(value[static_cast<std::size_t>(2 * t + 1)]) ==
            test::make<number>(z[static_cast<std::size_t>(largest)]));
    }
    thrust::max_element(v.begin(), v.end());
  }
}
