// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// `thrust::reduce` over vectors of numbers, by sum, maximum and minimum; by product: inner_product.h.
///
///   thrust::reduce([policy,] first, last)                 sum, from 0
///   thrust::reduce([policy,] first, last, init)           init + x_0 + x_1 + ... modulo M
///   thrust::reduce([policy,] first, last, init, op)       op: thrust_rns::plus, maximum or minimum, or Thrust's and
///                                                         libcu++'s functors of those names
///   thrust::transform_reduce([policy,] first, last, negate, init, plus)      init - x_0 - x_1 - ...
///
/// `init` is a number of the vector's type (a built-in integer does not compile: it would be the result's type). An
/// empty range gives init. Exact; the sum wraps modulo M. Any other op runs Thrust's own algorithm.
///
/// Work: a sum reads each residue once (4 n bytes a number); maximum and minimum are those of extrema.h. Memory beside
/// the vectors: on the GPU 70 KB for a sum (whole numbers 1.1 MB), for extrema as in extrema.h. Streams and device code: as in extrema.h.
///
/// @code
/// using number = thrust_rns::number<thrust_rns::moduli_for_bits<256>, thrust_rns::symmetric_range>;
/// thrust_rns::device_vector<number> v{number(5), number(-9), number(3)};
/// number sum = thrust::reduce(v.begin(), v.end());
/// number largest = thrust::reduce(v.begin(), v.end(), number(4), thrust_rns::maximum());
/// std::cout << sum << ' ' << largest << '\n';  // prints -1 5
/// @endcode

#include <cstdint>

#include <thrust/reduce.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/host_reduce.h>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/extrema.h>
#include <thrust_rns/functional.h>
#include <thrust_rns/iterator.h>

namespace thrust_rns {
namespace detail {

THRUST_RNS_EXEC_CHECK_DISABLE
template <reduction Kind, class System, class Number, class Policy, class Iterator>
THRUST_RNS_HD Number reduce_numbers(Policy& exec, Iterator first, Iterator last, const Number& init) {
  using numbers = numbers_behind<Iterator>;
  using function = std::conditional_t<Kind == reduction::sum, plus,
                                      std::conditional_t<Kind == reduction::maximum, maximum, minimum>>;
  constexpr wanted extreme = Kind == reduction::minimum ? wanted::smallest : wanted::largest; // where Kind is no sum
#if defined(__CUDA_ARCH__)
  static_cast<void>(exec);
#  if THRUST_RNS_CUDA_BACKEND
  if constexpr (is_cuda_system<System> && Kind == reduction::sum) {
    instantiate_sum_kernels<Number, numbers::planes>();
  } else if constexpr (is_cuda_system<System>) {
    instantiate_extremum_kernels<extreme, Number, numbers::planes>();
  }
#  endif
  return thrust::reduce(thrust::seq, first, last, init, function{});
#else
  const std::int64_t count = last - first;
  if (count <= 0) return init;
  if constexpr (is_cuda_system<System>) {
#  if THRUST_RNS_CUDA_BACKEND
    if constexpr (Kind == reduction::sum) {
      return init + sum_on_device<Number>(exec, numbers::device_input(first), count);
    } else {
      const auto found = extremes_on_device<extreme, Number>(exec, numbers::device_input(first), count);
      return function{}(init, found.value[0]);
    }
#  endif
  } else if constexpr (Kind == reduction::sum) {
    return sum_on_host<Number>(exec, numbers::host_input(first), numbers::host_offset(first), count, init);
  } else {
    const auto found = find_extremes<extreme, System>(exec, first, last);
    return function{}(init, Number(extreme == wanted::largest ? *found.largest : *found.smallest));
  }
#endif
}

} // namespace detail
} // namespace thrust_rns
