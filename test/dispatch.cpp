// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Which calls reach this library: its implementation fills the cached evaluations, Thrust's own does not.

#include "vectors.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <vector>

#include <thrust/device_allocator.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
#  include <thrust/system/cuda/execution_policy.h>
#elif THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_OMP
#  include <thrust/system/omp/execution_policy.h>
#endif
#include <thrust/system/cpp/execution_policy.h>

namespace test {

/// A user's allocator for temporary memory; it counts.
struct counting_allocator {
  using value_type = char;
  int calls = 0;
  std::ptrdiff_t in_use = 0;

  char* allocate(std::ptrdiff_t bytes) {
    ++calls;
    in_use += bytes;
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
    void* p = nullptr;
    REQUIRE(cudaMalloc(&p, static_cast<std::size_t>(bytes)) == cudaSuccess);
    return static_cast<char*>(p);
#else
    return static_cast<char*>(std::malloc(static_cast<std::size_t>(bytes)));
#endif
  }
  void deallocate(char* p, std::size_t bytes) {
    in_use -= static_cast<std::ptrdiff_t>(bytes);
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
    CHECK(cudaFree(p) == cudaSuccess);
#else
    std::free(p);
#endif
  }
};

} // namespace test

namespace {

using number = thrust_rns::number<thrust_rns::moduli_for_bits<64>, thrust_rns::symmetric_range>;
using device_vector = thrust_rns::device_vector<number>;
using host_vector = thrust_rns::host_vector<number>;

constexpr std::size_t n = 600;
const number lowest = test::make<number>(test::smallest<number>());

/// Numbers and the positions of their extrema.
struct problem {
  std::vector<number> x;
  std::ptrdiff_t largest, smallest;

  template <class Engine>
  explicit problem(Engine& engine) {
    const std::vector<mpz_class> z = test::make_pattern<number>(test::pattern::random, engine, n);
    x = test::make<number>(z);
    largest = std::max_element(z.begin(), z.end()) - z.begin();
    smallest = std::min_element(z.begin(), z.end()) - z.begin();
  }

  /// Runs the calls with a policy, each on a fresh vector, and checks the results and that they were this library's.
  template <class Vector, class Policy>
  void check_ours(const Policy& policy) const {
    const auto call = [&](auto f) {
      const Vector v = x;
      f(v.begin(), v.end());
      CHECK(test::count_evaluated(v) == static_cast<std::ptrdiff_t>(n));
    };
    call([&](auto b, auto e) { CHECK(thrust::max_element(policy, b, e) - b == largest); });
    call([&](auto b, auto e) { CHECK(thrust::min_element(policy, b, e) - b == smallest); });
    call([&](auto b, auto e) { CHECK(thrust::max_element(policy, b, e, thrust_rns::greater()) - b == smallest); });
    call([&](auto b, auto e) { CHECK(thrust::min_element(policy, b, e, thrust::less<number>()) - b == smallest); });
    call([&](auto b, auto e) {
      CHECK(thrust::reduce(policy, b, e, lowest, thrust_rns::maximum()) == x[static_cast<std::size_t>(largest)]);
    });
    Vector v = x;
    CHECK(thrust::reduce(policy, v.begin(), v.end()) == sum());
    CHECK(thrust::reduce(policy, v.begin(), v.end(), number(4)) == sum() + number(4));
    CHECK(test::count_evaluated(v) == 0);
    CHECK(thrust::max_element(policy, v.begin(), v.end()) - v.begin() == largest); // mutable iterators
    CHECK(test::count_evaluated(v) == static_cast<std::ptrdiff_t>(n));
  }

  number sum() const {
    number s(0);
    for (const number& y : x) s += y;
    return s;
  }
};

/// A system of the user's own with an algorithm of its own.
struct own_system : thrust::device_execution_policy<own_system> {
  int* calls;
  explicit own_system(int& counter) : calls(&counter) {}
};

template <class Iterator>
Iterator max_element(own_system& system, Iterator first, Iterator) {
  ++*system.calls;
  return first + 1;
}

} // namespace

TEST_CASE("calls without a policy reach this library, for both kinds of vectors") {
  THRUST_RNS_TEST_ENGINE(engine, 801);
  const problem p(engine);
  const auto check = [&](auto v) {
    CHECK(thrust::max_element(v.begin(), v.end()) - v.begin() == p.largest);
    CHECK(test::count_evaluated(v) == static_cast<std::ptrdiff_t>(n));
    v.invalidate_evaluations();
    CHECK(thrust::min_element(v.cbegin(), v.cend()) - v.cbegin() == p.smallest);
    CHECK(test::count_evaluated(v) == static_cast<std::ptrdiff_t>(n));
    v.invalidate_evaluations();
    CHECK(thrust::max_element(v.begin(), v.end(), thrust::greater<>()) - v.begin() == p.smallest);
    CHECK(test::count_evaluated(v) == static_cast<std::ptrdiff_t>(n));
    v.invalidate_evaluations();
    CHECK(thrust::reduce(v.begin(), v.end()) == p.sum());
    CHECK(thrust::reduce(v.begin(), v.end(), lowest, thrust::maximum<>()) == p.x[static_cast<std::size_t>(p.largest)]);
    CHECK(test::count_evaluated(v) == static_cast<std::ptrdiff_t>(n));
  };
  check(device_vector(p.x));
  check(host_vector(p.x));
}

TEST_CASE("calls with thrust::device and thrust::host reach this library") {
  THRUST_RNS_TEST_ENGINE(engine, 802);
  const problem p(engine);
  p.check_ours<device_vector>(thrust::device);
  p.check_ours<host_vector>(thrust::host);
}

TEST_CASE("calls with the policies of a backend reach this library") {
  THRUST_RNS_TEST_ENGINE(engine, 803);
  const problem p(engine);
  p.check_ours<host_vector>(thrust::cpp::par);
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  p.check_ours<device_vector>(thrust::cuda::par);
  p.check_ours<device_vector>(thrust::cuda::par.on(stream));
  p.check_ours<device_vector>(thrust::cuda::par_nosync);
  p.check_ours<device_vector>(thrust::cuda::par_nosync.on(stream));
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
#elif THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_OMP
  p.check_ours<device_vector>(thrust::omp::par);
#else
  p.check_ours<device_vector>(thrust::cpp::par);
#endif
}

TEST_CASE("temporary memory comes from the allocator of the policy and goes back to it") {
  THRUST_RNS_TEST_ENGINE(engine, 804);
  const problem p(engine);
  test::counting_allocator memory;
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  p.check_ours<device_vector>(thrust::cuda::par(memory));
  const int calls = memory.calls;
  CHECK(calls >= 8);
  p.check_ours<device_vector>(thrust::cuda::par(memory).on(stream));
  thrust::device_memory_resource resource;
  p.check_ours<device_vector>(thrust::cuda::par(&resource));
  p.check_ours<device_vector>(thrust::cuda::par_nosync(&resource).on(stream));
  CHECK(memory.calls >= 2 * calls);
  p.check_ours<device_vector>(thrust::cuda::par_nosync(memory).on(stream));
  CHECK(memory.calls >= 3 * calls);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
#elif THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_OMP
  p.check_ours<device_vector>(thrust::omp::par(memory));
#else
  p.check_ours<device_vector>(thrust::cpp::par(memory));
#endif
  CHECK(memory.in_use == 0);
}

TEST_CASE("a system of the user's own comes before this library") {
  THRUST_RNS_TEST_ENGINE(engine, 806);
  const problem p(engine);
  device_vector v = p.x;
  int calls = 0;
  const own_system system(calls);
  CHECK(thrust::max_element(system, v.begin(), v.end()) - v.begin() == 1);
  CHECK(thrust::max_element(system, v.cbegin(), v.cend()) - v.cbegin() == 1);
  CHECK(calls == 2);
  CHECK(test::count_evaluated(v) == 0);
  CHECK(thrust::min_element(system, v.begin(), v.end()) - v.begin() == p.smallest); // it has none of its own
  CHECK(test::count_evaluated(v) == static_cast<std::ptrdiff_t>(n));
}
