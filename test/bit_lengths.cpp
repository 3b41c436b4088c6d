// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include <thrust_rns/bit_lengths.h>

#include <map>
#include <sstream>
#include <string>

#include <thrust/random.h>

#include "vectors.h"

using namespace thrust_rns;

namespace {

using s256 = number<isupov_moduli<256>, symmetric_range>;
using u512 = number<isupov_moduli<512>>;
using tiny = number<moduli_set<13, 7, 16>, symmetric_range>;

int bits_of(const mpz_class& z) { return z == 0 ? 0 : static_cast<int>(mpz_sizeinbase(z.get_mpz_t(), 2)); }

template <class Number>
void check_lengths(const std::vector<mpz_class>& z) {
  std::vector<Number> numbers = test::make<Number>(z);
  numbers.insert(numbers.begin(), Number(1)); // one on each side that is not asked for
  numbers.push_back(Number(1));
  const device_vector<Number> v = numbers;
  for (int repeat = 0; repeat < 2; ++repeat) { // without and with cached evaluations
    thrust::device_vector<int> out(z.size(), -1);
    CHECK(bit_lengths(v.begin() + 1, v.end() - 1, out.begin()) == out.end());
    CHECK(test::count_evaluated(v) == static_cast<std::ptrdiff_t>(z.size()));
    std::vector<int> lengths(z.size());
    thrust::copy(out.begin(), out.end(), lengths.begin());
    std::vector<std::int64_t> expected(static_cast<std::size_t>(dynamic_range_bits<typename Number::base_type> + 1), 0);
    for (std::size_t k = 0; k < z.size(); ++k) {
      ++expected[static_cast<std::size_t>(bits_of(z[k]))];
      if (lengths[k] != bits_of(z[k])) FAIL_CHECK(z[k].get_str() << " has not " << lengths[k] << " bits");
    }
    CHECK(bit_length_histogram(thrust::device, v.begin() + 1, v.end() - 1) == expected);
  }
}

} // namespace

TEST_CASE_TEMPLATE("bit lengths are exact, next to powers of two above all", Number, s256, u512, tiny) {
  THRUST_RNS_TEST_ENGINE(engine, 3301);
  std::vector<mpz_class> z = test::sample_values<Number>(engine, test::amount(500, 50));
  const int most = std::numeric_limits<Number>::digits;
  for (int b = 0; b <= most; ++b) {
    for (const int d : {-1, 0, 1}) {
      const mpz_class x = test::power_of_two(b) + d;
      z.push_back(test::wrap<Number>(x));
      z.push_back(test::wrap<Number>(-x));
    }
    if (b > 60) z.push_back(test::wrap<Number>(test::power_of_two(b) - test::power_of_two(b - 38)));
  }
  check_lengths<Number>(z);
}

TEST_CASE("every number of a small base, and every size") {
  std::vector<mpz_class> z;
  for (int v = -728; v < 728; ++v) z.push_back(v);
  check_lengths<tiny>(z);
  THRUST_RNS_TEST_ENGINE(engine, 3302);
  for (const std::size_t n : test::sizes_to_try()) {
    CAPTURE(n);
    check_lengths<s256>(test::make_pattern<s256>(test::pattern::random_length, engine, n));
  }
}

TEST_CASE_TEMPLATE("random numbers of a bit length: the same everywhere, all lengths as asked", Number, s256, tiny) {
  constexpr std::size_t n = 3000;
  for (const int bits : {0, 1, 2, 9, std::numeric_limits<Number>::digits}) {
    CAPTURE(bits);
    device_vector<Number> v(n + 3);
    host_vector<Number> h(n);
    thrust::max_element(v.begin(), v.end());
    random_bits(thrust::device, v.begin() + 3, v.end(), bits, 5);
    random_bits(h.begin(), h.end(), bits, 5);
    CHECK(host_vector<Number>(v.cbegin() + 3, v.cend()) == h);
    CHECK(test::count_evaluated(v) == 3);
    CHECK(bit_length_histogram(v.begin() + 3, v.end())[static_cast<std::size_t>(bits)] == static_cast<std::int64_t>(n));

    random_bits(v.begin() + 3, v.end(), bits, 6, bit_count::at_most);
    const auto counts = bit_length_histogram(v.begin() + 3, v.end());
    std::int64_t shorter = 0;
    for (int b = 0; b < bits; ++b) shorter += counts[static_cast<std::size_t>(b)];
    CHECK(shorter + counts[static_cast<std::size_t>(bits)] == static_cast<std::int64_t>(n));
    if (bits > 0) CHECK(std::abs(shorter - 1500) < 200); // 7 sigma
  }
  device_vector<Number> v(3);
  CHECK_THROWS_AS(random_bits(v.begin(), v.end(), std::numeric_limits<Number>::digits + 1, 1), std::invalid_argument);
  CHECK_THROWS_AS(random_bits(v.begin(), v.end(), -1, 1), std::invalid_argument);
}

TEST_CASE("random bits do not depend on the length of the vector, but on seed and place") {
  device_vector<s256> a(1000), b(10), c(1000);
  random_bits(a.begin(), a.end(), 200, 1);
  random_bits(b.begin(), b.end(), 200, 1);
  random_bits(c.begin(), c.end(), 200, 2);
  CHECK(device_vector<s256>(a.cbegin(), a.cbegin() + 10) == b);
  std::map<mpz_class, int> seen;
  for (const auto& z : test::values_of(a)) ++seen[z];
  for (const auto& z : test::values_of(c)) ++seen[z];
  CHECK(seen.size() == 2000);
}

TEST_CASE("any engine makes numbers of a bit length") {
  thrust::minstd_rand engine(7);
  std::mt19937_64 other(8);
  for (const int bits : {0, 1, 5, 63, 254}) {
    CAPTURE(bits);
    for (int k = 0; k < 50; ++k) {
      CHECK(bits_of(test::value(uniform_bits<s256>(bits)(engine))) == bits);
      CHECK(bits_of(test::value(uniform_bits<s256>(bits, bit_count::at_most)(other))) <= bits);
    }
  }
}

TEST_CASE("a summary says count, extremes and quantiles") {
  std::vector<s256> x;
  for (int k = 0; k < 100; ++k) x.push_back(s256(k));
  x.push_back(s256(-1000));
  const device_vector<s256> v = x;
  const auto s = summarize(v.begin(), v.end());
  CHECK(s.count == 101);
  CHECK(s.minimum == s256(-1000));
  CHECK(s.maximum == s256(99));
  CHECK(s.bits(0.5) == 6);
  std::ostringstream text;
  text << s;
  CHECK(text.str() == "101 numbers, -1000 .. 99; bits: 0 least, 5 lower quartile, 6 median, 7 upper quartile, 10 most");
  std::ostringstream nothing;
  nothing << summarize(v.begin(), v.begin());
  CHECK(nothing.str() == "0 numbers");
  const host_vector<s256> h = v;
  CHECK(summarize(thrust::host, h.begin(), h.end()).histogram == s.histogram);
}
