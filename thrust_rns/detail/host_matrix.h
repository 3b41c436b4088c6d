// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Products of matrices of 32-bit words on the host, with 64-bit sums: blocks that stay in the caches, and the vector
/// instructions that the processor has.

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/host_evaluation.h>
#include <thrust_rns/detail/instructions.h>
#include <thrust_rns/detail/matrix_problem.h>
#include <thrust_rns/modular.h>
#include <thrust_rns/span.h>

namespace thrust_rns {
namespace detail {

// A block of C has up to block_rows x block_columns entries. Blocks of A and of B, block_inner deep, are copied into
// panels: 4 rows of A side by side, 16 columns of B side by side, zeros beyond the edges. A panel of B (16 KB) and one of A
// stay in the first-level cache. A sum is kept as high 2^32 + low: after `terms` products, as many as fit in 64 bits beside
// 32 bits, the upper half moves to `high`.

inline constexpr int block_rows = 32, block_columns = 64, block_inner = 256, panel_rows = 4, panel_columns = 16;

/// Products of numbers up to a and up to b that fit in 64 bits together with a 32-bit number.
constexpr std::int64_t terms_in_64_bits(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t room = ~std::uint64_t{0} - 0xffffffffu;
  return a == 0 || b == 0 ? INT64_MAX : static_cast<std::int64_t>(std::min<std::uint64_t>(room / a / b, INT64_MAX));
}

struct wide_block {
  alignas(64) std::uint32_t a[block_rows * block_inner];    // [panel][k][4]
  alignas(64) std::uint32_t b[block_columns * block_inner]; // [panel][k][16]
  alignas(64) std::uint64_t high[block_rows * block_columns],
      low[block_rows * block_columns]; // [panel of b][row][16], shuffled
};

/// Where column j of a panel's 16 is found in sums: even ones first, then odd ones, in vectors of `lanes`.
constexpr int place_of_column(int j, int lanes) {
  return j / (2 * lanes) * 2 * lanes + j % 2 * lanes + j % (2 * lanes) / 2;
}

/// high, low (of 4 rows x 16 columns) += a b over `depth` terms, a fold after each `terms`, which is `Terms` unless that is 0.
inline void multiply_panel(const std::uint32_t* a, const std::uint32_t* b, int depth, int terms, std::uint64_t* high,
                           std::uint64_t* low) {
  for (int r = 0; r < panel_rows; ++r) {
    std::uint64_t sum[panel_columns];
    for (int j = 0; j < panel_columns; ++j) sum[j] = low[r * panel_columns + j];
    for (int k0 = 0; k0 < depth; k0 += terms) {
      const int k1 = std::min(depth, k0 + terms);
      for (int k = k0; k < k1; ++k) {
        const std::uint64_t x = a[k * panel_rows + r];
        for (int j = 0; j < panel_columns; ++j) sum[j] += x * b[k * panel_columns + j];
      }
      for (int j = 0; j < panel_columns; ++j) {
        high[r * panel_columns + j] += sum[j] >> 32;
        sum[j] &= 0xffffffffu;
      }
    }
    for (int j = 0; j < panel_columns; ++j) low[r * panel_columns + j] = sum[j];
  }
}

#if THRUST_RNS_X86
#  define THRUST_RNS_UNROLL_ROWS _Pragma("GCC unroll 4") // at -O1 too, or else the sums are no registers

/// 4 rows x 8 columns: a vector holds the even or the odd ones.
template <int Terms>
THRUST_RNS_AVX2 void multiply_panel_avx2(const std::uint32_t* a, const std::uint32_t* b, int depth, int terms,
                                         std::uint64_t* high, std::uint64_t* low) {
  const words4 low_half = words4{} + 0xffffffffu;
  for (int half = 0; half < panel_columns; half += 8) {
    words4 sum[panel_rows][2];
    THRUST_RNS_UNROLL_ROWS
    for (int r = 0; r < panel_rows; ++r) {
      THRUST_RNS_UNROLL_ROWS
      for (int c = 0; c < 2; ++c) {
        sum[r][c] = *reinterpret_cast<const words4*>(low + r * panel_columns + half + 4 * c);
      }
    }
    for (int k0 = 0; k0 < depth; k0 += terms) {
      const int k1 = Terms != 0 ? k0 + Terms : std::min(depth, k0 + terms);
      THRUST_RNS_UNROLL_ROWS
      for (int k = k0; k < k1; ++k) {
        const words4 even = *reinterpret_cast<const words4*>(b + k * panel_columns + half), odd = even >> 32;
        THRUST_RNS_UNROLL_ROWS
        for (int r = 0; r < panel_rows; ++r) {
          const __m256i x = _mm256_set1_epi32(static_cast<int>(a[k * panel_rows + r]));
          sum[r][0] += (words4)_mm256_mul_epu32(x, (__m256i)even);
          sum[r][1] += (words4)_mm256_mul_epu32(x, (__m256i)odd);
          asm("" : "+x"(sum[r][0]), "+x"(sum[r][1])); // no other order of additions: it would need more registers
        }
      }
      asm volatile("" ::: "memory"); // the upper halves stay in memory
      THRUST_RNS_UNROLL_ROWS
      for (int r = 0; r < panel_rows; ++r) {
        THRUST_RNS_UNROLL_ROWS
        for (int c = 0; c < 2; ++c) {
          *reinterpret_cast<words4*>(high + r * panel_columns + half + 4 * c) += sum[r][c] >> 32;
          sum[r][c] &= low_half;
        }
      }
    }
    THRUST_RNS_UNROLL_ROWS
    for (int r = 0; r < panel_rows; ++r) {
      THRUST_RNS_UNROLL_ROWS
      for (int c = 0; c < 2; ++c) *reinterpret_cast<words4*>(low + r * panel_columns + half + 4 * c) = sum[r][c];
    }
  }
}

/// 4 rows x 16 columns.
template <int Terms>
THRUST_RNS_AVX512 void multiply_panel_avx512(const std::uint32_t* a, const std::uint32_t* b, int depth, int terms,
                                             std::uint64_t* high, std::uint64_t* low) {
  const words8 low_half = words8{} + 0xffffffffu;
  words8 sum[panel_rows][2];
  THRUST_RNS_UNROLL_ROWS
  for (int r = 0; r < panel_rows; ++r) {
    THRUST_RNS_UNROLL_ROWS
    for (int c = 0; c < 2; ++c) sum[r][c] = *reinterpret_cast<const words8*>(low + r * panel_columns + 8 * c);
  }
  for (int k0 = 0; k0 < depth; k0 += terms) {
    const int k1 = Terms != 0 ? k0 + Terms : std::min(depth, k0 + terms);
    THRUST_RNS_UNROLL_ROWS
    for (int k = k0; k < k1; ++k) {
      const words8 even = *reinterpret_cast<const words8*>(b + k * panel_columns), odd = even >> 32;
      THRUST_RNS_UNROLL_ROWS
      for (int r = 0; r < panel_rows; ++r) {
        const __m512i x = _mm512_set1_epi32(static_cast<int>(a[k * panel_rows + r]));
        sum[r][0] += (words8)_mm512_maskz_mul_epu32(all_lanes, x, (__m512i)even);
        sum[r][1] += (words8)_mm512_maskz_mul_epu32(all_lanes, x, (__m512i)odd);
        asm("" : "+v"(sum[r][0]), "+v"(sum[r][1])); // no other order of additions: it would need more registers
      }
    }
    asm volatile("" ::: "memory"); // the upper halves stay in memory
    THRUST_RNS_UNROLL_ROWS
    for (int r = 0; r < panel_rows; ++r) {
      THRUST_RNS_UNROLL_ROWS
      for (int c = 0; c < 2; ++c) {
        *reinterpret_cast<words8*>(high + r * panel_columns + 8 * c) += sum[r][c] >> 32;
        sum[r][c] &= low_half;
      }
    }
  }
  THRUST_RNS_UNROLL_ROWS
  for (int r = 0; r < panel_rows; ++r) {
    THRUST_RNS_UNROLL_ROWS
    for (int c = 0; c < 2; ++c) *reinterpret_cast<words8*>(low + r * panel_columns + 8 * c) = sum[r][c];
  }
}
#endif

/// Copies `rows` x `depth` words, entry (r, k) at source[r row_stride + k inner_stride], to panels of `Width` rows and `padded`
/// terms.
template <int Width>
void copy_to_panels(const std::uint32_t* source, std::int64_t row_stride, std::int64_t inner_stride, int rows,
                    int depth, int padded, std::uint32_t* panels) {
  for (int first = 0; first < rows; first += Width, panels += Width * padded) {
    const int width = std::min(Width, rows - first);
    const std::uint32_t* x = source + first * row_stride;
    if (width < Width || depth < padded) std::fill_n(panels, Width * padded, 0u);
    if (row_stride == 1) {
      for (int k = 0; k < depth; ++k) {
        for (int r = 0; r < width; ++r) panels[k * Width + r] = x[k * inner_stride + r];
      }
    } else {
      for (int r = 0; r < width; ++r) {
        for (int k = 0; k < depth; ++k) panels[k * Width + r] = x[r * row_stride + k * inner_stride];
      }
    }
  }
}

/// high 2^32 + low modulo m, low < 2^32.
inline std::uint32_t reduce_sum(const modulus& m, std::uint64_t high, std::uint64_t low) {
  if (high >> 32 != 0) high = m.reduce(high);
  return m.reduce((high << 32) | low);
}

/// Blocks of all slices of a product, each a unit of work: `finish(plane, z, i, j, high, low)` gets the sum
/// high 2^32 + low of products of words, low < 2^32, for each entry of C.
template <class Finish>
struct wide_product {
  matrix_planes<const std::uint32_t> a, b;
  std::int64_t rows, columns, inner, batch;
  std::int64_t terms; // how many products fit in a sum
  instructions use;
  Finish finish;

  std::int64_t blocks_down() const { return (rows + block_rows - 1) / block_rows; }
  std::int64_t blocks_across() const { return (columns + block_columns - 1) / block_columns; }
  std::int64_t units(int planes) const { return planes * batch * blocks_down() * blocks_across(); }

  void operator()(std::int64_t unit) const {
    const std::int64_t across = unit % blocks_across() * block_columns;
    const std::int64_t down = unit / blocks_across() % blocks_down() * block_rows;
    const std::int64_t slice = unit / blocks_across() / blocks_down(), plane = slice / batch, z = slice % batch;
    const std::uint32_t* x = a.slice(plane, z) + down * a.row_stride;
    const std::uint32_t* y = b.slice(plane, z) + across * b.column_stride;
    const int m = static_cast<int>(std::min<std::int64_t>(block_rows, rows - down));
    const int n = static_cast<int>(std::min<std::int64_t>(block_columns, columns - across));
    [[maybe_unused]] const bool fours = terms < 8; // at least four always fit
    const int step = fours ? 4 : static_cast<int>(std::min<std::int64_t>(terms, block_inner));

    wide_block block;
    std::memset(block.high, 0, sizeof block.high);
    std::memset(block.low, 0, sizeof block.low);
    for (std::int64_t k = 0; k < inner; k += block_inner) {
      const int depth = static_cast<int>(std::min<std::int64_t>(block_inner, inner - k));
      const int padded = (depth + 3) / 4 * 4;
      copy_to_panels<panel_rows>(x + k * a.column_stride, a.row_stride, a.column_stride, m, depth, padded, block.a);
      copy_to_panels<panel_columns>(y + k * b.row_stride, b.column_stride, b.row_stride, n, depth, padded, block.b);
      for (int j = 0; j < n; j += panel_columns) {
        for (int i = 0; i < m; i += panel_rows) {
          const std::uint32_t *p = block.a + i * padded, *q = block.b + j * padded;
          std::uint64_t *high = block.high + j * block_rows + i * panel_columns,
                        *low = block.low + j * block_rows + i * panel_columns;
#if THRUST_RNS_X86
          if (use == instructions::avx512) {
            (fours ? multiply_panel_avx512<4> : multiply_panel_avx512<0>)(p, q, padded, step, high, low);
          } else if (use == instructions::avx2) {
            (fours ? multiply_panel_avx2<4> : multiply_panel_avx2<0>)(p, q, padded, step, high, low);
          } else
#endif
          {
            multiply_panel(p, q, padded, step, high, low);
          }
        }
      }
    }
    const int lanes = use == instructions::avx512 ? 8 : use == instructions::avx2 ? 4 : 0;
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < n; ++j) {
        const int column = lanes == 0 ? j % panel_columns : place_of_column(j % panel_columns, lanes);
        const int at = j / panel_columns * panel_columns * block_rows + i * panel_columns + column;
        finish(plane, z, down + i, across + j, block.high[at], block.low[at]);
      }
    }
  }
};

/// unit(k) for each k < count, by the policy, or, if it would not be worth it, by this thread. `work`: multiply-adds of a unit.
template <class Policy, class Unit>
void for_each_unit(const Policy& exec, std::int64_t count, double work, const Unit& unit) {
  if (static_cast<double>(count) * work < 1e5) {
    for (std::int64_t k = 0; k < count; ++k) unit(k);
    return;
  }
  const thrust::counting_iterator<std::int64_t> first(0);
  thrust::for_each(exec, first, first + count, unit);
}

template <class Policy, class Finish>
void multiply_wide(const Policy& exec, int planes, const wide_product<Finish>& product) {
  const double entries =
      static_cast<double>(planes * product.batch) * static_cast<double>(product.rows * product.columns);
  const std::int64_t units = product.units(planes);
  for_each_unit(exec, units, entries * static_cast<double>(product.inner + 16) / static_cast<double>(units), product);
}

/// Writes residues of C.
struct finish_residues {
  matrix_planes<std::uint32_t> c;
  accumulation mode;
  const modulus* moduli;

  void operator()(std::int64_t plane, std::int64_t z, std::int64_t i, std::int64_t j, std::uint64_t high,
                  std::uint64_t low) const {
    const modulus& m = moduli[plane];
    std::uint32_t& out = c.slice(plane, z)[i * c.row_stride + j * c.column_stride];
    out = combine(m, mode, mode == accumulation::assign ? 0 : out, reduce_sum(m, high, low));
  }
};

/// Unit: a row of C.
struct drop_row_evaluations {
  matrix_problem problem;

  void operator()(std::int64_t unit) const {
    const matrix_planes<std::uint32_t>& c = problem.c;
    std::uint64_t* row =
        problem.evaluations + unit / problem.rows * c.batch_stride + unit % problem.rows * c.row_stride;
    for (std::int64_t j = 0; j < problem.columns; ++j) store_relaxed(row + j * c.column_stride, 0);
  }
};

/// The product on a host back end.
template <class Policy>
void multiply_matrices_on_host(const Policy& exec, const matrix_problem& p, const modulus_list& list,
                               instructions use = widest_instructions()) {
  modulus moduli[maximum_moduli];
  for (int k = 0; k < list.size; ++k) moduli[k] = modulus(list.value[k]);
  const std::uint64_t largest = list.largest() - 1;
  const wide_product<finish_residues> product{
      p.a, p.b, p.rows, p.columns, p.inner, p.batch, terms_in_64_bits(largest, largest), use, {p.c, p.mode, moduli}};
  multiply_wide(exec, p.planes, product);
  if (p.evaluations != nullptr)
    for_each_unit(exec, p.batch * p.rows, static_cast<double>(p.columns), drop_row_evaluations{p});
}

} // namespace detail
} // namespace thrust_rns
