// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Checked sums, sums of magnitudes and inner products of ranges of device memory: the total and where it lies.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>
#include <cuda/std/tuple>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/checked_elements.h>
#include <thrust_rns/detail/folds.h>
#include <thrust_rns/detail/lazy_products.h>
#include <thrust_rns/detail/position.h>
#include <thrust_rns/detail/residue_functions.h>
#include <thrust_rns/number.h>
#include <thrust_rns/detail/checked_kernels.cuh>
#include <thrust_rns/detail/device_call.cuh>
#include <thrust_rns/detail/fold_kernels.cuh>
#include <thrust_rns/detail/launch.cuh>
#include <thrust_rns/detail/multiprocessors.cuh>
#include <thrust_rns/detail/quads.cuh>

namespace thrust_rns {
namespace detail {

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

/// Of numbers below 2^34.
__device__ inline std::uint64_t warp_sum_of_residues(std::uint64_t x) {
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync(~0u, static_cast<std::uint32_t>(x & 0xffff)) +
         (std::uint64_t{__reduce_add_sync(~0u, static_cast<std::uint32_t>(x >> 16))} << 16);
#else
#  pragma unroll
  for (int d = 16; d > 0; d /= 2) x += __shfl_xor_sync(~0u, x, d);
  return x;
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

/// What is known of a plane beforehand: `value`s are placed by their digits, `product`s by those of lazy_products.h, and
/// `magnitude`s, whose signs have to be known anyway, by their keys.
template <summand Kind, class Base>
struct summand_plane {
  digit_group digits;
  __device__ static summand_plane of(int i) { return {expansions_of<Base>().group[0][i]}; }
};
template <class Base>
struct summand_plane<summand::product, Base> {
  lazy_modulus<has_odd_moduli<Base>> m;
  __device__ static summand_plane of(int i) { return {lazy_moduli_of<Base>()[i]}; }
};
template <class Base>
struct summand_plane<summand::magnitude, Base> {
  modulus m;
  __device__ static summand_plane of(int i) { return {moduli_of<Base>()[i]}; }
};

/// The one summand X of residues x, |X| or X Y modulo M, while its planes come by.
template <summand Kind, class Number>
struct summand_sums {
  digit_sums sums;

  __device__ void begin(std::uint64_t) {}
  __device__ std::uint32_t add(std::uint32_t x, std::uint32_t,
                               const summand_plane<Kind, typename Number::base_type>& p) {
    sums.add(x, p.digits);
    return x;
  }
};
template <class Number>
struct summand_sums<summand::product, Number> {
  lazy_sums sums;

  __device__ void begin(std::uint64_t) {}
  __device__ std::uint32_t add(std::uint32_t x, std::uint32_t y,
                               const summand_plane<summand::product, typename Number::base_type>& p) {
    const std::uint32_t t = p.m.multiply(x, y);
    sums.add(t, p.m);
    return t;
  }
};
template <class Number>
struct summand_sums<summand::magnitude, Number> {
  std::uint64_t key;

  __device__ void begin(std::uint64_t known) { key = known; }
  __device__ std::uint32_t add(std::uint32_t x, std::uint32_t,
                               const summand_plane<summand::magnitude, typename Number::base_type>& p) const {
    return key < zero_key ? p.m.negate(x) : x;
  }
};

/// What a warp adds up.
template <summand Kind, class Number>
class checked_sum_of_warp {
  using Base = typename Number::base_type;
  static constexpr int n = Number::size;
  // Loads ahead, of what registers hold beside the sums; as measured at 17 to 133 moduli.
  static constexpr int most = Kind == summand::value ? quad_batch<n> : Kind == summand::magnitude ? 8 : 4;
  static constexpr int batch = most < n ? most : n;

 public:
  using plane = summand_plane<Kind, Base>;

  /// `sum`: of each plane, in shared memory.
  __device__ checked_sum_of_warp(const pair_places<Number>& at, const pair_keys& keys, const plane* planes,
                                 std::uint64_t* sum)
      : at_(at), keys_(keys), planes_(planes), sum_(sum) {}

  /// The 128 elements from k on, of which the lane takes four neighbours; element k of both operands begins a quad.
  __device__ void add_quads(std::int64_t k) {
    k += 4 * lane();
    quad_keys known;
    if constexpr (Kind == summand::magnitude) {
      if (keys_.a != nullptr) known.load(keys_.a + k);
      if (!look_at_keys(known.all_known())) return;
    }
    const std::uint32_t *x = at_.a.plane(0) + at_.a_first + k, *y = at_.b.plane(0) + at_.b_first + k;
    const std::int64_t stride_x = at_.a.stride(), stride_y = at_.b.stride();
    summand_sums<Kind, Number> s[4];
#pragma unroll
    for (int e = 0; e < 4; ++e) s[e].begin(known.key[e]);
    stream_loads<n, batch>(
        [&](int i) {
          summand_quads<Kind> r;
          r.x = load_quad(x + i * stride_x);
          if constexpr (Kind == summand::product) r.y = load_quad(y + i * stride_y);
          return r;
        },
        [&](const summand_quads<Kind>& r, int i) {
          uint4 other{};
          if constexpr (Kind == summand::product) other = r.y;
          const plane p = planes_[i];
          const std::uint32_t t[4] = {s[0].add(r.x.x, other.x, p), s[1].add(r.x.y, other.y, p),
                                      s[2].add(r.x.z, other.z, p), s[3].add(r.x.w, other.w, p)};
          add_to_plane(i, (std::uint64_t{t[0]} + t[1]) + (std::uint64_t{t[2]} + t[3])); // each below 1.5 2^31
        });
#pragma unroll
    for (int e = 0; e < 4; ++e) position_ += position(k + e, s[e]);
  }

  /// The 32 elements from k on, as far as they are below `count`; at any place.
  __device__ void add_elements(std::int64_t k, std::int64_t count) {
    const bool here = k + lane() < count;
    k += here ? lane() : 0;
    std::uint64_t known = 0;
    if constexpr (Kind == summand::magnitude) {
      if (keys_.a != nullptr) known = load_relaxed(keys_.a + k);
      if (!look_at_keys(known != 0)) return;
    }
    const strided_residues x = input_at(at_.a, at_.a_first + k), y = input_at(at_.b, at_.b_first + k);
    summand_sums<Kind, Number> s;
    s.begin(known);
#pragma unroll 4
    for (int i = 0; i < n; ++i) {
      const std::uint32_t t = s.add(x(i), Kind == summand::product ? y(i) : 0, planes_[i]);
      add_to_plane(i, here ? t : 0);
    }
    if (here) position_ += position(k, s);
  }

  /// Whether it goes on: without keys that are needed, the result is of no use.
  __device__ bool goes_on() const { return !stopped_; }

  __device__ int128_t position() const { return position_; }
  __device__ std::uint64_t doubtful() const { return doubtful_; }

 private:
  __device__ static int lane() { return static_cast<int>(threadIdx.x) % 32; }
  __device__ void add_to_plane(int i, std::uint64_t residues) {
    const std::uint64_t all = warp_sum_of_residues(residues);
    if (lane() == 0) sum_[i] += all;
  }
  /// Whether all lanes know theirs.
  __device__ bool look_at_keys(bool known) {
    stopped_ = !__all_sync(~0u, known);
    doubtful_ |= stopped_ ? 1 : 0;
    return !stopped_;
  }

  /// The position of summand k.
  __device__ int128_t position(std::int64_t k, const summand_sums<Kind, Number>& s) {
    if constexpr (Kind == summand::magnitude) {
      return static_cast<int128_t>(approximate_magnitude<Number>(s.key)) << 32;
    } else if constexpr (Kind == summand::product) {
      const auto is_below = [&] {
        if constexpr (!Number::
                          is_symmetric) { // small factors have small products; a missing key is that of no small number
          const magnitude_bounds a = bounds_of_key<Number>(load_relaxed(keys_.a + k)),
                                 b = bounds_of_key<Number>(load_relaxed(keys_.b + k));
          if (size_of_product<Number>(a, b, 1) == product_size::fits) return true;
        }
        const strided_residues x = input_at(at_.a, at_.a_first + k), y = input_at(at_.b, at_.b_first + k);
        return is_below_exactly<Number>(result_of<operation::product, Base, strided_residues, strided_residues>{x, y});
      };
      return position_or_ask<Number>(s.sums.leading(), is_below, lazy_error<Base>);
    } else {
      return position_or_ask<Number>(s.sums.leading(), [&] {
        const std::uint64_t known = keys_.a == nullptr ? 0 : load_relaxed(keys_.a + k);
        if (known != 0) return is_below_by_key<Number>(known);
        if (Number::is_symmetric)
          return is_below_exactly<Number>(input_at(at_.a, at_.a_first + k)); // one in 2^57 at random
        doubtful_ = 1;                                                       // small numbers are common
        return true;
      });
    }
  }

  const pair_places<Number>& at_;
  const pair_keys& keys_;
  const plane* planes_;
  std::uint64_t* sum_;
  int128_t position_ = 0;
  std::uint32_t doubtful_ = 0;
  bool stopped_ = false;
};

/// The elements of a range: `head` up to the first whole quad, `tiles` of 128, and the rest, in tasks of a warp.
struct checked_tasks {
  std::int64_t count, head, tiles;

  __host__ __device__ std::int64_t rest() const { return head + 128 * tiles; }
  __host__ __device__ std::int64_t size() const { return 1 + tiles + (count - rest() + 31) / 32; }
};

template <summand Kind, class Number>
inline constexpr int checked_sum_blocks_at_once = Kind == summand::product ? 4 : quad_blocks_at_once<Number>;

/// Sums of planes modulo m, partial[plane * blocks + block], and parts[k * blocks + block], of each block of a kernel.
struct partial_totals {
  std::uint32_t* partial;
  std::uint64_t* parts;
  int blocks, parts_blocks;

  static std::size_t parts_bytes(int blocks) {
    return total_parts * sizeof(std::uint64_t) * static_cast<std::size_t>(blocks);
  }
  static std::size_t partial_bytes(int planes, int blocks) {
    return sizeof(std::uint32_t) * static_cast<std::size_t>(planes) * static_cast<std::size_t>(blocks);
  }
};

/// *record, if there is one: of products. Where all fit, and where the search has met a key that is missing, nothing is done.
template <summand Kind, class Number>
__global__ void __launch_bounds__(checked_sum_threads, checked_sum_blocks_at_once<Kind, Number>)
    add_up_checked(pair_places<Number> at, pair_keys keys, checked_tasks tasks, partial_totals out,
                   const overflow_record* record) {
  using Base = typename Number::base_type;
  using adder = checked_sum_of_warp<Kind, Number>;
  constexpr int n = Number::size, warps = checked_sum_warps;
  if constexpr (Kind == summand::product) {
    if (record->all_fit() || !record->is_complete()) return;
  }
  __shared__ typename adder::plane planes[n];
  __shared__ std::uint64_t sum[warps][n];
  for (int i = static_cast<int>(threadIdx.x); i < n; i += checked_sum_threads) {
    planes[i] = adder::plane::of(i);
    for (int w = 0; w < warps; ++w) sum[w][i] = 0;
  }
  __syncthreads();

  const int warp = static_cast<int>(threadIdx.x) / 32;
  adder a(at, keys, planes, sum[warp]);
  const std::int64_t step = std::int64_t{gridDim.x} * warps;
  for (std::int64_t t = std::int64_t{blockIdx.x} * warps + warp; t < tasks.size() && a.goes_on(); t += step) {
    if (t == 0) {
      if (tasks.head > 0) a.add_elements(0, tasks.head);
    } else if (t <= tasks.tiles) {
      a.add_quads(tasks.head + 128 * (t - 1));
    } else {
      a.add_elements(tasks.rest() + 32 * (t - 1 - tasks.tiles), tasks.count);
    }
  }
  sum_parts<checked_sum_threads>(a.position(), a.doubtful(), out.parts); // with barriers
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < n; i += checked_sum_threads) {
    std::uint64_t all = 0;
    for (int w = 0; w < warps; ++w) all += sum[w][i];
    std::uint32_t residue = moduli_of<Base>()[i].reduce(all);
    if constexpr (Kind == summand::product) residue = planes[i].m.settle(residue);
    out.partial[std::int64_t{i} * gridDim.x + blockIdx.x] = residue;
  }
}

inline constexpr std::int64_t fitting_most_blocks = 4096; // 16384 take 30 us to find that there is nothing to do

/// partial[plane * slices + slice] := the inner product of the slice, if all products fit.
template <class Number>
__global__ void __launch_bounds__(row_threads)
    add_up_fitting_products(row_range range, std::uint32_t* partial, const overflow_record* record,
                            __grid_constant__ const ::cuda::std::tuple<plane_operand, plane_operand> in) {
  if (!record->all_fit() || !record->is_complete()) return;
  fold_slices_of_block<fold_of_dot_products, Number>(range, partial, in);
}

/// Block i adds up plane i; blocks n .. n + 3 the parts. Of products there are two kinds of partial totals: `fitting` are those
/// of products that all fit.
template <summand Kind, class Number>
__global__ void __launch_bounds__(checked_sum_threads)
    finish_checked_sum(partial_totals checked, partial_totals fitting, const overflow_record* record,
                       total_in_parts<Number>* total) {
  using block_reduce = ::cub::BlockReduce<std::uint64_t, checked_sum_threads>;
  __shared__ typename block_reduce::TempStorage temp;
  const int i = static_cast<int>(blockIdx.x), p = i - Number::size;
  bool known = true, fit = false;
  if constexpr (Kind == summand::product) {
    known = record->is_complete();
    fit = record->all_fit();
  }
  const partial_totals in = fit ? fitting : checked;
  const int blocks = !known ? 0 : p < 0 ? in.blocks : in.parts_blocks;
  std::uint64_t sum = 0;
  for (int b = static_cast<int>(threadIdx.x); b < blocks; b += checked_sum_threads) {
    sum += p < 0 ? in.partial[std::int64_t{i} * blocks + b] : in.parts[std::int64_t{p} * blocks + b];
  }
  sum = block_reduce(temp).Sum(sum);
  if (threadIdx.x != 0) return;
  if (p < 0) {
    total->value.set_residue(i, moduli_of<typename Number::base_type>()[i].reduce(sum));
  } else if (p < 3) {
    total->part[p] = sum;
  } else {
    total->doubtful = known ? sum : 1;
    total->first = Kind == summand::product ? load_relaxed(&record->first) : ~std::uint64_t{0};
  }
}

/// Elements whose approximate positions, each short by less than 2^5 2^32, add up to within a quarter of M.
inline constexpr std::int64_t most_approximate_positions = std::int64_t{1} << 25;

/// *total := the sum of `count` > 0 elements, all of them evaluated before if `evaluates`; then nothing is doubtful. Magnitudes and
/// products: of at most most_approximate_positions elements.
template <summand Kind, class Number>
cudaError_t launch_checked_sum(void* temp, std::size_t& bytes, const pair_places<Number>& at, bool evaluates,
                               total_in_parts<Number>* total, std::int64_t count, cudaStream_t stream) {
  static_assert(Kind != summand::magnitude || Number::is_symmetric);
  if (count <= 0 || (Kind != summand::value && count > most_approximate_positions)) return cudaErrorInvalidValue;
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
  constexpr bool of_products = Kind == summand::product;
  const checked_operands<Number> operands(at, count);
  const plane_operand x{at.a.plane(0) + at.a_first, at.a.stride()}, y{at.b.plane(0) + at.b_first, at.b.stride()};
  const fold_shape<Number> shape(lead_of(x), count, fitting_most_blocks);
  const auto search_blocks = static_cast<int>(
      std::min<std::int64_t>((count + 4 * item_threads - 1) / (4 * item_threads), 8 * std::int64_t{multiprocessors}));

  std::size_t needed = 0; // all parts are multiples of 8 bytes but the last, sums of planes
  const auto reserve = [&](std::size_t size) { return (needed += size) - size; };
  const std::size_t keys_at = reserve(evaluates ? operands.bytes() : 0),
                    record_at = reserve(of_products ? sizeof(overflow_record) : 0),
                    parts_at = reserve(partial_totals::parts_bytes(blocks)),
                    fitting_parts_at = reserve(of_products ? partial_totals::parts_bytes(search_blocks) : 0),
                    partial_at = reserve(std::max(partial_totals::partial_bytes(Number::size, blocks),
                                                  of_products ? shape.partial_bytes() : 0)); // one of both
  if (!prepare(temp, bytes, needed)) return refusal(temp);

  auto* memory = static_cast<unsigned char*>(temp);
  auto* partial = reinterpret_cast<std::uint32_t*>(memory + partial_at);
  const partial_totals checked{partial, reinterpret_cast<std::uint64_t*>(memory + parts_at), blocks, blocks},
      fitting{partial, reinterpret_cast<std::uint64_t*>(memory + fitting_parts_at), shape.slices, search_blocks};
  overflow_record* record = of_products ? reinterpret_cast<overflow_record*>(memory + record_at) : nullptr;
  pair_keys keys = operands.cached();
  if (evaluates) status = operands.evaluate(memory + keys_at, keys, stream);
  if constexpr (of_products) {
    if (status == cudaSuccess) status = cudaMemsetAsync(record, 0xff, sizeof(overflow_record), stream);
    if (status == cudaSuccess) {
      status = launch(find_oversized_products<Number>, dim3(static_cast<unsigned>(search_blocks)), item_threads, stream,
                      at, keys, count, record, fitting.parts);
    }
    if (status == cudaSuccess) {
      status = launch(add_up_fitting_products<Number>, shape.grid(), row_threads, stream, shape.range, partial, record,
                      ::cuda::std::tuple<plane_operand, plane_operand>(x, y));
    }
  }
  if (status == cudaSuccess) {
    status = launch(add_up_checked<Kind, Number>, dim3(static_cast<unsigned>(blocks)), checked_sum_threads, stream, at,
                    keys, tasks, checked, record);
  }
  if (status != cudaSuccess) return status;
  return launch(finish_checked_sum<Kind, Number>, dim3(Number::size + total_parts), checked_sum_threads, stream,
                checked, fitting, record, total);
}

} // namespace detail
} // namespace thrust_rns
