// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Extrema and sums on Thrust's host backends (OpenMP, TBB, sequential): one implementation, as a transform_reduce over
/// chunks of elements with the caller's policy.

#include <algorithm>
#include <cstdint>

#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform_reduce.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/candidate.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/number.h>
#include <thrust_rns/span.h>

namespace thrust_rns {
namespace detail {

/// Keys of elements first .. first + count - 1, count <= block; residues are read plane by plane so that the compiler
/// can vectorise over the elements. Each element's four sums stay in the first-level cache.
inline constexpr int evaluation_block = 256;

template <class Number>
void evaluate_block(const span<const Number>& s, std::int64_t first, int count, std::uint64_t* keys) {
  using Base = typename Number::base_type;
  const auto& digits = expansions_of<Base>().group[0];
  std::uint64_t sum[4][evaluation_block] = {};
  constexpr int at_once = 4; // planes, so that the sums are loaded and stored less often
  int i = 0;
  for (; i + at_once <= Number::size; i += at_once) {
    const std::uint32_t* x[at_once];
    for (int k = 0; k < at_once; ++k) x[k] = s.plane(i + k) + first;
    const digit_group d[at_once] = {digits[i], digits[i + 1], digits[i + 2], digits[i + 3]};
    for (int c = 0; c < 4; ++c) {
      std::uint64_t* out = sum[c];
      for (int j = 0; j < count; ++j) {
        out[j] += std::uint64_t{x[0][j]} * d[0].digit[c] + std::uint64_t{x[1][j]} * d[1].digit[c] +
                  std::uint64_t{x[2][j]} * d[2].digit[c] + std::uint64_t{x[3][j]} * d[3].digit[c];
      }
    }
  }
  for (; i < Number::size; ++i) {
    const std::uint32_t* x = s.plane(i) + first;
    for (int c = 0; c < 4; ++c) {
      for (int j = 0; j < count; ++j) sum[c][j] += std::uint64_t{x[j]} * digits[i].digit[c];
    }
  }
  for (int j = 0; j < count; ++j) {
    digit_sums sums;
    for (int c = 0; c < 4; ++c) sums.s[c] = sum[c][j];
    const std::uint64_t v = sums.leading();
    keys[j] = key_from_leading<Number>(v);
    if (keys[j] == 0) keys[j] = key_by_magnification<Number>(plane_residues{s.plane(0) + first + j, s.stride()}, v);
  }
}

/// The best candidate of one chunk; fills the cache of evaluations.
template <int Order, class Number>
struct best_of_chunk {
  static constexpr std::int64_t chunk = 8 * evaluation_block;

  span<const Number> s;
  std::int64_t first, count;

  candidate operator()(std::int64_t index) const {
    const better_candidate<Order, Number> better{s};
    candidate best{0, -1};
    const std::int64_t last = first + std::min(count, (index + 1) * chunk);
    for (std::int64_t j = first + index * chunk; j < last; j += evaluation_block) {
      const int n = static_cast<int>(std::min<std::int64_t>(evaluation_block, last - j));
      std::uint64_t keys[evaluation_block];
      bool known = s.evaluations() != nullptr;
      if (known) {
        for (int k = 0; k < n; ++k) {
          keys[k] = load_relaxed(s.evaluations() + j + k);
          known = known && keys[k] != 0;
        }
      }
      if (!known) {
        evaluate_block(s, j, n, keys);
        if (s.evaluations() != nullptr) {
          for (int k = 0; k < n; ++k) store_relaxed(s.evaluations() + j + k, keys[k]);
        }
      }
      for (int k = 0; k < n; ++k) best = better(best, candidate{keys[k], j + k});
    }
    return best;
  }
};

/// The index within the span of the extreme element of first .. first + count - 1, count > 0.
template <int Order, class Policy, class Number>
std::int64_t extreme_index_on_host(Policy& exec, const span<const Number>& s, std::int64_t first, std::int64_t count) {
  using Chunk = best_of_chunk<Order, Number>;
  const thrust::counting_iterator<std::int64_t> chunks(0);
  return thrust::transform_reduce(exec, chunks, chunks + (count + Chunk::chunk - 1) / Chunk::chunk,
                                  Chunk{s, first, count}, candidate{0, -1}, better_candidate<Order, Number>{s})
      .index;
}

/// The sum of one chunk.
template <class Number>
struct sum_of_chunk {
  static constexpr std::int64_t chunk = 16384; // residues are below 2^31: the sums fit in 64 bits by far

  span<const Number> s;
  std::int64_t first, count;

  Number operator()(std::int64_t index) const {
    const std::int64_t begin = first + index * chunk, end = first + std::min(count, (index + 1) * chunk);
    Number total;
    for (int i = 0; i < Number::size; ++i) {
      const std::uint32_t* x = s.plane(i);
      std::uint64_t sum = 0;
      for (std::int64_t j = begin; j < end; ++j) sum += x[j];
      total.set_residue(i, moduli_of<typename Number::base_type>()[i].reduce(sum));
    }
    return total;
  }
};

template <class Policy, class Number>
Number sum_on_host(Policy& exec, const span<const Number>& s, std::int64_t first, std::int64_t count,
                   const Number& init) {
  using Chunk = sum_of_chunk<Number>;
  const thrust::counting_iterator<std::int64_t> chunks(0);
  return thrust::transform_reduce(exec, chunks, chunks + (count + Chunk::chunk - 1) / Chunk::chunk,
                                  Chunk{s, first, count}, init, plus{});
}

} // namespace detail
} // namespace thrust_rns
