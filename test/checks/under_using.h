// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// All headers, after what careless programs write before their includes; for two translation units of one program.

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

using namespace std;
#if !defined(__CUDACC__) // then nvcc's own stubs of kernels do not compile: their `cub` and `cuda` could be Thrust's
using namespace thrust;
#endif

#include <thrust_rns/gmp_vector.h>
#include <thrust_rns/thrust_rns.h>

using careless_number = thrust_rns::number<thrust_rns::moduli_for_bits<64>, thrust_rns::symmetric_range>;
using careless_vector = thrust_rns::device_vector<careless_number>;

/// The largest of a sorted vector's sums with itself. Defined in each unit as `name`.
#define UNDER_USING_DEFINE(name)                                                                                  \
  careless_number name(careless_vector v) {                                                                       \
    thrust::sort(v.begin(), v.end());                                                                             \
    thrust::transform(v.begin(), v.end(), v.begin(), v.begin(), thrust_rns::plus());                              \
    thrust::inclusive_scan(v.begin(), v.end(), v.begin(), thrust_rns::maximum());                                 \
    return *thrust::max_element(v.begin(), v.end()) + thrust::reduce(v.begin(), v.end(), careless_number(0)) * 0; \
  }

careless_number largest_in_a(careless_vector v);
careless_number largest_in_b(careless_vector v);
