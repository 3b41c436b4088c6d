// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Products in Z_m[x]/(x^n - x - 1) by one thread, on host and device. No branch and no address depends on coefficients.

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include <thrust_rns/config.h>
#include <thrust_rns/ring.h>

namespace thrust_rns {
namespace detail {

/// Full operands belong to the ring of the product; so that a mistaken one cannot pass for another.
template <class R, class A>
THRUST_RNS_HD constexpr void check_operand() {
  static_assert(is_polynomial<A>, "thrust_rns: operands of ring functors are elements: polynomial<...>");
  static_assert(A::degree == R::degree, "thrust_rns: the operand has another degree than the ring");
  static_assert(!A::is_full || std::is_same_v<A, full_element<R>>,
                "thrust_rns: the operand has another modulus than the ring; ring_convert changes the modulus");
}

template <class R, class Output>
THRUST_RNS_HD constexpr void check_ring_output() {
  static_assert(is_polynomial<Output> && Output::degree == R::degree,
                "thrust_rns: results of ring functors are elements of the ring's degree");
  static_assert(Output::is_full || std::is_same_v<Output, ternary_element<R>>,
                "thrust_rns: results of ring functors are full elements, or ternary ones for results modulo 3");
}

/// The largest magnitude of a centred coefficient.
template <class A>
inline constexpr std::int64_t largest_coefficient = -A::coefficients::smallest;

/// Coefficient k of a b over the integers, with x^n = x + 1:
/// sum over i <= k of a_i b_(k-i), over i > k of a_i b_(n+k-i), and, for k > 0, over i >= k of a_i b_(n-1+k-i).
template <class A, class B>
THRUST_RNS_HD std::int64_t product_coefficient(const A& a, const B& b, int k) {
  constexpr int n = A::degree;
  std::int64_t sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += static_cast<std::int64_t>(a[i]) * b[i <= k ? k - i : n + k - i];
    if (k > 0 && i >= k) sum += static_cast<std::int64_t>(a[i]) * b[n - 1 + k - i];
  }
  return sum;
}

/// sums[k] := coefficient k of a b, reduced modulo m if that keeps the sums in 32 bits; k < row.
///
/// c_k = sum over j of F[k - j] a_j with the reduction folded into F (see ring_kernels.cuh), one multiple of a stretch of F
/// after the other.
template <int M, class A, class B>
void multiply_on_host(const A& a, const B& b, std::int32_t* sums) {
  constexpr int n = A::degree, row = A::row;
  constexpr std::int64_t largest_term = largest_coefficient<A> * 2 * largest_coefficient<B>;
  constexpr int rows_at_once =
      static_cast<int>(std::min<std::int64_t>(((std::int64_t{1} << 31) - 1 - M) / largest_term, n));
  std::int32_t folded[n + row] = {}; // F[d] at n - 1 + d; zeros beyond, so that whole rows can be summed
  std::int32_t left[n];
  for (int i = 0; i < n; ++i) {
    left[i] = a[i];
    folded[n - 1 + i] = b[i];
  }
  for (int i = 0; i + 1 < n; ++i) folded[i] = b[i] + b[i + 1];
  folded[n - 1] += b[n - 1];

  std::fill_n(sums, row, 0);
  for (int j = 0; j < n;) {
    const int end = std::min(j + rows_at_once, n);
    for (; j < end; ++j) {
      const std::int32_t factor = left[j];
      const std::int32_t* f = folded + (n - 1 - j);
      for (int k = 0; k < row; ++k) sums[k] += factor * f[k];
    }
    if constexpr (rows_at_once < n) {
      for (int k = 0; k < row; ++k) sums[k] %= M;
    }
  }
  const std::int64_t correction = std::int64_t{left[n - 1]} * b[n - 1] - sums[n - 1];
  sums[0] = static_cast<std::int32_t>((sums[0] + correction) % M);
}

/// Coefficient i of c, from x which stands for it modulo M: the centred representative, in Output's coefficients.
template <int M, class Output>
THRUST_RNS_HD constexpr void set_coefficient(Output& c, int i, std::int64_t x) {
  int r = static_cast<int>(x % M);
  r += r < 0 ? M : 0;
  r -= r > (M - 1) / 2 ? M : 0;
  if constexpr (!Output::is_full && M != 3) { // modulo 3 again
    r %= 3;
    r -= r > 1 ? 3 : (r < -1 ? -3 : 0);
  }
  c.set(i, r);
}

/// An addend's coefficient, for none: 0.
struct no_addend {
  THRUST_RNS_HD constexpr int operator[](int) const { return 0; }
};

/// a b + e modulo M = R::modulus, as centred representatives in Output's coefficients.
template <class R, class Output, class A, class B, class E>
THRUST_RNS_HD Output multiply_elements(const A& a, const B& b, const E& e) {
  check_operand<R, A>();
  check_operand<R, B>();
  check_ring_output<R, Output>();
  Output c;
#if defined(__CUDA_ARCH__)
  for (int k = 0; k < R::degree; ++k) set_coefficient<R::modulus>(c, k, product_coefficient(a, b, k) + e[k]);
#else
  std::int32_t sums[A::row];
  multiply_on_host<R::modulus>(a, b, sums);
  for (int k = 0; k < R::degree; ++k) set_coefficient<R::modulus>(c, k, std::int64_t{sums[k]} + e[k]);
#endif
  return c;
}

} // namespace detail
} // namespace thrust_rns
