// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Baseline: the maximum by an array of interval evaluations (Algorithms 2-4 of K. Isupov, Computation 9(2):9, 2021).
///
///   2. for all j: bounds of X_j/M in floating point, with their own exponent, stored with j
///   3. two-pass reduction of these triples: blocks, then one block
///   4. X > Y if low_X > upp_Y, X < Y if low_Y > upp_X, else exact by mixed radix; of equal numbers the first
///
/// Work: one pass over the residues (floating_bounds.cuh), N - 1 comparisons of bounds. Memory beside the numbers: 24 bytes each
/// (two doubles, a 32-bit exponent that both share, a 32-bit index; the paper's structure has 40), in three planes, so that
/// all accesses are coalesced.

#include "common.cuh"
#include "floating_bounds.cuh"
#include "mixed_radix.cuh"

namespace baselines {

/// An element of the array.
struct evaluated {
  bounds value;
  std::int32_t index;
};

/// The array: low[j], upp[j], and exponent and index of element j in one word pair.
struct evaluated_array {
  double *low, *upp;
  int2* place;

  static std::size_t bytes(std::int64_t count) { return static_cast<std::size_t>((count + 3) / 4) * 4 * 24; }
  evaluated_array(void* memory, std::int64_t count)
      : low(static_cast<double*>(memory)),
        upp(low + (count + 3) / 4 * 4),
        place(reinterpret_cast<int2*>(upp + (count + 3) / 4 * 4)) {}

  __device__ evaluated operator()(std::int64_t j) const {
    const int2 p = place[j];
    return {{low[j], upp[j], p.x}, p.y};
  }
};

inline constexpr int evaluation_threads = 128;

/// Algorithm 2. A thread takes four neighbours: 16-byte loads and stores.
template <class Number>
__global__ void __launch_bounds__(evaluation_threads)
    evaluate_all(planes<Number> v, std::int64_t count, evaluated_array out) {
  using Base = typename Number::base_type;
  prepare_terms<Base>();
  const std::int64_t j = 4 * (std::int64_t{blockIdx.x} * evaluation_threads + threadIdx.x);
  if (j >= count) return;

  const auto load = [&](int i, std::uint32_t(&x)[4]) {
    const uint4 q = *reinterpret_cast<const uint4*>(v.first + i * v.stride + j);
    x[0] = q.x, x[1] = q.y, x[2] = q.z, x[3] = q.w;
  };
  double low[4], upp[4];
  int exponent[4] = {0, 0, 0, 0};
  sum_fractions<Number>(shared_terms<Base>().data(), load, as_it_is{}, low, upp);
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    if (are_accurate<Base>(low[k], upp[k]) || j + k >= count) continue;
    const bounds b = refined_bounds(v, j + k); // rare
    low[k] = b.low, upp[k] = b.upp, exponent[k] = b.exponent;
  }

  auto* lows = reinterpret_cast<double2*>(out.low + j);
  auto* upps = reinterpret_cast<double2*>(out.upp + j);
  auto* places = reinterpret_cast<int4*>(out.place + j);
  const int index = static_cast<int>(j);
  lows[0] = make_double2(low[0], low[1]);
  lows[1] = make_double2(low[2], low[3]);
  upps[0] = make_double2(upp[0], upp[1]);
  upps[1] = make_double2(upp[2], upp[3]);
  places[0] = make_int4(exponent[0], index, exponent[1], index + 1);
  places[1] = make_int4(exponent[2], index + 2, exponent[3], index + 3);
}

/// Algorithm 4.
template <class Number>
struct larger_by_interval {
  using candidate = evaluated;
  static constexpr int blocks_at_once = 4;
  planes<Number> v;

  __device__ void prepare() const {}
  __device__ evaluated operator()(const evaluated& a, const evaluated& b) const {
    int order = compare_bounds(a.value, b.value);
    if (order == 0) order = compare_by_mixed_radix(v, a.index, b.index); // rare
    return order > 0 || (order == 0 && a.index < b.index) ? a : b;
  }
};

/// *d_index_out := the index of the first of the largest numbers. Null `d_temp`: `temp_bytes` := the memory needed beside the
/// numbers, and nothing else. Three kernels on `stream`, no synchronisation. 0 < in.size() < 2^31.
template <class Number>
cudaError_t arg_max_by_interval_array(void* d_temp, std::size_t& temp_bytes, thrust_rns::span<const Number> in,
                                      std::int64_t* d_index_out, cudaStream_t stream = nullptr) {
  constexpr std::int64_t tile = 4096;
  const std::int64_t count = in.size();
  const std::size_t array_bytes = evaluated_array::bytes(count);
  if (d_temp == nullptr) {
    temp_bytes = array_bytes + static_cast<std::size_t>(tiles_of(count, tile)) * sizeof(evaluated);
    return cudaSuccess;
  }
  const planes<Number> v(in);
  const evaluated_array array(d_temp, count);
  const auto blocks = static_cast<unsigned>((count + 4 * evaluation_threads - 1) / (4 * evaluation_threads));
  evaluate_all<Number><<<blocks, evaluation_threads, 0, stream>>>(v, count, array);
  if (const cudaError_t status = cudaGetLastError(); status != cudaSuccess) return status;
  auto* found = reinterpret_cast<evaluated*>(static_cast<char*>(d_temp) + array_bytes);
  return reduce_in_two_passes(array, count, tile, larger_by_interval<Number>{v}, found, d_index_out, stream);
}

} // namespace baselines
