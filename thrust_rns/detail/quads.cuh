// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// How kernels read numbers: of planes, four neighbours a thread, 16 bytes at a time; of arrays, tiles through shared memory.

#include <cstdint>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/base_tables.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/span.h>

namespace thrust_rns {
namespace detail {

/// Elements are handled in quads 4 q .. 4 q + 3, so that a thread loads 16 bytes of a plane at once.
struct quad_range {
  std::int64_t first, last; // elements
  THRUST_RNS_HD std::int64_t first_quad() const { return first / 4; }
  THRUST_RNS_HD std::int64_t last_quad() const { return (last + 3) / 4; }
  THRUST_RNS_HD std::int64_t quads() const { return last_quad() - first_quad(); }
  THRUST_RNS_HD bool contains(std::int64_t element) const { return first <= element && element < last; }
  THRUST_RNS_HD bool contains_quad(std::int64_t element) const { return first <= element && element + 4 <= last; }
};

// How much is in flight decides the rate: too little starves the multiprocessor, too much scatters what memory has to deliver.
// Found by trial on an H200 (5 blocks instead of 4 take half as long again at 133 moduli, 12 planes twice as long).

/// Planes that are loaded ahead of their use.
template <int Planes>
inline constexpr int quad_batch = Planes < 8                  ? Planes
                                  : 16 < Planes&& Planes < 48 ? 12
                                                              : 8;

/// Threads of a block that streams planes, and such blocks on a multiprocessor.
inline constexpr int quad_threads = 128;
template <class Number>
inline constexpr int quad_blocks_at_once = Number::size <= 5   ? 8
                                           : Number::size <= 9 ? 6
                                                               : 4;

__device__ inline uint4 load_quad(const std::uint32_t* x) { return *reinterpret_cast<const uint4*>(x); }

/// r[k] := plane k of the four neighbours at x.
template <int Batch>
__device__ __forceinline__ void load_first_planes(uint4 (&r)[Batch], const std::uint32_t* x, std::int64_t stride) {
#pragma unroll
  for (int k = 0; k < Batch; ++k) r[k] = load_quad(x + k * stride);
}

/// take(plane i, i) for all planes in order, of which r holds the first ones. A register that has been used is loaded again.
template <int Planes, class Take>
__device__ __forceinline__ void stream_planes(uint4 (&r)[quad_batch<Planes>], const std::uint32_t* x,
                                              std::int64_t stride, Take take) {
  constexpr int batch = quad_batch<Planes>, whole = (Planes - batch) / batch * batch, rest = Planes - batch - whole;
  x += batch * stride;
  for (int i = 0; i < whole; i += batch) {
#pragma unroll
    for (int k = 0; k < batch; ++k, x += stride) {
      const uint4 here = r[k];
      r[k] = load_quad(x);
      take(here, i + k);
    }
  }
#pragma unroll
  for (int k = 0; k < batch; ++k) {
    const uint4 here = r[k];
    if (k < rest) r[k] = load_quad(x + k * stride);
    take(here, whole + k);
  }
#pragma unroll
  for (int k = 0; k < rest; ++k) take(r[k], whole + batch + k);
}

/// The keys of a quad and their part in the cache of evaluations, if there is one.
struct quad_keys {
  std::uint64_t key[4] = {0, 0, 0, 0};

  __device__ void load(const std::uint64_t* evaluations) {
    const auto* p = reinterpret_cast<const ulonglong2*>(evaluations); // each half is read whole
    const ulonglong2 a = p[0], b = p[1];
    key[0] = a.x;
    key[1] = a.y;
    key[2] = b.x;
    key[3] = b.y;
  }
  __device__ void store(std::uint64_t* evaluations) const { // each half is written whole
    auto* p = reinterpret_cast<ulonglong2*>(evaluations);
    p[0] = make_ulonglong2(key[0], key[1]);
    p[1] = make_ulonglong2(key[2], key[3]);
  }
  /// Those that are known.
  __device__ void store_known(std::uint64_t* evaluations) const {
    if (all_known()) return store(evaluations);
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      if (key[k] != 0) store_relaxed(evaluations + k, key[k]);
    }
  }
  __device__ bool all_known() const { return key[0] != 0 && key[1] != 0 && key[2] != 0 && key[3] != 0; }
};

/// The first digit group of each modulus, staged in shared memory by the whole block.
template <class Number, int Threads>
__device__ void stage_digits(digit_group (&digits)[Number::size]) {
  for (int i = static_cast<int>(threadIdx.x); i < Number::size; i += Threads) {
    digits[i] = expansions_of<typename Number::base_type>().group[0][i];
  }
  __syncthreads();
}

/// Threads that share a tile of whole numbers in 40 KB of shared memory; a row is an odd number of words, so that the threads
/// read their rows without bank conflicts.
template <class Number>
struct array_tile {
  static constexpr int pitch = Number::size | 1;
  static constexpr int most = 128, fitting = 40 * 1024 / (4 * pitch) / 32 * 32;
  static constexpr int threads = fitting < most ? fitting : most;

  /// How many of `count` numbers are in the tile that begins with number `first`.
  __device__ static int count_from(std::int64_t first, std::int64_t count) {
    const std::int64_t left = count - first;
    return static_cast<int>(left < 0 ? 0 : left < threads ? left : threads);
  }

  /// Copies `count` numbers from `from` on; the block sees them.
  __device__ static void load(std::uint32_t* tile, const Number* from, int count) {
    const auto* words = reinterpret_cast<const std::uint32_t*>(from);
#pragma unroll 8
    for (int w = static_cast<int>(threadIdx.x); w < count * Number::size; w += threads) {
      tile[w / Number::size * pitch + w % Number::size] = words[w];
    }
    __syncthreads();
  }

  /// The leading bits of the thread's number.
  __device__ static std::uint64_t leading(const std::uint32_t* tile, const digit_group* digits) {
    digit_sums sums;
    const std::uint32_t* x = tile + static_cast<int>(threadIdx.x) * pitch;
#pragma unroll 8
    for (int i = 0; i < Number::size; ++i) sums.add(x[i], digits[i]);
    return sums.leading();
  }
};

} // namespace detail
} // namespace thrust_rns
