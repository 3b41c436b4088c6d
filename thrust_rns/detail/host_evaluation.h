// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// The first pass of the evaluation on the host, for a block of elements: residues are read plane by plane, and the sums of
/// all elements stay in the first-level cache.

#include <cstdint>

// Chosen when the program runs; nvcc's front end is spared the intrinsics.
#if defined(__x86_64__) && !defined(__CUDACC__)
#  define THRUST_RNS_AVX2 1
#  include <immintrin.h>
#else
#  define THRUST_RNS_AVX2 0
#endif

#include <thrust_rns/config.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/number.h>
#include <thrust_rns/span.h>

namespace thrust_rns {
namespace detail {

inline constexpr int evaluation_block = 256;

/// sum[c][j] for the block's element j and digit c of the first group.
using block_sums = std::uint64_t[4][evaluation_block];

/// sum[c][j] += x_k[j] (digit c of modulus k) for the planes x_k, k < planes, `stride` apart, and j < count.
inline void add_planes(const std::uint32_t* x, std::int64_t stride, const digit_group* digits, int planes, int count,
                       block_sums& sum) {
  for (int k = 0; k < planes; ++k, x += stride) {
    for (int c = 0; c < 4; ++c) {
      const std::uint64_t d = digits[k].digit[c];
      for (int j = 0; j < count; ++j) sum[c][j] += x[j] * d;
    }
  }
}

#if THRUST_RNS_AVX2
__attribute__((target("avx2"))) inline __m256i widen_avx2(const std::uint32_t* p) {
  return _mm256_cvtepu32_epi64(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}

/// The same for all j < evaluation_block, two planes and four elements at a time.
__attribute__((target("avx2"))) inline void add_planes_avx2(const std::uint32_t* x, std::int64_t stride,
                                                            const digit_group* digits, int planes, block_sums& sum) {
  int k = 0;
  for (; k + 2 <= planes; k += 2, x += 2 * stride) {
    __m256i d0[4], d1[4];
    for (int c = 0; c < 4; ++c) {
      d0[c] = _mm256_set1_epi64x(digits[k].digit[c]);
      d1[c] = _mm256_set1_epi64x(digits[k + 1].digit[c]);
    }
    for (int j = 0; j < evaluation_block; j += 4) {
      const __m256i x0 = widen_avx2(x + j), x1 = widen_avx2(x + stride + j);
      for (int c = 0; c < 4; ++c) {
        auto* out = reinterpret_cast<__m256i*>(sum[c] + j);
        const __m256i both = _mm256_add_epi64(_mm256_mul_epu32(x0, d0[c]), _mm256_mul_epu32(x1, d1[c]));
        _mm256_storeu_si256(out, _mm256_add_epi64(_mm256_loadu_si256(out), both));
      }
    }
  }
  add_planes(x, stride, digits + k, planes - k, evaluation_block, sum);
}
#endif

/// The sums of `count` elements, by the widest instructions that the processor has.
inline void sum_block(const std::uint32_t* x, std::int64_t stride, const digit_group* digits, int planes, int count,
                      block_sums& sum) {
#if THRUST_RNS_AVX2
  static const bool avx2 = __builtin_cpu_supports("avx2");
  if (avx2 && count == evaluation_block) {
    add_planes_avx2(x, stride, digits, planes, sum);
    return;
  }
#endif
  add_planes(x, stride, digits, planes, count, sum);
}

/// keys[k] := the key of element first + k, k < count <= evaluation_block.
template <class Number>
void evaluate_block(const span<const Number>& s, std::int64_t first, int count, std::uint64_t* keys) {
  block_sums sum = {};
  const auto& digits = expansions_of<typename Number::base_type>().group[0];
  sum_block(s.plane(0) + first, s.stride(), digits.data(), Number::size, count, sum);
  for (int k = 0; k < count; ++k) {
    digit_sums sums;
    for (int c = 0; c < 4; ++c) sums.s[c] = sum[c][k];
    keys[k] = key_from_leading<Number>(sums.leading());
    if (keys[k] == 0) {
      keys[k] = key_by_magnification<Number>(strided_residues{s.plane(0) + first + k, s.stride()}, sums.leading());
    }
  }
}

} // namespace detail
} // namespace thrust_rns
