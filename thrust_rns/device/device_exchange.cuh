// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// CUB-style conversion of many integers to numbers in device memory and back.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <cuda_runtime_api.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/exchange_sinks.h>
#include <thrust_rns/detail/exchange_sources.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/limbs.h>
#include <thrust_rns/number.h>
#include <thrust_rns/span.h>
#include <thrust_rns/detail/exchange_kernels.cuh>
#include <thrust_rns/detail/launch.cuh>

namespace thrust_rns {

/// Integers to numbers and back, for callers who manage memory and streams themselves.
///
/// Every call: with `d_temp_storage` null, writes the bytes needed to `temp_storage_bytes` and does nothing else. With
/// it set (device memory, aligned to 16 bytes), queues one to three kernels on `stream` and returns; never allocates,
/// synchronises or throws, and can be captured in a graph. Returns cudaErrorInvalidValue for a negative `num_items`, a
/// layout that is none, or too small a buffer, else what the launches returned.
///
/// `d_failed_out`: device memory for the index of the first element that cannot be converted, or null. It is set to
/// num_items if there is none, else nothing but it is written: the kernels that write look at it first.
///
/// The numbers are given by an iterator of `device_vector` (or one made from a `span` of device memory), at any offset.
struct DeviceExchange {
  /// Numbers d_numbers[0 .. num_items) := the integers in `d_limbs`; see limbs.h for layouts. An element fails that is
  /// outside the range.
  template <class Limb, class Number>
  static cudaError_t ImportLimbs(void* d_temp_storage, std::size_t& temp_storage_bytes, const Limb* d_limbs,
                                 const limb_layout& layout, device_iterator<Number> d_numbers, std::int64_t num_items,
                                 std::int64_t* d_failed_out = nullptr, cudaStream_t stream = nullptr) {
    if (!layout.is_valid(num_items)) return cudaErrorInvalidValue;
    return Import(d_temp_storage, temp_storage_bytes, layout.source(d_limbs), d_numbers, num_items, d_failed_out,
                  stream);
  }

  /// The limbs of d_numbers[0 .. num_items). An element fails that does not fit.
  template <class T, class Limb>
  static cudaError_t ExportLimbs(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                 basic_iterator<T, thrust::device_system_tag> d_numbers, Limb* d_limbs,
                                 const limb_layout& layout, std::int64_t num_items,
                                 std::int64_t* d_failed_out = nullptr, cudaStream_t stream = nullptr) {
    if (!layout.is_valid(num_items)) return cudaErrorInvalidValue;
    return Export(d_temp_storage, temp_storage_bytes, d_numbers, layout.sink(d_limbs), num_items, d_failed_out, stream);
  }

  /// Numbers := built-in integers of 32 to 128 bits, or doubles. An element fails that is outside the range, or no
  /// integer.
  template <class Value, class Number>
  static cudaError_t ImportValues(void* d_temp_storage, std::size_t& temp_storage_bytes, const Value* d_values,
                                  device_iterator<Number> d_numbers, std::int64_t num_items,
                                  std::int64_t* d_failed_out = nullptr, cudaStream_t stream = nullptr) {
    return Import(d_temp_storage, temp_storage_bytes, detail::source_of(d_values), d_numbers, num_items, d_failed_out,
                  stream);
  }

  /// Built-in integers, or the nearest doubles. An element fails that does not fit.
  template <class T, class Value>
  static cudaError_t ExportValues(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                  basic_iterator<T, thrust::device_system_tag> d_numbers, Value* d_values,
                                  std::int64_t num_items, std::int64_t* d_failed_out = nullptr,
                                  cudaStream_t stream = nullptr) {
    return Export(d_temp_storage, temp_storage_bytes, d_numbers, detail::sink_of(d_values), num_items, d_failed_out,
                  stream);
  }

  /// Numbers := random integers of `bits` bits, or of at most so many; see `random_bits` in bit_lengths.h. No element fails; bits beyond
  /// the range are an invalid value.
  template <class Number>
  static cudaError_t Random(void* d_temp_storage, std::size_t& temp_storage_bytes, std::uint64_t seed, int bits,
                            bool exactly, device_iterator<Number> d_numbers, std::int64_t num_items,
                            cudaStream_t stream = nullptr) {
    if (bits < 0 || bits > std::numeric_limits<Number>::digits) return cudaErrorInvalidValue;
    const detail::random_words source{detail::splitmix(seed), bits, exactly};
    return Import<false>(d_temp_storage, temp_storage_bytes, source, d_numbers, num_items, nullptr, stream);
  }

  // ---- from any source, to any sink, of detail/exchange_sources.h and exchange_sinks.h ----

  template <bool Checked = true, class Source, class Number>
  static cudaError_t Import(void* d_temp_storage, std::size_t& temp_storage_bytes, const Source& source,
                            device_iterator<Number> d_numbers, std::int64_t num_items, std::int64_t* d_failed_out,
                            cudaStream_t stream) {
    using Base = typename Number::base_type;
    using shape = detail::exchange_shape<Base>;
    if (num_items < 0) return cudaErrorInvalidValue;
    if (!Prepare(d_temp_storage, temp_storage_bytes)) return Refusal(d_temp_storage);
    std::int64_t* failed = nullptr;
    if constexpr (Checked) {
      const bool check = num_items > 0 && detail::needs_range_check<Number>(source);
      if (const cudaError_t status = Begin(d_temp_storage, d_failed_out, check, num_items, failed, stream);
          status != cudaSuccess) {
        return status;
      }
      if (check) {
        constexpr int threads = detail::exchange_check_threads;
        const cudaError_t status = Launch(detail::check_source<Number, Source>, (num_items + threads - 1) / threads,
                                          threads, 0, stream, source, num_items, failed);
        if (status != cudaSuccess) return status;
      } else {
        failed = nullptr;
      }
    }
    if (num_items == 0) return cudaSuccess;
    const detail::exchange_range range{d_numbers.index(), num_items};
    const int digits = detail::digits_to_read<Base>(source);
    return Launch(detail::import_tile<Number, Source>, range.tiles(), shape::import_threads,
                  shape::import_bytes(digits), stream, source, digits, d_numbers.underlying_span(), range, failed);
  }

  template <class T, class Sink>
  static cudaError_t Export(void* d_temp_storage, std::size_t& temp_storage_bytes,
                            basic_iterator<T, thrust::device_system_tag> d_numbers, const Sink& sink,
                            std::int64_t num_items, std::int64_t* d_failed_out, cudaStream_t stream) {
    using Number = std::remove_const_t<T>;
    using shape = detail::exchange_shape<typename Number::base_type>;
    if (num_items < 0) return cudaErrorInvalidValue;
    if (!Prepare(d_temp_storage, temp_storage_bytes)) return Refusal(d_temp_storage);
    const bool check = num_items > 0 && !sink.template holds_all<Number>();
    std::int64_t* failed = nullptr;
    if (const cudaError_t status = Begin(d_temp_storage, d_failed_out, check, num_items, failed, stream);
        status != cudaSuccess) {
      return status;
    }
    if (num_items == 0) return cudaSuccess;
    const detail::exchange_range range{d_numbers.index(), num_items};
    const span<const Number> in = d_numbers.underlying_span();
    if (check) {
      constexpr int threads = detail::exchange_check_threads;
      const cudaError_t status =
          Launch(detail::check_numbers<Number>, (num_items + threads - 1) / threads, threads, 0, stream, in,
                 d_numbers.index(), num_items, sink.template limits<Number>(), failed);
      if (status != cudaSuccess) return status;
    } else {
      failed = nullptr;
    }
    return Launch(detail::export_tile<Number, Sink>, range.tiles(), shape::export_threads, shape::export_bytes, stream,
                  in, range, sink, detail::export_columns_for<typename Number::base_type>(sink.words()), failed);
  }

 private:
  /// Sets up the index of the first failure, if there can be one or the caller wants to know.
  static cudaError_t Begin(void* d_temp_storage, std::int64_t* d_failed_out, bool check, std::int64_t num_items,
                           std::int64_t*& failed, cudaStream_t stream) {
    failed = d_failed_out != nullptr ? d_failed_out : static_cast<std::int64_t*>(d_temp_storage);
    if (!check && d_failed_out == nullptr) return cudaSuccess;
    return Launch(detail::set_no_failure<std::int64_t>, 1, 1, 0, stream, failed, num_items);
  }

  static constexpr std::size_t needed_bytes = 16;
  static bool Prepare(void* d_temp_storage, std::size_t& temp_storage_bytes) {
    if (d_temp_storage != nullptr) return temp_storage_bytes >= needed_bytes;
    temp_storage_bytes = needed_bytes;
    return false;
  }
  static cudaError_t Refusal(const void* d_temp_storage) {
    return d_temp_storage == nullptr ? cudaSuccess : cudaErrorInvalidValue;
  }

  template <class... Parameters, class... Arguments>
  static cudaError_t Launch(void (*kernel)(Parameters...), std::int64_t blocks, int threads, std::size_t shared_bytes,
                            cudaStream_t stream, Arguments... arguments) {
    constexpr std::size_t without_asking = 48 * 1024;
    if (shared_bytes > without_asking) {
      const cudaError_t status =
          cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(shared_bytes));
      if (status != cudaSuccess) return status;
    }
    return detail::launch_with_memory(kernel, dim3(static_cast<unsigned>(blocks)), threads, shared_bytes, stream,
                                      arguments...);
  }
};

} // namespace thrust_rns
