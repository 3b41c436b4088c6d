// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Products at degrees up to 857, of small elements, and to other moduli.

#include "ring_answers.h"

using namespace thrust_rns;

namespace {

using ring = prime_ring<761, 4591>;
using full = full_element<ring>;
using ternary = ternary_element<ring>;

} // namespace

TEST_CASE("known products at degrees 653 and 761") {
  test::check_answers<653, 4621>("ring/mul_653.txt");
  test::check_answers<761, 4591>("ring/mul_761.txt");
  test::check_answers<761, 4591>("ring/kat_ring_761.txt");
}

TEST_CASE("known digests of batches at degrees 653 and 761") {
  test::check_batches<653, 4621>();
  test::check_batches<761, 4591>();
}

TEST_CASE("extreme and random operands at degrees 653, 761 and 857") {
  THRUST_RNS_TEST_ENGINE(engine, 1101);
  test::check_degree<653, 4621>(engine);
  test::check_degree<761, 4591>(engine);
  test::check_degree<857, 5167>(engine);
}

TEST_CASE("small operands whose folded sums just fit a byte, and just do not") {
  THRUST_RNS_TEST_ENGINE(engine, 1103);
  test::check_products<ring, small_element<ring, 63>, small_element<ring>>(engine);
  test::check_products<ring, full, small_element<ring, 64>>(engine);
  test::check_products<prime_ring<761, 3>, small_element<ring>, small_element<ring, 127>>(engine);
}

TEST_CASE("the centred representative of a product goes to another modulus") {
  THRUST_RNS_TEST_ENGINE(engine, 1105);
  test::check_products<ring, full, ternary, ternary>(engine);
  test::check_products<ring, full, ternary, full_element<prime_ring<761, 1024>>>(engine);
  test::check_products<ring, full, ternary, full_element<prime_ring<761, 8192>>>(engine);
  test::check_products<prime_ring<761, 8192>, small_element<ring>, small_element<ring>, ternary>(engine);
}

TEST_CASE("small degrees, any of them modulo 4, and small moduli") {
  THRUST_RNS_TEST_ENGINE(engine, 1107);
  const auto check = [&](auto r) {
    using small_ring = decltype(r);
    using element = full_element<small_ring>;
    CAPTURE(small_ring::degree);
    test::check_products<small_ring, element, element, element>(engine);
  };
  check(prime_ring<5, 4591>{});
  check(prime_ring<13, 17>{});
  check(prime_ring<31, 1024>{});
  check(prime_ring<33, 3>{});
  check(prime_ring<2, 8192>{});
  test::check_products<prime_ring<13, 17>, full_element<prime_ring<13, 17>>, small_element<prime_ring<13, 17>>>(engine);
}
