// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// `thrust::transform` over vectors of numbers, by sum, difference, product, multiply-add, sign and inverse.
///
///   thrust::transform([policy,] first, last, result, op)            result_j = -x_j or 1/x_j mod M
///   thrust::transform([policy,] first, last, second, result, op)    result_j = x_j + y_j, x_j - y_j or x_j y_j
///   thrust::transform([policy,] zip, zip + n, result, op)           result_j = x_j y_j + z_j
///
/// op: `thrust_rns::negate` or `inverse`; `thrust_rns::plus`, `minus` or `multiplies`; Thrust's and libcu++'s functors of those names;
/// and `thrust_rns::multiply_add` over `thrust::make_zip_iterator(x, y, z)`. Any other op runs Thrust's own algorithm.
///
/// Operands: iterators of `device_vector` or `host_vector`, at any offset, and `thrust::make_constant_iterator(number)` on
/// either side, which multiplies or adds one number. The result, an iterator of the same kind, may be equal to an operand;
/// it must not overlap one in another way.
///
/// Exact; everything wraps modulo M. Returns the end of the result, whose cached evaluations are dropped.
///
/// Work: one pass; 4 n bytes read an element and operand, 4 n written and 8 for the evaluation. No memory beside the
/// vectors. Streams: one kernel on the policy's stream; returns when it has run, at once under `par_nosync`.
/// In device code the calls run sequentially in the calling thread.
///
/// @code
/// using number = thrust_rns::number<thrust_rns::moduli_for_bits<256>, thrust_rns::symmetric_range>;
/// thrust_rns::device_vector<number> a{number(5), number(-9)}, b{number(2), number(3)}, c(2, number(100));
/// thrust::transform(a.begin(), a.end(), b.begin(), a.begin(), thrust_rns::multiplies());
/// thrust::transform(a.begin(), a.end(), thrust::make_constant_iterator(number(1)), b.begin(), thrust::minus<number>());
/// auto abc = thrust::make_zip_iterator(a.begin(), b.begin(), c.begin());
/// thrust::transform(abc, abc + 2, c.begin(), thrust_rns::multiply_add());
/// std::cout << b[0] << ' ' << b[1] << ' ' << c[0] << ' ' << c[1] << '\n';  // prints 9 -28 190 856
/// @endcode

#include <cstdint>

#include <thrust/transform.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/host_transform.h>
#include <thrust_rns/detail/residue_functions.h>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/iterator.h>
#if THRUST_RNS_CUDA_BACKEND
#  include <thrust_rns/detail/transform_kernels.cuh>
#endif

namespace thrust_rns {
namespace detail {

THRUST_RNS_EXEC_CHECK_DISABLE
template <class Function, class System, class Policy, class Iterator, class... Inputs>
THRUST_RNS_HD void transform_numbers(Policy& exec, std::int64_t count, Iterator result, Inputs... first) {
  using Number = typename thrust::iterator_traits<Iterator>::value_type;
  const plane_output out = output_at(result.underlying_span(), result.index());
#if defined(__CUDA_ARCH__)
  static_cast<void>(exec);
#  if THRUST_RNS_CUDA_BACKEND
  if constexpr (is_cuda_system<System>) { // for the host branch; see instantiate_extremum_kernels
    static_cast<void>(&transform_planes<Function, Number, operand<Number, Inputs>...>);
  }
#  endif
  const transform_piece<Function, Number, operand<Number, Inputs>...> piece{out, count, {operand_of<Number>(first)...}};
  for (std::int64_t t = 0; t < piece.tasks(); ++t) piece(t);
#else
  if (count <= 0) return;
  if constexpr (is_cuda_system<System>) {
#  if THRUST_RNS_CUDA_BACKEND
    const char* what = "thrust_rns: transform";
    check_cuda(transform_on_device<Function, Number>(stream_of(exec), out, count, operand_of<Number>(first)...), what);
    synchronize_optional(exec, what);
#  endif
  } else {
    transform_on_host<Function, Number>(exec, out, count, operand_of<Number>(first)...);
  }
#endif
}

} // namespace detail
} // namespace thrust_rns
