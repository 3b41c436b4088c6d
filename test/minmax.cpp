// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// thrust::minmax_element over device_vector and host_vector.

#include "vectors.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <vector>

#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/pair.h>

namespace {

using test::pattern;

using unsigned_128 = thrust_rns::number<thrust_rns::moduli_for_bits<128>>;
using symmetric_128 = thrust_rns::number<thrust_rns::moduli_for_bits<128>, thrust_rns::symmetric_range>;
using symmetric_even = thrust_rns::number<thrust_rns::moduli_set<13, 7, 16>, thrust_rns::symmetric_range>;

/// Offsets of the first smallest and the first largest.
struct places {
  std::ptrdiff_t smallest, largest;
  bool operator==(const places& other) const { return smallest == other.smallest && largest == other.largest; }
  friend std::ostream& operator<<(std::ostream& os, const places& p) { return os << p.smallest << ", " << p.largest; }
};

places in_gmp(const mpz_class* z, std::ptrdiff_t n) {
  return {std::min_element(z, z + n) - z, std::max_element(z, z + n) - z};
}

template <class Iterator>
places in(Iterator first, const thrust::pair<Iterator, Iterator>& both) {
  return {both.first - first, both.second - first};
}

template <class Iterator>
void check(Iterator first, Iterator last, const mpz_class* z) {
  CHECK(in(first, thrust::minmax_element(first, last)) == in_gmp(z, last - first));
}

/// Compares the residues modulo the first modulus: an order that the library does not know.
struct first_residue_less {
  template <class A, class B>
  THRUST_RNS_HD bool operator()(const A& a, const B& b) const {
    return thrust_rns::detail::value_of(a).residue(0) < thrust_rns::detail::value_of(b).residue(0);
  }
};

} // namespace

TEST_CASE_TEMPLATE("minmax_element gives the first smallest and the first largest at every size and alignment", Vector,
                   thrust_rns::device_vector<unsigned_128>, thrust_rns::device_vector<symmetric_128>,
                   thrust_rns::host_vector<symmetric_even>) {
  using Number = typename Vector::value_type;
  THRUST_RNS_TEST_ENGINE(engine, 1301);
  std::size_t turn = 0;
  for (const std::size_t n : test::sizes_to_try()) {
    CAPTURE(n);
    for (const pattern p : test::all_patterns) {
      CAPTURE(static_cast<int>(p));
      const std::vector<mpz_class> z = test::make_pattern<Number>(p, engine, n + 6);
      Vector v = test::make<Number>(z);
      for (std::size_t corner = turn++ % 5; corner < 16; corner += n <= 5 ? 1 : 5) { // as in extrema.cpp
        const auto b = static_cast<std::ptrdiff_t>(corner % 4), e = static_cast<std::ptrdiff_t>(n + 3 + corner / 4);
        CAPTURE(b);
        CAPTURE(e);
        if (engine() % 2 == 0) v.invalidate_evaluations();
        if (corner % 2 == 0) {
          check(v.begin() + b, v.begin() + e, z.data() + b);
        } else {
          check(v.cbegin() + b, v.cbegin() + e, z.data() + b);
        }
      }
    }
  }
}

TEST_CASE_TEMPLATE("minmax_element finds the extremes of a range of many blocks", Vector,
                   thrust_rns::device_vector<symmetric_128>, thrust_rns::host_vector<unsigned_128>) {
  using Number = typename Vector::value_type;
  THRUST_RNS_TEST_ENGINE(engine, 1302);
  const std::size_t n = test::amount<std::size_t>(50021, 5003);
  for (const pattern p : {pattern::random, pattern::ties, pattern::neighbours, pattern::edges, pattern::all_equal}) {
    CAPTURE(static_cast<int>(p));
    const std::vector<mpz_class> z = test::make_pattern<Number>(p, engine, n);
    const Vector v = test::make<Number>(z);
    check(v.begin(), v.end(), z.data());
    check(v.begin() + 3, v.end() - 2, z.data() + 3);
  }
}

TEST_CASE_TEMPLATE("a single minimum and a single maximum are found at every position", Vector,
                   thrust_rns::device_vector<symmetric_128>, thrust_rns::host_vector<symmetric_128>) {
  using Number = typename Vector::value_type;
  constexpr std::size_t n = 67;
  const std::vector<Number> x(n, Number(5));
  for (std::size_t j = 0; j < n; ++j) {
    CAPTURE(j);
    const std::size_t k = (7 * j + 3) % n; // another place, but for one j
    Vector v = x;
    v[j] = 4;
    if (k != j) v[k] = 6;
    const auto at = [](std::size_t i) { return static_cast<std::ptrdiff_t>(i); };
    const places expected{at(j), k != j ? at(k) : 0};
    CHECK(in(v.begin(), thrust::minmax_element(v.begin(), v.end())) == expected);
  }
}

TEST_CASE_TEMPLATE("ties go to the first of the equal numbers, for the largest too", Vector,
                   thrust_rns::device_vector<symmetric_128>, thrust_rns::host_vector<symmetric_128>) {
  const Vector v{5, 9, -9, 9, 9, 0, -9};
  const auto first = v.begin(), last = v.end();
  CHECK(in(first, thrust::minmax_element(first, last)) == places{2, 1});
  CHECK(in(first + 2, thrust::minmax_element(first + 2, last)) == places{0, 1});
  CHECK(in(first + 3, thrust::minmax_element(first + 3, last)) == places{3, 0});
  CHECK(in(first, thrust::minmax_element(first, last, thrust_rns::greater())) == places{1, 2});
  const Vector same(300, symmetric_128(-3));
  CHECK(in(same.begin(), thrust::minmax_element(same.begin(), same.end())) == places{0, 0});
  CHECK(in(same.begin(), thrust::minmax_element(same.begin(), same.end(), thrust::greater<>())) == places{0, 0});
}

TEST_CASE_TEMPLATE("an empty range gives its end twice, a range of one its only element", Vector,
                   thrust_rns::device_vector<unsigned_128>, thrust_rns::host_vector<unsigned_128>) {
  const Vector nothing;
  CHECK(in(nothing.begin(), thrust::minmax_element(nothing.begin(), nothing.end())) == places{0, 0});
  CHECK(in(nothing.begin(), thrust::minmax_element(nothing.begin(), nothing.end(), thrust_rns::greater())) ==
        places{0, 0});
  const Vector v(40, unsigned_128(3));
  for (const std::ptrdiff_t at : {0, 1, 31, 39}) {
    CAPTURE(at);
    const auto one = v.begin() + at;
    CHECK(in(v.begin(), thrust::minmax_element(one, one)) == places{at, at});
    CHECK(test::count_evaluated(v) == 0);
  }
  for (const std::ptrdiff_t at : {0, 1, 31, 39}) {
    const auto one = v.begin() + at;
    CHECK(in(v.begin(), thrust::minmax_element(one, one + 1)) == places{at, at});
  }
  CHECK(in(v.begin(), thrust::minmax_element(v.end(), v.end())) == places{40, 40});
}

TEST_CASE_TEMPLATE("each comparator gives the order that its name says", Vector,
                   thrust_rns::device_vector<symmetric_128>, thrust_rns::host_vector<symmetric_128>) {
  THRUST_RNS_TEST_ENGINE(engine, 1303);
  using number = symmetric_128;
  for (const pattern p : {pattern::random, pattern::ties, pattern::neighbours}) {
    const std::vector<mpz_class> z = test::make_pattern<number>(p, engine, 777);
    const Vector v = test::make<number>(z);
    const auto first = v.begin(), last = v.end();
    const places up = in_gmp(z.data(), 777), down{up.largest, up.smallest};
    CHECK(in(first, thrust::minmax_element(first, last, thrust_rns::less())) == up);
    CHECK(in(first, thrust::minmax_element(first, last, thrust::less<number>())) == up);
    CHECK(in(first, thrust::minmax_element(first, last, thrust::less<>())) == up);
    CHECK(in(first, thrust::minmax_element(first, last, thrust_rns::greater())) == down);
    CHECK(in(first, thrust::minmax_element(first, last, thrust::greater<number>())) == down);
    CHECK(in(first, thrust::minmax_element(first, last, thrust::greater<>())) == down);
  }
}

TEST_CASE_TEMPLATE("a comparator that the library does not know decides, in Thrust's own algorithm" * test::stock,
                   Vector, thrust_rns::device_vector<symmetric_even>, thrust_rns::host_vector<symmetric_even>) {
  THRUST_RNS_TEST_ENGINE(engine, 1304);
  using number = symmetric_even;
  for (const std::size_t n : {1U, 2U, 100U, 3000U}) {
    const std::vector<number> x = test::make<number>(test::make_pattern<number>(pattern::random, engine, n));
    const Vector v = x;
    const places expected{std::min_element(x.begin(), x.end(), first_residue_less()) - x.begin(),
                          std::max_element(x.begin(), x.end(), first_residue_less()) - x.begin()};
    CHECK(in(v.begin(), thrust::minmax_element(v.begin(), v.end(), first_residue_less())) == expected);
    CHECK(test::count_evaluated(v) == 0);
  }
}

TEST_CASE("one call evaluates every number of the range, and no other, under every policy") {
  THRUST_RNS_TEST_ENGINE(engine, 1305);
  using number = symmetric_128;
  const std::vector<mpz_class> z = test::make_pattern<number>(pattern::edges, engine, 1000);
  const auto check_policy = [&](auto v, auto call) {
    CHECK(in(v.begin() + 5, call(v.begin() + 5, v.end() - 7)) == in_gmp(z.data() + 5, 988));
    const std::vector<std::uint64_t> evaluations = test::evaluations_of(v);
    for (std::size_t j = 0; j < z.size(); ++j) {
      CAPTURE(j);
      const std::uint64_t expected = thrust_rns::evaluate(test::make<number>(z[j])).key();
      REQUIRE((5 <= j && j < 993 ? test::are_keys_of_one(evaluations[j], expected) : evaluations[j] == 0));
    }
    CHECK(in(v.begin(), call(v.begin(), v.end())) == in_gmp(z.data(), 1000));
    CHECK(test::count_evaluated(v) == 1000);
    CHECK(in(v.begin(), call(v.begin(), v.end())) == in_gmp(z.data(), 1000)); // from the cache
  };
  const thrust_rns::device_vector<number> d = test::make<number>(z);
  const thrust_rns::host_vector<number> h = test::make<number>(z);
  check_policy(d, [](auto b, auto e) { return thrust::minmax_element(b, e); });
  check_policy(d, [](auto b, auto e) { return thrust::minmax_element(thrust::device, b, e); });
  check_policy(d, [](auto b, auto e) { return thrust::minmax_element(thrust::device, b, e, thrust_rns::less()); });
  check_policy(h, [](auto b, auto e) { return thrust::minmax_element(b, e); });
  check_policy(h, [](auto b, auto e) { return thrust::minmax_element(thrust::host, b, e); });
  check_policy(h, [](auto b, auto e) { return thrust::minmax_element(thrust::host, b, e, thrust::less<number>()); });
}

TEST_CASE_TEMPLATE("through the result the numbers can be read and written", Vector,
                   thrust_rns::device_vector<unsigned_128>, thrust_rns::host_vector<unsigned_128>) {
  Vector v{5, 8, 2};
  const auto both = thrust::minmax_element(v.begin(), v.end());
  CHECK(*both.first == unsigned_128(2));
  CHECK(*both.second == unsigned_128(8));
  *both.second = 1;
  CHECK(in(v.begin(), thrust::minmax_element(v.begin(), v.end())) == places{1, 0});
}
