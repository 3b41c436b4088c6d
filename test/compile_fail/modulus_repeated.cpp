// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// expect: the moduli of a set must be pairwise coprime
// expect: moduli_not_coprime<65537u?, 65537u?, 65537u?>

#include <thrust_rns/number.h>

#ifdef CONTROL
using base = thrust_rns::moduli_set<65536, 13, 65537>;
#else
using base = thrust_rns::moduli_set<65537, 13, 65537>;
#endif

thrust_rns::number<base> x = 1;
