// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Products in the rings of NTRU Prime and CTRU-Prime: millions a second by kind of operands, parameter set and batch, beside
// the published scheme on wmma, and the same sums and number-theoretic transforms on CUDA cores, and as a share of the rate of
// bare mma.sync in the same run.
//
// Operands are random and lie in device memory. Times: CUDA events around the call, median of 11 calls, each after another call
// that is not timed. After each timed call up to 64 results spread over the batch are compared with products on the host, and
// the program ends with status 1 if one differs.

#include "baselines/ring_ntt.cuh"
#include "baselines/ring_schoolbook.cuh"
#include "baselines/ring_wmma.cuh"
#include "ring_common.cuh"

#include <thrust_rns/ring_multiply.h>
#include <thrust_rns/ring_vector.h>
#include <thrust_rns/device/device_ring.cuh>

#include <benchmark/benchmark.h>

#include <thrust/device_vector.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using thrust_rns::full_element;
using thrust_rns::prime_ring;
using thrust_rns::small_element;
using thrust_rns::ternary_element;

// ---- the rate of mma.sync -----------------------------------------------------------------------------------------

constexpr int mma_sums = 8, mma_steps = 4096, mma_threads = 256, mma_blocks_per_multiprocessor = 4;

/// Back-to-back products of 16 x 32 by 32 x 8 bytes on registers, eight independent sums a warp.
__global__ void mma_stream(unsigned seed, int* out) {
  unsigned a[4], b[2];
  int sum[mma_sums][4] = {};
  for (unsigned& x : a) x = seed = seed * 1664525u + 1013904223u + threadIdx.x;
  for (unsigned& x : b) x = seed = seed * 1664525u + 1013904223u + threadIdx.x;
  for (int step = 0; step < mma_steps; ++step) {
#pragma unroll
    for (auto& c : sum) {
      asm volatile(
          "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
          "{%0, %1, %2, %3};"
          : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
          : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    }
  }
  int total = 0;
  for (const auto& c : sum) total += c[0] ^ c[1] ^ c[2] ^ c[3];
  if (total == 0x12345678) *out = total; // keeps the products
}

/// Multiply-adds a second; 0 if the kernel did not run.
double mma_rate() {
  static const double rate = [] {
    int device = 0, multiprocessors = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    const int blocks = multiprocessors * mma_blocks_per_multiprocessor;
    thrust::device_vector<int> out(1);
    std::vector<double> times;
    for (int k = 0; k < 12; ++k) {
      times.push_back(seconds([&] { mma_stream<<<blocks, mma_threads>>>(1, thrust::raw_pointer_cast(out.data())); }));
    }
    if (cudaGetLastError() != cudaSuccess) return 0.0;
    std::sort(times.begin(), times.end());
    const double products = static_cast<double>(blocks) * (mma_threads / 32) * mma_steps * mma_sums;
    return products * 16 * 8 * 32 / times[times.size() / 2];
  }();
  return rate;
}

void mma_rate_here(benchmark::State& state) {
  if (mma_rate() == 0) return fail(state, "mma.sync did not run");
  for (auto _ : state) state.SetIterationTime(1e12 / mma_rate());
  state.counters["MAC/s"] = mma_rate();
}

// ---- data ---------------------------------------------------------------------------------------------------------

/// A batch of operands, the second one perhaps for all, and room for the products.
template <class R, class A, class B>
struct batch {
  using product = std::conditional_t<R::modulus == 3, ternary_element<R>, full_element<R>>;

  thrust_rns::ring_vector<A> a;
  thrust_rns::ring_vector<B> b;
  thrust_rns::ring_vector<product> c;

  batch(std::int64_t count, std::int64_t count_b)
      : a(static_cast<std::size_t>(count)), b(static_cast<std::size_t>(count_b)), c(static_cast<std::size_t>(count)) {
    randomise(a, 1);
    randomise(b, 2);
  }

  std::int64_t count() const { return static_cast<std::int64_t>(a.size()); }

  /// Leaves no product of an earlier call behind.
  void forget_products() { cudaMemset(thrust::raw_pointer_cast(c.data()), 0xff, c.size() * sizeof(product)); }

  /// Whether products spread over the batch are right.
  bool is_right() const {
    const std::int64_t samples = std::min<std::int64_t>(count(), 64);
    for (std::int64_t k = 0; k < samples; ++k) {
      const auto i = static_cast<std::size_t>(samples == 1 ? 0 : k * (count() - 1) / (samples - 1));
      const A x = a[i];
      const B y = b[b.size() == 1 ? 0 : i];
      const product z = c[i];
      if (z != thrust_rns::ring_multiplies<R>{}(x, y)) return false;
    }
    return true;
  }
};

/// The batch of the benchmark that runs; one at a time takes memory.
struct any_batch {
  virtual ~any_batch() = default;
};
std::unique_ptr<any_batch> batch_in_memory;

template <class R, class A, class B>
batch<R, A, B>& current_batch(std::int64_t count, std::int64_t count_b) {
  struct holder : any_batch {
    batch<R, A, B> held;
    holder(std::int64_t n, std::int64_t n_b) : held(n, n_b) {}
  };
  auto* found = dynamic_cast<holder*>(batch_in_memory.get());
  if (found == nullptr || found->held.count() != count) {
    batch_in_memory.reset();
    batch_in_memory.reset(found = new holder(count, count_b));
  }
  return found->held;
}

// ---- products -----------------------------------------------------------------------------------------------------

/// Times `call`, of a batch, which returns a cudaError_t.
template <class R, class A, class B, class Call>
void measure(benchmark::State& state, std::int64_t count, std::int64_t count_b, Call call) {
  batch<R, A, B>& data = current_batch<R, A, B>(count, count_b);
  const auto run = [&] {
    return call(thrust::raw_pointer_cast(data.a.data()), thrust::raw_pointer_cast(data.b.data()),
                thrust::raw_pointer_cast(data.c.data()), count);
  };
  cudaError_t status = run(); // warm-up
  for (auto _ : state) {
    data.forget_products();
    const double s = seconds([&] { status = status == cudaSuccess ? run() : status; });
    if (status == cudaSuccess) status = cudaDeviceSynchronize();
    if (status != cudaSuccess) return fail(state, cudaGetErrorString(status));
    if (!data.is_right()) return fail(state, "wrong result");
    state.SetIterationTime(s);
    const double products = static_cast<double>(count) / s, macs = products * R::degree * R::degree;
    state.counters["Mproducts/s"] = products * 1e-6;
    state.counters["MAC/s"] = macs;
    state.counters["of mma rate"] = macs / mma_rate();
  }
}

/// The name says kind / degree / batch.
template <class R, class A, class B, class Call>
void add_products(const std::string& kind, std::int64_t count, std::int64_t count_b, Call call) {
  add(kind + "/" + std::to_string(R::degree) + "/" + std::to_string(count),
      [=](benchmark::State& state) { measure<R, A, B>(state, count, count_b, call); });
}

template <class R, class A, class B>
void add_pairs(const std::string& kind, std::int64_t count) {
  add_products<R, A, B>(kind, count, count, [](const auto* a, const auto* b, auto* c, std::int64_t pairs) {
    return thrust_rns::DeviceRing<R>::Multiply(a, b, c, pairs);
  });
}

template <class R>
void add_shared_key(std::int64_t count) {
  using key_type = full_element<R>;
  add_products<R, ternary_element<R>, key_type>(
      "ternary_x_shared_full", count, 1, [](const auto* a, const key_type* d_key, auto* c, std::int64_t pairs) {
        static key_type key; // on the host, as the call takes it; the same in each benchmark of this kind
        static const cudaError_t status = cudaMemcpy(&key, d_key, sizeof(key), cudaMemcpyDeviceToHost);
        return status != cudaSuccess ? status : thrust_rns::DeviceRing<R>::MultiplyBy(a, key, c, pairs);
      });
}

constexpr std::int64_t usual_counts[] = {1 << 12, 1 << 19};
constexpr std::int64_t baseline_count = 1 << 16;

template <class R>
void add_full_x_ternary() {
  for (const std::int64_t count : usual_counts)
    add_pairs<R, full_element<R>, ternary_element<R>>("full_x_ternary", count);
}

template <class R>
void add_other_kinds() {
  using mod_3 = prime_ring<R::degree, 3>;
  for (const std::int64_t count : usual_counts) {
    add_shared_key<R>(count);
    add_pairs<R, full_element<R>, small_element<R>>("full_x_small", count);
    add_pairs<R, full_element<R>, full_element<R>>("full_x_full", count);
    add_pairs<mod_3, ternary_element<R>, ternary_element<R>>("ternary_x_ternary_mod_3", count);
  }
}

template <class R, class Shape>
void add_wmma(std::int64_t count) {
  add_products<R, full_element<R>, ternary_element<R>>(
      "wmma_" + std::to_string(Shape::rows) + "x" + std::to_string(Shape::columns) + "x16_full_x_ternary", count, count,
      [](const auto* a, const auto* b, auto* c, std::int64_t pairs) {
        return baselines::multiply_by_wmma<Shape, R>(a, b, c, pairs);
      });
}

template <class R, class B>
void add_schoolbook(const std::string& kind, std::int64_t count) {
  add_products<R, full_element<R>, B>(kind, count, count,
                                      [](const auto* a, const auto* b, auto* c, std::int64_t pairs) {
                                        return baselines::multiply_by_schoolbook<R>(a, b, c, pairs);
                                      });
}

template <class R, class B>
void add_ntt_of_kind(const std::string& kind, std::int64_t count) {
  add_products<R, full_element<R>, B>(kind, count, count,
                                      [](const auto* a, const auto* b, auto* c, std::int64_t pairs) {
                                        return baselines::multiply_by_ntt<R>(a, b, c, pairs);
                                      });
}

template <class R>
void add_beside_baselines() {
  add_pairs<R, full_element<R>, ternary_element<R>>("full_x_ternary", baseline_count);
  add_pairs<R, full_element<R>, full_element<R>>("full_x_full", baseline_count);
}

template <class R>
void add_ntt() {
  for (const std::int64_t count : {baseline_count, usual_counts[1]}) {
    add_ntt_of_kind<R, ternary_element<R>>("ntt_full_x_ternary", count);
    add_ntt_of_kind<R, full_element<R>>("ntt_full_x_full", count);
  }
}

} // namespace

int main(int argc, char** argv) {
  using r653 = prime_ring<653, 4621>;
  using r761 = prime_ring<761, 4591>;
  using r1277 = prime_ring<1277, 7879>;

  add("mma_rate", mma_rate_here, 1);
  for (const int log2 : {10, 12, 14, 16, 19, 20}) {
    add_pairs<r761, full_element<r761>, ternary_element<r761>>("full_x_ternary", std::int64_t{1} << log2);
  }
  add_wmma<r761, baselines::fragment_shape<16, 16>>(baseline_count);
  add_wmma<r761, baselines::fragment_shape<32, 8>>(baseline_count);
  add_wmma<r761, baselines::fragment_shape<8, 32>>(baseline_count);
  add_schoolbook<r761, ternary_element<r761>>("schoolbook_full_x_ternary", baseline_count);
  add_schoolbook<r761, full_element<r761>>("schoolbook_full_x_full", baseline_count);
  add_pairs<r761, full_element<r761>, full_element<r761>>("full_x_full", baseline_count); // beside the last one
  add_ntt<r761>();
  add_other_kinds<r761>();
  add_full_x_ternary<r653>();
  add_other_kinds<r653>();
  add_beside_baselines<r653>();
  add_ntt<r653>();
  add_full_x_ternary<r1277>();
  add_other_kinds<r1277>();
  add_beside_baselines<r1277>();
  add_ntt<r1277>();
  add_full_x_ternary<prime_ring<857, 5167>>();
  add_full_x_ternary<prime_ring<953, 6343>>();
  add_full_x_ternary<prime_ring<1013, 7177>>();

  const int status = run_benchmarks(argc, argv);
  batch_in_memory.reset();
  return status;
}
