// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include <thrust_rns/ring_random.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/random.h>
#include <thrust/tabulate.h>

#include "support.h"

using namespace thrust_rns;

namespace {

using full = full_element<prime_ring<61, 17>>;
using even = full_element<prime_ring<61, 8192>>;
using byte = small_element<prime_ring<61, 17>>;
using up_to_5 = small_element<prime_ring<61, 17>, 5>;
using ternary = ternary_element<prime_ring<761, 4591>>;

/// Whether counts that should be equal look so: chi-square within 7 standard deviations.
bool looks_uniform(const std::vector<int>& counts) {
  double total = 0, chi_square = 0;
  for (const int c : counts) total += c;
  const double expected = total / static_cast<double>(counts.size());
  for (const int c : counts) chi_square += (c - expected) * (c - expected) / expected;
  const double freedom = static_cast<double>(counts.size()) - 1;
  return chi_square < freedom + 7 * std::sqrt(2 * freedom) + 10;
}

template <class E>
bool has_clean_padding(const E& p) {
  for (int i = E::degree; i < E::row; ++i) {
    if (p.data()[i] != 0) return false;
  }
  return true;
}

/// The element of one seed, by one of Thrust's engines.
template <class Distribution>
struct drawn {
  Distribution distribution;
  THRUST_RNS_HD typename Distribution::result_type operator()(int i) const {
    thrust::minstd_rand engine(static_cast<unsigned>(i) + 1);
    return distribution(engine);
  }
};

template <class Distribution>
void check_on_device(Distribution distribution) {
  using element = typename Distribution::result_type;
  thrust::device_vector<element> v(50);
  thrust::tabulate(v.begin(), v.end(), drawn<Distribution>{distribution});
  const thrust::host_vector<element> device = v;
  for (int i = 0; i < 50; ++i) REQUIRE(device[static_cast<std::size_t>(i)] == drawn<Distribution>{distribution}(i));
  CHECK(device[0] != device[1]);
}

} // namespace

TEST_CASE_TEMPLATE("uniform elements have every coefficient equally often", E, full, even, byte, up_to_5, ternary) {
  THRUST_RNS_TEST_ENGINE(engine, 1601);
  constexpr int low = E::coefficients::smallest, high = E::coefficients::largest;
  std::vector<int> counts(static_cast<std::size_t>(high - low + 1)), first(counts.size()), last(counts.size());
  const uniform_distribution<E> distribution;
  const int draws = static_cast<int>(counts.size()) * 200;
  for (int k = 0; k < draws; ++k) {
    const E p = distribution(engine);
    REQUIRE(has_clean_padding(p));
    ++first[static_cast<std::size_t>(p[0] - low)];
    ++last[static_cast<std::size_t>(p[E::degree - 1] - low)];
    for (int i = 0; i < E::degree; ++i) ++counts.at(static_cast<std::size_t>(p[i] - low));
    if (counts.size() > 1000 && k > 10000) break;
  }
  CHECK(looks_uniform(counts));
  if (counts.size() < 1000) {
    CHECK(looks_uniform(first));
    CHECK(looks_uniform(last));
  }
}

TEST_CASE("fixed weights are exact, and out of range they are clamped") {
  THRUST_RNS_TEST_ENGINE(engine, 1602);
  for (const int asked : {-5, 0, 1, 286, 760, 761, 10000}) {
    CAPTURE(asked);
    const int weight = std::clamp(asked, 0, 761);
    for (int k = 0; k < 20; ++k) {
      const ternary p = fixed_weight_distribution<ternary>(asked)(engine);
      int found = 0;
      for (int i = 0; i < 761; ++i) found += std::abs(p[i]);
      REQUIRE(found == weight);
      REQUIRE(has_clean_padding(p));
    }
  }
  const full p = fixed_weight_distribution<full>(61)(engine); // any element type
  for (int i = 0; i < 61; ++i) CHECK((p[i] == 1 || p[i] == -1));
}

TEST_CASE("fixed weights take every place and sign equally often") {
  THRUST_RNS_TEST_ENGINE(engine, 1603);
  std::vector<int> places(61), signs(2);
  const fixed_weight_distribution<up_to_5> distribution(7);
  for (int k = 0; k < 20000; ++k) {
    const up_to_5 p = distribution(engine);
    for (int i = 0; i < 61; ++i) {
      if (p[i] == 0) continue;
      ++places[static_cast<std::size_t>(i)];
      ++signs[p[i] == 1];
    }
  }
  CHECK(looks_uniform(places));
  CHECK(looks_uniform(signs));
}

TEST_CASE("centred binomial coefficients have their range, mean and variance") {
  THRUST_RNS_TEST_ENGINE(engine, 1604);
  for (const int eta : {1, 2, 3, 5, 8, 31, 32}) {
    CAPTURE(eta);
    const centred_binomial_distribution<byte> distribution(eta);
    double sum = 0, squares = 0;
    int smallest = 0, largest = 0;
    constexpr int draws = 3000, count = 61 * draws;
    for (int k = 0; k < draws; ++k) {
      const byte p = distribution(engine);
      for (int i = 0; i < 61; ++i) {
        sum += p[i];
        squares += p[i] * p[i];
        smallest = std::min(smallest, p[i]);
        largest = std::max(largest, p[i]);
      }
    }
    CHECK(smallest >= -eta);
    CHECK(largest <= eta);
    if (eta <= 3) {
      CHECK(smallest == -eta);
      CHECK(largest == eta);
    }
    CHECK(std::abs(sum / count) < 6 * std::sqrt(eta / 2.0 / count));
    CHECK(squares / count == doctest::Approx(eta / 2.0).epsilon(0.03));
  }
}

TEST_CASE("one seed gives one element, on the host and in device code") {
  check_on_device(uniform_distribution<even>());
  check_on_device(fixed_weight_distribution<up_to_5>(20));
  check_on_device(centred_binomial_distribution<byte>(3));
}
