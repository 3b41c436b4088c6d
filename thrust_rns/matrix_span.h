// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// A view of a matrix of numbers, or of a batch of them, in residue planes.

#include <cstdint>
#include <type_traits>

#include <thrust_rns/config.h>
#include <thrust_rns/error.h>
#include <thrust_rns/number.h>
#include <thrust_rns/span.h>

namespace thrust_rns {

/// A non-owning view of a rows x columns matrix: residue p of entry (i, j) is `plane(p)[i * row_stride() + j *
/// column_stride()]`, row-major with `leading` words from row to row, or the transpose of such a matrix. The view may stand
/// for a batch of matrices of one shape, `batch_stride()` words apart; 0 means one matrix for the whole batch.
///
/// T is `number<...>` or `const number<...>`. Trivially copyable. No alignment is asked for, so any block of a matrix is a
/// view. Cached evaluations are at the same offsets from `evaluations()`, or that is null; products drop those of what they
/// write.
///
/// @code
/// using number = thrust_rns::number<thrust_rns::moduli_for_bits<128>>;
/// std::vector<std::uint32_t> words(number::size * 6, 1);
/// thrust_rns::matrix_span<number> m(words.data(), 6, 2, 3, 3);  // planes 6 words apart, 2 x 3
/// m.block(1, 1, 1, 2).store(0, 1, number(7));
/// std::cout << m.load(1, 2) << ' ' << m.transposed().load(2, 1) << ' ' << m.load(0, 0) << '\n';  // prints 7 7 1
/// @endcode
template <class T>
class matrix_span {
 public:
  using element_type = T;
  using value_type = std::remove_const_t<T>;
  static_assert(is_number<value_type>, "thrust_rns: matrix_span<T> views numbers");
  using residue_type = std::conditional_t<std::is_const_v<T>, const std::uint32_t, std::uint32_t>;

  matrix_span() = default;

  /// Throws std::invalid_argument for negative sizes and for leading < columns.
  matrix_span(residue_type* residues, std::int64_t plane_stride, std::int64_t rows, std::int64_t columns,
              std::int64_t leading, std::uint64_t* evaluations = nullptr)
      : residues_(residues),
        evaluations_(evaluations),
        plane_stride_(plane_stride),
        rows_(rows),
        columns_(columns),
        row_stride_(leading) {
    detail::require(rows >= 0 && columns >= 0, "thrust_rns::matrix_span: a size is negative");
    detail::require(leading >= columns, "thrust_rns::matrix_span: the leading dimension is less than the columns");
  }

  /// The first rows * columns elements of a span, row by row; std::invalid_argument if it has fewer.
  matrix_span(const span<T>& s, std::int64_t rows, std::int64_t columns)
      : matrix_span(s.plane(0), s.stride(), rows, columns, columns, s.evaluations()) {
    detail::require(columns == 0 || rows <= s.size() / columns, "thrust_rns::matrix_span: the span is too short");
  }

  /// A view of numbers is a view of const numbers.
  template <class U, std::enable_if_t<std::is_same_v<const U, T>, int> = 0>
  matrix_span(const matrix_span<U>& other)
      : residues_(other.plane(0)),
        evaluations_(other.evaluations()),
        plane_stride_(other.plane_stride()),
        rows_(other.rows()),
        columns_(other.columns()),
        row_stride_(other.row_stride()),
        column_stride_(other.column_stride()),
        batch_(other.batch()),
        batch_stride_(other.batch_stride()) {}

  residue_type* plane(int p) const { return residues_ + p * plane_stride_; }
  std::uint64_t* evaluations() const { return evaluations_; }
  std::int64_t plane_stride() const { return plane_stride_; }
  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  std::int64_t row_stride() const { return row_stride_; }
  std::int64_t column_stride() const { return column_stride_; }
  std::int64_t batch() const { return batch_; }
  std::int64_t batch_stride() const { return batch_stride_; }
  bool empty() const { return rows_ == 0 || columns_ == 0 || batch_ == 0; }

  /// The transpose, of the same words.
  matrix_span transposed() const {
    matrix_span t = *this;
    t.rows_ = columns_;
    t.columns_ = rows_;
    t.row_stride_ = column_stride_;
    t.column_stride_ = row_stride_;
    return t;
  }

  /// Entries (row + i, column + j), i < rows, j < columns, of each matrix. Throws std::invalid_argument if outside.
  matrix_span block(std::int64_t row, std::int64_t column, std::int64_t rows, std::int64_t columns) const {
    detail::require(
        row >= 0 && column >= 0 && rows >= 0 && columns >= 0 && rows <= rows_ - row && columns <= columns_ - column,
        "thrust_rns::matrix_span: the block is not inside the matrix");
    matrix_span b = moved(row * row_stride_ + column * column_stride_);
    b.rows_ = rows;
    b.columns_ = columns;
    return b;
  }

  /// A batch of `count` such matrices, `stride` words apart; stride 0: this one, `count` times. Neither is negative, or it is
  /// std::invalid_argument.
  matrix_span batched(std::int64_t count, std::int64_t stride) const {
    detail::require(count >= 0 && stride >= 0, "thrust_rns::matrix_span: a batch has a negative count or stride");
    matrix_span b = *this;
    b.batch_ = count;
    b.batch_stride_ = stride;
    return b;
  }

  /// Entry (i, j) of matrix z, by value, in the memory space of the caller.
  value_type load(std::int64_t i, std::int64_t j, std::int64_t z = 0) const {
    value_type x;
    for (int p = 0; p < value_type::size; ++p) x.set_residue(p, plane(p)[offset(i, j, z)]);
    return x;
  }

  /// Entry (i, j) of matrix z := x; its cached evaluation is dropped. In the memory space of the caller.
  void store(std::int64_t i, std::int64_t j, const value_type& x, std::int64_t z = 0) const {
    static_assert(!std::is_const_v<T>, "thrust_rns: this view is read-only");
    if (evaluations_ != nullptr) detail::store_relaxed(evaluations_ + offset(i, j, z), 0);
    for (int p = 0; p < value_type::size; ++p) plane(p)[offset(i, j, z)] = x.residue(p);
  }

 private:
  std::int64_t offset(std::int64_t i, std::int64_t j, std::int64_t z) const {
    return z * batch_stride_ + i * row_stride_ + j * column_stride_;
  }
  matrix_span moved(std::int64_t by) const {
    matrix_span m = *this;
    m.residues_ += by;
    if (m.evaluations_ != nullptr) m.evaluations_ += by;
    return m;
  }

  residue_type* residues_ = nullptr;
  std::uint64_t* evaluations_ = nullptr;
  std::int64_t plane_stride_ = 0, rows_ = 0, columns_ = 0, row_stride_ = 0, column_stride_ = 1;
  std::int64_t batch_ = 1, batch_stride_ = 0;
};

namespace detail {

/// The words of one matrix in a plane: `down` rows of `across` neighbours, `leading` words apart.
struct word_block {
  std::int64_t down, across, leading;

  template <class T>
  explicit word_block(const matrix_span<T>& m) : down(m.rows()), across(m.columns()), leading(m.row_stride()) {
    if (m.row_stride() == 1 && (m.column_stride() != 1 || m.columns() != 1)) { // transposed
      down = m.columns();
      across = m.rows();
      leading = m.column_stride();
    }
  }
};

/// Whether matrices of a batch share a word. Work: one step a matrix at most.
template <class T>
bool overlaps_itself(const matrix_span<T>& m) {
  if (m.empty()) return false;
  const word_block block(m);
  for (std::int64_t z = 1; z < m.batch(); ++z) {
    const std::int64_t d = z * m.batch_stride(), down = d / block.leading, across = d % block.leading;
    if (down >= block.down) return false;
    if (across < block.across || (block.leading - across < block.across && down + 1 < block.down)) return true;
  }
  return false;
}

/// Whether two views of words of one type may share a word. Exact for blocks of one matrix; else by ranges of addresses.
template <class T, class U>
bool may_overlap(const matrix_span<T>& a, const matrix_span<U>& b) {
  if (a.empty() || b.empty()) return false;
  const auto extent = [](const auto& m) { // words from the first to the last of a plane, all of the batch
    return (m.batch() - 1) * m.batch_stride() + (m.rows() - 1) * m.row_stride() +
           (m.columns() - 1) * m.column_stride() + 1;
  };
  constexpr int planes = matrix_span<T>::value_type::size;
  const auto *a_first = reinterpret_cast<const unsigned char*>(a.plane(0)),
             *b_first = reinterpret_cast<const unsigned char*>(b.plane(0));
  const auto end = [&](const auto& m) {
    return reinterpret_cast<const unsigned char*>(m.plane(planes - 1) + extent(m));
  };
  if (end(a) <= b_first || end(b) <= a_first) return false;

  const word_block a_block(a), b_block(b);
  const std::int64_t leading = a_block.leading;
  if (a.batch() != 1 || b.batch() != 1 || a.plane_stride() != b.plane_stride() || b_block.leading != leading ||
      extent(a) > a.plane_stride() || extent(b) > b.plane_stride()) {
    return true;
  }
  // Blocks of one matrix.
  const std::int64_t between = (b_first - a_first) / static_cast<std::int64_t>(sizeof(std::uint32_t));
  const std::int64_t planes_between = between / a.plane_stride();
  for (std::int64_t k = -1; k <= 1; ++k) { // b's plane p against a's plane p + shift
    const std::int64_t shift = planes_between + k;
    const std::int64_t d = between - shift * a.plane_stride();
    std::int64_t down = d / leading, across = d % leading;
    if (across < 0) {
      across += leading;
      --down;
    }
    for (int wrap = 0; wrap <= 1; ++wrap, ++down, across -= leading) { // b's corner, in rows and columns from a's
      if (down < a_block.down && down + b_block.down > 0 && across < a_block.across && across + b_block.across > 0) {
        return true;
      }
    }
  }
  return false;
}

} // namespace detail
} // namespace thrust_rns
