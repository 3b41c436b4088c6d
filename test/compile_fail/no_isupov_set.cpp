// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// expect: isupov_moduli<Bits> exists for 64, 128, 256, 512, 1024, 2048 and 4096 bits

#include <thrust_rns/moduli_set.h>

#ifdef CONTROL
static_assert(thrust_rns::isupov_moduli<64>::size == 4);
#else
static_assert(thrust_rns::isupov_moduli<80>::size == 5);
#endif
