// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Exact products of integer matrices, of 8 bits to some thousand: one call, no base to choose.
///
///   C = exact_matmul([policy,] A, B)       the integer product, as wide as it needs
///
/// Operands: `device_integer_matrix`, `host_integer_matrix`, or views `integer_span` of built-in signed integers or of two's
/// complement integers of several 64-bit limbs, least significant first.
///
/// Method: the bits of the largest entries of A and B are found, b and b'; so |c_ij| <= 2^(b + b' + ceil(log2 K)). The
/// fewest moduli whose product is at least four times that make a base; A and B are reduced modulo each, multiplied modulo each, and
/// C put together, always exact. On Tensor Cores moduli are up to 2^8 for results of up to 339 bits, up to 2^16 above: one
/// byte product for 8 bits of the result, or four for 16; elsewhere below 2^31.
/// Limits: results of up to 8400 bits; range_error above.
/// Streams: the policy's; it waits for the bits in any case, and for the result unless the policy is `par_nosync`.
///
/// @code
/// const std::vector<std::int64_t> a{INT64_MIN, 2, 3, 4}, b{INT64_MIN, 1, 0, 1};
/// const auto c = thrust_rns::exact_matmul(thrust::host, thrust_rns::integer_span(a.data(), 2, 2),
///                                         thrust_rns::integer_span(b.data(), 2, 2));
/// std::cout << c.limbs() << ' ' << c.text(0, 0) << ' ' << c.text(0, 1) << ' ' << c.text(1, 1) << '\n';
/// // prints 3 85070591730234615865843651857942052864 -9223372036854775806 7
/// @endcode

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <cuda/functional>

#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform_reduce.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/host_integers.h>
#include <thrust_rns/detail/integer_base.h>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/detail/words.h>
#include <thrust_rns/error.h>
#include <thrust_rns/matrix.h>
#if THRUST_RNS_CUDA_BACKEND
#  include <thrust_rns/detail/cuda_integers.cuh>
#endif

namespace thrust_rns {

/// A view of a rows x columns matrix of integers: entry (i, j) is at `data[(i * leading + j) * limbs]`. Word: a signed built-in
/// integer of 8 to 64 bits, const or not; with `limbs` above 1 of 64 bits, two's complement, least significant limb first.
template <class Word>
class integer_span {
  static_assert(std::is_integral_v<Word> && std::is_signed_v<Word>,
                "thrust_rns: integer_span views signed integers of 8 to 64 bits");

 public:
  /// Throws std::invalid_argument for negative sizes, leading < columns, and limbs of fewer than 64 bits.
  integer_span(Word* data, std::int64_t rows, std::int64_t columns, int limbs = 1)
      : integer_span(data, rows, columns, columns, limbs) {}
  integer_span(Word* data, std::int64_t rows, std::int64_t columns, std::int64_t leading, int limbs)
      : data_(data), rows_(rows), columns_(columns), row_stride_(leading), limbs_(limbs) {
    detail::require(rows >= 0 && columns >= 0 && leading >= columns,
                    "thrust_rns::integer_span: a size is negative, or the leading dimension is less than the columns");
    detail::require(limbs == 1 || (limbs > 1 && sizeof(Word) == 8),
                    "thrust_rns::integer_span: integers of several limbs have limbs of 64 bits");
  }

  Word* data() const { return data_; }
  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  int limbs() const { return limbs_; }

  integer_span transposed() const {
    integer_span t = *this;
    std::swap(t.rows_, t.columns_);
    std::swap(t.row_stride_, t.column_stride_);
    return t;
  }
  detail::integer_source source() const {
    return {data_, static_cast<int>(sizeof(Word)), limbs_, row_stride_, column_stride_};
  }

 private:
  Word* data_;
  std::int64_t rows_, columns_, row_stride_, column_stride_ = 1;
  int limbs_;
};

namespace detail {

/// A matrix of two's complement integers of `limbs()` limbs each, row by row in a Thrust vector of 64-bit words.
template <class Vector>
class integer_matrix {
 public:
  using vector_type = Vector;

  integer_matrix() = default;
  /// Zeros. Throws std::invalid_argument for negative sizes, no limbs, and more words than 2^63 - 1.
  integer_matrix(std::int64_t rows, std::int64_t columns, int limbs = 1)
      : words_(words_of(matrix_size(rows, columns), limbs)), rows_(rows), columns_(columns), limbs_(limbs) {}
  /// From the other side: host to device, device to host.
  template <class Other>
  integer_matrix(const integer_matrix<Other>& other)
      : words_(other.words()), rows_(other.rows()), columns_(other.columns()), limbs_(other.limbs()) {}

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  int limbs() const { return limbs_; }

  /// All limbs: limb k of entry (i, j) at (i * columns() + j) * limbs() + k.
  Vector& words() { return words_; }
  const Vector& words() const { return words_; }

  integer_span<std::int64_t> as_span() { return {first_word(words_), rows_, columns_, limbs_}; }
  integer_span<const std::int64_t> as_span() const { return {first_word(words_), rows_, columns_, limbs_}; }

  /// Entry (i, j) in decimal. Of device matrices this copies limb by limb.
  std::string text(std::int64_t i, std::int64_t j) const {
    big_integer x;
    const auto first = static_cast<std::size_t>((i * columns_ + j) * limbs_);
    for (std::size_t k = 0; k < static_cast<std::size_t>(limbs_); ++k) {
      const auto limb = static_cast<std::uint64_t>(std::int64_t{words_[first + k]});
      x.words.push_back(static_cast<std::uint32_t>(limb));
      x.words.push_back(static_cast<std::uint32_t>(limb >> 32));
    }
    x.negative = (x.words.back() >> 31) != 0;
    if (x.negative) { // 2^(64 limbs) - X
      std::uint64_t carry = 1;
      for (std::uint32_t& w : x.words) {
        carry += static_cast<std::uint32_t>(~w);
        w = static_cast<std::uint32_t>(carry);
        carry >>= 32;
      }
    }
    return to_decimal(x);
  }

 private:
  static std::size_t words_of(std::size_t entries, int limbs) {
    require(limbs >= 1, "thrust_rns: integers have at least one limb");
    return matrix_size(static_cast<std::int64_t>(entries), limbs);
  }
  template <class Words>
  static auto first_word(Words& words) { // data() of an empty vector dereferences null
    return words.empty() ? nullptr : thrust::raw_pointer_cast(words.data());
  }

  Vector words_;
  std::int64_t rows_ = 0, columns_ = 0;
  int limbs_ = 1;
};

template <class Word>
integer_span<Word> integer_view(const integer_span<Word>& m) {
  return m;
}
template <class Vector>
integer_span<const std::int64_t> integer_view(const integer_matrix<Vector>& m) {
  return m.as_span();
}

/// The smallest b with -2^b <= x < 2^b for all entries.
template <class Policy, class Word>
int bits_of_entries(const Policy& exec, const integer_span<Word>& m) {
  const thrust::counting_iterator<std::int64_t> first(0), last = first + m.rows() * m.columns();
  const bits_of_entry bits{m.source(), m.columns()};
  if constexpr (!runs_on_gpu<Policy>()) {
    if (last - first < 100'000)
      return thrust::transform_reduce(thrust::seq, first, last, bits, 0, ::cuda::maximum<int>());
  }
  return thrust::transform_reduce(exec, first, last, bits, 0, ::cuda::maximum<int>());
}

} // namespace detail

/// Matrices of integers in the memory of Thrust's device system, and in host memory. The two convert into each other.
using device_integer_matrix = detail::integer_matrix<thrust::device_vector<std::int64_t>>;
using host_integer_matrix = detail::integer_matrix<thrust::host_vector<std::int64_t>>;

/// A B over the integers, with as many limbs an entry as any product of entries of these sizes needs. The result is a
/// device_integer_matrix if the policy is of Thrust's device system, else a host_integer_matrix. Throws
/// std::invalid_argument for shapes that do not match, range_error for results beyond 8400 bits.
template <class Policy, class A, class B>
auto exact_matmul(const Policy& exec, const A& left, const B& right) {
  const auto a = detail::integer_view(left);
  const auto b = detail::integer_view(right);
  using system = thrust::device_system_tag;
  using Result =
      std::conditional_t<std::is_convertible_v<Policy*, typename detail::policy_of<system>::template base<Policy>*> &&
                             !std::is_same_v<system, thrust::host_system_tag>,
                         device_integer_matrix, host_integer_matrix>;
  if (a.columns() != b.rows()) {
    throw std::invalid_argument("thrust_rns: exact_matmul of shapes (" + std::to_string(a.rows()) + " x " +
                                std::to_string(a.columns()) + ") (" + std::to_string(b.rows()) + " x " +
                                std::to_string(b.columns()) + ")");
  }
  if (a.rows() == 0 || a.columns() == 0 || b.columns() == 0) return Result(a.rows(), b.columns());
  const int a_bits = detail::bits_of_entries(exec, a), b_bits = detail::bits_of_entries(exec, b);
  const int bits = a_bits + b_bits + detail::bit_length(static_cast<std::uint64_t>(a.columns() - 1));
  if (bits > detail::most_integer_bits) {
    throw range_error("thrust_rns: exact_matmul: results may have " + std::to_string(bits) + " bits, more than " +
                      std::to_string(detail::most_integer_bits));
  }
  Result c(a.rows(), b.columns(), (bits + 2 + 63) / 64); // 2^bits itself is possible
  const auto out = c.as_span();
  if constexpr (detail::runs_on_gpu<Policy>()) {
#if THRUST_RNS_CUDA_BACKEND
    detail::multiply_integers_on_device(exec, a.source(), b.source(), a.rows(), a.columns(), b.columns(), bits,
                                        out.data(), out.limbs());
#endif
  } else {
    detail::multiply_integers_on_host(exec, a.source(), a_bits, b.source(), b_bits, a.rows(), a.columns(), b.columns(),
                                      bits, out.data(), out.limbs());
  }
  return c;
}

/// The same of owners, in their system.
template <class Vector>
detail::integer_matrix<Vector> exact_matmul(const detail::integer_matrix<Vector>& a,
                                            const detail::integer_matrix<Vector>& b) {
  return exact_matmul(thrust::iterator_system_t<typename Vector::iterator>(), a, b);
}

} // namespace thrust_rns
