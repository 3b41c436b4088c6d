// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// expect: the initial value of thrust::reduce over numbers must be a number of the same type

#include <thrust_rns/device_vector.h>

#include <thrust/device_vector.h>
#include <thrust/reduce.h>

using number = thrust_rns::number<thrust_rns::moduli_set<13, 7, 16>>;

number sum(const thrust::device_vector<number>& v) {
#ifdef CONTROL
  return thrust::reduce(v.begin(), v.end(), number(0));
#else
  return thrust::reduce(v.begin(), v.end(), 0);
#endif
}
