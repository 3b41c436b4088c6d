// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// The second translation unit of two_units_a.cpp: the vector's header alone, before Thrust's.

#include <thrust_rns/device_vector.h>

#include <cstddef>
#include <cstdint>

#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/extrema.h>
#include <thrust/reduce.h>

#include <doctest/doctest.h>

using two_units_number = thrust_rns::number<thrust_rns::moduli_set<251, 253, 255, 256>>;
using two_units_vector = thrust_rns::device_vector<two_units_number>;

std::ptrdiff_t largest_in_unit_b(const two_units_vector& v) {
  return thrust::max_element(v.begin(), v.end()) - v.begin();
}

two_units_number sum_in_unit_b(const two_units_vector& v) { return thrust::reduce(v.begin(), v.end()); }

TEST_CASE("a unit that includes only the vector's header finds the library's algorithms") {
  const two_units_vector v{3, 9, 4};
  CHECK(largest_in_unit_b(v) == 1);
  CHECK(sum_in_unit_b(v) == two_units_number(16));
  std::uint64_t evaluation = 0;
  thrust::copy(thrust::device_pointer_cast(v.as_span().evaluations()),
               thrust::device_pointer_cast(v.as_span().evaluations()) + 1, &evaluation);
  CHECK(evaluation != 0);
}
