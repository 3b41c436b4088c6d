// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Tables for the conversion of many integers at once. Both ways are products of a matrix with the digits, or the
/// residues, of a tile of elements, with digits so short that sums of products stay in 64 bits.
///
/// *To residues.* X = sum d_j 2^(D j): x_i = sum d_j (2^(D j) mod m_i), one reduction a residue.
///
/// *From residues.* With y_i = x_i w_i mod m_i, sum y_i/m_i = k + X/M and X = sum y_i M_i - k M, where k is an integer
/// below n. M_i and M are cut in digits in base 2^D: a sum a digit, then one pass for the carries. k comes from 1/m_i,
/// cut after two digits; the rest of that sum tells when a neighbour of k may be the right one (exchange.h).

#include <cstdint>
#include <utility>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/array.h>
#include <thrust_rns/detail/base_tables.h>
#include <thrust_rns/modular.h>

namespace thrust_rns {
namespace detail {

template <class Base>
constexpr std::uint32_t largest_modulus() {
  std::uint32_t largest = 0;
  for (int i = 0; i < Base::size; ++i) largest = Base::moduli[i] > largest ? Base::moduli[i] : largest;
  return largest;
}

constexpr int round_up_to_4(int x) { return (x + 3) / 4 * 4; }

template <class Base>
struct exchange_constants {
  static constexpr int words = base_constants<Base>::words;

  // ---- to residues ----
  static constexpr int digits_of_words(int bits) { return (32 * words + bits - 1) / bits; }
  /// The longest digits for which the sum of all products with residues is below 2^64.
  static constexpr int import_bits = [] {
    int bits = 32;
    const std::uint64_t factor = largest_modulus<Base>() - 1;
    while ((((uint128_t{1} << bits) - 1) * factor * static_cast<std::uint64_t>(digits_of_words(bits))) >> 64 != 0)
      --bits;
    return bits;
  }();
  static constexpr int import_digits = digits_of_words(import_bits);
  static constexpr int import_columns = round_up_to_4(Base::size);

  // ---- from residues ----
  /// The longest digits for which the sums stay below 3/4 of 2^63, so that carries and k M have room beside them.
  static constexpr int export_bits = [] {
    int bits = 32;
    const auto residues = static_cast<uint128_t>(Base::size) * (largest_modulus<Base>() - 1);
    while (residues * ((uint128_t{1} << bits) - 1) > (uint128_t{3} << 61)) --bits;
    return bits;
  }();
  static constexpr int export_digits = (base_constants<Base>::range_bits + export_bits - 1) / export_bits;
  /// The columns are the two digits of 1/m_i, then the digits of M_i, least significant first.
  static constexpr int export_columns = export_digits + 2;
  static constexpr int export_pitch = round_up_to_4(export_columns);
  /// The sum of 1/m_i after one digit misses less than this, in units of its last place: E in units of the second
  /// digit, the cut of that digit, and one for rounding E down.
  static constexpr std::uint64_t quotient_error = (base_constants<Base>::error >> export_bits) + 2;
  static_assert(quotient_error < std::uint64_t{1} << (export_bits - 2));
};

template <int Columns>
struct alignas(16) exchange_row {
  std::uint32_t column[Columns];
};

/// 2^(D j) mod m_i for all i. A constant of its own for each row keeps every constant evaluation short.
template <class Base>
constexpr auto next_import_row(exchange_row<exchange_constants<Base>::import_columns> row) {
  for (int i = 0; i < Base::size; ++i) {
    row.column[i] = static_cast<std::uint32_t>((std::uint64_t{row.column[i]} << exchange_constants<Base>::import_bits) %
                                               Base::moduli[i]);
  }
  return row;
}
template <class Base>
constexpr auto first_import_row() {
  exchange_row<exchange_constants<Base>::import_columns> row{};
  for (int i = 0; i < Base::size; ++i) row.column[i] = 1;
  return row;
}
template <class Base, int Digit>
inline constexpr auto import_row = next_import_row<Base>(import_row<Base, Digit - 1>);
template <class Base>
inline constexpr auto import_row<Base, 0> = first_import_row<Base>();

/// [j].column[i] = 2^(D j) mod m_i, j <= import_digits, zero for the columns beyond n.
template <class Base>
struct make_import_powers {
  using constants = exchange_constants<Base>;
  static constexpr auto make() { return gather(std::make_integer_sequence<int, constants::import_digits + 1>{}); }

 private:
  template <int... Digit>
  static constexpr array<exchange_row<constants::import_columns>, sizeof...(Digit)> gather(
      std::integer_sequence<int, Digit...>) {
    return {{import_row<Base, Digit>...}};
  }
};

/// Digit `index` in base 2^bits of little-endian words.
template <int Words>
constexpr std::uint32_t digit_of(const array<std::uint32_t, Words>& words, int index, int bits) {
  const int bit = index * bits, word = bit / 32;
  std::uint64_t pair = word < Words ? words[word] : 0;
  if (word + 1 < Words) pair |= std::uint64_t{words[word + 1]} << 32;
  return static_cast<std::uint32_t>((pair >> (bit % 32)) & ((std::uint64_t{1} << bits) - 1));
}

template <class Base>
constexpr auto make_export_row(std::uint32_t m) {
  using constants = exchange_constants<Base>;
  constexpr int bits = constants::export_bits;
  exchange_row<constants::export_pitch> row{};
  row.column[0] = static_cast<std::uint32_t>((std::uint64_t{1} << bits) / m);
  row.column[1] = static_cast<std::uint32_t>((((std::uint64_t{1} << bits) % m) << bits) / m);
  array<std::uint32_t, constants::words> cofactor{};
  std::uint64_t rest = 0;
  for (int j = constants::words - 1; j >= 0; --j) {
    rest = (rest << 32) | base_constants<Base>::product.words[j];
    cofactor[j] = static_cast<std::uint32_t>(rest / m);
    rest %= m;
  }
  for (int c = 0; c < constants::export_digits; ++c) row.column[2 + c] = digit_of(cofactor, c, bits);
  return row;
}
template <class Base, int I>
inline constexpr auto export_row = make_export_row<Base>(Base::moduli[I]);

/// [i].column[c]: the columns of modulus i, as above, zero beyond export_columns.
template <class Base>
struct make_export_factors {
  static constexpr auto make() { return gather(std::make_integer_sequence<int, Base::size>{}); }

 private:
  template <int... I>
  static constexpr array<exchange_row<exchange_constants<Base>::export_pitch>, Base::size> gather(
      std::integer_sequence<int, I...>) {
    return {{export_row<Base, I>...}};
  }
};

/// The digits of M, as long as those of M_i.
template <class Base>
struct make_range_digits {
  static constexpr auto make() {
    using constants = exchange_constants<Base>;
    array<std::uint32_t, constants::export_digits> t{};
    const auto m = make_range_words<Base>::make();
    for (int c = 0; c < t.size(); ++c) t[c] = digit_of(m, c, constants::export_bits);
    return t;
  }
};

/// A residue times w_i modulo m_i, by Shoup's method: with c = floor(2^32 w/m) and q = floor(x c / 2^32), x w - q m
/// lies in [0, 2 m) for every x < 2^32.
struct scaled_modulus {
  std::uint32_t m, w, c;

  THRUST_RNS_HD std::uint32_t multiply(std::uint32_t x) const {
    const auto q = static_cast<std::uint32_t>((std::uint64_t{x} * c) >> 32);
    const std::uint32_t r = x * w - q * m, s = r - m;
    return s < r ? s : r;
  }
};

template <class Base>
struct make_scaled_moduli {
  static constexpr auto make() {
    const auto w = cofactor_inverses(Base::moduli);
    array<scaled_modulus, Base::size> t{};
    for (int i = 0; i < Base::size; ++i) {
      const std::uint32_t m = Base::moduli[i];
      t[i] = {m, w[i], static_cast<std::uint32_t>((std::uint64_t{w[i]} << 32) / m)};
    }
    return t;
  }
};

/// -floor(M/2) as two's complement, without the words of the sign.
template <class Base>
struct make_lowest_words {
  static constexpr auto make() {
    auto t = make_half_range_words<Base>::make(); // ceil(M/2); minus M is -floor(M/2)
    std::uint64_t borrow = 0;
    for (int i = 0; i < t.size(); ++i) {
      const std::uint64_t d = std::uint64_t{t[i]} - base_constants<Base>::product.words[i] - borrow;
      t[i] = static_cast<std::uint32_t>(d);
      borrow = (d >> 32) & 1;
    }
    return t;
  }
};

} // namespace detail
} // namespace thrust_rns
