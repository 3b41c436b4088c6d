// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// expect: a modulus must be at least 2 and below 2\^31
// expect: modulus_out_of_range<1u?>

#include <thrust_rns/number.h>

#ifdef CONTROL
using base = thrust_rns::moduli_set<13, 2147483647>;
#else
using base = thrust_rns::moduli_set<13, 1>;
#endif

thrust_rns::number<base> x = 1;
