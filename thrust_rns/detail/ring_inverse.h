// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Inverses in Z_m[x]/(x^n - x - 1), m an odd prime, by one thread, on host and device. No branch and no address depends on
/// coefficients.
///
/// Source: D. J. Bernstein and B.-Y. Yang, "Fast constant-time gcd computation and modular inversion", TCHES 2019(3).
/// Let f = 1 - x^(n-1) - x^n and g = a_(n-1) + ... + a_0 x^(n-1) be the reversed modulus and element, v = 0, r = 1, delta = 1.
/// One division step, with v, f of the right-hand sides still the old ones:
///
///   swap = delta > 0 and g_0 != 0               delta := 1 + (swap ? -delta : delta)
///   f := swap ? g : f                           g := (g - (g_0 / f_0) f) / x
///   v := swap ? r : x v                         r := r - (g_0 / f_0) x v
///
/// After 2n - 1 steps a is invertible if and only if delta = 0, and then coefficient i of its inverse is v_(n-1-i) / f_0.

#include <cstdint>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/ring_product.h>
#include <thrust_rns/ring.h>

namespace thrust_rns {
namespace detail {

THRUST_RNS_HD constexpr bool is_odd_prime(int m) {
  if (m < 3 || m % 2 == 0) return false;
  for (int d = 3; d * d <= m; d += 2) {
    if (m % d == 0) return false;
  }
  return true;
}

template <class R, class A, class Output>
THRUST_RNS_HD constexpr void check_inverse() {
  static_assert(is_odd_prime(R::modulus), "thrust_rns: inverses need a modulus that is an odd prime");
  check_operand<R, A>();
  check_ring_output<R, Output>();
}

/// The representative of coefficient i modulo M in [-(M-1)/2, (M-1)/2], M odd.
template <int M, class A>
THRUST_RNS_HD constexpr int centred_coefficient(const A& a, int i) {
  int x = a[i];
  if constexpr (largest_coefficient < A >> (M - 1) / 2) {
    x %= M;
    x += x < -((M - 1) / 2) ? M : 0;
    x -= x > (M - 1) / 2 ? M : 0;
  }
  return x;
}

/// x^(M-2) by squares and products: 1/x modulo the prime M, and 0 for 0. `Multiply` multiplies modulo M.
template <int M, class T, class Multiply>
THRUST_RNS_HD T inverse_by_powers(T x, Multiply multiply) {
  constexpr unsigned exponent = M - 2;
  constexpr int bits = [] {
    int count = 0;
    for (unsigned e = exponent; e != 0; e >>= 1) ++count;
    return count;
  }();
  T power = x;
#if defined(__CUDA_ARCH__)
#  pragma unroll
#endif
  for (int bit = bits - 2; bit >= 0; --bit) {
    power = multiply(power, power);
    if ((exponent >> bit & 1) != 0) power = multiply(power, x);
  }
  return power;
}

// ---- modulo 3: a bit of two words a coefficient ----------------------------------------------------------------

/// Coefficients modulo 3: bit i of `plus` is set for 1, bit i of `minus` for -1.
template <class Word>
struct trits {
  Word plus, minus;
};

template <class Word>
THRUST_RNS_HD constexpr trits<Word> select(Word mask, trits<Word> a, trits<Word> b) {
  return {(a.plus & mask) | (b.plus & ~mask), (a.minus & mask) | (b.minus & ~mask)};
}
template <class Word>
THRUST_RNS_HD constexpr trits<Word> multiply(trits<Word> a, trits<Word> b) {
  return {(a.plus & b.plus) | (a.minus & b.minus), (a.plus & b.minus) | (a.minus & b.plus)};
}
template <class Word>
THRUST_RNS_HD constexpr trits<Word> subtract(trits<Word> a, trits<Word> b) {
  const Word t = (a.plus | b.plus) ^ (a.minus | b.minus);
  return {(a.minus | b.plus) ^ t, (a.plus | b.minus) ^ t};
}

/// What constant terms decide: the same in every word.
template <class Word>
struct trit_step {
  trits<Word> f0{static_cast<Word>(~Word{0}), 0}, factor{};
  Word swap = 0;
  int delta = 1;

  /// For the constant term of g in every bit.
  THRUST_RNS_HD constexpr void decide(trits<Word> g0) {
    swap = (g0.plus | g0.minus) & (Word{0} - static_cast<Word>(delta > 0));
    factor = multiply(g0, f0); // 1 / f0 = f0
    f0 = select(swap, g0, f0);
    const int sign = static_cast<int>(swap); // 0 or -1
    delta = (delta ^ sign) - sign + 1;
  }
};

/// out := 1/a in R/3, or 0; returns whether a is invertible.
template <class R, class A, class Output>
THRUST_RNS_HD bool invert_modulo_3(const A& a, Output& out) {
  using word = std::uint64_t;
  constexpr int n = R::degree, words = n / 64 + 1; // of n + 1 coefficients
  struct planes {
    word plus[words + 1], minus[words + 1];
    THRUST_RNS_HD trits<word> operator[](int j) const { return {plus[j], minus[j]}; }
    THRUST_RNS_HD void set(int j, trits<word> x) {
      plus[j] = x.plus;
      minus[j] = x.minus;
    }
  };
  planes f{}, g{}, r{}; // the word after the last is zero
  planes v{}, xv{};     // v_(64 j) starts word j + 1: the word before the first is zero
  f.plus[0] = r.plus[0] = 1;
  f.minus[(n - 1) / 64] |= word{1} << (n - 1) % 64;
  f.minus[n / 64] |= word{1} << n % 64;
  for (int i = 0; i < n; ++i) {
    const int x = centred_coefficient<3>(a, n - 1 - i);
    g.plus[i / 64] |= static_cast<word>(x == 1) << i % 64;
    g.minus[i / 64] |= static_cast<word>(x == -1) << i % 64;
  }

  trit_step<word> step;
  for (int k = 0; k < 2 * n - 1; ++k) {
    step.decide({word{0} - (g.plus[0] & 1), word{0} - (g.minus[0] & 1)});
    const trits<word> factor = step.factor;
    const word swap = step.swap;
    for (int j = 0; j < words; ++j) {
      const trits<word> gj = g[j], fj = f[j];
      g.set(j, subtract(gj, multiply(factor, fj)));
      f.set(j, select(swap, gj, fj));
    }
    for (int j = 0; j < words; ++j) {
      g.set(j, {g.plus[j] >> 1 | g.plus[j + 1] << 63, g.minus[j] >> 1 | g.minus[j + 1] << 63});
    }
    for (int j = 1; j <= words; ++j) {
      xv.set(j, {v.plus[j] << 1 | v.plus[j - 1] >> 63, v.minus[j] << 1 | v.minus[j - 1] >> 63});
    }
    for (int j = 0; j < words; ++j) {
      const trits<word> rj = r[j], xvj = xv[j + 1];
      r.set(j, subtract(rj, multiply(factor, xvj)));
      v.set(j + 1, select(swap, rj, xvj));
    }
  }

  const bool invertible = step.delta == 0;
  for (int i = 0; i < n; ++i) {
    const int at = n - 1 - i;
    const trits<word> x =
        multiply(trits<word>{v.plus[at / 64 + 1] >> at % 64 & 1, v.minus[at / 64 + 1] >> at % 64 & 1}, step.f0);
    set_coefficient<3>(out, i, (static_cast<int>(x.plus) - static_cast<int>(x.minus)) * static_cast<int>(invertible));
  }
  return invertible;
}

// ---- modulo larger primes: 16 bits a coefficient --------------------------------------------------------------

/// Products modulo Q by a factor that stays for a whole loop, in 16-bit numbers (Montgomery's reduction).
template <int Q>
struct short_factor {
  std::int16_t factor, low;

  /// x y modulo Q for the x given here and |y| <= Q: the factor is 2^16 x modulo Q, centred; low = factor / Q modulo 2^16.
  THRUST_RNS_HD explicit short_factor(std::int32_t x) {
    std::int32_t scaled = x * (65536 % Q) % Q;
    scaled -= scaled > Q / 2 ? Q : 0;
    scaled += scaled < -(Q / 2) ? Q : 0;
    factor = static_cast<std::int16_t>(scaled);
    low = static_cast<std::int16_t>(static_cast<std::uint32_t>(scaled) * inverse());
  }
  /// a - x y modulo Q, in [-Q, Q], for |a| <= Q and |y| <= Q.
  THRUST_RNS_HD std::int16_t subtract_multiple(std::int16_t a, std::int16_t y) const {
    const auto high = static_cast<std::int16_t>(static_cast<std::int32_t>(y) * factor >> 16);
    const auto multiple = static_cast<std::int16_t>(static_cast<std::int32_t>(y) * low);
    const auto product = static_cast<std::int16_t>(high - (static_cast<std::int32_t>(multiple) * Q >> 16));
    const auto x = static_cast<std::int16_t>(a - product); // in [-2 Q, 2 Q]
    return static_cast<std::int16_t>(x + ((x >> 15) & (2 * Q)) - Q);
  }

 private:
  /// 1 / Q modulo 2^16: each round doubles the bits that are right, from 3.
  THRUST_RNS_HD static constexpr std::uint32_t inverse() {
    std::uint32_t y = Q;
    for (int k = 0; k < 3; ++k) y *= 2 - Q * y;
    return y & 0xffff;
  }
};

/// out := 1/a in R, or 0; returns whether a is invertible. Primes up to 8191: sums stay in 16 bits.
template <class R, class A, class Output>
THRUST_RNS_HD bool invert_modulo_q(const A& a, Output& out) {
  constexpr int n = R::degree, q = R::modulus;
  constexpr int terms = (n + 1 + 31) / 32 * 32;
  static_assert(q <= 8191, "thrust_rns: 16-bit sums could overflow");
  const auto multiply = [](std::int32_t x, std::int32_t y) { return x * y % q; };
  // v and r lie reversed, coefficient i at terms - 1 - i, so that all loops go upwards and read ahead.
  std::int16_t f[terms + 1] = {}, g[terms + 1] = {}, v[terms + 1] = {}, r[terms] = {};
  f[0] = r[terms - 1] = 1;
  f[n - 1] = static_cast<std::int16_t>(f[n - 1] - 1);
  f[n] = -1;
  for (int i = 0; i < n; ++i) g[i] = static_cast<std::int16_t>(centred_coefficient<q>(a, n - 1 - i));

  std::int32_t inverse_f0 = 1;
  int delta = 1;
  for (int k = 0; k < 2 * n - 1; ++k) {
    const std::int32_t g0 = g[0] % q;
    const auto swap = static_cast<std::int16_t>(-(static_cast<int>(delta > 0) & static_cast<int>(g0 != 0)));
    const short_factor<q> factor(g0 * inverse_f0 % q);
    const std::int32_t inverse_g0 = inverse_by_powers<q>(g0, multiply);
    inverse_f0 ^= (inverse_f0 ^ inverse_g0) & swap;
    delta = (delta ^ swap) - swap + 1;

    // Coefficients that cannot reach a constant term any more are left as they are; those of v and r are 0 from k + 2 on.
    const int alive = (2 * n - 1 - k + 31) / 32 * 32, end = alive < terms ? alive : terms;
    const int zeros = (terms - 2 - k) / 32 * 32, begin = zeros > 0 ? zeros : 0;
    f[0] = static_cast<std::int16_t>(f[0] ^ ((f[0] ^ g[0]) & swap));
    for (int j = 0; j < end; ++j) {
      const std::int16_t fj = f[j + 1], gj = g[j + 1];
      g[j] = factor.subtract_multiple(gj, fj);
      f[j + 1] = static_cast<std::int16_t>(fj ^ ((fj ^ gj) & swap));
    }
    for (int j = begin; j < terms; ++j) {
      const std::int16_t rj = r[j], xvj = v[j + 1];
      r[j] = factor.subtract_multiple(rj, xvj);
      v[j] = static_cast<std::int16_t>(xvj ^ ((xvj ^ rj) & swap));
    }
  }

  const bool invertible = delta == 0;
  const std::int32_t scale = inverse_f0 * static_cast<int>(invertible);
  for (int i = 0; i < n; ++i) set_coefficient<q>(out, i, scale * v[terms - n + i]);
  return invertible;
}

/// out := 1/a in R, or 0 if a is not invertible; returns whether it is.
template <class R, class A, class Output>
THRUST_RNS_HD bool invert_element(const A& a, Output& out) {
  check_inverse<R, A, Output>();
  if constexpr (R::modulus == 3) {
    return invert_modulo_3<R>(a, out);
  } else {
    return invert_modulo_q<R>(a, out);
  }
}

} // namespace detail
} // namespace thrust_rns
