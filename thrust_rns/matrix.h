// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Exact products of matrices of numbers, modulo M.
///
///   matrix_multiply([policy,] A, B, C)             C = A B
///   matrix_multiply_add([policy,] A, B, C)         C += A B
///   matrix_multiply_subtract([policy,] A, B, C)    C -= A B
///   dot_product([policy,] x, y)                    the sum of x_k y_k
///
///   c_ij = sum over k < K of a_ik b_kj modulo M,    A rows x K, B K x columns, C rows x columns.
///
/// Operands: `device_matrix`, `host_matrix`, or views `matrix_span` of numbers of one type: blocks, transposes, batches. In a
/// batch an operand of batch 1 serves all matrices. `as_column(v)` and `as_row(v)` view a vector of numbers as a matrix.
/// Views need a policy, whose system must be able to reach their memory; owners know theirs.
///
/// Exactness: the result is the integer product wherever that lies in the range, which `matrix_product_fits` tells from bounds
/// and `matrix_product_is_exact` from the matrices; otherwise it is wrapped modulo M, as all arithmetic of numbers.
/// Work: rows x columns x K multiply-adds a modulus; on CUDA devices of compute capability 9.0 (compiled for sm_90a) large
/// products run on the Tensor Cores, with scratch memory of about the size of A and B. docs/matrix.md has the kernels and
/// figures.
/// Streams: queued on the policy's stream; returns when done, under `par_nosync` at once.
/// Overlap: C must share no word with A or B. Two blocks of one matrix may be neighbours.
/// Errors: std::invalid_argument for sizes that do not match and for overlap; nothing is written. What the CUDA runtime
/// reports is thrown as thrust::system_error.
///
/// @code
/// using number = thrust_rns::number<thrust_rns::moduli_for_bits<256>, thrust_rns::symmetric_range>;
/// thrust_rns::device_matrix<number> a(2, 2, {number(1), number(2), number(3), number(-4)}), b = a;
/// b(0, 0) = number(1'000'000'007);
/// thrust_rns::device_matrix<number> c = a * b;
/// thrust_rns::matrix_multiply_subtract(a, a.transposed(), c);
/// std::cout << c(0, 0) << ' ' << c(0, 1) << ' ' << c(1, 0) << ' ' << c(1, 1) << '\n';  // prints 1000000008 -1 3000000014 -3
/// std::cout << thrust_rns::matrix_product_is_exact(a, b) << '\n';                       // prints 1
/// @endcode

#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <thrust/execution_policy.h>
#include <thrust/extrema.h>

#include <thrust_rns/config.h>
#include <thrust_rns/convert.h>
#include <thrust_rns/detail/basic_matrix.h>
#include <thrust_rns/detail/host_matrix.h>
#include <thrust_rns/detail/matrix_problem.h>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/detail/words.h>
#include <thrust_rns/device_vector.h>
#include <thrust_rns/error.h>
#include <thrust_rns/host_vector.h>
#include <thrust_rns/matrix_span.h>
#if THRUST_RNS_CUDA_BACKEND
#  include <thrust_rns/detail/cuda_matrix.cuh>
#endif

namespace thrust_rns {

/// A matrix of numbers in the memory of Thrust's device system, or in host memory: row-major, `m(i, j)` as an entry of a
/// vector, iterators over all entries, `as_span()` and `transposed()` as views. The two convert into each other.
template <class Number>
using device_matrix = detail::basic_matrix<device_vector<Number>>;
template <class Number>
using host_matrix = detail::basic_matrix<host_vector<Number>>;

/// A vector of numbers as a matrix of one column or one row.
template <class Vector>
auto as_column(Vector& v) {
  return matrix_span(v.as_span(), static_cast<std::int64_t>(v.size()), 1);
}
template <class Vector>
auto as_row(Vector& v) {
  return matrix_span(v.as_span(), 1, static_cast<std::int64_t>(v.size()));
}

namespace detail {

template <class T>
matrix_span<T> matrix_view(const matrix_span<T>& m) {
  return m;
}
template <class Vector>
auto matrix_view(basic_matrix<Vector>& m) {
  return m.as_span();
}
template <class Vector>
auto matrix_view(const basic_matrix<Vector>& m) {
  return m.as_span();
}

template <class T>
std::string shape_text(const matrix_span<T>& m) {
  return std::to_string(m.rows()) + " x " + std::to_string(m.columns()) +
         (m.batch() == 1 ? "" : ", batch " + std::to_string(m.batch()));
}

/// The problem of a product; throws where there is none.
template <class A, class B, class C>
matrix_problem checked_problem(const A& a, const B& b, const C& c, accumulation mode) {
  matrix_problem problem;
  const matrix_fault fault = make_problem(a, b, c, mode, problem);
  if (fault == matrix_fault::shapes) {
    throw std::invalid_argument(
        "thrust_rns: a matrix product of shapes (" + shape_text(a) + ") (" + shape_text(b) + ")" +
        (a.columns() != b.rows() ? ": the inner ones differ" : " does not give (" + shape_text(c) + ")"));
  }
  require(fault != matrix_fault::one_place,
          "thrust_rns: the results of a batch of matrix products lie in one place, at least in part");
  require(fault != matrix_fault::overlap,
          "thrust_rns: the result of a matrix product overlaps an operand; multiply into another matrix");
  return problem;
}

/// Whether a policy's work runs on the GPU.
template <class Policy>
constexpr bool runs_on_gpu() {
#if THRUST_RNS_CUDA_BACKEND
  return std::is_convertible_v<Policy*, policy_of<thrust::device_system_tag>::template base<Policy>*>;
#else
  return false;
#endif
}

template <class Policy, class A, class B, class C>
void multiply_matrices(const Policy& exec, const A& a, const B& b, const C& c, accumulation mode) {
  const matrix_problem p = checked_problem(a, b, c, mode);
  if (c.empty()) return;
  const modulus_list moduli = list_of_moduli<typename C::value_type::base_type>();
  if constexpr (runs_on_gpu<Policy>()) {
#if THRUST_RNS_CUDA_BACKEND
    multiply_matrices_on_device(exec, p, moduli);
#endif
  } else {
    multiply_matrices_on_host(exec, p, moduli);
  }
}

/// The policy of an owner's system.
template <class Matrix>
using system_of = thrust::iterator_system_t<typename Matrix::iterator>;

/// The larger of |smallest| and |largest|, as words.
template <class Number>
std::vector<std::uint32_t> largest_magnitude(const Number& smallest, const Number& largest) {
  const big_integer x = to_big_integer(smallest), y = to_big_integer(largest);
  return compare_words(x.words.data(), x.words.size(), y.words.data(), y.words.size()) > 0 ? x.words : y.words;
}

/// Whether inner a b <= the largest number.
template <class Number>
bool product_in_range(std::uint64_t inner, const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  const auto product = multiply_words(multiply_words(a, b),
                                      {static_cast<std::uint32_t>(inner), static_cast<std::uint32_t>(inner >> 32)});
  return in_range<Number>(product.data(), product.size(), false);
}

} // namespace detail

/// C = A B modulo M.
template <class Policy, class A, class B, class C>
void matrix_multiply(const Policy& exec, const A& a, const B& b, C&& c) {
  detail::multiply_matrices(exec, detail::matrix_view(a), detail::matrix_view(b), detail::matrix_view(c),
                            detail::accumulation::assign);
}
/// C += A B modulo M.
template <class Policy, class A, class B, class C>
void matrix_multiply_add(const Policy& exec, const A& a, const B& b, C&& c) {
  detail::multiply_matrices(exec, detail::matrix_view(a), detail::matrix_view(b), detail::matrix_view(c),
                            detail::accumulation::add);
}
/// C -= A B modulo M.
template <class Policy, class A, class B, class C>
void matrix_multiply_subtract(const Policy& exec, const A& a, const B& b, C&& c) {
  detail::multiply_matrices(exec, detail::matrix_view(a), detail::matrix_view(b), detail::matrix_view(c),
                            detail::accumulation::subtract);
}

/// The same in the system of the result, an owner.
template <class A, class B, class Vector>
void matrix_multiply(const A& a, const B& b, detail::basic_matrix<Vector>& c) {
  matrix_multiply(detail::system_of<Vector>(), a, b, c);
}
template <class A, class B, class Vector>
void matrix_multiply_add(const A& a, const B& b, detail::basic_matrix<Vector>& c) {
  matrix_multiply_add(detail::system_of<Vector>(), a, b, c);
}
template <class A, class B, class Vector>
void matrix_multiply_subtract(const A& a, const B& b, detail::basic_matrix<Vector>& c) {
  matrix_multiply_subtract(detail::system_of<Vector>(), a, b, c);
}

namespace detail {
template <class Vector>
basic_matrix<Vector> operator*(const basic_matrix<Vector>& a, const basic_matrix<Vector>& b) {
  basic_matrix<Vector> c(a.rows(), b.columns());
  matrix_multiply(a, b, c);
  return c;
}
} // namespace detail

/// The sum of x_k y_k modulo M, of two vectors of this library in one memory; waits for the result.
template <class Policy, class Vector>
typename Vector::value_type dot_product(const Policy& exec, const Vector& x, const Vector& y) {
  detail::basic_matrix<Vector> result(1, 1);
  matrix_multiply(exec, as_row(x), as_column(y), result);
#if THRUST_RNS_CUDA_BACKEND
  if constexpr (detail::runs_on_gpu<Policy>()) {
    Policy policy = exec; // under par_nosync the product may be on its way
    detail::check_cuda(cudaStreamSynchronize(detail::stream_of(policy)), "thrust_rns: dot_product");
  }
#endif
  return result(0, 0);
}
template <class Vector>
typename Vector::value_type dot_product(const Vector& x, const Vector& y) {
  return dot_product(detail::system_of<Vector>(), x, y);
}

/// Whether sums of `inner` products a_k b_k with |a_k| <= a, |b_k| <= b always lie in the range: inner a b <= max(). Then a
/// matrix product with such entries is the integer product. The bounds are not negative; inner < 0 is std::invalid_argument.
///
/// @code
/// using number = thrust_rns::number<thrust_rns::moduli_for_bits<128>, thrust_rns::symmetric_range>;
/// const number most = number(std::numeric_limits<std::int64_t>::max()) + number(1);  // |std::int64_t|
/// std::cout << thrust_rns::matrix_product_fits(1 << 12, most, most)
///           << thrust_rns::matrix_product_fits(1ll << 40, most, most) << '\n';  // prints 10
/// @endcode
template <class Number>
bool matrix_product_fits(std::int64_t inner, const Number& a, const Number& b) {
  detail::require(inner >= 0, "thrust_rns::matrix_product_fits: a negative number of terms");
  return detail::product_in_range<Number>(static_cast<std::uint64_t>(inner), detail::to_big_integer(a).words,
                                          detail::to_big_integer(b).words);
}

/// The same with the largest magnitudes of two matrices (owners) as bounds: two passes of thrust::minmax_element, from the
/// cached evaluations where there are some.
template <class Vector>
bool matrix_product_is_exact(const detail::basic_matrix<Vector>& a, const detail::basic_matrix<Vector>& b) {
  using number = typename Vector::value_type;
  if (a.values().empty() || b.values().empty()) return true;
  const auto bound = [](const detail::basic_matrix<Vector>& m) {
    const auto extremes = thrust::minmax_element(m.begin(), m.end());
    return detail::largest_magnitude(number(*extremes.first), number(*extremes.second));
  };
  return detail::product_in_range<number>(static_cast<std::uint64_t>(a.columns()), bound(a), bound(b));
}

} // namespace thrust_rns
