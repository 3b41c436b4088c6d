// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// thrust::sort, stable_sort, sort_by_key, merge, and top_k, over device_vector and host_vector.

#include "vectors.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/merge.h>
#include <thrust/sort.h>

namespace {

using test::pattern;

using symmetric_256 = thrust_rns::number<thrust_rns::moduli_for_bits<256>, thrust_rns::symmetric_range>;
using unsigned_even = thrust_rns::number<thrust_rns::moduli_set<13, 7, 16>>;

/// Sorted places of n values at z, equal ones in their order.
template <class Compare>
std::vector<int> places_in_order(const mpz_class* z, std::size_t n, Compare compare) {
  std::vector<int> places(n);
  std::iota(places.begin(), places.end(), 0);
  std::stable_sort(places.begin(), places.end(), [&](int a, int b) { return compare(z[a], z[b]); });
  return places;
}

/// Values around X that are close at five scales, each shorter than a key from the last: X + sum of a_s 2^s, a_s < 3. References at
/// three levels do not settle their order.
template <class Number, class Engine>
std::vector<mpz_class> clusters(Engine& engine, std::size_t n) {
  static_assert(thrust_rns::dynamic_range_bits<typename Number::base_type> > 250);
  const mpz_class x = test::random_value<Number>(engine);
  std::vector<mpz_class> z(n);
  for (mpz_class& y : z) {
    mpz_class sum = x;
    for (int s = 0; s < 200; s += 42) {
      sum += test::power_of_two(s) * static_cast<unsigned long>(engine() % 3);
    }
    y = test::wrap<Number>(sum);
  }
  return z;
}

/// Sorts v[b, e) by the call, and checks numbers, what is outside, and evaluations.
template <class Vector, class Compare, class Call>
void check_sort(Vector v, std::vector<mpz_class> z, std::ptrdiff_t b, std::ptrdiff_t e, Compare compare, Call call) {
  call(v.begin() + b, v.begin() + e);
  std::sort(z.begin() + b, z.begin() + e, compare);
  CHECK(test::values_of(v) == z);
  CHECK(test::evaluations_are_right(v));
  test::check_extrema(v, z);
}

/// Sorts v[b, e) with the places as values.
template <class Vector, class Compare, class Call>
void check_sort_by_key(Vector v, const std::vector<mpz_class>& z, std::ptrdiff_t b, std::ptrdiff_t e, Compare compare,
                       Call call) {
  const auto n = static_cast<std::size_t>(e - b);
  const std::vector<int> expected = places_in_order(z.data() + b, n, compare);
  std::vector<int> found = call(v.begin() + b, v.begin() + e, n);
  CHECK(found == expected);
  std::vector<mpz_class> sorted = z;
  for (std::size_t i = 0; i < n; ++i) {
    sorted[i + static_cast<std::size_t>(b)] = z[static_cast<std::size_t>(expected[i] + b)];
  }
  CHECK(test::values_of(v) == sorted);
  CHECK(test::evaluations_are_right(v));
}

template <class Values>
auto sort_with_places(bool descending) {
  return [=](auto first, auto last, std::size_t n) {
    std::vector<int> places(n);
    std::iota(places.begin(), places.end(), 0);
    Values values(places.begin(), places.end());
    if (descending) {
      thrust::sort_by_key(first, last, values.begin(), thrust_rns::greater());
    } else {
      thrust::stable_sort_by_key(first, last, values.begin());
    }
    thrust::copy(values.begin(), values.end(), places.begin());
    return places;
  };
}

} // namespace

TEST_CASE_TEMPLATE("sort orders numbers of every pattern, size and alignment", Vector,
                   thrust_rns::device_vector<symmetric_256>, thrust_rns::host_vector<unsigned_even>) {
  using Number = typename Vector::value_type;
  THRUST_RNS_TEST_ENGINE(engine, 2101);
  std::ptrdiff_t turn = 0;
  for (const std::size_t n : test::sizes_to_try()) {
    CAPTURE(n);
    for (const pattern p : test::all_patterns) {
      CAPTURE(static_cast<int>(p));
      const std::vector<mpz_class> z = test::make_pattern<Number>(p, engine, n + 6);
      Vector v = test::make<Number>(z);
      const std::ptrdiff_t b = turn++ % 4, e = static_cast<std::ptrdiff_t>(n) + 3 + turn % 3;
      if (turn % 2 == 0) test::check_extrema(v, z); // evaluations known, or not
      if (turn % 5 < 3) {
        check_sort(v, z, b, e, std::less<>(), [](auto first, auto last) { thrust::sort(first, last); });
      } else {
        check_sort(v, z, b, e, std::greater<>(),
                   [](auto first, auto last) { thrust::sort(first, last, thrust_rns::greater()); });
      }
    }
  }
}

TEST_CASE_TEMPLATE("sort_by_key keeps equal numbers in their order, upwards and downwards", Vector,
                   thrust_rns::device_vector<symmetric_256>, thrust_rns::host_vector<unsigned_even>) {
  using Number = typename Vector::value_type;
  using values = std::conditional_t<std::is_same_v<Vector, thrust_rns::device_vector<symmetric_256>>,
                                    thrust::device_vector<int>, std::vector<int>>;
  THRUST_RNS_TEST_ENGINE(engine, 2102);
  for (const std::size_t n : {0U, 1U, 2U, 33U, 2305U}) {
    CAPTURE(n);
    for (const pattern p : {pattern::random, pattern::ties, pattern::neighbours, pattern::all_equal, pattern::edges}) {
      CAPTURE(static_cast<int>(p));
      const std::vector<mpz_class> z = test::make_pattern<Number>(p, engine, n + 4);
      const Vector v = test::make<Number>(z);
      const auto e = static_cast<std::ptrdiff_t>(n) + 1;
      check_sort_by_key(v, z, 1, e, std::less<>(), sort_with_places<values>(false));
      check_sort_by_key(v, z, 1, e, std::greater<>(), sort_with_places<values>(true));
    }
  }
}

TEST_CASE_TEMPLATE("ranges of many blocks, with long runs of close and of equal numbers, are sorted stably", Vector,
                   thrust_rns::device_vector<symmetric_256>, thrust_rns::host_vector<symmetric_256>) {
  using values = std::conditional_t<std::is_same_v<Vector, thrust_rns::device_vector<symmetric_256>>,
                                    thrust::device_vector<int>, std::vector<int>>;
  using Number = symmetric_256;
  THRUST_RNS_TEST_ENGINE(engine, 2103);
  const auto check = [&](const std::vector<mpz_class>& z) {
    check_sort_by_key(Vector(test::make<Number>(z)), z, 1, static_cast<std::ptrdiff_t>(z.size()) - 2, std::greater<>(),
                      sort_with_places<values>(true));
  };
  for (const pattern p : {pattern::random, pattern::ties, pattern::neighbours}) {
    CAPTURE(static_cast<int>(p));
    check(test::make_pattern<Number>(p, engine,
                                     test::amount<std::size_t>(p == pattern::neighbours ? 66001 : 9001, 4507)));
  }
  check(clusters<Number>(engine, 4507));
}

TEST_CASE_TEMPLATE("keys one less or more than others of the same number change nothing", Vector,
                   thrust_rns::device_vector<symmetric_256>, thrust_rns::host_vector<unsigned_even>) {
  using Number = typename Vector::value_type;
  THRUST_RNS_TEST_ENGINE(engine, 2109);
  for (const pattern p : test::all_patterns) {
    CAPTURE(static_cast<int>(p));
    std::vector<mpz_class> z = test::make_pattern<Number>(p, engine, 2500);
    Vector v = test::make<Number>(z);
    test::scatter_evaluations(v, z, engine);
    REQUIRE(test::evaluations_are_right(v));
    check_sort(v, z, 0, 2500, std::less<>(), [](auto first, auto last) { thrust::sort(first, last); });
    check_sort(v, z, 0, 2500, std::greater<>(),
               [](auto first, auto last) { thrust::sort(first, last, thrust_rns::greater()); });
  }
}

TEST_CASE_TEMPLATE("each comparator and each call gives the order that its name says", Vector,
                   thrust_rns::device_vector<symmetric_256>, thrust_rns::host_vector<symmetric_256>) {
  using number = symmetric_256;
  THRUST_RNS_TEST_ENGINE(engine, 2104);
  const std::vector<mpz_class> z = test::make_pattern<number>(pattern::edges, engine, 333);
  const Vector v = test::make<number>(z);
  const auto up = [&](auto call) { check_sort(v, z, 2, 331, std::less<>(), call); };
  const auto down = [&](auto call) { check_sort(v, z, 2, 331, std::greater<>(), call); };
  up([](auto b, auto e) { thrust::stable_sort(b, e); });
  up([](auto b, auto e) { thrust::sort(b, e, thrust_rns::less()); });
  up([](auto b, auto e) { thrust::stable_sort(b, e, thrust::less<number>()); });
  up([](auto b, auto e) { thrust::sort(b, e, thrust::less<>()); });
  down([](auto b, auto e) { thrust::stable_sort(b, e, thrust_rns::greater()); });
  down([](auto b, auto e) { thrust::sort(b, e, thrust::greater<number>()); });
  down([](auto b, auto e) { thrust::stable_sort(b, e, thrust::greater<>()); });
}

TEST_CASE("numbers may be keys and values at once, and values of other kinds") {
  using number = symmetric_256;
  THRUST_RNS_TEST_ENGINE(engine, 2105);
  const std::size_t n = 700;
  const std::vector<mpz_class> z = test::make_pattern<number>(pattern::ties, engine, n);
  const std::vector<mpz_class> y = test::make_pattern<number>(pattern::random, engine, n);
  const std::vector<int> order = places_in_order(z.data(), n, std::less<>());
  std::vector<mpz_class> sorted;
  for (const int place : order) sorted.push_back(y[static_cast<std::size_t>(place)]);
  thrust_rns::device_vector<number> keys = test::make<number>(z), values = test::make<number>(y);
  test::check_extrema(values, y);
  thrust::sort_by_key(keys.begin(), keys.end(), values.begin());
  CHECK(test::values_of(values) == sorted);
  CHECK(test::evaluations_are_right(values));
  test::check_extrema(values, sorted);

  keys = test::make<number>(z);
  const std::vector<number> numbers = test::make<number>(y);
  thrust::device_vector<number> whole(numbers.begin(), numbers.end());
  thrust::sort_by_key(keys.begin(), keys.end(), whole.begin(), thrust::less<>());
  for (std::size_t i = 0; i < n; i += 9) CHECK(test::value(static_cast<number>(whole[i])) == sorted[i]);
}

TEST_CASE_TEMPLATE("arrays of whole numbers are sorted too", Array, thrust::device_vector<symmetric_256>,
                   std::vector<symmetric_256>) {
  THRUST_RNS_TEST_ENGINE(engine, 2106);
  for (const pattern p : {pattern::random, pattern::neighbours}) {
    std::vector<mpz_class> z = test::make_pattern<symmetric_256>(p, engine, 801);
    const std::vector<symmetric_256> x = test::make<symmetric_256>(z);
    Array array(x.begin(), x.end());
    if constexpr (std::is_same_v<Array, std::vector<symmetric_256>>) {
      thrust::sort(thrust::host, array.data(), array.data() + array.size(), thrust::greater<>());
    } else {
      thrust::stable_sort(array.begin(), array.end(), thrust_rns::greater());
    }
    std::sort(z.begin(), z.end(), std::greater<>());
    const thrust_rns::host_vector<symmetric_256> sorted(array.begin(), array.end());
    CHECK(test::values_of(sorted) == z);
  }
}

TEST_CASE_TEMPLATE("merge takes equal numbers of the first range first", Vector,
                   thrust_rns::device_vector<symmetric_256>, thrust_rns::host_vector<unsigned_even>) {
  using Number = typename Vector::value_type;
  THRUST_RNS_TEST_ENGINE(engine, 2107);
  for (const pattern p : {pattern::random, pattern::ties, pattern::neighbours, pattern::all_equal}) {
    CAPTURE(static_cast<int>(p));
    for (const std::size_t n : {0U, 1U, 257U, 2305U}) {
      CAPTURE(n);
      std::vector<mpz_class> x = test::make_pattern<Number>(p, engine, n), y = x;
      for (std::size_t j = 0; j < y.size(); j += 2) y[j] = test::random_value<Number>(engine);
      y.resize(n - n / 3);
      std::vector<mpz_class> expected(x.size() + y.size());
      const auto merge = [&](auto compare, auto ours) {
        std::sort(x.begin(), x.end(), compare);
        std::sort(y.begin(), y.end(), compare);
        std::merge(x.begin(), x.end(), y.begin(), y.end(), expected.begin(), compare);
        const Vector a = test::make<Number>(x);
        Vector b = test::make<Number>(y), merged(expected.size() + 3, Number(3));
        test::check_extrema(merged, std::vector<mpz_class>(merged.size(), 3));
        CHECK(thrust::merge(a.begin(), a.end(), b.begin(), b.end(), merged.begin() + 3, ours) == merged.end());
        std::vector<mpz_class> all(3, mpz_class(3));
        all.insert(all.end(), expected.begin(), expected.end());
        CHECK(test::values_of(merged) == all);
        CHECK(test::evaluations_are_right(merged));
      };
      merge(std::less<>(), thrust::less<Number>());
      merge(std::greater<>(), thrust_rns::greater());
    }
  }
}

TEST_CASE_TEMPLATE("top_k gives the first of the order, in order", Vector, thrust_rns::device_vector<symmetric_256>,
                   thrust_rns::host_vector<symmetric_256>) {
  using Number = symmetric_256;
  THRUST_RNS_TEST_ENGINE(engine, 2108);
  for (const pattern p : {pattern::random, pattern::ties, pattern::neighbours}) {
    std::vector<mpz_class> z = test::make_pattern<Number>(p, engine, 1000);
    const Vector v = test::make<Number>(z);
    for (const std::size_t k : {0U, 1U, 10U, 999U, 1000U}) {
      CAPTURE(k);
      Vector found(k);
      CHECK(thrust_rns::top_k(v.begin(), v.end(), static_cast<std::int64_t>(k), found.begin()) == found.end());
      std::vector<mpz_class> expected(k);
      std::partial_sort_copy(z.begin(), z.end(), expected.begin(), expected.end(), std::greater<>());
      CHECK(test::values_of(found) == expected);
      CHECK(test::evaluations_are_right(found));
      thrust_rns::top_k(v.begin(), v.end(), static_cast<std::int64_t>(k), found.begin(), thrust_rns::less());
      std::partial_sort_copy(z.begin(), z.end(), expected.begin(), expected.end());
      CHECK(test::values_of(found) == expected);
    }
    Vector all(1000);
    CHECK(thrust_rns::top_k(v.begin(), v.end(), 2000, all.begin()) == all.end());
    CHECK(thrust_rns::top_k(v.begin(), v.begin(), 5, all.begin()) == all.begin());
  }
}

TEST_CASE("in a sorted vector a write drops the evaluation that moved there") {
  thrust_rns::device_vector<symmetric_256> v{5, -3, 8, 1};
  thrust::sort(v.begin(), v.end());
  CHECK(test::count_evaluated(v) == 4);
  v[0] = 100;
  CHECK(test::count_evaluated(v) == 3);
  CHECK(thrust::max_element(v.begin(), v.end()) == v.begin());
}
