// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Checks of bounds of X/M, as Algorithm 1 gives them, against GMP.

#include <algorithm>
#include <cmath>
#include <vector>

#include <thrust_rns/floating_interval.h>

#include "support.h"

namespace test {

inline constexpr thrust_rns::refinement both_rules[] = {thrust_rns::refinement::original,
                                                        thrust_rns::refinement::improved};
inline constexpr double accuracies[] = {1e-3, 1e-7, 1e-9};

template <class Number>
using base_of = typename Number::base_type;

/// X in [0, M) and bounds of X/M, all times M 2^shift, as integers.
struct scaled_bounds {
  mpz_class low, x, upp;

  scaled_bounds(const mpz_class& z, const mpz_class& range, const thrust_rns::floating_bounds& b) {
    const int shift = std::max({0, -b.low.exponent, -b.upp.exponent});
    const auto scaled = [&](const thrust_rns::dyadic& d) {
      return mpz_class(range * static_cast<long>(d.mantissa) * power_of_two(d.exponent + shift));
    };
    low = scaled(b.low);
    upp = scaled(b.upp);
    x = modulo(z, range) * power_of_two(shift);
  }

  bool enclose() const { return low <= x && x <= upp; }
  bool are_accurate_to(double accuracy) const {
    const mpq_class limit(accuracy); // exactly
    return mpz_class(upp - low) * limit.get_den() <= x * limit.get_num();
  }
};

template <class Number>
void check_bounds(const mpz_class& z, const thrust_rns::floating_bounds& b, double accuracy) {
  const mpz_class& range = dynamic_range<base_of<Number>>();
  if (z == 0) {
    REQUIRE(b.low.mantissa == 0);
    REQUIRE(b.upp.mantissa == 0);
    REQUIRE(b.refinements == 0);
    return;
  }
  const scaled_bounds s(z, range, b);
  REQUIRE(s.enclose());
  REQUIRE(s.are_accurate_to(accuracy));
  REQUIRE(b.refinements >= 0);
}

/// Powers of two, every `step`th of them, at both ends of [0, M); the middle; random numbers.
template <class Number, class Engine>
std::vector<mpz_class> values_to_bound(Engine& engine, int step, int count) {
  const mpz_class& range = dynamic_range<base_of<Number>>();
  std::vector<mpz_class> values{0, 1, 2, 3, range - 1, range - 2};
  for (int k = 0; k < thrust_rns::dynamic_range_bits<base_of<Number>>; k += step) {
    values.push_back(power_of_two(k));
    values.push_back(range - power_of_two(k));
  }
  for (int d = -2; d <= 2; ++d) values.push_back(range / 2 + d);
  for (int k = 0; k < count; ++k) {
    values.push_back(random_below(engine, range));
    values.push_back(modulo(random_length_value<Number>(engine), range));
  }
  return values;
}

template <class Base>
int rho(double accuracy) {
  return -thrust_rns::detail::ceil_log2(2 * thrust_rns::detail::least_accurate_bound<Base>(accuracy));
}

/// The most refinements by a fixed factor 2^k that theorem 1 allows.
template <class Base>
int most_refinements(double accuracy, int k) {
  signed long exponent = 0;
  const double leading = mpz_get_d_2exp(&exponent, dynamic_range<Base>().get_mpz_t());
  const double bits = static_cast<double>(exponent) + std::log2(leading);
  return static_cast<int>(std::ceil((bits + std::log2(thrust_rns::detail::least_accurate_bound<Base>(accuracy))) / k));
}

} // namespace test
