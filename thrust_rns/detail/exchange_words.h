// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Where the conversion of many integers reads and writes them, and the steps that host and device share.
///
/// A source gives word j (32 bits) of element e in two's complement, for any j: `word(e, j)`, `is_negative(e)`, `is_valid(e)`,
/// and how many words there are before those of the sign: `words()`. A sink takes the words of an element in turn.

#include <cstdint>
#include <cstring>
#include <type_traits>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/exchange_tables.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/number.h>

namespace thrust_rns {
namespace detail {

/// Limbs may be the parts of what is no array of limbs, as of 128-bit integers. Typedefs, since aliases forget attributes.
typedef std::uint32_t word_in_memory __attribute__((may_alias));
typedef std::uint64_t double_word_in_memory __attribute__((may_alias));

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
  THRUST_RNS_HD bool is_negative(std::int64_t e) const { return is_signed && (inner_word(e, count - 1) >> 31) != 0; }
  THRUST_RNS_HD bool is_valid(std::int64_t) const { return true; }
  THRUST_RNS_HD std::uint32_t word(std::int64_t e, int j) const {
    return j < count ? inner_word(e, j) : is_negative(e) ? ~std::uint32_t{0} : 0;
  }

 private:
  THRUST_RNS_HD std::uint32_t inner_word(std::int64_t e, int j) const {
    const Limb* limb = first + e * element_stride + j / words_of_limb * limb_stride;
    if constexpr (words_of_limb == 1) {
      return *reinterpret_cast<const word_in_memory*>(limb);
    } else {
      return static_cast<std::uint32_t>(*reinterpret_cast<const double_word_in_memory*>(limb) >> (32 * (j % 2)));
    }
  }
};

/// Integers held as doubles. Invalid: what is no integer.
struct double_words {
  static constexpr bool may_be_invalid = true;

  const double* first;

  THRUST_RNS_HD static int words() { return 32; } // below 2^1024
  THRUST_RNS_HD static bool by_rows() { return false; }
  THRUST_RNS_HD static bool may_be_negative() { return true; }
  THRUST_RNS_HD bool is_negative(std::int64_t e) const { return first[e] < 0; }
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

/// Random integers below 2^bits; bit `bits - 1` is set if `exactly`. A function of the seed, the element and the word alone.
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

// ---- from residues ---------------------------------------------------------------------------------------------------

/// Whether the integer that the sum of y_i/m_i (plus 1/2 in the symmetric range) is next to is at most that sum: X is next to 0
/// or M, or next to M/2.
template <class Number, class X>
THRUST_RNS_HD THRUST_RNS_NOINLINE bool sum_reaches_integer(X x) {
  using Base = typename Number::base_type;
  if constexpr (Number::is_symmetric) {
    return sign_near_zero<Base>(single_thread{}, double_of<Base, X>{x}) >= 0;
  } else {
    return sign_near_zero<Base>(single_thread{}, x) >= 0;
  }
}

/// Turns the sums of one element, column after column, into words of X in two's complement.
///
/// The first two sums give t <= 2^D s < t + quotient_error for s = sum y_i/m_i. X = M (s - floor(s)), and in the symmetric
/// range M (s - floor(s + 1/2)): k is the integer part of what t says unless an integer lies within the error, and that
/// happens only for X next to 0 or M (or M/2), where a comparison decides.
template <class Number>
class carry_chain {
  using Base = typename Number::base_type;
  using constants = exchange_constants<Base>;
  static constexpr int bits = constants::export_bits;
  static constexpr std::uint64_t mask = (std::uint64_t{1} << bits) - 1;

 public:
  /// `x` gives the residues.
  template <class X>
  THRUST_RNS_HD void start(std::uint64_t sum0, std::uint64_t sum1, X x) {
    const std::uint64_t t = sum0 + (sum1 >> bits) + (Number::is_symmetric ? std::uint64_t{1} << (bits - 1) : 0);
    quotient_ = static_cast<std::int64_t>(t >> bits);
    if ((t & mask) + constants::quotient_error > mask + 1 && sum_reaches_integer<Number>(x)) ++quotient_;
  }
  /// The sum of column 2 + c; calls put(word) for each word that it completes.
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Put>
  THRUST_RNS_HD void add(int c, std::uint64_t sum, Put put) {
    carry_ += static_cast<std::int64_t>(sum) - quotient_ * table<make_range_digits<Base>>()[c];
    buffer_ |= (static_cast<std::uint64_t>(carry_) & mask) << filled_;
    carry_ >>= bits;
    filled_ += bits;
    if (filled_ >= 32) {
      put(static_cast<std::uint32_t>(buffer_));
      buffer_ >>= 32;
      filled_ -= 32;
    }
  }
  /// After the last column: the word that is not complete, and the sign, all ones or zero.
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Put>
  THRUST_RNS_HD std::uint32_t finish(Put put) {
    const auto sign = static_cast<std::uint32_t>(carry_);
    if (filled_ > 0) put(static_cast<std::uint32_t>(buffer_) | (sign << filled_));
    return sign;
  }

 private:
  std::uint64_t buffer_ = 0;
  std::int64_t carry_ = 0, quotient_ = 0;
  int filled_ = 0;
};

/// Words that carry_chain puts: those of the range, perhaps one of the sign after them.
template <class Base>
inline constexpr int exported_words = (exchange_constants<Base>::export_digits * exchange_constants<Base>::export_bits +
                                       31) /
                                      32;

// ---- sinks -------------------------------------------------------------------------------------------------------

/// Integers to limbs, as limb_words reads them.
template <class Limb>
struct limb_sink {
  static constexpr bool takes_words = true;
  static constexpr int words_of_limb = sizeof(Limb) / 4;

  Limb* first;
  std::int64_t element_stride, limb_stride;
  int count; // words
  bool is_signed;

  THRUST_RNS_HD int words() const { return count; }
  THRUST_RNS_HD bool by_rows() const {
    return limb_words<Limb>{first, element_stride, limb_stride, 0, false}.by_rows();
  }
  /// Whether every X of the range fits.
  template <class Number>
  bool holds_all() const {
    constexpr int bits = base_constants<typename Number::base_type>::range_bits;
    if (Number::is_symmetric) return is_signed && 32 * count >= bits; // |X| <= M/2 < 2^(bits - 1)
    return 32 * count >= bits + (is_signed ? 1 : 0);
  }
  THRUST_RNS_HD void store(std::int64_t e, int j, std::uint32_t w) const {
    Limb* limb = first + e * element_stride + j / words_of_limb * limb_stride;
    reinterpret_cast<word_in_memory*>(limb)[j % words_of_limb] = w; // little-endian, as every machine with CUDA
  }

  /// Sees all words of an element, and says whether they fit.
  class collector {
   public:
    THRUST_RNS_HD explicit collector(const limb_sink& sink) : count_(sink.count), is_signed_(sink.is_signed) {}
    THRUST_RNS_HD void put(std::uint32_t w) {
      if (index_ < count_) {
        extension_ = is_signed_ && (w >> 31) != 0 ? ~std::uint32_t{0} : 0;
      } else {
        wrong_ |= w ^ extension_;
      }
      ++index_;
    }
    THRUST_RNS_HD bool finish(std::uint32_t sign) {
      if (index_ < count_) return is_signed_ || sign == 0;
      return wrong_ == 0 && sign == extension_;
    }
    THRUST_RNS_HD void write(const limb_sink&, std::int64_t) const {}

   private:
    std::uint32_t extension_ = 0, wrong_ = 0;
    int index_ = 0, count_;
    bool is_signed_;
  };
};

/// Integers to the nearest doubles, ties to even.
struct double_sink {
  static constexpr bool takes_words = false;

  double* first;

  template <class Number>
  bool holds_all() const {
    return base_constants<typename Number::base_type>::range_bits < 1024;
  }

  class collector {
   public:
    THRUST_RNS_HD explicit collector(const double_sink&) {}
    THRUST_RNS_HD void put(std::uint32_t w) {
      up_.put(w);
      borrow_ += ~w; // the words of -X
      down_.put(static_cast<std::uint32_t>(borrow_));
      borrow_ >>= 32;
    }
    THRUST_RNS_HD bool finish(std::uint32_t sign) {
      negative_ = sign != 0;
      value_ = negative_ ? -down_.value() : up_.value();
      return value_ - value_ == 0; // neither infinite
    }
    THRUST_RNS_HD void write(const double_sink& sink, std::int64_t e) const { sink.first[e] = value_; }

   private:
    /// The three highest words so far that begin with one that is not zero, and whether anything lies below.
    struct leading_words {
      std::uint32_t word[3] = {0, 0, 0}, before[2] = {0, 0};
      int index = 0, top = 0;
      bool rest = false, below = false; // of word, of before

      THRUST_RNS_HD void put(std::uint32_t w) {
        if (w != 0) {
          word[0] = w;
          word[1] = before[0];
          word[2] = before[1];
          rest = below;
          top = index;
        }
        below = below || before[1] != 0;
        before[1] = before[0];
        before[0] = w;
        ++index;
      }
      THRUST_RNS_HD double value() const {
        if (word[0] == 0) return 0;
        const std::uint64_t high = (std::uint64_t{word[0]} << 32) | word[1];
        const int zeros = leading_zeros(high);
        std::uint64_t leading = high << zeros;
        if (zeros != 0) leading |= word[2] >> (32 - zeros);
        const bool sticky = rest || static_cast<std::uint32_t>(std::uint64_t{word[2]} << zeros) != 0;
        leading |= sticky ? 1 : 0; // far below the last bit that is kept
        return scale(static_cast<double>(leading), 32 * (top - 1) - zeros);
      }
      /// x 2^e, x in [2^63, 2^64], where it is at least 1; infinite where it is too large.
      THRUST_RNS_HD static double scale(double x, int e) {
        if (e > 961) e = 961;
        const std::uint64_t bits = static_cast<std::uint64_t>(1023 + e / 2) << 52,
                            other = static_cast<std::uint64_t>(1023 + e - e / 2) << 52;
        double a, b;
        std::memcpy(&a, &bits, sizeof a);
        std::memcpy(&b, &other, sizeof b);
        return x * a * b;
      }
    };

    leading_words up_, down_;
    std::uint64_t borrow_ = 1;
    bool negative_ = false;
    double value_ = 0;
  };
};

} // namespace detail
} // namespace thrust_rns
