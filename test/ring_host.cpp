// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Products on the host, by every kind of instructions that this processor has.

#include "rings.h"

#include <cstddef>
#include <vector>

#include <thrust_rns/detail/ring_host.h>

using namespace thrust_rns;

namespace {

using detail::instructions;

std::vector<instructions> instructions_here() {
  std::vector<instructions> kinds{instructions::portable};
  if (detail::ring_instructions() != instructions::portable) kinds.push_back(instructions::avx2);
  if (detail::ring_instructions() == instructions::avx512) kinds.push_back(instructions::avx512);
  return kinds;
}

/// What Output keeps of a product modulo M.
template <class Output>
test::integers kept(const test::integers& c) {
  constexpr int p = test::kind_of<Output>().modulus == 0 ? 3 : test::kind_of<Output>().modulus;
  test::integers r;
  for (const int x : c) r.push_back(test::centred(x, p));
  return r;
}

/// Products of extreme and random operands.
template <class R, class A, class B, class Output = detail::result_element<R>>
void check() {
  THRUST_RNS_TEST_ENGINE(engine, 2301);
  CAPTURE(R::degree);
  CAPTURE(R::modulus);
  const test::products p =
      test::make_products(engine, test::kind_of<A>(), test::kind_of<B>(), R::modulus, R::degree < 100 ? 121 : 66);
  for (const instructions use : instructions_here()) {
    CAPTURE(static_cast<int>(use));
    int wrong = 0;
    for (std::size_t i = 0; i < p.a.size(); ++i) {
      Output c;
      detail::multiply_on_host<R::modulus>(test::element<A>(p.a[i]), test::element<B>(p.b[i]), detail::no_addend{}, c,
                                           use);
      wrong += test::integers_of(c) != kept<Output>(p.c[i]);
    }
    CHECK(wrong == 0);
  }
}

template <class R, class A, class B, class E, class Output>
void check_sums() {
  THRUST_RNS_TEST_ENGINE(engine, 2302);
  const test::products p =
      test::make_products(engine, test::kind_of<A>(), test::kind_of<B>(), R::modulus, R::degree < 100 ? 121 : 66);
  const std::vector<test::integers> addends = test::operands(engine, test::kind_of<E>());
  for (const instructions use : instructions_here()) {
    CAPTURE(static_cast<int>(use));
    int wrong = 0;
    for (std::size_t i = 0; i < p.a.size(); ++i) {
      const test::integers& e = addends[i * 7 % addends.size()];
      Output c;
      detail::multiply_on_host<R::modulus>(test::element<A>(p.a[i]), test::element<B>(p.b[i]), test::element<E>(e), c,
                                           use);
      wrong += test::integers_of(c) != kept<Output>(test::sum(p.c[i], e, R::modulus));
    }
    CHECK(wrong == 0);
  }
}

/// By a ternary element.
template <class R>
void check_short() {
  check<R, full_element<R>, ternary_element<R>>();
}
template <class R>
void check_full() {
  check<R, full_element<R>, full_element<R>>();
}
template <class R>
void check_all() {
  check_full<R>();
  check<R, small_element<R>, full_element<R>>();
  check<R, small_element<R>, small_element<R>>();
  check<R, small_element<R, 5>, ternary_element<R>>();
}

} // namespace

TEST_CASE("by all instructions, a secret times a key") {
  check_short<prime_ring<653, 4621>>();
  check_short<prime_ring<761, 4591>>();
  check_short<prime_ring<857, 5167>>();
  check_short<prime_ring<953, 6343>>();
  check_short<prime_ring<1013, 7177>>();
  check_short<prime_ring<1277, 7879>>();
}

TEST_CASE("by all instructions, full elements") {
  check_full<prime_ring<761, 4591>>();
  check_full<prime_ring<1013, 7177>>();
  check_full<prime_ring<1277, 7879>>();
  check_full<prime_ring<2032, 8192>>(); // the largest
}

TEST_CASE("by all instructions, 8-bit elements and other moduli") {
  using byte = small_element<prime_ring<761, 4591>>;
  check<prime_ring<761, 4591>, byte, full_element<prime_ring<761, 4591>>>();
  check<prime_ring<761, 4591>, byte, byte>();
  check<prime_ring<761, 3>, ternary_element<prime_ring<761, 3>>, ternary_element<prime_ring<761, 3>>>();
  check<prime_ring<761, 3>, full_element<prime_ring<761, 3>>, byte, full_element<prime_ring<761, 3>>>();
  check<prime_ring<761, 1024>, full_element<prime_ring<761, 1024>>, small_element<prime_ring<761, 1024>, 5>>();
}

TEST_CASE("by all instructions, degrees that fill no vector") {
  check_all<prime_ring<2, 2>>();
  check_all<prime_ring<5, 17>>();
  check_all<prime_ring<13, 17>>();
  check_all<prime_ring<33, 8191>>();
  check_full<prime_ring<64, 8192>>(); // vectors that are full
}

TEST_CASE("by all instructions, products plus something, in other coefficients") {
  using ring = prime_ring<13, 17>;
  using full = full_element<ring>;
  using byte = small_element<ring>;
  check_sums<ring, full, full, full, full>();
  check_sums<ring, full, byte, byte, full>();
  check_sums<ring, full, byte, full, ternary_element<ring>>();
  check_sums<ring, byte, byte, byte, full_element<prime_ring<13, 5>>>();
  check_sums<ring, full, full, full, full_element<prime_ring<13, 100>>>();
  using key = full_element<prime_ring<761, 4591>>;
  using secret = ternary_element<prime_ring<761, 4591>>;
  check_sums<prime_ring<761, 4591>, key, secret, key, secret>();
}
