// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Numbers: integers of a fixed range, held as residues. Everything here works in device code too, but for text.

#include <thrust_rns/convert.h>
#include <thrust_rns/functional.h>
#include <thrust_rns/io.h>
#include <thrust_rns/number.h>

#include <cstdint>
#include <iostream>
#include <limits>
#include <string>

#include "check.h"

namespace {

// The fewest primes below 2^31 whose product M exceeds 2^256, and integers from about -M/2 to M/2.
using number = thrust_rns::number<thrust_rns::moduli_for_bits<256>, thrust_rns::symmetric_range>;
static_assert(number::size == 9 && sizeof(number) == 36); // nine residues and nothing else

constexpr number factorial(int n) {
  number product = 1;
  for (int i = 2; i <= n; ++i) product *= i;
  return product;
}

} // namespace

int main() {
  // Arithmetic is exact, and possible when compiling.
  constexpr number f = factorial(50);
  std::cout << "50! = " << f << '\n';
  check(thrust_rns::to_string(f) == "30414093201713378043612608166064768844377641568960512000000000000", "50!");
  check(f + f - f == f && f * -1 == -f && f - f == 0, "sums and products");

  // Residues are those of the integer.
  const number x = 1'000'000'000'000;
  for (int i = 0; i < number::size; ++i) {
    check(x.residue(i) == 1'000'000'000'000 % number::base_type::moduli[i], "a residue");
  }

  // The order is that of the integers, however close they are.
  check(-f < f - 1 && f - 1 < f && !(f < f) && f >= f, "order");
  check(thrust_rns::compare(-f, -f + 1) == -1, "compare");

  // From and to text, built-in integers and limbs; what does not fit is an error.
  const auto y = thrust_rns::from_string<number>("-0x123456789abcdef0123456789abcdef");
  check(thrust_rns::from_string<number>(thrust_rns::to_string(y)) == y, "text");
  check(thrust_rns::fits<std::int64_t>(x) && thrust_rns::to_integer<std::int64_t>(x) == 1'000'000'000'000, "integers");
  check(!thrust_rns::fits<std::int64_t>(y), "too large for 64 bits");
  std::uint64_t limbs[4];
  thrust_rns::to_limbs(f, limbs, 4); // least significant first
  check(thrust_rns::from_limbs<number>(limbs, 4) == f, "limbs");
  try {
    thrust_rns::from_string<number>("1" + std::string(100, '0'));
    check(false, "10^100 is no error");
  } catch (const thrust_rns::range_error&) {
  }

  // Outside the range numbers wrap, as unsigned integers do.
  using limits = std::numeric_limits<number>;
  check(limits::max() + 1 == limits::lowest(), "wrapping");
  using small = thrust_rns::number<thrust_rns::moduli_set<13, 7, 16>>; // unsigned: 0 .. 1455
  check(small(1000) + small(1000) == small(544) && small(-1) == small(1455), "wrapping of a small set");
  std::cout << "all right" << std::endl;
}
