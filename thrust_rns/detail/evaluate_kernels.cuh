// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// The keys of a range of numbers of any magnitude, in two kernels: a first pass, bound by memory, that resolves most numbers of
/// some size and runs of small ones, and windows on Tensor Cores for what it leaves open.
///
/// Between them: one bit an element, set where it is open (window_queue.cuh).

#include <cstdint>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/candidate.h>
#include <thrust_rns/detail/small_values.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/number.h>
#include <thrust_rns/span.h>
#include <thrust_rns/block/evaluate.cuh>
#include <thrust_rns/detail/quads.cuh>
#include <thrust_rns/detail/window_kernels.cuh>
#include <thrust_rns/detail/window_queue.cuh>

namespace thrust_rns {
namespace detail {

/// A warp (an array's block) that finds most of its numbers open leaves as many of its next turns to the windows unseen.
inline constexpr int turns_to_skip = 15;

/// Where keys go: the cache of evaluations and the caller's array, either of which may be null; `keys` starts at element `first`.
struct key_output {
  std::uint64_t* evaluations;
  std::uint64_t* keys;
  std::int64_t first;

  __device__ void put(std::int64_t element, std::uint64_t key) const {
    if (evaluations != nullptr) store_relaxed(evaluations + element, key);
    if (keys != nullptr) keys[element - first] = key;
  }
};

/// Four neighbours, if three residues determine them.
template <class Number>
struct small_quad {
  using rule = small_values<Number>;
  static constexpr bool useful = !rule::complete && rule::testable;

  small_value value[4];
  bool agrees[4] = {true, true, true, true};

  template <int Batch>
  __device__ explicit small_quad(const uint4 (&r)[Batch])
      : value{rule::from_residues(r[0].x, r[1].x, plane3(r).x), rule::from_residues(r[0].y, r[1].y, plane3(r).y),
              rule::from_residues(r[0].z, r[1].z, plane3(r).z), rule::from_residues(r[0].w, r[1].w, plane3(r).w)} {}

  __device__ void test(const uint4& r, int i, std::uint32_t shift = 0) {
    if (i < 3) return;
    const small_value_test test = table<make_small_value_tests<typename Number::base_type>>()[i];
    agrees[0] &= rule::agrees(value[0], r.x, test, shift);
    agrees[1] &= rule::agrees(value[1], r.y, test, shift);
    agrees[2] &= rule::agrees(value[2], r.z, test, shift);
    agrees[3] &= rule::agrees(value[3], r.w, test, shift);
  }

  /// Whether the first number agrees in the fourth residue: cheap, and false for nearly all that are not small.
  template <int Batch>
  __device__ static bool is_likely(const uint4 (&r)[Batch]) {
    return rule::agrees(rule::from_residues(r[0].x, r[1].x, r[2].x), r[3].x,
                        table<make_small_value_tests<typename Number::base_type>>()[3]);
  }

 private:
  template <int Batch>
  __device__ static uint4 plane3(const uint4 (&r)[Batch]) {
    if constexpr (Batch > 2) {
      return r[2];
    } else {
      return {0, 0, 0, 0};
    }
  }
};

/// The key of a number of two or three residues.
template <class Number, class X>
__device__ std::uint64_t key_of_few(X x) {
  using rule = small_values<Number>;
  static_assert(rule::complete);
  return rule::key(rule::from_residues(x(0), x(1), Number::size > 2 ? x(Number::size - 1) : 0));
}

/// A warp's 128 elements, four neighbours a thread: the first pass over planes.
template <class Number>
struct warp_quads {
  std::int64_t element; // the thread's first
  quad_keys keys;       // 0 where the element is open or not of the range
  uint4 open;           // as in memory
  bool unsure;          // whether one of the thread's that are open may be next to M or M/2

  /// Group u of the range. Small values are looked for as well; fills the cache of evaluations, if there is one.
  __device__ void evaluate(const span<const Number>& s, const quad_range& range, std::int64_t u,
                           const digit_group* digits, int& skip) {
    choose_elements(range, u);
    std::uint64_t* evaluations = s.evaluations();
    if (evaluations != nullptr) keys.load(evaluations + element);
    unsure = skip > 0;
    if (skip > 0) {
      --skip;
    } else if (!__all_sync(~0u, keys.all_known())) {
      find_keys<true>(s.plane(0) + element, s.stride(), digits);
    }
    find_open(range, u);
    if (evaluations != nullptr) keys.store_known(evaluations + element);
  }
  /// The same by the sums alone, without a cache.
  __device__ void evaluate_sums(const span<const Number>& s, const quad_range& range, std::int64_t u,
                                const digit_group* digits) {
    choose_elements(range, u);
    unsure = false;
    find_keys<false>(s.plane(0) + element, s.stride(), digits);
    find_open(range, u);
  }
  __device__ int count_open() const { return __popc(open.x) + __popc(open.y) + __popc(open.z) + __popc(open.w); }

 private:
  __device__ static std::int64_t own_quad(const quad_range& range, std::int64_t u) {
    return range.first_quad() + 32 * u + static_cast<int>(threadIdx.x % 32);
  }
  __device__ void choose_elements(const quad_range& range, std::int64_t u) {
    const std::int64_t own = own_quad(range, u);
    element = 4 * (own < range.last_quad() ? own : range.last_quad() - 1); // all lanes take part
  }
  __device__ void find_open(const quad_range& range, std::int64_t u) {
    const bool present = own_quad(range, u) < range.last_quad();
    const auto settle = [&](int k) { // whether element k is open
      const bool here = present && range.contains(element + k);
      if (!here) keys.key[k] = 0;
      return __ballot_sync(~0u, here && keys.key[k] == 0);
    };
    open.x = settle(0);
    open.y = settle(1);
    open.z = settle(2);
    open.w = settle(3);
  }
  template <bool TrySmall>
  __device__ __forceinline__ void find_keys(const std::uint32_t* x, std::int64_t stride, const digit_group* digits) {
    uint4 r[quad_batch<Number::size>];
    load_first_planes(r, x, stride);
    if constexpr (TrySmall && small_quad<Number>::useful) {
      if (__all_sync(~0u, small_quad<Number>::is_likely(r))) {
        small_quad<Number> small(r);
        stream_planes<Number::size>(r, x, stride, [&](const uint4& plane, int i) { small.test(plane, i); });
#pragma unroll
        for (int k = 0; k < 4; ++k) {
          if (small.agrees[k] && keys.key[k] == 0) keys.key[k] = small_values<Number>::key(small.value[k]);
        }
        if (__all_sync(~0u, keys.all_known())) return;
        load_first_planes(r, x, stride);
      }
    }
    digit_sums sums[4];
    stream_planes<Number::size>(r, x, stride, [&](const uint4& plane, int i) {
      const digit_group d = digits[i];
      sums[0].add(plane.x, d);
      sums[1].add(plane.y, d);
      sums[2].add(plane.z, d);
      sums[3].add(plane.w, d);
    });
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      if (keys.key[k] != 0) continue;
      keys.key[k] = key_from_leading<Number>(sums[k].leading());
      if constexpr (small_values<Number>::complete) {
        if (keys.key[k] == 0) keys.key[k] = key_of_few<Number>(strided_residues{x + k, stride});
      }
      if (keys.key[k] == 0 && !is_next_to_zero<Number>(sums[k].leading())) unsure = true;
    }
  }
};

/// The first pass over planes.
template <class Number>
__global__ void __launch_bounds__(quad_threads, quad_blocks_at_once<Number>)
    evaluate_planes(span<const Number> s, quad_range range, uint4* open, key_output out) {
  __shared__ digit_group digits[Number::size];
  stage_digits<Number, quad_threads>(digits);

  const std::int64_t groups = (range.quads() + 31) / 32, step = std::int64_t{gridDim.x} * (quad_threads / 32);
  int skip = 0;
  for (std::int64_t u = std::int64_t{blockIdx.x} * (quad_threads / 32) + threadIdx.x / 32; u < groups; u += step) {
    warp_quads<Number> quads;
    quads.evaluate(s, range, u, digits, skip);
    if (threadIdx.x % 32 == 0) open[u] = quads.open;
    if (skip == 0 && quads.count_open() > 64) skip = turns_to_skip;
    if (out.keys == nullptr) continue;
    std::uint64_t* to = out.keys + (quads.element - out.first);
    if (quads.keys.all_known() && reinterpret_cast<std::uintptr_t>(to) % 16 == 0) {
      quads.keys.store(to);
    } else {
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        if (quads.keys.key[k] != 0) to[k] = quads.keys.key[k];
      }
    }
  }
}

/// The first pass over an array of whole numbers: a block copies a tile to shared memory, then a thread takes a number.
template <class Number>
__global__ void __launch_bounds__(array_tile<Number>::threads)
    evaluate_array(const Number* numbers, std::int64_t count, std::uint32_t* open, key_output out) {
  using tile_of = array_tile<Number>;
  __shared__ digit_group digits[Number::size];
  __shared__ std::uint32_t tile[tile_of::threads * tile_of::pitch];
  stage_digits<Number, tile_of::threads>(digits);

  const int lane = static_cast<int>(threadIdx.x);
  const std::int64_t rounded = (count + 127) / 128 * 128; // `open` has a bit for each
  int skip = 0;
  for (std::int64_t first = std::int64_t{blockIdx.x} * tile_of::threads; first < rounded;
       first += std::int64_t{gridDim.x} * tile_of::threads) {
    const std::int64_t element = first + lane;
    std::uint64_t key = 0;
    if (skip > 0) {
      --skip;
    } else {
      const int here = tile_of::count_from(first, count);
      tile_of::load(tile, numbers + first, here);
      if (element < count) {
        key = key_from_leading<Number>(tile_of::leading(tile, digits));
        if constexpr (small_values<Number>::complete) {
          if (key == 0) key = key_of_few<Number>(strided_residues{tile + lane * tile_of::pitch, 1});
        }
      }
      if (2 * __syncthreads_count(element < count && key == 0) > here) skip = turns_to_skip;
    }
    const unsigned bits = __ballot_sync(~0u, element < count && key == 0);
    if (lane % 32 == 0 && element < rounded) open[element / 32] = bits;
    if (key != 0) out.put(element, key);
  }
}

/// The second pass: the keys of the open elements among `count` from `base` on.
template <class Number, bool Planes>
__global__ void __launch_bounds__(evaluation_windows<typename Number::base_type>::threads,
                                  evaluation_windows<typename Number::base_type>::blocks_at_once)
    evaluate_open(residue_layout layout, const uint4* open, std::int64_t count, std::int64_t base, bool resident,
                  key_output out) {
  using Base = typename Number::base_type;
  using block = evaluation_windows<Base>;
  extern __shared__ __align__(128) unsigned char memory[];
  auto* queues = reinterpret_cast<window_queue::storage*>(memory);
  auto* words = reinterpret_cast<std::uint32_t*>(queues + block::warpgroups);

  window_queue todo(queues[threadIdx.x / 128], count, base);
  constexpr int few = 2 * block::threads / 32;
  const int here = todo.count_in_block(open, few);
  if (here == 0) return;
  const auto wants = [open](std::int64_t u) { return any_of_group(open, u); };
  const auto choose = [open](std::int64_t u) { return ballots_of_group<Planes>(open, u); };
  if (here <= few) { // not worth a matrix: a number a warp
    for (int rows = todo.take(wants, choose); rows > 0; rows = todo.take(wants, choose)) {
      for (int r = static_cast<int>(threadIdx.x % 128 / 32); r < rows; r += 4) {
        const std::int64_t element = todo.element()[r];
        const std::uint64_t key = evaluate_by<Number>(warp_team{}, layout.element(element)).key();
        if (threadIdx.x % 32 == 0) out.put(element, key);
      }
    }
    return;
  }
  if (resident) load_windows<Base>(words, 0, window_schedule<Base>::steps);
  for (;;) {
    const int rows = todo.take(wants, choose);
    if (resident ? rows == 0 : __syncthreads_or(rows) == 0) break;
    evaluate_taken<Base>(todo, rows, {words, resident}, layout, nullptr,
                         [=](std::int64_t element, const leading_window& found) {
                           std::uint64_t key = key_from_window<Number>(found);
                           if constexpr (Number::is_symmetric) { // next to M/2
                             if (key == 0) {
                               key = key_by_magnification<Number>(layout.element(element), std::uint64_t{1} << 62);
                             }
                           }
                           out.put(element, key);
                         });
  }
}

} // namespace detail
} // namespace thrust_rns
