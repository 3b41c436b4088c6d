// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Sizes of signed numbers: absolute values, the maximum norm, the sum of absolute values. In the unsigned range |X| = X.
///
///   absolute(x)                      |X| modulo M; checked_absolute(x, y) reports |-M/2| (M even), which is no value
///   absolute_value                   that as a functor
///   compare_magnitudes(x, y)         -1, 0, 1 as |X| <, =, > |Y|
///   max_norm([policy,] first, last)  the first element of largest |X|, and |X|
///   sum_of_magnitudes(...)           the sum of all |X|, with the number of times that it wraps
///
/// `sign(x)` is in convert.h; comparisons, `max_element` and the rest order signed numbers as they are.

#include <cstdint>
#include <type_traits>

#include <cuda/std/functional>

#include <thrust_rns/base_extension.h>
#include <thrust_rns/checked.h>
#include <thrust_rns/config.h>
#include <thrust_rns/convert.h>
#include <thrust_rns/extrema.h>
#include <thrust_rns/functional.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/number.h>

namespace thrust_rns {

/// |X|, modulo M: -M/2, which M even has, stays itself. Host and device; one evaluation.
///
/// @code
/// using number = thrust_rns::number<thrust_rns::moduli_for_bits<256>, thrust_rns::symmetric_range>;
/// std::cout << thrust_rns::absolute(number(-7)) << ' ' << thrust_rns::compare_magnitudes(number(-7), number(5)) << '\n';  // prints 7 1
/// @endcode
template <class Base, class Range>
THRUST_RNS_HD number<Base, Range> absolute(const number<Base, Range>& x) {
  return detail::is_negative(x) ? -x : x;
}

/// y := |x| modulo M; true if |X| is outside the range, that is X = -M/2.
template <class Base, class Range>
THRUST_RNS_HD bool checked_absolute(const number<Base, Range>& x, number<Base, Range>& y) {
  y = absolute(x);
  return detail::is_negative(y);
}

/// absolute(x) as a function object, for `thrust::transform`.
struct absolute_value {
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class A>
  THRUST_RNS_HD auto operator()(const A& a) const {
    return absolute(detail::value_of(a));
  }
};

/// -1, 0, 1 as |X| <, =, > |Y|. Exact; |-M/2| counts as M/2. Host and device.
template <class Base, class Range>
THRUST_RNS_HD int compare_magnitudes(const number<Base, Range>& x, const number<Base, Range>& y) {
  if constexpr (number<Base, Range>::is_symmetric) { // in the half of the range that has -M/2, negative values
    const number<Base, Range> a = detail::is_negative(x) ? x : -x, b = detail::is_negative(y) ? y : -y;
    return compare(b, a);
  } else {
    return compare(x, y);
  }
}

/// The first element of largest magnitude. index -1: the range is empty.
template <class Number>
struct norm_result {
  std::int64_t index;
  Number value; // |X|, modulo M
};

/// The maximum norm of [first, last): max |X|, and the index of the first element that has it.
///
/// The element is the largest or the smallest of the range, both found in one pass over cached evaluations or residues
/// (extrema.h), compared exactly. On the policy's stream; returns when the result is known.
///
/// @code
/// using number = thrust_rns::number<thrust_rns::moduli_for_bits<256>, thrust_rns::symmetric_range>;
/// thrust_rns::device_vector<number> v{number(5), number(-9), number(9), number(-2)};
/// const auto norm = thrust_rns::max_norm(v.begin(), v.end());
/// std::cout << norm.index << ' ' << norm.value << ' ' << thrust_rns::sum_of_magnitudes(v.begin(), v.end()).value << '\n';
/// // prints 1 9 25
/// @endcode
template <class Policy, class T, class System>
norm_result<std::remove_const_t<T>> max_norm(const detail::any_policy<Policy>& exec, basic_iterator<T, System> first,
                                             basic_iterator<T, System> last) {
  using Number = std::remove_const_t<T>;
  if (first == last) return {-1, Number{}};
  constexpr auto extremes = Number::is_symmetric ? detail::wanted::both : detail::wanted::largest;
  const auto found = detail::find_extremes<extremes, System>(detail::derived_policy(exec), first, last);
  const Number largest = *found.largest;
  if constexpr (Number::is_symmetric) {
    const Number smallest = *found.smallest;
    const int order = compare_magnitudes(smallest, largest);
    if (order > 0 || (order == 0 && found.smallest - found.largest < 0)) {
      return {found.smallest - first, absolute(smallest)};
    }
  }
  return {found.largest - first, absolute(largest)};
}
template <class T, class System>
norm_result<std::remove_const_t<T>> max_norm(basic_iterator<T, System> first, basic_iterator<T, System> last) {
  return max_norm(System(), first, last);
}

/// The sum of all |X| as value + wraps M, like `checked_sum`. One pass over the residues; in the symmetric range, where signs must be
/// known, numbers are evaluated before if that has not been done. On the policy's stream; waits for the answer.
template <class Policy, class T, class System>
checked_total<std::remove_const_t<T>> sum_of_magnitudes(const detail::any_policy<Policy>& exec,
                                                        basic_iterator<T, System> first,
                                                        basic_iterator<T, System> last) {
  using Number = std::remove_const_t<T>;
  const auto total = detail::sum_checked<detail::summand::magnitude, Number, System>(
      detail::derived_policy(exec), detail::pair_places<Number>(first, first), last - first);
  return {total.value, total.wraps(), -1};
}
template <class T, class System>
checked_total<std::remove_const_t<T>> sum_of_magnitudes(basic_iterator<T, System> first,
                                                        basic_iterator<T, System> last) {
  return sum_of_magnitudes(System(), first, last);
}

} // namespace thrust_rns
