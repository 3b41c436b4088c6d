// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// What the tests of matrices share: matrices of GMP integers, their products, and matrices of numbers in larger memory.

#include "support.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include <thrust_rns/matrix.h>

namespace test {

/// A matrix of integers, row by row.
struct integers {
  std::int64_t rows = 0, columns = 0;
  std::vector<mpz_class> values;

  integers(std::int64_t m, std::int64_t n) : rows(m), columns(n), values(static_cast<std::size_t>(m * n)) {}
  mpz_class& operator()(std::int64_t i, std::int64_t j) { return values[static_cast<std::size_t>(i * columns + j)]; }
  const mpz_class& operator()(std::int64_t i, std::int64_t j) const {
    return values[static_cast<std::size_t>(i * columns + j)];
  }
  integers transposed() const {
    integers t(columns, rows);
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < columns; ++j) t(j, i) = (*this)(i, j);
    }
    return t;
  }
};

/// f(i, j) for each entry.
template <class Function>
integers make_integers(std::int64_t rows, std::int64_t columns, Function f) {
  integers x(rows, columns);
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) x(i, j) = f();
  }
  return x;
}

inline integers product(const integers& a, const integers& b) {
  integers c(a.rows, b.columns);
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int64_t j = 0; j < b.columns; ++j) {
      mpz_class sum;
      for (std::int64_t k = 0; k < a.columns; ++k) {
        mpz_addmul(sum.get_mpz_t(), a(i, k).get_mpz_t(), b(k, j).get_mpz_t());
      }
      c(i, j) = sum;
    }
  }
  return c;
}

/// Whether c = a b modulo `range` (0: as integers), by a random vector: c x = a (b x).
template <class Engine>
bool is_product(Engine& engine, const integers& a, const integers& b, const integers& c, const mpz_class& range) {
  const integers x = make_integers(b.columns, 1, [&] { return random_below(engine, power_of_two(64)); });
  const integers left = product(c, x), right = product(a, product(b, x));
  for (std::int64_t i = 0; i < a.rows; ++i) {
    const mpz_class difference = left(i, 0) - right(i, 0);
    if (range == 0 ? difference != 0 : modulo(difference, range) != 0) return false;
  }
  return true;
}

/// A matrix of numbers inside a vector of other ones: `before` elements before it, `leading` from row to row.
template <class Number>
struct placed_matrix {
  std::int64_t rows, columns, leading, before;
  thrust_rns::device_vector<Number> memory;

  placed_matrix(std::int64_t m, std::int64_t n, std::int64_t gap = 0, std::int64_t offset = 0)
      : rows(m),
        columns(n),
        leading(n + gap),
        before(offset),
        memory(static_cast<std::size_t>(before + m * leading + 3), Number(7)) {}
  placed_matrix(const integers& x, std::int64_t gap = 0, std::int64_t offset = 0)
      : placed_matrix(x.rows, x.columns, gap, offset) {
    std::vector<Number> v(memory.size(), Number(7));
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < columns; ++j) v[index(i, j)] = make<Number>(x(i, j));
    }
    memory = v;
  }
  std::size_t index(std::int64_t i, std::int64_t j) const { return static_cast<std::size_t>(before + i * leading + j); }
  thrust_rns::matrix_span<Number> view() {
    const auto s = memory.as_span();
    return {s.plane(0) + before, s.stride(), rows, columns, leading, s.evaluations() + before};
  }
  /// The values; everything around them must be 7 still.
  integers read() const {
    const std::vector<Number> v = memory.to_vector();
    integers x(rows, columns);
    std::vector<bool> inside(v.size(), false);
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < columns; ++j) {
        x(i, j) = value(v[index(i, j)]);
        inside[index(i, j)] = true;
      }
    }
    for (std::size_t k = 0; k < v.size(); ++k) {
      if (!inside[k] && v[k] != Number(7)) FAIL_CHECK("element ", k, " around the matrix was written");
    }
    return x;
  }
};

template <class Number>
integers wrapped(integers x) {
  for (mpz_class& z : x.values) z = wrap<Number>(z);
  return x;
}

} // namespace test
