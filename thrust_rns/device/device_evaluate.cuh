// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// CUB-style interval evaluation of numbers in device memory.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <cuda_runtime_api.h>

#include <thrust_rns/config.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/number.h>
#include <thrust_rns/span.h>
#include <thrust_rns/detail/device_call.cuh>
#include <thrust_rns/detail/evaluate_kernels.cuh>
#include <thrust_rns/detail/multiprocessors.cuh>

namespace thrust_rns {

/// Interval evaluations of many numbers, for callers who manage memory and streams themselves.
struct DeviceEvaluate {
  /// d_keys_out[j] := a key of d_in[j], j < num_items: 64 bits, never 0, that order the numbers but for those whose keys are
  /// equal or one apart (interval.h). Equal numbers may get keys one apart.
  ///
  /// `d_in` is an iterator of `device_vector` (or one made from a `span` of device memory), at any offset, or a pointer to whole
  /// numbers in device memory. With an iterator, elements whose evaluations are cached are not read, and the new evaluations are
  /// kept, if the span has room for them. `d_keys_out` may be null: then that is all that is done.
  ///
  /// Numbers of any magnitude. Work: one pass over the residues, 4 bytes read a residue and 8 bytes written a number, for numbers
  /// above M/2^22, and for small ones (below the product of three moduli) where 128 neighbours are; the others are read once
  /// more, by the Tensor Cores, log2(M/X)/448 products each (docs/evaluation.md). In the symmetric range a number within
  /// M/2^55 of M/2 is evaluated by one thread, in log2(M)/96 passes.
  ///
  /// With `d_temp_storage` null, writes the bytes needed to `temp_storage_bytes` (one bit a number) and does nothing else. With it
  /// set (device memory, aligned to 16 bytes), queues two kernels on `stream` and returns; never allocates, synchronises or
  /// throws, and can be captured in a graph. Returns cudaErrorInvalidValue for a negative `num_items` or too small a
  /// buffer, else what the launches returned.
  template <class NumbersIn>
  static cudaError_t Keys(void* d_temp_storage, std::size_t& temp_storage_bytes, NumbersIn d_in,
                          std::uint64_t* d_keys_out, std::int64_t num_items, cudaStream_t stream = nullptr) {
    if (num_items < 0) return cudaErrorInvalidValue;
    const std::int64_t groups = (detail::counted_of(d_in, num_items).count + 127) / 128;
    const std::size_t needed = 16 * static_cast<std::size_t>(std::max<std::int64_t>(groups, 1));
    if (!detail::prepare(d_temp_storage, temp_storage_bytes, needed)) return detail::refusal(d_temp_storage);
    if (num_items == 0) return cudaSuccess;
    int multiprocessors = 0;
    if (const cudaError_t status = detail::count_multiprocessors(multiprocessors); status != cudaSuccess) return status;
    auto* open = static_cast<uint4*>(d_temp_storage);
    return Run(d_in, d_keys_out, num_items, open, multiprocessors, stream);
  }

 private:
  template <class T>
  using Iterator = detail::planes_iterator<T>;

  template <class T>
  static cudaError_t Run(Iterator<T> d_in, std::uint64_t* d_keys_out, std::int64_t num_items, uint4* open,
                         int multiprocessors, cudaStream_t stream) {
    using Number = std::remove_const_t<T>;
    const detail::quad_range range = detail::range_of(d_in, num_items);
    const detail::key_output out{d_in.underlying_span().evaluations(), d_keys_out, range.first};
    if (out.evaluations == nullptr && out.keys == nullptr) return cudaSuccess;
    const auto blocks = std::min<std::int64_t>((range.quads() + detail::quad_threads - 1) / detail::quad_threads,
                                               multiprocessors * detail::quad_blocks_at_once<Number>);
    const cudaError_t status = detail::launch(detail::evaluate_planes<Number>, dim3(static_cast<unsigned>(blocks)),
                                              detail::quad_threads, stream, d_in.underlying_span(), range, open, out);
    if (status != cudaSuccess) return status;
    return Windows<Number, true>(detail::layout_of_input(d_in), open, detail::counted_of(d_in, num_items),
                                 multiprocessors, out, stream);
  }

  template <class Number>
  static cudaError_t Run(const Number* d_in, std::uint64_t* d_keys_out, std::int64_t num_items, uint4* open,
                         int multiprocessors, cudaStream_t stream) {
    if (d_keys_out == nullptr) return cudaSuccess;
    constexpr int threads = detail::array_tile<Number>::threads;
    const detail::key_output out{nullptr, d_keys_out, 0};
    const auto blocks = std::min<std::int64_t>((num_items + threads - 1) / threads,
                                               multiprocessors * detail::quad_blocks_at_once<Number>);
    const cudaError_t status =
        detail::launch(detail::evaluate_array<Number>, dim3(static_cast<unsigned>(blocks)), threads, stream, d_in,
                       num_items, reinterpret_cast<std::uint32_t*>(open), out);
    if (status != cudaSuccess) return status;
    return Windows<Number, false>(detail::layout_of_input(d_in), open, {num_items, 0}, multiprocessors, out, stream);
  }

  template <class Number, bool Planes>
  static cudaError_t Windows(const detail::residue_layout& layout, const uint4* open,
                             const detail::counted_range& counted, int multiprocessors, const detail::key_output& out,
                             cudaStream_t stream) {
    if constexpr (detail::small_values<Number>::complete) { // nothing is open
      return cudaSuccess;
    } else {
      using Base = typename Number::base_type;
      using block = detail::evaluation_windows<Base>;
      const auto kernel = detail::evaluate_open<Number, Planes>;
      bool resident = false;
      std::size_t bytes = 0;
      const cudaError_t status = detail::window_memory_of<block>(kernel, resident, bytes);
      if (status != cudaSuccess) return status;
      const std::int64_t blocks =
          std::min<std::int64_t>((counted.count + 512 * block::warpgroups - 1) / (512 * block::warpgroups),
                                 std::int64_t{multiprocessors} * block::blocks_at_once);
      return detail::launch_with_memory(kernel, dim3(static_cast<unsigned>(blocks)), block::threads, bytes, stream,
                                        layout, open, counted.count, counted.base, resident, out);
    }
  }
};

} // namespace thrust_rns
