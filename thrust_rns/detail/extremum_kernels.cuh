// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// The first of two kernels that find the largest or smallest numbers of a range: one pass over the residues.
///
/// Keys become *ranks*, the key itself or its complement, so that the best is the largest rank; 0 is no rank. Of each group (128
/// elements, 32 in an array) the pass notes the best rank and which elements come within one of it, of each block the best, and
/// which elements the first pass leaves open. If a number is the best of all, its rank is at most one below the best rank.

#include <cstdint>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/candidate.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/number.h>
#include <thrust_rns/span.h>
#include <thrust_rns/detail/evaluate_kernels.cuh>
#include <thrust_rns/detail/quads.cuh>

namespace thrust_rns {
namespace detail {

template <int Order>
THRUST_RNS_HD constexpr std::uint64_t rank_of(std::uint64_t key) {
  return key == 0 ? 0 : Order == 1 ? key : ~key;
}

/// The best of what a block has seen; `contenders`: at least how many elements come within one of its rank; 1 is exact.
struct search_record {
  std::uint64_t rank = 0;
  std::int64_t element = -1;
  int contenders = 0;
  int open = 0;        // elements without a rank yet, many are many; 1 for any of those that have no cache
  bool unsure = false; // whether one of these may be next to M or M/2

  __device__ void take(std::uint64_t other, std::int64_t at, int count) {
    if (other == 0 || other + 1 < rank) return;
    contenders = min((other > rank + 1 ? 0 : contenders), 1 << 20) + count; // many are many
    if (other <= rank) return;
    rank = other;
    element = at;
  }
  __device__ void merge(const search_record& r) {
    take(r.rank, r.element, r.contenders);
    open = min(open + r.open, 1 << 20);
    unsure = unsure || r.unsure;
  }
};

/// What the two kernels share for one extreme.
struct search_memory {
  std::uint64_t* rank;    // of each group: the best
  uint4* contenders;      // of each group, in the layout of `open`: ranks within one of it
  search_record* records; // of each block of the first kernel
};
struct searches {
  uint4* open;
  std::uint64_t* arrived; // counts blocks of the second kernel, one count an extreme: zeroed by the first
  search_memory of[2];    // largest, smallest; or the one that is wanted
};

/// The largest x of the warp.
__device__ inline std::uint64_t warp_maximum(std::uint64_t x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  const auto high = static_cast<std::uint32_t>(x >> 32);
  const std::uint32_t best = __reduce_max_sync(~0u, high);
  const std::uint32_t low = __reduce_max_sync(~0u, high == best ? static_cast<std::uint32_t>(x) : 0);
  return (static_cast<std::uint64_t>(best) << 32) | low;
#else
  for (int offset = 16; offset > 0; offset /= 2) {
    const std::uint64_t other = __shfl_xor_sync(~0u, x, offset);
    if (other > x) x = other;
  }
  return x;
#endif
}

/// A warp's part of a search.
template <int Order>
struct warp_search {
  search_record record; // the same in all lanes

  /// 128 elements, four a thread from `element` on; key 0: none.
  __device__ void take_quads(const std::uint64_t (&key)[4], std::int64_t element, const search_memory& memory,
                             std::int64_t u) {
    std::uint64_t rank[4], best = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      rank[k] = rank_of<Order>(key[k]);
      if (rank[k] > best) best = rank[k];
    }
    best = warp_maximum(best);
    uint4 close{0, 0, 0, 0};
    if (best + 1 >= record.rank) { // else no number of the group is the best
      const auto bits = [&](int k) { return __ballot_sync(~0u, rank[k] != 0 && rank[k] + 1 >= best); };
      close = {bits(0), bits(1), bits(2), bits(3)};
      if (best > record.rank) {
        const bool mine = rank[0] == best || rank[1] == best || rank[2] == best || rank[3] == best;
        const std::int64_t at = element + (rank[0] == best ? 0 : rank[1] == best ? 1 : rank[2] == best ? 2 : 3);
        const unsigned holders = __ballot_sync(~0u, mine);
        take(best, __shfl_sync(~0u, at, __ffs(static_cast<int>(holders)) - 1), close);
      } else {
        take(best, -1, close);
      }
    }
    if (threadIdx.x % 32 == 0) {
      memory.rank[u] = best;
      memory.contenders[u] = close;
    }
  }

  /// 32 elements, word w of the array's masks.
  __device__ void take_words(std::uint64_t key, std::int64_t element, const search_memory& memory, std::int64_t w) {
    const std::uint64_t rank = rank_of<Order>(key), best = warp_maximum(rank);
    const unsigned close = __ballot_sync(~0u, rank != 0 && rank + 1 >= best);
    const unsigned holders = __ballot_sync(~0u, rank != 0 && rank == best);
    if (holders != 0) take(best, __shfl_sync(~0u, element, __ffs(static_cast<int>(holders)) - 1), {close, 0, 0, 0});
    if (threadIdx.x % 32 == 0) {
      memory.rank[w] = best;
      reinterpret_cast<std::uint32_t*>(memory.contenders)[w] = close;
    }
  }

 private:
  __device__ void take(std::uint64_t best, std::int64_t at, const uint4& close) {
    record.take(best, at, __popc(close.x) + __popc(close.y) + __popc(close.z) + __popc(close.w));
  }
};

/// records[block] := what its warps have found.
template <int Threads>
__device__ void write_record(const search_record& record, const search_memory& memory) {
  __shared__ search_record of_warp[Threads / 32];
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = record;
  __syncthreads();
  if (threadIdx.x == 0) {
    search_record all = of_warp[0];
    for (int w = 1; w < Threads / 32; ++w) all.merge(of_warp[w]);
    memory.records[blockIdx.x] = all;
  }
  __syncthreads();
}

/// Planes: a thread takes four neighbours at a time. Fills the cache of evaluations with what it finds.
template <wanted Wanted, bool Cached, class Number>
__global__ void __launch_bounds__(quad_threads, quad_blocks_at_once<Number>)
    extremes_of_planes(span<const Number> s, quad_range range, searches search) {
  __shared__ digit_group digits[Number::size];
  stage_digits<Number, quad_threads>(digits);
  if (blockIdx.x == 0 && threadIdx.x < 2) search.arrived[threadIdx.x] = 0;

  warp_search<1> largest;
  warp_search<-1> smallest;
  bool unsure = false;
  int skip = 0, open = 0;
  const std::int64_t groups = (range.quads() + 31) / 32, step = std::int64_t{gridDim.x} * (quad_threads / 32);
  for (std::int64_t u = std::int64_t{blockIdx.x} * (quad_threads / 32) + threadIdx.x / 32; u < groups; u += step) {
    warp_quads<Number> quads;
    if constexpr (Cached) {
      quads.evaluate(s, range, u, digits, skip);
    } else {
      quads.evaluate_sums(s, range, u, digits);
    }
    const int here = quads.count_open();
    if (Cached && skip == 0 && here > 64) skip = turns_to_skip;
    open = Cached ? min(open + here, 1 << 20) : open | (here != 0 ? 1 : 0);
    unsure = unsure || quads.unsure;
    if (threadIdx.x % 32 == 0) search.open[u] = quads.open;
    if constexpr (wants_largest<Wanted>) largest.take_quads(quads.keys.key, quads.element, search.of[0], u);
    if constexpr (wants_smallest<Wanted>) {
      smallest.take_quads(quads.keys.key, quads.element, search.of[count_of<Wanted> - 1], u);
    }
  }
  const auto finish = [&](search_record& record, const search_memory& memory) {
    record.open = open;
    record.unsure = __any_sync(~0u, unsure);
    write_record<quad_threads>(record, memory);
  };
  if constexpr (wants_largest<Wanted>) finish(largest.record, search.of[0]);
  if constexpr (wants_smallest<Wanted>) finish(smallest.record, search.of[count_of<Wanted> - 1]);
}

/// An array of whole numbers: a block copies a tile of it to shared memory, then a thread takes a number.
template <wanted Wanted, class Number>
__global__ void __launch_bounds__(array_tile<Number>::threads)
    extremes_of_array(const Number* numbers, std::int64_t count, searches search) {
  using tile_of = array_tile<Number>;
  __shared__ digit_group digits[Number::size];
  __shared__ std::uint32_t tile[tile_of::threads * tile_of::pitch];
  stage_digits<Number, tile_of::threads>(digits);
  if (blockIdx.x == 0 && threadIdx.x < 2) search.arrived[threadIdx.x] = 0;

  warp_search<1> largest;
  warp_search<-1> smallest;
  bool unsure = false;
  int open = 0;
  const int lane = static_cast<int>(threadIdx.x);
  const std::int64_t rounded = (count + 127) / 128 * 128; // the masks have a bit for each
  for (std::int64_t first = std::int64_t{blockIdx.x} * tile_of::threads; first < rounded;
       first += std::int64_t{gridDim.x} * tile_of::threads) {
    const std::int64_t element = first + lane;
    tile_of::load(tile, numbers + first, tile_of::count_from(first, count));
    std::uint64_t key = 0;
    bool next_to_zero = true;
    if (element < count) {
      const std::uint64_t v = tile_of::leading(tile, digits);
      key = key_from_leading<Number>(v);
      next_to_zero = is_next_to_zero<Number>(v);
      if constexpr (small_values<Number>::complete) {
        if (key == 0) key = key_of_few<Number>(strided_residues{tile + lane * tile_of::pitch, 1});
      }
    }
    const unsigned bits = __ballot_sync(~0u, element < count && key == 0);
    open |= bits != 0 ? 1 : 0;
    unsure = unsure || (key == 0 && !next_to_zero);
    if (first + lane / 32 * 32 < rounded) { // whole warps
      const std::int64_t w = element / 32;
      if (lane % 32 == 0) reinterpret_cast<std::uint32_t*>(search.open)[w] = bits;
      if constexpr (wants_largest<Wanted>) largest.take_words(key, element, search.of[0], w);
      if constexpr (wants_smallest<Wanted>) smallest.take_words(key, element, search.of[count_of<Wanted> - 1], w);
    }
    __syncthreads(); // before the next tile
  }
  const auto finish = [&](search_record& record, const search_memory& memory) {
    record.open = open;
    record.unsure = __any_sync(~0u, unsure);
    write_record<tile_of::threads>(record, memory);
  };
  if constexpr (wants_largest<Wanted>) finish(largest.record, search.of[0]);
  if constexpr (wants_smallest<Wanted>) finish(smallest.record, search.of[count_of<Wanted> - 1]);
}

} // namespace detail
} // namespace thrust_rns
