// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Timing of calls that are checked, with Google Benchmark.

#include <thrust_rns/config.h>

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdint>

#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
#  include <cuda_runtime_api.h>
#endif

namespace measured {

/// Seconds that `call` takes: device time between two events, or wall time on the host.
template <class Call>
double seconds(Call call) {
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
  static cudaEvent_t begin = nullptr, end = nullptr;
  if (begin == nullptr) {
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
  }
  cudaEventRecord(begin);
  call();
  cudaEventRecord(end);
  cudaEventSynchronize(end);
  float ms = 0;
  cudaEventElapsedTime(&ms, begin, end);
  return ms * 1e-3;
#else
  const auto begin = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
#endif
}

/// One iteration is one call; `check` sees the result of each.
template <class Prepare, class Call, class Check>
void measure(benchmark::State& state, Prepare prepare, Call call, Check check) {
  prepare();
  call();
  for (auto _ : state) {
    prepare();
    const double s = seconds(call);
    if (!check()) {
      state.SkipWithError("wrong result");
      return;
    }
    state.SetIterationTime(s);
  }
}

THRUST_RNS_HD inline std::uint64_t mix(std::uint64_t z) { // splitmix64
  z += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

} // namespace measured
