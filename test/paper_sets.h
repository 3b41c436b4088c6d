// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

// Pairs of numbers of a set for the tests of checked and signed arithmetic.

#include "support.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace test {

using pairs = std::vector<std::pair<mpz_class, mpz_class>>;

/// Edges, random values, values of random length, and x, x + d for d from 1 to 2^192 at 0, M/4, M/2 and M.
template <class Number, class Engine>
pairs make_pairs(Engine& engine) {
  pairs p;
  const auto insert = [&](const mpz_class& x, const mpz_class& y) { p.emplace_back(wrap<Number>(x), wrap<Number>(y)); };
  const mpz_class& m = dynamic_range<typename Number::base_type>();
  const mpz_class high = largest<Number>(), root = sqrt(high);
  const std::vector<mpz_class> edges = edge_values<Number>();
  for (std::size_t k = 0; k < edges.size(); k += static_cast<std::size_t>(amount(2, 11))) {
    insert(edges[k], edges[engine() % edges.size()]);
    insert(edges[k], random_length_value<Number>(engine));
  }
  for (int k = 0; k < amount(60, 10); ++k) {
    const mpz_class x = random_value<Number>(engine), y = random_length_value<Number>(engine);
    insert(x, random_value<Number>(engine));
    insert(y, high - y + k % 3 - 1); // the sum is next to the end
    if (y != 0) insert(y, high / y + k % 3 - 1);
  }
  for (int d = 0; d <= 192; d += d < 4 ? 1 : 47) {
    for (const mpz_class& x : {mpz_class(0), mpz_class(m / 4), mpz_class(m / 2), mpz_class(high)}) {
      insert(x, x + power_of_two(d));
      insert(x, x - power_of_two(d));
    }
  }
  for (int e = -1; e <= 1; ++e) insert(root + e, root);
  insert(smallest<Number>(), -1);
  return p;
}

} // namespace test
