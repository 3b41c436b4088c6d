// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// expect: the moduli of a set must be pairwise coprime
// expect: moduli_not_coprime<935u?, 867u?, 17u?>

#include <thrust_rns/number.h>

#ifdef CONTROL
using base = thrust_rns::moduli_set<935, 866, 61>;
#else
using base = thrust_rns::moduli_set<935, 867, 61>;
#endif

thrust_rns::number<base> x = 1;
