// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// The rings Z_m[x]/(x^n - x - 1) of NTRU Prime and CTRU-Prime, and their elements as values.

#include <cstddef>
#include <cstdint>
#include <istream>
#include <ostream>
#include <string>
#include <type_traits>
#include <vector>

#include <thrust_rns/config.h>
#include <thrust_rns/error.h>

namespace thrust_rns {

/// The ring Z_m[x]/(x^n - x - 1), as a type: n = Degree, m = Modulus.
///
/// In use are (n, q) = (653, 4621), (761, 4591), (857, 5167), (953, 6343), (1013, 7177) and (1277, 7879), and with the
/// same degrees the moduli 3 and powers of two. m need not be prime. Products are exact for every degree and modulus that compiles.
template <int Degree, int Modulus>
struct prime_ring {
  static_assert(2 <= Degree && Degree <= 2032,
                "thrust_rns: the degree of a prime_ring must lie between 2 and 2032, or 32-bit sums could overflow");
  static_assert(2 <= Modulus && Modulus <= 8192,
                "thrust_rns: the modulus of a prime_ring must lie between 2 and 8192, or 32-bit sums could overflow");
  static constexpr int degree = Degree;
  static constexpr int modulus = Modulus;
};

/// Coefficients modulo M, kept as their representatives in [0, M), 16 bits each.
template <int M>
struct coefficients_modulo {
  using storage_type = std::uint16_t;
  static constexpr int modulus = M;
  static constexpr int smallest = -(M / 2), largest = (M - 1) / 2; // centred
};

/// Integer coefficients in [-Bound, Bound], for Bound = 128 in [-128, 127]; 8 bits each. They belong to no modulus.
template <int Bound>
struct coefficients_up_to {
  static_assert(1 <= Bound && Bound <= 128, "thrust_rns: small coefficients are 8-bit: the bound is 1 .. 128");
  using storage_type = std::int8_t;
  static constexpr int bound = Bound;
  static constexpr int smallest = -Bound, largest = Bound == 128 ? 127 : Bound;
};

/// A polynomial of degree below Degree, as a value and as a row of memory: Degree coefficients, constant first, then zeros
/// up to a multiple of 32 coefficients (`row`); sizeof is the length of the row, a multiple of 32 bytes.
///
/// A vector of elements is thus an array of padded, aligned rows; `ring_vector.h` names such vectors and converts whole
/// batches. Trivially copyable. Whoever writes rows as raw memory must leave zeros in the padding and keep coefficients
/// in their range; on other bits results are unspecified, and nothing traps.
///
/// @code
/// using ring = thrust_rns::prime_ring<761, 4591>;
/// thrust_rns::full_element<ring> a;  // zero
/// a.set(760, -1);                    // -x^760
/// thrust_rns::ternary_element<ring> b;
/// b.set(1, 1);  // x
/// auto c = a * b;
/// std::cout << c[0] << ' ' << c[1] << ' ' << c.residue(1) << '\n';  // prints -1 -1 4590
/// @endcode
template <int Degree, class Coefficients>
class alignas(16) polynomial {
 public:
  using coefficients = Coefficients;
  using storage_type = typename Coefficients::storage_type;
  static constexpr int degree = Degree;
  static constexpr int row = (Degree + 31) / 32 * 32;
  /// Whether coefficients are modulo something.
  static constexpr bool is_full = std::is_same_v<storage_type, std::uint16_t>;

  /// Coefficient i, centred: in [Coefficients::smallest, Coefficients::largest].
  THRUST_RNS_HD constexpr int operator[](int i) const {
    const int c = values_[i];
    if constexpr (is_full) return c - (c > Coefficients::largest ? Coefficients::modulus : 0);
    return c;
  }

  /// Coefficient i modulo M, in [0, M).
  THRUST_RNS_HD constexpr int residue(int i) const {
    static_assert(is_full, "thrust_rns: only coefficients modulo M have residues");
    return values_[i];
  }

  /// Coefficient i := value, reduced modulo M if the coefficients have a modulus; else value must be in range, which
  /// `assign` checks.
  THRUST_RNS_HD constexpr void set(int i, int value) {
    if constexpr (is_full) {
      const int r = value % Coefficients::modulus;
      values_[i] = static_cast<storage_type>(r + (r < 0 ? Coefficients::modulus : 0));
    } else {
      values_[i] = static_cast<storage_type>(value);
    }
  }

  /// All coefficients from integers, constant first, any centring; throws range_error naming the coefficient and its value if
  /// one does not fit (any fits where there is a modulus), and then changes nothing. Host only.
  template <class Integer>
  void assign(const Integer* values) {
    static_assert(std::is_signed_v<Integer>, "thrust_rns: coefficients come as signed integers");
    polynomial p;
    for (int i = 0; i < Degree; ++i) {
      if constexpr (!is_full) {
        if (values[i] < Coefficients::smallest || values[i] > Coefficients::largest) {
          throw range_error("thrust_rns: coefficient " + std::to_string(i) + " is " + std::to_string(values[i]) +
                            ", outside [" + std::to_string(Coefficients::smallest) + ", " +
                            std::to_string(Coefficients::largest) + "]");
        }
        p.set(i, static_cast<int>(values[i]));
      } else {
        p.set(i, static_cast<int>(values[i] % Coefficients::modulus));
      }
    }
    *this = p;
  }

  /// The row: `row` stored coefficients.
  THRUST_RNS_HD constexpr storage_type* data() { return values_; }
  THRUST_RNS_HD constexpr const storage_type* data() const { return values_; }

  THRUST_RNS_HD friend constexpr bool operator==(const polynomial& a, const polynomial& b) {
    int different = 0; // every coefficient is looked at, whatever they are
    for (int i = 0; i < row; ++i) different |= a.values_[i] ^ b.values_[i];
    return different == 0;
  }
  THRUST_RNS_HD friend constexpr bool operator!=(const polynomial& a, const polynomial& b) { return !(a == b); }

  /// Centred coefficients, blank between them, constant first.
  friend std::ostream& operator<<(std::ostream& os, const polynomial& p) {
    for (int i = 0; i < Degree; ++i) os << (i == 0 ? "" : " ") << p[i];
    return os;
  }
  /// Reads Degree integers. If one is missing, malformed or out of range, sets failbit and leaves `p` as it was.
  friend std::istream& operator>>(std::istream& is, polynomial& p) {
    std::vector<std::int64_t> values(Degree);
    for (std::int64_t& value : values) is >> value;
    if (!is) return is;
    try {
      p.assign(values.data());
    } catch (const range_error&) {
      is.setstate(std::ios_base::failbit);
    }
    return is;
  }

 private:
  storage_type values_[row] = {};
};

/// An element with coefficients modulo R::modulus.
template <class R>
using full_element = polynomial<R::degree, coefficients_modulo<R::modulus>>;
/// An element with 8-bit integer coefficients; a bound up to 63 makes products faster.
template <class R, int Bound = 128>
using small_element = polynomial<R::degree, coefficients_up_to<Bound>>;
/// An element with coefficients -1, 0, 1: secrets, and all of R/3.
template <class R>
using ternary_element = small_element<R, 1>;

namespace detail {

template <class T>
inline constexpr bool is_polynomial = false;
template <int Degree, class Coefficients>
inline constexpr bool is_polynomial<polynomial<Degree, Coefficients>> = true;

/// The element type of results in the ring R: modulo 3 the centred representatives are the ternary elements.
template <class R>
using result_element = std::conditional_t<R::modulus == 3, ternary_element<R>, full_element<R>>;

/// The two polynomials' common ring: the full operand's.
template <int Degree, class A, class B>
struct common_ring {
  static_assert(
      A::largest != A::largest,
      "thrust_rns: a product or sum of two small elements needs a modulus: use ring_multiplies<prime_ring<n, m>>");
};
template <int Degree, int M, class B>
struct common_ring<Degree, coefficients_modulo<M>, B> {
  using type = prime_ring<Degree, M>;
};
template <int Degree, class A, int M>
struct common_ring<Degree, A, coefficients_modulo<M>> {
  using type = prime_ring<Degree, M>;
};
template <int Degree, int M>
struct common_ring<Degree, coefficients_modulo<M>, coefficients_modulo<M>> {
  using type = prime_ring<Degree, M>;
};
template <int Degree, int M, int N>
struct common_ring<Degree, coefficients_modulo<M>, coefficients_modulo<N>> {
  static_assert(M == N, "thrust_rns: the operands have different moduli; ring_convert changes the modulus");
};

} // namespace detail
} // namespace thrust_rns
