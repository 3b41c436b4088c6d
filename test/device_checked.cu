// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// The CUB-style layer of checked arithmetic: CUDA only.

#include "streams.h"
#include "vectors.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include <cuda_runtime_api.h>

#include <thrust/device_vector.h>

#include <thrust_rns/checked.h>
#include <thrust_rns/signed.h>
#include <thrust_rns/device/device_checked.cuh>

namespace {

using thrust_rns::DeviceChecked;
using number = thrust_rns::number<thrust_rns::isupov_moduli<64>>;
using signed_number = thrust_rns::number<thrust_rns::isupov_moduli<64>, thrust_rns::symmetric_range>;

void finish_writes() { REQUIRE(cudaDeviceSynchronize() == cudaSuccess); }

} // namespace

TEST_CASE("products, with room for evaluations and without, in place") {
  THRUST_RNS_TEST_ENGINE(engine, 2852);
  std::vector<mpz_class> x, y, expected;
  std::int64_t first = -1;
  const mpz_class bound = test::largest<number>();
  for (int k = 0; k < 2305; ++k) {
    x.push_back(test::random_below(engine, test::power_of_two(1 + k % 40)));
    y.push_back(k == 1700 ? mpz_class(bound / (x.back() + 1) * 2) : test::random_below(engine, test::power_of_two(20)));
    expected.push_back(test::wrap<number>(x.back() * y.back()));
    if (first < 0 && x.back() * y.back() > bound) first = k;
  }
  for (const bool cached : {true, false}) {
    thrust_rns::device_vector<number> a = test::make<number>(x), b = test::make<number>(y);
    const auto view = [&](thrust_rns::device_vector<number>& v) {
      const thrust_rns::span<number> s = v.as_span();
      return thrust_rns::device_iterator<number>(
          thrust_rns::span<number>(s.plane(0), s.stride(), s.size(), cached ? s.evaluations() : nullptr), 0);
    };
    std::size_t bytes = 0;
    thrust::device_vector<std::int64_t> index(1, -77);
    std::int64_t* out = thrust::raw_pointer_cast(index.data());
    REQUIRE(DeviceChecked::Transform(nullptr, bytes, view(a), view(b), view(b), out, 2305, thrust_rns::multiplies()) ==
            cudaSuccess);
    thrust::device_vector<char> temp(bytes);
    void* memory = thrust::raw_pointer_cast(temp.data());
    REQUIRE(DeviceChecked::Transform(memory, bytes, view(a), view(b), view(b), out, 2305, thrust_rns::multiplies()) ==
            cudaSuccess);
    CHECK(index[0] == first);
    CHECK(test::values_of(b) == expected);
    CHECK(test::count_evaluated(a) == (cached ? 2305 : 0));
    CHECK(test::count_evaluated(b) == 0);
    bytes -= 1;
    CHECK(DeviceChecked::Transform(memory, bytes, view(a), view(b), view(b), out, 2305, thrust_rns::multiplies()) ==
          cudaErrorInvalidValue);
  }
}

TEST_CASE("the index of the first overflow goes to device memory, in a graph too") {
  THRUST_RNS_TEST_ENGINE(engine, 2851);
  const std::vector<mpz_class> x = test::make_pattern<number>(test::pattern::random_length, engine, 2305);
  const std::vector<mpz_class> y = test::make_pattern<number>(test::pattern::random_length, engine, 2305);
  const thrust_rns::device_vector<number> a = test::make<number>(x), b = test::make<number>(y);
  thrust_rns::device_vector<number> c(x.size());
  std::int64_t first = -1;
  std::vector<mpz_class> expected;
  for (std::size_t k = 0; k < x.size(); ++k) {
    expected.push_back(test::wrap<number>(x[k] - y[k]));
    if (first < 0 && x[k] < y[k]) first = static_cast<std::int64_t>(k);
  }
  thrust::device_vector<std::int64_t> index(1, -77);
  thrust::device_vector<char> temp(16);
  std::int64_t* out = thrust::raw_pointer_cast(index.data());
  void* memory = thrust::raw_pointer_cast(temp.data());
  const auto n = static_cast<std::int64_t>(x.size());
  std::size_t bytes = 0;
  REQUIRE(DeviceChecked::Transform(nullptr, bytes, a.begin(), b.begin(), c.begin(), out, n, thrust_rns::minus()) ==
          cudaSuccess);
  REQUIRE(bytes > 0);
  REQUIRE(bytes <= temp.size());
  CHECK(index[0] == -77);
  CHECK(DeviceChecked::Transform(memory, bytes, a.begin(), b.begin(), c.begin(), out, -1, thrust_rns::minus()) ==
        cudaErrorInvalidValue);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);

  const test::stream_owner stream;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
  CHECK(DeviceChecked::Transform(memory, bytes, a.begin(), b.begin(), c.begin(), out, n, thrust_rns::minus(), stream) ==
        cudaSuccess);
  REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  for (int repeat = 0; repeat < 2; ++repeat) {
    REQUIRE(cudaGraphLaunch(executable, stream) == cudaSuccess);
    stream.wait();
    CHECK(index[0] == first);
    CHECK(test::values_of(c) == expected);
  }
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);

  CHECK(DeviceChecked::Transform(memory, bytes, a.begin(), b.begin(), c.begin(), out, 0, thrust_rns::minus(), stream) ==
        cudaSuccess);
  stream.wait();
  CHECK(index[0] == -1);
}

TEST_CASE_TEMPLATE("inner products and sums of magnitudes where spans keep no evaluations, at all offsets", Number,
                   number, signed_number) {
  THRUST_RNS_TEST_ENGINE(engine, 2853);
  const mpz_class& m = test::dynamic_range<typename Number::base_type>();
  const auto view = [](const thrust_rns::device_vector<Number>& v, std::int64_t first) {
    const thrust_rns::span<const Number> s = v.as_span();
    return thrust_rns::device_iterator<const Number>(
        thrust_rns::span<const Number>(s.plane(0), s.stride(), s.size(), nullptr), first);
  };
  for (const test::pattern p : {test::pattern::random, test::pattern::random_length}) {
    std::vector<mpz_class> x = test::make_pattern<Number>(p, engine, 700),
                           y = test::make_pattern<Number>(p, engine, 700);
    if (p == test::pattern::random_length) {
      for (mpz_class& z : y) z = sgn(z); // all products fit
    }
    const thrust_rns::device_vector<Number> a = test::make<Number>(x), b = test::make<Number>(y);
    for (const std::int64_t i : {0, 1, 3}) {
      for (const std::int64_t j : {i, std::int64_t{2}}) {
        mpz_class inner, magnitudes;
        std::int64_t first = -1;
        for (std::int64_t k = 0; k < 690; ++k) {
          const mpz_class &u = x[static_cast<std::size_t>(k + i)], &v = y[static_cast<std::size_t>(k + j)];
          const mpz_class wrapped = test::wrap<Number>(u * v);
          if (first < 0 && wrapped != u * v) first = k;
          inner += wrapped;
          magnitudes += abs(u);
        }
        const auto product = thrust_rns::checked_inner_product(view(a, i), view(a, i + 690), view(b, j));
        CHECK(test::value(product.value) + test::mpz(product.wraps) * m == inner);
        CHECK(product.first_overflow == first);
        const auto sum = thrust_rns::sum_of_magnitudes(view(a, i), view(a, i + 690));
        CHECK(test::value(sum.value) + test::mpz(sum.wraps) * m == magnitudes);
      }
    }
  }
}

TEST_CASE("products next to 0 without evaluations after the first that overflows") {
  std::vector<mpz_class> x(5000, 3), y(5000, 5);
  const mpz_class large = test::largest<number>();
  x[0] = y[0] = large;
  for (std::size_t k = 1; k < x.size(); k += 3) x[k] = large - k; // times 5: outside too
  mpz_class inner;
  for (std::size_t k = 0; k < x.size(); ++k) inner += test::wrap<number>(x[k] * y[k]);
  thrust_rns::device_vector<number> a = test::make<number>(x), b = test::make<number>(y);
  const mpz_class& m = test::dynamic_range<number::base_type>();
  for (const std::size_t known :
       {std::size_t{128}, std::size_t{1}, x.size()}) { // the search ends before it meets the others
    thrust::max_element(a.begin(), a.end());
    thrust::max_element(b.begin(), b.end());
    std::uint64_t* keys[2] = {a.as_span().evaluations(), b.as_span().evaluations()};
    for (std::uint64_t* k : keys) {
      REQUIRE(cudaMemset(k + known, 0, sizeof(std::uint64_t) * (x.size() - known)) == cudaSuccess);
    }
    finish_writes();
    const auto p = thrust_rns::checked_inner_product(a.cbegin(), a.cend(), b.cbegin());
    CHECK(test::value(p.value) + test::mpz(p.wraps) * m == inner);
    CHECK(p.first_overflow == 0);
  }
}

TEST_CASE("inner products and sums of magnitudes of more elements than approximate positions can be summed of") {
  const std::int64_t n = thrust_rns::detail::most_approximate_positions + 70;
  if (test::small()) return; // 2.7 GB
  const auto of_64_bits = [](std::int64_t x) { return mpz_class(static_cast<long>(x)); };
  const mpz_class& m = test::dynamic_range<signed_number::base_type>();
  const mpz_class x = -(mpz_class(1) << 40) - 12345, y = (m / 3) >> 40; // products of nearly a third of the range
  thrust_rns::device_vector<signed_number> a(static_cast<std::size_t>(n), test::make<signed_number>(x)),
      b(static_cast<std::size_t>(n), test::make<signed_number>(y));
  for (const std::int64_t outside : {std::int64_t{-1}, n - 3}) {
    mpz_class inner = x * y * of_64_bits(n);
    if (outside >= 0) {
      const mpz_class large = test::largest<signed_number>();
      b[outside] = test::make<signed_number>(large);
      inner += test::wrap<signed_number>(x * large) - x * y;
    }
    const auto p = thrust_rns::checked_inner_product(a.begin(), a.end(), b.begin());
    CHECK(test::value(p.value) + test::mpz(p.wraps) * m == inner);
    CHECK(p.first_overflow == outside);
  }
  const auto s = thrust_rns::sum_of_magnitudes(a.begin(), a.end());
  CHECK(test::value(s.value) + test::mpz(s.wraps) * m == -x * of_64_bits(n));
}
