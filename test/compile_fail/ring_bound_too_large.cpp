// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// expect: small coefficients are 8-bit: the bound is 1 \.\. 128

#include <thrust_rns/ring.h>

using ring = thrust_rns::prime_ring<761, 4591>;

#ifdef CONTROL
thrust_rns::small_element<ring, 128> a;
#else
thrust_rns::small_element<ring, 129> a;
#endif
