// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// expect: a product or sum of two small elements needs a modulus

#include <thrust_rns/ring_multiply.h>

using ring = thrust_rns::prime_ring<761, 4591>;
using small = thrust_rns::small_element<ring>;

#ifdef CONTROL
auto product(const small& a, const small& b) { return thrust_rns::ring_multiplies<ring>{}(a, b); }
#else
auto product(const small& a, const small& b) { return a * b; }
#endif
