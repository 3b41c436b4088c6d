// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// The innermost part of products of matrices of 32-bit words on the host: panels of 4 rows times panels of 16 columns, with
/// 64-bit sums, and the sums modulo a modulus; by the vector instructions that the processor has, with the same results.

#include <algorithm>
#include <cstdint>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/host_evaluation.h>
#include <thrust_rns/detail/instructions.h>
#include <thrust_rns/detail/small_values.h>
#include <thrust_rns/modular.h>

namespace thrust_rns {
namespace detail {

// A panel holds 4 rows of A side by side, [k][4], or 16 columns of B, [k][16]. A sum is kept as high 2^32 + low: after `terms`
// products, as many as fit in 64 bits beside 32 bits, the upper half moves to `high`.

inline constexpr int panel_rows = 4, panel_columns = 16;

/// Products of numbers up to a and up to b that fit in 64 bits together with a 32-bit number.
constexpr std::int64_t terms_in_64_bits(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t room = ~std::uint64_t{0} - 0xffffffffu;
  return a == 0 || b == 0 ? INT64_MAX : static_cast<std::int64_t>(std::min<std::uint64_t>(room / a / b, INT64_MAX));
}

/// The sums of a panel of rows and one of columns, [row][16]. In a row the even columns come first, then the odd ones, in
/// vectors of `lanes`.
struct panel_sums {
  alignas(64) std::uint64_t high[panel_rows * panel_columns];
  alignas(64) std::uint64_t low[panel_rows * panel_columns];
  int lanes = 1;
};

/// Where column j of 16 is found.
constexpr int place_of_column(int j, int lanes) {
  return j / (2 * lanes) * 2 * lanes + j % 2 * lanes + j % (2 * lanes) / 2;
}

/// sums += a b, or sums := a b if they are `fresh`, over `depth` terms. So do those below.
inline void multiply_panel_portable(const std::uint32_t* a, const std::uint32_t* b, int depth, int terms, bool fresh,
                                    panel_sums& sums) {
  if (fresh) sums = {};
  sums.lanes = 1;
  for (int r = 0; r < panel_rows; ++r) {
    std::uint64_t *high = sums.high + r * panel_columns, *low = sums.low + r * panel_columns, sum[panel_columns];
    for (int j = 0; j < panel_columns; ++j) sum[j] = low[j];
    for (int k0 = 0; k0 < depth; k0 += terms) {
      const int k1 = std::min(depth, k0 + terms);
      for (int k = k0; k < k1; ++k) {
        const std::uint64_t x = a[k * panel_rows + r];
        for (int j = 0; j < panel_columns; ++j) sum[j] += x * b[k * panel_columns + j];
      }
      for (int j = 0; j < panel_columns; ++j) {
        high[j] += sum[j] >> 32;
        sum[j] &= 0xffffffffu;
      }
    }
    for (int j = 0; j < panel_columns; ++j) low[j] = sum[j];
  }
}

#if THRUST_RNS_X86
#  define THRUST_RNS_INLINE_AVX2 inline __attribute__((always_inline)) THRUST_RNS_AVX2
#  define THRUST_RNS_INLINE_AVX512 inline __attribute__((always_inline)) THRUST_RNS_AVX512

// Sums are variables of their own, not arrays, and additions keep their order (the empty asm): else they leave the registers.

/// The even and the odd ones of eight neighbouring sums.
struct row_of_8 {
  words4 even, odd;

  THRUST_RNS_INLINE_AVX2 void start(bool fresh, std::uint64_t* high, const std::uint64_t* low) {
    even = odd = words4{};
    if (fresh) {
      *reinterpret_cast<words4*>(high) = *reinterpret_cast<words4*>(high + 4) = words4{};
    } else {
      even = *reinterpret_cast<const words4*>(low);
      odd = *reinterpret_cast<const words4*>(low + 4);
    }
  }
  THRUST_RNS_INLINE_AVX2 void add(std::uint32_t a, words4 b, words4 b_odd) {
    const __m256i x = _mm256_set1_epi32(static_cast<int>(a));
    even += (words4)_mm256_mul_epu32(x, (__m256i)b);
    odd += (words4)_mm256_mul_epu32(x, (__m256i)b_odd);
    asm("" : "+x"(even), "+x"(odd));
  }
  THRUST_RNS_INLINE_AVX2 void fold(std::uint64_t* high) {
    *reinterpret_cast<words4*>(high) += even >> 32;
    *reinterpret_cast<words4*>(high + 4) += odd >> 32;
    even &= words4{} + 0xffffffffu;
    odd &= words4{} + 0xffffffffu;
  }
  THRUST_RNS_INLINE_AVX2 void store(std::uint64_t* low) const {
    *reinterpret_cast<words4*>(low) = even;
    *reinterpret_cast<words4*>(low + 4) = odd;
  }
};

/// 4 rows x 8 columns at a time.
THRUST_RNS_AVX2 inline void multiply_panel_avx2(const std::uint32_t* a, const std::uint32_t* b, int depth, int terms,
                                                bool fresh, panel_sums& sums) {
  sums.lanes = 4;
  for (int half = 0; half < panel_columns; half += 8) {
    std::uint64_t *high = sums.high + half, *low = sums.low + half;
    row_of_8 row0, row1, row2, row3;
    row0.start(fresh, high, low);
    row1.start(fresh, high + panel_columns, low + panel_columns);
    row2.start(fresh, high + 2 * panel_columns, low + 2 * panel_columns);
    row3.start(fresh, high + 3 * panel_columns, low + 3 * panel_columns);
    const std::uint32_t *x = a, *y = b + half;
    for (int k0 = 0; k0 < depth; k0 += terms) {
      const int count = std::min(depth - k0, terms);
#  pragma GCC unroll 4
      for (int k = 0; k < count; ++k, x += panel_rows, y += panel_columns) {
        const words4 even = *reinterpret_cast<const words4*>(y), odd = even >> 32;
        row0.add(x[0], even, odd);
        row1.add(x[1], even, odd);
        row2.add(x[2], even, odd);
        row3.add(x[3], even, odd);
      }
      asm volatile("" ::: "memory"); // the upper halves stay in memory
      row0.fold(high);
      row1.fold(high + panel_columns);
      row2.fold(high + 2 * panel_columns);
      row3.fold(high + 3 * panel_columns);
    }
    row0.store(low);
    row1.store(low + panel_columns);
    row2.store(low + 2 * panel_columns);
    row3.store(low + 3 * panel_columns);
  }
}

/// The even and the odd ones of 16 neighbouring sums.
struct row_of_16 {
  words8 even, odd;

  THRUST_RNS_INLINE_AVX512 void start(bool fresh, std::uint64_t* high, const std::uint64_t* low) {
    even = odd = words8{};
    if (fresh) {
      *reinterpret_cast<words8*>(high) = *reinterpret_cast<words8*>(high + 8) = words8{};
    } else {
      even = *reinterpret_cast<const words8*>(low);
      odd = *reinterpret_cast<const words8*>(low + 8);
    }
  }
  THRUST_RNS_INLINE_AVX512 void add(std::uint32_t a, words8 b, words8 b_odd) {
    const __m512i x = _mm512_set1_epi32(static_cast<int>(a));
    even += (words8)_mm512_maskz_mul_epu32(all_lanes, x, (__m512i)b);
    odd += (words8)_mm512_maskz_mul_epu32(all_lanes, x, (__m512i)b_odd);
    asm("" : "+v"(even), "+v"(odd));
  }
  THRUST_RNS_INLINE_AVX512 void fold(std::uint64_t* high) {
    *reinterpret_cast<words8*>(high) += even >> 32;
    *reinterpret_cast<words8*>(high + 8) += odd >> 32;
    even &= words8{} + 0xffffffffu;
    odd &= words8{} + 0xffffffffu;
  }
  THRUST_RNS_INLINE_AVX512 void store(std::uint64_t* low) const {
    *reinterpret_cast<words8*>(low) = even;
    *reinterpret_cast<words8*>(low + 8) = odd;
  }
};

/// 4 rows x 16 columns at a time.
THRUST_RNS_AVX512 inline void multiply_panel_avx512(const std::uint32_t* a, const std::uint32_t* b, int depth,
                                                    int terms, bool fresh, panel_sums& sums) {
  sums.lanes = 8;
  std::uint64_t *high = sums.high, *low = sums.low;
  row_of_16 row0, row1, row2, row3;
  row0.start(fresh, high, low);
  row1.start(fresh, high + panel_columns, low + panel_columns);
  row2.start(fresh, high + 2 * panel_columns, low + 2 * panel_columns);
  row3.start(fresh, high + 3 * panel_columns, low + 3 * panel_columns);
  for (int k0 = 0; k0 < depth; k0 += terms) {
    const int count = std::min(depth - k0, terms);
#  pragma GCC unroll 4
    for (int k = 0; k < count; ++k, a += panel_rows, b += panel_columns) {
      const words8 even = *reinterpret_cast<const words8*>(b), odd = even >> 32;
      row0.add(a[0], even, odd);
      row1.add(a[1], even, odd);
      row2.add(a[2], even, odd);
      row3.add(a[3], even, odd);
    }
    asm volatile("" ::: "memory"); // the upper halves stay in memory
    row0.fold(high);
    row1.fold(high + panel_columns);
    row2.fold(high + 2 * panel_columns);
    row3.fold(high + 3 * panel_columns);
  }
  row0.store(low);
  row1.store(low + panel_columns);
  row2.store(low + 2 * panel_columns);
  row3.store(low + 3 * panel_columns);
}
#endif

inline void multiply_panel([[maybe_unused]] instructions use, const std::uint32_t* a, const std::uint32_t* b, int depth,
                           std::int64_t terms, bool fresh, panel_sums& sums) {
  const int step = static_cast<int>(std::min<std::int64_t>(terms, depth));
#if THRUST_RNS_X86
  if (use == instructions::avx512) {
    multiply_panel_avx512(a, b, depth, step, fresh, sums);
    return;
  }
  if (use == instructions::avx2) {
    multiply_panel_avx2(a, b, depth, step, fresh, sums);
    return;
  }
#endif
  multiply_panel_portable(a, b, depth, step, fresh, sums);
}

/// What turns sums x = high 2^32 + low, low < 2^32, into x f mod m.
///
/// Odd m, by Montgomery's reduction: with t = -x/m mod 2^32, (x + t m)/2^32 is an integer, congruent to x/2^32. Two such steps
/// leave v = x/2^64, v <= 2^31 + m < 2^32 if high < 2^63; a third, of v g with g = 2^96 f mod m, leaves less than g + m < 2 m.
class sum_reducer {
 public:
  sum_reducer() = default;
  explicit sum_reducer(std::uint32_t m, std::uint32_t factor = 1) : m_(m), factor_(factor) {
    const std::uint32_t r = m_.reduce(std::uint64_t{1} << 32);
    scaled_ = m_.multiply(m_.multiply(r, r), m_.multiply(r, factor));
    if (m % 2 != 0) inverse_ = static_cast<std::uint32_t>(0 - inverse_modulo_2_64(m));
  }

  const modulus& value() const { return m_; }

  /// out[j] := the result of column j of a row of sums.
  void operator()([[maybe_unused]] instructions use, const panel_sums& sums, int row, std::uint32_t* out) const {
    const std::uint64_t *high = sums.high + row * panel_columns, *low = sums.low + row * panel_columns;
#if THRUST_RNS_X86
    if (use != instructions::portable && sums.lanes != 1 && inverse_ != 0) {
      reduce_row(high, low, sums.lanes, out);
      return;
    }
#endif
    for (int j = 0; j < panel_columns; ++j) {
      const int at = place_of_column(j, sums.lanes);
      const std::uint64_t h = high[at] >> 32 != 0 ? m_.reduce(high[at]) : high[at];
      const std::uint32_t x = m_.reduce((h << 32) | low[at]);
      out[j] = factor_ == 1 ? x : m_.multiply(x, factor_);
    }
  }

 private:
#if THRUST_RNS_X86
  THRUST_RNS_AVX2 static words4 product(words4 a, words4 b) { return (words4)_mm256_mul_epu32((__m256i)a, (__m256i)b); }
  /// (x + t m)/2^32, x + t m < 2^64.
  THRUST_RNS_AVX2 static words4 step(words4 x, words4 m, words4 inverse) {
    return (x + product(product(x, inverse), m)) >> 32;
  }
  THRUST_RNS_AVX2 words4 reduce(const std::uint64_t* high, const std::uint64_t* low) const {
    const words4 m = words4{} + m_.value(), inverse = words4{} + inverse_, low_half = words4{} + 0xffffffffu;
    words4 x = *reinterpret_cast<const words4*>(high) + step(*reinterpret_cast<const words4*>(low), m, inverse);
    x = (x >> 32) + step(x & low_half, m, inverse);
    x = step(product(x, words4{} + scaled_), m, inverse);
    return (words4)_mm256_min_epu32((__m256i)x, _mm256_sub_epi32((__m256i)x, (__m256i)m));
  }
  /// Columns 0, 2, 4, 6 are at 0, the odd ones `lanes` behind; so are columns 8, 10, 12, 14 at 12 - lanes.
  THRUST_RNS_AVX2 void reduce_row(const std::uint64_t* high, const std::uint64_t* low, int lanes,
                                  std::uint32_t* out) const {
    for (int half = 0; half < 2; ++half, high += 12 - lanes, low += 12 - lanes, out += panel_columns / 2) {
      const words4 even = reduce(high, low), odd = reduce(high + lanes, low + lanes);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), (__m256i)(even | odd << 32));
    }
  }
#endif

  modulus m_;
  std::uint32_t factor_ = 1, scaled_ = 0;
  std::uint32_t inverse_ = 0; // -1/m mod 2^32, 0 for even m
};

} // namespace detail
} // namespace thrust_rns
