// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// The CUB-style layer for scans and segmented reductions: CUDA only.

#include "streams.h"
#include "vectors.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <cuda_runtime_api.h>

#include <thrust/device_vector.h>

#include <thrust_rns/device/device_scan.cuh>
#include <thrust_rns/device/device_segmented_reduce.cuh>

namespace {

using thrust_rns::DeviceScan;
using thrust_rns::DeviceSegmentedReduce;
using number = thrust_rns::number<thrust_rns::moduli_for_bits<128>, thrust_rns::symmetric_range>;
using device_vector = thrust_rns::device_vector<number>;
using values = std::vector<mpz_class>;

void finish_writes() { REQUIRE(cudaDeviceSynchronize() == cudaSuccess); }

/// Asks for the size, refuses less, captures the call in a graph and launches that once.
template <class Call>
void run(Call call) {
  const test::stream_owner stream;
  std::size_t bytes = 0;
  REQUIRE(call(nullptr, bytes, cudaStream_t(stream)) == cudaSuccess);
  REQUIRE(bytes > 0);
  thrust::device_vector<unsigned char> memory(bytes);
  void* temp = thrust::raw_pointer_cast(memory.data());
  std::size_t less = bytes - 1;
  CHECK(call(temp, less, cudaStream_t(stream)) == cudaErrorInvalidValue);
  finish_writes();
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t work = nullptr;
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
  CHECK(call(temp, bytes, cudaStream_t(stream)) == cudaSuccess);
  REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&work, graph, 0) == cudaSuccess);
  REQUIRE(cudaGraphLaunch(work, stream) == cudaSuccess);
  stream.wait();
  cudaGraphExecDestroy(work);
  cudaGraphDestroy(graph);
}

} // namespace

TEST_CASE("DeviceScan: sums and extrema, size query, errors, graphs") {
  THRUST_RNS_TEST_ENGINE(engine, 3501);
  const std::size_t n = 30'011;
  const auto count = static_cast<std::int64_t>(n);
  const values z = test::make_pattern<number>(test::pattern::random_length, engine, n);
  const device_vector x = test::make<number>(z);
  device_vector out(n);
  values sums(n), highest(n), lowest(n); // in front of each element, from an initial value
  const mpz_class init = 123456789;
  mpz_class sum = init, high = init, low = init;
  for (std::size_t j = 0; j < n; ++j) {
    sums[j] = sum, highest[j] = high, lowest[j] = low;
    sum += z[j], high = std::max(high, z[j]), low = std::min(low, z[j]);
  }
  const number start = test::make<number>(init);
  const auto after = [](values v, const mpz_class& last) {
    v.push_back(last);
    return values(v.begin() + 1, v.end());
  };
  const auto check = [&](const values& want, auto call) {
    thrust::max_element(out.begin(), out.end()); // so that there are evaluations to go stale
    run(call);
    CHECK(out.to_vector() == test::make<number>(want));
    CHECK(test::count_evaluated(out) == 0);
  };
  check(after(sums, sum), [&](void* temp, std::size_t& bytes, cudaStream_t stream) {
    return DeviceScan::InclusiveSumInit(temp, bytes, x.begin(), out.begin(), start, count, stream);
  });
  check(sums, [&](void* temp, std::size_t& bytes, cudaStream_t stream) {
    return DeviceScan::ExclusiveSumInit(temp, bytes, x.begin(), out.begin(), start, count, stream);
  });
  check(highest, [&](void* temp, std::size_t& bytes, cudaStream_t stream) {
    return DeviceScan::ExclusiveMaxInit(temp, bytes, x.begin(), out.begin(), start, count, stream);
  });
  check(lowest, [&](void* temp, std::size_t& bytes, cudaStream_t stream) {
    return DeviceScan::ExclusiveMinInit(temp, bytes, x.begin(), out.begin(), start, count, stream);
  });
  std::size_t bytes = 0;
  CHECK(DeviceScan::InclusiveSum(nullptr, bytes, x.begin(), out.begin(), -1) == cudaErrorInvalidValue);
  CHECK(DeviceScan::InclusiveMax(nullptr, bytes, x.begin(), out.begin(), -1) == cudaErrorInvalidValue);
}

TEST_CASE("a long running sum of many tiles is right each time") {
  THRUST_RNS_TEST_ENGINE(engine, 3502);
  const std::int64_t n = test::amount<std::int64_t>(3'000'000, 100'000);
  device_vector v(static_cast<std::size_t>(n), number(1));
  thrust::device_vector<unsigned char> memory;
  std::size_t bytes = 0;
  REQUIRE(DeviceScan::InclusiveSum(nullptr, bytes, v.begin(), v.begin(), n) == cudaSuccess);
  memory.resize(bytes);
  device_vector out(v.size());
  for (int repeat = 0; repeat < 5; ++repeat) {
    CHECK(DeviceScan::InclusiveSum(thrust::raw_pointer_cast(memory.data()), bytes, v.begin(), out.begin(), n) ==
          cudaSuccess);
    finish_writes();
    for (const std::int64_t j : {std::int64_t{0}, std::int64_t{4095}, std::int64_t{4096}, n / 2, n - 1}) {
      CHECK(number(out[static_cast<std::size_t>(j)]) == number(j + 1));
    }
    const auto sum_of_sums = thrust::reduce(out.begin(), out.end());
    CHECK(sum_of_sums == number(static_cast<thrust_rns::int128_t>(n) * (n + 1) / 2));
  }
}

TEST_CASE("DeviceSegmentedReduce: segments of every length, empty ones too") {
  THRUST_RNS_TEST_ENGINE(engine, 3503);
  std::vector<std::int64_t> offsets{0};
  for (const int length : {0, 1, 2, 31, 32, 33, 0, 500, 4096, 4097, 9000, 1})
    offsets.push_back(offsets.back() + length);
  for (int k = 0; k < 700; ++k) offsets.push_back(offsets.back() + static_cast<std::int64_t>(engine() % 8));
  const auto segments = static_cast<std::int64_t>(offsets.size()) - 1;
  const auto size = static_cast<std::size_t>(offsets.back());
  const values z = test::make_pattern<number>(test::pattern::ties, engine, size + 2);
  const device_vector x = test::make<number>(z);
  device_vector out(offsets.size() - 1);
  thrust::device_vector<std::int64_t> places(offsets.size() - 1);
  const thrust::device_vector<std::int64_t> d_offsets(offsets.begin(), offsets.end());
  const auto begin = d_offsets.begin();
  values sums, highest;
  std::vector<std::int64_t> at;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    const auto first = z.begin() + 2 + offsets[s], last = z.begin() + 2 + offsets[s + 1];
    mpz_class sum;
    for (auto i = first; i != last; ++i) sum += *i;
    sums.push_back(sum);
    const auto best = std::max_element(first, last);
    highest.push_back(first == last ? test::smallest<number>() : *best);
    at.push_back(first == last ? -1 : best - first);
  }
  run([&](void* temp, std::size_t& bytes, cudaStream_t stream) {
    return DeviceSegmentedReduce::Sum(temp, bytes, x.begin() + 2, out.begin(), segments, begin, begin + 1, stream);
  });
  CHECK(out.to_vector() == test::make<number>(sums));
  for (int evaluated = 0; evaluated < 2; ++evaluated) {
    run([&](void* temp, std::size_t& bytes, cudaStream_t stream) {
      return DeviceSegmentedReduce::ArgMax(temp, bytes, x.begin() + 2, thrust::raw_pointer_cast(places.data()),
                                           segments, begin, begin + 1, stream);
    });
    std::vector<std::int64_t> got(at.size());
    thrust::copy(places.begin(), places.end(), got.begin());
    CHECK(got == at);
  }
  run([&](void* temp, std::size_t& bytes, cudaStream_t stream) {
    return DeviceSegmentedReduce::Max(temp, bytes, x.begin() + 2, out.begin(), segments, begin, begin + 1, stream);
  });
  CHECK(out.to_vector() == test::make<number>(highest));
}
