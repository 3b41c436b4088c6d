// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// The largest and smallest numbers of a range, in two kernels: the best candidates of each block, then the best of those.

#include <cstdint>

#include <cub/block/block_reduce.cuh>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/candidate.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/number.h>
#include <thrust_rns/span.h>

namespace thrust_rns {
namespace detail {

inline constexpr int extremum_threads = 128;
inline constexpr int extremum_blocks_at_once = 4; // on a multiprocessor: up to 128 registers a thread
inline constexpr int extremum_final_threads = 256;

/// Elements are handled in quads 4 q .. 4 q + 3, so that a thread loads 16 bytes of a plane at once.
struct quad_range {
  std::int64_t first, last; // elements
  THRUST_RNS_HD std::int64_t first_quad() const { return first / 4; }
  THRUST_RNS_HD std::int64_t last_quad() const { return (last + 3) / 4; }
  THRUST_RNS_HD std::int64_t quads() const { return last_quad() - first_quad(); }
  THRUST_RNS_HD bool contains(std::int64_t element) const { return first <= element && element < last; }
  THRUST_RNS_HD bool contains_quad(std::int64_t element) const { return first <= element && element + 4 <= last; }
};

/// The sums of four neighbours. Per modulus: one 16-byte load from the plane, one 16-byte broadcast of digits from shared
/// memory, 16 multiply-adds. Loads are issued in batches, so that enough of them are in flight.
template <class Number>
__device__ void sum_quad(const std::uint32_t* x, std::int64_t stride, const digit_group* digits,
                         digit_sums (&sums)[4]) {
  constexpr int batch = Number::size < 8 ? Number::size : 8;
  const auto add = [&](const uint4& r, const digit_group& d) {
    sums[0].add(r.x, d);
    sums[1].add(r.y, d);
    sums[2].add(r.z, d);
    sums[3].add(r.w, d);
  };
  constexpr int whole = Number::size / batch * batch;
  for (int i = 0; i < whole; i += batch) {
    uint4 r[batch];
#pragma unroll
    for (int k = 0; k < batch; ++k, x += stride) r[k] = *reinterpret_cast<const uint4*>(x);
#pragma unroll
    for (int k = 0; k < batch; ++k) add(r[k], digits[i + k]);
  }
#pragma unroll
  for (int i = whole; i < Number::size; ++i, x += stride) add(*reinterpret_cast<const uint4*>(x), digits[i]);
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
  __device__ bool all_known() const { return key[0] != 0 && key[1] != 0 && key[2] != 0 && key[3] != 0; }
};

/// best[block] := the largest and/or (then at best[blocks + block]) the smallest candidate that a block has found.
template <wanted Wanted, class Number, int Threads>
__device__ void reduce_candidates(const best_so_far<Number, 1>& largest, const best_so_far<Number, -1>& smallest,
                                  candidate* best) {
  using block_reduce = cub::BlockReduce<candidate, Threads>;
  __shared__ typename block_reduce::TempStorage temp;
  if constexpr (wants_largest<Wanted>) {
    const candidate found = block_reduce(temp).Reduce(largest.get(), largest.better());
    if (threadIdx.x == 0) best[blockIdx.x] = found;
    __syncthreads();
  }
  if constexpr (wants_smallest<Wanted>) {
    const candidate found = block_reduce(temp).Reduce(smallest.get(), smallest.better());
    if (threadIdx.x == 0) best[(count_of<Wanted> - 1) * gridDim.x + blockIdx.x] = found;
  }
}

/// The first digit group of each modulus, staged in shared memory by the whole block.
template <class Number, int Threads>
__device__ void stage_digits(digit_group (&digits)[Number::size]) {
  for (int i = static_cast<int>(threadIdx.x); i < Number::size; i += Threads) {
    digits[i] = expansions_of<typename Number::base_type>().group[0][i];
  }
  __syncthreads();
}

/// The candidates of planes: a thread takes four neighbours at a time. Fills the cache of evaluations.
template <wanted Wanted, class Number>
__global__ void __launch_bounds__(extremum_threads, extremum_blocks_at_once)
    extremes_of_planes(span<const Number> s, quad_range range, candidate* best) {
  __shared__ digit_group digits[Number::size];
  stage_digits<Number, extremum_threads>(digits);

  best_so_far<Number, 1> largest(layout_of<Number>(s));
  best_so_far<Number, -1> smallest(layout_of<Number>(s));
  const std::int64_t step = std::int64_t{gridDim.x} * extremum_threads;
  for (std::int64_t q = range.first_quad() + std::int64_t{blockIdx.x} * extremum_threads + threadIdx.x;
       q < range.last_quad(); q += step) {
    const std::int64_t element = 4 * q;
    const bool whole = range.contains_quad(element);
    quad_keys keys;
    if (s.evaluations() != nullptr) keys.load(s.evaluations() + element);
    if (!keys.all_known()) {
      const std::uint32_t* x = s.plane(0) + element;
      digit_sums sums[4];
      sum_quad<Number>(x, s.stride(), digits, sums);
#pragma unroll
      for (int k = 0; k < 4; ++k) keys.key[k] = key_from_leading<Number>(sums[k].leading());
      if (!keys.all_known()) { // rare
#pragma unroll
        for (int k = 0; k < 4; ++k) {
          if (keys.key[k] == 0 && range.contains(element + k)) {
            keys.key[k] = key_by_magnification<Number>(strided_residues{x + k, s.stride()}, sums[k].leading());
          }
        }
      }
      if (s.evaluations() != nullptr) {
        if (whole) {
          keys.store(s.evaluations() + element);
        } else {
          for (int k = 0; k < 4; ++k) {
            if (range.contains(element + k)) store_relaxed(s.evaluations() + element + k, keys.key[k]);
          }
        }
      }
    }
    bool may_win = false;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      may_win = may_win || (wants_largest<Wanted> && largest.may_win(keys.key[k])) ||
                (wants_smallest<Wanted> && smallest.may_win(keys.key[k]));
    }
    if (may_win) {
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        if (!range.contains(element + k)) continue;
        if constexpr (wants_largest<Wanted>) largest.consider(keys.key[k], element + k);
        if constexpr (wants_smallest<Wanted>) smallest.consider(keys.key[k], element + k);
      }
    }
  }
  reduce_candidates<Wanted, Number, extremum_threads>(largest, smallest, best);
}

/// Threads that share a tile of whole numbers in 40 KB of shared memory; a row is an odd number of words, so that the threads
/// read their rows without bank conflicts.
template <class Number>
struct array_tile {
  static constexpr int pitch = Number::size | 1;
  static constexpr int fitting = 40 * 1024 / (4 * pitch) / 32 * 32;
  static constexpr int threads = fitting < extremum_threads ? fitting : extremum_threads;
};

/// The candidates of an array of whole numbers: a block copies a tile of it to shared memory, then a thread takes a number.
template <wanted Wanted, class Number>
__global__ void __launch_bounds__(array_tile<Number>::threads)
    extremes_of_array(const Number* numbers, std::int64_t count, candidate* best) {
  constexpr int threads = array_tile<Number>::threads, pitch = array_tile<Number>::pitch;
  __shared__ digit_group digits[Number::size];
  __shared__ std::uint32_t tile[threads * pitch];
  stage_digits<Number, threads>(digits);

  best_so_far<Number, 1> largest(layout_of<Number>(numbers));
  best_so_far<Number, -1> smallest(layout_of<Number>(numbers));
  const auto* words = reinterpret_cast<const std::uint32_t*>(numbers);
  const int lane = static_cast<int>(threadIdx.x);
  for (std::int64_t first = std::int64_t{blockIdx.x} * threads; first < count;
       first += std::int64_t{gridDim.x} * threads) {
    const int here = static_cast<int>(count - first < threads ? count - first : threads);
#pragma unroll 8
    for (int w = lane; w < here * Number::size; w += threads) {
      tile[w / Number::size * pitch + w % Number::size] = words[first * Number::size + w];
    }
    __syncthreads();
    if (lane < here) {
      const strided_residues x{tile + lane * pitch, 1};
      digit_sums sums;
#pragma unroll 8
      for (int i = 0; i < Number::size; ++i) sums.add(x(i), digits[i]);
      std::uint64_t key = key_from_leading<Number>(sums.leading());
      if (key == 0) key = key_by_magnification<Number>(x, sums.leading());
      if constexpr (wants_largest<Wanted>) largest.consider(key, first + lane);
      if constexpr (wants_smallest<Wanted>) smallest.consider(key, first + lane);
    }
    __syncthreads();
  }
  reduce_candidates<Wanted, Number, threads>(largest, smallest, best);
}

/// Where the best of all candidates goes: its index, counted from `origin`, and the number; either may be null.
template <class Number>
struct extreme_output {
  int order = 1;
  std::int64_t* index = nullptr;
  Number* value = nullptr;
};

/// Block 0 reduces best[0 .. blocks) to `first`, block 1, if there is one, the next `blocks` to `second`.
template <class Number>
__global__ void __launch_bounds__(extremum_final_threads)
    best_of_candidates(residue_layout layout, const candidate* best, int blocks, std::int64_t origin,
                       extreme_output<Number> first, extreme_output<Number> second) {
  using block_reduce = cub::BlockReduce<candidate, extremum_final_threads>;
  __shared__ typename block_reduce::TempStorage temp;
  __shared__ std::int64_t winner;
  const extreme_output<Number> out = blockIdx.x == 0 ? first : second;
  best += static_cast<std::int64_t>(blockIdx.x) * blocks;
  const better_candidate<Number> better{layout, out.order};
  candidate found{0, -1};
  for (int b = static_cast<int>(threadIdx.x); b < blocks; b += extremum_final_threads) found = better(found, best[b]);
  found = block_reduce(temp).Reduce(found, better);
  if (threadIdx.x == 0) {
    winner = found.index;
    if (out.index != nullptr) *out.index = found.index - origin;
  }
  __syncthreads();
  if (out.value == nullptr) return;
  for (int i = static_cast<int>(threadIdx.x); i < Number::size; i += extremum_final_threads) {
    out.value->set_residue(i, layout.element(winner)(i));
  }
}

} // namespace detail
} // namespace thrust_rns
