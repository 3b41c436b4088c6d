// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Products on the host of operands that valgrind takes for uninitialised: it reports each branch and each address that
// depends on them. `constant_time branch` branches, to show that it does.

#include <cstdio>
#include <cstring>
#include <random>

#include <valgrind/memcheck.h>

#include <thrust_rns/detail/ring_product.h>

namespace {

using namespace thrust_rns;
using detail::instructions;

template <class E>
E secret(std::mt19937& engine) {
  constexpr int low = E::coefficients::smallest;
  E e;
  for (int i = 0; i < E::degree; ++i) {
    e.set(i, low + static_cast<int>(engine() % static_cast<unsigned>(E::coefficients::largest - low + 1)));
  }
  static_cast<void>(VALGRIND_MAKE_MEM_UNDEFINED(&e, sizeof e));
  return e;
}

template <class R, class A, class B, class Output = detail::result_element<R>>
void multiply(std::mt19937& engine) {
  for (const instructions use : {instructions::portable, instructions::avx2, instructions::avx512}) {
    if (use > detail::ring_instructions()) continue; // valgrind has no AVX-512
    const A a = secret<A>(engine);
    const B b = secret<B>(engine);
    Output c;
    detail::multiply_on_host<R::modulus>(a, b, a, c, use);
    VALGRIND_MAKE_MEM_DEFINED(&c, sizeof c);
    std::printf("%d %d by instructions %d: %d\n", R::degree, R::modulus, static_cast<int>(use), int{c[0]});
  }
}

} // namespace

int main(int count, char** arguments) {
  std::mt19937 engine(2401);
  using ring = prime_ring<761, 4591>;
  using key = full_element<ring>;
  if (count > 1 && std::strcmp(arguments[1], "branch") == 0) {
    const key k = secret<key>(engine);
    if (k.residue(0) > 2295) std::puts("negative");
    return 0;
  }
  multiply<ring, ternary_element<ring>, key>(engine);
  multiply<ring, key, key>(engine);
  multiply<ring, small_element<ring>, key, ternary_element<ring>>(engine);
  multiply<prime_ring<761, 3>, ternary_element<ring>, ternary_element<ring>>(engine);
  multiply<prime_ring<1277, 7879>, full_element<prime_ring<1277, 7879>>, full_element<prime_ring<1277, 7879>>>(engine);
}
