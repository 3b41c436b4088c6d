// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Exchange with GMP. The only header that needs <gmp.h>; link with -lgmp. Host only.

#include <cstddef>
#include <string>
#include <vector>

#include <gmp.h>

#include <thrust_rns/config.h>
#include <thrust_rns/convert.h>
#include <thrust_rns/error.h>
#include <thrust_rns/number.h>

namespace thrust_rns {

/// z as a number, checked: a range_error names a value outside the range. z is a `mpz_t` or, below, a
/// `mpz_class`.
///
/// @code
/// using number = thrust_rns::number<thrust_rns::moduli_for_bits<256>>;
/// mpz_t z;
/// mpz_init(z);
/// mpz_ui_pow_ui(z, 3, 100);
/// number x = thrust_rns::from_mpz<number>(z) - number(1);
/// thrust_rns::to_mpz(z, x);
/// gmp_printf("%Zd\n", z);
/// mpz_clear(z);
/// // prints 515377520732011331036461129765621272702107522000
/// @endcode
template <class Number>
Number from_mpz(mpz_srcptr z) {
  detail::big_integer x;
  x.words.resize((mpz_sizeinbase(z, 2) + 31) / 32);
  std::size_t count = 0;
  mpz_export(x.words.data(), &count, -1, sizeof(std::uint32_t), 0, 0, z);
  x.words.resize(count);
  x.negative = mpz_sgn(z) < 0;
  return detail::from_big_integer<Number>(x);
}

template <class Number, class Integer>
auto from_mpz(const Integer& z) -> decltype(static_cast<void>(z.get_mpz_t()), Number()) {
  return from_mpz<Number>(z.get_mpz_t());
}

/// The values [first, last) in order, where *first is an `mpz_class` or has its `get_mpz_t()`. An error names the
/// element as well.
template <class Number, class InputIterator>
std::vector<Number> from_mpz(InputIterator first, InputIterator last) {
  std::vector<Number> numbers;
  for (std::size_t k = 0; first != last; ++first, ++k) {
    try {
      numbers.push_back(from_mpz<Number>((*first).get_mpz_t()));
    } catch (const range_error& e) {
      throw range_error("element " + std::to_string(k) + ": " + e.what());
    }
  }
  return numbers;
}

/// z := X. z is an initialised `mpz_t`, or a `mpz_class`.
template <class Base, class Range>
void to_mpz(mpz_ptr z, const number<Base, Range>& x) {
  const detail::big_integer value = detail::to_big_integer(x);
  mpz_import(z, value.words.size(), -1, sizeof(std::uint32_t), 0, 0, value.words.data());
  if (value.negative) mpz_neg(z, z);
}
template <class Integer, class Base, class Range>
auto to_mpz(Integer& z, const number<Base, Range>& x) -> decltype(static_cast<void>(z.get_mpz_t())) {
  to_mpz(z.get_mpz_t(), x);
}

} // namespace thrust_rns
