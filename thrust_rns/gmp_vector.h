// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Many GMP integers to a vector of numbers and back.
///
///   import_mpz([policy,] from, from_last, first)    numbers := GMP integers; returns their end
///   export_mpz([policy,] first, last, to)           GMP integers := numbers; returns their end
///
/// from, from_last, to: random access iterators in host memory over `mpz_class`, `mpz_t` (a pointer into an array of
/// them), or pointers to `mpz_t`; what is written must be initialised. first, last: iterators of `device_vector` or
/// `host_vector`.
///
/// Exact. An integer outside the range is a range_error that names the first such element and its value; then nothing
/// is written. Work: one pass over the integers on all cores of the host (GMP's own export and import), then exchange.h
/// on the device. Memory: the limbs of all integers on the host for an import, 64 MB for an export; 64 MB on the
/// device. Copies between host and device take their turn in the default stream, kernels run in the policy's; returns
/// when all is done.
///
/// @code
/// #include <gmpxx.h>
/// #include <thrust_rns/device_vector.h>
/// #include <thrust_rns/gmp_vector.h>
/// using number = thrust_rns::number<thrust_rns::moduli_for_bits<256>, thrust_rns::symmetric_range>;
/// const std::vector<mpz_class> z{mpz_class("123456789012345678901234567890"), -7};
/// thrust_rns::device_vector<number> v(2);
/// thrust_rns::import_mpz(z.begin(), z.end(), v.begin());
/// v[1] = v[0] + v[1];
/// std::vector<mpz_class> back(2);
/// thrust_rns::export_mpz(v.begin(), v.end(), back.begin());
/// std::cout << back[1] << '\n';  // prints 123456789012345678901234567883
/// @endcode

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/host_rows.h>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/error.h>
#include <thrust_rns/gmp.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/number.h>

namespace thrust_rns {
namespace detail {

inline mpz_srcptr mpz_of(mpz_srcptr z) { return z; }
template <class Integer>
auto mpz_of(const Integer& z) -> decltype(z.get_mpz_t()) {
  return z.get_mpz_t();
}
inline mpz_ptr mutable_mpz_of(mpz_ptr z) { return z; }
template <class Integer>
auto mutable_mpz_of(Integer& z) -> decltype(z.get_mpz_t()) {
  return z.get_mpz_t();
}

/// row := z, or a range_error.
template <class Number>
void write_row_of_mpz(mpz_srcptr z, std::int64_t e, std::uint64_t* row) {
  using Base = typename Number::base_type;
  const std::size_t limbs = mpz_sgn(z) == 0 ? 0 : (mpz_sizeinbase(z, 2) + 63) / 64;
  const bool negative = mpz_sgn(z) < 0;
  bool fits = limbs <= static_cast<std::size_t>(row_limbs<Number>);
  if (fits) {
    std::fill(row, row + row_limbs<Number>, 0);
    mpz_export(row, nullptr, -1, sizeof(std::uint64_t), 0, 0, z);
    std::uint32_t words[2 * row_limbs<Number>];
    for (int j = 0; j < 2 * row_limbs<Number>; ++j) words[j] = static_cast<std::uint32_t>(row[j / 2] >> (32 * (j % 2)));
    fits = static_cast<int>(mpz_sizeinbase(z, 2)) < base_constants<Base>::range_bits - 1 && !negative;
    fits = fits || in_range<Number>(words, 2 * row_limbs<Number>, negative);
  }
  if (!fits) {
    try {
      from_mpz<Number>(z); // says what there is to say
    } catch (const range_error& error) {
      throw range_error("element " + std::to_string(e) + ": " + error.what());
    }
  }
  if (negative) negate_row(row, row_limbs<Number>);
}

} // namespace detail

template <class Policy, class InputIterator, class Number, class System>
basic_iterator<Number, System> import_mpz(const Policy& exec, InputIterator from, InputIterator from_last,
                                          basic_iterator<Number, System> first) {
  const std::int64_t count = from_last - from;
  detail::import_rows(detail::derived_policy(exec), count, first, [&](std::int64_t e, std::uint64_t* row) {
    detail::write_row_of_mpz<Number>(detail::mpz_of(from[e]), e, row);
  });
  return first + count;
}
template <class InputIterator, class Number, class System>
basic_iterator<Number, System> import_mpz(InputIterator from, InputIterator from_last,
                                          basic_iterator<Number, System> first) {
  return import_mpz(System(), from, from_last, first);
}

template <class Policy, class T, class System, class OutputIterator>
OutputIterator export_mpz(const Policy& exec, basic_iterator<T, System> first, basic_iterator<T, System> last,
                          OutputIterator to) {
  constexpr int limbs = detail::row_limbs<std::remove_const_t<T>>;
  detail::export_rows(detail::derived_policy(exec), first, last, [&](std::int64_t e, std::uint64_t* row) {
    const mpz_ptr z = detail::mutable_mpz_of(to[e]);
    const bool negative = row[limbs - 1] >> 63 != 0;
    if (negative) detail::negate_row(row, limbs);
    mpz_import(z, limbs, -1, sizeof(std::uint64_t), 0, 0, row);
    if (negative) mpz_neg(z, z);
  });
  return to + (last - first);
}
template <class T, class System, class OutputIterator>
OutputIterator export_mpz(basic_iterator<T, System> first, basic_iterator<T, System> last, OutputIterator to) {
  return export_mpz(System(), first, last, to);
}

} // namespace thrust_rns
