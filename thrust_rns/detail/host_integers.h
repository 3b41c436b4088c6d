// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Exact products of integer matrices on the host: three products of matrices of words, to residues, modulo each
/// modulus, and back to limbs (integer_base.h).

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/host_matrix.h>
#include <thrust_rns/detail/integer_base.h>
#include <thrust_rns/detail/matrix_problem.h>
#include <thrust_rns/modular.h>

namespace thrust_rns {
namespace detail {

/// Unit: an entry of an integer matrix; its digits go to digits[t entries + entry], the last row is 1 for negative ones.
struct split_digits {
  integer_source source;
  std::int64_t columns, entries;
  int rows; // with that of signs
  std::uint32_t* digits;

  void operator()(std::int64_t unit) const {
    const std::int64_t entry = unit / columns * source.row_stride + unit % columns * source.column_stride;
    const bool negative = source.limb(entry, source.limbs - 1) < 0;
    const auto limb = [&](int k) -> std::uint64_t {
      return k < source.limbs ? static_cast<std::uint64_t>(source.limb(entry, k)) : negative ? ~std::uint64_t{0} : 0;
    };
    for (int t = 0; t + 1 < rows; ++t) {
      const int bit = digit_bits * t, k = bit / 64, shift = bit % 64;
      const std::uint64_t x = limb(k) >> shift | (shift > 64 - digit_bits ? limb(k + 1) << (64 - shift) : 0);
      digits[t * entries + unit] = static_cast<std::uint32_t>(x) & 0xffffff;
    }
    digits[(rows - 1) * entries + unit] = negative ? 1 : 0;
  }
};

/// Writes sums modulo the modulus of their row.
struct finish_row_residues {
  std::uint32_t* out;
  std::int64_t columns;
  const modulus* moduli;

  void operator()(std::int64_t, std::int64_t, std::int64_t i, std::int64_t j, std::uint64_t high,
                  std::uint64_t low) const {
    out[i * columns + j] = reduce_sum(moduli[i], high, low);
  }
};

/// Residues times weights.
struct finish_weighted {
  std::uint32_t* out;
  std::int64_t plane_stride, columns;
  const modulus* moduli;
  const std::uint32_t* weights;

  void operator()(std::int64_t plane, std::int64_t, std::int64_t i, std::int64_t j, std::uint64_t high,
                  std::uint64_t low) const {
    const modulus& m = moduli[plane];
    out[plane * plane_stride + i * columns + j] = m.multiply(reduce_sum(m, high, low), weights[plane]);
  }
};

struct finish_sums {
  std::uint64_t* out;
  std::int64_t columns;

  void operator()(std::int64_t, std::int64_t, std::int64_t i, std::int64_t j, std::uint64_t high,
                  std::uint64_t low) const {
    out[i * columns + j] = (high << 32) + low;
  }
};

template <class Finish>
wide_product<Finish> make_wide_product(const std::uint32_t* a, std::int64_t rows, const std::uint32_t* b,
                                       std::int64_t inner, std::int64_t columns, std::int64_t b_stride,
                                       std::int64_t terms, const Finish& finish) {
  return {{a, 0, 0, inner, 1}, {b, 0, 0, b_stride, 1}, rows, columns, inner, 1, terms, widest_instructions(), finish};
}

/// Unit: an entry; its sums of digits and its weighted residues become limbs.
struct join_limbs {
  const integer_base& base;
  const std::uint64_t* sums; // [digit][entry of the chunk]
  std::int64_t chunk;
  const std::uint32_t* residues; // weighted, planes
  std::int64_t plane_stride, first;
  const double* reciprocals;
  std::int64_t* limbs;
  int limbs_per_entry;

  void operator()(std::int64_t unit) const {
    double fraction = 0;
    for (int p = 0; p < base.moduli.size; ++p) {
      fraction += residues[p * plane_stride + first + unit] * reciprocals[p];
    }
    const auto q = static_cast<std::int64_t>(std::floor(fraction + 0.5));
    limb_writer writer(limbs + (first + unit) * limbs_per_entry, limbs_per_entry);
    for (int t = 0; t < base.digits; ++t) {
      writer.next(sums[t * chunk + unit], q * base.range[static_cast<std::size_t>(t)]);
    }
    writer.finish();
  }
};

/// Residues of the entries of a matrix modulo all moduli of a base, in planes.
template <class Policy>
std::vector<std::uint32_t> residues_of_integers(const Policy& exec, const integer_source& source, std::int64_t rows,
                                                std::int64_t columns, const integer_base& base, const modulus* moduli) {
  const std::int64_t entries = rows * columns, n = base.moduli.size;
  const int digits = (8 * source.word_bytes * source.limbs + digit_bits - 1) / digit_bits + 1;
  std::vector<std::uint32_t> split(static_cast<std::size_t>(digits * entries)),
      powers(static_cast<std::size_t>(n * digits)), residues(static_cast<std::size_t>(n * entries));
  for_each_unit(exec, entries, digits, split_digits{source, columns, entries, digits, split.data()});
  for (std::int64_t p = 0; p < n; ++p) { // of 2^24, and -(the last) for the row of signs
    std::uint32_t x = 1 % moduli[p].value();
    for (int t = 0; t + 1 < digits; ++t) {
      powers[static_cast<std::size_t>(p * digits + t)] = x;
      x = moduli[p].multiply(x, moduli[p].reduce(1 << digit_bits));
    }
    powers[static_cast<std::size_t>((p + 1) * digits - 1)] = moduli[p].negate(x);
  }
  const auto product = make_wide_product(powers.data(), n, split.data(), digits, entries, entries,
                                         terms_in_64_bits(modulus::maximum, 0xffffff),
                                         finish_row_residues{residues.data(), entries, moduli});
  multiply_wide(exec, 1, product);
  return residues;
}

/// limbs := a b, rows x columns, `limbs_per_entry` limbs an entry; |entries| <= 2^bits.
template <class Policy>
void multiply_integers_on_host(const Policy& exec, const integer_source& a, const integer_source& b, std::int64_t rows,
                               std::int64_t inner, std::int64_t columns, int bits, std::int64_t* limbs,
                               int limbs_per_entry) {
  const integer_base base(modulus_class::word, bits);
  const std::int64_t n = base.moduli.size, entries = rows * columns;
  std::vector<modulus> moduli;
  std::vector<double> reciprocals;
  for (int p = 0; p < base.moduli.size; ++p) {
    moduli.emplace_back(base.moduli.value[p]);
    reciprocals.push_back(1.0 / base.moduli.value[p]);
  }
  std::vector<std::uint32_t> c(static_cast<std::size_t>(n * entries));
  {
    const auto left = residues_of_integers(exec, a, rows, inner, base, moduli.data());
    const auto right = residues_of_integers(exec, b, inner, columns, base, moduli.data());
    const std::uint64_t largest = base.moduli.largest() - 1;
    const wide_product<finish_weighted> product{{left.data(), rows * inner, 0, inner, 1},
                                                {right.data(), inner * columns, 0, columns, 1},
                                                rows,
                                                columns,
                                                inner,
                                                1,
                                                terms_in_64_bits(largest, largest),
                                                widest_instructions(),
                                                {c.data(), entries, columns, moduli.data(), base.weights.value}};
    multiply_wide(exec, base.moduli.size, product);
  }
  const std::int64_t chunk = std::min<std::int64_t>(entries, 16384);
  std::vector<std::uint64_t> sums(static_cast<std::size_t>(base.digits * chunk));
  for (std::int64_t first = 0; first < entries; first += chunk) {
    const std::int64_t count = std::min(chunk, entries - first);
    const auto product =
        make_wide_product(base.cofactors.data(), base.digits, c.data() + first, n, count, entries,
                          terms_in_64_bits(modulus::maximum, 0xffffff), finish_sums{sums.data(), chunk});
    multiply_wide(exec, 1, product);
    for_each_unit(
        exec, count, base.digits + base.moduli.size,
        join_limbs{base, sums.data(), chunk, c.data(), entries, first, reciprocals.data(), limbs, limbs_per_entry});
  }
}

} // namespace detail
} // namespace thrust_rns
