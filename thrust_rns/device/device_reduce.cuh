// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// CUB-style reductions over numbers in device memory.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <cuda_runtime_api.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/candidate.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/number.h>
#include <thrust_rns/span.h>
#include <thrust_rns/detail/extremum_kernels.cuh>
#include <thrust_rns/detail/multiprocessors.cuh>
#include <thrust_rns/detail/sum_kernels.cuh>

namespace thrust_rns {

/// Extrema and sum of numbers, for callers who manage memory and streams themselves.
///
/// Every call: with `d_temp_storage` null, writes the bytes needed to `temp_storage_bytes` and does nothing else. With
/// it set (device memory, aligned to 16 bytes), queues two kernels on `stream` and returns; never allocates,
/// synchronises or throws, and can be captured in a graph. Results are written to device memory. Returns
/// cudaErrorInvalidValue for a negative `num_items` or too small a buffer, else what the launches returned.
///
/// `d_in` is an iterator of `device_vector` (or one made from a `span` of device memory), at any offset, or a pointer to whole
/// numbers in device memory. With an iterator, elements without a cached evaluation are evaluated and their evaluations
/// kept, if the span has room for them.
struct DeviceReduce {
  /// *d_index_out := the index, from d_in, of the first of the largest numbers; *d_max_out := that number. Either
  /// pointer may be null. With num_items = 0 nothing is written.
  template <class NumbersIn, class Number>
  static cudaError_t ArgMax(void* d_temp_storage, std::size_t& temp_storage_bytes, NumbersIn d_in, Number* d_max_out,
                            std::int64_t* d_index_out, std::int64_t num_items, cudaStream_t stream = nullptr) {
    return Extremes<detail::wanted::largest>(d_temp_storage, temp_storage_bytes, d_in, num_items,
                                             Output<Number>{1, d_index_out, d_max_out}, Output<Number>{}, stream);
  }

  /// The same for the first of the smallest numbers.
  template <class NumbersIn, class Number>
  static cudaError_t ArgMin(void* d_temp_storage, std::size_t& temp_storage_bytes, NumbersIn d_in, Number* d_min_out,
                            std::int64_t* d_index_out, std::int64_t num_items, cudaStream_t stream = nullptr) {
    return Extremes<detail::wanted::smallest>(d_temp_storage, temp_storage_bytes, d_in, num_items,
                                              Output<Number>{-1, d_index_out, d_min_out}, Output<Number>{}, stream);
  }

  /// Both in one pass.
  template <class NumbersIn, class Number>
  static cudaError_t ArgMinMax(void* d_temp_storage, std::size_t& temp_storage_bytes, NumbersIn d_in, Number* d_min_out,
                               std::int64_t* d_min_index_out, Number* d_max_out, std::int64_t* d_max_index_out,
                               std::int64_t num_items, cudaStream_t stream = nullptr) {
    return Extremes<detail::wanted::both>(d_temp_storage, temp_storage_bytes, d_in, num_items,
                                          Output<Number>{1, d_max_index_out, d_max_out},
                                          Output<Number>{-1, d_min_index_out, d_min_out}, stream);
  }

  /// *d_sum_out := the sum modulo M; 0 for num_items = 0. d_sum_out may be null in a size query only.
  template <class NumbersIn, class Number>
  static cudaError_t Sum(void* d_temp_storage, std::size_t& temp_storage_bytes, NumbersIn d_in, Number* d_sum_out,
                         std::int64_t num_items, cudaStream_t stream = nullptr) {
    if (num_items < 0) return cudaErrorInvalidValue;
    const int slices = Slices<Number>(d_in, num_items);
    const std::size_t needed = static_cast<std::size_t>(slices) * Number::size * sizeof(std::uint32_t);
    if (!Prepare(d_temp_storage, temp_storage_bytes, needed)) return Refusal(d_temp_storage);
    if (d_sum_out == nullptr) return cudaErrorInvalidValue;

    auto* partial = static_cast<std::uint32_t*>(d_temp_storage);
    if (const cudaError_t status = SumSlices<Number>(d_in, num_items, slices, partial, stream); status != cudaSuccess) {
      return status;
    }
    return Launch(detail::sum_partials<Number>, dim3(Number::size), detail::sum_threads, stream, partial, slices,
                  d_sum_out);
  }

 private:
  template <class Number>
  using Output = detail::extreme_output<Number>;
  template <class T>
  using Iterator = basic_iterator<T, thrust::device_system_tag>;

  // ---- what differs between planes and whole numbers ----

  template <class T>
  static detail::quad_range Range(Iterator<T> d_in, std::int64_t num_items) {
    return {d_in.index(), d_in.index() + num_items};
  }

  /// Blocks that fill the device once, but no more than there is work for.
  template <class T>
  static std::int64_t BlocksOfWork(Iterator<T> d_in, std::int64_t num_items) {
    return (Range(d_in, num_items).quads() + detail::extremum_threads - 1) / detail::extremum_threads;
  }
  template <class Number>
  static std::int64_t BlocksOfWork(const Number*, std::int64_t num_items) {
    constexpr int threads = detail::array_tile<Number>::threads;
    return (num_items + threads - 1) / threads;
  }

  template <detail::wanted Wanted, class T>
  static cudaError_t Candidates(Iterator<T> d_in, std::int64_t num_items, int blocks, detail::candidate* best,
                                cudaStream_t stream) {
    using Number = std::remove_const_t<T>;
    return Launch(detail::extremes_of_planes<Wanted, Number>, dim3(static_cast<unsigned>(blocks)),
                  detail::extremum_threads, stream, d_in.underlying_span(), Range(d_in, num_items), best);
  }
  template <detail::wanted Wanted, class Number>
  static cudaError_t Candidates(const Number* d_in, std::int64_t num_items, int blocks, detail::candidate* best,
                                cudaStream_t stream) {
    return Launch(detail::extremes_of_array<Wanted, Number>, dim3(static_cast<unsigned>(blocks)),
                  detail::array_tile<Number>::threads, stream, d_in, num_items, best);
  }

  template <class T>
  static detail::residue_layout Layout(Iterator<T> d_in) {
    return detail::layout_of(span<const std::remove_const_t<T>>(d_in.underlying_span()));
  }
  template <class Number>
  static detail::residue_layout Layout(const Number* d_in) {
    return detail::layout_of(d_in);
  }
  template <class T>
  static std::int64_t Origin(Iterator<T> d_in) {
    return d_in.index();
  }
  template <class Number>
  static std::int64_t Origin(const Number*) {
    return 0;
  }

  template <class Number, class T>
  static int Slices(Iterator<T> d_in, std::int64_t num_items) {
    constexpr int full = detail::sum_threads * detail::sum_quads_at_once; // quads that keep a block busy
    return static_cast<int>(std::clamp<std::int64_t>((Range(d_in, num_items).quads() + full - 1) / full, 1,
                                                     detail::sum_most_blocks / Number::size + 1));
  }
  template <class Number>
  static int Slices(const Number*, std::int64_t num_items) {
    return static_cast<int>(
        std::clamp<std::int64_t>(num_items / 8, 1, detail::sum_most_blocks * 16 / Number::size + 1));
  }

  template <class Number, class T>
  static cudaError_t SumSlices(Iterator<T> d_in, std::int64_t num_items, int slices, std::uint32_t* partial,
                               cudaStream_t stream) {
    return Launch(detail::sum_slices<Number>, dim3(static_cast<unsigned>(slices), Number::size), detail::sum_threads,
                  stream, d_in.underlying_span(), Range(d_in, num_items), partial);
  }
  template <class Number>
  static cudaError_t SumSlices(const Number* d_in, std::int64_t num_items, int slices, std::uint32_t* partial,
                               cudaStream_t stream) {
    const auto blocks = static_cast<unsigned>((slices * Number::size + detail::sum_threads - 1) / detail::sum_threads);
    return Launch(detail::sum_array_slices<Number>, dim3(blocks), detail::sum_threads, stream, d_in, num_items, slices,
                  partial);
  }

  // ---- what does not ----

  template <detail::wanted Wanted, class NumbersIn, class Number>
  static cudaError_t Extremes(void* d_temp_storage, std::size_t& temp_storage_bytes, NumbersIn d_in,
                              std::int64_t num_items, Output<Number> first, Output<Number> second,
                              cudaStream_t stream) {
    if (num_items < 0) return cudaErrorInvalidValue;
    int multiprocessors = 0;
    if (const cudaError_t status = detail::count_multiprocessors(multiprocessors); status != cudaSuccess) return status;
    const int blocks = static_cast<int>(
        std::clamp<std::int64_t>(BlocksOfWork(d_in, num_items), 1, multiprocessors * detail::extremum_blocks_at_once));
    const std::size_t needed = static_cast<std::size_t>(blocks * detail::count_of<Wanted>) * sizeof(detail::candidate);
    if (!Prepare(d_temp_storage, temp_storage_bytes, needed)) return Refusal(d_temp_storage);
    if (num_items == 0) return cudaSuccess;

    auto* best = static_cast<detail::candidate*>(d_temp_storage);
    if (const cudaError_t status = Candidates<Wanted>(d_in, num_items, blocks, best, stream); status != cudaSuccess) {
      return status;
    }
    return Launch(detail::best_of_candidates<Number>, dim3(detail::count_of<Wanted>), detail::extremum_final_threads,
                  stream, Layout(d_in), static_cast<const detail::candidate*>(best), blocks, Origin(d_in), first,
                  second);
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
