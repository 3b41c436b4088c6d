// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// CUB-style checked arithmetic over numbers in device memory.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <cuda_runtime_api.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/checked_elements.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/number.h>
#include <thrust_rns/detail/checked_kernels.cuh>

namespace thrust_rns {

/// Checked transforms, for callers who manage memory and streams themselves.
///
/// With `d_temp_storage` null, writes the bytes needed to `temp_storage_bytes` and does nothing else. With it set, queues its work on
/// `stream` and returns; never allocates, synchronises or throws, and can be captured in a graph. Returns cudaErrorInvalidValue for a
/// negative `num_items`, else what the launches returned. Iterators are those of `device_vector` or of a `span` of device memory.
struct DeviceChecked {
  /// d_out[k] := d_a[k] op d_b[k] modulo M, op thrust_rns::plus, minus or multiplies; *d_first_overflow_out := the smallest k whose
  /// exact result is outside the range, or -1. d_out may be d_a or d_b.
  ///
  /// multiplies evaluates both operands where that has not been done (device_evaluate.cuh) and keeps the evaluations; its temporary
  /// storage is one bit a number, and 8 bytes for each operand in a span without room for evaluations.
  template <class A, class B, class System, class Operation>
  static cudaError_t Transform(void* d_temp_storage, std::size_t& temp_storage_bytes, basic_iterator<A, System> d_a,
                               basic_iterator<B, System> d_b, basic_iterator<std::remove_const_t<A>, System> d_out,
                               std::int64_t* d_first_overflow_out, std::int64_t num_items, Operation,
                               cudaStream_t stream = nullptr) {
    using Number = std::remove_const_t<A>;
    constexpr detail::operation op = detail::operation_of<Operation, Number>;
    static_assert(op != detail::operation::unknown, "thrust_rns: DeviceChecked knows plus, minus and multiplies");
    return detail::launch_checked<op>(d_temp_storage, temp_storage_bytes,
                                      detail::binary_places<Number>(d_a, d_b, d_out), d_first_overflow_out, num_items,
                                      stream);
  }
};

} // namespace thrust_rns
