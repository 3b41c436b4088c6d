// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Mixed-radix digits: X = d_1 + d_2 m_1 + d_3 m_1 m_2 + ... + d_n m_1 ... m_(n-1), 0 <= d_i < m_i.
///
/// The classical way to order numbers of a residue number system (N. S. Szabo and R. I. Tanaka, "Residue Arithmetic and
/// Its Applications to Computer Technology", 1967). It is exact for moduli in any order and needs n (n - 1)/2 modular
/// products a number; the library itself orders by interval evaluation (interval.h), whose work is a small multiple of n.

#include <cstdint>
#include <utility>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/array.h>
#include <thrust_rns/detail/base_tables.h>
#include <thrust_rns/modular.h>
#include <thrust_rns/number.h>

namespace thrust_rns {

/// The digits of a number, least significant first; those from `used` on are zero.
template <class Base>
struct mixed_radix_digits {
  detail::array<std::uint32_t, Base::size> digit;
  int used;
};

namespace detail {

/// inverse[i] = m_j^-1 mod m_i for i > j = Row.
template <class Base, int Row>
inline constexpr auto inverses_of_modulus = [] {
  array<std::uint32_t, Base::size> inverse{};
  for (int i = Row + 1; i < Base::size; ++i) {
    inverse[i] = modulus(Base::moduli[i]).inverse(Base::moduli[Row] % Base::moduli[i]);
  }
  return inverse;
}();

template <class Base>
struct inverse_table {
  array<std::uint32_t, Base::size> row[Base::size - 1];
};

template <class Base>
struct make_inverses {
  static constexpr auto make() { return gather(std::make_integer_sequence<int, Base::size - 1>{}); }

 private:
  template <int... Row>
  static constexpr inverse_table<Base> gather(std::integer_sequence<int, Row...>) {
    return {{inverses_of_modulus<Base, Row>...}};
  }
};

} // namespace detail

/// The mixed-radix digits of X in [0, M), in the order of Base::moduli. Host and device.
///
/// Step j takes d_j = the residue modulo m_j of what is left and replaces what is left by (it - d_j)/m_j in the moduli after
/// j. It stops when what is left is zero in all of them, so a number below m_1 ... m_j takes j steps of at most n products.
///
/// @code
/// using number = thrust_rns::number<thrust_rns::moduli_set<13, 7, 16>>;
/// auto d = thrust_rns::mixed_radix(number(100));  // 100 = 9 + 0 13 + 1 91
/// std::cout << d.digit[0] << ' ' << d.digit[1] << ' ' << d.digit[2] << ' ' << d.used << '\n';  // prints 9 0 1 3
/// @endcode
template <class Base, class Range>
THRUST_RNS_HD mixed_radix_digits<Base> mixed_radix(const number<Base, Range>& x) {
  const auto& moduli = detail::moduli_of<Base>();
  const auto& inverses = detail::table<detail::make_inverses<Base>>();
  mixed_radix_digits<Base> d;
  std::uint32_t any = 0;
  for (int i = 0; i < Base::size; ++i) {
    d.digit[i] = x.residue(i);
    any |= d.digit[i];
  }
  d.used = 0;
  for (int j = 0; any != 0 && j < Base::size; ++j) { // digit[j ..] holds what is left
    d.used = j + 1;
    any = 0;
    for (int i = j + 1; i < Base::size; ++i) {
      const modulus& m = moduli[i];
      d.digit[i] = m.multiply(m.subtract(d.digit[i], m.reduce(d.digit[j])), inverses.row[j][i]);
      any |= d.digit[i];
    }
  }
  return d;
}

/// -1, 0, 1 as X < Y, X = Y, X > Y for X and Y in [0, M): the order of the digits from the most significant.
template <class Base>
THRUST_RNS_HD int compare(const mixed_radix_digits<Base>& x, const mixed_radix_digits<Base>& y) {
  for (int i = Base::size - 1; i >= 0; --i) {
    if (x.digit[i] != y.digit[i]) return x.digit[i] < y.digit[i] ? -1 : 1;
  }
  return 0;
}

/// The order of two numbers in their range, by mixed radix: exact, and independent of interval evaluation.
///
/// In the symmetric range both are moved up by floor(M/2), which makes them unsigned in the same order.
///
/// @code
/// using number = thrust_rns::number<thrust_rns::moduli_for_bits<128>, thrust_rns::symmetric_range>;
/// std::cout << thrust_rns::compare_by_mixed_radix(number(-2), number(1)) << '\n';  // prints -1
/// @endcode
template <class Base, class Range>
THRUST_RNS_HD int compare_by_mixed_radix(number<Base, Range> x, number<Base, Range> y) {
  if constexpr (number<Base, Range>::is_symmetric) {
    const auto& half_range = detail::table<detail::make_half_range_residues<Base>>();
    for (int i = 0; i < Base::size; ++i) {
      const modulus& m = detail::moduli_of<Base>()[i];
      x.set_residue(i, m.add(x.residue(i), half_range[i]));
      y.set_residue(i, m.add(y.residue(i), half_range[i]));
    }
  }
  return compare(mixed_radix(x), mixed_radix(y));
}

} // namespace thrust_rns
