// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Windows (window_tables.h) on Tensor Cores: a warpgroup evaluates 64 numbers at a time.
///
/// A residue's four bytes are a row's piece of the left matrix as it stands. A group of windows is one product,
///
///   column[64 numbers x 64] = bytes[64 x 32 steps] E[32 steps x 64],    E[4 i + b][q] = e_(i,q+b),
///
/// and the columns of a window belong to one thread: window w = 0 .. 7 of a row to thread w % 4 of the four that hold the row.

#include <cstdint>
#include <utility>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/candidate.h>
#include <thrust_rns/detail/window_tables.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/span.h>
#include <thrust_rns/detail/wgmma.cuh>

namespace thrust_rns {
namespace detail {

template <class Base>
struct window_shape {
  using schedule = window_schedule<Base>;
  static constexpr int rows = 64; // of a warpgroup

  // E, a step of 32 rows: 2 x 8 core matrices of 8 columns x 16 bytes. The gaps spread what is written at once over the banks.
  static constexpr int core_words = 32, half_words = 8 * core_words + 4, step_words = 2 * half_words;
  static constexpr int bytes_for(int steps) { return steps * step_words * 4; }
};

/// The block of a kernel that works with windows. A thread holds 4 most_steps words of the left matrix and 32 sums, which decides
/// how many there can be; Many is for up to 17 steps.
template <class Base, int Many>
struct window_block {
  using base_type = Base;
  static constexpr int steps = window_schedule<Base>::most_steps;
  static constexpr int warpgroups = steps > 9 && steps <= 17 ? Many : 2;
  static constexpr int threads = 128 * warpgroups;
  static constexpr int blocks_at_once = steps > 9 ? 1 : 2;
};
template <class Base>
using evaluation_windows = window_block<Base, 3>;
template <class Base>
using contest_windows = window_block<Base, 4>; // registers spill, but what is bound by memory gains

/// Which steps of E lie in shared memory.
struct window_memory {
  std::uint32_t* words;
  bool resident; // all of them; else those of the group that the block, as one, works on
};

__device__ inline void warpgroup_sync() {
  asm volatile("bar.sync %0, 128;" ::"r"(1 + static_cast<int>(threadIdx.x / 128)) : "memory");
}
__device__ inline bool warpgroup_any(bool x) {
  int any;
  asm volatile(
      "{\n"
      ".reg .pred p, q;\n"
      "setp.ne.s32 q, %1, 0;\n"
      "bar.red.or.pred p, %2, 128, q;\n"
      "selp.s32 %0, 1, 0, p;\n"
      "}\n"
      : "=r"(any)
      : "r"(static_cast<int>(x)), "r"(1 + static_cast<int>(threadIdx.x / 128))
      : "memory");
  return any != 0;
}

/// E of `steps` steps from `first_step` on, by all threads of the block. A thread expands r_i/m_i for one modulus and writes the
/// 64 words of its four rows.
template <class Base>
__device__ void build_windows(std::uint32_t* words, int first_step, int steps) {
  using shape = window_shape<Base>;
  const auto& t = table<make_window_table<Base>>();
  for (int k = static_cast<int>(threadIdx.x); k < 8 * steps; k += static_cast<int>(blockDim.x)) {
    const std::uint32_t m = t.modulus[8 * first_step + k];
    const std::uint64_t reciprocal = ~std::uint64_t{0} / m;
    std::uint32_t rest = t.r[8 * first_step + k];
    const auto next_bytes = [&] { // the next four of r_i/m_i, the first one lowest
      const std::uint64_t x = static_cast<std::uint64_t>(rest) << 32;
      std::uint64_t q = __umul64hi(x, reciprocal); // floor(x/m) or one less
      rest = static_cast<std::uint32_t>(x - q * m);
      if (rest >= m) {
        rest -= m;
        ++q;
      }
      return __byte_perm(static_cast<std::uint32_t>(q), 0, 0x0123);
    };
    std::uint32_t* out = words + k / 8 * shape::step_words + k % 8 / 4 * shape::half_words + k % 4;
    std::uint32_t here = next_bytes();
#pragma unroll
    for (int d = 0; d < 16; ++d) { // columns 4 d .. 4 d + 3, half of window d/2
      const std::uint32_t next = next_bytes();
#pragma unroll
      for (int o = 0; o < 4; ++o) {
        const int window = d / 2, byte = d % 2 * 4 + o;
        const int core = window / 4 * 4 + byte / 2, column = 2 * (window % 4) + byte % 2; // see window_sums
        out[core * shape::core_words + 4 * column] = __funnelshift_r(here, next, 8 * o);
      }
      here = next;
    }
  }
}

/// The same, and all threads of the block see it.
template <class Base>
__device__ void load_windows(std::uint32_t* words, int first_step, int steps) {
  build_windows<Base>(words, first_step, steps);
#if THRUST_RNS_WGMMA
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); // what wgmma reads has been written by plain stores
#endif
  __syncthreads();
}

/// The sums of a thread: with g = lane/4 and t = lane%4, sum[core][j + 2 h] belongs to row 16 warp + 8 h + g of the warpgroup
/// and is column 2 core%4 + j of window t (core < 4) or t + 4.
struct window_sums {
  std::uint32_t sum[8][4];
  template <bool Narrow>
  __device__ __forceinline__ window_sum window(int h, int upper) const {
    std::uint32_t column[8];
#pragma unroll
    for (int q = 0; q < 8; ++q) column[q] = sum[4 * upper + q / 2][2 * h + q % 2];
    return window_sum::of<Narrow>(column);
  }
};

#if THRUST_RNS_WGMMA

/// d += a b: a 64 x 32 in registers, b 32 x 64 in shared memory, unsigned bytes.
__device__ inline void wgmma_64x64x32(std::uint32_t (&d)[8][4], const std::uint32_t (&a)[4], std::uint64_t b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n64k32.s32.u8.u8 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
      "{%32, %33, %34, %35}, %36, 1;"
      : "+r"(d[0][0]), "+r"(d[0][1]), "+r"(d[0][2]), "+r"(d[0][3]), "+r"(d[1][0]), "+r"(d[1][1]), "+r"(d[1][2]),
        "+r"(d[1][3]), "+r"(d[2][0]), "+r"(d[2][1]), "+r"(d[2][2]), "+r"(d[2][3]), "+r"(d[3][0]), "+r"(d[3][1]),
        "+r"(d[3][2]), "+r"(d[3][3]), "+r"(d[4][0]), "+r"(d[4][1]), "+r"(d[4][2]), "+r"(d[4][3]), "+r"(d[5][0]),
        "+r"(d[5][1]), "+r"(d[5][2]), "+r"(d[5][3]), "+r"(d[6][0]), "+r"(d[6][1]), "+r"(d[6][2]), "+r"(d[6][3]),
        "+r"(d[7][0]), "+r"(d[7][1]), "+r"(d[7][2]), "+r"(d[7][3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

#endif

/// d += a b as mma.sync.m16n8k32 does it, where there is none: each lane fetches the pieces of its rows and columns.
__device__ inline void multiply_core(std::uint32_t (&d)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                                     std::uint32_t b1) {
  const int lane = static_cast<int>(threadIdx.x % 32), g = lane / 4, t = lane % 4;
  for (int k = 0; k < 4; ++k) {
    std::uint32_t row[4], column[2][2];
    for (int r = 0; r < 4; ++r) row[r] = __shfl_sync(~0u, a[r], 4 * g + k);
    for (int c = 0; c < 2; ++c) {
      column[c][0] = __shfl_sync(~0u, b0, 4 * (2 * t + c) + k);
      column[c][1] = __shfl_sync(~0u, b1, 4 * (2 * t + c) + k);
    }
    for (int h = 0; h < 2; ++h) {
      for (int c = 0; c < 2; ++c) {
        d[2 * h + c] = __dp4a(row[h], column[c][0], __dp4a(row[2 + h], column[c][1], d[2 * h + c]));
      }
    }
  }
}

/// sum := a E of `Steps` steps. a[s]: residues 8 s + t and 8 s + t + 4 of both rows, as {t, t of the second row, t + 4, ...}.
/// A single step does not fill wgmma's pipeline.
template <class Base, int Steps, int MostSteps>
__device__ __forceinline__ void multiply_windows(window_sums& sums, const std::uint32_t (&a)[MostSteps][4],
                                                 const std::uint32_t* words) {
  using shape = window_shape<Base>;
#pragma unroll
  for (int k = 0; k < 32; ++k) sums.sum[k / 4][k % 4] = 0;
  if constexpr (THRUST_RNS_WGMMA && MostSteps > 1) {
#if THRUST_RNS_WGMMA
    const std::uint64_t b = matrix_descriptor(static_cast<std::uint32_t>(__cvta_generic_to_shared(words)),
                                              4 * shape::half_words, 4 * shape::core_words);
    wgmma_fence();
#  pragma unroll
    for (int s = 0; s < Steps; ++s)
      wgmma_64x64x32(sums.sum, a[s], b + s * (shape::step_words / 4)); // units of 16 bytes
    wgmma_commit();
    wgmma_wait();
#  pragma unroll
    for (int k = 0; k < 32; ++k) asm volatile("" : "+r"(sums.sum[k / 4][k % 4])::"memory"); // no use of them moves up
#endif
  } else {
    const int lane = static_cast<int>(threadIdx.x % 32);
#pragma unroll
    for (int s = 0; s < Steps; ++s) {
#pragma unroll
      for (int core = 0; core < 8; ++core) {
        const std::uint32_t* b = words + s * shape::step_words + core * shape::core_words + lane;
        std::uint32_t(&d)[4] = sums.sum[core];
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
        asm volatile(
            "mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
            "{%0, %1, %2, %3};"
            : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
            : "r"(a[s][0]), "r"(a[s][1]), "r"(a[s][2]), "r"(a[s][3]), "r"(b[0]), "r"(b[shape::half_words]));
#else
        multiply_core(d, a[s], b[0], b[shape::half_words]);
#endif
      }
    }
  }
}

/// Looks for the leading window of row h among seven new ones. One of the row's four threads gets it; `open` ends in all four.
template <bool Narrow>
__device__ __forceinline__ void find_leading(const window_sums& sums, int h, int group, leading_window& found,
                                             bool& open) {
  const int lane = static_cast<int>(threadIdx.x % 32), t = lane % 4, right = (lane & 28) | ((t + 1) & 3);
  const window_sum lower = sums.template window<Narrow>(h, 0),
                   upper = sums.template window<Narrow>(h, 1); // windows t and t + 4
  // window t + 1 is the next thread's lower one; for thread 3 it is the upper one of thread 0
  const std::uint64_t integer_lower = lower.low + __shfl_sync(~0u, t == 0 ? upper.carry : lower.carry, right);
  const std::uint64_t integer_upper = upper.low + __shfl_sync(~0u, upper.carry, right);
  const unsigned any_lower = __ballot_sync(~0u, open && integer_lower != 0);
  const unsigned any_upper = __ballot_sync(~0u, open && t < 3 && integer_upper != 0);
  if ((any_lower | any_upper) == 0) return;
  const std::uint64_t after_lower = __shfl_sync(~0u, t == 0 ? upper.low : lower.low, right);
  const std::uint64_t after_upper = __shfl_sync(~0u, upper.low, right);
  const unsigned windows = ((any_lower >> (lane & 28)) & 15) | (((any_upper >> (lane & 28)) & 15) << 4);
  if (windows == 0) return;
  open = false;
  const int first = __ffs(static_cast<int>(windows)) - 1;
  if (first % 4 != t) return;
  const bool in_lower = first < 4;
  found.integer = in_lower ? integer_lower : integer_upper;
  found.next = in_lower ? after_lower : after_upper;
  found.place = 8 * group + first;
  found.negative = ((in_lower ? lower.low : upper.low) & found.integer) >> 63 != 0; // a carry can only lift it
}

/// Two numbers of a thread of a window_tile: where their residues lie, and what is subtracted of them.
struct window_rows {
  const std::uint32_t* first[2];
  bool present[2];
  std::int64_t stride;
  const std::uint32_t* reference; // residues of R: X - R is evaluated; null: X
};

/// The leading windows of 64 numbers, by a warpgroup. Without resident E all warpgroups of the block make the call together.
template <class Base>
class window_tile {
  using schedule = window_schedule<Base>;
  using shape = window_shape<Base>;

 public:
  /// Of the four threads that hold two rows the first gets the answer for the first row, the second for the second. Inlined:
  /// wgmma instructions that cross the boundary of a function wait for each other.
  __device__ __forceinline__ static leading_window evaluate(const window_memory& memory, const window_rows& rows) {
    const int lane = static_cast<int>(threadIdx.x % 32), t = lane % 4;
    std::uint32_t a[schedule::most_steps][4];
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const std::uint32_t* x = rows.first[h] + t * rows.stride;
#pragma unroll
      for (int s = 0; s < schedule::most_steps; ++s) {
#pragma unroll
        for (int k = 0; k < 2; ++k, x += 4 * rows.stride) {
          a[s][2 * k + h] = rows.present[h] && 8 * s + 4 * k + t < Base::size ? *x : 0;
        }
      }
    }
    if (rows.reference != nullptr) {
#pragma unroll
      for (int s = 0; s < schedule::most_steps; ++s) {
#pragma unroll
        for (int k = 0; k < 4; ++k) {
          const int i = 8 * s + k / 2 * 4 + t;
          if (i < Base::size) a[s][k] = moduli_of<Base>()[i].subtract(a[s][k], rows.reference[i]);
        }
      }
    }
    leading_window found[2] = {{0, 0, -1, false}, {0, 0, -1, false}};
    bool open[2] = {rows.present[0], rows.present[1]};
    all_groups(memory, a, found, open, std::make_integer_sequence<int, schedule::groups>{});

    leading_window mine{0, 0, -1, false};
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const unsigned holders = (__ballot_sync(~0u, found[h].place >= 0) >> (lane & 28)) & 15;
      const int from = (lane & 28) + (holders == 0 ? 0 : __ffs(static_cast<int>(holders)) - 1);
      const leading_window moved{__shfl_sync(~0u, found[h].integer, from), __shfl_sync(~0u, found[h].next, from),
                                 __shfl_sync(~0u, found[h].place, from),
                                 __shfl_sync(~0u, static_cast<int>(found[h].negative), from) != 0};
      if (t == h) mine = moved;
    }
    return mine;
  }

 private:
  template <int... Group>
  __device__ __forceinline__ static void all_groups(const window_memory& memory,
                                                    const std::uint32_t (&a)[schedule::most_steps][4],
                                                    leading_window (&found)[2], bool (&open)[2],
                                                    std::integer_sequence<int, Group...>) {
    bool live = true;
    ((live = live && one_group<Group>(memory, a, found, open)), ...);
  }

  /// Whether the block (the warpgroup if E is resident) must go on.
  template <int Group>
  __device__ __forceinline__ static bool one_group(const window_memory& memory,
                                                   const std::uint32_t (&a)[schedule::most_steps][4],
                                                   leading_window (&found)[2], bool (&open)[2]) {
    constexpr window_group g = schedule::group[Group];
    const std::uint32_t* words = memory.words;
    if (memory.resident) {
      words += g.first_step * shape::step_words;
    } else {
      __syncthreads(); // the group before is done with
      load_windows<Base>(memory.words, g.first_step, g.steps);
    }
    window_sums sums;
    multiply_windows<Base, g.steps>(sums, a, words);
    find_leading<schedule::narrow>(sums, 0, Group, found[0], open[0]);
    find_leading<schedule::narrow>(sums, 1, Group, found[1], open[1]);
    if constexpr (Group + 1 == schedule::groups) return false;
    const bool mine = open[0] || open[1];
    return memory.resident ? warpgroup_any(mine) : __syncthreads_or(mine) != 0;
  }
};

} // namespace detail
} // namespace thrust_rns
