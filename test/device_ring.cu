// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// The CUB-style layer of ring products, streams, and large batches: CUDA only.

#include "rings.h"
#include "streams.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include <cuda_runtime_api.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/tabulate.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>

#include <thrust_rns/device/device_ring.cuh>

using namespace thrust_rns;

namespace {

using ring = prime_ring<761, 4591>;
using full = full_element<ring>;
using ternary = ternary_element<ring>;
using device_ring = DeviceRing<ring>;

/// Products of 130 pairs and where the kernels find them; c starts as rows that nobody has written.
struct batch {
  static constexpr std::int64_t count = 130;
  test::products values;
  test::device_bytes rows_a, rows_b, rows_c;
  full *a, *c;
  ternary* b;

  explicit batch(std::mt19937_64& engine)
      : values(test::make_products(engine, test::kind_of<full>(), test::kind_of<ternary>(), ring::modulus, count)),
        rows_a(test::with_neighbours(values.a, test::kind_of<full>(), 0)),
        rows_b(test::with_neighbours(values.b, test::kind_of<ternary>(), 0)),
        rows_c(rows_a.size(), test::untouched),
        a(test::row_of<full>(rows_a, 0).get()),
        c(test::row_of<full>(rows_c, 0).get()),
        b(test::row_of<ternary>(rows_b, 0).get()) {
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  }
  bool is_untouched() const {
    const test::bytes rows = test::on_host(rows_c);
    return rows == test::bytes(rows.size(), test::untouched);
  }
  bool is(const std::vector<test::integers>& want) const {
    return test::on_host(rows_c) == test::with_neighbours(want, test::kind_of<full>(), 0);
  }
  void forget() {
    rows_c = test::device_bytes(rows_c.size(), test::untouched);
    c = test::row_of<full>(rows_c, 0).get();
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  }
};

template <class T>
T* misaligned(T* p) {
  return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(p) + 8);
}

/// Work for a stream that ends when told to, or after 20 seconds.
struct gate {
  std::atomic<bool> open{false}, passed{false};

  void close(cudaStream_t stream) { REQUIRE(cudaLaunchHostFunc(stream, wait, this) == cudaSuccess); }
  static void CUDART_CB wait(void* p) {
    auto& g = *static_cast<gate*>(p);
    for (int k = 0; k < 20000 && !g.open; ++k) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    g.passed = true;
  }
};

// ---- large batches: rows of a pool, again and again --------------------------------------------------------------

constexpr std::int64_t pool_size = 1009;

/// 16 bytes of the rows.
struct chunk_of_pool {
  const uint4* pool;
  std::int64_t chunks; // of a row
  __host__ __device__ uint4 operator()(std::int64_t k) const {
    return pool[k / chunks % pool_size * chunks + k % chunks];
  }
};
struct differs_from_pool {
  chunk_of_pool pool;
  const uint4* rows;
  __host__ __device__ std::int64_t operator()(std::int64_t k) const {
    const uint4 x = rows[k], y = pool(k);
    return x.x != y.x || x.y != y.y || x.z != y.z || x.w != y.w;
  }
};

const uint4* chunks_of(const test::device_bytes& rows) {
  return reinterpret_cast<const uint4*>(thrust::raw_pointer_cast(rows.data()));
}

/// Rows of the pool, repeated.
template <class E>
void fill(thrust::device_ptr<E> rows, std::int64_t count, const test::device_bytes& pool) {
  constexpr std::int64_t chunks = sizeof(E) / 16;
  const thrust::device_ptr<uint4> first(reinterpret_cast<uint4*>(rows.get()));
  thrust::tabulate(first, first + count * chunks, chunk_of_pool{chunks_of(pool), chunks});
}
template <class E>
std::int64_t differences(thrust::device_ptr<E> rows, std::int64_t count, const test::device_bytes& pool) {
  constexpr std::int64_t chunks = sizeof(E) / 16;
  const thrust::counting_iterator<std::int64_t> k(0);
  return thrust::transform_reduce(
      thrust::device, k, k + count * chunks,
      differs_from_pool{{chunks_of(pool), chunks}, reinterpret_cast<const uint4*>(rows.get())}, std::int64_t{0},
      thrust::plus<std::int64_t>());
}

template <class R, class A, class B>
void check_large(std::mt19937_64& engine, std::int64_t count) {
  using C = full_element<R>;
  CAPTURE(R::degree);
  CAPTURE(count);
  const auto bytes = static_cast<std::size_t>(count) * (sizeof(A) + sizeof(B) + sizeof(C));
  std::size_t free = 0, total = 0;
  REQUIRE(cudaMemGetInfo(&free, &total) == cudaSuccess);
  if (free < bytes + (std::size_t{1} << 30)) {
    MESSAGE("too little memory, left out");
    return;
  }
  std::vector<test::integers> as, bs, products, products_by;
  for (std::int64_t k = 0; k < pool_size; ++k) {
    as.push_back(test::random_integers(engine, test::kind_of<A>()));
    bs.push_back(test::random_integers(engine, test::kind_of<B>()));
    products.push_back(test::product(as.back(), bs.back(), R::modulus));
    products_by.push_back(test::product(as[0], bs.back(), R::modulus));
  }
  const test::device_bytes pool_a(test::with_neighbours(as, test::kind_of<A>(), 0)),
      pool_b(test::with_neighbours(bs, test::kind_of<B>(), 0)),
      pool_c(test::with_neighbours(products, test::kind_of<C>(), 0)),
      pool_by(test::with_neighbours(products_by, test::kind_of<C>(), 0));
  const std::size_t a_bytes = static_cast<std::size_t>(count) * sizeof(A),
                    b_bytes = bytes - a_bytes - count * sizeof(C);
  test::device_bytes rows_a(a_bytes), rows_b(b_bytes), rows_c(count * sizeof(C));
  const auto a = test::row_of<A>(rows_a, 0);
  const auto b = test::row_of<B>(rows_b, 0);
  const auto c = test::row_of<C>(rows_c, 0);
  fill(a, count, pool_a);
  fill(b, count, pool_b);
  thrust::transform(a, a + count, b, c, ring_multiplies<R>{});
  CHECK(differences(c, count, pool_c) == 0);
  thrust::transform(b, b + count, c, ring_multiplies_by<R, A>{test::element<A>(as[0])});
  CHECK(differences(c, count, pool_by) == 0);
}

} // namespace

TEST_CASE("negative counts, null and misaligned pointers are invalid values, and nothing is written") {
  THRUST_RNS_TEST_ENGINE(engine, 1701);
  batch p(engine);
  const ternary operand = test::element<ternary>(p.values.b[0]);
  const full* no_a = nullptr;
  const ternary* no_b = nullptr;
  full* no_c = nullptr;
  const auto refused = [](cudaError_t status) {
    CHECK(status == cudaErrorInvalidValue);
    CHECK(cudaGetLastError() == cudaSuccess);
  };
  refused(device_ring::Multiply(p.a, p.b, p.c, -1));
  refused(device_ring::Multiply(no_a, p.b, p.c, 1));
  refused(device_ring::Multiply(p.a, no_b, p.c, 1));
  refused(device_ring::Multiply(p.a, p.b, no_c, 1));
  refused(device_ring::Multiply(misaligned(p.a), p.b, p.c, 1));
  refused(device_ring::Multiply(p.a, misaligned(p.b), p.c, 1));
  refused(device_ring::Multiply(p.a, p.b, misaligned(p.c), 1));
  refused(device_ring::MultiplyAdd(p.a, p.b, p.a, p.c, -1));
  refused(device_ring::MultiplyAdd(p.a, p.b, no_a, p.c, 1));
  refused(device_ring::MultiplyAdd(p.a, p.b, misaligned(p.a), p.c, 1));
  refused(device_ring::MultiplyAdd(no_a, p.b, p.a, p.c, 1));
  for (const std::int64_t many : {std::int64_t{1}, std::int64_t{1} << 20}) { // batches of either kernel
    refused(device_ring::MultiplyBy(no_a, operand, p.c, many));
    refused(device_ring::MultiplyBy(p.a, operand, no_c, many));
    refused(device_ring::MultiplyBy(p.a, operand, misaligned(p.c), many));
    refused(device_ring::MultiplyBy(no_b, test::element<full>(p.values.a[0]), p.c, many));
    refused(device_ring::MultiplyBy(misaligned(p.b), test::element<full>(p.values.a[0]), p.c, many));
  }
  refused(device_ring::MultiplyBy(p.a, operand, p.c, -1));
  refused(device_ring::MultiplyBy(p.b, test::element<full>(p.values.a[0]), p.c, -(std::int64_t{1} << 20)));
  CHECK(p.is_untouched());
}

TEST_CASE("a count of 0 is fine with any pointers") {
  THRUST_RNS_TEST_ENGINE(engine, 1702);
  batch p(engine);
  full* none = nullptr;
  CHECK(device_ring::Multiply(none, none, none, 0) == cudaSuccess);
  CHECK(device_ring::MultiplyAdd(none, none, none, none, 0) == cudaSuccess);
  CHECK(device_ring::MultiplyBy(none, ternary{}, none, 0) == cudaSuccess);
  CHECK(device_ring::Multiply(p.a, p.b, p.c, 0) == cudaSuccess);
  CHECK(p.is_untouched());
}

TEST_CASE("a captured graph multiplies what is there at each launch") {
  THRUST_RNS_TEST_ENGINE(engine, 1703);
  batch p(engine);
  const test::stream_owner stream;
  const ternary one = test::element<ternary>(test::monomial(ring::degree, 0, 1));
  const ternary x = test::element<ternary>(test::monomial(ring::degree, 1, 1));
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) ==
          cudaSuccess); // allows no allocation, no wait
  CHECK(device_ring::Multiply(p.a, p.b, p.c, batch::count, stream) == cudaSuccess);
  CHECK(device_ring::MultiplyBy(p.c, x, p.c, batch::count, stream) == cudaSuccess);
  CHECK(device_ring::MultiplyAdd(p.a, p.b, p.c, p.c, batch::count, stream) == cudaSuccess);
  REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  CHECK(p.is_untouched());

  for (int launch = 0; launch < 3; ++launch) {
    CAPTURE(launch);
    REQUIRE(cudaGraphLaunch(executable, stream) == cudaSuccess);
    stream.wait();
    std::vector<test::integers> want; // a b x + a b
    for (const test::integers& ab : p.values.c) {
      want.push_back(
          test::sum(test::product(ab, test::monomial(ring::degree, 1, 1), ring::modulus), ab, ring::modulus));
    }
    CHECK(p.is(want));
    std::swap(p.values.a[0], p.values.a[7]); // in place: the graph holds the addresses
    p.values.c[0] = test::product(p.values.a[0], p.values.b[0], ring::modulus);
    p.values.c[7] = test::product(p.values.a[7], p.values.b[7], ring::modulus);
    const test::bytes rows = test::with_neighbours(p.values.a, test::kind_of<full>(), 0);
    thrust::copy(rows.begin(), rows.end(), p.rows_a.begin());
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  }
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  CHECK(device_ring::MultiplyBy(p.a, one, p.c, batch::count) == cudaSuccess);
  CHECK(p.is(p.values.a));
}

TEST_CASE("calls return before the work of their stream, and queue on that stream alone") {
  THRUST_RNS_TEST_ENGINE(engine, 1704);
  batch p(engine);
  const test::stream_owner stream, other;
  REQUIRE(device_ring::Multiply(p.a, p.b, p.c, batch::count, other) == cudaSuccess); // loads the kernel
  other.wait();
  p.forget();
  const auto check = [&](auto call) {
    gate g;
    g.close(stream);
    call();
    if (!test::small()) { // a sanitizer may wait for each launch
      CHECK_FALSE(g.passed);
      CHECK(cudaStreamQuery(stream) == cudaErrorNotReady);
    }
    CHECK(cudaStreamQuery(other) == cudaSuccess);
    g.open = true;
    stream.wait();
    CHECK(p.is(p.values.c));
    p.forget();
  };
  check([&] { CHECK(device_ring::Multiply(p.a, p.b, p.c, batch::count, stream) == cudaSuccess); });
  check([&] {
    CHECK(thrust::transform(thrust::cuda::par_nosync.on(stream), p.a, p.a + batch::count, p.b, p.c,
                            ring_multiplies<ring>{}) == p.c + batch::count);
  });
}

TEST_CASE("policies with streams") {
  THRUST_RNS_TEST_ENGINE(engine, 1705);
  batch p(engine);
  const test::stream_owner stream;
  const auto first = thrust::make_zip_iterator(thrust::make_tuple(p.a, p.b));
  const auto multiply = [&](const auto& policy) {
    thrust::transform(policy, p.a, p.a + batch::count, p.b, p.c, ring_multiplies<ring>{});
  };
  const auto check = [&] {
    CHECK(p.is(p.values.c));
    p.forget();
  };
  multiply(thrust::cuda::par.on(stream));
  check(); // it has waited
  multiply(thrust::cuda::par);
  check();
  multiply(thrust::cuda::par_nosync);
  REQUIRE(cudaStreamSynchronize(nullptr) == cudaSuccess);
  check();

  const auto policy = thrust::cuda::par_nosync.on(stream); // a chain without waiting: a b + a - a
  multiply(policy);
  thrust::transform(policy, p.c, p.c + batch::count, p.a, p.c, ring_plus<ring>{});
  thrust::transform(policy, p.c, p.c + batch::count, p.a, p.c, ring_minus<ring>{});
  stream.wait();
  check();
  thrust::transform(policy, p.a, p.a + batch::count, p.c, ring_negate<ring>{});
  thrust::transform(policy, first, first + batch::count, p.c, p.c, ring_multiplies_plus<ring>{}); // a b - a
  thrust::transform(policy, p.c, p.c + batch::count, p.a, p.c, ring_plus<ring>{});
  stream.wait();
  check();
}

TEST_CASE("two host threads multiply on streams of their own") {
  THRUST_RNS_TEST_ENGINE(engine, 1706);
  batch p(engine), q(engine);
  const test::stream_owner streams[2];
  std::thread threads[2];
  cudaError_t status[2] = {cudaErrorUnknown, cudaErrorUnknown};
  batch* batches[2] = {&p, &q};
  for (int t = 0; t < 2; ++t) {
    threads[t] = std::thread([&, t] {
      for (int repeat = 0; repeat < 20; ++repeat) {
        status[t] = device_ring::Multiply(batches[t]->a, batches[t]->b, batches[t]->c, batch::count, streams[t]);
      }
      cudaStreamSynchronize(streams[t]);
    });
  }
  for (std::thread& t : threads) t.join();
  for (int t = 0; t < 2; ++t) {
    CHECK(status[t] == cudaSuccess);
    CHECK(batches[t]->is(batches[t]->values.c));
  }
}

TEST_CASE("large batches, every row looked at") {
  THRUST_RNS_TEST_ENGINE(engine, 1707);
  check_large<ring, full, ternary>(engine, test::small() ? 20011 : 1000000); // one operand: large enough for wgmma
  if (test::small()) return;
  check_large<prime_ring<653, 4621>, full_element<prime_ring<653, 4621>>, ternary_element<prime_ring<653, 4621>>>(
      engine, 40003);
  check_large<prime_ring<1277, 7879>, full_element<prime_ring<1277, 7879>>, ternary_element<prime_ring<1277, 7879>>>(
      engine, 20011);
}
