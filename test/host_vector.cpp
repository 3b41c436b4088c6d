// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// What only a vector in host memory can show; device_vector.cpp tests the members of both.

#include "vectors.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <thread>
#include <vector>

#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/reduce.h>

namespace {

using number = thrust_rns::number<thrust_rns::moduli_for_bits<128>, thrust_rns::symmetric_range>;
using host_vector = thrust_rns::host_vector<number>;

/// Gives memory aligned just as the type asks: to 8 bytes and not to 16 for 8-byte words.
template <class T>
struct barely_aligned_allocator {
  using value_type = T;
  barely_aligned_allocator() = default;
  template <class U>
  barely_aligned_allocator(const barely_aligned_allocator<U>&) {}
  T* allocate(std::size_t n) {
    auto* bytes = static_cast<unsigned char*>(::operator new(n * sizeof(T) + 64));
    return reinterpret_cast<T*>(bytes + 16 + (alignof(T) < 16 ? alignof(T) : 0));
  }
  void deallocate(T* p, std::size_t) {
    ::operator delete(reinterpret_cast<unsigned char*>(p) - 16 - (alignof(T) < 16 ? alignof(T) : 0));
  }
  bool operator==(const barely_aligned_allocator&) const { return true; }
  bool operator!=(const barely_aligned_allocator&) const { return false; }
};

using barely_aligned_vector =
    thrust_rns::detail::basic_vector<number, barely_aligned_allocator<number>, thrust::host_system_tag>;

/// Whether planes start on 128-byte lines from the first, and what lies between size and stride is zero.
void check_layout(const host_vector& v) {
  const auto s = v.as_span();
  CHECK(s.size() == static_cast<std::int64_t>(v.size()));
  CHECK(s.stride() == static_cast<std::int64_t>(v.capacity()));
  CHECK(s.stride() % 32 == 0);
  bool zero = true;
  for (std::int64_t j = s.size(); j < s.stride(); ++j) {
    zero = zero && s.evaluations()[j] == 0;
    for (int i = 0; i < number::size; ++i) zero = zero && s.plane(i)[j] == 0;
  }
  CHECK(zero);
}

} // namespace

TEST_CASE("vectors in host and device memory and of other allocators compare by their elements") {
  const host_vector h{1, -2, 3};
  const thrust_rns::device_vector<number> d = h;
  const barely_aligned_vector b(h.begin(), h.end());
  CHECK((h == d && d == h && h == b && b == d));
  CHECK_FALSE((h != d || d != h || b != h));
  thrust_rns::device_vector<number> e = d;
  e[1] = 2;
  CHECK((h != e && e != h && b != e));
  e = d;
  e.push_back(0);
  CHECK((h != e && e != h));
  CHECK(thrust_rns::device_vector<number>() == host_vector());
}

TEST_CASE("what lies between size and stride stays zero") {
  THRUST_RNS_TEST_ENGINE(engine, 701);
  host_vector v;
  check_layout(v);
  for (int step = 0; step < test::amount(500, 200); ++step) {
    CAPTURE(step);
    const number x = test::make<number>(test::random_value<number>(engine));
    const auto below = [&](std::size_t bound) { return static_cast<std::ptrdiff_t>(engine() % (bound + 1)); };
    switch (engine() % 9) {
      case 0:
        v.push_back(x);
        break;
      case 1:
        if (!v.empty()) v.pop_back();
        break;
      case 2:
        v.resize(engine() % 150, x);
        break;
      case 3:
        v.insert(v.begin() + below(v.size()), engine() % 40, x);
        break;
      case 4: {
        const std::ptrdiff_t first = below(v.size());
        v.erase(v.begin() + first, v.begin() + first + below(v.size() - static_cast<std::size_t>(first)));
        break;
      }
      case 5:
        v.shrink_to_fit();
        break;
      case 6:
        v.reserve(engine() % 300);
        break;
      case 7:
        v.assign(engine() % 100, x);
        break;
      default:
        v = host_vector(v.begin() + below(v.size()), v.end());
        break;
    }
    if (!v.empty()) thrust::max_element(v.begin(), v.end()); // fills evaluations
    check_layout(v);
  }
}

TEST_CASE("the planes hold the residues, element by element") {
  THRUST_RNS_TEST_ENGINE(engine, 702);
  const std::vector<mpz_class> z = test::make_pattern<number>(test::pattern::random, engine, 77);
  host_vector v = test::make<number>(z);
  const auto s = v.as_span();
  for (std::size_t j = 0; j < z.size(); ++j) {
    for (int i = 0; i < number::size; ++i) {
      CHECK(s.plane(i)[j] == mpz_fdiv_ui(z[j].get_mpz_t(), number::base_type::moduli[i]));
    }
  }
}

TEST_CASE("memory that is aligned just as the type asks will do") {
  barely_aligned_vector v;
  CHECK_NOTHROW(v.push_back(3));
  CHECK_NOTHROW(v.insert(v.begin(), {1, 2}));
  CHECK(v.to_vector() == std::vector<number>{1, 2, 3});
}

TEST_CASE("extrema and sums of host vectors are those of the integers, by default and with host policies") {
  THRUST_RNS_TEST_ENGINE(engine, 703);
  for (const std::size_t n : {1U, 255U, 256U, 257U, 2048U, 2049U, 5000U}) {
    CAPTURE(n);
    const auto length = static_cast<std::ptrdiff_t>(n);
    for (const test::pattern p : {test::pattern::random, test::pattern::ties, test::pattern::neighbours}) {
      const std::vector<mpz_class> z = test::make_pattern<number>(p, engine, n);
      const host_vector v = test::make<number>(z);
      test::check_extrema(v, z);
      test::check_extrema(v.begin() + length / 3, v.end(), z.data() + length / 3);
      const mpz_class sum = test::sum_of<number>(z.data(), length);
      CHECK(test::value(thrust::reduce(v.begin(), v.end())) == sum);
      CHECK(test::value(thrust::reduce(thrust::host, v.begin(), v.end())) == sum);
      CHECK(thrust::max_element(thrust::host, v.begin(), v.end()) - v.begin() ==
            std::max_element(z.begin(), z.end()) - z.begin());
      CHECK(thrust::min_element(thrust::seq, v.begin(), v.end()) - v.begin() ==
            std::min_element(z.begin(), z.end()) - z.begin());
    }
  }
}

TEST_CASE("threads may evaluate one const vector at once") {
  THRUST_RNS_TEST_ENGINE(engine, 704);
  const std::size_t n = test::amount<std::size_t>(20000, 3000);
  const std::vector<mpz_class> z = test::make_pattern<number>(test::pattern::random, engine, n);
  const std::ptrdiff_t largest = std::max_element(z.begin(), z.end()) - z.begin();
  const std::ptrdiff_t smallest = std::min_element(z.begin(), z.end()) - z.begin();
  const number sum = test::make<number>(test::sum_of<number>(z.data(), static_cast<std::ptrdiff_t>(n)));
  for (int repeat = 0; repeat < 5; ++repeat) {
    const host_vector v = test::make<number>(z);
    bool right[2] = {false, false};
    std::thread threads[2];
    for (int t = 0; t < 2; ++t) {
      threads[t] = std::thread([&, t] {
        const bool extrema = thrust::max_element(v.begin(), v.end()) - v.begin() == largest &&
                             thrust::min_element(v.begin(), v.end()) - v.begin() == smallest;
        right[t] = extrema && thrust::reduce(v.begin(), v.end()) == sum;
      });
    }
    for (std::thread& t : threads) t.join();
    CHECK(right[0]);
    CHECK(right[1]);
    CHECK(test::count_evaluated(v) == static_cast<std::ptrdiff_t>(n));
  }
}
