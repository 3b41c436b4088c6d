// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Checked operations on ranges, by Thrust's backends.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <cuda/std/functional>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform_reduce.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/checked_elements.h>
#include <thrust_rns/detail/for_each_index.h>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/functional.h>
#include <thrust_rns/number.h>
#if THRUST_RNS_CUDA_BACKEND
#  include <thrust_rns/detail/checked_sum_kernels.cuh>
#  include <thrust_rns/detail/cuda_reduce.cuh>
#  include <thrust_rns/device/device_checked.cuh>
#endif

namespace thrust_rns {
namespace detail {

/// The index of the first overflow, or -1.
template <operation Op, class System, class Number, class Policy>
std::int64_t transform_checked(Policy& exec, const binary_places<Number>& at, std::int64_t count) {
  if (count <= 0) return -1;
  if constexpr (is_cuda_system<System>) {
#if THRUST_RNS_CUDA_BACKEND
    if constexpr (Op == operation::product) {
      const auto search = [&](bool evaluates) {
        return run_on_device<overflow_record>(
            exec, "thrust_rns: checked_transform", sizeof(overflow_record),
            [&](void* temp, std::size_t& bytes, overflow_record* out, cudaStream_t stream) {
              return launch_search(temp, bytes, at.in, evaluates, out, count, stream);
            });
      };
      const bool has_caches = at.in.a.evaluations() != nullptr && at.in.b.evaluations() != nullptr;
      overflow_record found = search(!has_caches);
      if (found.complete == 0) found = search(true);
      check_cuda(launch_products(at, count, stream_of(exec)), "thrust_rns: checked_transform");
      synchronize_optional(exec, "thrust_rns: checked_transform");
      return static_cast<std::int64_t>(found.first);
    } else {
      return run_on_device<std::int64_t>(exec, "thrust_rns: checked_transform", sizeof(std::int64_t),
                                         [&](void* temp, std::size_t& bytes, std::int64_t* first, cudaStream_t stream) {
                                           return launch_checked<Op>(temp, bytes, at, first, count, stream);
                                         });
    }
#endif
  } else {
    std::uint64_t first = ~std::uint64_t{0};
    for_each_index<System>(exec, count, checked_elements<Op, Number>{at, &first}, "");
    return static_cast<std::int64_t>(first);
  }
}

/// The sum of one chunk on the host.
template <summand Kind, class Number>
struct checked_chunk {
  static constexpr std::int64_t chunk = 2048;
  pair_places<Number> at;
  std::int64_t count;

  total_with_position<Number> operator()(std::int64_t c) const {
    using Base = typename Number::base_type;
    const auto& moduli = moduli_of<Base>();
    total_with_position<Number> total;
    std::uint64_t sum[Number::size] = {};
    const std::int64_t last = std::min(count, (c + 1) * chunk);
    for (std::int64_t j = c * chunk; j < last; ++j) {
      const strided_residues x = input_at(at.a, at.a_first + j);
      if constexpr (Kind == summand::product) {
        const strided_residues y = input_at(at.b, at.b_first + j);
        const result_of<operation::product, Base, strided_residues, strided_residues> product{x, y};
        digit_sums sums_x, sums_y, sums;
        for (int i = 0; i < Number::size; ++i) {
          const digit_group& d = expansions_of<Base>().group[0][i];
          const std::uint32_t r = product(i);
          sums_x.add(x(i), d);
          sums_y.add(y(i), d);
          sums.add(r, d);
          sum[i] += r;
        }
        total.position += position_from_leading<Number>(sums.leading(), product);
        if (product_is_outside<Number>(x, key_of(at.a, at.a_first + j, sums_x), y,
                                       key_of(at.b, at.b_first + j, sums_y))) {
          total.first = std::min(total.first, static_cast<std::uint64_t>(j));
        }
      } else {
        const digit_sums sums = sum_group<Base>(single_thread{}, x, 0);
        const int128_t p = position_at(at.a, at.a_first + j, sums);
        const bool negative =
            Kind == summand::magnitude && Number::is_symmetric && key_of(at.a, at.a_first + j, sums) < zero_key;
        total.position += negative ? -p : p;
        for (int i = 0; i < Number::size; ++i) sum[i] += negative ? moduli[i].negate(x(i)) : x(i);
      }
    }
    for (int i = 0; i < Number::size; ++i) total.value.set_residue(i, moduli[i].reduce(sum[i]));
    return total;
  }

 private:
  static std::uint64_t key_of(const span<const Number>& s, std::int64_t j, const digit_sums& sums) {
    const std::uint64_t known = cached_key(s, j);
    return known != 0 ? known : key_from_sums<Number>(input_at(s, j), sums);
  }
};

/// The sum with its position; of magnitudes or of products too.
template <summand Kind, class Number, class System, class Policy>
total_with_position<Number> sum_checked(Policy& exec, const pair_places<Number>& at, std::int64_t count) {
  total_with_position<Number> total;
  if (count <= 0) return total;
  if constexpr (Kind == summand::magnitude && !Number::is_symmetric) {
    return sum_checked<summand::value, Number, System>(exec, at, count);
  } else if constexpr (is_cuda_system<System>) {
#if THRUST_RNS_CUDA_BACKEND
    using Parts = total_in_parts<Number>;
    const bool has_caches = at.a.evaluations() != nullptr && at.b.evaluations() != nullptr;
    const std::int64_t chunk = Kind == summand::value ? count : most_approximate_positions;
    for (std::int64_t from = 0; from < count; from += chunk) {
      pair_places<Number> here = at;
      here.a_first += from;
      here.b_first += from;
      const auto add_up = [&](bool evaluates) {
        return run_on_device<Parts>(exec, "thrust_rns: checked sum", Parts::used,
                                    [&](void* temp, std::size_t& bytes, Parts* out, cudaStream_t stream) {
                                      return launch_checked_sum<Kind>(temp, bytes, here, evaluates, out,
                                                                      std::min(chunk, count - from), stream);
                                    });
      };
      Parts parts = add_up(Kind != summand::value && !has_caches);
      if (parts.doubtful != 0) parts = add_up(true);
      total_with_position<Number> sum = parts.join();
      if (sum.first_overflow() >= 0) sum.first += static_cast<std::uint64_t>(from);
      total = total + (chunk < count ? sum.settled() : sum);
    }
    return total;
#endif
  } else {
    using Chunk = checked_chunk<Kind, Number>;
    const thrust::counting_iterator<std::int64_t> chunks(0);
    return thrust::transform_reduce(exec, chunks, chunks + (count + Chunk::chunk - 1) / Chunk::chunk, Chunk{at, count},
                                    total, ::cuda::std::plus<total_with_position<Number>>());
  }
}

} // namespace detail
} // namespace thrust_rns
