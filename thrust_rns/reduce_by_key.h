// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// `thrust::reduce_by_key` with numbers as values: sums, maxima and minima of runs of equal keys.
///
///   thrust::reduce_by_key([policy,] keys, keys_end, values, keys_out, values_out [, same [, op]])
///
/// For each run of keys that are the same by `same` (equal_to if left out), its first key goes to keys_out and the values of
/// the run, reduced by op, to values_out. op: `thrust_rns::plus` (the default), `maximum` or `minimum`, or Thrust's and
/// libcu++'s functors of those names; any other runs Thrust's own algorithm.
///
/// Keys: of any type but numbers. Values: iterators of `device_vector` or `host_vector`, at any offset; the outputs overlap
/// no input. Exact; sums wrap modulo M. Returns the ends of both outputs; the cached evaluations of values_out are dropped.
///
/// Work: Thrust's `unique_by_key_copy` finds the runs; sums then read each residue once, 4 n bytes an element; maxima and
/// minima evaluate what is not evaluated yet. Memory beside the vectors: 8 bytes an element, from the policy's allocator.
/// Streams: work is queued on the policy's stream; returns when it is done. In device code the calls run sequentially in
/// the calling thread.
///
/// @code
/// using number = thrust_rns::number<thrust_rns::moduli_for_bits<256>, thrust_rns::symmetric_range>;
/// thrust::device_vector<int> keys(4, 7), keys_out(4);
/// keys[3] = 8;
/// thrust_rns::device_vector<number> v{number(5), number(-9), number(3), number(4)}, sums(4);
/// auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), v.begin(), keys_out.begin(), sums.begin());
/// std::cout << ends.second - sums.begin() << ": " << sums[0] << ' ' << sums[1] << '\n';  // prints 2: -1 4
/// @endcode

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <thrust/fill.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/pair.h>
#include <thrust/reduce.h>
#include <thrust/unique.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/candidate.h>
#include <thrust_rns/detail/host_reduce.h>
#include <thrust_rns/detail/host_scan.h>
#include <thrust_rns/detail/residue_functions.h>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/functional.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/span.h>
#if THRUST_RNS_CUDA_BACKEND
#  include <thrust_rns/detail/scratch.cuh>
#  include <thrust_rns/detail/segment_kernels.cuh>
#endif

namespace thrust_rns {
namespace detail {

/// Segment t of the host backends: elements offsets[t] .. offsets[t + 1] - 1 from `first` on, none of them empty.
template <reduction Kind, class Number>
struct reduce_segment {
  span<const Number> in;
  std::int64_t first;
  plane_output out;
  const std::int64_t* offsets;

  void operator()(std::int64_t t) const {
    const std::int64_t from = first + offsets[t], to = first + offsets[t + 1];
    if (out.evaluations != nullptr) out.evaluations[t] = 0;
    if constexpr (Kind == reduction::sum) {
      for (int i = 0; i < Number::size; ++i) {
        const std::uint32_t* x = in.plane(i);
        std::uint64_t sum = 0;
        for (std::int64_t j = from; j < to; ++j) sum += x[j];
        out.row(i)[t] = moduli_of<typename Number::base_type>()[i].reduce(sum);
      }
    } else {
      best_so_far<Number, Kind == reduction::maximum ? 1 : -1> best(layout_of<Number>(in));
      for (std::int64_t j = from; j < to; j += evaluation_block) {
        const int n = static_cast<int>(std::min<std::int64_t>(evaluation_block, to - j));
        std::uint64_t keys[evaluation_block];
        keys_of_block<Number>(in, j, n, keys);
        for (int k = 0; k < n; ++k) best.consider(keys[k], j + k);
      }
      for (int i = 0; i < Number::size; ++i) out.row(i)[t] = in.plane(i)[best.get().index];
    }
  }
};

/// Writes the first keys, and where their runs begin; returns the end of both.
template <class Policy, class Keys, class KeysOut, class Offsets, class Predicate>
auto find_runs(Policy& exec, Keys first, Keys last, KeysOut keys_out, Offsets offsets, Predicate same) {
  return thrust::unique_by_key_copy(exec, first, last, thrust::counting_iterator<std::int64_t>(0), keys_out, offsets,
                                    same);
}

#if THRUST_RNS_CUDA_BACKEND
template <reduction Kind, class Number, class Policy, class Keys, class Iterator, class KeysOut, class ValuesOut,
          class Predicate>
thrust::pair<KeysOut, ValuesOut> reduce_by_key_on_device(Policy& exec, Keys first, Keys last, Iterator values,
                                                         KeysOut keys_out, ValuesOut values_out, Predicate same) {
  const char* what = "thrust_rns: reduce_by_key";
  const std::int64_t count = last - first;
  const cudaStream_t stream = stream_of(exec);
  temporary_array<std::int64_t, Policy> memory(0, exec, count + 1);
  const auto ends = find_runs(exec, first, last, keys_out, memory.begin(), same);
  const std::int64_t segments = ends.second - memory.begin();
  thrust::fill(exec, ends.second, ends.second + 1, count);
  const std::int64_t* offsets = thrust::raw_pointer_cast(&*memory.begin());
  const plane_output out = output_at(values_out.underlying_span(), values_out.index());
  if constexpr (Kind == reduction::sum) {
    check_cuda(sum_segments_on_device<Number>(stream, operand_of<Number>(values), out, segments, offsets, offsets + 1),
               what);
  } else {
    scratch<Policy> places(exec, static_cast<std::size_t>(segments) * sizeof(std::int64_t));
    check_cuda(extremes_of_segments_on_device < Kind == reduction::maximum ? 1 : -1,
               Number > (stream, values.underlying_span(), values.index(), out,
                         reinterpret_cast<std::int64_t*>(places.bytes()), segments, offsets, offsets + 1),
               what);
  }
  check_cuda(cudaStreamSynchronize(stream), what); // the temporary memory is in use until then
  return {ends.first, values_out + segments};
}
#endif

template <reduction Kind, class Number, class Policy, class Keys, class Iterator, class KeysOut, class ValuesOut,
          class Predicate>
thrust::pair<KeysOut, ValuesOut> reduce_by_key_on_host(Policy& exec, Keys first, Keys last, Iterator values,
                                                       KeysOut keys_out, ValuesOut values_out, Predicate same) {
  const std::int64_t count = last - first;
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(count) + 1);
  const auto ends = find_runs(exec, first, last, keys_out, offsets.data(), same);
  const std::int64_t segments = ends.second - offsets.data();
  *ends.second = count;
  for_each_task(
      exec, segments,
      reduce_segment<Kind, Number>{values.underlying_span(), values.index(),
                                   output_at(values_out.underlying_span(), values_out.index()), offsets.data()});
  return {ends.first, values_out + segments};
}

/// One after the other.
template <reduction Kind, class Number, class Keys, class Iterator, class KeysOut, class ValuesOut, class Predicate>
THRUST_RNS_HD thrust::pair<KeysOut, ValuesOut> reduce_by_key_in_turn(Keys first, Keys last, Iterator values,
                                                                     KeysOut keys_out, ValuesOut values_out,
                                                                     Predicate same) {
  using function = std::conditional_t<Kind == reduction::sum, plus,
                                      std::conditional_t<Kind == reduction::maximum, maximum, minimum>>;
  for (std::int64_t j = 0; j < last - first; ++j) {
    if (j == 0 || !same(first[j - 1], first[j])) {
      *keys_out++ = first[j];
      *values_out++ = values[j];
    } else {
      values_out[-1] = function{}(values_out[-1], values[j]);
    }
  }
  return {keys_out, values_out};
}

THRUST_RNS_EXEC_CHECK_DISABLE
template <reduction Kind, class System, class Number, class Policy, class Keys, class Iterator, class KeysOut,
          class ValuesOut, class Predicate>
THRUST_RNS_HD thrust::pair<KeysOut, ValuesOut> reduce_numbers_by_key(Policy& exec, Keys first, Keys last,
                                                                     Iterator values, KeysOut keys_out,
                                                                     ValuesOut values_out, Predicate same) {
#if defined(__CUDA_ARCH__)
#  if THRUST_RNS_CUDA_BACKEND
  if constexpr (is_cuda_system<System>) { // never called: shows the compiler the kernels that the host branch launches
    if (false) reduce_by_key_on_device<Kind, Number>(exec, first, last, values, keys_out, values_out, same);
  }
#  endif
  return reduce_by_key_in_turn<Kind, Number>(first, last, values, keys_out, values_out, same);
#else
  if (last - first <= 0) return {keys_out, values_out};
  if constexpr (is_cuda_system<System>) {
#  if THRUST_RNS_CUDA_BACKEND
    return reduce_by_key_on_device<Kind, Number>(exec, first, last, values, keys_out, values_out, same);
#  endif
  } else {
    return reduce_by_key_on_host<Kind, Number>(exec, first, last, values, keys_out, values_out, same);
  }
#endif
}

} // namespace detail
} // namespace thrust_rns
