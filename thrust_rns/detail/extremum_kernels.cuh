// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// The largest or smallest number of a range, in two kernels: the best candidate of each block, then the best of those.

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

/// best[block] := the best candidate among the quads of a block; fills the cache of evaluations.
template <int Order, class Number>
__global__ void __launch_bounds__(extremum_threads, extremum_blocks_at_once)
    best_of_blocks(span<const Number> s, quad_range range, candidate* best) {
  using block_reduce = cub::BlockReduce<candidate, extremum_threads>;
  __shared__ typename block_reduce::TempStorage temp;
  __shared__ digit_group digits[Number::size];
  for (int i = static_cast<int>(threadIdx.x); i < Number::size; i += extremum_threads) {
    digits[i] = expansions_of<typename Number::base_type>().group[0][i];
  }
  __syncthreads();

  const better_candidate<Order, Number> better{s};
  candidate found{0, -1};
  // A key that is not above this (below, for the smallest) cannot win.
  std::uint64_t bar = Order == 1 ? 0 : ~std::uint64_t{0};
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
            keys.key[k] = key_by_magnification<Number>(plane_residues{x + k, s.stride()}, sums[k].leading());
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
    bool any = !whole;
#pragma unroll
    for (int k = 0; k < 4; ++k) any = any || (Order == 1 ? keys.key[k] > bar : keys.key[k] < bar);
    if (any) {
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        if (range.contains(element + k)) found = better(found, candidate{keys.key[k], element + k});
      }
      if (found.index >= 0) bar = Order == 1 ? found.key - 2 : found.key + 2; // keys one apart are compared exactly
    }
  }
  found = block_reduce(temp).Reduce(found, better);
  if (threadIdx.x == 0) best[blockIdx.x] = found;
}

/// *index := the index, counted from `origin`, of the best of `blocks` candidates; *value := the number itself. Either may
/// be null.
template <int Order, class Number>
__global__ void __launch_bounds__(extremum_final_threads)
    best_of_candidates(span<const Number> s, const candidate* best, int blocks, std::int64_t origin,
                       std::int64_t* index, Number* value) {
  using block_reduce = cub::BlockReduce<candidate, extremum_final_threads>;
  __shared__ typename block_reduce::TempStorage temp;
  __shared__ std::int64_t winner;
  const better_candidate<Order, Number> better{s};
  candidate found{0, -1};
  for (int b = static_cast<int>(threadIdx.x); b < blocks; b += extremum_final_threads) found = better(found, best[b]);
  found = block_reduce(temp).Reduce(found, better);
  if (threadIdx.x == 0) {
    winner = found.index;
    if (index != nullptr) *index = found.index - origin;
  }
  __syncthreads();
  if (value == nullptr) return;
  for (int i = static_cast<int>(threadIdx.x); i < Number::size; i += extremum_final_threads) {
    value->set_residue(i, s.plane(i)[winner]);
  }
}

} // namespace detail
} // namespace thrust_rns
