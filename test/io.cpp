// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include <thrust_rns/io.h>

#include <algorithm>
#include <iomanip>
#include <list>
#include <sstream>
#include <string>

#include <thrust_rns/device_vector.h>

#include "support.h"

using namespace thrust_rns;

namespace {

using u64 = number<moduli_for_bits<64>>;
using s256 = number<moduli_for_bits<256>, symmetric_range>;
using tiny = number<moduli_set<13, 7, 16>>;
using signed_tiny = number<moduli_set<13, 7, 16>, symmetric_range>;

template <class Number>
std::string written(const Number& x) {
  std::ostringstream os;
  os << x;
  return os.str();
}

template <class Error, class Function>
std::string message_of(Function f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "nothing was thrown";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE_TEMPLATE("text of a number is that of its integer, both ways", Number, u64, s256, signed_tiny,
                   number<moduli_for_bits<1024>, symmetric_range>) {
  THRUST_RNS_TEST_ENGINE(engine, 601);
  for (const mpz_class& z : test::sample_values<Number>(engine, test::amount(200, 20))) {
    const auto x = test::make<Number>(z);
    const std::string decimal = z.get_str(), digits = mpz_class(abs(z)).get_str(16);
    const std::string hexadecimal = (z < 0 ? "-0x" : "0x") + digits;
    CAPTURE(decimal);
    REQUIRE(to_string(x) == decimal);
    REQUIRE(to_hex_string(x) == hexadecimal);
    REQUIRE(from_string<Number>(decimal) == x);
    REQUIRE(from_string<Number>(hexadecimal) == x);
    std::string capitals = digits;
    for (char& c : capitals) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    REQUIRE(from_string<Number>((z < 0 ? "-0X000" : "+0X000") + capitals) == x);
    REQUIRE(from_string<Number>((z < 0 ? "-" : "+") + std::string(40, '0') + mpz_class(abs(z)).get_str()) == x);
  }
}

TEST_CASE("every number of a small base survives text") {
  for (int v = 0; v < 1456; ++v) {
    CAPTURE(v);
    REQUIRE(to_string(tiny(v)) == std::to_string(v));
    REQUIRE(from_string<tiny>(std::to_string(v)) == tiny(v));
  }
  for (int v = -728; v < 728; ++v) {
    CAPTURE(v);
    REQUIRE(to_string(signed_tiny(v)) == std::to_string(v));
    REQUIRE(from_string<signed_tiny>(std::to_string(v)) == signed_tiny(v));
  }
}

TEST_CASE("text that is no integer is refused and quoted") {
  const std::string refused[] = {"",
                                 "-",
                                 "+",
                                 "0x",
                                 "-0x",
                                 "+0X",
                                 "12a",
                                 "1e5",
                                 "--1",
                                 "+-1",
                                 " ",
                                 " 1",
                                 "1 ",
                                 "1\n",
                                 "\t1",
                                 "- 1",
                                 "0x 1",
                                 "0xg",
                                 "x10",
                                 "0b1",
                                 "1.0",
                                 "1,0",
                                 "1'0",
                                 "0x1h",
                                 "0-1",
                                 "1-",
                                 "1+",
                                 "0x-1",
                                 "0x+1",
                                 "00x1",
                                 "a",
                                 "/",
                                 "9:",
                                 "0x@",
                                 "0x`",
                                 "0xG",
                                 "NaN",
                                 "1_000",
                                 "\xef\xbb\xbf"
                                 "1",
                                 "0x0x1",
                                 std::string("1\0", 2),
                                 std::string("\0", 1),
                                 "123456789x",
                                 "1234567890123456789-"};
  for (const std::string& text : refused) {
    CAPTURE(text);
    const std::string message = message_of<parse_error>([&] { from_string<s256>(text); });
    const auto unprintable = std::find_if(text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; });
    CHECK(contains(message, '"' + std::string(text.begin(), unprintable)));
    CHECK_THROWS_AS(from_string<s256>(text), std::invalid_argument);
  }
  CHECK(message_of<parse_error>([&] { from_string<s256>(std::string_view("12\0\n\xef", 5)); }) ==
        "thrust_rns: \"12\\x00\\x0a\\xef\" is not an integer: a character is no decimal digit");
  const std::string long_text = std::string(5000, '7') + "!";
  const std::string message = message_of<parse_error>([&] { from_string<s256>(long_text); });
  CHECK(contains(message, "777...777"));
  CHECK(contains(message, "!\" is not an integer"));
  CHECK(message.size() < 300);
}

TEST_CASE("accepted forms of zero and of signs") {
  for (const char* text : {"0", "-0", "+0", "0x0", "-0x0", "000", "-0X000"}) {
    CAPTURE(text);
    CHECK(from_string<u64>(text) == 0);
    CHECK(to_string(from_string<s256>(text)) == "0");
  }
  CHECK(to_hex_string(s256(0)) == "0x0");
  CHECK(to_hex_string(s256(-42)) == "-0x2a");
  CHECK(from_string<s256>("-0xDeadBeef") == -std::int64_t{0xdeadbeef});
  CHECK(from_string<u64>("+0x00ff") == 255);
}

TEST_CASE_TEMPLATE("the ends of the range are read and their outer neighbours refused", Number, u64, s256, tiny,
                   signed_tiny, number<moduli_for_bits<1024>, symmetric_range>) {
  const mpz_class low = test::smallest<Number>(), high = test::largest<Number>();
  CHECK(test::value(from_string<Number>(low.get_str())) == low);
  CHECK(test::value(from_string<Number>(high.get_str())) == high);
  for (const mpz_class& z :
       {mpz_class(low - 1), mpz_class(high + 1), mpz_class(-high - 2), mpz_class(high * high * high + 1)}) {
    CAPTURE(z.get_str());
    const std::string message = message_of<range_error>([&] { from_string<Number>(z.get_str()); });
    CHECK(contains(message, z.get_str().substr(0, 30)));
    CHECK(contains(message, " is outside the range "));
    CHECK(contains(message, low.get_str().substr(0, 18)));
    CHECK(contains(message, high.get_str().substr(0, 18)));
    CHECK_THROWS_AS(from_string<Number>(z.get_str()), std::out_of_range);
  }
}

TEST_CASE("the message names value and range in full where they are short") {
  CHECK(message_of<range_error>([] { from_string<tiny>("1456"); }) ==
        "thrust_rns: 1456 is outside the range 0 .. 1455");
  CHECK(message_of<range_error>([] { from_string<signed_tiny>("0x2d8"); }) ==
        "thrust_rns: 728 is outside the range -728 .. 727");
  CHECK(message_of<range_error>([] { from_string<number<moduli_set<11, 105>, symmetric_range>>("-578"); }) ==
        "thrust_rns: -578 is outside the range -577 .. 577");
}

TEST_CASE("texts of millions of digits are refused at once") {
  const std::string digits(3'000'000, '7'), part(46, '7');
  CHECK(message_of<range_error>([&] { from_string<tiny>("+000" + digits); }) ==
        "thrust_rns: " + part + "..." + part + " is outside the range 0 .. 1455");
  CHECK(message_of<range_error>([&] { from_string<signed_tiny>("-0x0" + digits); }) ==
        "thrust_rns: -0x" + part.substr(3) + "..." + part + " is outside the range -728 .. 727");
  CHECK(from_string<tiny>(std::string(3'000'000, '0') + "8") == tiny(8));
}

TEST_CASE("lists of texts are read in order, and an error names the element") {
  const std::vector<std::string> texts{"1", "-0x2", "+3"};
  CHECK(from_strings<s256>(texts.begin(), texts.end()) == std::vector<s256>{1, -2, 3});
  const char* pointers[] = {"7", "8"};
  CHECK(from_strings<u64>(pointers, pointers + 2) == std::vector<u64>{7, 8});
  const std::list<std::string_view> views{"9"};
  CHECK(from_strings<u64>(views.begin(), views.end()) == std::vector<u64>{9});
  std::istringstream words("10 0x10");
  CHECK(from_strings<u64>(std::istream_iterator<std::string>(words), {}) == std::vector<u64>{10, 16});
  CHECK(from_strings<u64>(texts.begin(), texts.begin()).empty());

  const std::vector<std::string> malformed{"1", "2", "three"}, too_large{"1", "1456"};
  const std::string parse = message_of<parse_error>([&] { from_strings<u64>(malformed.begin(), malformed.end()); });
  CHECK(contains(parse, "element 2: "));
  CHECK(contains(parse, "\"three\""));
  const std::string range = message_of<range_error>([&] { from_strings<tiny>(too_large.begin(), too_large.end()); });
  CHECK(contains(range, "element 1: "));
  CHECK(contains(range, "1456"));
}

TEST_CASE("streams write decimal, hexadecimal after std::hex, and heed width, fill and side") {
  std::ostringstream os;
  os << s256(-42) << '|' << std::setw(6) << s256(-42) << '|' << s256(7) << '|' << std::left << std::setw(5)
     << std::setfill('.') << s256(7) << '|' << std::hex << s256(-42) << '|' << std::dec << s256(255) << '|'
     << std::internal << std::right << std::setw(8) << std::hex << s256(255);
  CHECK(os.str() == "-42|   -42|7|7....|-0x2a|255|....0xff");
}

TEST_CASE_TEMPLATE("what a stream writes, a stream reads back", Number, u64, s256) {
  THRUST_RNS_TEST_ENGINE(engine, 602);
  const auto numbers = test::make<Number>(test::sample_values<Number>(engine, 50));
  std::stringstream stream;
  for (std::size_t k = 0; k < numbers.size(); ++k) stream << (k % 2 == 0 ? std::dec : std::hex) << numbers[k] << '\n';
  Number x = 0;
  for (const Number& want : numbers) {
    CAPTURE(to_string(want));
    REQUIRE((stream >> x));
    REQUIRE(x == want);
  }
  CHECK_FALSE((stream >> x));
  CHECK(stream.eof());
  CHECK(x == numbers.back());
}

TEST_CASE("a word that is no number of the range sets failbit and leaves the value") {
  for (const char* text : {"", "   ", "12a", "-", "0x", "1456", "-1", "99999999999999999999999", "1,2"}) {
    CAPTURE(text);
    std::istringstream is(text);
    tiny x = 99;
    CHECK_FALSE((is >> x));
    CHECK(is.fail());
    CHECK_FALSE(is.bad());
    CHECK(x == 99);
  }
  std::istringstream is("5 bad 6");
  tiny x = 0;
  is >> x >> x;
  CHECK(x == 5);
  is.clear();
  is >> x;
  CHECK(x == 6);

  std::istringstream throwing("bad");
  throwing.exceptions(std::ios_base::failbit);
  CHECK_THROWS_AS(throwing >> x, std::ios_base::failure);
  CHECK(x == 6);
}

TEST_CASE("elements of device vectors are written like their numbers") {
  const device_vector<s256> ours{s256(-42), s256(7)};
  device_vector<s256> writable = ours;
  const thrust::device_vector<s256> thrusts(ours.begin(), ours.end());
  std::ostringstream os;
  os << ours[0] << ' ' << writable[1] << ' ' << std::hex << writable[0] << std::dec << ' ' << std::setw(4) << ours[0]
     << ' ' << thrusts[0];
  CHECK(os.str() == "-42 7 -0x2a  -42 -42");
  CHECK(written(ours[1]) == "7");
}
