// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// DeviceRing::Invert: CUDA only.

#include "rings.h"

#include <cstddef>
#include <cstdint>
#include <random>

#include <cuda_runtime_api.h>

#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

#include <thrust_rns/ring_invert.h>
#include <thrust_rns/device/device_ring.cuh>

using namespace thrust_rns;

namespace {

template <class Vector>
auto* raw(Vector& v) {
  return thrust::raw_pointer_cast(v.data());
}

template <class Element>
thrust::host_vector<Element> some_rows(std::mt19937_64& engine, std::size_t count) {
  thrust::host_vector<Element> rows(count); // each seventh is 0
  for (std::size_t i = 0; i < count; ++i) {
    if (i % 7 != 3) rows[i] = test::element<Element>(test::random_integers(engine, test::kind_of<Element>()));
  }
  return rows;
}

/// Against the host's inverses.
template <class R, class A>
void check_rows(const thrust::host_vector<A>& rows, const thrust::host_vector<detail::result_element<R>>& inverses,
                const thrust::host_vector<bool>& flags) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CAPTURE(i);
    detail::result_element<R> want;
    const bool invertible = detail::invert_element<R>(rows[i], want);
    CHECK(inverses[i] == want);
    CHECK(flags[i] == invertible);
  }
}

} // namespace

TEST_CASE_TEMPLATE("Invert works without and within a graph", R, prime_ring<761, 4591>, prime_ring<761, 3>,
                   prime_ring<1277, 7879>, prime_ring<1277, 3>) {
  THRUST_RNS_TEST_ENGINE(engine, 1711);
  using element = detail::result_element<R>;
  const std::size_t count = test::amount<std::size_t>(300, 20);
  const thrust::host_vector<element> first = some_rows<element>(engine, count);
  thrust::device_vector<element> rows = first, inverses(count), alone(count);
  thrust::device_vector<bool> flags(count);
  const auto items = static_cast<std::int64_t>(count);

  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  CHECK(DeviceRing<R>::Invert(raw(rows), raw(inverses), raw(flags), items, stream) == cudaSuccess);
  CHECK(DeviceRing<R>::Invert(raw(rows), raw(alone), items, stream) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  check_rows<R, element>(first, inverses, flags);
  CHECK(thrust::host_vector<element>(alone) == thrust::host_vector<element>(inverses));

  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  CHECK(DeviceRing<R>::Invert(raw(rows), raw(rows), raw(flags), items, stream) == cudaSuccess);
  REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  const thrust::host_vector<element> second = some_rows<element>(engine, count);
  rows = second;
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  REQUIRE(cudaGraphLaunch(executable, stream) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  check_rows<R, element>(second, rows, flags);
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

TEST_CASE("Invert refuses what it cannot do, and does nothing for no elements") {
  using ring = prime_ring<761, 4591>;
  using element = full_element<ring>;
  thrust::device_vector<element> rows(2);
  element* const null = nullptr;
  auto* const misaligned = reinterpret_cast<element*>(reinterpret_cast<unsigned char*>(raw(rows)) + 2);
  CHECK(DeviceRing<ring>::Invert(raw(rows), raw(rows), -1) == cudaErrorInvalidValue);
  CHECK(DeviceRing<ring>::Invert(null, raw(rows), 1) == cudaErrorInvalidValue);
  CHECK(DeviceRing<ring>::Invert(raw(rows), null, 1) == cudaErrorInvalidValue);
  CHECK(DeviceRing<ring>::Invert(misaligned, raw(rows), 1) == cudaErrorInvalidValue);
  CHECK(DeviceRing<ring>::Invert(raw(rows), misaligned, 1) == cudaErrorInvalidValue);
  CHECK(DeviceRing<ring>::Invert(null, null, 0) == cudaSuccess);
  CHECK(cudaGetLastError() == cudaSuccess);
}
