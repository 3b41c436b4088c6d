// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// The keys of a range of numbers of any magnitude, in two kernels: a first pass, bound by memory, that resolves most numbers of
/// some size and runs of small ones, and windows on Tensor Cores for what it leaves open.
///
/// Between them: one bit an element, set where it is open. Elements are counted from `base`; of the 128 elements of group u,
/// element 4 l + k is bit l of word k of open[u] (a warp's ballots), under arrays of whole numbers bit (4 l + k) % 32 of word l/8.

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/candidate.h>
#include <thrust_rns/detail/small_values.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/number.h>
#include <thrust_rns/span.h>
#include <thrust_rns/detail/quads.cuh>
#include <thrust_rns/detail/window_kernels.cuh>

namespace thrust_rns {
namespace detail {

inline constexpr int evaluate_threads = 128;
inline constexpr int evaluate_blocks_at_once = 4; // on a multiprocessor: up to 128 registers a thread

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

/// Keys of quads whose numbers are all small, when the whole warp has such: found by `look` at the first planes of sum_quad.
template <class Number>
struct small_quad {
  using rule = small_values<Number>;
  static constexpr bool useful = !rule::complete && rule::testable;

  bool known[4] = {false, false, false, false};
  std::uint64_t key[4];

  /// Whether every number of the warp is small, so that no sums are needed. One of a quad is looked at first.
  template <int Batch>
  __device__ bool look(const uint4 (&r)[Batch], const std::uint32_t* x, std::int64_t stride) {
    if constexpr (!useful) {
      return false;
    } else {
      const auto& tests = table<make_small_value_tests<typename Number::base_type>>();
      small_value v[4];
      v[0] = rule::from_residues(r[0].x, r[1].x, r[2].x);
      if (!__all_sync(~0u, rule::agrees(v[0], r[3].x, tests[3]))) return false;
      v[1] = rule::from_residues(r[0].y, r[1].y, r[2].y);
      v[2] = rule::from_residues(r[0].z, r[1].z, r[2].z);
      v[3] = rule::from_residues(r[0].w, r[1].w, r[2].w);
      bool small[4] = {true, true, true, true};
      x += 3 * stride;
#pragma unroll 8
      for (int i = 3; i < Number::size; ++i, x += stride) {
        const small_value_test test = tests[i];
        const uint4 residues = *reinterpret_cast<const uint4*>(x);
        small[0] = rule::agrees(v[0], residues.x, test) && small[0];
        small[1] = rule::agrees(v[1], residues.y, test) && small[1];
        small[2] = rule::agrees(v[2], residues.z, test) && small[2];
        small[3] = rule::agrees(v[3], residues.w, test) && small[3];
      }
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        known[k] = small[k];
        key[k] = rule::key(v[k]);
      }
      return __all_sync(~0u, known[0] && known[1] && known[2] && known[3]);
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

  /// Group u of the range. Without TrySmall only the sums are looked at. Fills the cache of evaluations, if there is one.
  template <bool TrySmall>
  __device__ void evaluate(const span<const Number>& s, const quad_range& range, std::int64_t u,
                           const digit_group* digits, int& skip) {
    const std::int64_t own = range.first_quad() + 32 * u + static_cast<int>(threadIdx.x % 32);
    element = 4 * (own < range.last_quad() ? own : range.last_quad() - 1); // all lanes take part
    std::uint64_t* evaluations = s.evaluations();
    if (evaluations != nullptr) keys.load(evaluations + element);
    unsure = skip > 0;
    if (skip > 0) {
      --skip;
    } else if (!__all_sync(~0u, keys.all_known())) {
      const std::uint32_t* x = s.plane(0) + element;
      digit_sums sums[4];
      small_quad<Number> small;
      bool summed = true;
      if constexpr (TrySmall) {
        summed =
            sum_quad<Number>(x, s.stride(), digits, sums, [&](const auto& r) { return small.look(r, x, s.stride()); });
      } else {
        sum_quad<Number>(x, s.stride(), digits, sums);
      }
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        std::uint64_t key = small.known[k] ? small.key[k] : summed ? key_from_leading<Number>(sums[k].leading()) : 0;
        if constexpr (small_values<Number>::complete) {
          if (key == 0) key = key_of_few<Number>(strided_residues{x + k, s.stride()});
        }
        if (key == 0 && !(summed && is_next_to_zero<Number>(sums[k].leading()))) unsure = true;
        if (keys.key[k] == 0) keys.key[k] = key;
      }
    }
    const auto settle = [&](int k) { // whether element k is open
      const bool here = own < range.last_quad() && range.contains(element + k);
      if (!here) keys.key[k] = 0;
      return __ballot_sync(~0u, here && keys.key[k] == 0);
    };
    open.x = settle(0);
    open.y = settle(1);
    open.z = settle(2);
    open.w = settle(3);
    if (evaluations != nullptr) keys.store_known(evaluations + element);
  }
  __device__ int count_open() const { return __popc(open.x) + __popc(open.y) + __popc(open.z) + __popc(open.w); }
};

/// The first pass over planes.
template <class Number>
__global__ void __launch_bounds__(evaluate_threads, evaluate_blocks_at_once)
    evaluate_planes(span<const Number> s, quad_range range, uint4* open, key_output out) {
  __shared__ digit_group digits[Number::size];
  stage_digits<Number, evaluate_threads>(digits);

  const std::int64_t groups = (range.quads() + 31) / 32, step = std::int64_t{gridDim.x} * (evaluate_threads / 32);
  int skip = 0;
  for (std::int64_t u = std::int64_t{blockIdx.x} * (evaluate_threads / 32) + threadIdx.x / 32; u < groups; u += step) {
    warp_quads<Number> quads;
    quads.template evaluate<true>(s, range, u, digits, skip);
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

/// The bits of group u as a warp's ballots.
template <bool Planes>
__device__ inline uint4 ballots_of_group(const uint4* bits, std::int64_t u) {
  const uint4 own = __ldcg(bits + u);
  if constexpr (Planes) return own;
  const int lane = static_cast<int>(threadIdx.x % 32);
  const unsigned word = lane < 16 ? (lane < 8 ? own.x : own.y) : (lane < 24 ? own.z : own.w);
  const unsigned four = word >> (4 * (lane % 8));
  return {__ballot_sync(~0u, (four & 1) != 0), __ballot_sync(~0u, (four & 2) != 0), __ballot_sync(~0u, (four & 4) != 0),
          __ballot_sync(~0u, (four & 8) != 0)};
}

/// Chosen elements of a range, handed to a warpgroup 64 at a time from a queue in shared memory. choose(u), by a warp, returns
/// those of group u as ballots.
class window_queue {
  static constexpr int chunk = 4; // groups of 128 elements, one a warp

 public:
  struct storage {
    std::int64_t element[64 + 128 * chunk];
    int chosen[chunk];
  };

  /// Elements base .. base + count - 1.
  __device__ window_queue(storage& memory, std::int64_t count, std::int64_t base)
      : memory_(memory), groups_((count + 127) / 128), base_(base) {
    const std::int64_t warpgroups = blockDim.x / 128;
    next_ = std::int64_t{blockIdx.x} * warpgroups + threadIdx.x / 128;
    step_ = std::int64_t{gridDim.x} * warpgroups;
  }

  /// Whether a bit is set in any group of the block.
  __device__ bool any_in_block(const uint4* bits) const {
    bool any = false;
    for (std::int64_t c = next_ + threadIdx.x % 128 / chunk * step_; c * chunk < groups_ && !any; c += 32 * step_) {
      const std::int64_t u = c * chunk + threadIdx.x % chunk;
      const uint4 own = u < groups_ ? bits[u] : uint4{0, 0, 0, 0};
      any = (own.x | own.y | own.z | own.w) != 0;
    }
    return __syncthreads_or(any) != 0;
  }

  /// How many (up to 64) are the next; they lie at element()[0 ..) until the call after.
  template <class Choose>
  __device__ int take(Choose choose) {
    for (; waiting_ < 64 && next_ * chunk < groups_; next_ += step_) append(next_ * chunk, choose);
    const int rows = waiting_ < 64 ? waiting_ : 64;
    waiting_ -= rows;
    warpgroup_sync();
    return rows;
  }
  __device__ const std::int64_t* element() const { return memory_.element + waiting_; }

 private:
  template <class Choose>
  __device__ void append(std::int64_t first_group, Choose choose) {
    const int lane = static_cast<int>(threadIdx.x % 32), warp = static_cast<int>(threadIdx.x % 128 / 32);
    const std::int64_t u = first_group + warp;
    const uint4 own = u < groups_ ? choose(u) : uint4{0, 0, 0, 0};
    warpgroup_sync(); // what take() handed out has been read, and the counts of the chunk before
    if (lane == 0) memory_.chosen[warp] = __popc(own.x) + __popc(own.y) + __popc(own.z) + __popc(own.w);
    warpgroup_sync();
    const unsigned below = (1u << lane) - 1;
    int at = waiting_ + __popc(own.x & below) + __popc(own.y & below) + __popc(own.z & below) + __popc(own.w & below);
#pragma unroll
    for (int w = 0; w < chunk; ++w) {
      at += w < warp ? memory_.chosen[w] : 0;
      waiting_ += memory_.chosen[w];
    }
    const std::int64_t element = base_ + 128 * u + 4 * lane;
    if ((own.x >> lane & 1) != 0) memory_.element[at++] = element;
    if ((own.y >> lane & 1) != 0) memory_.element[at++] = element + 1;
    if ((own.z >> lane & 1) != 0) memory_.element[at++] = element + 2;
    if ((own.w >> lane & 1) != 0) memory_.element[at++] = element + 3;
  }

  storage& memory_;
  std::int64_t groups_, base_, next_, step_;
  int waiting_ = 0;
};

/// The rows of the thread among `rows` of a tile; -1 for none.
struct window_rows {
  std::int64_t element[2];
  __device__ window_rows(const window_queue& queue, int rows) {
    const int row = static_cast<int>(threadIdx.x % 128 / 32 * 16 + threadIdx.x % 32 / 4);
    element[0] = row < rows ? queue.element()[row] : -1;
    element[1] = row + 8 < rows ? queue.element()[row + 8] : -1;
  }
};

/// Shared memory of a block with E of `steps` steps.
template <class Base>
constexpr int window_bytes(int steps) {
  using shape = window_shape<Base>;
  return shape::warpgroups * static_cast<int>(sizeof(window_queue::storage)) + shape::bytes_for(steps);
}

/// Shared memory for a kernel that works with windows: all of E if it fits on the current device, else one group at a time.
template <class Base, class Kernel>
cudaError_t window_memory_of(Kernel* kernel, bool& resident, std::size_t& bytes) {
  using schedule = window_schedule<Base>;
  int device = 0, most = 0;
  cudaError_t status = cudaGetDevice(&device);
  if (status != cudaSuccess) return status;
  status = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  if (status != cudaSuccess) return status;
  resident = window_bytes<Base>(schedule::steps) <= most;
  const int needed = window_bytes<Base>(resident ? schedule::steps : schedule::most_steps);
  bytes = static_cast<std::size_t>(needed);
  return cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
                              needed);
}

/// The second pass: the keys of the open elements among `count` from `base` on.
template <class Number, bool Planes>
__global__ void __launch_bounds__(window_shape<typename Number::base_type>::threads,
                                  window_shape<typename Number::base_type>::blocks_at_once)
    evaluate_open(residue_layout layout, const uint4* open, std::int64_t count, std::int64_t base, bool resident,
                  key_output out) {
  using Base = typename Number::base_type;
  using shape = window_shape<Base>;
  extern __shared__ __align__(128) unsigned char memory[];
  auto* queues = reinterpret_cast<window_queue::storage*>(memory);
  auto* words = reinterpret_cast<std::uint32_t*>(queues + shape::warpgroups);

  window_queue todo(queues[threadIdx.x / 128], count, base);
  if (!todo.any_in_block(open)) return;
  if (resident) load_windows<Base>(words, 0, window_schedule<Base>::steps);
  for (;;) {
    const int rows = todo.take([open](std::int64_t u) { return ballots_of_group<Planes>(open, u); });
    if (resident ? rows == 0 : __syncthreads_or(rows) == 0) break;
    window_tile<Base>::evaluate(
        {words, resident}, window_rows(todo, rows).element,
        [layout](int i, std::int64_t element) { return layout.element(element)(i); },
        [=](std::int64_t element, const leading_window& found) {
          std::uint64_t key = key_from_window<Number>(found);
          if constexpr (Number::is_symmetric) { // next to M/2
            if (key == 0) key = key_by_magnification<Number>(layout.element(element), std::uint64_t{1} << 62);
          }
          out.put(element, key);
        });
  }
}

} // namespace detail
} // namespace thrust_rns
