// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Baseline: products c = f g in Z_q[x]/(x^n - x - 1) on CUDA cores, n^2 multiply-adds a product. With x^n = x + 1 folded into f,
///
///     c_k = sum over j of F[k - j] g_j,    F[d] = f_d for d > 0, F[0] = f_0 + f_(n-1), F[-e] = f_(n-e) + f_(n-e-1),
///
/// and c_0 takes f_(n-1) g_(n-1) - c_(n-1). A block multiplies one pair, all in shared memory; a thread keeps nine neighbouring
/// sums in registers (an odd number, so that the lanes' loads meet different banks). A full g takes one 32-bit multiply-add a
/// term, and reductions before sums overflow; a small g takes one dp2a (two 16-bit by two 8-bit numbers) for two terms.

#include <thrust_rns/ring.h>

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace baselines {

/// Numbers of one kernel; a step is as many terms as one 16-byte load of g serves.
template <class R, class G>
struct schoolbook_plan {
  static constexpr int n = R::degree, q = R::modulus, row = G::row;
  static constexpr int outputs = 9; // of a thread
  static constexpr int step = G::is_full ? 8 : 16;
  static constexpr int threads = ((n + outputs - 1) / outputs + 31) / 32 * 32;
  static constexpr int origin = row;                 // F[d] at origin + d
  static constexpr int size = row + n + outputs + 1; // d = -row .. n + outputs

  static constexpr std::int64_t largest_term = std::int64_t{q} * (G::is_full ? q / 2 : -G::coefficients::smallest);
  static constexpr std::int64_t terms = ((std::int64_t{1} << 31) - 1 - q) / largest_term; // before a reduction
  static constexpr int terms_at_once = terms >= row ? row : static_cast<int>(terms / step * step);
  static_assert(terms_at_once > 0, "sums of products must fit in 32 bits");
};

/// A coefficient of f in -q/2 .. q/2; zero outside.
template <class R>
__device__ int centred(const std::uint16_t* f, int i) {
  if (i < 0 || i >= R::degree) return 0;
  const int x = f[i];
  return x - (x > R::modulus / 2 ? R::modulus : 0);
}

template <class R>
__device__ int folded(const std::uint16_t* f, int d) {
  constexpr int n = R::degree;
  if (d > 0) return centred<R>(f, d);
  return d > -n ? centred<R>(f, n + d - 1) + (d == 0 ? centred<R>(f, 0) : centred<R>(f, n + d)) : 0;
}

/// c[b] := f[b] g[b], b the block.
template <class R, class G>
__global__ void __launch_bounds__(schoolbook_plan<R, G>::threads)
    multiply_schoolbook(const thrust_rns::full_element<R>* __restrict__ f, const G* __restrict__ g,
                        thrust_rns::full_element<R>* __restrict__ c) {
  using plan = schoolbook_plan<R, G>;
  constexpr int n = plan::n, q = plan::q, row = plan::row, outputs = plan::outputs, threads = plan::threads;
  __shared__ __align__(16) std::uint16_t raw[row]; // f, at last c
  __shared__ int f_words[plan::size];              // F[d], for a small g with F[d - 1] in the upper half
  __shared__ __align__(16) int g_words[row / (G::is_full ? 1 : 4)]; // g, a small one four in a word
  const int thread = static_cast<int>(threadIdx.x);

  // ---- operands ----
  for (int i = thread; i < row / 8; i += threads) {
    reinterpret_cast<uint4*>(raw)[i] = reinterpret_cast<const uint4*>(f[blockIdx.x].data())[i];
  }
  if constexpr (G::is_full) {
    for (int i = thread; i < row; i += threads) g_words[i] = centred<R>(g[blockIdx.x].data(), i);
  } else {
    for (int i = thread; i < row / 4; i += threads) g_words[i] = reinterpret_cast<const int*>(g[blockIdx.x].data())[i];
  }
  __syncthreads();
  for (int i = thread; i < plan::size; i += threads) {
    const int d = i - plan::origin;
    f_words[i] = folded<R>(raw, d);
    if constexpr (!G::is_full) f_words[i] = (f_words[i] & 0xffff) | (folded<R>(raw, d - 1) << 16);
  }
  const int corner = centred<R>(raw, n - 1) * g[blockIdx.x][n - 1];
  __syncthreads();

  // ---- c_k, k = first .. first + outputs - 1 ----
  const int first = outputs * thread;
  if (first < n) {
    int sum[outputs] = {};
    for (int j = 0; j < row;) {
      for (const int end = min(j + plan::terms_at_once, row); j < end; j += plan::step) {
        const int* words = f_words + plan::origin + first - j;
        if constexpr (G::is_full) {
          int w[outputs + 7]; // F[first - j - 7 ..]
#pragma unroll
          for (int i = 0; i < outputs + 7; ++i) w[i] = words[i - 7];
          int gj[8];
          *reinterpret_cast<int4*>(gj) = *reinterpret_cast<const int4*>(g_words + j);
          *reinterpret_cast<int4*>(gj + 4) = *reinterpret_cast<const int4*>(g_words + j + 4);
#pragma unroll
          for (int i = 0; i < 8; ++i) {
#pragma unroll
            for (int k = 0; k < outputs; ++k) sum[k] += w[7 + k - i] * gj[i];
          }
        } else {
          int w[outputs + 14]; // pairs of F[first - j - 14 ..]
#pragma unroll
          for (int i = 0; i < outputs + 14; ++i) w[i] = words[i - 14];
          int gj[4];
          *reinterpret_cast<int4*>(gj) = *reinterpret_cast<const int4*>(g_words + j / 4);
#pragma unroll
          for (int i = 0; i < 4; ++i) {
#pragma unroll
            for (int k = 0; k < outputs; ++k) {
              sum[k] = __dp2a_lo(w[14 + k - 4 * i], gj[i], sum[k]);
              sum[k] = __dp2a_hi(w[12 + k - 4 * i], gj[i], sum[k]);
            }
          }
        }
      }
#pragma unroll
      for (int k = 0; k < outputs; ++k) sum[k] %= q;
    }
    for (int k = 0; k < outputs && first + k < n; ++k) {
      raw[first + k] = static_cast<std::uint16_t>(sum[k] + (sum[k] < 0 ? q : 0));
    }
  }
  __syncthreads();
  if (thread == 0) {
    const int x = (raw[0] - raw[n - 1] + corner) % q;
    raw[0] = static_cast<std::uint16_t>(x + (x < 0 ? q : 0));
  }
  __syncthreads();
  for (int i = thread; i < row / 8; i += threads) { // raw[n ..] is f's padding: zeros
    reinterpret_cast<uint4*>(c[blockIdx.x].data())[i] = reinterpret_cast<const uint4*>(raw)[i];
  }
}

/// d_c[i] := d_f[i] d_g[i], i < count. One kernel on `stream`, no synchronisation; pointers aligned to 16 bytes.
template <class R, class G>
cudaError_t multiply_by_schoolbook(const thrust_rns::full_element<R>* d_f, const G* d_g,
                                   thrust_rns::full_element<R>* d_c, std::int64_t count,
                                   cudaStream_t stream = nullptr) {
  if (count < 0 || count > INT32_MAX) return cudaErrorInvalidValue;
  if (count == 0) return cudaSuccess;
  multiply_schoolbook<R, G><<<static_cast<unsigned>(count), schoolbook_plan<R, G>::threads, 0, stream>>>(d_f, d_g, d_c);
  return cudaGetLastError();
}

} // namespace baselines
