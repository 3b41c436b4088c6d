// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Moving numbers to other places, a row of words at a time: a row is a plane of residues, the evaluations, or a word of each of
/// an array of whole numbers.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/candidate.h>
#include <thrust_rns/number.h>
#include <thrust_rns/detail/launch.cuh>

namespace thrust_rns {
namespace detail {

/// Word w of element j is first[w * row_stride + j * element_stride].
template <class Word>
struct word_rows {
  Word* first;
  std::int64_t row_stride, element_stride;
  __device__ Word& operator()(std::int64_t row, std::int64_t element) const {
    return first[row * row_stride + element * element_stride];
  }
  word_rows from_row(std::int64_t row) const { return {first + row * row_stride, row_stride, element_stride}; }
};

/// Whether the words of a row lie together on both sides; then rows are counted by blockIdx.y.
template <class Word>
THRUST_RNS_HD bool rows_together(const word_rows<const Word>& from, const word_rows<Word>& to) {
  return from.element_stride == 1 && to.element_stride == 1;
}

/// Calls f(row, item) for all rows and items, with neighbouring words for neighbouring threads.
template <class Function>
__device__ void for_words(bool together, std::int64_t count, int rows, Function f) {
  if (together) {
    for (std::int64_t j = first_item(); j < count; j += item_step()) f(std::int64_t{blockIdx.y}, j);
  } else { // an array: the words of an item are neighbours
    for (std::int64_t t = first_item(); t < count * rows; t += item_step()) f(t % rows, t / rows);
  }
}

/// Element i of `to` := element places[i] of `from`. A random read fetches a sector of 32 bytes; one row after another, those
/// of a row stay in the second-level cache.
template <class Word, class Index>
__global__ void __launch_bounds__(item_threads)
    gather_words(word_rows<const Word> from, const Index* places, std::int64_t count, int rows, word_rows<Word> to) {
  for_words(rows_together(from, to), count, rows,
            [&](std::int64_t row, std::int64_t i) { to(row, i) = from(row, static_cast<std::int64_t>(places[i])); });
}

/// Element places[i] of `to` := element i of `from`; places null: element i.
template <class Word, class Index>
__global__ void __launch_bounds__(item_threads)
    scatter_words(word_rows<const Word> from, const Index* places, std::int64_t count, int rows, word_rows<Word> to) {
  for_words(rows_together(from, to), count, rows, [&](std::int64_t row, std::int64_t i) {
    to(row, places == nullptr ? i : static_cast<std::int64_t>(places[i])) = from(row, i);
  });
}

/// Launches one of the two for `rows` rows.
template <class Word, class Index>
cudaError_t move_words(void (*kernel)(word_rows<const Word>, const Index*, std::int64_t, int, word_rows<Word>),
                       word_rows<const Word> from, const Index* places, std::int64_t count, int rows,
                       word_rows<Word> to, cudaStream_t stream) {
  const bool together = rows_together(from, to);
  constexpr std::int64_t most_blocks = std::int64_t{1} << 30;
  return launch_items(kernel, together ? count : count * rows, most_blocks, together ? rows : 1, stream, from, places,
                      count, rows, to);
}

/// Element i := element places[i], `rows` rows, through temporary memory for at least one row.
template <class Word, class Index>
cudaError_t permute_words(word_rows<Word> words, int rows, const Index* places, std::int64_t count, void* temp,
                          std::size_t temp_bytes, cudaStream_t stream) {
  if (count == 0) return cudaSuccess;
  const auto fitting = temp_bytes / (static_cast<std::size_t>(count) * sizeof(Word));
  const int at_once = static_cast<int>(std::clamp<std::size_t>(fitting, 1, static_cast<std::size_t>(rows)));
  for (int row = 0; row < rows; row += at_once) {
    const int here = std::min(at_once, rows - row);
    const word_rows<Word> part = words.from_row(row);
    word_rows<Word> copy{static_cast<Word*>(temp), count, 1};
    if (words.element_stride != 1) copy = {copy.first, 1, here};
    cudaError_t status =
        move_words<Word, Index>(gather_words<Word, Index>, {part.first, part.row_stride, part.element_stride}, places,
                                count, here, copy, stream);
    if (status != cudaSuccess) return status;
    status = move_words<Word, Index>(scatter_words<Word, Index>, {copy.first, copy.row_stride, copy.element_stride},
                                     static_cast<const Index*>(nullptr), count, here, part, stream);
    if (status != cudaSuccess) return status;
  }
  return cudaSuccess;
}

} // namespace detail
} // namespace thrust_rns
