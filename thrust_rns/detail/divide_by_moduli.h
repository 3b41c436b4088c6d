// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// floor(X / P), P a product of moduli of the base, by mixed radix: the digits of the moduli in P come first, what is left are the
/// quotient's residues modulo the others, and its own digits give it modulo the moduli in P. Exact without any comparison.

#include <cstdint>
#include <utility>

#include <thrust_rns/config.h>
#include <thrust_rns/convert.h>
#include <thrust_rns/detail/array.h>
#include <thrust_rns/detail/base_tables.h>
#include <thrust_rns/functional.h>
#include <thrust_rns/mixed_radix.h>
#include <thrust_rns/modular.h>
#include <thrust_rns/number.h>

namespace thrust_rns {
namespace detail {

/// inverse[i] = m_J^-1 mod m_i for all i != J. From u m_i = 1 + s m_J, u the inverse of m_i: (m_i - s) m_J = 1 mod m_i.
template <class Base, int J>
inline constexpr auto all_inverses_of_modulus = [] {
  array<std::uint32_t, Base::size> inverse{};
  if constexpr (J + 1 < Base::size) inverse = inverses_of_modulus<Base, J>;
  for (int i = 0; i < J; ++i) {
    const std::uint64_t u = host_table<make_inverses<Base>>.row[i][J];
    inverse[i] = Base::moduli[i] - static_cast<std::uint32_t>((u * Base::moduli[i] - 1) / Base::moduli[J]);
  }
  return inverse;
}();

template <class Base>
struct all_inverses {
  array<std::uint32_t, Base::size> row[Base::size];
};
template <class Base>
struct make_all_inverses {
  static constexpr auto make() { return gather(std::make_integer_sequence<int, Base::size>{}); }

 private:
  template <int... J>
  static constexpr all_inverses<Base> gather(std::integer_sequence<int, J...>) {
    return {{all_inverses_of_modulus<Base, J>...}};
  }
};

/// The moduli in an order whose first `count` have the product P; product[i] = P mod m_i.
template <class Base>
struct moduli_order {
  int count = 0;
  array<std::uint16_t, Base::size> order{};
  array<std::uint32_t, Base::size> product{};
};

template <class Base, class Range>
THRUST_RNS_HD number<Base, Range> floor_by_moduli(const number<Base, Range>& x, const moduli_order<Base>& p) {
  constexpr int n = Base::size;
  const auto& moduli = moduli_of<Base>();
  const auto& inverses = table<make_all_inverses<Base>>();
  array<std::uint32_t, n> left{};
  for (int i = 0; i < n; ++i) left[i] = x.residue(i);
  const auto take_digit = [&](int step) { // what is left := (it - digit)/m
    const int j = p.order[step];
    THRUST_RNS_REPEAT(1)
    for (int t = step + 1; t < n; ++t) {
      const int i = p.order[t];
      const modulus& m = moduli[i];
      left[i] = m.multiply(m.subtract(left[i], m.reduce(left[j])), inverses.row[j][i]);
    }
    return left[j];
  };
  THRUST_RNS_REPEAT(1)
  for (int step = 0; step < p.count; ++step) take_digit(step);

  number<Base, Range> q{};
  for (int t = p.count; t < n; ++t) q.set_residue(p.order[t], left[p.order[t]]);
  array<std::uint32_t, n> weight{}; // the product of the quotient's moduli so far
  for (int t = 0; t < p.count; ++t) weight[p.order[t]] = 1;
  THRUST_RNS_REPEAT(1)
  for (int step = p.count; step < n; ++step) {
    const std::uint32_t digit = take_digit(step);
    THRUST_RNS_REPEAT(1)
    for (int t = 0; t < p.count; ++t) {
      const int i = p.order[t];
      const modulus& m = moduli[i];
      q.set_residue(i, m.add(q.residue(i), m.multiply(m.reduce(digit), weight[i])));
      weight[i] = m.multiply(weight[i], m.reduce(moduli[p.order[step]].value()));
    }
  }
  if constexpr (number<Base, Range>::is_symmetric) { // X = X_u - M, M = P (M/P): the quotient is that of X_u less M/P
    if (sign(x) < 0) {
      for (int t = 0; t < p.count; ++t) {
        const int i = p.order[t];
        q.set_residue(i, moduli[i].subtract(q.residue(i), weight[i]));
      }
    }
  }
  return q;
}

/// To the nearest integer, ties to even.
template <class Base, class Range>
THRUST_RNS_HD number<Base, Range> round_by_moduli(const number<Base, Range>& x, const moduli_order<Base>& p) {
  const number<Base, Range> q = floor_by_moduli(x, p);
  number<Base> rest{}, other{}; // X - q P and P less that
  bool divides = true;
  for (int i = 0; i < Base::size; ++i) {
    const modulus& m = moduli_of<Base>()[i];
    rest.set_residue(i, m.subtract(x.residue(i), m.multiply(q.residue(i), p.product[i])));
    other.set_residue(i, m.subtract(p.product[i], rest.residue(i)));
    divides = divides && rest.residue(i) == 0;
  }
  if (divides) return q;
  const int order = detail::compare(rest, other);
  if (order < 0) return q;
  if (order == 0) { // P is even, and so is one of its moduli, which knows whether q is odd
    for (int i = 0; i < Base::size; ++i) {
      if (moduli_of<Base>()[i].value() % 2 == 0 && q.residue(i) % 2 == 0) return q;
    }
  }
  return q + number<Base, Range>(1);
}

} // namespace detail
} // namespace thrust_rns
