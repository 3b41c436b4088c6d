// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Whether sums, differences and products leave the range, decided exactly.
///
/// The *position* of X is 2^64 X/M as the first pass of the evaluation knows it: an integer p with 2^64 X/M in [p, p + error), X the
/// value in the range of its number type. Where the first pass alone leaves open on which end of the range X is (next to 0 and M, or
/// to M/2), the exact sign decides. Positions add like the numbers, without wrapping, and so tell how far a sum is from the ends of
/// the range. Within `error` of an end, the wrapped result is next to 0 (or twice it, next to M), and its exact sign decides.
///
/// For products: |X| |Y| against M or M/2 by the 34 and more leading bits that the keys hold, next to the end exactly by words.

#include <cstdint>

#include <thrust_rns/config.h>
#include <thrust_rns/convert.h>
#include <thrust_rns/detail/base_tables.h>
#include <thrust_rns/detail/rank.h>
#include <thrust_rns/detail/words.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/number.h>

namespace thrust_rns {
namespace detail {

template <class Number>
inline constexpr auto position_error = static_cast<int128_t>(base_constants<typename Number::base_type>::leading_error);

/// The position of X from the leading 64 bits of its sums. `is_below()` is asked where they leave it open: of X next to M/2, whether it
/// is negative (symmetric range); of X next to 0 or M, whether it is next to 0 (unsigned).
template <class Number, class Ask>
THRUST_RNS_HD int128_t position_or_ask(
    std::uint64_t v, Ask is_below, std::uint64_t error = base_constants<typename Number::base_type>::leading_error) {
  constexpr std::uint64_t middle = std::uint64_t{1} << 63;
  const bool below = Number::is_symmetric ? v >= middle || (v > middle - error && is_below())
                                          : v > std::uint64_t{0} - error && is_below();
  return below ? static_cast<int128_t>(v) - (static_cast<int128_t>(1) << 64) : static_cast<int128_t>(v);
}

/// The answer by exact signs.
template <class Number, class X>
THRUST_RNS_HD bool is_below_exactly(X x) {
  if constexpr (Number::is_symmetric) return is_past_the_middle<typename Number::base_type>(x);
  return is_next_to_zero<typename Number::base_type>(x);
}
/// The answer by the key of X.
template <class Number>
THRUST_RNS_HD bool is_below_by_key(std::uint64_t key) {
  using constants = base_constants<typename Number::base_type>;
  constexpr std::uint64_t half = static_cast<std::uint64_t>(constants::exponent_bias - 1) << constants::mantissa_bits;
  return key < (Number::is_symmetric ? zero_key : zero_key + half); // half = f(1/2)
}

template <class Number, class X>
THRUST_RNS_HD int128_t position_from_leading(std::uint64_t v, X x) {
  return position_or_ask<Number>(v, [&] { return is_below_exactly<Number>(x); });
}

/// Whether an integer T is outside the range, given 2^64 T/M in (low, high) or [low, high), high - low far below 2^62, and the
/// residues of T modulo M.
template <class Number, class X>
THRUST_RNS_HD bool is_outside(int128_t low, int128_t high, X wrapped) {
  constexpr int128_t one = static_cast<int128_t>(1) << 64;
  constexpr int128_t begin = Number::is_symmetric ? -(one / 2) : static_cast<int128_t>(0);
  constexpr int128_t end = begin + one;
  if (low >= begin && high <= end) return false;
  if (high <= begin || low >= end) return true;
  const bool past = is_below_exactly<Number>(wrapped); // the end of the range that T is next to
  return high > end ? past : !past;
}

/// Whether X + Y is outside the range.
template <class Number, class X>
THRUST_RNS_HD bool sum_is_outside(int128_t x, int128_t y, X wrapped) {
  const int128_t low = x + y;
  return is_outside<Number>(!Number::is_symmetric && low < 0 ? 0 : low, low + 2 * position_error<Number>, wrapped);
}
/// Whether X - Y is outside the range.
template <class Number, class X>
THRUST_RNS_HD bool difference_is_outside(int128_t x, int128_t y, X wrapped) {
  constexpr int128_t end = static_cast<int128_t>(1) << 64;
  const int128_t high = x - y + position_error<Number>;
  return is_outside<Number>(x - y - position_error<Number>, !Number::is_symmetric && high > end ? end : high, wrapped);
}

// ---- products --------------------------------------------------------------------------------------------------

/// |X|/M lies in [mantissa, mantissa + 3) 2^exponent, 3 since the exponent may change on the way; mantissa 0: X = 0.
struct magnitude_bounds {
  std::uint64_t mantissa;
  int exponent;
  bool negative;
};
template <class Number>
THRUST_RNS_HD magnitude_bounds bounds_of_key(std::uint64_t key) {
  using constants = base_constants<typename Number::base_type>;
  constexpr int p = constants::mantissa_bits;
  const bool negative = key < zero_key;
  const std::uint64_t code = negative ? zero_key - key - 1 : key - zero_key; // f(|X|/M), or one less, 1 <= X
  if (code == 0 && !negative) return {0, 0, false};
  return {(std::uint64_t{1} << p) | (code & ((std::uint64_t{1} << p) - 1)),
          static_cast<int>(code >> p) - constants::exponent_bias - p, negative};
}

/// |X| of the residues x of a number of the given sign.
template <class Number, class X>
THRUST_RNS_HD void magnitude_to_words(X x, bool negative, std::uint32_t* out) {
  using Base = typename Number::base_type;
  to_words<Base>(x, out);
  if (negative) subtract_from(out, table<make_range_words<Base>>().data(), base_constants<Base>::words);
}

/// Whether X Y is in the range, by multiplying words.
template <class Number, class X, class Y>
THRUST_RNS_HD THRUST_RNS_NOINLINE bool product_fits_exactly(X x, bool x_negative, Y y, bool y_negative) {
  constexpr int words = base_constants<typename Number::base_type>::words;
  std::uint32_t a[words], b[words], product[2 * words] = {};
  magnitude_to_words<Number>(x, x_negative, a);
  magnitude_to_words<Number>(y, y_negative, b);
  THRUST_RNS_REPEAT(1)
  for (int i = 0; i < words; ++i) {
    std::uint64_t carry = 0;
    THRUST_RNS_REPEAT(1)
    for (int j = 0; j < words; ++j) {
      carry += static_cast<std::uint64_t>(a[i]) * b[j] + product[i + j];
      product[i + j] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    product[i + words] = static_cast<std::uint32_t>(carry);
  }
  return in_range<Number>(product, 2 * words, x_negative != y_negative);
}

/// The 32 leading bits of M, of a smaller one followed by zeros.
template <class Base>
inline constexpr std::uint32_t leading_word_of_range = [] {
  constexpr auto& words = base_constants<Base>::product.words;
  constexpr int n = base_constants<Base>::words, spare = 32 * n - base_constants<Base>::range_bits;
  const std::uint64_t two = (static_cast<std::uint64_t>(words[n - 1]) << 32) | (n > 1 ? words[n > 1 ? n - 2 : 0] : 0);
  return static_cast<std::uint32_t>((two << spare) >> 32);
}();

enum class product_size { fits, unknown, outside };

/// What the bounds say of |X Y| against M 2^-halvings, which are those of the range unless said otherwise.
template <class Number>
THRUST_RNS_HD product_size size_of_product(const magnitude_bounds& x, const magnitude_bounds& y,
                                           int halvings = Number::is_symmetric ? 1 : 0) {
  using constants = base_constants<typename Number::base_type>;
  if (x.mantissa == 0 || y.mantissa == 0) return product_size::fits;
  // M in [top, top + 1] 2^(bits - 32); in units of 2^shift the product is between low and high, and the bound of |X Y|/M is 2^-shift.
  constexpr int bits = constants::range_bits;
  constexpr std::uint64_t top = leading_word_of_range<typename Number::base_type>;
  const int shift = x.exponent + y.exponent + bits - 32 + halvings;
  if (shift >= 0) return product_size::outside; // low is at least 1
  if (-shift >= 127) return product_size::fits; // high is below 2^119
  const uint128_t bound = static_cast<uint128_t>(1) << -shift;
  const uint128_t low = static_cast<uint128_t>(x.mantissa) * y.mantissa * top;
  const uint128_t high = static_cast<uint128_t>(x.mantissa + 3) * (y.mantissa + 3) * (top + 1);
  if (high <= bound) return product_size::fits;
  return low > bound ? product_size::outside : product_size::unknown;
}

/// Whether X Y is outside the range; keys are those of X and Y.
template <class Number, class X, class Y>
THRUST_RNS_HD bool product_is_outside(X x, std::uint64_t key_x, Y y, std::uint64_t key_y) {
  const magnitude_bounds a = bounds_of_key<Number>(key_x), b = bounds_of_key<Number>(key_y);
  const product_size size = size_of_product<Number>(a, b);
  return size == product_size::outside ||
         (size == product_size::unknown && !product_fits_exactly<Number>(x, a.negative, y, b.negative));
}

// ---- approximate positions, from keys alone: in units of M 2^-32 ------------------------------------------------

/// 2^32 |X|/M lies in [it, it + 2).
template <class Number>
THRUST_RNS_HD std::uint32_t approximate_magnitude(std::uint64_t key) {
  const magnitude_bounds x = bounds_of_key<Number>(key);
  if (x.mantissa == 0) return 0;
  const int shift = -32 - x.exponent; // > 0, since the mantissa has more than 32 bits
  return shift >= 64 ? 0 : static_cast<std::uint32_t>(x.mantissa >> shift);
}

/// What the leading bits of both numbers tell of X Y.
struct approximate_product {
  bool fits;              // certainly in the range
  bool negative;          // the sign, if it is not 0
  std::uint32_t position; // if X Y is in the range, 2^32 |X Y|/M lies in [position, position + 2^5)
};

/// With i, j the exponents in the keys, |X|/M lies in [a, a + 2) 2^(i - bits - 32) with 2^31 <= a < 2^32, |Y|/M in
/// [b, b + 2) 2^(j - bits - 32), and M in [t, t + 1] 2^(bits - 32). So 2^32 |X Y|/M lies in [v, v + 8) 2^(i + j - bits), v the
/// upper half of t times that of a b; v >= 2^29.
template <class Number>
THRUST_RNS_HD approximate_product multiply_keys(std::uint64_t key_x, std::uint64_t key_y) {
  using constants = base_constants<typename Number::base_type>;
  constexpr int p = constants::mantissa_bits, halvings = Number::is_symmetric ? 1 : 0;
  constexpr std::uint32_t top = leading_word_of_range<typename Number::base_type>;
  const auto code_of = [](std::uint64_t key) { return key ^ (key < zero_key ? zero_key - 1 : zero_key); };
  const auto leading = [](std::uint64_t code) { return static_cast<std::uint32_t>(code >> (p - 31)) | 0x80000000; };
  const auto high = [](std::uint32_t a, std::uint32_t b) {
    return static_cast<std::uint32_t>((static_cast<std::uint64_t>(a) * b) >> 32);
  };
  const std::uint64_t x = code_of(key_x), y = code_of(key_y);
  const std::uint32_t v = high(high(leading(x), leading(y)), top);
  const bool zero = key_x == zero_key || key_y == zero_key;
  const int shift = zero ? 32 : constants::range_bits - static_cast<int>(x >> p) - static_cast<int>(y >> p);
  approximate_product product{};
  product.negative = (key_x < zero_key) != (key_y < zero_key);
  product.position = shift >= 32 ? 0 : shift >= 0 ? v >> shift : v << (-shift & 3); // in the range, shift >= -2
  // v + 8 <= 2^(32 + shift - halvings)
  product.fits = shift > halvings || (shift >= halvings - 2 && v <= (~std::uint32_t{0} >> (halvings - shift)) - 7);
  return product;
}

} // namespace detail
} // namespace thrust_rns
