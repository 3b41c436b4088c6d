// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Products of matrices of residues on CUDA cores: without tiles, with tiles in shared memory, and matrices times vectors.
///
/// Sums have 64 bits. *Plain residues*: a sum below 2^63 takes a product, (m - 1)^2 < 2^62, without overflow; if that
/// brings it to 2^63 or above, the largest multiple of m up to 2^63 is subtracted, which leaves less than 2^63 again.
///
/// *Centred residues* |x| <= m/2 <= 2^30 - 1, in tiles: with r = 2^32 mod m, centred, and s = 2^32 h + l, h r + l is
/// congruent to s and at most 2^61 + 2^32 in magnitude, one multiply-add. On top of that come six products, 6 (2^30 - 1)^2
/// = 2^63 - 2^61 - 6 (2^31 - 1), again and again; or, where a whole tile's products stay below 2^62, as for moduli below
/// 2^29, all of them.

#include <cstdint>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/matrix_problem.h>
#include <thrust_rns/modular.h>

namespace thrust_rns {
namespace detail {

inline constexpr int matrix_threads = 256;

/// Sums of products modulo m, below 2^63 between calls.
struct lazy_sum {
  modulus m;
  std::uint64_t multiple; // the largest multiple of m up to 2^63

  __device__ explicit lazy_sum(std::uint32_t value)
      : m(value), multiple((std::uint64_t{1} << 63) - (std::uint64_t{1} << 63) % value) {}

  __device__ void settle(std::uint64_t& sum) const {
    if (static_cast<std::int64_t>(sum) < 0) sum -= multiple;
  }
  __device__ void add(std::uint64_t& sum, std::uint32_t a, std::uint32_t b) const {
    sum += std::uint64_t{a} * b;
    settle(sum);
  }
  /// Adds the sums of all threads of a warp, for its first.
  __device__ std::uint32_t reduce_of_warp(std::uint64_t sum) const {
    std::uint64_t residue = m.reduce(sum);
    for (int step = 16; step > 0; step /= 2) residue += __shfl_down_sync(0xffffffffu, residue, step);
    return m.reduce(residue);
  }
};

inline constexpr int settled_after = 6; // products of centred residues

/// Sums of products of centred residues.
struct centred_sum {
  modulus m;
  std::int32_t half, wrap; // m/2, and 2^32 mod m, centred

  __device__ explicit centred_sum(std::uint32_t value)
      : m(value), half(static_cast<std::int32_t>(value / 2)), wrap(centre(m.reduce(std::uint64_t{1} << 32))) {}

  __device__ std::int32_t centre(std::uint32_t x) const {
    const auto signed_x = static_cast<std::int32_t>(x);
    return signed_x > half ? signed_x - static_cast<std::int32_t>(m.value()) : signed_x;
  }
  /// h wrap + l for sum = 2^32 h + l; in PTX, or else the compiler multiplies 64 bits by 64.
  __device__ std::int64_t settled(std::int64_t sum) const {
    asm("{\n"
        ".reg .b32 low, high;\n"
        ".reg .b64 rest;\n"
        "mov.b64 {low, high}, %0;\n"
        "mov.b64 rest, {low, 0};\n"
        "mad.wide.s32 %0, high, %1, rest;\n"
        "}\n"
        : "+l"(sum)
        : "r"(wrap));
    return sum;
  }
  __device__ std::uint32_t reduce(std::int64_t sum) const {
    const std::uint64_t multiple = (std::uint64_t{1} << 63) - (std::uint64_t{1} << 63) % m.value();
    return m.reduce(static_cast<std::uint64_t>(settled(sum)) + multiple);
  }
};

__device__ inline void put(const matrix_problem& p, const modulus& m, std::int64_t plane, std::int64_t z,
                           std::int64_t i, std::int64_t j, std::uint32_t sum) {
  std::uint32_t& c = p.c.slice(plane, z)[i * p.c.row_stride + j * p.c.column_stride];
  c = combine(m, p.mode, p.mode == accumulation::assign ? 0 : c, sum);
}

/// Counts nothing; words_counter below takes its place in tests.
struct no_counter {
  __device__ void global_read() const {}
  __device__ void shared_write() const {}
  __device__ void shared_read() const {}
};

/// Counts accesses of all threads; `counts` are those of a matrix_traffic.
struct words_counter {
  unsigned long long* counts;
  __device__ void global_read() const { atomicAdd(counts, 1ull); }
  __device__ void shared_write() const { atomicAdd(counts + 1, 1ull); }
  __device__ void shared_read() const { atomicAdd(counts + 2, 1ull); }
};

// ---- without tiles: each thread reads its row of A and its column of B from global memory --------------------------

template <class Counter>
__global__ void __launch_bounds__(matrix_threads)
    multiply_without_tiles(const __grid_constant__ matrix_problem p, const __grid_constant__ modulus_list moduli,
                           Counter counter) {
  const std::int64_t count = p.slices() * p.rows * p.columns, step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t t = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; t < count; t += step) {
    const std::int64_t j = t % p.columns, i = t / p.columns % p.rows, slice = t / p.columns / p.rows;
    const std::int64_t plane = slice / p.batch, z = slice % p.batch;
    const std::uint32_t* a = p.a.slice(plane, z) + i * p.a.row_stride;
    const std::uint32_t* b = p.b.slice(plane, z) + j * p.b.column_stride;
    const lazy_sum sums(moduli.value[plane]);
    std::uint64_t sum = 0;
    for (std::int64_t k = 0; k < p.inner; ++k) {
      counter.global_read();
      counter.global_read();
      sums.add(sum, a[k * p.a.column_stride], b[k * p.b.row_stride]);
    }
    put(p, sums.m, plane, z, i, j, sums.m.reduce(sum));
  }
}

// ---- with tiles in shared memory ------------------------------------------------------------------------------------

/// A block computes rows x columns entries of C, a thread thread_rows x thread_columns of them, `inner` terms at a time. With
/// threads of 1 x 1 and square tiles it is the kernel of the textbooks.
template <int Rows, int Columns, int Inner, int ThreadRows, int ThreadColumns>
struct tile_shape {
  static constexpr int rows = Rows, columns = Columns, inner = Inner;
  static constexpr int thread_rows = ThreadRows, thread_columns = ThreadColumns;
  static constexpr int threads_down = rows / thread_rows, threads_across = columns / thread_columns;
  static constexpr int threads = threads_down * threads_across;
  static_assert(inner % 2 == 0 && rows * inner % threads == 0 && columns * inner % threads == 0);

  static std::int64_t tiles(const matrix_problem& p) {
    return p.slices() * ((p.rows + rows - 1) / rows) * ((p.columns + columns - 1) / columns);
  }
};

/// A thread's part of a tile with `Lines` lines (rows of A, columns of B) of Inner words, on its way to shared memory.
template <int Lines, int Inner, int Threads>
struct tile_loader {
  static constexpr int words = Lines * Inner / Threads;
  std::uint32_t word[words];

  /// Neighbouring threads read neighbouring words: along the terms, or along the lines.
  __device__ static void place(int w, bool along_inner, int& line, int& k) {
    const int t = w * Threads + static_cast<int>(threadIdx.x);
    line = along_inner ? t / Inner : t % Lines;
    k = along_inner ? t % Inner : t / Lines;
  }
  template <class Counter>
  __device__ void read(const std::uint32_t* source, std::int64_t line_stride, std::int64_t inner_stride,
                       std::int64_t lines, std::int64_t terms, const Counter& counter) {
#pragma unroll
    for (int w = 0; w < words; ++w) {
      int line, k;
      place(w, inner_stride == 1, line, k);
      word[w] = 0;
      if (line < lines && k < terms) {
        counter.global_read();
        word[w] = source[line * line_stride + k * inner_stride];
      }
    }
  }
  /// Centred.
  template <int Pitch, class Counter>
  __device__ void write(std::int32_t (&tile)[Inner][Pitch], bool along_inner, const centred_sum& sums,
                        const Counter& counter) const {
#pragma unroll
    for (int w = 0; w < words; ++w) {
      int line, k;
      place(w, along_inner, line, k);
      counter.shared_write();
      tile[k][line] = sums.centre(word[w]);
    }
  }
};

/// x[0 .. Count) := a thread's words of one term: groups of four neighbours, `Threads` groups apart, for one load each.
template <int Count, int Threads, class Counter>
__device__ void read_tile(const std::int32_t* line, int thread, std::int32_t (&x)[Count], const Counter& counter) {
  constexpr int group = Count % 4 == 0 ? 4 : Count;
#pragma unroll
  for (int g = 0; g < Count; g += group) {
    const std::int32_t* from = line + g * Threads + thread * group;
    if constexpr (group == 4) {
      const int4 four = *reinterpret_cast<const int4*>(from);
      x[g] = four.x;
      x[g + 1] = four.y;
      x[g + 2] = four.z;
      x[g + 3] = four.w;
    } else {
#pragma unroll
      for (int k = 0; k < group; ++k) x[g + k] = from[k];
    }
#pragma unroll
    for (int k = 0; k < group; ++k) counter.shared_read();
  }
}
/// Where x[k] comes from in its line.
template <int Count, int Threads>
__device__ constexpr int place_in_tile(int thread, int k) {
  constexpr int group = Count % 4 == 0 ? 4 : Count;
  return k / group * group * Threads + thread * group + k % group;
}

/// `Lazy`: a whole tile's products fit, so that sums are settled once a tile.
template <class Shape, bool Lazy, class Counter>
__global__ void __launch_bounds__(Shape::threads)
    multiply_tiles(const __grid_constant__ matrix_problem p, const __grid_constant__ modulus_list moduli,
                   Counter counter) {
  constexpr int pad = 4; // words, spreads a line's writes over the banks
  __shared__ alignas(16) std::int32_t tile_a[Shape::inner][Shape::rows + pad];
  __shared__ alignas(16) std::int32_t tile_b[Shape::inner][Shape::columns + pad];
  const int down = static_cast<int>(threadIdx.x) / Shape::threads_across;
  const int across = static_cast<int>(threadIdx.x) % Shape::threads_across;
  const std::int64_t tiles_across = (p.columns + Shape::columns - 1) / Shape::columns;
  const std::int64_t tiles_down = (p.rows + Shape::rows - 1) / Shape::rows;
  const std::int64_t tiles = p.slices() * tiles_down * tiles_across;

  for (std::int64_t t = blockIdx.x; t < tiles; t += gridDim.x) {
    const std::int64_t column = t % tiles_across * Shape::columns, row = t / tiles_across % tiles_down * Shape::rows;
    const std::int64_t slice = t / tiles_across / tiles_down, plane = slice / p.batch, z = slice % p.batch;
    const std::uint32_t* a = p.a.slice(plane, z) + row * p.a.row_stride;
    const std::uint32_t* b = p.b.slice(plane, z) + column * p.b.column_stride;
    const centred_sum sums(moduli.value[plane]);
    std::int64_t sum[Shape::thread_rows][Shape::thread_columns] = {};
    tile_loader<Shape::rows, Shape::inner, Shape::threads> from_a;
    tile_loader<Shape::columns, Shape::inner, Shape::threads> from_b;
    const auto read = [&](std::int64_t k) {
      from_a.read(a + k * p.a.column_stride, p.a.row_stride, p.a.column_stride, p.rows - row, p.inner - k, counter);
      from_b.read(b + k * p.b.row_stride, p.b.column_stride, p.b.row_stride, p.columns - column, p.inner - k, counter);
    };

    if (p.inner > 0) read(0);
    for (std::int64_t k0 = 0; k0 < p.inner; k0 += Shape::inner) {
      // 1. Both tiles are staged.
      from_a.write(tile_a, p.a.column_stride == 1, sums, counter);
      from_b.write(tile_b, p.b.row_stride == 1, sums, counter);
      __syncthreads();
      if (k0 + Shape::inner < p.inner)
        read(k0 + Shape::inner); // on their way while this step is computed
                                 // 2. Products are added.
#pragma unroll
      for (int k = 0; k < Shape::inner; ++k) {
        std::int32_t x[Shape::thread_rows], y[Shape::thread_columns];
        read_tile<Shape::thread_rows, Shape::threads_down>(tile_a[k], down, x, counter);
        read_tile<Shape::thread_columns, Shape::threads_across>(tile_b[k], across, y, counter);
#pragma unroll
        for (int i = 0; i < Shape::thread_rows; ++i) {
#pragma unroll
          for (int j = 0; j < Shape::thread_columns; ++j) {
            sum[i][j] += static_cast<std::int64_t>(x[i]) * y[j];
            if (k == Shape::inner - 1 || (!Lazy && k % settled_after == settled_after - 1))
              sum[i][j] = sums.settled(sum[i][j]);
          }
        }
      }
      __syncthreads(); // 3. before the tiles are overwritten
    }

#pragma unroll
    for (int i = 0; i < Shape::thread_rows; ++i) {
#pragma unroll
      for (int j = 0; j < Shape::thread_columns; ++j) {
        const std::int64_t r = row + place_in_tile<Shape::thread_rows, Shape::threads_down>(down, i);
        const std::int64_t c = column + place_in_tile<Shape::thread_columns, Shape::threads_across>(across, j);
        if (r < p.rows && c < p.columns) put(p, sums.m, plane, z, r, c, sums.reduce(sum[i][j]));
      }
    }
  }
}

// ---- a matrix times a vector: the terms of a row are split among threads, and among `splits` units -----------------

/// Where the sums of splits go if there are several: partial[(slice splits + split) rows + i].
struct inner_splits {
  std::uint32_t* partial;
  int splits;
};

/// C has one column. AlongInner: a warp takes a row of A, whose terms are neighbours; else a thread does, with rows as
/// neighbours.
template <bool AlongInner>
__global__ void __launch_bounds__(matrix_threads)
    multiply_vector(const __grid_constant__ matrix_problem p, const __grid_constant__ modulus_list moduli,
                    inner_splits split) {
  constexpr int team = AlongInner ? 32 : 1;
  const int lane = static_cast<int>(threadIdx.x) % team;
  const std::int64_t units = p.slices() * split.splits * p.rows;
  const std::int64_t step = std::int64_t{gridDim.x} * (matrix_threads / team);
  for (std::int64_t u = (std::int64_t{blockIdx.x} * matrix_threads + threadIdx.x) / team; u < units; u += step) {
    const std::int64_t i = u % p.rows, s = u / p.rows % split.splits, slice = u / p.rows / split.splits;
    const std::int64_t plane = slice / p.batch, z = slice % p.batch;
    const std::int64_t first = p.inner * s / split.splits, last = p.inner * (s + 1) / split.splits;
    const std::uint32_t* a = p.a.slice(plane, z) + i * p.a.row_stride;
    const std::uint32_t* x = p.b.slice(plane, z);
    const lazy_sum sums(moduli.value[plane]);
    std::uint64_t sum = 0;
#pragma unroll 4
    for (std::int64_t k = first + lane; k < last; k += team) {
      sums.add(sum, a[k * p.a.column_stride], x[k * p.b.row_stride]);
    }
    const std::uint32_t r = AlongInner ? sums.reduce_of_warp(sum) : sums.m.reduce(sum);
    if (lane != 0) continue;
    if (split.splits > 1) {
      split.partial[u] = r;
    } else {
      put(p, sums.m, plane, z, i, 0, r);
    }
  }
}

template <class Split>
__global__ void __launch_bounds__(matrix_threads)
    add_splits(const __grid_constant__ matrix_problem p, const __grid_constant__ modulus_list moduli, Split split) {
  const std::int64_t units = p.slices() * p.rows, step = std::int64_t{gridDim.x} * matrix_threads;
  for (std::int64_t u = std::int64_t{blockIdx.x} * matrix_threads + threadIdx.x; u < units; u += step) {
    const std::int64_t i = u % p.rows, slice = u / p.rows, plane = slice / p.batch, z = slice % p.batch;
    const modulus m(moduli.value[plane]);
    std::uint64_t sum = 0;
    for (int s = 0; s < split.splits; ++s) sum += split.partial[(slice * split.splits + s) * p.rows + i];
    put(p, m, plane, z, i, 0, m.reduce(sum));
  }
}

// ---- cached evaluations of what was written --------------------------------------------------------------------------

template <class Problem>
__global__ void __launch_bounds__(matrix_threads) drop_evaluations_of(const __grid_constant__ Problem p) {
  const std::int64_t count = p.batch * p.rows * p.columns, step = std::int64_t{gridDim.x} * matrix_threads;
  for (std::int64_t t = std::int64_t{blockIdx.x} * matrix_threads + threadIdx.x; t < count; t += step) {
    const std::int64_t j = t % p.columns, i = t / p.columns % p.rows, z = t / p.columns / p.rows;
    p.evaluations[z * p.c.batch_stride + i * p.c.row_stride + j * p.c.column_stride] = 0;
  }
}

} // namespace detail
} // namespace thrust_rns
