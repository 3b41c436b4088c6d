// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// After every way of writing, the next extrema are those of the numbers as they are now.

#include "vectors.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <thrust/copy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

namespace {

using number = thrust_rns::number<thrust_rns::moduli_for_bits<64>, thrust_rns::symmetric_range>;
using device_vector = thrust_rns::device_vector<number>;
using host_vector = thrust_rns::host_vector<number>;
using device_iterator = device_vector::iterator;

/// A vector whose evaluations are all cached, and its values.
struct evaluated_vector {
  device_vector v;
  std::vector<mpz_class> z;

  template <class Engine>
  explicit evaluated_vector(Engine& engine, std::size_t n = 300) {
    z = test::make_pattern<number>(test::pattern::random, engine, n);
    v = test::make<number>(z);
    evaluate();
  }
  void evaluate() {
    test::check_extrema(v, z);
    REQUIRE(test::count_evaluated(v) == static_cast<std::ptrdiff_t>(z.size()));
  }
  std::ptrdiff_t largest() const { return std::max_element(z.begin(), z.end()) - z.begin(); }
  std::ptrdiff_t smallest() const { return std::min_element(z.begin(), z.end()) - z.begin(); }
};

const mpz_class low = test::smallest<number>(), high = test::largest<number>();

/// Writes first[k] in device code, in three ways.
struct write_in_device_code {
  device_iterator first;
  number x;
  THRUST_RNS_HD void operator()(int k) const {
    if (k % 3 == 0) {
      first[k] = x;
    } else if (k % 3 == 1) {
      *(first + k) = x + number(1);
    } else {
      device_iterator it = first;
      it += k;
      *it -= x;
    }
  }
};

struct swap_in_device_code {
  device_iterator first;
  std::ptrdiff_t i, j;
  THRUST_RNS_HD void operator()(int) const { swap(first[i], first[j]); }
};

/// Writes through the planes of a view.
struct write_planes {
  thrust_rns::span<number> s;
  number x;
  THRUST_RNS_HD void operator()(int k) const {
    for (int i = 0; i < number::size; ++i) s.plane(i)[k] = x.residue(i);
  }
};

struct store_through_span {
  thrust_rns::span<number> s;
  number x;
  THRUST_RNS_HD void operator()(int k) const { s.store(k, x); }
};

struct negate_in_place {
  template <class Reference>
  THRUST_RNS_HD void operator()(Reference r) const {
    r = thrust_rns::negate()(r);
  }
};

} // namespace

TEST_CASE("assignments through references drop the element's evaluation") {
  THRUST_RNS_TEST_ENGINE(engine, 301);
  evaluated_vector a(engine);
  auto& [v, z] = a;
  const auto i = static_cast<std::size_t>(a.largest()), j = static_cast<std::size_t>(a.smallest());
  v[i] = v[j];
  z[i] = z[j];
  test::check_extrema(v, z);
  v[j] = number(12);
  z[j] = 12;
  test::check_extrema(v, z);
  v[77] = test::make<number>(high);
  z[77] = high;
  test::check_extrema(v, z);
  v[77] += number(1);
  z[77] = low;
  test::check_extrema(v, z);
  v[77] -= number(1);
  z[77] = high;
  test::check_extrema(v, z);
  v[77] *= v[77];
  z[77] = test::wrap<number>(high * high);
  test::check_extrema(v, z);
  v.front() = test::make<number>(high);
  v.back() = test::make<number>(low);
  v.at(150) = 3;
  z.front() = high;
  z.back() = low;
  z[150] = 3;
  test::check_extrema(v, z);
}

TEST_CASE("swapping references moves the values under the right evaluations") {
  THRUST_RNS_TEST_ENGINE(engine, 302);
  evaluated_vector a(engine);
  auto& [v, z] = a;
  swap(v[static_cast<std::size_t>(a.largest())], v[2]);
  std::swap(z[static_cast<std::size_t>(a.largest())], z[2]);
  test::check_extrema(v, z);
  auto x = v[static_cast<std::size_t>(a.smallest())], y = v[299]; // references that have a name
  using std::swap;
  swap(x, y);
  swap(z[static_cast<std::size_t>(a.smallest())], z[299]);
  CHECK(test::values_of(v) == z);
  test::check_extrema(v, z);
}

TEST_CASE("writing through iterators drops evaluations") {
  THRUST_RNS_TEST_ENGINE(engine, 303);
  evaluated_vector a(engine);
  auto& [v, z] = a;
  auto it = v.begin() + 10;
  *it = test::make<number>(high);
  z[10] = high;
  test::check_extrema(v, z);
  it[5] = test::make<number>(low);
  z[15] = low;
  test::check_extrema(v, z);
  *v.rbegin() = test::make<number>(low);
  *it = 0;
  z[299] = low;
  z[10] = 0;
  test::check_extrema(v, z);
}

TEST_CASE("Thrust's algorithms that write drop evaluations") {
  THRUST_RNS_TEST_ENGINE(engine, 304);
  evaluated_vector a(engine);
  auto& [v, z] = a;
  SUBCASE("fill") {
    thrust::fill(v.begin() + 3, v.end() - 5, number(-4));
    std::fill(z.begin() + 3, z.end() - 5, -4);
  }
  SUBCASE("copy") {
    const evaluated_vector other(engine);
    thrust::copy(other.v.begin(), other.v.begin() + 200, v.begin() + 50);
    std::copy(other.z.begin(), other.z.begin() + 200, z.begin() + 50);
  }
  SUBCASE("copy from the host") {
    std::vector<mpz_class> values{high, low, high};
    const std::vector<number> x = test::make<number>(values);
    thrust::copy(x.begin(), x.end(), v.begin() + 100);
    std::copy(values.begin(), values.end(), z.begin() + 100);
  }
  SUBCASE("transform in place") {
    thrust::transform(v.begin(), v.end(), v.begin(), thrust_rns::negate());
    for (mpz_class& x : z) x = test::wrap<number>(-x);
  }
  SUBCASE("for_each over the references") {
    thrust::for_each(v.begin(), v.end(), negate_in_place());
    for (mpz_class& x : z) x = test::wrap<number>(-x);
  }
  SUBCASE("sequence") {
    thrust::sequence(v.begin(), v.end(), number(-100), number(3));
    for (std::size_t j = 0; j < z.size(); ++j) z[j] = 3 * static_cast<long>(j) - 100;
  }
  SUBCASE("sort") {
    thrust::sort(v.begin(), v.end(), thrust_rns::less());
    std::sort(z.begin(), z.end());
  }
  CHECK(test::values_of(v) == z);
  test::check_extrema(v, z);
}

TEST_CASE("writing in device code through captured iterators drops evaluations") {
  THRUST_RNS_TEST_ENGINE(engine, 306);
  evaluated_vector a(engine);
  auto& [v, z] = a;
  const thrust::counting_iterator<int> k(0);
  const mpz_class x = high - 5;
  thrust::for_each(thrust::device, k, k + 200, write_in_device_code{v.begin(), test::make<number>(x)});
  for (std::size_t j = 0; j < 200; ++j) {
    z[j] = j % 3 == 0 ? x : j % 3 == 1 ? mpz_class(x + 1) : test::wrap<number>(z[j] - x);
  }
  test::check_extrema(v, z);
  thrust::for_each(thrust::device, k, k + 1, swap_in_device_code{v.begin(), a.largest(), 299});
  std::swap(z[static_cast<std::size_t>(a.largest())], z[299]);
  test::check_extrema(v, z);
  thrust::for_each(thrust::device, k, k + 3, store_through_span{v.as_span(), test::make<number>(high)});
  std::fill(z.begin(), z.begin() + 3, high);
  CHECK(test::values_of(v) == z);
  test::check_extrema(v, z);
}

TEST_CASE("after writing planes and invalidating, the extrema are those of the new residues") {
  THRUST_RNS_TEST_ENGINE(engine, 307);
  evaluated_vector a(engine);
  auto& [v, z] = a;
  const thrust::counting_iterator<int> k(0);
  for (const mpz_class& x : {low, high, mpz_class(1)}) {
    thrust::for_each(thrust::device, k + 20, k + 290, write_planes{v.as_span(), test::make<number>(x)});
    v.invalidate_evaluations();
    std::fill(z.begin() + 20, z.begin() + 290, x);
    test::check_extrema(v, z);
  }
}

TEST_CASE("members that change the contents leave no old evaluation") {
  THRUST_RNS_TEST_ENGINE(engine, 308);
  evaluated_vector a(engine);
  auto& [v, z] = a;
  SUBCASE("assign n times a number") {
    v.assign(200, number(8));
    z.assign(200, 8);
  }
  SUBCASE("assign a list") {
    v.assign({1, -5, 7});
    z.assign({1, -5, 7});
  }
  SUBCASE("insert one, several and a range") {
    v.insert(v.begin() + 7, test::make<number>(high));
    z.insert(z.begin() + 7, high);
    v.insert(v.begin(), 3, test::make<number>(low));
    z.insert(z.begin(), 3, low);
    v.insert(v.end(), v.begin() + 1, v.begin() + 9);
    const std::vector<mpz_class> part(z.begin() + 1, z.begin() + 9);
    z.insert(z.end(), part.begin(), part.end());
  }
  SUBCASE("erase one and several") {
    const std::ptrdiff_t i = a.largest();
    v.erase(v.begin() + i);
    z.erase(z.begin() + i);
    const std::ptrdiff_t j = a.smallest();
    v.erase(v.begin() + j, v.end());
    z.erase(z.begin() + j, z.end());
    v.push_back(1);
    z.emplace_back(1);
  }
  SUBCASE("push_back after pop_back") {
    v.back() = test::make<number>(high);
    z.back() = high;
    test::check_extrema(v, z);
    v.pop_back();
    v.push_back(test::make<number>(low));
    z.back() = low;
  }
  SUBCASE("resize down and up") {
    v.resize(100);
    z.resize(100);
    test::check_extrema(v, z);
    v.resize(300, test::make<number>(low));
    z.resize(300, low);
    test::check_extrema(v, z);
    v.resize(40);
    v.resize(280);
    z.resize(40);
    z.resize(280, 0);
  }
  SUBCASE("clear and resize") {
    v.clear();
    v.resize(300);
    z.assign(300, 0);
  }
  SUBCASE("swap and move") {
    evaluated_vector b(engine, 200);
    swap(v, b.v);
    z.swap(b.z);
    test::check_extrema(v, z);
    test::check_extrema(b.v, b.z);
    v = std::move(b.v);
    z = b.z;
  }
  SUBCASE("to the host and back") {
    host_vector h = v;
    h[3] = test::make<number>(high);
    z[3] = high;
    test::check_extrema(h, z);
    v = h;
    test::check_extrema(v, z);
    h = v;
    h[4] = test::make<number>(low);
    z[4] = low;
    v = h;
  }
  CHECK(test::values_of(v) == z);
  test::check_extrema(v, z);
}

TEST_CASE("a random sequence of writes never leaves an old evaluation") {
  for (std::uint64_t round = 0; round < test::amount<std::uint64_t>(6, 2); ++round) {
    THRUST_RNS_TEST_ENGINE(engine, 310 + round);
    device_vector v;
    std::vector<mpz_class> z;
    const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(engine() % bound); };
    const auto any = [&] {
      return engine() % 4 == 0 ? (engine() % 2 == 0 ? high : low) : test::random_length_value<number>(engine);
    };
    for (int step = 0; step < test::amount(300, 150); ++step) {
      const auto action = z.size() < 5 ? 0 : z.size() > 900 ? 1 : below(16);
      CAPTURE(step);
      CAPTURE(action);
      const std::size_t i = z.empty() ? 0 : below(z.size()), j = z.empty() ? 0 : i + below(z.size() - i);
      const auto at = static_cast<std::ptrdiff_t>(i), to = static_cast<std::ptrdiff_t>(j);
      const mpz_class x = any();
      const number y = test::make<number>(x);
      switch (action) {
        case 0: {
          const std::size_t n = below(60);
          v.insert(v.begin() + at, n, y);
          z.insert(z.begin() + at, n, x);
          break;
        }
        case 1:
          v.erase(v.begin() + at, v.begin() + to);
          z.erase(z.begin() + at, z.begin() + to);
          break;
        case 2:
          v.push_back(y);
          z.push_back(x);
          break;
        case 3:
          v.pop_back();
          z.pop_back();
          break;
        case 4:
          v[i] = y;
          z[i] = x;
          break;
        case 5:
          v[i] += v[j];
          z[i] = test::wrap<number>(z[i] + z[j]);
          break;
        case 6:
          swap(v[i], v[j]);
          std::swap(z[i], z[j]);
          break;
        case 7:
          thrust::fill(v.begin() + at, v.begin() + to, y);
          std::fill(z.begin() + at, z.begin() + to, x);
          break;
        case 8:
          thrust::transform(v.begin() + at, v.end(), v.begin() + at, thrust_rns::negate());
          for (std::size_t k = i; k < z.size(); ++k) z[k] = test::wrap<number>(-z[k]);
          break;
        case 9:
          v.resize(i);
          v.resize(j + 1, y);
          z.resize(i);
          z.resize(j + 1, x);
          break;
        case 10: {
          host_vector h = v;
          h[i] = y;
          z[i] = x;
          v = h;
          break;
        }
        case 11: {
          device_vector other(v.begin() + at, v.end());
          v = std::move(other);
          z.erase(z.begin(), z.begin() + at);
          break;
        }
        case 12:
          v.shrink_to_fit();
          break;
        case 13:
          v.reserve(z.size() + below(100));
          break;
        case 14:
          v.invalidate_evaluations();
          break;
        default:
          v.insert(v.begin() + to, {y, y});
          z.insert(z.begin() + to, 2, x);
          break;
      }
      if (!z.empty() && engine() % 2 == 0) { // a part, so that some evaluations are cached and some are not
        const auto b = static_cast<std::ptrdiff_t>(below(z.size()));
        test::check_extrema(v.begin() + b, v.end(), z.data() + b);
      }
      if (engine() % 4 == 0) test::check_extrema(v, z);
      if (step % 32 == 0) REQUIRE(test::values_of(v) == z);
    }
    CHECK(test::values_of(v) == z);
    test::check_extrema(v, z);
  }
}
