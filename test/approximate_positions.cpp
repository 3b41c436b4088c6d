// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// What keys and lazy products tell of a number's place in the range, on the host: within their bounds for every number.

#include "support.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <thrust_rns/detail/checked_elements.h>
#include <thrust_rns/detail/lazy_products.h>
#include <thrust_rns/detail/position.h>
#include <thrust_rns/interval.h>

namespace {

using namespace thrust_rns::detail;
using thrust_rns::moduli_for_bits;
using thrust_rns::moduli_set;
using thrust_rns::number;
using thrust_rns::symmetric_range;

using tiny_symmetric = number<moduli_set<13, 7, 16>, symmetric_range>;
using small = number<thrust_rns::isupov_moduli<64>>;
using odd = number<moduli_set<3, 5, 2147483647, 65537, 999999937>>;
using even_symmetric = number<moduli_set<13, 7, 48, 65537>, symmetric_range>;
using wide = number<moduli_for_bits<512>>;
using wide_symmetric = number<moduli_for_bits<512>, symmetric_range>;
using widest_symmetric = number<moduli_for_bits<4096>, symmetric_range>;

template <class Number>
const mpz_class& range_of() {
  return test::dynamic_range<typename Number::base_type>();
}

/// Whether low <= 2^bits x/M < low + width.
template <class Number>
bool is_placed(int bits, const mpz_class& x, std::uint64_t low, std::uint64_t width) {
  const mpz_class scaled = x << static_cast<unsigned long>(bits), begin = static_cast<unsigned long>(low);
  return begin * range_of<Number>() <= scaled &&
         scaled < (begin + static_cast<unsigned long>(width)) * range_of<Number>();
}

template <class Number, class Engine>
std::vector<mpz_class> values_to_try(Engine& engine) {
  std::vector<mpz_class> x = test::edge_values<Number>();
  for (int k = 0; k < test::amount(300, 60); ++k) x.push_back(test::random_length_value<Number>(engine));
  for (int k = 0; k < test::amount(100, 20); ++k) x.push_back(test::random_value<Number>(engine));
  return x;
}

template <class Number>
std::uint64_t key_of(const mpz_class& x) {
  const Number n = test::make<Number>(x);
  return evaluate_key<Number>(residues_of<Number>{n});
}

} // namespace

TEST_CASE_TEMPLATE("magnitudes by keys", Number, tiny_symmetric, even_symmetric, wide_symmetric, widest_symmetric) {
  THRUST_RNS_TEST_ENGINE(engine, 2861);
  for (const mpz_class& x : values_to_try<Number>(engine)) {
    CAPTURE(x);
    CHECK(is_placed<Number>(32, abs(x), approximate_magnitude<Number>(key_of<Number>(x)), 2));
  }
}

TEST_CASE_TEMPLATE("products by keys: in the range if they say so, and placed", Number, tiny_symmetric, small,
                   even_symmetric, wide, wide_symmetric, widest_symmetric) {
  THRUST_RNS_TEST_ENGINE(engine, 2862);
  const std::vector<mpz_class> x = values_to_try<Number>(engine);
  std::vector<mpz_class> y = x;
  std::shuffle(y.begin(), y.end(), engine);
  const mpz_class limit = Number::is_symmetric ? mpz_class(range_of<Number>() / 2) : range_of<Number>();
  int fitting = 0;
  const auto check = [&](const mpz_class& a, const mpz_class& b) {
    CAPTURE(a);
    CAPTURE(b);
    const approximate_product p = multiply_keys<Number>(key_of<Number>(a), key_of<Number>(b));
    const mpz_class exact = a * b, magnitude = abs(exact);
    if (test::is_value<Number>(exact)) {
      CHECK(is_placed<Number>(32, magnitude, p.position, 32));
      if (exact != 0) CHECK(p.negative == (exact < 0));
    }
    if (p.fits) {
      ++fitting;
      CHECK(magnitude <= limit);
      CHECK(test::is_value<Number>(exact));
    } else {
      CHECK(magnitude + (magnitude >> 24) + 1 >= limit); // only products near the end are left open
    }
  };
  for (std::size_t k = 0; k < x.size(); ++k) {
    check(x[k], y[k]);
    if (x[k] == 0) continue;
    for (int shift = 40; shift >= 20; shift -= 4) { // nearer and nearer to the end of the range
      const mpz_class near = limit / x[k], off = near - (near >> static_cast<unsigned long>(shift)) - 1;
      if (test::is_value<Number>(off)) check(x[k], off);
    }
  }
  CHECK(fitting > test::amount(100, 20));
}

TEST_CASE_TEMPLATE("lazy products are congruent to products, and place them", Number, tiny_symmetric, small, odd,
                   even_symmetric, wide, widest_symmetric) {
  THRUST_RNS_TEST_ENGINE(engine, 2863);
  using Base = typename Number::base_type;
  const auto& moduli = lazy_moduli_of<Base>();
  const mpz_class& range = range_of<Number>();
  std::vector<mpz_class> x = values_to_try<Number>(engine);
  std::vector<mpz_class> y = x;
  std::shuffle(y.begin(), y.end(), engine);
  y[0] = x[0] = range - 1 > test::largest<Number>() ? mpz_class(-1) : mpz_class(range - 1); // all residues largest
  for (std::size_t k = 0; k < x.size(); ++k) {
    CAPTURE(x[k]);
    CAPTURE(y[k]);
    const Number a = test::make<Number>(x[k]), b = test::make<Number>(y[k]);
    lazy_sums sums;
    for (int i = 0; i < Number::size; ++i) {
      const std::uint32_t m = Base::moduli[i], t = moduli[i].multiply(a.residue(i), b.residue(i));
      CHECK(2 * std::uint64_t{t} < 3 * std::uint64_t{m});
      CHECK(moduli[i].settle(t % m) == moduli[i].m.multiply(a.residue(i), b.residue(i)));
      sums.add(t, moduli[i]);
    }
    mpz_class z = x[k] * y[k];
    mpz_fdiv_r(z.get_mpz_t(), z.get_mpz_t(), range.get_mpz_t());
    const auto placed = [&](const mpz_class& v) { return is_placed<Number>(64, v, sums.leading(), lazy_error<Base>); };
    CHECK((placed(z) || placed(z + range))); // modulo 2^64
  }
  CHECK(lazy_error<Base> < std::uint64_t{1} << 32);
}

TEST_CASE_TEMPLATE("totals settle to the same sum", Number, tiny_symmetric, small, wide_symmetric) {
  THRUST_RNS_TEST_ENGINE(engine, 2864);
  constexpr std::int64_t quarter = std::int64_t{1} << 62;
  for (const std::int64_t wraps : {0, 1, -1, 5, -5, 123456789, -123456789}) {
    for (const std::int64_t off : {std::int64_t{0}, quarter, -quarter}) { // the most that a position may be wrong by
      const mpz_class x = test::random_value<Number>(engine), magnitude = (abs(x) << 64) / range_of<Number>();
      const thrust_rns::int128_t own = (x < 0 ? -1 : 1) * static_cast<thrust_rns::int128_t>(magnitude.get_ui());
      const Number value = test::make<Number>(x);
      const total_with_position<Number> total{value, own + off + wraps * (thrust_rns::int128_t{1} << 64), 17};
      CHECK(total.wraps() == wraps);
      const total_with_position<Number> settled = total.settled(), twice = settled + settled;
      CHECK(settled.value == value);
      CHECK(settled.first == 17);
      const thrust_rns::int128_t error = settled.position + off - total.position;
      CHECK((-140 < error && error < 140));
      CHECK(test::value(twice.value) + test::mpz(twice.wraps()) * range_of<Number>() ==
            2 * (x + test::mpz(wraps) * range_of<Number>()));
    }
  }
}
