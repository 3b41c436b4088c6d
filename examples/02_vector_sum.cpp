// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// A vector of wide integers, filled, added up and scanned by Thrust's own calls: 1^9 + 2^9 + ... + n^9.

#include <thrust_rns/device_vector.h>
#include <thrust_rns/io.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/transform.h>

#include <cstdint>
#include <iostream>

#include "check.h"

namespace {

using number = thrust_rns::number<thrust_rns::moduli_for_bits<256>>;

struct ninth_power { // THRUST_RNS_HD: for the host and, under nvcc, for the GPU
  THRUST_RNS_HD number operator()(std::int64_t k) const {
    const number x = k, cube = x * x * x;
    return cube * cube * cube;
  }
};

/// Faulhaber: 5 (1^9 + ... + n^9) = a^2 (16 a^3 - 20 a^2 + 12 a - 3), a = n (n + 1)/2.
number five_times_sum(std::int64_t n) {
  const number a = n * (n + 1) / 2;
  return a * a * (16 * a * a * a - 20 * a * a + 12 * a - 3);
}

} // namespace

int main() {
  constexpr std::int64_t n = 1'000'000;
  thrust_rns::device_vector<number> v(n);
  const thrust::counting_iterator<std::int64_t> first(1);
  thrust::transform(first, first + n, v.begin(), ninth_power());

  const number sum = thrust::reduce(v.begin(), v.end());
  std::cout << "1^9 + 2^9 + ... + " << n << "^9 = " << sum << '\n';
  check(5 * sum == five_times_sum(n), "the sum");

  // Any part of a vector, and an initial value.
  const number upper = thrust::reduce(v.begin() + 1000, v.end(), number(7));
  check(5 * (sum - upper + 7) == five_times_sum(1000), "the sum of a part");

  // All partial sums, in place.
  thrust::inclusive_scan(v.begin(), v.end(), v.begin());
  for (const std::int64_t k : {1, 2, 1000, 65537, 1'000'000}) {
    check(5 * number(v[static_cast<std::size_t>(k - 1)]) == five_times_sum(k), "a partial sum");
  }
  std::cout << "all right" << std::endl;
}
