// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// A kernel of one's own over a vector of numbers, through a view of it: once element by element, once residue by residue.
// Under nvcc these are __global__ functions; elsewhere the same bodies run in thrust::for_each.
//
// Both evaluate P(x) = x^3 - 5 x + 7 in place.

#include <thrust_rns/device_vector.h>
#include <thrust_rns/host_vector.h>

#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>

#include <cstddef>
#include <cstdint>
#include <iostream>

#include "check.h"

namespace {

using number = thrust_rns::number<thrust_rns::moduli_for_bits<256>, thrust_rns::symmetric_range>;

/// Whole numbers: `load` reads element j, `store` writes it and drops its cached evaluation.
struct by_elements {
  thrust_rns::span<number> x;
  THRUST_RNS_HD void operator()(std::int64_t j) const {
    const number y = x.load(j);
    x.store(j, y * y * y - 5 * y + 7);
  }
};

/// Residue i of all elements lies in plane i: neighbouring threads then read neighbouring words, and each needs one modulus only.
struct by_residues {
  std::uint32_t* plane;
  thrust_rns::modulus m;
  THRUST_RNS_HD void operator()(std::int64_t j) const {
    const std::uint32_t y = plane[j], square = m.multiply(y, y);
    plane[j] = m.add(m.multiply(y, m.subtract(square, m.reduce(5))), m.reduce(7));
  }
};

#if defined(__CUDACC__)
template <class Body>
__global__ void run(Body body, std::int64_t count) {
  const std::int64_t j = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (j < count) body(j);
}
template <class Body>
void for_all(std::int64_t count, Body body) {
  run<<<static_cast<unsigned>((count + 127) / 128), 128>>>(body, count);
  check(cudaGetLastError() == cudaSuccess, "a launch");
}
#else
template <class Body>
void for_all(std::int64_t count, Body body) {
  const thrust::counting_iterator<std::int64_t> first(0);
  thrust::for_each(thrust::device, first, first + count, body);
}
#endif

} // namespace

int main() {
  constexpr std::size_t n = 10'000;
  thrust_rns::host_vector<number> expected(n);
  for (std::size_t j = 0; j < n; ++j) expected[j] = static_cast<std::int64_t>(j * j) - 5000;
  thrust_rns::device_vector<number> v = expected, w = expected;

  for_all(n, by_elements{v.as_span()});
  for (int i = 0; i < number::size; ++i) {
    for_all(n, by_residues{w.as_span().plane(i), thrust_rns::modulus(number::base_type::moduli[i])});
  }
  w.invalidate_evaluations(); // planes were written directly

  for (std::size_t j = 0; j < n; ++j) {
    const number x = expected[j];
    expected[j] = x * x * x - 5 * x + 7;
  }
  check(v.to_vector() == expected.to_vector(), "elements");
  check(v == w, "residues");
  check(thrust::max_element(w.begin(), w.end()) - w.begin() == n - 1, "the maximum afterwards");
  std::cout << "all right" << std::endl;
}
