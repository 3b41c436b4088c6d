// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include <algorithm>
#include <limits>
#include <type_traits>

#include <thrust_rns/functional.h>
#include <thrust_rns/number.h>

#include "support.h"

using namespace thrust_rns;

namespace {

using tiny = moduli_set<13, 7, 16>;
using unordered = moduli_set<2147483647, 15, 1073741824, 49>;
using u256 = number<moduli_for_bits<256>>;
using s256 = number<moduli_for_bits<256>, symmetric_range>;

static_assert(std::is_trivially_copyable_v<u256> && std::is_trivially_default_constructible_v<u256>);
static_assert(std::is_standard_layout_v<u256> && sizeof(u256) == 4 * u256::size && alignof(u256) == 4);
static_assert(is_number<u256> && is_number<s256> && !is_number<int> && !is_number<const u256&>);
static_assert(!std::is_convertible_v<u256, s256> && !std::is_constructible_v<u256, s256>);
static_assert(!std::is_convertible_v<double, u256> && !std::is_convertible_v<void*, u256>);
static_assert(std::is_convertible_v<bool, u256> && std::is_convertible_v<char, u256>);

// Arithmetic and equality are constant expressions.
constexpr s256 five = 5;
static_assert(five + -five == 0 && five * five == 25 && five - 7 == -2 && +five == five && five != 6);
static_assert(five.residue(0) == 5 && s256(-1).residue(0) == 2147483646 && s256{}.residue(8) == 0);
static_assert(number<tiny>(1456) == 0 && number<tiny>(-1) == 1455);
constexpr number<tiny> assembled = [] {
  number<tiny> x{};
  for (int i = 0; i < 3; ++i) x.set_residue(i, 1);
  return x;
}();
static_assert(assembled == 1);

template <class Number>
struct arithmetic {
  Number sum, difference, product, negative, compound;
};

template <class Number>
struct compute {
  THRUST_RNS_HD arithmetic<Number> operator()(const Number& x, const Number& y) const {
    Number z = x;
    z *= y;
    z += x;
    z -= y;
    return {x + y, x - y, x * y, -x, z};
  }
};

template <class Number>
void check_arithmetic(const std::vector<mpz_class>& xs, const std::vector<mpz_class>& ys) {
  const std::vector<Number> x = test::make<Number>(xs), y = test::make<Number>(ys);
  const auto device = test::on_device<arithmetic<Number>>(x, y, compute<Number>{});
  for (std::size_t k = 0; k < xs.size(); ++k) {
    INFO("x = ", xs[k].get_str(), ", y = ", ys[k].get_str());
    for (const arithmetic<Number>& got : {compute<Number>{}(x[k], y[k]), device[k]}) {
      REQUIRE(test::value(got.sum) == test::wrap<Number>(xs[k] + ys[k]));
      REQUIRE(test::value(got.difference) == test::wrap<Number>(xs[k] - ys[k]));
      REQUIRE(test::value(got.product) == test::wrap<Number>(xs[k] * ys[k]));
      REQUIRE(test::value(got.negative) == test::wrap<Number>(-xs[k]));
      REQUIRE(test::value(got.compound) == test::wrap<Number>(xs[k] * ys[k] + xs[k] - ys[k]));
      for (int i = 0; i < Number::size; ++i) REQUIRE(got.compound.residue(i) < Number::base_type::moduli[i]);
    }
  }
}

template <class Number>
struct from_int64 {
  THRUST_RNS_HD Number operator()(std::int64_t v) const { return v; }
};

template <class Number, class Int>
void check_import(const std::vector<Int>& values) {
  for (const Int v : values) {
    const Number x = v;
    INFO("v = ", test::mpz(v).get_str());
    REQUIRE(test::value(x) == test::wrap<Number>(test::mpz(v)));
    REQUIRE(x == test::make<Number>(test::mpz(v)));
  }
}

template <class Int>
std::vector<Int> extremes() {
  using limits = std::numeric_limits<Int>;
  return {limits::min(),     static_cast<Int>(limits::min() + 1), static_cast<Int>(-1), 0, 1,
          limits::max() / 2, static_cast<Int>(limits::max() - 1), limits::max()};
}

} // namespace

TEST_CASE_TEMPLATE("sums, differences, products and negatives wrap modulo M", Number, number<moduli_for_bits<64>>, s256,
                   number<unordered, symmetric_range>, number<isupov_moduli<512>>) {
  THRUST_RNS_TEST_ENGINE(engine, 201);
  const std::vector<mpz_class> edges = test::edge_values<Number>();
  std::vector<mpz_class> xs, ys;
  for (std::size_t i = 0; i < edges.size(); i += test::amount<std::size_t>(1, 7)) {
    for (std::size_t j = 0; j < edges.size(); j += test::amount<std::size_t>(5, 11)) {
      xs.push_back(edges[i]);
      ys.push_back(edges[j]);
    }
  }
  for (int k = 0; k < test::amount(400, 40); ++k) {
    xs.push_back(test::random_value<Number>(engine));
    ys.push_back(k % 2 == 0 ? test::random_value<Number>(engine) : test::random_length_value<Number>(engine));
  }
  check_arithmetic<Number>(xs, ys);
}

TEST_CASE_TEMPLATE("every pair of numbers of a base small enough", Number, number<moduli_set<2, 3>>,
                   number<moduli_set<2, 3>, symmetric_range>, number<moduli_set<5, 4, 3>, symmetric_range>) {
  std::vector<mpz_class> xs, ys;
  for (mpz_class x = test::smallest<Number>(); x <= test::largest<Number>(); ++x) {
    for (mpz_class y = test::smallest<Number>(); y <= test::largest<Number>(); ++y) {
      xs.push_back(x);
      ys.push_back(y);
    }
  }
  check_arithmetic<Number>(xs, ys);
  for (std::size_t k = 0; k < xs.size(); ++k) {
    const Number x = test::make<Number>(xs[k]), y = test::make<Number>(ys[k]);
    INFO("x = ", xs[k].get_str(), ", y = ", ys[k].get_str());
    CHECK((x == y) == (xs[k] == ys[k]));
    CHECK((x != y) == (xs[k] != ys[k]));
    CHECK((x < y) == (xs[k] < ys[k]));
    CHECK((x <= y) == (xs[k] <= ys[k]));
    CHECK((x > y) == (xs[k] > ys[k]));
    CHECK((x >= y) == (xs[k] >= ys[k]));
  }
}

TEST_CASE_TEMPLATE("the ring laws hold", Number, number<moduli_for_bits<64>, symmetric_range>, number<unordered>) {
  THRUST_RNS_TEST_ENGINE(engine, 202);
  for (int k = 0; k < test::amount(300, 30); ++k) {
    const auto x = test::make<Number>(test::random_value<Number>(engine));
    const auto y = test::make<Number>(test::random_length_value<Number>(engine));
    const auto z = test::make<Number>(test::random_value<Number>(engine));
    REQUIRE((x + y) + z == x + (y + z));
    REQUIRE((x * y) * z == x * (y * z));
    REQUIRE(x + y == y + x);
    REQUIRE(x * y == y * x);
    REQUIRE(x * (y + z) == x * y + x * z);
    REQUIRE(x - y == x + -y);
    REQUIRE(-(-x) == x);
    REQUIRE(x + 0 == x);
    REQUIRE(x * 1 == x);
    REQUIRE(x - x == 0);
    REQUIRE(x * -1 == -x);
  }
}

TEST_CASE_TEMPLATE("built-in integers of every width and both signs import by their value", Number,
                   number<moduli_for_bits<64>>, s256, number<tiny, symmetric_range>, number<unordered>) {
  check_import<Number>(extremes<signed char>());
  check_import<Number>(extremes<unsigned char>());
  check_import<Number>(extremes<std::int16_t>());
  check_import<Number>(extremes<std::uint16_t>());
  check_import<Number>(extremes<std::int32_t>());
  check_import<Number>(extremes<std::uint32_t>());
  check_import<Number>(extremes<std::int64_t>());
  check_import<Number>(extremes<std::uint64_t>());
  check_import<Number>(extremes<long long>());
  check_import<Number>(extremes<unsigned long long>());
  const uint128_t top = uint128_t{1} << 127;
  check_import<Number>(std::vector<uint128_t>{0, 1, top - 1, top, top + 1, ~uint128_t{0} - 1, ~uint128_t{0}});
  check_import<Number>(std::vector<int128_t>{0, 1, -1, static_cast<int128_t>(top), static_cast<int128_t>(top + 1),
                                             static_cast<int128_t>(top - 1), static_cast<int128_t>(top - 2),
                                             std::numeric_limits<std::int64_t>::min(), -(int128_t{1} << 64),
                                             int128_t{1} << 64});
  CHECK(Number(true) == Number(1));
  CHECK(Number(false) == Number(0));
  CHECK(Number('a') == Number(97));
}

TEST_CASE("signed integers import in device code as on the host") {
  THRUST_RNS_TEST_ENGINE(engine, 203);
  std::vector<std::int64_t> values = extremes<std::int64_t>();
  for (int k = 0; k < 200; ++k) values.push_back(static_cast<std::int64_t>(engine()) >> (engine() % 64));
  const auto device = test::on_device<s256>(values, from_int64<s256>{});
  for (std::size_t k = 0; k < values.size(); ++k) {
    CAPTURE(values[k]);
    REQUIRE(device[k] == s256(values[k]));
  }
}

TEST_CASE("numbers mix with built-in integers on either side of every operator") {
  const s256 x = 10;
  s256 y = x;
  y += 3u;
  y -= std::int8_t{4};
  y *= 2LL;
  CHECK(y == 18);
  CHECK(7 + x == 17);
  CHECK(7 - x == -3);
  CHECK(-7 * x == -70);
  CHECK(x * std::uint64_t{1} - 10 == 0);
  CHECK(10 == x);
  CHECK(11u != x);
  CHECK(-11 < x);
  CHECK(x <= 10);
  CHECK(11 > x);
  CHECK(x >= std::numeric_limits<std::int64_t>::min());
  CHECK(u256(-1) > std::numeric_limits<std::uint64_t>::max());
  CHECK(s256(-1) < 0);
}

TEST_CASE("numbers work in the standard algorithms") {
  std::vector<s256> numbers{3, -4, 10, 0, -4};
  std::sort(numbers.begin(), numbers.end());
  CHECK(numbers == std::vector<s256>{-4, -4, 0, 3, 10});
  CHECK(std::max(numbers[0], numbers[4]) == 10);
  s256 x = 1, y = 2;
  std::swap(x, y);
  CHECK(x == 2);
  CHECK(y == 1);
}

TEST_CASE("bits that are no residues give an unspecified value and no endless loop") {
  s256 x{}, y{};
  for (int i = 0; i < s256::size; ++i) {
    x.set_residue(i, ~0u);
    y.set_residue(i, 0x9e3779b9u * static_cast<std::uint32_t>(i + 1));
  }
  const int order = compare(x, y);
  CHECK((order == -1 || order == 0 || order == 1));
  CHECK(x * y == x * y);
  CHECK(to_string(x + y).size() > 0);
}
