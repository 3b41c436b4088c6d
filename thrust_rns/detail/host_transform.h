// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Elementwise operations on Thrust's host backends: a for_each over pieces of rows with the caller's policy.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <cuda/std/tuple>

#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/residue_functions.h>
#include <thrust_rns/modular.h>

namespace thrust_rns {
namespace detail {

/// out[j] := f(in[j]...) for first <= j < last. The results of a block wait in a buffer of their own, so that the loop is
/// vectorised although `out` may be one of the inputs.
template <class Function, class... Rows>
THRUST_RNS_HD void transform_row(const modulus& m, std::uint32_t* out, std::int64_t first, std::int64_t last,
                                 const Rows&... in) {
#if defined(__CUDA_ARCH__)
  for (std::int64_t j = first; j < last; ++j) out[j] = Function{}(m, in[j]...);
#else
  constexpr int block = 512;
  std::uint32_t r[block];
  for (std::int64_t j = first; j < last; j += block) {
    const auto count = static_cast<int>(std::min<std::int64_t>(block, last - j));
    for (int k = 0; k < count; ++k) r[k] = Function{}(m, in[j + k]...);
    std::memcpy(out + j, r, static_cast<std::size_t>(count) * sizeof(std::uint32_t));
  }
#endif
}

/// Task t: one piece of one plane, or of the evaluations.
template <class Function, class Number, class... Inputs>
struct transform_piece {
  static constexpr std::int64_t piece = 16384;

  plane_output out;
  std::int64_t count;
  ::cuda::std::tuple<Inputs...> in;

  THRUST_RNS_HD void operator()(std::int64_t t) const {
    const int plane = static_cast<int>(t % (Number::size + 1));
    const std::int64_t first = t / (Number::size + 1) * piece, last = first + piece < count ? first + piece : count;
    if (plane < Number::size) {
      const modulus m = moduli_of<typename Number::base_type>()[plane];
      ::cuda::std::apply(
          [&](const Inputs&... x) { transform_row<Function>(m, out.row(plane), first, last, x.row(plane)...); }, in);
    } else if (out.evaluations != nullptr) {
      for (std::int64_t j = first; j < last; ++j) out.evaluations[j] = 0;
    }
  }

  std::int64_t tasks() const { return (count + piece - 1) / piece * (Number::size + 1); }
};

template <class Function, class Number, class Policy, class... Inputs>
void transform_on_host(Policy& exec, const plane_output& out, std::int64_t count, const Inputs&... in) {
  const transform_piece<Function, Number, Inputs...> piece{out, count, {in...}};
  thrust::for_each_n(exec, thrust::counting_iterator<std::int64_t>(0), piece.tasks(), piece);
}

} // namespace detail
} // namespace thrust_rns
