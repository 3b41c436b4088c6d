// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// The way from residues to the words of many integers, and where these go. A sink takes the words of an element in
/// turn, and says which numbers it can hold.

#include <cstdint>
#include <cstring>
#include <limits>

#include <thrust_rns/config.h>
#include <thrust_rns/convert.h>
#include <thrust_rns/detail/exchange_sources.h>
#include <thrust_rns/detail/exchange_tables.h>
#include <thrust_rns/detail/words.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/number.h>

namespace thrust_rns {
namespace detail {

// ---- from residues
// ---------------------------------------------------------------------------------------------------

/// Whether the integer that the sum of y_i/m_i (plus 1/2 in the symmetric range) is next to is at most that sum: X is
/// next to 0 or M, or next to M/2.
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
/// The first two sums give t <= 2^D s < t + quotient_error for s = sum y_i/m_i. X = M (s - floor(s)), and in the
/// symmetric range M (s - floor(s + 1/2)): k is the integer part of what t says unless an integer lies within the
/// error, and that happens only for X next to 0 or M (or M/2), where a comparison decides.
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
    quotient_ = static_cast<std::uint32_t>(t >> bits);
    if ((t & mask) + constants::quotient_error > mask + 1 && sum_reaches_integer<Number>(x)) ++quotient_;
  }
  /// The sum of the next column and the digit of M there; calls put(word) for each word that it completes.
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Put>
  THRUST_RNS_HD void add(std::uint64_t sum, std::uint32_t range_digit, Put put) {
    carry_ += static_cast<std::int64_t>(sum - std::uint64_t{quotient_} * range_digit);
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
  std::int64_t carry_ = 0;
  std::uint32_t quotient_ = 0;
  int filled_ = 0;
};

/// Columns that give the first `words` words of X: two for the quotient, then digits.
template <class Base>
int export_columns_for(int words) {
  using constants = exchange_constants<Base>;
  if (words >= constants::words) return constants::export_columns;
  return 2 + (32 * words + constants::export_bits - 1) / constants::export_bits;
}

/// Words that carry_chain puts for all columns: those of the range, perhaps one of the sign after them.
template <class Base>
inline constexpr int exported_words = (exchange_constants<Base>::export_digits * exchange_constants<Base>::export_bits +
                                       31) /
                                      32;

// ---- sinks -------------------------------------------------------------------------------------------------------

/// What a sink holds: lowest and highest number, and their keys. Numbers outside do not fit.
template <class Number>
struct export_limits {
  Number low, high;
  std::uint64_t key_of_low, key_of_high;

  /// -(2^bits), or 0, to 2^bits - 1 - gap, as far as these are in the range.
  export_limits(int bits, bool is_signed, int gap_bit = -1) {
    big_integer end; // 2^bits less 2^gap_bit
    end.words.assign(static_cast<std::size_t>(bits / 32 + 1), 0);
    if (gap_bit < 0) {
      end.words.back() = std::uint32_t{1} << (bits % 32);
    } else {
      for (int b = gap_bit; b < bits; ++b) end.words[static_cast<std::size_t>(b / 32)] |= std::uint32_t{1} << (b % 32);
    }
    end.trim();
    const auto in = [&](bool negative) { return in_range<Number>(end.words.data(), end.words.size(), negative); };
    high = in(false) ? from_words<Number>(end.words.data(), end.words.size(), false) - Number(1)
                     : std::numeric_limits<Number>::max();
    low = Number{};
    if (is_signed && Number::is_symmetric) {
      low = in(true) ? from_words<Number>(end.words.data(), end.words.size(), true)
                     : std::numeric_limits<Number>::lowest();
      if (in(true) && gap_bit >= 0) low += Number(1); // then the ends are alike
    }
    key_of_low = evaluate(low).key();
    key_of_high = evaluate(high).key();
  }

  template <class X>
  THRUST_RNS_HD bool contain(X x, std::uint64_t key) const {
    return compare_evaluated<Number>(x, key, residues_of<Number>{low}, key_of_low) >= 0 &&
           compare_evaluated<Number>(x, key, residues_of<Number>{high}, key_of_high) <= 0;
  }
};

/// Integers to limbs, as limb_words reads them.
template <class Limb>
struct limb_sink {
  static constexpr bool takes_words = true;
  struct collector {};
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
  template <class Number>
  export_limits<Number> limits() const {
    return export_limits<Number>(32 * count - (is_signed ? 1 : 0), is_signed);
  }
  THRUST_RNS_HD void store(std::int64_t e, int j, std::uint32_t w) const {
    Limb* limb = first + e * element_stride + j / words_of_limb * limb_stride;
    reinterpret_cast<word_in_memory*>(limb)[j % words_of_limb] = w;
  }
};

/// Integers to the nearest doubles, ties to even.
struct double_sink {
  static constexpr bool takes_words = false;

  double* first;

  static constexpr int words() { return 1 << 20; } // all there are
  template <class Number>
  bool holds_all() const {
    return base_constants<typename Number::base_type>::range_bits < 1024;
  }
  /// 2^1024 - 2^970 is the first number that is rounded up to 2^1024.
  template <class Number>
  export_limits<Number> limits() const {
    return export_limits<Number>(1024, true, 970);
  }

  /// The words of one element, one after the other.
  class collector {
   public:
    THRUST_RNS_HD void put(std::uint32_t w) {
      up_.put(w);
      borrow_ += ~w; // the words of -X
      down_.put(static_cast<std::uint32_t>(borrow_));
      borrow_ >>= 32;
    }
    THRUST_RNS_HD void write(const double_sink& sink, std::int64_t e, std::uint32_t sign) const {
      sink.first[e] = sign != 0 ? -down_.value() : up_.value();
    }

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
      /// x 2^e, x in [2^63, 2^64]; the result is at least 1, and finite.
      THRUST_RNS_HD static double scale(double x, int e) {
        const std::uint64_t bits = static_cast<std::uint64_t>(1023 + e / 2) << 52,
                            other = static_cast<std::uint64_t>(1023 + e - e / 2) << 52;
        double a, b;
        std::memcpy(&a, &bits, sizeof a);
        std::memcpy(&b, &other, sizeof b);
        return x * a * b;
      }
    };

    leading_words up_, down_; // of X, of -X
    std::uint64_t borrow_ = 1;
  };
};

} // namespace detail
} // namespace thrust_rns
