// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Where the conversion of many integers reads them.
///
/// A source gives word j (32 bits) of element e in two's complement, for any j: `word(e, j)`, `is_negative(e)`,
/// `is_valid(e)`, and how many words there are before those of the sign: `words()`.

#include <cstdint>
#include <cstring>
#include <type_traits>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/exchange_tables.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/number.h>

namespace thrust_rns {
namespace detail {

/// Limbs, and what else is taken for limbs, are read and written as 32-bit words, little-endian as is every machine
/// with CUDA.
typedef std::uint32_t word_in_memory __attribute__((may_alias)); // an alias would forget the attribute

// ---- sources -----------------------------------------------------------------------------------------------------

/// Integers given by limbs of 32 or 64 bits: limb j of element e is first[e * element_stride + j * limb_stride].
template <class Limb>
struct limb_words {
  static_assert(sizeof(Limb) == 4 || sizeof(Limb) == 8);
  static constexpr bool may_be_invalid = false;
  static constexpr int words_of_limb = sizeof(Limb) / 4;

  const Limb* first;
  std::int64_t element_stride, limb_stride;
  int count; // words
  bool is_signed;

  THRUST_RNS_HD int words() const { return count; }
  /// Whether the words of an element, rather than neighbouring elements, are near each other.
  THRUST_RNS_HD bool by_rows() const {
    return (limb_stride < 0 ? -limb_stride : limb_stride) < (element_stride < 0 ? -element_stride : element_stride);
  }
  THRUST_RNS_HD bool may_be_negative() const { return is_signed; }
  THRUST_RNS_HD bool is_negative(std::int64_t e) const { return (word(e, count) >> 31) != 0; }
  THRUST_RNS_HD bool is_valid(std::int64_t) const { return true; }
  THRUST_RNS_HD std::uint32_t word(std::int64_t e, int j) const { // one load, no branch
    const int k = j < count ? j : count - 1;
    const Limb* limb = first + e * element_stride + k / words_of_limb * limb_stride;
    const std::uint32_t w = reinterpret_cast<const word_in_memory*>(limb)[k % words_of_limb];
    const std::uint32_t sign = is_signed ? 0 - (w >> 31) : 0;
    return j < count ? w : sign;
  }
};

/// Integers held as doubles. Invalid: what is no integer. By bits alone, so that flags for fast floating point change nothing.
struct double_words {
  static constexpr bool may_be_invalid = true;

  const double* first;

  THRUST_RNS_HD static int words() { return 32; } // below 2^1024
  THRUST_RNS_HD static bool by_rows() { return false; }
  THRUST_RNS_HD static bool may_be_negative() { return true; }
  THRUST_RNS_HD bool is_negative(std::int64_t e) const {
    const parts p(first[e]);
    return p.negative && p.mantissa != 0;
  }
  THRUST_RNS_HD bool is_valid(std::int64_t e) const {
    const parts p(first[e]);
    return p.exponent < 2047 - 1075 && (p.mantissa == 0 || p.exponent + p.trailing_zeros() >= 0);
  }
  THRUST_RNS_HD std::uint32_t word(std::int64_t e, int j) const {
    const parts p(first[e]);
    if (p.mantissa == 0) return 0;
    const std::uint32_t w = p.word(j);
    if (!p.negative) return w;
    const int lowest = (p.exponent + p.trailing_zeros()) / 32; // the first word that is not zero
    return j < lowest ? 0 : j == lowest ? 0 - w : ~w;
  }

 private:
  /// (+-) mantissa 2^exponent.
  struct parts {
    std::uint64_t mantissa;
    int exponent;
    bool negative;

    THRUST_RNS_HD explicit parts(double x) {
      std::uint64_t bits;
      std::memcpy(&bits, &x, sizeof bits);
      const int field = static_cast<int>(bits >> 52) & 2047;
      negative = bits >> 63 != 0;
      mantissa = (bits & ((std::uint64_t{1} << 52) - 1)) | (field != 0 ? std::uint64_t{1} << 52 : 0);
      exponent = (field != 0 ? field : 1) - 1075;
    }
    THRUST_RNS_HD int trailing_zeros() const { return 63 - leading_zeros(mantissa & (0 - mantissa)); }
    THRUST_RNS_HD std::uint32_t word(int j) const {
      const int shift = 32 * j - exponent; // of an integer
      if (shift >= 64 || shift <= -32) return 0;
      return static_cast<std::uint32_t>(shift >= 0 ? mantissa >> shift : mantissa << -shift);
    }
  };
};

THRUST_RNS_HD inline std::uint64_t splitmix(std::uint64_t z) {
  z += 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

/// Random integers below 2^bits; bit `bits - 1` is set if `exactly`. A function of the seed, the element and the word
/// alone.
struct random_words {
  static constexpr bool may_be_invalid = false;

  std::uint64_t seed; // mixed already
  int bits;
  bool exactly;

  THRUST_RNS_HD int words() const { return (bits + 31) / 32; }
  THRUST_RNS_HD static bool by_rows() { return false; }
  THRUST_RNS_HD static bool may_be_negative() { return false; }
  THRUST_RNS_HD static bool is_negative(std::int64_t) { return false; }
  THRUST_RNS_HD static bool is_valid(std::int64_t) { return true; }
  THRUST_RNS_HD std::uint32_t word(std::int64_t e, int j) const {
    const int above = bits - 32 * j; // bits from this word on
    if (above <= 0) return 0;
    auto w = static_cast<std::uint32_t>(
        splitmix(splitmix(seed ^ static_cast<std::uint64_t>(e)) + static_cast<std::uint64_t>(j)) >> 32);
    if (above >= 32 + (exactly ? 1 : 0)) return w;
    if (above < 32) w &= (std::uint32_t{1} << above) - 1;
    if (exactly) w |= std::uint32_t{1} << (above - 1);
    return w;
  }
};

/// Digit `index` in base 2^Bits of element e.
template <int Bits, class Source>
THRUST_RNS_HD std::uint32_t digit_of_element(const Source& source, std::int64_t e, int index) {
  if constexpr (Bits == 32) {
    return source.word(e, index);
  } else {
    const int bit = index * Bits, word = bit / 32, shift = bit % 32;
    std::uint64_t pair = source.word(e, word);
    if (shift + Bits > 32) pair |= std::uint64_t{source.word(e, word + 1)} << 32;
    return static_cast<std::uint32_t>(pair >> shift) & ((std::uint32_t{1} << Bits) - 1);
  }
}

/// Digits that hold all words of a source but those that only repeat the sign.
template <class Base, class Source>
int digits_to_read(const Source& source) {
  using constants = exchange_constants<Base>;
  if (source.words() >= constants::words) return constants::import_digits;
  return (32 * source.words() + constants::import_bits - 1) / constants::import_bits;
}

/// Whether some integers of a source may be outside the range of Number.
template <class Number, class Source>
bool needs_range_check(const Source& source) {
  constexpr int bits = base_constants<typename Number::base_type>::range_bits;
  if (Source::may_be_invalid || (source.may_be_negative() && !Number::is_symmetric)) return true;
  // in the symmetric range -2^(b - 1) .. 2^(b - 1) - 1 fits for b < range_bits, 0 .. 2^b - 1 for b < range_bits - 1
  return 32 * source.words() >= bits - (Number::is_symmetric && !source.may_be_negative() ? 1 : 0);
}

/// Whether element e is an integer of Number's range.
template <class Number, class Source>
THRUST_RNS_HD bool source_in_range(const Source& source, std::int64_t e) {
  using Base = typename Number::base_type;
  constexpr int words = base_constants<Base>::words;
  if (!source.is_valid(e)) return false;
  const bool negative = source.is_negative(e);
  if (negative && !Number::is_symmetric) return false;
  for (int j = source.words() - 1; j >= words; --j) {
    if (source.word(e, j) != (negative ? ~std::uint32_t{0} : 0)) return false;
  }
  const auto& end = Number::is_symmetric ? table<make_half_range_words<Base>>() : table<make_range_words<Base>>();
  const auto& lowest = table<make_lowest_words<Base>>();
  for (int j = words - 1; j >= 0; --j) {
    const std::uint32_t w = source.word(e, j), bound = negative ? lowest[j] : end[j];
    if (w != bound) return negative ? w > bound : w < bound;
  }
  return negative; // the lowest is in the range, the end is not
}

} // namespace detail
} // namespace thrust_rns
