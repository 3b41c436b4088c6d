// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Checked operations on ranges of device memory: launches as in the CUB-style layer.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <cuda_runtime_api.h>
#include <cub/block/block_reduce.cuh>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/checked_elements.h>
#include <thrust_rns/detail/for_each_index.h>
#include <thrust_rns/number.h>
#include <thrust_rns/detail/extremum_kernels.cuh>
#include <thrust_rns/detail/multiprocessors.cuh>

namespace thrust_rns {
namespace detail {

/// *first := the smallest index that overflows, or -1.
template <operation Op, class Number>
cudaError_t launch_checked(void* temp, std::size_t& bytes, const binary_places<Number>& at, std::int64_t* first,
                           std::int64_t count, cudaStream_t stream) {
  if (count < 0) return cudaErrorInvalidValue;
  if (temp == nullptr) {
    bytes = 1; // null means a size query
    return cudaSuccess;
  }
  if (const cudaError_t status = cudaMemsetAsync(first, 0xff, sizeof(std::int64_t), stream); status != cudaSuccess) {
    return status;
  }
  return launch_elements(checked_elements<Op, Number>{at, reinterpret_cast<std::uint64_t*>(first)}, count, stream);
}

// ---- sums ------------------------------------------------------------------------------------------------------

inline constexpr int checked_sum_threads = 128;
// As measured: products keep three times the digit sums.
template <summand Kind>
inline constexpr int checked_sum_blocks_at_once = Kind == summand::product ? 4 : 6;
template <summand Kind>
inline constexpr int checked_sum_batch = Kind == summand::product ? 4 : 2; // planes whose loads are in flight together
template <summand Kind>
inline constexpr int checked_sum_elements = Kind == summand::product ? 2 : 4; // of a lane

/// A total as the device writes it; part k: the sum of bits 32 k .. of the positions of threads, the last with sign.
template <class Number>
struct total_in_parts {
  std::uint64_t part[3];
  std::uint64_t first;
  Number value;
  static constexpr std::size_t used = 4 * sizeof(std::uint64_t) + sizeof(Number); // without padding

  total_with_position<Number> join() const {
    const int128_t position = static_cast<int128_t>(part[0]) + (static_cast<int128_t>(part[1]) << 32) +
                              static_cast<int128_t>(static_cast<uint128_t>(part[2]) << 64);
    return {value, position, first};
  }
};

__device__ inline std::uint64_t warp_sum(std::uint64_t x) {
#pragma unroll
  for (int d = 16; d > 0; d /= 2) x += __shfl_xor_sync(0xffffffffu, x, d);
  return x;
}
/// Of numbers below 2^34.
__device__ inline std::uint64_t warp_sum_of_residues(std::uint64_t x) {
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync(0xffffffffu, static_cast<std::uint32_t>(x & 0xffff)) +
         (std::uint64_t{__reduce_add_sync(0xffffffffu, static_cast<std::uint32_t>(x >> 16))} << 16);
#else
  return warp_sum(x);
#endif
}

/// Each warp adds up tiles of 32 E neighbours. Lane l keeps the sums of planes l, l + 32, ...; partial[plane * warps + warp] := its
/// sum modulo m, parts[k * warps + warp] := its part k of the positions. *first: as in checked_elements.
template <summand Kind, class Number, int E>
__global__ void __launch_bounds__(checked_sum_threads, checked_sum_blocks_at_once<Kind>)
    checked_sum_of_warps(pair_places<Number> at, std::int64_t count, std::uint32_t* partial, std::uint64_t* parts,
                         std::uint64_t* first) {
  using Base = typename Number::base_type;
  constexpr int n = Number::size, groups = (n + 31) / 32;
  constexpr int batch = checked_sum_batch<Kind>;
  __shared__ digit_group digits[n];
  stage_digits<Number, checked_sum_threads>(digits);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const std::int64_t warp = (std::int64_t{blockIdx.x} * checked_sum_threads + threadIdx.x) / 32;
  const std::int64_t warps = std::int64_t{gridDim.x} * (checked_sum_threads / 32);

  std::uint64_t sum[groups] = {};
  int128_t position = 0;
  for (std::int64_t tile = warp * 32 * E; tile < count; tile += warps * 32 * E) { // the whole warp takes part
    element_group<E> group{{}, 0};
    for (int e = 0; e < E; ++e) {
      const std::int64_t j = tile + 32 * e + lane;
      group.index[e] = j < count ? j : tile;
      group.here += j < count ? 1 : 0;
    }
    const group_input<E, Number> x(group, at.a, at.a_first), y(group, at.b, at.b_first);
    bool negative[E] = {};
    digit_sums sums[E], sums_x[E], sums_y[E];
    // `evaluates`: whether digit sums are made; `adds`: whether residues are added up.
    const auto pass = [&](auto evaluates, auto adds) {
#pragma unroll
      for (int g = 0; g < groups; ++g) {
        constexpr int most = n < 32 ? n : 32;
        const int planes = n - 32 * g < most ? n - 32 * g : most;
#pragma unroll 1
        for (int p = 0; p < planes; p += batch) {
          std::uint32_t r[batch][E]; // loads in flight together; beyond the last plane a repetition
          [[maybe_unused]] std::uint32_t s[batch][E];
#pragma unroll
          for (int k = 0; k < batch; ++k) {
            const int i = 32 * g + (p + k < planes ? p + k : 0);
            for (int e = 0; e < E; ++e) {
              r[k][e] = x.x[e](i);
              if constexpr (Kind == summand::product) s[k][e] = y.x[e](i);
            }
          }
#pragma unroll
          for (int k = 0; k < batch; ++k) {
            if (p + k >= planes) break;
            const int i = 32 * g + p + k;
            const modulus& m = moduli_of<Base>()[i];
            std::uint64_t local = 0;
            for (int e = 0; e < E; ++e) {
              std::uint32_t t = r[k][e];
              if constexpr (Kind == summand::product) t = m.multiply(r[k][e], s[k][e]);
              if constexpr (decltype(evaluates)::value) {
                sums[e].add(t, digits[i]);
                if constexpr (Kind == summand::product) {
                  sums_x[e].add(r[k][e], digits[i]);
                  sums_y[e].add(s[k][e], digits[i]);
                }
              }
              if constexpr (Kind == summand::magnitude) t = negative[e] ? m.negate(t) : t;
              local += e < group.here ? t : 0;
            }
            if constexpr (decltype(adds)::value) {
              const std::uint64_t all = warp_sum_of_residues(local);
              sum[g] += p + k == lane ? all : 0;
            }
          }
        }
      }
    };
    constexpr bool twice = Kind == summand::magnitude && Number::is_symmetric; // the signs must be known first
    pass(std::true_type{}, std::integral_constant<bool, !twice>{});
    for (int e = 0; e < E; ++e) {
      if (e >= group.here) continue;
      if constexpr (Kind == summand::product) {
        const auto key_of = [](const span<const Number>& in, std::int64_t j, const digit_sums& of) {
          const std::uint64_t known = cached_key(in, j);
          return known != 0 ? known : key_from_sums<Number>(input_at(in, j), of);
        };
        using product = result_of<operation::product, Base, strided_residues, strided_residues>;
        position += position_from_leading<Number>(sums[e].leading(), product{x.x[e], y.x[e]});
        if (product_is_outside<Number>(x.x[e], key_of(at.a, at.a_first + group.index[e], sums_x[e]), y.x[e],
                                       key_of(at.b, at.b_first + group.index[e], sums_y[e]))) {
          lower_to(first, static_cast<std::uint64_t>(group.index[e]));
        }
      } else {
        const int128_t p = position_from_leading<Number>(sums[e].leading(), x.x[e]);
        if constexpr (twice) negative[e] = key_from_sums<Number>(x.x[e], sums[e]) < zero_key;
        position += negative[e] ? -p : p;
      }
    }
    __syncwarp();
    if constexpr (twice) pass(std::false_type{}, std::true_type{});
  }

#pragma unroll
  for (int g = 0; g < groups; ++g) {
    const int i = 32 * g + lane;
    if (i < n) partial[i * warps + warp] = moduli_of<Base>()[i].reduce(sum[g]);
  }
  const std::uint64_t part[3] = {static_cast<std::uint32_t>(position), static_cast<std::uint32_t>(position >> 32),
                                 static_cast<std::uint64_t>(position >> 64)};
#pragma unroll
  for (int k = 0; k < 3; ++k) {
    const std::uint64_t all = warp_sum(part[k]);
    if (lane == 0) parts[k * warps + warp] = all;
  }
}

/// Block i adds up plane i; blocks n .. n + 2 the parts.
template <class Number>
__global__ void __launch_bounds__(checked_sum_threads)
    finish_checked_sum(const std::uint32_t* partial, const std::uint64_t* parts, std::int64_t warps,
                       total_in_parts<Number>* total) {
  using block_reduce = cub::BlockReduce<std::uint64_t, checked_sum_threads>;
  __shared__ typename block_reduce::TempStorage temp;
  const int i = static_cast<int>(blockIdx.x);
  const bool is_plane = i < Number::size;
  std::uint64_t sum = 0;
  for (std::int64_t w = threadIdx.x; w < warps; w += checked_sum_threads) {
    sum += is_plane ? partial[i * warps + w] : parts[(i - Number::size) * warps + w];
  }
  sum = block_reduce(temp).Sum(sum);
  if (threadIdx.x != 0) return;
  if (is_plane) {
    total->value.set_residue(i, moduli_of<typename Number::base_type>()[i].reduce(sum));
  } else {
    total->part[i - Number::size] = sum;
  }
}

/// *total := the sum of `count` elements.
template <summand Kind, class Number>
cudaError_t launch_checked_sum(void* temp, std::size_t& bytes, const pair_places<Number>& at,
                               total_in_parts<Number>* total, std::int64_t count, cudaStream_t stream) {
  constexpr int together = checked_sum_elements<Kind>, warps_of_block = checked_sum_threads / 32;
  if (count < 0) return cudaErrorInvalidValue;
  int multiprocessors = 0;
  if (const cudaError_t status = count_multiprocessors(multiprocessors); status != cudaSuccess) return status;
  const std::int64_t blocks =
      std::clamp<std::int64_t>((count + checked_sum_threads * together - 1) / (checked_sum_threads * together), 1,
                               multiprocessors * checked_sum_blocks_at_once<Kind>);
  const std::int64_t warps = blocks * warps_of_block;
  const std::size_t needed =
      static_cast<std::size_t>(warps) * (3 * sizeof(std::uint64_t) + Number::size * sizeof(std::uint32_t));
  if (temp == nullptr) {
    bytes = needed;
    return cudaSuccess;
  }
  if (bytes < needed) return cudaErrorInvalidValue;

  auto* parts = static_cast<std::uint64_t*>(temp);
  auto* partial = reinterpret_cast<std::uint32_t*>(parts + 3 * warps);
  if (const cudaError_t status = cudaMemsetAsync(&total->first, 0xff, sizeof(total->first), stream);
      status != cudaSuccess) {
    return status;
  }
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(blocks));
  config.blockDim = dim3(checked_sum_threads);
  config.stream = stream;
  if (const cudaError_t status = cudaLaunchKernelEx(&config, checked_sum_of_warps<Kind, Number, together>, at, count,
                                                    partial, parts, &total->first);
      status != cudaSuccess) {
    return status;
  }
  config.gridDim = dim3(Number::size + 3);
  return cudaLaunchKernelEx(&config, finish_checked_sum<Number>, static_cast<const std::uint32_t*>(partial),
                            static_cast<const std::uint64_t*>(parts), warps, total);
}

} // namespace detail
} // namespace thrust_rns
