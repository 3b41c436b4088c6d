// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include "vectors.h"

#include <cstddef>
#include <vector>

#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/reduce.h>

namespace {

using test::pattern;

using unsigned_512 = thrust_rns::number<thrust_rns::moduli_for_bits<512>>;
using symmetric_even = thrust_rns::number<thrust_rns::moduli_set<13, 7, 16>, thrust_rns::symmetric_range>;

using values = std::vector<mpz_class>;

} // namespace

TEST_CASE_TEMPLATE("inner products and products at every size and offset", Number, unsigned_512, symmetric_even) {
  THRUST_RNS_TEST_ENGINE(engine, 3201);
  std::size_t turn = 0;
  for (const std::size_t n : {0U, 1U, 2U, 3U, 4U, 5U, 257U, 1025U, 4099U}) {
    CAPTURE(n);
    const pattern p = turn % 2 == 0 ? pattern::random : pattern::edges;
    values a = test::make_pattern<Number>(p, engine, n + 3), b = test::make_pattern<Number>(p, engine, n + 3);
    for (mpz_class& x : a) x += x % 13 == 0 ? 1 : 0; // few zeros, or products would be zero
    const thrust_rns::device_vector<Number> x = test::make<Number>(a), y = test::make<Number>(b);
    const std::size_t i = turn % 4, j = turn / 4 % 4;
    ++turn;
    CAPTURE(i);
    CAPTURE(j);
    const auto first = x.begin() + static_cast<std::ptrdiff_t>(i), last = first + static_cast<std::ptrdiff_t>(n);
    const auto second = y.begin() + static_cast<std::ptrdiff_t>(j);
    const mpz_class init = test::random_value<Number>(engine);
    const Number start = test::make<Number>(init);
    mpz_class sum = init, product = init, sum_of_a;
    for (std::size_t k = 0; k < n; ++k) {
      sum += a[i + k] * b[j + k];
      sum_of_a += a[i + k];
      product = test::modulo(product * a[i + k], test::dynamic_range<typename Number::base_type>());
    }
    CHECK(thrust::inner_product(first, last, second, start) == test::make<Number>(sum));
    CHECK(thrust::inner_product(first, last, second, start, thrust_rns::plus(), thrust::multiplies<Number>()) ==
          test::make<Number>(sum));
    CHECK(thrust::inner_product(first, last, thrust::make_constant_iterator(start), Number(0)) ==
          test::make<Number>(init * sum_of_a));
    CHECK(thrust::reduce(first, last, start, thrust_rns::multiplies()) == test::make<Number>(product));
    CHECK(thrust::reduce(first, last, start, thrust::multiplies<>()) == test::make<Number>(product));
  }
}

TEST_CASE("a long inner product of the largest residues") {
  using Number = unsigned_512;
  const std::size_t n = test::amount<std::size_t>(200'003, 20'003);
  const thrust_rns::device_vector<Number> x(n, Number(-1));
  CHECK(thrust::inner_product(x.begin(), x.end(), x.begin(), Number(1)) == Number(n + 1));
  CHECK(thrust::reduce(x.begin(), x.end(), Number(1), thrust_rns::multiplies()) == Number(-1));
}

TEST_CASE("other functors, host memory and arrays of whole numbers") {
  using Number = symmetric_even;
  const thrust_rns::host_vector<Number> h{Number(3), Number(-4), Number(5)};
  CHECK(thrust::inner_product(h.begin(), h.end(), h.begin(), Number(0)) == Number(50));
  CHECK(thrust::reduce(h.begin(), h.end(), Number(2), thrust_rns::multiplies()) == Number(-120));
  const thrust_rns::device_vector<Number> v = h;
  CHECK(thrust::inner_product(v.begin(), v.end(), v.begin(), Number(1), thrust_rns::multiplies(), thrust_rns::plus()) ==
        Number(6 * -8 * 10));
  const thrust::device_vector<Number> whole(3, Number(-2));
  CHECK(thrust::reduce(whole.begin(), whole.end(), Number(3), thrust_rns::multiplies()) == Number(-24));
}
