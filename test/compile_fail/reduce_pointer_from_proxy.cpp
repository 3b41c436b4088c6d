// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// expect: the initial value of thrust::reduce over numbers must be a number of the same type

#include <thrust_rns/host_vector.h>

#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

using number = thrust_rns::number<thrust_rns::moduli_set<13, 7, 16>>;

number sum(const number* first, const number* last, const thrust_rns::host_vector<number>& init) {
#ifdef CONTROL
  return thrust::reduce(thrust::host, first, last, number(init[0]));
#else
  return thrust::reduce(thrust::host, first, last, init[0]);
#endif
}
