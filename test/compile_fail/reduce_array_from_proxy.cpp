// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// expect: the initial value of thrust::reduce over numbers must be a number of the same type

#include <thrust_rns/device_vector.h>

#include <thrust/device_vector.h>
#include <thrust/reduce.h>

using number = thrust_rns::number<thrust_rns::moduli_set<13, 7, 16>>;

number largest(const thrust::device_vector<number>& v) {
#ifdef CONTROL
  return thrust::reduce(v.begin() + 1, v.end(), number(v[0]), thrust_rns::maximum());
#else
  return thrust::reduce(v.begin() + 1, v.end(), v[0], thrust_rns::maximum());
#endif
}
