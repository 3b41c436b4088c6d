// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Matrix products on the CUDA backend: the device layer with a Thrust policy's stream and allocator.

#include <cstddef>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/matrix_problem.h>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/detail/matrix_launch.cuh>
#include <thrust_rns/detail/scratch.cuh>

namespace thrust_rns {
namespace detail {

template <class Policy>
void multiply_matrices_on_device(const Policy& exec, const matrix_problem& p, const modulus_list& moduli) {
  constexpr const char* what = "thrust_rns: product of matrices";
  Policy policy = exec; // what asks a policy for its stream takes it as a variable
  const cudaStream_t stream = stream_of(policy);
  std::size_t bytes = 0;
  check_cuda(launch_product(nullptr, bytes, p, moduli, stream), what);
  const scratch<Policy> memory(policy, bytes);
  check_cuda(launch_product(memory.bytes(), bytes, p, moduli, stream), what);
  synchronize_optional(policy, what);
}

} // namespace detail
} // namespace thrust_rns
