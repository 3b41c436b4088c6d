// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include "vectors.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>

namespace {

using test::pattern;

using unsigned_512 = thrust_rns::number<thrust_rns::moduli_for_bits<512>>;
using symmetric_even = thrust_rns::number<thrust_rns::moduli_set<13, 7, 16>, thrust_rns::symmetric_range>;

using values = std::vector<mpz_class>;

/// The same tens.
struct same_tens {
  THRUST_RNS_HD bool operator()(int a, int b) const { return a / 10 == b / 10; }
};

/// Reduces by `call`, and by f over the integers.
template <class Number, class Call, class Same, class Function>
void check(const values& z, const std::vector<int>& keys, std::size_t first, Call call, Same same, Function f) {
  const thrust::device_vector<int> k(keys.begin(), keys.end());
  const thrust_rns::device_vector<Number> v = test::make<Number>(z);
  thrust::device_vector<int> keys_out(keys.size());
  thrust_rns::device_vector<Number> out(keys.size() + 1, Number(1));
  thrust::max_element(out.begin(), out.end()); // so that there are evaluations to go stale
  std::vector<int> want_keys;
  values sums;
  for (std::size_t j = 0; j < keys.size(); ++j) {
    const mpz_class& x = z[first + j];
    if (j == 0 || !same(keys[j - 1], keys[j])) {
      want_keys.push_back(keys[j]);
      sums.push_back(x);
    } else {
      sums.back() = f(sums.back(), x);
    }
  }
  const auto ends = call(k, v.begin() + static_cast<std::ptrdiff_t>(first), keys_out.begin(), out.begin() + 1);
  CHECK(ends.first - keys_out.begin() == static_cast<std::ptrdiff_t>(want_keys.size()));
  CHECK(ends.second - out.begin() == static_cast<std::ptrdiff_t>(want_keys.size()) + 1);
  std::vector<int> got(keys.size());
  thrust::copy(keys_out.begin(), keys_out.end(), got.begin());
  got.resize(want_keys.size());
  CHECK(got == want_keys);
  std::vector<Number> want(keys.size() + 1, Number(1));
  std::copy_n(test::make<Number>(sums).begin(), sums.size(), want.begin() + 1);
  CHECK(out.to_vector() == want);
  CHECK(test::count_evaluated(out) == static_cast<std::ptrdiff_t>(keys.size() + 1 - sums.size()));
}

} // namespace

TEST_CASE_TEMPLATE("sums and extrema of runs of every length", Number, unsigned_512, symmetric_even) {
  THRUST_RNS_TEST_ENGINE(engine, 3301);
  for (const std::size_t longest : {1U, 5U, 100U, 5000U}) {
    CAPTURE(longest);
    const std::size_t n = longest == 5000 ? 5000 : 700;
    std::vector<int> keys;
    for (int key = 0; keys.size() < n; key += 1 + static_cast<int>(engine() % 12)) {
      keys.insert(keys.end(), longest == 5000 ? n - 40 : 1 + engine() % longest, key);
    }
    keys.resize(n);
    for (const pattern p : {pattern::random, pattern::ties}) {
      const values z = test::make_pattern<Number>(p, engine, n + 3);
      check<Number>(
          z, keys, 3,
          [](const auto& k, auto v, auto keys_out, auto out) {
            return thrust::reduce_by_key(k.begin(), k.end(), v, keys_out, out);
          },
          [](int a, int b) { return a == b; }, [](const mpz_class& a, const mpz_class& b) { return mpz_class(a + b); });
      check<Number>(
          z, keys, 1,
          [](const auto& k, auto v, auto keys_out, auto out) {
            return thrust::reduce_by_key(k.begin(), k.end(), v, keys_out, out, same_tens(), thrust_rns::maximum());
          },
          same_tens(), [](const mpz_class& a, const mpz_class& b) { return std::max(a, b); });
    }
  }
}

TEST_CASE("no keys, and vectors in host memory") {
  using Number = symmetric_even;
  thrust_rns::device_vector<Number> v(3, Number(5)), out(3);
  thrust::device_vector<int> k(3, 1), keys_out(3);
  const auto none = thrust::reduce_by_key(k.begin(), k.begin(), v.begin(), keys_out.begin(), out.begin());
  CHECK(none.first == keys_out.begin());
  CHECK(none.second == out.begin());
  thrust_rns::host_vector<Number> h = v, sums(3);
  const std::vector<int> keys{1, 1, 2};
  std::vector<int> first_keys(3);
  const auto ends = thrust::reduce_by_key(thrust::host, keys.data(), keys.data() + 3, h.begin(), first_keys.data(),
                                          sums.begin(), thrust::equal_to<int>(), thrust_rns::plus());
  CHECK(ends.second - sums.begin() == 2);
  CHECK(sums[0] == Number(10));
  CHECK(sums[1] == Number(5));
}
