// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Vectors of random numbers for benchmarks, and the values of their elements.

#include "measure.h"

#include <thrust_rns/device_vector.h>
#include <thrust_rns/gmp.h>

#include <gmpxx.h>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform.h>

#include <cstddef>
#include <cstdint>

namespace measured {

struct random_residue {
  std::uint64_t seed;
  thrust_rns::modulus m;
  THRUST_RNS_HD std::uint32_t operator()(std::int64_t j) const {
    return m.reduce(mix(seed + static_cast<std::uint64_t>(j)));
  }
};

/// count() numbers, residue by residue, none of them evaluated.
template <class Number>
thrust_rns::device_vector<Number> random_vector(std::uint64_t seed) {
  thrust_rns::device_vector<Number> v(static_cast<std::size_t>(count()));
  const thrust::counting_iterator<std::int64_t> first(0);
  for (int i = 0; i < Number::size; ++i) {
    const thrust::pointer<std::uint32_t, thrust::device_system_tag> plane(v.as_span().plane(i));
    thrust::transform(
        thrust::device, first, first + count(), plane,
        random_residue{mix(seed + static_cast<std::uint64_t>(i)), thrust_rns::modulus(Number::base_type::moduli[i])});
  }
  v.invalidate_evaluations();
  return v;
}

template <class Number>
mpz_class value(const Number& x) {
  mpz_class z;
  thrust_rns::to_mpz(z.get_mpz_t(), x);
  return z;
}

} // namespace measured
