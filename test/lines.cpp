// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include <thrust_rns/gmp_vector.h>
#include <thrust_rns/lines.h>

#include <sstream>
#include <string>

#include "vectors.h"

using namespace thrust_rns;

namespace {

using s256 = number<isupov_moduli<256>, symmetric_range>;
using u1024 = number<moduli_for_bits<1024>>;
using tiny = number<moduli_set<13, 7, 16>, symmetric_range>;

template <class Error, class Function>
std::string message_of(Function f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "nothing was thrown";
}

} // namespace

TEST_CASE_TEMPLATE("GMP integers and texts survive the way in and out", Number, s256, u1024, tiny) {
  THRUST_RNS_TEST_ENGINE(engine, 3501);
  for (const std::size_t n : {0U, 1U, 63U, 64U, 65U, 3000U}) {
    CAPTURE(n);
    std::vector<mpz_class> z = test::make_pattern<Number>(test::pattern::random_length, engine, n);
    const std::vector<mpz_class> edges = test::edge_values<Number>();
    for (std::size_t k = 0; k < n && k < edges.size(); ++k) z[n - 1 - k] = edges[k];
    device_vector<Number> v(n + 2, Number(3));
    thrust::max_element(v.begin(), v.end());
    CHECK(import_mpz(thrust::device, z.begin(), z.end(), v.begin() + 1) == v.end() - 1);
    CHECK(test::count_evaluated(v) == 2);
    const std::vector<Number> numbers = v.to_vector();
    for (std::size_t k = 0; k < n; ++k) {
      if (numbers[k + 1] != test::make<Number>(z[k])) FAIL_CHECK("element " << k);
    }
    CHECK(numbers.front() == Number(3));
    CHECK(numbers.back() == Number(3));
    std::vector<mpz_class> back(n, mpz_class(-12345));
    CHECK(export_mpz(v.cbegin() + 1, v.cend() - 1, back.begin()) == back.end());
    CHECK(back == z);

    std::vector<std::string> texts(n);
    CHECK(export_strings(v.begin() + 1, v.end() - 1, texts.begin()) == texts.end());
    for (std::size_t k = 0; k < n; ++k) CHECK(texts[k] == z[k].get_str());
    device_vector<Number> w(n);
    CHECK(import_strings(texts.begin(), texts.end(), w.begin()) == w.end());
    CHECK(w == device_vector<Number>(v.begin() + 1, v.end() - 1));
  }
}

TEST_CASE("arrays of mpz_t, and of pointers to them") {
  mpz_t z[3];
  for (int k = 0; k < 3; ++k) mpz_init_set_si(z[k], 100 * k - 50);
  device_vector<tiny> v(3);
  import_mpz(z, z + 3, v.begin());
  CHECK(v == device_vector<tiny>{-50, 50, 150});
  const std::vector<mpz_ptr> pointers{z[2], z[1], z[0]};
  host_vector<tiny> h(3);
  import_mpz(pointers.begin(), pointers.end(), h.begin());
  CHECK(h == host_vector<tiny>{150, 50, -50});
  export_mpz(v.begin(), v.end(), pointers.begin()); // reversed
  CHECK(mpz_cmp_si(z[0], 150) == 0);
  export_mpz(h.begin(), h.end(), z);
  CHECK(mpz_cmp_si(z[2], -50) == 0);
  for (auto& x : z) mpz_clear(x);
}

TEST_CASE("of several integers outside the range the first is named, and nothing is written") {
  for (const int bad : {728, -729, 100000}) {
    std::vector<mpz_class> z(5000, 7);
    z[4990] = 1000;
    z[1234] = bad;
    z[1235] = mpz_class("123456789012345678901234567890");
    device_vector<tiny> v(5000, tiny(3));
    const std::string expected =
        "element 1234: thrust_rns: " + std::to_string(bad) + " is outside the range -728 .. 727";
    CHECK(message_of<range_error>([&] { import_mpz(z.begin(), z.end(), v.begin()); }) == expected);
    std::vector<std::string> texts;
    for (const auto& x : z) texts.push_back(x.get_str());
    CHECK(message_of<range_error>([&] { import_strings(texts.begin(), texts.end(), v.begin()); }) == expected);
    texts[1000] = "12a";
    CHECK(message_of<parse_error>([&] { import_strings(texts.begin(), texts.end(), v.begin()); }) ==
          "element 1000: thrust_rns: \"12a\" is not an integer: a character is no decimal digit");
    CHECK(v == device_vector<tiny>(5000, tiny(3)));
  }
}

TEST_CASE("lines") {
  std::istringstream is("12\n -0x1f\t\r\n+727\n-728");
  device_vector<tiny> v(100);
  read_lines(is, v);
  CHECK(v == device_vector<tiny>{12, -31, 727, -728});
  std::ostringstream os, hexadecimal;
  write_lines(os, v.begin() + 1, v.end());
  CHECK(os.str() == "-31\n727\n-728\n");
  hexadecimal << std::hex;
  write_lines(hexadecimal, v.cbegin(), v.cbegin() + 2);
  CHECK(hexadecimal.str() == "0xc\n-0x1f\n");

  const auto refusal = [&](const std::string& text, const std::string& file) {
    std::istringstream lines(text);
    const std::string message = message_of<std::logic_error>([&] { read_lines(lines, v, file); });
    CHECK(v == device_vector<tiny>{12, -31, 727, -728});
    return message;
  };
  CHECK(refusal("1\n2\n\n4\n", "") == "line 3: thrust_rns: \"\" is not an integer: it has no digits");
  CHECK(refusal("1\n728\n", "a.txt") == "a.txt:2: thrust_rns: 728 is outside the range -728 .. 727");
  std::istringstream nothing;
  read_lines(nothing, v);
  CHECK(v.empty());
}

TEST_CASE("many lines, in parts") {
  std::string text;
  for (int k = 0; k < 70000; ++k) text += std::to_string(k % 1400 - 700) + "\n";
  std::istringstream is(text);
  host_vector<tiny> v;
  read_lines(is, v);
  std::ostringstream os;
  write_lines(os, v.begin(), v.end());
  CHECK(os.str() == text);
}
