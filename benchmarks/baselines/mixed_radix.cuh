// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Baseline: the maximum by mixed radix. A two-pass reduction over indices in which each comparison converts both numbers,
///
///   X = d_1 + d_2 m_1 + ... + d_n m_1 ... m_(n-1),   d_j = what is left of X mod m_j,
///   what is left := (what is left - d_j) m_j^-1 modulo m_(j+1) .. m_n,
///
/// and compares digits, the last the most significant. 2 n (n - 1)/2 modular products a comparison, N - 1 comparisons.
///
/// A thread converts both numbers side by side, T residues of each at a time, which stay in registers while the digits
/// found before are taken out of them; the constants (m_j^-1 mod m_i and its companion, 8 bytes) are the same for all
/// threads and both numbers. The digits, 2 n words a thread, are local memory, read once a group of T.
/// thrust_rns::mixed_radix is the same conversion, one number at a time, step by step through local memory.

#include "common.cuh"

#include <thrust_rns/detail/array.h>
#include <thrust_rns/detail/base_tables.h>
#include <thrust_rns/mixed_radix.h>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace baselines {

/// m_j^-1 mod m_i and its companion.
struct alignas(8) step_constant {
  std::uint32_t inverse, companion;
};

template <class Base, int Row>
inline constexpr auto step_row = [] {
  thrust_rns::detail::array<step_constant, Base::size> row{};
  for (int i = Row + 1; i < Base::size; ++i) {
    const std::uint32_t inverse = thrust_rns::detail::inverses_of_modulus<Base, Row>[i];
    row[i] = {inverse, companion(inverse, Base::moduli[i])};
  }
  return row;
}();

template <class Base>
struct step_table {
  thrust_rns::detail::array<step_constant, Base::size> row[Base::size];
};

template <class Base>
struct make_step_table {
  static constexpr auto make() { return gather(std::make_integer_sequence<int, Base::size>{}); }

 private:
  template <int... Row>
  static constexpr step_table<Base> gather(std::integer_sequence<int, Row...>) {
    return {{step_row<Base, Row>...}};
  }
};

/// Whether no modulus exceeds twice another, so that a digit of one is reduced modulo another by one subtraction.
template <class Base>
inline constexpr bool moduli_are_close = [] {
  std::uint32_t least = Base::moduli[0], most = least;
  for (int i = 1; i < Base::size; ++i) {
    least = Base::moduli[i] < least ? Base::moduli[i] : least;
    most = Base::moduli[i] > most ? Base::moduli[i] : most;
  }
  return most / 2 <= least;
}();

/// visit(d) for each digit, the least significant first: d[k] is that of number[k].
template <class Number, int Count, class Visit>
__device__ void for_each_digit(const planes<Number>& v, const std::int64_t (&number)[Count], Visit visit) {
  using Base = typename Number::base_type;
  constexpr int n = Base::size, groups = (n + 7) / 8, T = (n + groups - 1) / groups, whole = n / T * T;
  static_assert(moduli_are_close<Base>, "this baseline takes moduli that differ by less than a factor of two");
  const auto& constants = thrust_rns::detail::table<make_step_table<Base>>();
  const auto& moduli = thrust_rns::detail::moduli_of<Base>();
  [[maybe_unused]] const auto& half = thrust_rns::detail::table<thrust_rns::detail::make_half_range_residues<Base>>();

  const auto step = [](std::uint32_t left, std::uint32_t d, std::uint32_t m, step_constant c) {
    d = min(d, d - m); // d mod m, as d < 2 m
    std::uint32_t difference = left - d;
    difference = min(difference, difference + m);
    return multiply_by_constant(difference, c.inverse, c.companion, m);
  };

  std::uint32_t digit[n][Count]; // local memory
  const auto convert = [&](int first, auto moduli_of_group) {
    constexpr int size = decltype(moduli_of_group)::value;
    std::uint32_t left[size][Count], m[size];
#pragma unroll
    for (int t = 0; t < size; ++t) {
      m[t] = moduli[first + t].value();
#pragma unroll
      for (int k = 0; k < Count; ++k) left[t][k] = v(first + t, number[k]);
    }
    if constexpr (Number::is_symmetric) {
#pragma unroll
      for (int t = 0; t < size; ++t) {
#pragma unroll
        for (int k = 0; k < Count; ++k) left[t][k] = unsigned_residue<Number>(left[t][k], m[t], half[first + t]);
      }
    }
#pragma unroll 1
    for (int j = 0; j < first; ++j) { // the digits of the groups before
#pragma unroll
      for (int t = 0; t < size; ++t) {
        const step_constant c = constants.row[j][first + t];
#pragma unroll
        for (int k = 0; k < Count; ++k) left[t][k] = step(left[t][k], digit[j][k], m[t], c);
      }
    }
#pragma unroll
    for (int t = 0; t < size; ++t) { // those of this group
      visit(left[t]);
#pragma unroll
      for (int k = 0; k < Count; ++k) digit[first + t][k] = left[t][k];
#pragma unroll
      for (int u = t + 1; u < size; ++u) {
        const step_constant c = constants.row[first + t][first + u];
#pragma unroll
        for (int k = 0; k < Count; ++k) left[u][k] = step(left[u][k], left[t][k], m[u], c);
      }
    }
  };
#pragma unroll 1
  for (int first = 0; first < whole; first += T) convert(first, std::integral_constant<int, T>{});
  if constexpr (whole < n) convert(whole, std::integral_constant<int, n - whole>{});
}

/// -1, 0, 1 as number a <, =, > number b: exact.
template <class Number>
__device__ THRUST_RNS_NOINLINE int compare_by_mixed_radix(planes<Number> v, std::int64_t a, std::int64_t b) {
  int order = 0;
  for_each_digit<Number, 2>(v, {a, b}, [&](const std::uint32_t(&d)[2]) {
    if (d[0] != d[1]) order = d[0] < d[1] ? -1 : 1; // a later digit outweighs all before
  });
  return order;
}

/// The larger of two numbers, of equal ones the first.
template <class Number>
struct larger_by_mixed_radix {
  using candidate = place;
  static constexpr int blocks_at_once = 4;
  planes<Number> v;

  __device__ void prepare() const {}
  __device__ place operator()(place a, place b) const {
    const int order = compare_by_mixed_radix(v, a.index, b.index);
    return order > 0 || (order == 0 && a.index < b.index) ? a : b;
  }
};

/// *d_index_out := the index of the first of the largest numbers. Null `d_temp`: `temp_bytes` := the memory needed beside the
/// numbers, and nothing else. Two kernels on `stream`, no synchronisation. in.size() > 0.
template <class Number>
cudaError_t arg_max_by_mixed_radix(void* d_temp, std::size_t& temp_bytes, thrust_rns::span<const Number> in,
                                   std::int64_t* d_index_out, cudaStream_t stream = nullptr) {
  constexpr std::int64_t tile = 1024;
  if (d_temp == nullptr) {
    temp_bytes = static_cast<std::size_t>(tiles_of(in.size(), tile)) * sizeof(place);
    return cudaSuccess;
  }
  return reduce_in_two_passes(all_places{}, in.size(), tile, larger_by_mixed_radix<Number>{planes<Number>(in)},
                              static_cast<place*>(d_temp), d_index_out, stream);
}

} // namespace baselines
