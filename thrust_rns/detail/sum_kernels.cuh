// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// The sum of a range of numbers, in two kernels: each plane is cut into slices that are summed by a block each, then
/// a block a plane adds the slices.

#include <cstdint>

#include <cub/block/block_reduce.cuh>

#include <thrust_rns/config.h>
#include <thrust_rns/number.h>
#include <thrust_rns/span.h>
#include <thrust_rns/detail/quads.cuh>

namespace thrust_rns {
namespace detail {

inline constexpr int sum_threads = 256;
inline constexpr std::int64_t sum_most_blocks = 16384;
inline constexpr int sum_quads_at_once = 4; // loads in flight a thread

/// The sum of the elements of quad q that lie in the range.
THRUST_RNS_HD inline std::uint64_t sum_of_quad(const uint4& r, std::int64_t q, const quad_range& range) {
  if (4 * q >= range.first && 4 * q + 4 <= range.last) return std::uint64_t{r.x + r.y} + (r.z + r.w); // residues < 2^31
  return (range.contains(4 * q) ? std::uint64_t{r.x} : 0) + (range.contains(4 * q + 1) ? std::uint64_t{r.y} : 0) +
         (range.contains(4 * q + 2) ? std::uint64_t{r.z} : 0) + (range.contains(4 * q + 3) ? std::uint64_t{r.w} : 0);
}

/// partial[plane * slices + slice] := the slice's sum modulo m. Grid: slices x planes. A slice has fewer than 2^33 elements.
template <class Number>
__global__ void __launch_bounds__(sum_threads)
    sum_slices(span<const Number> s, quad_range range, std::uint32_t* partial) {
  using block_reduce = ::cub::BlockReduce<std::uint64_t, sum_threads>;
  __shared__ typename block_reduce::TempStorage temp;
  const int plane = static_cast<int>(blockIdx.y);
  const uint4* x = reinterpret_cast<const uint4*>(s.plane(plane));
  const std::int64_t step = std::int64_t{gridDim.x} * sum_threads;
  std::int64_t q = range.first_quad() + std::int64_t{blockIdx.x} * sum_threads + threadIdx.x;
  std::uint64_t sum = 0;
  for (; q + (sum_quads_at_once - 1) * step < range.last_quad(); q += sum_quads_at_once * step) {
    uint4 r[sum_quads_at_once];
#pragma unroll
    for (int k = 0; k < sum_quads_at_once; ++k) r[k] = x[q + k * step];
#pragma unroll
    for (int k = 0; k < sum_quads_at_once; ++k) sum += sum_of_quad(r[k], q + k * step, range);
  }
  for (; q < range.last_quad(); q += step) sum += sum_of_quad(x[q], q, range);
  sum = block_reduce(temp).Sum(sum);
  if (threadIdx.x == 0) {
    partial[std::int64_t{plane} * gridDim.x + blockIdx.x] = moduli_of<typename Number::base_type>()[plane].reduce(sum);
  }
}

/// The same for an array of whole numbers: each of `slices` times n threads adds words of one modulus.
template <class Number>
__global__ void __launch_bounds__(sum_threads)
    sum_array_slices(const Number* numbers, std::int64_t count, int slices, std::uint32_t* partial) {
  const auto* words = reinterpret_cast<const std::uint32_t*>(numbers);
  const std::int64_t step = std::int64_t{slices} * Number::size;
  const std::int64_t thread = std::int64_t{blockIdx.x} * sum_threads + threadIdx.x;
  if (thread >= step) return;
  std::uint64_t sum = 0;
#pragma unroll 8
  for (std::int64_t w = thread; w < count * Number::size; w += step) sum += words[w];
  const int plane = static_cast<int>(thread % Number::size);
  partial[plane * std::int64_t{slices} + thread / Number::size] =
      moduli_of<typename Number::base_type>()[plane].reduce(sum);
}

/// *total := the sum of the slices. Grid: a block a plane.
template <class Number>
__global__ void __launch_bounds__(sum_threads) sum_partials(const std::uint32_t* partial, int slices, Number* total) {
  using block_reduce = ::cub::BlockReduce<std::uint64_t, sum_threads>;
  __shared__ typename block_reduce::TempStorage temp;
  const int plane = static_cast<int>(blockIdx.x);
  std::uint64_t sum = 0;
  for (int k = static_cast<int>(threadIdx.x); k < slices; k += sum_threads) {
    sum += partial[std::int64_t{plane} * slices + k];
  }
  sum = block_reduce(temp).Sum(sum);
  if (threadIdx.x == 0) total->set_residue(plane, moduli_of<typename Number::base_type>()[plane].reduce(sum));
}

} // namespace detail
} // namespace thrust_rns
