// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Prefix scans of all planes in one kernel and one pass: decoupled look-back (D. Merrill and M. Garland, "Single-pass
/// parallel prefix scan with decoupled look-back", 2016), plane by plane.
///
/// Tiles are handed out so that a tile of all planes comes before the next tile of any plane: when a block asks for what lies
/// before its tile, most of that is long known.

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/residue_functions.h>
#include <thrust_rns/number.h>
#include <thrust_rns/span.h>
#include <thrust_rns/detail/plane_rows.cuh>

namespace thrust_rns {
namespace detail {

// ---- what is scanned: 32-bit items with an associative operation, whose neutral element is 0 ----------------------

/// Sums modulo m.
struct scan_of_sums {
  __device__ static std::uint32_t combine(const modulus& m, std::uint32_t a, std::uint32_t b) { return m.add(a, b); }
  __device__ static std::uint32_t residue(std::uint32_t item) { return item; }
  __device__ static uint4 items(const uint4& x, std::int64_t) { return x; }
  __device__ static std::uint32_t first(std::uint32_t residue) { return residue; }
};

/// The last element that is marked, marks[e] = 1: items are residues with bit 31 set, or 0.
struct scan_of_marked {
  static constexpr std::uint32_t mark = std::uint32_t{1} << 31;
  const std::uint32_t* marks; // four bytes a quad

  __device__ static std::uint32_t combine(const modulus&, std::uint32_t a, std::uint32_t b) { return b != 0 ? b : a; }
  __device__ static std::uint32_t residue(std::uint32_t item) { return item & ~mark; }
  __device__ uint4 items(const uint4& x, std::int64_t q) const {
    const std::uint32_t m = marks[q];
    return make_uint4((m & 0xff) != 0 ? x.x | mark : 0, (m & 0xff00) != 0 ? x.y | mark : 0,
                      (m & 0xff0000) != 0 ? x.z | mark : 0, (m & 0xff000000) != 0 ? x.w | mark : 0);
  }
  __device__ static std::uint32_t first(std::uint32_t residue) { return residue | mark; }
};

// ---- the state of a tile: what is known of it, and an item ------------------------------------------------------

enum class known : std::uint32_t {
  nothing,
  tile,
  everything_before
}; // of the tile alone, or together with all before it

__device__ inline std::uint64_t tile_state(known what, std::uint32_t item) {
  return (std::uint64_t{static_cast<std::uint32_t>(what)} << 32) | item;
}
__device__ inline known known_of(std::uint64_t state) { return static_cast<known>(state >> 32); }

/// Combines the items of all tiles before `tile`, and `first` before those. By a whole warp; the same for each lane.
template <class Scan>
__device__ std::uint32_t look_back(const modulus& m, const std::uint64_t* states, std::int64_t tile,
                                   std::uint32_t first) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  std::uint32_t after = 0;
  for (std::int64_t at = tile - 1 - lane;; at -= 32) { // lane 0 looks at the nearest
    std::uint64_t state = tile_state(known::everything_before, first);
    if (at >= 0) {
      do state = load_relaxed(states + at);
      while (known_of(state) == known::nothing); // a tile is handed out after all those before it: it will come
    }
    __syncwarp();
    const unsigned complete = __ballot_sync(~0U, known_of(state) == known::everything_before);
    const int last = complete == 0 ? 31 : __ffs(static_cast<int>(complete)) - 1;
    std::uint32_t item = lane <= last ? static_cast<std::uint32_t>(state) : 0;
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
      const std::uint32_t before = __shfl_down_sync(~0U, item, d);
      if (lane + d < 32) item = Scan::combine(m, before, item);
    }
    after = Scan::combine(m, __shfl_sync(~0U, item, 0), after);
    if (complete != 0) return after;
  }
}

/// Where the kernel keeps its tickets and the states [plane][tile]; zero at the start.
struct scan_memory {
  unsigned* ticket;
  std::uint64_t* states;
};

template <class Scan, bool Inclusive, bool Aligned>
__device__ void scan_tile(const Scan& scan, const modulus& m, std::uint32_t* out, const row_range& range,
                          const quad_row& in, std::uint64_t* states, std::int64_t tile, std::uint32_t first) {
  constexpr int warps = row_threads / 32;
  __shared__ std::uint32_t warp_item[warps];
  __shared__ std::uint32_t before_tile;
  const int warp = static_cast<int>(threadIdx.x / 32), lane = static_cast<int>(threadIdx.x % 32);
  const std::int64_t q = tile * row_tile + warp * (32 * row_quads) + lane; // then every 32nd: row_quads lines of a warp

  uint4 x[row_quads];
  if (range.contains_quads(tile * row_tile, row_tile)) {
#pragma unroll
    for (int k = 0; k < row_quads; ++k) x[k] = in.template load<Aligned>(q + 32 * k);
#pragma unroll
    for (int k = 0; k < row_quads; ++k) x[k] = scan.items(x[k], q + 32 * k);
  } else {
#pragma unroll
    for (int k = 0; k < row_quads; ++k) {
      const std::int64_t e = 4 * (q + 32 * k);
      x[k] = make_uint4(0, 0, 0, 0);
      if (e >= range.end) continue;
      if (range.contains(e)) x[k].x = in.at(e);
      if (range.contains(e + 1)) x[k].y = in.at(e + 1);
      if (range.contains(e + 2)) x[k].z = in.at(e + 2);
      if (range.contains(e + 3)) x[k].w = in.at(e + 3);
      x[k] = scan.items(x[k], q + 32 * k);
    }
  }

  // Prefixes within a quad, of the quads of a line, of the lines of a warp.
  std::uint32_t before[row_quads], line = 0;
#pragma unroll
  for (int k = 0; k < row_quads; ++k) {
    x[k].y = Scan::combine(m, x[k].x, x[k].y);
    x[k].z = Scan::combine(m, x[k].y, x[k].z);
    x[k].w = Scan::combine(m, x[k].z, x[k].w);
    before[k] = x[k].w;
  }
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
#pragma unroll
    for (int k = 0; k < row_quads; ++k) {
      const std::uint32_t other = __shfl_up_sync(~0U, before[k], d);
      if (lane >= d) before[k] = Scan::combine(m, other, before[k]);
    }
  }
#pragma unroll
  for (int k = 0; k < row_quads; ++k) {
    const std::uint32_t whole = __shfl_sync(~0U, before[k], 31);
    const std::uint32_t left = __shfl_up_sync(~0U, before[k], 1);
    before[k] = lane == 0 ? line : Scan::combine(m, line, left);
    line = Scan::combine(m, line, whole);
  }

  if (lane == 0) warp_item[warp] = line;
  __syncthreads();
  if (warp == 0) {
    std::uint32_t all = warp_item[0];
#pragma unroll
    for (int w = 1; w < warps; ++w) all = Scan::combine(m, all, warp_item[w]);
    if (lane == 0 && tile > 0) store_relaxed(states + tile, tile_state(known::tile, all));
    const std::uint32_t item = look_back<Scan>(m, states, tile, first);
    if (lane == 0) {
      store_relaxed(states + tile, tile_state(known::everything_before, Scan::combine(m, item, all)));
      before_tile = item;
    }
  }
  __syncthreads();
  std::uint32_t base = before_tile;
  for (int w = 0; w < warp; ++w) base = Scan::combine(m, base, warp_item[w]);

#pragma unroll
  for (int k = 0; k < row_quads; ++k) {
    const std::uint32_t b = Scan::combine(m, base, before[k]);
    const std::uint32_t r0 = Scan::combine(m, b, x[k].x), r1 = Scan::combine(m, b, x[k].y);
    const std::uint32_t r2 = Scan::combine(m, b, x[k].z), r3 = Scan::combine(m, b, x[k].w);
    const uint4 r = Inclusive ? make_uint4(r0, r1, r2, r3) : make_uint4(b, r0, r1, r2);
    store_quad(out, q + 32 * k, range,
               make_uint4(Scan::residue(r.x), Scan::residue(r.y), Scan::residue(r.z), Scan::residue(r.w)));
  }
}

/// Grid: a block a tile and row. An output that is also the input is written only where it has been read.
template <class Scan, bool Inclusive, class Number>
__global__ void __launch_bounds__(row_threads)
    scan_planes(Scan scan, plane_output out, row_range range, plane_operand in,
                __grid_constant__ const constant_operand<Number> init, scan_memory memory, std::int64_t tiles) {
  __shared__ unsigned ticket;
  if (threadIdx.x == 0) ticket = atomicAdd(memory.ticket, 1U);
  __syncthreads();
  const unsigned rows = static_cast<unsigned>(Number::size) + (out.evaluations == nullptr ? 0 : 1);
  const std::int64_t tile = ticket / rows;
  const int plane = static_cast<int>(ticket % rows);
  if (plane == Number::size) {
    drop_evaluations(out, range, tile * row_tile + threadIdx.x);
    return;
  }
  const modulus m = moduli_of<typename Number::base_type>()[plane];
  const quad_row row = quads_of(in, plane, range.lead);
  std::uint32_t* out_row = out.row(plane) - range.lead;
  std::uint64_t* states = memory.states + plane * tiles;
  const std::uint32_t first = Scan::first(init.number.residue(plane));
  if (row.aligned()) {
    scan_tile<Scan, Inclusive, true>(scan, m, out_row, range, row, states, tile, first);
  } else {
    scan_tile<Scan, Inclusive, false>(scan, m, out_row, range, row, states, tile, first);
  }
}

/// The bytes that a scan of so many quads needs.
template <class Number>
std::size_t scan_bytes(const row_range& range) {
  const std::int64_t tiles = (range.quads() + row_tile - 1) / row_tile;
  return 16 + static_cast<std::size_t>(tiles) * Number::size * sizeof(std::uint64_t);
}

/// out_j := init, x_0, ... x_j combined, or without x_j; `temp`: scan_bytes.
template <bool Inclusive, class Number, class Scan>
cudaError_t scan_on_device(void* temp, cudaStream_t stream, const Scan& scan, const plane_output& out,
                           std::int64_t count, const plane_operand& in, const Number& init) {
  const row_range range = range_of(out, count);
  if (const cudaError_t status = cudaMemsetAsync(temp, 0, scan_bytes<Number>(range), stream); status != cudaSuccess) {
    return status;
  }
  const scan_memory memory{static_cast<unsigned*>(temp), static_cast<std::uint64_t*>(temp) + 2};
  const std::int64_t tiles = (range.quads() + row_tile - 1) / row_tile;
  return launch(scan_planes<Scan, Inclusive, Number>, dim3(static_cast<unsigned>(tiles) * rows_of<Number>(out)),
                row_threads, stream, scan, out, range, in, constant_operand<Number>{init}, memory, tiles);
}

/// The scan of sums; with `temp` null, only `bytes` is written.
template <bool Inclusive, class Number>
cudaError_t scan_sums_on_device(void* temp, std::size_t& bytes, cudaStream_t stream, const plane_operand& in,
                                const plane_output& out, std::int64_t count, const Number& init) {
  const std::size_t needed = scan_bytes<Number>(range_of(out, count));
  if (temp == nullptr) {
    bytes = needed;
    return cudaSuccess;
  }
  if (bytes < needed) return cudaErrorInvalidValue;
  if (count == 0) return cudaSuccess;
  return scan_on_device<Inclusive>(temp, stream, scan_of_sums{}, out, count, in, init);
}

} // namespace detail
} // namespace thrust_rns
