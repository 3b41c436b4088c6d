// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Checked operations on ranges of device memory: launches as in the CUB-style layer.
///
/// Sums and differences are checked in one kernel, while they are made. Products need the sizes of their operands, whatever those
/// are: the keys come first (evaluations that are cached already are only read), then the check by them, then the products. The keys
/// also place the products, and so the sum of them, if all are in the range: an inner product is then the one without a check.

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
    const bool same = at_.a.plane(0) + at_.a_first == at_.b.plane(0) + at_.b_first && at_.a.stride() == at_.b.stride();
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

  __device__ bool is_complete() const { return load_relaxed(&complete) != 0; }
  __device__ bool all_fit() const { return load_relaxed(&first) == ~std::uint64_t{0}; }
};

inline constexpr int total_parts = 4; // of positions three, see total_in_parts; and what is doubtful

/// parts[k * blocks + block] := the block's sum of part k < 3 of positions, the last with their sign, and of what is doubtful (k = 3).
template <int Threads>
__device__ void sum_parts(int128_t position, std::uint64_t doubtful, std::uint64_t* parts) {
  using block_reduce = ::cub::BlockReduce<std::uint64_t, Threads>;
  __shared__ typename block_reduce::TempStorage temp[total_parts];
  const std::uint64_t part[total_parts] = {static_cast<std::uint32_t>(position),
                                           static_cast<std::uint32_t>(position >> 32),
                                           static_cast<std::uint64_t>(position >> 64), doubtful};
#pragma unroll
  for (int k = 0; k < total_parts; ++k) {
    const std::uint64_t all = block_reduce(temp[k]).Sum(part[k]);
    if (threadIdx.x == 0) parts[std::int64_t{k} * gridDim.x + blockIdx.x] = all;
  }
}

/// record->first := the smallest k whose product is outside the range, if that is below it. A thread's indices grow, so that a warp
/// has done its part with the first that it finds; it gives up where a key is not known. If all products fit, the parts of their
/// approximate positions (position.h) are summed; null: nobody asks for them.
template <class Number>
__global__ void __launch_bounds__(item_threads)
    find_oversized_products(pair_places<Number> at, pair_keys keys, std::int64_t count, overflow_record* record,
                            std::uint64_t* parts) {
  constexpr int together = 4; // loads in flight
  const std::int64_t warp = first_item() / 32, step = item_step() * together;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  std::int64_t position = 0;
  bool goes_on = true;
  for (std::int64_t begin = 32 * together * warp; begin < count && goes_on; begin += step) {
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
        if (lane == 0 && record->is_complete()) store_relaxed(&record->complete, 0);
        goes_on = false;
        break;
      }
      const approximate_product product = multiply_keys<Number>(a[k], b[k]);
      position += product.negative ? -std::int64_t{product.position} : std::int64_t{product.position};
      const unsigned found =
          __ballot_sync(~0u, !product.fits && product_is_outside<Number>(input_at(at.a, at.a_first + j), a[k],
                                                                         input_at(at.b, at.b_first + j), b[k]));
      if (found == 0) continue;
      if (lane == __ffs(static_cast<int>(found)) - 1) lower_to(&record->first, static_cast<std::uint64_t>(j));
      goes_on = false;
      break;
    }
  }
  if (parts == nullptr) return;
  sum_parts<item_threads>(static_cast<int128_t>(position) * (std::int64_t{1} << 32), 0, parts);
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
  return launch_items(find_oversized_products<Number>, (count + 3) / 4, 1 << 12, 1, stream, at, keys, count, record,
                      nullptr);
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

} // namespace detail
} // namespace thrust_rns
