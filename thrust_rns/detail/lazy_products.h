// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Products of residues that are only summed and placed: reduced no further than that needs.
///
/// If all moduli are odd, t = (a b + u m)/2^32 with u = -a b/m mod 2^32 (Montgomery). Then t = a b 2^-32 modulo m and t < 1.5 m: two
/// more multiplications for a product, no comparison. The factor 2^-32 is taken back in the digits, which are those of
/// (2^32 w_i mod m_i)/m_i, and once in a sum. With an even modulus t = a b mod m.

#include <cstdint>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/array.h>
#include <thrust_rns/detail/base_tables.h>
#include <thrust_rns/modular.h>

namespace thrust_rns {
namespace detail {

template <class Base>
inline constexpr bool has_odd_moduli = [] {
  for (int i = 0; i < Base::size; ++i) {
    if (Base::moduli[i] % 2 == 0) return false;
  }
  return true;
}();

/// A modulus with what its products need.
template <bool Odd>
struct alignas(16) lazy_modulus {
  std::uint32_t digit[3]; // in base 2^24, most significant first
  std::uint32_t inverse;  // -1/m modulo 2^32
  modulus m;

  THRUST_RNS_HD std::uint32_t multiply(std::uint32_t a, std::uint32_t b) const {
    if constexpr (!Odd) return m.multiply(a, b);
    const std::uint64_t p = static_cast<std::uint64_t>(a) * b;
    const std::uint32_t u = static_cast<std::uint32_t>(p) * inverse;
    return static_cast<std::uint32_t>((p + static_cast<std::uint64_t>(u) * m.value()) >> 32); // below 2^62 + 2^63
  }
  /// From a sum of such products modulo m to the sum of the products modulo m.
  THRUST_RNS_HD std::uint32_t settle(std::uint32_t sum) const {
    return Odd ? m.multiply(sum, m.reduce(std::uint64_t{1} << 32)) : sum;
  }
};

template <class Base>
struct make_lazy_moduli {
  static constexpr auto make() {
    array<lazy_modulus<has_odd_moduli<Base>>, Base::size> t{};
    for (int i = 0; i < Base::size; ++i) {
      const std::uint32_t value = Base::moduli[i];
      t[i].m = modulus(value);
      std::uint64_t rest = inverses_of<Base>[i];
      if (has_odd_moduli<Base>) {
        std::uint32_t inverse = value; // right modulo 8; each step doubles the bits
        for (int step = 0; step < 4; ++step) inverse *= 2 - value * inverse;
        t[i].inverse = 0 - inverse;
        rest = (rest << 32) % value;
      }
      for (int d = 0; d < 3; ++d) {
        t[i].digit[d] = static_cast<std::uint32_t>((rest << 24) / value);
        rest = (rest << 24) % value;
      }
    }
    return t;
  }
};

template <class Base>
THRUST_RNS_HD constexpr const auto& lazy_moduli_of() {
  return table<make_lazy_moduli<Base>>();
}

/// Places X Y modulo M from its lazy products.
struct lazy_sums {
  std::uint64_t s[3] = {0, 0, 0}; // below 2^64: 272 products of 1.5 2^31 and 2^24

  template <bool Odd>
  THRUST_RNS_HD void add(std::uint32_t t, const lazy_modulus<Odd>& m) {
    s[0] += static_cast<std::uint64_t>(t) * m.digit[0];
    s[1] += static_cast<std::uint64_t>(t) * m.digit[1];
    s[2] += static_cast<std::uint64_t>(t) * m.digit[2];
  }
  /// With Z = X Y modulo M, 2^64 Z/M lies in [leading, leading + lazy_error<Base>) modulo 2^64.
  THRUST_RNS_HD std::uint64_t leading() const { return (s[0] << 40) + (s[1] << 16) + (s[2] >> 8); }
};

/// Digits cut after 72 bits miss less than 1.5 sum m_i 2^-72, the shift one unit; below 2^32.
template <class Base>
inline constexpr std::uint64_t lazy_error = 2 + ((3 * (base_constants<Base>::error + Base::size) / 2) >> 8);

} // namespace detail
} // namespace thrust_rns
