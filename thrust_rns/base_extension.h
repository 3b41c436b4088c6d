// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Base extension and change of base: the same integer over other moduli, exactly.
///
///   convert_base<To>(x)                                      a number of type To congruent to X modulo its range M'
///   checked_convert_base(x, y)                               the same in y, and whether X is outside the range of y
///   convert_base([policy,] first, last, result)              for vectors
///   checked_convert_base([policy,] first, last, result)      for vectors: the first element that does not fit, or -1
///
/// X is the value in the range of x, unsigned or symmetric, so -1 stays -1 in a symmetric To, and becomes M' - 1 in an unsigned
/// one. The two bases may share moduli or not, and each may hold an even one.
///
/// Method: X = sum x_i c_i - r M with constants c_i, modulo each m'_j; the rank r comes from the first pass of the interval
/// evaluation and is exact. Work: n n' multiply-adds a number. X next to 0 or M (unsigned), or next to M/2 (symmetric), takes up to
/// log2(M)/96 more passes over its residues to find r.

#include <cstdint>
#include <type_traits>

#include <thrust_rns/config.h>
#include <thrust_rns/convert.h>
#include <thrust_rns/detail/first_index.h>
#include <thrust_rns/detail/for_each_index.h>
#include <thrust_rns/detail/rank.h>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/number.h>

namespace thrust_rns {
namespace detail {

/// out[e](j, X_e mod m'_j) for all j, of E numbers; X in the range of Number.
template <class Number, class To, int E, class X, class Output>
THRUST_RNS_HD void extend(const X (&x)[E], const Output& out) {
  using From = typename Number::base_type;
  const auto& table = detail::table<make_extension<From, To>>();
  std::uint64_t rank[E];
  for (int e = 0; e < E; ++e) rank[e] = static_cast<std::uint64_t>(rank_of<Number>(x[e]));
  THRUST_RNS_REPEAT(1)
  for (int g = 0; g < table.tiles; ++g) {
    const auto& rows = table.tile[g];
    std::uint64_t sum[E][columns_together] = {};
    std::uint32_t m[columns_together];
    for (int c = 0; c < columns_together; ++c) {
      const int j = columns_together * g + c;
      m[c] = moduli_of<To>()[j < To::size ? j : 0].value();
    }
    // A product is below 2^31 m: below 2^32 m before, sums stay below 2^33 m with two more, and one subtraction restores that.
    THRUST_RNS_REPEAT(4)
    for (int i = 0; i < From::size; ++i) {
      for (int e = 0; e < E; ++e) {
        const std::uint64_t residue = x[e](i);
        for (int c = 0; c < columns_together; ++c) sum[e][c] += residue * rows[i].column[c];
      }
      if (i % 2 == 0) continue;
      for (int e = 0; e < E; ++e) {
        for (int c = 0; c < columns_together; ++c) {
          const auto high = static_cast<std::uint32_t>(sum[e][c] >> 32), less = high - m[c];
          sum[e][c] =
              (static_cast<std::uint64_t>(less < high ? less : high) << 32) | static_cast<std::uint32_t>(sum[e][c]);
        }
      }
    }
    for (int c = 0; c < columns_together && columns_together * g + c < To::size; ++c) {
      const int j = columns_together * g + c;
      const modulus& p = moduli_of<To>()[j];
      for (int e = 0; e < E; ++e) {
        out(e, j, p.subtract(p.reduce(sum[e][c]), p.multiply(p.reduce(rank[e]), table.range[j])));
      }
    }
  }
}

/// The residues of one number.
template <class Number>
struct number_output {
  Number& x;
  THRUST_RNS_HD void operator()(int, int i, std::uint32_t r) const { x.set_residue(i, r); }
};

template <class From, class To>
struct convert_elements {
  static constexpr int elements_together = 2, blocks_at_once = 4;
  span<const From> in;
  std::int64_t in_first;
  span<To> out;
  std::int64_t out_first;

  template <int E>
  THRUST_RNS_HD void operator()(const element_group<E>& group) const {
    const group_input<E, From> x(group, in, in_first);
    extend<From, typename To::base_type>(x.x, outputs_at(group, out, out_first));
  }
};

/// Whether every value of From is one of To, as types tell.
template <class From, class To>
inline constexpr bool always_fits = !(From::is_symmetric && !To::is_symmetric) &&
                                    base_constants<typename To::base_type>::range_bits - (To::is_symmetric ? 1 : 0) >
                                        base_constants<typename From::base_type>::range_bits -
                                            (From::is_symmetric ? 1 : 0);

template <class Base, class Range>
THRUST_RNS_HD bool is_negative(const number<Base, Range>& x) {
  if constexpr (number<Base, Range>::is_symmetric) return sign(x) < 0;
  return false;
}

} // namespace detail

/// The number of type To congruent to X modulo M', the range of To: X itself where X lies in it. Host and device.
///
/// @code
/// using small = thrust_rns::number<thrust_rns::moduli_for_bits<128>, thrust_rns::symmetric_range>;
/// using large = thrust_rns::number<thrust_rns::moduli_for_bits<512>, thrust_rns::symmetric_range>;
/// small x = small(-1'000'000'007) * small(1'000'000'009);
/// std::cout << thrust_rns::convert_base<large>(x) << '\n';  // prints -1000000016000000063
/// @endcode
template <class To, class Base, class Range>
THRUST_RNS_HD To convert_base(const number<Base, Range>& x) {
  static_assert(is_number<To>, "thrust_rns: convert_base<To> makes a thrust_rns::number<...>");
  using From = number<Base, Range>;
  To y{};
  const detail::residues_of<From> source[1] = {{x}};
  detail::extend<From, typename To::base_type>(source, detail::number_output<To>{y});
  return y;
}

/// y := convert_base<To>(x); true if X is outside the range of To, so that y is another integer, as in
/// `__builtin_add_overflow`. Host and device.
///
/// Equal signs and an equal round trip mean the same integer: two of one sign that agree modulo M and M' differ by less than
/// max(M, M'), which divides that difference's multiple lcm(M, M').
///
/// @code
/// using small = thrust_rns::number<thrust_rns::moduli_set<13, 7, 16>, thrust_rns::symmetric_range>;  // -728 .. 727
/// small y;
/// std::cout << thrust_rns::checked_convert_base(thrust_rns::number<thrust_rns::moduli_for_bits<64>>(728), y) << ' ' << y << '\n';
/// // prints 1 -728
/// @endcode
template <class Base, class Range, class To>
THRUST_RNS_HD bool checked_convert_base(const number<Base, Range>& x, To& y) {
  y = convert_base<To>(x);
  if constexpr (detail::always_fits<number<Base, Range>, To>) return false;
  return detail::is_negative(x) != detail::is_negative(y) || convert_base<number<Base, Range>>(y) != x;
}

namespace detail {

template <class From, class To>
struct leaves_range {
  span<const From> in;
  std::int64_t in_first;
  THRUST_RNS_HD bool operator()(std::int64_t j) const {
    To y;
    return checked_convert_base(in.load(in_first + j), y);
  }
};

} // namespace detail

/// result[k] := convert_base<To>(first[k]), To the type of the result's numbers; returns the end of the results. Iterators are
/// those of `device_vector` or `host_vector`; input and result do not overlap. 4 bytes a residue are read n'/8 times, mostly
/// from cache, and each result is written once. On the policy's stream; waits as Thrust's algorithms do.
///
/// @code
/// using small = thrust_rns::number<thrust_rns::moduli_for_bits<64>, thrust_rns::symmetric_range>;
/// using large = thrust_rns::number<thrust_rns::moduli_for_bits<256>, thrust_rns::symmetric_range>;
/// thrust_rns::device_vector<small> v{small(5), small(-7)};
/// thrust_rns::device_vector<large> w(2);
/// thrust_rns::convert_base(v.begin(), v.end(), w.begin());
/// std::cout << w[1] * w[1] * w[1] << '\n';  // prints -343
/// @endcode
template <class Policy, class T, class To, class System>
basic_iterator<To, System> convert_base(const detail::any_policy<Policy>& exec, basic_iterator<T, System> first,
                                        basic_iterator<T, System> last, basic_iterator<To, System> result) {
  using From = std::remove_const_t<T>;
  detail::for_each_index<System>(detail::derived_policy(exec), last - first,
                                 detail::convert_elements<From, To>{first.underlying_span(), first.index(),
                                                                    result.underlying_span(), result.index()},
                                 "thrust_rns: convert_base");
  return result + (last - first);
}
template <class T, class To, class System>
basic_iterator<To, System> convert_base(basic_iterator<T, System> first, basic_iterator<T, System> last,
                                        basic_iterator<To, System> result) {
  return convert_base(System(), first, last, result);
}

/// The same; returns the index from `first` of the first element outside the range of To, or -1. Every result is written,
/// wrapped modulo M'. Waits for the answer.
template <class Policy, class T, class To, class System>
std::int64_t checked_convert_base(const detail::any_policy<Policy>& exec, basic_iterator<T, System> first,
                                  basic_iterator<T, System> last, basic_iterator<To, System> result) {
  using From = std::remove_const_t<T>;
  convert_base(exec, first, last, result);
  if constexpr (detail::always_fits<From, To>) return -1;
  return detail::first_index<System>(detail::derived_policy(exec), last - first,
                                     detail::leaves_range<From, To>{first.underlying_span(), first.index()});
}
template <class T, class To, class System>
std::int64_t checked_convert_base(basic_iterator<T, System> first, basic_iterator<T, System> last,
                                  basic_iterator<To, System> result) {
  return checked_convert_base(System(), first, last, result);
}

} // namespace thrust_rns
