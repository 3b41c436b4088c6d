// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// CUB-style evaluation of numbers in device memory.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <cuda_runtime_api.h>

#include <thrust_rns/config.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/number.h>
#include <thrust_rns/span.h>
#include <thrust_rns/detail/extremum_kernels.cuh>
#include <thrust_rns/detail/multiprocessors.cuh>

namespace thrust_rns {
namespace detail {

/// Keys of planes: a thread takes four neighbours at a time. Fills the cache of evaluations; keys may be null.
template <class Number>
__global__ void __launch_bounds__(extremum_threads, extremum_blocks_at_once)
    keys_of_planes(span<const Number> s, quad_range range, std::uint64_t* keys) {
  __shared__ digit_group digits[Number::size];
  stage_digits<Number, extremum_threads>(digits);
  const std::int64_t step = std::int64_t{gridDim.x} * extremum_threads;
  for (std::int64_t q = range.first_quad() + std::int64_t{blockIdx.x} * extremum_threads + threadIdx.x;
       q < range.last_quad(); q += step) {
    const std::int64_t element = 4 * q;
    quad_keys known;
    if (s.evaluations() != nullptr) known.load(s.evaluations() + element);
    if (!known.all_known()) {
      const std::uint32_t* x = s.plane(0) + element;
      digit_sums sums[4];
      sum_quad<Number>(x, s.stride(), digits, sums);
      for (int k = 0; k < 4; ++k) {
        if (!range.contains(element + k)) continue;
        known.key[k] = key_from_leading<Number>(sums[k].leading());
        if (known.key[k] == 0) {
          known.key[k] = key_by_magnification<Number>(strided_residues{x + k, s.stride()}, sums[k].leading());
        }
        if (s.evaluations() != nullptr) store_relaxed(s.evaluations() + element + k, known.key[k]);
      }
    }
    if (keys == nullptr) continue;
    for (int k = 0; k < 4; ++k) {
      if (range.contains(element + k)) keys[element + k - range.first] = known.key[k];
    }
  }
}

template <class Number>
__global__ void __launch_bounds__(extremum_threads)
    keys_of_array(const Number* numbers, std::int64_t count, std::uint64_t* keys) {
  const std::int64_t step = std::int64_t{gridDim.x} * extremum_threads;
  for (std::int64_t j = std::int64_t{blockIdx.x} * extremum_threads + threadIdx.x; j < count; j += step) {
    keys[j] = evaluate_key<Number>(residues_of<Number>{numbers[j]});
  }
}

} // namespace detail

/// The compact evaluations of numbers. Every call: as in DeviceReduce.
struct DeviceEvaluate {
  /// d_keys_out[j] := the key of element j from d_in, an iterator of `device_vector` or a pointer to whole numbers. With an
  /// iterator, what is cached is taken, and what is not is evaluated and kept if the span has room; d_keys_out may be null.
  template <class NumbersIn>
  static cudaError_t Keys(void* d_temp_storage, std::size_t& temp_storage_bytes, NumbersIn d_in,
                          std::uint64_t* d_keys_out, std::int64_t num_items, cudaStream_t stream = nullptr) {
    if (num_items < 0) return cudaErrorInvalidValue;
    if (d_temp_storage == nullptr) {
      temp_storage_bytes = 1;
      return cudaSuccess;
    }
    if (num_items == 0) return cudaSuccess;
    int multiprocessors = 0;
    if (const cudaError_t status = detail::count_multiprocessors(multiprocessors); status != cudaSuccess) return status;
    const std::int64_t most = std::int64_t{multiprocessors} * detail::extremum_blocks_at_once;
    return Launch(d_in, d_keys_out, num_items, most, stream);
  }

 private:
  static unsigned Blocks(std::int64_t work, std::int64_t most) {
    return static_cast<unsigned>(
        std::clamp<std::int64_t>((work + detail::extremum_threads - 1) / detail::extremum_threads, 1, most));
  }
  template <class T>
  static cudaError_t Launch(basic_iterator<T, thrust::device_system_tag> d_in, std::uint64_t* keys,
                            std::int64_t num_items, std::int64_t most, cudaStream_t stream) {
    using Number = std::remove_const_t<T>;
    const detail::quad_range range{d_in.index(), d_in.index() + num_items};
    detail::keys_of_planes<Number><<<Blocks(range.quads(), most), detail::extremum_threads, 0, stream>>>(
        span<const Number>(d_in.underlying_span()), range, keys);
    return cudaPeekAtLastError();
  }
  template <class Number>
  static cudaError_t Launch(const Number* d_in, std::uint64_t* keys, std::int64_t num_items, std::int64_t most,
                            cudaStream_t stream) {
    if (keys == nullptr) return cudaSuccess;
    detail::keys_of_array<Number>
        <<<Blocks(num_items, most), detail::extremum_threads, 0, stream>>>(d_in, num_items, keys);
    return cudaPeekAtLastError();
  }
};

namespace detail {

/// See instantiate_extremum_kernels.
template <class Number, bool Planes>
THRUST_RNS_HD void instantiate_evaluation_kernels() {
#if defined(__CUDA_ARCH__)
  if constexpr (Planes) {
    static_cast<void>(&keys_of_planes<Number>);
  } else {
    static_cast<void>(&keys_of_array<Number>);
  }
#endif
}

} // namespace detail
} // namespace thrust_rns
