// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// From residues to the integer: X = sum x_i c_i - r M with c_i = w_i M/m_i and the exact rank r. Modulo anything, c_i and M are
/// constants; r comes from the first pass of the evaluation, which already holds sum x_i w_i/m_i = r + X/M.
///
/// With S = sum x_i w_i/m_i and its truncation T, S lies in [T, T + error). Unsigned: r = floor(S) is floor(T) unless T + error
/// passes an integer, that is X next to 0 or M; then the sign of the representative next to zero decides. Symmetric: r = floor(S +
/// 1/2), in doubt next to M/2 only, where the sign of 2 X - M decides. Numbers near zero, the usual small ones, are never in doubt
/// there.

#include <cstdint>
#include <utility>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/array.h>
#include <thrust_rns/detail/base_tables.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/number.h>

namespace thrust_rns {
namespace detail {

// ---- tables ----------------------------------------------------------------------------------------------------

/// Constants are read in tiles of eight columns, 32 bytes.
inline constexpr int columns_together = 8;
struct alignas(16) tile_row {
  std::uint32_t column[columns_together];
};

template <int Rows, int Columns>
struct tiled_table {
  static constexpr int tiles = (Columns + columns_together - 1) / columns_together;
  array<tile_row, Rows> tile[tiles]; // column c of row i: tile[c / 8][i].column[c % 8]; 0 beyond the last column
};

template <class Base>
inline constexpr auto inverses_of_cofactors = cofactor_inverses(Base::moduli);

/// c_i mod p for all i, and M mod p.
template <int N>
struct cofactors {
  array<std::uint32_t, N> cofactor;
  std::uint32_t range;
};
template <class Base, std::uint32_t P>
inline constexpr auto cofactors_modulo = [] {
  constexpr int n = Base::size;
  cofactors<n> t{};
  std::uint64_t product = 1 % P; // of the moduli before i, then of those after
  for (int i = 0; i < n; ++i) {
    t.cofactor[i] = static_cast<std::uint32_t>(product);
    product = product * Base::moduli[i] % P;
  }
  t.range = static_cast<std::uint32_t>(product);
  product = 1 % P;
  for (int i = n - 1; i >= 0; --i) {
    t.cofactor[i] = static_cast<std::uint32_t>(product * t.cofactor[i] % P * inverses_of_cofactors<Base>[i] % P);
    product = product * Base::moduli[i] % P;
  }
  return t;
}();

/// Column j of row i: c_i mod m'_j, for the base change From -> To; range[j] = M mod m'_j.
template <class From, class To>
struct extension_table : tiled_table<From::size, To::size> {
  array<std::uint32_t, To::size> range;
};
template <class From, class To>
struct make_extension {
  static constexpr auto make() { return gather(std::make_integer_sequence<int, To::size>{}); }

 private:
  template <int... J>
  static constexpr auto gather(std::integer_sequence<int, J...>) {
    extension_table<From, To> t{};
    (set(t, J, cofactors_modulo<From, To::moduli[J]>), ...);
    return t;
  }
  static constexpr void set(extension_table<From, To>& t, int j, const cofactors<From::size>& c) {
    for (int i = 0; i < From::size; ++i) t.tile[j / columns_together][i].column[j % columns_together] = c.cofactor[i];
    t.range[j] = c.range;
  }
};

/// Integers in base 2^24, least significant digit first: enough digits for M and 32 bits more, in whole tiles.
template <class Base>
struct integer_format {
  static constexpr int digits =
      (base_constants<Base>::range_bits + 32) / 24 / columns_together * columns_together + columns_together;
  using integer = array<std::uint32_t, digits>;
};

template <class Base>
inline constexpr auto range_digits = [] {
  typename integer_format<Base>::integer d{};
  constexpr auto& product = base_constants<Base>::product;
  for (int b = 0; b < product.bits; ++b) d[b / 24] |= ((product.words[b / 32] >> (b % 32)) & 1) << (b % 24);
  return d;
}();

template <class Base, int I>
inline constexpr auto cofactor_digits = [] {
  auto d = range_digits<Base>;
  std::uint64_t rest = 0, carry = 0;
  for (int t = d.size() - 1; t >= 0; --t) { // exact division by m_i
    rest = (rest << 24) | d[t];
    d[t] = static_cast<std::uint32_t>(rest / Base::moduli[I]);
    rest %= Base::moduli[I];
  }
  for (int t = 0; t < d.size(); ++t) {
    carry += std::uint64_t{d[t]} * inverses_of_cofactors<Base>[I];
    d[t] = static_cast<std::uint32_t>(carry & 0xffffff);
    carry >>= 24;
  }
  return d;
}();

/// Column t of row i: digit t of c_i; range[t]: digit t of M.
template <class Base>
struct integer_table : tiled_table<Base::size, integer_format<Base>::digits> {
  typename integer_format<Base>::integer range;
};
template <class Base>
struct make_integer_digits {
  static constexpr auto make() { return gather(std::make_integer_sequence<int, Base::size>{}); }

 private:
  template <int... I>
  static constexpr auto gather(std::integer_sequence<int, I...>) {
    integer_table<Base> t{};
    t.range = range_digits<Base>;
    (set(t, I, cofactor_digits<Base, I>), ...);
    return t;
  }
  static constexpr void set(integer_table<Base>& table, int i, const typename integer_format<Base>::integer& d) {
    for (int t = 0; t < d.size(); ++t) table.tile[t / columns_together][i].column[t % columns_together] = d[t];
  }
};

/// 2^(24 t) mod p for t = 0, 1, ...
template <int Digits, std::uint32_t P>
inline constexpr auto digit_weights = [] {
  array<std::uint32_t, Digits> w{};
  std::uint64_t power = 1 % P;
  for (int t = 0; t < Digits; ++t) {
    w[t] = static_cast<std::uint32_t>(power);
    power = (power << 24) % P;
  }
  return w;
}();

/// Column j of row t: 2^(24 t) mod m_j.
template <class Base>
struct make_digit_weights {
  static constexpr int digits = integer_format<Base>::digits;
  static constexpr auto make() { return gather(std::make_integer_sequence<int, Base::size>{}); }

 private:
  using weights = tiled_table<digits, Base::size>;
  template <int... J>
  static constexpr auto gather(std::integer_sequence<int, J...>) {
    weights t{};
    (set(t, J, digit_weights<digits, Base::moduli[J]>), ...);
    return t;
  }
  static constexpr void set(weights& table, int j, const typename integer_format<Base>::integer& w) {
    for (int t = 0; t < digits; ++t) table.tile[j / columns_together][t].column[j % columns_together] = w[t];
  }
};

// ---- the rank --------------------------------------------------------------------------------------------------

/// floor(T), and its fraction cut to 64 bits; S lies in [T, T + leading_error 2^-64).
struct whole_and_fraction {
  std::int64_t whole; // below 2^40
  std::uint64_t fraction;
};

THRUST_RNS_HD inline whole_and_fraction split_sums(const digit_sums& sums) {
  const std::uint64_t c = sums.s[2] + (sums.s[3] >> 24);
  const std::uint64_t b = sums.s[1] + (c >> 24);
  const std::uint64_t a = sums.s[0] + (b >> 24);
  return {static_cast<std::int64_t>(a >> 24), (a << 40) + ((b & 0xffffff) << 16) + ((c & 0xffffff) >> 8)};
}

/// Whether X, which is next to 0 or M, is next to 0 from above; out of the caller's way, since rare.
template <class Base, class X>
THRUST_RNS_HD THRUST_RNS_NOINLINE bool is_next_to_zero(X x) {
  return sign_near_zero<Base>(single_thread{}, x) >= 0;
}

/// Whether X, which is next to M/2, is at least M/2.
template <class Base, class X>
THRUST_RNS_HD THRUST_RNS_NOINLINE bool is_past_the_middle(X x) {
  return sign_near_zero<Base>(single_thread{}, double_of<Base, X>{x}) >= 0;
}

/// r with X = sum x_i c_i - r M, where X is the value of x in the range of Number.
template <class Number, class X>
THRUST_RNS_HD std::int64_t rank_from_sums(const digit_sums& sums, X x) {
  using Base = typename Number::base_type;
  constexpr std::uint64_t error = base_constants<Base>::leading_error;
  const whole_and_fraction t = split_sums(sums);
  if constexpr (Number::is_symmetric) {
    constexpr std::uint64_t middle = std::uint64_t{1} << 63;
    if (t.fraction >= middle) return t.whole + 1;
    if (t.fraction <= middle - error) return t.whole;
    return t.whole + (is_past_the_middle<Base>(x) ? 1 : 0);
  } else {
    if (t.fraction <= std::uint64_t{0} - error) return t.whole;
    return t.whole + (is_next_to_zero<Base>(x) ? 1 : 0);
  }
}

template <class Number, class X>
THRUST_RNS_HD std::int64_t rank_of(X x) {
  return rank_from_sums<Number>(sum_group<typename Number::base_type>(single_thread{}, x, 0), x);
}

} // namespace detail
} // namespace thrust_rns
