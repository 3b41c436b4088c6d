// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// expect: no match for 'operator\+'|no match for ‘operator\+’|invalid operands to binary expression

#include <thrust_rns/number.h>

using x_type = thrust_rns::number<thrust_rns::moduli_set<13, 7, 16>>;
#ifdef CONTROL
using y_type = x_type;
#else
using y_type = thrust_rns::number<thrust_rns::moduli_set<13, 7, 17>>;
#endif

x_type sum(const x_type& x, const y_type& y) { return x + y; }
