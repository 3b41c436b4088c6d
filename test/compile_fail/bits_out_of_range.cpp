// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// expect: moduli_for_bits<Bits> needs 2 <= Bits <= 8431

#include <thrust_rns/moduli_set.h>

#ifdef CONTROL
static_assert(thrust_rns::moduli_for_bits<8431>::size == 272);
#else
static_assert(thrust_rns::moduli_for_bits<8432>::size == 272);
#endif
