// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// `thrust::max_element`, `thrust::min_element` and `thrust::minmax_element` over vectors of numbers.
///
/// The calls are Thrust's own, with any policy of the vector's backend, and find this implementation by themselves:
///
///   thrust::max_element([policy,] first, last [, comp])
///   thrust::min_element([policy,] first, last [, comp])
///   thrust::minmax_element([policy,] first, last [, comp])     pair (smallest, largest), in one pass
///
/// Result: the iterator to the first of the largest (smallest) numbers of [first, last); `last` if the range is empty. In
/// minmax_element too the first largest is meant, as in Thrust (the standard library gives the last).
///
/// Iterators: those of `device_vector` and `host_vector`, sub-ranges at any offset; and those of `thrust::device_vector` and
/// `thrust::host_vector` of numbers, `thrust::device_ptr` and plain pointers (under a policy that says where they point).
/// Whole numbers have no cache: each call evaluates them.
///
/// comp: `thrust_rns::less` or `greater`, or Thrust's or libcu++'s functors of those names; with `greater` the order is
/// reversed, as in Thrust. Any other comparator runs Thrust's own algorithm over the same iterators.
///
/// Work: elements without a cached evaluation are evaluated, 4 bytes read a residue, 8 bytes kept an element; then 8 bytes
/// are read an element. Numbers whose evaluations are too close to tell apart are compared exactly; on the GPU many of them cost
/// another pass or two over their residues. No floating point.
/// Memory beside the vectors: on the GPU half a byte an element, from the policy's allocator.
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
#include <type_traits>

#include <thrust/extrema.h>
#include <thrust/pair.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/candidate.h>
#include <thrust_rns/detail/host_reduce.h>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/iterator.h>
#if THRUST_RNS_CUDA_BACKEND
#  include <thrust_rns/detail/cuda_reduce.cuh>
#endif

namespace thrust_rns {
namespace detail {

/// What an algorithm needs to know of an iterator: the number type, and where the numbers lie.
template <class Iterator>
struct numbers_behind {
  using number = typename thrust::iterator_traits<Iterator>::value_type;
  static constexpr bool planes = false;
  static const number* device_input(Iterator first) { return raw_pointer_of(first); }
  static const number* host_input(Iterator first) { return raw_pointer_of(first); }
  static std::int64_t host_offset(Iterator) { return 0; }
};
template <class T, class System>
struct numbers_behind<basic_iterator<T, System>> {
  using number = std::remove_const_t<T>;
  static constexpr bool planes = true;
  static basic_iterator<T, System> device_input(basic_iterator<T, System> first) { return first; }
  static span<const number> host_input(basic_iterator<T, System> first) { return first.underlying_span(); }
  static std::int64_t host_offset(basic_iterator<T, System> first) { return first.index(); }
};

THRUST_RNS_EXEC_CHECK_DISABLE
template <wanted Wanted, class System, class Policy, class Iterator>
THRUST_RNS_HD extreme_iterators<Iterator> find_extremes(Policy& exec, Iterator first, Iterator last) {
  using numbers = numbers_behind<Iterator>;
  using number = typename numbers::number;
#if defined(__CUDA_ARCH__)
  static_cast<void>(exec);
#  if THRUST_RNS_CUDA_BACKEND
  if constexpr (is_cuda_system<System>) instantiate_extremum_kernels<Wanted, number, numbers::planes>();
#  endif
  if constexpr (Wanted == wanted::largest) {
    return {thrust::max_element(thrust::seq, first, last, less{}), last};
  } else if constexpr (Wanted == wanted::smallest) {
    return {last, thrust::min_element(thrust::seq, first, last, less{})};
  } else {
    return {thrust::max_element(thrust::seq, first, last, less{}),
            thrust::min_element(thrust::seq, first, last, less{})};
  }
#else
  const std::int64_t count = last - first;
  if (count <= 0) return {last, last};
  if constexpr (is_cuda_system<System>) {
#  if THRUST_RNS_CUDA_BACKEND
    const auto found = extremes_on_device<Wanted, number>(exec, numbers::device_input(first), count);
    const auto& index = found.index;
    return {wants_largest<Wanted> ? first + index[0] : last,
            wants_smallest<Wanted> ? first + index[count_of<Wanted> - 1] : last};
#  endif
  } else {
    const std::int64_t offset = numbers::host_offset(first);
    const auto found = extremes_on_host<Wanted, number>(exec, numbers::host_input(first), offset, count);
    return {wants_largest<Wanted> ? first + (found.largest.index - offset) : last,
            wants_smallest<Wanted> ? first + (found.smallest.index - offset) : last};
  }
#endif
}

} // namespace detail
} // namespace thrust_rns
