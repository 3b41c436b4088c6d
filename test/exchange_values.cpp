// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include <thrust_rns/exchange.h>

#include <cmath>
#include <limits>
#include <string>

#include "vectors.h"

using namespace thrust_rns;

namespace {

using u64 = number<moduli_for_bits<64>>;
using s1100 = number<moduli_for_bits<1100>, symmetric_range>;
using tiny = number<moduli_set<13, 7, 16>, symmetric_range>;

template <class Function>
std::string message_of(Function f) {
  try {
    f();
  } catch (const range_error& e) {
    return e.what();
  }
  return "nothing was thrown";
}

template <class Number, class Value>
device_vector<Number> imported(const std::vector<Value>& values) {
  const thrust::device_vector<Value> in(values.begin(), values.end());
  device_vector<Number> v(values.size());
  CHECK(import_values(thrust::device, in.begin(), in.end(), v.begin()) == v.end());
  return v;
}

template <class Value, class Number>
std::vector<Value> exported(const device_vector<Number>& v) {
  thrust::device_vector<Value> out(v.size());
  CHECK(export_values(v.begin(), v.end(), out.begin()) == out.end());
  std::vector<Value> values(v.size());
  thrust::copy(out.begin(), out.end(), values.begin());
  return values;
}

template <class Int>
std::vector<Int> integers_to_try(std::mt19937_64& engine) {
  constexpr int bits = static_cast<int>(8 * sizeof(Int));
  std::vector<Int> values{0, 1, static_cast<Int>(-1)};
  for (int k = 1; k < bits; ++k) {
    const auto power = static_cast<Int>(static_cast<uint128_t>(1) << k);
    for (const int d : {-1, 0, 1})
      values.push_back(static_cast<Int>(static_cast<uint128_t>(power) + static_cast<uint128_t>(d)));
    values.push_back(static_cast<Int>(static_cast<uint128_t>(engine()) << (k % 65)));
  }
  return values;
}

} // namespace

TEST_CASE_TEMPLATE("built-in integers survive the way in and out", Int, std::int32_t, std::uint32_t, std::int64_t,
                   std::uint64_t, int128_t, uint128_t) {
  THRUST_RNS_TEST_ENGINE(engine, 3101);
  const std::vector<Int> values = integers_to_try<Int>(engine);
  const auto v = imported<s1100>(values);
  const std::vector<s1100> numbers = v.to_vector();
  for (std::size_t k = 0; k < values.size(); ++k) REQUIRE(numbers[k] == test::make<s1100>(test::mpz(values[k])));
  CHECK(exported<Int>(v) == values);
}

TEST_CASE("integers that do not fit are refused and named") {
  std::vector<s1100> numbers(200, s1100(9));
  thrust::device_vector<std::int64_t> out(200, 7);
  numbers[150] = s1100(std::numeric_limits<std::int64_t>::min()) - s1100(1);
  device_vector<s1100> v = numbers;
  CHECK(message_of([&] { export_values(v.begin(), v.end(), out.begin()); }) ==
        "element 150: thrust_rns: -9223372036854775809 does not fit in an integer of 64 bits");
  CHECK(test::copy_of(out) == std::vector<std::int64_t>(200, 7));
  thrust::device_vector<std::uint32_t> narrow(200);
  v[150] = s1100(-1);
  CHECK(message_of([&] { export_values(v.begin() + 1, v.end(), narrow.begin()); }) ==
        "element 149: thrust_rns: -1 does not fit in an integer of 32 bits without sign");

  device_vector<tiny> t(3, tiny(5));
  const thrust::device_vector<std::int64_t> in{727, -728, 728};
  CHECK(message_of([&] { import_values(in.begin(), in.end(), t.begin()); }) ==
        "element 2: thrust_rns: 728 is outside the range -728 .. 727");
  CHECK(t == device_vector<tiny>(3, tiny(5)));
  const thrust::device_vector<std::int32_t> negative{1, -1};
  device_vector<u64> u(2);
  CHECK(message_of([&] {
          import_values(negative.begin(), negative.end(), u.begin());
        }).rfind("element 1: thrust_rns: -1 is", 0) == 0);
}

TEST_CASE("doubles that are integers become those integers") {
  THRUST_RNS_TEST_ENGINE(engine, 3102);
  std::vector<double> values{0.0,
                             -0.0,
                             1,
                             -1,
                             0x1p52,
                             -0x1p52,
                             0x1p53 - 1,
                             0x1p1023,
                             -0x1p1023,
                             std::numeric_limits<double>::max(),
                             std::numeric_limits<double>::lowest()};
  for (int k = 0; k < 2000; ++k) {
    const auto mantissa = static_cast<double>(engine() >> (11 + k % 53));
    const double x = std::ldexp(mantissa, static_cast<int>(engine() % 971));
    values.push_back(k % 2 == 0 ? x : -x);
  }
  const auto v = imported<s1100>(values);
  const std::vector<s1100> numbers = v.to_vector();
  for (std::size_t k = 0; k < values.size(); ++k) {
    CAPTURE(values[k]);
    REQUIRE(numbers[k] == test::make<s1100>(mpz_class(values[k])));
  }
  CHECK(exported<double>(v) == values);
}

TEST_CASE("doubles that are no integers, or too large, are refused and named") {
  const auto refuse = [](double x, const std::string& text) {
    thrust::device_vector<double> in(200, 4.0);
    in[160] = x;
    in[170] = x;
    device_vector<u64> v(200, u64(3));
    const std::string message = message_of([&] { import_values(in.begin(), in.end(), v.begin()); });
    CHECK(message.rfind("element 160: thrust_rns: " + text, 0) == 0);
    CHECK(v == device_vector<u64>(200, u64(3)));
  };
  refuse(0.5, "0.5 is not an integer");
  refuse(-1e-310, "-9.9999999999999694e-311 is not an integer");
  refuse(4503599627370495.5, "4503599627370495.5 is not an integer");
  refuse(std::numeric_limits<double>::infinity(), "inf is not an integer");
  refuse(-std::numeric_limits<double>::infinity(), "-inf is not an integer");
  refuse(std::numeric_limits<double>::quiet_NaN(), "nan is not an integer");
  refuse(-1, "-1 is outside the range 0 .. ");
  refuse(0x1p93, "9.9035203142830422e+27 is outside the range 0 .. ");
}

TEST_CASE("numbers become the nearest doubles, ties to even") {
  THRUST_RNS_TEST_ENGINE(engine, 3103);
  std::vector<mpz_class> values;
  for (int k = 0; k < 3000; ++k) {
    const int bits = static_cast<int>(engine() % 1024);
    mpz_class z = test::random_below(engine, test::power_of_two(bits));
    const mpz_class ulp = test::power_of_two(bits > 60 ? bits - 60 : 0);
    if (k % 3 == 1) z = z / ulp * ulp; // ties are likely
    if (k % 3 == 2) z = z / (64 * ulp) * (64 * ulp) + 32 * ulp + static_cast<int>(engine() % 3) - 1;
    values.push_back(k % 2 == 0 ? z : mpz_class(-z));
  }
  const std::vector<double> found = exported<double>(device_vector<s1100>(test::make<s1100>(values)));
  for (std::size_t k = 0; k < values.size(); ++k) {
    CAPTURE(values[k].get_str());
    double nearest = values[k].get_d(); // cut towards zero
    const mpz_class magnitude = abs(values[k]);
    double other = std::nextafter(std::fabs(nearest), std::numeric_limits<double>::infinity());
    const mpz_class below = magnitude - mpz_class(std::fabs(nearest)), above = mpz_class(other) - magnitude;
    std::uint64_t bits;
    std::memcpy(&bits, &nearest, sizeof bits);
    if (above < below || (above == below && (bits & 1) != 0)) nearest = std::copysign(other, nearest);
    REQUIRE(found[k] == nearest);
  }
}

TEST_CASE("numbers beyond every double are refused") {
  const mpz_class most = mpz_class(std::numeric_limits<double>::max()), half_ulp = test::power_of_two(970);
  thrust::device_vector<double> out(1);
  for (const int sign : {1, -1}) {
    const device_vector<s1100> fits = test::make<s1100>(std::vector<mpz_class>{sign * (most + half_ulp - 1)});
    export_values(fits.begin(), fits.end(), out.begin());
    CHECK(double(out[0]) == sign * std::numeric_limits<double>::max());
    const device_vector<s1100> too_large = test::make<s1100>(std::vector<mpz_class>{sign * (most + half_ulp)});
    CHECK(message_of([&] {
            export_values(too_large.begin(), too_large.end(), out.begin());
          }).find("does not fit in a double") != std::string::npos);
  }
}
