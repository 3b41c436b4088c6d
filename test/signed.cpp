// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include "vectors.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <thrust/transform.h>

#include <thrust_rns/signed.h>

namespace {

using thrust_rns::symmetric_range;
using small_symmetric = thrust_rns::number<thrust_rns::isupov_moduli<64>, symmetric_range>;
using even_symmetric = thrust_rns::number<thrust_rns::moduli_set<13, 7, 48, 65537>, symmetric_range>;
using small = thrust_rns::number<thrust_rns::isupov_moduli<64>>;
using wide_symmetric = thrust_rns::number<thrust_rns::isupov_moduli<256>, symmetric_range>;

int sign_of(const mpz_class& z) { return sgn(z); }

struct signs_in_device_code {
  template <class Number>
  THRUST_RNS_HD int operator()(const Number& x, const Number& y) const {
    return 9 * (thrust_rns::sign(x) + 1) + 3 * (thrust_rns::compare_magnitudes(x, y) + 1) + thrust_rns::compare(x, y) +
           1;
  }
};

} // namespace

TEST_CASE_TEMPLATE("signs, magnitudes, comparisons and differences of close values", Number, small_symmetric,
                   even_symmetric, wide_symmetric) {
  THRUST_RNS_TEST_ENGINE(engine, 2901);
  const mpz_class& m = test::dynamic_range<typename Number::base_type>();
  std::vector<mpz_class> x, y;
  const auto insert = [&](const mpz_class& a, const mpz_class& b) {
    x.push_back(test::wrap<Number>(a));
    y.push_back(test::wrap<Number>(b));
  };
  for (const mpz_class& z : test::sample_values<Number>(engine, test::amount(100, 20))) {
    insert(z, z);
    insert(z, -z);
    insert(z, -z + 1);
  }
  for (const mpz_class& near :
       {mpz_class(0), mpz_class(m / 4), mpz_class(-m / 4), mpz_class(m / 2), mpz_class(-m / 2)}) {
    for (int k = 0; k <= 192; k += k < 70 ? 1 : 13) {
      for (const mpz_class& d : {test::power_of_two(k), mpz_class(-test::power_of_two(k))}) {
        const mpz_class a = near + test::random_below(engine, 5) - 2;
        insert(a, a + d); // x - (x + d)
      }
    }
  }
  const std::vector<Number> a = test::make<Number>(x), b = test::make<Number>(y);
  const auto on_device = test::on_device<int>(a, b, signs_in_device_code());
  for (std::size_t k = 0; k < x.size(); ++k) {
    CAPTURE(x[k]);
    CAPTURE(y[k]);
    const mpz_class d = test::wrap<Number>(x[k] - y[k]);
    const int order = sign_of(x[k] - y[k]), magnitudes = sign_of(abs(x[k]) - abs(y[k]));
    CHECK(test::value(a[k] - b[k]) == d);
    CHECK(thrust_rns::sign(a[k]) == sign_of(x[k]));
    CHECK(thrust_rns::sign(a[k] - b[k]) == sign_of(d));
    CHECK(thrust_rns::compare(a[k], b[k]) == order);
    CHECK(thrust_rns::compare_magnitudes(a[k], b[k]) == magnitudes);
    CHECK(test::value(thrust_rns::absolute(a[k])) == test::wrap<Number>(abs(x[k])));
    Number r;
    CHECK(thrust_rns::checked_absolute(a[k], r) == (abs(x[k]) > test::largest<Number>()));
    CHECK(on_device[k] == 9 * (sign_of(x[k]) + 1) + 3 * (magnitudes + 1) + order + 1);
  }
}

TEST_CASE_TEMPLATE("maximum norm and sum of magnitudes at every size", Number, small_symmetric, even_symmetric, small) {
  THRUST_RNS_TEST_ENGINE(engine, 2902);
  const mpz_class& m = test::dynamic_range<typename Number::base_type>();
  for (const std::size_t n : test::sizes_to_try()) {
    CAPTURE(n);
    for (const test::pattern p : test::all_patterns) {
      CAPTURE(static_cast<int>(p));
      std::vector<mpz_class> z = test::make_pattern<Number>(p, engine, n + 2);
      if (p == test::pattern::ties) {
        for (mpz_class& x : z) x = engine() % 2 == 0 ? x : test::wrap<Number>(-x);
      }
      const thrust_rns::device_vector<Number> v = test::make<Number>(z);
      mpz_class sum;
      std::int64_t index = -1;
      for (std::size_t k = 0; k < n; ++k) {
        sum += abs(z[k + 1]);
        if (index < 0 || abs(z[k + 1]) > abs(z[static_cast<std::size_t>(index) + 1]))
          index = static_cast<std::int64_t>(k);
      }
      const auto norm = thrust_rns::max_norm(v.begin() + 1, v.end() - 1);
      CHECK(norm.index == index);
      if (index >= 0) CHECK(test::value(norm.value) == test::wrap<Number>(abs(z[static_cast<std::size_t>(index) + 1])));
      const auto s = thrust_rns::sum_of_magnitudes(thrust::device, v.begin() + 1, v.end() - 1);
      CHECK(test::value(s.value) + test::mpz(s.wraps) * m == sum);
    }
  }
}

TEST_CASE("absolute values of vectors, extrema and conversion afterwards") {
  THRUST_RNS_TEST_ENGINE(engine, 2903);
  std::vector<mpz_class> z = test::make_pattern<small_symmetric>(test::pattern::random_length, engine, 2305);
  thrust_rns::device_vector<small_symmetric> v = test::make<small_symmetric>(z);
  test::check_extrema(v, z);
  thrust::transform(v.begin(), v.end(), v.begin(), thrust_rns::absolute_value());
  for (mpz_class& x : z) x = abs(x);
  CHECK(test::values_of(v) == z);
  test::check_extrema(v, z);
}
