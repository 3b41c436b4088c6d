// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Integer matrices to packed bytes of residues, and weighted residues back to limbs, on the GPU (integer_base.h).

#include <cstdint>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/integer_base.h>
#include <thrust_rns/modular.h>
#include <thrust_rns/detail/matrix_kernels.cuh>
#include <thrust_rns/detail/matrix_tensor_kernels.cuh>

namespace thrust_rns {
namespace detail {

/// A source for pack_bytes: residues of integers, entry by entry.
struct lines_of_integers {
  integer_source integers; // rows: lines
  std::int64_t lines, terms;
  modulus_list moduli;

  __device__ std::int64_t slices() const { return moduli.size; }
  __device__ bool along_terms() const { return integers.column_stride == 1; }
  __device__ void read(std::int64_t slice, std::int64_t line, std::int64_t k, std::uint32_t (&x)[16]) const {
    const modulus m(moduli.value[slice]);
    const std::uint32_t t = m.multiply(m.reduce(std::uint64_t{1} << 32), m.reduce(std::uint64_t{1} << 32));
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      x[i] = line < lines && k + i < terms
                 ? integers.residue(line * integers.row_stride + (k + i) * integers.column_stride, m, t)
                 : 0;
    }
  }
};

/// What gives integers of one word modulo moduli up to 256 by byte dot products: 256^i mod m in bytes, i < 8; m - 2^64 mod
/// m; m; and ceil(2^32/m).
///
/// A sum of eight products of bytes and a modulus is below 2^20, and with c = ceil(2^32/m) < 2^32/m + 1 its quotient by m
/// is exactly floor(sum c/2^32), since sum (c m - 2^32) < 2^20 2^8 < 2^32.
struct byte_residues {
  int size;
  struct {
    std::uint32_t low, high, negative, m, reciprocal;
  } of[49];

  explicit byte_residues(const modulus_list& moduli) : size(moduli.size), of{} {
    for (int p = 0; p < size; ++p) {
      const modulus m(moduli.value[p]);
      std::uint32_t power[9] = {1 % m.value()};
      for (int i = 0; i < 8; ++i) power[i + 1] = m.multiply(power[i], m.reduce(256));
      for (int i = 0; i < 4; ++i) {
        of[p].low |= power[i] << (8 * i);
        of[p].high |= power[4 + i] << (8 * i);
      }
      of[p].negative = m.value() - power[8];
      of[p].m = m.value();
      of[p].reciprocal = static_cast<std::uint32_t>(((std::uint64_t{1} << 32) + m.value() - 1) / m.value());
    }
  }
};

/// pack_bytes for integers of one word and moduli up to 256: all moduli in one pass over the integers.
template <int Lines>
__global__ void __launch_bounds__(matrix_threads)
    pack_words(const __grid_constant__ integer_source integers, std::int64_t lines, std::int64_t terms,
               const __grid_constant__ byte_residues residues, unsigned char* packed) {
  using plan = tensor_plan<1>;
  constexpr int chunks = plan::inner / 16;
  const std::int64_t tiles = plan::tiles_of(lines, Lines), stages = plan::stages_of(terms);
  const std::int64_t count = tiles * stages * Lines * chunks, step = std::int64_t{gridDim.x} * matrix_threads;
  const bool along_terms = integers.column_stride == 1;
  for (std::int64_t u = std::int64_t{blockIdx.x} * matrix_threads + threadIdx.x; u < count; u += step) {
    const int within = static_cast<int>(u % (Lines * chunks));
    const std::int64_t stage = u / (Lines * chunks) % stages, tile = u / (Lines * chunks) / stages;
    const int line = along_terms ? within / (8 * chunks) * 8 + within % 8 : within % Lines;
    const int chunk = along_terms ? within / 8 % chunks : within / Lines;
    const std::int64_t i = tile * Lines + line, k = stage * plan::inner + chunk * 16;
    std::uint32_t low[16], high[16];
#pragma unroll
    for (int t = 0; t < 16; ++t) {
      const std::int64_t x =
          i < lines && k + t < terms ? integers.limb(i * integers.row_stride + (k + t) * integers.column_stride, 0) : 0;
      low[t] = static_cast<std::uint32_t>(x);
      high[t] = static_cast<std::uint32_t>(static_cast<std::uint64_t>(x) >> 32);
    }
    unsigned char* out =
        packed + (tile * stages + stage) * (Lines * plan::inner) + (line / 8 * chunks + chunk) * 128 + line % 8 * 16;
    for (int p = 0; p < residues.size; ++p, out += tiles * stages * (Lines * plan::inner)) {
      const auto& r = residues.of[p];
      std::uint32_t words[4];
#pragma unroll
      for (int t = 0; t < 16; ++t) {
        const std::uint32_t sign = static_cast<std::uint32_t>(static_cast<std::int32_t>(high[t]) >> 31);
        const std::uint32_t sum = __dp4a(high[t], r.high, __dp4a(low[t], r.low, sign & r.negative));
        const std::uint32_t x = sum - __umulhi(sum, r.reciprocal) * r.m;
        words[t / 4] = t % 4 == 0 ? x : words[t / 4] | x << (8 * (t % 4));
      }
      *reinterpret_cast<uint4*>(out) = uint4{words[0], words[1], words[2], words[3]};
    }
  }
}

/// Writes residues times weights, in words as large as the moduli ask for; later parts of sums are added.
template <class Word>
struct store_weighted {
  Word* out;
  std::int64_t plane_stride, row_stride, column_stride;
  bool add;
  modulus_list weights;

  __device__ void operator()(const modulus& m, std::int64_t plane, std::int64_t, std::int64_t i, std::int64_t j,
                             std::uint32_t x) const {
    Word& to = out[plane * plane_stride + i * row_stride + j * column_stride];
    x = m.multiply(x, weights.value[plane]);
    to = static_cast<Word>(add ? m.add(to, x) : x);
  }
};

/// planes[p][k] := entry k of a rows x columns matrix modulo m_p; for devices without these Tensor Cores.
template <class Moduli>
__global__ void __launch_bounds__(matrix_threads)
    integers_to_planes(const __grid_constant__ integer_source integers, std::int64_t rows, std::int64_t columns,
                       const __grid_constant__ Moduli moduli, std::uint32_t* planes) {
  const std::int64_t entries = rows * columns, step = std::int64_t{gridDim.x} * matrix_threads;
  for (std::int64_t u = std::int64_t{blockIdx.x} * matrix_threads + threadIdx.x; u < moduli.size * entries; u += step) {
    const std::int64_t k = u % entries;
    const modulus m(moduli.value[u / entries]);
    const std::uint32_t t = m.multiply(m.reduce(std::uint64_t{1} << 32), m.reduce(std::uint64_t{1} << 32));
    planes[u] = integers.residue(k / columns * integers.row_stride + k % columns * integers.column_stride, m, t);
  }
}

/// planes[p][k] := planes[p][k] weight_p mod m_p.
template <class Moduli>
__global__ void __launch_bounds__(matrix_threads)
    weight_planes(std::uint32_t* planes, std::int64_t plane_stride, const __grid_constant__ Moduli moduli,
                  const __grid_constant__ Moduli weights) {
  const std::int64_t step = std::int64_t{gridDim.x} * matrix_threads;
  for (std::int64_t u = std::int64_t{blockIdx.x} * matrix_threads + threadIdx.x; u < moduli.size * plane_stride;
       u += step) {
    const std::int64_t p = u / plane_stride;
    planes[u] = modulus(moduli.value[p]).multiply(planes[u], weights.value[p]);
  }
}

/// The words behind the entries of each plane := 0, since they are read with them.
template <class Word>
__global__ void __launch_bounds__(matrix_threads)
    clear_padding(Word* planes, std::int64_t plane_stride, std::int64_t entries, int count) {
  const auto padding = static_cast<int>(plane_stride - entries);
  for (int u = static_cast<int>(threadIdx.x); u < count * padding; u += matrix_threads) {
    planes[u / padding * plane_stride + entries + u % padding] = 0;
  }
}

/// Four neighbouring weighted residues.
template <class Word>
struct alignas(4 * sizeof(Word)) four_words {
  Word word[4];
};

/// The tables of a base in device memory.
struct integer_tables {
  const double* reciprocals;              // 1/m_p
  const std::uint32_t *cofactors, *range; // integer_base's
  int moduli, digits;
};

/// limbs of entry k := the integer with weighted residues s[p plane_stride + k]. Planes are padded to a multiple of four.
template <class Word>
__global__ void __launch_bounds__(matrix_threads)
    residues_to_limbs(const Word* s, std::int64_t plane_stride, std::int64_t entries, integer_tables tables,
                      std::int64_t* limbs, int limbs_per_entry) {
  const std::int64_t step = std::int64_t{gridDim.x} * matrix_threads;
  for (std::int64_t u = std::int64_t{blockIdx.x} * matrix_threads + threadIdx.x; 4 * u < entries; u += step) {
    const auto* from = reinterpret_cast<const four_words<Word>*>(s) + u;
    const std::int64_t stride = plane_stride / 4;
    double fraction[4] = {};
#pragma unroll 4
    for (int p = 0; p < tables.moduli; ++p) {
      const four_words<Word> x = from[p * stride];
      const double r = tables.reciprocals[p];
#pragma unroll
      for (int e = 0; e < 4; ++e) fraction[e] += x.word[e] * r;
    }
    std::int64_t q[4];
#pragma unroll
    for (int e = 0; e < 4; ++e) q[e] = static_cast<std::int64_t>(floor(fraction[e] + 0.5));
    std::int64_t* to = limbs + 4 * u * limbs_per_entry;
    limb_writer writer[4] = {{to, limbs_per_entry},
                             {to + limbs_per_entry, 4 * u + 1 < entries ? limbs_per_entry : 0},
                             {to + 2 * limbs_per_entry, 4 * u + 2 < entries ? limbs_per_entry : 0},
                             {to + 3 * limbs_per_entry, 4 * u + 3 < entries ? limbs_per_entry : 0}};
    for (int t = 0; t < tables.digits; ++t) {
      std::uint64_t sum[4] = {};
      const std::uint32_t* cofactors = tables.cofactors + t * tables.moduli;
#pragma unroll 4
      for (int p = 0; p < tables.moduli; ++p) {
        const four_words<Word> x = from[p * stride];
        const std::uint32_t c = cofactors[p];
#pragma unroll
        for (int e = 0; e < 4; ++e) sum[e] += std::uint64_t{c} * x.word[e];
      }
#pragma unroll
      for (int e = 0; e < 4; ++e) writer[e].next(sum[e], q[e] * tables.range[t]);
    }
#pragma unroll
    for (int e = 0; e < 4; ++e) writer[e].finish();
  }
}

} // namespace detail
} // namespace thrust_rns
