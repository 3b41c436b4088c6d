// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Extrema and sums on the CUDA backend: the device layer with a Thrust policy's stream and allocator.

#include <cstddef>
#include <cstdint>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/number.h>
#include <thrust_rns/detail/scratch.cuh>
#include <thrust_rns/device/device_reduce.cuh>

namespace thrust_rns {
namespace detail {

/// Runs `call(temp, bytes, result)` of the device layer twice, for the size and for good, and fetches `used` bytes of the
/// result.
template <class Result, class Policy, class Call>
Result run_on_device(Policy& exec, const char* what, std::size_t used, Call call) {
  const cudaStream_t stream = stream_of(exec);
  Result result;
  std::size_t bytes = 0;
  check_cuda(call(static_cast<void*>(nullptr), bytes, &result, stream), what);
  const std::size_t offset = (sizeof(Result) + 15) / 16 * 16;
  scratch<Policy> memory(exec, offset + bytes);
  auto* d_result = reinterpret_cast<Result*>(memory.bytes());
  check_cuda(call(static_cast<void*>(memory.bytes() + offset), bytes, d_result, stream), what);
  check_cuda(cudaMemcpyAsync(&result, d_result, used, cudaMemcpyDeviceToHost, stream), what);
  check_cuda(cudaStreamSynchronize(stream), what); // the result is returned by value, under par_nosync too
  return result;
}

/// One or two extremes: indices from the first element, and the numbers themselves. Without gaps but at the end.
template <class Number, int Count>
struct extreme_results {
  std::int64_t index[Count];
  Number value[Count];

  static constexpr std::size_t used = Count * (sizeof(std::int64_t) + sizeof(Number));
};

/// The extreme that is wanted, or the largest and the smallest. NumbersIn: an iterator over planes or a pointer to whole
/// numbers; count > 0.
template <wanted Wanted, class Number, class Policy, class NumbersIn>
extreme_results<Number, count_of<Wanted>> extremes_on_device(Policy& exec, NumbersIn first, std::int64_t count) {
  using Results = extreme_results<Number, count_of<Wanted>>;
  return run_on_device<Results>(
      exec, "thrust_rns: search for extrema", Results::used,
      [&](void* temp, std::size_t& bytes, Results* out, cudaStream_t stream) {
        if constexpr (Wanted == wanted::largest) {
          return DeviceReduce::ArgMax(temp, bytes, first, out->value, out->index, count, stream);
        } else if constexpr (Wanted == wanted::smallest) {
          return DeviceReduce::ArgMin(temp, bytes, first, out->value, out->index, count, stream);
        } else {
          return DeviceReduce::ArgMinMax(temp, bytes, first, out->value + 1, out->index + 1, out->value, out->index,
                                         count, stream);
        }
      });
}

template <class Number, class Policy, class NumbersIn>
Number sum_on_device(Policy& exec, NumbersIn first, std::int64_t count) {
  return run_on_device<Number>(exec, "thrust_rns: reduce", sizeof(Number),
                               [&](void* temp, std::size_t& bytes, Number* out, cudaStream_t stream) {
                                 return DeviceReduce::Sum(temp, bytes, first, out, count, stream);
                               });
}

// An overload that runs on host and device hides its host branch from the device compilation, which would then miss the
// kernels that the host branch launches. Naming them in the device branch makes the compiler emit them.

template <wanted Wanted, class Number, bool Planes>
THRUST_RNS_HD void instantiate_extremum_kernels() {
#if defined(__CUDA_ARCH__)
  if constexpr (Planes) {
    static_cast<void>(&extremes_of_planes<Wanted, true, Number>);
    static_cast<void>(&extremes_of_planes<Wanted, false, Number>);
  } else {
    static_cast<void>(&extremes_of_array<Wanted, Number>);
  }
  static_cast<void>(&best_of_contenders<Number, Planes>);
#endif
}

template <class Number, bool Planes>
THRUST_RNS_HD void instantiate_sum_kernels() {
#if defined(__CUDA_ARCH__)
  if constexpr (Planes) {
    static_cast<void>(&sum_slices<Number>);
  } else {
    static_cast<void>(&sum_array_slices<Number>);
  }
  static_cast<void>(&sum_partials<Number>);
#endif
}

} // namespace detail
} // namespace thrust_rns
