// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Sorting with values, the k largest, and binary searches.

#include <thrust_rns/device_vector.h>

#include <thrust/binary_search.h>
#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <cstdint>
#include <iostream>

#include "check.h"

namespace {

using number = thrust_rns::number<thrust_rns::moduli_for_bits<256>, thrust_rns::symmetric_range>;
constexpr std::int64_t n = 100'000, unit = 1'000'000'007;

/// (r - n/2)^9 for a permutation r of 0 .. n - 1: both signs, up to 141 bits.
struct value {
  THRUST_RNS_HD number operator()(std::int64_t j) const {
    const number x = j * unit % n - n / 2, cube = x * x * x;
    return cube * cube * cube;
  }
};

} // namespace

int main() {
  thrust_rns::device_vector<number> v(n);
  const thrust::counting_iterator<std::int64_t> indices(0);
  thrust::transform(indices, indices + n, v.begin(), value());
  const thrust_rns::device_vector<number> original = v;
  thrust::device_vector<std::int32_t> places(n);
  thrust::sequence(places.begin(), places.end());

  // places[k]: where the number of rank k was.
  thrust::sort_by_key(v.begin(), v.end(), places.begin());
  check(thrust::is_sorted(v.begin(), v.end()), "sorted");
  for (const std::size_t k : {0, 1, 49'999, 50'000, 99'999}) {
    check(places[k] * unit % n == static_cast<std::int64_t>(k), "a place");
    check(v[k] == original[static_cast<std::size_t>(places[k])], "a number and its place");
  }
  std::cout << "smallest " << v[0] << "\nlargest  " << v[n - 1] << '\n';

  // The ten largest alone, largest first.
  thrust_rns::device_vector<number> top(10);
  thrust_rns::top_k(original.begin(), original.end(), 10, top.begin());
  for (std::size_t k = 0; k < 10; ++k) check(top[k] == v[n - 1 - k], "the largest");

  // Where numbers are, or would be.
  check(thrust::lower_bound(v.begin(), v.end(), number(0)) - v.begin() == n / 2, "the place of 0");
  check(thrust::lower_bound(v.begin(), v.end(), number(2)) - v.begin() == n / 2 + 2, "the place of 2");
  check(!thrust::binary_search(v.begin(), v.end(), number(2)), "2 is not there");
  thrust::device_vector<std::int32_t> found(n);
  thrust::lower_bound(v.begin(), v.end(), original.begin(), original.end(), found.begin());
  for (const std::size_t k : {0, 1, 49'999, 50'000, 99'999}) {
    check(found[static_cast<std::size_t>(places[k])] == static_cast<std::int32_t>(k), "a place found");
  }
  std::cout << "all right" << std::endl;
}
