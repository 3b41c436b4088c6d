// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Baseline: products c = f g in Z_q[x]/(x^n - x - 1) as published, on Tensor Cores through `nvcuda::wmma`: the product s of
/// the two polynomials as a matrix product, then a separate reduction modulo x^n - x - 1 and q.
///
///     s[S r + i] = sum over kappa of T[i][kappa] G[kappa][r]
///     T[i][kappa] = f[row + i - kappa]        Toeplitz, S rows; one matrix for each 8-bit digit of f = f0 + 256 f1
///     G[kappa][r] = g[S r + kappa - row]      a view of g between zeros; column r begins S bytes after column r - 1
///
/// with f and g zero outside 0 .. n-1, and row = n rounded up to a multiple of 32. Then
///
///     c_k = s_k + s_(n+k) + s_(n+k-1) mod q, the last term for k > 0
///
/// A block of three warps multiplies one pair. Fragments begin at multiples of 32 bytes: T lies in memory as tiles of 16 columns, and
/// g in two copies, 16 bytes apart, for even and odd tiles. Needs sm_72.
///
/// Source: X. Hu et al., "CTRU-Prime on CUDA Core and Tensor Core", Journal of Software 2026(7); written anew.

#include <thrust_rns/ring.h>

#include <cuda_runtime_api.h>
#include <mma.h>

#include <algorithm>
#include <cstdint>

namespace baselines {

/// The shape of wmma's fragments: T in tiles of Rows x 16, G in tiles of 16 x Columns.
template <int Rows, int Columns>
struct fragment_shape {
  static_assert((Rows == 16 && Columns == 16) || (Rows == 32 && Columns == 8) || (Rows == 8 && Columns == 32),
                "wmma multiplies bytes in the shapes 16x16x16, 32x8x16 and 8x32x16");
  static constexpr int rows = Rows, columns = Columns;
};

/// Numbers of one kernel.
template <class R, class Small, class Shape>
struct matrix_plan {
  static constexpr int n = R::degree, q = R::modulus, row = Small::row;
  static constexpr int shift = std::max(Shape::rows, 16);  // S: wmma's columns begin at multiples of 16 bytes
  static constexpr int row_tiles = shift / Shape::rows;    // of T
  static constexpr int steps = (row + shift) / 16;         // tiles of kappa
  static constexpr int tile_span = shift * Shape::columns; // values of s in a tile of columns
  static constexpr int tiles = (2 * n - 1 + tile_span - 1) / tile_span; // of columns of G
  static constexpr int warps = 3;
  static constexpr int warp_tiles = (tiles + warps - 1) / warps;

  // Shared memory, bytes; s takes the place of T.
  static constexpr int t_tile = 16 * shift;             // T, one digit:  shift x 16
  static constexpr int t_bytes = 2 * steps * t_tile;    // T:             2 x steps x shift x 16
  static constexpr int s_bytes = 4 * tile_span * tiles; // s:             tiles x tile_span
  static constexpr int g_stride = tile_span * tiles + (16 * steps + 31) / 32 * 32; // one copy of g between zeros
  static constexpr int f_stride = 16 * steps + shift;  // one digit of f, reversed, between zeros
  static constexpr int g = std::max(t_bytes, s_bytes); // g:             2 x g_stride
  static constexpr int f = g + 2 * g_stride;           // f:             2 x f_stride
  static constexpr int bytes = f + 2 * f_stride;

  static constexpr std::int64_t small_largest = -Small::coefficients::smallest;
  static_assert(!Small::is_full && n * small_largest * (q + 256) < (std::int64_t{1} << 30),
                "sums of products must fit in 32 bits");

  /// The tiles of kappa in which tile j of columns is not zero.
  __device__ static int first_step(int j) { return max(0, (row - tile_span * (j + 1) + shift) / 16); }
  __device__ static int last_step(int j) { return min(steps, (row + n - tile_span * j + 15) / 16); }
};

/// c[b] := f[b] g[b], b the block.
template <class R, class Small, class Shape>
__global__ void __launch_bounds__(32 * matrix_plan<R, Small, Shape>::warps)
    multiply_matrices(const thrust_rns::full_element<R>* __restrict__ f, const Small* __restrict__ g,
                      thrust_rns::full_element<R>* __restrict__ c) {
  namespace wmma = nvcuda::wmma;
  using plan = matrix_plan<R, Small, Shape>;
  using t_fragment = wmma::fragment<wmma::matrix_a, Shape::rows, Shape::columns, 16, signed char, wmma::row_major>;
  using g_fragment = wmma::fragment<wmma::matrix_b, Shape::rows, Shape::columns, 16, signed char, wmma::col_major>;
  using s_fragment = wmma::fragment<wmma::accumulator, Shape::rows, Shape::columns, 16, int>;
  constexpr int threads = 32 * plan::warps;
  extern __shared__ __align__(128) unsigned char memory[];
  const int thread = static_cast<int>(threadIdx.x), warp = thread / 32;

  // ---- the operands: reversed digits of f, two copies of g, zeros around them ----
  for (int i = plan::g + 16 * thread; i < plan::bytes; i += 16 * threads) {
    *reinterpret_cast<uint4*>(memory + i) = uint4{0, 0, 0, 0};
  }
  __syncthreads();
  for (int i = 8 * thread; i < plan::row; i += 8 * threads) {
    const uint4 v = *reinterpret_cast<const uint4*>(f[blockIdx.x].data() + i); // f[i .. i + 7]
    const auto place = [&](int digit) {                                        // f[j] lies at row + shift - 1 - j
      return reinterpret_cast<uint2*>(memory + plan::f + digit * plan::f_stride + plan::row + plan::shift - 8 - i);
    };
    constexpr unsigned carry = 0x00800080; // f1 = (f + 128) / 256, -128 <= f0 < 128
    *place(0) = make_uint2(__byte_perm(v.z, v.w, 0x0246), __byte_perm(v.x, v.y, 0x0246));
    *place(1) =
        make_uint2(__byte_perm(v.z + carry, v.w + carry, 0x1357), __byte_perm(v.x + carry, v.y + carry, 0x1357));
  }
  for (int i = 16 * thread; i < plan::row; i += 16 * threads) {
    const uint4 v = *reinterpret_cast<const uint4*>(g[blockIdx.x].data() + i);
    *reinterpret_cast<uint4*>(memory + plan::g + plan::row + i) = v;
    *reinterpret_cast<uint4*>(memory + plan::g + plan::g_stride + plan::row - 16 + i) = v;
  }
  __syncthreads();

  // ---- T, a row of 16 bytes of a tile a thread                                   T: (digit, step) -> shift x 16 ----
  for (int i = thread; i < 2 * plan::steps * plan::shift; i += threads) {
    const int digit = i / (plan::steps * plan::shift), step = i / plan::shift % plan::steps;
    const int at = 16 * step + plan::shift - 1 - i % plan::shift; // of T[i][16 step] in the reversed f
    const auto* x = reinterpret_cast<const unsigned*>(memory + plan::f + digit * plan::f_stride + at / 4 * 4);
    const int bits = 8 * (at % 4);
    reinterpret_cast<uint4*>(memory)[i] =
        make_uint4(__funnelshift_r(x[0], x[1], bits), __funnelshift_r(x[1], x[2], bits),
                   __funnelshift_r(x[2], x[3], bits), __funnelshift_r(x[3], x[4], bits));
  }
  __syncthreads();

  // ---- s = (T0 + 256 T1) G; tiles of columns warp, warp + warps ... ----
  s_fragment s[plan::warp_tiles][plan::row_tiles][2]; // (digit): Rows x Columns
#pragma unroll
  for (auto& tile : s) {
#pragma unroll
    for (auto& row_tile : tile) {
      wmma::fill_fragment(row_tile[0], 0);
      wmma::fill_fragment(row_tile[1], 0);
    }
  }
  const auto* t_bytes = reinterpret_cast<const signed char*>(memory);
  const auto* g_bytes = reinterpret_cast<const signed char*>(memory + plan::g);
  for (int step = 0; step < plan::steps; ++step) {
    t_fragment t[plan::row_tiles][2]; // (digit): Rows x 16
#pragma unroll
    for (int r = 0; r < plan::row_tiles; ++r) {
#pragma unroll
      for (int digit = 0; digit < 2; ++digit) {
        const int tile = digit * plan::steps + step;
        wmma::load_matrix_sync(t[r][digit], t_bytes + tile * plan::t_tile + 16 * Shape::rows * r, 16);
      }
    }
#pragma unroll
    for (int m = 0; m < plan::warp_tiles; ++m) {
      const int j = warp + plan::warps * m;
      if (step < plan::first_step(j) || step >= plan::last_step(j)) continue;
      g_fragment columns; // 16 x Columns
      wmma::load_matrix_sync(
          columns, g_bytes + (step % 2) * plan::g_stride + plan::tile_span * j + 16 * (step - step % 2), plan::shift);
#pragma unroll
      for (int r = 0; r < plan::row_tiles; ++r) {
        wmma::mma_sync(s[m][r][0], t[r][0], columns, s[m][r][0]);
        wmma::mma_sync(s[m][r][1], t[r][1], columns, s[m][r][1]);
      }
    }
  }
  __syncthreads(); // T has been read: s takes its place

  int* sums = reinterpret_cast<int*>(memory);
#pragma unroll
  for (int m = 0; m < plan::warp_tiles; ++m) {
    const int j = warp + plan::warps * m;
    if (j >= plan::tiles) continue;
#pragma unroll
    for (int r = 0; r < plan::row_tiles; ++r) {
#pragma unroll
      for (int e = 0; e < s[m][r][0].num_elements; ++e) s[m][r][0].x[e] += 256 * s[m][r][1].x[e];
      wmma::store_matrix_sync(sums + plan::tile_span * j + Shape::rows * r, s[m][r][0], plan::shift,
                              wmma::mem_col_major);
    }
  }
  __syncthreads();

  // ---- reduction modulo x^n - x - 1 and q, two coefficients a thread ----
  const auto coefficient = [&](int k) -> unsigned {
    if (k >= plan::n) return 0;
    const int x = (sums[k] + sums[plan::n + k] + (k > 0 ? sums[plan::n + k - 1] : 0)) % plan::q;
    return static_cast<unsigned>(x + (x < 0 ? plan::q : 0));
  };
  for (int k = 2 * thread; k < plan::row; k += 2 * threads) {
    reinterpret_cast<unsigned*>(c[blockIdx.x].data())[k / 2] = coefficient(k) | (coefficient(k + 1) << 16);
  }
}

/// d_c[i] := d_f[i] d_g[i], i < count. One kernel on `stream`, no synchronisation; pointers aligned to 16 bytes.
template <class Shape, class R, class Small = thrust_rns::ternary_element<R>>
cudaError_t multiply_by_wmma(const thrust_rns::full_element<R>* d_f, const Small* d_g, thrust_rns::full_element<R>* d_c,
                             std::int64_t count, cudaStream_t stream = nullptr) {
  using plan = matrix_plan<R, Small, Shape>;
  if (count < 0 || count > INT32_MAX) return cudaErrorInvalidValue;
  if (count == 0) return cudaSuccess;
  const auto kernel = multiply_matrices<R, Small, Shape>;
  if (const cudaError_t status = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, plan::bytes);
      status != cudaSuccess) {
    return status;
  }
  kernel<<<static_cast<unsigned>(count), 32 * plan::warps, plan::bytes, stream>>>(d_f, d_g, d_c);
  return cudaGetLastError();
}

} // namespace baselines
