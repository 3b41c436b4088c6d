// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Work on the elements 0 .. count - 1, one after another or a few at once, by the backend of the memory they lie in.

#include <algorithm>
#include <cstdint>

#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/number.h>
#include <thrust_rns/span.h>

namespace thrust_rns {
namespace detail {

/// Elements that a thread handles together: `here` (1 .. E) of them exist, the others repeat the first and may only be read.
template <int E>
struct element_group {
  std::int64_t index[E];
  int here;
};

/// Residues of an element that is written; its cached evaluation is dropped beforehand.
struct residue_output {
  std::uint32_t* first;
  std::int64_t stride;
  THRUST_RNS_HD void operator()(int i, std::uint32_t r) const { first[i * stride] = r; }
};

template <class Number>
THRUST_RNS_HD residue_output residues_of_output(const span<Number>& s, std::int64_t j) {
  if (s.evaluations() != nullptr) store_relaxed(s.evaluations() + j, 0);
  return {s.plane(0) + j, s.stride()};
}
template <class Number>
THRUST_RNS_HD strided_residues input_at(const span<const Number>& s, std::int64_t j) {
  return {s.plane(0) + j, s.stride()};
}

/// The residues of those elements of a group that exist.
template <int E>
struct group_output {
  residue_output out[E];
  int here;
  THRUST_RNS_HD void operator()(int e, int i, std::uint32_t r) const {
    if (e < here) out[e](i, r);
  }
};
template <int E, class Number>
THRUST_RNS_HD group_output<E> outputs_at(const element_group<E>& group, const span<Number>& s, std::int64_t first) {
  group_output<E> out{{}, group.here};
  for (int e = 0; e < E; ++e) { // to E, here and elsewhere, or device code keeps the arrays in memory
    if (e < group.here) out.out[e] = residues_of_output(s, first + group.index[e]);
  }
  return out;
}
template <int E, class Number>
struct group_input {
  strided_residues x[E];
  THRUST_RNS_HD group_input(const element_group<E>& group, const span<const Number>& s, std::int64_t first) {
    for (int e = 0; e < E; ++e) x[e] = input_at(s, first + group.index[e]);
  }
};

/// The elements of one chunk on the host: a cache line of each plane, so that short vectors of long numbers are shared out too.
template <class Function>
struct for_chunk {
  static constexpr std::int64_t chunk = 16;
  Function f;
  std::int64_t count;
  void operator()(std::int64_t c) const {
    const std::int64_t last = std::min(count, (c + 1) * chunk);
    for (std::int64_t j = c * chunk; j < last; ++j) f(element_group<1>{{j}, 1});
  }
};

#if THRUST_RNS_CUDA_BACKEND
inline constexpr int element_threads = 128;

/// A warp takes 32 E neighbours at a time, a lane E of them, 32 apart.
template <int E, class Function>
__global__ void __launch_bounds__(element_threads, Function::blocks_at_once)
    run_elements(Function f, std::int64_t count) {
  const std::int64_t step = std::int64_t{gridDim.x} * element_threads * E;
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  for (std::int64_t j = (std::int64_t{blockIdx.x} * (element_threads / 32) + warp) * 32 * E + lane; j < count;
       j += step) {
    element_group<E> group{{}, 0};
#  pragma unroll
    for (int e = 0; e < E; ++e) {
      const bool exists = j + 32 * e < count;
      group.index[e] = exists ? j + 32 * e : j;
      group.here += exists ? 1 : 0;
    }
    f(group);
  }
}

template <class Function>
cudaError_t launch_elements(const Function& f, std::int64_t count, cudaStream_t stream) {
  if (count <= 0) return count == 0 ? cudaSuccess : cudaErrorInvalidValue;
  constexpr int together = Function::elements_together, block = element_threads * together;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(std::min<std::int64_t>((count + block - 1) / block, 1 << 24)));
  config.blockDim = dim3(element_threads);
  config.stream = stream;
  return cudaLaunchKernelEx(&config, run_elements<together, Function>, f, count);
}
#endif

/// f(group) for groups that cover 0 .. count - 1, by `exec`; waits as Thrust's algorithms do. On a GPU a thread handles
/// Function::elements_together of them, and Function::blocks_at_once blocks fit on a multiprocessor.
template <class System, class Policy, class Function>
void for_each_index(Policy& exec, std::int64_t count, const Function& f, const char* what) {
  if (count <= 0) return;
  if constexpr (is_cuda_system<System>) {
#if THRUST_RNS_CUDA_BACKEND
    check_cuda(launch_elements(f, count, stream_of(exec)), what);
    synchronize_optional(exec, what);
#endif
  } else {
    static_cast<void>(what);
    const thrust::counting_iterator<std::int64_t> chunks(0);
    constexpr std::int64_t chunk = for_chunk<Function>::chunk;
    thrust::for_each(exec, chunks, chunks + (count + chunk - 1) / chunk, for_chunk<Function>{f, count});
  }
}

} // namespace detail
} // namespace thrust_rns
