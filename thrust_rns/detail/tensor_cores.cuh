// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Hopper's `wgmma`: which compilations have it, and what every use of it needs.

#include <cstdint>

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#  define THRUST_RNS_WGMMA 1
#else
#  define THRUST_RNS_WGMMA 0
#endif

namespace thrust_rns {
namespace detail {

#if THRUST_RNS_WGMMA

__device__ inline void wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void wgmma_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
__device__ inline void wgmma_wait() { asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory"); }

/// A matrix in shared memory as core matrices of 128 bytes, `along_k` and `along_rows` bytes apart.
__device__ inline std::uint64_t matrix_descriptor(std::uint32_t address, int along_k, int along_rows) {
  return static_cast<std::uint64_t>(address >> 4) | (static_cast<std::uint64_t>(along_k >> 4) << 16) |
         (static_cast<std::uint64_t>(along_rows >> 4) << 32);
}

#endif

} // namespace detail
} // namespace thrust_rns
