// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// floor(X / 2^k) on residues. Y = X mod 2^k is found in binary, as digits in base 2^24 of sum x_i c_i - r M; then (X - Y) 2^-k
/// modulo each odd modulus. Modulo 2^a b, b odd: the quotient's low a bits are bits k .. k + a - 1 of X, the rest follows modulo b.

#include <cstdint>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/array.h>
#include <thrust_rns/detail/base_tables.h>
#include <thrust_rns/detail/rank.h>
#include <thrust_rns/modular.h>
#include <thrust_rns/number.h>

namespace thrust_rns {
namespace detail {

/// The even modulus 2^twos odd of a base, if there is one.
struct even_modulus {
  int index = -1;
  int twos = 0;
  std::uint32_t odd = 1;
  std::uint32_t inverse = 0; // of 2^twos modulo odd
};
template <class Base>
inline constexpr even_modulus even_modulus_of = [] {
  even_modulus e;
  for (int i = 0; i < Base::size; ++i) {
    if (Base::moduli[i] % 2 != 0) continue;
    e.index = i;
    e.odd = Base::moduli[i];
    for (; e.odd % 2 == 0; e.odd /= 2) ++e.twos;
    if (e.odd > 1) e.inverse = modulus(e.odd).inverse((std::uint32_t{1} << e.twos) % e.odd);
  }
  return e;
}();

/// 2^shift as a divisor: inverse[i] = 2^-shift mod m_i, of an even modulus modulo its odd part.
template <class Base>
struct power_divisor {
  int shift;
  array<std::uint32_t, Base::size> inverse;

  /// Powers beyond the range are cut: from 2^(bits + 1) on all quotients are those of 2^(bits + 1).
  THRUST_RNS_HD explicit power_divisor(int k) : shift(k < most ? k : most), inverse{} {
    THRUST_RNS_REPEAT(1)
    for (int i = 0; i < Base::size; ++i) {
      modulus m = moduli_of<Base>()[i];
      if (i == even_modulus_of<Base>.index) {
        if (even_modulus_of<Base>.odd == 1) continue;
        m = modulus(even_modulus_of<Base>.odd);
      }
      inverse[i] = m.power(m.value() / 2 + 1, static_cast<std::uint64_t>(shift)); // (m + 1)/2 = 1/2
    }
  }

 private:
  static constexpr int most = base_constants<Base>::range_bits + 1;
};

/// The low `tiles` x 8 digits in base 2^24 of E numbers, in two's complement: X in the range of Number.
template <class Number, int E, class X, class Digits>
THRUST_RNS_HD void low_digits(const X (&x)[E], int tiles, Digits& y) {
  using Base = typename Number::base_type;
  const auto& table = detail::table<make_integer_digits<Base>>();
  // The rank is below 2^40; its halves times digits fit in 64 bits with sign.
  std::int64_t low[E], high[E], carry[E] = {};
  for (int e = 0; e < E; ++e) {
    const std::int64_t r = rank_of<Number>(x[e]);
    low[e] = r & 0xffffff;
    high[e] = r >> 24;
  }
  std::int64_t range_below = 0;
  THRUST_RNS_REPEAT(1)
  for (int g = 0; g < tiles; ++g) {
    std::uint64_t sum[E][columns_together] = {}; // below 272 2^55 < 2^64
    THRUST_RNS_REPEAT(4)
    for (int i = 0; i < Base::size; ++i) {
      for (int e = 0; e < E; ++e) {
        const std::uint64_t residue = x[e](i);
        for (int c = 0; c < columns_together; ++c) sum[e][c] += residue * table.tile[g][i].column[c];
      }
    }
    for (int c = 0; c < columns_together; ++c) {
      const std::int64_t range = table.range[columns_together * g + c];
      for (int e = 0; e < E; ++e) {
        const std::int64_t t =
            static_cast<std::int64_t>(sum[e][c] & 0xffffff) - low[e] * range - high[e] * range_below + carry[e];
        y[columns_together * g + c][e] = static_cast<std::uint32_t>(t & 0xffffff);
        carry[e] = (t >> 24) + static_cast<std::int64_t>(sum[e][c] >> 24);
      }
      range_below = range;
    }
  }
}

/// out(e, j, residue j of the quotient) of E numbers divided by 2^shift, shift > 0: rounded down, or to the nearest integer with
/// ties to even. Residue j is read for the last time before it is written.
template <class Number, bool Nearest, int E, class X, class Output>
THRUST_RNS_HD void divide_by_power(const X (&x)[E], const power_divisor<typename Number::base_type>& divisor,
                                   const Output& out) {
  using Base = typename Number::base_type;
  constexpr even_modulus even = even_modulus_of<Base>;
  const int shift = divisor.shift;
  const auto digits_for = [](int bits) { return (bits + 23) / 24; };
  const int digits = digits_for(shift);
  const int more = Nearest && even.twos == 0 ? 1 : even.twos; // bits of the quotient that are read off
  std::uint32_t y[integer_format<Base>::digits][E];
  low_digits<Number>(x, (digits_for(shift + more) + columns_together - 1) / columns_together, y);

  std::uint32_t low_bits[E] = {}, increment[E] = {};
  for (int e = 0; e < E; ++e) {
    if (more > 0) {
      const int first = shift / 24, last = digits_for(shift + more) - 1;
      std::uint64_t bits = 0;
      for (int t = last; t > first; --t) bits = (bits << 24) | y[t][e];
      bits = first <= last ? ((bits << 24) | y[first][e]) >> (shift % 24) : 0;
      low_bits[e] = static_cast<std::uint32_t>(bits & ((std::uint64_t{1} << more) - 1));
    }
    if (shift % 24 != 0) y[digits - 1][e] &= (std::uint32_t{1} << (shift % 24)) - 1;
    if constexpr (Nearest) {
      const int top = (shift - 1) / 24, bit = (shift - 1) % 24;
      std::uint32_t rest = y[top][e] & ((std::uint32_t{1} << bit) - 1);
      for (int t = 0; t < top; ++t) rest |= y[t][e];
      increment[e] = (y[top][e] >> bit) & ((rest != 0 ? 1U : 0U) | (low_bits[e] & 1));
    }
  }

  const auto& weights = detail::table<make_digit_weights<Base>>();
  THRUST_RNS_REPEAT(1)
  for (int g = 0; g < weights.tiles; ++g) {
    std::uint64_t sum[E][columns_together] = {}; // of up to 370 products below 2^55
    THRUST_RNS_REPEAT(4)
    for (int t = 0; t < digits; ++t) {
      for (int e = 0; e < E; ++e) {
        const std::uint64_t digit = y[t][e];
        for (int c = 0; c < columns_together; ++c) sum[e][c] += digit * weights.tile[g][t].column[c];
      }
    }
    for (int c = 0; c < columns_together && columns_together * g + c < Base::size; ++c) {
      const int j = columns_together * g + c;
      const modulus& m = moduli_of<Base>()[j];
      for (int e = 0; e < E; ++e) {
        const std::uint32_t multiple = m.subtract(x[e](j), m.reduce(sum[e][c])); // X - Y
        std::uint32_t q;
        if (j != even.index) {
          q = m.multiply(multiple, divisor.inverse[j]);
        } else { // CRT of the bits and the quotient modulo the odd part
          q = low_bits[e];
          if constexpr (even.odd > 1) {
            const modulus p(even.odd);
            const std::uint32_t rest = p.multiply(p.reduce(multiple), divisor.inverse[j]);
            q += p.multiply(p.subtract(rest, p.reduce(q)), even.inverse) << even.twos;
          }
        }
        out(e, j, Nearest ? m.add(q, increment[e]) : q);
      }
    }
  }
}

} // namespace detail
} // namespace thrust_rns
