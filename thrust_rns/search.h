// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Thrust's binary searches, `is_sorted` and `is_sorted_until` over vectors of numbers.
///
///   thrust::lower_bound([policy,] first, last, x [, comp])                  also upper_bound, binary_search, equal_range
///   thrust::lower_bound([policy,] first, last, values, values_last, result [, comp])    also upper_bound, binary_search
///   thrust::is_sorted([policy,] first, last [, comp])                       also is_sorted_until
///
/// Result: as Thrust's own; exact. `x` is a number of the vector's type, a reference to one, or an integer that converts to it
/// (wrapped where it is outside the range).
/// With values, result[j] is the place, or 1 or 0, for number j of [values, values_last), which are of the vector's number type: in
/// a vector of the same backend, or whole numbers one after another in memory of the same kind.
///
/// comp, streams, device code: as in sort.h; lower_bound and its kin return when the results are written.
///
/// Work: a search compares keys of 8 bytes, and residues only where keys are too close. Where there are many values to search for,
/// numbers of the range without a cached evaluation are all evaluated first, if they have room to keep it; else each is evaluated
/// when it is met.
///
/// @code
/// using number = thrust_rns::number<thrust_rns::moduli_for_bits<256>>;
/// thrust_rns::device_vector<number> v{number(2), number(3), number(3), number(7)};
/// thrust_rns::device_vector<number> wanted{number(3), number(8)};
/// thrust::device_vector<int> place(2);
/// thrust::lower_bound(v.begin(), v.end(), wanted.begin(), wanted.end(), place.begin());
/// auto equal = thrust::equal_range(v.begin(), v.end(), number(3));
/// std::cout << place[0] << ' ' << place[1] << ' ' << equal.second - equal.first << '\n';  // prints 1 4 2
/// @endcode

#include <cstdint>
#include <type_traits>

#include <cuda/functional>

#include <thrust/binary_search.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/memory.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/ordering.h>
#include <thrust_rns/detail/search_functors.h>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/number.h>
#include <thrust_rns/sort.h>

namespace thrust_rns {
namespace detail {

template <class System, int Order, search_for What, class Policy, class Iterator, class Number>
std::int64_t search_from_host(Policy& exec, Iterator first, Iterator last, const Number& x) {
  const search_for_number<Number, Order, What> search{
      {view_of(first), last - first}, x, evaluate_key<Number>(residues_of<Number>{x})};
  if constexpr (is_cuda_system<System>) {
    using steps = order_steps<System>;
    typename steps::template array<std::int64_t, Policy> answer(exec, 1);
    const thrust::counting_iterator<std::int64_t> index(0);
    thrust::transform(exec, index, index + 1, thrust::pointer<std::int64_t, System>(answer.data()), search);
    return steps::read(exec, answer.data());
  } else {
    return search(0);
  }
}

THRUST_RNS_EXEC_CHECK_DISABLE
template <class System, int Order, search_for What, class Policy, class Iterator, class Number>
THRUST_RNS_HD std::int64_t search_number(Policy& exec, Iterator first, Iterator last, const Number& x) {
#if defined(__CUDA_ARCH__)
  static_cast<void>(exec);
  if constexpr (is_cuda_system<System>) {
    static_cast<void>(&search_from_host<System, Order, What, Policy, Iterator, Number>);
  }
  const search_for_number<Number, Order, What> search{
      {view_of(first), last - first}, x, evaluate_apart<Number>(residues_of<Number>{x})};
  return search(0);
#else
  return search_from_host<System, Order, What>(exec, first, last, x);
#endif
}

template <class System, int Order, search_for What, class Policy, class Iterator, class Values, class Result>
Result search_many_from_host(Policy& exec, Iterator first, Iterator last, Values values, Values values_last,
                             Result result) {
  using number = typename thrust::iterator_traits<Iterator>::value_type;
  constexpr std::int64_t searches_like_one_pass = 8; // a search meets some 20 elements, in no order
  const std::int64_t count = last - first, wanted = values_last - values;
  if (wanted >= count / searches_like_one_pass) order_steps<System>::evaluate(exec, first, count);
  const thrust::counting_iterator<std::int64_t> index(0);
  return order_steps<System>::with_policy_for(wanted, exec, [&](auto& policy) {
    return thrust::transform(policy, index, index + wanted, result,
                             search_for_element<number, Order, What>{{view_of(first), count}, view_of(values)});
  });
}

THRUST_RNS_EXEC_CHECK_DISABLE
template <class System, int Order, search_for What, class Policy, class Iterator, class Values, class Result>
THRUST_RNS_HD Result search_numbers(Policy& exec, Iterator first, Iterator last, Values values, Values values_last,
                                    Result result) {
#if defined(__CUDA_ARCH__)
  static_cast<void>(exec);
  if constexpr (is_cuda_system<System>) {
    static_cast<void>(&search_many_from_host<System, Order, What, Policy, Iterator, Values, Result>);
  }
  using number = typename thrust::iterator_traits<Iterator>::value_type;
  const search_for_element<number, Order, What> search{{view_of(first), last - first}, view_of(values)};
  for (std::int64_t j = 0; j < values_last - values; ++j, ++result) *result = search(j);
  return result;
#else
  return search_many_from_host<System, Order, What>(exec, first, last, values, values_last, result);
#endif
}

template <class System, int Order, class Policy, class Iterator>
Iterator sorted_until_from_host(Policy& exec, Iterator first, Iterator last) {
  using number = typename thrust::iterator_traits<Iterator>::value_type;
  const std::int64_t count = last - first;
  if (count < 2) return last;
  order_steps<System>::evaluate(exec, first, count);
  const thrust::counting_iterator<std::int64_t> index(0);
  return order_steps<System>::with_policy_for(count, exec, [&](auto& policy) {
    return first + thrust::transform_reduce(policy, index + 1, index + count,
                                            break_of_order<number, Order>{view_of(first), count}, count,
                                            ::cuda::minimum<std::int64_t>());
  });
}

THRUST_RNS_EXEC_CHECK_DISABLE
template <class System, int Order, class Policy, class Iterator>
THRUST_RNS_HD Iterator sorted_until(Policy& exec, Iterator first, Iterator last) {
#if defined(__CUDA_ARCH__)
  static_cast<void>(exec);
  if constexpr (is_cuda_system<System>) {
    static_cast<void>(&sorted_until_from_host<System, Order, Policy, Iterator>);
  }
  return thrust::is_sorted_until(thrust::seq, first, last, comparator_of<Order>{});
#else
  return sorted_until_from_host<System, Order>(exec, first, last);
#endif
}

} // namespace detail
} // namespace thrust_rns
