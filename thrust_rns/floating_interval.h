// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Interval evaluation in floating point: Algorithm 1 of K. Isupov, "High-Performance Computation in Residue Number System
/// Using Floating-Point Arithmetic", Computation 9(2):9, 2021, with the original and the improved refinement.
///
/// The library orders numbers by the fixed-point form of interval.h, which is cheaper and needs no floating point. This is
/// the method as published, for bounds of X/M of any chosen relative accuracy and for comparison with it.

#include <cstdint>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/base_tables.h>
#include <thrust_rns/detail/directed_sum.h>
#include <thrust_rns/error.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/mixed_radix.h>
#include <thrust_rns/number.h>

namespace thrust_rns {

/// How X is scaled up while its bounds are too wide: by the fixed 2^rho, or as far as the last upper bound allows.
enum class refinement { original, improved };

/// Bounds low <= X/M <= upp for X in [0, M); exact dyadic numbers, so any exponent is fine.
struct floating_bounds {
  dyadic low, upp;
  int refinements; // scalings that were needed
};

namespace detail {

/// w_i = (M/m_i)^-1 mod m_i.
template <class Base>
struct make_cofactor_inverses {
  static constexpr auto make() { return cofactor_inverses(Base::moduli); }
};

THRUST_RNS_HD inline dyadic to_dyadic(double x) { // x in [0, 1], a multiple of 2^-80 or so
  if (x == 0) return {0, 0};
  int exponent = 0;
  while (x < 4503599627370496.0) { // 2^52
    x *= 2;
    --exponent;
  }
  return {static_cast<std::int64_t>(x), exponent};
}

/// ceil(log2 x) for 0 < x <= 1.
THRUST_RNS_HD inline int ceil_log2(double x) {
  int k = 0;
  double power = 1;
  while (power * 0.5 >= x) {
    power *= 0.5;
    --k;
  }
  return k;
}

/// 4 u n log2(n) (1 + eps/2)/eps with u = 2^-52: an upper bound that is not smaller is accurate to eps.
template <class Base>
THRUST_RNS_HD double least_accurate_bound(double accuracy) {
  double log2n = 0; // log2 of n rounded up to a power of two is enough
  for (int n = 1; n < Base::size; n *= 2) log2n += 1;
  return 4.0 / 4503599627370496.0 * Base::size * log2n * (1 + accuracy / 2) / accuracy;
}

/// Whether floating-point noise cannot hide the top digit: n (log2 n + 1) u < 1/max m.
template <class Base>
inline constexpr bool top_digit_separates = [] {
  std::uint64_t largest = 0, log2n = 0;
  for (int i = 0; i < Base::size; ++i) largest = Base::moduli[i] > largest ? Base::moduli[i] : largest;
  for (int n = 1; n < Base::size; n *= 2) ++log2n;
  return largest * static_cast<std::uint64_t>(Base::size) * (log2n + 1) < (std::uint64_t{1} << 52);
}();

template <class Base, class Range, bool Up>
THRUST_RNS_HD split_sum sum_of_fractions(const number<Base, Range>& x) {
  const auto& moduli = moduli_of<Base>();
  const auto& w = table<make_cofactor_inverses<Base>>();
  directed_sum<Up> sum;
  for (int i = 0; i < Base::size; ++i) sum.add(moduli[i].multiply(x.residue(i), w[i]), moduli[i].value());
  return sum.get();
}

/// x := 2^k x modulo M, 0 <= k <= 64.
template <class Base, class Range>
THRUST_RNS_HD void scale_up(number<Base, Range>& x, int k) {
  const int first = k < 32 ? k : 32, second = k - first;
  for (int i = 0; i < Base::size; ++i) {
    const modulus& m = moduli_of<Base>()[i];
    x.set_residue(i, m.reduce(std::uint64_t{m.reduce(std::uint64_t{x.residue(i)} << first)} << second));
  }
}

THRUST_RNS_HD inline dyadic scale(dyadic d, int exponent) {
  return {d.mantissa, d.mantissa == 0 ? 0 : d.exponent + exponent};
}

} // namespace detail

/// Bounds of X/M without a test for X next to 0 or M: two directed sums and their fractions. Host and device.
///
/// Right when `is_unambiguous` says so of the result: low <= upp. Next to 0 or M the two sums can have different integer
/// parts, and then the fractions are the wrong way round. The relative accuracy is that of the sums against X/M.
template <class Base, class Range>
THRUST_RNS_HD floating_bounds quick_floating_interval(const number<Base, Range>& x) {
  const detail::split_sum low = detail::sum_of_fractions<Base, Range, false>(x);
  const detail::split_sum upp = detail::sum_of_fractions<Base, Range, true>(x);
  return {detail::to_dyadic(low.fraction), detail::to_dyadic(upp.fraction), low.whole == upp.whole ? 0 : -1};
}

/// Whether the two sums of a quick evaluation had the same integer part, which makes its bounds right.
THRUST_RNS_HD inline bool is_unambiguous(const floating_bounds& b) { return b.refinements >= 0; }

/// Algorithm 1: bounds of X/M (X in [0, M), the residues as an unsigned number) with relative width at most `accuracy`.
///
/// 1. s_i = x_i w_i mod m_i; S_lo and S_up are the sums of s_i/m_i rounded down and up. If their integer parts agree, the
///    fractions are bounds of X/M. If not, X is next to 0 or M, and the top mixed-radix digit tells: not zero, upp := 1 (the
///    paper's (M-1)/M, rounded up); zero, only S_up counts, and low (the paper's 1/M) follows from step 2.
/// 2. While upp < psi = 4 u n log2(n) (1 + accuracy/2)/accuracy, u = 2^-52: X := 2^k X mod M and upp anew, where
///    k = rho = floor(log2(1/(2 psi))) (original) or max(-(ceil(log2 upp) + 1), rho) (improved). The product stays below M
///    since 2^k upp <= 1/2. Then low anew, and both divided by 2^(sum of all k).
///
/// X = 0 gives [0, 0]. `accuracy` is at most 1, and large enough that psi <= 1/4 (about 4 n log2(n) 2^-50): else the host throws
/// std::invalid_argument, and device code takes the nearest accuracy that will do.
/// Work: 2 n divisions, and n modular products and n divisions a refinement. Host and device.
///
/// @code
/// using number = thrust_rns::number<thrust_rns::isupov_moduli<128>>;
/// auto improved = thrust_rns::floating_interval(number(1));
/// auto original = thrust_rns::floating_interval(number(1), 1e-7, thrust_rns::refinement::original);
/// std::cout << improved.refinements << ' ' << original.refinements << '\n';  // prints 3 6
/// @endcode
template <class Base, class Range>
THRUST_RNS_HD floating_bounds floating_interval(number<Base, Range> x, double accuracy = 1e-7,
                                                refinement rule = refinement::improved) {
  static_assert(
      detail::top_digit_separates<Base>,
      "thrust_rns: with moduli this large and this many, floating-point noise hides whether the top mixed-radix "
      "digit is zero, and Algorithm 1 cannot tell numbers next to 0 from those next to M");
  double psi = detail::least_accurate_bound<Base>(accuracy);
  if (!(accuracy > 0 && accuracy <= 1 && psi <= 0.25)) {
#if defined(__CUDA_ARCH__)
    psi = accuracy > 1 ? detail::least_accurate_bound<Base>(1) : 0.25;
#else
    detail::require(
        false, "thrust_rns::floating_interval: the accuracy must be at most 1 and at least about 4 n log2(n) 2^-50");
#endif
  }
  const int rho = -detail::ceil_log2(2 * psi);

  if (x == number<Base, Range>(0)) return {{0, 0}, {0, 0}, 0};
  detail::split_sum low = detail::sum_of_fractions<Base, Range, false>(x);
  detail::split_sum upp = detail::sum_of_fractions<Base, Range, true>(x);
  if (low.whole != upp.whole && mixed_radix(x).digit[Base::size - 1] != 0) {
    return {detail::to_dyadic(low.fraction), {1, 0}, 0};
  }
  // next to 0, upp is below psi, so that low is evaluated again
  int refinements = 0, scaled = 0;
  while (upp.fraction < psi && upp.fraction > 0) { // 0: these were no residues
    int k = rho;
    if (rule == refinement::improved) {
      const int room = -(detail::ceil_log2(upp.fraction) + 1);
      k = room > rho ? room : rho;
    }
    detail::scale_up(x, k);
    scaled += k;
    ++refinements;
    upp = detail::sum_of_fractions<Base, Range, true>(x);
  }
  if (refinements > 0) low = detail::sum_of_fractions<Base, Range, false>(x);
  return {detail::scale(detail::to_dyadic(low.fraction), -scaled),
          detail::scale(detail::to_dyadic(upp.fraction), -scaled), refinements};
}

} // namespace thrust_rns
