// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Checked operations on elements of vectors: the results, and the smallest index that overflows.

#include <cstdint>
#include <type_traits>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/for_each_index.h>
#include <thrust_rns/detail/position.h>
#include <thrust_rns/functional.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/modular.h>
#include <thrust_rns/number.h>
#include <thrust_rns/span.h>

#include <cuda/std/functional>

namespace thrust_rns {
namespace detail {

enum class operation { unknown, sum, difference, product };

template <class Operation, class Number>
inline constexpr operation operation_of =
    std::is_same_v<Operation, plus> || std::is_same_v<Operation, ::cuda::std::plus<Number>> ||
            std::is_same_v<Operation, ::cuda::std::plus<>>
        ? operation::sum
    : std::is_same_v<Operation, minus> || std::is_same_v<Operation, ::cuda::std::minus<Number>> ||
            std::is_same_v<Operation, ::cuda::std::minus<>>
        ? operation::difference
    : std::is_same_v<Operation, multiplies> || std::is_same_v<Operation, ::cuda::std::multiplies<Number>> ||
            std::is_same_v<Operation, ::cuda::std::multiplies<>>
        ? operation::product
        : operation::unknown;

template <operation Op>
THRUST_RNS_HD std::uint32_t apply(const modulus& m, std::uint32_t a, std::uint32_t b) {
  if constexpr (Op == operation::sum) return m.add(a, b);
  if constexpr (Op == operation::difference) return m.subtract(a, b);
  return m.multiply(a, b);
}

/// The residues of X op Y modulo M.
template <operation Op, class Base, class X, class Y>
struct result_of {
  X x;
  Y y;
  THRUST_RNS_HD std::uint32_t operator()(int i) const { return apply<Op>(moduli_of<Base>()[i], x(i), y(i)); }
};

/// Whether X op Y, op a sum or difference, is outside the range, from their positions.
template <class Number, operation Op, class X, class Y>
THRUST_RNS_HD bool is_outside_from_positions(X x, int128_t p, Y y, int128_t q) {
  const result_of<Op, typename Number::base_type, X, Y> wrapped{x, y};
  if constexpr (Op == operation::sum) return sum_is_outside<Number>(p, q, wrapped);
  return difference_is_outside<Number>(p, q, wrapped);
}

/// The key of X from its sums.
template <class Number, class X>
THRUST_RNS_HD std::uint64_t key_from_sums(X x, const digit_sums& sums) {
  const std::uint64_t key = key_from_leading<Number>(sums.leading());
  return key != 0 ? key : key_by_magnification<Number>(x, sums.leading());
}

template <class Number, operation Op, class X, class Y>
THRUST_RNS_HD bool is_outside_range(X x, Y y) {
  using Base = typename Number::base_type;
  if constexpr (Op == operation::product) {
    return product_is_outside<Number>(x, evaluate_key<Number>(x), y, evaluate_key<Number>(y));
  } else {
    const auto position_of = [](const auto& z) {
      return position_from_leading<Number>(sum_group<Base>(single_thread{}, z, 0).leading(), z);
    };
    return is_outside_from_positions<Number, Op>(x, position_of(x), y, position_of(y));
  }
}

/// Two inputs, from their elements a_first and b_first on.
template <class Number>
struct pair_places {
  span<const Number> a, b;
  std::int64_t a_first, b_first;

  template <class A, class B, class System>
  pair_places(basic_iterator<A, System> x, basic_iterator<B, System> y)
      : a(x.underlying_span()), b(y.underlying_span()), a_first(x.index()), b_first(y.index()) {}
};

/// Two inputs and the result.
template <class Number>
struct binary_places {
  pair_places<Number> in;
  span<Number> out;
  std::int64_t out_first;
  bool in_place; // the result lies in the memory of an input, so that residues are written after all are read

  template <class A, class B, class System>
  binary_places(basic_iterator<A, System> x, basic_iterator<B, System> y, basic_iterator<Number, System> result)
      : in(x, y), out(result.underlying_span()), out_first(result.index()), in_place(meets(in.a) || meets(in.b)) {}

 private:
  bool meets(const span<const Number>& s) const {
    return s.plane(0) < out.plane(Number::size) && out.plane(0) < s.plane(Number::size);
  }
};

/// *least := min(*least, value), for several threads at once.
THRUST_RNS_HD inline void lower_to(std::uint64_t* least, std::uint64_t value) {
#if defined(__CUDA_ARCH__)
  static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
  if (value < load_relaxed(least)) atomicMin(reinterpret_cast<unsigned long long*>(least), value);
#else
  std::uint64_t seen = load_relaxed(least);
  while (value < seen && !__atomic_compare_exchange_n(least, &seen, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
#endif
}

/// The cached key of element j, or 0.
template <class Number>
THRUST_RNS_HD std::uint64_t cached_key(const span<const Number>& s, std::int64_t j) {
  return s.evaluations() != nullptr ? load_relaxed(s.evaluations() + j) : 0;
}

/// The position of element j from its sums, in doubt by the cached key, if there is one.
template <class Number>
THRUST_RNS_HD int128_t position_at(const span<const Number>& s, std::int64_t j, const digit_sums& sums) {
  return position_or_ask<Number>(sums.leading(), [&] {
    const std::uint64_t known = cached_key(s, j);
    return known != 0 ? is_below_by_key<Number>(known) : is_below_exactly<Number>(input_at(s, j));
  });
}

/// The key of element j: `known` if that is not 0, else from its sums, and kept.
template <class Number>
THRUST_RNS_HD std::uint64_t complete_key(const span<const Number>& s, std::int64_t j, std::uint64_t known,
                                         const digit_sums& sums) {
  if (known != 0) return known;
  const std::uint64_t key = key_from_sums<Number>(input_at(s, j), sums);
  if (s.evaluations() != nullptr) store_relaxed(s.evaluations() + j, key);
  return key;
}

/// out := a op b; *first_overflow := the smallest index that overflows, if that is below it.
template <operation Op, class Number>
struct checked_elements {
  static constexpr int elements_together = 1, blocks_at_once = 5;
  binary_places<Number> at;
  std::uint64_t* first_overflow;

  template <int E>
  THRUST_RNS_HD void operator()(const element_group<E>& group) const {
    using Base = typename Number::base_type;
    const auto& moduli = moduli_of<Base>();
    const auto& digits = expansions_of<Base>().group[0];
    const group_input<E, Number> x(group, at.in.a, at.in.a_first), y(group, at.in.b, at.in.b_first);
    std::uint64_t key_x[E] = {}, key_y[E] = {};
    bool evaluates = Op != operation::product;
    if constexpr (Op == operation::product) {
      for (int e = 0; e < E; ++e) {
        key_x[e] = cached_key(at.in.a, at.in.a_first + group.index[e]);
        key_y[e] = cached_key(at.in.b, at.in.b_first + group.index[e]);
        evaluates = evaluates || key_x[e] == 0 || key_y[e] == 0;
      }
    }

    const group_output<E> out = outputs_at(group, at.out, at.out_first);
    digit_sums sums_x[E], sums_y[E];
    constexpr int batch = Number::size < 8 ? Number::size : 8; // of planes whose loads are in flight together
    const auto pass = [&](int i, auto width) {
      constexpr int planes = decltype(width)::value;
      std::uint32_t r[planes][E], s[planes][E];
      for (int k = 0; k < planes; ++k) {
        for (int e = 0; e < E; ++e) {
          r[k][e] = x.x[e](i + k);
          s[k][e] = y.x[e](i + k);
        }
      }
      for (int k = 0; k < planes; ++k) {
        for (int e = 0; e < E; ++e) {
          if (evaluates) {
            sums_x[e].add(r[k][e], digits[i + k]);
            sums_y[e].add(s[k][e], digits[i + k]);
          }
          if (!at.in_place) out(e, i + k, apply<Op>(moduli[i + k], r[k][e], s[k][e]));
        }
      }
    };
    constexpr int whole = Number::size / batch * batch;
    THRUST_RNS_REPEAT(1)
    for (int i = 0; i < whole; i += batch) pass(i, std::integral_constant<int, batch>{});
    for (int i = whole; i < Number::size; ++i) pass(i, std::integral_constant<int, 1>{});

    for (int e = 0; e < E; ++e) {
      if (e >= group.here) continue;
      bool outside;
      if constexpr (Op == operation::product) {
        key_x[e] = complete_key(at.in.a, at.in.a_first + group.index[e], key_x[e], sums_x[e]);
        key_y[e] = complete_key(at.in.b, at.in.b_first + group.index[e], key_y[e], sums_y[e]);
        outside = product_is_outside<Number>(x.x[e], key_x[e], y.x[e], key_y[e]);
      } else {
        outside = is_outside_from_positions<Number, Op>(
            x.x[e], position_at(at.in.a, at.in.a_first + group.index[e], sums_x[e]), y.x[e],
            position_at(at.in.b, at.in.b_first + group.index[e], sums_y[e]));
      }
      if (outside) lower_to(first_overflow, static_cast<std::uint64_t>(group.index[e]));
    }
    if (!at.in_place) return;
    if constexpr (Op ==
                  operation::
                      product) { // the inputs' cache may be the output's, which must not keep what was just stored
      outputs_at(group, at.out, at.out_first);
    }
    THRUST_RNS_REPEAT(4)
    for (int i = 0; i < Number::size; ++i) {
      std::uint32_t r[E];
      for (int e = 0; e < E; ++e) r[e] = apply<Op>(moduli[i], x.x[e](i), y.x[e](i));
      for (int e = 0; e < E; ++e) out(e, i, r[e]);
    }
  }
};

// ---- sums ------------------------------------------------------------------------------------------------------

/// What is added up: X, |X| or X Y.
enum class summand { value, magnitude, product };

/// A sum of integers: its residues, the sum of all positions, and the smallest index of an overflowing product (all ones: none).
template <class Number>
struct total_with_position {
  Number value{};
  int128_t position = 0;
  std::uint64_t first = ~std::uint64_t{0};

  /// (sum - value)/M, value in the range: the position's error is below 2^62, so the nearest integer is it.
  std::int64_t wraps() const { return static_cast<std::int64_t>((position - own() + one / 2) >> 64); }
  /// The same sum with a position that is right to within 138 units.
  total_with_position settled() const { return {value, wraps() * one + own(), first}; }
  std::int64_t first_overflow() const { return static_cast<std::int64_t>(first); }

  friend total_with_position operator+(const total_with_position& a, const total_with_position& b) {
    return {a.value + b.value, a.position + b.position, a.first < b.first ? a.first : b.first};
  }

 private:
  static constexpr int128_t one = static_cast<int128_t>(1) << 64; // M

  /// The position of the value.
  int128_t own() const {
    const residues_of<Number> x{value};
    return position_from_leading<Number>(sum_group<typename Number::base_type>(single_thread{}, x, 0).leading(), x);
  }
};

} // namespace detail
} // namespace thrust_rns
