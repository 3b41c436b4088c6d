// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include <thrust_rns/interval.h>

#include <cstddef>
#include <type_traits>
#include <vector>

#include <thrust_rns/convert.h>
#include <thrust_rns/functional.h>

#include "support.h"

using namespace thrust_rns;

namespace {

// An even modulus that is no power of two: -M/2 is in the symmetric range, and no sum of digits is exact there.
using small_even = moduli_set<7, 30, 11>;
using large_even = moduli_set<2147483629, 2147483646, 2147483647>;
using below_power = moduli_set<65535, 65537, 641, 6700417>; // M = 2^64 - 1: 1/M is just above a power of two
using above_power = moduli_set<6700417, 641>;               // M = 2^32 + 1: 1/M is just below one

template <class Number>
using base_of = typename Number::base_type;

struct summary {
  std::uint64_t key;
  dyadic lower, upper;
  int sign;
};

template <class Number>
struct summarise {
  THRUST_RNS_HD summary operator()(const Number& x) const {
    const auto e = evaluate(x);
    return {e.key(), e.lower(), e.upper(), sign(x)};
  }
};

template <class Number>
struct order {
  THRUST_RNS_HD int operator()(const Number& x, const Number& y) const { return compare(x, y); }
};

mpq_class rational(const dyadic& d) {
  const mpz_class mantissa = static_cast<long>(d.mantissa);
  mpq_class q(d.exponent >= 0 ? mpz_class(mantissa * test::power_of_two(d.exponent)) : mantissa,
              d.exponent >= 0 ? mpz_class(1) : test::power_of_two(-d.exponent));
  q.canonicalize();
  return q;
}

/// f(v), v = x/M in (0, 1], as interval.h defines it.
template <class Base>
std::uint64_t leading_bits(const mpz_class& x) {
  using constants = detail::base_constants<Base>;
  const mpz_class& range = test::dynamic_range<Base>();
  int shift = 0; // the least with v 2^shift >= 1
  while (mpz_class(x << static_cast<unsigned long>(shift)) < range) ++shift;
  const mpz_class scaled = (x << static_cast<unsigned long>(shift + constants::mantissa_bits)) / range;
  return (static_cast<std::uint64_t>(constants::exponent_bias - shift) << constants::mantissa_bits) +
         (scaled.get_ui() - (std::uint64_t{1} << constants::mantissa_bits));
}

template <class Number>
void check_evaluation(const mpz_class& x, const summary& got) {
  using evaluation = interval_evaluation<Number>;
  const mpz_class& range = test::dynamic_range<base_of<Number>>();
  REQUIRE(got.sign == sgn(x));
  REQUIRE(evaluation(got.key).is_evaluated());
  const mpq_class lower = rational(got.lower), upper = rational(got.upper);
  if (x == 0) {
    REQUIRE(got.key == evaluation::key_of_zero);
    REQUIRE(lower == 0);
    REQUIRE(upper == 0);
    return;
  }
  // The key is the one of the contract, or one less.
  const std::uint64_t f = leading_bits<base_of<Number>>(abs(x));
  const std::uint64_t exact = x > 0 ? evaluation::key_of_zero + f : evaluation::key_of_zero - f;
  REQUIRE(exact - got.key <= 1);
  // Bounds, as rationals.
  mpq_class ratio(x, range);
  ratio.canonicalize();
  REQUIRE(lower <= ratio);
  REQUIRE(ratio <= upper);
  const mpq_class error = abs(ratio) * mpq_class(1, test::power_of_two(evaluation::mantissa_bits - 1));
  REQUIRE(ratio - lower <= error);
  REQUIRE(upper - ratio <= error);
  REQUIRE(upper - lower <= 2 * error);
  REQUIRE(upper <= (Number::is_symmetric ? mpq_class(1, 2) : mpq_class(1)));
  REQUIRE(lower >= (Number::is_symmetric ? mpq_class(-1, 2) : mpq_class(0)));
}

/// Evaluations of `values` on the host and in device code; their summaries.
template <class Number>
std::vector<summary> check_evaluations(const std::vector<mpz_class>& values) {
  const std::vector<Number> numbers = test::make<Number>(values);
  const auto device = test::on_device<summary>(numbers, summarise<Number>{});
  std::vector<summary> host;
  for (std::size_t k = 0; k < values.size(); ++k) {
    INFO("x = ", values[k].get_str());
    host.push_back(summarise<Number>{}(numbers[k]));
    check_evaluation<Number>(values[k], host[k]);
    REQUIRE(device[k].key == host[k].key);
    REQUIRE(rational(device[k].lower) == rational(host[k].lower));
    REQUIRE(rational(device[k].upper) == rational(host[k].upper));
    REQUIRE(device[k].sign == host[k].sign);
  }
  return host;
}

template <class Number>
void check_order(const std::vector<mpz_class>& xs, const std::vector<mpz_class>& ys) {
  const std::vector<Number> x = test::make<Number>(xs), y = test::make<Number>(ys);
  const auto device = test::on_device<int>(x, y, order<Number>{});
  for (std::size_t k = 0; k < xs.size(); ++k) {
    INFO("x = ", xs[k].get_str(), ", y = ", ys[k].get_str());
    const int want = xs[k] < ys[k] ? -1 : xs[k] > ys[k] ? 1 : 0;
    REQUIRE(compare(x[k], y[k]) == want);
    REQUIRE(compare(y[k], x[k]) == -want);
    REQUIRE(device[k] == want);
  }
}

/// Of all pairs: distant keys order the values, and the comparison is exact.
template <class Number>
void check_all_pairs(const std::vector<mpz_class>& values) {
  const std::vector<summary> summaries = check_evaluations<Number>(values);
  std::vector<mpz_class> xs, ys;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = 0; j < values.size(); ++j) {
      if (summaries[i].key + 1 < summaries[j].key) {
        INFO("x = ", values[i].get_str(), ", y = ", values[j].get_str());
        REQUIRE(values[i] < values[j]);
      }
      xs.push_back(values[i]);
      ys.push_back(values[j]);
    }
  }
  check_order<Number>(xs, ys);
}

} // namespace

TEST_CASE_TEMPLATE("every number of a small base is bounded and ordered", Number, number<small_even, symmetric_range>,
                   number<moduli_set<2, 3>>) {
  std::vector<mpz_class> values;
  for (mpz_class x = test::smallest<Number>(); x <= test::largest<Number>(); ++x) values.push_back(x);
  check_evaluations<Number>(values);
  if (values.size() > 90) { // both ends and the middle are enough for the pairs
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::vector<mpz_class> chosen(values.begin(), values.begin() + 30);
    chosen.insert(chosen.end(), middle - 15, middle + 15);
    chosen.insert(chosen.end(), values.end() - 30, values.end());
    values = chosen;
  }
  check_all_pairs<Number>(values);
}

TEST_CASE_TEMPLATE("edge values are bounded, and all pairs of them are ordered exactly", Number,
                   number<moduli_for_bits<64>>, number<moduli_for_bits<256>, symmetric_range>,
                   number<large_even, symmetric_range>, number<below_power>, number<above_power, symmetric_range>) {
  std::vector<mpz_class> values = test::edge_values<Number>();
  if (test::small()) values.resize(40);
  check_all_pairs<Number>(values);
}

TEST_CASE_TEMPLATE("random values are bounded and ordered", Number, number<moduli_for_bits<64>>,
                   number<moduli_for_bits<256>, symmetric_range>, number<isupov_moduli<512>, symmetric_range>,
                   number<moduli_for_bits<1024>>, number<below_power>) {
  THRUST_RNS_TEST_ENGINE(engine, 301);
  std::vector<mpz_class> xs, ys;
  for (int k = 0; k < test::amount(600, 40); ++k) {
    xs.push_back(test::random_length_value<Number>(engine));
    ys.push_back(k % 2 == 0 ? test::random_length_value<Number>(engine) : test::random_value<Number>(engine));
  }
  check_evaluations<Number>(xs);
  check_order<Number>(xs, ys);
}

TEST_CASE_TEMPLATE("values that the first pass leaves open are bounded and ordered", Number,
                   number<moduli_for_bits<256>, symmetric_range>, number<isupov_moduli<512>, symmetric_range>,
                   number<moduli_for_bits<1024>>) {
  // Near 0, M and, in the symmetric range, M/2: at every distance down to 1.
  THRUST_RNS_TEST_ENGINE(engine, 302);
  const mpz_class& range = test::dynamic_range<base_of<Number>>();
  const int bits = detail::base_constants<base_of<Number>>::range_bits;
  std::vector<mpz_class> values;
  for (int k = 0; k < bits - 2; k += test::amount(3, 40)) {
    const mpz_class distance = test::power_of_two(k) + test::random_below(engine, test::power_of_two(k));
    for (const mpz_class& centre : {mpz_class(0), mpz_class(range / 2)}) {
      values.push_back(test::wrap<Number>(centre + distance));
      values.push_back(test::wrap<Number>(centre - distance));
    }
  }
  check_evaluations<Number>(values);
  std::vector<mpz_class> reversed(values.rbegin(), values.rend());
  check_order<Number>(values, reversed);
}

TEST_CASE_TEMPLATE("numbers 1 to 2^192 apart are told apart", Number, number<moduli_for_bits<256>, symmetric_range>,
                   number<moduli_for_bits<1024>>) {
  THRUST_RNS_TEST_ENGINE(engine, 303);
  std::vector<mpz_class> starts = test::edge_values<Number>();
  for (int k = 0; k < 40; ++k) starts.push_back(test::random_value<Number>(engine));
  std::vector<mpz_class> xs, ys;
  for (std::size_t i = 0; i < starts.size(); i += test::amount<std::size_t>(1, 9)) {
    xs.push_back(starts[i]);
    ys.push_back(starts[i]);
    for (int k = 0; k <= 192; k += 1 + static_cast<int>(engine() % 16)) {
      const mpz_class y = starts[i] + test::power_of_two(k);
      if (y > test::largest<Number>()) break;
      xs.push_back(starts[i]);
      ys.push_back(y);
    }
  }
  check_order<Number>(xs, ys);
}

TEST_CASE_TEMPLATE("the ends of the range are its extremes", Number, number<large_even, symmetric_range>,
                   number<moduli_for_bits<256>, symmetric_range>, number<moduli_for_bits<1024>>) {
  const auto low = test::make<Number>(test::smallest<Number>()), high = test::make<Number>(test::largest<Number>());
  CHECK(high + 1 == low);
  CHECK(low < high);
  CHECK(low < low + 1);
  CHECK(high - 1 < high);
  CHECK(sign(high) == 1);
  CHECK(sign(low) == (Number::is_symmetric ? -1 : 0));
  CHECK(evaluate(low).key() < evaluate(high).key());
}

TEST_CASE("a base of 4096 bits is bounded and ordered") {
  using wide = number<moduli_for_bits<4096>, symmetric_range>;
  THRUST_RNS_TEST_ENGINE(engine, 304);
  std::vector<mpz_class> values;
  for (const mpz_class& z : test::edge_values<wide>()) values.push_back(z);
  for (int k = 0; k < 30; ++k) values.push_back(test::random_length_value<wide>(engine));
  for (std::size_t k = 0; k < values.size(); k += test::amount<std::size_t>(1, 8)) {
    INFO("x = ", values[k].get_str());
    const auto x = test::make<wide>(values[k]);
    check_evaluation<wide>(values[k], summarise<wide>{}(x));
    if (values[k] == test::largest<wide>()) continue;
    REQUIRE(x < x + 1);
    REQUIRE(compare(x + 1, x) == 1);
    REQUIRE(compare(x, x) == 0);
  }
}

TEST_CASE("an evaluation is made from its key and knows whether there is one") {
  using evaluation = interval_evaluation<number<small_even>>;
  CHECK_FALSE(evaluation(0).is_evaluated());
  CHECK(evaluation(evaluation::key_of_zero).is_evaluated());
  CHECK(evaluation(evaluation::key_of_zero + 12345).key() == evaluation::key_of_zero + 12345);
  CHECK(sizeof(evaluation) == 8);
  CHECK(std::is_trivially_copyable_v<evaluation>);
}
