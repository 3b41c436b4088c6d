// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Checks of every algorithm over an array of whole numbers, by any policy or by none.

#include "vectors.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <type_traits>

#include <thrust/extrema.h>
#include <thrust/pair.h>
#include <thrust/reduce.h>

namespace test {

/// Stands for no policy, so that one check serves calls with and without.
struct no_policy {};

template <class Policy, class... Arguments>
auto call_max_element(const Policy& policy, Arguments... a) {
  if constexpr (std::is_same_v<Policy, no_policy>) {
    return thrust::max_element(a...);
  } else {
    return thrust::max_element(policy, a...);
  }
}
template <class Policy, class... Arguments>
auto call_min_element(const Policy& policy, Arguments... a) {
  if constexpr (std::is_same_v<Policy, no_policy>) {
    return thrust::min_element(a...);
  } else {
    return thrust::min_element(policy, a...);
  }
}
template <class Policy, class... Arguments>
auto call_minmax_element(const Policy& policy, Arguments... a) {
  if constexpr (std::is_same_v<Policy, no_policy>) {
    return thrust::minmax_element(a...);
  } else {
    return thrust::minmax_element(policy, a...);
  }
}
template <class Policy, class... Arguments>
auto call_reduce(const Policy& policy, Arguments... a) {
  if constexpr (std::is_same_v<Policy, no_policy>) {
    return thrust::reduce(a...);
  } else {
    return thrust::reduce(policy, a...);
  }
}

/// What the algorithms give for [first, last).
template <class Number>
struct results {
  std::ptrdiff_t largest, smallest, first_of_both, second_of_both;
  Number sum, sum_from_highest, maximum_from_lowest, minimum_from_highest;
};

template <class Number, class Policy, class Iterator>
results<Number> results_of(const Policy& policy, Iterator first, Iterator last) {
  const auto low = std::numeric_limits<Number>::lowest(), high = std::numeric_limits<Number>::max();
  const thrust::pair<Iterator, Iterator> both = call_minmax_element(policy, first, last);
  return {call_max_element(policy, first, last) - first,
          call_min_element(policy, first, last) - first,
          both.first - first,
          both.second - first,
          call_reduce(policy, first, last),
          call_reduce(policy, first, last, high),
          call_reduce(policy, first, last, low, thrust_rns::maximum()),
          call_reduce(policy, first, last, high, thrust_rns::minimum())};
}

template <class Number>
void check_results(const results<Number>& r, const mpz_class* z, std::ptrdiff_t n) {
  CAPTURE(n);
  const std::ptrdiff_t largest = std::max_element(z, z + n) - z, smallest = std::min_element(z, z + n) - z;
  CHECK(r.largest == largest);
  CHECK(r.smallest == smallest);
  CHECK(r.first_of_both == smallest);
  CHECK(r.second_of_both == largest);
  const mpz_class sum = test::sum_of<Number>(z, n), lowest = test::smallest<Number>(),
                  highest = test::largest<Number>();
  CHECK(test::value(r.sum) == sum);
  CHECK(test::value(r.sum_from_highest) == test::wrap<Number>(sum + highest));
  CHECK(test::value(r.maximum_from_lowest) == (n == 0 ? lowest : z[largest]));
  CHECK(test::value(r.minimum_from_highest) == (n == 0 ? highest : z[smallest]));
}

/// All algorithms over [first, last), whose values start at z.
template <class Number, class Policy, class Iterator>
void check(const Policy& policy, Iterator first, Iterator last, const mpz_class* z) {
  check_results<Number>(results_of<Number>(policy, first, last), z, last - first);
}

} // namespace test
