// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Vectors of ring elements in device and host memory, and whole batches from and to arrays of coefficients.

#include <cstdint>
#include <string>
#include <type_traits>

#include <thrust/device_vector.h>
#include <thrust/for_each.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/iterator_traits.h>
#include <thrust/transform_reduce.h>

#include <cuda/functional>

#include <thrust_rns/config.h>
#include <thrust_rns/error.h>
#include <thrust_rns/ring.h>

namespace thrust_rns {

/// Elements as rows of device memory: Thrust's own vectors, since the value of an element is its row.
template <class Element>
using ring_vector = thrust::device_vector<Element>;
template <class Element>
using host_ring_vector = thrust::host_vector<Element>;

/// Which representatives of coefficients modulo m an array of integers gets.
enum class representatives {
  centred,  ///< -(m/2) .. (m-1)/2; small coefficients as they are
  canonical ///< 0 .. m-1; of full elements only
};

namespace detail {

/// The index of coefficient i of a batch if it does not fit, else a number beyond all; or, with `wants_value`, the
/// coefficient itself, so that one instantiation of an algorithm finds a misfit and fetches it.
template <class Element, class Integers>
struct misfit {
  static constexpr std::int64_t none = INT64_MAX;
  Integers integers;
  bool wants_value;

  THRUST_RNS_EXEC_CHECK_DISABLE
  THRUST_RNS_HD std::int64_t operator()(std::int64_t i) const {
    const typename thrust::iterator_traits<Integers>::value_type x = integers[i];
    if (wants_value) return x;
    return x < Element::coefficients::smallest || x > Element::coefficients::largest ? i : none;
  }
};

/// Coefficient i of the rows, padding included.
template <class Element, class Integers, class Rows>
struct set_coefficient_of_batch {
  Integers integers;
  Rows rows;

  THRUST_RNS_EXEC_CHECK_DISABLE
  THRUST_RNS_HD void operator()(std::int64_t i) const {
    Element& row = *(thrust::raw_pointer_cast(&*rows) + i / Element::row);
    const int k = static_cast<int>(i % Element::row);
    typename thrust::iterator_traits<Integers>::value_type x = 0;
    if (k < Element::degree) x = integers[i / Element::row * Element::degree + k];
    if constexpr (Element::is_full) {
      row.set(k, static_cast<int>(x % Element::coefficients::modulus));
    } else {
      row.set(k, static_cast<int>(x));
    }
  }
};

template <class Element, class Rows, class Integers>
struct get_coefficient_of_batch {
  Rows rows;
  Integers integers;
  representatives which;

  THRUST_RNS_EXEC_CHECK_DISABLE
  THRUST_RNS_HD void operator()(std::int64_t i) const {
    using integer = typename thrust::iterator_traits<Integers>::value_type;
    const Element& row = *(thrust::raw_pointer_cast(&*rows) + i / Element::degree);
    const int k = static_cast<int>(i % Element::degree);
    int x = row[k];
    if constexpr (Element::is_full) {
      if (which == representatives::canonical) x = row.residue(k);
    }
    integers[i] = static_cast<integer>(x);
  }
};

} // namespace detail

/// rows[j] := the element with coefficients integers[j n .. j n + n - 1], constant first, j < count; n the degree.
///
/// Iterators: rows of a vector of elements (or a pointer to them), integers of an array of signed integers of 16 to 64 bits, both
/// in the memory of the policy's system. Integers are reduced modulo m; for small elements they must be in range: if one is
/// not, throws range_error naming element, coefficient and value, and nothing is written. Returns the end of the rows written.
/// Cost: one pass, two for small elements. Streams as in thrust::for_each.
///
/// @code
/// using element = thrust_rns::full_element<thrust_rns::prime_ring<5, 17>>;
/// thrust::device_vector<std::int16_t> integers{1, 2, 3, 4, 5, -1, -2, -3, -4, 30};
/// thrust_rns::ring_vector<element> v(2);
/// thrust_rns::assign_coefficients(thrust::device, integers.begin(), 2, v.begin());
/// std::cout << element(v[1]) << '\n';  // prints -1 -2 -3 -4 -4
/// @endcode
template <class Policy, class Integers, class Rows>
Rows assign_coefficients(const Policy& exec, Integers integers, std::int64_t count, Rows rows) {
  using Element = typename thrust::iterator_traits<Rows>::value_type;
  using integer = typename thrust::iterator_traits<Integers>::value_type;
  static_assert(std::is_signed_v<integer> && sizeof(integer) >= 2,
                "thrust_rns: coefficients come as signed integers of 16 bits or more");
  detail::require(count >= 0, "thrust_rns::assign_coefficients: the count is negative");
  if (count == 0) return rows;
  const thrust::counting_iterator<std::int64_t> first(0);
  if constexpr (!Element::is_full) {
    using misfit = detail::misfit<Element, Integers>;
    const auto smallest = [&](std::int64_t begin, std::int64_t end, bool wants_value) {
      return thrust::transform_reduce(exec, first + begin, first + end, misfit{integers, wants_value}, misfit::none,
                                      ::cuda::minimum<std::int64_t>());
    };
    const std::int64_t at = smallest(0, count * Element::degree, false);
    if (at != misfit::none) {
      const std::int64_t x = smallest(at, at + 1, true);
      throw range_error("thrust_rns: element " + std::to_string(at / Element::degree) + ", coefficient " +
                        std::to_string(at % Element::degree) + " is " + std::to_string(x) + ", outside [" +
                        std::to_string(Element::coefficients::smallest) + ", " +
                        std::to_string(Element::coefficients::largest) + "]");
    }
  }
  thrust::for_each(exec, first, first + count * Element::row,
                   detail::set_coefficient_of_batch<Element, Integers, Rows>{integers, rows});
  return rows + count;
}

/// integers[j n + k] := coefficient k of rows[j], j < count. Iterators as above; integers of 16 bits or more hold every
/// coefficient, 8 bits those of small elements. Returns the end of the integers written.
template <class Policy, class Rows, class Integers>
Integers copy_coefficients(const Policy& exec, Rows rows, std::int64_t count, Integers integers,
                           representatives which = representatives::centred) {
  using Element = typename thrust::iterator_traits<Rows>::value_type;
  using integer = typename thrust::iterator_traits<Integers>::value_type;
  static_assert(sizeof(integer) >= sizeof(typename Element::storage_type) && std::is_signed_v<integer>,
                "thrust_rns: coefficients go to signed integers, of 16 bits or more for full elements");
  detail::require(count >= 0, "thrust_rns::copy_coefficients: the count is negative");
  const thrust::counting_iterator<std::int64_t> first(0);
  thrust::for_each(exec, first, first + count * Element::degree,
                   detail::get_coefficient_of_batch<Element, Rows, Integers>{rows, integers, which});
  return integers + count * Element::degree;
}

} // namespace thrust_rns
