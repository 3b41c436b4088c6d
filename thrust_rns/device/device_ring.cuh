// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// CUB-style products and inverses of batches of ring elements in device memory.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <cuda_runtime_api.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/ring_product.h>
#include <thrust_rns/ring.h>
#include <thrust_rns/detail/launch.cuh>
#include <thrust_rns/detail/multiprocessors.cuh>
#include <thrust_rns/detail/ring_inverse_kernels.cuh>
#include <thrust_rns/detail/ring_kernels.cuh>
#include <thrust_rns/detail/ring_shared_kernels.cuh>
#include <thrust_rns/detail/ring_simultaneous.cuh>

namespace thrust_rns {
namespace detail {

/// Whether the kernel computes this product: its words of four coefficients line up where n = 1 modulo 4, and rings modulo 3
/// have ternary elements. All rings in use are of this kind.
template <class R, class A, class B, class Output>
inline constexpr bool has_kernel = R::degree % 4 == 1 && (R::modulus > 64 || (!A::is_full && !B::is_full)) &&
                                   (R::modulus != 3 || !Output::is_full);

/// Whether large batches are inverted together.
template <class R, class A, class Output>
inline constexpr bool inverts_together =
    is_ntru_prime_field<R>&& std::is_same_v<Output, full_element<R>>&& has_kernel<R, full_element<R>, A, Output>;

} // namespace detail

/// Batched products and inverses in the ring R = prime_ring<n, m>, for callers who manage memory and streams themselves.
///
/// Products queue one kernel on `stream` and return; they need no temporary storage. Inverses, as in CUB: with `d_temp_storage`
/// null, the bytes needed are written to `temp_storage_bytes` and nothing else is done; it depends on whether the output is the
/// input. No call allocates, synchronises or throws, and each can be captured in a graph. Pointers are to rows in device memory (`polynomial<...>`), aligned to 16
/// bytes; `num_items` is their number. The output may be one of the inputs, exactly, where the types agree; other overlaps
/// are not allowed. Operands: full_element<R>, or small elements of its degree. Output: full_element<R> (ternary_element<R> if
/// m = 3), or another modulus p: the result's centred representative, modulo p. Products: n = 1 modulo 4, operands full for
/// m > 64 only. Inverses: m an odd prime below 8190, any n.
///
/// Returns cudaErrorInvalidValue for a negative num_items, a null or misaligned pointer where num_items > 0, too little
/// temporary storage, else what the launch returned. Exact. The time does not depend on coefficients.
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
  ///
  /// In the six fields of NTRU Prime, with full results, large batches are inverted together: three products an element and
  /// few inverses, by some 200 kernels (detail/ring_simultaneous.cuh). Else one kernel inverts one by one.
  template <class A, class Output, class Flag>
  static cudaError_t Invert(void* d_temp_storage, std::size_t& temp_storage_bytes, const A* d_a, Output* d_out,
                            Flag* d_invertible, std::int64_t num_items, cudaStream_t stream = nullptr) {
    static_assert(std::is_integral_v<Flag>, "thrust_rns: flags are bool, char or other integers");
    detail::check_inverse<R, A, Output>();
    static_assert(detail::has_inverse_kernel<R>,
                  "thrust_rns: DeviceRing inverts modulo primes below 8190; thrust::transform takes any");
    if (num_items < 0) return cudaErrorInvalidValue;
    if constexpr (detail::inverts_together<R, A, Output>) {
      int multiprocessors = 0;
      if (const cudaError_t status = detail::count_multiprocessors(multiprocessors); status != cudaSuccess) {
        return status;
      }
      const detail::simultaneous_plan<R, A> plan(num_items, multiprocessors, static_cast<const void*>(d_a) == d_out);
      if (plan.blocks > 1) {
        if (d_temp_storage == nullptr) {
          temp_storage_bytes = plan.bytes();
          return cudaSuccess;
        }
        if (temp_storage_bytes < plan.bytes() || !Aligned(d_temp_storage)) return cudaErrorInvalidValue;
        if (!Aligned(d_a) || !Aligned(d_out)) return cudaErrorInvalidValue;
        return InvertTogether(static_cast<unsigned char*>(d_temp_storage), plan, d_a, d_out, d_invertible, stream);
      }
    }
    if (d_temp_storage == nullptr) {
      temp_storage_bytes = 1;
      return cudaSuccess;
    }
    if (num_items == 0) return cudaSuccess;
    if (!Aligned(d_a) || !Aligned(d_out)) return cudaErrorInvalidValue;
    return InvertEach(d_a, d_out, d_invertible, num_items, stream);
  }
  template <class A, class Output>
  static cudaError_t Invert(void* d_temp_storage, std::size_t& temp_storage_bytes, const A* d_a, Output* d_out,
                            std::int64_t num_items, cudaStream_t stream = nullptr) {
    return Invert(d_temp_storage, temp_storage_bytes, d_a, d_out, static_cast<bool*>(nullptr), num_items, stream);
  }

 private:
  static bool Aligned(const void* p) { return p != nullptr && reinterpret_cast<std::uintptr_t>(p) % 16 == 0; }

  template <class A, class Output, class Flag>
  static cudaError_t InvertEach(const A* d_a, Output* d_out, Flag* d_invertible, std::int64_t num_items,
                                cudaStream_t stream) {
    const dim3 grid(static_cast<unsigned>(std::min<std::int64_t>(num_items, INT32_MAX)));
    return detail::launch(detail::invert_elements<R, A, Output, Flag>, grid, 32, stream, d_a, d_out, d_invertible,
                          num_items);
  }

  /// The method and its names: detail/ring_simultaneous.cuh. plan.blocks > 1.
  template <class A, class Flag>
  static cudaError_t InvertTogether(unsigned char* temp, const detail::simultaneous_plan<R, A>& plan, const A* d_a,
                                    full_element<R>* d_out, Flag* d_invertible, cudaStream_t stream) {
    using full = full_element<R>;
    auto* const u = reinterpret_cast<full*>(temp);
    auto* const factor = reinterpret_cast<A*>(temp + plan.factor_at());
    full* const products = plan.in_place ? reinterpret_cast<full*>(temp + plan.products_at()) : d_out; // P_0, P_1, ...
    unsigned char* const zero = temp + plan.zero_at();
    const std::int64_t groups = plan.groups, last = plan.blocks - 1, most_blocks = 1 << 16;
    cudaError_t status = cudaSuccess;
    const auto run = [&status](auto call) {
      if (status == cudaSuccess) status = call();
    };
    const auto load = [&](std::int64_t j, auto* to) { // to := a_j
      using Row = std::remove_pointer_t<decltype(to)>;
      run([&] {
        return detail::launch_items(detail::ones_for_zeros<A, Row>, 32 * groups, most_blocks, 1, stream,
                                    d_a + j * groups, plan.rows_of(j), groups, to, zero + j * groups);
      });
    };

    load(0, products);
    for (std::int64_t j = 1; j <= last; ++j) {
      load(j, factor);
      full* const product = j == last ? u : products + j * groups;
      run([&] { return Multiply(products + (j - 1) * groups, factor, product, groups, stream); });
    }
    run([&] { return InvertEach(u, u, static_cast<bool*>(nullptr), groups, stream); });
    for (std::int64_t j = last; j >= 0; --j) {
      const std::int64_t rows = plan.rows_of(j);
      full* const result = d_out + j * groups;
      if (j > 0) {
        load(j, factor); // before the result may take its place
        run([&] { return Multiply(u, products + (j - 1) * groups, result, rows, stream); });
        run([&] { return Multiply(u, factor, u, groups, stream); });
      } else {
        const std::size_t bytes = static_cast<std::size_t>(rows) * sizeof(full);
        run([&] { return cudaMemcpyAsync(result, u, bytes, cudaMemcpyDeviceToDevice, stream); });
      }
      run([&] {
        return detail::launch_items(detail::zeros_for_ones<full, Flag>, rows, most_blocks, 1, stream, result,
                                    zero + j * groups, d_invertible == nullptr ? nullptr : d_invertible + j * groups,
                                    rows);
      });
    }
    return status;
  }

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
