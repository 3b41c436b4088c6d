// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Extrema and sums on the CUDA backend: the device layer with a Thrust policy's stream and allocator.

#include <cstddef>
#include <cstdint>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/scratch.cuh>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/number.h>
#include <thrust_rns/device/device_reduce.cuh>

namespace thrust_rns {
namespace detail {

/// Runs `call(temp, bytes, result)` of the device layer twice, for the size and for good, and fetches the result.
template <class Result, class Policy, class Call>
Result run_on_device(Policy& exec, const char* what, Call call) {
  const cudaStream_t stream = stream_of(exec);
  std::size_t bytes = 0;
  check_cuda(call(static_cast<void*>(nullptr), bytes, static_cast<Result*>(nullptr), stream), what);
  const std::size_t offset = (sizeof(Result) + 15) / 16 * 16;
  scratch<Policy> memory(exec, offset + bytes);
  auto* d_result = reinterpret_cast<Result*>(memory.bytes());
  check_cuda(call(static_cast<void*>(memory.bytes() + offset), bytes, d_result, stream), what);
  Result result;
  check_cuda(cudaMemcpyAsync(&result, d_result, sizeof(Result), cudaMemcpyDeviceToHost, stream), what);
  check_cuda(cudaStreamSynchronize(stream), what); // the result is returned by value, under par_nosync too
  return result;
}

template <class Number>
struct extreme_result {
  std::int64_t index; // within the span
  Number value;
};

template <int Order, class Policy, class T, class System>
extreme_result<std::remove_const_t<T>> extreme_on_device(Policy& exec, basic_iterator<T, System> first,
                                                         std::int64_t count) {
  using Result = extreme_result<std::remove_const_t<T>>;
  const char* what = Order == 1 ? "thrust_rns: max_element" : "thrust_rns: min_element";
  Result result =
      run_on_device<Result>(exec, what, [&](void* temp, std::size_t& bytes, Result* out, cudaStream_t stream) {
        auto* value = out == nullptr ? nullptr : &out->value;
        auto* index = out == nullptr ? nullptr : &out->index;
        return Order == 1 ? DeviceReduce::ArgMax(temp, bytes, first, value, index, count, stream)
                          : DeviceReduce::ArgMin(temp, bytes, first, value, index, count, stream);
      });
  result.index += first.index();
  return result;
}

template <class Policy, class T, class System>
std::remove_const_t<T> sum_on_device(Policy& exec, basic_iterator<T, System> first, std::int64_t count) {
  using Number = std::remove_const_t<T>;
  return run_on_device<Number>(exec, "thrust_rns: reduce",
                               [&](void* temp, std::size_t& bytes, Number* out, cudaStream_t stream) {
                                 return DeviceReduce::Sum(temp, bytes, first, out, count, stream);
                               });
}

// An overload that runs on host and device hides its host branch from the device compilation, which would then miss the
// kernels that the host branch launches. Naming them in the device branch makes the compiler emit them.

template <int Order, class System, class Number>
THRUST_RNS_HD void instantiate_extremum_kernels() {
#if defined(__CUDA_ARCH__)
  if constexpr (is_cuda_system<System>) {
    static_cast<void>(&best_of_blocks<Order, Number>);
    static_cast<void>(&best_of_candidates<Order, Number>);
  }
#endif
}

template <class System, class Number>
THRUST_RNS_HD void instantiate_sum_kernels() {
#if defined(__CUDA_ARCH__)
  if constexpr (is_cuda_system<System>) {
    static_cast<void>(&sum_slices<Number>);
    static_cast<void>(&sum_partials<Number>);
  }
#endif
}

} // namespace detail
} // namespace thrust_rns
