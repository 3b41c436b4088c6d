// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// The owners behind `device_matrix` and `host_matrix`: a vector of numbers and a shape.

#include <cstddef>
#include <cstdint>
#include <utility>

#include <thrust_rns/detail/basic_vector.h>
#include <thrust_rns/error.h>
#include <thrust_rns/matrix_span.h>

namespace thrust_rns {
namespace detail {

inline std::size_t matrix_size(std::int64_t rows, std::int64_t columns) {
  require(rows >= 0 && columns >= 0, "thrust_rns: a matrix has a negative size");
  require(columns == 0 || rows <= INT64_MAX / columns, "thrust_rns: a matrix has too many entries");
  return static_cast<std::size_t>(rows * columns);
}

/// A rows x columns matrix, row by row in a vector of this library; so its iterators go to every Thrust algorithm, and its
/// entries have cached evaluations.
template <class Vector>
class basic_matrix {
 public:
  using vector_type = Vector;
  using value_type = typename Vector::value_type;
  using iterator = typename Vector::iterator;
  using const_iterator = typename Vector::const_iterator;
  using reference = typename Vector::reference;
  using const_reference = typename Vector::const_reference;

  basic_matrix() = default;
  /// Zeros.
  basic_matrix(std::int64_t rows, std::int64_t columns)
      : values_(matrix_size(rows, columns)), rows_(rows), columns_(columns) {}
  /// The entries of a vector, row by row; std::invalid_argument unless it has rows * columns.
  basic_matrix(std::int64_t rows, std::int64_t columns, Vector values)
      : values_(std::move(values)), rows_(rows), columns_(columns) {
    require(values_.size() == matrix_size(rows, columns), "thrust_rns: a matrix needs rows * columns entries");
  }
  /// From the other side: host to device, device to host. Cached evaluations come along.
  template <class OtherVector>
  basic_matrix(const basic_matrix<OtherVector>& other)
      : values_(other.values()), rows_(other.rows()), columns_(other.columns()) {}

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  const Vector& values() const { return values_; }

  reference operator()(std::int64_t i, std::int64_t j) { return values_[index(i, j)]; }
  const_reference operator()(std::int64_t i, std::int64_t j) const { return values_[index(i, j)]; }

  iterator begin() { return values_.begin(); }
  iterator end() { return values_.end(); }
  const_iterator begin() const { return values_.begin(); }
  const_iterator end() const { return values_.end(); }

  matrix_span<value_type> as_span() { return {values_.as_span(), rows_, columns_}; }
  matrix_span<const value_type> as_span() const { return {values_.as_span(), rows_, columns_}; }
  matrix_span<const value_type> transposed() const { return as_span().transposed(); }

  friend bool operator==(const basic_matrix& a, const basic_matrix& b) {
    return a.rows_ == b.rows_ && a.columns_ == b.columns_ && a.values_ == b.values_;
  }
  friend bool operator!=(const basic_matrix& a, const basic_matrix& b) { return !(a == b); }

 private:
  std::size_t index(std::int64_t i, std::int64_t j) const { return static_cast<std::size_t>(i * columns_ + j); }

  Vector values_;
  std::int64_t rows_ = 0, columns_ = 0;
};

} // namespace detail
} // namespace thrust_rns
