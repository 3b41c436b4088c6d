// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// expect: the operand has another degree than the ring

#include <thrust_rns/ring_multiply.h>

using ring = thrust_rns::prime_ring<761, 4591>;
#ifdef CONTROL
using other = ring;
#else
using other = thrust_rns::prime_ring<653, 4591>;
#endif
using full = thrust_rns::full_element<ring>;

full product(const full& a, const thrust_rns::ternary_element<other>& b) {
  return thrust_rns::ring_multiplies<ring>{}(a, b);
}
