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

/// DeviceRing::Invert with temporary storage of the size that it asks for.
template <class R, class A, class Output, class Flag>
class inverter {
 public:
  inverter(const A* a, Output* out, Flag* flags, std::int64_t count) : a_(a), out_(out), flags_(flags), count_(count) {
    REQUIRE(DeviceRing<R>::Invert(nullptr, bytes_, a, out, flags, count) == cudaSuccess);
    REQUIRE(bytes_ > 0);
    temp_.resize(bytes_);
  }
  cudaError_t operator()(cudaStream_t stream = nullptr) {
    return DeviceRing<R>::Invert(raw(temp_), bytes_, a_, out_, flags_, count_, stream);
  }
  cudaError_t with_bytes(std::size_t bytes) {
    return DeviceRing<R>::Invert(raw(temp_), bytes, a_, out_, flags_, count_);
  }
  std::size_t bytes() const { return bytes_; }

 private:
  const A* a_;
  Output* out_;
  Flag* flags_;
  std::int64_t count_;
  std::size_t bytes_ = 0;
  thrust::device_vector<unsigned char> temp_;
};

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
  inverter<R, element, element, bool> invert(raw(rows), raw(inverses), raw(flags), items);
  inverter<R, element, element, bool> invert_alone(raw(rows), raw(alone), static_cast<bool*>(nullptr), items);
  inverter<R, element, element, bool> invert_in_place(raw(rows), raw(rows), raw(flags), items);
  CHECK(invert(stream) == cudaSuccess);
  CHECK(invert_alone(stream) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  check_rows<R, element>(first, inverses, flags);
  CHECK(thrust::host_vector<element>(alone) == thrust::host_vector<element>(inverses));

  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  CHECK(invert_in_place(stream) == cudaSuccess);
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

TEST_CASE_TEMPLATE("Large batches in a field are inverted together, zeros and all", A,
                   full_element<prime_ring<761, 4591>>, small_element<prime_ring<761, 4591>, 3>) {
  using ring = prime_ring<761, 4591>;
  using element = full_element<ring>;
  THRUST_RNS_TEST_ENGINE(engine, 1712);
  const std::size_t count = test::amount<std::size_t>(30011, 9001); // not a multiple of the number of groups
  thrust::host_vector<A> pool = some_rows<A>(engine, 97);
  thrust::host_vector<A> first(count);
  for (std::size_t i = 0; i < count; ++i) first[i] = pool[i * i % 97];
  for (std::size_t i = count - 100; i < count; ++i) first[i] = i % 2 == 0 ? A() : pool[i % 97];
  thrust::device_vector<A> rows = first;
  thrust::device_vector<element> inverses(count), ones(count);
  thrust::device_vector<std::int32_t> flags(count, 7);
  const auto items = static_cast<std::int64_t>(count);
  inverter<ring, A, element, std::int32_t> invert(raw(rows), raw(inverses), raw(flags), items);
  CHECK(invert.bytes() > 1);
  CHECK(invert.with_bytes(invert.bytes() - 1) == cudaErrorInvalidValue);

  const auto check = [&] {
    CHECK(DeviceRing<ring>::Multiply(raw(inverses), raw(rows), raw(ones), items) == cudaSuccess);
    const thrust::host_vector<element> inverse = inverses, product = ones;
    const thrust::host_vector<std::int32_t> flag = flags;
    element one;
    one.set(0, 1);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const bool invertible = first[i] != A();
      wrong += flag[i] != static_cast<int>(invertible) || product[i] != (invertible ? one : element()) ||
               (!invertible && inverse[i] != element());
    }
    CHECK(wrong == 0);
  };
  CHECK(invert() == cudaSuccess);
  check();
  if constexpr (A::is_full) { // in place
    inverses = rows;
    inverter<ring, A, element, std::int32_t> in_place(raw(inverses), raw(inverses), raw(flags), items);
    CHECK(in_place.bytes() > invert.bytes());
    flags.assign(count, 7);
    CHECK(in_place() == cudaSuccess);
    check();
  }
}

TEST_CASE("Invert refuses what it cannot do, and does nothing for no elements") {
  using ring = prime_ring<761, 4591>;
  using element = full_element<ring>;
  thrust::device_vector<element> rows(2);
  element* const null = nullptr;
  auto* const misaligned = reinterpret_cast<element*>(reinterpret_cast<unsigned char*>(raw(rows)) + 2);
  thrust::device_vector<unsigned char> memory(16);
  void* const temp = raw(memory);
  std::size_t bytes = 16;
  CHECK(DeviceRing<ring>::Invert(temp, bytes, raw(rows), raw(rows), -1) == cudaErrorInvalidValue);
  CHECK(DeviceRing<ring>::Invert(temp, bytes, null, raw(rows), 1) == cudaErrorInvalidValue);
  CHECK(DeviceRing<ring>::Invert(temp, bytes, raw(rows), null, 1) == cudaErrorInvalidValue);
  CHECK(DeviceRing<ring>::Invert(temp, bytes, misaligned, raw(rows), 1) == cudaErrorInvalidValue);
  CHECK(DeviceRing<ring>::Invert(temp, bytes, raw(rows), misaligned, 1) == cudaErrorInvalidValue);
  CHECK(DeviceRing<ring>::Invert(temp, bytes, raw(rows), raw(rows), 100000) == cudaErrorInvalidValue); // too few bytes
  CHECK(DeviceRing<ring>::Invert(temp, bytes, null, null, 0) == cudaSuccess);
  CHECK(cudaGetLastError() == cudaSuccess);
}
