// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// What the baselines share: the view of the numbers, one modular product by a constant, and the two-pass reduction.

#include <thrust_rns/number.h>
#include <thrust_rns/span.h>

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baselines {

/// Residue i of number j is first[i * stride + j].
template <class Number>
struct planes {
  const std::uint32_t* first;
  std::int64_t stride;

  explicit planes(const thrust_rns::span<const Number>& s) : first(s.plane(0)), stride(s.stride()) {}
  __device__ std::uint32_t operator()(int i, std::int64_t j) const { return first[i * stride + j]; }
};

/// The residue of X, or, in the symmetric range, of X + floor(M/2): it lies in [0, M) and orders like X, so that the
/// baselines need only know unsigned numbers. One addition a residue; `half` = floor(M/2) mod m.
template <class Number>
__device__ std::uint32_t unsigned_residue(std::uint32_t x, std::uint32_t m, std::uint32_t half) {
  if constexpr (Number::is_symmetric) {
    x += half;
    return min(x, x - m); // x - m wraps round to a large number exactly when x < m
  } else {
    return x;
  }
}

/// floor(2^32 c/m): what multiply_by_constant needs of c < m beside it.
constexpr std::uint32_t companion(std::uint32_t c, std::uint32_t m) {
  return static_cast<std::uint32_t>((std::uint64_t{c} << 32) / m);
}

/// x c mod m for any 32-bit x and c < m < 2^31: the quotient by the companion is right or one too small.
__device__ inline std::uint32_t multiply_by_constant(std::uint32_t x, std::uint32_t c, std::uint32_t companion_of_c,
                                                     std::uint32_t m) {
  const std::uint32_t r = x * c - __umulhi(x, companion_of_c) * m; // below 2 m
  return min(r, r - m);
}

// ---- the reduction: a block a tile, then one block over what those found -------------------------------------------

/// found[block] := the best of the candidates source(j), j in [block tile, (block + 1) tile) and below count.
/// In the last pass, where there is one block, `index` is set, and receives the index of that candidate.
///
/// Best: `candidate`, `blocks_at_once` (of 256 threads on a multiprocessor, which bounds the registers), `prepare()` (by the
/// whole block, once), and operator()(a, b), the better of two. Half as many threads
/// compare in each step of the tree, so that one costly comparison a thread is done in each.
template <int Threads, int BlocksAtOnce, class Source, class Best>
__global__ void __launch_bounds__(Threads, BlocksAtOnce)
    reduce_tiles(Source source, std::int64_t count, std::int64_t tile, Best best, typename Best::candidate* found,
                 std::int64_t* index) {
  __shared__ typename Best::candidate shared[Threads];
  best.prepare();

  // Each thread: elements lane, lane + Threads ... of the tile.
  const std::int64_t first = blockIdx.x * tile, last = min(first + tile, count);
  const int lane = static_cast<int>(threadIdx.x);
  const int active = static_cast<int>(min(last - first, std::int64_t{Threads}));
  typename Best::candidate c{};
  if (lane < active) {
    c = source(first + lane);
    for (std::int64_t j = first + lane + Threads; j < last; j += Threads) c = best(c, source(j));
    shared[lane] = c;
  }
  __syncthreads();

  // The block: a tree in shared memory.
  for (int half = Threads / 2; half > 0; half /= 2) {
    if (lane < half && lane + half < active) shared[lane] = c = best(c, shared[lane + half]);
    __syncthreads();
  }
  if (lane == 0) {
    found[blockIdx.x] = c;
    if (index != nullptr) *index = c.index;
  }
}

template <class Candidate>
struct stored_candidates {
  const Candidate* p;
  __device__ Candidate operator()(std::int64_t j) const { return p[j]; }
};

/// A candidate that is nothing but a place.
struct place {
  std::int64_t index;
};

struct all_places {
  __device__ place operator()(std::int64_t j) const { return {j}; }
};

inline std::int64_t tiles_of(std::int64_t count, std::int64_t tile) {
  return std::max<std::int64_t>((count + tile - 1) / tile, 1);
}

/// *index := that of the best candidate; `found` has room for tiles_of(count, tile) of them. count > 0.
template <class Source, class Best>
cudaError_t reduce_in_two_passes(Source source, std::int64_t count, std::int64_t tile, Best best,
                                 typename Best::candidate* found, std::int64_t* index, cudaStream_t stream) {
  constexpr int threads = 256, final_threads = 512;
  using candidate = typename Best::candidate;
  const std::int64_t tiles = tiles_of(count, tile);
  reduce_tiles<threads, Best::blocks_at_once><<<static_cast<unsigned>(tiles), threads, 0, stream>>>(
      source, count, tile, best, found, static_cast<std::int64_t*>(nullptr));
  if (const cudaError_t status = cudaGetLastError(); status != cudaSuccess) return status;
  reduce_tiles<final_threads, 1>
      <<<1, final_threads, 0, stream>>>(stored_candidates<candidate>{found}, tiles, tiles, best, found, index);
  return cudaGetLastError();
}

} // namespace baselines
