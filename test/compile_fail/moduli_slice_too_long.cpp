// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// expect: moduli_slice<Base, First, Size> takes at least 2 moduli, all of them of Base

#include <thrust_rns/moduli_set.h>

using base = thrust_rns::moduli_for_bits<64>;

#ifdef CONTROL
static_assert(thrust_rns::moduli_slice<base, 1, 2>::size == 2);
#else
static_assert(thrust_rns::moduli_slice<base, 2, 2>::size == 2);
#endif
