// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Counts of bit lengths: each block counts in shared memory, then adds what it has to the whole.

#include <algorithm>
#include <cstdint>

#include <cuda_runtime_api.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/bit_length.h>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/detail/multiprocessors.cuh>
#include <thrust_rns/detail/scratch.cuh>

namespace thrust_rns {
namespace detail {

inline constexpr int histogram_threads = 512;

/// counts[b] += elements first .. first + count - 1 of b bits. A block sees fewer than 2^32 of them.
template <class Number>
__global__ void __launch_bounds__(histogram_threads)
    count_bit_lengths(bit_length_of_element<Number> length, std::int64_t first, std::int64_t count,
                      unsigned long long* counts) {
  __shared__ unsigned here[bit_length_bins<Number>];
  for (int b = static_cast<int>(threadIdx.x); b < bit_length_bins<Number>; b += histogram_threads) here[b] = 0;
  __syncthreads();
  const std::int64_t step = std::int64_t{gridDim.x} * histogram_threads;
  for (std::int64_t j = std::int64_t{blockIdx.x} * histogram_threads + threadIdx.x; j < count; j += step) {
    atomicAdd(&here[length(first + j)], 1U);
  }
  __syncthreads();
  for (int b = static_cast<int>(threadIdx.x); b < bit_length_bins<Number>; b += histogram_threads) {
    if (here[b] != 0) atomicAdd(&counts[b], static_cast<unsigned long long>(here[b]));
  }
}

/// counts[0 .. bit_length_bins), on the host.
template <class Policy, class Number>
void count_bit_lengths_on_device(Policy& exec, const bit_length_of_element<Number>& length, std::int64_t first,
                                 std::int64_t count, std::int64_t* counts) {
  const char* what = "thrust_rns: histogram of bit lengths";
  const cudaStream_t stream = stream_of(exec);
  constexpr std::size_t bytes = bit_length_bins<Number> * sizeof(std::int64_t);
  int multiprocessors = 0;
  check_cuda(count_multiprocessors(multiprocessors), what);
  const scratch<Policy> memory(exec, bytes);
  auto* d_counts = reinterpret_cast<unsigned long long*>(memory.bytes());
  check_cuda(cudaMemsetAsync(d_counts, 0, bytes, stream), what);
  const std::int64_t blocks =
      std::min<std::int64_t>((count + histogram_threads - 1) / histogram_threads, multiprocessors * 4);
  count_bit_lengths<Number>
      <<<static_cast<unsigned>(blocks), histogram_threads, 0, stream>>>(length, first, count, d_counts);
  check_cuda(cudaGetLastError(), what);
  check_cuda(cudaMemcpyAsync(counts, d_counts, bytes, cudaMemcpyDeviceToHost, stream), what);
  check_cuda(cudaStreamSynchronize(stream), what);
}

} // namespace detail
} // namespace thrust_rns
