// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include <thrust_rns/mixed_radix.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <thrust_rns/functional.h>

#include "support.h"

using namespace thrust_rns;

namespace {

using ascending = isupov_moduli<64>;
using descending = moduli_for_bits<256>;
using shuffled = moduli_set<65537, 7, 2147483647, 30, 11, 2147483629, 13>; // one even, and neighbours of unlike sizes
using even_last = moduli_set<2147483647, 3, 1073741822>;                   // the top digit is that of the even one

template <class Number>
using base_of = typename Number::base_type;

template <class Number>
struct digits_of {
  THRUST_RNS_HD mixed_radix_digits<base_of<Number>> operator()(const Number& x) const { return mixed_radix(x); }
};

struct orders {
  int by_mixed_radix, by_digits, by_intervals;
};

template <class Number>
struct order {
  THRUST_RNS_HD orders operator()(const Number& x, const Number& y) const {
    return {compare_by_mixed_radix(x, y), compare(mixed_radix(x), mixed_radix(y)), compare(x, y)};
  }
};

/// The digits of z mod M, by division in GMP, are those that were found.
template <class Number>
void check_digits(const mpz_class& z, const mixed_radix_digits<base_of<Number>>& got) {
  using Base = base_of<Number>;
  mpz_class left = test::modulo(z, test::dynamic_range<Base>());
  int used = 0;
  for (int i = 0; i < Base::size; ++i) {
    const auto m = static_cast<unsigned long>(Base::moduli[i]);
    CAPTURE(i);
    REQUIRE(got.digit[i] == mpz_fdiv_q_ui(left.get_mpz_t(), left.get_mpz_t(), m));
    if (got.digit[i] != 0) used = i + 1;
  }
  REQUIRE(left == 0);
  REQUIRE(got.used == used);
}

/// d_1 + d_2 m_1 + d_3 m_1 m_2 + ...
template <class Base>
mpz_class sum_of(const mixed_radix_digits<Base>& d) {
  mpz_class sum, weight = 1;
  for (int i = 0; i < Base::size; ++i) {
    sum += weight * static_cast<unsigned long>(d.digit[i]);
    weight *= static_cast<unsigned long>(Base::moduli[i]);
  }
  return sum;
}

template <class Number>
void check_digits_here_and_in_device_code(const std::vector<mpz_class>& values) {
  const std::vector<Number> numbers = test::make<Number>(values);
  const auto device = test::on_device<mixed_radix_digits<base_of<Number>>>(numbers, digits_of<Number>{});
  for (std::size_t k = 0; k < values.size(); ++k) {
    INFO("x = ", values[k].get_str());
    const auto host = mixed_radix(numbers[k]);
    check_digits<Number>(values[k], host);
    check_digits<Number>(values[k], device[k]);
    REQUIRE(test::wrap<Number>(sum_of(host)) == values[k]);
  }
}

template <class Number>
void check_order(const std::vector<mpz_class>& xs, const std::vector<mpz_class>& ys) {
  const std::vector<Number> x = test::make<Number>(xs), y = test::make<Number>(ys);
  const auto device = test::on_device<orders>(x, y, order<Number>{});
  const mpz_class& range = test::dynamic_range<base_of<Number>>();
  for (std::size_t k = 0; k < xs.size(); ++k) {
    INFO("x = ", xs[k].get_str(), ", y = ", ys[k].get_str());
    const int want = sgn(mpz_class(xs[k] - ys[k]));
    const int want_of_digits = sgn(mpz_class(test::modulo(xs[k], range) - test::modulo(ys[k], range)));
    for (const orders& got : {order<Number>{}(x[k], y[k]), device[k]}) {
      REQUIRE(got.by_mixed_radix == want);
      REQUIRE(got.by_digits == want_of_digits);
      REQUIRE(got.by_intervals == want);
    }
    REQUIRE(compare_by_mixed_radix(y[k], x[k]) == -want);
  }
}

} // namespace

TEST_CASE_TEMPLATE("the digits are those of repeated division, in the order of the moduli", Number, number<ascending>,
                   number<descending>, number<shuffled>, number<shuffled, symmetric_range>, number<even_last>,
                   number<isupov_moduli<512>, symmetric_range>) {
  THRUST_RNS_TEST_ENGINE(engine, 1101);
  check_digits_here_and_in_device_code<Number>(test::sample_values<Number>(engine, test::amount(200, 20)));
}

TEST_CASE_TEMPLATE("every number of a small base has its digits, for the moduli in any order", Base,
                   moduli_set<13, 7, 16>, moduli_set<7, 16, 13>, moduli_set<16, 7, 13>, moduli_set<2, 3>) {
  const int range = static_cast<int>(test::dynamic_range<Base>().get_si());
  for (int x = 0; x < range; ++x) {
    CAPTURE(x);
    const auto d = mixed_radix(number<Base>(x));
    check_digits<number<Base>>(x, d);
    REQUIRE(sum_of(d) == x);
  }
}

TEST_CASE_TEMPLATE("only the digits that a number needs are used", Number, number<descending>, number<shuffled>) {
  using Base = base_of<Number>;
  CHECK(mixed_radix(Number(0)).used == 0);
  mpz_class product = 1; // of the first j moduli
  for (int j = 1; j <= Base::size; ++j) {
    CAPTURE(j);
    CHECK(mixed_radix(test::make<Number>(product)).used == j);
    product *= static_cast<unsigned long>(Base::moduli[j - 1]);
    const auto d = mixed_radix(test::make<Number>(mpz_class(product - 1))); // all digits at their largest
    CHECK(d.used == j);
    for (int i = 0; i < j; ++i) CHECK(d.digit[i] == Base::moduli[i] - 1);
  }
}

TEST_CASE_TEMPLATE("the order of edge values and their neighbours is exact, by either method", Number,
                   number<ascending>, number<descending, symmetric_range>, number<shuffled>,
                   number<even_last, symmetric_range>) {
  THRUST_RNS_TEST_ENGINE(engine, 1102);
  const std::vector<mpz_class> values = test::edge_values<Number>();
  std::vector<mpz_class> xs, ys;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = i; j < values.size() && j < i + 4; ++j) { // ascending: itself and what is next to it
      xs.push_back(values[i]);
      ys.push_back(values[j]);
    }
    for (int k = 0; k < test::amount(6, 1); ++k) {
      xs.push_back(values[i]);
      ys.push_back(values[static_cast<std::size_t>(engine() % values.size())]);
      xs.push_back(values[i]);
      ys.push_back(test::random_length_value<Number>(engine));
    }
  }
  check_order<Number>(xs, ys);
}

TEST_CASE_TEMPLATE("numbers that differ in one digit are ordered by it", Number, number<descending>,
                   number<shuffled, symmetric_range>) {
  THRUST_RNS_TEST_ENGINE(engine, 1103);
  using Base = base_of<Number>;
  std::vector<mpz_class> xs, ys;
  mpz_class weight = 1;
  for (int i = 0; i < Base::size; ++i) {
    for (int k = 0; k < 20; ++k) {
      const mpz_class x = test::random_value<Number>(engine);
      xs.push_back(x);
      ys.push_back(test::wrap<Number>(x + weight));
      xs.push_back(x);
      ys.push_back(test::wrap<Number>(x - weight));
    }
    weight *= static_cast<unsigned long>(Base::moduli[i]);
  }
  check_order<Number>(xs, ys);
}

TEST_CASE_TEMPLATE("every pair of a small base is ordered in both ranges", Number, number<moduli_set<5, 4, 3>>,
                   number<moduli_set<5, 4, 3>, symmetric_range>, number<moduli_set<3, 7>, symmetric_range>) {
  for (mpz_class x = test::smallest<Number>(); x <= test::largest<Number>(); ++x) {
    for (mpz_class y = test::smallest<Number>(); y <= test::largest<Number>(); ++y) {
      INFO("x = ", x.get_str(), ", y = ", y.get_str());
      REQUIRE(compare_by_mixed_radix(test::make<Number>(x), test::make<Number>(y)) == sgn(mpz_class(x - y)));
    }
  }
}
