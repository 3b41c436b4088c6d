// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// The CUB-style sorts, streams and allocators: CUDA only.

#include "streams.h"
#include "vectors.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include <cuda_runtime_api.h>

#include <thrust/device_allocator.h>
#include <thrust/device_vector.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>

#include <thrust_rns/device/device_sort.cuh>

namespace {

using thrust_rns::DeviceSort;
using number = thrust_rns::number<thrust_rns::moduli_for_bits<128>, thrust_rns::symmetric_range>;
using device_vector = thrust_rns::device_vector<number>;

void finish_writes() { REQUIRE(cudaDeviceSynchronize() == cudaSuccess); }

/// Asks for the size, takes memory, calls, waits.
template <class Call>
cudaError_t run(Call call) {
  std::size_t bytes = 0;
  REQUIRE(call(nullptr, bytes) == cudaSuccess);
  REQUIRE(bytes > 0);
  thrust::device_vector<unsigned char> temp(bytes);
  finish_writes();
  const cudaError_t status = call(static_cast<void*>(thrust::raw_pointer_cast(temp.data())), bytes);
  finish_writes();
  return status;
}

std::vector<int> count_up(std::size_t n) {
  std::vector<int> v(n);
  std::iota(v.begin(), v.end(), 0);
  return v;
}

template <class T>
std::vector<T> on_host(const thrust::device_vector<T>& d) {
  std::vector<T> h(d.size());
  thrust::copy(d.begin(), d.end(), h.begin());
  return h;
}

} // namespace

TEST_CASE("SortKeys and SortPairs put numbers and values in order, also from whole numbers") {
  THRUST_RNS_TEST_ENGINE(engine, 2201);
  const test::stream_owner stream;
  for (const std::size_t n : {0U, 1U, 2U, 2305U, test::amount(60001U, 4099U)}) {
    CAPTURE(n);
    for (const test::pattern p : {test::pattern::random, test::pattern::ties, test::pattern::neighbours}) {
      CAPTURE(static_cast<int>(p));
      const std::vector<mpz_class> z = test::make_pattern<number>(p, engine, n + 3);
      const auto count = static_cast<std::int64_t>(n);
      const auto begin = z.begin() + 3;
      std::vector<int> order = count_up(n);
      std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return begin[a] > begin[b]; });
      std::vector<mpz_class> up = z, down = z;
      std::sort(up.begin() + 3, up.end());
      std::sort(down.begin() + 3, down.end(), std::greater<>());

      device_vector v = test::make<number>(z);
      CHECK(run([&](void* temp, std::size_t& bytes) {
              return DeviceSort::SortKeys(temp, bytes, v.begin() + 3, count, stream);
            }) == cudaSuccess);
      CHECK(test::values_of(v) == up);

      v = test::make<number>(z);
      thrust::device_vector<int> places = count_up(n);
      CHECK(run([&](void* temp, std::size_t& bytes) {
              return DeviceSort::SortPairsDescending(temp, bytes, v.begin() + 3,
                                                     thrust::raw_pointer_cast(places.data()), count, stream);
            }) == cudaSuccess);
      CHECK(test::values_of(v) == down);
      CHECK(on_host(places) == order);

      const std::vector<number> x = test::make<number>(z);
      const thrust::device_vector<number> whole(x.begin() + 3, x.end());
      thrust::device_vector<DeviceSort::Index> indices(n);
      CHECK(run([&](void* temp, std::size_t& bytes) {
              return DeviceSort::SortIndicesDescending(temp, bytes, thrust::raw_pointer_cast(whole.data()),
                                                       thrust::raw_pointer_cast(indices.data()), count, stream);
            }) == cudaSuccess);
      CHECK(on_host(indices) == std::vector<DeviceSort::Index>(order.begin(), order.end()));
    }
  }
}

TEST_CASE("a size query and a refused call do nothing else") {
  THRUST_RNS_TEST_ENGINE(engine, 2202);
  const std::vector<mpz_class> z = test::make_pattern<number>(test::pattern::random, engine, 500);
  device_vector v = test::make<number>(z);
  std::size_t bytes = 0, none = 0;
  CHECK(DeviceSort::SortKeys(nullptr, bytes, v.begin(), 500) == cudaSuccess);
  CHECK(bytes > 500 * 56);
  CHECK(bytes < 500 * 56 + (1 << 20));
  thrust::device_vector<unsigned char> memory(bytes);
  void* temp = thrust::raw_pointer_cast(memory.data());
  std::size_t short_of_it = bytes - 1;
  CHECK(DeviceSort::SortKeys(temp, short_of_it, v.begin(), 500) == cudaErrorInvalidValue);
  CHECK(DeviceSort::SortKeys(temp, none, v.begin(), 500) == cudaErrorInvalidValue);
  CHECK(DeviceSort::SortKeys(temp, bytes, v.begin(), -1) == cudaErrorInvalidValue);
  CHECK(DeviceSort::SortKeys(nullptr, bytes, v.begin(), std::int64_t{1} << 32) == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaSuccess);
  finish_writes();
  CHECK(test::values_of(v) == z);
  CHECK(test::count_evaluated(v) == 0);
}

TEST_CASE("a captured graph sorts what the vector holds at each launch") {
  THRUST_RNS_TEST_ENGINE(engine, 2203);
  constexpr std::size_t n = 5003;
  device_vector v(n);
  std::size_t bytes = 0;
  const test::stream_owner stream;
  REQUIRE(DeviceSort::SortKeysDescending(nullptr, bytes, v.begin(), n, stream) == cudaSuccess);
  thrust::device_vector<unsigned char> temp(bytes);
  finish_writes();
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
  CHECK(DeviceSort::SortKeysDescending(thrust::raw_pointer_cast(temp.data()), bytes, v.begin(), n, stream) ==
        cudaSuccess);
  REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  for (const test::pattern p : {test::pattern::random, test::pattern::neighbours, test::pattern::ties}) {
    std::vector<mpz_class> z = test::make_pattern<number>(p, engine, n);
    const device_vector fresh = test::make<number>(z);
    thrust::copy(fresh.begin(), fresh.end(), v.begin());
    finish_writes();
    REQUIRE(cudaGraphLaunch(executable, stream) == cudaSuccess);
    stream.wait();
    std::sort(z.begin(), z.end(), std::greater<>());
    CHECK(test::values_of(v) == z);
    test::check_extrema(v, z);
  }
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
}

TEST_CASE("thrust::sort takes streams and allocators, and arrays of whole numbers") {
  THRUST_RNS_TEST_ENGINE(engine, 2204);
  const test::stream_owner stream;
  std::vector<mpz_class> z = test::make_pattern<number>(test::pattern::neighbours, engine, 3001);
  const std::vector<number> x = test::make<number>(z);
  const auto sorted = [&] {
    std::vector<mpz_class> s = z;
    std::sort(s.begin(), s.end());
    return s;
  }();
  const auto check = [&](auto call) {
    device_vector v = x;
    finish_writes();
    call(v.begin(), v.end());
    stream.wait();
    CHECK(test::values_of(v) == sorted);
  };
  thrust::device_allocator<char> allocator;
  check([&](auto b, auto e) { thrust::sort(thrust::cuda::par.on(stream), b, e); });
  check([&](auto b, auto e) { thrust::sort(thrust::cuda::par_nosync.on(stream), b, e); });
  check([&](auto b, auto e) { thrust::sort(thrust::cuda::par(allocator).on(stream), b, e); });

  thrust::device_vector<number> whole(x.begin(), x.end());
  thrust::sort(whole.begin(), whole.end());
  const std::vector<number> result = on_host(whole);
  for (std::size_t i = 0; i < z.size(); ++i) REQUIRE(test::value(result[i]) == sorted[i]);
  thrust::stable_sort(thrust::device, thrust::raw_pointer_cast(whole.data()),
                      thrust::raw_pointer_cast(whole.data()) + 3001, thrust_rns::greater());
  CHECK(test::value(static_cast<number>(whole[0])) == sorted.back());
}
