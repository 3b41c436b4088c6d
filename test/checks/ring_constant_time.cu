// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// ring_constant_time KIND: every ring kernel once, on operands of one kind, for tools/ring_constant_time.sh.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>

#include <thrust/device_vector.h>

#include <thrust_rns/ring.h>
#include <thrust_rns/device/device_ring.cuh>

using namespace thrust_rns;

namespace {

constexpr int count = 20011; // large enough for the kernel of one fixed operand

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
  std::exit(1);
}

template <class Element>
thrust::device_vector<Element> operands(const std::string& kind, std::uint64_t seed) {
  constexpr int smallest = Element::coefficients::smallest, largest = Element::coefficients::largest;
  std::mt19937_64 engine(seed + (kind == "random2" ? 1000 : 0));
  std::uniform_int_distribution<int> any(smallest, largest);
  Element row;
  for (int i = 0; i < Element::degree; ++i) {
    row.set(i, kind == "zero"          ? 0
               : kind == "largest"     ? largest
               : kind == "smallest"    ? smallest
               : kind == "alternating" ? (i % 2 == 0 ? largest : smallest)
                                       : any(engine));
  }
  return thrust::device_vector<Element>(count, row);
}

template <class R, class A, class B>
void multiply(const std::string& kind) {
  const auto a = operands<A>(kind, 1);
  const auto b = operands<B>(kind, 2);
  thrust::device_vector<detail::result_element<R>> c(count);
  const auto* d_a = thrust::raw_pointer_cast(a.data());
  const auto* d_b = thrust::raw_pointer_cast(b.data());
  auto* d_c = thrust::raw_pointer_cast(c.data());
  check(DeviceRing<R>::Multiply(d_a, d_b, d_c, count));
  check(DeviceRing<R>::MultiplyBy(d_a, B(b[0]), d_c, count));
  check(DeviceRing<R>::MultiplyBy(d_b, A(a[0]), d_c, count));
  check(DeviceRing<R>::MultiplyAdd(d_a, d_b, d_c, d_c, count));
  check(cudaDeviceSynchronize());
}

template <class R, class A>
void invert(const std::string& kind) {
  const auto a = operands<A>(kind, 3);
  thrust::device_vector<detail::result_element<R>> c(count);
  const auto* d_a = thrust::raw_pointer_cast(a.data());
  auto* d_c = thrust::raw_pointer_cast(c.data());
  std::size_t bytes = 0;
  check(DeviceRing<R>::Invert(nullptr, bytes, d_a, d_c, count));
  thrust::device_vector<unsigned char> temp(bytes);
  check(DeviceRing<R>::Invert(thrust::raw_pointer_cast(temp.data()), bytes, d_a, d_c, count));
  check(cudaDeviceSynchronize());
}

} // namespace

int main(int argc, char** argv) {
  const std::string kind = argc > 1 ? argv[1] : "random1";
  using ring = prime_ring<761, 4591>;
  using full = full_element<ring>;
  using ternary = ternary_element<ring>;
  multiply<ring, full, ternary>(kind);
  multiply<ring, full, small_element<ring>>(kind);
  multiply<ring, full, full>(kind);
  multiply<prime_ring<761, 3>, ternary, ternary>(kind);
  invert<ring, full>(kind);
  invert<prime_ring<1277, 7879>, full_element<prime_ring<1277, 7879>>>(kind);
  invert<prime_ring<761, 3>, ternary>(kind);
}
