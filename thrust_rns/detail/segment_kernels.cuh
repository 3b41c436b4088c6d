// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Reductions of many segments. A thread takes a segment by itself if it is short, its warp if it is long, and the whole
/// block if it is very long, so that neither a million short segments nor one long one is slow.

#include <algorithm>
#include <cstdint>
#include <limits>

#include <cuda_runtime_api.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/candidate.h>
#include <thrust_rns/detail/residue_functions.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/number.h>
#include <thrust_rns/span.h>
#include <thrust_rns/detail/plane_rows.cuh>

namespace thrust_rns {
namespace detail {

inline constexpr std::int64_t longest_for_thread = 32, longest_for_warp = 4096;

/// Calls job.elements(first, last, step, part) so that each segment of the block is covered, job.combine and job.finish(segment,
/// part). The block has row_threads segments from `first_segment` on. `begin` and `end` are arrays of offsets.
template <class Job, class Begin, class End>
__device__ void reduce_segments(const Job& job, std::int64_t first_segment, std::int64_t segments, Begin begin,
                                End end) {
  using part = typename Job::part;
  __shared__ part parts[row_threads / 32];
  __shared__ int very_long[row_threads];
  __shared__ int very_long_count;
  if (threadIdx.x == 0) very_long_count = 0;
  __syncthreads();

  const int lane = static_cast<int>(threadIdx.x % 32);
  const std::int64_t mine = first_segment + threadIdx.x;
  std::int64_t from = 0, to = 0;
  if (mine < segments) {
    from = begin[mine];
    to = end[mine];
  }
  const std::int64_t length = to - from;
  if (mine < segments && length <= longest_for_thread) {
    part p = job.neutral();
    job.elements(from, to, 1, p);
    job.finish(mine, from, p);
  }
  for (unsigned left = __ballot_sync(~0U, length > longest_for_thread && length <= longest_for_warp); left != 0;
       left &= left - 1) {
    const int owner = __ffs(static_cast<int>(left)) - 1;
    const std::int64_t first = __shfl_sync(~0U, from, owner), last = __shfl_sync(~0U, to, owner);
    part p = job.neutral();
    job.elements(first + lane, last, 32, p);
    p = job.combine_warp(p);
    if (lane == owner) job.finish(mine, first, p);
  }
  if (length > longest_for_warp) very_long[atomicAdd(&very_long_count, 1)] = static_cast<int>(threadIdx.x);
  __syncthreads();
  for (int k = 0; k < very_long_count; ++k) {
    const std::int64_t segment = first_segment + very_long[k], first = begin[segment];
    part p = job.neutral();
    job.elements(first + threadIdx.x, static_cast<std::int64_t>(end[segment]), row_threads, p);
    p = job.combine_warp(p);
    if (lane == 0) parts[threadIdx.x / 32] = p;
    __syncthreads();
    if (threadIdx.x == 0) {
      for (int w = 1; w < row_threads / 32; ++w) p = job.combine(p, parts[w]);
      job.finish(segment, first, p);
    }
    __syncthreads();
  }
}

struct sum_of_segment {
  using part = std::uint64_t; // residues are below 2^31, segments far below 2^33 elements a thread
  const std::uint32_t* x;
  std::uint32_t* out;
  modulus m;

  __device__ static part neutral() { return 0; }
  __device__ void elements(std::int64_t j, std::int64_t last, int step, part& sum) const {
#pragma unroll 4
    for (; j < last; j += step) sum += x[j];
  }
  __device__ static part combine(part a, part b) { return a + b; }
  __device__ static part combine_warp(part p) {
    for (int d = 16; d > 0; d /= 2) p += __shfl_xor_sync(~0U, p, d);
    return p;
  }
  __device__ void finish(std::int64_t segment, std::int64_t, part sum) const { out[segment] = m.reduce(sum); }
};

/// Grid: row_threads segments a block x planes, and the evaluations.
template <class Number, class Begin, class End>
__global__ void __launch_bounds__(row_threads)
    sum_segments(plane_operand in, plane_output out, std::int64_t segments, Begin begin, End end) {
  const int plane = static_cast<int>(blockIdx.y);
  const std::int64_t first = std::int64_t{blockIdx.x} * row_threads;
  if (plane == Number::size) {
    if (first + threadIdx.x < segments) out.evaluations[first + threadIdx.x] = 0;
    return;
  }
  reduce_segments(sum_of_segment{in.row(plane), out.row(plane), moduli_of<typename Number::base_type>()[plane]}, first,
                  segments, begin, end);
}

/// The place of the first largest (Order 1) or smallest (-1) element. Fills the cache of evaluations.
template <class Number, int Order>
struct extreme_of_segment {
  using part = candidate;
  span<const Number> s;
  std::int64_t origin; // of the offsets
  std::int64_t* index;

  __device__ better_candidate<Number> better() const { return {layout_of<Number>(s), Order}; }
  __device__ static part neutral() { return {0, -1}; }
  __device__ void elements(std::int64_t j, std::int64_t last, int step, part& found) const {
    best_so_far<Number, Order> best(layout_of<Number>(s));
    for (; j < last; j += step) {
      const std::int64_t element = origin + j;
      std::uint64_t key = s.evaluations() == nullptr ? 0 : load_relaxed(s.evaluations() + element);
      if (key == 0) {
        key = evaluate_key<Number>(strided_residues{s.plane(0) + element, s.stride()});
        if (s.evaluations() != nullptr) store_relaxed(s.evaluations() + element, key);
      }
      best.consider(key, element);
    }
    found = best.get();
  }
  __device__ part combine(const part& a, const part& b) const { return better()(a, b); }
  __device__ part combine_warp(part p) const {
    for (int d = 16; d > 0; d /= 2) {
      const part other{__shfl_xor_sync(~0U, p.key, d), __shfl_xor_sync(~0U, p.index, d)};
      p = better()(p, other);
    }
    return p;
  }
  __device__ void finish(std::int64_t segment, std::int64_t first, const part& p) const {
    index[segment] = p.index < 0 ? -1 : p.index - origin - first;
  }
};

template <int Order, class Number, class Begin, class End>
__global__ void __launch_bounds__(row_threads)
    extremes_of_segments(span<const Number> s, std::int64_t origin, std::int64_t* index, std::int64_t segments,
                         Begin begin, End end) {
  reduce_segments(extreme_of_segment<Number, Order>{s, origin, index}, std::int64_t{blockIdx.x} * row_threads, segments,
                  begin, end);
}

/// out_s := the element at begin[s] + index[s]; `empty` where index[s] is negative. Grid as for sum_segments.
template <class Number, class Begin>
__global__ void __launch_bounds__(row_threads)
    gather_extremes(plane_operand in, plane_output out, const std::int64_t* index, std::int64_t segments, Begin begin,
                    __grid_constant__ const constant_operand<Number> empty) {
  const int plane = static_cast<int>(blockIdx.y);
  const std::int64_t segment = std::int64_t{blockIdx.x} * row_threads + threadIdx.x;
  if (segment >= segments) return;
  if (plane == Number::size) {
    out.evaluations[segment] = 0;
    return;
  }
  const std::int64_t at = index[segment];
  out.row(plane)[segment] = at < 0 ? empty.number.residue(plane) : in.row(plane)[begin[segment] + at];
}

inline unsigned blocks_of_segments(std::int64_t segments) {
  return static_cast<unsigned>((segments + row_threads - 1) / row_threads);
}

template <class Number, class Begin, class End>
cudaError_t sum_segments_on_device(cudaStream_t stream, const plane_operand& in, const plane_output& out,
                                   std::int64_t segments, Begin begin, End end) {
  if (segments == 0) return cudaSuccess;
  return launch(sum_segments<Number, Begin, End>, dim3(blocks_of_segments(segments), rows_of<Number>(out)), row_threads,
                stream, in, out, segments, begin, end);
}

template <int Order, class Number, class Begin, class End>
cudaError_t find_extremes_of_segments_on_device(cudaStream_t stream, const span<const Number>& s, std::int64_t origin,
                                                std::int64_t* index, std::int64_t segments, Begin begin, End end) {
  if (segments == 0) return cudaSuccess;
  return launch(extremes_of_segments<Order, Number, Begin, End>, dim3(blocks_of_segments(segments)), row_threads,
                stream, s, origin, index, segments, begin, end);
}

/// `index`: memory for `segments` of them.
template <int Order, class Number, class Begin, class End>
cudaError_t extremes_of_segments_on_device(cudaStream_t stream, const span<const Number>& s, std::int64_t origin,
                                           const plane_output& out, std::int64_t* index, std::int64_t segments,
                                           Begin begin, End end) {
  if (segments == 0) return cudaSuccess;
  if (const cudaError_t status =
          find_extremes_of_segments_on_device<Order>(stream, s, origin, index, segments, begin, end);
      status != cudaSuccess) {
    return status;
  }
  const constant_operand<Number> empty{Order == 1 ? std::numeric_limits<Number>::lowest()
                                                  : std::numeric_limits<Number>::max()};
  return launch(gather_extremes<Number, Begin>, dim3(blocks_of_segments(segments), rows_of<Number>(out)), row_threads,
                stream, plane_operand{s.plane(0) + origin, s.stride()}, out, index, segments, begin, empty);
}

} // namespace detail
} // namespace thrust_rns
