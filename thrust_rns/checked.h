// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Arithmetic that reports when it leaves the range. Reports are exact: an operation overflows exactly if the integer result is not
/// a value of the type; the wrapped result is given in any case.
///
///   checked_add(x, y, z)  checked_subtract  checked_multiply  checked_negate     z := x + y ...; whether it overflows
///   overflows<plus>{}(x, y), also minus, multiplies                              that alone, for Thrust calls
///   checked_transform([policy,] a_first, a_last, b_first, result, op)            vectors: index of the first overflow, or -1
///   checked_sum([policy,] first, last)                                           the sum and how often it wraps round
///   checked_inner_product([policy,] a_first, a_last, b_first)                    the same, and the first product that overflows
///
/// Method: the first pass of the interval evaluation places X and Y in the range to within 2^-56 of it; that decides unless the result is
/// as close to an end of the range, and then the exact sign of the wrapped result does. Products: the leading bits of |X| and |Y|
/// against those of M, next to M exactly by words.

#include <cstdint>
#include <type_traits>

#include <thrust_rns/config.h>
#include <thrust_rns/convert.h>
#include <thrust_rns/detail/checked_ranges.h>
#include <thrust_rns/detail/position.h>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/functional.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/number.h>

namespace thrust_rns {

/// z := x + y modulo M; true if X + Y is outside the range, as `__builtin_add_overflow`. z may be x or y. Host and device.
/// Cost: the sum and one first pass over each operand.
///
/// @code
/// using number = thrust_rns::number<thrust_rns::moduli_set<13, 7, 16>, thrust_rns::symmetric_range>;  // -728 .. 727
/// number z;
/// std::cout << thrust_rns::checked_add(number(700), number(27), z) << thrust_rns::checked_add(number(700), number(28), z)
///           << thrust_rns::checked_multiply(number(-91), number(8), z) << '\n';  // prints 010
/// @endcode
template <class Base, class Range>
THRUST_RNS_HD bool checked_add(const number<Base, Range>& x, const number<Base, Range>& y, number<Base, Range>& z) {
  using Number = number<Base, Range>;
  const bool outside = detail::is_outside_range<Number, detail::operation::sum>(detail::residues_of<Number>{x},
                                                                                detail::residues_of<Number>{y});
  z = x + y;
  return outside;
}

/// z := x - y modulo M; true if X - Y is outside the range. In the unsigned range: if X < Y.
template <class Base, class Range>
THRUST_RNS_HD bool checked_subtract(const number<Base, Range>& x, const number<Base, Range>& y,
                                    number<Base, Range>& z) {
  using Number = number<Base, Range>;
  const bool outside = detail::is_outside_range<Number, detail::operation::difference>(detail::residues_of<Number>{x},
                                                                                       detail::residues_of<Number>{y});
  z = x - y;
  return outside;
}

/// z := x y modulo M; true if X Y is outside the range. Operands far below M take more passes (interval.h) to find their size.
template <class Base, class Range>
THRUST_RNS_HD bool checked_multiply(const number<Base, Range>& x, const number<Base, Range>& y,
                                    number<Base, Range>& z) {
  using Number = number<Base, Range>;
  const bool outside = detail::is_outside_range<Number, detail::operation::product>(detail::residues_of<Number>{x},
                                                                                    detail::residues_of<Number>{y});
  z = x * y;
  return outside;
}

/// z := -x modulo M; true if -X is outside the range: X != 0 in the unsigned, X = -M/2 (M even) in the symmetric range.
template <class Base, class Range>
THRUST_RNS_HD bool checked_negate(const number<Base, Range>& x, number<Base, Range>& z) {
  return checked_subtract(number<Base, Range>(0), x, z);
}

/// Whether Operation (thrust_rns::plus, minus, multiplies or Thrust's functors of those names) of two numbers overflows.
template <class Operation>
struct overflows {
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class A, class B>
  THRUST_RNS_HD bool operator()(const A& a, const B& b) const {
    const auto& x = detail::value_of(a);
    const auto& y = detail::value_of(b);
    using Number = std::decay_t<decltype(x)>;
    static_assert(detail::operation_of<Operation, Number> != detail::operation::unknown,
                  "thrust_rns: overflows<Operation> knows plus, minus and multiplies");
    return detail::is_outside_range<Number, detail::operation_of<Operation, Number>>(detail::residues_of<Number>{x},
                                                                                     detail::residues_of<Number>{y});
  }
};

/// result[k] := a[k] op b[k] modulo M, op one of thrust_rns::plus, minus, multiplies or Thrust's functors of those names; returns the
/// index of the first k that overflows, or -1. All results are written.
///
/// Iterators are those of `device_vector` or `host_vector`. `result` may be a_first or b_first; otherwise the ranges do not
/// overlap. Work: one pass, 12 n bytes a number; multiplies evaluates the operands first, if that has not been done, keeps their
/// evaluations, and reads 16 bytes more a number. On the policy's stream; waits for the answer. Memory from the policy's allocator: some
/// bytes; multiplies one bit a number if it evaluates, and 8 bytes for each operand in a span without room for evaluations.
///
/// @code
/// using number = thrust_rns::number<thrust_rns::moduli_for_bits<512>>;
/// thrust_rns::device_vector<number> a{number(5), number(3), number(1)}, b{number(5), number(4), number(2)}, c(3);
/// std::cout << thrust_rns::checked_transform(a.begin(), a.end(), b.begin(), c.begin(), thrust_rns::minus()) << ' '
///           << thrust_rns::checked_transform(thrust::device, a.begin(), a.end(), b.begin(), c.begin(), thrust_rns::plus())
///           << ' ' << c[0] << '\n';  // prints 1 -1 10
/// @endcode
template <class Policy, class A, class B, class System, class Operation>
std::int64_t checked_transform(const detail::any_policy<Policy>& exec, basic_iterator<A, System> a_first,
                               basic_iterator<A, System> a_last, basic_iterator<B, System> b_first,
                               basic_iterator<std::remove_const_t<A>, System> result, Operation) {
  using Number = std::remove_const_t<A>;
  static_assert(std::is_same_v<Number, std::remove_const_t<B>>, "thrust_rns: the operands are numbers of one type");
  static_assert(detail::operation_of<Operation, Number> != detail::operation::unknown,
                "thrust_rns: checked_transform knows plus, minus and multiplies");
  return detail::transform_checked<detail::operation_of<Operation, Number>, System>(
      detail::derived_policy(exec), detail::binary_places<Number>(a_first, b_first, result), a_last - a_first);
}
template <class A, class B, class System, class Operation>
std::int64_t checked_transform(basic_iterator<A, System> a_first, basic_iterator<A, System> a_last,
                               basic_iterator<B, System> b_first, basic_iterator<std::remove_const_t<A>, System> result,
                               Operation op) {
  return checked_transform(System(), a_first, a_last, b_first, result, op);
}

/// A sum S of integers: S = value + wraps M, value in the range; it overflows if wraps != 0. first_overflow: of an inner product,
/// the index of the first product that is outside the range, or -1; then wraps counts those of the sum of wrapped products.
template <class Number>
struct checked_total {
  Number value;
  std::int64_t wraps;
  std::int64_t first_overflow;

  /// Whether the value is the exact result.
  THRUST_RNS_HD bool exact() const { return wraps == 0 && first_overflow < 0; }
};

/// The sum of [first, last) and how often it wraps. One pass over the residues; a second one and an evaluation, which is kept, for
/// unsigned ranges on a GPU with numbers below M/2^56 that have not been evaluated. On the policy's stream; waits for the answer.
/// Memory from the policy's allocator: some 100 kilobytes, and as checked_transform if it evaluates.
///
/// The positions of all numbers add up to S 2^64/M to within 138 units each, the value's own position is exact to as much, and their
/// difference is wraps 2^64: the nearest integer is it, for fewer than 2^55 numbers.
///
/// @code
/// using number = thrust_rns::number<thrust_rns::moduli_set<13, 7, 16>, thrust_rns::symmetric_range>;  // -728 .. 727
/// thrust_rns::device_vector<number> v(10, number(-700));
/// const auto s = thrust_rns::checked_sum(v.begin(), v.end());
/// std::cout << s.value << ' ' << s.wraps << '\n';  // prints 280 -5
/// @endcode
template <class Policy, class T, class System>
checked_total<std::remove_const_t<T>> checked_sum(const detail::any_policy<Policy>& exec,
                                                  basic_iterator<T, System> first, basic_iterator<T, System> last) {
  using Number = std::remove_const_t<T>;
  const auto total = detail::sum_checked<detail::summand::value, Number, System>(
      detail::derived_policy(exec), detail::pair_places<Number>(first, first), last - first);
  return {total.value, total.wraps(), -1};
}
template <class T, class System>
checked_total<std::remove_const_t<T>> checked_sum(basic_iterator<T, System> first, basic_iterator<T, System> last) {
  return checked_sum(System(), first, last);
}

/// The sum of a[k] b[k], checked product by product and as a sum. Reads each residue once; cached evaluations are used, and on a GPU
/// operands without them are evaluated first. Streams and memory as checked_sum.
template <class Policy, class A, class B, class System>
checked_total<std::remove_const_t<A>> checked_inner_product(const detail::any_policy<Policy>& exec,
                                                            basic_iterator<A, System> a_first,
                                                            basic_iterator<A, System> a_last,
                                                            basic_iterator<B, System> b_first) {
  using Number = std::remove_const_t<A>;
  static_assert(std::is_same_v<Number, std::remove_const_t<B>>, "thrust_rns: the operands are numbers of one type");
  const auto total = detail::sum_checked<detail::summand::product, Number, System>(
      detail::derived_policy(exec), detail::pair_places<Number>(a_first, b_first), a_last - a_first);
  return {total.value, total.wraps(), total.first_overflow()};
}
template <class A, class B, class System>
checked_total<std::remove_const_t<A>> checked_inner_product(basic_iterator<A, System> a_first,
                                                            basic_iterator<A, System> a_last,
                                                            basic_iterator<B, System> b_first) {
  return checked_inner_product(System(), a_first, a_last, b_first);
}

} // namespace thrust_rns
