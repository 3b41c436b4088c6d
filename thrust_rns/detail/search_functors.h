// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// What searching and selecting ask of one element, by its index, for Thrust algorithms over counting iterators.

#include <cstdint>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/order_overloads.h>
#include <thrust_rns/detail/ordering.h>
#include <thrust_rns/functional.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/number.h>

namespace thrust_rns {
namespace detail {

/// A range in the order `Order`, and where in it a number belongs.
template <class Number, int Order>
struct sorted_range {
  numbers_view<Number> numbers;
  std::int64_t count;

  /// The first place before which x belongs (Bound: lower_bound), or after which all come after x (upper_bound).
  template <search_for Bound, class X>
  THRUST_RNS_HD std::int64_t find(X x, std::uint64_t key) const {
    std::int64_t low = 0;
    for (std::int64_t length = count; length > 0;) {
      const std::int64_t half = length / 2, middle = low + half;
      const int c = Order * compare_keyed<Number>(numbers.residues(middle), numbers.key(middle), x, key);
      if (Bound == search_for::upper_bound ? c <= 0 : c < 0) {
        low = middle + 1;
        length -= half + 1;
      } else {
        length = half;
      }
    }
    return low;
  }

  /// The answer to each kind of search.
  template <search_for What, class X>
  THRUST_RNS_HD std::int64_t answer(X x, std::uint64_t key) const {
    if constexpr (What == search_for::member) {
      const std::int64_t at = find<search_for::lower_bound>(x, key);
      return at < count && same_residues<Number::size>(numbers.residues(at), x) ? 1 : 0;
    } else {
      return find<What>(x, key);
    }
  }
};

/// The answer for element j of a range of numbers.
template <class Number, int Order, search_for What>
struct search_for_element {
  sorted_range<Number, Order> range;
  numbers_view<Number> wanted;

  THRUST_RNS_HD std::int64_t operator()(std::int64_t j) const {
    return range.template answer<What>(wanted.residues(j), wanted.key(j));
  }
};

/// The answer for one number.
template <class Number, int Order, search_for What>
struct search_for_number {
  sorted_range<Number, Order> range;
  Number x;
  std::uint64_t key;

  THRUST_RNS_HD std::int64_t operator()(std::int64_t) const {
    return range.template answer<What>(residues_of<Number>{x}, key);
  }
};

/// The place of element j of one range in the merge with another.
template <class Number, int Order, search_for Bound>
struct place_after {
  sorted_range<Number, Order> other;
  numbers_view<Number> numbers;

  THRUST_RNS_HD std::int64_t operator()(std::int64_t j) const {
    return j + other.template find<Bound>(numbers.residues(j), numbers.key(j));
  }
};

/// j if element j comes before element j - 1, else `none`.
template <class Number, int Order>
struct break_of_order {
  numbers_view<Number> numbers;
  std::int64_t none;

  THRUST_RNS_HD std::int64_t operator()(std::int64_t j) const {
    const int c =
        Order * compare_keyed<Number>(numbers.residues(j), numbers.key(j), numbers.residues(j - 1), numbers.key(j - 1));
    return c < 0 ? j : none;
  }
};

/// Whether element j passes a threshold (Wanted) or fails it. The number to compare with is in memory: as a part of the functor every
/// thread would copy it.
template <class Predicate, class Number, bool Wanted = true>
struct passes_threshold {
  numbers_view<Number> numbers;
  strided_residues x;
  std::uint64_t key;

  THRUST_RNS_HD bool operator()(std::int64_t j) const {
    return Predicate::accepts(compare_keyed<Number>(numbers.residues(j), numbers.key(j), x, key)) == Wanted;
  }
};

} // namespace detail
} // namespace thrust_rns
