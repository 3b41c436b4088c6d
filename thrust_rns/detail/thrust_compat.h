// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Whatever touches names that Thrust does not document, in one place.

#include <cuda/version>

#include <thrust/detail/config.h>
#include <thrust/detail/temporary_array.h>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/detail/normal_iterator.h>
#include <thrust/iterator/iterator_traits.h>

#include <cstddef>

#include <thrust_rns/config.h>

#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
#  if !defined(__CUDACC__)
#    error \
        "thrust_rns: compile with nvcc, or choose a host backend with -DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_OMP (or _CPP, _TBB)"
#  endif
#  define THRUST_RNS_CUDA_BACKEND 1
#  include <cuda_runtime_api.h>
#  include <thrust/system/cuda/error.h>
#  include <thrust/system/cuda/execution_policy.h>
#  include <thrust/system_error.h>
#elif THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_OMP
#  include <thrust/system/omp/execution_policy.h>
#elif THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_TBB
#  include <thrust/system/tbb/execution_policy.h>
#endif
#include <thrust/system/cpp/execution_policy.h>

#if !defined(THRUST_RNS_CUDA_BACKEND)
#  define THRUST_RNS_CUDA_BACKEND 0
#endif

#if CCCL_VERSION >= 3005000
#  include <cuda/iterator>
#endif

static_assert(CCCL_VERSION >= 3000000,
              "thrust_rns needs CCCL 3.0 or newer (CUDA Toolkit 13, or github.com/NVIDIA/cccl)");

namespace thrust_rns {
namespace detail {

/// The policy bases that this library's overloads take. Thrust calls algorithms unqualified with a policy derived from
/// one of these, so an overload on exactly this base and on our iterators is the more specialised one; a user's own
/// system, whose overload matches without a conversion, still wins.
template <class System>
struct policy_of;

template <>
struct policy_of<thrust::cpp::tag> {
  template <class Derived>
  using base = thrust::cpp::execution_policy<Derived>;
};
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
template <>
struct policy_of<thrust::cuda::tag> {
  template <class Derived>
  using base = thrust::cuda::execution_policy<Derived>;
};
#elif THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_OMP
template <>
struct policy_of<thrust::omp::tag> {
  template <class Derived>
  using base = thrust::omp::execution_policy<Derived>;
};
#elif THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_TBB
template <>
struct policy_of<thrust::tbb::tag> {
  template <class Derived>
  using base = thrust::tbb::execution_policy<Derived>;
};
#endif

/// A policy as its own type, as Thrust hands it to its algorithms: a function that takes `const execution_policy_base<Derived>&`
/// accepts every policy.
template <class Derived>
using any_policy = thrust::detail::execution_policy_base<Derived>;
template <class Derived>
Derived& derived_policy(const any_policy<Derived>& exec) {
  return thrust::detail::derived_cast(thrust::detail::strip_const(exec));
}

/// The iterators of thrust::device_vector and thrust::host_vector, and the pointer behind each form of contiguous iterator.
template <class Pointer>
using vector_iterator = thrust::detail::normal_iterator<Pointer>;

/// What a constant iterator repeats, `type`; nothing for other iterators.
template <class Iterator>
struct constant_behind {};
// clang-format off
_CCCL_SUPPRESS_DEPRECATED_PUSH // thrust::constant_iterator is deprecated from CCCL 3.5 on, for cuda::constant_iterator
template <class T, class Incrementable, class System>
struct constant_behind<thrust::constant_iterator<T, Incrementable, System>> {
  using type = T;
};
_CCCL_SUPPRESS_DEPRECATED_POP
// clang-format on
#if CCCL_VERSION >= 3005000
template <class T, class Index>
struct constant_behind<cuda::constant_iterator<T, Index>> {
  using type = T;
};
#endif
template <class Iterator>
using constant_behind_t = typename constant_behind<Iterator>::type;

template <class T>
THRUST_RNS_HD T* raw_pointer_of(T* p) {
  return p;
}
template <class T>
THRUST_RNS_HD T* raw_pointer_of(thrust::device_ptr<T> p) {
  return thrust::raw_pointer_cast(p);
}
template <class Pointer>
THRUST_RNS_HD auto* raw_pointer_of(vector_iterator<Pointer> i) {
  return raw_pointer_of(i.base());
}

/// Temporary memory from the policy's allocator; temporary_array(0, exec, n) leaves its n elements uninitialised.
template <class T, class Policy>
using temporary_array = thrust::detail::temporary_array<T, Policy>;

#if THRUST_RNS_CUDA_BACKEND
template <class System>
inline constexpr bool is_cuda_system = std::is_same_v<System, thrust::cuda::tag>;

/// Whether a policy is one of Thrust's own without an allocator, so that nobody expects to see its temporary memory.
template <class Policy>
inline constexpr bool allocates_by_default =
    std::is_same_v<Policy, thrust::cuda::tag> || std::is_same_v<Policy, thrust::cuda_cub::par_t> ||
    std::is_same_v<Policy, thrust::cuda_cub::par_nosync_t> ||
    std::is_same_v<Policy, thrust::cuda_cub::execute_on_stream> ||
    std::is_same_v<Policy, thrust::cuda_cub::execute_on_stream_nosync>;

/// The backend's own algorithms, by a name under which argument-dependent lookup plays no part.
namespace stock = thrust::cuda_cub;

/// The stream of a policy: unqualified, so that policies derived by users are asked too.
template <class Derived>
cudaStream_t stream_of(Derived& exec) {
  return get_stream(exec);
}

/// Throws for a failed CUDA call, and clears the error so that the next call starts clean.
inline void check_cuda(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  cudaGetLastError();
  throw thrust::system_error(status, thrust::cuda_category(), what);
}
/// Waits for the policy's stream, as Thrust's own algorithms do at their end, unless the policy is one of the nosync kind.
template <class Derived>
void synchronize_optional(Derived& exec, const char* what) {
  check_cuda(thrust::cuda_cub::synchronize_optional(exec), what);
}
/// Waits for the policy's stream, whatever the policy.
template <class Derived>
void wait_for(Derived& exec) {
  check_cuda(cudaStreamSynchronize(stream_of(exec)), "thrust_rns: waiting for a stream");
}
#else
template <class System>
inline constexpr bool is_cuda_system = false;
#endif

} // namespace detail
} // namespace thrust_rns

// Thrust's host backends let transform write through a proxy reference only if it is registered here.
namespace thrust_rns {
template <class T, class System>
class basic_reference;
}

THRUST_NAMESPACE_BEGIN
namespace detail {
#if CCCL_VERSION >= 3001000 // CCCL 3.1 turned the class template into a variable template
template <class T, class System>
inline constexpr bool is_proxy_reference_v<thrust_rns::basic_reference<T, System>> = true;
#else
template <class T, class System>
struct is_proxy_reference<thrust_rns::basic_reference<T, System>> : true_type {};
#endif
} // namespace detail
THRUST_NAMESPACE_END
