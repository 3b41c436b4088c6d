// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// expect: the modulus of a prime_ring must lie between 2 and 8192

#include <thrust_rns/ring.h>

#ifdef CONTROL
thrust_rns::full_element<thrust_rns::prime_ring<761, 8192>> a;
#else
thrust_rns::full_element<thrust_rns::prime_ring<761, 8193>> a;
#endif
