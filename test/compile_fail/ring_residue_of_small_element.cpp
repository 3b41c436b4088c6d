// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// expect: only coefficients modulo M have residues

#include <thrust_rns/ring.h>

using ring = thrust_rns::prime_ring<761, 4591>;

#ifdef CONTROL
int first(const thrust_rns::full_element<ring>& a) { return a.residue(0); }
#else
int first(const thrust_rns::ternary_element<ring>& a) { return a.residue(0); }
#endif
