// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// expect: the degree of a prime_ring must lie between 2 and 2032

#include <thrust_rns/ring.h>

#ifdef CONTROL
thrust_rns::full_element<thrust_rns::prime_ring<2032, 4591>> a;
#else
thrust_rns::full_element<thrust_rns::prime_ring<2033, 4591>> a;
#endif
