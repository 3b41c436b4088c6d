// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Launching kernels whose threads each take one or more items.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include <thrust_rns/config.h>

namespace thrust_rns {
namespace detail {

inline constexpr int item_threads = 256;

/// One thread an item, or a stride over the items where `most_blocks` are fewer; `rows` of them in y.
template <class... Parameters, class... Arguments>
cudaError_t launch_items(void (*kernel)(Parameters...), std::int64_t items, std::int64_t most_blocks, int rows,
                         cudaStream_t stream, Arguments... arguments) {
  if (items <= 0) return cudaSuccess;
  cudaLaunchConfig_t config{};
  config.gridDim =
      dim3(static_cast<unsigned>(std::min<std::int64_t>((items + item_threads - 1) / item_threads, most_blocks)),
           static_cast<unsigned>(rows));
  config.blockDim = dim3(item_threads);
  config.stream = stream;
  return cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...);
}

#if defined(__CUDACC__)
/// The first item of a thread, and how far its next one is.
__device__ inline std::int64_t first_item() { return std::int64_t{blockIdx.x} * item_threads + threadIdx.x; }
__device__ inline std::int64_t item_step() { return std::int64_t{gridDim.x} * item_threads; }
#endif

} // namespace detail
} // namespace thrust_rns
