// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Inverses of batches of ring elements.
///
///   thrust::transform([policy,] a, a + count, c, ring_inverse<R>{})      c[i] = 1 / a[i], or 0 where there is no inverse
///   ring_invert<R>(policy, a, a + count, c, flags)                       and flags[i] = whether there is one
///
/// R = prime_ring<n, m>, m an odd prime. The rings R/q of NTRU Prime are fields: only 0 has no inverse. R/3 is none: elements that
/// share a factor with x^n - x - 1 have no inverse, and change nothing for the others of a batch. Operands are full elements of R or
/// small elements of degree n: 1 / (3 f) modulo q for a ternary f is the inverse of the small element 3 f, with coefficients
/// -3, 0, 3. The result is full_element<R>; for m = 3, ternary_element<R>; or what `ring_inverse<R, Output>` says, as for
/// `ring_multiplies`. Iterators are those of ring_multiply.h; flags are bool, char or other integers. The output may be the input.
///
/// Work: 2n - 1 division steps an element, each over four polynomials; on CUDA by one warp an element, in registers
/// (detail/ring_inverse_kernels.cuh). On CUDA, large batches in the fields R/q of NTRU Prime take three products an element
/// instead, and division steps for one in 64 or more (detail/ring_simultaneous.cuh); temporary memory for that comes from the
/// policy's allocator: some rows a group, and where the output is the input a row an element. Exact; constant time in
/// coefficients. Streams: queued on the policy's stream; returns when done, under `par_nosync` at once.
/// Source: D. J. Bernstein and B.-Y. Yang, "Fast constant-time gcd computation and modular inversion", TCHES 2019(3).
///
/// @code
/// using ring_3 = thrust_rns::prime_ring<761, 3>;
/// using element = thrust_rns::ternary_element<ring_3>;
/// element x;
/// x.set(1, 1);
/// thrust_rns::ring_vector<element> a{x, element()}, inverses(2);
/// thrust::device_vector<bool> invertible(2);
/// thrust_rns::ring_invert<ring_3>(thrust::device, a.begin(), a.end(), inverses.begin(), invertible.begin());
/// element y = inverses[0];  // x (x^760 - 1) = 1
/// std::cout << y[0] << ' ' << y[760] << ' ' << invertible[0] << ' ' << invertible[1] << '\n';  // prints -1 1 1 0
/// @endcode

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/iterator_traits.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/ring_inverse.h>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/ring.h>
#include <thrust_rns/ring_multiply.h>
#include <thrust_rns/ring_vector.h>
#if THRUST_RNS_CUDA_BACKEND
#  include <thrust_rns/detail/scratch.cuh>
#  include <thrust_rns/device/device_ring.cuh>
#endif

namespace thrust_rns {
namespace detail {

#if THRUST_RNS_CUDA_BACKEND
/// The type of flags behind an iterator into an array of integers; void for other iterators.
template <class Iterator>
struct flag_behind {
  using type = void;
};
template <class T>
struct flag_behind<T*> {
  using type = std::conditional_t<std::is_integral_v<T>, T, void>;
};
template <class T>
struct flag_behind<thrust::device_ptr<T>> : flag_behind<T*> {};
template <class Pointer>
struct flag_behind<vector_iterator<Pointer>> : flag_behind<Pointer> {};
template <class Iterator>
using if_flags = std::enable_if_t<!std::is_void_v<typename flag_behind<Iterator>::type>, int>;
template <class R>
using if_inverse_kernel = std::enable_if_t<has_inverse_kernel<R>, int>;

/// Names what inverting together launches, as transform_products does.
template <class R, class A, class Flag>
THRUST_RNS_HD void instantiate_simultaneous_kernels() {
#  if defined(__CUDA_ARCH__)
  using full = full_element<R>;
  static_cast<void>(&invert_elements<R, full, full, bool>);
  static_cast<void>(&ones_for_zeros<A, full>);
  static_cast<void>(&ones_for_zeros<A, A>);
  static_cast<void>(&zeros_for_ones<full, Flag>);
  static_cast<void>(&toeplitz_products<typename fold_choice<R, full, A>::plan, full, void, no_shared_operand>);
  static_cast<void>(&toeplitz_products<typename fold_choice<R, full, full>::plan, full, void, no_shared_operand>);
#  endif
}

/// As transform_products.
THRUST_RNS_EXEC_CHECK_DISABLE
template <class R, class A, class Output, class Flag, class Derived, class Iterator, class Sequential, class Launch>
THRUST_RNS_HD Iterator transform_inverses(device_policy<Derived>& exec, std::int64_t count, Iterator result,
                                          [[maybe_unused]] Sequential sequential, [[maybe_unused]] Launch launch) {
#  if defined(__CUDA_ARCH__)
  static_cast<void>(exec);
  static_cast<void>(count);
  static_cast<void>(&invert_elements<R, A, Output, Flag>);
  if constexpr (inverts_together<R, A, Output>) instantiate_simultaneous_kernels<R, A, Flag>();
  return sequential();
#  else
  constexpr const char* what = "thrust_rns: inverses of ring elements";
  auto& policy = static_cast<Derived&>(exec);
  std::size_t bytes = 0;
  check_cuda(launch(nullptr, bytes, count, stream_of(policy)), what);
  scratch<Derived> memory(policy, bytes);
  check_cuda(launch(memory.bytes(), bytes, count, stream_of(policy)), what);
  synchronize_optional(policy, what);
  return result + count;
#  endif
}
#endif

/// (1 / a or 0, whether a is invertible).
template <class R, class Output, class Flag>
struct inverse_and_flag {
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class A>
  THRUST_RNS_HD thrust::tuple<Output, Flag> operator()(const A& a) const {
    Output inverse;
    const bool invertible = invert_element<R>(element_of(a), inverse);
    return {inverse, static_cast<Flag>(invertible)};
  }

#if THRUST_RNS_CUDA_BACKEND
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class ItA, class ItC, class Flags, if_rows<ItA> = 0, if_output<ItC, Output> = 0,
            if_flags<Flags> = 0, class S = R, if_inverse_kernel<S> = 0>
  THRUST_RNS_HD friend thrust::zip_iterator<thrust::tuple<ItC, Flags>> transform(
      device_policy<Derived>& exec, ItA first, ItA last, thrust::zip_iterator<thrust::tuple<ItC, Flags>> result,
      inverse_and_flag f) {
    return transform_inverses<R, element_behind_t<ItA>, Output, typename flag_behind<Flags>::type>(
        exec, last - first, result, [&] { return thrust::transform(thrust::seq, first, last, result, f); },
        [&](void* temp, std::size_t& bytes, std::int64_t count, auto stream) {
          const auto& outputs = result.get_iterator_tuple();
          return DeviceRing<R>::Invert(temp, bytes, raw_pointer_of(first), raw_pointer_of(thrust::get<0>(outputs)),
                                       raw_pointer_of(thrust::get<1>(outputs)), count, stream);
        });
  }
#endif
};

} // namespace detail

/// 1 / a in R as an Output, or 0 if a has no inverse.
template <class R, class Output = detail::result_element<R>>
struct ring_inverse {
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class A>
  THRUST_RNS_HD Output operator()(const A& a) const {
    Output inverse;
    detail::invert_element<R>(detail::element_of(a), inverse);
    return inverse;
  }

#if THRUST_RNS_CUDA_BACKEND
  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Derived, class ItA, class ItC, detail::if_rows<ItA> = 0, detail::if_output<ItC, Output> = 0,
            class S = R, detail::if_inverse_kernel<S> = 0>
  THRUST_RNS_HD friend ItC transform(detail::device_policy<Derived>& exec, ItA first, ItA last, ItC result,
                                     ring_inverse f) {
    return detail::transform_inverses<R, detail::element_behind_t<ItA>, Output, bool>(
        exec, last - first, result, [&] { return thrust::transform(thrust::seq, first, last, result, f); },
        [&](void* temp, std::size_t& bytes, std::int64_t count, auto stream) {
          return DeviceRing<R>::Invert(temp, bytes, detail::raw_pointer_of(first), detail::raw_pointer_of(result),
                                       count, stream);
        });
  }
#endif
};

/// result[i] := 1 / first[i] in R, or 0 where there is no inverse; invertible[i] := whether there is one, i < last - first.
/// The type of the results is that behind `result`; see the top of the file. Returns the end of the results.
template <class R, class Policy, class ItA, class ItC, class Flags>
ItC ring_invert(const Policy& exec, ItA first, ItA last, ItC result, Flags invertible) {
  using Output = typename thrust::iterator_traits<ItC>::value_type;
  using Flag = typename thrust::iterator_traits<Flags>::value_type;
  static_assert(std::is_integral_v<Flag>, "thrust_rns: flags are bool, char or other integers");
  thrust::transform(exec, first, last, thrust::make_zip_iterator(result, invertible),
                    detail::inverse_and_flag<R, Output, Flag>{});
  return result + (last - first);
}

} // namespace thrust_rns
