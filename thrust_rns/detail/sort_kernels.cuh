// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Kernels that put close runs in order (ordering.h). How many records there are is known only on the device, so each kernel is
/// launched for the most there can be, and leaves at once where there is nothing to do.

#include <cstdint>

#include <cub/block/block_merge_sort.cuh>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/candidate.h>
#include <thrust_rns/detail/ordering.h>
#include <thrust_rns/detail/launch.cuh>

namespace thrust_rns {
namespace detail {

inline constexpr int record_tile_items = 8;
inline constexpr int record_tile = item_threads * record_tile_items;

/// What the device finds out on the way.
template <class Index>
struct run_counters {
  Index records;                         // numbers in close runs
  Index unsettled[reference_levels + 1]; // of these, still in a run of unequal numbers after each level
};

/// codes[i] := the order code of keys[i], in place; places[i] := i.
template <class Number, class Index>
__global__ void __launch_bounds__(item_threads) begin_order(std::uint64_t* keys, Index* places, std::int64_t count,
                                                            bool descending, run_counters<Index>* counters) {
  for (std::int64_t i = first_item(); i < count; i += item_step()) {
    keys[i] = order_code<Number>::make(keys[i], descending);
    places[i] = static_cast<Index>(i);
  }
  if (first_item() == 0) *counters = {};
}

/// One record for each place that was selected.
template <class Index>
__global__ void __launch_bounds__(item_threads)
    make_records(const std::uint64_t* codes, const Index* places, const Index* selected,
                 const run_counters<Index>* counters, run_record<Index>* records) {
  const std::int64_t count = counters->records;
  for (std::int64_t k = first_item(); k < count; k += item_step()) {
    const Index at = selected[k];
    records[k] = {codes[at], 0, places[at]};
  }
}

/// Writes each record's run, and where the numbers of runs that are not settled find their records: record_of, by index, is
/// `none` for all others.
template <class Index>
__global__ void __launch_bounds__(item_threads)
    assign_runs(run_record<Index>* records, const Index* beginnings, int level, std::uint64_t equal, Index* record_of,
                run_counters<Index>* counters) {
  if (level > 0 && counters->unsettled[level - 1] == 0) return;
  constexpr Index none = static_cast<Index>(-1);
  const std::int64_t count = counters->records;
  for (std::int64_t base = std::int64_t{blockIdx.x} * item_threads; base < count; base += item_step()) {
    const std::int64_t k = base + threadIdx.x;
    bool unsettled = false;
    if (k < count) {
      const Index run = beginnings[k];
      const bool alone = run == k && (k + 1 == count || beginnings[k + 1] == k + 1);
      unsettled = !alone && !(level > 0 && records[k].code == equal);
      records[k].run = run;
      record_of[records[k].index] = unsettled ? static_cast<Index>(k) : none;
    }
    const int here = __syncthreads_count(unsettled);
    if (threadIdx.x == 0 && here > 0) atomicAdd(&counters->unsettled[level], static_cast<Index>(here));
  }
}

/// The codes of the differences from the references of their runs, in the order of the numbers, so that loads are together.
template <class Number, class Index>
__global__ void __launch_bounds__(item_threads)
    subtract_references(residue_layout layout, std::int64_t count, const Index* record_of, int level, bool descending,
                        const run_counters<Index>* counters, run_record<Index>* records) {
  if (counters->unsettled[level] == 0) return;
  for (std::int64_t j = first_item(); j < count; j += item_step()) {
    const Index k = record_of[j];
    if (k == static_cast<Index>(-1)) continue;
    const Index reference = records[records[k].run].index;
    records[k].code = difference_code<Number>(layout.element(j), layout.element(reference), descending);
  }
}

// ---- merge sort of the records -------------------------------------------------------------------------------------

/// How many times sorted pieces of `count` records must be merged in pairs, tiles being the first pieces.
__device__ inline int merge_passes(std::int64_t count) {
  int passes = 0;
  for (std::int64_t width = record_tile; width < count; width *= 2) ++passes;
  return passes;
}

/// Two arrays that are read and written in turn, so that the last pass ends in the first.
template <class Index>
struct record_buffers {
  run_record<Index>*first, *second;
  __device__ run_record<Index>* after(int passes_to_go) const { return passes_to_go % 2 == 0 ? first : second; }
};

template <class Index, class Before>
__global__ void __launch_bounds__(item_threads)
    sort_tiles(record_buffers<Index> buffers, const run_counters<Index>* counters, int level, Before before) {
  if (counters->unsettled[level] == 0) return;
  using block_sort = ::cub::BlockMergeSort<run_record<Index>, item_threads, record_tile_items>;
  __shared__ typename block_sort::TempStorage temp;
  const std::int64_t count = counters->records;
  const std::int64_t first = std::int64_t{blockIdx.x} * record_tile + threadIdx.x * record_tile_items;
  if (std::int64_t{blockIdx.x} * record_tile >= count) return;
  constexpr Index none = static_cast<Index>(-1);
  run_record<Index> records[record_tile_items];
#pragma unroll
  for (int k = 0; k < record_tile_items; ++k) {
    records[k] = first + k < count ? buffers.first[first + k] : run_record<Index>{0, none, none}; // after all others
  }
  block_sort(temp).Sort(records, before);
  run_record<Index>* out = buffers.after(merge_passes(count));
#pragma unroll
  for (int k = 0; k < record_tile_items; ++k) {
    if (first + k < count) out[first + k] = records[k];
  }
}

/// Merges neighbouring pieces of 2^pass tiles; a thread finds where its few records come from and merges them.
template <class Index, class Before>
__global__ void __launch_bounds__(item_threads)
    merge_pieces(record_buffers<Index> buffers, const run_counters<Index>* counters, int level, int pass,
                 Before before) {
  if (counters->unsettled[level] == 0) return;
  const std::int64_t count = counters->records, width = std::int64_t{record_tile} << pass;
  if (width >= count) return;
  const int to_go = merge_passes(count) - pass;
  const run_record<Index>* in = buffers.after(to_go);
  run_record<Index>* out = buffers.after(to_go - 1);
  for (std::int64_t begin = first_item() * record_tile_items; begin < count; begin += item_step() * record_tile_items) {
    const std::int64_t left = begin / (2 * width) * (2 * width);
    const std::int64_t middle = left + width < count ? left + width : count;
    const std::int64_t right = left + 2 * width < count ? left + 2 * width : count;
    const std::int64_t diagonal = begin - left; // records of this pair of pieces that come before
    std::int64_t low = diagonal > right - middle ? diagonal - (right - middle) : 0;
    std::int64_t high = diagonal < middle - left ? diagonal : middle - left;
    while (low < high) { // how many of them are of the left piece
      const std::int64_t mid = (low + high) / 2;
      if (before(in[middle + diagonal - 1 - mid], in[left + mid])) {
        high = mid;
      } else {
        low = mid + 1;
      }
    }
    std::int64_t a = left + low, b = middle + diagonal - low;
    const std::int64_t end = begin + record_tile_items < right ? begin + record_tile_items : right;
    for (std::int64_t k = begin; k < end; ++k) {
      const bool take_right = a >= middle || (b < right && before(in[b], in[a]));
      out[k] = in[take_right ? b++ : a++];
    }
  }
}

/// The records' indices, now in order, go to the places that were selected.
template <class Index>
__global__ void __launch_bounds__(item_threads) return_records(const run_record<Index>* records, const Index* selected,
                                                               const run_counters<Index>* counters, Index* places) {
  const std::int64_t count = counters->records;
  for (std::int64_t k = first_item(); k < count; k += item_step()) places[selected[k]] = records[k].index;
}

} // namespace detail
} // namespace thrust_rns
