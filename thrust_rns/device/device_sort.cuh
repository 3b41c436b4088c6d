// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// CUB-style sorting of numbers in device memory.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <cuda_runtime_api.h>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

#include <cuda/functional>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/ordering.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/number.h>
#include <thrust_rns/span.h>
#include <thrust_rns/detail/launch.cuh>
#include <thrust_rns/detail/move_kernels.cuh>
#include <thrust_rns/detail/sort_kernels.cuh>
#include <thrust_rns/device/device_evaluate.cuh>

namespace thrust_rns {

/// Sorting, for callers who manage memory and streams themselves.
///
/// Every call: with `d_temp_storage` null, writes the bytes needed to `temp_storage_bytes` and does nothing else. With
/// it set (device memory, aligned to 16 bytes), queues its work on `stream` and returns; never allocates, synchronises or
/// throws, and can be captured in a graph. Returns cudaErrorInvalidValue for a negative `num_items`, for more than 2^32 - 2 of
/// them, and for too small a buffer, else what the launches returned.
///
/// Numbers are an iterator of `device_vector` (or one made from a `span` of device memory), at any offset, or a pointer to whole
/// numbers in device memory. Values are such an iterator or a pointer to trivially copyable values. All sorts are stable, as
/// those of cub::DeviceRadixSort are; equal numbers stay in their order in the descending sorts too.
///
/// Work: the keys are evaluated, unless they are cached, and sorted by radix with the places (12 bytes, 5 to 8 passes); numbers of
/// close keys are ordered by their differences (docs/evaluation.md); then each residue is read and written twice, and cached
/// evaluations move along with their numbers. Memory: 56 bytes a number, and what CUB needs.
struct DeviceSort {
  /// The index of a number.
  using Index = std::uint32_t;

  /// The numbers in ascending (descending) order, where they are.
  template <class Numbers>
  static cudaError_t SortKeys(void* d_temp_storage, std::size_t& temp_storage_bytes, Numbers d_keys,
                              std::int64_t num_items, cudaStream_t stream = nullptr) {
    return Sort(d_temp_storage, temp_storage_bytes, d_keys, NoValues{}, num_items, false, stream);
  }
  template <class Numbers>
  static cudaError_t SortKeysDescending(void* d_temp_storage, std::size_t& temp_storage_bytes, Numbers d_keys,
                                        std::int64_t num_items, cudaStream_t stream = nullptr) {
    return Sort(d_temp_storage, temp_storage_bytes, d_keys, NoValues{}, num_items, true, stream);
  }
  template <class Numbers>
  static cudaError_t StableSortKeys(void* d_temp_storage, std::size_t& temp_storage_bytes, Numbers d_keys,
                                    std::int64_t num_items, cudaStream_t stream = nullptr) {
    return SortKeys(d_temp_storage, temp_storage_bytes, d_keys, num_items, stream);
  }

  /// The values move as their keys do.
  template <class Numbers, class Values>
  static cudaError_t SortPairs(void* d_temp_storage, std::size_t& temp_storage_bytes, Numbers d_keys, Values d_values,
                               std::int64_t num_items, cudaStream_t stream = nullptr) {
    return Sort(d_temp_storage, temp_storage_bytes, d_keys, d_values, num_items, false, stream);
  }
  template <class Numbers, class Values>
  static cudaError_t SortPairsDescending(void* d_temp_storage, std::size_t& temp_storage_bytes, Numbers d_keys,
                                         Values d_values, std::int64_t num_items, cudaStream_t stream = nullptr) {
    return Sort(d_temp_storage, temp_storage_bytes, d_keys, d_values, num_items, true, stream);
  }
  template <class Numbers, class Values>
  static cudaError_t StableSortPairs(void* d_temp_storage, std::size_t& temp_storage_bytes, Numbers d_keys,
                                     Values d_values, std::int64_t num_items, cudaStream_t stream = nullptr) {
    return SortPairs(d_temp_storage, temp_storage_bytes, d_keys, d_values, num_items, stream);
  }

  /// d_indices_out[i] := the index, from d_in, of the number that is i-th in order. No number is moved.
  template <class NumbersIn>
  static cudaError_t SortIndices(void* d_temp_storage, std::size_t& temp_storage_bytes, NumbersIn d_in,
                                 Index* d_indices_out, std::int64_t num_items, cudaStream_t stream = nullptr) {
    return Indices(d_temp_storage, temp_storage_bytes, d_in, d_indices_out, num_items, false, stream);
  }
  template <class NumbersIn>
  static cudaError_t SortIndicesDescending(void* d_temp_storage, std::size_t& temp_storage_bytes, NumbersIn d_in,
                                           Index* d_indices_out, std::int64_t num_items,
                                           cudaStream_t stream = nullptr) {
    return Indices(d_temp_storage, temp_storage_bytes, d_in, d_indices_out, num_items, true, stream);
  }

  /// Element i := element d_indices[i], of numbers with their cached evaluations or of values, through temporary memory.
  template <class Items>
  static cudaError_t Permute(void* d_temp_storage, std::size_t& temp_storage_bytes, Items d_items,
                             const Index* d_indices, std::int64_t num_items, cudaStream_t stream = nullptr) {
    if (!IsCount(num_items)) return cudaErrorInvalidValue;
    const std::size_t needed = static_cast<std::size_t>(num_items) * std::max<std::size_t>(RowBytes(d_items), 16) + 1;
    if (d_temp_storage == nullptr) {
      temp_storage_bytes = needed;
      return cudaSuccess;
    }
    if (temp_storage_bytes < needed) return cudaErrorInvalidValue;
    return PermuteItems(d_items, d_indices, num_items, d_temp_storage, temp_storage_bytes, stream);
  }

 private:
  struct NoValues {};
  using Record = detail::run_record<Index>;
  using Counters = detail::run_counters<Index>;
  template <class T>
  using Iterator = basic_iterator<T, thrust::device_system_tag>;

  static bool IsCount(std::int64_t num_items) {
    return num_items >= 0 && num_items < static_cast<std::int64_t>(static_cast<Index>(-1));
  }

  /// Where everything is in temporary memory.
  struct Memory {
    std::size_t padded = 0; // numbers, so that each part is aligned
    std::uint64_t* keys[2] = {nullptr, nullptr};
    Record* records = nullptr; // two arrays of them
    Index* places[2] = {nullptr, nullptr};
    Counters* counters = nullptr;
    void* scratch = nullptr; // of CUB and of the evaluation
    std::size_t scratch_bytes = 0, bytes = 0;

    Memory(void* d_temp_storage, std::int64_t num_items, std::size_t scratch_needed, std::size_t values_needed)
        : padded((static_cast<std::size_t>(num_items) + 63) / 64 * 64), scratch_bytes(scratch_needed) {
      const auto take = [&](std::size_t size) {
        void* part = d_temp_storage == nullptr ? nullptr : static_cast<unsigned char*>(d_temp_storage) + bytes;
        bytes += (size + 255) / 256 * 256;
        return part;
      };
      for (auto& k : keys) k = static_cast<std::uint64_t*>(take(padded * sizeof(std::uint64_t)));
      records = static_cast<Record*>(take(2 * padded * sizeof(Record)));
      if (values_needed > bytes) take(values_needed - bytes);
      moving_bytes = bytes;
      for (auto& p : places) p = static_cast<Index*>(take(padded * sizeof(Index)));
      counters = static_cast<Counters*>(take(sizeof(Counters)));
      scratch = take(scratch_bytes);
    }

    /// Keys and records are done with when the numbers move.
    void* moving() const { return keys[0]; }
    std::size_t moving_bytes = 0;
  };

  // ---- what differs between planes, whole numbers and values ----

  template <class T>
  static detail::residue_layout Layout(Iterator<T> d_in) {
    return detail::view_of(d_in).layout;
  }
  template <class Number>
  static detail::residue_layout Layout(const Number* d_in) {
    return detail::layout_of(d_in);
  }

  /// The least temporary memory for each element that moves.
  template <class T>
  static constexpr std::size_t RowBytes(Iterator<T>) {
    return sizeof(std::uint64_t);
  }
  template <class Value>
  static constexpr std::size_t RowBytes(Value*) {
    return is_number<Value> ? sizeof(std::uint32_t) : sizeof(Value);
  }
  static constexpr std::size_t RowBytes(NoValues) { return 0; }

  static cudaError_t PermuteItems(NoValues, const Index*, std::int64_t, void*, std::size_t, cudaStream_t) {
    return cudaSuccess;
  }
  template <class Number>
  static cudaError_t PermuteItems(Iterator<Number> d_items, const Index* places, std::int64_t num_items, void* temp,
                                  std::size_t temp_bytes, cudaStream_t stream) {
    const auto& s = d_items.underlying_span();
    if (s.evaluations() != nullptr) {
      const cudaError_t status = detail::permute_words<std::uint64_t>({s.evaluations() + d_items.index(), 0, 1}, 1,
                                                                      places, num_items, temp, temp_bytes, stream);
      if (status != cudaSuccess) return status;
    }
    return detail::permute_words<std::uint32_t>({s.plane(0) + d_items.index(), s.stride(), 1}, Number::size, places,
                                                num_items, temp, temp_bytes, stream);
  }
  template <class Value>
  static cudaError_t PermuteItems(Value* d_items, const Index* places, std::int64_t num_items, void* temp,
                                  std::size_t temp_bytes, cudaStream_t stream) {
    if constexpr (is_number<Value>) {
      return detail::permute_words<std::uint32_t>({reinterpret_cast<std::uint32_t*>(d_items), 1, Value::size},
                                                  Value::size, places, num_items, temp, temp_bytes, stream);
    } else {
      static_assert(std::is_trivially_copyable_v<Value> && alignof(Value) <= 16,
                    "thrust_rns: the values of DeviceSort::SortPairs must be trivially copyable");
      return detail::permute_words<Value>({d_items, 0, 1}, 1, places, num_items, temp, temp_bytes, stream);
    }
  }

  // ---- the order ----

  static auto Beginnings(const Record* records, const Index* count) {
    return thrust::make_transform_iterator(thrust::counting_iterator<Index>(0),
                                           detail::run_beginning<Index>{records, count});
  }

  /// What CUB and the evaluation need; with `bytes` set to at least that, they can be called.
  template <class NumbersIn>
  static cudaError_t ScratchBytes(NumbersIn d_in, std::int64_t num_items, std::size_t& bytes) {
    const Memory none(nullptr, 0, 0, 0);
    std::size_t evaluate = 0, radix = 0, select = 0, scan = 0;
    cudaError_t status = DeviceEvaluate::Keys(nullptr, evaluate, d_in, none.keys[0], num_items);
    ::cub::DoubleBuffer<std::uint64_t> keys;
    ::cub::DoubleBuffer<Index> places;
    const auto count = static_cast<Index>(num_items);
    if (status == cudaSuccess) status = ::cub::DeviceRadixSort::SortPairs(nullptr, radix, keys, places, count);
    if (status == cudaSuccess) {
      status = ::cub::DeviceSelect::If(nullptr, select, thrust::counting_iterator<Index>(0), none.places[0],
                                       none.places[0], num_items, detail::in_close_run{nullptr, num_items});
    }
    if (status == cudaSuccess) {
      status = ::cub::DeviceScan::InclusiveScan(nullptr, scan, Beginnings(nullptr, nullptr), none.places[0],
                                                ::cuda::maximum<Index>{}, count);
    }
    bytes = std::max({evaluate, radix, select, scan});
    return status;
  }

  /// memory.places[result] := the indices in order.
  template <class NumbersIn>
  static cudaError_t FindOrder(Memory& memory, NumbersIn d_in, std::int64_t num_items, bool descending, int& result,
                               cudaStream_t stream) {
    using Number = typename thrust::iterator_traits<NumbersIn>::value_type;
    constexpr std::int64_t most_blocks = std::int64_t{1} << 30;
    const auto count = static_cast<Index>(num_items);
    cudaError_t status =
        DeviceEvaluate::Keys(memory.scratch, memory.scratch_bytes, d_in, memory.keys[0], num_items, stream);
    if (status != cudaSuccess) return status;
    status = detail::launch_items(detail::begin_order<Number, Index>, num_items, most_blocks, 1, stream, memory.keys[0],
                                  memory.places[0], num_items, descending, memory.counters);
    if (status != cudaSuccess) return status;
    ::cub::DoubleBuffer<std::uint64_t> keys(memory.keys[0], memory.keys[1]);
    ::cub::DoubleBuffer<Index> places(memory.places[0], memory.places[1]);
    std::size_t bytes = memory.scratch_bytes;
    status = ::cub::DeviceRadixSort::SortPairs(memory.scratch, bytes, keys, places, count, 0,
                                               detail::order_code<Number>::bits, stream);
    if (status != cudaSuccess) return status;
    result = places.selector;

    // The other keys' memory has room for two indices a number.
    auto* selected = reinterpret_cast<Index*>(keys.Alternate());
    bytes = memory.scratch_bytes;
    status = ::cub::DeviceSelect::If(memory.scratch, bytes, thrust::counting_iterator<Index>(0), selected,
                                     &memory.counters->records, num_items,
                                     detail::in_close_run{keys.Current(), num_items}, stream);
    if (status != cudaSuccess) return status;
    status = detail::launch_items(detail::make_records<Index>, num_items, most_blocks, 1, stream, keys.Current(),
                                  places.Current(), selected, memory.counters, memory.records);
    if (status != cudaSuccess) return status;
    status = SettleRuns<Number>(memory, Layout(d_in), num_items, descending, selected + memory.padded,
                                reinterpret_cast<Index*>(keys.Current()), stream);
    if (status != cudaSuccess) return status;
    return detail::launch_items(detail::return_records<Index>, num_items, most_blocks, 1, stream, memory.records,
                                selected, memory.counters, places.Current());
  }

  /// Sorts the records by run and number.
  template <class Number>
  static cudaError_t SettleRuns(Memory& memory, detail::residue_layout layout, std::int64_t num_items, bool descending,
                                Index* record_of, Index* beginnings, cudaStream_t stream) {
    constexpr std::int64_t most_blocks = std::int64_t{1} << 30;
    const auto count = static_cast<Index>(num_items);
    cudaError_t status = cudaMemsetAsync(record_of, 0xff, memory.padded * sizeof(Index), stream);
    for (int level = 0; level <= detail::reference_levels && status == cudaSuccess; ++level) {
      std::size_t bytes = memory.scratch_bytes;
      status =
          ::cub::DeviceScan::InclusiveScan(memory.scratch, bytes, Beginnings(memory.records, &memory.counters->records),
                                           beginnings, ::cuda::maximum<Index>{}, count, stream);
      if (status != cudaSuccess) return status;
      status = detail::launch_items(detail::assign_runs<Index>, num_items, most_blocks, 1, stream, memory.records,
                                    beginnings, level, detail::code_of_equal<Number>(descending), record_of,
                                    memory.counters);
      if (status != cudaSuccess) return status;
      if (level == detail::reference_levels) {
        return SortRecords(memory, num_items, level, detail::record_before_exactly<Number, Index>{layout, descending},
                           stream);
      }
      status = detail::launch_items(detail::subtract_references<Number, Index>, num_items, most_blocks, 1, stream,
                                    layout, num_items, record_of, level, descending, memory.counters, memory.records);
      if (status != cudaSuccess) return status;
      status = SortRecords(memory, num_items, level, detail::record_before<Index>{}, stream);
    }
    return status;
  }

  template <class Before>
  static cudaError_t SortRecords(Memory& memory, std::int64_t num_items, int level, Before before,
                                 cudaStream_t stream) {
    constexpr std::int64_t most_blocks = std::int64_t{1} << 30;
    const detail::record_buffers<Index> buffers{memory.records, memory.records + memory.padded};
    const std::int64_t threads = (num_items + detail::record_tile_items - 1) / detail::record_tile_items;
    cudaError_t status = detail::launch_items(detail::sort_tiles<Index, Before>, threads, most_blocks, 1, stream,
                                              buffers, memory.counters, level, before);
    int pass = 0;
    for (std::int64_t width = detail::record_tile; width < num_items && status == cudaSuccess; width *= 2, ++pass) {
      status = detail::launch_items(detail::merge_pieces<Index, Before>, threads, most_blocks, 1, stream, buffers,
                                    memory.counters, level, pass, before);
    }
    return status;
  }

  /// Lays out the memory; `go_on` is false for a size query and for a buffer that is too small.
  template <class NumbersIn>
  static cudaError_t Prepare(void* d_temp_storage, std::size_t& temp_storage_bytes, NumbersIn d_in,
                             std::size_t values_needed, std::int64_t num_items, Memory& memory, bool& go_on) {
    go_on = false;
    if (!IsCount(num_items)) return cudaErrorInvalidValue;
    std::size_t scratch = 0;
    if (const cudaError_t status = ScratchBytes(d_in, num_items, scratch); status != cudaSuccess) return status;
    memory = Memory(d_temp_storage, num_items, scratch, values_needed);
    if (d_temp_storage == nullptr) {
      temp_storage_bytes = memory.bytes;
      return cudaSuccess;
    }
    if (temp_storage_bytes < memory.bytes) return cudaErrorInvalidValue;
    go_on = num_items > 1;
    return cudaSuccess;
  }

  template <class Numbers, class Values>
  static cudaError_t Sort(void* d_temp_storage, std::size_t& temp_storage_bytes, Numbers d_keys, Values d_values,
                          std::int64_t num_items, bool descending, cudaStream_t stream) {
    Memory memory(nullptr, 0, 0, 0);
    bool go_on = false;
    const std::size_t values_needed =
        static_cast<std::size_t>(std::max<std::int64_t>(num_items, 0)) * RowBytes(d_values);
    cudaError_t status = Prepare(d_temp_storage, temp_storage_bytes, d_keys, values_needed, num_items, memory, go_on);
    if (!go_on) return status;
    int result = 0;
    status = FindOrder(memory, d_keys, num_items, descending, result, stream);
    if (status != cudaSuccess) return status;
    status = PermuteItems(d_keys, memory.places[result], num_items, memory.moving(), memory.moving_bytes, stream);
    if (status != cudaSuccess) return status;
    return PermuteItems(d_values, memory.places[result], num_items, memory.moving(), memory.moving_bytes, stream);
  }

  template <class NumbersIn>
  static cudaError_t Indices(void* d_temp_storage, std::size_t& temp_storage_bytes, NumbersIn d_in,
                             Index* d_indices_out, std::int64_t num_items, bool descending, cudaStream_t stream) {
    Memory memory(nullptr, 0, 0, 0);
    bool go_on = false;
    cudaError_t status = Prepare(d_temp_storage, temp_storage_bytes, d_in, 0, num_items, memory, go_on);
    if (status != cudaSuccess || d_temp_storage == nullptr || num_items == 0) return status;
    if (!go_on) return cudaMemsetAsync(d_indices_out, 0, sizeof(Index), stream);
    int result = 0;
    status = FindOrder(memory, d_in, num_items, descending, result, stream);
    if (status != cudaSuccess) return status;
    return cudaMemcpyAsync(d_indices_out, memory.places[result], static_cast<std::size_t>(num_items) * sizeof(Index),
                           cudaMemcpyDeviceToDevice, stream);
  }
};

} // namespace thrust_rns
