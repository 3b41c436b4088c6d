// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// How many multiprocessors the current device has.

#include <cuda_runtime_api.h>

namespace thrust_rns {
namespace detail {

inline cudaError_t count_multiprocessors(int& count) {
  int device = 0;
  const cudaError_t status = cudaGetDevice(&device);
  if (status != cudaSuccess) return status;
  return cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
}

} // namespace detail
} // namespace thrust_rns
