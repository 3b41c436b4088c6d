// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Checked and signed arithmetic, scaling and base extension of single numbers in the seven sets of Isupov 2021 and in sets of 31-bit primes,
// against GMP.

#include "paper_sets.h"
#include "support.h"

#include <cstddef>
#include <cstdint>

#include <thrust_rns/base_extension.h>
#include <thrust_rns/checked.h>
#include <thrust_rns/scaling.h>
#include <thrust_rns/signed.h>

namespace {

using thrust_rns::isupov_moduli;
using thrust_rns::moduli_for_bits;
using thrust_rns::number;
using thrust_rns::power_of_two;
using thrust_rns::symmetric_range;
using thrust_rns::unsigned_range;

template <class Number>
void check_arithmetic(const mpz_class& x, const mpz_class& y) {
  const auto a = test::make<Number>(x), b = test::make<Number>(y);
  const auto agrees = [](bool outside, const Number& z, const mpz_class& exact) {
    return outside == !test::is_value<Number>(exact) && z == test::make<Number>(exact);
  };
  Number z;
  bool outside = thrust_rns::checked_add(a, b, z);
  CHECK(agrees(outside, z, x + y));
  outside = thrust_rns::checked_subtract(a, b, z);
  CHECK(agrees(outside, z, x - y));
  outside = thrust_rns::checked_multiply(a, b, z);
  CHECK(agrees(outside, z, x * y));
  outside = thrust_rns::checked_negate(a, z);
  CHECK(agrees(outside, z, -x));
  outside = thrust_rns::checked_absolute(a, z);
  CHECK(agrees(outside, z, abs(x)));
  CHECK(thrust_rns::sign(a) == sgn(x));
  CHECK(thrust_rns::sign(a - b) == sgn(test::wrap<Number>(x - y)));
  CHECK(thrust_rns::compare_magnitudes(a, b) == sgn(abs(x) - abs(y)));
}

template <class Number>
void check_division(const mpz_class& x, int k, int moduli) {
  using Base = typename Number::base_type;
  const auto floor_of = [](const mpz_class& n, const mpz_class& d) {
    mpz_class q;
    mpz_fdiv_q(q.get_mpz_t(), n.get_mpz_t(), d.get_mpz_t());
    return q;
  };
  const auto nearest = [&](const mpz_class& n, const mpz_class& d) { // ties to even
    mpz_class q = floor_of(n, d);
    const mpz_class twice = 2 * (n - q * d);
    if (twice > d || (twice == d && mpz_odd_p(q.get_mpz_t()) != 0)) ++q;
    return q;
  };
  const auto a = test::make<Number>(x);
  const mpz_class d = test::power_of_two(k);
  CHECK(thrust_rns::floor_divide(a, power_of_two{k}) == test::make<Number>(floor_of(x, d)));
  CHECK(thrust_rns::round_divide(a, power_of_two{k}) == test::make<Number>(nearest(x, d)));
  CHECK(thrust_rns::multiply(a, power_of_two{k}) == test::make<Number>(x * d));
  mpz_class p = 1;
  for (int i = 0; i < moduli; ++i) p *= static_cast<unsigned long>(Base::moduli[i]);
  const auto divisor = thrust_rns::moduli_product<Base>::prefix(moduli);
  CHECK(thrust_rns::floor_divide(a, divisor) == test::make<Number>(floor_of(x, p)));
  CHECK(thrust_rns::round_divide(a, divisor) == test::make<Number>(nearest(x, p)));
}

template <class From, class To>
void check_base_change(const mpz_class& x) {
  To y;
  const bool outside = thrust_rns::checked_convert_base(test::make<From>(x), y);
  CHECK(outside == !test::is_value<To>(x));
  CHECK(y == test::make<To>(x));
}

template <class Base, class Range>
void check_set(std::uint64_t seed) {
  THRUST_RNS_TEST_ENGINE(engine, seed);
  using Number = number<Base, Range>;
  using Other = number<moduli_for_bits<256>, symmetric_range>;
  const int bits = thrust_rns::dynamic_range_bits<Base>;
  const test::pairs p = test::make_pairs<Number>(engine);
  for (std::size_t k = 0; k < p.size(); ++k) {
    const mpz_class &x = p[k].first, &y = p[k].second;
    CAPTURE(x);
    CAPTURE(y);
    check_arithmetic<Number>(x, y);
    if constexpr (Number::is_symmetric) {
      check_base_change<Number, Other>(x);
      check_base_change<Other, Number>(test::wrap<Other>(y));
      if (k % 4 == 0) {
        const auto shift = static_cast<int>(engine() % static_cast<unsigned>(bits + 2));
        check_division<Number>(x, shift, static_cast<int>(engine() % (Base::size + 1)));
        check_division<Number>(y, 1, 1);
      }
    }
  }
}

} // namespace

TEST_CASE("checked arithmetic, scaling and base extension in the sets of the paper") {
  SUBCASE("64 bits") { check_set<isupov_moduli<64>, symmetric_range>(2811); }
  SUBCASE("128 bits") { check_set<isupov_moduli<128>, symmetric_range>(2812); }
  SUBCASE("256 bits") { check_set<isupov_moduli<256>, symmetric_range>(2813); }
  SUBCASE("512 bits") { check_set<isupov_moduli<512>, symmetric_range>(2814); }
  SUBCASE("1024 bits") { check_set<isupov_moduli<1024>, symmetric_range>(2815); }
  SUBCASE("2048 bits") { check_set<isupov_moduli<2048>, symmetric_range>(2816); }
  SUBCASE("4096 bits") { check_set<isupov_moduli<4096>, symmetric_range>(2817); }
}

TEST_CASE("the same, unsigned, and in sets of 31-bit primes") {
  SUBCASE("256 bits, unsigned") { check_set<isupov_moduli<256>, unsigned_range>(2821); }
  SUBCASE("4096 bits, unsigned") { check_set<isupov_moduli<4096>, unsigned_range>(2822); }
  SUBCASE("31-bit primes, 64 bits, unsigned") { check_set<moduli_for_bits<64>, unsigned_range>(2823); }
  SUBCASE("31-bit primes, 1024 bits") { check_set<moduli_for_bits<1024>, symmetric_range>(2824); }
}
