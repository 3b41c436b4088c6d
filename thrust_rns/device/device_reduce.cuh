// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// CUB-style reductions over residue planes in device memory.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include <thrust_rns/config.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/number.h>
#include <thrust_rns/detail/extremum_kernels.cuh>
#include <thrust_rns/detail/sum_kernels.cuh>

namespace thrust_rns {

/// Extrema and sum of numbers, for callers who manage memory and streams themselves.
///
/// Every call: with `d_temp_storage` null, writes the bytes needed to `temp_storage_bytes` and does nothing else. With
/// it set (device memory, aligned to 16 bytes), queues two kernels on `stream` and returns; never allocates,
/// synchronises or throws, and can be captured in a graph. Results are written to device memory. Returns
/// cudaErrorInvalidValue for a negative `num_items` or too small a buffer, else what the launches returned.
///
/// `d_in` is an iterator of `device_vector` (or one made from a `span` of device memory), at any offset. Elements without a
/// cached evaluation are evaluated and their evaluations kept, if the span has room for them.
struct DeviceReduce {
  /// *d_index_out := the index, from d_in, of the first of the largest numbers; *d_max_out := that number. Either
  /// pointer may be null. With num_items = 0 nothing is written.
  template <class T>
  static cudaError_t ArgMax(void* d_temp_storage, std::size_t& temp_storage_bytes,
                            basic_iterator<T, thrust::device_system_tag> d_in, std::remove_const_t<T>* d_max_out,
                            std::int64_t* d_index_out, std::int64_t num_items, cudaStream_t stream = nullptr) {
    return Extremum<1>(d_temp_storage, temp_storage_bytes, d_in, d_max_out, d_index_out, num_items, stream);
  }

  /// The same for the first of the smallest numbers.
  template <class T>
  static cudaError_t ArgMin(void* d_temp_storage, std::size_t& temp_storage_bytes,
                            basic_iterator<T, thrust::device_system_tag> d_in, std::remove_const_t<T>* d_min_out,
                            std::int64_t* d_index_out, std::int64_t num_items, cudaStream_t stream = nullptr) {
    return Extremum<-1>(d_temp_storage, temp_storage_bytes, d_in, d_min_out, d_index_out, num_items, stream);
  }

  /// *d_sum_out := the sum modulo M; 0 for num_items = 0. num_items < 2^33 * 60.
  template <class T>
  static cudaError_t Sum(void* d_temp_storage, std::size_t& temp_storage_bytes,
                         basic_iterator<T, thrust::device_system_tag> d_in, std::remove_const_t<T>* d_sum_out,
                         std::int64_t num_items, cudaStream_t stream = nullptr) {
    using Number = std::remove_const_t<T>;
    if (num_items < 0) return cudaErrorInvalidValue;
    const detail::quad_range range{d_in.index(), d_in.index() + num_items};
    const std::int64_t full = detail::sum_threads * detail::sum_quads_at_once; // quads that keep a block busy
    const std::int64_t slices =
        std::clamp<std::int64_t>((range.quads() + full - 1) / full, 1, detail::sum_most_blocks / Number::size + 1);
    const std::size_t needed = static_cast<std::size_t>(slices) * Number::size * sizeof(std::uint32_t);
    if (!Prepare(d_temp_storage, temp_storage_bytes, needed)) return Refusal(d_temp_storage);

    auto* partial = static_cast<std::uint32_t*>(d_temp_storage);
    const cudaError_t status = Launch(detail::sum_slices<Number>, dim3(static_cast<unsigned>(slices), Number::size),
                                      detail::sum_threads, stream, d_in.underlying_span(), range, partial);
    if (status != cudaSuccess) return status;
    return Launch(detail::sum_partials<Number>, dim3(Number::size), detail::sum_threads, stream, partial,
                  static_cast<int>(slices), d_sum_out);
  }

 private:
  template <int Order, class T>
  static cudaError_t Extremum(void* d_temp_storage, std::size_t& temp_storage_bytes,
                              basic_iterator<T, thrust::device_system_tag> d_in, std::remove_const_t<T>* d_value_out,
                              std::int64_t* d_index_out, std::int64_t num_items, cudaStream_t stream) {
    using Number = std::remove_const_t<T>;
    if (num_items < 0) return cudaErrorInvalidValue;
    const detail::quad_range range{d_in.index(), d_in.index() + num_items};
    int multiprocessors = 0;
    if (const cudaError_t status = Multiprocessors(multiprocessors); status != cudaSuccess) return status;
    const std::int64_t blocks =
        std::clamp<std::int64_t>((range.quads() + detail::extremum_threads - 1) / detail::extremum_threads, 1,
                                 std::int64_t{multiprocessors} * detail::extremum_blocks_at_once); // all run at once
    const std::size_t needed = static_cast<std::size_t>(blocks) * sizeof(detail::candidate);
    if (!Prepare(d_temp_storage, temp_storage_bytes, needed)) return Refusal(d_temp_storage);
    if (num_items == 0) return cudaSuccess;

    auto* best = static_cast<detail::candidate*>(d_temp_storage);
    const cudaError_t status = Launch(detail::best_of_blocks<Order, Number>, dim3(static_cast<unsigned>(blocks)),
                                      detail::extremum_threads, stream, d_in.underlying_span(), range, best);
    if (status != cudaSuccess) return status;
    return Launch(detail::best_of_candidates<Order, Number>, dim3(1), detail::extremum_final_threads, stream,
                  d_in.underlying_span(), static_cast<const detail::candidate*>(best), static_cast<int>(blocks),
                  d_in.index(), d_index_out, d_value_out);
  }

  /// Whether to go on: false for a size query and for a buffer that is too small.
  static bool Prepare(void* d_temp_storage, std::size_t& temp_storage_bytes, std::size_t needed) {
    if (d_temp_storage != nullptr) return temp_storage_bytes >= needed;
    temp_storage_bytes = needed;
    return false;
  }
  static cudaError_t Refusal(const void* d_temp_storage) {
    return d_temp_storage == nullptr ? cudaSuccess : cudaErrorInvalidValue;
  }

  static cudaError_t Multiprocessors(int& count) {
    int device = 0;
    const cudaError_t status = cudaGetDevice(&device);
    if (status != cudaSuccess) return status;
    return cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
  }

  template <class... Parameters, class... Arguments>
  static cudaError_t Launch(void (*kernel)(Parameters...), dim3 grid, int threads, cudaStream_t stream,
                            Arguments... arguments) {
    cudaLaunchConfig_t config{};
    config.gridDim = grid;
    config.blockDim = dim3(static_cast<unsigned>(threads));
    config.stream = stream;
    return cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...);
  }
};

} // namespace thrust_rns
