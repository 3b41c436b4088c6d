// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Interval evaluation in floating point (Algorithm 1 of K. Isupov, Computation 9(2):9, 2021, improved refinement,
/// eps = 1e-7) of numbers in planes, without a copy of them. What the interval-array and the naive baseline share.
///
/// X/M = frac(sum of s_i/m_i), s_i = x_i w_i mod m_i. Both directed sums are made in one pass,
///
///   low := fma_down(s_i, down(1/m_i), low),   upp := fma_up(s_i, up(1/m_i), upp),
///
/// and lose their integer parts, exactly, after every eight terms.
///
/// *Noise.* u = 2^-52. A reciprocal is off by less than u/m_i, which makes less than u a term. The k-th of eight fma's gives
/// less than k + 1 and is rounded by less than an ulp of that: u, 2u, 2u, 4u, 4u, 4u, 4u, 8u. In all less than 37/8 u a term:
/// modulo 1, X/M lies in [low, upp], and each of them less than 5 n u from it. (Pairwise sums: n log2(n) u.)
///
/// *Consequences.* If low <= upp, the interval does not wrap round an integer and holds X/M. If also upp >= psi,
/// psi = 10 n u (1 + eps)/eps, then (upp - low)/low < 10 n u/(psi - 10 n u) = eps. If low > upp, X/M is within 5 n u of 0 or
/// 1; as 5 n u < 1/m_n, the top mixed-radix digit of X is zero in the first case and not in the second.
///
/// Work a residue: one 32-bit modular product, one conversion, two fma's. More only for X/M < psi (1.5e-5 at n = 256).

#include "common.cuh"
#include "mixed_radix.cuh"

#include <thrust_rns/detail/array.h>
#include <thrust_rns/detail/base_tables.h>

#include <cstdint>
#include <type_traits>

namespace baselines {

/// low 2^exponent <= X/M <= upp 2^exponent.
struct bounds {
  double low, upp;
  int exponent;
};

/// 1 or -1 where the bounds show X > Y or X < Y, else 0.
__device__ inline int compare_bounds(const bounds& x, const bounds& y) {
  double low = x.low, upp = x.upp;
  if (x.exponent != y.exponent) { // bounds are 0 or in [2^-40, 1], so that further exponents would not matter
    const int d = max(-900, min(x.exponent - y.exponent, 900));
    const double scale = __hiloint2double((1023 + d) << 20, 0); // 2^d
    low *= scale;
    upp *= scale;
  }
  return low > y.upp ? 1 : y.low > upp ? -1 : 0;
}

/// What a residue is multiplied by.
struct alignas(16) term {
  std::uint32_t m, w, companion, half; // w = (M/m)^-1 mod m; half = floor(M/2) mod m
  double down, up;                     // 1/m rounded
};

template <class Base>
struct make_terms {
  static constexpr auto make() {
    constexpr auto w = thrust_rns::detail::cofactor_inverses(Base::moduli);
    constexpr auto half = thrust_rns::detail::make_half_range_residues<Base>::make();
    thrust_rns::detail::array<term, Base::size> t{};
    for (int i = 0; i < Base::size; ++i) {
      const std::uint32_t m = Base::moduli[i];
      const int bits = 52 + thrust_rns::detail::bit_length(m);
      const auto one = static_cast<thrust_rns::uint128_t>(1) << bits; // 2^52 <= one/m <= 2^53
      double scale = 1;
      for (int b = 0; b < bits; ++b) scale *= 0.5;
      const auto down = static_cast<std::uint64_t>(one / m), up = down + (one % m != 0 ? 1 : 0);
      t[i] = {m, w[i], companion(w[i], m), half[i], static_cast<double>(down) * scale, static_cast<double>(up) * scale};
    }
    return t;
  }
};

/// The terms in shared memory, where prepare_terms puts them; one array a block and base.
template <class Base>
__device__ thrust_rns::detail::array<term, Base::size>& shared_terms() {
  __shared__ thrust_rns::detail::array<term, Base::size> terms;
  return terms;
}

template <class Base>
__device__ void prepare_terms() { // by the whole block
  for (int i = static_cast<int>(threadIdx.x); i < Base::size; i += static_cast<int>(blockDim.x)) {
    shared_terms<Base>()[i] = thrust_rns::detail::table<make_terms<Base>>()[i];
  }
  __syncthreads();
}

__device__ inline double to_double(std::uint32_t s) { // exact; an addition is faster than a conversion
  return __hiloint2double(0x43300000, static_cast<int>(s)) - 4503599627370496.0; // (2^52 + s) - 2^52
}

/// The directed sums of `Count` numbers at once, modulo 1. load(i, x) sets x[k] to residue i of number k; adjust(i, x) maps
/// a residue of [0, M) to the one to take.
template <class Number, int Count, class Load, class Adjust>
__device__ void sum_fractions(const term* terms, Load load, Adjust adjust, double (&low)[Count], double (&upp)[Count]) {
  constexpr int n = Number::size, batch = n < 8 ? n : 8, whole = n / batch * batch;
#pragma unroll
  for (int k = 0; k < Count; ++k) low[k] = upp[k] = 0;
  const auto add = [&](int first, auto terms_of_batch) {
    constexpr int size = decltype(terms_of_batch)::value;
    std::uint32_t x[size][Count];
#pragma unroll
    for (int b = 0; b < size; ++b) load(first + b, x[b]); // all before their use
#pragma unroll
    for (int b = 0; b < size; ++b) {
      const term t = terms[first + b];
#pragma unroll
      for (int k = 0; k < Count; ++k) {
        const std::uint32_t r = adjust(first + b, unsigned_residue<Number>(x[b][k], t.m, t.half));
        const double s = to_double(multiply_by_constant(r, t.w, t.companion, t.m));
        low[k] = __fma_rd(s, t.down, low[k]);
        upp[k] = __fma_ru(s, t.up, upp[k]);
      }
    }
#pragma unroll
    for (int k = 0; k < Count; ++k) { // exact
      low[k] -= floor(low[k]);
      upp[k] -= floor(upp[k]);
    }
  };
#pragma unroll 1
  for (int first = 0; first < whole; first += batch) add(first, std::integral_constant<int, batch>{});
  if constexpr (whole < n) add(whole, std::integral_constant<int, n - whole>{});
}

struct as_it_is {
  __device__ std::uint32_t operator()(int, std::uint32_t x) const { return x; }
};

/// psi of the file comment.
template <class Base>
inline constexpr double least_accurate_upp = 10.0 * Base::size / 4503599627370496.0 * (1 + 1e-7) / 1e-7;

/// Whether the sums are bounds of relative width 1e-7 as they are.
template <class Base>
__device__ bool are_accurate(double low, double upp) {
  return low <= upp && upp >= least_accurate_upp<Base>;
}

/// Algorithm 1 in full, for the rare number whose first sums are not accurate. X = 0 gives [0, 0]; next to M, upp := 1.
template <class Number>
__device__ THRUST_RNS_NOINLINE bounds refined_bounds(planes<Number> v, std::int64_t j) {
  using Base = typename Number::base_type;
  static_assert(thrust_rns::detail::base_constants<Base>::range_bits < 10000 &&
                    5.0 * Base::size * thrust_rns::modulus::maximum < 4503599627370496.0,
                "noise would hide the top digit");
  const auto& terms = thrust_rns::detail::table<make_terms<Base>>();
  const auto& moduli = thrust_rns::detail::moduli_of<Base>();
  const auto load = [&](int i, std::uint32_t(&x)[1]) { x[0] = v(i, j); };

  double low[1], upp[1];
  sum_fractions<Number>(terms.data(), load, as_it_is{}, low, upp);
  if (low[0] == 0 && upp[0] == 0) return {0, 0, 0}; // only zero has no upper noise
  if (low[0] > upp[0]) {
    std::uint32_t top = 0;
    for_each_digit<Number, 1>(v, {j}, [&](const std::uint32_t(&d)[1]) { top = d[0]; });
    if (top != 0) return {low[0], 1, 0};
  }
  int scaled = 0; // X 2^scaled <= M/2 afterwards
  while (upp[0] < least_accurate_upp<Base> && scaled <= thrust_rns::dynamic_range_bits<Base>) {
    const int ceil_log2 = (__double2hiint(upp[0]) >> 20) - 1022;
    scaled -= ceil_log2 + 1;
    const auto scale = [&](int i, std::uint32_t x) {
      return moduli[i].multiply(x, moduli[i].power(2 % moduli[i].value(), static_cast<std::uint64_t>(scaled)));
    };
    sum_fractions<Number>(terms.data(), load, scale, low, upp);
  }
  return {low[0], upp[0], -scaled};
}

} // namespace baselines
