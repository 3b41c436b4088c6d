// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// The binary searches, is_sorted and is_sorted_until over device_vector and host_vector.

#include "vectors.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <thrust/binary_search.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/sort.h>

namespace {

using test::pattern;

using symmetric_128 = thrust_rns::number<thrust_rns::moduli_for_bits<128>, thrust_rns::symmetric_range>;
using unsigned_even = thrust_rns::number<thrust_rns::moduli_set<13, 7, 16>>;

using device_vector = thrust_rns::device_vector<symmetric_128>;
using host_vector = thrust_rns::host_vector<unsigned_even>;

/// Where the results of many searches go: memory like the vector's.
template <class Vector, class T>
using results = std::conditional_t<std::is_same_v<Vector, device_vector>, thrust::device_vector<T>, std::vector<T>>;

template <class Results>
std::vector<int> as_ints(const Results& r) {
  std::vector<int> v(r.size());
  thrust::copy(r.begin(), r.end(), v.begin());
  return v;
}

/// All searches for `needles` in v[b, e), whose values at z are sorted by `compare`.
template <class Vector, class Compare, class Ours>
void check_searches(const Vector& v, const std::vector<mpz_class>& z, std::ptrdiff_t b, std::ptrdiff_t e,
                    const std::vector<mpz_class>& needles, Compare compare, Ours ours) {
  using Number = typename Vector::value_type;
  const auto first = z.begin() + b, last = z.begin() + e;
  std::vector<int> lower, upper, member;
  for (const mpz_class& y : needles) {
    lower.push_back(static_cast<int>(std::lower_bound(first, last, y, compare) - first));
    upper.push_back(static_cast<int>(std::upper_bound(first, last, y, compare) - first));
    member.push_back(std::binary_search(first, last, y, compare) ? 1 : 0);
  }
  const Vector wanted = test::make<Number>(needles);
  const auto begin = v.begin() + b, end = v.begin() + e;
  results<Vector, int> found(needles.size());
  CHECK(thrust::lower_bound(begin, end, wanted.begin(), wanted.end(), found.begin(), ours) == found.end());
  CHECK(as_ints(found) == lower);
  thrust::upper_bound(begin, end, wanted.begin(), wanted.end(), found.begin(), ours);
  CHECK(as_ints(found) == upper);
  results<Vector, char> is_there(needles.size());
  thrust::binary_search(begin, end, wanted.begin(), wanted.end(), is_there.begin(), ours);
  CHECK(as_ints(is_there) == member);
  for (std::size_t j = 0; j < needles.size(); j += needles.size() / 3 + 1) {
    const auto x = test::make<Number>(needles[j]);
    CHECK(thrust::lower_bound(begin, end, x, ours) - begin == lower[j]);
    CHECK(thrust::upper_bound(begin, end, wanted[j], ours) - begin == upper[j]);
    CHECK(thrust::binary_search(begin, end, x, ours) == (member[j] != 0));
    const auto both = thrust::equal_range(begin, end, x, ours);
    CHECK(both.first - begin == lower[j]);
    CHECK(both.second - begin == upper[j]);
  }
}

} // namespace

TEST_CASE_TEMPLATE("searches find the places that the standard ones do", Vector, device_vector, host_vector) {
  using Number = typename Vector::value_type;
  THRUST_RNS_TEST_ENGINE(engine, 2301);
  for (const std::size_t n : {0U, 1U, 2U, 255U, 2305U}) {
    CAPTURE(n);
    for (const pattern p : test::all_patterns) {
      CAPTURE(static_cast<int>(p));
      std::vector<mpz_class> z = test::make_pattern<Number>(p, engine, n + 3);
      std::vector<mpz_class> needles = test::edge_values<Number>();
      for (std::size_t j = 0; j < z.size(); j += z.size() / 20 + 1) {
        needles.push_back(z[j]);
        needles.push_back(test::wrap<Number>(z[j] + 1));
        needles.push_back(test::wrap<Number>(z[j] - 1));
      }
      const auto e = static_cast<std::ptrdiff_t>(n) + 1;
      if (engine() % 2 == 0) {
        std::sort(z.begin(), z.end());
        Vector v = test::make<Number>(z);
        test::scatter_evaluations(v, z, engine); // keys of neighbours may descend
        CHECK(thrust::is_sorted(v.begin(), v.end()));
        check_searches(v, z, 1, e, needles, std::less<>(), thrust::less<>());
      } else {
        std::sort(z.begin(), z.end(), std::greater<>());
        check_searches<Vector>(test::make<Number>(z), z, 1, e, needles, std::greater<>(), thrust_rns::greater());
      }
    }
  }
}

TEST_CASE("the short forms search upwards, for integers and in arrays of whole numbers too") {
  const device_vector v{-7, -7, 0, 3, 3, 9};
  const std::vector<symmetric_128> x{-8, 3, 10};
  const thrust::device_vector<symmetric_128> wanted(x.begin(), x.end());
  thrust::device_vector<int> place(3);
  CHECK(thrust::lower_bound(v.begin(), v.end(), 3) - v.begin() == 3);
  CHECK(thrust::upper_bound(v.begin(), v.end(), symmetric_128(-7)) - v.begin() == 2);
  CHECK(thrust::binary_search(v.begin(), v.end(), v[2]));
  CHECK_FALSE(thrust::binary_search(thrust::device, v.begin(), v.end(), symmetric_128(1)));
  CHECK(thrust::equal_range(v.begin(), v.end(), v[3]).second - v.begin() == 5);
  CHECK(test::count_evaluated(v) < 6); // a search for one number meets a few
  thrust::upper_bound(v.begin(), v.end(), wanted.begin(), wanted.end(), place.begin());
  CHECK(as_ints(place) == std::vector<int>{0, 5, 6});
  CHECK(test::count_evaluated(v) == 6);
}

TEST_CASE_TEMPLATE("is_sorted_until finds the first number out of order", Vector, device_vector, host_vector) {
  using Number = typename Vector::value_type;
  THRUST_RNS_TEST_ENGINE(engine, 2302);
  for (const pattern p : test::all_patterns) {
    CAPTURE(static_cast<int>(p));
    for (const std::size_t n : {0U, 1U, 2U, 3U, 700U, 2305U}) {
      CAPTURE(n);
      std::vector<mpz_class> z = test::make_pattern<Number>(p, engine, n);
      const auto check = [&] {
        const Vector v = test::make<Number>(z);
        CHECK(thrust::is_sorted_until(v.begin(), v.end()) - v.begin() ==
              std::is_sorted_until(z.begin(), z.end()) - z.begin());
        CHECK(thrust::is_sorted(v.begin(), v.end()) == std::is_sorted(z.begin(), z.end()));
        CHECK(thrust::is_sorted(v.begin(), v.end(), thrust_rns::greater()) ==
              std::is_sorted(z.begin(), z.end(), std::greater<>()));
      };
      check();
      std::sort(z.begin(), z.end());
      check();
      if (n > 2) std::swap(z[n - 1], z[n / 2]);
      check();
    }
  }
}
