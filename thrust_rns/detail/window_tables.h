// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Evaluation of numbers of any magnitude in windows of 64 bits: what is known at compile time, and the arithmetic of a window.
///
/// Let D be X, or X - M where that is nearer to zero. Group c of windows works on the prefix base m_1 .. m_j, whose
/// product is P, with a shift k: F = 2^k D/P, |F| < 1/4 by what the groups before it have proved (group 0: j = n, k = 0). With
/// w_i = (P/m_i)^-1 mod m_i, F = frac(sum x_i r_i/m_i), r_i = 2^k w_i mod m_i. Cut x_i into bytes x_(i,b) and r_i/m_i into
/// bytes e_(i,0), e_(i,1), ... after the point; column q = sum over i and b of x_(i,b) e_(i,q+b) has weight 2^(-8(q+1)),
/// and the first 64 columns miss less than 1020 j 2^-512 of F. Eight columns are a window T_w. Written as
/// s_w + 2^64 c_w, s_w in [-2^63, 2^63), c_w < 2^19, the carry c_w goes to the window before it: with
/// I_w = s_w + c_(w+1), F = sum I_w 2^(-64(w+1)). The first I_w that is not zero gives the leading bits of F and its sign.
/// If I_0 .. I_6 are zero, |F| < 2^-448, a bound with which the next group begins.

#include <cstdint>
#include <type_traits>
#include <utility>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/array.h>
#include <thrust_rns/detail/base_tables.h>
#include <thrust_rns/interval.h>

namespace thrust_rns {
namespace detail {

/// 1 over a product of moduli: 2^-exponent mantissa/2^63, mantissa in [2^63, 2^64); too small by less than 2^-62 of it.
struct reciprocal {
  std::uint64_t mantissa;
  int exponent;
};

/// 1/(m_first m_(first+1) ... m_(n-1)). Each division of 128 bits loses less than 2^-95 of the value.
template <int N>
constexpr reciprocal reciprocal_of_suffix(const array<std::uint32_t, N>& m, int first) {
  uint128_t x = static_cast<uint128_t>(1) << 127;
  int exponent = 0;
  for (int i = first; i < N; ++i) {
    x /= m[i];
    for (; x >> 127 == 0; ++exponent) x <<= 1;
  }
  return {static_cast<std::uint64_t>(x >> 64), exponent};
}

/// bits[j] = bit length of m_1 .. m_j.
template <int N>
constexpr array<int, N + 1> bits_of_prefixes(const array<std::uint32_t, N>& m) {
  array<std::uint32_t, N + 1> product{};
  array<int, N + 1> bits{};
  product[0] = 1;
  bits[0] = 1;
  int used = 1;
  for (int i = 0; i < N; ++i) {
    std::uint64_t carry = 0;
    for (int k = 0; k < used; ++k) {
      carry += static_cast<std::uint64_t>(product[k]) * m[i];
      product[k] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) product[used++] = static_cast<std::uint32_t>(carry);
    bits[i + 1] = 32 * (used - 1) + bit_length(product[used - 1]);
  }
  return bits;
}

struct window_group {
  int moduli;       // j
  int steps;        // of eight moduli, ceil(j/8): what one Tensor Core instruction takes
  int first_step;   // steps of the groups before this one
  int shift;        // k
  reciprocal scale; // P/(2^k M), so that D/M = scale F
};

template <class Base>
struct window_schedule {
  using constants = base_constants<Base>;
  static constexpr int size = Base::size;

  // Group 0 leaves |D| < 2^-448 M < 2^(range_bits - 448). A group that begins with |D| < 2^b has 2^k |D|/P < 1/4 for
  // k = bit_length(P) - 3 - b, and leaves |D| < 2^-448 P/2^k < 2^(b - 445). Below 2^0, D is 0.
  static constexpr int first_gain = 448, gain = 445;
  static constexpr int groups =
      constants::range_bits <= first_gain ? 1 : 1 + (constants::range_bits - first_gain + gain - 1) / gain;

  static constexpr array<window_group, groups> group = [] {
    array<window_group, groups> g{};
    const array<int, size + 1> prefix_bits = bits_of_prefixes(Base::moduli);
    g[0] = {size, (size + 7) / 8, 0, 0, {std::uint64_t{1} << 63, 0}};
    for (int c = 1; c < groups; ++c) {
      const int bound = constants::range_bits - first_gain - (c - 1) * gain; // |D| < 2^bound
      int steps = 1;
      while (8 * steps < size && prefix_bits[8 * steps] < bound + 3) ++steps;
      const int j = 8 * steps < size ? 8 * steps : size;
      const int shift = prefix_bits[j] - 3 - bound;
      reciprocal scale = reciprocal_of_suffix(Base::moduli, j);
      scale.exponent += shift;
      g[c] = {j, steps, g[c - 1].first_step + g[c - 1].steps, shift, scale};
    }
    return g;
  }();
  static constexpr bool fits = [] {
    for (int c = 1; c < groups; ++c) {
      if (group[c].shift < 0) return false;
    }
    return true;
  }();
  static_assert(fits, "thrust_rns: each group's prefix is long enough for its bound");
  static constexpr int steps = group[groups - 1].first_step + group[groups - 1].steps;
  static constexpr int most_steps = group[0].steps;

  static_assert(1020 * maximum_moduli < 1 << 19);
  static constexpr bool narrow = 4LL * size * 255 * 255 * 257 < 1LL << 32;
  // What key_from_window loses of a value is below 2^-42 of it, and a unit in its last place is above 2^-(p+1).
  static_assert(constants::mantissa_bits <= 40);
};

/// w_i of the prefix base of a group: those of the base before it times the moduli that the prefix has lost.
template <class Base, int Group>
struct prefix_inverses {
  static constexpr array<std::uint32_t, Base::size> make() {
    constexpr auto& g = window_schedule<Base>::group;
    array<std::uint32_t, Base::size> w = prefix_inverses<Base, Group - 1>::value;
    for (int i = 0; i < g[Group].moduli; ++i) {
      std::uint64_t x = w[i];
      for (int l = g[Group].moduli; l < g[Group - 1].moduli; ++l) x = x * Base::moduli[l] % Base::moduli[i];
      w[i] = static_cast<std::uint32_t>(x);
    }
    return w;
  }
  static constexpr array<std::uint32_t, Base::size> value = make();
};
template <class Base>
struct prefix_inverses<Base, 0> {
  static constexpr array<std::uint32_t, Base::size> value = inverses_of<Base>;
};

/// r_i of group c at [8 first_step + i], and the moduli; 0 and 1 where a step has fewer than eight of them.
template <int Count>
struct window_table {
  array<std::uint32_t, Count> r, modulus;
};

template <class Base>
struct make_window_table {
  using schedule = window_schedule<Base>;
  using table = window_table<8 * schedule::steps>;
  static constexpr table make() {
    table t{};
    for (int i = 0; i < 8 * schedule::steps; ++i) t.modulus[i] = 1;
    fill(t, std::make_integer_sequence<int, schedule::groups>{});
    return t;
  }

 private:
  template <int... Group>
  static constexpr void fill(table& t, std::integer_sequence<int, Group...>) {
    (fill_group<Group>(t), ...);
  }
  template <int Group>
  static constexpr void fill_group(table& t) {
    constexpr window_group g = schedule::group[Group];
    for (int i = 0; i < g.moduli; ++i) {
      const std::uint64_t m = Base::moduli[i];
      std::uint64_t x = prefix_inverses<Base, Group>::value[i], two = 2 % m;
      for (int k = g.shift; k != 0; k >>= 1, two = two * two % m) {
        if (k % 2 != 0) x = x * two % m;
      }
      t.r[8 * g.first_step + i] = static_cast<std::uint32_t>(x);
      t.modulus[8 * g.first_step + i] = Base::moduli[i];
    }
  }
};

template <class Base>
struct make_window_groups {
  static constexpr auto make() { return window_schedule<Base>::group; }
};

/// T_w from its eight columns, as carry and signed word. A column is below 4 n 255^2 < 2^27.
struct window_sum {
  std::uint64_t low; // s_w in two's complement
  std::uint32_t carry;

  /// Narrow: 257 times a column fits 32 bits, which saves instructions.
  template <bool Narrow>
  THRUST_RNS_HD static window_sum of(const std::uint32_t (&column)[8]) {
    using pair = std::conditional_t<Narrow, std::uint32_t, std::uint64_t>;
    const auto two = [&](int q) { return static_cast<pair>(column[q]) * 256 + column[q + 1]; };
    const std::uint64_t high = static_cast<std::uint64_t>(two(0)) * 65536 + two(2); // 2^32 high + rest
    const std::uint64_t rest = static_cast<std::uint64_t>(two(4)) * 65536 + two(6);
    window_sum w;
    w.low = rest + (high << 32);
    w.carry = static_cast<std::uint32_t>(high >> 32) + (w.low < rest ? 1 : 0) + static_cast<std::uint32_t>(w.low >> 63);
    return w;
  }
};

/// The first I_w that is not zero: the 65-bit integer, by its low word and sign, s_(w+1), and w counted through all groups.
struct leading_window {
  std::uint64_t integer, next;
  int place; // 8 group + window; -1: all are zero
  bool negative;
};

/// f of v = normal 2^(-63 - z) times a reciprocal, `normal` at least 2^63 and cut to an integer: that of a lower bound, or with
/// Up of an upper bound. Bounds differ by 5 units of 2^-62 of the value.
template <class Base, bool Up>
THRUST_RNS_HD std::uint64_t encode_scaled(std::uint64_t normal, int z, const reciprocal& scale) {
  auto product = static_cast<std::uint64_t>((static_cast<uint128_t>(normal) * scale.mantissa) >> 64); // >= 2^62
  if constexpr (Up) {
    product += 4; // (normal + 1)(mantissa + 2) < normal mantissa + 3 2^64
    if (product < 4) return encode_normal<Base>(std::uint64_t{1} << 63, z + scale.exponent - 2);
  }
  const int shift = product >> 63 == 0 ? 1 : 0;
  return encode_normal<Base>(product << shift, z + scale.exponent - 1 + shift);
}

/// The same of v = x 2^-point, x != 0; the leading bits of x are what counts.
template <class Base, bool Up>
THRUST_RNS_HD std::uint64_t encode_scaled(uint128_t x, int point, const reciprocal& scale) {
  const auto high = static_cast<std::uint64_t>(x >> 64);
  const int zeros = high != 0 ? leading_zeros(high) : 64 + leading_zeros(static_cast<std::uint64_t>(x));
  return encode_scaled<Base, Up>(static_cast<std::uint64_t>((x << zeros) >> 64), point - 127 + zeros, scale);
}

/// The key of X from its leading window, but 0 for an X next to M/2 in the symmetric range.
///
/// With V = 2^64 I_w + s_(w+1), 2^(64(w+2)) F lies in [V - 1, V + 2^19 + 2]: the windows after it and what the columns miss. |V| is
/// at least 2^63, so its sign is that of F, and the bound towards zero (from zero if negative) is off by less than 2^-42.
template <class Number>
THRUST_RNS_HD std::uint64_t key_from_window(const leading_window& found) {
  using Base = typename Number::base_type;
  using constants = base_constants<Base>;
  if (found.place < 0) return zero_key; // D = 0
  if (found.place == 0) {               // 2^64 X/M lies in [v, v + 2) modulo 2^64
    const std::uint64_t v = found.integer - (found.next >> 63);
    const std::uint64_t key = key_from_leading<Number>(v);
    if (key != 0) return key;
    if constexpr (Number::is_symmetric) {
      if (v >> 62 == 1 || v >> 62 == 2) return 0;
    }
  }
  uint128_t v = (static_cast<uint128_t>(found.integer) << 64) + found.next;
  if (found.next >> 63 != 0) v -= static_cast<uint128_t>(1) << 64;
  const reciprocal& scale = table<make_window_groups<Base>>()[found.place / 8].scale;
  const int point = 64 * (found.place % 8 + 2);
  if (!found.negative) return zero_key + encode_scaled<Base, false>(v - 1, point, scale);
  if constexpr (Number::is_symmetric) {
    return zero_key - encode_scaled<Base, true>(uint128_t{1} - v, point, scale);
  } else { // within leading_error/2^64 of M: all leading bits are ones
    return zero_key + (static_cast<std::uint64_t>(constants::exponent_bias) << constants::mantissa_bits) - 1;
  }
}

} // namespace detail
} // namespace thrust_rns
