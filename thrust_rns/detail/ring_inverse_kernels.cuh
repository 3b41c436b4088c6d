// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Inverses in Z_m[x]/(x^n - x - 1) by division steps (ring_inverse.h), a warp an element. The polynomials stay in registers;
/// a lane holds a stretch of each:
///
///   m = 3       bit b of lane l                    coefficient i = bits l + b    bits = 32, or 64 for n > 1023
///   m > 3       register s of lane l, a float      coefficient i = terms l + s   terms = ceil((n + 1) / 32)
///
/// A shift by one moves registers or bits, which costs nothing or little, and one number from lane to lane. No branch and no
/// address depends on coefficients. Bound: the issue of instructions, (2n - 1) steps of 4 terms of some five each for m > 3.

#include <cstdint>
#include <type_traits>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/ring_inverse.h>
#include <thrust_rns/ring.h>

namespace thrust_rns {
namespace detail {

/// Whether there is a kernel for inverses in R: modulo the primes up to 8179 the sums of products are exact in float.
template <class R>
inline constexpr bool has_inverse_kernel = is_odd_prime(R::modulus) && R::modulus < 8190;

/// Residues modulo the prime Q in float, as representatives of magnitude (Q + 1) / 2 at most; only 0 stands for 0.
template <int Q>
struct float_residues {
  static constexpr float modulus = Q, reciprocal = 1.0f / Q;
  static constexpr int largest = (Q + 1) / 2;
  /// Whether f_0 g - g_0 f is exact; else g - (g_0 / f_0) f takes its place, and a division of scalars in each step.
  static constexpr bool holds_two_products = 2 * largest * largest <= 1 << 24;
  static_assert(largest * largest + largest <= 1 << 24, "thrust_rns: sums could round");

  /// For |t| <= 2^24; the nearest multiple of Q is found to within rounding, hence (Q + 1) / 2.
  static __device__ float reduce(float t) {
    constexpr float to_integer = 12582912.0f; // 1.5 2^23: a float this large has no fraction
    const float quotient = __fadd_rn(__fmaf_rn(t, reciprocal, to_integer), -to_integer);
    return __fmaf_rn(quotient, -modulus, t);
  }
  static __device__ float multiply(float x, float y) { return reduce(__fmul_rn(x, y)); }
  /// x a - y b, x = 1 unless `holds_two_products`.
  static __device__ float combine(float x, float a, float y, float b) {
    if constexpr (holds_two_products) a = __fmul_rn(x, a);
    return reduce(__fmaf_rn(-y, b, a));
  }
  static __device__ float inverse(float x) {
    return inverse_by_powers<Q>(x, [](float a, float b) { return multiply(a, b); });
  }
};

/// A row of an operand or of the result in shared memory.
template <class A, class Output>
union staged_rows {
  alignas(16) unsigned char operand[sizeof(A)];
  unsigned char result[sizeof(Output)];
};

/// to[0 .. bytes) := from[0 .. bytes) by a warp.
template <int Bytes>
__device__ void copy_row(void* to, const void* from, int lane) {
  for (int i = lane; i < Bytes / 16; i += 32) static_cast<uint4*>(to)[i] = static_cast<const uint4*>(from)[i];
}

/// The number of the next lane; the last one gets the first one's.
template <class T>
__device__ T from_next_lane(T x, int lane) {
  return __shfl_sync(0xffffffffu, x, (lane + 1) & 31);
}
/// The number of the lane before; the first one gets 0.
template <class T>
__device__ T from_lane_before(T x, int lane) {
  const T other = __shfl_up_sync(0xffffffffu, x, 1);
  return lane == 0 ? T{0} : other;
}

/// One element by one warp, from and to a row in shared memory; returns whether it is invertible.
template <class R, class A, class Output>
__device__ bool invert_modulo_3_by_warp(staged_rows<A, Output>& rows, int lane) {
  constexpr int n = R::degree;
  using word = std::conditional_t<(n < 1024), std::uint32_t, std::uint64_t>;
  constexpr int bits = 8 * sizeof(word);
  const A& a = reinterpret_cast<const A&>(rows.operand);
  trits<word> f{}, g{}, v{}, r{};
  for (int b = 0; b < bits; ++b) {
    const int i = lane * bits + b;
    const int x = i < n ? centred_coefficient<3>(a, n - 1 - i) : 0;
    g.plus |= static_cast<word>(x == 1) << b;
    g.minus |= static_cast<word>(x == -1) << b;
    f.plus |= static_cast<word>(i == 0) << b;
    f.minus |= static_cast<word>(i == n - 1 || i == n) << b;
  }
  r.plus = lane == 0;

  const auto down = [lane](word x) { // a zero comes in at the top: the constant term of g
    const std::uint32_t next = from_next_lane(static_cast<std::uint32_t>(x), lane);
    return static_cast<word>(x >> 1 | static_cast<word>(next) << (bits - 1));
  };
  const auto up = [lane](word x) {
    const std::uint32_t before = from_lane_before(static_cast<std::uint32_t>(x >> (bits - 32)), lane);
    return static_cast<word>(x << 1 | before >> 31);
  };
  trit_step<word> step;
  for (int k = 0; k < 2 * n - 1; ++k) {
    const word plus = __shfl_sync(0xffffffffu, static_cast<std::uint32_t>(g.plus), 0) & 1;
    const word minus = __shfl_sync(0xffffffffu, static_cast<std::uint32_t>(g.minus), 0) & 1;
    step.decide({static_cast<word>(word{0} - plus), static_cast<word>(word{0} - minus)});
    const trits<word> rest = subtract(g, multiply(step.factor, f)), xv{up(v.plus), up(v.minus)};
    f = select(step.swap, g, f);
    g = {down(rest.plus), down(rest.minus)};
    v = select(step.swap, r, xv);
    r = subtract(r, multiply(step.factor, xv));
  }

  const bool invertible = step.delta == 0;
  const trits<word> inverse = multiply(v, step.f0);
  Output& out = reinterpret_cast<Output&>(rows.result);
  __syncwarp(); // all lanes have read the operand
  for (int i = n + lane; i < Output::row; i += 32) out.data()[i] = 0;
  for (int b = 0; b < bits; ++b) {
    const int i = n - 1 - (lane * bits + b);
    const int x = static_cast<int>(inverse.plus >> b & 1) - static_cast<int>(inverse.minus >> b & 1);
    if (i >= 0) set_coefficient<3>(out, i, x * static_cast<int>(invertible));
  }
  return invertible;
}

template <class R, class A, class Output>
__device__ bool invert_modulo_q_by_warp(staged_rows<A, Output>& rows, int lane) {
  constexpr int n = R::degree, q = R::modulus, terms = n / 32 + 1;
  using residues = float_residues<q>;
  const A& a = reinterpret_cast<const A&>(rows.operand);
  float f[terms], g[terms], v[terms], r[terms];
#pragma unroll
  for (int s = 0; s < terms; ++s) {
    const int i = lane * terms + s;
    f[s] = static_cast<float>((i == 0) - (i == n - 1 || i == n));
    g[s] = static_cast<float>(i < n ? centred_coefficient<q>(a, n - 1 - i) : 0);
    v[s] = 0;
    r[s] = static_cast<float>(i == 0);
  }

  float f0 = 1; // or 1 / f_0, unless `holds_two_products`
  int delta = 1;
#pragma unroll 1
  for (int k = 0; k < 2 * n - 1; ++k) {
    const float g0 = __shfl_sync(0xffffffffu, g[0], 0);
    const bool swap = (delta > 0) & (g0 != 0);
    float x = f0, y = g0, next_f0 = g0;
    if constexpr (!residues::holds_two_products) {
      x = 1;
      y = residues::multiply(g0, f0);
      next_f0 = residues::inverse(g0);
    }
    f0 = swap ? next_f0 : f0;
    delta = (swap ? -delta : delta) + 1;

    const float first = residues::combine(x, g[0], y, f[0]); // in lane 0 it is 0
    f[0] = swap ? g[0] : f[0];
#pragma unroll
    for (int s = 1; s < terms; ++s) {
      g[s - 1] = residues::combine(x, g[s], y, f[s]);
      f[s] = swap ? g[s] : f[s];
    }
    g[terms - 1] = from_next_lane(first, lane);

    const float last = from_lane_before(v[terms - 1], lane);
#pragma unroll
    for (int s = terms - 1; s >= 0; --s) {
      const float xv = s > 0 ? v[s - 1] : last;
      v[s] = swap ? r[s] : xv;
      r[s] = residues::combine(x, r[s], y, xv);
    }
  }

  const bool invertible = delta == 0;
  if constexpr (residues::holds_two_products) f0 = residues::inverse(f0);
  const float scale = invertible ? f0 : 0;
  Output& out = reinterpret_cast<Output&>(rows.result);
  __syncwarp(); // all lanes have read the operand
  for (int i = n + lane; i < Output::row; i += 32) out.data()[i] = 0;
#pragma unroll
  for (int s = 0; s < terms; ++s) {
    const int i = n - 1 - (lane * terms + s);
    if (i >= 0) set_coefficient<q>(out, i, static_cast<int>(residues::multiply(scale, v[s])));
  }
  return invertible;
}

/// Warps on a multiprocessor, equally many on each of its four quarters: as many as leave registers for four polynomials and
/// some 32 more numbers, and blocks can be.
template <class R>
inline constexpr int inverse_warps = R::modulus == 3 || R::degree < 256 ? 32
                                                                        : 512 / (4 * (R::degree / 32 + 1) + 32) * 4;

/// out[i] := 1/a[i] or 0; invertible[i] := whether it is, for a pointer that is not null. A warp a block.
template <class R, class A, class Output, class Flag>
__global__ void __launch_bounds__(32, inverse_warps<R>)
    invert_elements(const A* a, Output* out, Flag* invertible, std::int64_t count) {
  __shared__ staged_rows<A, Output> rows;
  const auto lane = static_cast<int>(threadIdx.x);
  for (std::int64_t i = blockIdx.x; i < count; i += gridDim.x) {
    copy_row<sizeof(A)>(rows.operand, a + i, lane);
    __syncwarp();
    bool yes = false;
    if constexpr (R::modulus == 3) {
      yes = invert_modulo_3_by_warp<R>(rows, lane);
    } else {
      yes = invert_modulo_q_by_warp<R>(rows, lane);
    }
    __syncwarp();
    copy_row<sizeof(Output)>(out + i, rows.result, lane);
    if (invertible != nullptr && lane == 0) invertible[i] = static_cast<Flag>(yes);
    __syncwarp();
  }
}

} // namespace detail
} // namespace thrust_rns
