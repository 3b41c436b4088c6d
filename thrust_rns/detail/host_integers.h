// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Exact products of integer matrices on the host: three products of matrices of words, to residues, modulo each
/// modulus, and back to limbs (integer_base.h). The first and the last take 16 entries at a time, whose digits or residues are a
/// panel (host_panels.h), and keep nothing but residues in memory.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/host_matrix.h>
#include <thrust_rns/detail/host_panels.h>
#include <thrust_rns/detail/instructions.h>
#include <thrust_rns/detail/integer_base.h>
#include <thrust_rns/detail/matrix_problem.h>
#include <thrust_rns/modular.h>

namespace thrust_rns {
namespace detail {

constexpr int round_up(int n, int to) { return (n + to - 1) / to * to; }

/// A table of words in panels of 4 rows, filled up with zeros.
class table_panels {
 public:
  table_panels(const std::vector<std::uint32_t>& table, int rows, int columns)
      : columns_(columns),
        words_(static_cast<std::size_t>(round_up(rows, panel_rows)) * static_cast<std::size_t>(columns)) {
    copy_to_panels<panel_rows>(table.data(), columns, 1, rows, columns, words_.data());
  }
  const std::uint32_t* panel_of(int row) const { return words_.data() + row * columns_; }

 private:
  int columns_;
  std::vector<std::uint32_t> words_;
};

// ---- to residues ----------------------------------------------------------------------------------------------------

/// Of 28 bits: 31 products with residues fit in a sum.
inline constexpr int split_bits = 28, most_split_digits = most_integer_bits / split_bits + 1;

/// Residues of integers X, -2^bits <= X < 2^bits: the digits of X + 2^bits times powers of 2^28, less 2^bits. Unit: 16 entries.
class integers_to_residues {
 public:
  integers_to_residues(const integer_source& source, std::int64_t rows, std::int64_t columns, int bits,
                       const std::vector<sum_reducer>& reducers, instructions use)
      : source_(source),
        entries_(rows * columns),
        columns_(columns),
        bits_(bits),
        digits_(bits / split_bits + 1),
        use_(use),
        reducers_(reducers),
        powers_(powers(), static_cast<int>(reducers.size()), digits_ + 1) {}

  std::int64_t units() const { return (entries_ + panel_columns - 1) / panel_columns; }
  double work() const { return static_cast<double>(digits_ * panel_columns) * static_cast<double>(reducers_.size()); }

  /// out[p stride + entry] := the residue modulo m_p.
  void operator()(std::int64_t unit, std::uint32_t* out, std::int64_t stride) const {
    alignas(64) std::uint32_t digits[(most_split_digits + 1) * panel_columns];
    const std::int64_t first = unit * panel_columns;
    for (int e = 0; e < panel_columns; ++e) split(std::min(first + e, entries_ - 1), digits + e);
    std::fill_n(digits + digits_ * panel_columns, panel_columns, 1u); // times -2^bits
    panel_sums sums;
    const int n = static_cast<int>(reducers_.size());
    for (int p = 0; p < n; p += panel_rows) {
      multiply_panel(use_, powers_.panel_of(p), digits, digits_ + 1,
                     terms_in_64_bits(modulus::maximum, (1 << split_bits) - 1), true, sums);
      for (int r = 0; r < panel_rows && p + r < n; ++r) {
        reducers_[static_cast<std::size_t>(p + r)](use_, sums, r, out + (p + r) * stride + first);
      }
    }
  }

 private:
  /// Of 2^28, and -2^bits.
  std::vector<std::uint32_t> powers() const {
    std::vector<std::uint32_t> t;
    for (const sum_reducer& r : reducers_) {
      const modulus& m = r.value();
      std::uint32_t x = 1;
      for (int k = 0; k < digits_; ++k, x = m.multiply(x, 1 << split_bits)) t.push_back(x);
      t.push_back(m.negate(m.power(2, static_cast<std::uint64_t>(bits_))));
    }
    return t;
  }

  /// Digit k of X + 2^bits, which is X with its bit `bits` flipped and without those above, to digits[16 k].
  void split(std::int64_t place, std::uint32_t* digits) const {
    const std::int64_t entry = place / columns_ * source_.row_stride + place % columns_ * source_.column_stride;
    std::uint64_t limb[most_integer_bits / 64 + 2];
    const int top = bits_ / 64;
    for (int k = 0; k <= top; ++k) limb[k] = static_cast<std::uint64_t>(source_.limb(entry, k));
    limb[top] = (limb[top] ^ std::uint64_t{1} << bits_ % 64) & ~std::uint64_t{0} >> (63 - bits_ % 64);
    limb[top + 1] = 0;
    for (int k = 0; k < digits_; ++k) {
      const int bit = split_bits * k;
      const std::uint64_t* x = limb + bit / 64;
      digits[k * panel_columns] =
          static_cast<std::uint32_t>(x[0] >> bit % 64 | x[1] << 1 << (63 - bit % 64)) & ((1u << split_bits) - 1);
    }
  }

  integer_source source_;
  std::int64_t entries_, columns_;
  int bits_, digits_;
  instructions use_;
  const std::vector<sum_reducer>& reducers_;
  table_panels powers_;
};

// ---- to limbs -------------------------------------------------------------------------------------------------------

/// Row 0 of the table are floor(2^54/m_p), below 2^24 as digits are, so that with sum of s_p/m_p = q + r, |r| <= 1/4, its sum is
/// 2^54 (q + r), less up to 272 x 2^31. Row t + 1 are the digits t of M/m_p.
inline constexpr int quotient_bits = 54;

/// limbs[j limbs_per_entry + k] := limb k of the integer of column j < count, from sums[row][place of column]. range[t]: digit t
/// of M.
inline __attribute__((always_inline)) void join_digits(const std::uint64_t* sums, const std::uint32_t* range, int lanes,
                                                       std::int64_t* limbs, int limbs_per_entry, int count) {
  constexpr std::uint64_t mask = (1 << digit_bits) - 1, bias = std::uint64_t{1} << 60; // carries are signed
  std::uint64_t q[panel_columns], carry[panel_columns], word[panel_columns];
  for (int x = 0; x < panel_columns; ++x) {
    q[x] = (sums[x] + (std::uint64_t{1} << (quotient_bits - 1))) >> quotient_bits;
    carry[x] = word[x] = 0;
  }
  for (int k = 0, used = 0; k < limbs_per_entry; ++range) {
    sums += panel_columns;
    const std::uint64_t m = *range;
    std::uint64_t digit[panel_columns];
    for (int x = 0; x < panel_columns; ++x) {
      const std::uint64_t v = bias + carry[x] + (sums[x] & mask) - q[x] * m;
      digit[x] = v & mask;
      carry[x] = (v >> digit_bits) - (bias >> digit_bits) + (sums[x] >> digit_bits);
    }
    for (int x = 0; x < panel_columns; ++x) word[x] |= digit[x] << used;
    used += digit_bits;
    if (used < 64) continue;
    for (int j = 0; j < count; ++j) {
      limbs[j * limbs_per_entry + k] = static_cast<std::int64_t>(word[place_of_column(j, lanes)]);
    }
    ++k;
    used -= 64;
    for (int x = 0; x < panel_columns; ++x) word[x] = digit[x] >> (digit_bits - used);
  }
}
#if THRUST_RNS_X86
THRUST_RNS_AVX2 inline void join_digits_avx2(const std::uint64_t* sums, const std::uint32_t* range, int lanes,
                                             std::int64_t* limbs, int limbs_per_entry, int count) {
  join_digits(sums, range, lanes, limbs, limbs_per_entry, count);
}
#endif

/// Limbs of integers, from their weighted residues. Unit: 16 entries.
class residues_to_limbs {
 public:
  residues_to_limbs(const integer_base& base, std::int64_t entries, std::int64_t* limbs, int limbs_per_entry,
                    instructions use)
      : entries_(entries),
        limbs_(limbs),
        limbs_per_entry_(limbs_per_entry),
        moduli_(base.moduli.size),
        rows_(1 + (64 * limbs_per_entry + digit_bits - 1) / digit_bits),
        use_(use),
        range_(base.range),
        factors_(factors(base), rows_, moduli_) {
    range_.resize(static_cast<std::size_t>(rows_ - 1));
  }

  std::int64_t units() const { return (entries_ + panel_columns - 1) / panel_columns; }
  double work() const { return static_cast<double>(rows_ * moduli_ * panel_columns); }

  void operator()(std::int64_t unit, const std::uint32_t* residues, std::int64_t stride) const {
    alignas(64) std::uint32_t columns[maximum_moduli * panel_columns];
    alignas(64) std::uint64_t sums[round_up(most_rows, panel_rows) * panel_columns];
    const std::int64_t first = unit * panel_columns;
    for (int p = 0; p < moduli_; ++p) {
      std::memcpy(columns + p * panel_columns, residues + p * stride + first, panel_columns * sizeof(std::uint32_t));
    }
    panel_sums part;
    for (int row = 0; row < rows_; row += panel_rows) {
      multiply_panel(use_, factors_.panel_of(row), columns, moduli_,
                     terms_in_64_bits(modulus::maximum, (1 << digit_bits) - 1), true, part);
      for (int x = 0; x < panel_rows * panel_columns; ++x) {
        sums[row * panel_columns + x] = (part.high[x] << 32) + part.low[x];
      }
    }
    std::int64_t* out = limbs_ + first * limbs_per_entry_;
    const int count = static_cast<int>(std::min<std::int64_t>(panel_columns, entries_ - first));
#if THRUST_RNS_X86
    if (use_ != instructions::portable) {
      join_digits_avx2(sums, range_.data(), part.lanes, out, limbs_per_entry_, count);
      return;
    }
#endif
    join_digits(sums, range_.data(), part.lanes, out, limbs_per_entry_, count);
  }

 private:
  static constexpr int most_rows = 1 + (64 * ((most_integer_bits + 2 + 63) / 64) + digit_bits - 1) / digit_bits;

  std::vector<std::uint32_t> factors(const integer_base& base) const {
    std::vector<std::uint32_t> t;
    for (int p = 0; p < moduli_; ++p) {
      t.push_back(static_cast<std::uint32_t>((std::uint64_t{1} << quotient_bits) / base.moduli.value[p]));
    }
    t.insert(t.end(), base.cofactors.begin(), base.cofactors.end());
    t.resize(static_cast<std::size_t>(rows_) * static_cast<std::size_t>(moduli_));
    return t;
  }

  std::int64_t entries_;
  std::int64_t* limbs_;
  int limbs_per_entry_, moduli_, rows_;
  instructions use_;
  std::vector<std::uint32_t> range_; // digits of M
  table_panels factors_;
};

// ---- the product ----------------------------------------------------------------------------------------------------

/// limbs := a b, rows x columns, `limbs_per_entry` limbs an entry; |entries| <= 2^bits, those of a and b within
/// [-2^a_bits, 2^a_bits) and [-2^b_bits, 2^b_bits).
template <class Policy>
void multiply_integers_on_host(const Policy& exec, const integer_source& a, int a_bits, const integer_source& b,
                               int b_bits, std::int64_t rows, std::int64_t inner, std::int64_t columns, int bits,
                               std::int64_t* limbs, int limbs_per_entry, instructions use = widest_instructions()) {
  const integer_base base(modulus_class::word, bits);
  const std::int64_t n = base.moduli.size;
  std::vector<sum_reducer> plain, weighted;
  for (int p = 0; p < n; ++p) {
    plain.emplace_back(base.moduli.value[p]);
    weighted.emplace_back(base.moduli.value[p], base.weights.value[p]);
  }
  const integers_to_residues left(a, rows, inner, a_bits, plain, use), right(b, inner, columns, b_bits, plain, use);
  const residues_to_limbs back(base, rows * columns, limbs, limbs_per_entry, use);
  const std::int64_t a_stride = left.units() * panel_columns, b_stride = right.units() * panel_columns;
  const std::int64_t c_stride = back.units() * panel_columns;
  // In one piece, which the C library rather keeps for the next product, and not set to zero.
  const std::unique_ptr<std::uint32_t[]> planes(
      new std::uint32_t[static_cast<std::size_t>(n * (a_stride + b_stride + c_stride))]);
  std::uint32_t *const pa = planes.get(), *const pb = pa + n * a_stride, *const pc = pb + n * b_stride;

  for_each_unit(exec, left.units() + right.units(), std::max(left.work(), right.work()), [&](std::int64_t unit) {
    if (unit < left.units()) {
      left(unit, pa, a_stride);
    } else {
      right(unit - left.units(), pb, b_stride);
    }
  });
  const matrix_problem product{{pa, a_stride, 0, inner, 1},
                               {pb, b_stride, 0, columns, 1},
                               {pc, c_stride, 0, columns, 1},
                               rows,
                               columns,
                               inner,
                               1,
                               base.moduli.size,
                               accumulation::assign,
                               nullptr};
  multiply_planes(exec, product, weighted.data(), base.moduli.largest() - 1, use);
  for (std::int64_t p = 0; p < n; ++p) std::fill(pc + p * c_stride + rows * columns, pc + (p + 1) * c_stride, 0u);
  for_each_unit(exec, back.units(), back.work(), [&](std::int64_t unit) { back(unit, pc, c_stride); });
}

} // namespace detail
} // namespace thrust_rns
