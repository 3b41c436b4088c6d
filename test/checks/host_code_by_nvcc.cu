// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Host code that nvcc has compiled, run without a GPU: constant expressions with parentheses beside a number keep them.

#include <cstdio>

#include <thrust_rns/functional.h>
#include <thrust_rns/number.h>

namespace {

using number = thrust_rns::number<thrust_rns::moduli_for_bits<128>, thrust_rns::symmetric_range>;

int failures = 0;

void check(bool right, const char* what) {
  if (right) return;
  std::printf("wrong: %s\n", what);
  ++failures;
}

} // namespace

int main() {
  constexpr long long n = 100'000;
  const number x = 7, two_n_less_1 = number(n) + number(n) - number(1);
  check(x * (2 * n - 1) == x * two_n_less_1, "x * (2 * n - 1)");
  check((2 * n - 1) * x == x * two_n_less_1, "(2 * n - 1) * x");
  check(x - (n - 1) == x - number(n) + number(1), "x - (n - 1)");
  check((n - 1) - x == number(n) - number(1) - x, "(n - 1) - x");
  check(x + (n << 1) == x + number(n) + number(n), "x + (n << 1)");
  check((n << 1) + x == x + number(n) + number(n), "(n << 1) + x");
  check(x == (n & 7) + 7, "x == (n & 7) + 7");
  check(!(x != (n > 1 ? 7 : 8)), "x != (n > 1 ? 7 : 8)");
  check(x < (n > 1 ? 8 : 7), "x < (n > 1 ? 8 : 7)");
  check(x <= (n | 1), "x <= (n | 1)");
  check(x > (n > 1 ? 6 : 7), "x > (n > 1 ? 6 : 7)");
  check(x >= (n & 1), "x >= (n & 1)");
  check((n & 1) < x, "(n & 1) < x");
  check(!((n | 1) <= x), "(n | 1) <= x");
  check((n | 1) > x, "(n | 1) > x");
  check(!((n & 1) >= x), "(n & 1) >= x");
  number y = x;
  y *= 2 * n - 1;
  y -= n - 1;
  check(y == x * two_n_less_1 - number(n) + number(1), "compound assignments");
  check(x * (2 * n - 1) * thrust_rns::inverse()(number(7)) == two_n_less_1, "a chain of products");
  return failures == 0 ? 0 : 1;
}
