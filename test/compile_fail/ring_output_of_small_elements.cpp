// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// expect: results of ring functors are full elements, or ternary ones for results modulo 3

#include <thrust_rns/ring_multiply.h>

using ring = thrust_rns::prime_ring<761, 4591>;
using full = thrust_rns::full_element<ring>;
#ifdef CONTROL
using output = thrust_rns::ternary_element<ring>;
#else
using output = thrust_rns::small_element<ring>;
#endif

output product(const full& a) { return thrust_rns::ring_multiplies<ring, output>{}(a, a); }
