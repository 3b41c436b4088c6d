// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// References and iterators into residue planes, as Thrust accepts them, and the declaration of every algorithm that
/// this library does better than Thrust's own over these iterators.

#include <cstddef>
#include <cstdint>
#include <istream>
#include <ostream>
#include <type_traits>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/candidate.h>
#include <thrust_rns/detail/memory.h>
#include <thrust_rns/detail/order_overloads.h>
#include <thrust_rns/detail/stock_overloads.h>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/detail/transform_overloads.h>
#include <thrust_rns/functional.h>
#include <thrust_rns/io.h>
#include <thrust_rns/number.h>
#include <thrust_rns/span.h>

#include <cuda/std/functional>

#include <thrust/iterator/iterator_facade.h>
#include <thrust/pair.h>

namespace thrust_rns {

/// A reference to element j of a span: reads convert to the number, assignments write residues and drop the element's
/// cached evaluation. On the host, a reference into device memory copies one element each way (and waits for it).
/// Two references swap values. Arithmetic, comparison and streaming work on references as on numbers,
/// `v[i] * v[j] < -v[k]`, `std::cout << v[i]`; functions that take a number need one: `to_string(number(v[i]))`.
template <class T, class System>
class basic_reference {
 public:
  using value_type = std::remove_const_t<T>;

  THRUST_RNS_HD basic_reference(const span<T>& s, std::int64_t j) : span_(s), index_(j) {}
  basic_reference(const basic_reference&) = default;
  /// A reference converts to its const form.
  template <class U, std::enable_if_t<std::is_same_v<const U, T>, int> = 0>
  THRUST_RNS_HD basic_reference(const basic_reference<U, System>& other) : span_(other.span_), index_(other.index_) {}

  THRUST_RNS_EXEC_CHECK_DISABLE
  THRUST_RNS_HD operator value_type() const {
#if THRUST_RNS_CUDA_BACKEND && !defined(__CUDA_ARCH__)
    if constexpr (detail::is_cuda_system<System>) {
      value_type x;
      detail::copy_rows<thrust::host_system_tag, System>(&x, sizeof(std::uint32_t), span_.plane(0) + index_, pitch(),
                                                         sizeof(std::uint32_t), value_type::size);
      return x;
    }
#endif
    return span_.load(index_);
  }

  // Assignment does not change which element is meant, so it is const; algorithms assign through temporaries.
  THRUST_RNS_EXEC_CHECK_DISABLE
  THRUST_RNS_HD const basic_reference& operator=(const value_type& x) const {
    static_assert(!std::is_const_v<T>, "thrust_rns: the element of a const vector cannot be assigned");
#if THRUST_RNS_CUDA_BACKEND && !defined(__CUDA_ARCH__)
    if constexpr (detail::is_cuda_system<System>) {
      if (span_.evaluations() != nullptr) {
        detail::zero_bytes<System>(span_.evaluations() + index_, sizeof(std::uint64_t));
      }
      detail::copy_rows<System, thrust::host_system_tag>(span_.plane(0) + index_, pitch(), &x, sizeof(std::uint32_t),
                                                         sizeof(std::uint32_t), value_type::size);
      return *this;
    }
#endif
    span_.store(index_, x);
    return *this;
  }
  THRUST_RNS_HD const basic_reference& operator=(const basic_reference& other) const {
    return *this = static_cast<value_type>(other);
  }
  THRUST_RNS_HD basic_reference& operator=(const basic_reference& other) {
    static_cast<const basic_reference&>(*this) = static_cast<value_type>(other);
    return *this;
  }
  template <class U, class OtherSystem>
  THRUST_RNS_HD const basic_reference& operator=(const basic_reference<U, OtherSystem>& other) const {
    return *this = static_cast<value_type>(other);
  }

  THRUST_RNS_HD const basic_reference& operator+=(const value_type& y) const { return *this = value() + y; }
  THRUST_RNS_HD const basic_reference& operator-=(const value_type& y) const { return *this = value() - y; }
  THRUST_RNS_HD const basic_reference& operator*=(const value_type& y) const { return *this = value() * y; }

  THRUST_RNS_HD friend void swap(const basic_reference& a, const basic_reference& b) {
    const value_type x = a;
    a = static_cast<value_type>(b);
    b = x;
  }
  THRUST_RNS_HD friend void swap(basic_reference& a, basic_reference& b) { // or std::swap would be the better match
    swap(static_cast<const basic_reference&>(a), static_cast<const basic_reference&>(b));
  }
  // Of planes and whole numbers, as in swap_ranges.
  THRUST_RNS_HD friend void swap(const basic_reference& a, value_type& b) {
    const value_type x = a;
    a = b;
    b = x;
  }
  THRUST_RNS_HD friend void swap(value_type& a, const basic_reference& b) { swap(b, a); }

  THRUST_RNS_HD friend value_type operator+(const basic_reference& r) { return r.value(); }
  THRUST_RNS_HD friend value_type operator-(const basic_reference& r) { return -r.value(); }

  friend std::ostream& operator<<(std::ostream& os, const basic_reference& r) { return os << r.value(); }
  friend std::istream& operator>>(std::istream& is, const basic_reference& r) {
    value_type x;
    if (is >> x) r = x;
    return is;
  }

 private:
  THRUST_RNS_HD value_type value() const { return static_cast<value_type>(*this); }
  std::size_t pitch() const { return static_cast<std::size_t>(span_.stride()) * sizeof(std::uint32_t); }

  template <class, class>
  friend class basic_reference;

  span<T> span_;
  std::int64_t index_;
};

template <class T, class System>
class basic_iterator;

namespace detail {

// Thrust's functors of these names are libcu++'s.

/// Iterators to the extremes that were asked for: the first largest and the first smallest element.
template <class Iterator>
struct extreme_iterators {
  Iterator largest, smallest;
};

// Defined in extrema.h and reduce.h, for iterators over planes and over whole numbers in the memory of System.
template <wanted Wanted, class System, class Policy, class Iterator>
THRUST_RNS_HD extreme_iterators<Iterator> find_extremes(Policy& exec, Iterator first, Iterator last);
template <reduction Kind, class System, class Number, class Policy, class Iterator>
THRUST_RNS_HD Number reduce_numbers(Policy& exec, Iterator first, Iterator last, const Number& init);

template <int Order>
inline constexpr wanted wanted_for = Order == 1 ? wanted::largest : wanted::smallest;

/// The end of the range under `Order` (1 upwards, -1 downwards): its first largest element if Largest, else smallest.
template <class System, int Order, bool Largest, class Policy, class Iterator>
THRUST_RNS_HD Iterator find_extreme(Policy& exec, Iterator first, Iterator last) {
  constexpr int order = Largest ? Order : -Order;
  constexpr wanted w = wanted_for<order>;
  const auto found = find_extremes<w, System>(exec, first, last);
  return w == wanted::largest ? found.largest : found.smallest;
}

/// The first smallest and the first largest element under `Order`.
template <class System, int Order, class Policy, class Iterator>
THRUST_RNS_HD thrust::pair<Iterator, Iterator> find_both(Policy& exec, Iterator first, Iterator last) {
  const auto found = find_extremes<wanted::both, System>(exec, first, last);
  return Order == 1 ? thrust::pair<Iterator, Iterator>(found.smallest, found.largest)
                    : thrust::pair<Iterator, Iterator>(found.largest, found.smallest);
}

/// thrust::reduce's result has the type of the initial value.
template <class Init, class Number>
THRUST_RNS_HD constexpr void check_init() {
  static_assert(std::is_same_v<Init, Number>,
                "thrust_rns: the initial value of thrust::reduce over numbers must be a number of the same type, since "
                "it is the type of the result");
}

/// The algorithms that argument-dependent lookup finds through an iterator: friends of a base of it, so that every
/// translation unit that sees the iterator sees all of them. See policy_of for how they win over Thrust's own.
/// detail/array_overloads.h has the same list for arrays of whole numbers.
template <class Iterator, class Number, class System, template <class> class Policy>
struct algorithm_overloads {
  // ---- extrema.h ----
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived>
  THRUST_RNS_HD friend Iterator max_element(Policy<Derived>& exec, Iterator first, Iterator last) {
    return find_extreme<System, 1, true>(static_cast<Derived&>(exec), first, last);
  }
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class Compare, std::enable_if_t<order_of<Compare, Number> != 0, int> = 0>
  THRUST_RNS_HD friend Iterator max_element(Policy<Derived>& exec, Iterator first, Iterator last, Compare) {
    return find_extreme<System, order_of<Compare, Number>, true>(static_cast<Derived&>(exec), first, last);
  }
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived>
  THRUST_RNS_HD friend Iterator min_element(Policy<Derived>& exec, Iterator first, Iterator last) {
    return find_extreme<System, 1, false>(static_cast<Derived&>(exec), first, last);
  }
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class Compare, std::enable_if_t<order_of<Compare, Number> != 0, int> = 0>
  THRUST_RNS_HD friend Iterator min_element(Policy<Derived>& exec, Iterator first, Iterator last, Compare) {
    return find_extreme<System, order_of<Compare, Number>, false>(static_cast<Derived&>(exec), first, last);
  }
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived>
  THRUST_RNS_HD friend thrust::pair<Iterator, Iterator> minmax_element(Policy<Derived>& exec, Iterator first,
                                                                       Iterator last) {
    return find_both<System, 1>(static_cast<Derived&>(exec), first, last);
  }
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class Compare, std::enable_if_t<order_of<Compare, Number> != 0, int> = 0>
  THRUST_RNS_HD friend thrust::pair<Iterator, Iterator> minmax_element(Policy<Derived>& exec, Iterator first,
                                                                       Iterator last, Compare) {
    return find_both<System, order_of<Compare, Number>>(static_cast<Derived&>(exec), first, last);
  }

  // ---- reduce.h ----
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived>
  THRUST_RNS_HD friend Number reduce(Policy<Derived>& exec, Iterator first, Iterator last) {
    return reduce_numbers<reduction::sum, System, Number>(static_cast<Derived&>(exec), first, last, Number(0));
  }
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class Init>
  THRUST_RNS_HD friend Number reduce(Policy<Derived>& exec, Iterator first, Iterator last, Init init) {
    check_init<Init, Number>();
    return reduce_numbers<reduction::sum, System, Number>(static_cast<Derived&>(exec), first, last, init);
  }
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class Init, class Function,
            std::enable_if_t<reduction_of<Function, Number> != reduction::unknown, int> = 0>
  THRUST_RNS_HD friend Number reduce(Policy<Derived>& exec, Iterator first, Iterator last, Init init, Function) {
    check_init<Init, Number>();
    if constexpr (reduction_of<Function, Number> == reduction::product) {
      return product_of_numbers<System, Number>(static_cast<Derived&>(exec), last - first, first, init);
    } else {
      return reduce_numbers<reduction_of<Function, Number>, System, Number>(static_cast<Derived&>(exec), first, last,
                                                                            init);
    }
  }
  /// init - x_0 - x_1 - ...: as a sum.
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class Unary, class Init, class Function,
            std::enable_if_t<std::is_same_v<unary_residue_function<Unary, Number>, negate_residue> &&
                                 reduction_of<Function, Number> == reduction::sum,
                             int> = 0>
  THRUST_RNS_HD friend Number transform_reduce(Policy<Derived>& exec, Iterator first, Iterator last, Unary, Init init,
                                               Function) {
    check_init<Init, Number>();
    return init - reduce_numbers<reduction::sum, System, Number>(static_cast<Derived&>(exec), first, last, Number(0));
  }
};

template <class Iterator, class T, class System>
using overloads_for = algorithm_overloads<Iterator, std::remove_const_t<T>, System, policy_of<System>::template base>;

} // namespace detail

/// A random access iterator over the numbers of a span; `System` tells Thrust where the memory is.
template <class T, class System>
class basic_iterator
    : public thrust::iterator_facade<basic_iterator<T, System>, std::remove_const_t<T>, System,
                                     thrust::random_access_traversal_tag, basic_reference<T, System>, std::ptrdiff_t>,
      public detail::overloads_for<basic_iterator<T, System>, T, System>,
      public detail::order_overloads_for<basic_iterator<T, System>, T, System>,
      public detail::elementwise_overloads_for<basic_iterator<T, System>, T, System>,
      public detail::folding_overloads_for<basic_iterator<T, System>, T, System>,
      public detail::stock_overloads<basic_iterator<T, System>, std::remove_const_t<T>, System> {
  friend class thrust::iterator_core_access;

 public:
  basic_iterator() = default;
  THRUST_RNS_HD basic_iterator(const span<T>& s, std::int64_t index) : span_(s), index_(index) {}

  /// An iterator converts to its const form.
  template <class U, std::enable_if_t<std::is_same_v<const U, T>, int> = 0>
  THRUST_RNS_HD basic_iterator(const basic_iterator<U, System>& other)
      : span_(other.underlying_span()), index_(other.index()) {}

  THRUST_RNS_HD const span<T>& underlying_span() const { return span_; }
  THRUST_RNS_HD std::int64_t index() const { return index_; }

 private:
  THRUST_RNS_HD basic_reference<T, System> dereference() const { return {span_, index_}; }
  template <class U>
  THRUST_RNS_HD bool equal(const basic_iterator<U, System>& other) const {
    return index_ == other.index();
  }
  THRUST_RNS_HD void increment() { ++index_; }
  THRUST_RNS_HD void decrement() { --index_; }
  THRUST_RNS_HD void advance(std::ptrdiff_t n) { index_ += n; }
  template <class U>
  THRUST_RNS_HD std::ptrdiff_t distance_to(const basic_iterator<U, System>& other) const {
    return other.index() - index_;
  }

  span<T> span_;
  std::int64_t index_ = 0;
};

/// Iterators over numbers in device memory (the memory of Thrust's device system).
template <class Number>
using device_iterator = basic_iterator<Number, thrust::device_system_tag>;
template <class Number>
using const_device_iterator = basic_iterator<const Number, thrust::device_system_tag>;

} // namespace thrust_rns
