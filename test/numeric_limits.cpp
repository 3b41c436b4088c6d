// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include <cstddef>
#include <limits>
#include <type_traits>
#include <vector>

#include <thrust_rns/functional.h>
#include <thrust_rns/number.h>

#include "support.h"

using namespace thrust_rns;

namespace {

using even = moduli_set<7, 30, 11>;
using below_power = moduli_set<65535, 65537, 641, 6700417>; // M = 2^64 - 1
using above_power = moduli_set<6700417, 641>;               // M = 2^32 + 1

template <class Number>
struct limits_in_device_code {
  THRUST_RNS_HD Number operator()(int which) const {
    using limits = std::numeric_limits<Number>;
    return which == 0 ? limits::lowest() : which == 1 ? limits::min() : limits::max();
  }
};

} // namespace

TEST_CASE_TEMPLATE("lowest and max are the ends of the range, and min is lowest", Number, number<moduli_for_bits<64>>,
                   number<moduli_for_bits<64>, symmetric_range>, number<even>, number<even, symmetric_range>,
                   number<moduli_set<2, 3>>, number<moduli_set<2, 3>, symmetric_range>,
                   number<below_power, symmetric_range>, number<above_power>, number<above_power, symmetric_range>,
                   number<isupov_moduli<512>, symmetric_range>) {
  using limits = std::numeric_limits<Number>;
  constexpr Number lowest = limits::lowest(), max = limits::max(); // in constant expressions
  CHECK(test::value(lowest) == test::smallest<Number>());
  CHECK(test::value(limits::min()) == test::smallest<Number>());
  CHECK(test::value(max) == test::largest<Number>());
  CHECK(max + 1 == lowest); // the circle closes
  CHECK(lowest < max);
  CHECK(lowest <= Number(0));
  CHECK_FALSE(lowest > limits::min());
  const std::vector<Number> device =
      test::on_device<Number>(std::vector<int>{0, 1, 2}, limits_in_device_code<Number>{});
  CHECK(device == std::vector<Number>{lowest, lowest, max});
}

TEST_CASE_TEMPLATE("digits is the largest d for which 2^d is in the range", Number, number<moduli_for_bits<64>>,
                   number<moduli_for_bits<64>, symmetric_range>, number<even>, number<even, symmetric_range>,
                   number<moduli_set<2, 3>>, number<moduli_set<5, 3>>, number<moduli_set<5, 3>, symmetric_range>,
                   number<below_power>, number<below_power, symmetric_range>, number<above_power>,
                   number<above_power, symmetric_range>, number<isupov_moduli<512>, symmetric_range>,
                   number<moduli_for_bits<1024>>) {
  constexpr int digits = std::numeric_limits<Number>::digits;
  CHECK(test::power_of_two(digits) <= test::largest<Number>());
  CHECK(test::power_of_two(digits + 1) > test::largest<Number>());
}

TEST_CASE_TEMPLATE("the limits of a small base are those of its values one by one", Number, number<moduli_set<3, 4>>,
                   number<moduli_set<3, 4>, symmetric_range>, number<moduli_set<5, 3>>,
                   number<moduli_set<5, 3>, symmetric_range>) {
  Number x = std::numeric_limits<Number>::lowest();
  const int range = static_cast<int>(test::dynamic_range<typename Number::base_type>().get_si());
  for (int k = 1; k < range; ++k) {
    const Number next = x + 1;
    CHECK(x < next);
    x = next;
  }
  CHECK(x == std::numeric_limits<Number>::max());
}

TEST_CASE("the traits say: a bounded, exact integer that wraps, signed in the symmetric range") {
  using plain = std::numeric_limits<number<even>>;
  using symmetric = std::numeric_limits<number<even, symmetric_range>>;
  static_assert(plain::is_specialized && plain::is_integer && plain::is_exact && plain::is_bounded && plain::is_modulo);
  static_assert(symmetric::is_specialized && symmetric::is_integer && symmetric::is_exact && symmetric::is_bounded);
  static_assert(!plain::is_signed && symmetric::is_signed);
  static_assert(plain::radix == 2 && symmetric::radix == 2);
  static_assert(std::is_same_v<decltype(plain::max()), number<even>>);
  static_assert(std::numeric_limits<const number<even>>::is_specialized);
  CHECK(std::numeric_limits<const number<even>>::max() == plain::max());
}
