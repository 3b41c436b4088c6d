// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// One number evaluated by a warp or a block: the key of `evaluate`, bit for bit, in every thread.

#include <vector>

#include <doctest/doctest.h>
#include <gmpxx.h>

#include <thrust/device_vector.h>

#include <thrust_rns/device_vector.h>
#include <thrust_rns/block/evaluate.cuh>

#include "support.h"

namespace {

template <class Number>
__global__ void evaluate_by_warps(thrust_rns::span<const Number> s, std::uint64_t* keys) {
  const std::int64_t j = (std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
  if (j >= s.size()) return; // whole warps
  const auto e = thrust_rns::warp_evaluate<Number>([&](int i) { return s.plane(i)[j]; });
  keys[32 * j + threadIdx.x % 32] = e.key();
}

template <int Threads, class Number>
__global__ void evaluate_by_blocks(thrust_rns::span<const Number> s, std::uint64_t* keys) {
  using block_evaluate = thrust_rns::BlockEvaluate<Number, Threads>;
  __shared__ typename block_evaluate::TempStorage temp;
  for (std::int64_t j = blockIdx.x; j < s.size(); j += gridDim.x) {
    const auto e = block_evaluate(temp).Evaluate([&](int i) { return s.plane(i)[j]; });
    keys[Threads * j + threadIdx.x] = e.key();
  }
}

template <class Number>
void check(std::size_t count) {
  THRUST_RNS_TEST_ENGINE(engine, 901);
  std::vector<mpz_class> values = test::sample_values<Number>(engine, static_cast<int>(count));
  if (values.size() > 4 * count) values.erase(values.begin(), values.end() - static_cast<std::ptrdiff_t>(4 * count));
  values.push_back(test::smallest<Number>());
  values.push_back(test::largest<Number>());
  for (int k = 0; k < 3; ++k) values.push_back(k);
  const std::vector<Number> numbers = test::make<Number>(values);
  const thrust_rns::device_vector<Number> v = numbers;
  const auto agree = [&](int threads, const std::vector<std::uint64_t>& keys) {
    bool equal = true;
    for (std::size_t j = 0; j < numbers.size(); ++j) {
      for (int t = 0; t < threads; ++t) {
        equal = equal && keys[j * static_cast<std::size_t>(threads) + static_cast<std::size_t>(t)] ==
                             thrust_rns::evaluate(numbers[j]).key();
      }
    }
    return equal;
  };
  const auto host = [](const thrust::device_vector<std::uint64_t>& keys) {
    std::vector<std::uint64_t> h(keys.size());
    thrust::copy(keys.begin(), keys.end(), h.begin());
    return h;
  };

  thrust::device_vector<std::uint64_t> by_warps(32 * numbers.size());
  evaluate_by_warps<Number>
      <<<static_cast<unsigned>(numbers.size() / 4 + 1), 128>>>(v.as_span(), thrust::raw_pointer_cast(by_warps.data()));
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(agree(32, host(by_warps)));

  thrust::device_vector<std::uint64_t> by_blocks(128 * numbers.size());
  evaluate_by_blocks<128, Number><<<7, 128>>>(v.as_span(), thrust::raw_pointer_cast(by_blocks.data()));
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(agree(128, host(by_blocks)));
}

} // namespace

TEST_CASE("warps and blocks evaluate bases with fewer moduli than threads, with more, and the largest") {
  const std::size_t count = test::small() ? 20 : 200;
  check<thrust_rns::number<thrust_rns::moduli_for_bits<64>>>(count);
  check<thrust_rns::number<thrust_rns::moduli_for_bits<1024>, thrust_rns::symmetric_range>>(count);
  check<thrust_rns::number<thrust_rns::moduli_for_bits<8431>>>(count);
}
