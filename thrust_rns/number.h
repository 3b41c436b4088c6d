// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// The value type: an integer held as its residues.

#include <cstdint>
#include <limits>
#include <type_traits>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/array.h>
#include <thrust_rns/detail/base_tables.h>
#include <thrust_rns/modular.h>
#include <thrust_rns/moduli_set.h>

namespace thrust_rns {

/// Values 0 .. M-1.
struct unsigned_range {};

/// Values -floor(M/2) .. ceil(M/2) - 1: signed integers, with zero in the middle.
struct symmetric_range {};

namespace detail {

/// Built-in integers of up to 128 bits.
template <class T>
inline constexpr bool is_integer = std::is_integral_v<T> || std::is_same_v<T, int128_t> || std::is_same_v<T, uint128_t>;

template <class T>
using enable_if_integer = std::enable_if_t<is_integer<T>, int>;

template <class Int>
inline constexpr bool is_signed_integer = std::is_signed_v<Int> || std::is_same_v<Int, int128_t>;

/// |v| as 128 bits, and whether v < 0; right for the smallest value of each type too.
template <class Int>
THRUST_RNS_HD constexpr uint128_t magnitude(Int v, bool& negative) {
  negative = false;
  if constexpr (is_signed_integer<Int>) negative = v < Int(0);
  const auto bits = static_cast<uint128_t>(v);
  return negative ? uint128_t{0} - bits : bits;
}

THRUST_RNS_HD constexpr std::uint32_t reduce(const modulus& m, uint128_t v) {
  const std::uint32_t high = m.reduce(static_cast<std::uint64_t>(v >> 64));
  const std::uint32_t middle = m.reduce((std::uint64_t{high} << 32) | static_cast<std::uint32_t>(v >> 32));
  return m.reduce((std::uint64_t{middle} << 32) | static_cast<std::uint32_t>(v));
}

} // namespace detail

template <class Base, class Range>
class number;

namespace detail {
template <class Base, class Range>
THRUST_RNS_HD int compare(const number<Base, Range>& a, const number<Base, Range>& b); // functional.h
} // namespace detail

/// An integer X of the dynamic range of `Base`, held as x_i = X mod m_i in the order of `Base::moduli`.
///
/// Layout: `size` 32-bit residues and nothing else; trivially copyable and trivially default constructible, so that
/// arrays of it can be left uninitialised (`number<B> x;`) or zeroed (`number<B> x{};`).
///
/// Arithmetic is exact modulo M and wraps like the built-in unsigned integers, in the symmetric range too; cost one
/// modular operation a residue. `==` compares residues. `<`, `<=`, `>`, `>=` are the exact order of the integers in
/// their range; include <thrust_rns/functional.h> (every container header does) for their definition. A built-in integer
/// beside a number becomes a number first, wrapped where it is outside the range. On bits that are no residues every
/// operation still ends, with an unspecified value.
///
/// Everything runs on the host and in device code and, but for the ordering, in constant expressions.
///
/// @code
/// using number = thrust_rns::number<thrust_rns::moduli_for_bits<256>, thrust_rns::symmetric_range>;
/// number a = 1'000'000'007, b = -3;
/// std::cout << a * a * b << ' ' << (a * b < b) << '\n';  // prints -3000000042000000147 1
/// @endcode
template <class Base, class Range = unsigned_range>
class number {
  static_assert(std::is_same_v<Range, unsigned_range> || std::is_same_v<Range, symmetric_range>,
                "thrust_rns: the range of a number is unsigned_range or symmetric_range");
  static_assert(detail::check_base<Base>(), "thrust_rns: not a moduli set");

 public:
  using base_type = Base;
  using range_type = Range;
  static constexpr int size = Base::size;
  static constexpr bool is_symmetric = std::is_same_v<Range, symmetric_range>;

  number() = default;

  /// The number congruent to `v` modulo M: `v` itself wherever `v` lies in the range, and wrapped like a built-in
  /// unsigned integer where not (-1 becomes M - 1 in the unsigned range). `from_integer` checks the range.
  template <class Int, detail::enable_if_integer<Int> = 0>
  THRUST_RNS_HD constexpr number(Int v) : residues_{} {
    bool negative = false;
    const uint128_t size_of_v = detail::magnitude(v, negative);
    for (int i = 0; i < size; ++i) {
      const modulus& m = detail::moduli_of<Base>()[i];
      const std::uint32_t r = detail::reduce(m, size_of_v);
      residues_[i] = negative ? m.negate(r) : r;
    }
  }

  /// x_i = X mod m_i, m_i = Base::moduli[i].
  THRUST_RNS_HD constexpr std::uint32_t residue(int i) const { return residues_[i]; }

  /// Sets x_i; `r` must be below m_i.
  THRUST_RNS_HD constexpr void set_residue(int i, std::uint32_t r) { residues_[i] = r; }

  THRUST_RNS_HD constexpr number& operator+=(const number& y) {
    for (int i = 0; i < size; ++i) residues_[i] = detail::moduli_of<Base>()[i].add(residues_[i], y.residues_[i]);
    return *this;
  }
  THRUST_RNS_HD constexpr number& operator-=(const number& y) {
    for (int i = 0; i < size; ++i) residues_[i] = detail::moduli_of<Base>()[i].subtract(residues_[i], y.residues_[i]);
    return *this;
  }
  THRUST_RNS_HD constexpr number& operator*=(const number& y) {
    for (int i = 0; i < size; ++i) residues_[i] = detail::moduli_of<Base>()[i].multiply(residues_[i], y.residues_[i]);
    return *this;
  }
  THRUST_RNS_HD constexpr number operator+() const { return *this; }
  THRUST_RNS_HD constexpr number operator-() const {
    number r{};
    for (int i = 0; i < size; ++i) r.residues_[i] = detail::moduli_of<Base>()[i].negate(residues_[i]);
    return r;
  }

  THRUST_RNS_HD friend constexpr number operator+(number x, const number& y) { return x += y; }
  THRUST_RNS_HD friend constexpr number operator-(number x, const number& y) { return x -= y; }
  THRUST_RNS_HD friend constexpr number operator*(number x, const number& y) { return x *= y; }

  THRUST_RNS_HD friend constexpr bool operator==(const number& x, const number& y) {
    for (int i = 0; i < size; ++i) {
      if (x.residues_[i] != y.residues_[i]) return false;
    }
    return true;
  }
  THRUST_RNS_HD friend constexpr bool operator!=(const number& x, const number& y) { return !(x == y); }
  THRUST_RNS_HD friend bool operator<(const number& x, const number& y) { return detail::compare(x, y) < 0; }
  THRUST_RNS_HD friend bool operator<=(const number& x, const number& y) { return detail::compare(x, y) <= 0; }
  THRUST_RNS_HD friend bool operator>(const number& x, const number& y) { return detail::compare(x, y) > 0; }
  THRUST_RNS_HD friend bool operator>=(const number& x, const number& y) { return detail::compare(x, y) >= 0; }

  // With a built-in integer on one side, which is not left to the conversion: in host code nvcc 13.0 drops the parentheses of a
  // constant expression that a constexpr constructor converts, and x * (2 * 3 - 1) would become x * 2 * 3 - 1.
  template <class Int, detail::enable_if_integer<Int> = 0>
  THRUST_RNS_HD friend constexpr number operator+(const number& x, Int y) {
    return x + number(y);
  }
  template <class Int, detail::enable_if_integer<Int> = 0>
  THRUST_RNS_HD friend constexpr number operator+(Int x, const number& y) {
    return number(x) + y;
  }
  template <class Int, detail::enable_if_integer<Int> = 0>
  THRUST_RNS_HD friend constexpr number operator-(const number& x, Int y) {
    return x - number(y);
  }
  template <class Int, detail::enable_if_integer<Int> = 0>
  THRUST_RNS_HD friend constexpr number operator-(Int x, const number& y) {
    return number(x) - y;
  }
  template <class Int, detail::enable_if_integer<Int> = 0>
  THRUST_RNS_HD friend constexpr number operator*(const number& x, Int y) {
    return x * number(y);
  }
  template <class Int, detail::enable_if_integer<Int> = 0>
  THRUST_RNS_HD friend constexpr number operator*(Int x, const number& y) {
    return number(x) * y;
  }
  template <class Int, detail::enable_if_integer<Int> = 0>
  THRUST_RNS_HD friend constexpr bool operator==(const number& x, Int y) {
    return x == number(y);
  }
  template <class Int, detail::enable_if_integer<Int> = 0>
  THRUST_RNS_HD friend constexpr bool operator==(Int x, const number& y) {
    return number(x) == y;
  }
  template <class Int, detail::enable_if_integer<Int> = 0>
  THRUST_RNS_HD friend constexpr bool operator!=(const number& x, Int y) {
    return x != number(y);
  }
  template <class Int, detail::enable_if_integer<Int> = 0>
  THRUST_RNS_HD friend constexpr bool operator!=(Int x, const number& y) {
    return number(x) != y;
  }
  template <class Int, detail::enable_if_integer<Int> = 0>
  THRUST_RNS_HD friend bool operator<(const number& x, Int y) {
    return x < number(y);
  }
  template <class Int, detail::enable_if_integer<Int> = 0>
  THRUST_RNS_HD friend bool operator<(Int x, const number& y) {
    return number(x) < y;
  }
  template <class Int, detail::enable_if_integer<Int> = 0>
  THRUST_RNS_HD friend bool operator<=(const number& x, Int y) {
    return x <= number(y);
  }
  template <class Int, detail::enable_if_integer<Int> = 0>
  THRUST_RNS_HD friend bool operator<=(Int x, const number& y) {
    return number(x) <= y;
  }
  template <class Int, detail::enable_if_integer<Int> = 0>
  THRUST_RNS_HD friend bool operator>(const number& x, Int y) {
    return x > number(y);
  }
  template <class Int, detail::enable_if_integer<Int> = 0>
  THRUST_RNS_HD friend bool operator>(Int x, const number& y) {
    return number(x) > y;
  }
  template <class Int, detail::enable_if_integer<Int> = 0>
  THRUST_RNS_HD friend bool operator>=(const number& x, Int y) {
    return x >= number(y);
  }
  template <class Int, detail::enable_if_integer<Int> = 0>
  THRUST_RNS_HD friend bool operator>=(Int x, const number& y) {
    return number(x) >= y;
  }

 private:
  detail::array<std::uint32_t, size> residues_;
};

namespace detail {
struct no_limits {}; // a type without a specialisation of std::numeric_limits
} // namespace detail

template <class T>
inline constexpr bool is_number = false;
template <class Base, class Range>
inline constexpr bool is_number<number<Base, Range>> = true;

} // namespace thrust_rns

/// lowest() and max() are the ends of the range; as for every integer type min() is lowest(). What is not named here is as
/// in the general template: false or zero.
template <class Base, class Range>
class std::numeric_limits<thrust_rns::number<Base, Range>> : public std::numeric_limits<thrust_rns::detail::no_limits> {
  using number = thrust_rns::number<Base, Range>;

 public:
  static constexpr bool is_specialized = true, is_integer = true, is_exact = true, is_bounded = true;
  static constexpr bool is_signed = number::is_symmetric, is_modulo = true;
  static constexpr int radix = 2;
  static constexpr int digits = thrust_rns::dynamic_range_bits<Base> - (number::is_symmetric ? 2 : 1); // 2^digits fits
  static constexpr int digits10 = static_cast<int>(digits * 30103LL / 100000);

  THRUST_RNS_HD static constexpr number lowest() {
    number x{};
    if constexpr (number::is_symmetric) { // -floor(M/2)
      const auto& half_range = thrust_rns::detail::table<thrust_rns::detail::make_half_range_residues<Base>>();
      for (int i = 0; i < number::size; ++i) x.set_residue(i, half_range[i]);
      x = -x;
    }
    return x;
  }
  THRUST_RNS_HD static constexpr number min() { return lowest(); }
  THRUST_RNS_HD static constexpr number max() { return lowest() - number(1); } // round the circle
  THRUST_RNS_HD static constexpr number epsilon() { return number{}; }
  THRUST_RNS_HD static constexpr number round_error() { return number{}; }
  THRUST_RNS_HD static constexpr number infinity() { return number{}; }
  THRUST_RNS_HD static constexpr number quiet_NaN() { return number{}; }
  THRUST_RNS_HD static constexpr number signaling_NaN() { return number{}; }
  THRUST_RNS_HD static constexpr number denorm_min() { return number{}; }
};
