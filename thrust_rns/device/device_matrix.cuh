// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// CUB-style products of matrices of numbers in device memory.

#include <cstddef>

#include <cuda_runtime_api.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/matrix_problem.h>
#include <thrust_rns/matrix_span.h>
#include <thrust_rns/detail/matrix_launch.cuh>

namespace thrust_rns {

/// Exact products modulo M of matrices in device memory, for callers who manage memory and streams themselves.
///
/// Every call: with `d_temp_storage` null, writes the bytes needed to `temp_storage_bytes` and does nothing else. With it set
/// (device memory, aligned to 16 bytes), queues kernels on `stream` and returns; never allocates, synchronises or throws, and
/// can be captured in a graph. Storage: for products on the Tensor Cores about the bytes of A and B, for long matrix-vector
/// products some kilobytes, else 16 bytes.
///
/// Operands are views `matrix_span` of numbers of one type in device memory: blocks, transposes and batches as in matrix.h.
/// Cached evaluations of C's entries are dropped. Returns cudaErrorInvalidValue for shapes that do not match, for a C that
/// overlaps A or B, and for too small a buffer, and then writes nothing; else what the launches returned.
struct DeviceMatrix {
  /// C = A B.
  template <class A, class B, class C>
  static cudaError_t Multiply(void* d_temp_storage, std::size_t& temp_storage_bytes, const A& a, const B& b, const C& c,
                              cudaStream_t stream = nullptr) {
    return Launch(d_temp_storage, temp_storage_bytes, a, b, c, detail::accumulation::assign, stream);
  }
  /// C += A B.
  template <class A, class B, class C>
  static cudaError_t MultiplyAdd(void* d_temp_storage, std::size_t& temp_storage_bytes, const A& a, const B& b,
                                 const C& c, cudaStream_t stream = nullptr) {
    return Launch(d_temp_storage, temp_storage_bytes, a, b, c, detail::accumulation::add, stream);
  }
  /// C -= A B.
  template <class A, class B, class C>
  static cudaError_t MultiplySubtract(void* d_temp_storage, std::size_t& temp_storage_bytes, const A& a, const B& b,
                                      const C& c, cudaStream_t stream = nullptr) {
    return Launch(d_temp_storage, temp_storage_bytes, a, b, c, detail::accumulation::subtract, stream);
  }

 private:
  template <class A, class B, class C>
  static cudaError_t Launch(void* d_temp_storage, std::size_t& temp_storage_bytes, const A& a, const B& b, const C& c,
                            detail::accumulation mode, cudaStream_t stream) {
    detail::matrix_problem problem;
    if (detail::make_problem(a, b, c, mode, problem) != detail::matrix_fault::none) return cudaErrorInvalidValue;
    if (c.empty()) {
      if (d_temp_storage == nullptr) temp_storage_bytes = 16;
      return cudaSuccess;
    }
    return detail::launch_product(d_temp_storage, temp_storage_bytes, problem,
                                  detail::list_of_moduli<typename C::value_type::base_type>(), stream);
  }
};

} // namespace thrust_rns
