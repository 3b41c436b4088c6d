// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Baseline: the maximum by interval evaluation without memory. A two-pass reduction over indices in which each
/// comparison evaluates both numbers anew, in floating point (floating_bounds.cuh):
///
///   X > Y if low_X > upp_Y, X < Y if low_Y > upp_X, else exact by mixed radix; of equal numbers the first
///
/// Work: 2 (N - 1) evaluations, side by side, so that both share the terms and twice as many loads are in flight. A block reduces
/// 1024 neighbours, so that the numbers which are read again are in the caches while they fit. Memory beside the numbers: 8
/// bytes for each 1024 of them.

#include "common.cuh"
#include "floating_bounds.cuh"
#include "mixed_radix.cuh"

namespace baselines {

/// The larger of two numbers, of equal ones the first.
template <class Number>
struct larger_by_evaluation {
  using Base = typename Number::base_type;
  using candidate = place;
  static constexpr int blocks_at_once = 3;
  planes<Number> v;

  __device__ void prepare() const { prepare_terms<Base>(); }
  __device__ place operator()(place a, place b) const {
    const std::uint32_t *pa = v.first + a.index, *pb = v.first + b.index;
    const auto load = [&](int i, std::uint32_t(&x)[2]) {
      x[0] = pa[i * v.stride];
      x[1] = pb[i * v.stride];
    };
    double low[2], upp[2];
    sum_fractions<Number>(shared_terms<Base>().data(), load, as_it_is{}, low, upp);
    bounds of_a{low[0], upp[0], 0}, of_b{low[1], upp[1], 0};
    if (!are_accurate<Base>(low[0], upp[0])) of_a = refined_bounds(v, a.index); // rare
    if (!are_accurate<Base>(low[1], upp[1])) of_b = refined_bounds(v, b.index);
    int order = compare_bounds(of_a, of_b);
    if (order == 0) order = compare_by_mixed_radix(v, a.index, b.index); // rare
    return order > 0 || (order == 0 && a.index < b.index) ? a : b;
  }
};

/// *d_index_out := the index of the first of the largest numbers. Null `d_temp`: `temp_bytes` := the memory needed beside the
/// numbers, and nothing else. Two kernels on `stream`, no synchronisation. in.size() > 0.
template <class Number>
cudaError_t arg_max_naively(void* d_temp, std::size_t& temp_bytes, thrust_rns::span<const Number> in,
                            std::int64_t* d_index_out, cudaStream_t stream = nullptr) {
  constexpr std::int64_t tile = 1024;
  if (d_temp == nullptr) {
    temp_bytes = static_cast<std::size_t>(tiles_of(in.size(), tile)) * sizeof(place);
    return cudaSuccess;
  }
  return reduce_in_two_passes(all_places{}, in.size(), tile, larger_by_evaluation<Number>{planes<Number>(in)},
                              static_cast<place*>(d_temp), d_index_out, stream);
}

} // namespace baselines
