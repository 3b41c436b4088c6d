// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// The first index for which a predicate holds.

#include <cstdint>
#include <limits>

#include <cuda/functional>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform_reduce.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/thrust_compat.h>

namespace thrust_rns {
namespace detail {

template <class Predicate>
struct index_if {
  static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  Predicate predicate;
  THRUST_RNS_HD std::int64_t operator()(std::int64_t j) const { return predicate(j) ? j : none; }
};

/// The first j < count with predicate(j), or -1.
template <class System, class Policy, class Predicate>
std::int64_t first_index(Policy& exec, std::int64_t count, const Predicate& predicate) {
  using map = index_if<Predicate>;
  const thrust::counting_iterator<std::int64_t> first(0);
  const std::int64_t j =
      thrust::transform_reduce(exec, first, first + count, map{predicate}, map::none, ::cuda::minimum<std::int64_t>());
  return j == map::none ? -1 : j;
}

} // namespace detail
} // namespace thrust_rns
