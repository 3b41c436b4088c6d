// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// The algorithms over numbers that go plane by plane and that argument-dependent lookup finds through the iterator they
/// write to or read from; a base of basic_iterator, like algorithm_overloads.

#include <cstdint>
#include <type_traits>
#include <utility>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/residue_functions.h>
#include <thrust_rns/detail/thrust_compat.h>

#include <cuda/std/tuple>

#include <thrust/iterator/zip_iterator.h>
#include <thrust/pair.h>

namespace thrust_rns {

template <class T, class System>
class basic_iterator;

namespace detail {

/// Whether an iterator gives numbers of this type from planes in the memory of System, or one number again and again.
template <class Iterator, class Number, class System, class = void>
inline constexpr bool is_operand = false;
template <class Number, class System>
inline constexpr bool is_operand<basic_iterator<Number, System>, Number, System, void> = true;
template <class Number, class System>
inline constexpr bool is_operand<basic_iterator<const Number, System>, Number, System, void> = true;
template <class Iterator, class Number, class System>
inline constexpr bool
    is_operand<Iterator, Number, System, std::enable_if_t<std::is_same_v<constant_behind_t<Iterator>, Number>>> = true;

/// The operand behind an iterator, or behind a number.
template <class Number, class T, class System>
THRUST_RNS_HD plane_operand operand_of(const basic_iterator<T, System>& x) {
  return {x.underlying_span().plane(0) + x.index(), x.underlying_span().stride()};
}
template <class Number, class Iterator, std::enable_if_t<std::is_same_v<constant_behind_t<Iterator>, Number>, int> = 0>
THRUST_RNS_HD constant_operand<Number> operand_of(const Iterator& x) {
  return {*x};
}
template <class Number>
THRUST_RNS_HD constant_operand<Number> operand_of(const Number& x) {
  return {x};
}
template <class Number, class Input>
using operand = decltype(operand_of<Number>(std::declval<const Input&>()));

template <class Function, class Number, class System, class... Inputs>
using if_operation = std::enable_if_t<!std::is_void_v<Function> && (... && is_operand<Inputs, Number, System>), int>;

// Defined in transform.h.
template <class Function, class System, class Policy, class Iterator, class... Inputs>
THRUST_RNS_HD void transform_numbers(Policy& exec, std::int64_t count, Iterator result, Inputs... first);

/// Whether an iterator walks over numbers of this type in planes.
template <class Iterator, class Number, class System>
inline constexpr bool is_over_planes = std::is_same_v<Iterator, basic_iterator<Number, System>> ||
                                       std::is_same_v<Iterator, basic_iterator<const Number, System>>;

/// Scans other than products, of planes.
template <class Function, class Number, class System, class Input, class Init = Number>
using if_scan = std::enable_if_t<is_over_planes<Input, Number, System> && std::is_same_v<Init, Number> &&
                                     reduction_of<Function, Number> != reduction::unknown &&
                                     reduction_of<Function, Number> != reduction::product,
                                 int>;

// Defined in scan.h; init may be null if Inclusive.
template <reduction Kind, bool Inclusive, class System, class Policy, class Input, class Iterator, class Number>
THRUST_RNS_HD void scan_numbers(Policy& exec, std::int64_t count, Input first, Iterator result, const Number* init);

template <class Plus, class Multiplies, class Number, class System, class Second, class Init>
using if_inner_product = std::enable_if_t<is_operand<Second, Number, System> && std::is_same_v<Init, Number> &&
                                              reduction_of<Plus, Number> == reduction::sum &&
                                              reduction_of<Multiplies, Number> == reduction::product,
                                          int>;

/// Sums and extrema of numbers under keys of another kind.
template <class Function, class Number, class System, class Keys>
using if_by_key =
    std::enable_if_t<!is_over_planes<Keys, Number, System> && reduction_of<Function, Number> != reduction::unknown &&
                         reduction_of<Function, Number> != reduction::product,
                     int>;

// Defined in reduce_by_key.h.
template <reduction Kind, class System, class Number, class Policy, class Keys, class Iterator, class KeysOut,
          class ValuesOut, class Predicate>
THRUST_RNS_HD thrust::pair<KeysOut, ValuesOut> reduce_numbers_by_key(Policy& exec, Keys first, Keys last,
                                                                     Iterator values, KeysOut keys_out,
                                                                     ValuesOut values_out, Predicate same);

// Defined in inner_product.h.
template <class System, class Number, class Policy, class Iterator, class Second>
THRUST_RNS_HD Number inner_product_of_numbers(Policy& exec, std::int64_t count, Iterator first, Second second,
                                              const Number& init);
template <class System, class Number, class Policy, class Iterator>
THRUST_RNS_HD Number product_of_numbers(Policy& exec, std::int64_t count, Iterator first, const Number& init);

template <class Iterator, class T, class System, template <class> class Policy>
struct elementwise_overloads {
  // ---- transform.h ----
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class A, class Function, if_operation<unary_residue_function<Function, T>, T, System, A> = 0>
  THRUST_RNS_HD friend Iterator transform(Policy<Derived>& exec, A first, A last, Iterator result, Function) {
    const auto count = last - first;
    transform_numbers<unary_residue_function<Function, T>, System>(static_cast<Derived&>(exec), count, result, first);
    return result + count;
  }
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class A, class B, class Function,
            if_operation<binary_residue_function<Function, T>, T, System, A, B> = 0>
  THRUST_RNS_HD friend Iterator transform(Policy<Derived>& exec, A first, A last, B second, Iterator result, Function) {
    const auto count = last - first;
    transform_numbers<binary_residue_function<Function, T>, System>(static_cast<Derived&>(exec), count, result, first,
                                                                    second);
    return result + count;
  }
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class A, class B, class C, class Function,
            if_operation<ternary_residue_function<Function>, T, System, A, B, C> = 0>
  THRUST_RNS_HD friend Iterator transform(Policy<Derived>& exec,
                                          thrust::zip_iterator<::cuda::std::tuple<A, B, C>> first,
                                          thrust::zip_iterator<::cuda::std::tuple<A, B, C>> last, Iterator result,
                                          Function) {
    const auto count = last - first;
    const auto& operands = first.get_iterator_tuple();
    transform_numbers<ternary_residue_function<Function>, System>(
        static_cast<Derived&>(exec), count, result, ::cuda::std::get<0>(operands), ::cuda::std::get<1>(operands),
        ::cuda::std::get<2>(operands));
    return result + count;
  }

  // ---- scan.h ----
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class Input, if_scan<plus, T, System, Input> = 0>
  THRUST_RNS_HD friend Iterator inclusive_scan(Policy<Derived>& exec, Input first, Input last, Iterator result) {
    const T* none = nullptr;
    scan_numbers<reduction::sum, true, System>(static_cast<Derived&>(exec), last - first, first, result, none);
    return result + (last - first);
  }
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class Input, class Function, if_scan<Function, T, System, Input> = 0>
  THRUST_RNS_HD friend Iterator inclusive_scan(Policy<Derived>& exec, Input first, Input last, Iterator result,
                                               Function) {
    const T* none = nullptr;
    scan_numbers<reduction_of<Function, T>, true, System>(static_cast<Derived&>(exec), last - first, first, result,
                                                          none);
    return result + (last - first);
  }
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class Input, class Init, class Function, if_scan<Function, T, System, Input, Init> = 0>
  THRUST_RNS_HD friend Iterator inclusive_scan(Policy<Derived>& exec, Input first, Input last, Iterator result,
                                               Init init, Function) {
    scan_numbers<reduction_of<Function, T>, true, System>(static_cast<Derived&>(exec), last - first, first, result,
                                                          &init);
    return result + (last - first);
  }
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class Input, if_scan<plus, T, System, Input> = 0>
  THRUST_RNS_HD friend Iterator exclusive_scan(Policy<Derived>& exec, Input first, Input last, Iterator result) {
    const T zero{};
    scan_numbers<reduction::sum, false, System>(static_cast<Derived&>(exec), last - first, first, result, &zero);
    return result + (last - first);
  }
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class Input, class Init, if_scan<plus, T, System, Input, Init> = 0>
  THRUST_RNS_HD friend Iterator exclusive_scan(Policy<Derived>& exec, Input first, Input last, Iterator result,
                                               Init init) {
    scan_numbers<reduction::sum, false, System>(static_cast<Derived&>(exec), last - first, first, result, &init);
    return result + (last - first);
  }
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class Input, class Init, class Function, if_scan<Function, T, System, Input, Init> = 0>
  THRUST_RNS_HD friend Iterator exclusive_scan(Policy<Derived>& exec, Input first, Input last, Iterator result,
                                               Init init, Function) {
    scan_numbers<reduction_of<Function, T>, false, System>(static_cast<Derived&>(exec), last - first, first, result,
                                                           &init);
    return result + (last - first);
  }
};

/// Nothing is written through an iterator over const numbers.
template <class Iterator, class T, class System, template <class> class Policy>
struct elementwise_overloads<Iterator, const T, System, Policy> {};

/// Folds are found through the iterator that they read.
template <class Iterator, class T, class System, template <class> class Policy>
struct folding_overloads {
  // ---- inner_product.h ----
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class Second, class Init, if_inner_product<plus, multiplies, T, System, Second, Init> = 0>
  THRUST_RNS_HD friend T inner_product(Policy<Derived>& exec, Iterator first, Iterator last, Second second, Init init) {
    return inner_product_of_numbers<System, T>(static_cast<Derived&>(exec), last - first, first, second, init);
  }
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class Second, class Init, class Plus, class Multiplies,
            if_inner_product<Plus, Multiplies, T, System, Second, Init> = 0>
  THRUST_RNS_HD friend T inner_product(Policy<Derived>& exec, Iterator first, Iterator last, Second second, Init init,
                                       Plus, Multiplies) {
    return inner_product_of_numbers<System, T>(static_cast<Derived&>(exec), last - first, first, second, init);
  }

  // ---- reduce_by_key.h ----
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class Keys, class KeysOut, class Predicate = ::cuda::std::equal_to<>, class Function = plus,
            if_by_key<Function, T, System, Keys> = 0>
  THRUST_RNS_HD friend thrust::pair<KeysOut, basic_iterator<T, System>> reduce_by_key(
      Policy<Derived>& exec, Keys first, Keys last, Iterator values, KeysOut keys_out,
      basic_iterator<T, System> values_out, Predicate same = {}, Function = {}) {
    return reduce_numbers_by_key<reduction_of<Function, T>, System, T>(static_cast<Derived&>(exec), first, last, values,
                                                                       keys_out, values_out, same);
  }
};

template <class Iterator, class T, class System>
using folding_overloads_for =
    folding_overloads<Iterator, std::remove_const_t<T>, System, policy_of<System>::template base>;
template <class Iterator, class T, class System>
using elementwise_overloads_for = elementwise_overloads<Iterator, T, System, policy_of<System>::template base>;

} // namespace detail
} // namespace thrust_rns
