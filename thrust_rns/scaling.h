// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Scaling: products with 2^k, and quotients by 2^k and by products of moduli of the base, rounded down or to the nearest integer.
///
///   multiply(x, power_of_two{k})         X 2^k modulo M
///   floor_divide(x, divisor)             floor(X / D): towards minus infinity, so floor_divide(-1, D) is -1
///   round_divide(x, divisor)             the integer nearest to X / D, of two equally near ones the even one
///   the same of vectors: f([policy,] first, last, result, divisor)
///
/// `divisor` is `power_of_two{k}`, k >= 0, or a `moduli_product<Base>`. X is the value in the range of x. Every result is exact and in
/// the range; nothing is assumed of X or of the moduli.
///
/// Method for 2^k: X mod 2^k as sum x_i c_i - r M in binary, with the exact rank r of the interval evaluation, then (X - X mod 2^k)
/// 2^-k modulo each m_i: about 2 n k/24 multiply-adds. For products of moduli: mixed radix, n (n - 1)/2 modular products and more.

#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <type_traits>

#include <thrust_rns/base_extension.h>
#include <thrust_rns/config.h>
#include <thrust_rns/detail/divide_by_moduli.h>
#include <thrust_rns/detail/divide_by_power.h>
#include <thrust_rns/detail/for_each_index.h>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/number.h>

namespace thrust_rns {

/// 2^exponent, exponent >= 0, as a factor or divisor; a negative exponent counts as 0. It may exceed the range: floor_divide then
/// gives 0 or -1.
struct power_of_two {
  int exponent;
};

/// A product P of moduli of a base, as a divisor. Made on the host; trivially copyable.
///
/// @code
/// using base = thrust_rns::moduli_set<13, 7, 16>;
/// using number = thrust_rns::number<base, thrust_rns::symmetric_range>;
/// const auto first_two = thrust_rns::moduli_product<base>::prefix(2);      // 13 7 = 91
/// const thrust_rns::moduli_product<base> others{2, 0};                     // 16 13 = 208
/// std::cout << thrust_rns::floor_divide(number(-100), first_two) << ' ' << thrust_rns::round_divide(number(-312), others) << '\n';
/// // prints -2 -2
/// @endcode
template <class Base>
class moduli_product {
 public:
  /// The product of Base::moduli[i] for the given i. Throws std::invalid_argument for an index outside the base or named twice.
  moduli_product(std::initializer_list<int> indices) {
    detail::array<bool, Base::size> taken{};
    for (const int i : indices) {
      if (i < 0 || i >= Base::size || taken[i]) {
        throw std::invalid_argument("thrust_rns: moduli_product takes different indices of moduli of the base");
      }
      taken[i] = true;
    }
    choose(taken);
  }
  /// The product of the first `count` moduli, 0 <= count <= Base::size; std::invalid_argument otherwise.
  static moduli_product prefix(int count) {
    if (count < 0 || count > Base::size) throw std::invalid_argument("thrust_rns: a base has no such number of moduli");
    moduli_product p{};
    detail::array<bool, Base::size> taken{};
    for (int i = 0; i < count; ++i) taken[i] = true;
    p.choose(taken);
    return p;
  }

  THRUST_RNS_HD const detail::moduli_order<Base>& order() const { return order_; }

 private:
  void choose(const detail::array<bool, Base::size>& taken) {
    order_.count = 0;
    int next = 0;
    for (const bool wanted : {true, false}) {
      for (int i = 0; i < Base::size; ++i) {
        if (taken[i] == wanted) order_.order[next++] = static_cast<std::uint16_t>(i);
      }
      if (wanted) order_.count = next;
    }
    for (int i = 0; i < Base::size; ++i) {
      const modulus m(Base::moduli[i]);
      order_.product[i] = 1;
      for (int t = 0; t < order_.count; ++t) {
        order_.product[i] = m.multiply(order_.product[i], m.reduce(Base::moduli[order_.order[t]]));
      }
    }
  }

  detail::moduli_order<Base> order_;
};

namespace detail {

/// f(x) for one number.
template <bool Nearest, class Base, class Range>
THRUST_RNS_HD number<Base, Range> divide(const number<Base, Range>& x, power_of_two d) {
  if (d.exponent <= 0) return x;
  using Number = number<Base, Range>;
  Number q{};
  const residues_of<Number> source[1] = {{x}};
  divide_by_power<Number, Nearest>(source, power_divisor<Base>(d.exponent), number_output<Number>{q});
  return q;
}
template <bool Nearest, class Base, class Range>
THRUST_RNS_HD number<Base, Range> divide(const number<Base, Range>& x, const moduli_product<Base>& p) {
  if constexpr (Nearest) {
    return round_by_moduli(x, p.order());
  } else {
    return floor_by_moduli(x, p.order());
  }
}

/// Where the elements of a transform of one vector lie.
template <class Number>
struct unary_places {
  span<const Number> in;
  std::int64_t in_first;
  span<Number> out;
  std::int64_t out_first;
};

/// out := in 2^k, where factor[i] = 2^k mod m_i.
template <class Number>
struct scale_elements {
  static constexpr int elements_together = 4, blocks_at_once = 8;
  unary_places<Number> at;
  array<std::uint32_t, Number::size> factor;

  template <int E>
  THRUST_RNS_HD void operator()(const element_group<E>& group) const {
    const group_input<E, Number> x(group, at.in, at.in_first);
    const auto out = outputs_at(group, at.out, at.out_first);
    THRUST_RNS_REPEAT(4)
    for (int i = 0; i < Number::size; ++i) {
      const modulus& m = moduli_of<typename Number::base_type>()[i];
      std::uint32_t r[E];
      for (int e = 0; e < E; ++e) r[e] = m.multiply(x.x[e](i), factor[i]);
      for (int e = 0; e < E; ++e) out(e, i, r[e]);
    }
  }
};

template <class Number, bool Nearest>
struct divide_elements_by_power {
  static constexpr int elements_together = 2, blocks_at_once = 5;
  unary_places<Number> at;
  power_divisor<typename Number::base_type> divisor;

  template <int E>
  THRUST_RNS_HD void operator()(const element_group<E>& group) const {
    const group_input<E, Number> x(group, at.in, at.in_first);
    divide_by_power<Number, Nearest>(x.x, divisor, outputs_at(group, at.out, at.out_first));
  }
};

template <class Number, bool Nearest>
struct divide_elements_by_moduli {
  static constexpr int elements_together = 1, blocks_at_once = 4;
  unary_places<Number> at;
  moduli_product<typename Number::base_type> divisor;

  THRUST_RNS_HD void operator()(const element_group<1>& group) const {
    const std::int64_t j = group.index[0];
    at.out.store(at.out_first + j, divide<Nearest>(at.in.load(at.in_first + j), divisor));
  }
};

template <class T, class System>
using iterator_of_numbers = basic_iterator<std::remove_const_t<T>, System>;

template <class Number>
array<std::uint32_t, Number::size> powers_of_two(int k) {
  array<std::uint32_t, Number::size> factor{};
  for (int i = 0; i < Number::size; ++i) {
    const modulus m(Number::base_type::moduli[i]);
    factor[i] = m.power(2 % m.value(), k < 0 ? 0 : static_cast<std::uint64_t>(k));
  }
  return factor;
}

template <bool Nearest, class Policy, class T, class System, class Divisor>
iterator_of_numbers<T, System> divide_range(Policy& exec, basic_iterator<T, System> first,
                                            basic_iterator<T, System> last, iterator_of_numbers<T, System> result,
                                            const Divisor& divisor) {
  using Number = std::remove_const_t<T>;
  const unary_places<Number> at{first.underlying_span(), first.index(), result.underlying_span(), result.index()};
  const char* what = "thrust_rns: division of a vector";
  if constexpr (!std::is_same_v<Divisor, power_of_two>) {
    for_each_index<System>(exec, last - first, divide_elements_by_moduli<Number, Nearest>{at, divisor}, what);
  } else if (divisor.exponent > 0) {
    using power = power_divisor<typename Number::base_type>;
    for_each_index<System>(exec, last - first, divide_elements_by_power<Number, Nearest>{at, power(divisor.exponent)},
                           what);
  } else {
    for_each_index<System>(exec, last - first, scale_elements<Number>{at, powers_of_two<Number>(0)}, what);
  }
  return result + (last - first);
}

} // namespace detail

/// X 2^k modulo M. Host and device.
///
/// @code
/// using number = thrust_rns::number<thrust_rns::moduli_for_bits<256>, thrust_rns::symmetric_range>;
/// const number x = thrust_rns::multiply(number(-3), thrust_rns::power_of_two{100});
/// std::cout << thrust_rns::floor_divide(x, thrust_rns::power_of_two{99}) << ' '
///           << thrust_rns::floor_divide(x, thrust_rns::power_of_two{102}) << ' '
///           << thrust_rns::round_divide(x, thrust_rns::power_of_two{101}) << '\n';  // prints -6 -1 -2
/// @endcode
template <class Base, class Range>
THRUST_RNS_HD number<Base, Range> multiply(number<Base, Range> x, power_of_two factor) {
  for (int i = 0; i < Base::size; ++i) {
    const modulus& m = detail::moduli_of<Base>()[i];
    const auto k = factor.exponent < 0 ? 0 : static_cast<std::uint64_t>(factor.exponent);
    x.set_residue(i, m.multiply(x.residue(i), m.power(2 % m.value(), k)));
  }
  return x;
}

/// floor(X / D), D a power_of_two or a moduli_product. Host and device.
template <class Base, class Range>
THRUST_RNS_HD number<Base, Range> floor_divide(const number<Base, Range>& x, power_of_two divisor) {
  return detail::divide<false>(x, divisor);
}
template <class Base, class Range>
THRUST_RNS_HD number<Base, Range> floor_divide(const number<Base, Range>& x, const moduli_product<Base>& divisor) {
  return detail::divide<false>(x, divisor);
}

/// The integer nearest to X / D, ties to even (7/2 and 9/2 give 4). Host and device.
template <class Base, class Range>
THRUST_RNS_HD number<Base, Range> round_divide(const number<Base, Range>& x, power_of_two divisor) {
  return detail::divide<true>(x, divisor);
}
template <class Base, class Range>
THRUST_RNS_HD number<Base, Range> round_divide(const number<Base, Range>& x, const moduli_product<Base>& divisor) {
  return detail::divide<true>(x, divisor);
}

/// result[k] := multiply(first[k], factor). This and the following take iterators of `device_vector` or `host_vector` and return the end
/// of the results. `result` may be `first`; otherwise the ranges do not overlap. On the policy's stream; they wait as Thrust's
/// algorithms do. Reads and writes each residue once.
template <class Policy, class T, class System>
detail::iterator_of_numbers<T, System> multiply(const detail::any_policy<Policy>& exec, basic_iterator<T, System> first,
                                                basic_iterator<T, System> last,
                                                detail::iterator_of_numbers<T, System> result, power_of_two factor) {
  using Number = std::remove_const_t<T>;
  const detail::scale_elements<Number> f{
      {first.underlying_span(), first.index(), result.underlying_span(), result.index()},
      detail::powers_of_two<Number>(factor.exponent)};
  detail::for_each_index<System>(detail::derived_policy(exec), last - first, f, "thrust_rns: multiply");
  return result + (last - first);
}
template <class T, class System>
detail::iterator_of_numbers<T, System> multiply(basic_iterator<T, System> first, basic_iterator<T, System> last,
                                                detail::iterator_of_numbers<T, System> result, power_of_two factor) {
  return multiply(System(), first, last, result, factor);
}

/// result[k] := floor_divide(first[k], divisor).
///
/// @code
/// using number = thrust_rns::number<thrust_rns::moduli_for_bits<512>, thrust_rns::symmetric_range>;
/// thrust_rns::device_vector<number> v{number(1000), number(-1000)};
/// thrust_rns::floor_divide(v.begin(), v.end(), v.begin(), thrust_rns::power_of_two{4});
/// std::cout << v[0] << ' ' << v[1] << '\n';  // prints 62 -63
/// @endcode
template <class Policy, class T, class System, class Divisor>
detail::iterator_of_numbers<T, System> floor_divide(const detail::any_policy<Policy>& exec,
                                                    basic_iterator<T, System> first, basic_iterator<T, System> last,
                                                    detail::iterator_of_numbers<T, System> result,
                                                    const Divisor& divisor) {
  return detail::divide_range<false>(detail::derived_policy(exec), first, last, result, divisor);
}
template <class T, class System, class Divisor>
detail::iterator_of_numbers<T, System> floor_divide(basic_iterator<T, System> first, basic_iterator<T, System> last,
                                                    detail::iterator_of_numbers<T, System> result,
                                                    const Divisor& divisor) {
  return floor_divide(System(), first, last, result, divisor);
}

/// result[k] := round_divide(first[k], divisor).
template <class Policy, class T, class System, class Divisor>
detail::iterator_of_numbers<T, System> round_divide(const detail::any_policy<Policy>& exec,
                                                    basic_iterator<T, System> first, basic_iterator<T, System> last,
                                                    detail::iterator_of_numbers<T, System> result,
                                                    const Divisor& divisor) {
  return detail::divide_range<true>(detail::derived_policy(exec), first, last, result, divisor);
}
template <class T, class System, class Divisor>
detail::iterator_of_numbers<T, System> round_divide(basic_iterator<T, System> first, basic_iterator<T, System> last,
                                                    detail::iterator_of_numbers<T, System> result,
                                                    const Divisor& divisor) {
  return round_divide(System(), first, last, result, divisor);
}

} // namespace thrust_rns
