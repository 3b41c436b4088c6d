// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// expect: coefficients come as signed integers of 16 bits or more

#include <thrust_rns/ring_vector.h>

#include <thrust/execution_policy.h>

using element = thrust_rns::full_element<thrust_rns::prime_ring<761, 4591>>;
#ifdef CONTROL
using integer = short;
#else
using integer = signed char;
#endif

void assign(const integer* integers, element* rows) {
  thrust_rns::assign_coefficients(thrust::host, integers, 1, rows);
}
