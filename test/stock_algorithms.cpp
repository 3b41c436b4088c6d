// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Thrust's own algorithms over the vectors' iterators, against the standard library's over GMP values: those that order,
// select, scan and search. algorithms.cpp has those that move and map.

#include "vectors.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/equal.h>
#include <thrust/fill.h>
#include <thrust/find.h>
#include <thrust/for_each.h>
#include <thrust/generate.h>
#include <thrust/inner_product.h>
#include <thrust/merge.h>
#include <thrust/mismatch.h>
#include <thrust/partition.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/scan.h>
#include <thrust/set_operations.h>
#include <thrust/shuffle.h>
#include <thrust/sort.h>
#include <thrust/tabulate.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

namespace {

using number = thrust_rns::number<thrust_rns::moduli_for_bits<64>, thrust_rns::symmetric_range>;
using device_vector = thrust_rns::device_vector<number>;
using values = std::vector<mpz_class>;

constexpr std::size_t n = 1500;

struct below {
  number bound;
  THRUST_RNS_HD bool operator()(const number& x) const { return x < bound; }
};
struct square {
  THRUST_RNS_HD number operator()(const number& x) const { return x * x; }
};
/// A difference that is not thrust::minus, of numbers (not of references).
struct twice_less {
  THRUST_RNS_HD number operator()(const number& x, const number& y) const { return x + x - y; }
};
struct five {
  THRUST_RNS_HD number operator()() const { return number(5); }
};
struct minus_index {
  template <class Index>
  THRUST_RNS_HD number operator()(Index k) const {
    return -number(k);
  }
};
struct increment {
  template <class Reference>
  THRUST_RNS_HD void operator()(Reference x) const {
    x = x + number(1);
  }
};

/// Values of which several are equal, in runs.
template <class Engine>
values with_runs(Engine& engine) {
  values pool = test::make_pattern<number>(test::pattern::random_length, engine, 40), z;
  while (z.size() < n) z.insert(z.end(), 1 + engine() % 4, pool[engine() % pool.size()]);
  z.resize(n);
  return z;
}

template <class Engine>
values sorted_with_ties(Engine& engine) {
  values z = with_runs(engine);
  std::sort(z.begin(), z.end());
  return z;
}

/// The values in front of `end`.
values front_of(const device_vector& v, device_vector::const_iterator end) {
  values z = test::values_of(v);
  z.resize(static_cast<std::size_t>(end - v.begin()));
  return z;
}

std::vector<int> ints(const thrust::device_vector<int>& v) {
  std::vector<int> x(v.size());
  thrust::copy(v.begin(), v.end(), x.begin());
  return x;
}

template <class Engine>
std::vector<int> keys_with_runs(Engine& engine) {
  std::vector<int> keys;
  while (keys.size() < n) keys.insert(keys.end(), 1 + engine() % 6, static_cast<int>(engine() % 10));
  keys.resize(n);
  return keys;
}

values wrapped(values z) {
  for (mpz_class& x : z) x = test::wrap<number>(x);
  return z;
}

} // namespace

TEST_CASE("sort and stable_sort, up and down" * test::stock) {
  THRUST_RNS_TEST_ENGINE(engine, 1601);
  values z = with_runs(engine);
  device_vector v = test::make<number>(z), w = v;
  thrust::sort(v.begin(), v.end());
  thrust::stable_sort(w.begin(), w.end(), thrust_rns::greater());
  CHECK_FALSE(thrust::is_sorted(w.begin(), w.end()));
  std::sort(z.begin(), z.end());
  CHECK(test::values_of(v) == z);
  CHECK(thrust::is_sorted(v.begin(), v.end()));
  test::check_extrema(v, z);
  std::reverse(z.begin(), z.end());
  CHECK(test::values_of(w) == z);
}

TEST_CASE("sort_by_key with numbers as keys, as values and as both" * test::stock) {
  THRUST_RNS_TEST_ENGINE(engine, 1602);
  const values z = with_runs(engine);
  const std::vector<int> keys = keys_with_runs(engine);
  std::vector<std::pair<mpz_class, int>> pairs;
  for (std::size_t j = 0; j < n; ++j) pairs.emplace_back(z[j], keys[j]);
  const auto expect = [&](auto order) {
    std::pair<values, std::vector<int>> e;
    auto sorted = pairs;
    std::stable_sort(sorted.begin(), sorted.end(), order);
    for (const auto& p : sorted) e.first.push_back(p.first), e.second.push_back(p.second);
    return e;
  };

  device_vector v = test::make<number>(z);
  thrust::device_vector<int> k(keys.begin(), keys.end());
  thrust::stable_sort_by_key(v.begin(), v.end(), k.begin());
  const auto by_number = expect([](const auto& a, const auto& b) { return a.first < b.first; });
  CHECK(test::values_of(v) == by_number.first);
  CHECK(ints(k) == by_number.second);

  v = test::make<number>(z);
  k.assign(keys.begin(), keys.end());
  thrust::stable_sort_by_key(k.begin(), k.end(), v.begin());
  const auto by_int = expect([](const auto& a, const auto& b) { return a.second < b.second; });
  CHECK(test::values_of(v) == by_int.first);
  CHECK(ints(k) == by_int.second);

  v = test::make<number>(z);
  k.assign(keys.begin(), keys.end());
  test::check_extrema(v, z); // so that there are evaluations to go stale
  thrust::sort_by_key(k.begin(), k.end(), v.begin(), thrust::greater<int>());
  CHECK(std::is_sorted(keys.begin(), keys.end()) == false);
  const std::vector<int> down = ints(k);
  CHECK(std::is_sorted(down.begin(), down.end(), std::greater<int>()));
  test::check_extrema(v, test::values_of(v));

  v = test::make<number>(z);
  device_vector copy = v;
  thrust::sort_by_key(v.begin(), v.end(), copy.begin());
  CHECK(copy == v);
  thrust::sort_by_key(v.begin(), v.begin(), copy.begin()); // empty
}

TEST_CASE("inclusive_scan and exclusive_scan" * test::stock) {
  THRUST_RNS_TEST_ENGINE(engine, 1603);
  const values z = test::make_pattern<number>(test::pattern::random, engine, n);
  device_vector v = test::make<number>(z), out(n);
  values sums(n);
  std::partial_sum(z.begin(), z.end(), sums.begin());
  CHECK(thrust::inclusive_scan(v.begin(), v.end(), out.begin()) == out.end());
  CHECK(test::values_of(out) == wrapped(sums));
  values before(n, 7);
  for (std::size_t j = 1; j < n; ++j) before[j] = 7 + sums[j - 1];
  thrust::exclusive_scan(v.begin(), v.end(), v.begin(), number(7), thrust_rns::plus()); // in place
  CHECK(test::values_of(v) == wrapped(before));
  v = test::make<number>(z);
  values highest(n);
  std::partial_sum(z.begin(), z.end(), highest.begin(), [](const auto& a, const auto& b) { return std::max(a, b); });
  thrust::inclusive_scan(v.begin(), v.end(), out.begin(), thrust_rns::maximum());
  CHECK(test::values_of(out) == highest);
}

TEST_CASE("scans by key, with numbers as values, as keys and as both" * test::stock) {
  THRUST_RNS_TEST_ENGINE(engine, 1604);
  const values z = test::make_pattern<number>(test::pattern::random, engine, n), key_values = with_runs(engine);
  const std::vector<int> keys = keys_with_runs(engine);
  const thrust::device_vector<int> k(keys.begin(), keys.end());
  const device_vector v = test::make<number>(z), number_keys = test::make<number>(key_values);
  device_vector out(n);
  const auto expect = [&](const auto& segment, const values& x, bool inclusive, int init) {
    values sums(n);
    for (std::size_t j = 0; j < n; ++j) {
      const bool begins = j == 0 || segment[j] != segment[j - 1];
      if (inclusive) {
        sums[j] = begins ? x[j] : mpz_class(sums[j - 1] + x[j]);
      } else {
        sums[j] = begins ? mpz_class(init) : mpz_class(sums[j - 1] + x[j - 1]);
      }
    }
    return wrapped(sums);
  };
  CHECK(thrust::inclusive_scan_by_key(k.begin(), k.end(), v.begin(), out.begin()) == out.end());
  CHECK(test::values_of(out) == expect(keys, z, true, 0));
  thrust::exclusive_scan_by_key(k.begin(), k.end(), v.begin(), out.begin(), number(3));
  CHECK(test::values_of(out) == expect(keys, z, false, 3));
  CHECK(thrust::inclusive_scan_by_key(number_keys.begin(), number_keys.end(), v.begin(), out.begin()) == out.end());
  CHECK(test::values_of(out) == expect(key_values, z, true, 0));
  CHECK(thrust::inclusive_scan_by_key(v.begin(), v.begin(), v.begin(), out.begin()) == out.begin()); // empty

  thrust::device_vector<int> sums(n);
  const values small(keys.begin(), keys.end());
  const auto check_ints = [&](const values& want) {
    const std::vector<int> got = ints(sums);
    CHECK(values(got.begin(), got.end()) == want);
  };
  thrust::inclusive_scan_by_key(number_keys.begin(), number_keys.end(), k.begin(), sums.begin());
  check_ints(expect(key_values, small, true, 0));
  thrust::exclusive_scan_by_key(number_keys.begin(), number_keys.end(), k.begin(), sums.begin());
  check_ints(expect(key_values, small, false, 0));
}

TEST_CASE("adjacent_difference to another vector and in place" * test::stock) {
  THRUST_RNS_TEST_ENGINE(engine, 1605);
  const values z = test::make_pattern<number>(test::pattern::random, engine, n);
  device_vector v = test::make<number>(z), out(n);
  values differences(n);
  std::adjacent_difference(z.begin(), z.end(), differences.begin());
  CHECK(thrust::adjacent_difference(v.begin(), v.end(), out.begin()) == out.end());
  CHECK(test::values_of(out) == wrapped(differences));
  CHECK(thrust::adjacent_difference(v.cbegin(), v.cbegin(), out.begin()) == out.begin()); // empty
  thrust::device_vector<number> whole(n);
  thrust::adjacent_difference(v.begin(), v.end(), whole.begin(), twice_less());
  CHECK(test::value(number(whole[n - 1])) == test::wrap<number>(2 * z[n - 1] - z[n - 2]));
  test::check_extrema(v, z); // so that there are evaluations to go stale
  CHECK(thrust::adjacent_difference(v.begin(), v.end(), v.begin(), thrust_rns::minus()) == v.end());
  CHECK(test::values_of(v) == wrapped(differences));
  test::check_extrema(v, wrapped(differences));
}

TEST_CASE("reduce_by_key with numbers as values and as keys" * test::stock) {
  THRUST_RNS_TEST_ENGINE(engine, 1606);
  const values z = with_runs(engine);
  const std::vector<int> keys = keys_with_runs(engine);
  const device_vector v = test::make<number>(z);
  const thrust::device_vector<int> k(keys.begin(), keys.end());
  values sums, runs;
  std::vector<int> sums_of_ints;
  for (std::size_t j = 0; j < n; ++j) {
    if (j == 0 || keys[j] != keys[j - 1]) sums.push_back(0);
    sums.back() += z[j];
    if (j == 0 || z[j] != z[j - 1]) runs.push_back(z[j]), sums_of_ints.push_back(0);
    sums_of_ints.back() += keys[j];
  }
  device_vector out(n);
  thrust::device_vector<int> out_ints(n);
  auto end = thrust::reduce_by_key(k.begin(), k.end(), v.begin(), out_ints.begin(), out.begin());
  CHECK(front_of(out, end.second) == wrapped(sums));
  auto ends = thrust::reduce_by_key(v.begin(), v.end(), k.begin(), out.begin(), out_ints.begin());
  CHECK(front_of(out, ends.first) == runs);
  out_ints.resize(static_cast<std::size_t>(ends.second - out_ints.begin()));
  CHECK(ints(out_ints) == sums_of_ints);
}

TEST_CASE("unique, unique_copy and unique_by_key" * test::stock) {
  THRUST_RNS_TEST_ENGINE(engine, 1607);
  values z = with_runs(engine);
  device_vector v = test::make<number>(z), out(n);
  thrust::device_vector<int> k(n, 1);
  values once = z;
  once.erase(std::unique(once.begin(), once.end()), once.end());
  CHECK(front_of(out, thrust::unique_copy(v.begin(), v.end(), out.begin())) == once);
  device_vector keys = v;
  CHECK(front_of(keys, thrust::unique_by_key(keys.begin(), keys.end(), k.begin()).first) == once);
  CHECK(front_of(v, thrust::unique(v.begin(), v.end())) == once);
}

TEST_CASE("merge and the set operations" * test::stock) {
  THRUST_RNS_TEST_ENGINE(engine, 1608);
  const values a = sorted_with_ties(engine);
  values b = sorted_with_ties(engine);
  for (std::size_t j = 0; j < n; j += 3) b[j] = a[j];
  std::sort(b.begin(), b.end());
  const device_vector x = test::make<number>(a), y = test::make<number>(b);
  device_vector out(2 * n);
#define CHECK_AGAINST_STD(algorithm)                                                                      \
  do {                                                                                                    \
    values want;                                                                                          \
    std::algorithm(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(want));                     \
    CHECK(front_of(out, thrust::algorithm(x.begin(), x.end(), y.begin(), y.end(), out.begin())) == want); \
  } while (false)
  CHECK_AGAINST_STD(merge);
  CHECK_AGAINST_STD(set_union);
  CHECK_AGAINST_STD(set_intersection);
  CHECK_AGAINST_STD(set_difference);
#undef CHECK_AGAINST_STD
}

TEST_CASE("partitions and selections" * test::stock) {
  THRUST_RNS_TEST_ENGINE(engine, 1609);
  const values z = with_runs(engine);
  const mpz_class bound = z[n / 2];
  const below predicate{test::make<number>(bound)};
  values low, high;
  std::partition_copy(z.begin(), z.end(), std::back_inserter(low), std::back_inserter(high),
                      [&](const mpz_class& x) { return x < bound; });
  values both = low;
  both.insert(both.end(), high.begin(), high.end());
  const device_vector v = test::make<number>(z);
  device_vector w = v, out(n), rest(n);
  CHECK(front_of(w, thrust::stable_partition(w.begin(), w.end(), predicate)) == low);
  CHECK(test::values_of(w) == both);
  w = v;
  CHECK(front_of(w, thrust::partition(w.begin(), w.end(), predicate)).size() == low.size());
  CHECK(thrust::is_partitioned(w.begin(), w.end(), predicate));
  const auto ends = thrust::partition_copy(v.begin(), v.end(), out.begin(), rest.begin(), predicate);
  CHECK(front_of(out, ends.first) == low);
  CHECK(front_of(rest, ends.second) == high);
  CHECK(front_of(out, thrust::copy_if(v.begin(), v.end(), out.begin(), predicate)) == low);
  w = v;
  CHECK(front_of(w, thrust::remove_if(w.begin(), w.end(), predicate)) == high);
}

TEST_CASE("searches and comparisons of ranges" * test::stock) {
  THRUST_RNS_TEST_ENGINE(engine, 1610);
  const values z = sorted_with_ties(engine), queries = with_runs(engine);
  const device_vector v = test::make<number>(z), q = test::make<number>(queries);
  thrust::device_vector<int> places(n);
  thrust::lower_bound(v.begin(), v.end(), q.begin(), q.end(), places.begin());
  const std::vector<int> found = ints(places);
  for (std::size_t j = 0; j < n; ++j) {
    CHECK(found[j] == std::lower_bound(z.begin(), z.end(), queries[j]) - z.begin());
  }
  const number wanted = test::make<number>(z[n / 2]);
  CHECK(thrust::count(v.begin(), v.end(), wanted) == std::count(z.begin(), z.end(), z[n / 2]));
  CHECK(thrust::find(v.begin(), v.end(), wanted) - v.begin() == std::find(z.begin(), z.end(), z[n / 2]) - z.begin());
  CHECK(thrust::equal(v.begin(), v.end(), v.begin()));
  device_vector w = v;
  w[n - 3] = w[n - 3] + number(1);
  CHECK_FALSE(thrust::equal(v.begin(), v.end(), w.begin()));
  CHECK(thrust::mismatch(v.begin(), v.end(), w.begin()).first - v.begin() == n - 3);
}

TEST_CASE("reductions of pairs and of mapped numbers" * test::stock) {
  THRUST_RNS_TEST_ENGINE(engine, 1611);
  const values a = test::make_pattern<number>(test::pattern::random, engine, n), b = with_runs(engine);
  const device_vector x = test::make<number>(a), y = test::make<number>(b);
  mpz_class squares = 0, products = 0;
  for (std::size_t j = 0; j < n; ++j) {
    squares += a[j] * a[j];
    products += a[j] * b[j];
  }
  CHECK(test::value(thrust::transform_reduce(x.begin(), x.end(), square(), number(0), thrust_rns::plus())) ==
        test::wrap<number>(squares));
  CHECK(test::value(thrust::inner_product(x.begin(), x.end(), y.begin(), number(1))) ==
        test::wrap<number>(products + 1));
}

TEST_CASE("writing algorithms" * test::stock) {
  THRUST_RNS_TEST_ENGINE(engine, 1612);
  values z = with_runs(engine);
  device_vector v = test::make<number>(z);
  test::check_extrema(v, z); // so that there are evaluations to go stale
  const mpz_class old_value = z[0];
  thrust::replace(v.begin(), v.end(), test::make<number>(old_value), number(-1));
  std::replace(z.begin(), z.end(), old_value, mpz_class(-1));
  CHECK(test::values_of(v) == z);
  test::check_extrema(v, z);
  thrust::for_each(v.begin(), v.end(), increment());
  for (mpz_class& x : z) x = test::wrap<number>(x + 1);
  CHECK(test::values_of(v) == z);
  thrust::shuffle(v.begin(), v.end(), thrust::default_random_engine(5));
  values shuffled = test::values_of(v);
  test::check_extrema(v, shuffled);
  std::sort(shuffled.begin(), shuffled.end());
  std::sort(z.begin(), z.end());
  CHECK(shuffled == z);
  thrust::fill(v.begin(), v.end(), number(4));
  CHECK(test::values_of(v) == values(n, 4));
  thrust::generate(v.begin(), v.end(), five());
  CHECK(test::values_of(v) == values(n, 5));
  thrust::tabulate(v.begin(), v.end(), minus_index());
  for (std::size_t j = 0; j < n; ++j) z[j] = -static_cast<long>(j);
  CHECK(test::values_of(v) == z);
  test::check_extrema(v, z);
}
