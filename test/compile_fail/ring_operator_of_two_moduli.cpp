// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// expect: the operands have different moduli; ring_convert changes the modulus

#include <thrust_rns/ring_multiply.h>

using x_type = thrust_rns::full_element<thrust_rns::prime_ring<761, 4591>>;
#ifdef CONTROL
using y_type = x_type;
#else
using y_type = thrust_rns::full_element<thrust_rns::prime_ring<761, 4621>>;
#endif

x_type product(const x_type& x, const y_type& y) { return x * y; }
