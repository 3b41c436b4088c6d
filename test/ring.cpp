// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include <climits>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include <thrust_rns/ring.h>

#include "support.h"

using namespace thrust_rns;

namespace {

using odd = full_element<prime_ring<761, 4591>>;
using even = full_element<prime_ring<653, 1024>>;
using byte = small_element<prime_ring<761, 4591>>;
using up_to_5 = small_element<prime_ring<5, 17>, 5>;
using ternary = ternary_element<prime_ring<1277, 7879>>;
using tiny = full_element<prime_ring<5, 17>>;

template <class E, int Row, int Bytes>
constexpr bool has_layout = E::row == Row && sizeof(E) == Bytes && alignof(E) >= 16 &&
                            sizeof(E) % 32 == 0 && std::is_trivially_copyable_v<E>&& std::is_default_constructible_v<E>;
static_assert(has_layout<odd, 768, 1536> && has_layout<even, 672, 1344> && has_layout<byte, 768, 768>);
static_assert(has_layout<ternary, 1280, 1280> && has_layout<tiny, 32, 64> && has_layout<up_to_5, 32, 32>);
static_assert(has_layout<full_element<prime_ring<32, 3>>, 32, 64> &&
              has_layout<full_element<prime_ring<33, 3>>, 64, 128>);
static_assert(odd::is_full && !ternary::is_full && tiny::degree == 5);
static_assert(std::is_same_v<ternary, small_element<prime_ring<1277, 3>, 1>>); // they belong to no modulus

constexpr tiny constant_of_minus_one() {
  tiny p;
  p.set(0, -1);
  return p;
}
static_assert(constant_of_minus_one()[0] == -1 && constant_of_minus_one().residue(0) == 16);
static_assert(constant_of_minus_one() != tiny{} && tiny{} == tiny{});

template <class E>
std::string text_of(const E& p) {
  std::ostringstream out;
  out << p;
  return out.str();
}

template <class E, class Integer>
std::string assign_error(E& p, const std::vector<Integer>& values) {
  try {
    p.assign(values.data());
  } catch (const range_error& e) {
    return e.what();
  }
  return "none";
}

/// What a row holds and says of itself, in one number.
template <class E>
struct summary {
  THRUST_RNS_HD std::uint64_t operator()(const E& p) const {
    E q;
    std::uint64_t s = p == q ? 1 : 0;
    for (int i = 0; i < E::degree; ++i) {
      s = s * 31 + static_cast<std::uint64_t>(p[i]);
      if constexpr (E::is_full) s = s * 31 + static_cast<std::uint64_t>(p.residue(i));
      q.set(i, p[i] + (E::is_full ? -3 * E::degree * 4591 : 0));
    }
    return s * 4 + (p == q ? 2 : 0) + (p != q ? 1 : 0);
  }
};

} // namespace

TEST_CASE_TEMPLATE("a new element is zero, padding included", E, odd, even, byte, up_to_5, ternary, tiny) {
  const E p;
  for (int i = 0; i < E::row; ++i) REQUIRE(p.data()[i] == 0);
  for (int i = 0; i < E::degree; ++i) REQUIRE(p[i] == 0);
  CHECK(p == E{});
}

TEST_CASE_TEMPLATE("set reduces any int, and the two representatives belong together", E, odd, even, tiny) {
  constexpr int m = E::coefficients::modulus;
  for (const int x :
       {0, 1, -1, m / 2, -(m / 2), (m - 1) / 2, (m + 1) / 2, -(m + 1) / 2, m - 1, m, -m, 5 * m + 3, INT_MAX, INT_MIN}) {
    CAPTURE(x);
    E p;
    p.set(E::degree - 1, x);
    const std::int64_t r = (std::int64_t{x} % m + m) % m;
    CHECK(p.residue(E::degree - 1) == r);
    CHECK(p.data()[E::degree - 1] == r);
    CHECK((p[E::degree - 1] - r) % m == 0);
    CHECK(p[E::degree - 1] <= (m - 1) / 2);
    CHECK(p[E::degree - 1] >= -(m / 2));
    CHECK(p[0] == 0);
  }
}

TEST_CASE("small coefficients are stored as they are") {
  byte p;
  for (int x = -128; x <= 127; ++x) p.set(x + 128, x);
  for (int x = -128; x <= 127; ++x) CHECK(p[x + 128] == x);
  CHECK(byte::coefficients::smallest == -128);
  CHECK(byte::coefficients::largest == 127);
  CHECK(up_to_5::coefficients::smallest == -5);
  CHECK(up_to_5::coefficients::largest == 5);
}

TEST_CASE("assign takes integers of every width, modulo the modulus") {
  tiny p;
  const std::vector<std::int64_t> wide{INT64_MAX, INT64_MIN, -1, 17, 1000000000000};
  CHECK(assign_error(p, wide) == "none");
  for (int i = 0; i < 5; ++i) CHECK((p.residue(i) - wide[static_cast<std::size_t>(i)] % 17) % 17 == 0);
  CHECK(assign_error(p, std::vector<std::int8_t>{-128, 127, 0, 1, -1}) == "none");
  CHECK(text_of(p) == "8 8 0 1 -1");
  CHECK(assign_error(p, std::vector<short>{1, 2, 3, 4, -32768}) == "none");
  CHECK(text_of(p) == "1 2 3 4 8");
}

TEST_CASE("assign names the first coefficient that does not fit, and then changes nothing") {
  up_to_5 p;
  const std::vector<int> good{-5, 5, 0, 1, -1};
  CHECK(assign_error(p, good) == "none");
  const std::string text = text_of(p);
  CHECK(text == "-5 5 0 1 -1");
  CHECK(assign_error(p, std::vector<int>{0, 0, 6, 0, -7}) == "thrust_rns: coefficient 2 is 6, outside [-5, 5]");
  CHECK(assign_error(p, std::vector<std::int64_t>{0, 0, 0, 0, INT64_MIN}) ==
        "thrust_rns: coefficient 4 is -9223372036854775808, outside [-5, 5]");
  CHECK(assign_error(p, std::vector<std::int64_t>{std::int64_t{1} << 32, 0, 0, 0, 0}) ==
        "thrust_rns: coefficient 0 is 4294967296, outside [-5, 5]");
  CHECK(text_of(p) == text);
  byte q;
  std::vector<std::int16_t> values(761);
  values[760] = 128;
  CHECK(assign_error(q, values) == "thrust_rns: coefficient 760 is 128, outside [-128, 127]");
  values[760] = -128;
  CHECK(assign_error(q, values) == "none");
  CHECK(q[760] == -128);
  ternary t;
  CHECK(assign_error(t, std::vector<int>(1277, 2)) == "thrust_rns: coefficient 0 is 2, outside [-1, 1]");
}

TEST_CASE_TEMPLATE("elements are equal if all coefficients are", E, odd, even, byte, up_to_5, ternary, tiny) {
  THRUST_RNS_TEST_ENGINE(engine, 1201);
  E p;
  for (int i = 0; i < E::degree; ++i) p.set(i, static_cast<int>(engine() % 3) - 1);
  for (const int i : {0, 1, E::degree / 2, E::degree - 2, E::degree - 1}) {
    E q = p;
    CHECK(p == q);
    CHECK_FALSE(p != q);
    q.set(i, q[i] == 1 ? 0 : 1);
    CHECK(p != q);
    CHECK_FALSE(p == q);
  }
}

TEST_CASE_TEMPLATE("text round trip", E, odd, even, byte, up_to_5, ternary, tiny) {
  THRUST_RNS_TEST_ENGINE(engine, 1202);
  constexpr int low = E::coefficients::smallest, high = E::coefficients::largest;
  E p, q, r;
  for (int i = 0; i < E::degree; ++i) p.set(i, low + static_cast<int>(engine() % (high - low + 1)));
  q.set(0, low);
  q.set(E::degree - 1, high);
  std::stringstream text;
  text << p << '\n' << q << " rest";
  text >> r;
  CHECK(r == p);
  text >> r;
  CHECK(r == q);
  std::string rest;
  text >> rest;
  CHECK(rest == "rest");
}

TEST_CASE("text that is no element sets failbit and leaves the element") {
  up_to_5 before;
  before.set(3, -4);
  for (const char* text :
       {"", "1 2 3 4", "1 2 x 4 5", "1 2 3 4 6", "-6 0 0 0 0", "1 2 3 4 99999999999999999999", "1, 2, 3, 4, 5"}) {
    CAPTURE(text);
    std::istringstream in(text);
    up_to_5 p = before;
    in >> p;
    CHECK(in.fail());
    CHECK(p == before);
  }
  std::istringstream in("1000000000000 -1 16 17 18");
  tiny p;
  in >> p;
  CHECK_FALSE(in.fail());
  CHECK(p.residue(0) == 1000000000000 % 17);
  CHECK(p.residue(1) == 16);
  CHECK(p.residue(4) == 1);
}

TEST_CASE_TEMPLATE("elements behave in device code as on the host", E, even, byte) {
  THRUST_RNS_TEST_ENGINE(engine, 1203);
  std::vector<E> elements(40);
  for (std::size_t k = 1; k < elements.size(); ++k) {
    for (int i = 0; i < E::degree; ++i) {
      elements[k].set(i, E::coefficients::smallest +
                             static_cast<int>(engine() % (E::coefficients::largest - E::coefficients::smallest + 1)));
    }
  }
  const auto device = test::on_device<std::uint64_t>(elements, summary<E>{});
  for (std::size_t k = 0; k < elements.size(); ++k) CHECK(device[k] == summary<E>{}(elements[k]));
}
