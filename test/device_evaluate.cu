// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Evaluation of numbers of any magnitude on the device: every key is that of the number or one less, and never 0.

#include "streams.h"
#include "vectors.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include <cuda_runtime_api.h>

#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>

#include <thrust_rns/device_vector.h>
#include <thrust_rns/device/device_evaluate.cuh>

namespace {

using thrust_rns::DeviceEvaluate;
using thrust_rns::moduli_for_bits;
using thrust_rns::number;
using thrust_rns::symmetric_range;
using thrust_rns::unsigned_range;

/// f(|z|/M) of interval.h.
template <class Number>
std::uint64_t code_of(const mpz_class& z) {
  constexpr int p = thrust_rns::interval_evaluation<Number>::mantissa_bits;
  const mpz_class& m = test::dynamic_range<typename Number::base_type>();
  const mpz_class size = abs(z);
  if (size == 0) return 0;
  unsigned shift = 0; // 2^shift |z|/M in [1, 2)
  const std::size_t bits = mpz_sizeinbase(m.get_mpz_t(), 2), bits_of_z = mpz_sizeinbase(size.get_mpz_t(), 2);
  if (bits > bits_of_z + 1) shift = static_cast<unsigned>(bits - bits_of_z - 1);
  while ((size << shift) < m) ++shift;
  const mpz_class mantissa = (size << (shift + p)) / m - test::power_of_two(p);
  const auto exponent =
      static_cast<std::uint64_t>(thrust_rns::dynamic_range_bits<typename Number::base_type> + 1) - shift;
  return (exponent << p) + mantissa.get_ui();
}

template <class Number>
bool is_key_of(std::uint64_t key, const mpz_class& z) {
  constexpr std::uint64_t zero = thrust_rns::interval_evaluation<Number>::key_of_zero;
  const std::uint64_t code = code_of<Number>(z);
  if (code == 0) return key == zero;
  const std::uint64_t exact = z > 0 ? zero + code : zero - code;
  return key == exact || key == exact - 1;
}

/// Sizes and calls in one; waits.
template <class NumbersIn>
std::vector<std::uint64_t> keys_of(NumbersIn first, std::int64_t count) {
  thrust::device_vector<std::uint64_t> keys(static_cast<std::size_t>(count), 0);
  std::size_t bytes = 0;
  REQUIRE(DeviceEvaluate::Keys(nullptr, bytes, first, thrust::raw_pointer_cast(keys.data()), count) == cudaSuccess);
  REQUIRE(bytes > 0);
  thrust::device_vector<unsigned char> temp(bytes, 0xff);
  REQUIRE(DeviceEvaluate::Keys(thrust::raw_pointer_cast(temp.data()), bytes, first,
                               thrust::raw_pointer_cast(keys.data()), count) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  std::vector<std::uint64_t> h(keys.size());
  thrust::copy(keys.begin(), keys.end(), h.begin());
  return h;
}

template <class Number>
std::ptrdiff_t count_wrong(const std::vector<std::uint64_t>& keys, const mpz_class* z) {
  std::ptrdiff_t wrong = 0;
  for (std::size_t j = 0; j < keys.size(); ++j) wrong += !is_key_of<Number>(keys[j], z[j]);
  return wrong;
}

/// A vector, a sub-range at every offset, and an array of the same numbers.
template <class Number>
void check(const std::vector<mpz_class>& z) {
  const thrust_rns::device_vector<Number> v = test::make<Number>(z);
  const auto s = v.as_span();
  const thrust_rns::const_device_iterator<Number> uncached({s.plane(0), s.stride(), s.size()}, 0);
  const auto n = static_cast<std::int64_t>(z.size());
  for (std::int64_t offset = 0; offset < 4 && 2 * offset <= n; ++offset) {
    CAPTURE(offset);
    CHECK(count_wrong<Number>(keys_of(uncached + offset, n - 2 * offset), z.data() + offset) == 0);
  }
  CHECK(test::count_evaluated(v) == 0);
  if (n > 10) CHECK(count_wrong<Number>(keys_of(v.begin() + 3, n - 10), z.data() + 3) == 0);
  CHECK(test::count_evaluated(v) == (n > 10 ? n - 10 : 0)); // those and no others
  const std::vector<std::uint64_t> keys = keys_of(v.begin(), n);
  CHECK(count_wrong<Number>(keys, z.data()) == 0);
  CHECK(test::evaluations_of(v) == keys);
  const thrust::device_vector<Number> array = test::make<Number>(z);
  CHECK(count_wrong<Number>(keys_of(thrust::raw_pointer_cast(array.data()), n), z.data()) == 0);
}

/// Small values, of one sign or both: whole warps of them.
template <class Number, class Engine>
std::vector<mpz_class> small_values(Engine& engine, std::size_t n, int bits) {
  std::vector<mpz_class> z(n);
  for (mpz_class& x : z) {
    x = test::random_below(engine, test::power_of_two(static_cast<int>(engine() % static_cast<unsigned>(bits + 1))));
    if (engine() % 2 != 0) x = -x;
    x = test::wrap<Number>(x);
  }
  return z;
}

template <class Number>
void check_patterns(std::size_t n) {
  THRUST_RNS_TEST_ENGINE(engine, 1101);
  for (const test::pattern p : test::all_patterns) {
    CAPTURE(static_cast<int>(p));
    check<Number>(test::make_pattern<Number>(p, engine, n));
  }
  for (const int bits : {64, 92, 93, 94, 130}) {
    CAPTURE(bits);
    check<Number>(small_values<Number>(engine, n, bits));
    std::vector<mpz_class> z = small_values<Number>(engine, n, bits);
    for (mpz_class& x : z) x = abs(x);
    for (mpz_class& x : z) x = test::wrap<Number>(x);
    check<Number>(z);
    for (std::size_t j = 0; j < n; j += 4 + j / 8) z[j] = test::random_value<Number>(engine); // and others between
    check<Number>(z);
  }
}

} // namespace

TEST_CASE("keys of all patterns, 128 bits, both ranges") {
  check_patterns<number<moduli_for_bits<128>, symmetric_range>>(1030);
  check_patterns<number<moduli_for_bits<128>>>(517);
}

TEST_CASE("keys of all patterns, two moduli and an even one") {
  check_patterns<number<thrust_rns::moduli_set<2147483629, 16>, symmetric_range>>(300);
  check_patterns<number<thrust_rns::moduli_set<13, 7, 16, 2147483647>, symmetric_range>>(300);
}

TEST_CASE("keys of all patterns, the largest set of the paper") {
  check_patterns<number<thrust_rns::isupov_moduli<4096>>>(300);
}

TEST_CASE("a captured graph evaluates the data of each launch, of any size") {
  using wide = number<moduli_for_bits<128>, symmetric_range>;
  THRUST_RNS_TEST_ENGINE(engine, 1102);
  constexpr std::size_t n = 70001;
  thrust_rns::device_vector<wide> v(n);
  thrust::device_vector<std::uint64_t> keys(n);
  std::size_t bytes = 0;
  REQUIRE(DeviceEvaluate::Keys(nullptr, bytes, v.begin(), thrust::raw_pointer_cast(keys.data()), n) == cudaSuccess);
  thrust::device_vector<unsigned char> temp(bytes);
  const test::stream_owner stream;
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
  CHECK(DeviceEvaluate::Keys(thrust::raw_pointer_cast(temp.data()), bytes, v.begin(),
                             thrust::raw_pointer_cast(keys.data()), n, stream) == cudaSuccess);
  REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  for (const test::pattern p : {test::pattern::random, test::pattern::random_length, test::pattern::neighbours}) {
    const std::vector<mpz_class> z = test::make_pattern<wide>(p, engine, n);
    const thrust_rns::device_vector<wide> w = test::make<wide>(z);
    thrust::copy(w.begin(), w.end(), v.begin()); // drops evaluations
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    REQUIRE(cudaGraphLaunch(executable, stream) == cudaSuccess);
    stream.wait();
    std::vector<std::uint64_t> h(n);
    thrust::copy(keys.begin(), keys.end(), h.begin());
    CHECK(count_wrong<wide>(h, z.data()) == 0);
  }
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
}

TEST_CASE("bits that are no residues get keys too, and wrong calls are refused") {
  using wide = number<moduli_for_bits<128>, symmetric_range>;
  THRUST_RNS_TEST_ENGINE(engine, 1103);
  thrust_rns::device_vector<wide> v(3001);
  const auto s = v.as_span();
  std::vector<std::uint32_t> bits(static_cast<std::size_t>(s.stride()));
  for (int i = 0; i < wide::size; ++i) {
    for (std::uint32_t& b : bits) b = engine() % 3 == 0 ? 0xffffffffu : static_cast<std::uint32_t>(engine());
    thrust::copy(bits.begin(), bits.end(), thrust::device_pointer_cast(s.plane(i)));
  }
  for (const std::uint64_t key : keys_of(v.begin(), 3001)) CHECK(key != 0);
  std::size_t bytes = 0;
  std::uint64_t* no_keys = nullptr;
  REQUIRE(DeviceEvaluate::Keys(nullptr, bytes, v.begin(), no_keys, 3001) == cudaSuccess);
  thrust::device_vector<unsigned char> temp(bytes);
  void* d_temp = thrust::raw_pointer_cast(temp.data());
  std::size_t too_few = bytes - 1;
  CHECK(DeviceEvaluate::Keys(d_temp, too_few, v.begin(), no_keys, 3001) == cudaErrorInvalidValue);
  CHECK(DeviceEvaluate::Keys(d_temp, bytes, v.begin(), no_keys, -1) == cudaErrorInvalidValue);
  CHECK(DeviceEvaluate::Keys(d_temp, bytes, v.begin(), no_keys, 0) == cudaSuccess);
}
