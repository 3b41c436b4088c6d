// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Conversion of many integers on Thrust's host backends: chunks of elements, with the caller's policy.

#include <algorithm>
#include <cstdint>

#include <cuda/functional>

#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform_reduce.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/exchange_sinks.h>
#include <thrust_rns/detail/exchange_sources.h>
#include <thrust_rns/detail/exchange_tables.h>
#include <thrust_rns/detail/host_evaluation.h>
#include <thrust_rns/detail/host_reduce.h>
#include <thrust_rns/number.h>
#include <thrust_rns/span.h>

namespace thrust_rns {
namespace detail {

inline constexpr int exchange_chunk = 32; // elements, side by side in the inner loops

using chunk_words = std::uint32_t[exchange_chunk];
using chunk_sums = std::uint64_t[exchange_chunk];

inline void multiply_add(chunk_sums& sums, std::uint32_t factor, const chunk_words& words) {
  for (int e = 0; e < exchange_chunk; ++e) sums[e] += std::uint64_t{factor} * words[e];
}

/// The index of the first element of a chunk that cannot be converted, or `count`.
template <class Number, class Source>
struct check_source_chunk {
  Source source;
  std::int64_t count;

  std::int64_t operator()(std::int64_t chunk) const {
    const std::int64_t first = chunk * exchange_chunk, last = std::min(count, first + exchange_chunk);
    for (std::int64_t e = first; e < last; ++e) {
      if (!source_in_range<Number>(source, e)) return e;
    }
    return count;
  }
};

template <class Number, class Source>
struct import_chunk {
  using Base = typename Number::base_type;
  using constants = exchange_constants<Base>;

  Source source;
  int digits;
  span<Number> out;
  std::int64_t offset, count;

  void operator()(std::int64_t chunk) const {
    const std::int64_t first = chunk * exchange_chunk;
    const int here = static_cast<int>(std::min<std::int64_t>(exchange_chunk, count - first));
    chunk_words digit[constants::import_digits] = {};
    bool negative[exchange_chunk] = {};
    for (int e = 0; e < here; ++e) {
      for (int j = 0; j < digits; ++j) digit[j][e] = digit_of_element<constants::import_bits>(source, first + e, j);
      negative[e] = source.is_negative(first + e);
    }
    const auto& powers = table<make_import_powers<Base>>();
    for (int i = 0; i < Base::size; ++i) {
      chunk_sums sums = {};
      for (int j = 0; j < digits; ++j) multiply_add(sums, powers[j].column[i], digit[j]);
      const modulus m = moduli_of<Base>()[i];
      std::uint32_t* x = out.plane(i) + offset + first;
      for (int e = 0; e < here; ++e) {
        x[e] = m.reduce(sums[e]);
        if (negative[e]) x[e] = m.subtract(x[e], powers[digits].column[i]);
      }
    }
    if (out.evaluations() == nullptr) return;
    for (int e = 0; e < here; ++e) store_relaxed(out.evaluations() + offset + first + e, 0);
  }
};

/// The index of the first element of a block that the limits do not contain, or `count`. Fills the cache of
/// evaluations.
template <class Number>
struct check_numbers_of_block {
  span<const Number> in;
  std::int64_t offset, count;
  export_limits<Number> limits;

  std::int64_t operator()(std::int64_t block) const {
    const std::int64_t first = block * evaluation_block;
    const int here = static_cast<int>(std::min<std::int64_t>(evaluation_block, count - first));
    std::uint64_t keys[evaluation_block];
    keys_of_block(in, offset + first, here, keys);
    for (int k = 0; k < here; ++k) {
      if (!limits.contain(strided_residues{in.plane(0) + offset + first + k, in.stride()}, keys[k])) return first + k;
    }
    return count;
  }
};

/// The integers of a chunk to the sink, which holds them.
template <class Number, class Sink>
struct export_chunk {
  using Base = typename Number::base_type;
  using constants = exchange_constants<Base>;

  span<const Number> in;
  std::int64_t offset, count;
  Sink sink;
  int columns;

  void operator()(std::int64_t chunk) const {
    const std::int64_t first = chunk * exchange_chunk;
    const int here = static_cast<int>(std::min<std::int64_t>(exchange_chunk, count - first));
    chunk_sums sums[constants::export_columns] = {};
    const auto& factors = table<make_export_factors<Base>>();
    for (int i = 0; i < Base::size; ++i) {
      const scaled_modulus m = table<make_scaled_moduli<Base>>()[i];
      const std::uint32_t* x = in.plane(i) + offset + first;
      chunk_words y = {};
      for (int e = 0; e < here; ++e) y[e] = m.multiply(x[e]);
      for (int c = 0; c < columns; ++c) multiply_add(sums[c], factors[i].column[c], y);
    }
    for (int e = 0; e < here; ++e) {
      carry_chain<Number> chain;
      [[maybe_unused]] typename Sink::collector collector;
      [[maybe_unused]] int word = 0;
      const auto put = [&](std::uint32_t w) {
        if constexpr (Sink::takes_words) {
          if (word < sink.words()) sink.store(first + e, word, w);
          ++word;
        } else {
          collector.put(w);
        }
      };
      chain.start(sums[0][e], sums[1][e], strided_residues{in.plane(0) + offset + first + e, in.stride()});
      for (int c = 2; c < columns; ++c) chain.add(sums[c][e], table<make_range_digits<Base>>()[c - 2], put);
      const std::uint32_t sign = chain.finish(put);
      if constexpr (Sink::takes_words) {
        for (; word < sink.words(); ++word) sink.store(first + e, word, sign);
      } else {
        collector.write(sink, first + e, sign);
      }
    }
  }
};

/// The smallest result of f(chunk) over all chunks of `size` of `count` elements.
template <class Policy, class Function>
std::int64_t smallest_of_chunks(Policy& exec, std::int64_t count, int size, Function f) {
  const thrust::counting_iterator<std::int64_t> chunks(0);
  return thrust::transform_reduce(exec, chunks, chunks + (count + size - 1) / size, f, count,
                                  ::cuda::minimum<std::int64_t>());
}
template <class Policy, class Function>
void for_each_chunk(Policy& exec, std::int64_t count, Function f) {
  const thrust::counting_iterator<std::int64_t> chunks(0);
  thrust::for_each(exec, chunks, chunks + (count + exchange_chunk - 1) / exchange_chunk, f);
}

/// numbers[0 .. count) := the integers of the source. Returns the index of the first that cannot be converted, or
/// count; if there is one nothing is written.
template <bool Checked, class Policy, class Source, class Number>
std::int64_t import_on_host(Policy& exec, const Source& source, const span<Number>& out, std::int64_t offset,
                            std::int64_t count) {
  if (Checked && needs_range_check<Number>(source)) {
    const std::int64_t failed =
        smallest_of_chunks(exec, count, exchange_chunk, check_source_chunk<Number, Source>{source, count});
    if (failed < count) return failed;
  }
  const int digits = digits_to_read<typename Number::base_type>(source);
  for_each_chunk(exec, count, import_chunk<Number, Source>{source, digits, out, offset, count});
  return count;
}

template <class Policy, class Number, class Sink>
std::int64_t export_on_host(Policy& exec, const span<const Number>& in, std::int64_t offset, std::int64_t count,
                            const Sink& sink) {
  if (!sink.template holds_all<Number>()) {
    const std::int64_t failed =
        smallest_of_chunks(exec, count, evaluation_block,
                           check_numbers_of_block<Number>{in, offset, count, sink.template limits<Number>()});
    if (failed < count) return failed;
  }
  const int columns = export_columns_for<typename Number::base_type>(sink.words());
  for_each_chunk(exec, count, export_chunk<Number, Sink>{in, offset, count, sink, columns});
  return count;
}

} // namespace detail
} // namespace thrust_rns
