// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// What the tests share: GMP as the oracle, values to try, seeded randomness, calls in device code.
///
/// Nothing here converts through the library: `value` and `make` go through the Chinese remainder theorem in GMP.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <set>
#include <type_traits>
#include <vector>

#include <gmpxx.h>

#include <thrust/device_vector.h>
#include <thrust/transform.h>

#include <thrust_rns/io.h>
#include <thrust_rns/number.h>

#include <doctest/doctest.h>

namespace test {

// ---- effort and seeds ------------------------------------------------------------------------------------------

/// Whether to use fewer and shorter inputs, as under a sanitizer: the environment variable THRUST_RNS_TEST_SMALL is set.
inline bool small() { return std::getenv("THRUST_RNS_TEST_SMALL") != nullptr; }

/// `full`, or `reduced` where small().
template <class Int>
Int amount(Int full, Int reduced) {
  return small() ? reduced : full;
}

/// `fixed`, shifted by the environment variable THRUST_RNS_TEST_SEED so that a loop over it runs new cases.
inline std::uint64_t seed(std::uint64_t fixed) {
  const char* shift = std::getenv("THRUST_RNS_TEST_SEED");
  return fixed + (shift == nullptr ? 0 : std::strtoull(shift, nullptr, 10));
}

/// `std::mt19937_64 NAME`, whose seed is printed with every failure in the rest of the scope.
#define THRUST_RNS_TEST_ENGINE(NAME, FIXED_SEED)              \
  const std::uint64_t NAME##_seed = ::test::seed(FIXED_SEED); \
  INFO("seed ", NAME##_seed);                                 \
  std::mt19937_64 NAME(NAME##_seed)

/// Marks a case that runs Thrust's own algorithms over numbers. On the GPU these copy and shuffle tuples with padding, and
/// initcheck takes the padding for uninitialised memory, so tools/gpu_suite.sh leaves them out there.
inline const doctest::test_suite stock("stock");

// ---- integers --------------------------------------------------------------------------------------------------

/// A built-in integer of up to 128 bits.
template <class Int>
mpz_class mpz(Int v) {
  bool negative = false;
  if constexpr (std::is_signed_v<Int> || std::is_same_v<Int, thrust_rns::int128_t>) negative = v < 0;
  auto bits = static_cast<thrust_rns::uint128_t>(v);
  if (negative) bits = 0 - bits;
  mpz_class z = static_cast<unsigned long>(bits >> 64);
  z = (z << 64) + static_cast<unsigned long>(bits);
  return negative ? mpz_class(-z) : z;
}

inline mpz_class power_of_two(int e) { return mpz_class(1) << static_cast<unsigned long>(e); }

/// The remainder in [0, m).
inline mpz_class modulo(const mpz_class& z, const mpz_class& m) {
  mpz_class r;
  mpz_fdiv_r(r.get_mpz_t(), z.get_mpz_t(), m.get_mpz_t());
  return r;
}

/// Uniform in [0, bound).
template <class Engine>
mpz_class random_below(Engine& engine, const mpz_class& bound) {
  static_assert(Engine::min() == 0 && Engine::max() == ~std::uint64_t{0});
  mpz_class z; // of 64 bits more than bound: no bias to speak of
  for (std::size_t k = 0; k < mpz_sizeinbase(bound.get_mpz_t(), 2) / 64 + 2; ++k) {
    z = (z << 64) + static_cast<unsigned long>(engine());
  }
  return modulo(z, bound);
}

// ---- numbers and their values ----------------------------------------------------------------------------------

/// M.
template <class Base>
const mpz_class& dynamic_range() {
  static const mpz_class product = [] {
    mpz_class p = 1;
    for (int i = 0; i < Base::size; ++i) p *= static_cast<unsigned long>(Base::moduli[i]);
    return p;
  }();
  return product;
}

/// The smallest and the largest value of a number type.
template <class Number>
mpz_class smallest() {
  const mpz_class& m = dynamic_range<typename Number::base_type>();
  return Number::is_symmetric ? mpz_class(-(m / 2)) : mpz_class(0);
}
template <class Number>
mpz_class largest() {
  return smallest<Number>() + dynamic_range<typename Number::base_type>() - 1;
}
/// Whether the range has z.
template <class Number>
bool is_value(const mpz_class& z) {
  return smallest<Number>() <= z && z <= largest<Number>();
}

/// The value of the type that is congruent to z modulo M.
template <class Number>
mpz_class wrap(const mpz_class& z) {
  const mpz_class low = smallest<Number>();
  return low + modulo(z - low, dynamic_range<typename Number::base_type>());
}

/// The number congruent to z modulo M.
template <class Number>
Number make(const mpz_class& z) {
  Number x{};
  for (int i = 0; i < Number::size; ++i) {
    x.set_residue(i, static_cast<std::uint32_t>(mpz_fdiv_ui(z.get_mpz_t(), Number::base_type::moduli[i])));
  }
  return x;
}
template <class Number>
std::vector<Number> make(const std::vector<mpz_class>& values) {
  std::vector<Number> numbers;
  for (const mpz_class& z : values) numbers.push_back(make<Number>(z));
  return numbers;
}

/// The value of a number.
template <class Base, class Range>
mpz_class value(const thrust_rns::number<Base, Range>& x) {
  static const std::vector<mpz_class> units = [] { // 1 modulo one modulus, 0 modulo the others
    std::vector<mpz_class> u;
    for (int i = 0; i < Base::size; ++i) {
      const mpz_class m = static_cast<unsigned long>(Base::moduli[i]), cofactor = dynamic_range<Base>() / m;
      mpz_class inverse;
      mpz_invert(inverse.get_mpz_t(), cofactor.get_mpz_t(), m.get_mpz_t());
      u.push_back(cofactor * inverse);
    }
    return u;
  }();
  mpz_class z;
  for (int i = 0; i < Base::size; ++i)
    z += units[static_cast<std::size_t>(i)] * static_cast<unsigned long>(x.residue(i));
  return wrap<thrust_rns::number<Base, Range>>(z);
}

// ---- values to try ---------------------------------------------------------------------------------------------

template <class Number, class Engine>
mpz_class random_value(Engine& engine) {
  return smallest<Number>() + random_below(engine, dynamic_range<typename Number::base_type>());
}

/// Of random bit length and, in the symmetric range, random sign.
template <class Number, class Engine>
mpz_class random_length_value(Engine& engine) {
  const auto bits = static_cast<unsigned>(mpz_sizeinbase(largest<Number>().get_mpz_t(), 2));
  mpz_class z = random_below(engine, power_of_two(static_cast<int>(engine() % (bits + 1))));
  if (Number::is_symmetric && (engine() & 1) != 0) z = -z;
  return wrap<Number>(z);
}

/// The hard ones, ascending: 0, M, M/2, M/4 and their neighbours, powers of two and their neighbours, M - 2^k.
template <class Number>
std::vector<mpz_class> edge_values() {
  const mpz_class& m = dynamic_range<typename Number::base_type>();
  std::set<mpz_class> values;
  const auto insert = [&](const mpz_class& z) {
    for (int d = -2; d <= 2; ++d) values.insert(wrap<Number>(z + d));
  };
  for (const mpz_class& z : {mpz_class(0), mpz_class(m / 2), mpz_class(m / 4), mpz_class(3 * m / 4)}) insert(z);
  const int bits = static_cast<int>(mpz_sizeinbase(m.get_mpz_t(), 2));
  for (int k :
       {7, 8, 15, 16, 24, 31, 32, 33, 48, 63, 64, 72, 95, 96, 97, 127, 128, 192, bits / 2, bits - 3, bits - 2}) {
    if (k < 0 || k >= bits) continue;
    for (const mpz_class& z : {power_of_two(k), mpz_class(m - power_of_two(k))}) insert(z);
    for (const mpz_class& z : {mpz_class(m / 2 - power_of_two(k)), mpz_class(m / 2 + power_of_two(k))}) {
      values.insert(wrap<Number>(z));
    }
  }
  return {values.begin(), values.end()};
}

/// The edge values, then `count` random ones, half of them of random length.
template <class Number, class Engine>
std::vector<mpz_class> sample_values(Engine& engine, int count) {
  std::vector<mpz_class> values = edge_values<Number>();
  for (int k = 0; k < count; ++k) {
    values.push_back(k % 2 == 0 ? random_value<Number>(engine) : random_length_value<Number>(engine));
  }
  return values;
}

// ---- device code -----------------------------------------------------------------------------------------------

/// f(x) for each x, computed on Thrust's device system. `f` is a functor with a THRUST_RNS_HD operator(); Result is
/// trivially copyable and not bool.
template <class Result, class X, class Function>
std::vector<Result> on_device(const std::vector<X>& xs, Function f) {
  static_assert(!std::is_same_v<Result, bool>, "int instead");
  const thrust::device_vector<X> x(xs.begin(), xs.end());
  thrust::device_vector<Result> results(xs.size());
  thrust::transform(x.begin(), x.end(), results.begin(), f);
  std::vector<Result> r(xs.size());
  thrust::copy(results.begin(), results.end(), r.begin());
  return r;
}

/// f(x, y) for each pair; ys is as long as xs.
template <class Result, class X, class Y, class Function>
std::vector<Result> on_device(const std::vector<X>& xs, const std::vector<Y>& ys, Function f) {
  static_assert(!std::is_same_v<Result, bool>, "int instead");
  const thrust::device_vector<X> x(xs.begin(), xs.end());
  const thrust::device_vector<Y> y(ys.begin(), ys.end());
  thrust::device_vector<Result> results(xs.size());
  thrust::transform(x.begin(), x.end(), y.begin(), results.begin(), f);
  std::vector<Result> r(xs.size());
  thrust::copy(results.begin(), results.end(), r.begin());
  return r;
}

} // namespace test
