// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// CUB-style products and inner products of numbers in device memory.

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/folds.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/detail/fold_kernels.cuh>

namespace thrust_rns {

/// The product of a range and the inner product of two, for callers who manage memory and streams themselves.
///
/// Every call: with `d_temp_storage` null, writes the bytes needed to `temp_storage_bytes` and does nothing else. With it
/// set (device memory, aligned to 16 bytes), queues two kernels on `stream` and returns; never allocates, synchronises or
/// throws, and can be captured in a graph. Returns cudaErrorInvalidValue for a negative `num_items` or too small a buffer,
/// else what the launches returned.
///
/// Inputs are iterators of `device_vector` (or made from a `span` of device memory), at any offset. The result, a number
/// in device memory, is exact modulo M. Each residue is read once; a product costs one modular product a residue.
struct DeviceProduct {
  /// *d_out := x_0 x_1 ..., 1 for num_items = 0.
  template <class T, class Number>
  static cudaError_t Product(void* d_temp_storage, std::size_t& temp_storage_bytes, device_iterator<T> d_in,
                             Number* d_out, std::int64_t num_items, cudaStream_t stream = nullptr) {
    return detail::fold_on_device<detail::fold_of_products>(d_temp_storage, temp_storage_bytes, stream, d_out,
                                                            num_items, detail::operand_of<Number>(d_in));
  }
  /// *d_out := x_0 y_0 + x_1 y_1 + ..., 0 for num_items = 0.
  template <class T, class U, class Number>
  static cudaError_t InnerProduct(void* d_temp_storage, std::size_t& temp_storage_bytes, device_iterator<T> d_x,
                                  device_iterator<U> d_y, Number* d_out, std::int64_t num_items,
                                  cudaStream_t stream = nullptr) {
    return detail::fold_on_device<detail::fold_of_dot_products>(d_temp_storage, temp_storage_bytes, stream, d_out,
                                                                num_items, detail::operand_of<Number>(d_x),
                                                                detail::operand_of<Number>(d_y));
  }
};

} // namespace thrust_rns
