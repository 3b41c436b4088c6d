// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Interval evaluation: guaranteed bounds of X/M from the residues of X, in a compact form that is kept beside each
/// element of a vector, and the exact order that rests on it.
///
/// *Fixed-point sums.* With w_i = (M/m_i)^-1 mod m_i, X/M = frac(sum x_i w_i/m_i). Cut every w_i/m_i after t digits
/// in base 2^24, c_i = floor(2^(24 t) w_i/m_i), and put A = sum x_i c_i mod 2^(24 t). Each product loses less than x_i,
/// so 2^(24 t) X/M lies in [A, A + E) modulo 2^(24 t), with E = sum (m_i - 1). No modular product is needed.
///
/// *First pass*, t = 4, of which the leading 64 bits are kept: four multiply-adds a residue, which is bound by memory on
/// current GPUs. It leaves open |X| < M/2^22 and X next to M or, in the symmetric range, to M/2: one random X in 2^22,
/// in the symmetric range one in 2^21.
///
/// *Magnification.* For those, let D be the symmetric representative of X (or of 2 X at M/2), |D| < M/4, and
/// V_t = 2^(24 t) D/M. Then P_4 = A read as a signed number, P_(t+1) = 2^24 P_t + S_(t+1), S_t = sum x_i (digit t of
/// w_i/m_i), satisfy V_t in [P_t, P_t + E) for as long as P_t stays short, and P_t becomes long enough to give D's sign
/// and leading bits as soon as t allows. With all digits in the table D = 1 is resolved; what is not resolved then
/// is D = 0. Cost: four multiply-adds a residue and 96 bits of depth; no division, any moduli, one even included.
///
/// Method after K. Isupov, Computation 9(2):9, 2021, in fixed point instead of floating point.

#include <cstdint>
#include <type_traits>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/base_tables.h>
#include <thrust_rns/number.h>

namespace thrust_rns {

/// mantissa 2^exponent.
struct dyadic {
  std::int64_t mantissa;
  int exponent;
};

/// The compact interval evaluation of a number X: 64 bits that order like X and bound X/M.
///
/// Let f(v) be v cut to p + 1 leading bits, read as an integer: (exponent << p) | mantissa, f(0) = 0, where
/// p = `mantissa_bits` (34 to 40, fixed for a base). The key of X >= 0 is 2^63 + f(X/M) or one less, but exactly
/// 2^63 for X = 0; the key of X < 0 (symmetric range) is 2^63 - f(-X/M) or one less. f does not decrease, so
///   key(X) + 1 < key(Y)  implies  X < Y,
/// and otherwise the order is decided exactly (`compare` below). Key 0 stands for "not evaluated".
///
/// @code
/// using number = thrust_rns::number<thrust_rns::moduli_for_bits<64>>;
/// auto e = thrust_rns::evaluate(number(1) - number(2));  // M - 1
/// std::cout << (e.upper().mantissa == 1 && e.upper().exponent == 0) << (e.key() > thrust_rns::evaluate(number(5)).key());
/// // prints 11
/// @endcode
template <class Number>
class interval_evaluation {
  using constants = detail::base_constants<typename Number::base_type>;

 public:
  static constexpr int mantissa_bits = constants::mantissa_bits;
  static constexpr std::uint64_t key_of_zero = std::uint64_t{1} << 63;

  interval_evaluation() = default;
  THRUST_RNS_HD constexpr explicit interval_evaluation(std::uint64_t key) : key_(key) {}

  THRUST_RNS_HD constexpr std::uint64_t key() const { return key_; }
  THRUST_RNS_HD constexpr bool is_evaluated() const { return key_ != 0; }

  // Of an evaluation that has been made:
  /// A lower bound of X/M, of relative error at most 2^(1-p); 0 for X = 0.
  THRUST_RNS_HD constexpr dyadic lower() const {
    return key_ >= key_of_zero ? decode(key_ - key_of_zero, 0, false) : decode(key_of_zero - key_, 1, true);
  }
  /// An upper bound of X/M, of relative error at most 2^(1-p); 0 for X = 0, at most 1 (unsigned) or 1/2 (symmetric).
  THRUST_RNS_HD constexpr dyadic upper() const {
    return key_ >= key_of_zero ? decode(key_ - key_of_zero, 2, false) : decode(key_of_zero - key_, -1, true);
  }

 private:
  THRUST_RNS_HD static constexpr dyadic decode(std::uint64_t code, int ulps, bool negative) {
    if (code == 0) return {0, 0};
    constexpr std::uint64_t most = static_cast<std::uint64_t>(constants::exponent_bias - (Number::is_symmetric ? 1 : 0))
                                   << mantissa_bits; // f(1) or f(1/2)
    code += static_cast<std::uint64_t>(static_cast<std::int64_t>(ulps));
    if (code > most) code = most;
    auto mantissa = static_cast<std::int64_t>((std::uint64_t{1} << mantissa_bits) |
                                              (code & ((std::uint64_t{1} << mantissa_bits) - 1)));
    int exponent = static_cast<int>(code >> mantissa_bits) - constants::exponent_bias - mantissa_bits;
    while ((mantissa & 1) == 0) {
      mantissa >>= 1;
      ++exponent;
    }
    return {negative ? -mantissa : mantissa, exponent};
  }

  std::uint64_t key_;
};

namespace detail {

// Below, `x` is a residue source: x(i) is the residue modulo m_i. It is read once a group of four digits.

/// The residues of a number.
template <class Number>
struct residues_of {
  const Number& x;
  THRUST_RNS_HD std::uint32_t operator()(int i) const { return x.residue(i); }
};

/// The residues of X - Y modulo M.
template <class Base, class X, class Y>
struct difference_of {
  X x;
  Y y;
  THRUST_RNS_HD std::uint32_t operator()(int i) const { return moduli_of<Base>()[i].subtract(x(i), y(i)); }
};

/// The residues of 2 X modulo M.
template <class Base, class X>
struct double_of {
  X x;
  THRUST_RNS_HD std::uint32_t operator()(int i) const { return moduli_of<Base>()[i].add(x(i), x(i)); }
};

/// s[c] = sum over i of x_i (digit 4 group + c of w_i/m_i); below 2^64 since n <= 272.
struct digit_sums {
  std::uint64_t s[4] = {0, 0, 0, 0};

  THRUST_RNS_HD void add(std::uint32_t residue, const digit_group& d) {
    s[0] += static_cast<std::uint64_t>(residue) * d.digit[0];
    s[1] += static_cast<std::uint64_t>(residue) * d.digit[1];
    s[2] += static_cast<std::uint64_t>(residue) * d.digit[2];
    s[3] += static_cast<std::uint64_t>(residue) * d.digit[3];
  }

  /// The four digits as a fraction of one, cut to 64 bits. With group 0, 2^64 X/M lies in [leading, leading +
  /// leading_error) modulo 2^64.
  THRUST_RNS_HD std::uint64_t leading() const { return (s[0] << 40) + (s[1] << 16) + (s[2] >> 8) + (s[3] >> 32); }

  /// The four digits as a signed fraction of one, in units of 2^-96.
  THRUST_RNS_HD int128_t signed_fraction() const {
    const uint128_t a = (static_cast<uint128_t>(s[0]) << 104) + (static_cast<uint128_t>(s[1]) << 80) +
                        (static_cast<uint128_t>(s[2]) << 56) + (static_cast<uint128_t>(s[3]) << 32);
    return static_cast<int128_t>(a) >> 32;
  }
};

/// A team of threads evaluates one number: each takes the residues rank, rank + size, ..., and `combine` adds the sums of all
/// of them for all of them. This is the team of one; block/evaluate.cuh has warps and blocks.
struct single_thread {
  THRUST_RNS_HD static constexpr int rank() { return 0; }
  THRUST_RNS_HD static constexpr int size() { return 1; }
  THRUST_RNS_HD digit_sums combine(const digit_sums& sums) const { return sums; }
};

template <class Base, class Team, class X>
THRUST_RNS_HD digit_sums sum_group(const Team& team, X x, int group) {
  const auto& digits = expansions_of<Base>().group[group];
  digit_sums sums;
  for (int i = team.rank(); i < Base::size; i += team.size()) sums.add(x(i), digits[i]);
  return team.combine(sums);
}

THRUST_RNS_HD inline int leading_zeros(std::uint64_t x) { // x != 0
#if defined(__CUDA_ARCH__)
  return __clzll(static_cast<long long>(x));
#else
  return __builtin_clzll(x);
#endif
}

/// f of a value 1.xxx 2^-z, whose leading 64 bits are `normal` (leading bit set).
template <class Base>
THRUST_RNS_HD std::uint64_t encode_normal(std::uint64_t normal, int z) {
  using constants = base_constants<Base>;
  // normal >> (63 - p) is 2^p + mantissa, and 2^p counts as one exponent
  return (static_cast<std::uint64_t>(constants::exponent_bias - 1 - z) << constants::mantissa_bits) +
         (normal >> (63 - constants::mantissa_bits));
}

/// f of the value x 2^-point, x != 0.
template <class Base>
THRUST_RNS_HD std::uint64_t encode(uint128_t x, int point) {
  const auto high = static_cast<std::uint64_t>(x >> 64);
  const int zeros = high != 0 ? leading_zeros(high) : 64 + leading_zeros(static_cast<std::uint64_t>(x));
  return encode_normal<Base>(static_cast<std::uint64_t>((x << zeros) >> 64), point - 127 + zeros);
}

inline constexpr std::uint64_t zero_key = std::uint64_t{1} << 63;

/// What P_t, t = `digits`, says of D: D/M 2^(24 digits) lies in [p, p + E). p = 0 and digits = 0: D = 0.
struct magnified {
  int128_t p;
  int digits;
};

/// Magnifies D, the symmetric representative of x, |D| < M/4, until p >= least or p + E <= -least.
/// `least` is at most 2^resolved_bits, so p stays below 2^(resolved_bits + 25) + 2^64 < 2^127.
template <class Base, class Team, class X>
THRUST_RNS_HD magnified magnify(const Team& team, X x, int128_t least) {
  using constants = base_constants<Base>;
  const auto error = static_cast<int128_t>(constants::error);
  int128_t p = sum_group<Base>(team, x, 0).signed_fraction();
  if (p >= least || p + error <= -least) return {p, 4};
  for (int group = 1; group < constants::groups; ++group) {
    const digit_sums sums = sum_group<Base>(team, x, group);
    for (int c = 0; c < 4; ++c) {
      p = p * (1 << 24) + static_cast<int128_t>(sums.s[c]);
      if (p >= least || p + error <= -least) return {p, 4 * group + c + 1};
    }
  }
  return {0, 0};
}

/// The sign of D, the symmetric representative of x, |D| < M/4.
template <class Base, class Team, class X>
THRUST_RNS_HD int sign_near_zero(const Team& team, X x) {
  const magnified d = magnify<Base>(team, x, 1);
  return d.digits == 0 ? 0 : d.p > 0 ? 1 : -1;
}

/// The key of X from the first pass, or 0 if it does not resolve X. `v` is digit_sums::leading().
template <class Number>
THRUST_RNS_HD std::uint64_t key_from_leading(std::uint64_t v) {
  using Base = typename Number::base_type;
  using constants = base_constants<Base>;
  constexpr std::uint64_t least = std::uint64_t{1} << constants::leading_bits; // then an ulp is at least the error
  constexpr std::uint64_t error = constants::leading_error;
  const auto code = [](std::uint64_t x) { // of x 2^-64, x >= least: the leading bit is in the upper half
#if defined(__CUDA_ARCH__)
    const int zeros = __clz(static_cast<int>(x >> 32));
#else
    const int zeros = leading_zeros(x);
#endif
    return encode_normal<Base>(x << zeros, 1 + zeros);
  };
  if constexpr (Number::is_symmetric) {
    constexpr std::uint64_t middle = std::uint64_t{1} << 63;
    if (v < middle) return v - least <= middle - error - least ? zero_key + code(v) : 0;
    const std::uint64_t w = std::uint64_t{0} - v; // |X|/M lies in (w - error, w] 2^-64
    return w >= least + error ? zero_key - code(w) : 0;
  } else {
    return v - least <= std::uint64_t{0} - error - least ? zero_key + code(v) : 0;
  }
}

/// Whether an X that the first pass does not resolve is known to be next to 0, not to M or M/2.
template <class Number>
THRUST_RNS_HD bool is_next_to_zero(std::uint64_t v) {
  if constexpr (Number::is_symmetric) return v >> 62 == 0 || v >> 62 == 3;
  return v >> 63 == 0;
}

/// The key of an X near 0, M or M/2, which the first pass did not resolve.
template <class Number, class Team, class X>
THRUST_RNS_HD std::uint64_t key_by_magnification(const Team& team, X x, std::uint64_t v) {
  using Base = typename Number::base_type;
  using constants = base_constants<Base>;
  constexpr int p = constants::mantissa_bits;
  if constexpr (Number::is_symmetric) {
    if (v >> 62 == 1 || v >> 62 == 2) { // D = 2 X - M: negative exactly when X < M/2
      constexpr std::uint64_t middle = static_cast<std::uint64_t>(constants::exponent_bias - 1) << p; // f(1/2)
      return sign_near_zero<Base>(team, double_of<Base, X>{x}) < 0 ? zero_key + middle - 1 : zero_key - middle;
    }
  }
  const magnified d = magnify<Base>(team, x, static_cast<int128_t>(1) << constants::resolved_bits);
  if (d.digits == 0) return zero_key;
  if (d.p > 0) return zero_key + encode<Base>(static_cast<uint128_t>(d.p), 24 * d.digits);
  if constexpr (Number::is_symmetric) {
    return zero_key - encode<Base>(static_cast<uint128_t>(-d.p), 24 * d.digits);
  } else { // within leading_error/2^64 of M: all leading bits are ones
    static_assert(constants::leading_error_bits + p + 1 <= 64);
    return zero_key + (static_cast<std::uint64_t>(constants::exponent_bias) << p) - 1;
  }
}

/// The same by one thread, out of the caller's way.
template <class Number, class X>
THRUST_RNS_HD THRUST_RNS_NOINLINE std::uint64_t key_by_magnification(X x, std::uint64_t v) {
  return key_by_magnification<Number>(single_thread{}, x, v);
}

template <class Number, class X>
THRUST_RNS_HD std::uint64_t evaluate_key(X x) {
  const std::uint64_t v = sum_group<typename Number::base_type>(single_thread{}, x, 0).leading();
  const std::uint64_t key = key_from_leading<Number>(v);
  return key != 0 ? key : key_by_magnification<Number>(x, v);
}

/// The order of two numbers whose keys differ by at most one. Then they have the same sign and |X - Y| < M/4, and the
/// order is the sign of the symmetric representative of X - Y.
template <class Number, class X, class Y>
THRUST_RNS_HD THRUST_RNS_NOINLINE int compare_close(X x, Y y) {
  using Base = typename Number::base_type;
  return sign_near_zero<Base>(single_thread{}, difference_of<Base, X, Y>{x, y});
}

/// -1, 0, 1 as X <, =, > Y; exact.
template <class Number, class X, class Y>
THRUST_RNS_HD int compare_evaluated(X x, std::uint64_t key_x, Y y, std::uint64_t key_y) {
  if (key_x + 1 < key_y) return -1;
  if (key_y + 1 < key_x) return 1;
  return compare_close<Number>(x, y);
}

} // namespace detail

/// The compact interval evaluation of `x`. Cost: one pass over the residues, more only near 0, M and M/2.
template <class Base, class Range>
THRUST_RNS_HD interval_evaluation<number<Base, Range>> evaluate(const number<Base, Range>& x) {
  using Number = number<Base, Range>;
  return interval_evaluation<Number>(detail::evaluate_key<Number>(detail::residues_of<Number>{x}));
}

} // namespace thrust_rns
