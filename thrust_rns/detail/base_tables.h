// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Every table of a base, made at compile time. Notation: moduli m_i, M their product, w_i = (M/m_i)^-1 mod m_i.
///
/// The one large table holds the expansions of w_i/m_i in base 2^24. It serves the interval evaluation, the exact
/// comparison and the conversion to words alike, since X/M = frac(sum x_i w_i/m_i). Base 2^24, because a residue
/// times a digit is below 2^55 and 272 such products fit in 64 bits: the sums need no carries.

#include <cstdint>
#include <utility>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/array.h>
#include <thrust_rns/modular.h>

namespace thrust_rns {
namespace detail {

inline constexpr int maximum_moduli = 272; // chosen; the carry-free sums would allow 511

constexpr std::uint32_t gcd(std::uint32_t a, std::uint32_t b) {
  while (b != 0) {
    const std::uint32_t r = a % b;
    a = b;
    b = r;
  }
  return a;
}

THRUST_RNS_HD constexpr int bit_length(std::uint64_t x) {
  int n = 0;
  for (; x != 0; x >>= 1) ++n;
  return n;
}

// ---- the checks: a base that is no moduli set stops here, and the message names the moduli --------------------

template <std::uint32_t Modulus>
struct modulus_out_of_range {
  static_assert(Modulus >= modulus::minimum && Modulus <= modulus::maximum,
                "thrust_rns: a modulus must be at least 2 and below 2^31; modulus_out_of_range<M> in this message "
                "names it");
  static constexpr bool passed = true;
};

template <std::uint32_t A, std::uint32_t B, std::uint32_t Divisor>
struct moduli_not_coprime {
  static_assert(Divisor == 1,
                "thrust_rns: the moduli of a set must be pairwise coprime; moduli_not_coprime<A, B, D> in this "
                "message names the first pair and its common divisor");
  static constexpr bool passed = true;
};

/// The first modulus out of range and the first pair with a common divisor; index -1 where there is none.
struct base_faults {
  int range = -1, first = -1, second = -1;
};

template <int N>
constexpr base_faults find_faults(const array<std::uint32_t, N>& m) {
  base_faults faults;
  for (int i = 0; i < N; ++i) {
    if (m[i] < modulus::minimum || m[i] > modulus::maximum) {
      faults.range = i;
      return faults;
    }
  }
  for (int i = 1; i < N; ++i) {
    std::uint64_t product = 1; // of the earlier moduli, mod m_i: one gcd a modulus instead of one a pair
    for (int j = 0; j < i; ++j) product = product * m[j] % m[i];
    if (gcd(m[i], static_cast<std::uint32_t>(product)) == 1) continue;
    for (int j = 0; j < i; ++j) {
      if (gcd(m[i], m[j]) != 1) {
        faults.first = j;
        faults.second = i;
        return faults;
      }
    }
  }
  return faults;
}

template <class Base>
constexpr bool check_base() {
  static_assert(Base::size >= 2 && Base::size <= maximum_moduli, "thrust_rns: a moduli set holds 2 to 272 moduli");
  constexpr base_faults faults = find_faults(Base::moduli);
  if constexpr (faults.range >= 0) {
    return modulus_out_of_range<Base::moduli[faults.range]>::passed;
  } else if constexpr (faults.first >= 0) {
    constexpr std::uint32_t a = Base::moduli[faults.first], b = Base::moduli[faults.second];
    return moduli_not_coprime<a, b, gcd(a, b)>::passed;
  } else {
    return true;
  }
}

// ---- the numbers that describe a base --------------------------------------------------------------------------

template <int N>
constexpr int upper_bound_of_words(const array<std::uint32_t, N>& m) {
  int bits = 0;
  for (int i = 0; i < N; ++i) bits += bit_length(m[i]);
  return (bits + 31) / 32;
}

template <int Words>
struct product_of_moduli {
  array<std::uint32_t, Words> words{}; // little-endian
  int bits = 0;
};

template <int Words, int N>
constexpr product_of_moduli<Words> multiply_moduli(const array<std::uint32_t, N>& m) {
  product_of_moduli<Words> p;
  p.words[0] = 1;
  int used = 1;
  for (int i = 0; i < N; ++i) {
    std::uint64_t carry = 0;
    for (int j = 0; j < used; ++j) {
      carry += static_cast<std::uint64_t>(p.words[j]) * m[i];
      p.words[j] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) p.words[used++] = static_cast<std::uint32_t>(carry);
  }
  p.bits = 32 * (used - 1) + bit_length(p.words[used - 1]);
  return p;
}

/// Constants of a base, each a compile-time integer.
template <class Base>
struct base_constants {
  static_assert(check_base<Base>(), "thrust_rns: not a moduli set");

  static constexpr int size = Base::size;
  static constexpr auto product = multiply_moduli<upper_bound_of_words(Base::moduli)>(Base::moduli);
  static constexpr int range_bits = product.bits; // bit length of M
  static constexpr int words = (range_bits + 31) / 32;

  /// E = sum (m_i - 1): what the sums of truncated expansions may miss, in units of their last digit.
  static constexpr std::uint64_t error = [] {
    std::uint64_t e = 0;
    for (int i = 0; i < size; ++i) e += Base::moduli[i] - 1;
    return e;
  }();
  static constexpr int error_bits = bit_length(error); // E < 2^error_bits

  // ---- the compact evaluation's format (interval.h) ----
  /// What the first pass may miss of X/M, in units of 2^-64: two cut digits, and E in units of 2^-96.
  static constexpr std::uint64_t leading_error = 3 + (error >> 32);
  static constexpr int leading_error_bits = bit_length(leading_error - 1); // leading_error <= 2^leading_error_bits
  static constexpr int exponent_bias = range_bits + 1;                     // exponents are 1 .. range_bits
  static constexpr int leading_bits = 42;                                  // shorter sums do not resolve X
  static constexpr int mantissa_bits = leading_bits - leading_error_bits;  // so that the error is at most one ulp
  static constexpr int resolved_bits = mantissa_bits + error_bits;         // the same for sums of all digits
  static_assert(mantissa_bits + bit_length(exponent_bias) <= 62);

  // ---- the expansions ----
  // With 24 digits >= log2 M + resolved_bits + 1, the integer 1 is resolved and 2 E M < 2^(24 digits).
  static constexpr int digits_needed = (range_bits + resolved_bits + 1 + 23) / 24;
  static constexpr int groups = (digits_needed + 3) / 4; // four digits are read as 16 bytes
  static constexpr int digits = 4 * groups;
};

/// Four consecutive digits of an expansion, most significant first.
struct alignas(16) digit_group {
  std::uint32_t digit[4];
};

/// w_i = (M/m_i)^-1 mod m_i for all i.
template <int N>
constexpr array<std::uint32_t, N> cofactor_inverses(const array<std::uint32_t, N>& m) {
  array<std::uint32_t, N> w{};
  for (int i = 0; i < N; ++i) {
    std::uint64_t product = 1;
    for (int j = 0; j < N; ++j) {
      if (j != i) product = product * m[j] % m[i];
    }
    w[i] = modulus(m[i]).inverse(static_cast<std::uint32_t>(product));
  }
  return w;
}

/// One group of digits for all moduli, and what is left to expand. A step of its own for each group keeps every
/// constant evaluation short, as compilers limit its length.
template <int N>
struct expansion_step {
  array<digit_group, N> digits;
  array<std::uint32_t, N> rest;
};

template <int N>
constexpr expansion_step<N> expand(const array<std::uint32_t, N>& m, const array<std::uint32_t, N>& rest) {
  expansion_step<N> step{};
  for (int i = 0; i < N; ++i) {
    std::uint64_t r = rest[i];
    for (int d = 0; d < 4; ++d) {
      step.digits[i].digit[d] = static_cast<std::uint32_t>((r << 24) / m[i]);
      r = (r << 24) % m[i];
    }
    step.rest[i] = static_cast<std::uint32_t>(r);
  }
  return step;
}

template <class Base>
inline constexpr array<std::uint32_t, Base::size> inverses_of = cofactor_inverses(Base::moduli);

template <class Base, int Group>
inline constexpr expansion_step<Base::size> expansion = expand(Base::moduli, expansion<Base, Group - 1>.rest);
template <class Base>
inline constexpr expansion_step<Base::size> expansion<Base, 0> = expand(Base::moduli, inverses_of<Base>);

/// group[g][i]: digits 4 g .. 4 g + 3 of w_i/m_i in base 2^24.
template <class Base>
struct expansion_table {
  array<digit_group, Base::size> group[base_constants<Base>::groups];
};

// ---- makers ----------------------------------------------------------------------------------------------------

template <class Base>
struct make_moduli {
  static constexpr auto make() {
    array<modulus, Base::size> t{};
    for (int i = 0; i < Base::size; ++i) t[i] = modulus(Base::moduli[i]);
    return t;
  }
};

/// M as base_constants<Base>::words little-endian words.
template <class Base>
struct make_range_words {
  static constexpr auto make() {
    array<std::uint32_t, base_constants<Base>::words> t{};
    for (int i = 0; i < t.size(); ++i) t[i] = base_constants<Base>::product.words[i];
    return t;
  }
};

/// ceil(M/2), where the symmetric range turns negative.
template <class Base>
struct make_half_range_words {
  static constexpr auto make() {
    auto t = make_range_words<Base>::make();
    std::uint64_t carry = t[0] & 1; // (M + M mod 2) / 2
    for (int i = 0; i < t.size(); ++i) {
      carry += t[i];
      t[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    for (int i = 0; i < t.size(); ++i) {
      const std::uint32_t above = i + 1 < t.size() ? t[i + 1] : static_cast<std::uint32_t>(carry);
      t[i] = (t[i] >> 1) | (above << 31);
    }
    return t;
  }
};

/// floor(M/2) mod m_i.
template <class Base>
struct make_half_range_residues {
  static constexpr auto make() {
    auto half_range = make_half_range_words<Base>::make(); // ceil(M/2)
    const bool odd = base_constants<Base>::product.words[0] % 2 != 0;
    array<std::uint32_t, Base::size> t{};
    for (int i = 0; i < Base::size; ++i) {
      std::uint64_t r = 0;
      for (int j = half_range.size() - 1; j >= 0; --j) r = ((r << 32) | half_range[j]) % Base::moduli[i];
      t[i] = static_cast<std::uint32_t>(odd ? (r + Base::moduli[i] - 1) % Base::moduli[i] : r);
    }
    return t;
  }
};

template <class Base>
struct make_expansions {
  static constexpr auto make() { return gather(std::make_integer_sequence<int, base_constants<Base>::groups>{}); }

 private:
  template <int... Group>
  static constexpr expansion_table<Base> gather(std::integer_sequence<int, Group...>) {
    return {{expansion<Base, Group>.digits...}};
  }
};

// ---- the one place that knows how host and device read a table ---------------------------------------------------

template <class Make>
inline constexpr auto host_table = Make::make();

#if defined(__CUDACC__)
/// Device code may not index a host constant at run time, so it has a copy of its own in device memory.
template <class Make>
__device__ constexpr auto device_table = host_table<Make>;
#endif

template <class Make>
THRUST_RNS_HD constexpr const auto& table() {
#if defined(__CUDA_ARCH__)
  return device_table<Make>;
#else
  return host_table<Make>;
#endif
}

template <class Base>
THRUST_RNS_HD constexpr const auto& moduli_of() {
  return table<make_moduli<Base>>();
}

template <class Base>
THRUST_RNS_HD constexpr const auto& expansions_of() {
  return table<make_expansions<Base>>();
}

} // namespace detail
} // namespace thrust_rns
