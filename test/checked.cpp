// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include "vectors.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <thrust/functional.h>

#include <thrust_rns/checked.h>
#include <thrust_rns/checked_product.h>

namespace {

using thrust_rns::symmetric_range;
using small = thrust_rns::number<thrust_rns::isupov_moduli<64>>;
using even_symmetric = thrust_rns::number<thrust_rns::moduli_set<13, 7, 48, 65537>, symmetric_range>;
using medium = thrust_rns::number<thrust_rns::moduli_for_bits<512>>;
using medium_symmetric = thrust_rns::number<thrust_rns::moduli_for_bits<512>, symmetric_range>;

mpz_class apply(thrust_rns::plus, const mpz_class& x, const mpz_class& y) { return x + y; }
mpz_class apply(thrust_rns::minus, const mpz_class& x, const mpz_class& y) { return x - y; }
mpz_class apply(thrust_rns::multiplies, const mpz_class& x, const mpz_class& y) { return x * y; }

/// Pairs whose sums, differences and products lie next to the ends of the range, and others.
template <class Number, class Engine>
void make_pairs(Engine& engine, std::vector<mpz_class>& x, std::vector<mpz_class>& y) {
  const auto insert = [&](const mpz_class& a, const mpz_class& b) {
    x.push_back(test::wrap<Number>(a));
    y.push_back(test::wrap<Number>(b));
  };
  const std::vector<mpz_class> edges = test::edge_values<Number>();
  const mpz_class low = test::smallest<Number>(), high = test::largest<Number>();
  for (std::size_t k = 0; k < edges.size(); ++k) {
    for (const std::size_t step : {0U, 1U, 7U, 29U}) insert(edges[k], edges[(k + step) % edges.size()]);
  }
  for (int k = 0; k < test::amount(400, 60); ++k) {
    const mpz_class a = k % 2 == 0 ? test::random_value<Number>(engine) : test::random_length_value<Number>(engine);
    insert(a, test::random_length_value<Number>(engine));
    for (const mpz_class& end : {low, high}) {
      const int e = static_cast<int>(engine() % 3) - 1;
      insert(a, end - a + e); // a + b is next to an end
      insert(a, a - end + e); // a - b is
      if (a != 0) insert(a, end / a + e);
      insert(a, a - (mpz_class(e) << static_cast<unsigned long>(engine() % 193)));
    }
  }
  for (int e = 0; e <= 2; ++e) { // squares next to the end
    const mpz_class root = sqrt(high) + e - 1;
    insert(root, root);
    insert(-root, root);
    insert(root, root + 1);
  }
  insert(low, -1);
  insert(low, 1);
  insert(low / 2, 2);
}

template <class Operation>
struct overflows_in_device_code {
  template <class Number>
  THRUST_RNS_HD int operator()(const Number& x, const Number& y) const {
    return thrust_rns::overflows<Operation>{}(x, y) ? 1 : 0;
  }
};

template <class Number, class Operation, class Check>
void check_operation(const std::vector<mpz_class>& x, const std::vector<mpz_class>& y, Operation op, Check check) {
  const std::vector<Number> a = test::make<Number>(x), b = test::make<Number>(y);
  const auto flags = test::on_device<int>(a, b, overflows_in_device_code<Operation>());
  std::vector<mpz_class> expected;
  std::vector<std::size_t> outside;
  for (std::size_t k = 0; k < x.size(); ++k) {
    CAPTURE(x[k]);
    CAPTURE(y[k]);
    const mpz_class exact = apply(op, x[k], y[k]);
    expected.push_back(test::wrap<Number>(exact));
    if (!test::is_value<Number>(exact)) outside.push_back(k);
    Number z = a[k];
    CHECK(check(z, b[k], z) == !test::is_value<Number>(exact)); // z is an operand too
    CHECK(test::value(z) == expected[k]);
    CHECK((flags[k] != 0) == !test::is_value<Number>(exact));
  }

  // Vectors: from each overflow on, to a result of its own and over an operand.
  thrust_rns::device_vector<Number> u = b;
  const thrust_rns::device_vector<Number> v = a;
  thrust_rns::device_vector<Number> w(a.size(), Number(3));
  thrust::max_element(w.begin(), w.end());
  for (std::size_t k = 0; k <= outside.size(); k += 1 + outside.size() / 8) {
    const auto from = static_cast<std::ptrdiff_t>(k == 0 ? 0 : outside[k - 1] + 1);
    const std::ptrdiff_t found = k == outside.size() ? -1 : static_cast<std::ptrdiff_t>(outside[k]) - from;
    CHECK(thrust_rns::checked_transform(v.begin() + from, v.end(), u.cbegin() + from, w.begin() + from, op) == found);
  }
  const std::ptrdiff_t first = outside.empty() ? -1 : static_cast<std::ptrdiff_t>(outside[0]);
  CHECK(thrust_rns::checked_transform(thrust::device, v.begin(), v.end(), u.begin(), w.begin(), op) == first);
  CHECK(test::values_of(w) == expected);
  test::check_extrema(w, expected);
  thrust::max_element(u.begin(), u.end());
  CHECK(thrust_rns::checked_transform(v.begin(), v.end(), u.begin(), u.begin(), op) == first);
  CHECK(test::values_of(u) == expected);
  test::check_extrema(u, expected);
}

} // namespace

TEST_CASE_TEMPLATE("sums, differences and products report exactly what leaves the range", Number, small, even_symmetric,
                   medium_symmetric) {
  THRUST_RNS_TEST_ENGINE(engine, 2801);
  std::vector<mpz_class> x, y;
  make_pairs<Number>(engine, x, y);
  check_operation<Number>(x, y, thrust_rns::plus(),
                          [](const Number& a, const Number& b, Number& c) { return thrust_rns::checked_add(a, b, c); });
  check_operation<Number>(x, y, thrust_rns::minus(), [](const Number& a, const Number& b, Number& c) {
    return thrust_rns::checked_subtract(a, b, c);
  });
  check_operation<Number>(x, y, thrust_rns::multiplies(), [](const Number& a, const Number& b, Number& c) {
    return thrust_rns::checked_multiply(a, b, c);
  });
  for (const mpz_class& z : test::edge_values<Number>()) {
    Number r;
    CHECK(thrust_rns::checked_negate(test::make<Number>(z), r) == !test::is_value<Number>(-z));
    CHECK(test::value(r) == test::wrap<Number>(-z));
  }
}

TEST_CASE_TEMPLATE("sums count how often they wrap, at every size", Number, small, even_symmetric) {
  THRUST_RNS_TEST_ENGINE(engine, 2802);
  const mpz_class& m = test::dynamic_range<typename Number::base_type>();
  for (const std::size_t n : test::sizes_to_try()) {
    CAPTURE(n);
    for (const test::pattern p :
         {test::pattern::random, test::pattern::random_length, test::pattern::edges, test::pattern::lowest}) {
      const std::vector<mpz_class> x = test::make_pattern<Number>(p, engine, n),
                                   y = test::make_pattern<Number>(p, engine, n);
      const thrust_rns::device_vector<Number> v = test::make<Number>(x), w = test::make<Number>(y);
      const std::size_t from = n > 3 ? 3 : 0;
      mpz_class sum, inner;
      std::int64_t first = -1;
      for (std::size_t k = from; k < n; ++k) {
        sum += x[k];
        const mpz_class product = x[k] * y[k];
        inner += test::wrap<Number>(product);
        if (first < 0 && !test::is_value<Number>(product)) first = static_cast<std::int64_t>(k - from);
      }
      const auto offset = static_cast<std::ptrdiff_t>(from);
      const auto s = thrust_rns::checked_sum(v.begin() + offset, v.end());
      CHECK(test::value(s.value) == test::wrap<Number>(sum));
      CHECK(test::value(s.value) + test::mpz(s.wraps) * m == sum);
      CHECK(s.exact() == test::is_value<Number>(sum));
      const auto i = thrust_rns::checked_inner_product(thrust::device, v.begin() + offset, v.end(), w.begin() + offset);
      CHECK(test::value(i.value) + test::mpz(i.wraps) * m == inner);
      CHECK(i.first_overflow == first);
      CHECK(i.exact() == (first < 0 && test::is_value<Number>(inner)));
    }
  }
}

TEST_CASE("small products of wide numbers are exact, with evaluations cached or not") {
  THRUST_RNS_TEST_ENGINE(engine, 2803);
  using number = medium_symmetric;
  std::vector<mpz_class> x, y;
  mpz_class inner;
  for (int k = 0; k < 700; ++k) {
    x.push_back(test::random_below(engine, test::power_of_two(250)) * (k % 3 - 1));
    y.push_back(test::random_below(engine, test::power_of_two(k % 250)));
    inner += x.back() * y.back();
  }
  const thrust_rns::device_vector<number> v = test::make<number>(x), w = test::make<number>(y);
  for (int repeat = 0; repeat < 2; ++repeat) {
    const auto i = thrust_rns::checked_inner_product(v.begin(), v.end(), w.begin());
    CHECK(test::value(i.value) == inner);
    CHECK(i.exact());
    thrust_rns::device_vector<number> r(700);
    CHECK(thrust_rns::checked_transform(v.begin(), v.end(), w.begin(), r.begin(), thrust::multiplies<number>()) == -1);
    CHECK(test::count_evaluated(v) == 700); // kept by the product
    CHECK(test::count_evaluated(r) == 0);
  }
  const thrust_rns::device_vector<number> nothing;
  CHECK(thrust_rns::checked_sum(nothing.begin(), nothing.end()).exact());
}

TEST_CASE_TEMPLATE("small numbers, any offsets, with evaluations cached or not", Number, medium, medium_symmetric) {
  THRUST_RNS_TEST_ENGINE(engine, 2805);
  const mpz_class& m = test::dynamic_range<typename Number::base_type>();
  std::vector<mpz_class> x, y;
  for (std::size_t k = 0; k < 700; ++k) {
    x.push_back(test::random_below(engine, test::power_of_two(static_cast<int>(k % 250))));
    y.push_back(test::random_below(engine, test::power_of_two(64)));
  }
  for (const std::size_t k :
       {400U, 401U, 555U}) { // next to the ends of the range, which sums cannot tell from small numbers
    x[k] = k == 555 ? test::smallest<Number>() : mpz_class(test::largest<Number>() - k);
    y[k] = 1;
  }
  for (const std::ptrdiff_t i : {0, 1, 2, 3}) {
    for (const std::ptrdiff_t j : {i, std::ptrdiff_t{2}}) {
      const thrust_rns::device_vector<Number> v = test::make<Number>(x), w = test::make<Number>(y);
      thrust_rns::device_vector<Number> r(700);
      mpz_class sum, inner;
      std::int64_t first_plus = -1, first_minus = -1, first_product = -1;
      for (std::size_t k = 0; k < 690; ++k) {
        const mpz_class &a = x[k + static_cast<std::size_t>(i)], &b = y[k + static_cast<std::size_t>(j)];
        const auto note = [&](std::int64_t& first, const mpz_class& z) {
          if (first < 0 && !test::is_value<Number>(z)) first = static_cast<std::int64_t>(k);
        };
        note(first_plus, a + b);
        note(first_minus, a - b);
        note(first_product, a * b);
        sum += a;
        inner += test::wrap<Number>(a * b);
      }
      for (int repeat = 0; repeat < 2; ++repeat) {
        const auto a = v.begin() + i, b = w.begin() + j;
        const auto s = thrust_rns::checked_sum(a, a + 690);
        CHECK(test::value(s.value) + test::mpz(s.wraps) * m == sum);
        CHECK(thrust_rns::checked_transform(a, a + 690, b, r.begin(), thrust_rns::plus()) == first_plus);
        CHECK(thrust_rns::checked_transform(a, a + 690, b, r.begin(), thrust_rns::minus()) == first_minus);
        const auto p = thrust_rns::checked_inner_product(a, a + 690, b);
        CHECK(test::value(p.value) + test::mpz(p.wraps) * m == inner);
        CHECK(p.first_overflow == first_product);
        CHECK(thrust_rns::checked_transform(a, a + 690, b, r.begin() + 1, thrust_rns::multiplies()) == first_product);
      }
    }
  }
}

TEST_CASE("host vectors are checked alike") {
  THRUST_RNS_TEST_ENGINE(engine, 2804);
  std::vector<mpz_class> x, y;
  make_pairs<small>(engine, x, y);
  const thrust_rns::host_vector<small> a = test::make<small>(x), b = test::make<small>(y);
  thrust_rns::host_vector<small> c(a.size());
  std::int64_t first = -1;
  for (std::size_t k = x.size(); k-- > 0;) {
    if (!test::is_value<small>(x[k] - y[k])) first = static_cast<std::int64_t>(k);
  }
  CHECK(thrust_rns::checked_transform(thrust::host, a.begin(), a.end(), b.begin(), c.begin(), thrust_rns::minus()) ==
        first);
  const auto s = thrust_rns::checked_sum(a.begin(), a.end());
  CHECK(test::value(s.value) == test::sum_of<small>(x.data(), static_cast<std::ptrdiff_t>(x.size())));
}

TEST_CASE_TEMPLATE("products of ranges are exact, with zeros, units and the ends of the range", Number, small,
                   even_symmetric, medium_symmetric) {
  THRUST_RNS_TEST_ENGINE(engine, 2807);
  const auto check = [&](const std::vector<mpz_class>& x) {
    mpz_class product = 1;
    for (const mpz_class& z : x) product *= z;
    const thrust_rns::device_vector<Number> v = test::make<Number>(x);
    const auto p = thrust_rns::checked_product(thrust::device, v.begin(), v.end());
    CHECK(test::value(p.value) == test::wrap<Number>(product));
    CHECK(p.overflow == !test::is_value<Number>(product));
  };
  const mpz_class low = test::smallest<Number>(), high = test::largest<Number>();
  check({});
  for (const mpz_class& end : {low, high}) {
    for (const int sign : {1, -1}) {
      const mpz_class unit = Number::is_symmetric ? mpz_class(sign) : mpz_class(1);
      check({end, unit});
      check({unit, unit, end, unit});
      check({end, end, mpz_class(0)});
      check({end, mpz_class(2)});
      const mpz_class middle = end / 2, rest = end - middle * 2; // half of an end, twice, and its neighbours
      for (const mpz_class& z : {mpz_class(middle), mpz_class(middle + rest), mpz_class(middle - 1)})
        check({z, 2 * unit});
    }
  }
  for (int k = 0; k < test::amount(60, 20); ++k) { // few that are large among units
    std::vector<mpz_class> x(static_cast<std::size_t>(engine() % 3000), 1);
    const int large = static_cast<int>(engine() % 6);
    for (int l = 0; l < large; ++l) {
      mpz_class z = test::random_length_value<Number>(engine);
      if (k % 2 == 0) z >>= static_cast<unsigned long>(z.get_ui() % 200);
      x.insert(x.begin() + static_cast<std::ptrdiff_t>(engine() % (x.size() + 1)), test::wrap<Number>(z));
    }
    if (Number::is_symmetric) {
      for (mpz_class& z : x) z *= engine() % 2 == 0 ? 1 : z == low ? 1 : -1;
    }
    check(x);
  }
  check(std::vector<mpz_class>(700, 2));
  const std::vector<mpz_class> host{3, 5, 7};
  const thrust_rns::host_vector<Number> h = test::make<Number>(host);
  CHECK(thrust_rns::checked_product(h.begin(), h.end()).value == 105);
}
