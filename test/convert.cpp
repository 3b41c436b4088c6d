// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include <thrust_rns/convert.h>

#include <algorithm>
#include <limits>
#include <string>

#include <thrust_rns/functional.h>

#include "support.h"

using namespace thrust_rns;

namespace {

using u64 = number<moduli_for_bits<64>>;
using s256 = number<moduli_for_bits<256>, symmetric_range>;
using u256 = number<moduli_for_bits<256>>;
using tiny = number<moduli_set<13, 7, 16>>;
using signed_tiny = number<moduli_set<13, 7, 16>, symmetric_range>; // M is even: -728 .. 727
using unordered = number<moduli_set<2147483647, 15, 1073741824, 49>, symmetric_range>;

template <class Int>
mpz_class least() {
  return static_cast<Int>(-1) < static_cast<Int>(1) ? mpz_class(-test::power_of_two(8 * sizeof(Int) - 1))
                                                    : mpz_class(0);
}
template <class Int>
mpz_class most() {
  return test::power_of_two(static_cast<int>(8 * sizeof(Int)) - (static_cast<Int>(-1) < static_cast<Int>(1) ? 1 : 0)) -
         1;
}

/// What conversion to one type says.
struct exported {
  uint128_t value; // the bits of the built-in integer, extended by its sign; 0 where X does not fit
  int fits;
};

template <class Int, class Number>
THRUST_RNS_HD exported export_to(const Number& x) {
  return {fits<Int>(x) ? static_cast<uint128_t>(to_integer<Int>(x)) : 0, fits<Int>(x) ? 1 : 0};
}

struct exported_to_all {
  exported to[6];
};

template <class Number>
struct export_to_all {
  THRUST_RNS_HD exported_to_all operator()(const Number& x) const {
    return {{export_to<std::int32_t>(x), export_to<std::uint32_t>(x), export_to<std::int64_t>(x),
             export_to<std::uint64_t>(x), export_to<int128_t>(x), export_to<uint128_t>(x)}};
  }
};

template <class Int, class Number>
void check_export(const mpz_class& z, const Number& x, const exported& device) {
  INFO("x = ", z.get_str(), ", bytes = ", sizeof(Int));
  const bool want = least<Int>() <= z && z <= most<Int>();
  REQUIRE(fits<Int>(x) == want);
  REQUIRE(device.fits == (want ? 1 : 0));
  if (want) {
    const Int v = to_integer<Int>(x);
    REQUIRE(test::mpz(v) == z);
    REQUIRE(test::mpz(static_cast<Int>(device.value)) == z);
    REQUIRE(from_integer<Number>(v) == x);
    REQUIRE(Number(v) == x);
  } else {
    REQUIRE_THROWS_AS(to_integer<Int>(x), range_error);
  }
}

template <class Number>
std::vector<mpz_class> values_near_built_in_limits() {
  std::vector<mpz_class> values;
  for (int bits : {0, 7, 8, 15, 16, 31, 32, 63, 64, 127, 128}) {
    for (int d = -2; d <= 2; ++d) {
      for (int sign : {-1, 1}) {
        const mpz_class z = sign * test::power_of_two(bits) + d;
        if (test::is_value<Number>(z)) values.push_back(z);
      }
    }
  }
  for (const mpz_class& z : test::edge_values<Number>()) values.push_back(z);
  return values;
}

template <class Function>
std::string message_of(Function f) {
  try {
    f();
  } catch (const range_error& e) {
    return e.what();
  }
  return "nothing was thrown";
}

/// The limbs of |z| by GMP, `count` of them.
template <class Limb>
std::vector<Limb> limbs_of(const mpz_class& z, std::size_t count, limb_order order) {
  std::vector<Limb> limbs(count);
  mpz_class rest = abs(z);
  for (Limb& limb : limbs) {
    limb = static_cast<Limb>(mpz_class(rest % test::power_of_two(8 * static_cast<int>(sizeof(Limb)))).get_ui());
    rest >>= 8 * sizeof(Limb);
  }
  if (order == limb_order::most_significant_first) std::reverse(limbs.begin(), limbs.end());
  return limbs;
}

template <class Limb, class Number>
void check_limbs(const mpz_class& z) {
  const auto x = test::make<Number>(z);
  const std::size_t bits = z == 0 ? 0 : mpz_sizeinbase(z.get_mpz_t(), 2), width = 8 * sizeof(Limb);
  const std::size_t needed = (bits + width - 1) / width;
  for (const limb_order order : {limb_order::least_significant_first, limb_order::most_significant_first}) {
    for (const std::size_t count : {needed, needed + 1, needed + 40}) { // zero limbs above
      INFO("x = ", z.get_str(), ", limbs = ", count, " of bits = ", width);
      const std::vector<Limb> want = limbs_of<Limb>(z, count, order);
      REQUIRE(from_limbs<Number>(want.data(), count, order, z < 0) == x);
      std::vector<Limb> got(count + 2, Limb{0x5a});
      REQUIRE(to_limbs(x, got.data() + 1, count, order) == (z < 0));
      REQUIRE(std::equal(want.begin(), want.end(), got.begin() + 1));
      REQUIRE(got.front() == 0x5a); // nothing beside the array
      REQUIRE(got.back() == 0x5a);
    }
    if (needed == 0) continue;
    std::vector<Limb> untouched(needed, Limb{0x5a});
    REQUIRE_THROWS_AS(to_limbs(x, untouched.data(), needed - 1, order), range_error);
    REQUIRE(untouched == std::vector<Limb>(needed, Limb{0x5a}));
  }
}

} // namespace

TEST_CASE_TEMPLATE("integers of 32, 64 and 128 bits and both signs convert exactly where they fit", Number, u64, s256,
                   unordered) {
  THRUST_RNS_TEST_ENGINE(engine, 501);
  std::vector<mpz_class> values = values_near_built_in_limits<Number>();
  for (int k = 0; k < test::amount(100, 10); ++k) values.push_back(test::random_length_value<Number>(engine));
  const std::vector<Number> numbers = test::make<Number>(values);
  const auto device = test::on_device<exported_to_all>(numbers, export_to_all<Number>{});
  for (std::size_t k = 0; k < values.size(); ++k) {
    check_export<std::int32_t>(values[k], numbers[k], device[k].to[0]);
    check_export<std::uint32_t>(values[k], numbers[k], device[k].to[1]);
    check_export<std::int64_t>(values[k], numbers[k], device[k].to[2]);
    check_export<std::uint64_t>(values[k], numbers[k], device[k].to[3]);
    check_export<int128_t>(values[k], numbers[k], device[k].to[4]);
    check_export<uint128_t>(values[k], numbers[k], device[k].to[5]);
  }
}

TEST_CASE("narrow integers convert exactly where they fit") {
  for (int v = -728; v < 728; ++v) {
    const signed_tiny x = v;
    CAPTURE(v);
    REQUIRE(to_integer<int>(x) == v);
    REQUIRE(to_integer<long long>(x) == v);
    REQUIRE(fits<std::int8_t>(x) == (-128 <= v && v <= 127));
    REQUIRE(fits<std::uint8_t>(x) == (0 <= v && v <= 255));
    REQUIRE(fits<std::int16_t>(x));
    REQUIRE(fits<unsigned>(x) == (v >= 0));
    if (fits<std::int8_t>(x)) REQUIRE(to_integer<std::int8_t>(x) == v);
    if (fits<std::uint8_t>(x)) REQUIRE(to_integer<std::uint8_t>(x) == v);
  }
}

TEST_CASE_TEMPLATE("checked import accepts exactly the range", Number, u64, s256, tiny, signed_tiny,
                   number<moduli_set<11, 105>, symmetric_range>) {
  const mpz_class low = test::smallest<Number>(), high = test::largest<Number>();
  std::vector<mpz_class> values{low, low - 1, low + 1, high, high - 1, high + 1, 0, -1, 1, -high, -high - 1, -low};
  for (int bits : {31, 32, 63, 64, 127}) {
    values.push_back(test::power_of_two(bits) - 1);
    values.push_back(-test::power_of_two(bits));
  }
  for (const mpz_class& z : values) {
    if (z < least<int128_t>() || z > most<int128_t>()) continue;
    const mpz_class bits = test::modulo(z, test::power_of_two(128));
    const auto high_part = mpz_class(bits >> 64).get_ui(), low_part = mpz_class(bits % test::power_of_two(64)).get_ui();
    const auto v = static_cast<int128_t>((static_cast<uint128_t>(high_part) << 64) | low_part);
    CAPTURE(z.get_str());
    if (low <= z && z <= high) {
      REQUIRE(from_integer<Number>(v) == test::make<Number>(z));
    } else {
      REQUIRE_THROWS_AS(from_integer<Number>(v), range_error);
      REQUIRE(message_of([&] { from_integer<Number>(v); }).find(z.get_str()) != std::string::npos);
    }
  }
}

TEST_CASE("messages name the value, the range and the type") {
  CHECK(message_of([] { from_integer<tiny>(1456); }) == "thrust_rns: 1456 is outside the range 0 .. 1455");
  CHECK(message_of([] { from_integer<tiny>(-1); }) == "thrust_rns: -1 is outside the range 0 .. 1455");
  CHECK(message_of([] { from_integer<signed_tiny>(728u); }) == "thrust_rns: 728 is outside the range -728 .. 727");
  CHECK(message_of([] { from_integer<signed_tiny>(std::numeric_limits<std::int64_t>::min()); }) ==
        "thrust_rns: -9223372036854775808 is outside the range -728 .. 727");
  CHECK(message_of([] { to_integer<std::int8_t>(signed_tiny(-129)); }) ==
        "thrust_rns: -129 does not fit in an integer of 8 bits");
  CHECK(message_of([] { to_integer<std::uint32_t>(signed_tiny(-1)); }) ==
        "thrust_rns: -1 does not fit in an integer of 32 bits without sign");
  std::uint16_t limb = 7;
  CHECK(message_of([&] { to_limbs(u64(65536), &limb, 1); }) == "thrust_rns: 65536 does not fit in 1 limbs of 16 bits");
  CHECK(limb == 7);
  const std::uint8_t bytes[] = {0xb0, 0x05};
  CHECK(message_of([&] { from_limbs<tiny>(bytes, 2); }) == "thrust_rns: 1456 is outside the range 0 .. 1455");
  CHECK(message_of([&] { from_limbs<tiny>(bytes, 1, limb_order::least_significant_first, true); }) ==
        "thrust_rns: -176 is outside the range 0 .. 1455");
}

TEST_CASE_TEMPLATE("limb arrays of every width and both orders convert exactly", Number, s256, unordered) {
  THRUST_RNS_TEST_ENGINE(engine, 502);
  std::vector<mpz_class> values = test::edge_values<Number>();
  if (test::small()) values.resize(20);
  for (int k = 0; k < test::amount(60, 6); ++k) values.push_back(test::random_length_value<Number>(engine));
  for (const mpz_class& z : values) {
    check_limbs<std::uint8_t, Number>(z);
    check_limbs<std::uint16_t, Number>(z);
    check_limbs<std::uint32_t, Number>(z);
    check_limbs<std::uint64_t, Number>(z);
  }
}

TEST_CASE("limbs beyond the range are refused unless they are zero, with either sign") {
  std::vector<std::uint64_t> limbs(100, 0);
  CHECK(from_limbs<s256>(limbs.data(), limbs.size()) == 0);
  CHECK(from_limbs<u256>(limbs.data(), limbs.size(), limb_order::least_significant_first, true) == 0); // -0
  limbs[0] = 5;
  CHECK(from_limbs<s256>(limbs.data(), limbs.size(), limb_order::least_significant_first, true) == -5);
  CHECK_THROWS_AS(from_limbs<u256>(limbs.data(), limbs.size(), limb_order::least_significant_first, true), range_error);
  CHECK_THROWS_AS(from_limbs<s256>(limbs.data(), limbs.size(), limb_order::most_significant_first), range_error);
  limbs[99] = 1;
  CHECK_THROWS_AS(from_limbs<u256>(limbs.data(), limbs.size()), range_error);
}

TEST_CASE("an empty limb array is zero, and only zero goes into one") {
  const std::uint8_t* none = nullptr;
  CHECK(from_limbs<s256>(none, 0) == 0);
  CHECK(from_limbs<s256>(none, 0, limb_order::most_significant_first, true) == 0);
  std::uint8_t* nowhere = nullptr;
  CHECK_FALSE(to_limbs(s256(0), nowhere, 0));
  CHECK_THROWS_AS(to_limbs(s256(1), nowhere, 0), range_error);
}

TEST_CASE("the smallest number of an even range, whose negative does not exist, survives") {
  const auto low = test::make<signed_tiny>(-728);
  CHECK(sign(low) == -1);
  CHECK(to_integer<int>(low) == -728);
  std::uint16_t limb = 0;
  CHECK(to_limbs(low, &limb, 1));
  CHECK(limb == 728);
  CHECK(from_limbs<signed_tiny>(&limb, 1, limb_order::least_significant_first, true) == low);
  CHECK_THROWS_AS(from_limbs<signed_tiny>(&limb, 1), range_error);
}

TEST_CASE("a base of 8192 bits converts both ways") {
  using wide = number<moduli_for_bits<8192>>;
  THRUST_RNS_TEST_ENGINE(engine, 503);
  std::vector<mpz_class> values{
      0, 1, test::largest<wide>(), test::largest<wide>() - 1, test::largest<wide>() / 2, test::power_of_two(8192)};
  for (int k = 0; k < test::amount(10, 2); ++k) values.push_back(test::random_value<wide>(engine));
  for (const mpz_class& z : values) {
    INFO("x = ", z.get_str());
    const auto x = test::make<wide>(z);
    const std::vector<std::uint64_t> want = limbs_of<std::uint64_t>(z, 130, limb_order::least_significant_first);
    std::vector<std::uint64_t> got(130);
    REQUIRE_FALSE(to_limbs(x, got.data(), got.size()));
    REQUIRE(got == want);
    REQUIRE(from_limbs<wide>(want.data(), want.size()) == x);
    REQUIRE(compare(x, x) == 0);
    REQUIRE(sign(x) == sgn(z));
    if (z > 0) REQUIRE(x - 1 < x);
  }
}
