// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

#include <cstdint>

#include <thrust_rns/config.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/number.h>
#include <thrust_rns/span.h>

namespace thrust_rns {
namespace detail {

/// An element and its key; index -1: none.
struct candidate {
  std::uint64_t key;
  std::int64_t index;
};

/// The better of two candidates: the larger (Order = 1) or smaller (Order = -1) number, of equal ones the earlier.
template <int Order, class Number>
struct better_candidate {
  span<const Number> s;

  THRUST_RNS_HD candidate operator()(const candidate& a, const candidate& b) const {
    if (a.index < 0) return b;
    if (b.index < 0) return a;
    const int c = Order * compare_evaluated<Number>(plane_residues{s.plane(0) + a.index, s.stride()}, a.key,
                                                    plane_residues{s.plane(0) + b.index, s.stride()}, b.key);
    if (c != 0) return c > 0 ? a : b;
    return a.index < b.index ? a : b;
  }
};

} // namespace detail
} // namespace thrust_rns
