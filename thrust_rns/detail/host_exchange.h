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
#include <thrust_rns/detail/exchange_tables.h>
#include <thrust_rns/detail/exchange_words.h>
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

/// The integers of a chunk to the sink, or only (Write = false) the index of the first that does not fit, or `count`.
template <bool Write, class Number, class Sink>
struct export_chunk {
  using Base = typename Number::base_type;
  using constants = exchange_constants<Base>;

  span<const Number> in;
  std::int64_t offset, count;
  Sink sink;

  std::int64_t operator()(std::int64_t chunk) const {
    const std::int64_t first = chunk * exchange_chunk;
    const int here = static_cast<int>(std::min<std::int64_t>(exchange_chunk, count - first));
    chunk_sums sums[constants::export_columns] = {};
    const auto& factors = table<make_export_factors<Base>>();
    for (int i = 0; i < Base::size; ++i) {
      const scaled_modulus m = table<make_scaled_moduli<Base>>()[i];
      const std::uint32_t* x = in.plane(i) + offset + first;
      chunk_words y = {};
      for (int e = 0; e < here; ++e) y[e] = m.multiply(x[e]);
      for (int c = 0; c < constants::export_columns; ++c) multiply_add(sums[c], factors[i].column[c], y);
    }
    for (int e = 0; e < here; ++e) {
      carry_chain<Number> chain;
      typename Sink::collector collector(sink);
      int word = 0;
      const auto put = [&](std::uint32_t w) {
        collector.put(w);
        if constexpr (Write && Sink::takes_words) {
          if (word < sink.words()) sink.store(first + e, word, w);
        }
        ++word;
      };
      chain.start(sums[0][e], sums[1][e], strided_residues{in.plane(0) + offset + first + e, in.stride()});
      for (int c = 2; c < constants::export_columns; ++c) chain.add(c - 2, sums[c][e], put);
      const std::uint32_t sign = chain.finish(put);
      const bool fits = collector.finish(sign);
      if constexpr (!Write) {
        if (!fits) return first + e;
      } else {
        if constexpr (Sink::takes_words) {
          for (; word < sink.words(); ++word) sink.store(first + e, word, sign);
        }
        collector.write(sink, first + e);
      }
    }
    return count;
  }
};

/// The smallest result of f(chunk) over all chunks of `count` elements.
template <class Policy, class Function>
std::int64_t smallest_of_chunks(Policy& exec, std::int64_t count, Function f) {
  const thrust::counting_iterator<std::int64_t> chunks(0);
  return thrust::transform_reduce(exec, chunks, chunks + (count + exchange_chunk - 1) / exchange_chunk, f, count,
                                  ::cuda::minimum<std::int64_t>());
}

/// numbers[0 .. count) := the integers of the source. Returns the index of the first that cannot be converted, or count; if
/// there is one nothing is written.
template <bool Checked, class Policy, class Source, class Number>
std::int64_t import_on_host(Policy& exec, const Source& source, const span<Number>& out, std::int64_t offset,
                            std::int64_t count) {
  if (Checked && needs_range_check<Number>(source)) {
    const std::int64_t failed = smallest_of_chunks(exec, count, check_source_chunk<Number, Source>{source, count});
    if (failed < count) return failed;
  }
  const int digits = digits_to_read<typename Number::base_type>(source);
  const thrust::counting_iterator<std::int64_t> chunks(0);
  thrust::for_each(exec, chunks, chunks + (count + exchange_chunk - 1) / exchange_chunk,
                   import_chunk<Number, Source>{source, digits, out, offset, count});
  return count;
}

template <class Policy, class Number, class Sink>
std::int64_t export_on_host(Policy& exec, const span<const Number>& in, std::int64_t offset, std::int64_t count,
                            const Sink& sink) {
  if (!sink.template holds_all<Number>()) {
    const std::int64_t failed =
        smallest_of_chunks(exec, count, export_chunk<false, Number, Sink>{in, offset, count, sink});
    if (failed < count) return failed;
  }
  return smallest_of_chunks(exec, count, export_chunk<true, Number, Sink>{in, offset, count, sink});
}

} // namespace detail
} // namespace thrust_rns
