// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Where and how thrust::transform multiplies: policies, iterators, host memory, device code, other algorithms.

#include "rings.h"

#include <thrust/device_allocator.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tabulate.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>

using namespace thrust_rns;

namespace {

using ring = prime_ring<61, 4591>;
using full = full_element<ring>;
using ternary = ternary_element<ring>;
using tiny_ring = prime_ring<13, 17>;
using tiny = full_element<tiny_ring>;
using tiny_ternary = ternary_element<tiny_ring>;

template <class A, class B, class C>
struct batch {
  thrust::host_vector<A> a;
  thrust::host_vector<B> b;
  thrust::host_vector<C> c;
};

/// Pairs and products in R.
template <class R, class A, class B>
batch<A, B, full_element<R>> make_batch(std::mt19937_64& engine) {
  const test::products p = test::make_products(engine, test::kind_of<A>(), test::kind_of<B>(), R::modulus, 130);
  batch<A, B, full_element<R>> r;
  for (std::size_t i = 0; i < p.a.size(); ++i) {
    r.a.push_back(test::element<A>(p.a[i]));
    r.b.push_back(test::element<B>(p.b[i]));
    r.c.push_back(test::element<full_element<R>>(p.c[i]));
  }
  return r;
}

/// The element that i stands for, in any memory.
struct element_from_index {
  THRUST_RNS_HD tiny operator()(int i) const {
    tiny p;
    for (int k = 0; k < 13; ++k) p.set(k, i * (k + 3) + k * k);
    return p;
  }
};

struct product_by_index {
  const tiny* a;
  const tiny_ternary* b;
  THRUST_RNS_HD tiny operator()(std::int64_t i) const { return ring_multiplies<tiny_ring>{}(a[i], b[i]); }
};
struct expression_by_index {
  const tiny* a;
  const tiny_ternary* b;
  tiny* c;
  THRUST_RNS_HD void operator()(std::int64_t i) const { c[i] = -(a[i] * b[i] + b[i] * a[i]) - a[i] + b[i]; }
};
struct product_of_pair {
  template <class Pair>
  THRUST_RNS_HD tiny operator()(const Pair& ab) const {
    return ring_multiplies<tiny_ring>{}(thrust::get<0>(ab), thrust::get<1>(ab));
  }
};

/// Calls thrust::transform in device code.
struct transform_in_device_code {
  const full* a;
  const ternary* b;
  full* c; // 4 x 5
  THRUST_RNS_HD void operator()(int) const {
    thrust::transform(thrust::seq, a, a + 5, b, c, ring_multiplies<ring>{});
    thrust::transform(thrust::device, a, a + 5, b, c + 5, ring_multiplies<ring>{});
    thrust::transform(thrust::seq, a, a + 5, b, c + 10, ring_plus<ring>{});
    thrust::transform(thrust::device, a, a + 5, c + 15, ring_negate<ring>{});
  }
};

} // namespace

TEST_CASE("every way to name the device gives the products") {
  THRUST_RNS_TEST_ENGINE(engine, 1501);
  const auto p = make_batch<ring, full, ternary>(engine);
  const ring_vector<full> a = p.a;
  const ring_vector<ternary> b = p.b;
  ring_vector<full> c(a.size());
  const auto check = [&](bool ended) {
    CHECK(ended);
    CHECK(thrust::host_vector<full>(c) == p.c);
    c = ring_vector<full>(a.size());
  };
  const ring_multiplies<ring> f;
  check(thrust::transform(a.begin(), a.end(), b.begin(), c.begin(), f) == c.end());
  check(thrust::transform(a.cbegin(), a.cend(), b.cbegin(), c.begin(), f) == c.end());
  check(thrust::transform(thrust::device, a.begin(), a.end(), b.begin(), c.begin(), f) == c.end());
  thrust::device_allocator<char> allocator;
  check(thrust::transform(thrust::device(allocator), a.begin(), a.end(), b.begin(), c.begin(), f) == c.end());
  check(thrust::transform(a.data(), a.data() + a.size(), b.data(), c.data(), f) == c.data() + c.size());
  check(thrust::transform(a.data(), a.data() + a.size(), b.begin(), c.begin(), f) == c.end());
  const full* raw_a = thrust::raw_pointer_cast(a.data());
  const ternary* raw_b = thrust::raw_pointer_cast(b.data());
  full* raw_c = thrust::raw_pointer_cast(c.data());
  check(thrust::transform(thrust::device, raw_a, raw_a + a.size(), raw_b, raw_c, f) == raw_c + c.size());
}

TEST_CASE("host memory: vectors, pointers, and the policies of the host") {
  THRUST_RNS_TEST_ENGINE(engine, 1502);
  const auto p = make_batch<ring, full, ternary>(engine);
  host_ring_vector<full> c(p.a.size());
  const auto check = [&](bool ended) {
    CHECK(ended);
    CHECK(c == p.c);
    c = host_ring_vector<full>(p.a.size());
  };
  const ring_multiplies<ring> f;
  check(thrust::transform(p.a.begin(), p.a.end(), p.b.begin(), c.begin(), f) == c.end());
  check(thrust::transform(thrust::host, p.a.begin(), p.a.end(), p.b.begin(), c.begin(), f) == c.end());
  check(thrust::transform(thrust::seq, p.a.begin(), p.a.end(), p.b.begin(), c.begin(), f) == c.end());
  const full* a = p.a.data();
  check(thrust::transform(a, a + p.a.size(), p.b.data(), c.data(), f) == c.data() + c.size());
  check(thrust::transform(thrust::host, a, a + p.a.size(), p.b.data(), c.data(), f) == c.data() + c.size());
  check(thrust::transform(thrust::seq, a, a + p.a.size(), p.b.data(), c.data(), f) == c.data() + c.size());
  const std::vector<full> standard(p.a.begin(), p.a.end());
  check(thrust::transform(standard.begin(), standard.end(), p.b.begin(), c.begin(), f) == c.end());
}

TEST_CASE("other iterators are Thrust's own business") {
  THRUST_RNS_TEST_ENGINE(engine, 1503);
  const auto p = make_batch<tiny_ring, tiny, tiny_ternary>(engine);
  const std::size_t count = p.a.size();
  const ring_vector<tiny> a = p.a;
  const ring_vector<tiny_ternary> b = p.b;
  ring_vector<tiny> c(count);
  const ring_multiplies<tiny_ring> f;

  CHECK(thrust::transform(a.rbegin(), a.rend(), thrust::make_reverse_iterator(b.end()), c.rbegin(), f) == c.rend());
  CHECK(thrust::host_vector<tiny>(c) == p.c);

  const auto made = thrust::make_transform_iterator(thrust::counting_iterator<int>(5), element_from_index{});
  CHECK(thrust::transform(made, made + static_cast<int>(count), b.begin(), c.begin(), f) == c.end());
  thrust::host_vector<tiny> got = c;
  for (std::size_t i = 0; i < count; ++i) {
    const test::integers x = test::integers_of(element_from_index{}(static_cast<int>(i) + 5));
    REQUIRE(test::integers_of(got[i]) == test::product(x, test::integers_of(p.b[i]), 17));
  }

  const thrust::constant_iterator<tiny> all_a(p.a[40]);
  const thrust::constant_iterator<tiny_ternary> all_b(p.b[40]);
  CHECK(thrust::transform(all_a, all_a + static_cast<std::ptrdiff_t>(count), all_b, c.begin(), f) == c.end());
  CHECK(thrust::host_vector<tiny>(c) == thrust::host_vector<tiny>(count, p.c[40]));
  CHECK(thrust::transform(all_a, all_a + 3, b.begin() + 40, c.begin() + 1, f) == c.begin() + 4);
  CHECK(tiny(c[1]) == p.c[40]);
}

TEST_CASE("the functors inside other algorithms") {
  THRUST_RNS_TEST_ENGINE(engine, 1504);
  const auto p = make_batch<tiny_ring, tiny, tiny_ternary>(engine);
  const std::size_t count = p.a.size();
  const ring_vector<tiny> a = p.a;
  const ring_vector<tiny_ternary> b = p.b;
  ring_vector<tiny> c(count);
  const tiny* raw_a = thrust::raw_pointer_cast(a.data());
  const tiny_ternary* raw_b = thrust::raw_pointer_cast(b.data());

  thrust::tabulate(c.begin(), c.end(), product_by_index{raw_a, raw_b});
  CHECK(thrust::host_vector<tiny>(c) == p.c);

  const thrust::counting_iterator<std::int64_t> k(0);
  thrust::for_each(thrust::device, k, k + static_cast<std::int64_t>(count),
                   expression_by_index{raw_a, raw_b, thrust::raw_pointer_cast(c.data())});
  thrust::host_vector<tiny> got = c;
  test::integers sum(13);
  for (std::size_t i = 0; i < count; ++i) {
    const test::integers x = test::integers_of(p.a[i]), y = test::integers_of(p.b[i]), xy = test::integers_of(p.c[i]);
    test::integers want(13);
    for (std::size_t j = 0; j < 13; ++j) want[j] = test::centred(-2 * xy[j] - x[j] + y[j], 17);
    REQUIRE(test::integers_of(got[i]) == want);
    sum = test::sum(sum, xy, 17);
  }

  const auto first = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin()));
  const tiny total = thrust::transform_reduce(first, first + static_cast<std::ptrdiff_t>(count), product_of_pair{},
                                              tiny{}, ring_plus<tiny_ring>{});
  CHECK(test::integers_of(total) == sum);
}

TEST_CASE("thrust::transform called in device code") {
  THRUST_RNS_TEST_ENGINE(engine, 1505);
  const auto p = make_batch<ring, full, ternary>(engine);
  const ring_vector<full> a = p.a;
  const ring_vector<ternary> b = p.b;
  ring_vector<full> c(20);
  const thrust::counting_iterator<int> k(0);
  thrust::for_each(
      thrust::device, k, k + 1,
      transform_in_device_code{thrust::raw_pointer_cast(a.data()) + 60, thrust::raw_pointer_cast(b.data()) + 60,
                               thrust::raw_pointer_cast(c.data())});
  const thrust::host_vector<full> got = c;
  for (std::size_t i = 0; i < 5; ++i) {
    const test::integers x = test::integers_of(p.a[60 + i]), y = test::integers_of(p.b[60 + i]);
    CHECK(got[i] == p.c[60 + i]);
    CHECK(got[5 + i] == p.c[60 + i]);
    CHECK(test::integers_of(got[10 + i]) == test::sum(x, y, 4591));
    CHECK(test::integers_of(got[15 + i]) == test::each(x, x, 4591, [](int u, int) { return -u; }));
  }
}
