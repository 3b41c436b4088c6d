// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Barriers and copies in shared memory, and what surrounds Hopper's asynchronous matrix products, for devices of compute capability 9.0 and
/// programs compiled for sm_90a.

#include <cstdint>

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#  define THRUST_RNS_WGMMA 1
#else
#  define THRUST_RNS_WGMMA 0
#endif

namespace thrust_rns {
namespace detail {

__device__ inline std::uint32_t shared_address(const void* p) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
}

#if THRUST_RNS_WGMMA

__device__ inline void barrier_init(std::uint32_t barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}
__device__ inline void barrier_arrive(std::uint32_t barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}
/// Returns when the phase of this parity is complete.
__device__ inline void barrier_wait(std::uint32_t barrier, int parity) {
  asm volatile(
      "{\n"
      ".reg .pred p;\n"
      "again:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
      "@!p bra again;\n"
      "}\n" ::"r"(barrier),
      "r"(parity)
      : "memory");
}

/// One arrival, after which `bytes` are to be copied before the phase is complete.
__device__ inline void barrier_expect(std::uint32_t barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
/// Copies a multiple of 16 bytes; both sides aligned to 16.
__device__ inline void copy_bulk(std::uint32_t shared, const void* global, int bytes, std::uint32_t barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared),
               "l"(global), "r"(bytes), "r"(barrier)
               : "memory");
}

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
