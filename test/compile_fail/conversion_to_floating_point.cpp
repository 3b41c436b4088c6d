// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// expect: takes a built-in integer of up to 128 bits

#include <thrust_rns/convert.h>

using number = thrust_rns::number<thrust_rns::moduli_set<13, 7, 16>>;

#ifdef CONTROL
bool is_small(const number& x) { return thrust_rns::fits<int>(x); }
#else
bool is_small(const number& x) { return thrust_rns::fits<double>(x); }
#endif
