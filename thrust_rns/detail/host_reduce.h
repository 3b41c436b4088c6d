// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Extrema and sums on Thrust's host backends (OpenMP, TBB, sequential): one implementation, as a transform_reduce over
/// chunks of elements with the caller's policy.

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform_reduce.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/candidate.h>
#include <thrust_rns/detail/host_evaluation.h>
#include <thrust_rns/functional.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/number.h>
#include <thrust_rns/span.h>

namespace thrust_rns {
namespace detail {

/// Keys of the elements first .. first + count - 1 of a view, count <= evaluation_block; fills the cache of evaluations.
template <class Number>
void keys_of_block(const span<const Number>& s, std::int64_t first, int count, std::uint64_t* keys) {
  bool known = s.evaluations() != nullptr;
  for (int k = 0; known && k < count; ++k) {
    keys[k] = load_relaxed(s.evaluations() + first + k);
    known = keys[k] != 0;
  }
  if (known) return;
  evaluate_block(s, first, count, keys);
  if (s.evaluations() == nullptr) return;
  for (int k = 0; k < count; ++k) store_relaxed(s.evaluations() + first + k, keys[k]);
}

/// The same for an array of whole numbers, which has no cache.
template <class Number>
void keys_of_block(const Number* numbers, std::int64_t first, int count, std::uint64_t* keys) {
  for (int k = 0; k < count; ++k) keys[k] = evaluate_key<Number>(residues_of<Number>{numbers[first + k]});
}

/// Candidates for the largest and the smallest element; one that is not wanted stays empty.
struct extreme_pair {
  candidate largest{0, -1}, smallest{0, -1};
};

template <class Number>
struct better_pair {
  residue_layout layout;

  extreme_pair operator()(const extreme_pair& a, const extreme_pair& b) const {
    return {better_candidate<Number>{layout, 1}(a.largest, b.largest),
            better_candidate<Number>{layout, -1}(a.smallest, b.smallest)};
  }
};

/// The extremes of one chunk. Numbers: a view, or a pointer to whole numbers.
template <wanted Wanted, class Number, class Numbers>
struct extremes_of_chunk {
  static constexpr std::int64_t chunk = 8 * evaluation_block;

  Numbers numbers;
  std::int64_t first, count;

  extreme_pair operator()(std::int64_t index) const {
    best_so_far<Number, 1> largest(layout_of<Number>(numbers));
    best_so_far<Number, -1> smallest(layout_of<Number>(numbers));
    const std::int64_t last = first + std::min(count, (index + 1) * chunk);
    for (std::int64_t j = first + index * chunk; j < last; j += evaluation_block) {
      const int n = static_cast<int>(std::min<std::int64_t>(evaluation_block, last - j));
      std::uint64_t keys[evaluation_block];
      keys_of_block<Number>(numbers, j, n, keys);
      for (int k = 0; k < n; ++k) {
        if constexpr (wants_largest<Wanted>) {
          if (__builtin_expect(largest.may_win(keys[k]), false)) largest.consider(keys[k], j + k);
        }
        if constexpr (wants_smallest<Wanted>) {
          if (__builtin_expect(smallest.may_win(keys[k]), false)) smallest.consider(keys[k], j + k);
        }
      }
    }
    return {largest.get(), smallest.get()};
  }
};

/// The extremes of first .. first + count - 1, count > 0; indices within `numbers`.
template <wanted Wanted, class Number, class Policy, class Numbers>
extreme_pair extremes_on_host(Policy& exec, const Numbers& numbers, std::int64_t first, std::int64_t count) {
  using Chunk = extremes_of_chunk<Wanted, Number, Numbers>;
  const thrust::counting_iterator<std::int64_t> chunks(0);
  return thrust::transform_reduce(exec, chunks, chunks + (count + Chunk::chunk - 1) / Chunk::chunk,
                                  Chunk{numbers, first, count}, extreme_pair{},
                                  better_pair<Number>{layout_of<Number>(numbers)});
}

/// The sum of one chunk.
template <class Number, class Numbers>
struct sum_of_chunk {
  static constexpr std::int64_t chunk = 16384; // residues are below 2^31: the sums fit in 64 bits by far

  Numbers numbers;
  std::int64_t first, count;

  Number operator()(std::int64_t index) const {
    const std::int64_t begin = first + index * chunk, end = first + std::min(count, (index + 1) * chunk);
    std::uint64_t sum[Number::size] = {};
    if constexpr (std::is_pointer_v<Numbers>) {
      for (std::int64_t j = begin; j < end; ++j) {
        for (int i = 0; i < Number::size; ++i) sum[i] += numbers[j].residue(i);
      }
    } else {
      for (int i = 0; i < Number::size; ++i) {
        const std::uint32_t* x = numbers.plane(i);
        std::uint64_t s = 0;
        for (std::int64_t j = begin; j < end; ++j) s += x[j];
        sum[i] = s;
      }
    }
    Number total;
    for (int i = 0; i < Number::size; ++i) {
      total.set_residue(i, moduli_of<typename Number::base_type>()[i].reduce(sum[i]));
    }
    return total;
  }
};

template <class Number, class Policy, class Numbers>
Number sum_on_host(Policy& exec, const Numbers& numbers, std::int64_t first, std::int64_t count, const Number& init) {
  using Chunk = sum_of_chunk<Number, Numbers>;
  const thrust::counting_iterator<std::int64_t> chunks(0);
  return thrust::transform_reduce(exec, chunks, chunks + (count + Chunk::chunk - 1) / Chunk::chunk,
                                  Chunk{numbers, first, count}, init, plus{});
}

} // namespace detail
} // namespace thrust_rns
