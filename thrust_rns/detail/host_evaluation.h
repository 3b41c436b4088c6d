// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// The first pass of the evaluation on the host, for a block of elements: residues are read plane by plane, and the sums of
/// all elements stay in the first-level cache.

#include <cstdint>
#include <cstring>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/instructions.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/number.h>
#include <thrust_rns/span.h>

namespace thrust_rns {
namespace detail {

inline constexpr int evaluation_block = 256;

/// sum[c][j] for the block's element j and digit c of the first group.
using block_sums = std::uint64_t[4][evaluation_block];

/// Where the residues of a block are, and the digits that they are multiplied by.
struct block_planes {
  const std::uint32_t* first;
  std::int64_t stride;
  const digit_group* digits;
  int size;

  const std::uint32_t* plane(int k) const { return first + k * stride; }

  /// What a pass over plane k fetches into the cache: the fourth plane from it, round to those of the next block. The
  /// processor's own prefetching does not follow so many planes.
  const std::uint32_t* fetched_with(int k) const {
    return k + 4 < size ? plane(k + 4) : plane(k + 4 - size) + evaluation_block;
  }
};

/// sum[c][j] := sum over all planes x_k of x_k[j] (digit c of modulus k), for j < count.
inline void sum_planes(const block_planes& planes, int count, block_sums& sum) {
  std::memset(sum, 0, sizeof sum);
  for (int k = 0; k < planes.size; ++k) {
    const std::uint32_t* x = planes.plane(k);
    for (int c = 0; c < 4; ++c) {
      const std::uint64_t d = planes.digits[k].digit[c];
      for (int j = 0; j < count; ++j) sum[c][j] += x[j] * d;
    }
  }
}

/// keys[j] := the key of element j < count, 0 if its sums do not resolve it. Whether all are resolved.
template <class Number>
bool keys_from_sums(const block_sums& sum, int count, std::uint64_t* keys) {
  bool all = true;
  for (int j = 0; j < count; ++j) {
    keys[j] = key_from_leading<Number>(digit_sums{{sum[0][j], sum[1][j], sum[2][j], sum[3][j]}}.leading());
    all &= keys[j] != 0;
  }
  return all;
}

// ---- the same for whole blocks, four or eight elements at a time ------------------------------------------------

#if THRUST_RNS_X86
#  define THRUST_RNS_AVX2 __attribute__((target("avx2")))
#  define THRUST_RNS_AVX512 __attribute__((target("avx512f,avx512cd")))

// Need not be aligned; typedefs, since clang forgets the alignment of an alias.
typedef std::uint64_t words4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef std::uint64_t words8 __attribute__((vector_size(64), aligned(8), may_alias));
inline constexpr __mmask8 all_lanes = 0xff; // g++ 12 warns of the intrinsics without a mask

/// Adds `Group` planes, plane k and those after it, in one pass over the sums.
template <int Group>
THRUST_RNS_AVX2 void add_group_avx2(const block_planes& planes, int k, block_sums& sum) {
  const std::uint32_t *x[Group], *fetched[Group];
  words4 d[Group][4];
  for (int i = 0; i < Group; ++i) {
    x[i] = planes.plane(k + i);
    fetched[i] = planes.fetched_with(k + i);
    for (int c = 0; c < 4; ++c) d[i][c] = words4{} + planes.digits[k + i].digit[c];
  }
  for (int j = 0; j < evaluation_block; j += 4) {
    words4 s[4];
    for (int c = 0; c < 4; ++c) s[c] = *reinterpret_cast<const words4*>(sum[c] + j);
    for (int i = 0; i < Group; ++i) {
      __builtin_prefetch(fetched[i] + j);
      const __m256i y = _mm256_cvtepu32_epi64(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x[i] + j)));
      for (int c = 0; c < 4; ++c) s[c] += (words4)_mm256_mul_epu32(y, (__m256i)d[i][c]);
    }
    for (int c = 0; c < 4; ++c) *reinterpret_cast<words4*>(sum[c] + j) = s[c];
  }
}

THRUST_RNS_AVX2 inline void sum_planes_avx2(const block_planes& planes, block_sums& sum) {
  std::memset(sum, 0, sizeof sum);
  int k = 0;
  for (; k + 2 <= planes.size; k += 2) add_group_avx2<2>(planes, k, sum);
  if (k < planes.size) add_group_avx2<1>(planes, k, sum);
}

template <int Group>
THRUST_RNS_AVX512 void add_group_avx512(const block_planes& planes, int k, block_sums& sum) {
  const std::uint32_t *x[Group], *fetched[Group];
  words8 d[Group][4];
  for (int i = 0; i < Group; ++i) {
    x[i] = planes.plane(k + i);
    fetched[i] = planes.fetched_with(k + i);
    for (int c = 0; c < 4; ++c) d[i][c] = words8{} + planes.digits[k + i].digit[c];
  }
  for (int j = 0; j < evaluation_block; j += 8) {
    words8 s[4];
    for (int c = 0; c < 4; ++c) s[c] = *reinterpret_cast<const words8*>(sum[c] + j);
    for (int i = 0; i < Group; ++i) {
      __builtin_prefetch(fetched[i] + j);
      const __m512i y =
          _mm512_maskz_cvtepu32_epi64(all_lanes, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x[i] + j)));
      for (int c = 0; c < 4; ++c) s[c] += (words8)_mm512_maskz_mul_epu32(all_lanes, y, (__m512i)d[i][c]);
    }
    for (int c = 0; c < 4; ++c) *reinterpret_cast<words8*>(sum[c] + j) = s[c];
  }
}

/// The sums of 32 elements at a time stay in registers, over all planes. Best where the processor's prefetching follows as
/// many planes as there are.
THRUST_RNS_AVX512 inline void sum_columns_avx512(const block_planes& planes, block_sums& sum) {
  for (int j = 0; j < evaluation_block; j += 32) {
    words8 s[4][4] = {};
    for (int k = 0; k < planes.size; ++k) {
      const std::uint32_t* x = planes.plane(k) + j;
      __builtin_prefetch(x + 64);
      __builtin_prefetch(x + 80);
      __m512i d[4];
      for (int c = 0; c < 4; ++c) d[c] = _mm512_set1_epi32(static_cast<int>(planes.digits[k].digit[c]));
      for (int i = 0; i < 4; ++i) {
        const __m512i y =
            _mm512_maskz_cvtepu32_epi64(all_lanes, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x + 8 * i)));
        for (int c = 0; c < 4; ++c) s[i][c] += (words8)_mm512_maskz_mul_epu32(all_lanes, y, d[c]);
      }
    }
    for (int i = 0; i < 4; ++i) {
      for (int c = 0; c < 4; ++c) *reinterpret_cast<words8*>(sum[c] + j + 8 * i) = s[i][c];
    }
  }
}

THRUST_RNS_AVX512 inline void sum_planes_avx512(const block_planes& planes, block_sums& sum) {
  if (planes.size <= 32) {
    sum_columns_avx512(planes, sum);
    return;
  }
  std::memset(sum, 0, sizeof sum);
  int k = 0;
  for (; k + 4 <= planes.size; k += 4) add_group_avx512<4>(planes, k, sum);
  for (; k < planes.size; ++k) add_group_avx512<1>(planes, k, sum);
}

/// key_from_leading, line by line.
template <class Number>
THRUST_RNS_AVX512 bool keys_from_sums_avx512(const block_sums& sum, std::uint64_t* keys) {
  using constants = base_constants<typename Number::base_type>;
  constexpr int p = constants::mantissa_bits;
  constexpr std::uint64_t least = std::uint64_t{1} << constants::leading_bits, error = constants::leading_error;
  constexpr std::uint64_t end = Number::is_symmetric ? std::uint64_t{1} << 63 : 0; // 2^63, or 2^64
  words8 all = ~words8{};
  for (int j = 0; j < evaluation_block; j += 8) {
    words8 s[4];
    for (int c = 0; c < 4; ++c) s[c] = *reinterpret_cast<const words8*>(sum[c] + j);
    words8 v = (s[0] << 40) + (s[1] << 16) + (s[2] >> 8) + (s[3] >> 32);
    const words8 sign = Number::is_symmetric ? -(v >> 63) : words8{}; // -1 for negative numbers
    v = (v ^ sign) - sign; // |X|/M lies in [v, v + error) 2^-64, or (v - error, v] 2^-64 where negative
    const words8 resolved = (words8)(v - (sign & error) - least <= words8{} + (end - error - least));
    const words8 zeros = (words8)_mm512_maskz_lzcnt_epi64(all_lanes, (__m512i)v);
    const words8 code = ((constants::exponent_bias - 2 - zeros) << p) + ((v << zeros) >> (63 - p));
    *reinterpret_cast<words8*>(keys + j) = (zero_key + (code ^ sign) - sign) & resolved;
    all &= resolved;
  }
  return _mm512_test_epi64_mask((__m512i)all, (__m512i)all) == all_lanes;
}
#endif

/// The widest instructions that this processor has.
inline instructions widest_instructions() {
#if THRUST_RNS_X86
  static const instructions widest = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd")
                                         ? instructions::avx512
                                     : __builtin_cpu_supports("avx2") ? instructions::avx2
                                                                      : instructions::portable;
  return widest;
#else
  return instructions::portable;
#endif
}

/// keys[k] := the key of element first + k, k < count <= evaluation_block. The same keys by all instructions.
template <class Number>
void evaluate_block(const span<const Number>& s, std::int64_t first, int count, std::uint64_t* keys,
                    [[maybe_unused]] instructions use = widest_instructions()) {
  const block_planes planes{s.plane(0) + first, s.stride(), expansions_of<typename Number::base_type>().group[0].data(),
                            Number::size};
  alignas(64) block_sums sum;
  bool resolved;
#if THRUST_RNS_X86
  if (use == instructions::avx512 && count == evaluation_block) {
    sum_planes_avx512(planes, sum);
    resolved = keys_from_sums_avx512<Number>(sum, keys);
  } else if (use == instructions::avx2 && count == evaluation_block) {
    sum_planes_avx2(planes, sum);
    resolved = keys_from_sums<Number>(sum, count, keys);
  } else
#endif
  {
    sum_planes(planes, count, sum);
    resolved = keys_from_sums<Number>(sum, count, keys);
  }
  if (resolved) return;
  for (int k = 0; k < count; ++k) {
    if (keys[k] != 0) continue;
    const digit_sums sums{{sum[0][k], sum[1][k], sum[2][k], sum[3][k]}};
    keys[k] = key_by_magnification<Number>(strided_residues{planes.first + k, planes.stride}, sums.leading());
  }
}

} // namespace detail
} // namespace thrust_rns
