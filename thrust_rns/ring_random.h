// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Random ring elements from any Thrust or standard random engine, on host and device.
///
/// For tests, benchmarks and research. How long these take and which addresses they use depends on the random values: they
/// are not for secrets of a deployed system, and neither are the usual engines.
///
/// @code
/// #include <thrust/random.h>
/// using ring = thrust_rns::prime_ring<761, 4591>;
/// thrust::default_random_engine engine(1);
/// auto secret = thrust_rns::fixed_weight_distribution<thrust_rns::ternary_element<ring>>(286)(engine);
/// int weight = 0;
/// for (int i = 0; i < 761; ++i) weight += secret[i] != 0;
/// std::cout << weight << '\n';  // prints 286
/// @endcode

#include <cstdint>

#include <thrust_rns/config.h>
#include <thrust_rns/random.h>
#include <thrust_rns/ring.h>

namespace thrust_rns {

/// Every coefficient uniform: modulo m, or in [-Bound, Bound] ([-128, 127] for Bound = 128). One draw a coefficient,
/// unbiased.
template <int Degree, class Coefficients>
class uniform_distribution<polynomial<Degree, Coefficients>> {
 public:
  using result_type = polynomial<Degree, Coefficients>;

  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Engine>
  THRUST_RNS_HD result_type operator()(Engine& engine) const {
    constexpr int count = Coefficients::largest - Coefficients::smallest + 1;
    result_type p;
    for (int i = 0; i < Degree; ++i) {
      p.set(i, Coefficients::smallest + static_cast<int>(detail::uniform_below(engine, count)));
    }
    return p;
  }
};

/// `weight` coefficients are -1 or 1, each sign equally likely, all others 0; every set of places equally likely.
/// 0 <= weight <= degree: a larger weight counts as the degree, a negative one as 0.
template <class Element>
class fixed_weight_distribution {
 public:
  using result_type = Element;

  THRUST_RNS_HD explicit fixed_weight_distribution(int weight) : weight_(weight) {}

  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Engine>
  THRUST_RNS_HD Element operator()(Engine& engine) const {
    Element p;
    int needed = weight_;
    for (int i = 0; i < Element::degree && needed > 0; ++i) { // sampling without replacement
      const int left = Element::degree - i;
      if (static_cast<int>(detail::uniform_below(engine, static_cast<std::uint64_t>(left))) >= needed) continue;
      p.set(i, 1 - 2 * static_cast<int>(detail::uniform_below(engine, 2)));
      --needed;
    }
    return p;
  }

 private:
  int weight_;
};

/// Coefficients are the difference of two sums of `eta` random bits, 1 <= eta <= 32; Element holds [-eta, eta].
template <class Element>
class centred_binomial_distribution {
 public:
  using result_type = Element;

  THRUST_RNS_HD explicit centred_binomial_distribution(int eta) : eta_(eta) {}

  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Engine>
  THRUST_RNS_HD Element operator()(Engine& engine) const {
    const std::uint64_t count = std::uint64_t{1} << eta_;
    Element p;
    for (int i = 0; i < Element::degree; ++i) {
      p.set(i, ones(detail::uniform_below(engine, count)) - ones(detail::uniform_below(engine, count)));
    }
    return p;
  }

 private:
  THRUST_RNS_HD static int ones(std::uint32_t bits) {
    int sum = 0;
    for (; bits != 0; bits &= bits - 1) ++sum;
    return sum;
  }

  int eta_;
};

} // namespace thrust_rns
