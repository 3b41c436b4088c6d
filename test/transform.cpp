// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include "vectors.h"

#include <cstddef>
#include <vector>

#include <thrust/functional.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/transform.h>

namespace {

using test::pattern;

using unsigned_512 = thrust_rns::number<thrust_rns::moduli_for_bits<512>>;
using symmetric_even = thrust_rns::number<thrust_rns::moduli_set<13, 7, 16>, thrust_rns::symmetric_range>;

using values = std::vector<mpz_class>;

/// Thrust's own algorithm: a functor that the library does not know.
struct sum_of_both {
  template <class A, class B>
  THRUST_RNS_HD auto operator()(const A& a, const B& b) const {
    return thrust_rns::plus()(a, b);
  }
};

/// Three operands and a result whose elements are all evaluated, between guards that must stay.
template <class Number>
struct operands {
  values a, b, c, old;
  thrust_rns::device_vector<Number> x, y, z, out;

  template <class Engine>
  operands(pattern p, Engine& engine, std::size_t n)
      : a(test::make_pattern<Number>(p, engine, n)),
        b(test::make_pattern<Number>(pattern::edges, engine, n)),
        c(test::make_pattern<Number>(p, engine, n)),
        old(test::make_pattern<Number>(pattern::random, engine, n)),
        x(test::make<Number>(a)),
        y(test::make<Number>(b)),
        z(test::make<Number>(c)),
        out(test::make<Number>(old)) {}

  /// `call` writes f of the operands to the n elements from `at` on.
  template <class Call, class Function>
  void check(std::ptrdiff_t at, std::ptrdiff_t n, Call call, Function f) {
    thrust::max_element(out.begin(), out.end());
    const auto end = out.begin() + at + n;
    CHECK(call(out.begin() + at) == end);
    std::vector<Number> want = test::make<Number>(old);
    for (std::ptrdiff_t j = 0; j < n; ++j) want[static_cast<std::size_t>(at + j)] = test::make<Number>(f(j));
    CHECK(out.to_vector() == want);
    const std::vector<std::uint64_t> e = test::evaluations_of(out);
    for (std::size_t j = 0; j < e.size(); ++j) {
      const bool written = static_cast<std::ptrdiff_t>(j) >= at && static_cast<std::ptrdiff_t>(j) < at + n;
      if ((e[j] != 0) == written) CHECK(j == e.size()); // each would be too many checks
    }
    out = test::make<Number>(old);
  }
};

} // namespace

TEST_CASE_TEMPLATE("sums, differences, products and signs at every size and offset", Number, unsigned_512,
                   symmetric_even) {
  THRUST_RNS_TEST_ENGINE(engine, 3001);
  std::ptrdiff_t turn = 0;
  for (const std::size_t size : {0U, 1U, 2U, 3U, 4U, 5U, 33U, 257U, 1025U}) {
    CAPTURE(size);
    const auto n = static_cast<std::ptrdiff_t>(size);
    operands<Number> o(turn % 2 == 0 ? pattern::random : pattern::edges, engine, size + 8);
    const std::ptrdiff_t i = turn % 4, j = turn / 4 % 4, k = (turn + turn / 16) % 4; // offsets of x, y and out
    ++turn;
    CAPTURE(i);
    CAPTURE(j);
    CAPTURE(k);
    const auto first = o.x.begin() + i, last = first + n;
    const auto second = o.y.cbegin() + j;
    const auto a = [&](std::ptrdiff_t e) -> const mpz_class& { return o.a[static_cast<std::size_t>(i + e)]; };
    const auto b = [&](std::ptrdiff_t e) -> const mpz_class& { return o.b[static_cast<std::size_t>(j + e)]; };
    o.check(
        k, n, [&](auto out) { return thrust::transform(first, last, second, out, thrust_rns::plus()); },
        [&](auto e) { return mpz_class(a(e) + b(e)); });
    o.check(
        k, n, [&](auto out) { return thrust::transform(first, last, second, out, thrust::minus<Number>()); },
        [&](auto e) { return mpz_class(a(e) - b(e)); });
    o.check(
        k, n, [&](auto out) { return thrust::transform(first, last, second, out, thrust::multiplies<>()); },
        [&](auto e) { return mpz_class(a(e) * b(e)); });
    o.check(
        k, n, [&](auto out) { return thrust::transform(first, last, out, thrust_rns::negate()); },
        [&](auto e) { return mpz_class(-a(e)); });
  }
}

TEST_CASE_TEMPLATE("inverses, and zeros where there is none", Number, unsigned_512, symmetric_even) {
  THRUST_RNS_TEST_ENGINE(engine, 3006);
  constexpr std::ptrdiff_t n = 257;
  operands<Number> o(pattern::edges, engine, n + 3);
  o.check(
      3, n, [&](auto out) { return thrust::transform(o.x.begin(), o.x.begin() + n, out, thrust_rns::inverse()); },
      [&](auto e) {
        const mpz_class& z = o.a[static_cast<std::size_t>(e)];
        Number want{};
        for (int i = 0; i < Number::size; ++i) {
          mpz_class w;
          const mpz_class m = test::mpz(Number::base_type::moduli[i]);
          if (mpz_invert(w.get_mpz_t(), z.get_mpz_t(), m.get_mpz_t()) == 0) w = 0;
          want.set_residue(i, static_cast<std::uint32_t>(w.get_ui()));
        }
        CHECK(thrust_rns::inverse()(test::make<Number>(z)) == want);
        return test::value(want);
      });
}

TEST_CASE_TEMPLATE("one number for all, on either side, and multiply-add", Number, unsigned_512, symmetric_even) {
  THRUST_RNS_TEST_ENGINE(engine, 3002);
  for (const std::size_t size : {0U, 1U, 6U, 257U, 4100U}) {
    CAPTURE(size);
    const auto n = static_cast<std::ptrdiff_t>(size);
    operands<Number> o(pattern::random_length, engine, size + 3);
    const auto x = o.x.cbegin() + 1, y = o.y.cbegin() + 2, z = o.z.cbegin();
    const mpz_class s = test::random_value<Number>(engine);
    const auto constant = thrust::make_constant_iterator(test::make<Number>(s));
    const auto a = [&](std::ptrdiff_t e) -> const mpz_class& { return o.a[static_cast<std::size_t>(1 + e)]; };
    const auto b = [&](std::ptrdiff_t e) -> const mpz_class& { return o.b[static_cast<std::size_t>(2 + e)]; };
    const auto c = [&](std::ptrdiff_t e) -> const mpz_class& { return o.c[static_cast<std::size_t>(e)]; };
    o.check(
        1, n, [&](auto out) { return thrust::transform(x, x + n, constant, out, thrust_rns::multiplies()); },
        [&](auto e) { return mpz_class(a(e) * s); });
    o.check(
        3, n, [&](auto out) { return thrust::transform(constant, constant + n, x, out, thrust_rns::minus()); },
        [&](auto e) { return mpz_class(s - a(e)); });
    const auto xyz = thrust::make_zip_iterator(x, y, z);
    o.check(
        2, n, [&](auto out) { return thrust::transform(xyz, xyz + n, out, thrust_rns::multiply_add()); },
        [&](auto e) { return mpz_class(a(e) * b(e) + c(e)); });
    const auto xsz = thrust::make_zip_iterator(x, constant, z);
    o.check(
        0, n, [&](auto out) { return thrust::transform(xsz, xsz + n, out, thrust_rns::multiply_add()); },
        [&](auto e) { return mpz_class(a(e) * s + c(e)); });
  }
}

TEST_CASE("in place, onto either operand, and an operand with itself") {
  THRUST_RNS_TEST_ENGINE(engine, 3003);
  using Number = symmetric_even;
  for (const std::size_t size : {5U, 4100U}) {
    operands<Number> o(pattern::random, engine, size);
    const auto n = static_cast<std::ptrdiff_t>(size) - 3;
    const auto want = [&](auto f) {
      values w = o.a;
      for (std::ptrdiff_t j = 0; j < n; ++j) {
        auto& v = w[static_cast<std::size_t>(j + 1)];
        v = test::wrap<Number>(f(v, o.b[static_cast<std::size_t>(j + 3)]));
      }
      return w;
    };
    const auto run = [&](auto call, const values& w) {
      o.x = test::make<Number>(o.a);
      thrust::max_element(o.x.begin(), o.x.end());
      call(o.x.begin() + 1, o.y.begin() + 3);
      CHECK(test::values_of(o.x) == w);
      test::check_extrema(o.x, w);
    };
    run([&](auto x, auto y) { thrust::transform(x, x + n, y, x, thrust_rns::minus()); },
        want([](const mpz_class& a, const mpz_class& b) { return mpz_class(a - b); }));
    run([&](auto x, auto y) { thrust::transform(y, y + n, x, x, thrust_rns::minus()); },
        want([](const mpz_class& a, const mpz_class& b) { return mpz_class(b - a); }));
    run([&](auto x, auto) { thrust::transform(x, x + n, x, x, thrust_rns::multiplies()); },
        want([](const mpz_class& a, const mpz_class&) { return mpz_class(a * a); }));
    run([&](auto x, auto) { thrust::transform(x, x + n, x, thrust::negate<>()); },
        want([](const mpz_class& a, const mpz_class&) { return mpz_class(-a); }));
    run(
        [&](auto x, auto y) { // onto the neighbours of an operand: the ranges meet, but share no element
          thrust::transform(x, x + n, y, x, sum_of_both());
        },
        want([](const mpz_class& a, const mpz_class& b) { return mpz_class(a + b); }));
  }
}

TEST_CASE("the halves of a vector, whose border lies inside 16 bytes") {
  THRUST_RNS_TEST_ENGINE(engine, 3004);
  using Number = symmetric_even;
  const std::size_t middle = 4098 + 3;
  const values z = test::make_pattern<Number>(pattern::random, engine, 2 * middle);
  thrust_rns::device_vector<Number> v = test::make<Number>(z);
  thrust::transform(v.begin(), v.begin() + middle, v.begin() + middle, v.begin(), thrust_rns::plus());
  values want = z;
  for (std::size_t j = 0; j < middle; ++j) want[j] = test::wrap<Number>(z[j] + z[j + middle]);
  CHECK(test::values_of(v) == want);
}

TEST_CASE("vectors in host memory, and views without evaluations") {
  THRUST_RNS_TEST_ENGINE(engine, 3005);
  using Number = symmetric_even;
  const values a = test::make_pattern<Number>(pattern::random, engine, 777);
  thrust_rns::host_vector<Number> v = test::make<Number>(a), w(777);
  test::check_extrema(w, values(777));
  thrust::transform(v.begin(), v.end(), v.begin(), w.begin(), thrust_rns::plus());
  thrust::transform(thrust::host, w.begin(), w.end(), w.begin(), thrust_rns::negate());
  values want;
  for (const mpz_class& x : a) want.push_back(test::wrap<Number>(-2 * x));
  CHECK(test::values_of(w) == want);
  test::check_extrema(w, want);

  const thrust_rns::device_vector<Number> d = v;
  thrust_rns::device_vector<Number> r(777);
  const auto s = r.as_span();
  const thrust_rns::device_iterator<Number> bare({s.plane(0), s.stride(), s.size()}, 0);
  CHECK(thrust::transform(d.begin(), d.end(), d.begin(), bare, thrust_rns::minus()) == bare + 777);
  CHECK(test::values_of(r) == values(777));
}

TEST_CASE("the call reaches this library, whose multiply-add reduces once") {
  using Number = symmetric_even;
  Number x = 5, y = 11, z{};
  for (int i = 0; i < Number::size; ++i) z.set_residue(i, 5 * Number::base_type::moduli[i]); // no residue: is 0 mod m
  REQUIRE(thrust_rns::multiply_add()(x, y, z) != Number(55));
  const thrust_rns::device_vector<Number> a(9, x), b(9, y), c(9, z);
  thrust_rns::device_vector<Number> out(9);
  const auto abc = thrust::make_zip_iterator(a.begin(), b.begin(), c.begin());
  thrust::transform(abc, abc + 9, out.begin(), thrust_rns::multiply_add());
  CHECK(out.to_vector() == std::vector<Number>(9, 55));
  thrust::transform(thrust::device, abc, abc + 9, out.begin(), thrust_rns::multiply_add());
  CHECK(out.to_vector() == std::vector<Number>(9, 55));
}
