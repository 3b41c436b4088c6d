// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Products at degrees from 953, modulo a power of two, and at the ends of what compiles.

#include "ring_answers.h"

using namespace thrust_rns;

TEST_CASE("known products and digests of batches at degree 1277") {
  test::check_answers<1277, 7879>("ring/mul_1277.txt");
  test::check_batches<1277, 7879>();
}

TEST_CASE("extreme and random operands at degrees 953, 1013 and 1277") {
  THRUST_RNS_TEST_ENGINE(engine, 1108);
  test::check_degree<953, 6343>(engine);
  test::check_degree<1013, 7177>(engine);
  test::check_degree<1277, 7879>(engine);
  using ring_953 = prime_ring<953, 6343>;
  test::check_products<ring_953, small_element<ring_953>, full_element<ring_953>>(engine);
  using ring_1277 = prime_ring<1277, 7879>;
  test::check_products<ring_1277, small_element<ring_1277>, small_element<ring_1277>>(engine);
}

TEST_CASE("the largest modulus, degrees and sums") {
  THRUST_RNS_TEST_ENGINE(engine, 1106);
  using ring = prime_ring<1277, 8192>;
  test::check_products<ring, full_element<ring>, full_element<ring>>(engine);
  using wide = prime_ring<1981, 8192>;
  test::check_products<wide, full_element<wide>, full_element<wide>>(engine);
  using longest = prime_ring<2029, 8191>;
  test::check_products<longest, full_element<longest>, ternary_element<longest>>(engine);
}
