// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// CUB-style prefix sums, maxima and minima of numbers in device memory.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <cuda_runtime_api.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/residue_functions.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/number.h>
#include <thrust_rns/detail/scan_kernels.cuh>
#include <thrust_rns/detail/scan_of_extremes.cuh>

namespace thrust_rns {

/// Prefix scans, for callers who manage memory and streams themselves.
///
/// Every call: with `d_temp_storage` null, writes the bytes needed to `temp_storage_bytes` and does nothing else. With it
/// set (device memory, aligned to 16 bytes), queues kernels on `stream` and returns; never allocates, synchronises or
/// throws, and can be captured in a graph. Returns cudaErrorInvalidValue for a negative `num_items` or too small a buffer,
/// else what the launches returned.
///
/// `d_in` and `d_out` are iterators of `device_vector` (or made from a `span` of device memory), at any offset; they may be
/// equal, but must not overlap in another way. The cached evaluations of the output are dropped. Results are exact;
/// sums wrap modulo M.
///
/// Sums: one pass, 4 n bytes read an element and 4 n written, and 8 for the evaluation; memory 8 n bytes for each 4096
/// elements. Maxima and minima: elements are evaluated, their keys scanned, then one pass as for sums; memory 1 byte an
/// element, and 8 more where the input has no room for evaluations.
struct DeviceScan {
  /// out_j := x_0 + ... + x_j.
  template <class T, class Number>
  static cudaError_t InclusiveSum(void* d_temp_storage, std::size_t& temp_storage_bytes, device_iterator<T> d_in,
                                  device_iterator<Number> d_out, std::int64_t num_items,
                                  cudaStream_t stream = nullptr) {
    return Sum<true>(d_temp_storage, temp_storage_bytes, d_in, d_out, Number{}, num_items, stream);
  }
  /// out_j := init + x_0 + ... + x_j.
  template <class T, class Number>
  static cudaError_t InclusiveSumInit(void* d_temp_storage, std::size_t& temp_storage_bytes, device_iterator<T> d_in,
                                      device_iterator<Number> d_out, const std::remove_const_t<T>& init,
                                      std::int64_t num_items, cudaStream_t stream = nullptr) {
    return Sum<true>(d_temp_storage, temp_storage_bytes, d_in, d_out, init, num_items, stream);
  }
  /// out_j := x_0 + ... + x_(j-1), out_0 = 0.
  template <class T, class Number>
  static cudaError_t ExclusiveSum(void* d_temp_storage, std::size_t& temp_storage_bytes, device_iterator<T> d_in,
                                  device_iterator<Number> d_out, std::int64_t num_items,
                                  cudaStream_t stream = nullptr) {
    return Sum<false>(d_temp_storage, temp_storage_bytes, d_in, d_out, Number{}, num_items, stream);
  }
  /// out_j := init + x_0 + ... + x_(j-1).
  template <class T, class Number>
  static cudaError_t ExclusiveSumInit(void* d_temp_storage, std::size_t& temp_storage_bytes, device_iterator<T> d_in,
                                      device_iterator<Number> d_out, const std::remove_const_t<T>& init,
                                      std::int64_t num_items, cudaStream_t stream = nullptr) {
    return Sum<false>(d_temp_storage, temp_storage_bytes, d_in, d_out, init, num_items, stream);
  }

  /// out_j := the largest of x_0, ..., x_j.
  template <class T, class Number>
  static cudaError_t InclusiveMax(void* d_temp_storage, std::size_t& temp_storage_bytes, device_iterator<T> d_in,
                                  device_iterator<Number> d_out, std::int64_t num_items,
                                  cudaStream_t stream = nullptr) {
    return Extreme<1, true, Number>(d_temp_storage, temp_storage_bytes, d_in, d_out, nullptr, num_items, stream);
  }
  /// out_j := the smallest of x_0, ..., x_j.
  template <class T, class Number>
  static cudaError_t InclusiveMin(void* d_temp_storage, std::size_t& temp_storage_bytes, device_iterator<T> d_in,
                                  device_iterator<Number> d_out, std::int64_t num_items,
                                  cudaStream_t stream = nullptr) {
    return Extreme<-1, true, Number>(d_temp_storage, temp_storage_bytes, d_in, d_out, nullptr, num_items, stream);
  }
  /// out_j := the largest of init, x_0, ..., x_(j-1).
  template <class T, class Number>
  static cudaError_t ExclusiveMaxInit(void* d_temp_storage, std::size_t& temp_storage_bytes, device_iterator<T> d_in,
                                      device_iterator<Number> d_out, const std::remove_const_t<T>& init,
                                      std::int64_t num_items, cudaStream_t stream = nullptr) {
    return Extreme<1, false, Number>(d_temp_storage, temp_storage_bytes, d_in, d_out, &init, num_items, stream);
  }
  /// out_j := the smallest of init, x_0, ..., x_(j-1).
  template <class T, class Number>
  static cudaError_t ExclusiveMinInit(void* d_temp_storage, std::size_t& temp_storage_bytes, device_iterator<T> d_in,
                                      device_iterator<Number> d_out, const std::remove_const_t<T>& init,
                                      std::int64_t num_items, cudaStream_t stream = nullptr) {
    return Extreme<-1, false, Number>(d_temp_storage, temp_storage_bytes, d_in, d_out, &init, num_items, stream);
  }

 private:
  template <bool Inclusive, class T, class Number>
  static cudaError_t Sum(void* d_temp_storage, std::size_t& temp_storage_bytes, device_iterator<T> d_in,
                         device_iterator<Number> d_out, const Number& init, std::int64_t num_items,
                         cudaStream_t stream) {
    if (num_items < 0) return cudaErrorInvalidValue;
    return detail::scan_sums_on_device<Inclusive>(d_temp_storage, temp_storage_bytes, stream,
                                                  detail::operand_of<Number>(d_in), Output(d_out), num_items, init);
  }
  template <int Order, bool Inclusive, class Number>
  static cudaError_t Extreme(void* d_temp_storage, std::size_t& temp_storage_bytes, const_device_iterator<Number> d_in,
                             device_iterator<Number> d_out, const Number* init, std::int64_t num_items,
                             cudaStream_t stream) {
    if (num_items < 0) return cudaErrorInvalidValue;
    return detail::scan_extremes_on_device<Order, Inclusive, Number>(d_temp_storage, temp_storage_bytes, stream, d_in,
                                                                     Output(d_out), num_items, init);
  }
  template <class Number>
  static detail::plane_output Output(device_iterator<Number> d_out) {
    return detail::output_at(d_out.underlying_span(), d_out.index());
  }
};

} // namespace thrust_rns
