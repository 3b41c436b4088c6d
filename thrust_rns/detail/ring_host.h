// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Products in Z_m[x]/(x^n - x - 1) by one thread of the host, with the vector instructions that the processor has. No branch and
/// no address depends on coefficients.

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/instructions.h>
#include <thrust_rns/ring.h>

namespace thrust_rns {
namespace detail {

// The product is c_k = sum over j of F[k - j] g_j with the reduction folded into F: F[d] = f_d for d > 0, F[0] = f_0 + f_(n-1) and
// F[-e] = f_(n-e) + f_(n-e-1); to c_0 comes f_(n-1) g_(n-1) - c_(n-1). A matrix of halves T = [M L; H M] times g = (g0, g1) is
//   c0 = M (g0 + g1) + (L - M) g1,    c1 = M (g0 + g1) + (H - M) g0,
// three products of half the size; so `levels` times, down to leaves of `lanes` x `width` rows. Coefficients have 16 bits and
// products 32.
//
// In a leaf a vector holds the rows width r + s of one s < width, one r a lane: with kappa = j' + s, where j' counts g from its
// top, c_(width r + s) = sum over kappa of X[width r + kappa] g_(j' = kappa - s), X[p] = F[p - (rows - 1)]. Two kappa at once are one
// multiply-add of pairs (X[p], X[p + 1]); so X is kept as streams: stream i holds the pairs at p = width r + 2 i, and a step of
// `width` in kappa moves all streams by one pair. All above the leaves is done element by element in this order.

/// How a product is made. A bound doubles with each halving, or a remainder is taken.
struct toeplitz_plan {
  int lanes, width, levels;
  int lazy_levels; // the last halvings, that take no remainders of operands
  bool reduced;    // whether leaves take remainders of their sums
  double cost;     // 0: there is no such plan
};

/// What a plan must take: |F| <= fold, |g| <= factor; remainders are at most half. `factor_is_full`: g may be reduced.
struct toeplitz_bounds {
  std::int64_t modulus, half, fold, factor;
  bool factor_is_full;
};

/// The plan of this shape with the fewest remainders such that no sum overflows and `far_remainder` holds for sums.
constexpr toeplitz_plan plan_of_shape(int lanes, int width, int levels, const toeplitz_bounds& b) {
  double nodes = 1, cost = 0; // as measured with AVX-512, roughly
  const int rows = lanes * width;
  for (int l = levels; l > 0; --l, nodes *= 3) cost += nodes * 2.7 * (rows << l);
  cost += nodes * (rows * rows / 4 + 3 * rows + 16 * lanes);
  for (const bool reduced : {false, true}) {
    for (int lazy = levels; lazy >= 0; --lazy) {
      const std::int64_t fold = lazy == levels ? b.fold << levels : b.half << lazy;
      const std::int64_t factor = lazy == levels || !b.factor_is_full ? b.factor << levels : b.half << lazy;
      const std::int64_t sum = fold * factor * rows, all = (reduced ? b.modulus : sum) << levels;
      if (fold < 32768 && factor < 32768 && sum < std::int64_t{1} << 31 && all < std::int64_t{1} << 31 &&
          sum >> 20 < b.modulus && all >> 20 < b.modulus) {
        const int remainders = levels - lazy;
        return {lanes, width, levels, lazy, reduced, cost * (1 + 0.04 * remainders + (reduced ? 0.15 : 0))};
      }
    }
  }
  return {};
}

/// The cheapest plan for Unit.
template <class Unit>
constexpr toeplitz_plan choose_plan(int degree, const toeplitz_bounds& b) {
  toeplitz_plan best{};
  for (int levels = 0; levels <= 6; ++levels) {
    for (int lanes = Unit::least_lanes; lanes <= Unit::most_lanes; lanes += 8) {
      for (int width = 2; width <= Unit::largest_width; width += 2) {
        if (lanes * width << levels < degree) continue;
        const toeplitz_plan plan = plan_of_shape(lanes, width, levels, b);
        if (plan.cost != 0 && (best.cost == 0 || plan.cost < best.cost)) best = plan;
      }
    }
  }
  return best;
}

#define THRUST_RNS_INLINE inline __attribute__((always_inline))

/// A modulus and its inverse.
struct small_modulus {
  int m;
  float inverse;
  constexpr explicit small_modulus(int modulus) : m(modulus), inverse(1 / static_cast<float>(modulus)) {}

  /// The centred representative of x with |x| < 3 m / 2. By masks: a compiler may make branches of conditions.
  template <class Integer>
  THRUST_RNS_INLINE Integer near_remainder(Integer x) const {
    constexpr int sign = 8 * sizeof(Integer) - 1;
    const auto above = static_cast<Integer>((m - 1) / 2 - x);
    const auto y = static_cast<Integer>(x - (m & (above >> sign)));
    const auto below = static_cast<Integer>(y + m / 2);
    return static_cast<Integer>(y + (m & (below >> sign)));
  }
  /// A representative smaller than 1.2 m of x with |x| <= 2^20 m.
  THRUST_RNS_INLINE int far_remainder(int x) const { return x - static_cast<int>(static_cast<float>(x) * inverse) * m; }
  /// The centred representative of x with |x| <= 2^20 m.
  THRUST_RNS_INLINE int remainder(int x) const { return near_remainder(far_remainder(x)); }
};

/// A plan as a type.
template <int Lanes, int Width, int Levels, int LazyLevels, bool Reduced, bool FactorIsFull>
struct toeplitz {
  static constexpr int lanes = Lanes, width = Width, levels = Levels, lazy_levels = LazyLevels;
  static constexpr bool reduced = Reduced, factor_is_full = FactorIsFull;
};

/// Zeros before, between and after the leaves of g: a leaf uses one on each side.
inline constexpr int factor_gap = 32;
/// The length of g, gaps included.
template <class Plan>
constexpr int factor_length(int levels) {
  return ((Plan::lanes * Plan::width + factor_gap) << levels) + factor_gap;
}

/// out (+)= T g. T as `width / 2` streams `stride` apart, g from its top with gaps, out as leaves of `width` vectors.
template <class Unit, class Plan, int Levels, bool Add>
THRUST_RNS_INLINE void multiply_halves(const std::int16_t* t, std::ptrdiff_t stride, const std::int16_t* g,
                                       std::int32_t* __restrict__ out, const small_modulus& modulus) {
  constexpr int half_rows = Plan::lanes * Plan::width << (Levels - 1), quarter = Plan::lanes << Levels;
  constexpr int half_length = factor_length<Plan>(Levels - 1);
  constexpr bool reduces = Levels > Plan::lazy_levels;
  alignas(64) std::int16_t sum[half_length], differences[2][Plan::width * quarter];
  for (int j = 0; j < half_length; ++j) {
    const auto x = static_cast<std::int16_t>(g[j] + g[half_length - factor_gap + j]);
    sum[j] = reduces && Plan::factor_is_full ? modulus.near_remainder(x) : x;
  }
  for (int h = 0; h < 2; ++h) { // both before any is loaded again: loads across two stores have to wait for these
    for (int i = 0; i < Plan::width / 2; ++i) {
      const std::int16_t *x = t + i * stride + 2 * h * quarter, *middle = t + i * stride + quarter;
      std::int16_t* d = differences[h] + i * 2 * quarter;
      for (int r = 0; r < 2 * quarter; ++r) {
        const auto y = static_cast<std::int16_t>(x[r] - middle[r]);
        d[r] = reduces ? modulus.near_remainder(y) : y;
      }
    }
  }
  if constexpr (Add) {
    alignas(64) std::int32_t both[half_rows];
    Unit::template multiply<Plan, Levels - 1, false>(t + quarter, stride, sum, both, modulus);
    for (int k = 0; k < half_rows; ++k) out[k] += both[k];
    for (int k = 0; k < half_rows; ++k) out[half_rows + k] += both[k];
  } else {
    Unit::template multiply<Plan, Levels - 1, false>(t + quarter, stride, sum, out, modulus);
    for (int k = 0; k < half_rows; k += 16) {
      std::memcpy(out + half_rows + k, out + k, 64);
      asm volatile(""); // or else g++ makes a slower string instruction of the loop
    }
  }
  for (int h = 0; h < 2; ++h) {
    Unit::template multiply<Plan, Levels - 1, true>(differences[h], 2 * quarter, g + h * (half_length - factor_gap),
                                                    out + h * half_rows, modulus);
  }
}

/// `Streams` streams of pairs from an array of as many times `count` pairs.
template <int Streams>
THRUST_RNS_INLINE void to_streams(const std::int16_t* x, std::int16_t* streams, int count) {
  for (int r = 0; r < count; ++r) {
    for (int i = 0; i < Streams; ++i) std::memcpy(streams + 2 * (i * count + r), x + 2 * (r * Streams + i), 4);
  }
}
/// The reverse.
template <int Streams>
THRUST_RNS_INLINE void from_streams(const std::uint32_t* streams, std::int16_t* x, int count) {
  for (int r = 0; r < count; ++r) {
    for (int i = 0; i < Streams; ++i) std::memcpy(x + 2 * (r * Streams + i), streams + i * count + r, 4);
  }
}

THRUST_RNS_INLINE int pair_at(const std::int16_t* x) {
  int pair;
  std::memcpy(&pair, x, 4);
  return pair;
}

/// Coefficient i of an element, centred.
template <class A>
THRUST_RNS_INLINE std::int16_t centred_at(const A& a, int i) {
  const auto x = static_cast<std::int16_t>(a.data()[i]);
  if constexpr (A::is_full) return small_modulus(A::coefficients::modulus).near_remainder(x);
  return x;
}

/// The largest magnitude of a centred coefficient.
template <class A>
inline constexpr std::int64_t largest_coefficient = -A::coefficients::smallest;

/// An addend's coefficient, for none: 0.
struct no_addend {
  THRUST_RNS_HD constexpr int operator[](int) const { return 0; }
};
template <>
inline constexpr std::int64_t largest_coefficient<no_addend> = 0;

/// c := a b + e modulo M, by Unit.
template <class Unit, int M, class A, class B, class E, class Output>
THRUST_RNS_INLINE void multiply_by(const A& a, const B& b, const E& e, Output& c) {
  constexpr int n = A::degree, row = A::row, half = M / 2;
  constexpr bool remainder_of_fold = B::is_full || half < 2 * largest_coefficient<B>;
  constexpr toeplitz_plan best = choose_plan<Unit>(
      n, {M, half, remainder_of_fold ? half : 2 * largest_coefficient<B>, largest_coefficient<A>, A::is_full});
  static_assert(best.cost != 0, "thrust_rns: no plan for products of these elements");
  using plan = toeplitz<best.lanes, best.width, best.levels, best.lazy_levels, best.reduced, A::is_full>;
  constexpr int size = plan::lanes * plan::width << plan::levels, streams = plan::width / 2;
  constexpr small_modulus modulus(M);

  // g from its top; X, the upper half of which is f; its streams
  constexpr int leaf = plan::lanes * plan::width;
  alignas(64) std::int16_t g[factor_length<plan>(plan::levels)], x[2 * size], t[2 * size];
  for (int i = 0; i < n; ++i) x[i] = centred_at(a, i);
  const std::int16_t g_top = x[n - 1];
  std::memset(t, 0, 2 * (size - n));
  for (int i = 0; i < n; ++i) t[size - 1 - i] = x[i];
  for (int k = 0; k < size / leaf; ++k) {
    std::memset(g + k * (leaf + factor_gap), 0, 2 * factor_gap);
    std::memcpy(g + k * (leaf + factor_gap) + factor_gap, t + k * leaf, 2 * leaf);
  }
  std::memset(g + size / leaf * (leaf + factor_gap), 0, 2 * factor_gap);
  std::int16_t *f = x + size - 1, *wrapped = f - (n - 1); // wrapped[i] = F[i - (n - 1)]
  std::memset(x, 0, 2 * (size - n));
  for (int i = 0; i < n; ++i) f[i] = centred_at(b, i);
  std::memset(f + n, 0, 2 * (size + 1 - n));
  for (int i = 1; i < n; ++i) wrapped[i - 1] = static_cast<std::int16_t>(f[i] + f[i - 1]);
  f[0] = static_cast<std::int16_t>(f[0] + f[n - 1]);
  if constexpr (B::is_full) {
    for (int i = 0; i < n; ++i) wrapped[i] = modulus.near_remainder(wrapped[i]);
  } else if constexpr (remainder_of_fold) {
    for (int i = 0; i < 2 * n - 1; ++i) wrapped[i] = static_cast<std::int16_t>(modulus.remainder(wrapped[i]));
  }
  constexpr int pairs = size / streams;
  to_streams<streams>(x, t, pairs);

  alignas(64) std::int32_t sums[size];
  Unit::template multiply<plan, plan::levels, false>(t, 2 * pairs, g, sums, modulus);

  // Remainders a little too large, in the order of k
  constexpr int rows = size < row ? row : size;
  alignas(64) std::uint32_t remainders[size / 2]; // pairs
  alignas(64) std::int16_t products[rows];
  for (int k = 0; k < size; k += 2 * plan::lanes) {
    for (int r = 0; r < plan::lanes; ++r) {
      const int low = modulus.far_remainder(sums[k + r]), high = modulus.far_remainder(sums[k + plan::lanes + r]);
      remainders[k / 2 + r] = (static_cast<std::uint32_t>(low) & 0xffff) | static_cast<std::uint32_t>(high) << 16;
    }
  }
  for (int k = 0; k < size; k += leaf) from_streams<streams>(remainders + k / 2, products + k, plan::lanes);
  products[0] = static_cast<std::int16_t>((products[0] + f[n - 1] * g_top - products[n - 1]) % M);
  std::memset(products + n, 0, 2 * (rows - n));

  for (int k = 0; k < row; ++k) {
    std::int16_t y = modulus.near_remainder(products[k]);
    if constexpr (half < largest_coefficient<E>) {
      y = static_cast<std::int16_t>(modulus.remainder(y + centred_at(e, k)));
    } else if constexpr (largest_coefficient<E> != 0) {
      y = modulus.near_remainder(static_cast<std::int16_t>(y + centred_at(e, k)));
    }
    if constexpr (Output::is_full) {
      constexpr int p = Output::coefficients::modulus;
      if constexpr (p < M) y = static_cast<std::int16_t>(small_modulus(p).remainder(y));
      y = static_cast<std::int16_t>(y + (p & (y >> 15)));
    } else if constexpr (M != 3) {
      y = static_cast<std::int16_t>(small_modulus(3).remainder(y));
    }
    c.data()[k] = static_cast<typename Output::storage_type>(y);
  }
}

/// Plain loops: of width 2 there is one stream, X itself, and the sums over kappa are compilers' dot products.
struct portable_unit {
  static constexpr int least_lanes = 8, most_lanes = 64, largest_width = 2;

  template <int M, class A, class B, class E, class Output>
  static void run(const A& a, const B& b, const E& e, Output& c) {
    multiply_by<portable_unit, M>(a, b, e, c);
  }

  template <class Plan, int Levels, bool Add>
  THRUST_RNS_NOINLINE static void multiply(const std::int16_t* t, std::ptrdiff_t stride, const std::int16_t* g,
                                           std::int32_t* out, const small_modulus& modulus) {
    if constexpr (Levels == 0) {
      constexpr int rows = 2 * Plan::lanes;
      g += factor_gap;
      for (int k = 0; k < rows; ++k) {
        std::int32_t sum = 0;
        for (int j = 0; j < rows; ++j) sum += t[k + j] * g[j];
        if (Plan::reduced) sum = modulus.far_remainder(sum);
        std::int32_t& x = out[k % 2 * Plan::lanes + k / 2];
        x = Add ? x + sum : sum;
      }
    } else {
      multiply_halves<portable_unit, Plan, Levels, Add>(t, stride, g, out, modulus);
    }
  }
};

#if THRUST_RNS_X86
#  define THRUST_RNS_RING_AVX2 __attribute__((target("avx2")))
#  define THRUST_RNS_RING_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")))
#  define THRUST_RNS_UNROLL _Pragma("GCC unroll 32")

struct avx2_unit {
  static constexpr int lanes = 8, least_lanes = lanes, most_lanes = lanes, largest_width = 8;

  template <int M, class A, class B, class E, class Output>
  THRUST_RNS_RING_AVX2 static void run(const A& a, const B& b, const E& e, Output& c) {
    multiply_by<avx2_unit, M>(a, b, e, c);
  }

  template <class Plan, int Levels, bool Add>
  THRUST_RNS_NOINLINE THRUST_RNS_RING_AVX2 static void multiply(const std::int16_t* t, std::ptrdiff_t stride,
                                                                const std::int16_t* g, std::int32_t* out,
                                                                const small_modulus& modulus) {
    if constexpr (Levels == 0) {
      multiply_leaf<Plan, Add>(t, stride, g, out, modulus);
    } else {
      multiply_halves<avx2_unit, Plan, Levels, Add>(t, stride, g, out, modulus);
    }
  }

  /// One step in kappa / width; of the first and the last only the terms that are not zero.
  template <int Width, bool First, bool Last>
  THRUST_RNS_INLINE THRUST_RNS_RING_AVX2 static void step(__m256i (&sum)[Width], const std::int16_t* t,
                                                          std::ptrdiff_t stride, const std::int16_t* g) {
    asm("" : "+r"(g)); // g++ would keep pairs for the next step, and move them from register to register
    __m256i x[Width / 2];
    THRUST_RNS_UNROLL
    for (int i = 0; i < Width / 2; ++i) {
      x[i] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(t + i * stride));
    }
    THRUST_RNS_UNROLL
    for (int j = First ? -1 : 1 - Width; j < (Last ? 0 : Width - 1); ++j) {
      const __m256i pair = _mm256_set1_epi32(pair_at(g + j));
      THRUST_RNS_UNROLL
      for (int i = 0; i < Width / 2; ++i) {
        const int s = 2 * i - j;
        if (0 <= s && s < Width) sum[s] = _mm256_add_epi32(sum[s], _mm256_madd_epi16(x[i], pair));
      }
    }
  }

  template <class Plan, bool Add>
  THRUST_RNS_INLINE THRUST_RNS_RING_AVX2 static void multiply_leaf(const std::int16_t* t, std::ptrdiff_t stride,
                                                                   const std::int16_t* g, std::int32_t* out,
                                                                   [[maybe_unused]] const small_modulus& modulus) {
    constexpr int width = Plan::width;
    g += factor_gap;
    __m256i sum[width];
    THRUST_RNS_UNROLL
    for (int s = 0; s < width; ++s) sum[s] = _mm256_setzero_si256();
    step<width, true, false>(sum, t, stride, g);
    for (int q = 1; q < lanes; ++q) step<width, false, false>(sum, t + 2 * q, stride, g + q * width);
    step<width, false, true>(sum, t + 2 * lanes, stride, g + lanes * width);
    THRUST_RNS_UNROLL
    for (int s = 0; s < width; ++s) {
      if constexpr (Plan::reduced) {
        const __m256 quotient = _mm256_mul_ps(_mm256_cvtepi32_ps(sum[s]), _mm256_set1_ps(modulus.inverse));
        const __m256i multiple = _mm256_mullo_epi32(_mm256_cvttps_epi32(quotient), _mm256_set1_epi32(modulus.m));
        sum[s] = _mm256_sub_epi32(sum[s], multiple);
      }
      auto* sums = reinterpret_cast<__m256i*>(out + s * lanes);
      if constexpr (Add) sum[s] = _mm256_add_epi32(sum[s], _mm256_loadu_si256(sums));
      _mm256_storeu_si256(sums, sum[s]);
    }
  }
};

struct avx512_unit {
  static constexpr int lanes = 16, least_lanes = lanes, most_lanes = lanes, largest_width = 10;

  template <int M, class A, class B, class E, class Output>
  THRUST_RNS_RING_AVX512 static void run(const A& a, const B& b, const E& e, Output& c) {
    multiply_by<avx512_unit, M>(a, b, e, c);
  }

  template <class Plan, int Levels, bool Add>
  THRUST_RNS_NOINLINE THRUST_RNS_RING_AVX512 static void multiply(const std::int16_t* t, std::ptrdiff_t stride,
                                                                  const std::int16_t* g, std::int32_t* out,
                                                                  const small_modulus& modulus) {
    if constexpr (Levels == 0) {
      multiply_leaf<Plan, Add>(t, stride, g, out, modulus);
    } else {
      multiply_halves<avx512_unit, Plan, Levels, Add>(t, stride, g, out, modulus);
    }
  }

  template <int Width, int Sets, bool First, bool Last>
  THRUST_RNS_INLINE THRUST_RNS_RING_AVX512 static void step(__m512i (&sum)[Sets][Width], const std::int16_t* t,
                                                            std::ptrdiff_t stride, const std::int16_t* g) {
    asm("" : "+r"(g));
    THRUST_RNS_UNROLL
    for (int i = 0; i < Width / 2; ++i) {
      const __m512i x = _mm512_loadu_si512(t + i * stride);
      THRUST_RNS_UNROLL
      for (int s = Last ? 2 * i + 1 : 0; s < (First && 2 * i + 2 < Width ? 2 * i + 2 : Width); ++s) {
        // _mm512_dpwssd_epi32, around which g++ copies the sums
        asm("vpdpwssd %2, %1, %0" : "+v"(sum[i % Sets][s]) : "v"(x), "v"(_mm512_set1_epi32(pair_at(g + 2 * i - s))));
      }
    }
  }

  template <class Plan, bool Add>
  THRUST_RNS_INLINE THRUST_RNS_RING_AVX512 static void multiply_leaf(const std::int16_t* t, std::ptrdiff_t stride,
                                                                     const std::int16_t* g, std::int32_t* out,
                                                                     [[maybe_unused]] const small_modulus& modulus) {
    constexpr int width = Plan::width;
    constexpr int sets = width == 6 ? 3 : (width > 2 ? 2 : 1); // of sums: enough for the latency, and all in registers
    g += factor_gap;
    __m512i sum[sets][width];
    THRUST_RNS_UNROLL
    for (int h = 0; h < sets; ++h) {
      THRUST_RNS_UNROLL
      for (int s = 0; s < width; ++s) sum[h][s] = _mm512_setzero_si512();
    }
    step<width, sets, true, false>(sum, t, stride, g);
    for (int q = 1; q < lanes; ++q) step<width, sets, false, false>(sum, t + 2 * q, stride, g + q * width);
    step<width, sets, false, true>(sum, t + 2 * lanes, stride, g + lanes * width);
    THRUST_RNS_UNROLL
    for (int s = 0; s < width; ++s) {
      THRUST_RNS_UNROLL
      for (int h = 1; h < sets; ++h) sum[0][s] = _mm512_add_epi32(sum[0][s], sum[h][s]);
      if constexpr (Plan::reduced) {
        constexpr __mmask16 all = 0xffff; // g++ 12 warns of the intrinsics without a mask
        const __m512 quotient = _mm512_maskz_cvtepi32_ps(all, sum[0][s]) * _mm512_set1_ps(modulus.inverse);
        const __m512i whole = _mm512_maskz_cvttps_epi32(all, quotient);
        sum[0][s] = _mm512_sub_epi32(sum[0][s], _mm512_mullo_epi32(whole, _mm512_set1_epi32(modulus.m)));
      }
      if constexpr (Add) sum[0][s] = _mm512_add_epi32(sum[0][s], _mm512_loadu_si512(out + s * lanes));
      _mm512_storeu_si512(out + s * lanes, sum[0][s]);
    }
  }
};
#endif

/// The widest instructions for products that this processor has.
inline instructions ring_instructions() {
#if THRUST_RNS_X86
  static const instructions widest = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                                             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                                             __builtin_cpu_supports("avx512vnni")
                                         ? instructions::avx512
                                     : __builtin_cpu_supports("avx2") ? instructions::avx2
                                                                      : instructions::portable;
  return widest;
#else
  return instructions::portable;
#endif
}

/// c := a b + e modulo M, as centred representatives in Output's coefficients. The same by all instructions.
template <int M, class A, class B, class E, class Output>
void multiply_on_host(const A& a, const B& b, const E& e, Output& c,
                      [[maybe_unused]] instructions use = ring_instructions()) {
  if constexpr (A::is_full && !B::is_full) {
    multiply_on_host<M>(b, a, e, c, use);
  } else {
#if THRUST_RNS_X86
    if (use == instructions::avx512) return avx512_unit::run<M>(a, b, e, c);
    if (use == instructions::avx2) return avx2_unit::run<M>(a, b, e, c);
#endif
    portable_unit::run<M>(a, b, e, c);
  }
}

} // namespace detail
} // namespace thrust_rns
