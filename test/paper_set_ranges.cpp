// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Checked and signed arithmetic over ranges in sets of Isupov 2021 and of 31-bit primes, against GMP.

#include "paper_sets.h"
#include "vectors.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <thrust_rns/checked.h>
#include <thrust_rns/signed.h>

namespace {

using thrust_rns::isupov_moduli;
using thrust_rns::moduli_for_bits;
using thrust_rns::number;
using thrust_rns::symmetric_range;
using thrust_rns::unsigned_range;

template <class Number>
void check_ranges(const test::pairs& p) {
  std::vector<mpz_class> x, y;
  mpz_class sum, magnitudes, inner;
  std::int64_t first[3] = {-1, -1, -1};
  for (const auto& [a, b] : p) {
    const mpz_class exact[3] = {a + b, a - b, a * b};
    for (int k = 0; k < 3; ++k) {
      if (first[k] < 0 && !test::is_value<Number>(exact[k])) first[k] = static_cast<std::int64_t>(x.size());
    }
    x.push_back(a);
    y.push_back(b);
    sum += a;
    magnitudes += abs(a);
    inner += test::wrap<Number>(exact[2]);
  }
  const thrust_rns::device_vector<Number> u = test::make<Number>(x), v = test::make<Number>(y);
  thrust_rns::device_vector<Number> w(x.size());
  const auto transform = [&](auto op) {
    return thrust_rns::checked_transform(u.begin(), u.end(), v.begin(), w.begin(), op);
  };
  const mpz_class& m = test::dynamic_range<typename Number::base_type>();
  for (int cached = 0; cached < 2; ++cached) {
    const auto s = thrust_rns::checked_sum(u.begin(), u.end()), t = thrust_rns::sum_of_magnitudes(u.begin(), u.end()),
               i = thrust_rns::checked_inner_product(u.begin(), u.end(), v.begin());
    CHECK(test::value(s.value) + test::mpz(s.wraps) * m == sum);
    CHECK(test::value(t.value) + test::mpz(t.wraps) * m == magnitudes);
    CHECK(test::value(i.value) + test::mpz(i.wraps) * m == inner);
    CHECK(i.first_overflow == first[2]);
    CHECK(transform(thrust_rns::plus()) == first[0]);
    CHECK(transform(thrust_rns::minus()) == first[1]);
    CHECK(transform(thrust_rns::multiplies()) == first[2]);
  }
  const auto norm = thrust_rns::max_norm(u.begin(), u.end());
  const auto largest =
      std::max_element(x.begin(), x.end(), [](const mpz_class& a, const mpz_class& b) { return abs(a) < abs(b); });
  CHECK(norm.index == largest - x.begin());
  CHECK(norm.value == test::make<Number>(abs(*largest)));
}

template <class Number>
void check_set(std::uint64_t seed) {
  THRUST_RNS_TEST_ENGINE(engine, seed);
  check_ranges<Number>(test::make_pairs<Number>(engine));
}

} // namespace

TEST_CASE("checked ranges in the sets of the paper and in sets of 31-bit primes") {
  SUBCASE("64 bits") { check_set<number<isupov_moduli<64>, symmetric_range>>(2831); }
  SUBCASE("256 bits, unsigned") { check_set<number<isupov_moduli<256>, unsigned_range>>(2832); }
  SUBCASE("31-bit primes, 1024 bits") { check_set<number<moduli_for_bits<1024>, symmetric_range>>(2833); }
}
