// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include "vectors.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include <thrust_rns/scaling.h>

namespace {

using thrust_rns::moduli_product;
using thrust_rns::power_of_two;
using thrust_rns::symmetric_range;
using small = thrust_rns::number<thrust_rns::isupov_moduli<64>>;
using even_symmetric = thrust_rns::number<thrust_rns::moduli_set<13, 7, 48, 65537>, symmetric_range>;
using power_even = thrust_rns::number<thrust_rns::moduli_set<1073741824, 3, 2147483647>>;
using medium_symmetric = thrust_rns::number<thrust_rns::moduli_for_bits<512>, symmetric_range>;

mpz_class floor_of(const mpz_class& z, const mpz_class& d) {
  mpz_class q;
  mpz_fdiv_q(q.get_mpz_t(), z.get_mpz_t(), d.get_mpz_t());
  return q;
}

/// The nearest integer, ties to even.
mpz_class nearest(const mpz_class& z, const mpz_class& d) {
  mpz_class q = floor_of(z, d);
  const mpz_class twice = 2 * (z - q * d);
  if (twice > d || (twice == d && mpz_odd_p(q.get_mpz_t()) != 0)) ++q;
  return q;
}

template <bool Nearest>
struct divide_in_device_code {
  int k;
  template <class Number>
  THRUST_RNS_HD Number operator()(const Number& x) const {
    return Nearest ? thrust_rns::round_divide(x, power_of_two{k}) : thrust_rns::floor_divide(x, power_of_two{k});
  }
};

/// The quotients of single numbers and of a vector, at an offset and in place.
template <class Number, class Divisor>
void check_division(const std::vector<mpz_class>& z, const mpz_class& d, const Divisor& divisor) {
  std::vector<mpz_class> down, near;
  for (const mpz_class& x : z) {
    down.push_back(floor_of(x, d));
    near.push_back(nearest(x, d));
  }
  for (std::size_t k = 0; k < z.size(); ++k) {
    CAPTURE(z[k]);
    CAPTURE(d);
    CHECK(test::value(thrust_rns::floor_divide(test::make<Number>(z[k]), divisor)) == down[k]);
    CHECK(test::value(thrust_rns::round_divide(test::make<Number>(z[k]), divisor)) == near[k]);
  }
  thrust_rns::device_vector<Number> v = test::make<Number>(z);
  thrust_rns::device_vector<Number> w(v.size(), Number(5));
  thrust::max_element(v.begin(), v.end());
  thrust::max_element(w.begin(), w.end());
  CHECK(thrust_rns::round_divide(thrust::device, v.cbegin() + 1, v.cend(), w.begin(), divisor) == w.end() - 1);
  near.erase(near.begin());
  near.push_back(5);
  CHECK(test::values_of(w) == near);
  test::check_extrema(w, near);
  thrust_rns::floor_divide(v.begin(), v.end(), v.begin(), divisor);
  CHECK(test::values_of(v) == down);
  test::check_extrema(v, down);
}

/// Multiples of d and their neighbours, halves of odd multiples too, and the usual samples.
template <class Number, class Engine>
std::vector<mpz_class> dividends(Engine& engine, const mpz_class& d, int count) {
  std::vector<mpz_class> z = test::sample_values<Number>(engine, count);
  for (const int factor : {-5, -3, -2, -1, 1, 2, 3, 4}) {
    for (int e = -1; e <= 1; ++e) z.push_back(test::wrap<Number>(d * factor / 2 + e));
  }
  return z;
}

} // namespace

TEST_CASE_TEMPLATE("quotients by powers of two", Number, small, even_symmetric, power_even, medium_symmetric) {
  THRUST_RNS_TEST_ENGINE(engine, 2701);
  const int bits = thrust_rns::dynamic_range_bits<typename Number::base_type>;
  for (const int k : {1, 2, 23, 24, 25, 31, 32, 48, 64, bits / 2, bits - 2, bits - 1, bits, bits + 1, 5 * bits}) {
    const mpz_class d = test::power_of_two(k);
    check_division<Number>(dividends<Number>(engine, d, test::amount(40, 10)), d, power_of_two{k});
  }
  check_division<Number>(test::edge_values<Number>(), 1, power_of_two{0});
  CHECK(thrust_rns::floor_divide(Number(7), power_of_two{-3}) == Number(7));
}

TEST_CASE_TEMPLATE("quotients by products of moduli", Number, small, even_symmetric) {
  THRUST_RNS_TEST_ENGINE(engine, 2702);
  using Base = typename Number::base_type;
  std::vector<moduli_product<Base>> divisors;
  for (int n = 0; n <= Base::size; ++n) divisors.push_back(moduli_product<Base>::prefix(n));
  for (int i = 0; i < Base::size; ++i) divisors.push_back({i});
  divisors.push_back({3, 0});
  divisors.push_back({1, 3});
  divisors.push_back({3, 1, 2});
  for (const auto& p : divisors) {
    mpz_class d = 1;
    for (int t = 0; t < p.order().count; ++t) d *= static_cast<unsigned long>(Base::moduli[p.order().order[t]]);
    check_division<Number>(dividends<Number>(engine, d, test::amount(60, 10)), d, p);
  }
  CHECK_THROWS_AS((moduli_product<Base>{0, 0}), std::invalid_argument);
  CHECK_THROWS_AS((moduli_product<Base>{Base::size}), std::invalid_argument);
  CHECK_THROWS_AS(moduli_product<Base>::prefix(Base::size + 1), std::invalid_argument);
}

TEST_CASE_TEMPLATE("products with powers of two wrap modulo M", Number, even_symmetric, medium_symmetric) {
  THRUST_RNS_TEST_ENGINE(engine, 2703);
  for (const int k : {0, 1, 31, 100, 600}) {
    const std::vector<mpz_class> z = test::sample_values<Number>(engine, 300);
    std::vector<mpz_class> expected;
    for (const mpz_class& x : z) expected.push_back(test::wrap<Number>(x * test::power_of_two(k)));
    thrust_rns::device_vector<Number> v = test::make<Number>(z);
    thrust::min_element(v.begin(), v.end());
    for (std::size_t j = 0; j < z.size(); ++j) {
      CHECK(test::value(thrust_rns::multiply(test::make<Number>(z[j]), power_of_two{k})) == expected[j]);
    }
    CHECK(thrust_rns::multiply(v.begin(), v.end(), v.begin(), power_of_two{k}) == v.end());
    CHECK(test::values_of(v) == expected);
    test::check_extrema(v, expected);
  }
}

TEST_CASE("division in device code, and of vectors of every size") {
  THRUST_RNS_TEST_ENGINE(engine, 2704);
  const std::vector<mpz_class> sample = test::sample_values<even_symmetric>(engine, 50);
  const std::vector<even_symmetric> xs = test::make<even_symmetric>(sample);
  const auto down = test::on_device<even_symmetric>(xs, divide_in_device_code<false>{9});
  const auto near = test::on_device<even_symmetric>(xs, divide_in_device_code<true>{9});
  for (std::size_t k = 0; k < xs.size(); ++k) {
    CHECK(test::value(down[k]) == floor_of(sample[k], 512));
    CHECK(test::value(near[k]) == nearest(sample[k], 512));
  }
  for (const std::size_t n : test::sizes_to_try()) {
    CAPTURE(n);
    std::vector<mpz_class> z = test::make_pattern<even_symmetric>(test::pattern::random, engine, n);
    const thrust_rns::device_vector<even_symmetric> v = test::make<even_symmetric>(z);
    thrust_rns::device_vector<even_symmetric> w(n);
    thrust_rns::floor_divide(v.begin(), v.end(), w.begin(), power_of_two{13});
    thrust_rns::host_vector<even_symmetric> h(v);
    thrust_rns::floor_divide(h.begin(), h.end(), h.begin(), power_of_two{13});
    for (mpz_class& x : z) x = floor_of(x, 8192);
    CHECK(test::values_of(w) == z);
    CHECK(test::values_of(h) == z);
  }
}
