// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// expect: a moduli set holds 2 to 272 moduli

#include <thrust_rns/number.h>

#ifdef CONTROL
using base = thrust_rns::moduli_set<13, 7>;
#else
using base = thrust_rns::moduli_set<13>;
#endif

thrust_rns::number<base> x = 1;
