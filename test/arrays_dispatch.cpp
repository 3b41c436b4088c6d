// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// The algorithms over arrays of whole numbers: which calls reach this library, and by which names.

#include "arrays.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <thrust/copy.h>
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform_reduce.h>

namespace test {

/// A user's system; this library's implementation on the host is a transform_reduce, and Thrust's own is not.
struct counting_system : thrust::device_execution_policy<counting_system> {
  int* calls;
  explicit counting_system(int& counter) : calls(&counter) {}
};

#if THRUST_DEVICE_SYSTEM != THRUST_DEVICE_SYSTEM_CUDA
template <class Iterator, class Transform, class T, class Function>
T transform_reduce(counting_system& system, Iterator first, Iterator last, Transform transform, T init, Function f) {
  ++*system.calls;
  return thrust::transform_reduce(thrust::device, first, last, transform, init, f);
}
#endif

} // namespace test

namespace {

using test::no_policy;
using test::pattern;

using symmetric_256 = thrust_rns::number<thrust_rns::moduli_for_bits<256>, thrust_rns::symmetric_range>;
using symmetric_even = thrust_rns::number<thrust_rns::moduli_set<13, 7, 16, 31>, thrust_rns::symmetric_range>;

/// The same with every comparator and every name of an operation.
template <class Number, class Policy, class Iterator>
void check_names(const Policy& policy, Iterator first, Iterator last, const mpz_class* z) {
  const std::ptrdiff_t n = last - first;
  const std::ptrdiff_t largest = std::max_element(z, z + n) - z, smallest = std::min_element(z, z + n) - z;
  using places = std::vector<std::ptrdiff_t>;
  const auto places_by = [&](auto order) {
    const auto both = test::call_minmax_element(policy, first, last, order);
    return places{test::call_max_element(policy, first, last, order) - first,
                  test::call_min_element(policy, first, last, order) - first, both.second - first, both.first - first};
  };
  const places up{largest, smallest, largest, smallest}, down{smallest, largest, smallest, largest};
  CHECK(places_by(thrust_rns::less()) == up);
  CHECK(places_by(thrust::less<Number>()) == up);
  CHECK(places_by(thrust::less<>()) == up);
  CHECK(places_by(thrust_rns::greater()) == down);
  CHECK(places_by(thrust::greater<Number>()) == down);
  CHECK(places_by(thrust::greater<>()) == down);

  const mpz_class init = test::wrap<Number>(z[largest] - 1);
  const auto x = test::make<Number>(init);
  const auto reduced_by = [&](auto f) { return test::value(test::call_reduce(policy, first, last, x, f)); };
  const mpz_class sum = test::wrap<Number>(test::sum_of<Number>(z, n) + init);
  CHECK(reduced_by(thrust_rns::plus()) == sum);
  CHECK(reduced_by(thrust::plus<Number>()) == sum);
  CHECK(reduced_by(thrust::plus<>()) == sum);
  const mpz_class high = std::max(init, z[largest]), low = std::min(init, z[smallest]);
  CHECK(reduced_by(thrust::maximum<Number>()) == high);
  CHECK(reduced_by(thrust::maximum<>()) == high);
  CHECK(reduced_by(thrust::minimum<Number>()) == low);
  CHECK(reduced_by(thrust::minimum<>()) == low);
}

/// Compares the residues modulo the first modulus: an order that the library does not know.
struct first_residue_less {
  template <class Number>
  THRUST_RNS_HD bool operator()(const Number& a, const Number& b) const {
    return a.residue(0) < b.residue(0);
  }
};

/// An operation that the library does not know.
struct multiply_residues {
  template <class Number>
  THRUST_RNS_HD Number operator()(const Number& a, const Number& b) const {
    return a * b;
  }
};

/// A system of the user's own with an algorithm of its own.
struct own_system : thrust::device_execution_policy<own_system> {
  int* calls;
  explicit own_system(int& counter) : calls(&counter) {}
};

template <class Iterator>
Iterator max_element(own_system& system, Iterator first, Iterator) {
  ++*system.calls;
  return first + 1;
}

/// Calls the algorithms in device code.
struct call_in_device_code {
  const symmetric_even *first, *last;
  std::int64_t* index;   // 4 of them
  symmetric_even* value; // 2 of them

  THRUST_RNS_HD void operator()(int) const {
    index[0] = thrust::max_element(thrust::device, first, last) - first;
    index[1] = thrust::min_element(thrust::device, first, last, thrust_rns::less()) - first;
    const auto both = thrust::minmax_element(thrust::device, first, last);
    index[2] = both.first - first;
    index[3] = both.second - first;
    value[0] = thrust::reduce(thrust::device, first, last);
    value[1] = thrust::reduce(thrust::device, first, last, symmetric_even(3), thrust_rns::minimum());
  }
};

} // namespace

TEST_CASE("every form of iterator is served, mutable and const, with and without a policy") {
  using number = symmetric_256;
  THRUST_RNS_TEST_ENGINE(engine, 1403);
  const std::vector<mpz_class> z = test::make_pattern<number>(pattern::random_length, engine, 300);
  const std::vector<number> x = test::make<number>(z);

  thrust::device_vector<number> d = x;
  test::check<number>(no_policy(), d.begin(), d.end(), z.data());
  test::check<number>(no_policy(), d.cbegin(), d.cend(), z.data());
  test::check<number>(thrust::device, d.begin(), d.end(), z.data());
  test::check<number>(no_policy(), d.data(), d.data() + 300, z.data());
  const thrust::device_ptr<const number> read_only = d.data();
  test::check<number>(no_policy(), read_only, read_only + 300, z.data());
  test::check<number>(thrust::device, read_only, read_only + 300, z.data());
  number* raw = thrust::raw_pointer_cast(d.data());
  test::check<number>(thrust::device, raw, raw + 300, z.data());
  test::check<number>(thrust::device, static_cast<const number*>(raw), static_cast<const number*>(raw + 300), z.data());

  thrust::host_vector<number> h = x;
  test::check<number>(no_policy(), h.begin(), h.end(), z.data());
  test::check<number>(no_policy(), h.cbegin(), h.cend(), z.data());
  test::check<number>(thrust::host, h.begin(), h.end(), z.data());
  std::vector<number> copy = x;
  test::check<number>(no_policy(), copy.data(), copy.data() + 300, z.data());
  test::check<number>(thrust::host, copy.data(), copy.data() + 300, z.data());
  test::check<number>(thrust::host, x.data(), x.data() + 300, z.data());
  test::check<number>(thrust::seq, x.data(), x.data() + 300, z.data());
  test::check<number>(thrust::host, x.begin(), x.end(), z.data()); // Thrust's own algorithm

  thrust::device_ptr<number> allocated = thrust::device_malloc<number>(300);
  thrust::copy(x.begin(), x.end(), allocated);
  test::check<number>(no_policy(), allocated, allocated + 300, z.data());
  thrust::device_free(allocated);
}

TEST_CASE("every name of an order and of an operation means the same for whole numbers") {
  THRUST_RNS_TEST_ENGINE(engine, 1404);
  using number = symmetric_256;
  for (const pattern p : {pattern::random, pattern::ties}) {
    const std::vector<mpz_class> z = test::make_pattern<number>(p, engine, 500);
    const thrust::device_vector<number> d = test::make<number>(z);
    const thrust::host_vector<number> h = test::make<number>(z);
    check_names<number>(no_policy(), d.begin(), d.end(), z.data());
    check_names<number>(thrust::host, h.data(), h.data() + 500, z.data());
  }
}

TEST_CASE("a comparator or an operation that the library does not know runs in Thrust's own algorithm" * test::stock) {
  THRUST_RNS_TEST_ENGINE(engine, 1406);
  using number = symmetric_even;
  const std::vector<number> x = test::make<number>(test::make_pattern<number>(pattern::random, engine, 500));
  const thrust::device_vector<number> d = x;
  number product(3);
  for (const number& y : x) product *= y;
  CHECK(thrust::max_element(d.begin(), d.end(), first_residue_less()) - d.begin() ==
        std::max_element(x.begin(), x.end(), first_residue_less()) - x.begin());
  CHECK(thrust::minmax_element(d.begin(), d.end(), first_residue_less()).first - d.begin() ==
        std::min_element(x.begin(), x.end(), first_residue_less()) - x.begin());
  CHECK(thrust::reduce(d.begin(), d.end(), number(3), multiply_residues()) == product);
  CHECK(thrust::reduce(thrust::host, x.data(), x.data() + 500, number(3), thrust_rns::multiplies()) == product);
}

TEST_CASE("arrays of other types go to Thrust, beside a functor of this library too" * test::stock) {
  const std::vector<int> x{3, -8, 12, 12, 0};
  const thrust::device_vector<int> d = x;
  CHECK(thrust::max_element(d.begin(), d.end()) - d.begin() == 2);
  CHECK(thrust::min_element(d.data(), d.data() + 5) - d.data() == 1);
  CHECK(thrust::minmax_element(thrust::host, x.data(), x.data() + 5).second - x.data() == 2);
  CHECK(thrust::reduce(d.begin(), d.end()) == 19);
  CHECK(thrust::reduce(thrust::host, x.data(), x.data() + 5, 100L, thrust::maximum<long>()) == 100);
  CHECK(thrust::reduce(thrust::host, x.data(), x.data() + 5, symmetric_256(2), thrust::plus<symmetric_256>()) ==
        symmetric_256(21));
}

TEST_CASE("in device code the calls over whole numbers are right") {
  THRUST_RNS_TEST_ENGINE(engine, 1407);
  using number = symmetric_even;
  const std::vector<mpz_class> z = test::make_pattern<number>(pattern::ties, engine, 200);
  const std::ptrdiff_t largest = std::max_element(z.begin(), z.end()) - z.begin();
  const std::ptrdiff_t smallest = std::min_element(z.begin(), z.end()) - z.begin();
  const thrust::device_vector<number> d = test::make<number>(z);
  thrust::device_vector<std::int64_t> index(4, -1);
  thrust::device_vector<number> value(2, number(0));
  const number* first = thrust::raw_pointer_cast(d.data());
  const thrust::counting_iterator<int> zero(0);
  thrust::for_each(thrust::device, zero, zero + 1,
                   call_in_device_code{first, first + 200, thrust::raw_pointer_cast(index.data()),
                                       thrust::raw_pointer_cast(value.data())});
  CHECK(index[0] == largest);
  CHECK(index[1] == smallest);
  CHECK(index[2] == smallest);
  CHECK(index[3] == largest);
  CHECK(test::value(number(value[0])) == test::sum_of<number>(z.data(), 200));
  CHECK(test::value(number(value[1])) == std::min(mpz_class(3), z[static_cast<std::size_t>(smallest)]));
}

TEST_CASE("a system of the user's own comes before this library for whole numbers too") {
  const thrust::device_vector<symmetric_even> d(9, symmetric_even(4));
  const symmetric_even* raw = thrust::raw_pointer_cast(d.data());
  int calls = 0;
  const own_system system(calls);
  CHECK(thrust::max_element(system, d.begin(), d.end()) - d.begin() == 1);
  CHECK(thrust::max_element(system, d.data(), d.data() + 9) - d.data() == 1);
  CHECK(thrust::max_element(system, raw, raw + 9) - raw == 1);
  CHECK(calls == 3);
  CHECK(thrust::min_element(system, raw, raw + 9) == raw); // it has none of its own
}

#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
TEST_CASE("the policies of the CUDA backend serve whole numbers, on a stream too") {
  THRUST_RNS_TEST_ENGINE(engine, 1408);
  using number = symmetric_even;
  const std::vector<mpz_class> z = test::make_pattern<number>(pattern::random, engine, 3000);
  const thrust::device_vector<number> d = test::make<number>(z);
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  test::check<number>(thrust::cuda::par.on(stream), d.begin(), d.end(), z.data());
  test::check<number>(thrust::cuda::par_nosync.on(stream), d.begin() + 1, d.end(), z.data() + 1);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}
#else
TEST_CASE("calls over whole numbers reach this library, and those over other types do not") {
  using number = symmetric_even;
  const thrust::device_vector<number> d(100, number(4));
  const thrust::device_vector<int> integers(100, 4);
  int calls = 0;
  const test::counting_system system(calls);
  const auto all = [&](auto first, auto last) {
    thrust::max_element(system, first, last);
    thrust::max_element(system, first, last, thrust::greater<>());
    thrust::min_element(system, first, last);
    thrust::min_element(system, first, last, thrust_rns::less());
    thrust::minmax_element(system, first, last);
    thrust::minmax_element(system, first, last, thrust::less<number>());
    thrust::reduce(system, first, last);
    thrust::reduce(system, first, last, number(1));
    thrust::reduce(system, first, last, number(1), thrust::maximum<>());
  };
  int expected = 0;
  const auto check_all = [&](auto first, auto last) {
    all(first, last);
    expected += 9;
    CHECK(calls == expected);
  };
  thrust::device_vector<number> m = d;
  check_all(d.begin(), d.end());
  check_all(m.begin(), m.end());
  check_all(m.data(), m.data() + 100);
  check_all(thrust::device_ptr<const number>(m.data()), thrust::device_ptr<const number>(m.data() + 100));
  check_all(thrust::raw_pointer_cast(m.data()), thrust::raw_pointer_cast(m.data()) + 100);
  check_all(thrust::raw_pointer_cast(d.data()), thrust::raw_pointer_cast(d.data()) + 100);
  thrust::max_element(system, d.begin(), d.end(), first_residue_less());
  thrust::max_element(system, integers.begin(), integers.end());
  thrust::reduce(system, integers.begin(), integers.end());
  CHECK(calls == expected);
}
#endif
