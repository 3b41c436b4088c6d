// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Which numbers a warpgroup evaluates in windows: chosen elements of a range, gathered 64 at a time.
///
/// Choices are bits. Elements are counted from `base`; of the 128 elements of group u, element 4 l + k is bit l of word k of
/// masks[u] (a warp's ballots), under arrays of whole numbers bit (4 l + k) % 32 of word l/8.

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/candidate.h>
#include <thrust_rns/detail/window_kernels.cuh>

namespace thrust_rns {
namespace detail {

/// Whether any bit of group u is set.
__device__ inline bool any_of_group(const uint4* bits, std::int64_t u) {
  const uint4 own = __ldcg(bits + u);
  return (own.x | own.y | own.z | own.w) != 0;
}

/// The bits of group u as a warp's ballots.
template <bool Planes>
__device__ inline uint4 ballots_of_group(const uint4* bits, std::int64_t u) {
  const uint4 own = __ldcg(bits + u);
  if constexpr (Planes) return own;
  const int lane = static_cast<int>(threadIdx.x % 32);
  const unsigned word = lane < 16 ? (lane < 8 ? own.x : own.y) : (lane < 24 ? own.z : own.w);
  const unsigned four = word >> (4 * (lane % 8));
  return {__ballot_sync(~0u, (four & 1) != 0), __ballot_sync(~0u, (four & 2) != 0), __ballot_sync(~0u, (four & 4) != 0),
          __ballot_sync(~0u, (four & 8) != 0)};
}

/// Chosen elements of a range, handed to a warpgroup 64 at a time from a queue in shared memory. choose(u), by a warp, returns
/// those of group u as ballots. Before, wants(u), by a thread, says whether there may be any: a warp looks at 32 chunks of
/// groups at once, and passes over those without.
class window_queue {
  static constexpr int chunk = 4; // groups of 128 elements, one a warp

 public:
  struct storage {
    std::int64_t element[64 + 128 * chunk];
    int chosen[chunk];
  };

  /// Elements base .. base + count - 1.
  __device__ window_queue(storage& memory, std::int64_t count, std::int64_t base)
      : memory_(memory), groups_((count + 127) / 128), base_(base) {
    const std::int64_t warpgroups = blockDim.x / 128;
    next_ = std::int64_t{blockIdx.x} * warpgroups + threadIdx.x / 128;
    step_ = std::int64_t{gridDim.x} * warpgroups;
  }

  /// How many bits are set in the groups of the block: exact if `limit` or less, else more than that.
  __device__ int count_in_block(const uint4* bits, int limit) const {
    int set = 0;
    for (std::int64_t c = next_ + threadIdx.x % 128 / chunk * step_; c * chunk < groups_ && set < 2; c += 32 * step_) {
      const std::int64_t u = c * chunk + threadIdx.x % chunk;
      const uint4 own = u < groups_ ? bits[u] : uint4{0, 0, 0, 0};
      set += __popc(own.x) + __popc(own.y) + __popc(own.z) + __popc(own.w);
    }
    const int holders = __syncthreads_count(set != 0);
    return holders == 0 || __syncthreads_or(set > 1) == 0 ? holders : limit + 1;
  }

  /// visit(u), by a warp, for each group that take() will hand to it and that it wants.
  template <class Wants, class Visit>
  __device__ void for_own_groups(Wants wants, Visit visit) const {
    const int warp = static_cast<int>(threadIdx.x % 128 / 32);
    for (std::int64_t first = next_; first * chunk < groups_; first += 32 * step_) {
      const std::int64_t own = (first + threadIdx.x % 32 * step_) * chunk + warp;
      for (unsigned wanted = __ballot_sync(~0u, own < groups_ && wants(own)); wanted != 0; wanted &= wanted - 1) {
        visit((first + (__ffs(static_cast<int>(wanted)) - 1) * step_) * chunk + warp);
      }
    }
    __syncwarp();
  }

  /// How many (up to 64) are the next; they lie at element()[0 ..) until the call after.
  template <class Wants, class Choose>
  __device__ int take(Wants wants, Choose choose) {
    while (waiting_ < 64 && look_ahead(wants)) {
      append((first_ahead_ + (__ffs(static_cast<int>(ahead_)) - 1) * step_) * chunk, choose);
      ahead_ &= ahead_ - 1;
    }
    const int rows = waiting_ < 64 ? waiting_ : 64;
    waiting_ -= rows;
    warpgroup_sync();
    return rows;
  }
  __device__ const std::int64_t* element() const { return memory_.element + waiting_; }

 private:
  /// Whether a chunk is left that may have elements.
  template <class Wants>
  __device__ bool look_ahead(Wants wants) {
    for (; ahead_ == 0 && next_ * chunk < groups_; next_ += 32 * step_) {
      first_ahead_ = next_;
      const std::int64_t own = (next_ + threadIdx.x % 32 * step_) * chunk; // the same for all four warps
      bool any = false;
#pragma unroll
      for (int w = 0; w < chunk; ++w) any |= own + w < groups_ && wants(own + w);
      ahead_ = __ballot_sync(~0u, any);
      warpgroup_sync(); // all have looked before choose() changes what they see
    }
    return ahead_ != 0;
  }

  template <class Choose>
  __device__ void append(std::int64_t first_group, Choose choose) {
    const int lane = static_cast<int>(threadIdx.x % 32), warp = static_cast<int>(threadIdx.x % 128 / 32);
    const std::int64_t u = first_group + warp;
    const uint4 own = u < groups_ ? choose(u) : uint4{0, 0, 0, 0};
    warpgroup_sync(); // what take() handed out has been read, and the counts of the chunk before
    if (lane == 0) memory_.chosen[warp] = __popc(own.x) + __popc(own.y) + __popc(own.z) + __popc(own.w);
    warpgroup_sync();
    const unsigned below = (1u << lane) - 1;
    int at = waiting_ + __popc(own.x & below) + __popc(own.y & below) + __popc(own.z & below) + __popc(own.w & below);
#pragma unroll
    for (int w = 0; w < chunk; ++w) {
      at += w < warp ? memory_.chosen[w] : 0;
      waiting_ += memory_.chosen[w];
    }
    const std::int64_t element = base_ + 128 * u + 4 * lane;
    if ((own.x >> lane & 1) != 0) memory_.element[at++] = element;
    if ((own.y >> lane & 1) != 0) memory_.element[at++] = element + 1;
    if ((own.z >> lane & 1) != 0) memory_.element[at++] = element + 2;
    if ((own.w >> lane & 1) != 0) memory_.element[at++] = element + 3;
  }

  storage& memory_;
  std::int64_t groups_, base_, next_, step_;
  std::int64_t first_ahead_ = 0; // chunks first_ahead_ + k step_ have been looked at,
  unsigned ahead_ = 0;           // and those with bit k set are to come
  int waiting_ = 0;
};

/// Evaluates what take() has handed out, `rows` elements: put(element, leading_window) for each, by one thread.
template <class Base, class Put>
__device__ void evaluate_taken(const window_queue& queue, int rows, const window_memory& memory,
                               const residue_layout& layout, const std::uint32_t* reference, Put put) {
  const int row = static_cast<int>(threadIdx.x % 128 / 32 * 16 + threadIdx.x % 32 / 4),
            t = static_cast<int>(threadIdx.x % 4);
  const bool present[2] = {row < rows, row + 8 < rows};
  const std::int64_t element[2] = {present[0] ? queue.element()[row] : 0, present[1] ? queue.element()[row + 8] : 0};
  const window_rows where{{layout.element(element[0]).first, layout.element(element[1]).first},
                          {present[0], present[1]},
                          layout.plane_stride,
                          reference};
  const leading_window found = window_tile<Base>::evaluate(memory, where);
  if (t < 2 && (t == 0 ? present[0] : present[1])) put(t == 0 ? element[0] : element[1], found);
}

/// Shared memory of a window_block with E of `steps` steps.
template <class Block>
constexpr int window_bytes(int steps) {
  return Block::warpgroups * static_cast<int>(sizeof(window_queue::storage)) +
         window_shape<typename Block::base_type>::bytes_for(steps);
}

/// Shared memory for a kernel that works with windows: all of E if it fits on the current device, else one group at a time.
template <class Block, class Kernel>
cudaError_t window_memory_of(Kernel* kernel, bool& resident, std::size_t& bytes) {
  using schedule = window_schedule<typename Block::base_type>;
  int device = 0, most = 0;
  cudaError_t status = cudaGetDevice(&device);
  if (status != cudaSuccess) return status;
  status = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  if (status != cudaSuccess) return status;
  constexpr int others = 4096; // at least what the kernels have beside it
  resident = window_bytes<Block>(schedule::steps) + others <= most;
  const int needed = window_bytes<Block>(resident ? schedule::steps : schedule::most_steps);
  bytes = static_cast<std::size_t>(needed);
  return cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
                              needed);
}

} // namespace detail
} // namespace thrust_rns
