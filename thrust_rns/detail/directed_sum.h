// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// The sum of s_i/m_i, every step rounded down or every step rounded up, for Algorithm 1 (floating_interval.h).
///
/// Device: double precision by the directed-rounding intrinsics. Host: the same steps on integers in units of 2^-53, cut to
/// 53 significant bits, so that there is no rounding mode to set and nothing for the optimiser to reorder.

#include <cstdint>

#include <thrust_rns/config.h>

namespace thrust_rns {
namespace detail {

/// A sum as integer part and fraction in [0, 1); the fraction is exact.
struct split_sum {
  int whole;
  double fraction;
};

#if defined(__CUDA_ARCH__)

template <bool Up>
struct directed_arithmetic {
  using value = double;
  __device__ static double divide(std::uint32_t s, std::uint32_t m) { return Up ? __ddiv_ru(s, m) : __ddiv_rd(s, m); }
  __device__ static double add(double a, double b) { return Up ? __dadd_ru(a, b) : __dadd_rd(a, b); }
  __device__ static split_sum split(double t) {
    const double whole = floor(t);
    return {static_cast<int>(whole), t - whole}; // the difference is exact
  }
};

#else

template <bool Up>
struct directed_arithmetic {
  using value = std::uint64_t; // in units of 2^-53, below 2^62
  static std::uint64_t divide(std::uint32_t s, std::uint32_t m) {
    const std::uint64_t high = (std::uint64_t{s} << 32) / m, rest = (std::uint64_t{s} << 32) % m;
    return (high << 21) + (rest << 21) / m + (Up && (rest << 21) % m != 0 ? 1 : 0);
  }
  static std::uint64_t add(std::uint64_t a, std::uint64_t b) {
    std::uint64_t cut = 0; // the bits of the sum beyond 53
    while (((a + b) >> 53) > cut) cut = 2 * cut + 1;
    return (a + b + (Up ? cut : 0)) & ~cut;
  }
  static split_sum split(std::uint64_t t) {
    const std::uint64_t fraction = t & ((std::uint64_t{1} << 53) - 1);
    return {static_cast<int>(t >> 53), static_cast<double>(fraction) * (1.0 / 9007199254740992.0)}; // exact
  }
};

#endif

/// Pairwise sums of terms that arrive one by one: level k holds the sum of 2^k terms. n terms are within
/// n (log2 n + 1) 2^-52 of their true sum.
template <bool Up>
class directed_sum {
  using arithmetic = directed_arithmetic<Up>;
  using value = typename arithmetic::value;

 public:
  THRUST_RNS_HD void add(std::uint32_t s, std::uint32_t m) {
    value t = arithmetic::divide(s, m);
    int level = 0;
    for (unsigned c = count_; (c & 1) != 0; c >>= 1, ++level) t = arithmetic::add(level_[level], t);
    level_[level] = t;
    ++count_;
  }
  THRUST_RNS_HD split_sum get() const {
    value t = 0;
    for (int level = 0; level < levels; ++level) {
      if (((count_ >> level) & 1) != 0) t = arithmetic::add(level_[level], t);
    }
    return arithmetic::split(t);
  }

 private:
  static constexpr int levels = 9; // of up to 511 terms
  value level_[levels];
  unsigned count_ = 0;
};

} // namespace detail
} // namespace thrust_rns
