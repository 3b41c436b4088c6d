// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// expect: coefficients come as signed integers

#include <thrust_rns/ring.h>

using element = thrust_rns::small_element<thrust_rns::prime_ring<761, 4591>>;
#ifdef CONTROL
using integer = long;
#else
using integer = unsigned long;
#endif

void assign(element& a, const integer* integers) { a.assign(integers); }
