// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include <thrust_rns/floating_interval.h>

#include <cstddef>
#include <vector>

#include "floating.h"
#include "support.h"

using namespace thrust_rns;

namespace {

template <class Number>
struct evaluate_in_floating_point {
  double accuracy;
  refinement rule;
  THRUST_RNS_HD floating_bounds operator()(const Number& x) const { return floating_interval(x, accuracy, rule); }
};

template <class Number>
struct evaluate_quickly {
  THRUST_RNS_HD floating_bounds operator()(const Number& x) const { return quick_floating_interval(x); }
};

} // namespace

TEST_CASE_TEMPLATE("the bounds enclose X/M and are as close as asked, by both rules, in device code too", Number,
                   number<isupov_moduli<64>>, number<isupov_moduli<256>>, number<isupov_moduli<512>>,
                   number<moduli_for_bits<128>, symmetric_range>, number<moduli_for_bits<1024>>) {
  THRUST_RNS_TEST_ENGINE(engine, 1201);
  const int step = test::amount(dynamic_range_bits<test::base_of<Number>> > 600 ? 5 : 1, 37);
  const std::vector<mpz_class> values = test::values_to_bound<Number>(engine, step, test::amount(100, 5));
  const std::vector<Number> numbers = test::make<Number>(values);
  for (const double accuracy : test::accuracies) {
    CAPTURE(accuracy);
    for (const refinement rule : test::both_rules) {
      CAPTURE(static_cast<int>(rule));
      const evaluate_in_floating_point<Number> evaluate_number{accuracy, rule};
      const auto device = test::on_device<floating_bounds>(numbers, evaluate_number);
      for (std::size_t k = 0; k < values.size(); ++k) {
        INFO("x = ", values[k].get_str());
        const floating_bounds host = evaluate_number(numbers[k]);
        for (const floating_bounds& b : {host, device[k]}) {
          test::check_bounds<Number>(values[k], b, accuracy);
          if (rule == refinement::improved) continue;
          REQUIRE(b.refinements <=
                  test::most_refinements<test::base_of<Number>>(accuracy, test::rho<test::base_of<Number>>(accuracy)));
        }
      }
    }
  }
}

TEST_CASE_TEMPLATE("every number of a small base is bounded", Base, moduli_set<2, 3>, moduli_set<13, 7, 16>,
                   moduli_set<16, 13, 7>) {
  for (int x = 0; x < test::dynamic_range<Base>(); ++x) {
    CAPTURE(x);
    for (const refinement rule : test::both_rules) {
      test::check_bounds<number<Base>>(x, floating_interval(number<Base>(x), 1e-12, rule), 1e-12);
    }
  }
}

TEST_CASE_TEMPLATE("bases with an even modulus and of large moduli in any order are bounded", Base,
                   moduli_set<7, 30, 11, 65537>, moduli_set<2147483629, 3, 2147483647, 1073741822>) {
  using Number = number<Base>;
  THRUST_RNS_TEST_ENGINE(engine, 1203);
  for (const mpz_class& z : test::values_to_bound<Number>(engine, 1, test::amount(100, 10))) {
    INFO("x = ", z.get_str());
    for (const refinement rule : test::both_rules) {
      test::check_bounds<Number>(z, floating_interval(test::make<Number>(z), 1e-9, rule), 1e-9);
    }
  }
}

TEST_CASE("a symmetric number is bounded as the unsigned number of the same residues") {
  using Number = number<isupov_moduli<128>, symmetric_range>;
  test::check_bounds<Number>(-1, floating_interval(Number(-1)), 1e-7);
  test::check_bounds<Number>(-1000, floating_interval(Number(-1000)), 1e-7);
  test::check_bounds<Number>(5, floating_interval(Number(5)), 1e-7);
}

TEST_CASE_TEMPLATE("the quick bounds hold where they are unambiguous, and elsewhere X is next to 0 or M", Number,
                   number<isupov_moduli<64>>, number<isupov_moduli<512>>, number<moduli_for_bits<128>>) {
  THRUST_RNS_TEST_ENGINE(engine, 1206);
  using Base = test::base_of<Number>;
  const mpz_class& range = test::dynamic_range<Base>();
  const std::vector<mpz_class> values = test::values_to_bound<Number>(engine, 1, test::amount(300, 10));
  const std::vector<Number> numbers = test::make<Number>(values);
  const auto device = test::on_device<floating_bounds>(numbers, evaluate_quickly<Number>{});
  const mpz_class noise = range * (Base::size * (detail::bit_length(Base::size - 1) + 1)) / test::power_of_two(52);
  for (std::size_t k = 0; k < values.size(); ++k) {
    INFO("x = ", values[k].get_str());
    for (const floating_bounds& b : {quick_floating_interval(numbers[k]), device[k]}) {
      const test::scaled_bounds s(values[k], range, b);
      if (is_unambiguous(b)) {
        REQUIRE(s.enclose());
      } else {
        REQUIRE(s.low > s.upp);
        const mpz_class above = range - values[k];
        REQUIRE((values[k] <= noise || above <= noise));
      }
    }
  }
  CHECK(is_unambiguous(quick_floating_interval(Number(0))));
  CHECK(quick_floating_interval(Number(0)).upp.mantissa == 0);
  CHECK(is_unambiguous(quick_floating_interval(test::make<Number>(mpz_class(range / 2)))));
  CHECK_FALSE(is_unambiguous(quick_floating_interval(Number(1))));
  CHECK_FALSE(is_unambiguous(quick_floating_interval(Number(-1))));
}
