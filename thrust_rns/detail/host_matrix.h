// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Products of matrices of residues on the host: blocks that stay in the caches, of panels (host_panels.h).

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/host_panels.h>
#include <thrust_rns/detail/instructions.h>
#include <thrust_rns/detail/matrix_problem.h>
#include <thrust_rns/modular.h>
#include <thrust_rns/span.h>

namespace thrust_rns {
namespace detail {

// A block of C has up to block_rows x block_columns entries. Blocks of A and of B, block_inner deep, are copied into panels, with
// zeros beyond the edges. A panel of B (16 KB) and one of A stay in the first-level cache.

inline constexpr int block_rows = 64, block_columns = 64, block_inner = 256;

struct wide_block {
  alignas(64) std::uint32_t a[block_rows * block_inner];
  alignas(64) std::uint32_t b[block_columns * block_inner];
  panel_sums sums[block_columns / panel_columns][block_rows / panel_rows];
};

/// Copies `rows` x `depth` words, entry (r, k) at source[r row_stride + k inner_stride], to panels of `Width` rows.
template <int Width>
void copy_to_panels(const std::uint32_t* source, std::int64_t row_stride, std::int64_t inner_stride, int rows,
                    int depth, std::uint32_t* panels) {
  for (int first = 0; first < rows; first += Width, panels += Width * depth) {
    const int width = std::min(Width, rows - first);
    const std::uint32_t* x = source + first * row_stride;
    if (width < Width) std::fill_n(panels, Width * depth, 0u);
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

/// The products of all slices of a batch, each block of C a unit of work.
struct blocked_product {
  const matrix_problem& problem;
  const sum_reducer* reducers; // of the planes
  std::int64_t terms;          // how many products fit in a sum
  instructions use;

  /// Blocks along an extent, and the length of all but the last: whole panels, and not much more than the last one.
  static std::int64_t blocks(std::int64_t extent, int most) { return (extent + most - 1) / most; }
  static std::int64_t block_length(std::int64_t extent, int most, int panel) {
    const std::int64_t count = blocks(extent, most), length = (extent + count - 1) / count;
    return (length + panel - 1) / panel * panel;
  }
  std::int64_t units() const {
    return problem.slices() * blocks(problem.rows, block_rows) * blocks(problem.columns, block_columns);
  }

  void operator()(std::int64_t unit) const {
    const matrix_problem& q = problem;
    const std::int64_t across_count = blocks(q.columns, block_columns), down_count = blocks(q.rows, block_rows);
    const std::int64_t length = block_length(q.rows, block_rows, panel_rows);
    const std::int64_t width = block_length(q.columns, block_columns, panel_columns);
    const std::int64_t across = unit % across_count * width, down = unit / across_count % down_count * length;
    const std::int64_t slice = unit / across_count / down_count, plane = slice / q.batch, z = slice % q.batch;
    const int m = static_cast<int>(std::min(length, q.rows - down));
    const int n = static_cast<int>(std::min(width, q.columns - across));
    const std::uint32_t* x = q.a.slice(plane, z) + down * q.a.row_stride;
    const std::uint32_t* y = q.b.slice(plane, z) + across * q.b.column_stride;

    wide_block block;
    for (std::int64_t k = 0; k == 0 || k < q.inner; k += block_inner) {
      const int depth = static_cast<int>(std::min<std::int64_t>(block_inner, q.inner - k));
      copy_to_panels<panel_rows>(x + k * q.a.column_stride, q.a.row_stride, q.a.column_stride, m, depth, block.a);
      copy_to_panels<panel_columns>(y + k * q.b.row_stride, q.b.column_stride, q.b.row_stride, n, depth, block.b);
      for (int j = 0; j * panel_columns < n; ++j) {
        for (int i = 0; i * panel_rows < m; ++i) {
          multiply_panel(use, block.a + i * panel_rows * depth, block.b + j * panel_columns * depth, depth, terms,
                         k == 0, block.sums[j][i]);
        }
      }
    }
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < n; j += panel_columns) {
        std::uint32_t residues[panel_columns];
        reducers[plane](use, block.sums[j / panel_columns][i / panel_rows], i % panel_rows, residues);
        store(plane, q.c.slice(plane, z) + (down + i) * q.c.row_stride + (across + j) * q.c.column_stride, residues,
              std::min(panel_columns, n - j));
      }
    }
  }

 private:
  void store(std::int64_t plane, std::uint32_t* out, const std::uint32_t* residues, int count) const {
    const modulus& m = reducers[plane].value();
    for (int j = 0; j < count; ++j) {
      std::uint32_t& c = out[j * problem.c.column_stride];
      c = combine(m, problem.mode, problem.mode == accumulation::assign ? 0 : c, residues[j]);
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

/// The product on a host back end, each plane with its reducer; `largest` bounds the residues of both operands.
template <class Policy>
void multiply_planes(const Policy& exec, const matrix_problem& p, const sum_reducer* reducers, std::uint32_t largest,
                     instructions use) {
  const blocked_product product{p, reducers, terms_in_64_bits(largest, largest), use};
  const double entries = static_cast<double>(p.slices()) * static_cast<double>(p.rows * p.columns);
  const std::int64_t units = product.units();
  for_each_unit(exec, units, entries * static_cast<double>(p.inner + 16) / static_cast<double>(units), product);
}

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

/// The same modulo the moduli of a list. Drops the evaluations of C.
template <class Policy>
void multiply_matrices_on_host(const Policy& exec, const matrix_problem& p, const modulus_list& list,
                               instructions use = widest_instructions()) {
  sum_reducer reducers[maximum_moduli];
  for (int k = 0; k < list.size; ++k) reducers[k] = sum_reducer(list.value[k]);
  multiply_planes(exec, p, reducers, list.largest() - 1, use);
  if (p.evaluations != nullptr)
    for_each_unit(exec, p.batch * p.rows, static_cast<double>(p.columns), drop_row_evaluations{p});
}

} // namespace detail
} // namespace thrust_rns
