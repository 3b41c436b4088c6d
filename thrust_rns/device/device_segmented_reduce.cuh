// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// CUB-style reductions of segments of numbers in device memory.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <cuda_runtime_api.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/residue_functions.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/number.h>
#include <thrust_rns/detail/segment_kernels.cuh>

namespace thrust_rns {

/// Sums and extrema of segments, for callers who manage memory and streams themselves.
///
/// Segment s holds the elements d_begin_offsets[s] .. d_end_offsets[s] - 1, counted from `d_in`; offsets are iterators over
/// integers in device memory, and d_offsets, d_offsets + 1 do for segments that follow each other. Segments may be empty,
/// overlap, and have any length.
///
/// Every call: with `d_temp_storage` null, writes the bytes needed to `temp_storage_bytes` and does nothing else. With it
/// set (device memory, aligned to 16 bytes), queues one or two kernels on `stream` and returns; never allocates,
/// synchronises or throws, and can be captured in a graph. Returns cudaErrorInvalidValue for a negative `num_segments` or
/// too small a buffer, else what the launches returned.
///
/// `d_in` and `d_out` are iterators of `device_vector` (or made from a `span` of device memory) that do not overlap. The
/// cached evaluations of the output are dropped. Results are exact. Sums read each residue once. Extrema evaluate elements
/// without a cached evaluation, one by one, and keep the evaluations if the span has room for them.
struct DeviceSegmentedReduce {
  /// out_s := the sum of segment s modulo M; 0 if it is empty.
  template <class T, class Number, class BeginOffsets, class EndOffsets>
  static cudaError_t Sum(void* d_temp_storage, std::size_t& temp_storage_bytes, device_iterator<T> d_in,
                         device_iterator<Number> d_out, std::int64_t num_segments, BeginOffsets d_begin_offsets,
                         EndOffsets d_end_offsets, cudaStream_t stream = nullptr) {
    bool go_on = false;
    const cudaError_t status = Prepare(d_temp_storage, temp_storage_bytes, num_segments, 1, go_on);
    if (!go_on) return status;
    return detail::sum_segments_on_device<Number>(stream, detail::operand_of<Number>(d_in), Output(d_out), num_segments,
                                                  d_begin_offsets, d_end_offsets);
  }
  /// d_index_out[s] := the place in segment s, from 0 on, of the first of its largest numbers; -1 if it is empty.
  template <class T, class BeginOffsets, class EndOffsets>
  static cudaError_t ArgMax(void* d_temp_storage, std::size_t& temp_storage_bytes, device_iterator<T> d_in,
                            std::int64_t* d_index_out, std::int64_t num_segments, BeginOffsets d_begin_offsets,
                            EndOffsets d_end_offsets, cudaStream_t stream = nullptr) {
    return Places<1>(d_temp_storage, temp_storage_bytes, d_in, d_index_out, num_segments, d_begin_offsets,
                     d_end_offsets, stream);
  }
  /// The same for the first of the smallest numbers.
  template <class T, class BeginOffsets, class EndOffsets>
  static cudaError_t ArgMin(void* d_temp_storage, std::size_t& temp_storage_bytes, device_iterator<T> d_in,
                            std::int64_t* d_index_out, std::int64_t num_segments, BeginOffsets d_begin_offsets,
                            EndOffsets d_end_offsets, cudaStream_t stream = nullptr) {
    return Places<-1>(d_temp_storage, temp_storage_bytes, d_in, d_index_out, num_segments, d_begin_offsets,
                      d_end_offsets, stream);
  }
  /// out_s := the largest number of segment s; the smallest number of the range if it is empty.
  template <class T, class Number, class BeginOffsets, class EndOffsets>
  static cudaError_t Max(void* d_temp_storage, std::size_t& temp_storage_bytes, device_iterator<T> d_in,
                         device_iterator<Number> d_out, std::int64_t num_segments, BeginOffsets d_begin_offsets,
                         EndOffsets d_end_offsets, cudaStream_t stream = nullptr) {
    return Extremes<1>(d_temp_storage, temp_storage_bytes, d_in, d_out, num_segments, d_begin_offsets, d_end_offsets,
                       stream);
  }
  /// out_s := the smallest number of segment s; the largest number of the range if it is empty.
  template <class T, class Number, class BeginOffsets, class EndOffsets>
  static cudaError_t Min(void* d_temp_storage, std::size_t& temp_storage_bytes, device_iterator<T> d_in,
                         device_iterator<Number> d_out, std::int64_t num_segments, BeginOffsets d_begin_offsets,
                         EndOffsets d_end_offsets, cudaStream_t stream = nullptr) {
    return Extremes<-1>(d_temp_storage, temp_storage_bytes, d_in, d_out, num_segments, d_begin_offsets, d_end_offsets,
                        stream);
  }

 private:
  template <int Order, class T, class BeginOffsets, class EndOffsets>
  static cudaError_t Places(void* d_temp_storage, std::size_t& temp_storage_bytes, device_iterator<T> d_in,
                            std::int64_t* d_index_out, std::int64_t num_segments, BeginOffsets begin, EndOffsets end,
                            cudaStream_t stream) {
    bool go_on = false;
    const cudaError_t status = Prepare(d_temp_storage, temp_storage_bytes, num_segments, 1, go_on);
    if (!go_on) return status;
    return detail::find_extremes_of_segments_on_device<Order, std::remove_const_t<T>>(
        stream, d_in.underlying_span(), d_in.index(), d_index_out, num_segments, begin, end);
  }
  template <int Order, class T, class Number, class BeginOffsets, class EndOffsets>
  static cudaError_t Extremes(void* d_temp_storage, std::size_t& temp_storage_bytes, device_iterator<T> d_in,
                              device_iterator<Number> d_out, std::int64_t num_segments, BeginOffsets begin,
                              EndOffsets end, cudaStream_t stream) {
    bool go_on = false;
    const cudaError_t status = Prepare(d_temp_storage, temp_storage_bytes, num_segments, sizeof(std::int64_t), go_on);
    if (!go_on) return status;
    return detail::extremes_of_segments_on_device<Order, Number>(
        stream, d_in.underlying_span(), d_in.index(), Output(d_out), static_cast<std::int64_t*>(d_temp_storage),
        num_segments, begin, end);
  }

  /// Memory of so many bytes a segment, at least one. `go_on`: not for a size query or an error, which is returned.
  static cudaError_t Prepare(void* d_temp_storage, std::size_t& temp_storage_bytes, std::int64_t num_segments,
                             std::size_t bytes, bool& go_on) {
    if (num_segments < 0) return cudaErrorInvalidValue;
    const std::size_t needed = bytes == 1 || num_segments == 0 ? 1 : bytes * static_cast<std::size_t>(num_segments);
    if (d_temp_storage == nullptr) {
      temp_storage_bytes = needed;
      return cudaSuccess;
    }
    go_on = temp_storage_bytes >= needed;
    return go_on ? cudaSuccess : cudaErrorInvalidValue;
  }
  template <class Number>
  static detail::plane_output Output(device_iterator<Number> d_out) {
    return detail::output_at(d_out.underlying_span(), d_out.index());
  }
};

} // namespace thrust_rns
