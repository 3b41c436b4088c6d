// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// expect: the matrices of a product hold numbers of one type

#include <thrust_rns/matrix.h>

using number = thrust_rns::number<thrust_rns::moduli_set<13, 7, 16>>;
using other = thrust_rns::number<thrust_rns::moduli_set<13, 7, 11>>;

void multiply(const thrust_rns::device_matrix<number>& a, const thrust_rns::device_matrix<other>& b,
              thrust_rns::device_matrix<number>& c) {
#ifdef CONTROL
  thrust_rns::matrix_multiply(a, a, c);
  static_cast<void>(b);
#else
  thrust_rns::matrix_multiply(a, b, c);
#endif
}
