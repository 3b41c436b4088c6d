// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// The CUB-style layer for arithmetic, products and inner products: CUDA only.

#include "streams.h"
#include "vectors.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include <cuda_runtime_api.h>

#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>

#include <thrust_rns/device/device_product.cuh>
#include <thrust_rns/device/device_transform.cuh>

namespace {

using thrust_rns::DeviceProduct;
using thrust_rns::DeviceTransform;
using number = thrust_rns::number<thrust_rns::moduli_for_bits<128>, thrust_rns::symmetric_range>;
using device_vector = thrust_rns::device_vector<number>;
using values = std::vector<mpz_class>;

void finish_writes() { REQUIRE(cudaDeviceSynchronize() == cudaSuccess); }

std::vector<number> map(const values& a, const values& b, mpz_class (*f)(const mpz_class&, const mpz_class&)) {
  values z;
  for (std::size_t j = 0; j < a.size(); ++j) z.push_back(f(a[j], b[j]));
  return test::make<number>(z);
}

} // namespace

TEST_CASE("each operation of DeviceTransform, of vectors and numbers, onto an operand, and from a graph") {
  THRUST_RNS_TEST_ENGINE(engine, 3401);
  const std::size_t n = 9001;
  const auto count = static_cast<std::int64_t>(n);
  const values a = test::make_pattern<number>(test::pattern::random, engine, n);
  const values b = test::make_pattern<number>(test::pattern::edges, engine, n);
  const device_vector x = test::make<number>(a), y = test::make<number>(b);
  device_vector out(n);
  const test::stream_owner stream;
  finish_writes();
  const auto check = [&](cudaError_t status, const std::vector<number>& want) {
    CHECK(status == cudaSuccess);
    stream.wait();
    CHECK(out.to_vector() == want);
  };
  check(DeviceTransform::Plus(x.begin(), y.begin(), out.begin(), count, stream),
        map(a, b, [](const mpz_class& s, const mpz_class& t) { return mpz_class(s + t); }));
  check(DeviceTransform::Minus(number(5), y.begin(), out.begin(), count, stream),
        map(b, b, [](const mpz_class& s, const mpz_class&) { return mpz_class(5 - s); }));
  check(DeviceTransform::MultiplyAdd(x.begin(), y.begin(), number(-1), out.begin(), count, stream),
        map(a, b, [](const mpz_class& s, const mpz_class& t) { return mpz_class(s * t - 1); }));
  check(DeviceTransform::Negate(x.begin(), out.begin(), count, stream),
        map(a, b, [](const mpz_class& s, const mpz_class&) { return mpz_class(-s); }));

  cudaGraph_t graph = nullptr;
  cudaGraphExec_t work = nullptr;
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
  CHECK(DeviceTransform::Multiplies(out.begin(), x.begin(), out.begin(), count, stream) == cudaSuccess);
  REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&work, graph, 0) == cudaSuccess);
  thrust::max_element(out.begin(), out.end()); // so that there are evaluations to go stale
  finish_writes();
  for (int k = 0; k < 2; ++k) REQUIRE(cudaGraphLaunch(work, stream) == cudaSuccess);
  check(cudaSuccess, map(a, a, [](const mpz_class& s, const mpz_class&) { return mpz_class(-s * s * s); }));
  CHECK(test::count_evaluated(out) == 0);
  cudaGraphExecDestroy(work);
  cudaGraphDestroy(graph);
}

TEST_CASE("DeviceTransform refuses a negative count, and does nothing for none") {
  device_vector v(5, 3);
  CHECK(DeviceTransform::Plus(v.begin(), v.begin(), v.begin(), -1) == cudaErrorInvalidValue);
  CHECK(DeviceTransform::Plus(v.begin(), v.begin(), v.begin(), 0) == cudaSuccess);
  finish_writes();
  CHECK(v.to_vector() == std::vector<number>(5, 3));
}

TEST_CASE("DeviceProduct: size query, results, errors") {
  THRUST_RNS_TEST_ENGINE(engine, 3402);
  const std::size_t n = 20001;
  const values a = test::make_pattern<number>(test::pattern::random, engine, n);
  const device_vector x = test::make<number>(a);
  mpz_class dot, product = 1;
  for (std::size_t j = 0; j + 1 < n; ++j) {
    dot += a[j] * a[j + 1];
    product = test::wrap<number>(product * a[j]);
  }
  const auto count = static_cast<std::int64_t>(n) - 1;
  thrust::device_vector<number> result(2, number(-77));
  number* out = thrust::raw_pointer_cast(result.data());
  std::size_t bytes = 0, more = 0;
  REQUIRE(DeviceProduct::Product(nullptr, bytes, x.begin(), out, count) == cudaSuccess);
  REQUIRE(DeviceProduct::InnerProduct(nullptr, more, x.begin(), x.begin() + 1, out + 1, count) == cudaSuccess);
  REQUIRE(bytes == more);
  thrust::device_vector<unsigned char> memory(bytes);
  void* temp = thrust::raw_pointer_cast(memory.data());
  std::size_t less = bytes - 1;
  CHECK(DeviceProduct::Product(temp, less, x.begin(), out, count) == cudaErrorInvalidValue);
  CHECK(DeviceProduct::Product(temp, bytes, x.begin(), out, -1) == cudaErrorInvalidValue);
  finish_writes();
  CHECK(number(result[0]) == number(-77));
  CHECK(DeviceProduct::Product(temp, bytes, x.begin(), out, count) == cudaSuccess);
  CHECK(DeviceProduct::InnerProduct(temp, bytes, x.begin(), x.begin() + 1, out + 1, count) == cudaSuccess);
  finish_writes();
  CHECK(test::value(number(result[0])) == product);
  CHECK(test::value(number(result[1])) == test::wrap<number>(dot));
}

// 9 GB a vector: set THRUST_RNS_TEST_LARGE to run it.
TEST_CASE("more than 2^31 residues") {
  if (std::getenv("THRUST_RNS_TEST_LARGE") == nullptr) return;
  using wide = thrust_rns::number<thrust_rns::moduli_for_bits<4096>>;
  const std::int64_t n = 17'000'000;
  REQUIRE(n * wide::size > std::int64_t{1} << 31);
  thrust_rns::device_vector<wide> v(static_cast<std::size_t>(n), wide(3));
  thrust::transform(v.begin(), v.end(), v.begin(), v.begin(), thrust_rns::multiplies());
  CHECK(thrust::reduce(v.begin(), v.end()) == wide(9) * wide(n));
  CHECK(wide(v.back()) == wide(9));
  thrust::inclusive_scan(v.begin(), v.end(), v.begin());
  CHECK(wide(v.back()) == wide(9) * wide(n));
  CHECK(wide(v[1'000'000]) == wide(9) * wide(1'000'001));
}
