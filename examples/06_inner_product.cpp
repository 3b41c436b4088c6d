// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// An inner product of doubles, exact, where floating point has no right digit: large products cancel, and a small one is
// left. Doubles that are integers are imported as they are; sums and products of numbers are never rounded.

#include <thrust_rns/checked.h>
#include <thrust_rns/device_vector.h>
#include <thrust_rns/exchange.h>
#include <thrust_rns/io.h>

#include <thrust/device_vector.h>
#include <thrust/inner_product.h>

#include <cmath>
#include <cstddef>
#include <iostream>
#include <limits>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "check.h"

namespace {

// The doubles below are integers under 2^100: products under 2^200, sums of 200,001 of them under 2^218.
using number = thrust_rns::number<thrust_rns::moduli_for_bits<256>, thrust_rns::symmetric_range>;

} // namespace

int main() {
  // Pairs of products that cancel, and 12345 * 1 among them, in random order.
  constexpr std::size_t pairs = 100'000;
  std::mt19937_64 engine(6);
  std::uniform_real_distribution<double> mantissa(-1, 1);
  std::uniform_int_distribution<int> exponent(53, 100);
  std::vector<double> x{12345}, y{1};
  for (std::size_t k = 0; k < pairs; ++k) {
    const double a = std::ldexp(mantissa(engine), exponent(engine)), b = std::ldexp(mantissa(engine), exponent(engine));
    x.insert(x.end(), {std::trunc(a), std::trunc(a)});
    y.insert(y.end(), {std::trunc(b), -std::trunc(b)});
  }
  for (std::size_t k = x.size() - 1; k > 0; --k) {
    const auto j = static_cast<std::size_t>(engine() % (k + 1));
    std::swap(x[k], x[j]);
    std::swap(y[k], y[j]);
  }
  std::cout << "floating point: " << std::inner_product(x.begin(), x.end(), y.begin(), 0.0) << '\n';

  const thrust::device_vector<double> x_there = x, y_there = y;
  thrust_rns::device_vector<number> u(x.size()), v(y.size());
  thrust_rns::import_values(x_there.begin(), x_there.end(), u.begin());
  thrust_rns::import_values(y_there.begin(), y_there.end(), v.begin());
  const number exact = thrust::inner_product(u.begin(), u.end(), v.begin(), number(0));
  std::cout << "exact:          " << exact << '\n';
  check(exact == 12345, "the inner product");

  // Without a bound at hand: whether any product, or the sum, left the range.
  const auto total = thrust_rns::checked_inner_product(u.begin(), u.end(), v.begin());
  check(total.value == exact && total.exact(), "the checked inner product");
  u[5] = v[5] = std::numeric_limits<number>::max();
  check(thrust_rns::checked_inner_product(u.begin(), u.end(), v.begin()).first_overflow == 5, "an overflow");
  std::cout << "all right" << std::endl;
}
