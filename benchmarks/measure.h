// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// What benchmarks share: sizes, random words, and the timing of calls that are checked.

#include <thrust_rns/config.h>
#include <thrust_rns/detail/thrust_compat.h>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <thread>
#include <vector>

namespace measured {

/// Numbers in a vector: THRUST_RNS_BENCHMARK_COUNT of the environment, or 5,000,000.
inline std::int64_t count() {
  static const char* text = std::getenv("THRUST_RNS_BENCHMARK_COUNT");
  return text == nullptr ? 5'000'000 : std::atoll(text);
}

template <class Call>
double wall_seconds(Call call) {
  const auto begin = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Seconds that `call` takes: device time between two events, or wall time on the host.
template <class Call>
double seconds(Call call) {
#if THRUST_RNS_CUDA_BACKEND
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
  return wall_seconds(call);
#endif
}

/// What `rounds` calls of `time` return, in ascending order; one before them does not count.
template <class Time>
std::vector<double> sorted_times(int rounds, Time time) {
  time();
  std::vector<double> times;
  for (int k = 0; k < rounds; ++k) times.push_back(time());
  std::sort(times.begin(), times.end());
  return times;
}

/// Their median.
template <class Time>
double median_time(int rounds, Time time) {
  return sorted_times(rounds, time)[static_cast<std::size_t>(rounds / 2)];
}

/// The median of the seconds that `rounds` calls take.
template <class Call>
double median_seconds(Call call, int rounds = 11) {
  return median_time(rounds, [&] { return seconds(call); });
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

/// f(first, last) for parts of 0 .. count() - 1, by all cores of the host.
template <class Function>
void on_all_cores(Function f) {
  const auto threads = static_cast<std::int64_t>(std::max(1U, std::thread::hardware_concurrency()));
  std::vector<std::thread> team;
  for (std::int64_t t = 0; t < threads; ++t) {
    team.emplace_back([=] { f(t * count() / threads, (t + 1) * count() / threads); });
  }
  for (std::thread& t : team) t.join();
}

THRUST_RNS_HD inline std::uint64_t mix(std::uint64_t z) { // splitmix64
  z += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

} // namespace measured
