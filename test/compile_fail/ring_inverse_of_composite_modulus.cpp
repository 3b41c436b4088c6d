// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// expect: inverses need a modulus that is an odd prime

#include <thrust_rns/ring_invert.h>

#ifdef CONTROL
using ring = thrust_rns::prime_ring<5, 4591>;
#else
using ring = thrust_rns::prime_ring<5, 4592>;
#endif

auto f(const thrust_rns::full_element<ring>& a) { return thrust_rns::ring_inverse<ring>{}(a); }
