// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Products and inner products of a range, in two kernels: each plane is cut into slices that are folded by a block each, then
/// a block a plane combines the slices.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>
#include <cub/block/block_reduce.cuh>
#include <cuda/std/tuple>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/folds.h>
#include <thrust_rns/detail/residue_functions.h>
#include <thrust_rns/number.h>
#include <thrust_rns/detail/plane_rows.cuh>

namespace thrust_rns {
namespace detail {

inline constexpr std::int64_t fold_most_blocks = 16384;

template <class Fold>
struct combine_folds {
  modulus m;
  __device__ std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const { return Fold::combine(m, a, b); }
};

template <class Fold, bool Aligned, class... Rows>
__device__ std::uint32_t fold_slice(const modulus& m, const row_range& range, const Rows&... in) {
  Fold fold;
  const std::int64_t step = std::int64_t{gridDim.x} * row_threads;
#pragma unroll 4
  for (std::int64_t q = std::int64_t{blockIdx.x} * row_threads + threadIdx.x; q < range.quads(); q += step) {
    if (range.contains_quad(q)) {
      fold.add_quad(m, in.template load<Aligned>(q)...);
    } else {
      for (std::int64_t e = 4 * q; e < 4 * q + 4; ++e) {
        if (range.contains(e)) fold.add(m, in.at(e)...);
      }
    }
  }
  return fold.result(m);
}

/// partial[plane * slices + slice] := the slice's fold.
template <class Fold, class Number, class... Inputs>
__device__ void fold_slices_of_block(const row_range& range, std::uint32_t* partial,
                                     const ::cuda::std::tuple<Inputs...>& in) {
  using block_reduce = ::cub::BlockReduce<std::uint32_t, row_threads>;
  __shared__ typename block_reduce::TempStorage temp;
  const int plane = static_cast<int>(blockIdx.y);
  const modulus m = moduli_of<typename Number::base_type>()[plane];
  std::uint32_t part = ::cuda::std::apply(
      [&](const Inputs&... x) {
        return (... && quads_of(x, plane, range.lead).aligned())
                   ? fold_slice<Fold, true>(m, range, quads_of(x, plane, range.lead)...)
                   : fold_slice<Fold, false>(m, range, quads_of(x, plane, range.lead)...);
      },
      in);
  part = block_reduce(temp).Reduce(part, combine_folds<Fold>{m});
  if (threadIdx.x == 0) partial[std::int64_t{plane} * gridDim.x + blockIdx.x] = part;
}

/// Grid: slices x planes.
template <class Fold, class Number, class... Inputs>
__global__ void __launch_bounds__(row_threads)
    fold_slices(row_range range, std::uint32_t* partial, __grid_constant__ const ::cuda::std::tuple<Inputs...> in) {
  fold_slices_of_block<Fold, Number>(range, partial, in);
}

/// *total := the slices combined. Grid: a block a plane.
template <class Fold, class Number>
__global__ void __launch_bounds__(row_threads) fold_partials(const std::uint32_t* partial, int slices, Number* total) {
  using block_reduce = ::cub::BlockReduce<std::uint32_t, row_threads>;
  __shared__ typename block_reduce::TempStorage temp;
  const int plane = static_cast<int>(blockIdx.x);
  const modulus m = moduli_of<typename Number::base_type>()[plane];
  std::uint32_t part = Fold::neutral;
  for (int k = static_cast<int>(threadIdx.x); k < slices; k += row_threads) {
    part = Fold::combine(m, part, partial[std::int64_t{plane} * slices + k]);
  }
  part = block_reduce(temp).Reduce(part, combine_folds<Fold>{m});
  if (threadIdx.x == 0) total->set_residue(plane, part);
}

/// The first operand is the one whose quads the others are read in step with.
template <class... Others>
int lead_of(const plane_operand& first, const Others&...) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(first.first) / sizeof(std::uint32_t) % 4);
}

/// How a fold of `count` elements from word `lead` of their quad on is cut.
template <class Number>
struct fold_shape {
  row_range range;
  int slices;

  fold_shape(int lead, std::int64_t count, std::int64_t most_blocks = fold_most_blocks)
      : range{lead + count, lead},
        slices(static_cast<int>(
            std::clamp<std::int64_t>((range.quads() + row_tile - 1) / row_tile, 1, most_blocks / Number::size + 1))) {}

  std::size_t partial_bytes() const { return static_cast<std::size_t>(slices) * Number::size * sizeof(std::uint32_t); }
  dim3 grid() const { return {static_cast<unsigned>(slices), Number::size}; }
};

/// *total := the fold of `count` elements. With `temp` null, only `bytes` is written.
template <class Fold, class Number, class... Inputs>
cudaError_t fold_on_device(void* temp, std::size_t& bytes, cudaStream_t stream, Number* total, std::int64_t count,
                           const Inputs&... in) {
  if (count < 0) return cudaErrorInvalidValue;
  const fold_shape<Number> shape(lead_of(in...), count);
  const std::size_t needed = shape.partial_bytes();
  if (temp == nullptr) {
    bytes = needed;
    return cudaSuccess;
  }
  if (bytes < needed || total == nullptr) return cudaErrorInvalidValue;

  auto* partial = static_cast<std::uint32_t*>(temp);
  if (const cudaError_t status = launch(fold_slices<Fold, Number, Inputs...>, shape.grid(), row_threads, stream,
                                        shape.range, partial, ::cuda::std::tuple<Inputs...>(in...));
      status != cudaSuccess) {
    return status;
  }
  return launch(fold_partials<Fold, Number>, dim3(Number::size), row_threads, stream, partial, shape.slices, total);
}

} // namespace detail
} // namespace thrust_rns
