// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Integers as little-endian arrays of 32-bit words: the middle ground between residues and everything outside.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <thrust_rns/config.h>
#include <thrust_rns/error.h>

namespace thrust_rns {
namespace detail {

/// -1, 0, 1 as a <, =, > b; lengths may differ, high words may be zero.
THRUST_RNS_HD constexpr int compare_words(const std::uint32_t* a, std::size_t a_count, const std::uint32_t* b,
                                          std::size_t b_count) {
  for (std::size_t i = a_count > b_count ? a_count : b_count; i-- > 0;) {
    const std::uint32_t x = i < a_count ? a[i] : 0, y = i < b_count ? b[i] : 0;
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}

/// a := b - a, both of `count` words, b >= a.
THRUST_RNS_HD constexpr void subtract_from(std::uint32_t* a, const std::uint32_t* b, std::size_t count) {
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t d = std::uint64_t{b[i]} - a[i] - borrow;
    a[i] = static_cast<std::uint32_t>(d);
    borrow = (d >> 32) & 1;
  }
}

/// An integer of any size, sign and magnitude; host only.
struct big_integer {
  std::vector<std::uint32_t> words; // magnitude, no leading zero words
  bool negative = false;            // never set for zero

  void trim() {
    while (!words.empty() && words.back() == 0) words.pop_back();
    if (words.empty()) negative = false;
  }
};

/// words := words factor + summand.
inline void multiply_add(std::vector<std::uint32_t>& words, std::uint32_t factor, std::uint32_t summand) {
  std::uint64_t carry = summand;
  for (auto& w : words) {
    carry += std::uint64_t{w} * factor;
    w = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  if (carry != 0) words.push_back(static_cast<std::uint32_t>(carry));
}

/// a b.
inline std::vector<std::uint32_t> multiply_words(const std::vector<std::uint32_t>& a,
                                                 const std::vector<std::uint32_t>& b) {
  std::vector<std::uint32_t> product(a.size() + b.size(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      carry += std::uint64_t{a[i]} * b[j] + product[i + j];
      product[i + j] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    product[i + b.size()] = static_cast<std::uint32_t>(carry);
  }
  return product;
}

inline std::string to_decimal(big_integer x) {
  constexpr std::uint32_t chunk = 1'000'000'000;
  x.trim();
  if (x.words.empty()) return "0";
  std::string text; // reversed
  while (!x.words.empty()) {
    std::uint64_t rest = 0;
    for (std::size_t i = x.words.size(); i-- > 0;) {
      rest = (rest << 32) | x.words[i];
      x.words[i] = static_cast<std::uint32_t>(rest / chunk);
      rest %= chunk;
    }
    while (!x.words.empty() && x.words.back() == 0) x.words.pop_back();
    for (int d = 0; d < 9 && (rest != 0 || !x.words.empty()); ++d, rest /= 10) {
      text.push_back(static_cast<char>('0' + rest % 10));
    }
  }
  if (x.negative) text.push_back('-');
  std::reverse(text.begin(), text.end());
  return text;
}

/// -0x2a for -42.
inline std::string to_hexadecimal(big_integer x) {
  x.trim();
  if (x.words.empty()) return "0x0";
  std::string text; // reversed
  for (std::uint32_t w : x.words) {
    for (int d = 0; d < 8; ++d) text.push_back("0123456789abcdef"[(w >> (4 * d)) & 15]);
  }
  while (text.back() == '0') text.pop_back();
  text += x.negative ? "x0-" : "x0";
  std::reverse(text.begin(), text.end());
  return text;
}

/// The text of an integer: [+-] digits, or [+-] 0x hexadecimal digits (either case); anything else, spaces included, is a
/// parse_error.
class integer_text {
 public:
  explicit integer_text(std::string_view text) : digits_(text) {
    const auto fail = [&](const char* why) {
      throw parse_error("thrust_rns: " + quote(text) + " is not an integer: " + why);
    };
    if (!digits_.empty() && (digits_[0] == '+' || digits_[0] == '-')) {
      negative_ = digits_[0] == '-';
      digits_.remove_prefix(1);
    }
    hexadecimal_ = digits_.size() >= 2 && digits_[0] == '0' && (digits_[1] == 'x' || digits_[1] == 'X');
    if (hexadecimal_) digits_.remove_prefix(2);
    if (digits_.empty()) fail("it has no digits");
    for (const char c : digits_) {
      if (digit(c) < 0) fail(hexadecimal_ ? "a character is no hexadecimal digit" : "a character is no decimal digit");
    }
    digits_.remove_prefix(std::min(digits_.find_first_not_of('0'), digits_.size()));
  }

  /// Whether the digits are so many that |X| is at least 2^bits.
  bool exceeds(std::size_t bits) const {
    return !digits_.empty() && (digits_.size() - 1) * (hexadecimal_ ? 4 : 3) >= bits;
  }
  /// Without leading zeros and plus sign.
  std::string shortened() const {
    return shorten((negative_ ? "-" : "") + std::string(hexadecimal_ ? "0x" : "") + std::string(digits_));
  }
  /// X. Of k decimal digits it takes time k^2.
  big_integer value() const {
    big_integer x;
    x.negative = negative_;
    if (hexadecimal_) {
      x.words.assign((digits_.size() + 7) / 8, 0);
      for (std::size_t k = 0; k < digits_.size(); ++k) {
        x.words[k / 8] |= static_cast<std::uint32_t>(digit(digits_[digits_.size() - 1 - k])) << (4 * (k % 8));
      }
    } else {
      x.words.reserve(digits_.size() / 9 + 1);
      std::uint32_t chunk = 0, scale = 1;
      for (std::size_t k = 0; k < digits_.size(); ++k) {
        chunk = 10 * chunk + static_cast<std::uint32_t>(digit(digits_[k]));
        scale *= 10;
        if (scale == 1'000'000'000 || k + 1 == digits_.size()) {
          multiply_add(x.words, scale, chunk);
          chunk = 0;
          scale = 1;
        }
      }
    }
    x.trim();
    return x;
  }

 private:
  int digit(char c) const {
    if (c >= '0' && c <= '9') return c - '0';
    if (!hexadecimal_) return -1;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
  }

  std::string_view digits_; // without leading zeros
  bool negative_ = false, hexadecimal_ = false;
};

} // namespace detail
} // namespace thrust_rns
