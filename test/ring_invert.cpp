// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include <thrust_rns/ring_invert.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/transform.h>

#include "ring_answers.h"

using namespace thrust_rns;

namespace {

using test::integers;

integers one(int degree) { return test::monomial(degree, 0, 1); }

/// Coefficients, constant first, without zeros at the end.
void trim(integers& a) {
  while (!a.empty() && a.back() == 0) a.pop_back();
}
int inverse_of(int x, int m) {
  int y = 1;
  for (int k = 0; k < m - 2; ++k) y = test::centred(std::int64_t{y} * x, m);
  return y;
}
/// Whether a and x^n - x - 1 have no common factor modulo the prime m: by Euclid's algorithm.
bool is_coprime(integers a, int m) {
  for (int& x : a) x = test::centred(x, m);
  integers b(a.size() + 1);
  b[0] = b[1] = -1;
  b[a.size()] = 1;
  trim(a);
  while (!a.empty()) {
    const int scale = inverse_of(a.back(), m);
    while (b.size() >= a.size()) {
      const int factor = test::centred(std::int64_t{b.back()} * scale, m);
      const std::size_t shift = b.size() - a.size();
      for (std::size_t i = 0; i < a.size(); ++i) {
        b[shift + i] = test::centred(b[shift + i] - std::int64_t{factor} * a[i], m);
      }
      trim(b);
    }
    std::swap(a, b);
  }
  return b.size() == 1;
}

/// A batch with what its results must be.
template <class R, class A>
struct batch {
  thrust::host_vector<A> elements;
  std::vector<bool> invertible;

  void add(const integers& a) {
    elements.push_back(test::element<A>(a));
    invertible.push_back(is_coprime(a, R::modulus));
  }
};

/// 0, 1, -1, x, x^(n-1), all smallest, all largest and random elements.
template <class R, class A>
batch<R, A> some_elements(std::mt19937_64& engine, int randoms) {
  const test::element_kind kind = test::kind_of<A>();
  batch<R, A> b;
  b.add(integers(static_cast<std::size_t>(R::degree)));
  for (const int power : {0, 1, R::degree - 1}) b.add(test::monomial(R::degree, power, 1));
  b.add(test::monomial(R::degree, 0, -1));
  b.add(integers(static_cast<std::size_t>(R::degree), kind.smallest));
  b.add(integers(static_cast<std::size_t>(R::degree), kind.largest));
  for (int k = 0; k < randoms; ++k) b.add(test::random_integers(engine, kind));
  return b;
}

/// Results: an inverse where there is one, else 0; padding is zero.
template <class R, class A, class Output, class Flag>
void check_results(const batch<R, A>& b, const thrust::host_vector<Output>& inverses,
                   const thrust::host_vector<Flag>& flags) {
  REQUIRE(inverses.size() == b.elements.size());
  for (std::size_t i = 0; i < inverses.size(); ++i) {
    CAPTURE(i);
    const integers inverse = test::integers_of(inverses[i]);
    CHECK(flags[i] == static_cast<Flag>(b.invertible[i]));
    if (b.invertible[i]) {
      CHECK(test::product(test::integers_of(b.elements[i]), inverse, R::modulus) == one(R::degree));
    } else {
      CHECK(inverse == integers(static_cast<std::size_t>(R::degree)));
    }
  }
}

/// By ring_invert and by thrust::transform.
template <class R, class A = detail::result_element<R>>
void check_batch(const batch<R, A>& b) {
  using output = detail::result_element<R>;
  const ring_vector<A> elements = b.elements;
  ring_vector<output> inverses(elements.size()), again(elements.size());
  thrust::device_vector<bool> invertible(elements.size());
  CHECK(ring_invert<R>(thrust::device, elements.begin(), elements.end(), inverses.begin(), invertible.begin()) ==
        inverses.end());
  check_results<R, A, output, bool>(b, inverses, invertible);
  CHECK(thrust::transform(elements.begin(), elements.end(), again.begin(), ring_inverse<R>{}) == again.end());
  CHECK(thrust::host_vector<output>(again) == thrust::host_vector<output>(inverses));
}

/// The factor of lowest degree of x^n - x - 1 modulo 3, as an element; for n = 857, where that degree is above 23, 1.
integers factor_modulo_3(int degree) {
  integers factor{1};
  if (degree == 653 || degree == 1277) factor = {-1, -1, 0, 1};
  if (degree == 761) factor = {-1, -1, 0, -1, -1, -1, 1, -1, 1, -1, 0, -1, 1, 1, 1, 1, -1, 0, 1, 1};
  if (degree == 953) factor = {1, 0, -1, 1, 0, 1};
  if (degree == 1013) factor = {-1, 1, 0, 0, 1};
  factor.resize(static_cast<std::size_t>(degree));
  CHECK(is_coprime(factor, 3) == (degree == 857));
  return factor;
}

template <int Degree, int Modulus>
void check_set(std::mt19937_64& engine) {
  CAPTURE(Degree);
  using ring_q = prime_ring<Degree, Modulus>;
  using ring_3 = prime_ring<Degree, 3>;
  check_batch(some_elements<ring_q, full_element<ring_q>>(engine, test::amount(3, 1)));
  batch<ring_3, ternary_element<ring_3>> b =
      some_elements<ring_3, ternary_element<ring_3>>(engine, test::amount(10, 3));
  const integers factor = factor_modulo_3(Degree);
  b.add(factor);
  b.add(test::product(test::random_integers(engine, test::kind_of<ternary_element<ring_3>>()), factor, 3));
  check_batch(b);
}

} // namespace

TEST_CASE("inverses in the rings of NTRU Prime") {
  THRUST_RNS_TEST_ENGINE(engine, 1701);
  check_set<653, 4621>(engine);
  check_set<761, 4591>(engine);
  check_set<1277, 7879>(engine);
#if THRUST_RNS_CUDA_BACKEND // a kernel each; the host has one loop for all, which takes long to compile
  check_set<857, 5167>(engine);
  check_set<953, 6343>(engine);
  check_set<1013, 7177>(engine);
#endif
}

TEST_CASE("inverses in rings of other degrees and moduli, where they exist") {
  THRUST_RNS_TEST_ENGINE(engine, 1702);
  const int randoms = test::amount(60, 20);
  check_batch(some_elements<prime_ring<2, 3>, ternary_element<prime_ring<2, 3>>>(engine, randoms));
  check_batch(some_elements<prime_ring<31, 3>, small_element<prime_ring<31, 3>>>(engine, randoms));
  check_batch(some_elements<prime_ring<64, 3>, full_element<prime_ring<64, 3>>>(engine, randoms));
  check_batch(some_elements<prime_ring<31, 5>, small_element<prime_ring<31, 5>>>(engine, randoms));
  check_batch(some_elements<prime_ring<33, 5791>, full_element<prime_ring<33, 5791>>>(engine, randoms));
  check_batch(some_elements<prime_ring<47, 8179>, full_element<prime_ring<47, 8179>>>(engine, randoms));
  check_batch(some_elements<prime_ring<47, 8191>, full_element<prime_ring<47, 8191>>>(engine, randoms));
}

TEST_CASE("elements without an inverse modulo 3 are told from the others of a batch") {
  THRUST_RNS_TEST_ENGINE(engine, 1703);
  using ring = prime_ring<761, 3>;
  using element = ternary_element<ring>;
  const test::element_kind kind = test::kind_of<element>();
  const integers factor = factor_modulo_3(761);
  for (const int count : {0, 1, 33, test::amount(257, 65)}) {
    CAPTURE(count);
    batch<ring, element> b;
    for (int i = 0; i < count; ++i) {
      integers a = test::random_integers(engine, kind);
      if (i % 3 == 1) a = test::product(a, factor, 3);
      if (i % 32 == 5) a = integers(761);
      b.add(a);
    }
    check_batch(b);

    ring_vector<element> in_place = b.elements;
    thrust::device_vector<char> flags(in_place.size() + 1, 77);
    ring_invert<ring>(thrust::device, in_place.begin(), in_place.end(), in_place.begin(), flags.begin());
    CHECK(flags.back() == 77);
    flags.pop_back();
    check_results<ring, element, element, char>(b, in_place, flags);
  }
}

TEST_CASE("batches of full elements, at offsets and in place") {
  THRUST_RNS_TEST_ENGINE(engine, 1704);
  using ring = prime_ring<653, 4621>;
  using element = full_element<ring>;
  for (const int count : {0, 1, test::amount(33, 5)}) {
    CAPTURE(count);
    const batch<ring, element> b = some_elements<ring, element>(engine, count);
    const auto begin = static_cast<std::ptrdiff_t>(b.elements.size()) - count;
    ring_vector<element> in_place = b.elements;
    thrust::transform(in_place.begin() + begin, in_place.end(), in_place.begin() + begin, ring_inverse<ring>{});
    const thrust::host_vector<element> result = in_place;
    for (std::size_t i = 0; i < result.size(); ++i) {
      const bool inverted = i >= static_cast<std::size_t>(begin);
      CHECK(result[i] == (inverted ? ring_inverse<ring>{}(b.elements[i]) : b.elements[i]));
    }
  }
}

TEST_CASE("results in other coefficients, other iterators, host memory") {
  THRUST_RNS_TEST_ENGINE(engine, 1705);
  using ring = prime_ring<61, 17>;
  using other = full_element<prime_ring<61, 4591>>;
  const batch<ring, full_element<ring>> b = some_elements<ring, full_element<ring>>(engine, 20);
  const ring_vector<full_element<ring>> elements = b.elements;
  ring_vector<full_element<ring>> inverses(elements.size()), negative(elements.size());
  ring_vector<other> converted(elements.size());
  ring_vector<ternary_element<ring>> reduced(elements.size());
  thrust::transform(elements.begin(), elements.end(), inverses.begin(), ring_inverse<ring>{});
  thrust::transform(elements.begin(), elements.end(), converted.begin(), ring_inverse<ring, other>{});
  thrust::transform(elements.begin(), elements.end(), reduced.begin(), ring_inverse<ring, ternary_element<ring>>{});
  const auto negated = thrust::make_transform_iterator(elements.begin(), ring_negate<ring>{});
  thrust::device_vector<int> flags(elements.size());
  ring_invert<ring>(thrust::device, negated, negated + static_cast<std::ptrdiff_t>(elements.size()), negative.begin(),
                    flags.begin());
  thrust::host_vector<full_element<ring>> on_host(elements.size());
  std::vector<int> host_flags(elements.size());
  ring_invert<ring>(thrust::host, b.elements.begin(), b.elements.end(), on_host.begin(), host_flags.begin());
  check_results<ring, full_element<ring>, full_element<ring>, int>(b, on_host, host_flags);
  CHECK(thrust::host_vector<int>(flags) == host_flags);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const integers want = test::integers_of(on_host[i]);
    CHECK(full_element<ring>(inverses[i]) == on_host[i]);
    CHECK(full_element<ring>(negative[i]) == ring_negate<ring>{}(on_host[i]));
    CHECK(test::integers_of<other>(converted[i]) == want);
    CHECK(test::integers_of<ternary_element<ring>>(reduced[i]) == test::sum(want, integers(61), 3));
  }
}

TEST_CASE("the key of sntrup761's known-answer test") {
  using ring_q = prime_ring<761, 4591>;
  using ring_3 = prime_ring<761, 3>;
  using full = full_element<ring_q>;
  using ternary = ternary_element<ring_3>;
  int found = 0;
  for (const test::answer& r : test::read_answers("ring/kat_ring_761.txt")) {
    if (r.name == "kat_g_times_ginv") { // 1 / g modulo 3
      const ring_vector<ternary> g{test::element<ternary>(r.a), test::element<ternary>(r.b)};
      ring_vector<ternary> inverse(2);
      thrust::transform(g.begin(), g.end(), inverse.begin(), ring_inverse<ring_3>{});
      CHECK(test::integers_of<ternary>(inverse[0]) == r.b);
      CHECK(test::integers_of<ternary>(inverse[1]) == r.a);
      ++found;
    }
    if (r.name == "kat_h_times_f") { // h f = g / 3, so that h = 3 (g / 3) / (3 f)
      integers f = r.b, g = r.c;
      for (int& x : f) x *= 3;
      for (int& x : g) x = test::centred(3 * x, 4591);
      const ring_vector<small_element<ring_q, 3>> three_f{test::element<small_element<ring_q, 3>>(f)};
      ring_vector<full> h(1);
      thrust::transform(three_f.begin(), three_f.end(), h.begin(), ring_inverse<ring_q>{});
      const ring_vector<ternary> gs{test::element<ternary>(g)};
      thrust::transform(h.begin(), h.end(), gs.begin(), h.begin(), ring_multiplies<ring_q>{});
      CHECK(test::integers_of<full>(h[0]) == r.a);
      ++found;
    }
  }
  CHECK(found == 2);
}
