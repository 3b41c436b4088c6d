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
#include <thrust_rns/detail/contender_kernels.cuh>
#include <thrust_rns/detail/device_call.cuh>
#include <thrust_rns/detail/extremum_kernels.cuh>
#include <thrust_rns/detail/multiprocessors.cuh>
#include <thrust_rns/detail/sum_kernels.cuh>

namespace thrust_rns {

/// Extrema and sum of numbers, for callers who manage memory and streams themselves.
///
/// Every call: with `d_temp_storage` null, writes the bytes needed to `temp_storage_bytes` and does nothing else. With
/// it set (device memory, aligned to 16 bytes), queues kernels on `stream` and returns; never allocates, synchronises or throws,
/// and can be captured in a graph. Extrema take two kernels (both in one pass: three) and a third to half a byte a number.
/// Results are written to device memory. Returns cudaErrorInvalidValue for a negative `num_items` or too small a buffer, else what the launches returned.
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
                                             Output<Number>{d_index_out, d_max_out}, Output<Number>{}, stream);
  }

  /// The same for the first of the smallest numbers.
  template <class NumbersIn, class Number>
  static cudaError_t ArgMin(void* d_temp_storage, std::size_t& temp_storage_bytes, NumbersIn d_in, Number* d_min_out,
                            std::int64_t* d_index_out, std::int64_t num_items, cudaStream_t stream = nullptr) {
    return Extremes<detail::wanted::smallest>(d_temp_storage, temp_storage_bytes, d_in, num_items,
                                              Output<Number>{d_index_out, d_min_out}, Output<Number>{}, stream);
  }

  /// Both in one pass.
  template <class NumbersIn, class Number>
  static cudaError_t ArgMinMax(void* d_temp_storage, std::size_t& temp_storage_bytes, NumbersIn d_in, Number* d_min_out,
                               std::int64_t* d_min_index_out, Number* d_max_out, std::int64_t* d_max_index_out,
                               std::int64_t num_items, cudaStream_t stream = nullptr) {
    return Extremes<detail::wanted::both>(d_temp_storage, temp_storage_bytes, d_in, num_items,
                                          Output<Number>{d_max_index_out, d_max_out},
                                          Output<Number>{d_min_index_out, d_min_out}, stream);
  }

  /// *d_sum_out := the sum modulo M; 0 for num_items = 0. d_sum_out may be null in a size query only.
  template <class NumbersIn, class Number>
  static cudaError_t Sum(void* d_temp_storage, std::size_t& temp_storage_bytes, NumbersIn d_in, Number* d_sum_out,
                         std::int64_t num_items, cudaStream_t stream = nullptr) {
    if (num_items < 0) return cudaErrorInvalidValue;
    const int slices = Slices<Number>(d_in, num_items);
    const std::size_t needed = static_cast<std::size_t>(slices) * Number::size * sizeof(std::uint32_t);
    if (!detail::prepare(d_temp_storage, temp_storage_bytes, needed)) return detail::refusal(d_temp_storage);
    if (d_sum_out == nullptr) return cudaErrorInvalidValue;

    auto* partial = static_cast<std::uint32_t*>(d_temp_storage);
    if (const cudaError_t status = SumSlices<Number>(d_in, num_items, slices, partial, stream); status != cudaSuccess) {
      return status;
    }
    return detail::launch(detail::sum_partials<Number>, dim3(Number::size), detail::sum_threads, stream, partial,
                          slices, d_sum_out);
  }

 private:
  template <class Number>
  using Output = detail::extreme_output<Number>;
  template <class T>
  using Iterator = detail::planes_iterator<T>;

  // ---- what differs between planes and whole numbers ----

  /// Blocks that fill the device once, but no more than there is work for.
  template <class T>
  static std::int64_t BlocksOfWork(Iterator<T> d_in, std::int64_t num_items) {
    return (detail::range_of(d_in, num_items).quads() + detail::quad_threads - 1) / detail::quad_threads;
  }
  template <class Number>
  static std::int64_t BlocksOfWork(const Number*, std::int64_t num_items) {
    constexpr int threads = detail::array_tile<Number>::threads;
    return (num_items + threads - 1) / threads;
  }

  template <detail::wanted Wanted, class T>
  static cudaError_t FirstPass(Iterator<T> d_in, std::int64_t num_items, int blocks, const detail::searches& search,
                               cudaStream_t stream) {
    using Number = std::remove_const_t<T>;
    const auto kernel = d_in.underlying_span().evaluations() != nullptr
                            ? detail::extremes_of_planes<Wanted, true, Number>
                            : detail::extremes_of_planes<Wanted, false, Number>;
    return detail::launch(kernel, dim3(static_cast<unsigned>(blocks)), detail::quad_threads, stream,
                          d_in.underlying_span(), detail::range_of(d_in, num_items), search);
  }
  template <detail::wanted Wanted, class Number>
  static cudaError_t FirstPass(const Number* d_in, std::int64_t num_items, int blocks, const detail::searches& search,
                               cudaStream_t stream) {
    return detail::launch(detail::extremes_of_array<Wanted, Number>, dim3(static_cast<unsigned>(blocks)),
                          detail::array_tile<Number>::threads, stream, d_in, num_items, search);
  }

  template <class Number, class T>
  static int Slices(Iterator<T> d_in, std::int64_t num_items) {
    constexpr int full = detail::sum_threads * detail::sum_quads_at_once; // quads that keep a block busy
    return static_cast<int>(std::clamp<std::int64_t>((detail::range_of(d_in, num_items).quads() + full - 1) / full, 1,
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
    return detail::launch(detail::sum_slices<Number>, dim3(static_cast<unsigned>(slices), Number::size),
                          detail::sum_threads, stream, d_in.underlying_span(), detail::range_of(d_in, num_items),
                          partial);
  }
  template <class Number>
  static cudaError_t SumSlices(const Number* d_in, std::int64_t num_items, int slices, std::uint32_t* partial,
                               cudaStream_t stream) {
    const auto blocks = static_cast<unsigned>((slices * Number::size + detail::sum_threads - 1) / detail::sum_threads);
    return detail::launch(detail::sum_array_slices<Number>, dim3(blocks), detail::sum_threads, stream, d_in, num_items,
                          slices, partial);
  }

  // ---- what does not ----

  /// Takes pieces of a buffer one after the other; without one it counts their bytes.
  class Pieces {
   public:
    explicit Pieces(void* buffer) : buffer_(static_cast<unsigned char*>(buffer)) {}
    template <class T>
    T* Take(std::int64_t count) {
      const std::size_t offset = bytes_;
      bytes_ += (static_cast<std::size_t>(count) * sizeof(T) + 15) / 16 * 16;
      return buffer_ == nullptr ? nullptr : reinterpret_cast<T*>(buffer_ + offset);
    }
    std::size_t Bytes() const { return bytes_; }

   private:
    unsigned char* buffer_;
    std::size_t bytes_ = 0;
  };

  template <detail::wanted Wanted, class NumbersIn, class Number>
  static cudaError_t Extremes(void* d_temp_storage, std::size_t& temp_storage_bytes, NumbersIn d_in,
                              std::int64_t num_items, Output<Number> first, Output<Number> second,
                              cudaStream_t stream) {
    using Base = typename Number::base_type;
    constexpr bool planes = !std::is_pointer_v<NumbersIn>;
    constexpr int searches = detail::count_of<Wanted>;
    if (num_items < 0) return cudaErrorInvalidValue;
    int multiprocessors = 0;
    if (const cudaError_t status = detail::count_multiprocessors(multiprocessors); status != cudaSuccess) return status;
    const int blocks = static_cast<int>(std::clamp<std::int64_t>(
        BlocksOfWork(d_in, num_items), 1, multiprocessors * detail::quad_blocks_at_once<Number>));
    const int final_blocks = multiprocessors * detail::contest_windows<Base>::blocks_at_once;
    const detail::counted_range counted = detail::counted_of(d_in, num_items);
    const std::int64_t groups = (counted.count + 127) / 128;

    detail::searches search{};
    detail::ranked* levels[2] = {nullptr, nullptr};
    const auto take = [&](Pieces pieces) {
      search.open = pieces.Take<uint4>(groups);
      search.arrived = pieces.Take<std::uint64_t>(2);
      for (int k = 0; k < searches; ++k) {
        search.of[k].rank = pieces.Take<std::uint64_t>(planes ? groups : 4 * groups);
        search.of[k].contenders = pieces.Take<uint4>(groups);
        search.of[k].records = pieces.Take<detail::search_record>(blocks);
        levels[k] = pieces.template Take<detail::ranked>(2 * final_blocks);
      }
      return pieces.Bytes();
    };
    if (!detail::prepare(d_temp_storage, temp_storage_bytes, take(Pieces(d_temp_storage)))) {
      return detail::refusal(d_temp_storage);
    }
    if (num_items == 0) return cudaSuccess;

    cudaError_t status = FirstPass<Wanted>(d_in, num_items, blocks, search, stream);
    const auto kernel = detail::best_of_contenders<Number, planes>;
    bool resident = false;
    std::size_t bytes = 0;
    if (status == cudaSuccess)
      status = detail::window_memory_of<detail::contest_windows<Base>>(kernel, resident, bytes);
    int at_once = 0; // those that wait for each other must be
    if (status == cudaSuccess) {
      status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&at_once, reinterpret_cast<const void*>(kernel),
                                                             detail::contest_windows<Base>::threads, bytes);
    }
    const int together = std::min(final_blocks, at_once * multiprocessors);
    for (int k = 0; k < searches && status == cudaSuccess; ++k) {
      const int order = Wanted == detail::wanted::smallest || k == 1 ? -1 : 1;
      const detail::contest<Number> contest{detail::layout_of_input(d_in),
                                            order,
                                            counted.count,
                                            counted.base,
                                            search.open,
                                            search.of[k],
                                            blocks,
                                            levels[k],
                                            search.arrived + k,
                                            resident,
                                            detail::evaluations_of_input(d_in),
                                            detail::origin_of(d_in),
                                            k == 0 ? first : second};
      status = detail::launch_together(kernel, dim3(static_cast<unsigned>(together)),
                                       detail::contest_windows<Base>::threads, bytes, stream, contest);
    }
    return status;
  }
};

} // namespace thrust_rns
