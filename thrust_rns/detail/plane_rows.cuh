// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Rows of planes as kernels read and write them: 16 bytes at a time, in step with the quads of the output.
///
/// A kernel counts elements from the first of the output's first quad, so that its first element is `lead`, 0 to 3. An
/// input at another offset is read in quads of its own, two for each quad of the output.

#include <cstdint>

#include <cuda_runtime_api.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/residue_functions.h>

namespace thrust_rns {
namespace detail {

inline constexpr int row_threads = 256;
inline constexpr int row_quads = 4;                      // a thread: loads in flight
inline constexpr int row_tile = row_threads * row_quads; // quads a block

/// The elements [lead, end) of the output, in quads from 0 on.
struct row_range {
  std::int64_t end;
  int lead;

  THRUST_RNS_HD std::int64_t quads() const { return (end + 3) / 4; }
  THRUST_RNS_HD bool contains(std::int64_t element) const { return lead <= element && element < end; }
  THRUST_RNS_HD bool contains_quad(std::int64_t q) const { return lead <= 4 * q && 4 * q + 4 <= end; }
  THRUST_RNS_HD bool contains_quads(std::int64_t q, std::int64_t count) const {
    return lead <= 4 * q && 4 * (q + count) <= end;
  }
};

/// The range for `count` numbers that go to `out`.
inline row_range range_of(const plane_output& out, std::int64_t count) {
  const int lead = static_cast<int>(reinterpret_cast<std::uintptr_t>(out.first) / sizeof(std::uint32_t) % 4);
  return {lead + count, lead};
}

/// A row of a plane; element e is word e + shift of `quads`.
struct quad_row {
  const uint4* quads;
  int shift;

  __device__ std::uint32_t at(std::int64_t e) const { return reinterpret_cast<const std::uint32_t*>(quads)[e + shift]; }
  /// Elements 4 q .. 4 q + 3, all of them in the range. Aligned: shift = 0.
  template <bool Aligned>
  __device__ uint4 load(std::int64_t q) const {
    const uint4 a = quads[q];
    if constexpr (Aligned) return a;
    const uint4 b = quads[q + (shift == 0 ? 0 : 1)];
    switch (shift) {
      case 0:
        return a;
      case 1:
        return make_uint4(a.y, a.z, a.w, b.x);
      case 2:
        return make_uint4(a.z, a.w, b.x, b.y);
      default:
        return make_uint4(a.w, b.x, b.y, b.z);
    }
  }
  __device__ bool aligned() const { return shift == 0; }
};

struct constant_quads {
  std::uint32_t residue;

  __device__ std::uint32_t at(std::int64_t) const { return residue; }
  template <bool>
  __device__ uint4 load(std::int64_t) const {
    return make_uint4(residue, residue, residue, residue);
  }
  __device__ bool aligned() const { return true; }
};

__device__ inline quad_row quads_of(const plane_operand& x, int plane, int lead) {
  const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(x.row(plane)) - 4 * static_cast<unsigned>(lead);
  return {reinterpret_cast<const uint4*>(address / 16 * 16), static_cast<int>(address / 4 % 4)};
}
template <class Number>
__device__ constant_quads quads_of(const constant_operand<Number>& x, int plane, int) {
  return {x.number.residue(plane)};
}

/// Writes the elements of quad q that lie in the range; `row` is that of element 0.
__device__ inline void store_quad(std::uint32_t* row, std::int64_t q, const row_range& range, const uint4& r) {
  if (range.contains_quad(q)) {
    reinterpret_cast<uint4*>(row)[q] = r;
    return;
  }
  if (range.contains(4 * q)) row[4 * q] = r.x;
  if (range.contains(4 * q + 1)) row[4 * q + 1] = r.y;
  if (range.contains(4 * q + 2)) row[4 * q + 2] = r.z;
  if (range.contains(4 * q + 3)) row[4 * q + 3] = r.w;
}

/// Drops the cached evaluations of the quads q, q + row_threads, ... of a thread.
__device__ inline void drop_evaluations(const plane_output& out, const row_range& range, std::int64_t q) {
  std::uint64_t* e = out.evaluations - range.lead;
#pragma unroll
  for (int k = 0; k < row_quads; ++k, q += row_threads) {
    if (range.contains_quad(q)) {
      auto* p = reinterpret_cast<uint4*>(e + 4 * q);
      p[0] = p[1] = make_uint4(0, 0, 0, 0);
    } else {
      for (int i = 0; i < 4; ++i) {
        if (range.contains(4 * q + i)) e[4 * q + i] = 0;
      }
    }
  }
}

/// How many rows a kernel writes: the planes, and the evaluations if there are any.
template <class Number>
unsigned rows_of(const plane_output& out) {
  return static_cast<unsigned>(Number::size) + (out.evaluations == nullptr ? 0 : 1);
}

} // namespace detail
} // namespace thrust_rns
