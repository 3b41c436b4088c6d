// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#include <iostream>

#include <thrust/extrema.h>

#include <thrust_rns/device_vector.h>
#include <thrust_rns/io.h>

int main() {
  using number = thrust_rns::number<thrust_rns::moduli_for_bits<128>>;
  thrust_rns::device_vector<number> v;
  v.push_back(3);
  v.push_back(7);
  auto m = *thrust::max_element(v.begin(), v.end());
  std::cout << number(m) << "\n";
}
