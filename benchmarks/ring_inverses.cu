// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Inverses in the rings of NTRU Prime and CTRU-Prime: millions a second by parameter set and batch.
//
// Random elements in device memory. Times: CUDA events around DeviceRing::Invert, median of 11 calls after a warm-up. After each
// timed call every inverse is multiplied by its element; in R/3, where some elements have none, those flagged must give 1.

#include "ring_common.cuh"

#include <thrust_rns/ring_multiply.h>
#include <thrust_rns/device/device_ring.cuh>

#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/transform_reduce.h>

#include <cstddef>
#include <type_traits>

namespace {

using thrust_rns::prime_ring;

/// 1 where a product is not what the flag says.
template <class Element>
struct is_wrong {
  const Element* products;
  const Element* inverses;
  const bool* invertible;
  Element one;

  __host__ __device__ int operator()(std::int64_t i) const {
    return (invertible[i] ? products[i] != one : inverses[i] != Element()) ? 1 : 0;
  }
};

template <class R>
void measure(benchmark::State& state, std::int64_t count, bool field) {
  using element = thrust_rns::detail::result_element<R>;
  const auto size = static_cast<std::size_t>(count);
  thrust_rns::ring_vector<element> a(size), inverses(size), products(size);
  thrust::device_vector<bool> invertible(size);
  randomise(a, 3);
  const auto raw = [](auto& v) { return thrust::raw_pointer_cast(v.data()); };
  std::size_t bytes = 0;
  cudaError_t status = thrust_rns::DeviceRing<R>::Invert(nullptr, bytes, raw(a), raw(inverses), raw(invertible), count);
  thrust::device_vector<unsigned char> temp(bytes);
  const auto run = [&] {
    return thrust_rns::DeviceRing<R>::Invert(raw(temp), bytes, raw(a), raw(inverses), raw(invertible), count);
  };
  if (status == cudaSuccess) status = run();
  for (auto _ : state) {
    cudaMemset(raw(inverses), 0xff, size * sizeof(element));
    const double s = seconds([&] { status = status == cudaSuccess ? run() : status; });
    if (status == cudaSuccess) status = cudaDeviceSynchronize();
    if (status != cudaSuccess) return fail(state, cudaGetErrorString(status));
    status = thrust_rns::DeviceRing<R>::Multiply(raw(inverses), raw(a), raw(products), count);
    is_wrong<element> wrong{raw(products), raw(inverses), raw(invertible), element()};
    wrong.one.set(0, 1);
    const thrust::counting_iterator<std::int64_t> first(0);
    if (thrust::transform_reduce(thrust::device, first, first + count, wrong, 0, thrust::plus<int>()) != 0) {
      return fail(state, "wrong result");
    }
    const auto usable = thrust::count(invertible.begin(), invertible.end(), true);
    if (field ? usable != count : usable < count / 3) return fail(state, "too few elements have an inverse");
    state.SetIterationTime(s);
    state.counters["Minverses/s"] = static_cast<double>(count) / s * 1e-6;
  }
}

template <class R>
void add_inverses(bool field) {
  for (const int log2 : {12, 14, 17, 19}) {
    const std::int64_t count = std::int64_t{1} << log2;
    add("inverse_mod_" + std::to_string(R::modulus) + "/" + std::to_string(R::degree) + "/" + std::to_string(count),
        [=](benchmark::State& state) { measure<R>(state, count, field); });
  }
}

} // namespace

int main(int argc, char** argv) {
  add_inverses<prime_ring<653, 4621>>(true);
  add_inverses<prime_ring<761, 4591>>(true);
  add_inverses<prime_ring<857, 5167>>(true);
  add_inverses<prime_ring<953, 6343>>(true);
  add_inverses<prime_ring<1013, 7177>>(true);
  add_inverses<prime_ring<1277, 7879>>(true);
  add_inverses<prime_ring<653, 3>>(false);
  add_inverses<prime_ring<761, 3>>(false);
  add_inverses<prime_ring<1277, 3>>(false);
  return run_benchmarks(argc, argv);
}
