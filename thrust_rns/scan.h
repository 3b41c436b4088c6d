// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// `thrust::inclusive_scan` and `thrust::exclusive_scan` over vectors of numbers: running sums, maxima and minima.
///
///   thrust::inclusive_scan([policy,] first, last, result [, [init,] op])     result_j = [init o] x_0 o ... o x_j
///   thrust::exclusive_scan([policy,] first, last, result [, init [, op]])    result_j = init o x_0 o ... o x_(j-1)
///
/// op: `thrust_rns::plus` (the default), `maximum` or `minimum`, or Thrust's and libcu++'s functors of those names. `init` is
/// a number of the vector's type, 0 if left out. Any other op or init runs Thrust's own algorithm.
///
/// Operands: iterators of `device_vector` or `host_vector`, at any offset. The result may be equal to `first`; it must not
/// overlap the input in another way. Exact; sums wrap modulo M. Returns the end of the result, whose cached evaluations
/// are dropped.
///
/// Work: sums take one pass, 4 n bytes read an element and 4 n written, and 8 for the evaluation. For maxima and minima,
/// elements without a cached evaluation are evaluated first, 4 n bytes read, 8 kept; numbers whose evaluations are too
/// close to tell apart are compared exactly. Memory beside the vectors, from the policy's allocator: 8 n bytes for each 4096
/// elements; for maxima and minima one byte an element too, and 8 more where there is no room for evaluations.
/// Streams: work is queued on the policy's stream; returns when it is done, at once under `par_nosync`.
/// In device code the calls run sequentially in the calling thread.
///
/// @code
/// using number = thrust_rns::number<thrust_rns::moduli_for_bits<256>, thrust_rns::symmetric_range>;
/// thrust_rns::device_vector<number> v{number(5), number(-9), number(7)}, sums(3);
/// thrust::inclusive_scan(v.begin(), v.end(), sums.begin());
/// thrust::exclusive_scan(v.begin(), v.end(), v.begin(), number(1), thrust_rns::maximum());
/// std::cout << sums[0] << ' ' << sums[1] << ' ' << sums[2] << ' ' << v[0] << ' ' << v[2] << '\n';  // prints 5 -4 3 1 5
/// @endcode

#include <cstddef>
#include <cstdint>

#include <thrust/scan.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/host_scan.h>
#include <thrust_rns/detail/residue_functions.h>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/functional.h>
#include <thrust_rns/iterator.h>
#if THRUST_RNS_CUDA_BACKEND
#  include <thrust_rns/detail/scan_kernels.cuh>
#  include <thrust_rns/detail/scan_of_extremes.cuh>
#  include <thrust_rns/detail/scratch.cuh>
#endif

namespace thrust_rns {
namespace detail {

#if THRUST_RNS_CUDA_BACKEND
template <reduction Kind, bool Inclusive, class Number, class Policy, class Input>
void scan_numbers_on_device(Policy& exec, std::int64_t count, Input first, const plane_output& out,
                            const Number* init) {
  const char* what = "thrust_rns: scan";
  const cudaStream_t stream = stream_of(exec);
  const auto call = [&](void* temp, std::size_t& bytes) {
    if constexpr (Kind == reduction::sum) {
      return scan_sums_on_device<Inclusive>(temp, bytes, stream, operand_of<Number>(first), out, count,
                                            init == nullptr ? Number{} : *init);
    } else {
      return scan_extremes_on_device < Kind == reduction::maximum ? 1 : -1, Inclusive,
             Number > (temp, bytes, stream, first, out, count, init);
    }
  };
  std::size_t bytes = 0;
  check_cuda(call(nullptr, bytes), what);
  const scratch<Policy> memory(exec, bytes);
  check_cuda(call(memory.bytes(), bytes), what);
  synchronize_optional(exec, what);
}
#endif

/// One after the other.
template <reduction Kind, bool Inclusive, class Input, class Iterator, class Number>
THRUST_RNS_HD void scan_in_turn(std::int64_t count, Input first, Iterator result, const Number* init) {
  Number running = init == nullptr ? Number{} : *init;
  for (std::int64_t j = 0; j < count; ++j) {
    const Number x = first[j];
    if constexpr (!Inclusive) result[j] = running;
    if constexpr (Kind == reduction::sum) {
      running += x;
    } else if (j == 0 && init == nullptr) {
      running = x;
    } else {
      running = std::conditional_t<Kind == reduction::maximum, maximum, minimum>{}(running, x);
    }
    if constexpr (Inclusive) result[j] = running;
  }
}

THRUST_RNS_EXEC_CHECK_DISABLE
template <reduction Kind, bool Inclusive, class System, class Policy, class Input, class Iterator, class Number>
THRUST_RNS_HD void scan_numbers(Policy& exec, std::int64_t count, Input first, Iterator result, const Number* init) {
#if defined(__CUDA_ARCH__)
#  if THRUST_RNS_CUDA_BACKEND
  if constexpr (is_cuda_system<System>) { // never called: shows the compiler the kernels that the host branch launches
    const plane_output out = output_at(result.underlying_span(), result.index());
    if (false) scan_numbers_on_device<Kind, Inclusive, Number>(exec, count, first, out, init);
  }
#  endif
  scan_in_turn<Kind, Inclusive>(count, first, result, init);
#else
  if (count <= 0) return;
  const plane_output out = output_at(result.underlying_span(), result.index());
  if constexpr (is_cuda_system<System>) {
#  if THRUST_RNS_CUDA_BACKEND
    scan_numbers_on_device<Kind, Inclusive, Number>(exec, count, first, out, init);
#  endif
  } else if constexpr (Kind == reduction::sum) {
    scan_sums_on_host<Inclusive, Number>(exec, operand_of<Number>(first), out, count,
                                         init == nullptr ? Number{} : *init);
  } else {
    scan_extremes_on_host<Kind == reduction::maximum ? 1 : -1, Inclusive, Number>(exec, first.underlying_span(),
                                                                                  first.index(), out, count, init);
  }
#endif
}

} // namespace detail
} // namespace thrust_rns
