// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// CUB-style elementwise arithmetic on numbers in device memory.

#include <cstdint>

#include <cuda_runtime_api.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/residue_functions.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/number.h>
#include <thrust_rns/detail/transform_kernels.cuh>

namespace thrust_rns {

/// Sums, differences and products of numbers element by element, for callers who manage streams themselves.
///
/// Every call queues one kernel on `stream` and returns; never allocates, synchronises or throws, and can be captured in
/// a graph. Like `cub::DeviceTransform` it needs no temporary storage. Returns cudaErrorInvalidValue for a negative
/// `num_items`, else what the launch returned.
///
/// An operand is an iterator of `device_vector` (or one made from a `span` of device memory), at any offset, or a number,
/// which stands for every element. `d_out` is an iterator of `device_vector`; it may be equal to an operand, but must
/// not overlap one in another way. The cached evaluations of the output are dropped.
///
/// Arithmetic is exact modulo M. Memory: 4 n bytes read an element and iterator, 4 n written and 8 for the evaluation.
struct DeviceTransform {
  /// out_j := a_j + b_j.
  template <class A, class B, class Number>
  static cudaError_t Plus(A d_a, B d_b, device_iterator<Number> d_out, std::int64_t num_items,
                          cudaStream_t stream = nullptr) {
    return Transform<detail::add_residues>(d_out, num_items, stream, d_a, d_b);
  }
  /// out_j := a_j - b_j.
  template <class A, class B, class Number>
  static cudaError_t Minus(A d_a, B d_b, device_iterator<Number> d_out, std::int64_t num_items,
                           cudaStream_t stream = nullptr) {
    return Transform<detail::subtract_residues>(d_out, num_items, stream, d_a, d_b);
  }
  /// out_j := a_j b_j.
  template <class A, class B, class Number>
  static cudaError_t Multiplies(A d_a, B d_b, device_iterator<Number> d_out, std::int64_t num_items,
                                cudaStream_t stream = nullptr) {
    return Transform<detail::multiply_residues>(d_out, num_items, stream, d_a, d_b);
  }
  /// out_j := a_j b_j + c_j.
  template <class A, class B, class C, class Number>
  static cudaError_t MultiplyAdd(A d_a, B d_b, C d_c, device_iterator<Number> d_out, std::int64_t num_items,
                                 cudaStream_t stream = nullptr) {
    return Transform<detail::multiply_add_residues>(d_out, num_items, stream, d_a, d_b, d_c);
  }
  /// out_j := -a_j.
  template <class A, class Number>
  static cudaError_t Negate(A d_a, device_iterator<Number> d_out, std::int64_t num_items,
                            cudaStream_t stream = nullptr) {
    return Transform<detail::negate_residue>(d_out, num_items, stream, d_a);
  }

 private:
  template <class Function, class Number, class... Inputs>
  static cudaError_t Transform(device_iterator<Number> d_out, std::int64_t num_items, cudaStream_t stream,
                               const Inputs&... d_in) {
    return detail::transform_on_device<Function, Number>(stream,
                                                         detail::output_at(d_out.underlying_span(), d_out.index()),
                                                         num_items, detail::operand_of<Number>(d_in)...);
  }
};

} // namespace thrust_rns
