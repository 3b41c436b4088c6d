// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Function objects for Thrust algorithms, and the exact order of numbers.
///
/// Every functor takes any mix of numbers and of references into vectors of numbers (ours and Thrust's), and runs on
/// the host and in device code. The algorithms of this library recognise these functors, and Thrust's and libcu++'s
/// of the same meaning; any other functor goes to Thrust's own algorithm.

#include <cstdint>
#include <type_traits>

#include <thrust_rns/config.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/number.h>

#include <cuda/std/tuple>

namespace thrust_rns {
namespace detail {

template <class Base, class Range>
THRUST_RNS_HD int compare(const number<Base, Range>& a, const number<Base, Range>& b) {
  using Number = number<Base, Range>;
  const residues_of<Number> x{a}, y{b};
  return compare_evaluated<Number>(x, evaluate_key<Number>(x), y, evaluate_key<Number>(y));
}

/// The number that `x` is or refers to.
template <class T>
THRUST_RNS_HD decltype(auto) value_of(const T& x) {
  if constexpr (is_number<T>) {
    return (x);
  } else {
    return static_cast<typename T::value_type>(x);
  }
}

} // namespace detail

/// -1, 0 or 1 as a < b, a = b, a > b, in the range of the numbers. Exact.
///
/// @code
/// using number = thrust_rns::number<thrust_rns::moduli_for_bits<128>, thrust_rns::symmetric_range>;
/// std::cout << thrust_rns::compare(number(-2), number(-1)) << '\n';  // prints -1
/// @endcode
template <class Base, class Range>
THRUST_RNS_HD int compare(const number<Base, Range>& a, const number<Base, Range>& b) {
  return detail::compare(a, b);
}

/// a < b. A strict weak order on every pair of numbers.
struct less {
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class A, class B>
  THRUST_RNS_HD bool operator()(const A& a, const B& b) const {
    return detail::compare(detail::value_of(a), detail::value_of(b)) < 0;
  }
};

/// a > b. Turns a maximum into a minimum; ties stay with the first element.
struct greater {
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class A, class B>
  THRUST_RNS_HD bool operator()(const A& a, const B& b) const {
    return detail::compare(detail::value_of(a), detail::value_of(b)) > 0;
  }
};

/// a = b, by residues.
struct equal_to {
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class A, class B>
  THRUST_RNS_HD bool operator()(const A& a, const B& b) const {
    return detail::value_of(a) == detail::value_of(b);
  }
};

/// The larger of a and b; a if they are equal.
struct maximum {
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class A, class B>
  THRUST_RNS_HD auto operator()(const A& a, const B& b) const {
    const auto& x = detail::value_of(a);
    const auto& y = detail::value_of(b);
    return detail::compare(x, y) < 0 ? y : x;
  }
};

/// The smaller of a and b; a if they are equal.
struct minimum {
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class A, class B>
  THRUST_RNS_HD auto operator()(const A& a, const B& b) const {
    const auto& x = detail::value_of(a);
    const auto& y = detail::value_of(b);
    return detail::compare(y, x) < 0 ? y : x;
  }
};

namespace detail {

/// Whether Sign (a - x) > 0, or >= 0 if OrEqual, for a fixed x, which is evaluated once.
template <class Number, int Sign, bool OrEqual>
struct threshold {
  Number x;
  std::uint64_t key; // of x

  /// `c` is the sign of a - x.
  THRUST_RNS_HD static constexpr bool accepts(int c) { return OrEqual ? Sign * c >= 0 : Sign * c > 0; }

  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class A>
  THRUST_RNS_HD bool operator()(const A& a) const {
    const Number& y = detail::value_of(a);
    const residues_of<Number> residues{y};
    return accepts(compare_evaluated<Number>(residues, evaluate_key<Number>(residues), residues_of<Number>{x}, key));
  }
};

template <int Sign, bool OrEqual, class A>
THRUST_RNS_HD auto make_threshold(const A& a) {
  using Number = std::decay_t<decltype(value_of(a))>;
  const Number& x = value_of(a);
  return threshold<Number, Sign, OrEqual>{x, evaluate_key<Number>(residues_of<Number>{x})};
}

} // namespace detail

/// The predicates a < x, a > x, a <= x and a >= x of a, for a fixed number x (or a reference to one). `thrust::count_if`, `copy_if`,
/// `partition` and `stable_partition` over vectors answer them from the cached evaluations; they work in every algorithm.
///
/// @code
/// using number = thrust_rns::number<thrust_rns::moduli_for_bits<128>, thrust_rns::symmetric_range>;
/// thrust_rns::device_vector<number> v{number(5), number(-9), number(3)};
/// std::cout << thrust::count_if(v.begin(), v.end(), thrust_rns::less_than(number(5))) << ' '
///           << thrust::count_if(v.begin(), v.end(), thrust_rns::at_least(v[2])) << '\n';  // prints 2 2
/// @endcode
template <class A>
THRUST_RNS_HD auto less_than(const A& x) {
  return detail::make_threshold<-1, false>(x);
}
template <class A>
THRUST_RNS_HD auto greater_than(const A& x) {
  return detail::make_threshold<1, false>(x);
}
template <class A>
THRUST_RNS_HD auto at_most(const A& x) {
  return detail::make_threshold<-1, true>(x);
}
template <class A>
THRUST_RNS_HD auto at_least(const A& x) {
  return detail::make_threshold<1, true>(x);
}

/// a + b mod M.
struct plus {
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class A, class B>
  THRUST_RNS_HD auto operator()(const A& a, const B& b) const {
    return detail::value_of(a) + detail::value_of(b);
  }
};

/// a - b mod M.
struct minus {
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class A, class B>
  THRUST_RNS_HD auto operator()(const A& a, const B& b) const {
    return detail::value_of(a) - detail::value_of(b);
  }
};

/// a b mod M.
struct multiplies {
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class A, class B>
  THRUST_RNS_HD auto operator()(const A& a, const B& b) const {
    return detail::value_of(a) * detail::value_of(b);
  }
};

/// a b + c mod M. Takes three arguments, or a tuple of them: through `thrust::transform` over a zip iterator.
struct multiply_add {
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class A, class B, class C>
  THRUST_RNS_HD auto operator()(const A& a, const B& b, const C& c) const {
    return detail::value_of(a) * detail::value_of(b) + detail::value_of(c);
  }
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Tuple>
  THRUST_RNS_HD auto operator()(const Tuple& t) const {
    return (*this)(::cuda::std::get<0>(t), ::cuda::std::get<1>(t), ::cuda::std::get<2>(t));
  }
};

/// -a mod M.
struct negate {
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class A>
  THRUST_RNS_HD auto operator()(const A& a) const {
    return -detail::value_of(a);
  }
};

/// The b with a b = 1 mod M, where a and M are coprime; else b is 0 modulo each modulus that shares a factor with a. Some
/// twenty divisions a residue.
///
/// @code
/// using number = thrust_rns::number<thrust_rns::moduli_set<13, 7, 16>>;  // M = 1456
/// std::cout << thrust_rns::inverse()(number(3)) << '\n';  // prints 971
/// @endcode
struct inverse {
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class A>
  THRUST_RNS_HD auto operator()(const A& a) const {
    auto b = detail::value_of(a);
    using Number = decltype(b);
    for (int i = 0; i < Number::size; ++i) {
      b.set_residue(i, detail::moduli_of<typename Number::base_type>()[i].inverse(b.residue(i)));
    }
    return b;
  }
};

} // namespace thrust_rns
