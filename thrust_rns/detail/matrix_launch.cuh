// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Which kernel computes a product of matrices of residues, with what memory, and its launches.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/matrix_problem.h>
#include <thrust_rns/detail/launch.cuh>
#include <thrust_rns/detail/matrix_kernels.cuh>
#include <thrust_rns/detail/matrix_tensor_kernels.cuh>
#include <thrust_rns/detail/multiprocessors.cuh>

namespace thrust_rns {
namespace detail {

enum class matrix_kernel { without_tiles, vector, tiles, tensor_cores };

using textbook_tile = tile_shape<16, 16, 16, 1, 1>;
using small_tile = tile_shape<64, 64, 16, 4, 4>;
using large_tile = tile_shape<128, 128, 12, 8, 8>;

/// The choice, by measurements on an H200 (docs/matrix.md). `tensor_cores`: whether they are there.
inline matrix_kernel choose_matrix_kernel(const matrix_problem& p, bool tensor_cores) {
  if (p.rows == 1 || p.columns == 1) return matrix_kernel::vector;
  const double work = static_cast<double>(p.slices() * p.rows) * static_cast<double>(p.columns * p.inner);
  if (tensor_cores && p.inner >= 64 && p.rows >= 8 && p.columns >= 8 && work > 2e7) return matrix_kernel::tensor_cores;
  if (p.rows < 32 || p.columns < 32) return matrix_kernel::without_tiles;
  return matrix_kernel::tiles;
}

template <class... Parameters, class... Arguments>
cudaError_t launch_kernel(void (*kernel)(Parameters...), std::int64_t blocks, int threads, int shared_bytes,
                          cudaStream_t stream, const Arguments&... arguments) {
  const dim3 grid(static_cast<unsigned>(std::clamp<std::int64_t>(blocks, 1, INT32_MAX)));
  return launch_with_memory(kernel, grid, threads, static_cast<std::size_t>(shared_bytes), stream, arguments...);
}

/// Blocks of matrix_threads threads for `count` units of work, a thread each.
inline std::int64_t blocks_for(std::int64_t count) { return (count + matrix_threads - 1) / matrix_threads; }

template <class Shape>
cudaError_t launch_tiles(const matrix_problem& p, const modulus_list& moduli, cudaStream_t stream) {
  const std::uint64_t half = moduli.largest() / 2, most = std::uint64_t{1} << 62; // of the products of a tile
  return launch_kernel(half <= most / Shape::inner / half ? multiply_tiles<Shape, true, no_counter>
                                                          : multiply_tiles<Shape, false, no_counter>,
                       Shape::tiles(p), Shape::threads, 0, stream, p, moduli, no_counter{});
}

// ---- Tensor Cores ----------------------------------------------------------------------------------------------------

/// Whether the device and the program's compilation have the kernel; if so it is made ready.
template <class Plan, class Store>
cudaError_t prepare_tensor_kernel(bool& ready) {
  constexpr auto kernel = multiply_packed<Plan, Store>;
  cudaFuncAttributes attributes{};
  ready = false;
  const cudaError_t status = cudaFuncGetAttributes(&attributes, kernel);
  if (status != cudaSuccess || attributes.maxThreadsPerBlock < Plan::threads) return status;
  ready = true;
  return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Plan::bytes);
}

/// Bytes of the packed operands for sums of `terms` terms.
template <class Plan>
struct packed_sizes {
  std::size_t a, b;
  packed_sizes(std::int64_t rows, std::int64_t columns, std::int64_t terms, std::int64_t a_slices,
               std::int64_t b_slices) {
    const std::int64_t stages = Plan::stages_of(std::min(terms, Plan::longest_sum));
    a = static_cast<std::size_t>(a_slices * Plan::tiles_of(rows, Plan::rows) * stages * Plan::a_bytes);
    b = static_cast<std::size_t>(b_slices * Plan::tiles_of(columns, Plan::columns) * stages * Plan::b_bytes);
  }
};

template <class Plan, int Lines, class Source>
cudaError_t launch_pack(const Source& source, std::int64_t slices, unsigned char* packed, cudaStream_t stream) {
  const std::int64_t threads =
      slices * Plan::tiles_of(source.lines, Lines) * Plan::stages_of(source.terms) * Lines * (Plan::inner / 16);
  return launch_kernel(pack_bytes<Plan::limbs, Lines, Source>, blocks_for(threads), matrix_threads, 0, stream, source,
                       packed);
}

template <class Plan, class Store>
cudaError_t launch_packed(const packed_operands& operands, const modulus_list& moduli, const Store& store,
                          cudaStream_t stream) {
  int multiprocessors = 0;
  if (const cudaError_t status = count_multiprocessors(multiprocessors); status != cudaSuccess) return status;
  const std::int64_t tiles = moduli.size * operands.batch * Plan::tiles_of(operands.rows, Plan::rows) *
                             Plan::tiles_of(operands.columns, Plan::columns);
  return launch_kernel(multiply_packed<Plan, Store>, std::min<std::int64_t>(tiles, multiprocessors), Plan::threads,
                       Plan::bytes, stream, operands, moduli, store);
}

/// The problem or its transpose, whichever fills tiles better.
template <class Plan>
matrix_problem turned_for_tiles(const matrix_problem& p) {
  const auto entries = [](std::int64_t rows, std::int64_t columns) {
    return Plan::tiles_of(rows, Plan::rows) * Plan::tiles_of(columns, Plan::columns);
  };
  return entries(p.columns, p.rows) < entries(p.rows, p.columns) ? p.transposed() : p;
}

template <class Plan>
cudaError_t launch_tensor_cores(void* temp, std::size_t& bytes, const matrix_problem& problem,
                                const modulus_list& moduli, cudaStream_t stream) {
  const matrix_problem p = turned_for_tiles<Plan>(problem);
  const std::int64_t a_batch = p.a.batch_stride == 0 ? 1 : p.batch, b_batch = p.b.batch_stride == 0 ? 1 : p.batch;
  const packed_sizes<Plan> sizes(p.rows, p.columns, p.inner, moduli.size * a_batch, moduli.size * b_batch);
  if (temp == nullptr) {
    bytes = sizes.a + sizes.b;
    return cudaSuccess;
  }
  if (bytes < sizes.a + sizes.b || reinterpret_cast<std::uintptr_t>(temp) % 16 != 0) return cudaErrorInvalidValue;
  auto* a = static_cast<unsigned char*>(temp);
  unsigned char* b = a + sizes.a;
  for (std::int64_t first = 0; first < p.inner; first += Plan::longest_sum) {
    const matrix_problem part = p.part(first, std::min(Plan::longest_sum, p.inner - first));
    cudaError_t status = launch_pack<Plan, Plan::rows>(lines_of_planes{part.a, part.rows, part.inner, a_batch, moduli},
                                                       moduli.size * a_batch, a, stream);
    if (status == cudaSuccess) {
      status = launch_pack<Plan, Plan::columns>(
          lines_of_planes{part.b.transposed(), part.columns, part.inner, b_batch, moduli}, moduli.size * b_batch, b,
          stream);
    }
    if (status == cudaSuccess) {
      status =
          launch_packed<Plan>(packed_operands{a, b, part.rows, part.columns, part.inner, part.batch, a_batch, b_batch},
                              moduli, store_in_planes{part.c, part.mode}, stream);
    }
    if (status != cudaSuccess) return status;
  }
  return cudaSuccess;
}

/// The plan for moduli of this size.
template <class Call>
cudaError_t with_tensor_plan(std::uint32_t largest_modulus, Call call) {
  if (largest_modulus <= 256) return call(tensor_plan<1>());
  if (largest_modulus <= 65536) return call(tensor_plan<2>());
  return call(tensor_plan<4>());
}

// ---- all -------------------------------------------------------------------------------------------------------------

/// A matrix times a vector.
inline cudaError_t launch_vector(void* temp, std::size_t& bytes, const matrix_problem& q, const modulus_list& moduli,
                                 cudaStream_t stream) {
  const matrix_problem p = q.columns == 1 ? q : q.transposed();
  const bool along_inner = p.a.column_stride == 1;
  int multiprocessors = 0;
  if (const cudaError_t status = count_multiprocessors(multiprocessors); status != cudaSuccess) return status;
  const std::int64_t threads = p.slices() * p.rows * (along_inner ? 32 : 1);
  inner_splits split{static_cast<std::uint32_t*>(temp),
                     static_cast<int>(std::clamp<std::int64_t>(std::int64_t{2048} * multiprocessors / threads, 1,
                                                               std::min<std::int64_t>(p.inner / 512 + 1, 4096)))};
  const std::size_t needed =
      split.splits == 1 ? 0 : static_cast<std::size_t>(p.slices() * split.splits * p.rows) * sizeof(std::uint32_t);
  if (temp == nullptr) {
    bytes = needed;
    return cudaSuccess;
  }
  if (bytes < needed) return cudaErrorInvalidValue;
  cudaError_t status = launch_kernel(along_inner ? multiply_vector<true> : multiply_vector<false>,
                                     blocks_for(threads * split.splits), matrix_threads, 0, stream, p, moduli, split);
  if (status != cudaSuccess || split.splits == 1) return status;
  return launch_kernel(add_splits<inner_splits>, blocks_for(p.slices() * p.rows), matrix_threads, 0, stream, p, moduli,
                       split);
}

/// The product by a kernel of the caller's choice, which must be there. temp: null, and `bytes` is set to what it needs; or
/// that many bytes of device memory, aligned to 16.
inline cudaError_t launch_product_by(matrix_kernel kernel, void* temp, std::size_t& bytes, const matrix_problem& p,
                                     const modulus_list& moduli, cudaStream_t stream) {
  if (kernel == matrix_kernel::vector) return launch_vector(temp, bytes, p, moduli, stream);
  if (kernel == matrix_kernel::tensor_cores) {
    return with_tensor_plan(moduli.largest(), [&](auto plan) {
      bool ready = false;
      const cudaError_t status = prepare_tensor_kernel<decltype(plan), store_in_planes>(ready);
      if (status != cudaSuccess) return status;
      return launch_tensor_cores<decltype(plan)>(temp, bytes, p, moduli, stream);
    });
  }
  if (temp == nullptr) {
    bytes = 0;
    return cudaSuccess;
  }
  if (kernel == matrix_kernel::without_tiles) {
    return launch_kernel(multiply_without_tiles<no_counter>, blocks_for(p.slices() * p.rows * p.columns),
                         matrix_threads, 0, stream, p, moduli, no_counter{});
  }
  int multiprocessors = 0;
  if (const cudaError_t status = count_multiprocessors(multiprocessors); status != cudaSuccess) return status;
  if (large_tile::tiles(p) < 2 * multiprocessors) return launch_tiles<small_tile>(p, moduli, stream);
  return launch_tiles<large_tile>(p, moduli, stream);
}

/// The product, and C's evaluations dropped. Memory as above, some in any case, so that null is a query.
inline cudaError_t launch_product(void* temp, std::size_t& bytes, const matrix_problem& p, const modulus_list& moduli,
                                  cudaStream_t stream) {
  bool tensor_cores = false;
  cudaError_t status = with_tensor_plan(moduli.largest(), [&](auto plan) {
    return prepare_tensor_kernel<decltype(plan), store_in_planes>(tensor_cores);
  });
  if (status != cudaSuccess) return status;
  status = launch_product_by(choose_matrix_kernel(p, tensor_cores), temp, bytes, p, moduli, stream);
  if (temp == nullptr) bytes = std::max<std::size_t>(bytes, 16);
  if (status != cudaSuccess || temp == nullptr || p.evaluations == nullptr) return status;
  return launch_kernel(drop_evaluations_of<matrix_problem>, blocks_for(p.batch * p.rows * p.columns), matrix_threads, 0,
                       stream, p);
}

} // namespace detail
} // namespace thrust_rns
