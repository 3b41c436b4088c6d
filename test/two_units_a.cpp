// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// The same calls in two translation units, which include the headers in different order, are the same functions.

#include <thrust/extrema.h>
#include <thrust/reduce.h>

#include <thrust_rns/device_vector.h>

#include "vectors.h"

using two_units_number = thrust_rns::number<thrust_rns::moduli_set<251, 253, 255, 256>>;
using two_units_vector = thrust_rns::device_vector<two_units_number>;

// Defined in two_units_b.cpp.
std::ptrdiff_t largest_in_unit_b(const two_units_vector& v);
two_units_number sum_in_unit_b(const two_units_vector& v);

TEST_CASE("two translation units with the same calls give the same results by the same functions") {
  THRUST_RNS_TEST_ENGINE(engine, 901);
  const std::vector<mpz_class> z = test::make_pattern<two_units_number>(test::pattern::random, engine, 500);
  const two_units_vector v = test::make<two_units_number>(z);
  CHECK(largest_in_unit_b(v) == std::max_element(z.begin(), z.end()) - z.begin());
  CHECK(test::count_evaluated(v) == 500); // by this library there as well
  const two_units_vector w = v;
  CHECK(thrust::max_element(w.begin(), w.end()) - w.begin() == largest_in_unit_b(v));
  CHECK(thrust::reduce(w.begin(), w.end()) == sum_in_unit_b(v));
  CHECK(test::value(sum_in_unit_b(v)) == test::sum_of<two_units_number>(z.data(), 500));
}
