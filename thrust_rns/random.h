// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Uniformly distributed numbers from any Thrust or standard random engine.

#include <cstdint>
#include <type_traits>

#include <thrust_rns/config.h>
#include <thrust_rns/convert.h>
#include <thrust_rns/detail/base_tables.h>
#include <thrust_rns/functional.h>
#include <thrust_rns/number.h>

namespace thrust_rns {
namespace detail {

/// The range of an engine: `min` and `max` are functions in the standard library and constants in Thrust.
template <class Engine, class = void>
struct engine_range {
  static constexpr std::uint64_t lowest = Engine::min, highest = Engine::max;
};
template <class Engine>
struct engine_range<Engine, std::void_t<decltype((Engine::min)())>> {
  static constexpr std::uint64_t lowest = (Engine::min)(), highest = (Engine::max)();
};

/// A uniform integer in [0, bound), 1 <= bound <= 2^32, from an engine of any range: outputs are joined until they
/// span at least 2^32 values, and the incomplete last block is rejected, so there is no bias.
THRUST_RNS_EXEC_CHECK_DISABLE
template <class Engine>
THRUST_RNS_HD std::uint32_t uniform_below(Engine& engine, std::uint64_t bound) {
  constexpr std::uint64_t lowest = engine_range<Engine>::lowest;
  constexpr std::uint64_t count = engine_range<Engine>::highest - lowest + 1; // 0 stands for 2^64
  for (;;) {
    std::uint64_t value = static_cast<std::uint64_t>(engine()) - lowest;
    std::uint64_t span = count;
    while (span != 0 && span < (std::uint64_t{1} << 32)) { // so count < 2^32 and the product is below 2^64
      value = value * count + (static_cast<std::uint64_t>(engine()) - lowest);
      span *= count;
    }
    const std::uint64_t rest = (span - 1) % bound + 1; // 1 .. bound: the last block's length, right for 2^64 too
    if (rest == bound || value < span - rest) return static_cast<std::uint32_t>(value % bound);
  }
}

} // namespace detail

/// Uniformly distributed numbers in [min, max], both included; by default the whole range.
///
/// The whole range takes one draw a residue. A part of it is drawn by bits with rejection (fewer than two tries on
/// average). Unbiased for every engine whose outputs are unbiased. Host and device.
///
/// @code
/// #include <thrust/random.h>
/// using number = thrust_rns::number<thrust_rns::moduli_for_bits<256>>;
/// thrust::default_random_engine engine(42);
/// thrust_rns::uniform_distribution<number> die(number(1), number(6));
/// number x = die(engine);
/// std::cout << (number(1) <= x && x <= number(6)) << '\n';  // prints 1
/// @endcode
template <class Number>
class uniform_distribution {
  using Base = typename Number::base_type;
  static constexpr int words = detail::base_constants<Base>::words;

 public:
  using result_type = Number;

  THRUST_RNS_HD uniform_distribution() : whole_(true), low_{}, span_{} {}

  /// Precondition: low <= high.
  THRUST_RNS_HD uniform_distribution(const Number& low, const Number& high) : whole_(false), low_(low), span_{} {
    const Number span = high - low; // in [0, M) as an unsigned number, in either range
    detail::to_words<Base>(detail::residues_of<Number>{span}, span_.data());
  }

  THRUST_RNS_EXEC_CHECK_DISABLE
  template <class Engine>
  THRUST_RNS_HD Number operator()(Engine& engine) const {
    Number x{};
    if (whole_) {
      for (int i = 0; i < Number::size; ++i) {
        x.set_residue(i, detail::uniform_below(engine, detail::moduli_of<Base>()[i].value()));
      }
      return x;
    }
    int top = words - 1;
    while (top > 0 && span_[top] == 0) --top;
    detail::array<std::uint32_t, words> offset{};
    const std::uint64_t top_count = std::uint64_t{1} << detail::bit_length(span_[top]);
    do {
      for (int j = 0; j < top; ++j) offset[j] = detail::uniform_below(engine, std::uint64_t{1} << 32);
      offset[top] = detail::uniform_below(engine, top_count);
    } while (detail::compare_words(offset.data(), words, span_.data(), words) > 0);
    return low_ + detail::from_words<Number>(offset.data(), words, false);
  }

 private:
  bool whole_;
  Number low_;
  detail::array<std::uint32_t, words> span_; // high - low
};

/// Whether a bit length is meant exactly, or as the most.
enum class bit_count { exactly, at_most };

/// Uniformly distributed integers in [0, 2^bits), or with `exactly` in [2^(bits - 1), 2^bits), for any engine.
/// Precondition: 0 <= bits <= numeric_limits<Number>::digits. Host and device.
///
/// @code
/// #include <thrust/random.h>
/// using number = thrust_rns::number<thrust_rns::moduli_for_bits<256>>;
/// thrust::default_random_engine engine(42);
/// number x = thrust_rns::uniform_bits<number>(10)(engine);
/// std::cout << (number(512) <= x && x < number(1024)) << '\n';  // prints 1
/// @endcode
template <class Number>
THRUST_RNS_HD uniform_distribution<Number> uniform_bits(int bits, bit_count kind = bit_count::exactly) {
  const auto power = [](int b) {
    Number x{};
    for (int i = 0; i < Number::size; ++i) {
      const modulus m = detail::moduli_of<typename Number::base_type>()[i];
      x.set_residue(i, m.power(2 % m.value(), static_cast<std::uint64_t>(b)));
    }
    return x;
  };
  const Number low = kind == bit_count::exactly && bits > 0 ? power(bits - 1) : Number{};
  return uniform_distribution<Number>(low, power(bits) - Number(1));
}

} // namespace thrust_rns
