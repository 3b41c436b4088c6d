// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Checked and signed arithmetic, scaling and base extension in the seven sets of Isupov 2021 and in sets of 31-bit primes, against GMP:
// single numbers in all sets, ranges in some.

#include "vectors.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

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

using pairs = std::vector<std::pair<mpz_class, mpz_class>>;

template <class Number>
bool is_value(const mpz_class& z) {
  return test::smallest<Number>() <= z && z <= test::largest<Number>();
}

/// Edges, random values, values of random length, and x, x + d for d from 1 to 2^192 at 0, M/4, M/2 and M.
template <class Number, class Engine>
pairs make_pairs(Engine& engine) {
  pairs p;
  const auto insert = [&](const mpz_class& x, const mpz_class& y) {
    p.emplace_back(test::wrap<Number>(x), test::wrap<Number>(y));
  };
  const mpz_class& m = test::dynamic_range<typename Number::base_type>();
  const mpz_class high = test::largest<Number>(), root = sqrt(high);
  const std::vector<mpz_class> edges = test::edge_values<Number>();
  for (std::size_t k = 0; k < edges.size(); k += static_cast<std::size_t>(test::amount(2, 11))) {
    insert(edges[k], edges[engine() % edges.size()]);
    insert(edges[k], test::random_length_value<Number>(engine));
  }
  for (int k = 0; k < test::amount(60, 10); ++k) {
    const mpz_class x = test::random_value<Number>(engine), y = test::random_length_value<Number>(engine);
    insert(x, test::random_value<Number>(engine));
    insert(y, high - y + k % 3 - 1); // the sum is next to the end
    if (y != 0) insert(y, high / y + k % 3 - 1);
  }
  for (int d = 0; d <= 192; d += d < 4 ? 1 : 47) {
    for (const mpz_class& x : {mpz_class(0), mpz_class(m / 4), mpz_class(m / 2), mpz_class(high)}) {
      insert(x, x + test::power_of_two(d));
      insert(x, x - test::power_of_two(d));
    }
  }
  for (int e = -1; e <= 1; ++e) insert(root + e, root);
  insert(test::smallest<Number>(), -1);
  return p;
}

template <class Number>
void check_arithmetic(const mpz_class& x, const mpz_class& y) {
  const auto a = test::make<Number>(x), b = test::make<Number>(y);
  const auto agrees = [](bool outside, const Number& z, const mpz_class& exact) {
    return outside == !is_value<Number>(exact) && z == test::make<Number>(exact);
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
  CHECK(outside == !is_value<To>(x));
  CHECK(y == test::make<To>(x));
}

template <class Number>
void check_ranges(const pairs& p) {
  std::vector<mpz_class> x, y;
  mpz_class sum, magnitudes, inner;
  std::int64_t first[3] = {-1, -1, -1};
  for (const auto& [a, b] : p) {
    const mpz_class exact[3] = {a + b, a - b, a * b};
    for (int k = 0; k < 3; ++k) {
      if (first[k] < 0 && !is_value<Number>(exact[k])) first[k] = static_cast<std::int64_t>(x.size());
    }
    x.push_back(a);
    y.push_back(b);
    sum += a;
    magnitudes += abs(a);
    inner += test::wrap<Number>(exact[2]);
  }
  const thrust_rns::device_vector<Number> u = test::make<Number>(x), v = test::make<Number>(y);
  thrust_rns::device_vector<Number> w(x.size());
  const auto transform = [&](auto op) {
    return thrust_rns::checked_transform(u.begin(), u.end(), v.begin(), w.begin(), op);
  };
  const mpz_class& m = test::dynamic_range<typename Number::base_type>();
  for (int cached = 0; cached < 2; ++cached) {
    const auto s = thrust_rns::checked_sum(u.begin(), u.end()), t = thrust_rns::sum_of_magnitudes(u.begin(), u.end()),
               i = thrust_rns::checked_inner_product(u.begin(), u.end(), v.begin());
    CHECK(test::value(s.value) + test::mpz(s.wraps) * m == sum);
    CHECK(test::value(t.value) + test::mpz(t.wraps) * m == magnitudes);
    CHECK(test::value(i.value) + test::mpz(i.wraps) * m == inner);
    CHECK(i.first_overflow == first[2]);
    CHECK(transform(thrust_rns::plus()) == first[0]);
    CHECK(transform(thrust_rns::minus()) == first[1]);
    CHECK(transform(thrust_rns::multiplies()) == first[2]);
  }
  const auto norm = thrust_rns::max_norm(u.begin(), u.end());
  const auto largest =
      std::max_element(x.begin(), x.end(), [](const mpz_class& a, const mpz_class& b) { return abs(a) < abs(b); });
  CHECK(norm.index == largest - x.begin());
  CHECK(norm.value == test::make<Number>(abs(*largest)));
}

template <class Base, class Range, bool Ranges>
void check_set(std::uint64_t seed) {
  THRUST_RNS_TEST_ENGINE(engine, seed);
  using Number = number<Base, Range>;
  using Other = number<moduli_for_bits<256>, symmetric_range>;
  const int bits = thrust_rns::dynamic_range_bits<Base>;
  const pairs p = make_pairs<Number>(engine);
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
  if constexpr (Ranges) check_ranges<Number>(p);
}

} // namespace

TEST_CASE("checked arithmetic, scaling and base extension in the sets of the paper") {
  SUBCASE("64 bits") { check_set<isupov_moduli<64>, symmetric_range, true>(2811); }
  SUBCASE("128 bits") { check_set<isupov_moduli<128>, symmetric_range, false>(2812); }
  SUBCASE("256 bits") { check_set<isupov_moduli<256>, symmetric_range, false>(2813); }
  SUBCASE("512 bits") { check_set<isupov_moduli<512>, symmetric_range, false>(2814); }
  SUBCASE("1024 bits") { check_set<isupov_moduli<1024>, symmetric_range, false>(2815); }
  SUBCASE("2048 bits") { check_set<isupov_moduli<2048>, symmetric_range, false>(2816); }
  SUBCASE("4096 bits") { check_set<isupov_moduli<4096>, symmetric_range, false>(2817); }
}

TEST_CASE("the same, unsigned, and in sets of 31-bit primes") {
  SUBCASE("256 bits, unsigned") { check_set<isupov_moduli<256>, unsigned_range, true>(2821); }
  SUBCASE("4096 bits, unsigned") { check_set<isupov_moduli<4096>, unsigned_range, false>(2822); }
  SUBCASE("31-bit primes, 64 bits, unsigned") { check_set<moduli_for_bits<64>, unsigned_range, false>(2823); }
  SUBCASE("31-bit primes, 1024 bits") { check_set<moduli_for_bits<1024>, symmetric_range, true>(2824); }
}
