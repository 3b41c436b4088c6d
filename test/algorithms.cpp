// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Thrust's own algorithms over the vectors' iterators: those that move and map numbers.

#include "vectors.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <thrust/copy.h>
#include <thrust/gather.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reverse.h>
#include <thrust/scatter.h>
#include <thrust/swap.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>

namespace {

using number = thrust_rns::number<thrust_rns::moduli_for_bits<64>, thrust_rns::symmetric_range>;
using device_vector = thrust_rns::device_vector<number>;
using host_vector = thrust_rns::host_vector<number>;

/// x -> 3 x + 1, a functor of the user's own that takes numbers.
struct three_x_plus_one {
  THRUST_RNS_HD number operator()(const number& x) const { return number(3) * x + number(1); }
};

struct product_of_pair {
  template <class Pair>
  THRUST_RNS_HD number operator()(const Pair& p) const {
    return number(thrust::get<0>(p)) * number(thrust::get<1>(p));
  }
};

template <class Engine>
std::vector<mpz_class> random_values(Engine& engine, std::size_t n) {
  return test::make_pattern<number>(test::pattern::random_length, engine, n);
}

const std::size_t sizes[] = {1, 5, 257, 3001};

} // namespace

TEST_CASE("copy moves numbers between device, host and standard containers") {
  THRUST_RNS_TEST_ENGINE(engine, 501);
  for (const std::size_t n : sizes) {
    CAPTURE(n);
    const std::vector<mpz_class> z = random_values(engine, n);
    const std::vector<number> x = test::make<number>(z);
    device_vector d(n), e(n);
    host_vector h(n);
    std::vector<number> y(n);
    CHECK(thrust::copy(x.begin(), x.end(), d.begin()) == d.end());
    CHECK(test::values_of(d) == z);
    thrust::copy(d.begin(), d.end(), e.begin());
    CHECK(test::values_of(e) == z);
    thrust::copy(e.cbegin(), e.cend(), h.begin());
    CHECK(test::values_of(h) == z);
    thrust::copy(h.begin(), h.end() - 1, d.begin() + 1);
    CHECK(d[n - 1] == x[n == 1 ? 0 : n - 2]);
    thrust::copy(e.begin(), e.end(), y.begin());
    CHECK(y == x);
  }
}

TEST_CASE("transform maps one and two ranges, by the library's functors and the user's") {
  THRUST_RNS_TEST_ENGINE(engine, 502);
  for (const std::size_t n : sizes) {
    CAPTURE(n);
    const std::vector<mpz_class> a = random_values(engine, n), b = random_values(engine, n);
    const device_vector x = test::make<number>(a), y = test::make<number>(b);
    device_vector out(n);
    const auto check = [&](auto expected) {
      const std::vector<mpz_class> z = test::values_of(out);
      for (std::size_t j = 0; j < n; ++j) CHECK(z[j] == test::wrap<number>(expected(j)));
    };
    thrust::transform(x.begin(), x.end(), y.begin(), out.begin(), thrust_rns::plus());
    check([&](std::size_t j) { return mpz_class(a[j] + b[j]); });
    thrust::transform(x.begin(), x.end(), y.begin(), out.begin(), thrust_rns::multiplies());
    check([&](std::size_t j) { return mpz_class(a[j] * b[j]); });
    thrust::transform(x.begin(), x.end(), y.begin(), out.begin(), thrust_rns::minimum());
    check([&](std::size_t j) { return std::min(a[j], b[j]); });
    thrust::transform(x.begin(), x.end(), out.begin(), thrust_rns::negate());
    check([&](std::size_t j) { return mpz_class(-a[j]); });
    thrust::transform(x.begin(), x.end(), out.begin(), three_x_plus_one());
    check([&](std::size_t j) { return mpz_class(3 * a[j] + 1); });
    thrust::transform(out.begin(), out.end(), x.begin(), out.begin(), thrust_rns::minus()); // in place
    check([&](std::size_t j) { return mpz_class(2 * a[j] + 1); });
  }
}

TEST_CASE("reverse and swap_ranges exchange numbers") {
  THRUST_RNS_TEST_ENGINE(engine, 504);
  for (const std::size_t n : sizes) {
    CAPTURE(n);
    std::vector<mpz_class> a = random_values(engine, n), b = random_values(engine, n);
    device_vector x = test::make<number>(a), y = test::make<number>(b);
    test::check_extrema(x, a); // so that there are evaluations to go stale
    thrust::reverse(x.begin(), x.end());
    std::reverse(a.begin(), a.end());
    CHECK(test::values_of(x) == a);
    test::check_extrema(x, a);
    thrust::swap_ranges(x.begin(), x.end(), y.begin());
    CHECK(test::values_of(x) == b);
    CHECK(test::values_of(y) == a);
    test::check_extrema(x, b);
    test::check_extrema(y, a);
  }
}

TEST_CASE("gather, scatter and permutation iterators pick numbers by index") {
  THRUST_RNS_TEST_ENGINE(engine, 506);
  constexpr std::size_t n = 1000;
  const std::vector<mpz_class> z = random_values(engine, n);
  const device_vector x = test::make<number>(z);
  std::vector<int> order(n);
  for (std::size_t j = 0; j < n; ++j) order[j] = static_cast<int>(j);
  std::shuffle(order.begin(), order.end(), engine);
  const thrust::device_vector<int> map(order.begin(), order.end());
  std::vector<mpz_class> gathered(n), scattered(n);
  for (std::size_t j = 0; j < n; ++j) {
    gathered[j] = z[static_cast<std::size_t>(order[j])];
    scattered[static_cast<std::size_t>(order[j])] = z[j];
  }
  device_vector out(n);
  thrust::gather(map.begin(), map.end(), x.begin(), out.begin());
  CHECK(test::values_of(out) == gathered);
  thrust::scatter(x.begin(), x.end(), map.begin(), out.begin());
  CHECK(test::values_of(out) == scattered);
  test::check_extrema(out, scattered);
  const auto permuted = thrust::make_permutation_iterator(x.begin(), map.begin());
  thrust::copy(permuted, permuted + n, out.begin());
  CHECK(test::values_of(out) == gathered);
  CHECK(number(permuted[3]) == number(x[static_cast<std::size_t>(order[3])]));
}

TEST_CASE("zip and transform iterators read numbers") {
  THRUST_RNS_TEST_ENGINE(engine, 508);
  constexpr std::size_t n = 700;
  const std::vector<mpz_class> a = random_values(engine, n), b = random_values(engine, n);
  const device_vector x = test::make<number>(a), y = test::make<number>(b);
  device_vector out(n);
  const auto pairs = thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin()));
  thrust::transform(pairs, pairs + n, out.begin(), product_of_pair());
  const auto mapped = thrust::make_transform_iterator(x.begin(), three_x_plus_one());
  device_vector copied(mapped, mapped + n);
  for (std::size_t j = 0; j < n; ++j) {
    CHECK(test::value(number(out[j])) == test::wrap<number>(a[j] * b[j]));
    CHECK(test::value(number(copied[j])) == test::wrap<number>(3 * a[j] + 1));
  }
}
