// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// expect: the result of a matrix product is a view of const numbers

#include <thrust_rns/matrix.h>

using number = thrust_rns::number<thrust_rns::moduli_set<13, 7, 16>>;

void multiply(const thrust_rns::device_matrix<number>& a, thrust_rns::device_matrix<number>& c) {
#ifdef CONTROL
  thrust_rns::matrix_multiply(thrust::device, a, a, c.as_span());
#else
  thrust_rns::matrix_multiply(thrust::device, a, a, c.transposed());
#endif
}
