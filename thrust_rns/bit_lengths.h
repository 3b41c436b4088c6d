// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// The lengths of the numbers of a vector: of each, counted, summed up in a line; and random numbers of a length.
///
///   bit_lengths          ([policy,] first, last, to)                 to[k] := bit length of |X_k| (0 for 0); returns the end
///   bit_length_histogram ([policy,] first, last)                     how many have 0, 1, 2 ... bits
///   summarize            ([policy,] first, last)                     count, minimum, maximum, quantiles of the bit length
///   random_bits          ([policy,] first, last, bits, seed [, kind])
///
/// first, last: iterators of `device_vector` or `host_vector`; to: an iterator over integers in the memory of the
/// numbers. Exact. Lengths come from the cached evaluations, which are computed where there are none and kept; a number
/// next to a power of two is compared with it. Work: 4 n bytes read a number without evaluation, 8 with one. Streams,
/// memory: as in extrema.h.
///
/// `random_bits` sets the numbers to random integers in [0, 2^bits), all equally likely, or (`bit_count::exactly`, the
/// default) in [2^(bits - 1), 2^bits). It is a function of the seed and the place in [first, last) alone: the same on
/// every backend. 0 <= bits <= numeric_limits<number>::digits, else std::invalid_argument. The generator is a hash of
/// seed and place (splitmix64), for tests and measurements, not for secrets; `uniform_bits` in random.h takes any
/// engine.
///
/// @code
/// #include <thrust_rns/bit_lengths.h>
/// #include <thrust_rns/device_vector.h>
/// using number = thrust_rns::number<thrust_rns::moduli_for_bits<256>, thrust_rns::symmetric_range>;
/// thrust_rns::device_vector<number> v{number(0), number(-4), number(3), number(1000)};
/// std::cout << thrust_rns::bit_length_histogram(v.begin(), v.end())[3] << '\n';  // prints 1
/// std::cout << thrust_rns::summarize(v.begin(), v.end()) << '\n';
/// // prints 4 numbers, -4 .. 1000; bits: 0 least, 0 lower quartile, 2 median, 3 upper quartile, 10 most
/// thrust_rns::random_bits(v.begin(), v.end(), 200, 42);
/// std::cout << thrust_rns::bit_length_histogram(v.begin(), v.end())[200] << '\n';  // prints 4
/// @endcode

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <ostream>
#include <string>
#include <type_traits>
#include <vector>

#include <thrust/extrema.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/bit_length.h>
#include <thrust_rns/detail/host_exchange.h>
#include <thrust_rns/detail/host_reduce.h>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/error.h>
#include <thrust_rns/exchange.h>
#include <thrust_rns/extrema.h>
#include <thrust_rns/io.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/number.h>
#include <thrust_rns/random.h>
#if THRUST_RNS_CUDA_BACKEND
#  include <thrust_rns/detail/bit_length_kernels.cuh>
#endif

namespace thrust_rns {
namespace detail {

/// f(element, its bit length) for a block of elements, on the host.
template <class Number, class Function>
void for_each_length(const bit_length_of_element<Number>& length, std::int64_t first, int count, Function f) {
  std::uint64_t keys[evaluation_block];
  keys_of_block(length.s, first, count, keys);
  for (int k = 0; k < count; ++k) {
    f(first + k, length.from_key(strided_residues{length.s.plane(0) + first + k, length.s.stride()}, keys[k]));
  }
}

/// The lengths of one chunk to an array, on the host.
template <class Number, class Output>
struct write_lengths_of_chunk {
  bit_length_of_element<Number> length;
  std::int64_t first, count;
  Output to;

  void operator()(std::int64_t chunk) const {
    const std::int64_t begin = chunk * evaluation_block;
    for_each_length(length, first + begin, static_cast<int>(std::min<std::int64_t>(evaluation_block, count - begin)),
                    [&](std::int64_t j, int bits) {
                      to[j - first] = static_cast<typename thrust::iterator_traits<Output>::value_type>(bits);
                    });
  }
};

/// The counts of one part of the range, on the host: counts + part * bins.
template <class Number>
struct count_lengths_of_part {
  bit_length_of_element<Number> length;
  std::int64_t first, count, parts;
  std::int64_t* counts;

  void operator()(std::int64_t part) const {
    const std::int64_t begin = first + count * part / parts, end = first + count * (part + 1) / parts;
    std::int64_t* here = counts + part * bit_length_bins<Number>;
    for (std::int64_t j = begin; j < end; j += evaluation_block) {
      for_each_length(length, j, static_cast<int>(std::min<std::int64_t>(evaluation_block, end - j)),
                      [&](std::int64_t, int bits) { ++here[bits]; });
    }
  }
};

} // namespace detail

template <class Policy, class T, class System, class OutputIterator>
OutputIterator bit_lengths(const Policy& exec, basic_iterator<T, System> first, basic_iterator<T, System> last,
                           OutputIterator to) {
  using Number = std::remove_const_t<T>;
  const std::int64_t count = last - first;
  const detail::bit_length_of_element<Number> length{first.underlying_span(), {}};
  if constexpr (detail::is_cuda_system<System>) {
    const thrust::counting_iterator<std::int64_t> index(first.index());
    return thrust::transform(exec, index, index + count, to, length);
  } else {
    const thrust::counting_iterator<std::int64_t> chunk(0);
    thrust::for_each(exec, chunk, chunk + (count + detail::evaluation_block - 1) / detail::evaluation_block,
                     detail::write_lengths_of_chunk<Number, OutputIterator>{length, first.index(), count, to});
    return to + count;
  }
}
template <class T, class System, class OutputIterator>
OutputIterator bit_lengths(basic_iterator<T, System> first, basic_iterator<T, System> last, OutputIterator to) {
  return bit_lengths(System(), first, last, to);
}

template <class Policy, class T, class System>
std::vector<std::int64_t> bit_length_histogram(const Policy& exec, basic_iterator<T, System> first,
                                               basic_iterator<T, System> last) {
  using Number = std::remove_const_t<T>;
  constexpr auto bins = static_cast<std::size_t>(detail::bit_length_bins<Number>);
  std::vector<std::int64_t> counts(bins, 0);
  const std::int64_t count = last - first;
  if (count <= 0) return counts;
  const detail::bit_length_of_element<Number> length{first.underlying_span(), {}};
  if constexpr (detail::is_cuda_system<System>) {
#if THRUST_RNS_CUDA_BACKEND
    detail::count_bit_lengths_on_device(detail::derived_policy(exec), length, first.index(), count, counts.data());
#endif
  } else {
    constexpr std::int64_t most_parts = 64;
    const std::int64_t parts = std::min(most_parts, (count + detail::evaluation_block - 1) / detail::evaluation_block);
    std::vector<std::int64_t> all(bins * static_cast<std::size_t>(parts), 0);
    const thrust::counting_iterator<std::int64_t> part(0);
    thrust::for_each(exec, part, part + parts,
                     detail::count_lengths_of_part<Number>{length, first.index(), count, parts, all.data()});
    for (std::size_t k = 0; k < all.size(); ++k) counts[k % bins] += all[k];
  }
  return counts;
}
template <class T, class System>
std::vector<std::int64_t> bit_length_histogram(basic_iterator<T, System> first, basic_iterator<T, System> last) {
  return bit_length_histogram(System(), first, last);
}

/// What `summarize` finds.
template <class Number>
struct vector_summary {
  std::int64_t count = 0;
  Number minimum{}, maximum{};         // 0 for no numbers
  std::vector<std::int64_t> histogram; // of bit lengths

  /// The smallest b such that at least the part q of all numbers, 0 <= q <= 1, and at least one, have at most b bits.
  int bits(double q) const {
    const auto wanted = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(q * static_cast<double>(count))));
    std::int64_t so_far = 0;
    for (std::size_t b = 0; b < histogram.size(); ++b) {
      so_far += histogram[b];
      if (so_far >= wanted) return static_cast<int>(b);
    }
    return 0;
  }

  friend std::ostream& operator<<(std::ostream& os, const vector_summary& s) {
    if (s.count == 0) return os << "0 numbers";
    const auto text = [](const Number& x) { return detail::shorten(to_string(x)); };
    return os << std::to_string(s.count) + " numbers, " + text(s.minimum) + " .. " + text(s.maximum) +
                     "; bits: " + std::to_string(s.bits(0)) + " least, " + std::to_string(s.bits(0.25)) +
                     " lower quartile, " + std::to_string(s.bits(0.5)) + " median, " + std::to_string(s.bits(0.75)) +
                     " upper quartile, " + std::to_string(s.bits(1)) + " most";
  }
};

template <class Policy, class T, class System>
vector_summary<std::remove_const_t<T>> summarize(const Policy& exec, basic_iterator<T, System> first,
                                                 basic_iterator<T, System> last) {
  using Number = std::remove_const_t<T>;
  vector_summary<Number> s;
  s.count = last - first;
  s.histogram = bit_length_histogram(exec, first, last);
  if (s.count == 0) return s;
  const auto extremes = thrust::minmax_element(exec, first, last);
  s.minimum = *extremes.first;
  s.maximum = *extremes.second;
  return s;
}
template <class T, class System>
vector_summary<std::remove_const_t<T>> summarize(basic_iterator<T, System> first, basic_iterator<T, System> last) {
  return summarize(System(), first, last);
}

template <class Policy, class Number, class System>
void random_bits(const Policy& exec, basic_iterator<Number, System> first, basic_iterator<Number, System> last,
                 int bits, std::uint64_t seed, bit_count kind = bit_count::exactly) {
  detail::require(bits >= 0 && bits <= std::numeric_limits<Number>::digits,
                  "thrust_rns::random_bits: so many bits are outside the range");
  detail::import_from<false>(detail::derived_policy(exec),
                             detail::random_words{detail::splitmix(seed), bits, kind == bit_count::exactly},
                             last - first, first);
}
template <class Number, class System>
void random_bits(basic_iterator<Number, System> first, basic_iterator<Number, System> last, int bits,
                 std::uint64_t seed, bit_count kind = bit_count::exactly) {
  random_bits(System(), first, last, bits, seed, kind);
}

} // namespace thrust_rns
