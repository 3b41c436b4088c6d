// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// The algorithms of order that argument-dependent lookup finds through an iterator (see algorithm_overloads in iterator.h):
/// sorting, merging, searching, and selection by a threshold. Defined in sort.h, search.h and select.h.

#include <cstdint>
#include <type_traits>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/functional.h>

#include <cuda/std/functional>

#include <thrust/iterator/iterator_traits.h>
#include <thrust/pair.h>

namespace thrust_rns {

template <class T, class System>
class basic_iterator;

namespace detail {

// Thrust's functors of these names are libcu++'s.

/// 1 for functors that order numbers upwards, -1 downwards, 0 for any other.
template <class Compare, class Number>
inline constexpr int order_of =
    std::is_same_v<Compare, less> || std::is_same_v<Compare, ::cuda::std::less<Number>> ||
            std::is_same_v<Compare, ::cuda::std::less<>>
        ? 1
    : std::is_same_v<Compare, greater> || std::is_same_v<Compare, ::cuda::std::greater<Number>> ||
            std::is_same_v<Compare, ::cuda::std::greater<>>
        ? -1
        : 0;

template <class Predicate, class Number>
inline constexpr bool is_threshold = false;
template <class Number, int Sign, bool OrEqual>
inline constexpr bool is_threshold<threshold<Number, Sign, OrEqual>, Number> = true;

template <class Iterator>
inline constexpr bool is_number_iterator = false;
template <class T, class System>
inline constexpr bool is_number_iterator<basic_iterator<T, System>> = true;

/// Iterators over planes of Number in the memory of System.
template <class Iterator, class Number, class System>
inline constexpr bool is_planes_of = false;
template <class T, class System>
inline constexpr bool is_planes_of<basic_iterator<T, System>, std::remove_const_t<T>, System> = true;

/// Iterators over whole numbers that lie one after another.
template <class Iterator, class Number>
inline constexpr bool is_array_of = false;
template <class T>
inline constexpr bool is_array_of<T*, std::remove_const_t<T>> = true;
template <class T>
inline constexpr bool is_array_of<thrust::device_ptr<T>, std::remove_const_t<T>> = true;
template <class Pointer, class Number>
inline constexpr bool is_array_of<vector_iterator<Pointer>, Number> = is_array_of<Pointer, Number>;

/// What a sorted range is searched for.
enum class search_for { lower_bound, upper_bound, member };

// Order: 1 upwards, -1 downwards.
template <class System, int Order, class Policy, class Iterator>
THRUST_RNS_HD void sort_numbers(Policy& exec, Iterator first, Iterator last);
template <class System, int Order, class Policy, class Iterator, class Values>
THRUST_RNS_HD void sort_numbers_by_key(Policy& exec, Iterator first, Iterator last, Values values);
template <class System, int Order, class Policy, class Iterator1, class Iterator2, class Result>
THRUST_RNS_HD Result merge_numbers(Policy& exec, Iterator1 first1, Iterator1 last1, Iterator2 first2, Iterator2 last2,
                                   Result result);
template <class System, int Order, class Policy, class Iterator>
THRUST_RNS_HD Iterator sorted_until(Policy& exec, Iterator first, Iterator last);
/// The place of the bound, or 1 if `x` is there and 0 if not.
template <class System, int Order, search_for What, class Policy, class Iterator, class Number>
THRUST_RNS_HD std::int64_t search_number(Policy& exec, Iterator first, Iterator last, const Number& x);
template <class System, int Order, search_for What, class Policy, class Iterator, class Values, class Result>
THRUST_RNS_HD Result search_numbers(Policy& exec, Iterator first, Iterator last, Values values, Values values_last,
                                    Result result);
template <class System, class Policy, class Iterator, class Predicate>
THRUST_RNS_HD std::ptrdiff_t count_numbers(Policy& exec, Iterator first, Iterator last, const Predicate& accepts);
template <class System, class Policy, class Iterator, class Result, class Predicate>
THRUST_RNS_HD Result copy_numbers(Policy& exec, Iterator first, Iterator last, Result result, const Predicate& accepts);
template <class System, class Policy, class Iterator, class Predicate>
THRUST_RNS_HD Iterator partition_numbers(Policy& exec, Iterator first, Iterator last, const Predicate& accepts);
/// Friends of the iterator; see algorithm_overloads. The defaults stand for Thrust's shorter forms of each call.
template <class Iterator, class Number, class System, template <class> class Policy>
struct order_overloads {
  // ---- sort.h ----
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class Compare = less, std::enable_if_t<order_of<Compare, Number> != 0, int> = 0>
  THRUST_RNS_HD friend void sort(Policy<Derived>& exec, Iterator first, Iterator last, Compare = {}) {
    sort_numbers<System, order_of<Compare, Number>>(static_cast<Derived&>(exec), first, last);
  }
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class Compare = less, std::enable_if_t<order_of<Compare, Number> != 0, int> = 0>
  THRUST_RNS_HD friend void stable_sort(Policy<Derived>& exec, Iterator first, Iterator last, Compare = {}) {
    sort_numbers<System, order_of<Compare, Number>>(static_cast<Derived&>(exec), first, last);
  }
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class Values, class Compare = less,
            std::enable_if_t<order_of<Compare, Number> != 0, int> = 0>
  THRUST_RNS_HD friend void sort_by_key(Policy<Derived>& exec, Iterator first, Iterator last, Values values,
                                        Compare = {}) {
    sort_numbers_by_key<System, order_of<Compare, Number>>(static_cast<Derived&>(exec), first, last, values);
  }
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class Values, class Compare = less,
            std::enable_if_t<order_of<Compare, Number> != 0, int> = 0>
  THRUST_RNS_HD friend void stable_sort_by_key(Policy<Derived>& exec, Iterator first, Iterator last, Values values,
                                               Compare = {}) {
    sort_numbers_by_key<System, order_of<Compare, Number>>(static_cast<Derived&>(exec), first, last, values);
  }
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class Iterator2, class Result, class Compare = less,
            std::enable_if_t<order_of<Compare, Number> != 0 && is_planes_of<Iterator2, Number, System> &&
                                 is_planes_of<Result, Number, System>,
                             int> = 0>
  THRUST_RNS_HD friend Result merge(Policy<Derived>& exec, Iterator first1, Iterator last1, Iterator2 first2,
                                    Iterator2 last2, Result result, Compare = {}) {
    return merge_numbers<System, order_of<Compare, Number>>(static_cast<Derived&>(exec), first1, last1, first2, last2,
                                                            result);
  }

  // ---- search.h ----
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class Compare = less, std::enable_if_t<order_of<Compare, Number> != 0, int> = 0>
  THRUST_RNS_HD friend Iterator is_sorted_until(Policy<Derived>& exec, Iterator first, Iterator last, Compare = {}) {
    return sorted_until<System, order_of<Compare, Number>>(static_cast<Derived&>(exec), first, last);
  }

  // One number.
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class T, class Compare = less,
            std::enable_if_t<order_of<Compare, Number> != 0 && std::is_convertible_v<const T&, Number>, int> = 0>
  THRUST_RNS_HD friend Iterator lower_bound(Policy<Derived>& exec, Iterator first, Iterator last, const T& x,
                                            Compare = {}) {
    return first + search_number<System, order_of<Compare, Number>, search_for::lower_bound>(
                       static_cast<Derived&>(exec), first, last, static_cast<Number>(x));
  }
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class T, class Compare = less,
            std::enable_if_t<order_of<Compare, Number> != 0 && std::is_convertible_v<const T&, Number>, int> = 0>
  THRUST_RNS_HD friend Iterator upper_bound(Policy<Derived>& exec, Iterator first, Iterator last, const T& x,
                                            Compare = {}) {
    return first + search_number<System, order_of<Compare, Number>, search_for::upper_bound>(
                       static_cast<Derived&>(exec), first, last, static_cast<Number>(x));
  }
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class T, class Compare = less,
            std::enable_if_t<order_of<Compare, Number> != 0 && std::is_convertible_v<const T&, Number>, int> = 0>
  THRUST_RNS_HD friend bool binary_search(Policy<Derived>& exec, Iterator first, Iterator last, const T& x,
                                          Compare = {}) {
    return search_number<System, order_of<Compare, Number>, search_for::member>(static_cast<Derived&>(exec), first,
                                                                                last, static_cast<Number>(x)) != 0;
  }
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class T, class Compare = less,
            std::enable_if_t<order_of<Compare, Number> != 0 && std::is_convertible_v<const T&, Number>, int> = 0>
  THRUST_RNS_HD friend thrust::pair<Iterator, Iterator> equal_range(Policy<Derived>& exec, Iterator first,
                                                                    Iterator last, const T& x, Compare compare = {}) {
    const auto number = static_cast<Number>(x);
    return {lower_bound(exec, first, last, number, compare), upper_bound(exec, first, last, number, compare)};
  }

  // As many numbers as [values, values_last) holds.
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class Values, class Result, class Compare = less,
            std::enable_if_t<order_of<Compare, Number> != 0 &&
                                 (is_planes_of<Values, Number, System> || is_array_of<Values, Number>),
                             int> = 0>
  THRUST_RNS_HD friend Result lower_bound(Policy<Derived>& exec, Iterator first, Iterator last, Values values,
                                          Values values_last, Result result, Compare = {}) {
    return search_numbers<System, order_of<Compare, Number>, search_for::lower_bound>(
        static_cast<Derived&>(exec), first, last, values, values_last, result);
  }
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class Values, class Result, class Compare = less,
            std::enable_if_t<order_of<Compare, Number> != 0 &&
                                 (is_planes_of<Values, Number, System> || is_array_of<Values, Number>),
                             int> = 0>
  THRUST_RNS_HD friend Result upper_bound(Policy<Derived>& exec, Iterator first, Iterator last, Values values,
                                          Values values_last, Result result, Compare = {}) {
    return search_numbers<System, order_of<Compare, Number>, search_for::upper_bound>(
        static_cast<Derived&>(exec), first, last, values, values_last, result);
  }
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class Values, class Result, class Compare = less,
            std::enable_if_t<order_of<Compare, Number> != 0 &&
                                 (is_planes_of<Values, Number, System> || is_array_of<Values, Number>),
                             int> = 0>
  THRUST_RNS_HD friend Result binary_search(Policy<Derived>& exec, Iterator first, Iterator last, Values values,
                                            Values values_last, Result result, Compare = {}) {
    return search_numbers<System, order_of<Compare, Number>, search_for::member>(static_cast<Derived&>(exec), first,
                                                                                 last, values, values_last, result);
  }

  // ---- select.h ----
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class Predicate, std::enable_if_t<is_threshold<Predicate, Number>, int> = 0>
  THRUST_RNS_HD friend std::ptrdiff_t count_if(Policy<Derived>& exec, Iterator first, Iterator last,
                                               Predicate accepts) {
    return count_numbers<System>(static_cast<Derived&>(exec), first, last, accepts);
  }
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class Result, class Predicate,
            std::enable_if_t<is_threshold<Predicate, Number> && is_planes_of<Result, Number, System>, int> = 0>
  THRUST_RNS_HD friend Result copy_if(Policy<Derived>& exec, Iterator first, Iterator last, Result result,
                                      Predicate accepts) {
    return copy_numbers<System>(static_cast<Derived&>(exec), first, last, result, accepts);
  }
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class Predicate, std::enable_if_t<is_threshold<Predicate, Number>, int> = 0>
  THRUST_RNS_HD friend Iterator partition(Policy<Derived>& exec, Iterator first, Iterator last, Predicate accepts) {
    return partition_numbers<System>(static_cast<Derived&>(exec), first, last, accepts);
  }
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class Predicate, std::enable_if_t<is_threshold<Predicate, Number>, int> = 0>
  THRUST_RNS_HD friend Iterator stable_partition(Policy<Derived>& exec, Iterator first, Iterator last,
                                                 Predicate accepts) {
    return partition_numbers<System>(static_cast<Derived&>(exec), first, last, accepts);
  }
};

template <class Iterator, class T, class System>
using order_overloads_for = order_overloads<Iterator, std::remove_const_t<T>, System, policy_of<System>::template base>;

} // namespace detail
} // namespace thrust_rns
