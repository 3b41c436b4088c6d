// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// expect: limbs are unsigned integers of 8 to 64 bits

#include <thrust_rns/convert.h>

using number = thrust_rns::number<thrust_rns::moduli_set<13, 7, 16>>;

#ifdef CONTROL
using limb = unsigned char;
#else
using limb = signed char;
#endif

number read(const limb* limbs) { return thrust_rns::from_limbs<number>(limbs, 2); }
