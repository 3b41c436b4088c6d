// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

// What the benchmarks of rings share: timing by events, random batches, registration.

#include "measure.h"

#include <thrust_rns/ring_vector.h>

#include <benchmark/benchmark.h>

#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>

#include <cstdint>
#include <string>

namespace {

using measured::mix;
using measured::seconds;

bool any_failed = false;

void fail(benchmark::State& state, const char* what) {
  any_failed = true;
  state.SkipWithError(what);
}

/// Coefficient i of a batch, uniform.
template <class Element>
struct set_random_coefficient {
  Element* rows;
  std::uint64_t seed;
  __device__ void operator()(std::int64_t i) const {
    using range = typename Element::coefficients;
    const std::uint64_t bits = mix(seed + static_cast<std::uint64_t>(i)) >> 32;
    const int x = range::smallest + static_cast<int>(bits * (range::largest - range::smallest + 1) >> 32);
    rows[i / Element::degree].set(static_cast<int>(i % Element::degree), x);
  }
};

template <class Element>
void randomise(thrust_rns::ring_vector<Element>& v, std::uint64_t seed) {
  const thrust::counting_iterator<std::int64_t> first(0);
  thrust::for_each(thrust::device, first, first + static_cast<std::int64_t>(v.size()) * Element::degree,
                   set_random_coefficient<Element>{thrust::raw_pointer_cast(v.data()), seed << 40});
}

template <class Function>
void add(const std::string& name, Function function, int repetitions = 11) {
  benchmark::RegisterBenchmark(name.c_str(), function)
      ->UseManualTime()
      ->Iterations(1)
      ->Repetitions(repetitions)
      ->ReportAggregatesOnly(repetitions > 1)
      ->Unit(benchmark::kMicrosecond);
}

/// Runs what has been registered; the exit status.
int run_benchmarks(int argc, char** argv) {
  cudaDeviceProp properties{};
  if (cudaGetDeviceProperties(&properties, 0) == cudaSuccess) benchmark::AddCustomContext("device", properties.name);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return any_failed ? 1 : 0;
}

} // namespace
