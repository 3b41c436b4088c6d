// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Algorithm 1: how many refinements there are, and how far each may go.

#include <thrust_rns/floating_interval.h>

#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "floating.h"
#include "support.h"

using namespace thrust_rns;

namespace {

/// Refinement by 2^k each time, whatever k, of an X that is not next to M.
template <class Base, class Range>
floating_bounds refine_by_fixed_factor(number<Base, Range> x, double accuracy, int k) {
  const double psi = detail::least_accurate_bound<Base>(accuracy);
  int refinements = 0;
  detail::split_sum upp = detail::sum_of_fractions<Base, Range, true>(x);
  for (; upp.fraction < psi && refinements < 10000; ++refinements) {
    detail::scale_up(x, k);
    upp = detail::sum_of_fractions<Base, Range, true>(x);
  }
  const detail::split_sum low = detail::sum_of_fractions<Base, Range, false>(x);
  return {detail::scale(detail::to_dyadic(low.fraction), -k * refinements),
          detail::scale(detail::to_dyadic(upp.fraction), -k * refinements), refinements};
}

/// A little below psi M, where a refinement takes X furthest.
template <class Base>
mpz_class just_below_psi(double accuracy) {
  return mpz_class(mpq_class(detail::least_accurate_bound<Base>(accuracy) * (1 - 2 * accuracy)) *
                   test::dynamic_range<Base>());
}

template <int Bits>
void check_refinements_of_one(int original, int improved) {
  CAPTURE(Bits);
  using Number = number<isupov_moduli<Bits>>;
  const floating_bounds by_original = floating_interval(Number(1), 1e-7, refinement::original);
  const floating_bounds by_improved = floating_interval(Number(1), 1e-7, refinement::improved);
  CHECK(by_original.refinements == original);
  CHECK(std::abs(by_improved.refinements - improved) <= 3);
  CHECK(original <= test::most_refinements<isupov_moduli<Bits>>(1e-7, test::rho<isupov_moduli<Bits>>(1e-7)));
  CHECK(by_improved.refinements <= original - (Bits >= 128 ? 2 : 0));
  test::check_bounds<Number>(1, by_original, 1e-7);
  test::check_bounds<Number>(1, by_improved, 1e-7);
}

} // namespace

TEST_CASE("the number 1 takes as many refinements as published, and fewer by the improved rule") {
  check_refinements_of_one<64>(2, 1);
  check_refinements_of_one<128>(6, 3);
  check_refinements_of_one<256>(13, 5);
  check_refinements_of_one<512>(28, 11);
  check_refinements_of_one<1024>(60, 23);
  check_refinements_of_one<2048>(136, 48);
  check_refinements_of_one<4096>(292, 98);
}

TEST_CASE_TEMPLATE("a fixed factor up to 2^rho keeps the bounds right, in the number of steps of theorem 1", Base,
                   isupov_moduli<64>, isupov_moduli<512>) {
  using Number = number<Base>;
  THRUST_RNS_TEST_ENGINE(engine, 1204);
  for (const double accuracy : test::accuracies) {
    CAPTURE(accuracy);
    std::vector<mpz_class> values{2, 3, just_below_psi<Base>(accuracy)};
    for (int k = 0; k < test::amount(20, 2); ++k) { // below M/2, so that none is next to M
      values.push_back(test::random_length_value<Number>(engine) / 2 + 1);
    }
    for (const mpz_class& z : values) {
      INFO("x = ", z.get_str());
      for (int k = 1; k <= test::rho<Base>(accuracy); k += test::amount(1, 5)) {
        CAPTURE(k);
        const floating_bounds b = refine_by_fixed_factor(test::make<Number>(z), accuracy, k);
        test::check_bounds<Number>(z, b, accuracy);
        REQUIRE(b.refinements <= test::most_refinements<Base>(accuracy, k));
      }
    }
  }
}

TEST_CASE_TEMPLATE("a fixed factor beyond 2^rho takes some number round the circle", Base, isupov_moduli<64>,
                   isupov_moduli<512>, moduli_for_bits<128>) {
  using Number = number<Base>;
  for (const double accuracy : test::accuracies) {
    CAPTURE(accuracy);
    const int k = test::rho<Base>(accuracy);
    const mpz_class z = just_below_psi<Base>(accuracy);
    const mpz_class& range = test::dynamic_range<Base>();
    CHECK(test::scaled_bounds(z, range, refine_by_fixed_factor(test::make<Number>(z), accuracy, k)).enclose());
    REQUIRE(z * test::power_of_two(k + 2) > range); // 2^rho psi lies in (1/4, 1/2]
    const floating_bounds wrong = refine_by_fixed_factor(test::make<Number>(z), accuracy, k + 2);
    CHECK(wrong.refinements > 0);
    CHECK_FALSE(test::scaled_bounds(z, range, wrong).enclose());
  }
}

TEST_CASE_TEMPLATE("scaling up multiplies by a power of two modulo M", Number, number<isupov_moduli<64>>,
                   number<moduli_for_bits<128>>) {
  THRUST_RNS_TEST_ENGINE(engine, 1205);
  for (int k = 0; k <= 64; ++k) {
    CAPTURE(k);
    const mpz_class z = test::random_value<Number>(engine);
    auto x = test::make<Number>(z);
    detail::scale_up(x, k);
    CHECK(test::value(x) == test::wrap<Number>(z * test::power_of_two(k)));
  }
}

TEST_CASE("the bounds hold in a base of 4096 bits") {
  using Number = number<isupov_moduli<4096>>;
  THRUST_RNS_TEST_ENGINE(engine, 1202);
  for (const mpz_class& z : test::values_to_bound<Number>(engine, test::amount(131, 1031), test::amount(10, 1))) {
    INFO("x = ", z.get_str());
    for (const double accuracy : test::accuracies) {
      CAPTURE(accuracy);
      for (const refinement rule : test::both_rules) {
        test::check_bounds<Number>(z, floating_interval(test::make<Number>(z), accuracy, rule), accuracy);
      }
    }
  }
}

TEST_CASE("an accuracy that floating point cannot reach is refused, and bits that are no residues end") {
  using number = thrust_rns::number<thrust_rns::isupov_moduli<64>>;
  for (double accuracy : {0.0, -1e-7, 2e-14, 1e-30, 1.5}) {
    INFO("accuracy ", accuracy);
    CHECK_THROWS_AS(thrust_rns::floating_interval(number(1), accuracy), std::invalid_argument);
  }
  CHECK_NOTHROW(thrust_rns::floating_interval(number(1), 1.0));
  number x{};
  x.set_residue(0, number::base_type::moduli[0]);
  for (auto rule : {thrust_rns::refinement::original, thrust_rns::refinement::improved}) {
    CHECK(thrust_rns::floating_interval(x, 1e-7, rule).upp.mantissa == 0);
  }
}
