// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Interval evaluation of one number by the threads of a warp or of a block, for few numbers with many moduli (remark 1 of
/// K. Isupov, Computation 9(2):9, 2021). Any number of moduli, fewer than threads included.

#include <cstdint>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/base_tables.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/number.h>

namespace thrust_rns {
namespace detail {

/// The 32 threads of a warp, all of them active.
struct warp_team {
  __device__ static int rank() { return static_cast<int>(threadIdx.x % 32); }
  __device__ static constexpr int size() { return 32; }
  __device__ digit_sums combine(digit_sums sums) const {
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) {
#pragma unroll
      for (int c = 0; c < 4; ++c) sums.s[c] += __shfl_xor_sync(0xffffffffu, sums.s[c], offset);
    }
    return sums;
  }
};

/// All threads of a one-dimensional block of whole warps.
template <int Threads>
struct block_team {
  static_assert(Threads % 32 == 0 && Threads <= 1024, "thrust_rns: a block evaluates with whole warps");
  static constexpr int warps = Threads / 32;

  digit_sums* shared; // one for each warp

  __device__ static int rank() { return static_cast<int>(threadIdx.x); }
  __device__ static constexpr int size() { return Threads; }
  __device__ digit_sums combine(digit_sums sums) const {
    sums = warp_team{}.combine(sums);
    __syncthreads(); // the sums before these have been read
    if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = sums;
    __syncthreads();
    digit_sums total;
    for (int w = 0; w < warps; ++w) {
      for (int c = 0; c < 4; ++c) total.s[c] += shared[w].s[c];
    }
    return total;
  }
};

template <class Number, class Team, class Residues>
__device__ interval_evaluation<Number> evaluate_by(const Team& team, Residues x) {
  const std::uint64_t v = sum_group<typename Number::base_type>(team, x, 0).leading();
  const std::uint64_t key = key_from_leading<Number>(v); // the same in all threads
  return interval_evaluation<Number>(key != 0 ? key : key_by_magnification<Number>(team, x, v));
}

} // namespace detail

/// The compact evaluation of the number whose residue modulo m_i is x(i), by the 32 threads of a warp, of which all must make
/// the call with the same x; it is returned in each of them. Equal to `evaluate` of the number, bit for bit.
/// Work: ceil(n/32) multiply-adds of four digits a thread and 20 shuffles of 64 bits; more only near 0, M and M/2.
template <class Number, class Residues>
__device__ interval_evaluation<Number> warp_evaluate(Residues x) {
  return detail::evaluate_by<Number>(detail::warp_team{}, x);
}

/// The same by all threads of a block of `Threads` threads, in the manner of CUB's block-wide pieces:
///
///   using block_evaluate = thrust_rns::BlockEvaluate<number, 128>;
///   __shared__ block_evaluate::TempStorage temp;
///   auto e = block_evaluate(temp).Evaluate([=](int i) { return span.plane(i)[j]; });
///
/// The call synchronises the block. `temp` can be used for something else after a __syncthreads().
template <class Number, int Threads>
class BlockEvaluate {
 public:
  struct TempStorage {
    alignas(detail::digit_sums) unsigned char sums[Threads / 32 * sizeof(detail::digit_sums)];
  };

  __device__ explicit BlockEvaluate(TempStorage& temp) : team_{reinterpret_cast<detail::digit_sums*>(temp.sums)} {}

  template <class Residues>
  __device__ interval_evaluation<Number> Evaluate(Residues x) const {
    return detail::evaluate_by<Number>(team_, x);
  }

 private:
  detail::block_team<Threads> team_;
};

} // namespace thrust_rns
