// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Simultaneous inversion in a field Z_q[x]/(x^n - x - 1): one inverse and three products an element for many elements.
///
/// The batch is cut into blocks of `groups` rows; group g is row g of every block. With a_0, a_1, ... the rows of a group, 0
/// replaced by 1, and P_j = a_0 ... a_j, the inverse U of the last P gives, from the last row to the first,
///
///   1 / a_j = U P_(j-1),    U := U a_j.
///
/// Each line is a product of whole blocks. Source: P. L. Montgomery, "Speeding the Pollard and elliptic curve methods of
/// factorization", Mathematics of Computation 48(177), 1987.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <thrust_rns/config.h>
#include <thrust_rns/ring.h>
#include <thrust_rns/detail/launch.cuh>
#include <thrust_rns/detail/ring_inverse_kernels.cuh>

namespace thrust_rns {
namespace detail {

/// Whether R is one of the fields of NTRU Prime, in which only 0 has no inverse.
template <class R>
inline constexpr bool is_ntru_prime_field = (R::degree == 653 && R::modulus == 4621) ||
                                            (R::degree == 761 && R::modulus == 4591) ||
                                            (R::degree == 857 && R::modulus == 5167) ||
                                            (R::degree == 953 && R::modulus == 6343) ||
                                            (R::degree == 1013 && R::modulus == 7177) ||
                                            (R::degree == 1277 && R::modulus == 7879);

/// How a batch of `count` elements is cut, and where its parts lie in temporary storage; rows of 16-byte units.
template <class R, class A>
struct simultaneous_plan {
  using full = full_element<R>;
  static constexpr std::int64_t most_blocks = 64;

  std::int64_t count, groups, blocks;
  bool in_place;

  /// Groups enough for half of the warps that can invert at once: from there on the time of the inverses grows with them.
  simultaneous_plan(std::int64_t n, int multiprocessors, bool output_is_input)
      : count(n),
        groups(std::max(std::min(n, std::int64_t{multiprocessors} * inverse_warps<R> / 2),
                        (n + most_blocks - 1) / most_blocks)),
        blocks(groups == 0 ? 0 : (n + groups - 1) / groups),
        in_place(output_is_input) {}

  std::int64_t rows_of(std::int64_t block) const { return std::min(groups, count - block * groups); }

  // In this order: U; a_j; where the output is the input P_0 .. P_(blocks - 2), which otherwise wait in the output; a byte an
  // element.
  std::size_t factor_at() const { return static_cast<std::size_t>(groups) * sizeof(full); }
  std::size_t products_at() const { return factor_at() + static_cast<std::size_t>(groups) * sizeof(A); }
  std::size_t zero_at() const {
    return products_at() + (in_place ? static_cast<std::size_t>((blocks - 1) * groups) * sizeof(full) : 0);
  }
  std::size_t bytes() const { return zero_at() + static_cast<std::size_t>(count); }
};

/// A small integer as it is stored modulo something.
template <class Row>
__device__ typename Row::storage_type stored_coefficient_of(int x) {
  polynomial<1, typename Row::coefficients> one;
  one.set(0, x);
  return *one.data();
}

/// rows[i] := a[i], but 1 where that is 0 or i >= count; zero[i] := whether a[i] is 0. A warp a row, `total` of them.
template <class A, class Row>
__global__ void __launch_bounds__(item_threads)
    ones_for_zeros(const A* a, std::int64_t count, std::int64_t total, Row* rows, unsigned char* zero) {
  constexpr int words = sizeof(A) / 16, at_once = (words + 31) / 32;
  const auto lane = static_cast<int>(threadIdx.x % 32);
  for (std::int64_t i = first_item() / 32; i < total; i += item_step() / 32) {
    uint4 w[at_once];
    unsigned any = 0;
#pragma unroll
    for (int k = 0; k < at_once; ++k) {
      w[k] = lane + 32 * k < words && i < count ? reinterpret_cast<const uint4*>(a + i)[lane + 32 * k] : uint4{};
      any |= w[k].x | w[k].y | w[k].z | w[k].w;
    }
    any = __reduce_or_sync(0xffffffffu, any);
    const unsigned is_zero = any == 0 ? 1 : 0;
    if constexpr (std::is_same_v<A, Row>) {
      if (lane == 0) w[0].x |= is_zero; // the constant term
#pragma unroll
      for (int k = 0; k < at_once; ++k) {
        if (lane + 32 * k < words) reinterpret_cast<uint4*>(rows + i)[lane + 32 * k] = w[k];
      }
    } else {
      for (int k = lane; k < Row::row; k += 32) {
        const int x = k < A::degree && i < count ? a[i][k] : 0;
        rows[i].data()[k] = stored_coefficient_of<Row>(x + (k == 0 ? static_cast<int>(is_zero) : 0));
      }
    }
    if (lane == 0 && i < count) zero[i] = static_cast<unsigned char>(is_zero);
  }
}

/// out[i] := 0 where zero[i] is set and out[i] is 1; invertible[i] := !zero[i], for a pointer that is not null.
template <class Output, class Flag>
__global__ void __launch_bounds__(item_threads)
    zeros_for_ones(Output* out, const unsigned char* zero, Flag* invertible, std::int64_t count) {
  for (std::int64_t i = first_item(); i < count; i += item_step()) {
    auto& constant_term = out[i].data()[0];
    constant_term = static_cast<typename Output::storage_type>(constant_term - zero[i]);
    if (invertible != nullptr) invertible[i] = static_cast<Flag>(zero[i] == 0);
  }
}

} // namespace detail
} // namespace thrust_rns
