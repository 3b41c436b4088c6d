// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// `thrust::max_element` and `thrust::min_element` over vectors of numbers.
///
/// The calls are Thrust's own, with any policy of the vector's backend, and find this implementation by themselves:
///
///   thrust::max_element([policy,] first, last [, comp])
///   thrust::min_element([policy,] first, last [, comp])
///
/// Result: the iterator to the first of the largest (smallest) numbers of [first, last); `last` if the range is empty.
/// comp: `thrust_rns::less` or `greater`, or Thrust's or libcu++'s functors of those names; with `greater` the order is
/// reversed, as in Thrust. Any other comparator runs Thrust's own algorithm over the same iterators.
///
/// Work: elements without a cached evaluation are evaluated, 4 bytes read a residue, 8 bytes kept an element; then 8 bytes
/// are read an element. Numbers whose evaluations are too close to tell apart are compared exactly. No floating point.
/// Memory beside the vectors: 16 bytes a block of the device, from the policy's allocator.
/// Streams: work is queued on the policy's stream; returns when the result is known.
/// In device code the calls run sequentially in the calling thread.
///
/// @code
/// using number = thrust_rns::number<thrust_rns::moduli_for_bits<256>, thrust_rns::symmetric_range>;
/// thrust_rns::device_vector<number> v{number(5), number(-9), number(9), number(9)};
/// auto largest = thrust::max_element(v.begin(), v.end());
/// auto smallest = thrust::max_element(thrust::device, v.begin(), v.end(), thrust::greater<number>());
/// std::cout << largest - v.begin() << ' ' << *smallest << '\n';  // prints 2 -9
/// @endcode

#include <cstdint>

#include <thrust/extrema.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/host_reduce.h>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/iterator.h>
#if THRUST_RNS_CUDA_BACKEND
#  include <thrust_rns/detail/cuda_reduce.cuh>
#endif

namespace thrust_rns {
namespace detail {

THRUST_RNS_EXEC_CHECK_DISABLE
template <int Order, class Policy, class T, class System>
THRUST_RNS_HD basic_iterator<T, System> extreme_element(Policy& exec, basic_iterator<T, System> first,
                                                        basic_iterator<T, System> last) {
#if defined(__CUDA_ARCH__)
  static_cast<void>(exec);
  instantiate_extremum_kernels<Order, System, std::remove_const_t<T>>();
  return thrust::max_element(thrust::seq, first, last, std::conditional_t<Order == 1, less, greater>{});
#else
  const std::int64_t count = last - first;
  if (count <= 0) return last;
  std::int64_t index = 0;
  if constexpr (is_cuda_system<System>) {
#  if THRUST_RNS_CUDA_BACKEND
    index = extreme_on_device<Order>(exec, first, count).index;
#  endif
  } else {
    const span<const std::remove_const_t<T>> s = first.underlying_span();
    index = extreme_index_on_host<Order>(exec, s, first.index(), count);
  }
  return basic_iterator<T, System>(first.underlying_span(), index);
#endif
}

} // namespace detail
} // namespace thrust_rns
