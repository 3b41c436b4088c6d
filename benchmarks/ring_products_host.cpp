// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Products of ring elements by one thread of the host, in millions a second: by each kind of instructions that the processor
// has, and by thrust::transform. 64 pairs, in the caches; the best of many rounds. Prints the rows of a table.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include <string>

#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>
#include <thrust/transform.h>

#include <thrust_rns/ring_multiply.h>

namespace {

using namespace thrust_rns;
using detail::instructions;

constexpr int pairs = 64;

template <class E>
thrust::host_vector<E> random_elements(std::mt19937& engine) {
  constexpr int low = E::coefficients::smallest;
  thrust::host_vector<E> elements(pairs);
  for (E& e : elements) {
    for (int i = 0; i < E::degree; ++i) {
      e.set(i, low + static_cast<int>(engine() % static_cast<unsigned>(E::coefficients::largest - low + 1)));
    }
  }
  return elements;
}

/// Million products a second.
template <class Round>
std::string rate(Round round) {
  double best = 1;
  for (int k = 0; k < 2000; ++k) {
    const auto begin = std::chrono::steady_clock::now();
    round();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", pairs / best * 1e-6);
  return text;
}

template <class R, class A, class B, class Output = detail::result_element<R>>
void row(const char* what) {
  std::mt19937 engine(1);
  const auto a = random_elements<A>(engine);
  const auto b = random_elements<B>(engine);
  thrust::host_vector<Output> c(pairs);
  std::string cells;
  for (const instructions use : {instructions::portable, instructions::avx2, instructions::avx512}) {
    cells += use > detail::ring_instructions() ? " | -" : " | " + rate([&] {
                                                            for (int i = 0; i < pairs; ++i) {
                                                              detail::multiply_on_host<R::modulus>(
                                                                  a[i], b[i], detail::no_addend{}, c[i], use);
                                                            }
                                                          });
  }
  cells += " | " + rate([&] {
             thrust::transform(thrust::seq, a.begin(), a.end(), b.begin(), c.begin(), ring_multiplies<R, Output>{});
           });
  std::printf("| %d | %d | %s%s |\n", R::degree, R::modulus, what, cells.c_str());
  std::fflush(stdout);
}

template <int Degree, int Modulus>
void rows() {
  using ring = prime_ring<Degree, Modulus>;
  row<ring, full_element<ring>, ternary_element<ring>>("full x ternary");
  row<ring, full_element<ring>, small_element<ring>>("full x 8-bit");
  row<ring, full_element<ring>, full_element<ring>>("full x full");
}

} // namespace

int main() {
  std::puts("| n | m | operands | portable | AVX2 | AVX-512 | `thrust::transform` |\n|---|---|---|---|---|---|---|");
  rows<653, 4621>();
  rows<761, 4591>();
  rows<1277, 7879>();
  using ring3 = prime_ring<761, 3>;
  row<ring3, ternary_element<ring3>, ternary_element<ring3>>("ternary x ternary");
}
