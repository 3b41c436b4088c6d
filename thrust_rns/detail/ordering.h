// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// What sorting and searching share on every backend: numbers with their cached keys, comparison of near ones, and the
/// records by which close runs are put in order.
///
/// *Close runs.* Let a range be sorted by keys. A run is a longest piece of it in which the keys of neighbours differ by at
/// most one. Numbers of different runs are in order, as key(X) + 1 < key(Y) implies X < Y; inside a run keys say nothing,
/// since key(X) = key(Y) + 1 with X < Y is possible. In a run of c numbers keys differ by at most c - 1 < 2^32. A key is
/// f(|X|/M) or one less, and a unit in the last place of f is at most 2^-(p+1), p >= 34, so the numbers of a run, which have one
/// sign (the keys next to that of 0 are 2^p - 1 away), differ by less than (2^32 + 1) 2^-35 M < M/4. So for a reference R of
/// the run, D = X - R is the symmetric representative of the residues' difference, and its own key, which has p leading bits of
/// |D| instead of |X|, orders the run again; D = 0 has a key that no other D has. What is still close then is a run again, and
/// gets a reference of its own. A few such levels settle all but made-up cases; those are compared in pairs.

#include <cstdint>
#include <type_traits>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/candidate.h>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/number.h>
#include <thrust_rns/span.h>

namespace thrust_rns {
namespace detail {

/// The sums of the first group of digits; `any` is 0 if all residues are.
template <class Base, class X>
THRUST_RNS_HD digit_sums first_sums(X x, std::uint32_t& any) {
  const auto& digits = expansions_of<Base>().group[0];
  digit_sums sums;
  for (int i = 0; i < Base::size; ++i) {
    const std::uint32_t r = x(i);
    any |= r;
    sums.add(r, digits[i]);
  }
  return sums;
}

/// The order of two numbers whose keys differ by at most one. Equal numbers, and all but very close ones, take one pass over
/// the residues.
template <class Number, class X, class Y>
THRUST_RNS_HD THRUST_RNS_NOINLINE int compare_near(X x, Y y) {
  using Base = typename Number::base_type;
  const difference_of<Base, X, Y> difference{x, y};
  std::uint32_t any = 0;
  const digit_sums sums = first_sums<Base>(difference, any);
  if (any == 0) return 0;
  const int128_t p = sums.signed_fraction();
  if (p >= 1) return 1;
  if (p + static_cast<int128_t>(base_constants<Base>::error) <= -1) return -1;
  return sign_near_zero<Base>(single_thread{}, difference);
}

/// -1, 0, 1 as X <, =, > Y; exact.
template <class Number, class X, class Y>
THRUST_RNS_HD int compare_keyed(X x, std::uint64_t key_x, Y y, std::uint64_t key_y) {
  if (key_x + 1 < key_y) return -1;
  if (key_y + 1 < key_x) return 1;
  return compare_near<Number>(x, y);
}

/// Whether all residues agree; read in batches, so that loads do not wait for each other.
template <int Size, class X, class Y>
THRUST_RNS_HD bool same_residues(X x, Y y) {
  constexpr int batch = 8, whole = Size / batch * batch;
  for (int i = 0; i < whole; i += batch) {
    std::uint32_t any = 0;
    for (int k = 0; k < batch; ++k) any |= x(i + k) ^ y(i + k);
    if (any != 0) return false;
  }
  std::uint32_t any = 0;
  for (int i = whole; i < Size; ++i) any |= x(i) ^ y(i);
  return any == 0;
}

template <class Number, class X>
THRUST_RNS_HD THRUST_RNS_NOINLINE std::uint64_t evaluate_apart(X x) {
  return evaluate_key<Number>(x);
}

/// Numbers in the memory of the caller, counted from 0, with their cached evaluations, if there is room for them.
template <class Number>
struct numbers_view {
  residue_layout layout;
  std::uint64_t* evaluations;

  THRUST_RNS_HD strided_residues residues(std::int64_t j) const { return layout.element(j); }
  THRUST_RNS_HD std::uint64_t key(std::int64_t j) const {
    std::uint64_t k = evaluations == nullptr ? 0 : load_relaxed(evaluations + j);
    if (k != 0) return k;
    k = evaluate_apart<Number>(residues(j));
    if (evaluations != nullptr) store_relaxed(evaluations + j, k);
    return k;
  }
};

/// The numbers from an iterator on.
template <class T, class System>
THRUST_RNS_HD auto view_of(basic_iterator<T, System> first) {
  const auto& s = first.underlying_span();
  return numbers_view<std::remove_const_t<T>>{{s.plane(0) + first.index(), s.stride(), 1},
                                              s.evaluations() == nullptr ? nullptr : s.evaluations() + first.index()};
}
template <class Iterator>
THRUST_RNS_HD auto view_of(Iterator first) { // of whole numbers
  using Number = typename thrust::iterator_traits<Iterator>::value_type;
  return numbers_view<Number>{layout_of(static_cast<const Number*>(raw_pointer_of(first))), nullptr};
}

/// Keys as integers of few bits that ascend in the order wanted.
template <class Number>
struct order_code {
  using constants = base_constants<typename Number::base_type>;
  static constexpr int magnitude_bits = constants::mantissa_bits + bit_length(constants::exponent_bias);
  static constexpr int bits = magnitude_bits + (Number::is_symmetric ? 1 : 0);
  static constexpr std::uint64_t lowest =
      zero_key - (Number::is_symmetric ? std::uint64_t{1} << magnitude_bits : std::uint64_t{0});

  THRUST_RNS_HD static std::uint64_t make(std::uint64_t key, bool descending) {
    const std::uint64_t code = key - lowest;
    return descending ? (std::uint64_t{1} << bits) - 1 - code : code;
  }
};

/// Whether numbers of these codes may be in either order, codes ascending.
THRUST_RNS_HD inline bool is_close(std::uint64_t code, std::uint64_t next) { return next - code <= 1; }

/// Whether place i of a sequence of codes belongs to a run of two or more.
struct in_close_run {
  const std::uint64_t* codes;
  std::int64_t count;

  THRUST_RNS_HD bool operator()(std::int64_t i) const {
    return (i > 0 && is_close(codes[i - 1], codes[i])) || (i + 1 < count && is_close(codes[i], codes[i + 1]));
  }
};

/// A number of a close run: which run, the code of its difference from the run's reference, and the number's index.
template <class Index>
struct alignas(16) run_record {
  std::uint64_t code;
  Index run, index;
};

/// By run and code; of equal codes the earlier number.
template <class Index>
struct record_before {
  THRUST_RNS_HD bool operator()(const run_record<Index>& a, const run_record<Index>& b) const {
    if (a.run != b.run) return a.run < b.run;
    return a.code != b.code ? a.code < b.code : a.index < b.index;
  }
};

/// By run and number; of equal numbers the earlier.
template <class Number, class Index>
struct record_before_exactly {
  residue_layout layout;
  bool descending;

  THRUST_RNS_HD bool operator()(const run_record<Index>& a, const run_record<Index>& b) const {
    if (a.run != b.run) return a.run < b.run;
    if (a.index == b.index) return false;
    const int c = compare_near<Number>(layout.element(a.index), layout.element(b.index));
    return c != 0 ? (c < 0) != descending : a.index < b.index;
  }
};

/// The levels of references, after which numbers are compared in pairs.
inline constexpr int reference_levels = 3;

/// k if a run begins at record k, else 0; the running maximum of these is the record where the run of each begins.
template <class Index>
struct run_beginning {
  const run_record<Index>* records;
  const Index* count; // of the records; what lies behind them does not matter

  THRUST_RNS_HD Index operator()(Index k) const {
    if (k == 0 || k >= *count) return 0;
    const run_record<Index>&a = records[k - 1], &b = records[k];
    return a.run == b.run && is_close(a.code, b.code) ? 0 : k;
  }
};

/// The difference from a reference is a signed number whatever the range is.
template <class Number>
using difference_number = number<typename Number::base_type, symmetric_range>;

/// The code of D = 0: then the numbers of the run are equal.
template <class Number>
THRUST_RNS_HD std::uint64_t code_of_equal(bool descending) {
  return order_code<difference_number<Number>>::make(zero_key, descending);
}

template <class Number>
THRUST_RNS_HD std::uint64_t difference_code(strided_residues x, strided_residues reference, bool descending) {
  using Base = typename Number::base_type;
  using Difference = difference_number<Number>;
  const difference_of<Base, strided_residues, strided_residues> difference{x, reference};
  std::uint32_t any = 0;
  const std::uint64_t leading = first_sums<Base>(difference, any).leading();
  if (any == 0) return code_of_equal<Number>(descending);
  std::uint64_t key = key_from_leading<Difference>(leading);
  if (key == 0) key = key_by_magnification<Difference>(difference, leading);
  return order_code<Difference>::make(key, descending);
}

} // namespace detail
} // namespace thrust_rns
