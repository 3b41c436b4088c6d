// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// The members of device_vector and host_vector, against those of std::vector.

#include "vectors.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <new>
#include <sstream>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include <thrust/device_allocator.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace test {

/// 0, 1, 2, ..., but `bad` throws.
template <class Number>
struct throwing_iterator {
  using iterator_category = std::forward_iterator_tag;
  using value_type = Number;
  using difference_type = std::ptrdiff_t;
  using pointer = const Number*;
  using reference = Number;

  int position = 0, bad = 0;

  Number operator*() const {
    if (position == bad) throw std::runtime_error("bad element");
    return Number(position);
  }
  throwing_iterator& operator++() {
    ++position;
    return *this;
  }
  throwing_iterator operator++(int) {
    throwing_iterator old = *this;
    ++position;
    return old;
  }
  bool operator==(const throwing_iterator& other) const { return position == other.position; }
  bool operator!=(const throwing_iterator& other) const { return position != other.position; }
};

} // namespace test

namespace {

using number = thrust_rns::number<thrust_rns::moduli_for_bits<64>, thrust_rns::symmetric_range>;
using device_vector = thrust_rns::device_vector<number>;
using host_vector = thrust_rns::host_vector<number>;
using numbers = std::vector<number>;

static_assert(std::is_nothrow_move_constructible_v<device_vector>);
static_assert(std::is_same_v<device_vector::value_type, number>);
static_assert(std::is_same_v<host_vector::allocator_type, std::allocator<number>>);
static_assert(!std::is_convertible_v<int, device_vector>, "the constructor from a size is explicit");

template <class Engine>
numbers random_numbers(Engine& engine, std::size_t n) {
  return test::make<number>(test::make_pattern<number>(test::pattern::random, engine, n));
}

/// Whether v holds exactly x, by every way of reading.
template <class Vector>
void check_equal(const Vector& v, const numbers& x) {
  REQUIRE(v.size() == x.size());
  CHECK(v.empty() == x.empty());
  CHECK(v.capacity() >= v.size());
  CHECK(v.to_vector() == x);
  CHECK(v == Vector(x));
  CHECK_FALSE(v != Vector(x));
  CHECK(v.end() - v.begin() == static_cast<std::ptrdiff_t>(x.size()));
  if (x.empty()) return;
  CHECK(v.front() == x.front());
  CHECK(v.back() == x.back());
  CHECK(v[x.size() / 2] == x[x.size() / 2]);
  CHECK(v.at(x.size() / 3) == x[x.size() / 3]);
  CHECK(*(v.cend() - 1) == x.back());
}

/// What an allocator has done.
struct ledger {
  int calls = 0;
  std::ptrdiff_t words = 0; // in use
  bool refuse = false;
};

/// An allocator over Upstream that keeps a ledger and can refuse. Allocators with the same ledger are equal.
template <class T, template <class> class Upstream>
class ledger_allocator {
  using upstream = std::allocator_traits<Upstream<T>>;
  template <class, template <class> class>
  friend class ledger_allocator;

 public:
  using value_type = T;
  using pointer = typename upstream::pointer;
  using const_pointer = typename upstream::const_pointer;
  template <class U>
  struct rebind {
    using other = ledger_allocator<U, Upstream>;
  };

  explicit ledger_allocator(ledger& book) : book_(&book) {}
  template <class U>
  ledger_allocator(const ledger_allocator<U, Upstream>& other) : book_(other.book_) {}

  pointer allocate(std::size_t n) {
    if (book_->refuse) throw std::bad_alloc();
    Upstream<T> memory;
    const pointer p = upstream::allocate(memory, n);
    ++book_->calls;
    book_->words += static_cast<std::ptrdiff_t>(n);
    return p;
  }
  void deallocate(pointer p, std::size_t n) {
    book_->words -= static_cast<std::ptrdiff_t>(n);
    Upstream<T> memory;
    upstream::deallocate(memory, p, n);
  }
  template <class U>
  bool operator==(const ledger_allocator<U, Upstream>& other) const {
    return book_ == other.book_;
  }
  template <class U>
  bool operator!=(const ledger_allocator<U, Upstream>& other) const {
    return book_ != other.book_;
  }

 private:
  ledger* book_;
};

using device_ledger = ledger_allocator<number, thrust::device_allocator>;
using host_ledger = ledger_allocator<number, std::allocator>;

struct square {
  THRUST_RNS_HD number operator()(int k) const { return number(k) * number(k); }
};

} // namespace

TEST_CASE_TEMPLATE("construction: nothing, zeros, copies of a number, lists and ranges", Vector, device_vector,
                   host_vector) {
  THRUST_RNS_TEST_ENGINE(engine, 601);
  check_equal(Vector(), {});
  CHECK(Vector().capacity() == 0);
  check_equal(Vector(0), {});
  check_equal(Vector(3), numbers(3, number(0)));
  check_equal(Vector(33, number(-7)), numbers(33, number(-7)));
  check_equal(Vector(2, 5), numbers(2, number(5))); // two integers are a size and a number
  check_equal(Vector{2, 5}, {number(2), number(5)});
  check_equal(Vector({}), {});
  for (const std::size_t n : {0U, 1U, 31U, 32U, 33U, 1000U}) {
    CAPTURE(n);
    const numbers x = random_numbers(engine, n);
    check_equal(Vector(x), x);
    check_equal(Vector(x.begin(), x.end()), x);
    check_equal(Vector(x.data(), x.data() + n), x);
    const device_vector d = x;
    const host_vector h = x;
    check_equal(Vector(d), x);
    check_equal(Vector(h), x);
    check_equal(Vector(d.begin(), d.end()), x);
    check_equal(Vector(h.cbegin(), h.cend()), x);
    const thrust::host_vector<number> whole = x; // arrays of structures
    const thrust::device_vector<number> whole_on_device = x;
    check_equal(Vector(whole.begin(), whole.end()), x);
    check_equal(Vector(whole_on_device.begin(), whole_on_device.end()), x);
  }
}

TEST_CASE_TEMPLATE("construction from iterators that can be read only once, or that compute", Vector, device_vector,
                   host_vector) {
  std::istringstream text("5 -6\n7 0x10");
  check_equal(Vector(std::istream_iterator<number>(text), std::istream_iterator<number>()),
              {number(5), number(-6), number(7), number(16)});
  const std::vector<int> integers{3, -1};
  check_equal(Vector(integers.begin(), integers.end()), {number(3), number(-1)});
  const auto squares = thrust::make_transform_iterator(thrust::counting_iterator<int>(0), square());
  check_equal(Vector(squares, squares + 4), {number(0), number(1), number(4), number(9)});
}

TEST_CASE_TEMPLATE("copies are independent, moves leave an empty vector", Vector, device_vector, host_vector) {
  THRUST_RNS_TEST_ENGINE(engine, 602);
  const numbers x = random_numbers(engine, 100);
  Vector a = x;
  Vector b = a;
  b[3] = 4;
  check_equal(a, x);
  Vector c = std::move(a);
  check_equal(c, x);
  check_equal(a, {}); // NOLINT: the state that is documented
  a.push_back(1);     // and it can be used again
  check_equal(a, {number(1)});
  a = std::move(c);
  check_equal(a, x);
  a = b;
  CHECK(a == b);
  a = numbers{number(1), number(2)};
  check_equal(a, {number(1), number(2)});
  a = {number(4)};
  check_equal(a, {number(4)});
  a = {};
  check_equal(a, {});
}

TEST_CASE_TEMPLATE("a vector assigned to itself, or from a part of itself, keeps its numbers", Vector, device_vector,
                   host_vector) {
  THRUST_RNS_TEST_ENGINE(engine, 603);
  const numbers x = random_numbers(engine, 70);
  Vector v = x;
  const Vector& alias = v;
  v = alias;
  check_equal(v, x);
  Vector& same = v;
  v = std::move(same);
  check_equal(v, x);
  swap(v, same);
  check_equal(v, x);
  v.assign(v.begin() + 10, v.begin() + 40);
  check_equal(v, numbers(x.begin() + 10, x.begin() + 40));
  v.assign(35, v[2]);
  check_equal(v, numbers(35, x[12]));
}

TEST_CASE("assignment between host and device moves the numbers and their evaluations") {
  THRUST_RNS_TEST_ENGINE(engine, 604);
  const numbers x = random_numbers(engine, 500);
  device_vector d = x;
  thrust::max_element(d.begin(), d.begin() + 300);
  const std::vector<std::uint64_t> evaluations = test::evaluations_of(d);
  host_vector h;
  h = d;
  check_equal(h, x);
  CHECK(test::evaluations_of(h) == evaluations);
  device_vector e(3, 9);
  e = h;
  check_equal(e, x);
  CHECK(test::evaluations_of(e) == evaluations);
  const host_vector part(d.begin() + 290, d.begin() + 310); // ten with and ten without
  check_equal(part, numbers(x.begin() + 290, x.begin() + 310));
  CHECK(test::count_evaluated(part) == 10);
  h = device_vector();
  check_equal(h, {});
}

TEST_CASE_TEMPLATE("at checks the index and names it and the size", Vector, device_vector, host_vector) {
  Vector v{1, 2, 3};
  const Vector& c = v;
  CHECK(v.at(2) == number(3));
  CHECK_THROWS_WITH_AS(v.at(3), "thrust_rns: index 3 is outside a vector of 3 numbers", std::out_of_range);
  CHECK_THROWS_WITH_AS(c.at(17), "thrust_rns: index 17 is outside a vector of 3 numbers", std::out_of_range);
  CHECK_THROWS_WITH_AS(Vector().at(0), "thrust_rns: index 0 is outside a vector of 0 numbers", std::out_of_range);
}

TEST_CASE_TEMPLATE("size and capacity: reserve, resize, shrink_to_fit, clear", Vector, device_vector, host_vector) {
  THRUST_RNS_TEST_ENGINE(engine, 605);
  numbers x = random_numbers(engine, 40);
  Vector v = x;
  v.reserve(1000);
  CHECK(v.capacity() >= 1000);
  check_equal(v, x);
  const auto before = v.as_span().plane(0);
  v.resize(900);
  x.resize(900, number(0)); // number() alone has no value
  check_equal(v, x);
  v.resize(950, number(-3));
  x.resize(950, number(-3));
  check_equal(v, x);
  CHECK(v.as_span().plane(0) == before); // within the capacity nothing moves
  v.reserve(10);
  CHECK(v.capacity() >= 1000);
  v.resize(5);
  x.resize(5);
  check_equal(v, x);
  v.resize(8);
  x.resize(8, number(0));
  check_equal(v, x);
  v.shrink_to_fit();
  CHECK(v.capacity() < 1000);
  check_equal(v, x);
  v.clear();
  check_equal(v, {});
  CHECK(v.capacity() >= 8);
  v.shrink_to_fit();
  CHECK(v.capacity() == 0);
  v.shrink_to_fit();
  v.reserve(0);
  check_equal(v, {});
  CHECK(v.max_size() > 1000000);
}

TEST_CASE_TEMPLATE("push_back grows in few steps, and takes an element of the vector", Vector, device_vector,
                   host_vector) {
  numbers x;
  Vector v;
  int moves = 0;
  for (int k = 0; k < 300; ++k) {
    const std::size_t capacity = v.capacity();
    v.push_back(k);
    x.emplace_back(k);
    if (v.capacity() != capacity) ++moves;
  }
  check_equal(v, x);
  CHECK(moves <= 6); // 32, 64, 128, 256, 512
  for (int k = 0; k < 300; ++k) {
    v.push_back(v[static_cast<std::size_t>(k)]);
    x.push_back(x[static_cast<std::size_t>(k)]);
  }
  check_equal(v, x);
  while (x.size() > 1) {
    v.pop_back();
    x.pop_back();
  }
  check_equal(v, x);
}

TEST_CASE_TEMPLATE("insert and erase at the begin, in the middle and at the end", Vector, device_vector, host_vector) {
  THRUST_RNS_TEST_ENGINE(engine, 606);
  numbers x = random_numbers(engine, 64);
  Vector v = x;
  for (const std::ptrdiff_t at : {0, 1, 31, 32, 60}) {
    CAPTURE(at);
    CHECK(v.insert(v.begin() + at, number(5)) - v.begin() == at);
    x.insert(x.begin() + at, number(5));
    CHECK(v.insert(v.cbegin() + at, 40, number(6)) - v.begin() == at);
    x.insert(x.begin() + at, 40, number(6));
    const numbers more = random_numbers(engine, 9);
    CHECK(v.insert(v.begin() + at, more.begin(), more.end()) - v.begin() == at);
    x.insert(x.begin() + at, more.begin(), more.end());
    CHECK(v.insert(v.begin() + at, {number(1), number(2)}) - v.begin() == at);
    x.insert(x.begin() + at, {number(1), number(2)});
    CHECK(v.insert(v.begin() + at, 0, number(8)) - v.begin() == at);
    check_equal(v, x);
    CHECK(v.erase(v.begin() + at) - v.begin() == at);
    x.erase(x.begin() + at);
    CHECK(v.erase(v.begin() + at, v.begin() + at + 30) - v.begin() == at);
    x.erase(x.begin() + at, x.begin() + at + 30);
    CHECK(v.erase(v.begin() + at, v.begin() + at) - v.begin() == at);
    check_equal(v, x);
  }
  v.insert(v.end(), number(-1));
  x.insert(x.end(), number(-1));
  v.insert(v.begin() + 3, v.begin(), v.end()); // the vector's own numbers
  const numbers copy = x;
  x.insert(x.begin() + 3, copy.begin(), copy.end());
  check_equal(v, x);
  const auto after_last = v.erase(v.end() - 1);
  CHECK(after_last == v.end());
  x.pop_back();
  check_equal(v, x);
  const auto after_all = v.erase(v.begin(), v.end());
  CHECK(after_all == v.end());
  check_equal(v, {});
  CHECK(v.insert(v.begin(), number(3)) == v.begin());
  check_equal(v, {number(3)});
}

TEST_CASE_TEMPLATE("swap exchanges contents, of vectors without memory too", Vector, device_vector, host_vector) {
  THRUST_RNS_TEST_ENGINE(engine, 608);
  const numbers x = random_numbers(engine, 50), y = random_numbers(engine, 3);
  Vector a = x, b = y, none;
  a.swap(b);
  check_equal(a, y);
  check_equal(b, x);
  swap(a, none);
  check_equal(a, {});
  check_equal(none, y);
  using std::swap;
  swap(a, b);
  check_equal(a, x);
  check_equal(b, {});
}

TEST_CASE_TEMPLATE("equality compares sizes and numbers, not capacities or evaluations", Vector, device_vector,
                   host_vector) {
  THRUST_RNS_TEST_ENGINE(engine, 610);
  const numbers x = random_numbers(engine, 100);
  Vector a = x, b = x;
  b.reserve(5000);
  thrust::max_element(b.begin(), b.end());
  CHECK(a == b);
  b[99] += 1;
  CHECK(a != b);
  b[99] -= 1;
  CHECK_FALSE(a != b);
  b.pop_back();
  CHECK(a != b);
  CHECK(Vector() == Vector());
}

TEST_CASE_TEMPLATE("an iterator that throws leaves the vector as it was", Vector, device_vector, host_vector) {
  THRUST_RNS_TEST_ENGINE(engine, 611);
  const numbers x = random_numbers(engine, 20);
  Vector v = x;
  const test::throwing_iterator<number> first{0, 7}, last{30, 7};
  CHECK_THROWS_WITH_AS(v.assign(first, last), "bad element", std::runtime_error);
  check_equal(v, x);
  CHECK_THROWS_WITH_AS(v.insert(v.begin() + 4, first, last), "bad element", std::runtime_error);
  check_equal(v, x);
  CHECK_THROWS_WITH_AS(Vector(first, last), "bad element", std::runtime_error);
}

TEST_CASE_TEMPLATE("more numbers than max_size is a length_error that changes nothing", Vector, device_vector,
                   host_vector) {
  THRUST_RNS_TEST_ENGINE(engine, 612);
  const numbers x = random_numbers(engine, 20);
  Vector v = x;
  CHECK_THROWS_AS(v.resize(v.max_size() + 1), std::length_error);
  CHECK_THROWS_AS(v.reserve(v.max_size() + 1), std::length_error);
  CHECK_THROWS_AS(v.assign(v.max_size(), number(1)), std::length_error); // no room to round up
  CHECK_THROWS_AS(v.insert(v.begin(), v.max_size() + 1, number(1)), std::length_error);
  check_equal(v, x);
}

TEST_CASE_TEMPLATE("all memory comes from the allocator and goes back to it", Allocator, device_ledger, host_ledger) {
  THRUST_RNS_TEST_ENGINE(engine, 613);
  using system =
      std::conditional_t<std::is_same_v<Allocator, device_ledger>, thrust::device_system_tag, thrust::host_system_tag>;
  using vector = thrust_rns::detail::basic_vector<number, Allocator, system>;
  const numbers x = random_numbers(engine, 200);
  ledger book, other_book;
  {
    const Allocator allocator(book), other(other_book);
    vector nothing(allocator);
    CHECK(book.calls == 0);
    CHECK(nothing.get_allocator() == allocator);
    vector a(200, allocator), b(10, number(3), allocator), c(x.begin(), x.end(), allocator), d({1, 2}, allocator);
    CHECK(book.calls == 4);
    CHECK(book.words > 0);
    a = c;
    CHECK(a.to_vector() == x);
    vector e = a;
    CHECK(e.get_allocator() == allocator);
    vector f(other);
    f = a; // the numbers, in f's own memory
    CHECK(f.to_vector() == x);
    CHECK(f.get_allocator() == other);
    CHECK(other_book.words > 0);
    vector g(other);
    g = std::move(a); // memory of one allocator cannot go to the other
    CHECK(g.to_vector() == x);
    CHECK(g.get_allocator() == other);
    const int calls = book.calls;
    b = std::move(c);
    CHECK(book.calls == calls);
    CHECK(b.to_vector() == x);
    vector h = std::move(b);
    CHECK(book.calls == calls);
    CHECK(h.to_vector() == x);
    h.push_back(1);
    h.insert(h.begin(), 300, number(2));
    h.erase(h.begin() + 5, h.begin() + 290);
    h.shrink_to_fit();
    CHECK(thrust::max_element(h.begin(), h.end()) - h.begin() == std::max_element(x.begin(), x.end()) - x.begin() + 15);
    swap(g, f);
    CHECK(d.size() == 2);
  }
  CHECK(book.words == 0);
  CHECK(other_book.words == 0);
}

TEST_CASE_TEMPLATE("an allocator that refuses leaves the vector as it was", Allocator, device_ledger, host_ledger) {
  THRUST_RNS_TEST_ENGINE(engine, 614);
  using system =
      std::conditional_t<std::is_same_v<Allocator, device_ledger>, thrust::device_system_tag, thrust::host_system_tag>;
  using vector = thrust_rns::detail::basic_vector<number, Allocator, system>;
  const numbers x = random_numbers(engine, 32); // fills its memory
  ledger book;
  {
    vector v(x.begin(), x.end(), Allocator(book));
    REQUIRE(v.capacity() == 32);
    book.refuse = true;
    CHECK_THROWS_AS(v.push_back(1), std::bad_alloc);
    CHECK_THROWS_AS(v.resize(33), std::bad_alloc);
    CHECK_THROWS_AS(v.reserve(100), std::bad_alloc);
    CHECK_THROWS_AS(v.assign(100, number(1)), std::bad_alloc);
    CHECK_THROWS_AS(v.assign(x.begin(), x.end()), std::bad_alloc);
    CHECK_THROWS_AS(v.insert(v.begin(), number(1)), std::bad_alloc);
    CHECK_THROWS_AS(v.erase(v.begin()), std::bad_alloc);
    CHECK_THROWS_AS((v = {number(1), number(2)}), std::bad_alloc);
    CHECK_THROWS_AS(vector(5, Allocator(book)), std::bad_alloc);
    CHECK(v.to_vector() == x);
    v.pop_back(); // needs no memory
    v.push_back(x.back());
    v.clear();
    CHECK(v.empty());
  }
  CHECK(book.words == 0);
}
