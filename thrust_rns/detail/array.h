// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

#include <thrust_rns/config.h>

namespace thrust_rns {
namespace detail {

/// std::array's elements and indexing, usable in device code without relaxed constexpr.
template <class T, int N>
struct array {
  T items[N];

  THRUST_RNS_HD constexpr T& operator[](int i) { return items[i]; }
  THRUST_RNS_HD constexpr const T& operator[](int i) const { return items[i]; }
  THRUST_RNS_HD static constexpr int size() { return N; }
  THRUST_RNS_HD constexpr const T* data() const { return items; }
  THRUST_RNS_HD constexpr T* data() { return items; }
  THRUST_RNS_HD constexpr const T* begin() const { return items; }
  THRUST_RNS_HD constexpr const T* end() const { return items + N; }
};

} // namespace detail
} // namespace thrust_rns
