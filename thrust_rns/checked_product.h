// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// The product of a range, and whether the integer product is a value of the type.

#include <cstddef>
#include <type_traits>

#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/reduce.h>

#include <thrust_rns/checked.h>
#include <thrust_rns/config.h>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/device_vector.h>
#include <thrust_rns/functional.h>
#include <thrust_rns/host_vector.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/moduli_set.h>
#include <thrust_rns/number.h>
#include <thrust_rns/reduce.h>
#include <thrust_rns/select.h>

namespace thrust_rns {

/// A product modulo M; overflow: whether the integer product is outside the range.
template <class Number>
struct checked_product_result {
  Number value;
  bool overflow;
};

/// The product of [first, last), 1 for an empty range, and whether it overflows: the integer product of all elements counts, so a
/// zero anywhere makes it 0, whatever the others are.
///
/// Exact: a product of as many elements beyond -1, 0 and 1 as M has bits is outside the range; fewer of them are brought to the host
/// and multiplied there, checked one by one. One pass over the residues for the product, one for evaluations that are not cached
/// yet, and up to four over the evaluations. On the policy's stream; waits for the answer. Memory: those few elements.
///
/// @code
/// #include <thrust_rns/checked_product.h>
/// using number = thrust_rns::number<thrust_rns::moduli_set<13, 7, 16>, thrust_rns::symmetric_range>;  // -728 .. 727
/// thrust_rns::device_vector<number> v{number(-91), number(1), number(8)};
/// const auto p = thrust_rns::checked_product(v.begin(), v.end());
/// v[1] = -1;
/// const auto q = thrust_rns::checked_product(v.begin(), v.end());
/// std::cout << p.value << ' ' << p.overflow << ' ' << q.value << ' ' << q.overflow << '\n';  // prints -728 0 -728 1
/// @endcode
template <class Policy, class T, class System>
checked_product_result<std::remove_const_t<T>> checked_product(const detail::any_policy<Policy>& exec,
                                                               basic_iterator<T, System> first,
                                                               basic_iterator<T, System> last) {
  using Number = std::remove_const_t<T>;
  using vector =
      std::conditional_t<std::is_same_v<System, thrust::device_system_tag>, device_vector<Number>, host_vector<Number>>;
  auto& policy = detail::derived_policy(exec);
  const auto count = [&](const auto& threshold) { return thrust::count_if(policy, first, last, threshold); };
  const Number value = thrust::reduce(policy, first, last, Number(1), multiplies());
  const auto positive = count(greater_than(Number(0)));
  if (count(at_least(Number(0))) != positive) return {value, false}; // a zero

  auto large = count(at_least(Number(2)));
  if constexpr (Number::is_symmetric) large += count(at_most(Number(-2)));
  if (large >= dynamic_range_bits<typename Number::base_type>) return {value, true}; // at least 2^large > M
  vector few(static_cast<std::size_t>(large));
  const auto end = thrust::copy_if(policy, first, last, few.begin(), at_least(Number(2)));
  if constexpr (Number::is_symmetric) thrust::copy_if(policy, first, last, end, at_most(Number(-2)));

  if constexpr (!Number::is_symmetric) {
    Number product(1);
    for (const Number& x : few.to_vector()) {
      if (checked_multiply(product, x, product)) return {value, true};
    }
  } else { // of magnitudes, and less than 0: -M/2 is a value and M/2, with M even, is not
    Number product(-1);
    for (const Number& x : few.to_vector()) {
      Number magnitude = x;
      if (x < 0 && checked_negate(x, magnitude)) { // x = -M/2
        if (product != -1) return {value, true};
        product = x;
      } else if (checked_multiply(product, magnitude, product)) {
        return {value, true};
      }
    }
    const bool negative = (last - first - positive) % 2 != 0;
    if (!negative && checked_negate(product, product)) return {value, true};
  }
  return {value, false};
}
template <class T, class System>
checked_product_result<std::remove_const_t<T>> checked_product(basic_iterator<T, System> first,
                                                               basic_iterator<T, System> last) {
  return checked_product(System(), first, last);
}

} // namespace thrust_rns
