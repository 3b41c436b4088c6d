// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Numbers that three residues already determine: X in [0, P), or in the symmetric range [-P/2, P/2), P = m_1 m_2 m_3 (the
/// product of all moduli where there are fewer). The mixed-radix digits of the first three residues give X; it is X exactly if
/// the other residues agree, x_i = X mod m_i, which costs three multiply-adds a residue and no division.

#include <cstdint>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/array.h>
#include <thrust_rns/detail/base_tables.h>
#include <thrust_rns/detail/window_tables.h>
#include <thrust_rns/interval.h>

namespace thrust_rns {
namespace detail {

/// What the test of one residue needs: the weights m_1 and m_1 m_2 of the digits, modulo m, and m^-1 modulo 2^64.
struct alignas(16) small_value_test {
  std::uint32_t weight2, weight3, inverse_low, inverse_high;
};

constexpr std::uint64_t inverse_modulo_2_64(std::uint64_t m) { // m odd
  std::uint64_t x = m;                                         // right modulo 2^3; each step doubles the bits
  for (int k = 0; k < 5; ++k) x *= 2 - m * x;
  return x;
}

template <class Base>
struct make_small_value_tests {
  static constexpr auto make() {
    array<small_value_test, Base::size> t{};
    for (int i = 3; i < Base::size; ++i) {
      const std::uint64_t m = Base::moduli[i], m1 = Base::moduli[0] % m;
      const std::uint64_t inverse = inverse_modulo_2_64(m);
      t[i] = {static_cast<std::uint32_t>(m1), static_cast<std::uint32_t>(m1 * (Base::moduli[1] % m) % m),
              static_cast<std::uint32_t>(inverse), static_cast<std::uint32_t>(inverse >> 32)};
    }
    return t;
  }
};

/// A factor b modulo m, multiplied with by two multiplications and a conditional subtraction (Shoup): any 32-bit a.
struct fixed_factor {
  std::uint32_t factor, quotient, modulus;

  THRUST_RNS_HD constexpr fixed_factor(std::uint32_t b, std::uint32_t m)
      : factor(b % m), quotient(static_cast<std::uint32_t>((std::uint64_t{b % m} << 32) / m)), modulus(m) {}
  THRUST_RNS_HD constexpr std::uint32_t operator()(std::uint32_t a) const {
    const auto q = static_cast<std::uint32_t>((static_cast<std::uint64_t>(a) * quotient) >> 32);
    const std::uint32_t r = a * factor - q * modulus; // below 2 m
    return r >= modulus ? r - modulus : r;
  }
};

/// X modulo P as digits, d1 + d2 m_1 + d3 m_1 m_2. In the symmetric range d3 may be negative: |X| <= P/2 then.
struct small_value {
  std::uint32_t d1, d2;
  std::int32_t d3; // below 2^31 without a sign too
};

template <class Number>
struct small_values {
  using Base = typename Number::base_type;
  static constexpr int digits = Number::size < 3 ? Number::size : 3;
  static constexpr std::uint32_t m1 = Base::moduli[0], m2 = Base::moduli[1], m3 = digits == 3 ? Base::moduli[2] : 1;
  static constexpr uint128_t m12 = static_cast<uint128_t>(m1) * m2, product = m12 * m3;

  static constexpr reciprocal one_over_range = reciprocal_of_suffix(Base::moduli, 0);

  /// Whether X is determined without a look at other residues.
  static constexpr bool complete = Number::size <= 3;
  /// Whether the other residues can be tested: by divisibility modulo 2^64, so their moduli must be odd.
  static constexpr bool testable = [] {
    for (int i = 3; i < Number::size; ++i) {
      if (Base::moduli[i] % 2 == 0) return false;
    }
    return true;
  }();

  THRUST_RNS_HD static small_value from_residues(std::uint32_t x1, std::uint32_t x2, std::uint32_t x3) {
    constexpr modulus mod2(m2);
    constexpr std::uint32_t inverse12 = mod2.inverse(m1 % m2);
    constexpr fixed_factor times12(inverse12, m2);
    small_value x{x1, mod2.subtract(times12(x2), times12(x1)), 0};
    if constexpr (digits == 3) {
      constexpr modulus mod3(m3);
      constexpr std::uint32_t inverse23 = mod3.inverse(m2 % m3);
      constexpr fixed_factor times23(inverse23, m3), times123(mod3.multiply(mod3.inverse(m1 % m3), inverse23), m3);
      x.d3 = static_cast<std::int32_t>(mod3.subtract(mod3.subtract(times123(x3), times123(x1)), times23(x.d2)));
    }
    if constexpr (Number::is_symmetric) {
      if (value(x) > (product - 1) / 2) x.d3 -= static_cast<std::int32_t>(m3);
    }
    return x;
  }

  /// Whether x_i = (X + shift) mod m_i, i > 3, 0 <= shift < m_i. With each weight reduced modulo m_i, t = X + shift - x_i is congruent
  /// to it and above -m_i (with a sign -2^62). If m_i divides t, the quotient t m_i^-1 modulo 2^64 is t/m_i, in [0, m_2 + m_3 +
  /// m_1/m_i + 1] or, with a sign, within m_2 + m_3/2 + m_1/m_i + 3 of 0: below 2^33, or in [-2^32, 2^32). If not, it is outside:
  /// of the 64-bit words just the multiples of m_i have quotients up to 2^64/m_i - 1 > 2^33 (between -2^63/m_i and 2^63/m_i).
  THRUST_RNS_HD static bool agrees(const small_value& x, std::uint32_t residue, const small_value_test& test,
                                   std::uint32_t shift = 0) {
    const auto d3 =
        static_cast<std::uint64_t>(static_cast<std::int64_t>(x.d3) * static_cast<std::int32_t>(test.weight3));
    const std::uint64_t t = static_cast<std::uint64_t>(x.d2) * test.weight2 + (x.d1 + shift) + d3 - residue;
    const auto low = static_cast<std::uint32_t>(t);
    const std::uint32_t high = static_cast<std::uint32_t>((static_cast<std::uint64_t>(low) * test.inverse_low) >> 32) +
                               low * test.inverse_high + static_cast<std::uint32_t>(t >> 32) * test.inverse_low;
    return (Number::is_symmetric ? high + 1 : high) <= 1;
  }

  /// The key of X.
  THRUST_RNS_HD static std::uint64_t key(const small_value& x) {
    constexpr reciprocal scale = one_over_range;
    uint128_t v = value(x);
    const bool negative = Number::is_symmetric && x.d3 < 0;
    if (negative) v = uint128_t{0} - v;
    if (v == 0) return zero_key;
    return negative ? zero_key - encode_scaled<Base, true>(v, 0, scale)
                    : zero_key + encode_scaled<Base, false>(v, 0, scale);
  }

 private:
  THRUST_RNS_HD static uint128_t value(const small_value& x) { // modulo 2^128
    const auto d3 = static_cast<uint128_t>(static_cast<int128_t>(x.d3));
    return d3 * m12 + static_cast<uint128_t>(static_cast<std::uint64_t>(x.d2) * m1 + x.d1);
  }
};

} // namespace detail
} // namespace thrust_rns
