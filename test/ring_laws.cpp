// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// The ring functors and operators: laws of a ring, addends, elementwise functions, one operand for all.

#include "rings.h"

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

using namespace thrust_rns;

namespace {

using ring = prime_ring<61, 4591>;
using ring_3 = prime_ring<61, 3>;
using full = full_element<ring>;
using byte = small_element<ring>;
using ternary = ternary_element<ring>;
using full_1024 = full_element<prime_ring<61, 1024>>;
using vector = ring_vector<full>;
using test::integers;

constexpr int degree = 61;

template <class E>
std::vector<integers> many(std::mt19937_64& engine) {
  std::vector<integers> all = test::operands(engine, test::kind_of<E>());
  while (all.size() < 40) all.push_back(test::random_integers(engine, test::kind_of<E>()));
  std::shuffle(all.begin(), all.end(), engine);
  return all;
}
template <class E>
ring_vector<E> on_device(const std::vector<integers>& values) {
  thrust::host_vector<E> host;
  for (const integers& v : values) host.push_back(test::element<E>(v));
  return host;
}
template <class E>
std::vector<integers> values_of(const ring_vector<E>& elements) {
  std::vector<integers> values;
  for (const E& e : thrust::host_vector<E>(elements)) values.push_back(test::integers_of(e));
  return values;
}
/// Whether the elements have these coefficients, in their modulus.
template <class E>
bool is(const ring_vector<E>& elements, const std::vector<integers>& values) {
  const thrust::host_vector<E> host = elements;
  bool same = host.size() == values.size();
  for (std::size_t i = 0; same && i < values.size(); ++i) same = host[i] == test::element<E>(values[i]);
  return same;
}
/// f(a_i, b_i), one by one.
template <class Function>
std::vector<integers> pairwise(const std::vector<integers>& a, const std::vector<integers>& b, Function f) {
  std::vector<integers> c;
  for (std::size_t i = 0; i < a.size(); ++i) c.push_back(f(a[i], b[i]));
  return c;
}
std::vector<integers> products_of(const std::vector<integers>& a, const std::vector<integers>& b, int m = 4591) {
  return pairwise(a, b, [&](const integers& x, const integers& y) { return test::product(x, y, m); });
}
std::vector<integers> sums_of(const std::vector<integers>& a, const std::vector<integers>& b, int m = 4591) {
  return pairwise(a, b, [&](const integers& x, const integers& y) { return test::sum(x, y, m); });
}

vector multiply(const vector& a, const vector& b) {
  vector c(a.size());
  CHECK(thrust::transform(a.begin(), a.end(), b.begin(), c.begin(), ring_multiplies<ring>{}) == c.end());
  return c;
}
vector add(const vector& a, const vector& b) {
  vector c(a.size());
  CHECK(thrust::transform(a.begin(), a.end(), b.begin(), c.begin(), ring_plus<ring>{}) == c.end());
  return c;
}
vector subtract(const vector& a, const vector& b) {
  vector c(a.size());
  CHECK(thrust::transform(a.begin(), a.end(), b.begin(), c.begin(), ring_minus<ring>{}) == c.end());
  return c;
}
vector negative(const vector& a) {
  vector c(a.size());
  CHECK(thrust::transform(a.begin(), a.end(), c.begin(), ring_negate<ring>{}) == c.end());
  return c;
}
vector constant(int power, int factor, std::size_t count) {
  return on_device<full>(std::vector<integers>(count, test::monomial(degree, power, factor)));
}

/// f(a) and f(a, b), elementwise, at offsets 1, 2 and 3, among rows that stay as they are; and in place.
template <class Output, class A, class B, class Function, class Scalar>
void check_elementwise(std::mt19937_64& engine, int m, Function f, Scalar scalar) {
  const std::vector<integers> as = many<A>(engine), bs = many<B>(engine);
  const auto want = pairwise(as, bs, [&](const integers& x, const integers& y) { return test::each(x, y, m, scalar); });
  const auto count = static_cast<std::ptrdiff_t>(want.size());
  const test::element_kind kind = test::kind_of<Output>();
  test::device_bytes a(test::with_neighbours(as, test::kind_of<A>(), 1)),
      b(test::with_neighbours(bs, test::kind_of<B>(), 2));
  const test::bytes expected = test::with_neighbours(want, kind, 3);
  test::device_bytes c(expected.size(), test::untouched);
  const auto first = test::row_of<A>(a, 1);
  const auto result = test::row_of<Output>(c, 3);
  if constexpr (std::is_invocable_v<Scalar, int>) {
    CHECK(thrust::transform(first, first + count, result, f) == result + count);
  } else {
    CHECK(thrust::transform(first, first + count, test::row_of<B>(b, 2), result, f) == result + count);
  }
  CHECK(test::first_difference(test::on_host(c), expected, kind) == -1);
}

} // namespace

TEST_CASE("products commute, associate and distribute over sums") {
  THRUST_RNS_TEST_ENGINE(engine, 1401);
  const vector a = on_device<full>(many<full>(engine)), b = on_device<full>(many<full>(engine)),
               c = on_device<full>(many<full>(engine));
  const std::vector<integers> ab = products_of(values_of(a), values_of(b));
  CHECK(values_of(multiply(a, b)) == ab);
  CHECK(values_of(multiply(b, a)) == ab);
  CHECK(values_of(multiply(multiply(a, b), c)) == values_of(multiply(a, multiply(b, c))));
  CHECK(values_of(multiply(a, add(b, c))) == values_of(add(multiply(a, b), multiply(a, c))));
  CHECK(values_of(multiply(a, subtract(b, c))) == values_of(subtract(multiply(a, b), multiply(a, c))));
  CHECK(values_of(multiply(negative(a), b)) == values_of(negative(multiply(a, b))));
}

TEST_CASE("0, 1 and x^n = x + 1") {
  THRUST_RNS_TEST_ENGINE(engine, 1402);
  const vector a = on_device<full>(many<full>(engine));
  const std::size_t count = a.size();
  const vector zero(count), one = constant(0, 1, count), x = constant(1, 1, count);
  CHECK(values_of(multiply(a, one)) == values_of(a));
  CHECK(values_of(multiply(one, a)) == values_of(a));
  CHECK(values_of(multiply(a, zero)) == values_of(zero));
  CHECK(values_of(add(a, negative(a))) == values_of(zero));
  CHECK(values_of(add(a, zero)) == values_of(a));
  CHECK(values_of(multiply(a, constant(0, -1, count))) == values_of(negative(a)));
  CHECK(values_of(multiply(constant(degree - 1, 1, count), x)) == values_of(add(x, one)));
  vector power = one;
  for (int k = 0; k < degree; ++k) power = multiply(power, x);
  CHECK(values_of(power) == values_of(add(x, one)));
}

TEST_CASE("sums, differences, negatives and conversions, of any mix of elements") {
  THRUST_RNS_TEST_ENGINE(engine, 1403);
  const auto plus = [](int x, int y) { return x + y; };
  const auto minus = [](int x, int y) { return x - y; };
  const auto minus_it = [](int x, int = 0) { return -x; };
  const auto itself = [](int x, int = 0) { return x; };
  check_elementwise<full, full, full>(engine, 4591, ring_plus<ring>{}, plus);
  check_elementwise<full, full, byte>(engine, 4591, ring_minus<ring>{}, minus);
  check_elementwise<ternary, ternary, byte>(engine, 3, ring_plus<ring_3>{}, plus);
  check_elementwise<full, full, full>(engine, 4591, ring_negate<ring>{}, minus_it);
  check_elementwise<full, byte, byte>(engine, 4591, ring_convert<ring>{}, itself);
  check_elementwise<ternary, full, full>(engine, 4591, ring_convert<ring, ternary>{}, itself);
  check_elementwise<full_1024, full, full>(engine, 4591, ring_convert<ring, full_1024>{}, itself);
}

TEST_CASE("elementwise functions in place") {
  THRUST_RNS_TEST_ENGINE(engine, 1404);
  const std::vector<integers> as = many<full>(engine), bs = many<byte>(engine);
  vector a = on_device<full>(as);
  const ring_vector<byte> b = on_device<byte>(bs);
  CHECK(thrust::transform(a.begin(), a.end(), b.begin(), a.begin(), ring_plus<ring>{}) == a.end());
  CHECK(values_of(a) == sums_of(as, bs));
  CHECK(thrust::transform(a.begin(), a.end(), b.begin(), a.begin(), ring_minus<ring>{}) == a.end());
  CHECK(values_of(a) == as);
  CHECK(thrust::transform(a.begin(), a.begin(), b.begin(), a.begin(), ring_plus<ring>{}) == a.begin());
  CHECK(values_of(a) == as);
}

TEST_CASE("products plus full and small addends, accumulated in place too") {
  THRUST_RNS_TEST_ENGINE(engine, 1405);
  const std::vector<integers> as = many<full>(engine), bs = many<ternary>(engine), es = many<full>(engine),
                              ss = many<byte>(engine);
  const vector a = on_device<full>(as), e = on_device<full>(es);
  const ring_vector<ternary> b = on_device<ternary>(bs);
  const ring_vector<byte> s = on_device<byte>(ss);
  const std::vector<integers> ab = products_of(as, bs);
  const auto first = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin()));
  const auto last = first + static_cast<std::ptrdiff_t>(as.size());

  vector c(as.size());
  CHECK(thrust::transform(first, last, e.begin(), c.begin(), ring_multiplies_plus<ring>{}) == c.end());
  CHECK(values_of(c) == sums_of(ab, es));
  CHECK(thrust::transform(first, last, c.begin(), c.begin(), ring_multiplies_plus<ring>{}) == c.end());
  CHECK(values_of(c) == sums_of(ab, sums_of(ab, es)));
  CHECK(thrust::transform(first, last, s.begin(), c.begin(), ring_multiplies_plus<ring>{}) == c.end());
  CHECK(values_of(c) == sums_of(ab, ss));
  CHECK(thrust::transform(first, last, thrust::constant_iterator<full>(e[3]), c.begin(),
                          ring_multiplies_plus<ring>{}) == c.end());
  CHECK(values_of(c) == sums_of(ab, std::vector<integers>(ab.size(), es[3])));

  ring_vector<ternary> t(as.size());
  CHECK(thrust::transform(first, last, e.begin(), t.begin(), ring_multiplies_plus<ring, ternary>{}) == t.end());
  CHECK(is(t, sums_of(ab, es)));
}

TEST_CASE("products plus addends modulo 3") {
  THRUST_RNS_TEST_ENGINE(engine, 1406);
  const std::vector<integers> as = many<ternary>(engine), bs = many<ternary>(engine), ss = many<byte>(engine);
  const ring_vector<ternary> a = on_device<ternary>(as), b = on_device<ternary>(bs);
  const ring_vector<byte> s = on_device<byte>(ss);
  const auto first = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin()));
  ring_vector<ternary> c(as.size());
  thrust::transform(first, first + static_cast<std::ptrdiff_t>(as.size()), s.begin(), c.begin(),
                    ring_multiplies_plus<ring_3>{});
  CHECK(values_of(c) == sums_of(products_of(as, bs, 3), ss, 3));
}

TEST_CASE("one operand for all: a constant iterator on either side, or ring_multiplies_by") {
  THRUST_RNS_TEST_ENGINE(engine, 1407);
  const std::vector<integers> as = many<full>(engine), bs = many<ternary>(engine);
  const vector a = on_device<full>(as);
  const ring_vector<ternary> b = on_device<ternary>(bs);
  for (std::size_t k = 0; k < as.size(); k += 7) {
    CAPTURE(k);
    const full h = a[k];
    const ternary s = b[k];
    const auto a_s = products_of(as, std::vector<integers>(as.size(), bs[k]));
    const auto a_h = products_of(as, std::vector<integers>(as.size(), as[k]));
    const auto h_b = products_of(std::vector<integers>(as.size(), as[k]), bs);
    vector c(as.size());
    const auto check = [&](vector::iterator end, const std::vector<integers>& want) {
      CHECK(end == c.end());
      CHECK(values_of(c) == want);
      c = vector(as.size());
    };
    const thrust::constant_iterator<full> all_h(h);
    const auto count = static_cast<std::ptrdiff_t>(as.size());
    check(thrust::transform(a.begin(), a.end(), thrust::constant_iterator<ternary>(s), c.begin(),
                            ring_multiplies<ring>{}),
          a_s);
    check(thrust::transform(a.begin(), a.end(), c.begin(), ring_multiplies_by<ring, ternary>{s}), a_s);
    check(thrust::transform(a.begin(), a.end(), c.begin(), ring_multiplies_by<ring, full>{h}), a_h);
    check(thrust::transform(all_h, all_h + count, b.begin(), c.begin(), ring_multiplies<ring>{}), h_b);
    c = a;
    check(thrust::transform(c.begin(), c.end(), c.begin(), ring_multiplies_by<ring, full>{h}), a_h);
    ring_vector<full_1024> other(as.size());
    thrust::transform(all_h, all_h + count, b.begin(), other.begin(), ring_multiplies<ring, full_1024>{});
    CHECK(is(other, h_b));
  }
}

TEST_CASE("operators of elements are the functors") {
  THRUST_RNS_TEST_ENGINE(engine, 1408);
  const std::vector<integers> as = many<full>(engine), bs = many<byte>(engine), cs = many<full>(engine);
  for (std::size_t i = 0; i < as.size(); ++i) {
    const auto a = test::element<full>(as[i]), c = test::element<full>(cs[i]);
    const auto b = test::element<byte>(bs[i]);
    CHECK(test::integers_of(a * c) == test::product(as[i], cs[i], 4591));
    CHECK(test::integers_of(a * b) == test::product(as[i], bs[i], 4591));
    CHECK(b * a == a * b);
    CHECK(test::integers_of(a + c) == test::sum(as[i], cs[i], 4591));
    CHECK(b + a == a + b);
    CHECK(a + b - a == full{} + b);
    CHECK(b - a == -(a - b));
    CHECK(-a + a == full{});
    static_assert(std::is_same_v<decltype(b * a), full> && std::is_same_v<decltype(b + a), full>);
  }
}
