// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// The largest and the smallest of many numbers of 1024 bits: ties, neighbours, and evaluations that are kept.
//
// The order of two numbers does not show in their residues: the library evaluates each, keeps 8 bytes beside it, and drops
// them when it is written. So the first call reads all residues, and later ones 8 bytes a number.

#include <thrust_rns/device_vector.h>

#include <thrust/extrema.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform.h>

#include <chrono>
#include <cstdint>
#include <iostream>

#include "check.h"

namespace {

using number = thrust_rns::number<thrust_rns::moduli_for_bits<1024>, thrust_rns::symmetric_range>;

/// start + step r for a permutation r of 0 .. count - 1.
struct shuffled {
  number start, step;
  std::uint64_t count;
  THRUST_RNS_HD number operator()(std::uint64_t j) const { return start + step * (j * 611'953 % count); }
};

double milliseconds() {
  using namespace std::chrono;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

} // namespace

int main() {
  constexpr std::uint64_t n = 100'000;
  number large = 1'152'921'504'606'846'883;
  for (int i = 0; i < 4; ++i) large *= large; // 960 bits
  thrust_rns::device_vector<number> v(n);
  const thrust::counting_iterator<std::uint64_t> indices(0);
  thrust::transform(indices, indices + n, v.begin(), shuffled{large * -50'000, large, n}); // 611953 is prime to n

  const double begin = milliseconds();
  const auto largest = thrust::max_element(v.begin(), v.end());
  const double first = milliseconds();
  const auto again = thrust::max_element(v.begin(), v.end());
  const double later = milliseconds();
  std::cout << "maximum of " << n << ": " << first - begin << " ms, again: " << later - first << " ms\n";
  check(*largest == large * 49'999 && again == largest, "the largest");

  // What is written is evaluated anew.
  v[17] = large * 50'000;
  check(thrust::max_element(v.begin(), v.end()) - v.begin() == 17, "an element that grew");
  v[17] = large * -50'001;
  const auto both = thrust::minmax_element(v.begin(), v.end());
  check(both.first - v.begin() == 17 && both.second == largest, "an element that shrank");

  // Neighbours X, X + 1, X + 2, ... differ in far fewer bits than an evaluation has: the order is exact all the same.
  thrust::transform(indices, indices + n, v.begin(), shuffled{large, 1, n});
  check(*thrust::max_element(v.begin(), v.end()) == large + (n - 1), "the largest of neighbours");

  // Of equal numbers the first counts, as in Thrust.
  v[90'000] = v[300] = v[60'000] = large + 2 * n;
  check(thrust::max_element(v.begin(), v.end()) - v.begin() == 300, "a tie");
  check(thrust::max_element(v.begin() + 301, v.end()) - v.begin() == 60'000, "a tie in a part");
  check(thrust::min_element(v.begin(), v.end(), thrust_rns::greater()) - v.begin() == 300, "the other order");
  std::cout << "all right" << std::endl;
}
