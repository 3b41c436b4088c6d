// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Kernel launches that return their status.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include <thrust_rns/config.h>

namespace thrust_rns {
namespace detail {

template <class... Parameters, class... Arguments>
cudaError_t launch_with(bool together, void (*kernel)(Parameters...), dim3 grid, int threads, std::size_t shared_bytes,
                        cudaStream_t stream, Arguments... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = dim3(static_cast<unsigned>(threads));
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream;
  cudaLaunchAttribute cooperative{};
  cooperative.id = cudaLaunchAttributeCooperative;
  cooperative.val.cooperative = 1;
  config.attrs = &cooperative;
  config.numAttrs = together ? 1 : 0;
  return cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...);
}
template <class... Parameters, class... Arguments>
cudaError_t launch(void (*kernel)(Parameters...), dim3 grid, int threads, cudaStream_t stream, Arguments... arguments) {
  return launch_with(false, kernel, grid, threads, 0, stream, arguments...);
}
template <class... Parameters, class... Arguments>
cudaError_t launch_with_memory(void (*kernel)(Parameters...), dim3 grid, int threads, std::size_t shared_bytes,
                               cudaStream_t stream, Arguments... arguments) {
  return launch_with(false, kernel, grid, threads, shared_bytes, stream, arguments...);
}
/// All blocks on the device at once: they may wait for each other.
template <class... Parameters, class... Arguments>
cudaError_t launch_together(void (*kernel)(Parameters...), dim3 grid, int threads, std::size_t shared_bytes,
                            cudaStream_t stream, Arguments... arguments) {
  return launch_with(true, kernel, grid, threads, shared_bytes, stream, arguments...);
}

inline constexpr int item_threads = 256;

/// One thread an item, or a stride over the items where `most_blocks` are fewer; `rows` of them in y.
template <class... Parameters, class... Arguments>
cudaError_t launch_items(void (*kernel)(Parameters...), std::int64_t items, std::int64_t most_blocks, int rows,
                         cudaStream_t stream, Arguments... arguments) {
  if (items <= 0) return cudaSuccess;
  const std::int64_t blocks = std::min<std::int64_t>((items + item_threads - 1) / item_threads, most_blocks);
  return launch(kernel, dim3(static_cast<unsigned>(blocks), static_cast<unsigned>(rows)), item_threads, stream,
                arguments...);
}

#if defined(__CUDACC__)
/// The first item of a thread, and how far its next one is.
__device__ inline std::int64_t first_item() { return std::int64_t{blockIdx.x} * item_threads + threadIdx.x; }
__device__ inline std::int64_t item_step() { return std::int64_t{gridDim.x} * item_threads; }
#endif

} // namespace detail
} // namespace thrust_rns
