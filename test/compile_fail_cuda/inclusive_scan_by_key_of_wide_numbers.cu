// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// expect: thrust_rns: inclusive_scan_by_key and exclusive_scan_by_key on the CUDA backend take numbers of at most 188 bytes

#include <thrust_rns/device_vector.h>

#include <thrust/device_vector.h>
#include <thrust/scan.h>

#ifdef CONTROL
using number = thrust_rns::number<thrust_rns::moduli_for_bits<1440>>; // 47 moduli
#else
using number = thrust_rns::number<thrust_rns::moduli_for_bits<1470>>; // 48 moduli
#endif
static_assert(number::size == 47 || number::size == 48);

void sums(const thrust::device_vector<int>& keys, thrust_rns::device_vector<number>& v) {
  thrust::inclusive_scan_by_key(keys.begin(), keys.end(), v.begin(), v.begin());
}
