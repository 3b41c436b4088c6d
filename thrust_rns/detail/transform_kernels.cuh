// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Elementwise operations on planes, all planes in one kernel. Bound by memory: 4 bytes read a residue and operand, 4 written.

#include <cstdint>

#include <cuda/std/tuple>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/residue_functions.h>
#include <thrust_rns/number.h>
#include <thrust_rns/detail/plane_rows.cuh>

namespace thrust_rns {
namespace detail {

template <class Function, class... Quads>
__device__ uint4 apply_to_quads(const modulus& m, const Quads&... x) {
  return make_uint4(Function{}(m, x.x...), Function{}(m, x.y...), Function{}(m, x.z...), Function{}(m, x.w...));
}

/// The quads q, q + row_threads, ... of one row.
template <class Function, bool Aligned, class... Rows>
__device__ void transform_quads(const modulus& m, std::uint32_t* out, const row_range& range, std::int64_t q,
                                const Rows&... in) {
  if (range.contains_quads(q - threadIdx.x, row_tile)) { // the same for the whole block
    uint4 r[row_quads];
#pragma unroll
    for (int k = 0; k < row_quads; ++k) {
      r[k] = apply_to_quads<Function>(m, in.template load<Aligned>(q + k * row_threads)...);
    }
#pragma unroll
    for (int k = 0; k < row_quads; ++k) reinterpret_cast<uint4*>(out)[q + k * row_threads] = r[k];
    return;
  }
  for (int k = 0; k < row_quads; ++k, q += row_threads) {
    if (range.contains_quad(q)) {
      reinterpret_cast<uint4*>(out)[q] = apply_to_quads<Function>(m, in.template load<Aligned>(q)...);
    } else {
      for (std::int64_t e = 4 * q; e < 4 * q + 4; ++e) {
        if (range.contains(e)) out[e] = Function{}(m, in.at(e)...);
      }
    }
  }
}

/// Grid: tiles of row_tile quads x rows. An output that is also an input is written only where it has been read.
template <class Function, class Number, class... Inputs>
__global__ void __launch_bounds__(row_threads)
    transform_planes(plane_output out, row_range range, __grid_constant__ const ::cuda::std::tuple<Inputs...> in) {
  const int plane = static_cast<int>(blockIdx.y);
  const std::int64_t q = std::int64_t{blockIdx.x} * row_tile + threadIdx.x;
  if (plane == Number::size) {
    drop_evaluations(out, range, q);
    return;
  }
  const modulus m = moduli_of<typename Number::base_type>()[plane];
  std::uint32_t* row = out.row(plane) - range.lead;
  ::cuda::std::apply(
      [&](const Inputs&... x) {
        if ((... && quads_of(x, plane, range.lead).aligned())) {
          transform_quads<Function, true>(m, row, range, q, quads_of(x, plane, range.lead)...);
        } else {
          transform_quads<Function, false>(m, row, range, q, quads_of(x, plane, range.lead)...);
        }
      },
      in);
}

template <class Function, class Number, class... Inputs>
cudaError_t transform_on_device(cudaStream_t stream, const plane_output& out, std::int64_t count, const Inputs&... in) {
  if (count < 0) return cudaErrorInvalidValue;
  if (count == 0) return cudaSuccess;
  const row_range range = range_of(out, count);
  const auto tiles = static_cast<unsigned>((range.quads() + row_tile - 1) / row_tile);
  return launch(transform_planes<Function, Number, Inputs...>, dim3(tiles, rows_of<Number>(out)), row_threads, stream,
                out, range, ::cuda::std::tuple<Inputs...>(in...));
}

} // namespace detail
} // namespace thrust_rns
