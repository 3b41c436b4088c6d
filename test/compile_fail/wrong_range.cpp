// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// expect: the range of a number is unsigned_range or symmetric_range

#include <thrust_rns/number.h>

#ifdef CONTROL
using range = thrust_rns::symmetric_range;
#else
using range = int;
#endif

thrust_rns::number<thrust_rns::moduli_set<13, 7, 16>, range> x = 1;
