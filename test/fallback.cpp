// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Calls that this library leaves to Thrust.

#include "vectors.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <thrust/extrema.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace {

using number = thrust_rns::number<thrust_rns::moduli_for_bits<64>, thrust_rns::symmetric_range>;
using device_vector = thrust_rns::device_vector<number>;

constexpr std::size_t n = 600;

/// Compares the residues modulo the first modulus alone.
struct first_residue_less {
  template <class A, class B>
  THRUST_RNS_HD bool operator()(const A& a, const B& b) const {
    return thrust_rns::detail::value_of(a).residue(0) < thrust_rns::detail::value_of(b).residue(0);
  }
};

} // namespace

TEST_CASE("over reverse and transform iterators Thrust's own algorithm gives the extrema" * test::stock) {
  THRUST_RNS_TEST_ENGINE(engine, 805);
  const std::vector<mpz_class> z = test::make_pattern<number>(test::pattern::random, engine, n);
  const std::vector<number> x = test::make<number>(z);
  const device_vector v = x;
  const auto largest = std::max_element(z.rbegin(), z.rend()) - z.rbegin();
  CHECK(thrust::max_element(v.rbegin(), v.rend()) - v.rbegin() == largest);

  const auto negated = thrust::make_transform_iterator(v.begin(), thrust_rns::negate());
  std::vector<number> y;
  for (const number& a : x) y.push_back(-a);
  CHECK(thrust::max_element(negated, negated + n, first_residue_less()) - negated ==
        std::max_element(y.begin(), y.end(), first_residue_less()) - y.begin());
  CHECK(test::count_evaluated(v) == 0);
}
