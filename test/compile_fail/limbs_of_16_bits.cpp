// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
// expect: thrust_rns: limbs of many integers are unsigned integers of 32 or 64 bits

#include <thrust_rns/exchange.h>
#include <thrust_rns/host_vector.h>

void import(thrust_rns::host_vector<thrust_rns::number<thrust_rns::moduli_for_bits<64>>>& v) {
#ifdef CONTROL
  const std::uint32_t limbs[4] = {};
#else
  const std::uint16_t limbs[4] = {};
#endif
  thrust_rns::import_limbs(limbs + 0, thrust_rns::limb_layout::rows(1), v.begin(), v.begin() + 4);
}
