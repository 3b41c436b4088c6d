// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include "vectors.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <thrust_rns/base_extension.h>

namespace {

using thrust_rns::symmetric_range;
using small = thrust_rns::number<thrust_rns::isupov_moduli<64>>;
using small_symmetric = thrust_rns::number<thrust_rns::isupov_moduli<64>, symmetric_range>;
using even = thrust_rns::number<thrust_rns::moduli_set<13, 7, 16>, symmetric_range>;
using medium_symmetric = thrust_rns::number<thrust_rns::moduli_for_bits<512>, symmetric_range>;
using long_set = thrust_rns::number<thrust_rns::isupov_moduli<256>>;

template <class To>
struct convert_in_device_code {
  template <class From>
  THRUST_RNS_HD To operator()(const From& x) const {
    return thrust_rns::convert_base<To>(x);
  }
};

/// Numbers, vectors and device code from From to To, against the integers.
template <class From, class To, class Engine>
void check_base_change(Engine& engine) {
  std::vector<mpz_class> z = test::sample_values<From>(engine, test::amount(200, 40));
  for (const mpz_class& t : test::edge_values<To>()) z.push_back(test::wrap<From>(t)); // the other range's corners
  std::vector<mpz_class> wrapped;
  std::ptrdiff_t first = -1;
  for (std::size_t k = 0; k < z.size(); ++k) {
    wrapped.push_back(test::wrap<To>(z[k]));
    if (first < 0 && wrapped[k] != z[k]) first = static_cast<std::ptrdiff_t>(k);
    const From x = test::make<From>(z[k]);
    To y;
    const bool outside = thrust_rns::checked_convert_base(x, y);
    CAPTURE(z[k]);
    CHECK(outside == (wrapped[k] != z[k]));
    CHECK(y == test::make<To>(wrapped[k]));
    CHECK(thrust_rns::convert_base<To>(x) == y);
  }
  const std::vector<From> xs = test::make<From>(z);
  CHECK(test::on_device<To>(xs, convert_in_device_code<To>()) == test::make<To>(wrapped));

  const thrust_rns::device_vector<From> v(xs);
  thrust_rns::device_vector<To> w(v.size() + 3, To(5));
  thrust::max_element(w.begin(), w.end()); // evaluations that the results must not keep
  CHECK(thrust_rns::convert_base(v.begin() + 1, v.end(), w.begin() + 2) - w.begin() ==
        static_cast<std::ptrdiff_t>(v.size() + 1));
  std::vector<mpz_class> expected(v.size() + 3, 5);
  std::copy(wrapped.begin() + 1, wrapped.end(), expected.begin() + 2);
  CHECK(test::values_of(w) == expected);
  test::check_extrema(w, expected);
  CHECK(thrust_rns::checked_convert_base(thrust::device, v.begin(), v.end(), w.begin()) == first);
  w.resize(v.size());
  CHECK(test::values_of(w) == wrapped);
}

} // namespace

TEST_CASE("a change of base keeps the integer, or wraps and says so") {
  THRUST_RNS_TEST_ENGINE(engine, 2601);
  SUBCASE("to more bits") { check_base_change<small_symmetric, medium_symmetric>(engine); }
  SUBCASE("to fewer bits") { check_base_change<medium_symmetric, small_symmetric>(engine); }
  SUBCASE("symmetric to unsigned, to a long set") { check_base_change<even, long_set>(engine); }
  SUBCASE("unsigned to symmetric, to an even modulus") { check_base_change<long_set, even>(engine); }
  SUBCASE("same moduli, other range") { check_base_change<small, small_symmetric>(engine); }
}

TEST_CASE("vectors of every size, on the host too") {
  THRUST_RNS_TEST_ENGINE(engine, 2602);
  for (const std::size_t n : test::sizes_to_try()) {
    CAPTURE(n);
    const std::vector<mpz_class> z = test::make_pattern<small_symmetric>(test::pattern::random_length, engine, n);
    const thrust_rns::device_vector<small_symmetric> v = test::make<small_symmetric>(z);
    thrust_rns::device_vector<medium_symmetric> w(n);
    thrust_rns::convert_base(v.cbegin(), v.cend(), w.begin());
    CHECK(test::values_of(w) == z);
    const thrust_rns::host_vector<small_symmetric> h(v);
    thrust_rns::host_vector<medium_symmetric> g(n);
    CHECK(thrust_rns::checked_convert_base(h.begin(), h.end(), g.begin()) == -1);
    CHECK(test::values_of(g) == z);
  }
}
