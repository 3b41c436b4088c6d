// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include <thrust_rns/gmp.h>

#include <list>
#include <string>

#include "support.h"

using namespace thrust_rns;

namespace {

using u64 = number<moduli_for_bits<64>>;
using s256 = number<moduli_for_bits<256>, symmetric_range>;
using tiny = number<moduli_set<13, 7, 16>, symmetric_range>;
using odd = number<moduli_set<11, 105>, symmetric_range>;

template <class Function>
std::string message_of(Function f) {
  try {
    f();
  } catch (const range_error& e) {
    return e.what();
  }
  return "nothing was thrown";
}

} // namespace

TEST_CASE_TEMPLATE("GMP integers of the range survive the way in and out", Number, u64, s256, tiny, odd,
                   number<moduli_for_bits<1024>>) {
  THRUST_RNS_TEST_ENGINE(engine, 701);
  for (const mpz_class& z : test::sample_values<Number>(engine, test::amount(200, 20))) {
    CAPTURE(z.get_str());
    const auto x = from_mpz<Number>(z.get_mpz_t());
    REQUIRE(x == test::make<Number>(z));
    mpz_class back = -12345; // what was there before does not matter
    to_mpz(back.get_mpz_t(), x);
    REQUIRE(back == z);
    mpz_class same;
    to_mpz(same, from_mpz<Number>(z));
    REQUIRE(same == z);
  }
}

TEST_CASE("every number of a small base survives") {
  for (int v = -728; v < 728; ++v) {
    CAPTURE(v);
    REQUIRE(from_mpz<tiny>(mpz_class(v).get_mpz_t()) == tiny(v));
    mpz_class back;
    to_mpz(back.get_mpz_t(), tiny(v));
    REQUIRE(back == v);
  }
}

TEST_CASE_TEMPLATE("integers outside the range are refused and named", Number, u64, s256, tiny, odd) {
  const mpz_class low = test::smallest<Number>(), high = test::largest<Number>();
  CHECK(test::value(from_mpz<Number>(low.get_mpz_t())) == low);
  CHECK(test::value(from_mpz<Number>(high.get_mpz_t())) == high);
  for (const mpz_class& z : {mpz_class(low - 1), mpz_class(high + 1), mpz_class(-high - 2), test::power_of_two(300)}) {
    CAPTURE(z.get_str());
    CHECK_THROWS_AS(from_mpz<Number>(z.get_mpz_t()), range_error);
    CHECK(message_of([&] { from_mpz<Number>(z.get_mpz_t()); }).find(z.get_str().substr(0, 30)) != std::string::npos);
  }
}

TEST_CASE("a range of GMP integers becomes a vector of numbers") {
  const std::vector<mpz_class> values{0, -1, mpz_class("123456789012345678901234567890")};
  CHECK(from_mpz<s256>(values.begin(), values.end()) == test::make<s256>(values));
  const std::list<mpz_class> list(values.begin(), values.end());
  CHECK(from_mpz<s256>(list.begin(), list.end()) == test::make<s256>(values));
  CHECK(from_mpz<s256>(values.data(), values.data() + 2) == std::vector<s256>{0, -1});
  CHECK(from_mpz<s256>(values.begin(), values.begin()).empty());
}

TEST_CASE("an error in a range names the element") {
  const std::vector<mpz_class> values{0, 1, 728, 3};
  CHECK(message_of([&] { from_mpz<tiny>(values.begin(), values.end()); }) ==
        "element 2: thrust_rns: 728 is outside the range -728 .. 727");
}
