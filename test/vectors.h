// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// What the tests of vectors and algorithms share: lists of values with a purpose, and checks of a range against GMP.

#include "support.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/memory.h>

#include <thrust_rns/device_vector.h>
#include <thrust_rns/host_vector.h>

namespace test {

/// The values of a vector's elements.
template <class Vector>
std::vector<mpz_class> values_of(const Vector& v) {
  std::vector<mpz_class> z;
  for (const auto& x : v.to_vector()) z.push_back(value(x));
  return z;
}

/// The elements of a vector of Thrust's on the host: Thrust's own comparison of device vectors copies padding.
template <class Vector>
std::vector<typename Vector::value_type> copy_of(const Vector& v) {
  std::vector<typename Vector::value_type> copy(v.size());
  thrust::copy(v.begin(), v.end(), copy.begin());
  return copy;
}

/// The cached evaluations of the elements, 0 where there is none.
template <class Number, class Allocator>
std::vector<std::uint64_t> evaluations_of(
    const thrust_rns::detail::basic_vector<Number, Allocator, thrust::device_system_tag>& v) {
  const auto first = thrust::device_pointer_cast(v.as_span().evaluations());
  std::vector<std::uint64_t> e(v.size());
  thrust::copy(first, first + static_cast<std::ptrdiff_t>(v.size()), e.begin());
  return e;
}
template <class Vector>
std::vector<std::uint64_t> evaluations_of(const Vector& v) {
  return {v.as_span().evaluations(), v.as_span().evaluations() + v.size()};
}

/// How many elements have a cached evaluation.
template <class Vector>
std::ptrdiff_t count_evaluated(const Vector& v) {
  const std::vector<std::uint64_t> e = evaluations_of(v);
  return std::count_if(e.begin(), e.end(), [](std::uint64_t key) { return key != 0; });
}

/// Whether each cached evaluation is one of its number, whose key may be one less or more than `evaluate` gives.
template <class Vector>
bool evaluations_are_right(const Vector& v) {
  const std::vector<std::uint64_t> cached = evaluations_of(v);
  const auto numbers = v.to_vector();
  for (std::size_t j = 0; j < numbers.size(); ++j) {
    if (cached[j] != 0 && cached[j] - thrust_rns::evaluate(numbers[j]).key() + 1 > 2) return false;
  }
  return true;
}

/// A key of z as the definition allows: f or one less, at random (interval.h).
template <class Number, class Engine>
std::uint64_t any_key(const mpz_class& z, Engine& engine) {
  using constants = thrust_rns::detail::base_constants<typename Number::base_type>;
  constexpr int p = thrust_rns::interval_evaluation<Number>::mantissa_bits;
  constexpr std::uint64_t middle = std::uint64_t{1} << 63;
  if (z == 0) return middle;
  const mpz_class& m = dynamic_range<typename Number::base_type>();
  mpz_class x = abs(z);
  int exponent = 0; // |z|/M = x/M 2^-exponent, x/M in [1, 2)
  for (; x < m; x *= 2) ++exponent;
  const mpz_class mantissa = x * power_of_two(p) / m;
  const std::uint64_t f =
      (static_cast<std::uint64_t>(constants::exponent_bias - exponent - 1) << p) + mantissa.get_ui();
  return (z > 0 ? middle + f : middle - f) - (engine() & 1);
}

/// Gives every element of v, whose values are z, a cached evaluation of that kind.
template <class Vector, class Engine>
void scatter_evaluations(Vector& v, const std::vector<mpz_class>& z, Engine& engine) {
  std::vector<std::uint64_t> keys;
  for (const mpz_class& y : z) keys.push_back(any_key<typename Vector::value_type>(y, engine));
  using pointer = thrust::pointer<std::uint64_t, typename thrust::iterator_system<typename Vector::iterator>::type>;
  thrust::copy(keys.begin(), keys.end(), pointer(v.as_span().evaluations()));
}
/// Whether both are keys of one number: the device has several ways to a key, which may differ by one.
inline bool are_keys_of_one(std::uint64_t a, std::uint64_t b) { return a != 0 && b != 0 && a - b + 1 <= 2; }

/// Whether the extrema of [first, last), whose values start at z, are found; of equal ones the first.
template <class Iterator>
void check_extrema(Iterator first, Iterator last, const mpz_class* z) {
  const std::ptrdiff_t n = last - first;
  CHECK(thrust::max_element(first, last) - first == std::max_element(z, z + n) - z);
  CHECK(thrust::min_element(first, last) - first == std::min_element(z, z + n) - z);
}
template <class Vector>
void check_extrema(const Vector& v, const std::vector<mpz_class>& z) {
  REQUIRE(v.size() == z.size());
  check_extrema(v.begin(), v.end(), z.data());
}

enum class pattern {
  random,
  random_length,
  all_equal,
  ties,       // few values, so that the extrema occur several times
  neighbours, // X .. X + n - 1 in random order
  zero,
  edges, // next to 0, M/4, M/2, M and to powers of two
  lowest // the lower half of the range: all negative, if it has negative numbers
};
inline constexpr pattern all_patterns[] = {pattern::random, pattern::random_length, pattern::all_equal,
                                           pattern::ties,   pattern::neighbours,    pattern::zero,
                                           pattern::edges,  pattern::lowest};

/// n values of a pattern.
template <class Number, class Engine>
std::vector<mpz_class> make_pattern(pattern p, Engine& engine, std::size_t n) {
  const mpz_class half = dynamic_range<typename Number::base_type>() / 2;
  const mpz_class x = random_value<Number>(engine);
  std::vector<mpz_class> pool;
  if (p == pattern::ties) {
    for (int k = 0; k < 3; ++k) pool.push_back(random_length_value<Number>(engine));
  } else if (p == pattern::edges) {
    pool = edge_values<Number>();
  }
  std::vector<mpz_class> z(n);
  for (std::size_t j = 0; j < n; ++j) {
    switch (p) {
      case pattern::random:
        z[j] = random_value<Number>(engine);
        break;
      case pattern::random_length:
        z[j] = random_length_value<Number>(engine);
        break;
      case pattern::all_equal:
        z[j] = x;
        break;
      case pattern::neighbours:
        z[j] = wrap<Number>(x + static_cast<unsigned long>(j));
        break;
      case pattern::zero:
        z[j] = 0;
        break;
      case pattern::lowest:
        z[j] = smallest<Number>() + random_below(engine, half);
        break;
      case pattern::ties:
      case pattern::edges:
        z[j] = pool[static_cast<std::size_t>(engine() % pool.size())];
        break;
    }
  }
  if (p == pattern::neighbours) std::shuffle(z.begin(), z.end(), engine);
  return z;
}

/// Sizes around a warp's, a block's and a chunk's worth of elements, and one of many blocks.
inline std::vector<std::size_t> sizes_to_try() {
  if (small()) return {0, 1, 2, 3, 4, 5, 255, 256, 257, 2049, 2305};
  return {0, 1, 2, 3, 4, 5, 31, 32, 33, 255, 256, 257, 1023, 1024, 1025, 2047, 2048, 2049, 2305};
}

/// The sum modulo M of n values at z.
template <class Number>
mpz_class sum_of(const mpz_class* z, std::ptrdiff_t n) {
  return wrap<Number>(std::accumulate(z, z + n, mpz_class(0)));
}

} // namespace test
