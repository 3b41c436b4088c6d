// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// How many integers lie in memory as limbs.

#include <cstdint>
#include <type_traits>

#include <thrust_rns/config.h>
#include <thrust_rns/convert.h>
#include <thrust_rns/detail/exchange_sinks.h>
#include <thrust_rns/detail/exchange_sources.h>
#include <thrust_rns/number.h>

namespace thrust_rns {

/// The layout of integers of `limbs` limbs each, 32 or 64 bits a limb: in rows, the limbs of an integer side by side
/// (as GMP and CGBN have them), or in planes, limb j of all integers side by side (as this library has residues).
///
///   limb_layout::rows(limbs [, leading])    limb j of integer e at  e * leading + j
///   limb_layout::planes(limbs, leading)     limb j of integer e at  j * leading + e
///
/// `leading` is counted in limbs: at least `limbs`, which is the default for rows, or at least the number of integers
/// for planes. Limb 0 is the least significant one, or with `most_significant_first()` the most significant one.
/// Integers have no sign, or with `twos_complement()` the highest bit of the highest limb is the sign.
///
/// @code
/// auto layout = thrust_rns::limb_layout::rows(4).twos_complement().most_significant_first();
/// std::cout << layout.limbs() << ' ' << layout.is_signed() << '\n';  // prints 4 1
/// @endcode
class limb_layout {
 public:
  static constexpr limb_layout rows(int limbs, std::int64_t leading = 0) {
    return limb_layout(limbs, leading == 0 ? limbs : leading, true);
  }
  static constexpr limb_layout planes(int limbs, std::int64_t leading) { return limb_layout(limbs, leading, false); }

  constexpr limb_layout most_significant_first() const {
    limb_layout other = *this;
    other.order_ = limb_order::most_significant_first;
    return other;
  }
  constexpr limb_layout twos_complement() const {
    limb_layout other = *this;
    other.signed_ = true;
    return other;
  }

  constexpr int limbs() const { return limbs_; }
  constexpr std::int64_t leading() const { return leading_; }
  constexpr bool by_rows() const { return rows_; }
  constexpr limb_order order() const { return order_; }
  constexpr bool is_signed() const { return signed_; }

  /// Whether `count` integers may lie so: at least one limb and at most 2^24, a leading dimension that is long enough.
  constexpr bool is_valid(std::int64_t count) const {
    return count >= 0 && limbs_ >= 1 && limbs_ <= (1 << 24) && leading_ >= (rows_ ? limbs_ : count);
  }

  /// Where limb j of element e is, relative to limb 0 of element 0: least significant first, whatever the order.
  constexpr std::int64_t offset(std::int64_t e, int j) const {
    const std::int64_t k = order_ == limb_order::least_significant_first ? j : limbs_ - 1 - j;
    return rows_ ? e * leading_ + k : k * leading_ + e;
  }

  template <class Limb>
  detail::limb_words<Limb> source(const Limb* limbs) const {
    return {limbs + offset(0, 0), element_stride(), limb_stride(), words_of<Limb>(), signed_};
  }
  template <class Limb>
  detail::limb_sink<Limb> sink(Limb* limbs) const {
    return {limbs + offset(0, 0), element_stride(), limb_stride(), words_of<Limb>(), signed_};
  }

 private:
  constexpr limb_layout(int limbs, std::int64_t leading, bool rows) : leading_(leading), limbs_(limbs), rows_(rows) {}

  constexpr std::int64_t element_stride() const { return rows_ ? leading_ : 1; }
  constexpr std::int64_t limb_stride() const {
    const std::int64_t stride = rows_ ? 1 : leading_;
    return order_ == limb_order::least_significant_first ? stride : -stride;
  }
  template <class Limb>
  constexpr int words_of() const {
    static_assert(std::is_unsigned_v<Limb> && (sizeof(Limb) == 4 || sizeof(Limb) == 8),
                  "thrust_rns: limbs of many integers are unsigned integers of 32 or 64 bits");
    return limbs_ * static_cast<int>(sizeof(Limb) / 4);
  }

  std::int64_t leading_;
  int limbs_;
  bool rows_, signed_ = false;
  limb_order order_ = limb_order::least_significant_first;
};

namespace detail {

template <class Value>
inline constexpr bool is_exchange_value = std::is_same_v<Value, double> ||
                                          (is_integer<Value> && sizeof(Value) >= 4 && !std::is_same_v<Value, bool>);

template <class Value>
using limb_of_value = std::conditional_t<sizeof(Value) == 4, std::uint32_t, std::uint64_t>;

template <class Value>
limb_layout layout_of_value() {
  const auto layout = limb_layout::rows(static_cast<int>(sizeof(Value) / sizeof(limb_of_value<Value>)));
  return is_signed_integer<Value> ? layout.twos_complement() : layout;
}

/// The words of built-in integers, or of doubles.
template <class Value>
auto source_of(const Value* values) {
  static_assert(is_exchange_value<Value>, "thrust_rns: values are integers of 32 to 128 bits, or double");
  if constexpr (std::is_same_v<Value, double>) {
    return double_words{values};
  } else {
    return layout_of_value<Value>().source(reinterpret_cast<const limb_of_value<Value>*>(values));
  }
}
template <class Value>
auto sink_of(Value* values) {
  static_assert(is_exchange_value<Value>, "thrust_rns: values are integers of 32 to 128 bits, or double");
  if constexpr (std::is_same_v<Value, double>) {
    return double_sink{values};
  } else {
    return layout_of_value<Value>().sink(reinterpret_cast<limb_of_value<Value>*>(values));
  }
}

} // namespace detail
} // namespace thrust_rns
