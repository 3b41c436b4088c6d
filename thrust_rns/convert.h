// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Conversion between numbers and integers: built-in types up to 128 bits, limb arrays of any length and order.
///
/// To residues: Horner's rule over the words of the integer, one 64-bit reduction a word and residue.
/// From residues: X/M to `digits` base-2^24 digits (interval.h), rounded up by less than 1/M, times M; the integer part
/// is X exactly. Cost: about (bits/24) n + (bits/32)^2 multiply-adds, no division. Even moduli are fine.

#include <climits>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/base_tables.h>
#include <thrust_rns/detail/words.h>
#include <thrust_rns/error.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/number.h>

namespace thrust_rns {
namespace detail {

/// out[0 .. words) := X in [0, M), little-endian.
///
/// f = (sum of all products + E)/2^(24 digits) mod 1 lies in (X/M, X/M + 2E/2^(24 digits)) and 2 E M < 2^(24 digits), so
/// floor(f M) = X. Digits come least significant first; each word w of f is folded in by out := (out + w M) >> 32.
template <class Base, class X>
THRUST_RNS_HD void to_words(X x, std::uint32_t* out) {
  using constants = base_constants<Base>;
  const auto& range = table<make_range_words<Base>>();
  for (int j = 0; j < constants::words; ++j) out[j] = 0;
  std::uint64_t carry = constants::error;
  for (int group = constants::groups - 1; group >= 0; --group) {
    const digit_sums sums = sum_group<Base>(single_thread{}, x, group);
    std::uint32_t d[4] = {};
    for (int c = 3; c >= 0; --c) {
      carry += sums.s[c];
      d[c] = static_cast<std::uint32_t>(carry) & 0xffffff;
      carry >>= 24;
    }
    const std::uint32_t w[3] = {d[3] | (d[2] << 24), (d[2] >> 8) | (d[1] << 16), (d[1] >> 16) | (d[0] << 8)};
    for (int k = 0; k < 3; ++k) {
      std::uint64_t t = static_cast<std::uint64_t>(w[k]) * range[0] + out[0];
      for (int j = 1; j < constants::words; ++j) {
        t = (t >> 32) + static_cast<std::uint64_t>(w[k]) * range[j] + out[j];
        out[j - 1] = static_cast<std::uint32_t>(t);
      }
      out[constants::words - 1] = static_cast<std::uint32_t>(t >> 32);
    }
  }
}

/// |X| of a number in `out`; whether X < 0.
template <class Number>
THRUST_RNS_HD bool to_magnitude(const Number& x, std::uint32_t* out) {
  using Base = typename Number::base_type;
  constexpr int words = base_constants<Base>::words;
  to_words<Base>(residues_of<Number>{x}, out);
  if constexpr (Number::is_symmetric) {
    if (compare_words(out, words, table<make_half_range_words<Base>>().data(), words) >= 0) {
      subtract_from(out, table<make_range_words<Base>>().data(), words);
      return true;
    }
  }
  return false;
}

/// The number congruent to (+-) words modulo M.
template <class Number>
THRUST_RNS_HD Number from_words(const std::uint32_t* words, std::size_t count, bool negative) {
  const auto& moduli = moduli_of<typename Number::base_type>();
  Number x{};
  for (std::size_t j = count; j-- > 0;) { // the moduli side by side: their reductions do not wait for each other
    for (int i = 0; i < Number::size; ++i) {
      x.set_residue(i, moduli[i].reduce((std::uint64_t{x.residue(i)} << 32) | words[j]));
    }
  }
  if (negative) x = -x;
  return x;
}

/// Whether (+-) words lies in the range of Number.
template <class Number>
THRUST_RNS_HD bool in_range(const std::uint32_t* words, std::size_t count, bool negative) {
  using Base = typename Number::base_type;
  constexpr int n = base_constants<Base>::words;
  if constexpr (Number::is_symmetric) {
    const int order = compare_words(words, count, table<make_half_range_words<Base>>().data(), n);
    const bool even = table<make_range_words<Base>>()[0] % 2 == 0; // then -M/2 is in the range
    return order < 0 || (order == 0 && negative && even);
  } else {
    if (negative && compare_words(words, count, nullptr, 0) != 0) return false;
    return compare_words(words, count, table<make_range_words<Base>>().data(), n) < 0;
  }
}

template <class Number>
big_integer to_big_integer(const Number& x) {
  big_integer r;
  r.words.resize(base_constants<typename Number::base_type>::words);
  r.negative = to_magnitude(x, r.words.data());
  r.trim();
  return r;
}

/// "0 .. 1154" or "-577 .. 577".
template <class Number>
std::string range_text() {
  const auto text = [](const Number& x) { return shorten(to_decimal(to_big_integer(x)), 40); };
  return text(std::numeric_limits<Number>::lowest()) + " .. " + text(std::numeric_limits<Number>::max());
}

template <class Number>
[[noreturn]] void throw_out_of_range(const std::string& value) {
  throw range_error("thrust_rns: " + value + " is outside the range " + range_text<Number>());
}
template <class Number>
[[noreturn]] void throw_out_of_range(const big_integer& value) {
  throw_out_of_range<Number>(shorten(to_decimal(value)));
}

/// The integer of a text, in the range of Number or a range_error. Texts far beyond the range take time in proportion to their length:
/// the error quotes their digits.
template <class Number>
big_integer parse_integer(std::string_view text) {
  const integer_text parsed(text);
  constexpr std::size_t far = base_constants<typename Number::base_type>::range_bits + 4096;
  if (parsed.exceeds(far)) throw_out_of_range<Number>(parsed.shortened());
  const big_integer x = parsed.value();
  if (!in_range<Number>(x.words.data(), x.words.size(), x.negative)) throw_out_of_range<Number>(x);
  return x;
}

template <class Number>
Number from_big_integer(const big_integer& x) {
  if (!in_range<Number>(x.words.data(), x.words.size(), x.negative)) throw_out_of_range<Number>(x);
  return from_words<Number>(x.words.data(), x.words.size(), x.negative);
}

template <class Int>
inline constexpr int bits_of = static_cast<int>(sizeof(Int) * CHAR_BIT);

} // namespace detail

/// v as a number of type Number, checked: a range_error that names the value where v is outside the range.
/// Host only; `Number(v)` is the unchecked form for host and device.
///
/// @code
/// using number = thrust_rns::number<thrust_rns::moduli_set<13, 7, 16>>;
/// try {
///   thrust_rns::from_integer<number>(1456);
/// } catch (const thrust_rns::range_error& e) {
///   std::cout << e.what() << '\n';  // prints thrust_rns: 1456 is outside the range 0 .. 1455
/// }
/// @endcode
template <class Number, class Int>
Number from_integer(Int v) {
  static_assert(detail::is_integer<Int>, "thrust_rns: from_integer takes a built-in integer of up to 128 bits");
  bool negative = false;
  const uint128_t size = detail::magnitude(v, negative);
  detail::big_integer x;
  for (int k = 0; k < 4; ++k) x.words.push_back(static_cast<std::uint32_t>(size >> (32 * k)));
  x.negative = negative;
  x.trim();
  return detail::from_big_integer<Number>(x);
}

/// Whether X is a value of the built-in integer type Int. Host and device.
template <class Int, class Base, class Range>
THRUST_RNS_HD bool fits(const number<Base, Range>& x) {
  static_assert(detail::is_integer<Int> && !std::is_same_v<Int, bool>,
                "thrust_rns: fits<Int> takes a built-in integer of up to 128 bits");
  constexpr int words = detail::base_constants<Base>::words;
  std::uint32_t w[words];
  const bool negative = detail::to_magnitude(x, w);
  uint128_t size = 0;
  for (int j = 0; j < words; ++j) {
    if (j >= 4 && w[j] != 0) return false;
    if (j < 4) size |= static_cast<uint128_t>(w[j]) << (32 * j);
  }
  constexpr int value_bits = detail::bits_of<Int> - (detail::is_signed_integer<Int> ? 1 : 0);
  constexpr uint128_t most = (((static_cast<uint128_t>(1) << (value_bits - 1)) - 1) << 1) | 1; // 2^value_bits - 1
  if (negative) return detail::is_signed_integer<Int> && size <= most + 1;
  return size <= most;
}

/// X as a built-in integer. On the host a range_error where X does not fit; in device code X modulo 2^bits, so ask
/// `fits` first.
///
/// @code
/// using number = thrust_rns::number<thrust_rns::moduli_for_bits<512>, thrust_rns::symmetric_range>;
/// number x = number(-5) * number(1'000'000'007);
/// std::cout << thrust_rns::fits<std::int32_t>(x) << ' ' << thrust_rns::to_integer<std::int64_t>(x) << '\n';
/// // prints 0 -5000000035
/// @endcode
template <class Int, class Base, class Range>
THRUST_RNS_HD Int to_integer(const number<Base, Range>& x) {
  static_assert(detail::is_integer<Int> && !std::is_same_v<Int, bool>,
                "thrust_rns: to_integer<Int> gives a built-in integer of up to 128 bits");
#if !defined(__CUDA_ARCH__)
  if (!fits<Int>(x)) {
    throw range_error("thrust_rns: " + detail::shorten(detail::to_decimal(detail::to_big_integer(x))) +
                      " does not fit in an integer of " + std::to_string(detail::bits_of<Int>) + " bits" +
                      (detail::is_signed_integer<Int> ? "" : " without sign"));
  }
#endif
  constexpr int words = detail::base_constants<Base>::words;
  std::uint32_t w[words];
  const bool negative = detail::to_magnitude(x, w);
  uint128_t size = 0;
  for (int j = 0; j < words && j < 4; ++j) size |= static_cast<uint128_t>(w[j]) << (32 * j);
  return static_cast<Int>(negative ? uint128_t{0} - size : size);
}

/// -1, 0, 1 as X < 0, X = 0, X > 0 in the range of the number.
template <class Base, class Range>
THRUST_RNS_HD int sign(const number<Base, Range>& x) {
  constexpr std::uint64_t zero = interval_evaluation<number<Base, Range>>::key_of_zero;
  const std::uint64_t key = evaluate(x).key();
  return key < zero ? -1 : key > zero ? 1 : 0;
}

/// The order of the limbs of an array; the bytes of a limb are the machine's own.
enum class limb_order { least_significant_first, most_significant_first };

/// The integer (+-) sum limbs[j] 2^(bits j) as a number, checked against the range. Host only.
///
/// Limb: an unsigned integer of 8 to 64 bits, so an odd number of bytes is fine. `count` may be 0 (the value is 0) and
/// limbs beyond the range may be zero. Throws range_error naming the value.
///
/// @code
/// using number = thrust_rns::number<thrust_rns::moduli_for_bits<128>>;
/// const std::uint8_t bytes[] = {0x01, 0x02, 0x03};
/// std::cout << thrust_rns::from_limbs<number>(bytes, 3, thrust_rns::limb_order::most_significant_first) << '\n';
/// // prints 66051
/// @endcode
template <class Number, class Limb>
Number from_limbs(const Limb* limbs, std::size_t count, limb_order order = limb_order::least_significant_first,
                  bool negative = false) {
  static_assert(std::is_unsigned_v<Limb> && sizeof(Limb) <= 8 && !std::is_same_v<Limb, bool>,
                "thrust_rns: limbs are unsigned integers of 8 to 64 bits");
  detail::big_integer x;
  x.words.assign((count * sizeof(Limb) + 3) / 4, 0);
  for (std::size_t j = 0; j < count; ++j) {
    const std::uint64_t limb = limbs[order == limb_order::least_significant_first ? j : count - 1 - j];
    for (std::size_t b = 0; b < sizeof(Limb); ++b) {
      const std::size_t byte = j * sizeof(Limb) + b;
      x.words[byte / 4] |= static_cast<std::uint32_t>((limb >> (8 * b)) & 0xff) << (8 * (byte % 4));
    }
  }
  x.negative = negative;
  x.trim();
  return detail::from_big_integer<Number>(x);
}

/// Writes |X| to limbs[0 .. count), padded with zeros, and returns whether X < 0. Host only.
/// Throws range_error if |X| needs more limbs; then nothing is written.
template <class Base, class Range, class Limb>
bool to_limbs(const number<Base, Range>& x, Limb* limbs, std::size_t count,
              limb_order order = limb_order::least_significant_first) {
  static_assert(std::is_unsigned_v<Limb> && sizeof(Limb) <= 8 && !std::is_same_v<Limb, bool>,
                "thrust_rns: limbs are unsigned integers of 8 to 64 bits");
  const detail::big_integer value = detail::to_big_integer(x);
  const auto byte = [&](std::size_t k) -> std::uint64_t {
    return k / 4 < value.words.size() ? (value.words[k / 4] >> (8 * (k % 4))) & 0xff : 0;
  };
  for (std::size_t k = count * sizeof(Limb); k < 4 * value.words.size(); ++k) {
    if (byte(k) != 0) {
      throw range_error("thrust_rns: " + detail::shorten(detail::to_decimal(value)) + " does not fit in " +
                        std::to_string(count) + " limbs of " + std::to_string(detail::bits_of<Limb>) + " bits");
    }
  }
  for (std::size_t j = 0; j < count; ++j) {
    std::uint64_t limb = 0;
    for (std::size_t b = 0; b < sizeof(Limb); ++b) limb |= byte(j * sizeof(Limb) + b) << (8 * b);
    limbs[order == limb_order::least_significant_first ? j : count - 1 - j] = static_cast<Limb>(limb);
  }
  return value.negative;
}

} // namespace thrust_rns
