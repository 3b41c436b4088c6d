// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Algorithms that Thrust's CUDA backend cannot run over wide numbers, since a block keeps its numbers in shared memory:
/// here they take another way, or stop at compile time with a sentence. docs/algorithms.md lists them.

#include <cstdint>
#include <type_traits>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/order_overloads.h>
#include <thrust_rns/detail/thrust_compat.h>

#include <cuda/std/functional>

#include <thrust/adjacent_difference.h>
#include <thrust/copy.h>
#include <thrust/fill.h>
#include <thrust/gather.h>
#include <thrust/iterator/iterator_traits.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

namespace thrust_rns {

namespace detail {

/// Nothing to do on the host backends.
template <class Iterator, class Number, class System, bool = is_cuda_system<System>>
struct stock_overloads {};

#if THRUST_RNS_CUDA_BACKEND

template <class Iterator>
using value_of_iterator = typename thrust::iterator_traits<Iterator>::value_type;

/// Whether the overloads of order_overloads.h sort by these keys.
template <class Keys, class Compare>
inline constexpr bool sorts_by_numbers = is_number_iterator<Keys>&& order_of<Compare, value_of_iterator<Keys>> != 0;

/// Calls `f` with numbers, as it may not take references.
template <class Number, class Function>
struct with_numbers {
  Function f;
  THRUST_RNS_EXEC_CHECK_DISABLE
  THRUST_RNS_HD auto operator()(const Number& x, const Number& y) { return f(x, y); }
};

/// 1 where a segment begins: where the key is not that of the element before.
template <class Number, class Predicate>
struct begins_segment {
  Predicate same;
  THRUST_RNS_EXEC_CHECK_DISABLE
  THRUST_RNS_HD std::int64_t operator()(const Number& x, const Number& y) { return same(x, y) ? 0 : 1; }
};

/// segments[j] := the number of the segment of key j: 0, 0, 1, 2, 2 for a, a, b, a, a.
template <class Number, class Policy, class Iterator, class Segments, class Predicate>
THRUST_RNS_HD void number_segments(Policy& exec, Iterator first, Iterator last, Segments segments, Predicate same) {
  if (first == last) return;
  thrust::fill(exec, segments, segments + 1, 0);
  const Segments end =
      thrust::transform(exec, first, last - 1, first + 1, segments + 1, begins_segment<Number, Predicate>{same});
  thrust::inclusive_scan(exec, segments, end, segments);
}

/// result[0] = x[0], result[j] = f(x[j], x[j-1]); `result` overlaps nothing.
template <class Number, class Policy, class Iterator, class Result, class Function>
THRUST_RNS_HD Result differences(Policy& exec, Iterator first, Iterator last, Result result, Function f) {
  const Result second = thrust::copy(exec, first, first + 1, result);
  return thrust::transform(exec, first + 1, last, first, second, with_numbers<Number, Function>{f});
}

/// The number of bytes up to which CCCL 3.0 to 3.4 scan numbers by key: 256 of them and 16 bytes fill 48 KB.
inline constexpr int scan_by_key_limit = 188;

template <class Number>
THRUST_RNS_HD constexpr void check_scan_by_key() {
  static_assert(
      sizeof(Number) <= scan_by_key_limit,
      "thrust_rns: inclusive_scan_by_key and exclusive_scan_by_key on the CUDA backend take numbers of at most 188 "
      "bytes (47 moduli) as values; scan wider ones segment by segment with inclusive_scan or exclusive_scan");
}

/// Friends of the iterator, found and preferred like those of algorithm_overloads. The defaults stand for Thrust's shorter
/// forms of each call.
template <class Iterator, class Number, class System>
struct stock_overloads<Iterator, Number, System, true> {
  /// As a transform over neighbours; in place, of a copy.
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class Result, class Function = ::cuda::std::minus<Number>>
  THRUST_RNS_HD friend Result adjacent_difference(thrust::cuda::execution_policy<Derived>& policy, Iterator first,
                                                  Iterator last, Result result, Function f = {}) {
    auto& exec = static_cast<Derived&>(policy);
    if (first == last) return result;
    if constexpr (is_number_iterator<Result>) {
      if (result.underlying_span().plane(0) != first.underlying_span().plane(0)) {
        return differences<Number>(exec, first, last, result, f);
      }
    }
    temporary_array<Number, Derived> copy(0, exec, last - first);
    thrust::copy(exec, first, last, copy.begin());
    return differences<Number>(exec, copy.begin(), copy.end(), result, f);
  }

  /// Sorts places instead of numbers, and moves each number once.
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class Keys, class Compare = ::cuda::std::less<value_of_iterator<Keys>>,
            std::enable_if_t<!sorts_by_numbers<Keys, Compare>, int> = 0>
  THRUST_RNS_HD friend void stable_sort_by_key(thrust::cuda::execution_policy<Derived>& policy, Keys first, Keys last,
                                               Iterator values, Compare compare = {}) {
    auto& exec = static_cast<Derived&>(policy);
    temporary_array<std::int64_t, Derived> places(0, exec, last - first);
    thrust::sequence(exec, places.begin(), places.end());
    thrust::stable_sort_by_key(exec, first, last, places.begin(), compare);
    temporary_array<Number, Derived> sorted(0, exec, last - first);
    thrust::gather(exec, places.begin(), places.end(), values, sorted.begin());
    thrust::copy(exec, sorted.begin(), sorted.end(), values);
  }
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class Keys, class Compare = ::cuda::std::less<value_of_iterator<Keys>>,
            std::enable_if_t<!sorts_by_numbers<Keys, Compare>, int> = 0>
  THRUST_RNS_HD friend void sort_by_key(thrust::cuda::execution_policy<Derived>& policy, Keys first, Keys last,
                                        Iterator values, Compare compare = {}) {
    thrust::stable_sort_by_key(static_cast<Derived&>(policy), first, last, values, compare);
  }

  // Numbers as keys: the scan by key goes by the number of the segment.
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class Values, class Result, class Predicate = ::cuda::std::equal_to<>,
            class Function = ::cuda::std::plus<>>
  THRUST_RNS_HD friend Result inclusive_scan_by_key(thrust::cuda::execution_policy<Derived>& policy, Iterator first,
                                                    Iterator last, Values values, Result result, Predicate same = {},
                                                    Function f = {}) {
    auto& exec = static_cast<Derived&>(policy);
    temporary_array<std::int64_t, Derived> segments(0, exec, last - first);
    number_segments<Number>(exec, first, last, segments.begin(), same);
    return thrust::inclusive_scan_by_key(exec, segments.begin(), segments.end(), values, result,
                                         ::cuda::std::equal_to<>(), f);
  }
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class Values, class Result, class Init = value_of_iterator<Values>,
            class Predicate = ::cuda::std::equal_to<>, class Function = ::cuda::std::plus<>>
  THRUST_RNS_HD friend Result exclusive_scan_by_key(thrust::cuda::execution_policy<Derived>& policy, Iterator first,
                                                    Iterator last, Values values, Result result, Init init = Init(0),
                                                    Predicate same = {}, Function f = {}) {
    auto& exec = static_cast<Derived&>(policy);
    temporary_array<std::int64_t, Derived> segments(0, exec, last - first);
    number_segments<Number>(exec, first, last, segments.begin(), same);
    return thrust::exclusive_scan_by_key(exec, segments.begin(), segments.end(), values, result, init,
                                         ::cuda::std::equal_to<>(), f);
  }

  // Numbers as values, under keys of another kind.
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class Keys, class Result, class Predicate = ::cuda::std::equal_to<>,
            class Function = ::cuda::std::plus<>, std::enable_if_t<!is_number_iterator<Keys>, int> = 0>
  THRUST_RNS_HD friend Result inclusive_scan_by_key(thrust::cuda::execution_policy<Derived>& policy, Keys first,
                                                    Keys last, Iterator values, Result result, Predicate same = {},
                                                    Function f = {}) {
    check_scan_by_key<Number>();
    return stock::inclusive_scan_by_key(policy, first, last, values, result, same, f);
  }
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class Keys, class Result, class Init = Number, class Predicate = ::cuda::std::equal_to<>,
            class Function = ::cuda::std::plus<>, std::enable_if_t<!is_number_iterator<Keys>, int> = 0>
  THRUST_RNS_HD friend Result exclusive_scan_by_key(thrust::cuda::execution_policy<Derived>& policy, Keys first,
                                                    Keys last, Iterator values, Result result, Init init = Init(0),
                                                    Predicate same = {}, Function f = {}) {
    check_scan_by_key<Number>();
    return stock::exclusive_scan_by_key(policy, first, last, values, result, init, same, f);
  }
};

#endif

} // namespace detail
} // namespace thrust_rns
