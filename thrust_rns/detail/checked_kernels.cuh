// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Checked operations on ranges of device memory: launches as in the CUB-style layer.
///
/// Sums and differences are checked in one kernel, while they are made. Products need the sizes of their operands, whatever those
/// are: the keys come first (evaluations that are cached already are only read), then the check by them, then the products.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <cuda_runtime_api.h>
#include <cub/block/block_reduce.cuh>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/checked_elements.h>
#include <thrust_rns/detail/for_each_index.h>
#include <thrust_rns/detail/residue_functions.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/number.h>
#include <thrust_rns/detail/device_call.cuh>
#include <thrust_rns/detail/launch.cuh>
#include <thrust_rns/detail/multiprocessors.cuh>
#include <thrust_rns/detail/quads.cuh>
#include <thrust_rns/detail/transform_kernels.cuh>
#include <thrust_rns/device/device_evaluate.cuh>

namespace thrust_rns {
namespace detail {

// ---- keys of operands ------------------------------------------------------------------------------------------

/// Key k of the range at [k], 0 where it is not known; null: none is.
struct pair_keys {
  const std::uint64_t *a, *b;
};

template <class Number>
const std::uint64_t* cached_keys(const span<const Number>& s, std::int64_t first) {
  return s.evaluations() == nullptr ? nullptr : s.evaluations() + first;
}

/// The operands of a call on the device, and the temporary memory for their keys: one bit a number, and 8 bytes where a span has no
/// room for evaluations.
template <class Number>
class checked_operands {
 public:
  checked_operands(const pair_places<Number>& at, std::int64_t count) : at_(at), count_(count) {}

  std::size_t bytes() const { return masks() + keys_of(at_.a) + keys_of(at_.b); }

  /// Queues the evaluation of both; `keys` are known when it has run. `temp`: bytes() of device memory.
  cudaError_t evaluate(void* temp, pair_keys& keys, cudaStream_t stream) const {
    auto* memory = static_cast<unsigned char*>(temp);
    const bool same = at_.a.plane(0) + at_.a_first == at_.b.plane(0) + at_.b_first;
    const cudaError_t status = evaluate(memory, memory + masks(), at_.a, at_.a_first, keys.a, stream);
    keys.b = keys.a;
    if (status != cudaSuccess || same) return status;
    return evaluate(memory, memory + masks() + keys_of(at_.a), at_.b, at_.b_first, keys.b, stream);
  }
  pair_keys cached() const { return {cached_keys(at_.a, at_.a_first), cached_keys(at_.b, at_.b_first)}; }

 private:
  std::size_t masks() const { return 16 * static_cast<std::size_t>(count_ / 128 + 3); }
  std::size_t keys_of(const span<const Number>& s) const {
    return s.evaluations() != nullptr ? 0 : sizeof(std::uint64_t) * static_cast<std::size_t>((count_ + 4) / 2 * 2);
  }
  cudaError_t evaluate(void* masks_at, void* keys_at, const span<const Number>& s, std::int64_t first,
                       const std::uint64_t*& keys, cudaStream_t stream) const {
    std::uint64_t* out = nullptr;
    if (s.evaluations() == nullptr) out = static_cast<std::uint64_t*>(keys_at) + first % 4; // quads are aligned
    keys = out == nullptr ? cached_keys(s, first) : out;
    std::size_t size = masks();
    return DeviceEvaluate::Keys(masks_at, size, planes_iterator<const Number>(s, first), out, count_, stream);
  }

  pair_places<Number> at_;
  std::int64_t count_;
};

// ---- elements --------------------------------------------------------------------------------------------------

/// What a search for overflows found.
struct overflow_record {
  std::uint64_t first;    // the smallest index, all ones: none
  std::uint64_t complete; // 0: given up, since a key is not known
};

/// record->first := the smallest k whose product is outside the range, if that is below it. A thread's indices grow, so that a warp
/// has done its part with the first that it finds; it gives up where a key is not known.
template <class Number>
__global__ void __launch_bounds__(item_threads)
    find_oversized_products(pair_places<Number> at, pair_keys keys, std::int64_t count, overflow_record* record) {
  constexpr int together = 4; // loads in flight
  const std::int64_t warp = first_item() / 32, step = item_step() * together;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for (std::int64_t begin = 32 * together * warp; begin < count; begin += step) {
    std::uint64_t a[together], b[together];
#pragma unroll
    for (int k = 0; k < together; ++k) {
      const std::int64_t j = begin + 32 * k + lane;
      a[k] = j < count ? load_relaxed(keys.a + j) : zero_key;
      b[k] = j < count ? load_relaxed(keys.b + j) : zero_key;
    }
#pragma unroll
    for (int k = 0; k < together; ++k) {
      const std::int64_t j = begin + 32 * k + lane;
      if (__any_sync(~0u, a[k] == 0 || b[k] == 0)) {
        if (lane == 0 && load_relaxed(&record->complete) != 0) store_relaxed(&record->complete, 0);
        return;
      }
      const unsigned found = __ballot_sync(
          ~0u, product_is_outside<Number>(input_at(at.a, at.a_first + j), a[k], input_at(at.b, at.b_first + j), b[k]));
      if (found == 0) continue;
      if (lane == __ffs(static_cast<int>(found)) - 1) lower_to(&record->first, static_cast<std::uint64_t>(j));
      return;
    }
  }
}

/// *record := the search among `count` > 0 products; the operands are evaluated before if `evaluates`.
template <class Number>
cudaError_t launch_search(void* temp, std::size_t& bytes, const pair_places<Number>& at, bool evaluates,
                          overflow_record* record, std::int64_t count, cudaStream_t stream) {
  const checked_operands<Number> operands(at, count);
  if (!prepare(temp, bytes, evaluates ? operands.bytes() : 1)) return refusal(temp); // null means a size query
  cudaError_t status = cudaMemsetAsync(record, 0xff, sizeof(overflow_record), stream);
  pair_keys keys = operands.cached();
  if (status == cudaSuccess && evaluates) status = operands.evaluate(temp, keys, stream);
  if (status != cudaSuccess) return status;
  return launch_items(find_oversized_products<Number>, (count + 3) / 4, 1 << 12, 1, stream, at, keys, count, record);
}

template <class Number>
cudaError_t launch_products(const binary_places<Number>& at, std::int64_t count, cudaStream_t stream) {
  const auto operand = [](const span<const Number>& s, std::int64_t first) {
    return plane_operand{s.plane(0) + first, s.stride()};
  };
  return transform_on_device<multiply_residues, Number>(
      stream, output_at(at.out, at.out_first), count, operand(at.in.a, at.in.a_first), operand(at.in.b, at.in.b_first));
}

/// *first := the smallest index that overflows, or -1.
template <operation Op, class Number>
cudaError_t launch_checked(void* temp, std::size_t& bytes, const binary_places<Number>& at, std::int64_t* first,
                           std::int64_t count, cudaStream_t stream) {
  if (count < 0) return cudaErrorInvalidValue;
  const std::size_t record_at = Op == operation::product ? checked_operands<Number>(at.in, count).bytes() : 0;
  if (!prepare(temp, bytes, record_at + sizeof(overflow_record))) return refusal(temp);
  if (count == 0 || Op != operation::product) {
    const cudaError_t status = cudaMemsetAsync(first, 0xff, sizeof(std::int64_t), stream);
    if (status != cudaSuccess || count == 0) return status;
  }
  if constexpr (Op != operation::product) {
    return launch_elements(checked_elements<Op, Number>{at, reinterpret_cast<std::uint64_t*>(first)}, count, stream);
  } else {
    auto* record = reinterpret_cast<overflow_record*>(static_cast<unsigned char*>(temp) + record_at);
    std::size_t size = record_at;
    cudaError_t status = launch_search(temp, size, at.in, true, record, count, stream);
    if (status == cudaSuccess) {
      status = cudaMemcpyAsync(first, &record->first, sizeof(std::int64_t), cudaMemcpyDeviceToDevice, stream);
    }
    return status == cudaSuccess ? launch_products(at, count, stream) : status;
  }
}

// ---- sums ------------------------------------------------------------------------------------------------------

inline constexpr int checked_sum_threads = 128, checked_sum_warps = checked_sum_threads / 32;

/// A total as the device writes it; part k < 3: the sum of bits 32 k .. of the positions of blocks, the last with sign.
template <class Number>
struct total_in_parts {
  std::uint64_t part[3];
  std::uint64_t doubtful; // if not 0, keys are missing without which the sum cannot be told
  std::uint64_t first;    // of products only
  Number value;
  static constexpr std::size_t used = 5 * sizeof(std::uint64_t) + sizeof(Number); // without padding

  total_with_position<Number> join() const {
    const int128_t position = static_cast<int128_t>(part[0]) + (static_cast<int128_t>(part[1]) << 32) +
                              static_cast<int128_t>(static_cast<uint128_t>(part[2]) << 64);
    return {value, position, first};
  }
};

__device__ inline std::uint64_t warp_sum(std::uint64_t x) {
#pragma unroll
  for (int d = 16; d > 0; d /= 2) x += __shfl_xor_sync(~0u, x, d);
  return x;
}
/// Of numbers below 2^34.
__device__ inline std::uint64_t warp_sum_of_residues(std::uint64_t x) {
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync(~0u, static_cast<std::uint32_t>(x & 0xffff)) +
         (std::uint64_t{__reduce_add_sync(~0u, static_cast<std::uint32_t>(x >> 16))} << 16);
#else
  return warp_sum(x);
#endif
}

/// Four neighbours of one plane, of one operand or of two.
template <summand Kind>
struct summand_quads {
  uint4 x;
};
template <>
struct summand_quads<summand::product> {
  uint4 x, y;
};

/// take(load(i), i) for i = 0 .. Planes - 1 in order, Batch loads ahead.
template <int Planes, int Batch, class Load, class Take>
__device__ __forceinline__ void stream_loads(Load load, Take take) {
  decltype(load(0)) r[Batch];
#pragma unroll
  for (int k = 0; k < Batch; ++k) r[k] = load(k);
  constexpr int whole = (Planes - Batch) / Batch * Batch, rest = Planes - Batch - whole;
#pragma unroll 1
  for (int i = 0; i < whole; i += Batch) {
#pragma unroll
    for (int k = 0; k < Batch; ++k) {
      const auto here = r[k];
      r[k] = load(i + Batch + k);
      take(here, i + k);
    }
  }
#pragma unroll
  for (int k = 0; k < Batch; ++k) {
    const auto here = r[k];
    if (k < rest) r[k] = load(whole + Batch + k);
    take(here, whole + k);
  }
#pragma unroll
  for (int k = 0; k < rest; ++k) take(r[k], whole + Batch + k);
}

/// What a warp adds up.
template <summand Kind, class Number>
class checked_sum_of_warp {
  using Base = typename Number::base_type;
  static constexpr int n = Number::size;
  static constexpr bool by_sign = Kind == summand::magnitude && Number::is_symmetric;
  // Loads ahead, of what registers hold beside the sums; as measured at 17 to 133 moduli.
  static constexpr int most = Kind == summand::value ? quad_batch<n> : Kind == summand::magnitude ? 8 : 4;
  static constexpr int batch = most < n ? most : n;

 public:
  struct tables {
    digit_group digits[n];
    modulus moduli[Kind == summand::value ? 1 : n];
  };

  /// `sum`: of each plane, in shared memory.
  __device__ checked_sum_of_warp(const pair_places<Number>& at, const pair_keys& keys, const tables& table,
                                 std::uint64_t* sum, std::uint64_t* first)
      : at_(at), keys_(keys), table_(table), sum_(sum), first_(first) {}

  /// The 128 elements from k on, of which the lane takes four neighbours; element k of both operands begins a quad.
  __device__ void add_quads(std::int64_t k) {
    k += 4 * lane();
    bool negative[4] = {};
    if (!look_at_keys(k, 4, negative)) return;
    const std::uint32_t *x = at_.a.plane(0) + at_.a_first + k, *y = at_.b.plane(0) + at_.b_first + k;
    const std::int64_t stride_x = at_.a.stride(), stride_y = at_.b.stride();
    digit_sums sums[4];
    stream_loads<n, batch>(
        [&](int i) {
          summand_quads<Kind> r;
          r.x = load_quad(x + i * stride_x);
          if constexpr (Kind == summand::product) r.y = load_quad(y + i * stride_y);
          return r;
        },
        [&](const summand_quads<Kind>& r, int i) {
          uint4 t = r.x;
          if constexpr (Kind == summand::product) {
            const modulus m = table_.moduli[i];
            t = {m.multiply(r.x.x, r.y.x), m.multiply(r.x.y, r.y.y), m.multiply(r.x.z, r.y.z),
                 m.multiply(r.x.w, r.y.w)};
          } else if constexpr (by_sign) {
            const modulus m = table_.moduli[i];
            t = {negative[0] ? m.negate(t.x) : t.x, negative[1] ? m.negate(t.y) : t.y,
                 negative[2] ? m.negate(t.z) : t.z, negative[3] ? m.negate(t.w) : t.w};
          }
          const digit_group d = table_.digits[i];
          sums[0].add(t.x, d);
          sums[1].add(t.y, d);
          sums[2].add(t.z, d);
          sums[3].add(t.w, d);
          add_to_plane(i, std::uint64_t{t.x + t.y} + (t.z + t.w)); // residues < 2^31
        });
#pragma unroll
    for (int e = 0; e < 4; ++e) position_ += position(k + e, sums[e].leading());
  }

  /// The 32 elements from k on, as far as they are below `count`; at any place.
  __device__ void add_elements(std::int64_t k, std::int64_t count) {
    const bool here = k + lane() < count;
    k += here ? lane() : 0;
    bool negative[1] = {};
    if (!look_at_keys(k, here ? 1 : 0, negative)) return;
    const strided_residues x = input_at(at_.a, at_.a_first + k), y = input_at(at_.b, at_.b_first + k);
    digit_sums sums;
#pragma unroll 4
    for (int i = 0; i < n; ++i) {
      std::uint32_t t = x(i);
      if constexpr (Kind == summand::product) {
        t = table_.moduli[i].multiply(t, y(i));
      } else if constexpr (by_sign) {
        t = negative[0] ? table_.moduli[i].negate(t) : t;
      }
      sums.add(t, table_.digits[i]);
      add_to_plane(i, here ? t : 0);
    }
    if (here) position_ += position(k, sums.leading());
  }

  /// Whether it goes on: without keys that are needed, the result is of no use.
  __device__ bool goes_on() const { return !stopped_; }

  /// Part p of the positions, and what is doubtful.
  __device__ std::uint64_t part(int p) const {
    return p == 3   ? doubtful_
           : p == 2 ? static_cast<std::uint64_t>(position_ >> 64)
                    : static_cast<std::uint32_t>(position_ >> (32 * p));
  }

 private:
  __device__ static int lane() { return static_cast<int>(threadIdx.x) % 32; }
  __device__ void add_to_plane(int i, std::uint64_t residues) {
    const std::uint64_t all = warp_sum_of_residues(residues);
    if (lane() == 0) sum_[i] += all;
  }

  /// The position of summand k, whose sums are v.
  __device__ int128_t position(std::int64_t k, std::uint64_t v) {
    const strided_residues x = input_at(at_.a, at_.a_first + k);
    if constexpr (by_sign) { // at most M/2: below 0 by truncation only
      return static_cast<int128_t>(v) - (v >> 62 == 3 ? static_cast<int128_t>(1) << 64 : 0);
    } else if constexpr (Kind == summand::product) {
      const strided_residues y = input_at(at_.b, at_.b_first + k);
      return position_or_ask<Number>(v, [&] {
        if constexpr (!Number::is_symmetric) {
          const std::uint64_t a = load_relaxed(keys_.a + k), b = load_relaxed(keys_.b + k);
          if (a != 0 && b != 0 && // small factors have small products
              size_of_product<Number>(bounds_of_key<Number>(a), bounds_of_key<Number>(b), 1) == product_size::fits) {
            return true;
          }
        }
        return is_below_exactly<Number>(result_of<operation::product, Base, strided_residues, strided_residues>{x, y});
      });
    } else {
      return position_or_ask<Number>(v, [&] {
        const std::uint64_t known = keys_.a == nullptr ? 0 : load_relaxed(keys_.a + k);
        if (known != 0) return is_below_by_key<Number>(known);
        if (Number::is_symmetric) return is_below_exactly<Number>(x); // one in 2^57 at random
        doubtful_ = 1;                                                // small numbers are common
        return true;
      });
    }
  }

  template <int E>
  __device__ static void load_keys(const std::uint64_t* from, std::uint64_t (&keys)[E]) {
    if constexpr (E == 4) {
      quad_keys quad;
      quad.load(from);
#pragma unroll
      for (int e = 0; e < 4; ++e) keys[e] = quad.key[e];
    } else {
      keys[0] = load_relaxed(from);
    }
  }

  /// Looks at the keys of the lane's elements k .. k + here - 1 of E, as far as they are needed before the sums: signs, and sizes of
  /// factors until the warp, whose indices grow, has found a product that overflows. Whether all are known.
  template <int E>
  __device__ bool look_at_keys(std::int64_t k, int here, [[maybe_unused]] bool (&negative)[E]) {
    if constexpr (Kind == summand::product) {
      if (found_) return true;
    }
    if constexpr (by_sign || Kind == summand::product) {
      bool known = keys_.a != nullptr && keys_.b != nullptr;
      std::uint64_t a[E] = {}, b[E] = {};
      if (known) {
        load_keys(keys_.a + k, a);
        if constexpr (Kind == summand::product) load_keys(keys_.b + k, b);
      }
#pragma unroll
      for (int e = 0; e < E; ++e) {
        known = known && (e >= here || (a[e] != 0 && (Kind != summand::product || b[e] != 0)));
        negative[e] = a[e] < zero_key;
      }
      if (!__all_sync(~0u, known)) {
        doubtful_ = 1;
        stopped_ = true;
        return false;
      }
      if constexpr (Kind == summand::product) {
        std::int64_t least = -1;
#pragma unroll
        for (int e = E - 1; e >= 0; --e) {
          if (e < here && product_is_outside<Number>(input_at(at_.a, at_.a_first + k + e), a[e],
                                                     input_at(at_.b, at_.b_first + k + e), b[e])) {
            least = k + e;
          }
        }
        const unsigned lanes = __ballot_sync(~0u, least >= 0);
        found_ = lanes != 0;
        if (found_ && lane() == __ffs(static_cast<int>(lanes)) - 1) lower_to(first_, static_cast<std::uint64_t>(least));
      }
    }
    return true;
  }

  const pair_places<Number>& at_;
  const pair_keys& keys_;
  const tables& table_;
  std::uint64_t* sum_;
  std::uint64_t* first_;
  int128_t position_ = 0;
  std::uint32_t doubtful_ = 0;
  bool found_ = false, stopped_ = false;
};

/// The elements of a range: `head` up to the first whole quad, `tiles` of 128, and the rest, in tasks of a warp.
struct checked_tasks {
  std::int64_t count, head, tiles;

  __host__ __device__ std::int64_t rest() const { return head + 128 * tiles; }
  __host__ __device__ std::int64_t size() const { return 1 + tiles + (count - rest() + 31) / 32; }
};

template <summand Kind, class Number>
inline constexpr int checked_sum_blocks_at_once =
    Kind == summand::product || quad_blocks_at_once<Number> < 4 ? 4 : quad_blocks_at_once<Number>;

/// partial[plane * blocks + block] := the block's sum modulo m, parts[k * blocks + block] := its part k. *first: of
/// products, as in overflow_record.
template <summand Kind, class Number>
__global__ void __launch_bounds__(checked_sum_threads, checked_sum_blocks_at_once<Kind, Number>)
    add_up_checked(pair_places<Number> at, pair_keys keys, checked_tasks tasks, std::uint32_t* partial,
                   std::uint64_t* parts, std::uint64_t* first) {
  using Base = typename Number::base_type;
  using adder = checked_sum_of_warp<Kind, Number>;
  constexpr int n = Number::size, warps = checked_sum_warps;
  __shared__ typename adder::tables table;
  __shared__ std::uint64_t sum[warps][n], part[warps][4];
  for (int i = static_cast<int>(threadIdx.x); i < n; i += checked_sum_threads) {
    if constexpr (Kind != summand::value) table.moduli[i] = moduli_of<Base>()[i];
    for (int w = 0; w < warps; ++w) sum[w][i] = 0;
  }
  stage_digits<Number, checked_sum_threads>(table.digits); // with a barrier

  const int warp = static_cast<int>(threadIdx.x) / 32;
  adder a(at, keys, table, sum[warp], first);
  const std::int64_t step = std::int64_t{gridDim.x} * warps;
  for (std::int64_t t = std::int64_t{blockIdx.x} * warps + warp; t < tasks.size() && a.goes_on();
       t += step) { // growing
    if (t == 0) {
      if (tasks.head > 0) a.add_elements(0, tasks.head);
    } else if (t <= tasks.tiles) {
      a.add_quads(tasks.head + 128 * (t - 1));
    } else {
      a.add_elements(tasks.rest() + 32 * (t - 1 - tasks.tiles), tasks.count);
    }
  }
#pragma unroll
  for (int p = 0; p < 4; ++p) {
    const std::uint64_t all = warp_sum(a.part(p));
    if (threadIdx.x % 32 == 0) part[warp][p] = all;
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < n + 4; i += checked_sum_threads) {
    std::uint64_t all = 0;
    for (int w = 0; w < warps; ++w) all += i < n ? sum[w][i] : part[w][i - n];
    if (i < n) {
      partial[std::int64_t{i} * gridDim.x + blockIdx.x] = moduli_of<Base>()[i].reduce(all);
    } else {
      parts[std::int64_t{i - n} * gridDim.x + blockIdx.x] = all;
    }
  }
}

/// Block i adds up plane i; blocks n .. n + 3 the parts.
template <class Number>
__global__ void __launch_bounds__(checked_sum_threads)
    finish_checked_sum(const std::uint32_t* partial, const std::uint64_t* parts, int blocks,
                       total_in_parts<Number>* total) {
  using block_reduce = ::cub::BlockReduce<std::uint64_t, checked_sum_threads>;
  __shared__ typename block_reduce::TempStorage temp;
  const int i = static_cast<int>(blockIdx.x), p = i - Number::size;
  std::uint64_t sum = 0;
  for (int b = static_cast<int>(threadIdx.x); b < blocks; b += checked_sum_threads) {
    sum += p < 0 ? partial[std::int64_t{i} * blocks + b] : parts[std::int64_t{p} * blocks + b];
  }
  sum = block_reduce(temp).Sum(sum);
  if (threadIdx.x != 0) return;
  if (p < 0) {
    total->value.set_residue(i, moduli_of<typename Number::base_type>()[i].reduce(sum));
  } else {
    (p < 3 ? total->part[p] : total->doubtful) = sum;
  }
}

/// *total := the sum of `count` elements, all of them evaluated before if `evaluates`; then nothing is doubtful.
template <summand Kind, class Number>
cudaError_t launch_checked_sum(void* temp, std::size_t& bytes, const pair_places<Number>& at, bool evaluates,
                               total_in_parts<Number>* total, std::int64_t count, cudaStream_t stream) {
  if (count < 0) return cudaErrorInvalidValue;
  int multiprocessors = 0;
  cudaError_t status = count_multiprocessors(multiprocessors);
  if (status != cudaSuccess) return status;
  checked_tasks tasks{count, 0, 0};
  if (at.a_first % 4 == at.b_first % 4) {
    tasks.head = std::min<std::int64_t>((4 - at.a_first % 4) % 4, count);
    tasks.tiles = (count - tasks.head) / 128;
  }
  const auto blocks =
      static_cast<int>(std::min<std::int64_t>((tasks.size() + checked_sum_warps - 1) / checked_sum_warps,
                                              multiprocessors * checked_sum_blocks_at_once<Kind, Number>));
  const checked_operands<Number> operands(at, count);
  const std::size_t keys_at = evaluates ? operands.bytes() : 0,
                    parts_at = keys_at + 4 * sizeof(std::uint64_t) * static_cast<std::size_t>(blocks);
  const std::size_t needed = parts_at + sizeof(std::uint32_t) * static_cast<std::size_t>(blocks * Number::size);
  if (!prepare(temp, bytes, needed)) return refusal(temp);

  auto* memory = static_cast<unsigned char*>(temp);
  pair_keys keys = operands.cached();
  if (evaluates) status = operands.evaluate(memory, keys, stream);
  if (status != cudaSuccess) return status;
  status = cudaMemsetAsync(&total->first, 0xff, sizeof(total->first), stream);
  if (status != cudaSuccess) return status;
  auto* parts = reinterpret_cast<std::uint64_t*>(memory + keys_at);
  auto* partial = reinterpret_cast<std::uint32_t*>(memory + parts_at);
  status = launch(add_up_checked<Kind, Number>, dim3(static_cast<unsigned>(blocks)), checked_sum_threads, stream, at,
                  keys, tasks, partial, parts, &total->first);
  if (status != cudaSuccess) return status;
  return launch(finish_checked_sum<Number>, dim3(Number::size + 4), checked_sum_threads, stream, partial, parts, blocks,
                total);
}

} // namespace detail
} // namespace thrust_rns
