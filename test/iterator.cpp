// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include "vectors.h"

#include <algorithm>
#include <cstddef>
#include <iomanip>
#include <iterator>
#include <sstream>
#include <type_traits>
#include <utility>
#include <vector>

#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/iterator/iterator_traits.h>
#include <thrust/swap.h>

#include <thrust_rns/iterator.h>

namespace {

using number = thrust_rns::number<thrust_rns::moduli_for_bits<64>, thrust_rns::symmetric_range>;
using device_vector = thrust_rns::device_vector<number>;
using iterator = device_vector::iterator;
using const_iterator = device_vector::const_iterator;
using reference = device_vector::reference;
using const_reference = device_vector::const_reference;

static_assert(std::is_trivially_copyable_v<iterator> && std::is_default_constructible_v<iterator>);
static_assert(std::is_convertible_v<iterator, const_iterator> && !std::is_convertible_v<const_iterator, iterator>);
static_assert(std::is_same_v<std::iterator_traits<iterator>::value_type, number>);
static_assert(std::is_same_v<std::iterator_traits<const_iterator>::value_type, number>);
static_assert(std::is_same_v<std::iterator_traits<iterator>::reference, reference>);
static_assert(std::is_same_v<thrust::iterator_system<iterator>::type, thrust::device_system_tag>);
static_assert(std::is_convertible_v<thrust::iterator_traversal<iterator>::type, thrust::random_access_traversal_tag>);
static_assert(std::is_convertible_v<reference, number> && std::is_convertible_v<const_reference, number>);
static_assert(std::is_assignable_v<reference, number> && std::is_assignable_v<const reference&, number>);

template <class T, class = void>
inline constexpr bool has_signs = false;
template <class T>
inline constexpr bool
    has_signs<T, std::void_t<decltype(+std::declval<const T&>()), decltype(-std::declval<const T&>())>> = true;

} // namespace

TEST_CASE("iterators step, jump, compare and subtract like pointers") {
  device_vector v{10, 11, 12, 13, 14};
  iterator it = v.begin();
  CHECK(*it == number(10));
  CHECK(*++it == number(11));
  CHECK(*it++ == number(11));
  CHECK(*it == number(12));
  CHECK(*--it == number(11));
  CHECK(*it-- == number(11));
  CHECK(it == v.begin());
  it += 4;
  CHECK(*it == number(14));
  it -= 2;
  CHECK(*it == number(12));
  CHECK(*(it + 1) == number(13));
  CHECK(*(1 + it) == number(13));
  CHECK(*(it - 2) == number(10));
  CHECK(it[-1] == number(11));
  CHECK(it[2] == number(14));
  CHECK(v.end() - it == 3);
  CHECK(v.begin() - it == -2);
  CHECK(v.begin() + 5 == v.end());
  CHECK(v.begin() < it);
  CHECK(it < v.end());
  CHECK(it <= it);
  CHECK(it >= it);
  CHECK(v.end() > it);
  CHECK(it != v.end());
  CHECK_FALSE(it == v.end());
  CHECK(std::distance(v.begin(), v.end()) == 5);
  CHECK(it.index() == 2);
  CHECK(it.underlying_span().size() == 5);
}

TEST_CASE("an iterator and its const form compare and subtract with each other") {
  device_vector v{1, 2, 3};
  const const_iterator c = v.begin() + 1;
  CHECK(c == v.begin() + 1);
  CHECK(v.begin() + 1 == c);
  CHECK(v.begin() != c);
  CHECK(v.begin() < c);
  CHECK(c < v.end());
  CHECK(v.end() - c == 2);
  CHECK(c - v.begin() == 1);
  CHECK(*c == number(2));
  CHECK(std::as_const(v).begin() == v.cbegin());
}

TEST_CASE("reverse iterators run backwards") {
  device_vector v{1, 2, 3};
  CHECK(*v.rbegin() == number(3));
  CHECK(*(v.rend() - 1) == number(1));
  CHECK(v.rend() - v.rbegin() == 3);
  *v.rbegin() = 7;
  CHECK(v[2] == number(7));
  const device_vector& c = v;
  CHECK(*c.rbegin() == number(7));
  CHECK(*(c.crend() - 2) == number(2));
  CHECK(c.rbegin() == c.crbegin());
}

TEST_CASE("a reference converts, compares and computes like the number") {
  device_vector v{-5, 3, 3};
  const device_vector& c = v;
  const number x = v[0];
  CHECK(x == number(-5));
  CHECK(v[1] == v[2]);
  CHECK(v[0] != v[1]);
  CHECK(v[0] < v[1]);
  CHECK(v[1] > v[0]);
  CHECK(v[1] <= v[2]);
  CHECK(v[1] >= c[2]);
  CHECK(c[0] < v[1]);
  CHECK(v[0] == x);
  CHECK(x == v[0]);
  CHECK(x < v[1]);
  CHECK(v[1] > x);
  CHECK(v[0] == -5);
  CHECK(3 == v[1]);
  CHECK(v[0] < 0);
  CHECK(0 > c[0]);
  CHECK(v[0] + v[1] == number(-2));
  CHECK(v[0] * 2 == number(-10));
  CHECK(2 - v[0] == number(7));
  CHECK(x * v[1] == number(-15));
  CHECK(thrust_rns::less()(v[0], x) == false);
  CHECK(thrust_rns::maximum()(v[0], c[1]) == number(3));
  CHECK(thrust_rns::negate()(v[0]) == number(5));
  CHECK_MESSAGE(has_signs<reference>, "+v[i] and -v[i] are what a number can do");
  CHECK_MESSAGE((std::is_convertible_v<reference, const_reference>), "a reference converts to its const form");
}

TEST_CASE("assignment through a reference writes the element, through a const reference object too") {
  device_vector v{1, 2, 3};
  v[0] = number(9);
  v[1] = v[0];
  CHECK(v[1] == number(9));
  v[2] = -4;
  CHECK(v[2] == number(-4));
  const reference r = v[0];
  r = 6;
  CHECK(v[0] == number(6));
  r = v[2];
  CHECK(v[0] == number(-4));
  reference s = v[1];
  s = r; // the value, not the element meant
  CHECK(v[1] == number(-4));
  s = 2;
  CHECK(v[0] == number(-4));
  CHECK(v[1] == number(2));
  const device_vector other{77};
  v[1] = other[0];
  CHECK(v[1] == number(77));
  const thrust_rns::host_vector<number> h{78};
  v[1] = h[0];
  CHECK(v[1] == number(78));
}

TEST_CASE("compound assignment takes numbers, integers and references") {
  device_vector v{10, 3};
  v[0] += 5;
  CHECK(v[0] == number(15));
  v[0] -= v[1];
  CHECK(v[0] == number(12));
  v[0] *= number(-2);
  CHECK(v[0] == number(-24));
  (v[0] += 1) += 1;
  CHECK(v[0] == number(-22));
}

TEST_CASE("references swap values, as temporaries, as variables and as const") {
  device_vector v{1, 2, 3, 4};
  swap(v[0], v[3]);
  CHECK(v == device_vector{4, 2, 3, 1});
  using std::swap;
  swap(*v.begin(), *(v.begin() + 1));
  CHECK(v == device_vector{2, 4, 3, 1});
  reference a = v[2], b = v[3];
  swap(a, b);
  CHECK(v == device_vector{2, 4, 1, 3});
  const reference c = v[0], d = v[1];
  swap(c, d);
  CHECK(v == device_vector{4, 2, 1, 3});
  swap(a, a);
  CHECK(v == device_vector{4, 2, 1, 3});
  std::iter_swap(v.begin(), v.begin() + 3);
  CHECK(v == device_vector{3, 2, 1, 4});
}

TEST_CASE("ranges of planes and of whole numbers swap their values") {
  thrust_rns::device_vector<number> v{1, 2, 3};
  thrust::device_vector<number> w{number(10), number(20), number(30)};
  CHECK(thrust::max_element(v.begin(), v.end()) - v.begin() == 2);
  thrust::swap_ranges(v.begin(), v.begin() + 2, w.begin() + 1);
  CHECK(v.to_vector() == std::vector<number>{20, 30, 3});
  CHECK(test::copy_of(w) == std::vector<number>{10, 1, 2});
  CHECK(thrust::max_element(v.begin(), v.end()) - v.begin() == 1); // no evaluation is stale
  thrust::swap_ranges(w.begin(), w.end(), v.begin());
  CHECK(v.to_vector() == std::vector<number>{10, 1, 2});
  CHECK(thrust::max_element(v.begin(), v.end()) - v.begin() == 0);
}

TEST_CASE("a reference streams as the number, in the stream's base and width") {
  device_vector v{-42, 7};
  const device_vector& c = v;
  std::ostringstream os;
  os << v[0] << ' ' << c[1] << ' ' << std::hex << v[0] << ' ' << std::dec << std::setw(5) << std::setfill('.') << v[1];
  CHECK(os.str() == "-42 7 -0x2a ....7");
}

TEST_CASE("standard containers and algorithms read through the iterators") {
  const device_vector v{4, 1, 3};
  const std::vector<number> x(v.begin(), v.end());
  CHECK(x == std::vector<number>{4, 1, 3});
  CHECK(std::count(v.begin(), v.end(), number(1)) == 1);
  number sum(0);
  for (const number y : v) sum += y;
  CHECK(sum == number(8));
}

TEST_CASE("standard algorithms sort and reverse host vectors through the iterators") {
  THRUST_RNS_TEST_ENGINE(engine, 451);
  std::vector<mpz_class> z = test::make_pattern<number>(test::pattern::random, engine, 200);
  thrust_rns::host_vector<number> h = test::make<number>(z);
  std::reverse(h.begin(), h.end());
  std::reverse(z.begin(), z.end());
  CHECK(test::values_of(h) == z);
  std::sort(h.begin(), h.end());
  std::sort(z.begin(), z.end());
  CHECK(test::values_of(h) == z);
  CHECK(std::binary_search(h.begin(), h.end(), test::make<number>(z[100])));
  test::check_extrema(h, z);
}
