// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// CUB-style products and inverses of batches of ring elements in device memory.

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include <cuda_runtime_api.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/ring_product.h>
#include <thrust_rns/ring.h>
#include <thrust_rns/detail/multiprocessors.cuh>
#include <thrust_rns/detail/ring_inverse_kernels.cuh>
#include <thrust_rns/detail/ring_kernels.cuh>
#include <thrust_rns/detail/ring_shared_kernels.cuh>

namespace thrust_rns {
namespace detail {

/// Whether the kernel computes this product: its words of four coefficients line up where n = 1 modulo 4, and rings modulo 3
/// have ternary elements. All rings in use are of this kind.
template <class R, class A, class B, class Output>
inline constexpr bool has_kernel = R::degree % 4 == 1 && (R::modulus > 64 || (!A::is_full && !B::is_full)) &&
                                   (R::modulus != 3 || !Output::is_full);

} // namespace detail

/// Batched products and inverses in the ring R = prime_ring<n, m>, for callers who manage memory and streams themselves.
///
/// Every call queues one kernel on `stream` and returns; it needs no temporary storage, never allocates, synchronises or
/// throws, and can be captured in a graph. Pointers are to rows in device memory (`polynomial<...>`), aligned to 16
/// bytes; `num_items` is their number. The output may be one of the inputs, exactly, where the types agree; other overlaps
/// are not allowed. Operands: full_element<R>, or small elements of its degree. Output: full_element<R> (ternary_element<R> if
/// m = 3), or another modulus p: the result's centred representative, modulo p. Products: n = 1 modulo 4, operands full for
/// m > 64 only. Inverses: m an odd prime below 8190, any n.
///
/// Returns cudaErrorInvalidValue for a negative num_items, a null or misaligned pointer where num_items > 0, else what the
/// launch returned. Exact. The time does not depend on coefficients.
template <class R>
struct DeviceRing {
  /// d_out[i] := d_a[i] d_b[i].
  template <class A, class B, class Output>
  static cudaError_t Multiply(const A* d_a, const B* d_b, Output* d_out, std::int64_t num_items,
                              cudaStream_t stream = nullptr) {
    return Launch<A, B, void>(d_a, d_b, static_cast<const void*>(nullptr), d_out, num_items,
                              detail::no_shared_operand{}, stream);
  }

  /// d_out[i] := d_a[i] d_b[i] + d_addend[i].
  template <class A, class B, class Addend, class Output>
  static cudaError_t MultiplyAdd(const A* d_a, const B* d_b, const Addend* d_addend, Output* d_out,
                                 std::int64_t num_items, cudaStream_t stream = nullptr) {
    detail::check_operand<R, Addend>();
    if (num_items > 0 && !Aligned(d_addend)) return cudaErrorInvalidValue;
    return Launch<A, B, Addend>(d_a, d_b, d_addend, d_out, num_items, detail::no_shared_operand{}, stream);
  }

  /// d_out[i] := d_a[i] operand. The operand lies on the host, and is copied by the call.
  template <class A, class Operand, class Output>
  static cudaError_t MultiplyBy(const A* d_a, const Operand& operand, Output* d_out, std::int64_t num_items,
                                cudaStream_t stream = nullptr) {
    if constexpr (detail::has_shared_kernel<R, Operand, A>) {
      bool launched = false;
      const cudaError_t status = LaunchShared(d_a, operand, d_out, num_items, stream, launched);
      if (status != cudaSuccess || launched) return status;
    }
    return Launch<A, Operand, void>(d_a, d_a, static_cast<const void*>(nullptr), d_out, num_items, operand, stream);
  }

  /// d_out[i] := 1 / d_a[i], or 0 where there is no inverse; d_invertible[i] := whether there is one, as a bool or another
  /// integer. d_invertible may be null, with the type of a pointer to flags.
  template <class A, class Output, class Flag>
  static cudaError_t Invert(const A* d_a, Output* d_out, Flag* d_invertible, std::int64_t num_items,
                            cudaStream_t stream = nullptr) {
    static_assert(std::is_integral_v<Flag>, "thrust_rns: flags are bool, char or other integers");
    detail::check_inverse<R, A, Output>();
    static_assert(detail::has_inverse_kernel<R>,
                  "thrust_rns: DeviceRing inverts modulo primes below 8190; thrust::transform takes any");
    if (num_items < 0) return cudaErrorInvalidValue;
    if (num_items == 0) return cudaSuccess;
    if (!Aligned(d_a) || !Aligned(d_out)) return cudaErrorInvalidValue;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(static_cast<unsigned>(std::min<std::int64_t>(num_items, INT32_MAX)));
    config.blockDim = dim3(32);
    config.stream = stream;
    return cudaLaunchKernelEx(&config, detail::invert_elements<R, A, Output, Flag>, d_a, d_out, d_invertible,
                              num_items);
  }
  template <class A, class Output>
  static cudaError_t Invert(const A* d_a, Output* d_out, std::int64_t num_items, cudaStream_t stream = nullptr) {
    return Invert(d_a, d_out, static_cast<bool*>(nullptr), num_items, stream);
  }

 private:
  static bool Aligned(const void* p) { return p != nullptr && reinterpret_cast<std::uintptr_t>(p) % 16 == 0; }

  template <class A, class B, class Addend, class SecondPointer, class Output, class Shared>
  static cudaError_t Launch(const A* d_a, const SecondPointer* d_b, const Addend* d_addend, Output* d_out,
                            std::int64_t num_items, const Shared& shared, cudaStream_t stream) {
    detail::check_operand<R, A>();
    detail::check_operand<R, B>();
    detail::check_ring_output<R, Output>();
    static_assert(
        detail::has_kernel<R, A, B, Output>,
        "thrust_rns: DeviceRing needs a degree of 1 modulo 4, and elements modulo m <= 64 that are small ones; "
        "thrust::transform takes any ring");
    if (num_items < 0) return cudaErrorInvalidValue;
    if (num_items == 0) return cudaSuccess;
    if (!Aligned(d_a) || !Aligned(d_b) || !Aligned(d_out)) return cudaErrorInvalidValue;
    int multiprocessors = 0;
    if (const cudaError_t status = detail::count_multiprocessors(multiprocessors); status != cudaSuccess) return status;

    using choice = detail::fold_choice<R, A, B>;
    using plan = typename choice::plan;
    const auto* rows = Rows<choice::first>(d_a, d_b);
    const auto* columns = Rows<!choice::first>(d_a, d_b);
    cudaLaunchConfig_t config{};
    // Blocks that run at once, each with as many pairs as another; many more for large batches, so that multiprocessors that
    // run ahead get more.
    const std::int64_t at_once = multiprocessors * plan::blocks, rounds = (num_items + at_once - 1) / at_once;
    config.gridDim = dim3(static_cast<unsigned>(rounds > 16 ? 8 * at_once : (num_items + rounds - 1) / rounds));
    config.blockDim = dim3(32);
    config.stream = stream;
    return cudaLaunchKernelEx(&config, detail::toeplitz_products<plan, Output, Addend, Shared>,
                              reinterpret_cast<const typename plan::rows*>(rows),
                              reinterpret_cast<const typename plan::columns*>(columns), d_addend, d_out, num_items,
                              shared);
  }

  /// The kernel for one operand and a large batch, where the device and the program's compilation have it.
  template <class A, class Operand, class Output>
  static cudaError_t LaunchShared(const A* d_a, const Operand& operand, Output* d_out, std::int64_t num_items,
                                  cudaStream_t stream, bool& launched) {
    using plan = detail::shared_plan<R, Operand, A>;
    detail::check_ring_output<R, Output>();
    if (num_items < 0 || !Aligned(d_a) || !Aligned(d_out)) return cudaSuccess; // Launch refuses
    constexpr auto kernel = detail::shared_products<plan, Output>;
    int multiprocessors = 0;
    cudaError_t status = detail::count_multiprocessors(multiprocessors);
    if (status != cudaSuccess) return status;
    const std::int64_t tiles = (num_items + plan::pairs - 1) / plan::pairs;
    if (tiles < 2 * multiprocessors) return cudaSuccess; // not worth the preparation
    cudaFuncAttributes attributes{};
    status = cudaFuncGetAttributes(&attributes, kernel);
    if (status != cudaSuccess) return status;
    if (attributes.maxThreadsPerBlock < plan::threads) return cudaSuccess;
    status = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, plan::bytes);
    if (status != cudaSuccess) return status;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(static_cast<unsigned>(std::min<std::int64_t>(tiles, multiprocessors)));
    config.blockDim = dim3(plan::threads);
    config.dynamicSmemBytes = plan::bytes;
    config.stream = stream;
    launched = true;
    return cudaLaunchKernelEx(&config, kernel, d_a, d_out, num_items, operand);
  }

  template <bool Second, class A, class B>
  static const auto* Rows(const A* d_a, const B* d_b) {
    if constexpr (Second) {
      return d_b;
    } else {
      return d_a;
    }
  }
};

} // namespace thrust_rns
