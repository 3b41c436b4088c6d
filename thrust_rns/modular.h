// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Arithmetic of one residue modulo one modulus below 2^31.

#include <cstdint>

#include <thrust_rns/config.h>

namespace thrust_rns {

/// A modulus m, 2 <= m < 2^31, with the constant that replaces division by multiplication (Barrett).
///
/// Every operation takes residues in [0, m) and returns a residue in [0, m). On other bits the result is some
/// 32-bit value; nothing traps and nothing loops. All members are constexpr and run on host and device.
///
/// @code
/// constexpr thrust_rns::modulus m(13);
/// std::cout << m.multiply(7, 9) << ' ' << m.subtract(3, 5) << ' ' << m.inverse(5) << '\n';  // prints 11 11 8
/// @endcode
class modulus {
 public:
  static constexpr std::uint32_t minimum = 2;
  static constexpr std::uint32_t maximum = (std::uint32_t{1} << 31) - 1;

  constexpr modulus() = default;
  THRUST_RNS_HD constexpr explicit modulus(std::uint32_t m) : value_(m), reciprocal_(~std::uint64_t{0} / m) {}

  THRUST_RNS_HD constexpr std::uint32_t value() const { return value_; }

  /// x mod m for any 64-bit x: one high product, one low product, one conditional subtraction.
  ///
  /// With c = floor((2^64 - 1)/m), 2^64/m - c <= 1, so q = floor(x c / 2^64) is floor(x/m) or one less, and
  /// x - q m < 2m < 2^32.
  THRUST_RNS_HD constexpr std::uint32_t reduce(std::uint64_t x) const {
    const auto q = static_cast<std::uint64_t>((static_cast<uint128_t>(x) * reciprocal_) >> 64);
    return wrap(static_cast<std::uint32_t>(x - q * value_));
  }

  THRUST_RNS_HD constexpr std::uint32_t add(std::uint32_t a, std::uint32_t b) const { return wrap(a + b); }
  THRUST_RNS_HD constexpr std::uint32_t subtract(std::uint32_t a, std::uint32_t b) const {
    return wrap(a + (value_ - b));
  }
  THRUST_RNS_HD constexpr std::uint32_t negate(std::uint32_t a) const { return wrap(value_ - a); }
  THRUST_RNS_HD constexpr std::uint32_t multiply(std::uint32_t a, std::uint32_t b) const {
    return reduce(static_cast<std::uint64_t>(a) * b);
  }

  /// a^e mod m, with 0^0 = 1.
  THRUST_RNS_HD constexpr std::uint32_t power(std::uint32_t a, std::uint64_t e) const {
    std::uint32_t r = 1 % value_;
    for (; e != 0; e >>= 1) {
      if ((e & 1) != 0) r = multiply(r, a);
      a = multiply(a, a);
    }
    return r;
  }

  /// The b with a b = 1 mod m, or 0 if gcd(a, m) > 1 (extended Euclid; m need not be prime).
  THRUST_RNS_HD constexpr std::uint32_t inverse(std::uint32_t a) const {
    std::int64_t r0 = value_, r1 = a, t0 = 0, t1 = 1;
    while (r1 != 0) {
      const std::int64_t q = r0 / r1;
      const std::int64_t r2 = r0 - q * r1;
      const std::int64_t t2 = t0 - q * t1;
      r0 = r1;
      r1 = r2;
      t0 = t1;
      t1 = t2;
    }
    if (r0 != 1) return 0;
    return static_cast<std::uint32_t>(t0 < 0 ? t0 + static_cast<std::int64_t>(value_) : t0);
  }

 private:
  /// r mod m for r < 2m: the subtraction wraps round to a large number exactly when r < m.
  THRUST_RNS_HD constexpr std::uint32_t wrap(std::uint32_t r) const {
    const std::uint32_t s = r - value_;
    return s < r ? s : r;
  }

  std::uint32_t value_ = 0;
  std::uint64_t reciprocal_ = 0;
};

} // namespace thrust_rns
