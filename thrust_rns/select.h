// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Selection by a threshold, over vectors of numbers.
///
///   thrust::count_if([policy,] first, last, threshold)
///   thrust::copy_if([policy,] first, last, result, threshold)
///   thrust::partition([policy,] first, last, threshold)                     also stable_partition; both are stable
///
/// threshold: `thrust_rns::less_than(x)`, `greater_than(x)`, `at_most(x)` or `at_least(x)` (functional.h).
/// Any other predicate runs Thrust's own algorithm over the same iterators.
///
/// Result: as Thrust's own; exact. `result` is an iterator of a vector of the same number type and backend, and overlaps nothing;
/// with any other, Thrust's own algorithm runs. Cached evaluations move with their numbers.
///
/// Work: a threshold reads keys of 8 bytes (numbers without a cached evaluation are evaluated), and residues only where keys are too
/// close. Then each number that is kept or moved is read and
/// written once, or twice in place. Memory: 4 to 8 bytes a number for places, and 16 where numbers move in place, from the policy's
/// allocator or the library's pool. Streams and device code: as in sort.h.
///
/// @code
/// using number = thrust_rns::number<thrust_rns::moduli_for_bits<256>, thrust_rns::symmetric_range>;
/// thrust_rns::device_vector<number> v{number(4), number(-2), number(7), number(-8)};
/// auto middle = thrust::partition(v.begin(), v.end(), thrust_rns::less_than(number(0)));
/// std::cout << middle - v.begin() << ' ' << v[1] << ' ' << v[2] << '\n';  // prints 2 -8 4
/// @endcode

#include <cstdint>
#include <type_traits>

#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/memory.h>
#include <thrust/partition.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/ordering.h>
#include <thrust_rns/detail/search_functors.h>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/number.h>
#include <thrust_rns/sort.h>

namespace thrust_rns {
namespace detail {

template <class System, class Policy, class Iterator, class Predicate>
std::ptrdiff_t count_from_host(Policy& exec, Iterator first, Iterator last, const Predicate& accepts) {
  using number = typename thrust::iterator_traits<Iterator>::value_type;
  const std::int64_t count = last - first;
  order_steps<System>::evaluate(exec, first, count);
  const thrust::counting_iterator<std::int64_t> index(0);
  using steps = order_steps<System>;
  return steps::with_residues(exec, accepts.x, [&](strided_residues x) {
    const passes_threshold<Predicate, number> passes{view_of(first), x, accepts.key};
    return steps::with_policy_for(count, exec,
                                  [&](auto& policy) { return thrust::count_if(policy, index, index + count, passes); });
  });
}

THRUST_RNS_EXEC_CHECK_DISABLE
template <class System, class Policy, class Iterator, class Predicate>
THRUST_RNS_HD std::ptrdiff_t count_numbers(Policy& exec, Iterator first, Iterator last, const Predicate& accepts) {
#if defined(__CUDA_ARCH__)
  static_cast<void>(exec);
  if constexpr (is_cuda_system<System>) {
    static_cast<void>(&count_from_host<System, Policy, Iterator, Predicate>);
  }
  return thrust::count_if(thrust::seq, first, last, accepts);
#else
  return count_from_host<System>(exec, first, last, accepts);
#endif
}

/// places := the indices below `count` that a predicate accepts, in order; how many.
template <class System, class Policy, class Place, class Predicate>
std::int64_t select_places(Policy& exec, std::int64_t count, Place* places, const Predicate& accepts) {
  const thrust::counting_iterator<std::int64_t> index(0);
  const thrust::pointer<Place, System> out(places);
  return order_steps<System>::with_policy_for(
      count, exec, [&](auto& policy) { return thrust::copy_if(policy, index, index + count, out, accepts) - out; });
}

template <class System, class Policy, class Iterator, class Result, class Predicate>
Result copy_selected(Policy& exec, Iterator first, std::int64_t count, Result result, const Predicate& accepts) {
  using steps = order_steps<System>;
  typename steps::template array<typename steps::place, Policy> places(exec, count);
  const std::int64_t kept = select_places<System>(exec, count, places.data(), accepts);
  if (kept > 0) steps::gather(exec, first, places.data(), kept, result);
  steps::finish(exec);
  return result + kept;
}

template <class System, class Policy, class Iterator, class Result, class Predicate>
Result copy_from_host(Policy& exec, Iterator first, Iterator last, Result result, const Predicate& accepts) {
  using number = typename thrust::iterator_traits<Iterator>::value_type;
  const std::int64_t count = last - first;
  if (count == 0) return result;
  order_steps<System>::evaluate(exec, first, count);
  return order_steps<System>::with_residues(exec, accepts.x, [&](strided_residues x) {
    return copy_selected<System>(exec, first, count, result,
                                 passes_threshold<Predicate, number>{view_of(first), x, accepts.key});
  });
}

THRUST_RNS_EXEC_CHECK_DISABLE
template <class System, class Policy, class Iterator, class Result, class Predicate>
THRUST_RNS_HD Result copy_numbers(Policy& exec, Iterator first, Iterator last, Result result,
                                  const Predicate& accepts) {
#if defined(__CUDA_ARCH__)
  static_cast<void>(exec);
  if constexpr (is_cuda_system<System>) {
    static_cast<void>(&copy_from_host<System, Policy, Iterator, Result, Predicate>);
  }
  return thrust::copy_if(thrust::seq, first, last, result, accepts);
#else
  return copy_from_host<System>(exec, first, last, result, accepts);
#endif
}

template <class System, class Policy, class Iterator, class Predicate>
Iterator partition_from_host(Policy& exec, Iterator first, Iterator last, const Predicate& accepts) {
  using number = typename thrust::iterator_traits<Iterator>::value_type;
  using steps = order_steps<System>;
  const std::int64_t count = last - first;
  if (count == 0) return first;
  steps::evaluate(exec, first, count);
  typename steps::template array<typename steps::place, Policy> places(exec, count);
  const auto numbers = view_of(first);
  const std::int64_t kept = steps::with_residues(exec, accepts.x, [&](strided_residues x) {
    const passes_threshold<Predicate, number> passes{numbers, x, accepts.key};
    const passes_threshold<Predicate, number, false> fails{numbers, x, accepts.key};
    const std::int64_t passing = select_places<System>(exec, count, places.data(), passes);
    select_places<System>(exec, count, places.data() + passing, fails);
    return passing;
  });
  steps::permute(exec, first, places.data(), count);
  steps::finish(exec);
  return first + kept;
}

THRUST_RNS_EXEC_CHECK_DISABLE
template <class System, class Policy, class Iterator, class Predicate>
THRUST_RNS_HD Iterator partition_numbers(Policy& exec, Iterator first, Iterator last, const Predicate& accepts) {
#if defined(__CUDA_ARCH__)
  static_cast<void>(exec);
  if constexpr (is_cuda_system<System>) {
    static_cast<void>(&partition_from_host<System, Policy, Iterator, Predicate>);
  }
  return thrust::stable_partition(thrust::seq, first, last, accepts);
#else
  return partition_from_host<System>(exec, first, last, accepts);
#endif
}

} // namespace detail
} // namespace thrust_rns
