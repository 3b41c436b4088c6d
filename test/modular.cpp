// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include <thrust_rns/modular.h>

#include "support.h"

using thrust_rns::modulus;

namespace {

constexpr modulus thirteen(13);
static_assert(modulus::minimum == 2 && modulus::maximum == 2147483647);
static_assert(thirteen.value() == 13 && thirteen.reduce(~std::uint64_t{0}) == 2);
static_assert(thirteen.add(12, 12) == 11 && thirteen.add(6, 7) == 0);
static_assert(thirteen.subtract(0, 12) == 1 && thirteen.subtract(5, 5) == 0);
static_assert(thirteen.negate(0) == 0 && thirteen.negate(1) == 12);
static_assert(thirteen.multiply(7, 9) == 11 && thirteen.power(2, 12) == 1 && thirteen.power(0, 0) == 1);
static_assert(thirteen.inverse(5) == 8 && thirteen.inverse(0) == 0);
static_assert(modulus(modulus::maximum).multiply(2147483646, 2147483646) == 1);
static_assert(modulus(2).add(1, 1) == 0 && modulus(2).reduce(~std::uint64_t{0}) == 1);

/// Primes, prime powers, composites, even numbers, both ends, and what is next to powers of two.
const std::uint32_t all_moduli[] = {2,          3,          4,          5,          13,      16,         60,
                                    255,        256,        257,        30030,      65535,   65536,      65537,
                                    65949,      16777215,   16777216,   1073741823, 1 << 30, 1073741825, 1431655765,
                                    2147395600, 2147483629, 2147483646, 2147483647};

struct operands {
  std::uint32_t m, a, b; // a, b < m
  std::uint64_t x;       // any
};

struct results {
  std::uint32_t reduce, add, subtract, negate, multiply, power, inverse;
};

struct evaluate_all {
  THRUST_RNS_HD results operator()(const operands& o) const {
    const modulus m(o.m);
    return {m.reduce(o.x),        m.add(o.a, o.b),   m.subtract(o.a, o.b), m.negate(o.a),
            m.multiply(o.a, o.b), m.power(o.a, o.x), m.inverse(o.a)};
  }
};

std::uint32_t remainder(const mpz_class& z, std::uint32_t m) {
  return static_cast<std::uint32_t>(mpz_fdiv_ui(z.get_mpz_t(), m));
}

results expected(const operands& o) {
  const mpz_class m = test::mpz(o.m), a = test::mpz(o.a), b = test::mpz(o.b), x = test::mpz(o.x);
  mpz_class power, inverse;
  mpz_powm(power.get_mpz_t(), a.get_mpz_t(), x.get_mpz_t(), m.get_mpz_t());
  if (mpz_invert(inverse.get_mpz_t(), a.get_mpz_t(), m.get_mpz_t()) == 0) inverse = 0;
  return {remainder(x, o.m),     remainder(a + b, o.m), remainder(a - b, o.m),  remainder(-a, o.m),
          remainder(a * b, o.m), remainder(power, o.m), remainder(inverse, o.m)};
}

void check(const std::vector<operands>& inputs) {
  const std::vector<results> device = test::on_device<results>(inputs, evaluate_all{});
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const operands& o = inputs[k];
    INFO("m = ", o.m, ", a = ", o.a, ", b = ", o.b, ", x = ", o.x);
    const results want = expected(o);
    for (const results& got : {evaluate_all{}(o), device[k]}) {
      REQUIRE(got.reduce == want.reduce);
      REQUIRE(got.add == want.add);
      REQUIRE(got.subtract == want.subtract);
      REQUIRE(got.negate == want.negate);
      REQUIRE(got.multiply == want.multiply);
      REQUIRE(got.power == want.power);
      REQUIRE(got.inverse == want.inverse);
    }
  }
}

} // namespace

TEST_CASE("every pair of residues of the small moduli") {
  std::vector<operands> inputs;
  for (std::uint32_t m = 2; m <= test::amount(36u, 12u); ++m) {
    for (std::uint32_t a = 0; a < m; ++a) {
      for (std::uint32_t b = 0; b < m; ++b) inputs.push_back({m, a, b, std::uint64_t{a} * m + b});
    }
  }
  check(inputs);
}

TEST_CASE("extreme and random residues of large, even and composite moduli") {
  THRUST_RNS_TEST_ENGINE(engine, 101);
  std::vector<operands> inputs;
  for (const std::uint32_t m : all_moduli) {
    const std::uint64_t most = ~std::uint64_t{0} - ~std::uint64_t{0} % m; // the largest multiple of m
    const std::uint64_t xs[] = {0,
                                1,
                                m - 1,
                                m,
                                std::uint64_t{m} + 1,
                                std::uint64_t{m} * m - 1,
                                std::uint64_t{m} * m,
                                most - 1,
                                most,
                                most + 1,
                                ~std::uint64_t{0},
                                std::uint64_t{1} << 63};
    for (const std::uint64_t x : xs) {
      for (const std::uint32_t a : {std::uint32_t{0}, std::uint32_t{1}, m / 2, m - 1}) {
        for (const std::uint32_t b : {std::uint32_t{0}, std::uint32_t{1}, m / 2, m - 1}) inputs.push_back({m, a, b, x});
      }
    }
  }
  for (int k = 0; k < test::amount(4000, 200); ++k) {
    const std::uint32_t m = k % 2 == 0 ? all_moduli[static_cast<std::size_t>(engine() % std::size(all_moduli))]
                                       : static_cast<std::uint32_t>(2 + engine() % (modulus::maximum - 1));
    inputs.push_back({m, static_cast<std::uint32_t>(engine() % m), static_cast<std::uint32_t>(engine() % m),
                      engine() >> (engine() % 64)});
  }
  check(inputs);
}

TEST_CASE("an inverse times its number is one, and exists exactly for numbers coprime to the modulus") {
  for (const std::uint32_t m : {2u, 12u, 30u, 97u, 256u}) {
    const modulus modulo_m(m);
    for (std::uint32_t a = 0; a < m; ++a) {
      INFO("m = ", m, ", a = ", a);
      const std::uint32_t inverse = modulo_m.inverse(a);
      if (gcd(test::mpz(a), test::mpz(m)) == 1) {
        CHECK(modulo_m.multiply(a, inverse) == 1);
      } else {
        CHECK(inverse == 0);
      }
    }
  }
}

TEST_CASE("operations on bits that are no residues end and do not trap") {
  THRUST_RNS_TEST_ENGINE(engine, 102);
  std::vector<operands> inputs;
  for (const std::uint32_t m : all_moduli) {
    inputs.push_back({m, ~0u, ~0u, ~std::uint64_t{0}});
    inputs.push_back({m, m, m, engine()});
    inputs.push_back({m, static_cast<std::uint32_t>(engine()), static_cast<std::uint32_t>(engine()), engine()});
  }
  const std::vector<results> device = test::on_device<results>(inputs, evaluate_all{});
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    INFO("m = ", inputs[k].m, ", a = ", inputs[k].a, ", b = ", inputs[k].b);
    const results host = evaluate_all{}(inputs[k]);
    CHECK(host.reduce < inputs[k].m); // takes any 64 bits
    CHECK(device[k].reduce == host.reduce);
    CHECK(device[k].multiply == host.multiply);
    CHECK(device[k].inverse == host.inverse);
  }
}
