// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// `thrust::sort` and its kin, and `thrust::merge`, over vectors of numbers; `top_k`.
///
///   thrust::sort([policy,] first, last [, comp])                                 also stable_sort
///   thrust::sort_by_key([policy,] first, last, values [, comp])                  also stable_sort_by_key
///   thrust::merge([policy,] first1, last1, first2, last2, result [, comp])
///   thrust_rns::top_k([policy,] first, last, k, result [, comp])
///
/// Result: as Thrust's own. Every sort is stable; in a merge equal numbers of the first range come first. top_k writes the first
/// min(k, last - first) numbers of the order `comp`, by default the largest, largest first, and returns the end of what it wrote;
/// of equal numbers the earlier come first.
///
/// Iterators: those of `device_vector` and `host_vector`, sub-ranges at any offset; sort and stable_sort also take those of
/// `thrust::device_vector` and `thrust::host_vector` of numbers, `thrust::device_ptr` and plain pointers. Values may be any random
/// access iterator; merge takes this library's iterators, and its result must not overlap its inputs; so must not top_k's.
/// At most 2^32 - 2 numbers on the CUDA backend.
///
/// comp: `thrust_rns::less` or `greater`, or Thrust's or libcu++'s functors of those names. Any other comparator runs Thrust's own
/// algorithm over the same iterators.
///
/// Work: numbers without a cached evaluation are evaluated; keys of 8 bytes are sorted with the numbers' places; numbers whose keys
/// are too close are ordered exactly, by their differences from one of them, so that neighbours X, X + 1, ... and equal numbers
/// cost little more; then each residue is read and written twice. Cached evaluations move with their numbers. A merge finds each
/// number's place by binary search in the other range.
/// Memory beside the vectors: 56 bytes a number, from the policy's allocator, else from a pool that keeps it for the next call; for
/// values and whole numbers at least one copy of a word or value each.
/// Streams: work is queued on the policy's stream; returns when it is done, unless the policy is one of the nosync kind.
/// In device code the calls run sequentially in the calling thread.
///
/// @code
/// using number = thrust_rns::number<thrust_rns::moduli_for_bits<256>, thrust_rns::symmetric_range>;
/// thrust_rns::device_vector<number> v{number(5), number(-9), number(9)}, largest(2);
/// thrust_rns::top_k(v.begin(), v.end(), 2, largest.begin());
/// thrust::sort(thrust::device, v.begin(), v.end());
/// std::cout << v[0] << ' ' << v[2] << ' ' << largest[1] << '\n';  // prints -9 9 5
/// @endcode

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include <thrust/gather.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/merge.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/host_order.h>
#include <thrust_rns/detail/ordering.h>
#include <thrust_rns/detail/search_functors.h>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/functional.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/number.h>
#if THRUST_RNS_CUDA_BACKEND
#  include <thrust_rns/detail/cuda_order.cuh>
#endif

namespace thrust_rns {
namespace detail {

#if THRUST_RNS_CUDA_BACKEND
template <class System>
using order_steps = std::conditional_t<is_cuda_system<System>, cuda_order, host_order>;
#else
template <class System>
using order_steps = std::conditional_t<is_cuda_system<System>, void, host_order>; // clang wants System to be used
#endif

template <int Order>
using comparator_of = std::conditional_t<Order == 1, less, greater>;

// Each algorithm is a function for the host, and one that runs it there and Thrust's sequential algorithm in device code. The
// device compilation does not see what the host does; there the function is named, so that the compiler emits its kernels.

template <class System, int Order, class Policy, class Iterator>
void sort_from_host(Policy& exec, Iterator first, Iterator last) {
  using steps = order_steps<System>;
  const std::int64_t count = last - first;
  if (count <= 1) return;
  if constexpr (is_cuda_system<System>) {
    steps::sort(exec, first, count, Order < 0);
  } else {
    typename steps::template array<typename steps::place, Policy> places(exec, count);
    steps::find_order(exec, first, count, Order < 0, places.data());
    steps::permute(exec, first, places.data(), count);
  }
  steps::finish(exec);
}

THRUST_RNS_EXEC_CHECK_DISABLE
template <class System, int Order, class Policy, class Iterator>
THRUST_RNS_HD void sort_numbers(Policy& exec, Iterator first, Iterator last) {
#if defined(__CUDA_ARCH__)
  static_cast<void>(exec);
  if constexpr (is_cuda_system<System>) static_cast<void>(&sort_from_host<System, Order, Policy, Iterator>);
  thrust::stable_sort(thrust::seq, first, last, comparator_of<Order>{});
#else
  sort_from_host<System, Order>(exec, first, last);
#endif
}

template <class System, int Order, class Policy, class Iterator, class Values>
void sort_by_key_from_host(Policy& exec, Iterator first, Iterator last, Values values) {
  using steps = order_steps<System>;
  const std::int64_t count = last - first;
  if (count <= 1) return;
  typename steps::template array<typename steps::place, Policy> places(exec, count);
  steps::find_order(exec, first, count, Order < 0, places.data());
  steps::permute(exec, first, places.data(), count);
  steps::permute(exec, values, places.data(), count);
  steps::finish(exec);
}

THRUST_RNS_EXEC_CHECK_DISABLE
template <class System, int Order, class Policy, class Iterator, class Values>
THRUST_RNS_HD void sort_numbers_by_key(Policy& exec, Iterator first, Iterator last, Values values) {
#if defined(__CUDA_ARCH__)
  static_cast<void>(exec);
  if constexpr (is_cuda_system<System>) {
    static_cast<void>(&sort_by_key_from_host<System, Order, Policy, Iterator, Values>);
  }
  thrust::stable_sort_by_key(thrust::seq, first, last, values, comparator_of<Order>{});
#else
  sort_by_key_from_host<System, Order>(exec, first, last, values);
#endif
}

/// Where the merge puts each number of one range: as many places on as numbers of the other come before it.
template <class System, int Order, search_for Bound, class Policy, class Iterator1, class Iterator2, class Result>
void merge_one_range(Policy& exec, Iterator1 first, std::int64_t count, Iterator2 other, std::int64_t other_count,
                     Result result) {
  using steps = order_steps<System>;
  using place = typename steps::place;
  using number = typename thrust::iterator_traits<Iterator1>::value_type;
  if (count == 0) return;
  typename steps::template array<place, Policy> places(exec, count);
  const thrust::counting_iterator<std::int64_t> index(0);
  steps::with_policy_for(count, exec, [&](auto& policy) {
    return thrust::transform(policy, index, index + count, thrust::pointer<place, System>(places.data()),
                             place_after<number, Order, Bound>{{view_of(other), other_count}, view_of(first)});
  });
  steps::scatter(exec, first, places.data(), count, result);
}

template <class System, int Order, class Policy, class Iterator1, class Iterator2, class Result>
Result merge_from_host(Policy& exec, Iterator1 first1, Iterator1 last1, Iterator2 first2, Iterator2 last2,
                       Result result) {
  using steps = order_steps<System>;
  const std::int64_t count1 = last1 - first1, count2 = last2 - first2;
  steps::evaluate(exec, first1, count1);
  steps::evaluate(exec, first2, count2);
  merge_one_range<System, Order, search_for::lower_bound>(exec, first1, count1, first2, count2, result);
  merge_one_range<System, Order, search_for::upper_bound>(exec, first2, count2, first1, count1, result);
  steps::finish(exec);
  return result + (count1 + count2);
}

THRUST_RNS_EXEC_CHECK_DISABLE
template <class System, int Order, class Policy, class Iterator1, class Iterator2, class Result>
THRUST_RNS_HD Result merge_numbers(Policy& exec, Iterator1 first1, Iterator1 last1, Iterator2 first2, Iterator2 last2,
                                   Result result) {
#if defined(__CUDA_ARCH__)
  static_cast<void>(exec);
  if constexpr (is_cuda_system<System>) {
    static_cast<void>(&merge_from_host<System, Order, Policy, Iterator1, Iterator2, Result>);
  }
  return thrust::merge(thrust::seq, first1, last1, first2, last2, result, comparator_of<Order>{});
#else
  return merge_from_host<System, Order>(exec, first1, last1, first2, last2, result);
#endif
}

template <class System, int Order, class Policy, class T, class Result>
Result first_in_order(Policy& exec, basic_iterator<T, System> first, std::int64_t count, std::int64_t k,
                      Result result) {
  using steps = order_steps<System>;
  using place = typename steps::place;
  k = std::min(k, count);
  if (k <= 0) return result;
  typename steps::template array<place, Policy> places(exec, count);
  steps::find_order(exec, first, count, Order < 0, places.data());
  if constexpr (is_planes_of<Result, std::remove_const_t<T>, System>) {
    steps::gather(exec, first, places.data(), k, result);
  } else {
    const thrust::pointer<place, System> map(places.data());
    thrust::gather(exec, map, map + k, first, result);
  }
  steps::finish(exec);
  return result + k;
}

} // namespace detail

/// The k numbers that come first in an order, in order: see the head of this file. Host code only.
template <class Derived, class T, class System, class Result, class Compare = greater>
Result top_k(const thrust::detail::execution_policy_base<Derived>& policy, basic_iterator<T, System> first,
             basic_iterator<T, System> last, std::int64_t k, Result result, Compare = {}) {
  constexpr int order = detail::order_of<Compare, std::remove_const_t<T>>;
  static_assert(order != 0,
                "thrust_rns: the comparator of top_k is thrust_rns::less or greater, or Thrust's of these names");
  Derived exec = thrust::detail::derived_cast(policy);
  return detail::first_in_order<System, order>(exec, first, last - first, k, result);
}
template <class T, class System, class Result, class Compare = greater>
Result top_k(basic_iterator<T, System> first, basic_iterator<T, System> last, std::int64_t k, Result result,
             Compare compare = {}) {
  return top_k(System(), first, last, k, result, compare);
}

} // namespace thrust_rns
