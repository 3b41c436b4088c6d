// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// A base chosen at run time for exact products of integer matrices, and its tables.
///
/// An integer X with |X| <= M/4 comes back from its residues x_p by X = sum of s_p M/m_p - q M, s_p = x_p w_p mod m_p,
/// w_p = (M/m_p)^-1 mod m_p: sum of s_p/m_p lies within 1/4 of the integer q, so that q is the nearest integer, computed in
/// floating point or from floor(2^54/m_p). With M/m_p in digits of 24 bits this is one more product of matrices, digits x moduli times moduli x
/// entries, whose sums fit in 64 bits: s_p < 2^31, digits < 2^24, and at most 272 moduli.

#include <cstdint>
#include <vector>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/base_tables.h>
#include <thrust_rns/detail/matrix_problem.h>
#include <thrust_rns/detail/words.h>
#include <thrust_rns/error.h>
#include <thrust_rns/modular.h>
#include <thrust_rns/moduli_set.h>

namespace thrust_rns {
namespace detail {

inline constexpr int digit_bits = 24, most_integer_bits = 8400; // with 272 moduli of 31 bits

/// How large the moduli of a base may be: residues of one, two or four bytes.
enum class modulus_class { byte, half_word, word };

/// The largest pairwise coprime numbers up to 256, each taken if coprime to those before.
inline constexpr std::uint16_t byte_moduli[] = {256, 255, 253, 251, 247, 241, 239, 233, 229, 227, 223, 217, 211,
                                                199, 197, 193, 191, 181, 179, 173, 167, 163, 157, 151, 149, 139,
                                                137, 131, 127, 113, 109, 107, 103, 101, 97,  89,  83,  79,  73,
                                                71,  67,  61,  59,  53,  47,  43,  41,  37,  29};

/// The moduli of a class one after the other; 0 when there is no more.
class modulus_source {
 public:
  explicit modulus_source(modulus_class c) : class_(c) {}

  std::uint32_t next() {
    if (class_ == modulus_class::byte) return count_ < 49 ? byte_moduli[count_++] : 0;
    if (class_ == modulus_class::word) return (std::uint32_t{1} << 31) - prime_distances[count_++];
    if (count_++ == 0) return 65536;
    for (candidate_ -= 2;; candidate_ -= 2) { // odd primes below
      bool prime = true;
      for (std::uint32_t d = 3; prime && d * d <= candidate_; d += 2) prime = candidate_ % d != 0;
      if (prime) return candidate_;
    }
  }

 private:
  modulus_class class_;
  int count_ = 0;
  std::uint32_t candidate_ = 65537;
};

/// Bit length of an integer of words without leading zeros.
inline int bits_of_words(const std::vector<std::uint32_t>& words) {
  return words.empty() ? 0 : 32 * static_cast<int>(words.size() - 1) + bit_length(words.back());
}

/// Digit t of 24 bits.
inline std::uint32_t digit_of_words(const std::vector<std::uint32_t>& words, int t) {
  const int bit = digit_bits * t, w = bit / 32;
  const auto word = [&](int k) -> std::uint64_t {
    return k < static_cast<int>(words.size()) ? words[static_cast<std::size_t>(k)] : 0;
  };
  return static_cast<std::uint32_t>((word(w) | word(w + 1) << 32) >> bit % 32) & 0xffffff;
}

/// The fewest moduli of a class with M >= 2^(bits + 2), for integers |X| <= 2^bits. `moduli.size` is 0 if there are too few.
struct integer_base {
  modulus_list moduli;
  modulus_list weights;                 // w_p
  int digits = 0;                       // of M
  std::vector<std::uint32_t> cofactors; // cofactors[t moduli.size + p]: digit t of M/m_p
  std::vector<std::uint32_t> range;     // digits of M

  integer_base(modulus_class c, int bits) {
    modulus_source source(c);
    std::vector<std::uint32_t> product{1};
    while (bits_of_words(product) <= bits + 2) {
      const std::uint32_t m = moduli.size < maximum_moduli ? source.next() : 0;
      if (m == 0) {
        moduli.size = 0;
        return;
      }
      moduli.value[moduli.size++] = m;
      multiply_add(product, m, 0);
    }
    digits = (bits_of_words(product) + digit_bits - 1) / digit_bits;
    for (int t = 0; t < digits; ++t) range.push_back(digit_of_words(product, t));
    const auto n = static_cast<std::size_t>(moduli.size);
    cofactors.resize(static_cast<std::size_t>(digits) * n);
    weights.size = moduli.size;
    for (std::size_t p = 0; p < n; ++p) {
      std::vector<std::uint32_t> cofactor = product; // divided by m_p
      std::uint64_t rest = 0, residue = 0;
      for (std::size_t k = cofactor.size(); k-- > 0;) {
        rest = (rest << 32) | cofactor[k];
        cofactor[k] = static_cast<std::uint32_t>(rest / moduli.value[p]);
        rest %= moduli.value[p];
        residue = ((residue << 32) | cofactor[k]) % moduli.value[p];
      }
      weights.value[p] = modulus(moduli.value[p]).inverse(static_cast<std::uint32_t>(residue));
      for (int t = 0; t < digits; ++t) {
        cofactors[static_cast<std::size_t>(t) * n + p] = digit_of_words(cofactor, t);
      }
    }
  }
};

/// Two's complement integers of one word of 8 to 64 bits, or of several of 64, as kernels see them.
struct integer_source {
  const void* data;
  int word_bytes, limbs;
  std::int64_t row_stride, column_stride; // in entries

  /// Limb k of an entry, its sign extended.
  THRUST_RNS_HD std::int64_t limb(std::int64_t entry, int k) const {
    switch (word_bytes) {
      case 1:
        return static_cast<const std::int8_t*>(data)[entry];
      case 2:
        return static_cast<const std::int16_t*>(data)[entry];
      case 4:
        return static_cast<const std::int32_t*>(data)[entry];
      default:
        return static_cast<const std::int64_t*>(data)[entry * limbs + k];
    }
  }
  THRUST_RNS_HD integer_source moved(std::int64_t entries) const {
    return {static_cast<const char*>(data) + entries * word_bytes * limbs, word_bytes, limbs, row_stride,
            column_stride};
  }
  THRUST_RNS_HD integer_source transposed() const { return {data, word_bytes, limbs, column_stride, row_stride}; }

  /// The smallest b with -2^b <= X < 2^b.
  THRUST_RNS_HD int bits(std::int64_t entry) const {
    const std::int64_t sign = limb(entry, limbs - 1) >> 63;
    for (int k = limbs - 1; k >= 0; --k) {
      const auto x = static_cast<std::uint64_t>(limb(entry, k) ^ sign);
      if (x != 0) return 64 * k + bit_length(x);
    }
    return 0;
  }
  /// X mod m; t = 2^64 mod m.
  THRUST_RNS_HD std::uint32_t residue(std::int64_t entry, const modulus& m, std::uint32_t t) const {
    std::uint32_t r = limb(entry, limbs - 1) < 0 ? m.value() - 1 : 0; // -1: the sign's weight is 2^(64 limbs)
    for (int k = limbs - 1; k >= 0; --k) {
      r = m.add(m.multiply(r, t), m.reduce(static_cast<std::uint64_t>(limb(entry, k))));
    }
    return r;
  }
};

/// bits() of the entry at row k / columns, column k % columns.
struct bits_of_entry {
  integer_source source;
  std::int64_t columns;
  THRUST_RNS_HD int operator()(std::int64_t k) const {
    return source.bits(k / columns * source.row_stride + k % columns * source.column_stride);
  }
};

/// Turns sums of digits of weight 2^(24 t), less q M, into two's complement limbs: `next(sum, q times M's digit)` for each
/// t in order.
class limb_writer {
 public:
  THRUST_RNS_HD limb_writer(std::int64_t* limbs, int count) : limbs_(limbs), count_(count) {}

  THRUST_RNS_HD void next(std::uint64_t sum, std::int64_t less) {
    carry_ += static_cast<std::int64_t>(sum & 0xffffff) - less;
    put(static_cast<std::uint64_t>(carry_) & 0xffffff);
    carry_ = (carry_ >> digit_bits) + static_cast<std::int64_t>(sum >> digit_bits);
  }
  /// What is left, with its sign, fills the limbs.
  THRUST_RNS_HD void finish() {
    while (written_ < count_) next(0, 0);
  }

 private:
  THRUST_RNS_HD void put(std::uint64_t digit) {
    if (written_ >= count_) return;
    word_ |= digit << used_;
    used_ += digit_bits;
    if (used_ < 64) return;
    limbs_[written_++] = static_cast<std::int64_t>(word_);
    used_ -= 64;
    word_ = used_ == 0 ? 0 : digit >> (digit_bits - used_);
  }

  std::int64_t* limbs_;
  std::uint64_t word_ = 0;
  std::int64_t carry_ = 0;
  int count_, written_ = 0, used_ = 0;
};

} // namespace detail
} // namespace thrust_rns
