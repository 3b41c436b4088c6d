// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// What the search for extrema compares: an element's key and place.

#include <cstdint>

#include <thrust_rns/config.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/number.h>
#include <thrust_rns/span.h>

namespace thrust_rns {
namespace detail {

/// Where numbers lie: residue i of element j is first[i * plane_stride + j * element_stride].
struct residue_layout {
  const std::uint32_t* first;
  std::int64_t plane_stride, element_stride;

  THRUST_RNS_HD strided_residues element(std::int64_t j) const { return {first + j * element_stride, plane_stride}; }
};

template <class Number>
THRUST_RNS_HD residue_layout layout_of(const span<const Number>& s) {
  return {s.plane(0), s.stride(), 1};
}

/// The layout of an array of whole numbers.
template <class Number>
THRUST_RNS_HD residue_layout layout_of(const Number* numbers) {
  static_assert(sizeof(Number) == Number::size * sizeof(std::uint32_t));
  return {reinterpret_cast<const std::uint32_t*>(numbers), 1, Number::size};
}

/// An element and its key; index -1: none.
struct candidate {
  std::uint64_t key;
  std::int64_t index;
};

/// The better of two candidates: the larger (order = 1) or smaller (order = -1) number, of equal ones the earlier.
template <class Number>
struct better_candidate {
  residue_layout layout;
  int order;

  THRUST_RNS_HD candidate operator()(const candidate& a, const candidate& b) const {
    if (a.index < 0) return b;
    if (b.index < 0) return a;
    const int c = order * compare_evaluated<Number>(layout.element(a.index), a.key, layout.element(b.index), b.key);
    if (c != 0) return c > 0 ? a : b;
    return a.index < b.index ? a : b;
  }
};

/// Follows the best candidate of a sequence. Most elements fall to one comparison of keys.
template <class Number, int Order>
class best_so_far {
 public:
  THRUST_RNS_HD explicit best_so_far(const residue_layout& layout) : better_{layout, Order} {}

  /// Whether an element of this key can still win.
  THRUST_RNS_HD bool may_win(std::uint64_t key) const { return Order == 1 ? key > bar_ : key < bar_; }

  THRUST_RNS_HD void consider(std::uint64_t key, std::int64_t index) {
    if (!may_win(key)) return;
    found_ = better_(found_, candidate{key, index});
    bar_ = Order == 1 ? found_.key - 2 : found_.key + 2; // keys one apart are compared exactly
  }

  THRUST_RNS_HD const candidate& get() const { return found_; }
  THRUST_RNS_HD const better_candidate<Number>& better() const { return better_; }

 private:
  better_candidate<Number> better_;
  candidate found_{0, -1};
  std::uint64_t bar_ = Order == 1 ? 0 : ~std::uint64_t{0};
};

/// Which extremes a search is for.
enum class wanted { largest, smallest, both };

template <wanted Wanted>
inline constexpr bool wants_largest = Wanted != wanted::smallest;
template <wanted Wanted>
inline constexpr bool wants_smallest = Wanted != wanted::largest;
template <wanted Wanted>
inline constexpr int count_of = Wanted == wanted::both ? 2 : 1;

} // namespace detail
} // namespace thrust_rns
