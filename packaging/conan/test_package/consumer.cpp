// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#include <thrust_rns/device_vector.h>

int main() {
  using number = thrust_rns::number<thrust_rns::moduli_for_bits<128>>;
  const thrust_rns::device_vector<number> v{number(3), number(7)};
  return *thrust::max_element(v.begin(), v.end()) == 7 ? 0 : 1;
}
