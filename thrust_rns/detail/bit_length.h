// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// The bit length of |X| from the key of X (interval.h).
///
/// Let T be f(1/M), so that f(2^b/M) = T + (b << p). The code c of |X| (key less 2^63) is f(|X|/M) or one less, so 2^b
/// <= |X| implies c >= T - 1 + (b << p), and |X| < 2^b implies c <= T + (b << p). The code of 1 tells T but for one:
/// what is left open are codes within three of such a bound, and there the sign of |X| - 2^b decides.

#include <cstdint>

#include <thrust_rns/config.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/number.h>
#include <thrust_rns/span.h>

namespace thrust_rns {
namespace detail {

/// The residues of |X| - 2^b.
template <class Base, class X>
struct minus_power_of_two {
  X x;
  bool negative; // X < 0
  int b;
  THRUST_RNS_HD std::uint32_t operator()(int i) const {
    const modulus m = moduli_of<Base>()[i];
    return m.subtract(negative ? m.negate(x(i)) : x(i), m.power(2 % m.value(), static_cast<std::uint64_t>(b)));
  }
};

template <class Number, class X>
THRUST_RNS_HD THRUST_RNS_NOINLINE bool reaches_power_of_two(X x, bool negative, int b) {
  using Base = typename Number::base_type;
  return sign_near_zero<Base>(single_thread{}, minus_power_of_two<Base, X>{x, negative, b}) >= 0;
}

template <class Number>
struct bit_length_from_key {
  std::uint64_t one = evaluate(Number(1)).key() - zero_key; // the code of 1

  template <class X>
  THRUST_RNS_HD int operator()(X x, std::uint64_t key) const {
    constexpr int p = base_constants<typename Number::base_type>::mantissa_bits;
    if (key == zero_key) return 0;
    const bool negative = key < zero_key;
    const std::uint64_t code = negative ? zero_key - key - 1 : key - zero_key; // f(|X|/M) or one less
    const std::uint64_t above = code - (one - 1);
    const int b = static_cast<int>(above >> p); // |X| >= 2^b, unless it is next to it
    if ((above & ((std::uint64_t{1} << p) - 1)) >= 3) return b + 1;
    return reaches_power_of_two<Number>(x, negative, b) ? b + 1 : b;
  }
};

/// Bit lengths are 0 .. this less one.
template <class Number>
inline constexpr int bit_length_bins = base_constants<typename Number::base_type>::range_bits + 1;

/// The bit length of element j of a view. Fills the cache of evaluations.
template <class Number>
struct bit_length_of_element {
  span<const Number> s;
  bit_length_from_key<Number> from_key;

  THRUST_RNS_HD int operator()(std::int64_t j) const {
    const strided_residues x{s.plane(0) + j, s.stride()};
    std::uint64_t key = s.evaluations() != nullptr ? load_relaxed(s.evaluations() + j) : 0;
    if (key == 0) {
      key = evaluate_key<Number>(x);
      if (s.evaluations() != nullptr) store_relaxed(s.evaluations() + j, key);
    }
    return from_key(x, key);
  }
};

} // namespace detail
} // namespace thrust_rns
