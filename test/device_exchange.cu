// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// The CUB-style layer of the conversions: CUDA only.

#include "streams.h"
#include "vectors.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include <cuda_runtime_api.h>

#include <thrust/device_vector.h>

#include <thrust_rns/device/device_exchange.cuh>

namespace {

using thrust_rns::DeviceExchange;
using thrust_rns::limb_layout;
using number = thrust_rns::number<thrust_rns::moduli_for_bits<128>, thrust_rns::symmetric_range>;
using device_vector = thrust_rns::device_vector<number>;
using limb = std::uint64_t;

constexpr int limbs = 3; // the range has 155 bits
const limb_layout layout = limb_layout::rows(limbs).twos_complement();

template <class T>
T* raw(thrust::device_vector<T>& v) {
  return thrust::raw_pointer_cast(v.data());
}

void finish_writes() { REQUIRE(cudaDeviceSynchronize() == cudaSuccess); }

std::vector<limb> limbs_of(const std::vector<mpz_class>& values) {
  std::vector<limb> all(limbs * values.size(), 0);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const mpz_class z = test::modulo(values[k], test::power_of_two(64 * limbs));
    mpz_export(all.data() + limbs * k, nullptr, -1, sizeof(limb), 0, 0, z.get_mpz_t());
  }
  return all;
}

/// What a call needs beside its arrays.
struct workspace {
  thrust::device_vector<unsigned char> temp = thrust::device_vector<unsigned char>(16);
  thrust::device_vector<std::int64_t> failed = thrust::device_vector<std::int64_t>(1, -77);
  std::size_t bytes = 16;
  void* memory() { return raw(temp); }
};

} // namespace

TEST_CASE("the device layer converts at every size and offset, in a stream of the caller") {
  THRUST_RNS_TEST_ENGINE(engine, 3201);
  const test::stream_owner stream;
  for (const std::size_t n : {0U, 1U, 3U, 127U, 128U, 129U, 4099U, 100003U}) {
    CAPTURE(n);
    const std::vector<mpz_class> z = test::make_pattern<number>(test::pattern::random_length, engine, n);
    const std::vector<limb> host = limbs_of(z);
    const auto count = static_cast<std::int64_t>(n);
    for (std::int64_t offset = 0; offset < 4; ++offset) {
      thrust::device_vector<limb> in(host.begin(), host.end()), out(host.size(), 5);
      device_vector v(n + 5, number(3));
      workspace w, x;
      finish_writes();
      CHECK(DeviceExchange::ImportLimbs(w.memory(), w.bytes, raw(in), layout, v.begin() + offset, count, raw(w.failed),
                                        stream) == cudaSuccess);
      CHECK(DeviceExchange::ExportLimbs(x.memory(), x.bytes, v.cbegin() + offset, raw(out), layout, count,
                                        raw(x.failed), stream) == cudaSuccess);
      stream.wait();
      CHECK(w.failed[0] == count);
      CHECK(x.failed[0] == count);
      const std::vector<number> numbers = v.to_vector();
      for (std::size_t k = 0; k < n; ++k) {
        if (numbers[k + static_cast<std::size_t>(offset)] != test::make<number>(z[k])) FAIL_CHECK("element " << k);
      }
      for (std::size_t k = 0; k < 5; ++k) {
        const std::size_t at = k < static_cast<std::size_t>(offset) ? k : n + k;
        CHECK(numbers[at] == number(3));
      }
      CHECK(test::copy_of(out) == test::copy_of(in));
    }
  }
}

TEST_CASE("an element that fails is named in device memory, and nothing is written") {
  std::vector<mpz_class> z(1000, 5);
  z[400] = test::largest<number>() + 1;
  z[999] = test::smallest<number>() - 1;
  const std::vector<limb> host = limbs_of(z);
  thrust::device_vector<limb> in(host.begin(), host.end());
  device_vector v(1000, number(3));
  workspace w;
  CHECK(DeviceExchange::ImportLimbs(w.memory(), w.bytes, raw(in), layout, v.begin(), 1000, raw(w.failed)) ==
        cudaSuccess);
  finish_writes();
  CHECK(w.failed[0] == 400);
  CHECK(v == device_vector(1000, number(3)));
  CHECK(DeviceExchange::ImportLimbs(w.memory(), w.bytes, raw(in), layout, v.begin(), 1000) == cudaSuccess); // not asked
  finish_writes();
  CHECK(v == device_vector(1000, number(3)));

  v[700] = number(std::int64_t{1} << 32);
  v[800] = number(-1);
  thrust::device_vector<std::uint32_t> out(1000, 7);
  CHECK(DeviceExchange::ExportValues(w.memory(), w.bytes, v.begin(), raw(out), 1000, raw(w.failed)) == cudaSuccess);
  finish_writes();
  CHECK(w.failed[0] == 700);
  CHECK(test::copy_of(out) == std::vector<std::uint32_t>(1000, 7));
}

TEST_CASE("size queries do nothing else, and wrong arguments are invalid values") {
  device_vector v(10, number(3));
  thrust::device_vector<limb> memory(30, 9);
  workspace w;
  std::size_t bytes = 0;
  CHECK(DeviceExchange::ImportLimbs(nullptr, bytes, raw(memory), layout, v.begin(), 10, raw(w.failed)) == cudaSuccess);
  CHECK(bytes > 0);
  CHECK(bytes <= w.bytes);
  CHECK(DeviceExchange::ExportLimbs(nullptr, bytes, v.begin(), raw(memory), layout, 10, raw(w.failed)) == cudaSuccess);
  std::size_t less = bytes - 1;
  CHECK(DeviceExchange::ImportLimbs(w.memory(), less, raw(memory), layout, v.begin(), 10) == cudaErrorInvalidValue);
  CHECK(DeviceExchange::ExportLimbs(w.memory(), less, v.begin(), raw(memory), layout, 10) == cudaErrorInvalidValue);
  CHECK(DeviceExchange::ImportLimbs(w.memory(), bytes, raw(memory), layout, v.begin(), -1) == cudaErrorInvalidValue);
  CHECK(DeviceExchange::ExportValues(w.memory(), bytes, v.begin(), raw(memory), -1) == cudaErrorInvalidValue);
  CHECK(DeviceExchange::ImportLimbs(w.memory(), bytes, raw(memory), limb_layout::planes(3, 9), v.begin(), 10) ==
        cudaErrorInvalidValue);
  CHECK(DeviceExchange::Random(w.memory(), bytes, 1, 154, true, v.begin(), 10) == cudaErrorInvalidValue);
  finish_writes();
  CHECK(w.failed[0] == -77);
  CHECK(v == device_vector(10, number(3)));
  CHECK(test::copy_of(memory) == std::vector<limb>(30, 9));
}

TEST_CASE("a captured graph converts the data of each launch") {
  THRUST_RNS_TEST_ENGINE(engine, 3202);
  constexpr std::size_t n = 1001;
  thrust::device_vector<limb> in(limbs * n), out(limbs * n);
  device_vector v(n);
  workspace w, x;
  const test::stream_owner stream;
  finish_writes();
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
  CHECK(DeviceExchange::ImportLimbs(w.memory(), w.bytes, raw(in), layout, v.begin(), n, raw(w.failed), stream) ==
        cudaSuccess);
  CHECK(DeviceExchange::ExportLimbs(x.memory(), x.bytes, v.begin(), raw(out), layout, n, raw(x.failed), stream) ==
        cudaSuccess);
  REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  for (int launch = 0; launch < 3; ++launch) {
    std::vector<mpz_class> z = test::make_pattern<number>(test::pattern::edges, engine, n);
    if (launch == 1) z[17] = test::largest<number>() + 1; // fails: the numbers of the launch before stay
    const device_vector before = v;
    const std::vector<limb> host = limbs_of(z);
    thrust::copy(host.begin(), host.end(), in.begin());
    finish_writes();
    REQUIRE(cudaGraphLaunch(executable, stream) == cudaSuccess);
    stream.wait();
    CHECK(w.failed[0] == (launch == 1 ? 17 : static_cast<std::int64_t>(n)));
    CHECK(x.failed[0] == static_cast<std::int64_t>(n));
    CHECK(v == (launch == 1 ? before : device_vector(test::make<number>(z))));
    if (launch != 1) CHECK(test::copy_of(out) == test::copy_of(in));
  }
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
}

TEST_CASE("random numbers have the bit length that was asked for") {
  device_vector v(5000), w(5000);
  workspace space;
  for (const int bits : {0, 1, 31, 32, 33, 64, 100, 153}) {
    CAPTURE(bits);
    for (const bool exactly : {true, false}) {
      CHECK(DeviceExchange::Random(space.memory(), space.bytes, 11, bits, exactly, v.begin(), 5000) == cudaSuccess);
      finish_writes();
      const mpz_class end = test::power_of_two(bits), begin = exactly && bits > 0 ? mpz_class(end / 2) : mpz_class(0);
      for (const mpz_class& z : test::values_of(v)) {
        if (z < begin || z >= end) FAIL_CHECK(z.get_str());
      }
    }
  }
}
