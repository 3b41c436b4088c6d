// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Kinds of faults from public reports on related libraries, each with its values and then as a whole kind.

#include <array>
#include <limits>
#include <string>

#include <thrust_rns/convert.h>
#include <thrust_rns/functional.h>
#include <thrust_rns/io.h>

#include "support.h"

using namespace thrust_rns;

namespace {

using base = isupov_moduli<64>;
using signed_number = number<base, symmetric_range>;
using unsigned_number = number<base>;
using s256 = number<moduli_for_bits<256>, symmetric_range>;

static_assert(base::moduli[0] == 65947 && base::moduli[1] == 65949 && base::moduli[2] == 65951 &&
              base::moduli[3] == 65953);

struct imported {
  const char* value;
  std::array<std::uint32_t, 4> residues;
};

const imported signed_imports[] = {{"0", {0, 0, 0, 0}},
                                   {"1", {1, 1, 1, 1}},
                                   {"-1", {65946, 65948, 65950, 65952}},
                                   {"-5", {65942, 65944, 65946, 65948}},
                                   {"2147483647", {51486, 52309, 53136, 53967}},
                                   {"-2147483648", {14460, 13639, 12814, 11985}},
                                   {"-549755813888", {8728, 62236, 48785, 34322}},
                                   {"-1099511627776", {17456, 58523, 31619, 2691}},
                                   {"9223372036854775807", {13272, 26332, 27162, 55134}},
                                   {"-9223372036854775808", {52674, 39616, 38788, 10818}},
                                   {"9458651031756112504", {32973, 32974, 32975, 32976}},
                                   {"-9458651031756112504", {32974, 32975, 32976, 32977}}};

template <class Number>
std::array<std::uint32_t, 4> residues_of(const Number& x) {
  return {x.residue(0), x.residue(1), x.residue(2), x.residue(3)};
}

template <class Number>
struct difference_and_order {
  struct result {
    Number difference;
    int order, sign;
  };
  THRUST_RNS_HD result operator()(const Number& a, const Number& b) const {
    return {a - b, compare(a, b), sign(a - b)};
  }
};

/// a - (a + d) = -d, with a below a + d, on the host and in device code.
template <class Number>
void check_near_cancel(const std::vector<mpz_class>& starts, const std::vector<mpz_class>& steps) {
  std::vector<mpz_class> as, bs;
  for (const mpz_class& a : starts) {
    for (const mpz_class& d : steps) {
      if (a + d > test::largest<Number>()) continue;
      as.push_back(a);
      bs.push_back(a + d);
    }
  }
  const std::vector<Number> a = test::make<Number>(as), b = test::make<Number>(bs);
  using functor = difference_and_order<Number>;
  const auto device = test::on_device<typename functor::result>(a, b, functor{});
  for (std::size_t k = 0; k < as.size(); ++k) {
    INFO("a = ", as[k].get_str(), ", b = ", bs[k].get_str());
    const mpz_class want = test::wrap<Number>(as[k] - bs[k]);
    for (const auto& got : {functor{}(a[k], b[k]), device[k]}) {
      REQUIRE(to_string(got.difference) == want.get_str());
      REQUIRE(got.order == -1);
      REQUIRE(got.sign == sgn(want));
    }
  }
}

/// x + y, where the sum of the residues is a modulus or M, equals the import of the sum, residue by residue.
template <class Number>
void check_sum(const mpz_class& x, const mpz_class& y) {
  INFO("x = ", x.get_str(), ", y = ", y.get_str());
  const Number sum = from_string<Number>(x.get_str()) + from_string<Number>(y.get_str());
  const mpz_class want = test::wrap<Number>(x + y);
  REQUIRE(sum == from_string<Number>(want.get_str()));
  REQUIRE(sum == test::make<Number>(want));
  for (int i = 0; i < Number::size; ++i) REQUIRE(sum.residue(i) < Number::base_type::moduli[i]);
}

} // namespace

TEST_CASE("signed integers import into four moduli of 17 bits") {
  for (const imported& c : signed_imports) {
    CAPTURE(c.value);
    const auto x = from_string<signed_number>(c.value);
    CHECK(residues_of(x) == c.residues);
    CHECK(to_string(x) == c.value);
    if (fits<std::int64_t>(x)) {
      const std::int64_t v = std::stoll(c.value);
      CHECK(signed_number(v) == x);
      CHECK(from_integer<signed_number>(v) == x);
      CHECK(to_integer<std::int64_t>(x) == v);
    }
  }
  CHECK_THROWS_AS(from_string<signed_number>("9458651031756112505"), range_error);
  CHECK_THROWS_AS(from_string<signed_number>("-9458651031756112505"), range_error);
  CHECK_THROWS_AS(from_integer<signed_number>(std::uint64_t{9458651031756112505u}), range_error);
  CHECK_FALSE(fits<std::int64_t>(from_string<signed_number>("9458651031756112504")));
}

TEST_CASE("every 64-bit integer survives a signed base of more than 64 bits") {
  THRUST_RNS_TEST_ENGINE(engine, 901);
  for (int k = 0; k < test::amount(2000, 200); ++k) {
    const int shift = k % 64;
    for (const std::int64_t v :
         {static_cast<std::int64_t>(engine()) >> shift, -(std::int64_t{1} << (shift % 63)),
          std::numeric_limits<std::int64_t>::min() + k, std::numeric_limits<std::int64_t>::max() - k}) {
      CAPTURE(v);
      REQUIRE(to_integer<std::int64_t>(signed_number(v)) == v);
      REQUIRE(to_string(signed_number(v)) == std::to_string(v));
      REQUIRE(test::value(signed_number(v)) == test::mpz(v));
    }
  }
}

TEST_CASE("differences of close values at a quarter of the range") {
  const auto a = from_string<signed_number>("4729325515878056252");
  const std::pair<const char*, const char*> cases[] = {
      {"4729325515878056253", "-1"},    {"4729325515878056254", "-2"},     {"4729325515878056507", "-255"},
      {"4729325515878060348", "-4096"}, {"4729325515878121788", "-65536"}, {"4729325515879104828", "-1048576"}};
  for (const auto& c : cases) {
    CAPTURE(c.first);
    const auto b = from_string<signed_number>(c.first);
    CHECK(to_string(a - b) == c.second);
    CHECK(a < b);
  }
}

TEST_CASE_TEMPLATE("differences of close values anywhere", Number, signed_number, unsigned_number, s256) {
  THRUST_RNS_TEST_ENGINE(engine, 902);
  const mpz_class& range = test::dynamic_range<typename Number::base_type>();
  std::vector<mpz_class> starts, steps;
  for (int quarter = -2; quarter <= 4; ++quarter) {
    for (int d = -1; d <= 1; ++d) starts.push_back(test::wrap<Number>(quarter * range / 4 + d));
  }
  for (int k = 0; k < 10; ++k) starts.push_back(test::random_value<Number>(engine));
  for (int k = 0; k < 62; k += 3) {
    steps.push_back(test::power_of_two(k));
    steps.push_back(test::power_of_two(k + 1) - 1);
  }
  check_near_cancel<Number>(starts, steps);
}

TEST_CASE("sums that hit one modulus exactly") {
  const std::pair<std::uint32_t, std::array<std::uint32_t, 4>> cases[] = {{65946, {0, 65947, 65947, 65947}},
                                                                          {65948, {2, 0, 65949, 65949}},
                                                                          {65950, {4, 2, 0, 65951}},
                                                                          {65952, {6, 4, 2, 0}}};
  for (const auto& c : cases) {
    const std::uint32_t b = c.first;
    CAPTURE(b);
    CHECK(residues_of(signed_number(1) + b) == c.second);
    CHECK(signed_number(1) + b == from_integer<signed_number>(b + 1));
    CHECK(unsigned_number(b) - -1 == b + 1);
  }
}

TEST_CASE_TEMPLATE("sums that hit moduli, their multiples, their products or M exactly", Number, signed_number,
                   unsigned_number, s256) {
  THRUST_RNS_TEST_ENGINE(engine, 903);
  const mpz_class& range = test::dynamic_range<typename Number::base_type>();
  std::vector<mpz_class> targets{0, range};
  mpz_class product = 1;
  for (int i = 0; i < Number::size; ++i) {
    const mpz_class m = test::mpz(Number::base_type::moduli[i]);
    product *= m;
    for (const mpz_class& z : {m, mpz_class(2 * m), product, mpz_class(range - m)}) targets.push_back(z);
  }
  for (const mpz_class& target : targets) {
    for (const mpz_class& x : {mpz_class(0), mpz_class(1), mpz_class(target - 1), test::random_value<Number>(engine)}) {
      for (int d = -1; d <= 1; ++d) check_sum<Number>(test::wrap<Number>(x), test::wrap<Number>(target + d - x));
    }
  }
}

TEST_CASE("a number of 31 bytes plus one of 32") {
  using number = thrust_rns::number<moduli_for_bits<512>>;
  const auto x = from_string<number>("0x7ab10017d9b7707fbf0d95ca20eb4e6a9879af1da0dd95409f4ef4c331b860");
  const auto y = from_string<number>("0xc748870c27b4f11be4822615b5213fe33d4ccc8f434e7598620e5f403547f272");
  CHECK(to_hex_string(x + y) == "0xc7c3380c3f8ea88c644133ab7f422b31a7e5463e60ef532da2adae34f879aad2");
  CHECK(to_string(x + y) == "90355178873709937141687946774320377937773028421364872581770558308484078217938");
  CHECK(compare(x, y) == -1);
  const std::uint32_t limbs[] = {0xc331b860, 0x409f4ef4, 0x1da0dd95, 0x6a9879af,
                                 0xca20eb4e, 0x7fbf0d95, 0x17d9b770, 0x7ab100};
  CHECK(from_limbs<number>(limbs, 8) == x);
  std::uint8_t bytes[31] = {};
  CHECK_FALSE(to_limbs(x, bytes, 31, limb_order::most_significant_first));
  CHECK(bytes[0] == 0x7a);
  CHECK(bytes[30] == 0x60);
  CHECK(from_limbs<number>(bytes, 31, limb_order::most_significant_first) == x);
}

TEST_CASE("numbers of every byte count go through bytes, limbs and hexadecimal text") {
  using number = thrust_rns::number<moduli_for_bits<512>>;
  THRUST_RNS_TEST_ENGINE(engine, 904);
  number sum = 0;
  mpz_class exact_sum = 0;
  for (std::size_t count = 1; count <= 64; ++count) {
    CAPTURE(count);
    std::vector<std::uint8_t> bytes(count);
    for (std::uint8_t& b : bytes) b = static_cast<std::uint8_t>(engine());
    bytes[0] = static_cast<std::uint8_t>(bytes[0] | 1);
    std::string text = "0x";
    mpz_class z;
    for (const std::uint8_t b : bytes) {
      text += "0123456789abcdef"[b >> 4];
      text += "0123456789abcdef"[b & 15];
      z = z * 256 + b;
    }
    const auto x = from_limbs<number>(bytes.data(), count, limb_order::most_significant_first);
    REQUIRE(x == test::make<number>(z));
    REQUIRE(from_string<number>(text) == x);
    REQUIRE(to_hex_string(x) == "0x" + z.get_str(16));
    std::vector<std::uint8_t> back(count);
    REQUIRE_FALSE(to_limbs(x, back.data(), count, limb_order::most_significant_first));
    REQUIRE(back == bytes);
    sum += x;
    exact_sum += z;
    REQUIRE(to_string(sum) == test::wrap<number>(exact_sum).get_str());
  }
}

TEST_CASE("text forms accepted and refused") {
  const std::pair<const char*, const char*> accepted[] = {{"-0", "0"},      {"+7", "7"},      {"0x0", "0"},
                                                          {"-0x10", "-16"}, {"-0X10", "-16"}, {"000123", "123"},
                                                          {"0x80", "128"},  {"-20", "-20"}};
  for (const auto& form : accepted) {
    CAPTURE(form.first);
    CHECK(to_string(from_string<signed_number>(form.first)) == form.second);
  }
  for (const char* text : {"", "-", "+", "0x", "12a", "1e5", "--1", " "}) {
    CAPTURE(text);
    CHECK_THROWS_AS(from_string<signed_number>(text), parse_error);
    CHECK_THROWS_AS(from_string<unsigned_number>(text), parse_error);
  }
  CHECK_THROWS_AS(from_string<signed_number>("18917302063512225009"), range_error);
  CHECK_THROWS_AS(from_string<unsigned_number>("18917302063512225009"), range_error);
  CHECK_THROWS_AS(from_string<unsigned_number>("-1"), range_error);
  CHECK(to_string(from_string<unsigned_number>("18917302063512225008")) == "18917302063512225008");
}
