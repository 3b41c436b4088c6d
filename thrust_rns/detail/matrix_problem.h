// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// A product of matrices of residues as the back ends see it: pointers, strides and moduli known at run time, so that their
/// code is compiled once for all bases.

#include <cstdint>
#include <type_traits>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/base_tables.h>
#include <thrust_rns/matrix_span.h>

namespace thrust_rns {
namespace detail {

/// Residues of a batch of matrices: that of entry (i, j) of matrix z modulo m_p is
/// first[p plane_stride + z batch_stride + i row_stride + j column_stride].
template <class Word>
struct matrix_planes {
  Word* first;
  std::int64_t plane_stride, batch_stride, row_stride, column_stride;

  THRUST_RNS_HD Word* slice(std::int64_t plane, std::int64_t z) const {
    return first + plane * plane_stride + z * batch_stride;
  }
  THRUST_RNS_HD matrix_planes transposed() const {
    return {first, plane_stride, batch_stride, column_stride, row_stride};
  }
};

/// What a product does with what it finds in C.
enum class accumulation { assign, add, subtract };

/// C = A B, C += A B or C -= A B: A rows x inner, B inner x columns, modulo each of `planes` moduli, for each z < batch.
/// Strides along rows or along columns are 1, and C's are along columns.
struct matrix_problem {
  matrix_planes<const std::uint32_t> a, b;
  matrix_planes<std::uint32_t> c;
  std::int64_t rows, columns, inner, batch;
  int planes;
  accumulation mode;
  std::uint64_t* evaluations; // of C's entries, which are dropped, or null

  THRUST_RNS_HD std::int64_t slices() const { return planes * batch; }

  /// The problem of C^T = B^T A^T.
  matrix_problem transposed() const {
    return {b.transposed(), a.transposed(), c.transposed(), columns, rows, inner, batch, planes, mode, evaluations};
  }

  /// The part with `count` terms of the sums from `first` on. All parts in order, from 0 on, are the whole.
  matrix_problem part(std::int64_t first, std::int64_t count) const {
    matrix_problem p = *this;
    p.a.first += first * a.column_stride;
    p.b.first += first * b.row_stride;
    p.inner = count;
    if (first != 0 && mode == accumulation::assign) p.mode = accumulation::add;
    return p;
  }
};

template <class T>
matrix_planes<typename matrix_span<T>::residue_type> planes_of(const matrix_span<T>& m) {
  return {m.plane(0), m.plane_stride(), m.batch_stride(), m.row_stride(), m.column_stride()};
}

/// Why a product cannot be.
enum class matrix_fault { none, shapes, one_place, overlap };

/// The problem of a product, checked. An operand of batch 1 serves the whole batch.
template <class T, class U, class V>
matrix_fault make_problem(matrix_span<T> a, matrix_span<U> b, const matrix_span<V>& c, accumulation mode,
                          matrix_problem& problem) {
  static_assert(!std::is_const_v<V>, "thrust_rns: the result of a matrix product is a view of const numbers");
  static_assert(std::is_same_v<std::remove_const_t<T>, V> && std::is_same_v<std::remove_const_t<U>, V>,
                "thrust_rns: the matrices of a product hold numbers of one type");
  if (a.batch() == 1) a = a.batched(c.batch(), 0);
  if (b.batch() == 1) b = b.batched(c.batch(), 0);
  if (a.columns() != b.rows() || a.rows() != c.rows() || b.columns() != c.columns() || a.batch() != c.batch() ||
      b.batch() != c.batch()) {
    return matrix_fault::shapes;
  }
  if (overlaps_itself(c)) return matrix_fault::one_place;
  if (may_overlap(a, c) || may_overlap(b, c)) return matrix_fault::overlap;
  problem = {planes_of<const V>(a),
             planes_of<const V>(b),
             planes_of(c),
             c.rows(),
             c.columns(),
             a.columns(),
             c.batch(),
             V::size,
             mode,
             c.evaluations()};
  if (c.column_stride() != 1) problem = problem.transposed();
  return matrix_fault::none;
}

/// Moduli by value, as kernels get them.
struct modulus_list {
  int size = 0;
  std::uint32_t value[maximum_moduli] = {};

  THRUST_RNS_HD std::uint32_t largest() const {
    std::uint32_t m = 0;
    for (int p = 0; p < size; ++p) m = value[p] > m ? value[p] : m;
    return m;
  }
};

template <class Base>
modulus_list list_of_moduli() {
  modulus_list list;
  list.size = Base::size;
  for (int p = 0; p < Base::size; ++p) list.value[p] = Base::moduli[p];
  return list;
}

/// c combined with the sum s modulo m.
THRUST_RNS_HD inline std::uint32_t combine(const modulus& m, accumulation mode, std::uint32_t c, std::uint32_t s) {
  return mode == accumulation::assign ? s : mode == accumulation::add ? m.add(c, s) : m.subtract(c, s);
}

/// Words read and written by all threads for one slice of a product: what docs/matrix.md counts.
struct matrix_traffic {
  std::int64_t global_reads, shared_writes, shared_reads;
};

/// Each of rows x columns threads reads its row of A and its column of B.
constexpr matrix_traffic traffic_without_tiles(std::int64_t rows, std::int64_t columns, std::int64_t inner) {
  return {2 * rows * columns * inner, 0, 0};
}

/// Blocks of `tile_rows` x `tile_columns` entries of C, each of whose threads keeps `thread_rows` x `thread_columns` of them;
/// sizes are multiples of those of tiles, else zeros fill the tiles and are not read from global memory.
constexpr matrix_traffic traffic_of_tiles(std::int64_t rows, std::int64_t columns, std::int64_t inner, int tile_rows,
                                          int tile_columns, int tile_inner, int thread_rows, int thread_columns) {
  const std::int64_t down = (rows + tile_rows - 1) / tile_rows, across = (columns + tile_columns - 1) / tile_columns;
  const std::int64_t steps = (inner + tile_inner - 1) / tile_inner, k = steps * tile_inner;
  const std::int64_t threads = down * across * (tile_rows / thread_rows) * (tile_columns / thread_columns);
  return {across * rows * inner + down * inner * columns, down * across * k * (tile_rows + tile_columns),
          threads * k * (thread_rows + thread_columns)};
}

} // namespace detail
} // namespace thrust_rns
