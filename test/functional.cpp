// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include <thrust_rns/functional.h>

#include <algorithm>
#include <type_traits>

#include <thrust_rns/device_vector.h>

#include "support.h"

using namespace thrust_rns;

namespace {

using s256 = number<moduli_for_bits<256>, symmetric_range>;
using unordered = moduli_set<2147483647, 15, 1073741824, 49>;

template <class Number>
struct results {
  Number largest, smallest, sum, difference, product, negative;
  int less, greater, equal;
};

template <class Number>
struct apply_all {
  template <class A, class B>
  THRUST_RNS_HD results<Number> operator()(const A& a, const B& b) const {
    return {maximum{}(a, b), minimum{}(a, b), plus{}(a, b),    minus{}(a, b),   multiplies{}(a, b),
            negate{}(a),     less{}(a, b),    greater{}(a, b), equal_to{}(a, b)};
  }
};

template <class Number>
void check(const mpz_class& x, const mpz_class& y, const results<Number>& got) {
  INFO("x = ", x.get_str(), ", y = ", y.get_str());
  REQUIRE(test::value(got.largest) == std::max(x, y));
  REQUIRE(test::value(got.smallest) == std::min(x, y));
  REQUIRE(test::value(got.sum) == test::wrap<Number>(x + y));
  REQUIRE(test::value(got.difference) == test::wrap<Number>(x - y));
  REQUIRE(test::value(got.product) == test::wrap<Number>(x * y));
  REQUIRE(test::value(got.negative) == test::wrap<Number>(-x));
  REQUIRE(got.less == (x < y ? 1 : 0));
  REQUIRE(got.greater == (x > y ? 1 : 0));
  REQUIRE(got.equal == (x == y ? 1 : 0));
}

/// Neighbours of 0, M/2, M and of one random number, and equal ones: where keys cannot decide.
template <class Number, class Engine>
std::vector<mpz_class> hard_values(Engine& engine) {
  const mpz_class& range = test::dynamic_range<typename Number::base_type>();
  std::vector<mpz_class> values;
  for (const mpz_class& z :
       {mpz_class(0), mpz_class(range / 2), mpz_class(range / 4), test::random_value<Number>(engine)}) {
    for (int d = -2; d <= 2; ++d) values.push_back(test::wrap<Number>(z + d));
    for (int k : {20, 40, 60}) {
      values.push_back(test::wrap<Number>(z + test::power_of_two(k)));
      values.push_back(test::wrap<Number>(z - test::power_of_two(k)));
    }
    values.push_back(test::wrap<Number>(z));
  }
  return values;
}

static_assert(std::is_same_v<decltype(plus{}(s256(), s256())), s256>);
static_assert(std::is_same_v<decltype(maximum{}(std::declval<const s256&>(), s256())), s256>);
static_assert(std::is_same_v<decltype(less{}(s256(), s256())), bool>);
static_assert(std::is_empty_v<less> && std::is_empty_v<plus> && std::is_trivially_copyable_v<maximum>);

} // namespace

TEST_CASE_TEMPLATE("every functor agrees with the integers, on the host and in device code", Number,
                   number<moduli_for_bits<64>>, s256, number<unordered, symmetric_range>) {
  THRUST_RNS_TEST_ENGINE(engine, 401);
  const std::vector<mpz_class> hard = hard_values<Number>(engine);
  std::vector<mpz_class> xs, ys;
  for (const mpz_class& x : hard) {
    for (const mpz_class& y : hard) {
      xs.push_back(x);
      ys.push_back(y);
    }
  }
  for (int k = 0; k < test::amount(300, 30); ++k) {
    xs.push_back(test::random_value<Number>(engine));
    ys.push_back(test::random_length_value<Number>(engine));
  }
  const std::vector<Number> x = test::make<Number>(xs), y = test::make<Number>(ys);
  const auto device = test::on_device<results<Number>>(x, y, apply_all<Number>{});
  for (std::size_t k = 0; k < xs.size(); ++k) {
    check(xs[k], ys[k], apply_all<Number>{}(x[k], y[k]));
    check(xs[k], ys[k], device[k]);
  }
}

TEST_CASE("functors take references into vectors of numbers, mixed with numbers") {
  THRUST_RNS_TEST_ENGINE(engine, 402);
  const std::vector<mpz_class> values{test::random_value<s256>(engine), test::random_value<s256>(engine), -5, -5};
  const std::vector<s256> numbers = test::make<s256>(values);
  const device_vector<s256> ours(numbers.begin(), numbers.end());
  device_vector<s256> writable = ours;
  const thrust::device_vector<s256> thrusts(numbers.begin(), numbers.end());
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      check(values[i], values[j], apply_all<s256>{}(ours[i], ours[j]));
      check(values[i], values[j], apply_all<s256>{}(ours[i], numbers[j]));
      check(values[i], values[j], apply_all<s256>{}(numbers[i], writable[j]));
      check(values[i], values[j], apply_all<s256>{}(thrusts[i], writable[j]));
      check(values[i], values[j], apply_all<s256>{}(thrusts[i], thrusts[j]));
    }
  }
}

TEST_CASE_TEMPLATE("less and greater are strict weak orders", Number, number<moduli_for_bits<64>>, s256,
                   number<unordered, symmetric_range>) {
  THRUST_RNS_TEST_ENGINE(engine, 403);
  const std::vector<Number> numbers = test::make<Number>(hard_values<Number>(engine));
  const std::size_t n = numbers.size();
  std::vector<char> below(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      below[i * n + j] = less{}(numbers[i], numbers[j]) ? 1 : 0;
      CHECK(greater{}(numbers[j], numbers[i]) == less{}(numbers[i], numbers[j]));
    }
  }
  const auto is_below = [&](std::size_t i, std::size_t j) { return below[i * n + j] != 0; };
  const auto equivalent = [&](std::size_t i, std::size_t j) { return !is_below(i, j) && !is_below(j, i); };
  std::size_t faults = 0;
  for (std::size_t i = 0; i < n; ++i) {
    faults += is_below(i, i) ? 1 : 0;
    for (std::size_t j = 0; j < n; ++j) {
      faults += is_below(i, j) && is_below(j, i) ? 1 : 0;
      faults += equivalent(i, j) != (numbers[i] == numbers[j]) ? 1 : 0;
      for (std::size_t k = 0; k < n; ++k) {
        faults += is_below(i, j) && is_below(j, k) && !is_below(i, k) ? 1 : 0;
        faults += equivalent(i, j) && equivalent(j, k) && !equivalent(i, k) ? 1 : 0;
      }
    }
  }
  CHECK(faults == 0);
}

TEST_CASE("the functors order the standard algorithms") {
  std::vector<s256> numbers{3, -4, 10, 0, -7};
  std::sort(numbers.begin(), numbers.end(), less{});
  CHECK(numbers == std::vector<s256>{-7, -4, 0, 3, 10});
  std::sort(numbers.begin(), numbers.end(), greater{});
  CHECK(numbers == std::vector<s256>{10, 3, 0, -4, -7});
}

namespace {

/// Thrust applies functors to memory that holds no numbers yet: all of them, folded into one value.
template <class Number>
struct apply_to_bits {
  THRUST_RNS_HD std::uint32_t operator()(const Number& x, const Number& y) const {
    Number z = x + y;
    z += x - y;
    z -= x * y;
    z *= -x;
    z = maximum{}(z, minimum{}(x, y));
    z = multiply_add{}(plus{}(x, y), minus{}(x, y), multiplies{}(negate{}(x), z));
    const bool orders[] = {x<y, x <= y, x> y, x >= y, x == y, x != y, less{}(y, x), greater{}(y, x), equal_to{}(x, x)};
    std::uint32_t sum = z.residue(Number::size - 1);
    for (const bool b : orders) sum = 2 * sum + (b ? 1 : 0);
    const int c = compare(x, y);
    return c >= -1 && c <= 1 ? sum | 1 : 0;
  }
};

} // namespace

TEST_CASE_TEMPLATE("operators and functors end on any bits, with no trap, and alike on the host and in device code",
                   Number, number<moduli_for_bits<64>>, s256, number<unordered, symmetric_range>) {
  THRUST_RNS_TEST_ENGINE(engine, 405);
  std::vector<Number> x(test::amount<std::size_t>(2000, 100)), y(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) {
    for (int i = 0; i < Number::size; ++i) {
      x[k].set_residue(i, k % 4 == 0 ? ~0U : static_cast<std::uint32_t>(engine()));
      y[k].set_residue(i, k % 3 == 0 ? x[k].residue(i) : static_cast<std::uint32_t>(engine()) | 0x80000000U);
    }
  }
  const std::vector<std::uint32_t> device = test::on_device<std::uint32_t>(x, y, apply_to_bits<Number>{});
  for (std::size_t k = 0; k < x.size(); ++k) {
    CHECK(device[k] != 0);
    CHECK(device[k] == apply_to_bits<Number>{}(x[k], y[k]));
  }
}
