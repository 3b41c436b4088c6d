// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// The overloads of iterator.h for arrays of whole numbers: thrust::device_vector<number<...>>, thrust::host_vector, and
/// pointers. Include device_vector.h or host_vector.h in every file that makes such calls, so that all mean the same.

#include <type_traits>

#include <thrust/device_ptr.h>
#include <thrust/pair.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/extrema.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/number.h>
#include <thrust_rns/reduce.h>
#include <thrust_rns/sort.h>

namespace thrust_rns {
namespace detail {

template <class T>
using if_number = std::enable_if_t<is_number<std::remove_const_t<T>>, int>;
template <class Compare, class T>
using if_order =
    std::enable_if_t<is_number<std::remove_const_t<T>> && order_of<Compare, std::remove_const_t<T>> != 0, int>;
template <class Function, class T>
using if_reduction = std::enable_if_t<is_number<std::remove_const_t<T>> &&
                                          reduction_of<Function, std::remove_const_t<T>> != reduction::unknown &&
                                          reduction_of<Function, std::remove_const_t<T>> != reduction::product,
                                      int>;

} // namespace detail

// Three forms of iterator and two of policy want the same eleven functions; `...` is the form of the iterator, of T.
#define THRUST_RNS_ARRAY_OVERLOADS(system, ...)                                                                        \
  THRUST_RNS_EXEC_CHECK_DISABLE                                                                                        \
  template <class Derived, class T, detail::if_number<T> = 0>                                                          \
  THRUST_RNS_HD __VA_ARGS__ max_element(detail::policy_of<system>::base<Derived>& exec, __VA_ARGS__ first,             \
                                        __VA_ARGS__ last) {                                                            \
    return detail::find_extreme<system, 1, true>(static_cast<Derived&>(exec), first, last);                            \
  }                                                                                                                    \
  THRUST_RNS_EXEC_CHECK_DISABLE                                                                                        \
  template <class Derived, class T, class Compare, detail::if_order<Compare, T> = 0>                                   \
  THRUST_RNS_HD __VA_ARGS__ max_element(detail::policy_of<system>::base<Derived>& exec, __VA_ARGS__ first,             \
                                        __VA_ARGS__ last, Compare) {                                                   \
    return detail::find_extreme<system, detail::order_of<Compare, std::remove_const_t<T>>, true>(                      \
        static_cast<Derived&>(exec), first, last);                                                                     \
  }                                                                                                                    \
  THRUST_RNS_EXEC_CHECK_DISABLE                                                                                        \
  template <class Derived, class T, detail::if_number<T> = 0>                                                          \
  THRUST_RNS_HD __VA_ARGS__ min_element(detail::policy_of<system>::base<Derived>& exec, __VA_ARGS__ first,             \
                                        __VA_ARGS__ last) {                                                            \
    return detail::find_extreme<system, 1, false>(static_cast<Derived&>(exec), first, last);                           \
  }                                                                                                                    \
  THRUST_RNS_EXEC_CHECK_DISABLE                                                                                        \
  template <class Derived, class T, class Compare, detail::if_order<Compare, T> = 0>                                   \
  THRUST_RNS_HD __VA_ARGS__ min_element(detail::policy_of<system>::base<Derived>& exec, __VA_ARGS__ first,             \
                                        __VA_ARGS__ last, Compare) {                                                   \
    return detail::find_extreme<system, detail::order_of<Compare, std::remove_const_t<T>>, false>(                     \
        static_cast<Derived&>(exec), first, last);                                                                     \
  }                                                                                                                    \
  THRUST_RNS_EXEC_CHECK_DISABLE                                                                                        \
  template <class Derived, class T, detail::if_number<T> = 0>                                                          \
  THRUST_RNS_HD thrust::pair<__VA_ARGS__, __VA_ARGS__> minmax_element(detail::policy_of<system>::base<Derived>& exec,  \
                                                                      __VA_ARGS__ first, __VA_ARGS__ last) {           \
    return detail::find_both<system, 1>(static_cast<Derived&>(exec), first, last);                                     \
  }                                                                                                                    \
  THRUST_RNS_EXEC_CHECK_DISABLE                                                                                        \
  template <class Derived, class T, class Compare, detail::if_order<Compare, T> = 0>                                   \
  THRUST_RNS_HD thrust::pair<__VA_ARGS__, __VA_ARGS__> minmax_element(detail::policy_of<system>::base<Derived>& exec,  \
                                                                      __VA_ARGS__ first, __VA_ARGS__ last, Compare) {  \
    return detail::find_both<system, detail::order_of<Compare, std::remove_const_t<T>>>(static_cast<Derived&>(exec),   \
                                                                                        first, last);                  \
  }                                                                                                                    \
  THRUST_RNS_EXEC_CHECK_DISABLE                                                                                        \
  template <class Derived, class T, class Compare = less, detail::if_order<Compare, T> = 0>                            \
  THRUST_RNS_HD void sort(detail::policy_of<system>::base<Derived>& exec, __VA_ARGS__ first, __VA_ARGS__ last,         \
                          Compare = {}) {                                                                              \
    detail::sort_numbers<system, detail::order_of<Compare, T>>(static_cast<Derived&>(exec), first, last);              \
  }                                                                                                                    \
  THRUST_RNS_EXEC_CHECK_DISABLE                                                                                        \
  template <class Derived, class T, class Compare = less, detail::if_order<Compare, T> = 0>                            \
  THRUST_RNS_HD void stable_sort(detail::policy_of<system>::base<Derived>& exec, __VA_ARGS__ first, __VA_ARGS__ last,  \
                                 Compare = {}) {                                                                       \
    detail::sort_numbers<system, detail::order_of<Compare, T>>(static_cast<Derived&>(exec), first, last);              \
  }                                                                                                                    \
  THRUST_RNS_EXEC_CHECK_DISABLE                                                                                        \
  template <class Derived, class T, detail::if_number<T> = 0>                                                          \
  THRUST_RNS_HD std::remove_const_t<T> reduce(detail::policy_of<system>::base<Derived>& exec, __VA_ARGS__ first,       \
                                              __VA_ARGS__ last) {                                                      \
    using number = std::remove_const_t<T>;                                                                             \
    return detail::reduce_numbers<detail::reduction::sum, system, number>(static_cast<Derived&>(exec), first, last,    \
                                                                          number(0));                                  \
  }                                                                                                                    \
  THRUST_RNS_EXEC_CHECK_DISABLE                                                                                        \
  template <class Derived, class T, class Init, detail::if_number<T> = 0>                                              \
  THRUST_RNS_HD std::remove_const_t<T> reduce(detail::policy_of<system>::base<Derived>& exec, __VA_ARGS__ first,       \
                                              __VA_ARGS__ last, Init init) {                                           \
    using number = std::remove_const_t<T>;                                                                             \
    detail::check_init<Init, number>();                                                                                \
    return detail::reduce_numbers<detail::reduction::sum, system, number>(static_cast<Derived&>(exec), first, last,    \
                                                                          init);                                       \
  }                                                                                                                    \
  THRUST_RNS_EXEC_CHECK_DISABLE                                                                                        \
  template <class Derived, class T, class Init, class Function, detail::if_reduction<Function, T> = 0>                 \
  THRUST_RNS_HD std::remove_const_t<T> reduce(detail::policy_of<system>::base<Derived>& exec, __VA_ARGS__ first,       \
                                              __VA_ARGS__ last, Init init, Function) {                                 \
    using number = std::remove_const_t<T>;                                                                             \
    detail::check_init<Init, number>();                                                                                \
    return detail::reduce_numbers<detail::reduction_of<Function, number>, system, number>(static_cast<Derived&>(exec), \
                                                                                          first, last, init);          \
  }

THRUST_RNS_ARRAY_OVERLOADS(thrust::device_system_tag, detail::vector_iterator<thrust::device_ptr<T>>)
THRUST_RNS_ARRAY_OVERLOADS(thrust::device_system_tag, thrust::device_ptr<T>)
THRUST_RNS_ARRAY_OVERLOADS(thrust::device_system_tag, T*)
THRUST_RNS_ARRAY_OVERLOADS(thrust::host_system_tag, detail::vector_iterator<T*>)
#if THRUST_DEVICE_SYSTEM != THRUST_DEVICE_SYSTEM_CPP
THRUST_RNS_ARRAY_OVERLOADS(thrust::host_system_tag, T*)
#endif

#undef THRUST_RNS_ARRAY_OVERLOADS

} // namespace thrust_rns
