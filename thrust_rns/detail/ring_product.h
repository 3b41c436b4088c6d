// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Products in Z_m[x]/(x^n - x - 1) by one thread, on host and device. No branch and no address depends on coefficients.

#include <cstdint>
#include <type_traits>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/ring_host.h>
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
  multiply_on_host<R::modulus>(a, b, e, c);
#endif
  return c;
}

} // namespace detail
} // namespace thrust_rns
