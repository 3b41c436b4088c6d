// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Accumulators of one plane: products, and sums of products.

#include <cstdint>

#include <thrust_rns/config.h>
#include <thrust_rns/modular.h>
#include <thrust_rns/number.h>

namespace thrust_rns {
namespace detail {

/// x_0 x_1 ... mod m, in four chains, so that one product need not wait for the one before.
class fold_of_products {
 public:
  static constexpr std::uint32_t neutral = 1;
  THRUST_RNS_HD static std::uint32_t combine(const modulus& m, std::uint32_t a, std::uint32_t b) {
    return m.multiply(a, b);
  }

  THRUST_RNS_HD void add(const modulus& m, std::uint32_t x) { product_[0] = m.multiply(product_[0], x); }
  template <class Quad>
  THRUST_RNS_HD void add_quad(const modulus& m, const Quad& x) {
    product_[0] = m.multiply(product_[0], x.x);
    product_[1] = m.multiply(product_[1], x.y);
    product_[2] = m.multiply(product_[2], x.z);
    product_[3] = m.multiply(product_[3], x.w);
  }
  THRUST_RNS_HD std::uint32_t result(const modulus& m) const {
    return m.multiply(m.multiply(product_[0], product_[1]), m.multiply(product_[2], product_[3]));
  }

 private:
  std::uint32_t product_[4] = {1, 1, 1, 1};
};

/// x_0 y_0 + x_1 y_1 + ... mod m: sums of 62-bit products in 96 bits, reduced once.
class fold_of_dot_products {
 public:
  static constexpr std::uint32_t neutral = 0;
  THRUST_RNS_HD static std::uint32_t combine(const modulus& m, std::uint32_t a, std::uint32_t b) { return m.add(a, b); }

  THRUST_RNS_HD void add(const modulus&, std::uint32_t x, std::uint32_t y) { add(std::uint64_t{x} * y); }
  template <class Quad>
  THRUST_RNS_HD void add_quad(const modulus&, const Quad& x, const Quad& y) { // residues are below 2^31
    add(std::uint64_t{x.x} * y.x + std::uint64_t{x.y} * y.y + std::uint64_t{x.z} * y.z + std::uint64_t{x.w} * y.w);
  }
  THRUST_RNS_HD std::uint32_t result(const modulus& m) const {
    return reduce(m, (static_cast<uint128_t>(carries_) << 64) | sum_);
  }

 private:
  THRUST_RNS_HD void add(std::uint64_t term) {
    sum_ += term;
    carries_ += sum_ < term ? 1 : 0;
  }

  std::uint64_t sum_ = 0;
  std::uint32_t carries_ = 0;
};

} // namespace detail
} // namespace thrust_rns
