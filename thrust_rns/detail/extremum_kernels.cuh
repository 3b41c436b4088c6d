// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// The largest or smallest number of a range, in two kernels: the best candidate of each block, then the best of those.

#include <cstdint>

#include <cub/block/block_reduce.cuh>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/host_reduce.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/number.h>
#include <thrust_rns/span.h>

namespace thrust_rns {
namespace detail {

inline constexpr int extremum_threads = 256;
inline constexpr std::int64_t extremum_most_blocks = 16384;

/// Elements are handled in quads 4 q .. 4 q + 3, so that a thread loads 16 bytes of a plane at once.
struct quad_range {
  std::int64_t first, last; // elements
  THRUST_RNS_HD std::int64_t first_quad() const { return first / 4; }
  THRUST_RNS_HD std::int64_t last_quad() const { return (last + 3) / 4; }
  THRUST_RNS_HD std::int64_t quads() const { return last_quad() - first_quad(); }
  THRUST_RNS_HD bool contains(std::int64_t element) const { return first <= element && element < last; }
};

/// key[k] := key of element + k where wanted[k]; digits: the first digit group of each modulus, in shared memory.
/// Per quad and modulus: one 16-byte load from the plane, one 16-byte broadcast, 16 multiply-adds.
template <class Number>
__device__ void evaluate_quad(const span<const Number>& s, std::int64_t element, const digit_group* digits,
                              const bool (&wanted)[4], std::uint64_t (&key)[4]) {
  const std::uint32_t* x = s.plane(0) + element;
  digit_sums sums[4];
#pragma unroll 8
  for (int i = 0; i < Number::size; ++i) {
    const uint4 r = *reinterpret_cast<const uint4*>(x + i * s.stride());
    const digit_group d = digits[i];
    sums[0].add(r.x, d);
    sums[1].add(r.y, d);
    sums[2].add(r.z, d);
    sums[3].add(r.w, d);
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    if (!wanted[k]) continue;
    const uint128_t a = sums[k].fraction();
    key[k] = key_from_fraction<Number>(a);
    if (key[k] == 0) key[k] = key_by_magnification<Number>(plane_residues{x + k, s.stride()}, a);
  }
}

/// best[block] := the best candidate among the quads of a block; fills the cache of evaluations.
template <int Order, class Number>
__global__ void __launch_bounds__(extremum_threads)
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
  const std::int64_t step = std::int64_t{gridDim.x} * extremum_threads;
  for (std::int64_t q = range.first_quad() + std::int64_t{blockIdx.x} * extremum_threads + threadIdx.x;
       q < range.last_quad(); q += step) {
    const std::int64_t element = 4 * q;
    std::uint64_t key[4] = {0, 0, 0, 0};
    if (s.evaluations() != nullptr) { // in pairs; each half is read whole
      const ulonglong2 a = *reinterpret_cast<const ulonglong2*>(s.evaluations() + element);
      const ulonglong2 b = *reinterpret_cast<const ulonglong2*>(s.evaluations() + element + 2);
      key[0] = a.x;
      key[1] = a.y;
      key[2] = b.x;
      key[3] = b.y;
    }
    bool wanted[4];
    bool any = false;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      wanted[k] = range.contains(element + k) && key[k] == 0;
      any = any || wanted[k];
    }
    if (any) {
      evaluate_quad(s, element, digits, wanted, key);
      if (s.evaluations() != nullptr) {
#pragma unroll
        for (int k = 0; k < 4; ++k) {
          if (wanted[k]) store_relaxed(s.evaluations() + element + k, key[k]);
        }
      }
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      if (range.contains(element + k)) found = better(found, candidate{key[k], element + k});
    }
  }
  found = block_reduce(temp).Reduce(found, better);
  if (threadIdx.x == 0) best[blockIdx.x] = found;
}

/// *index := the index, counted from `origin`, of the best of `blocks` candidates; *value := the number itself. Either may
/// be null.
template <int Order, class Number>
__global__ void __launch_bounds__(extremum_threads)
    best_of_candidates(span<const Number> s, const candidate* best, int blocks, std::int64_t origin,
                       std::int64_t* index, Number* value) {
  using block_reduce = cub::BlockReduce<candidate, extremum_threads>;
  __shared__ typename block_reduce::TempStorage temp;
  __shared__ std::int64_t winner;
  const better_candidate<Order, Number> better{s};
  candidate found{0, -1};
  for (int b = static_cast<int>(threadIdx.x); b < blocks; b += extremum_threads) found = better(found, best[b]);
  found = block_reduce(temp).Reduce(found, better);
  if (threadIdx.x == 0) {
    winner = found.index;
    if (index != nullptr) *index = found.index - origin;
  }
  __syncthreads();
  if (value == nullptr) return;
  for (int i = static_cast<int>(threadIdx.x); i < Number::size; i += extremum_threads) {
    value->set_residue(i, s.plane(i)[winner]);
  }
}

} // namespace detail
} // namespace thrust_rns
