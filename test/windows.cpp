// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// The arithmetic of small values and of windows (evaluation of any magnitude on the GPU), on the host: every key is that of
// the number or one less.

#include "support.h"

#include <cstdint>
#include <random>
#include <vector>

#include <thrust_rns/detail/small_values.h>
#include <thrust_rns/detail/window_tables.h>
#include <thrust_rns/interval.h>

namespace {

using namespace thrust_rns::detail;
using thrust_rns::moduli_for_bits;
using thrust_rns::moduli_set;
using thrust_rns::number;
using thrust_rns::symmetric_range;

/// Whether |z|/M lies where a key between those of its f and one less says.
template <class Number>
bool is_key_of(std::uint64_t key, const mpz_class& z) {
  if (key == 0) return false;
  if (z == 0) return key == zero_key;
  const mpz_class& m = test::dynamic_range<typename Number::base_type>();
  const thrust_rns::interval_evaluation<Number> e(key);
  const auto order = [&](const thrust_rns::dyadic& d) { // of the bound and z/M
    const mpz_class bound = m * static_cast<long>(d.mantissa);
    return d.exponent < 0 ? cmp(bound, z << static_cast<unsigned>(-d.exponent))
                          : cmp(bound << static_cast<unsigned>(d.exponent), z);
  };
  return order(e.lower()) <= 0 && order(e.upper()) >= 0;
}

/// What the matrix product gives for one number: its 64 columns in a group of windows.
template <class Number>
void columns_of(const Number& x, int group, std::uint32_t (&column)[64]) {
  using Base = typename Number::base_type;
  const auto& t = host_table<make_window_table<Base>>;
  const window_group g = window_schedule<Base>::group[group];
  for (std::uint32_t& c : column) c = 0;
  for (int i = 0; i < g.moduli; ++i) {
    std::uint64_t rest = t.r[8 * g.first_step + i];
    std::uint32_t byte[68];
    for (std::uint32_t& e : byte) {
      rest <<= 8;
      e = static_cast<std::uint32_t>(rest / t.modulus[8 * g.first_step + i]);
      rest %= t.modulus[8 * g.first_step + i];
    }
    for (int q = 0; q < 64; ++q) {
      for (int b = 0; b < 4; ++b) column[q] += ((x.residue(i) >> (8 * b)) & 255) * byte[q + b];
    }
  }
}

template <class Number>
std::uint64_t key_by_windows(const Number& x) {
  using schedule = window_schedule<typename Number::base_type>;
  for (int c = 0; c < schedule::groups; ++c) {
    std::uint32_t column[64];
    columns_of(x, c, column);
    std::vector<window_sum> sum;
    for (int w = 0; w < 8; ++w) {
      std::uint32_t own[8];
      for (int q = 0; q < 8; ++q) own[q] = column[8 * w + q];
      sum.push_back(window_sum::of<schedule::narrow>(own));
    }
    for (std::size_t w = 0; w < 7; ++w) {
      const std::uint64_t integer = sum[w].low + sum[w + 1].carry;
      if (integer == 0) continue;
      return key_from_window<Number>(
          {integer, sum[w + 1].low, 8 * c + static_cast<int>(w), (sum[w].low & integer) >> 63 != 0});
    }
  }
  return key_from_window<Number>({0, 0, -1, false});
}

template <class Number>
void check(int count) {
  using Base = typename Number::base_type;
  using rule = small_values<Number>;
  THRUST_RNS_TEST_ENGINE(engine, 1201);
  std::vector<mpz_class> values = test::sample_values<Number>(engine, count);
  for (int k = 0; k < count; ++k) {
    const mpz_class z = test::random_below(engine, test::power_of_two(1 + static_cast<int>(engine() % 94)));
    values.push_back(test::wrap<Number>(Number::is_symmetric && k % 2 != 0 ? mpz_class(-z) : z));
  }
  const mpz_class& m = test::dynamic_range<Base>();
  mpz_class p = 1; // the product of three moduli
  for (int i = 0; i < rule::digits; ++i) p *= static_cast<unsigned long>(Base::moduli[i]);
  for (const mpz_class& z : values) {
    CAPTURE(z.get_str());
    const Number x = test::make<Number>(z);
    const std::uint64_t key = key_by_windows(x);
    if (key == 0) { // left to magnification
      CHECK(Number::is_symmetric);
      CHECK(abs(2 * abs(z) - m) <= m >> 55);
    } else {
      CHECK(is_key_of<Number>(key, z));
    }
    if (!rule::testable) continue;
    const small_value small = rule::from_residues(x.residue(0), x.residue(1), Number::size > 2 ? x.residue(2) : 0);
    bool agrees = true;
    for (int i = 3; i < Number::size; ++i) {
      agrees = agrees && rule::agrees(small, x.residue(i), host_table<make_small_value_tests<Base>>[i]);
    }
    CHECK(agrees == (rule::complete || (Number::is_symmetric ? 2 * z < p && 2 * z >= -p : z < p)));
    if (agrees) CHECK(is_key_of<Number>(rule::key(small), z));
  }
}

} // namespace

TEST_CASE("small values and windows of bases of few, uneven and even moduli") {
  check<number<moduli_for_bits<64>, symmetric_range>>(200);
  check<number<moduli_set<2147483647, 3, 5, 7, 11, 2>, symmetric_range>>(50);
  check<number<moduli_set<3, 2147483647, 2147483629, 5>>>(500);
  check<number<moduli_set<2147483647, 3, 5, 7, 11, 13, 2147483629>, symmetric_range>>(500);
}

TEST_CASE("small values and windows of wide bases") {
  check<number<moduli_for_bits<1024>>>(test::amount(150, 20));
  check<number<moduli_for_bits<1024>, symmetric_range>>(test::amount(150, 20));
  check<number<thrust_rns::isupov_moduli<1024>>>(test::amount(60, 20));
}
