// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Vectors with allocators that matter, and conversions from Thrust's vectors of whole numbers.

#include "vectors.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <memory_resource>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include <thrust/device_allocator.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

namespace {

using number = thrust_rns::number<thrust_rns::moduli_for_bits<64>, thrust_rns::symmetric_range>;
using device_vector = thrust_rns::device_vector<number>;
using host_vector = thrust_rns::host_vector<number>;
using pmr_vector = thrust_rns::host_vector<number, std::pmr::polymorphic_allocator<number>>;
using numbers = std::vector<number>;

static_assert(std::is_nothrow_move_assignable_v<device_vector> && std::is_nothrow_move_assignable_v<host_vector>);
static_assert(std::is_nothrow_move_constructible_v<pmr_vector>);
static_assert(!std::is_nothrow_move_assignable_v<pmr_vector>, "memory of another resource must be copied");
static_assert(std::uses_allocator_v<pmr_vector, std::pmr::polymorphic_allocator<number>>);
static_assert(!std::is_constructible_v<host_vector, std::vector<int>>, "containers of other types do not convert");
static_assert(!std::is_assignable_v<host_vector&, std::list<int>>);

template <class Engine>
numbers random_numbers(Engine& engine, std::size_t n) {
  return test::make<number>(test::make_pattern<number>(test::pattern::random, engine, n));
}

/// A memory resource that counts what is in use.
class counting_resource : public std::pmr::memory_resource {
 public:
  int calls = 0;
  std::size_t in_use = 0;
  bool refuse = false;
  bool aligned = true; // all of it, to 16 bytes

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (refuse) throw std::bad_alloc();
    ++calls;
    aligned = aligned && alignment >= 16;
    in_use += bytes;
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* p, std::size_t bytes, std::size_t alignment) override {
    in_use -= bytes;
    std::pmr::new_delete_resource()->deallocate(p, bytes, alignment);
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }
};

/// An allocator with a name; memory of one can only be freed by an allocator of the same name. Copies of containers take
/// the name `on_copy`, if there is one.
template <class T, template <class> class Upstream, bool Propagate>
class named_allocator {
  using upstream = std::allocator_traits<Upstream<T>>;
  template <class, template <class> class, bool>
  friend class named_allocator;

 public:
  using value_type = T;
  using pointer = typename upstream::pointer;
  using const_pointer = typename upstream::const_pointer;
  using propagate_on_container_copy_assignment = std::bool_constant<Propagate>;
  using propagate_on_container_move_assignment = std::bool_constant<Propagate>;
  using propagate_on_container_swap = std::bool_constant<Propagate>;
  using is_always_equal = std::false_type;
  template <class U>
  struct rebind {
    using other = named_allocator<U, Upstream, Propagate>;
  };

  named_allocator(int name, std::vector<std::ptrdiff_t>& in_use, int on_copy = -1)
      : name_(name), on_copy_(on_copy), in_use_(&in_use) {}
  template <class U>
  named_allocator(const named_allocator<U, Upstream, Propagate>& other)
      : name_(other.name_), on_copy_(other.on_copy_), in_use_(other.in_use_) {}

  pointer allocate(std::size_t n) {
    Upstream<T> memory;
    const pointer p = upstream::allocate(memory, n);
    count() += static_cast<std::ptrdiff_t>(n);
    return p;
  }
  void deallocate(pointer p, std::size_t n) {
    count() -= static_cast<std::ptrdiff_t>(n);
    Upstream<T> memory;
    upstream::deallocate(memory, p, n);
  }
  named_allocator select_on_container_copy_construction() const {
    return named_allocator(on_copy_ < 0 ? name_ : on_copy_, *in_use_);
  }
  int name() const { return name_; }
  template <class U>
  bool operator==(const named_allocator<U, Upstream, Propagate>& other) const {
    return name_ == other.name_;
  }
  template <class U>
  bool operator!=(const named_allocator<U, Upstream, Propagate>& other) const {
    return name_ != other.name_;
  }

 private:
  std::ptrdiff_t& count() { return (*in_use_)[static_cast<std::size_t>(name_)]; }

  int name_, on_copy_;
  std::vector<std::ptrdiff_t>* in_use_;
};

template <bool Propagate>
using device_named = named_allocator<number, thrust::device_allocator, Propagate>;
template <bool Propagate>
using host_named = named_allocator<number, std::allocator, Propagate>;

template <class Allocator>
using vector_of = thrust_rns::detail::basic_vector<
    number, Allocator,
    std::conditional_t<std::is_same_v<Allocator, device_named<true>> || std::is_same_v<Allocator, device_named<false>>,
                       thrust::device_system_tag, thrust::host_system_tag>>;

} // namespace

TEST_CASE_TEMPLATE("emplace_back makes a number of its arguments and returns a reference to it", Vector, device_vector,
                   host_vector) {
  Vector v;
  v.emplace_back(5) = number(6);
  CHECK(v.emplace_back(-7) == number(-7));
  v.emplace_back();
  v.emplace_back(number(8));
  v.emplace_back(v[0]);
  v.emplace_back(~std::uint64_t{0} >> 1);
  CHECK(v.to_vector() == numbers{6, -7, 0, 8, 6, ~std::uint64_t{0} >> 1});
  while (v.size() < v.capacity()) v.emplace_back(1);
  v.emplace_back(v[1]); // an element of memory that is about to go
  CHECK(v.back() == number(-7));
  CHECK(v[1] == number(-7));
  CHECK(thrust::max_element(v.begin(), v.end()) - v.begin() == 5);
  v.emplace_back(~std::uint64_t{0} >> 1) += number(1);
  CHECK(thrust::max_element(v.begin(), v.end()) - v.begin() == static_cast<std::ptrdiff_t>(v.size()) - 1);
}

TEST_CASE_TEMPLATE("Thrust's vectors of whole numbers convert and assign, and so do standard containers", Vector,
                   device_vector, host_vector) {
  THRUST_RNS_TEST_ENGINE(engine, 1501);
  for (const std::size_t n : {0U, 1U, 31U, 33U, 500U}) {
    CAPTURE(n);
    const numbers x = random_numbers(engine, n);
    const thrust::host_vector<number> h = x;
    const thrust::device_vector<number> d = x;
    const std::list<number> list(x.begin(), x.end());
    const Vector from_host = h, from_device = d, from_list = list; // implicitly
    CHECK(from_host.to_vector() == x);
    CHECK(from_device.to_vector() == x);
    CHECK(from_list.to_vector() == x);
    Vector v(7, number(3));
    thrust::max_element(v.begin(), v.end());
    v = h;
    CHECK(v.to_vector() == x);
    CHECK(test::count_evaluated(v) == 0); // the old evaluations are gone
    v = Vector(3, number(1));
    v = d;
    CHECK(v.to_vector() == x);
    v = {number(2)};
    v = list;
    CHECK(v.to_vector() == x);
    v = thrust::device_vector<number>(x.begin(), x.end());
    CHECK(v == Vector(x));

    thrust::host_vector<number> back(n);
    thrust::copy(v.begin(), v.end(), back.begin());
    CHECK(numbers(back.begin(), back.end()) == x);
    thrust::device_vector<number> back_on_device(n);
    thrust::copy(v.begin(), v.end(), back_on_device.begin());
    CHECK(thrust::host_vector<number>(back_on_device) == h);
  }
  const std::array<number, 2> array{number(4), number(-5)};
  CHECK(Vector(array).to_vector() == numbers{4, -5});
  CHECK(Vector(std::pmr::vector<number>{number(9)}).to_vector() == numbers{number(9)});
}

TEST_CASE("memory comes from a polymorphic allocator's resource, in all that a vector does") {
  THRUST_RNS_TEST_ENGINE(engine, 1502);
  const numbers x = random_numbers(engine, 100);
  counting_resource memory, other_memory;
  {
    pmr_vector a(x.begin(), x.end(), &memory), b(10, number(2), &memory), c({1, 2, 3}, &memory), d(5, &memory);
    const pmr_vector from_container(x, &memory);
    CHECK(memory.calls == 5);
    CHECK(from_container.to_vector() == x);
    CHECK(a.get_allocator().resource() == &memory);
    CHECK(c.to_vector() == numbers{1, 2, 3});
    CHECK(d.to_vector() == numbers(5, number(0)));
    pmr_vector e(&other_memory);
    CHECK(other_memory.calls == 0);
    e = a; // into its own resource
    CHECK(e.get_allocator().resource() == &other_memory);
    CHECK(e.to_vector() == x);
    const int calls = other_memory.calls;
    CHECK(calls >= 1);
    e = std::move(b); // from another resource: copied
    CHECK(e.get_allocator().resource() == &other_memory);
    CHECK(e.to_vector() == numbers(10, number(2)));
    e = x;
    e.push_back(7);
    e.insert(e.begin() + 3, 200, number(5));
    e.erase(e.begin() + 3, e.begin() + 203);
    e.shrink_to_fit();
    e.emplace_back(8);
    CHECK(e.size() == 102);
    CHECK(e.get_allocator().resource() == &other_memory);
    const pmr_vector copy = a; // as in the standard library: the default resource
    CHECK(copy.get_allocator().resource() == std::pmr::get_default_resource());
    CHECK(copy == a);
    pmr_vector moved = std::move(a); // the memory itself
    CHECK(moved.get_allocator().resource() == &memory);
    CHECK(moved.to_vector() == x);
    const device_vector on_device = moved;
    CHECK(on_device.to_vector() == x);
    moved = on_device;
    CHECK(moved.get_allocator().resource() == &memory);
  }
  CHECK(memory.aligned);
  CHECK(memory.in_use == 0);
  CHECK(other_memory.in_use == 0);
}

TEST_CASE("copies and moves take an allocator, and a move within a resource takes the memory") {
  THRUST_RNS_TEST_ENGINE(engine, 1503);
  const numbers x = random_numbers(engine, 100);
  counting_resource memory, other_memory;
  {
    pmr_vector a(x, &memory);
    thrust::max_element(a.begin(), a.end());
    const auto evaluations = test::evaluations_of(a);
    const pmr_vector b(a, &other_memory);
    CHECK(b.to_vector() == x);
    CHECK(b.get_allocator().resource() == &other_memory);
    CHECK(test::evaluations_of(b) == evaluations);
    const auto plane = a.as_span().plane(0);
    const int calls = memory.calls;
    pmr_vector c(std::move(a), &memory);
    CHECK(c.as_span().plane(0) == plane);
    CHECK(memory.calls == calls);
    CHECK(a.empty()); // NOLINT: the state that a move leaves
    pmr_vector d(std::move(c), &other_memory);
    CHECK(d.to_vector() == x);
    CHECK(test::evaluations_of(d) == evaluations);
    CHECK(d.get_allocator().resource() == &other_memory);
    CHECK(d.as_span().plane(0) != plane);
    d.swap(d);
    CHECK(d.to_vector() == x);
  }
  CHECK(memory.in_use == 0);
  CHECK(other_memory.in_use == 0);
}

TEST_CASE("a container of vectors hands its resource on to them") {
  counting_resource memory;
  {
    std::pmr::vector<pmr_vector> table(&memory);
    table.reserve(4);
    table.emplace_back(5U, number(3));
    table.emplace_back();
    table.push_back(pmr_vector{number(1)}); // of the default resource
    table.back().push_back(2);
    for (const pmr_vector& row : table) CHECK(row.get_allocator().resource() == &memory);
    CHECK(table[0].to_vector() == numbers(5, number(3)));
    CHECK(table[2].to_vector() == numbers{1, 2});
    table.reserve(100); // moves
    CHECK(table[0].to_vector() == numbers(5, number(3)));
    CHECK(table[2].get_allocator().resource() == &memory);
  }
  CHECK(memory.in_use == 0);
}

TEST_CASE("a resource that refuses leaves both vectors as they were") {
  THRUST_RNS_TEST_ENGINE(engine, 1504);
  const numbers x = random_numbers(engine, 32), y = random_numbers(engine, 50);
  counting_resource memory, other_memory;
  {
    pmr_vector a(x, &memory), b(y, &other_memory);
    memory.refuse = true;
    CHECK_THROWS_AS(a = b, std::bad_alloc);
    CHECK_THROWS_AS(a = std::move(b), std::bad_alloc);
    CHECK_THROWS_AS(pmr_vector(std::move(b), &memory), std::bad_alloc);
    CHECK_THROWS_AS(a = y, std::bad_alloc);
    CHECK_THROWS_AS(a.emplace_back(1), std::bad_alloc);
    CHECK(a.to_vector() == x);
    CHECK(b.to_vector() == y); // NOLINT: nothing was moved
  }
  CHECK(memory.in_use == 0);
  CHECK(other_memory.in_use == 0);
}

TEST_CASE_TEMPLATE("an allocator that propagates comes along with assignments and swaps", Allocator, device_named<true>,
                   host_named<true>) {
  THRUST_RNS_TEST_ENGINE(engine, 1505);
  using vector = vector_of<Allocator>;
  static_assert(std::is_nothrow_move_assignable_v<vector>);
  const numbers x = random_numbers(engine, 100), y = random_numbers(engine, 5);
  std::vector<std::ptrdiff_t> in_use(4);
  {
    const Allocator one(1, in_use), two(2, in_use);
    vector a(x.begin(), x.end(), one), b(y.begin(), y.end(), two);
    b = a;
    CHECK(b.get_allocator().name() == 1);
    CHECK(b.to_vector() == x);
    CHECK(in_use[2] == 0); // what was there went back to where it came from
    vector c(y.begin(), y.end(), two);
    const auto plane = a.as_span().plane(0);
    c = std::move(a);
    CHECK(c.get_allocator().name() == 1);
    CHECK(c.as_span().plane(0) == plane);
    CHECK(in_use[2] == 0);
    vector d(y.begin(), y.end(), two);
    swap(c, d);
    CHECK(c.get_allocator().name() == 2);
    CHECK(d.get_allocator().name() == 1);
    CHECK(c.to_vector() == y);
    CHECK(d.to_vector() == x);
    c.swap(d);
    c.push_back(1);
    d.push_back(1);
    CHECK(c.get_allocator().name() == 1);
    CHECK(d.back() == number(1));
  }
  CHECK(in_use == std::vector<std::ptrdiff_t>(4, 0));
}

TEST_CASE_TEMPLATE("an allocator that does not propagate stays, and the numbers are copied", Allocator,
                   device_named<false>, host_named<false>) {
  THRUST_RNS_TEST_ENGINE(engine, 1506);
  using vector = vector_of<Allocator>;
  static_assert(!std::is_nothrow_move_assignable_v<vector>);
  const numbers x = random_numbers(engine, 100), y = random_numbers(engine, 5);
  std::vector<std::ptrdiff_t> in_use(4);
  {
    const Allocator one(1, in_use), two(2, in_use), changes_on_copy(1, in_use, 3);
    vector a(x.begin(), x.end(), one), b(y.begin(), y.end(), two);
    b = a;
    CHECK(b.get_allocator().name() == 2);
    CHECK(b.to_vector() == x);
    vector c(y.begin(), y.end(), two);
    c = std::move(a);
    CHECK(c.get_allocator().name() == 2);
    CHECK(c.to_vector() == x);
    vector d(y.begin(), y.end(), two);
    swap(c, d); // allowed: equal allocators
    CHECK(c.to_vector() == y);
    const vector e(x.begin(), x.end(), changes_on_copy);
    const vector f = e;
    CHECK(e.get_allocator().name() == 1);
    CHECK(f.get_allocator().name() == 3);
    CHECK(f == e);
    const vector g(e, two);
    CHECK(g.get_allocator().name() == 2);
    CHECK(g.to_vector() == x);
  }
  CHECK(in_use == std::vector<std::ptrdiff_t>(4, 0));
}
