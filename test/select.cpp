// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// count_if, copy_if and partition by a threshold, over device_vector and host_vector.

#include "vectors.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/partition.h>

namespace {

using test::pattern;

using symmetric_128 = thrust_rns::number<thrust_rns::moduli_for_bits<128>, thrust_rns::symmetric_range>;
using unsigned_even = thrust_rns::number<thrust_rns::moduli_set<13, 7, 16>>;

using device_vector = thrust_rns::device_vector<symmetric_128>;
using host_vector = thrust_rns::host_vector<unsigned_even>;

constexpr pattern patterns[] = {pattern::random, pattern::ties, pattern::neighbours, pattern::edges, pattern::zero};

/// Count, copy and partition of v[1, n) by `ours`, which is `theirs` of the values.
template <class Vector, class Ours, class Theirs>
void check_threshold(const std::vector<mpz_class>& z, Ours ours, Theirs theirs) {
  using Number = typename Vector::value_type;
  const auto begin = z.begin() + 1;
  const std::ptrdiff_t count = std::count_if(begin, z.end(), theirs);
  Vector v = test::make<Number>(z);
  CHECK(thrust::count_if(v.begin() + 1, v.end(), ours) == count);

  std::vector<mpz_class> kept{7, 7};
  std::copy_if(begin, z.end(), std::back_inserter(kept), theirs);
  Vector copy(z.size() + 2, Number(7));
  test::check_extrema(copy, std::vector<mpz_class>(z.size() + 2, 7)); // evaluations to get rid of
  const auto end = thrust::copy_if(v.begin() + 1, v.end(), copy.begin() + 2, ours);
  CHECK(end - copy.begin() == count + 2);
  std::vector<mpz_class> copied = test::values_of(copy);
  CHECK(std::equal(kept.begin(), kept.end(), copied.begin()));
  CHECK(test::evaluations_are_right(copy));
  test::check_extrema(copy, copied);

  std::vector<mpz_class> parted = z;
  std::stable_partition(parted.begin() + 1, parted.end(), theirs);
  CHECK(thrust::partition(v.begin() + 1, v.end(), ours) - v.begin() == count + 1);
  CHECK(test::values_of(v) == parted);
  CHECK(test::evaluations_are_right(v));
  CHECK(thrust::stable_partition(v.begin(), v.end(), ours) - v.begin() == count + (theirs(z[0]) ? 1 : 0));
}

} // namespace

TEST_CASE_TEMPLATE("thresholds count, copy and part numbers exactly", Vector, device_vector, host_vector) {
  using Number = typename Vector::value_type;
  THRUST_RNS_TEST_ENGINE(engine, 2401);
  for (const std::size_t n : {1U, 2U, 33U, 2305U}) {
    CAPTURE(n);
    for (const pattern p : patterns) {
      CAPTURE(static_cast<int>(p));
      const std::vector<mpz_class> z = test::make_pattern<Number>(p, engine, n);
      const mpz_class x = z[n / 2];
      const auto y = test::make<Number>(x);
      check_threshold<Vector>(z, thrust_rns::less_than(y), [&](const mpz_class& a) { return a < x; });
      check_threshold<Vector>(z, thrust_rns::at_least(y), [&](const mpz_class& a) { return a >= x; });
    }
  }
}

TEST_CASE("each threshold means what it is called, in every algorithm") {
  const device_vector v{5, -9, 5, 3, 8};
  const auto count = [&](auto threshold) { return thrust::count_if(v.begin(), v.end(), threshold); };
  CHECK(count(thrust_rns::less_than(symmetric_128(5))) == 2);
  CHECK(count(thrust_rns::at_most(v[0])) == 4);
  CHECK(count(thrust_rns::greater_than(v[2])) == 1);
  CHECK(count(thrust_rns::at_least(symmetric_128(5))) == 3);
  const thrust_rns::host_vector<symmetric_128> h = v;
  CHECK(std::count_if(h.begin(), h.end(), thrust_rns::at_most(symmetric_128(3))) == 2);
  CHECK(thrust::count_if(v.begin(), v.begin(), thrust_rns::at_most(symmetric_128(3))) == 0);
}
