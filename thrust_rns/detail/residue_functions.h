// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// What functors of numbers do to one residue, and the operands of an algorithm that goes plane by plane.

#include <cstdint>
#include <type_traits>

#include <thrust_rns/config.h>
#include <thrust_rns/functional.h>
#include <thrust_rns/modular.h>
#include <thrust_rns/number.h>
#include <thrust_rns/span.h>

#include <cuda/functional>
#include <cuda/std/functional>

namespace thrust_rns {
namespace detail {

struct add_residues {
  THRUST_RNS_HD std::uint32_t operator()(const modulus& m, std::uint32_t a, std::uint32_t b) const {
    return m.add(a, b);
  }
};
struct subtract_residues {
  THRUST_RNS_HD std::uint32_t operator()(const modulus& m, std::uint32_t a, std::uint32_t b) const {
    return m.subtract(a, b);
  }
};
struct multiply_residues {
  THRUST_RNS_HD std::uint32_t operator()(const modulus& m, std::uint32_t a, std::uint32_t b) const {
    return m.multiply(a, b);
  }
};
struct negate_residue {
  THRUST_RNS_HD std::uint32_t operator()(const modulus& m, std::uint32_t a) const { return m.negate(a); }
};
struct invert_residue {
  THRUST_RNS_HD std::uint32_t operator()(const modulus& m, std::uint32_t a) const { return m.inverse(a); }
};
struct multiply_add_residues {
  THRUST_RNS_HD std::uint32_t operator()(const modulus& m, std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    return m.reduce(static_cast<std::uint64_t>(a) * b + c);
  }
};

/// Whether Function is one of libcu++'s (and so Thrust's) functors of a name, over numbers or over anything.
template <class Function, class Number, template <class> class Named>
inline constexpr bool is_named = std::is_same_v<Function, Named<Number>> || std::is_same_v<Function, Named<void>>;

/// The functor of residues for a functor of numbers that the library knows; void for any other.
template <class Function, class Number>
using binary_residue_function = std::conditional_t<
    std::is_same_v<Function, plus> || is_named<Function, Number, ::cuda::std::plus>, add_residues,
    std::conditional_t<
        std::is_same_v<Function, minus> || is_named<Function, Number, ::cuda::std::minus>, subtract_residues,
        std::conditional_t<std::is_same_v<Function, multiplies> || is_named<Function, Number, ::cuda::std::multiplies>,
                           multiply_residues, void>>>;
template <class Function, class Number>
using unary_residue_function =
    std::conditional_t<std::is_same_v<Function, negate> || is_named<Function, Number, ::cuda::std::negate>,
                       negate_residue, std::conditional_t<std::is_same_v<Function, inverse>, invert_residue, void>>;
template <class Function>
using ternary_residue_function =
    std::conditional_t<std::is_same_v<Function, thrust_rns::multiply_add>, multiply_add_residues, void>;

enum class reduction { unknown, sum, product, maximum, minimum };

/// What reducing or scanning by a functor means.
template <class Function, class Number>
inline constexpr reduction reduction_of =
    std::is_same_v<Function, plus> || is_named<Function, Number, ::cuda::std::plus>               ? reduction::sum
    : std::is_same_v<Function, multiplies> || is_named<Function, Number, ::cuda::std::multiplies> ? reduction::product
    : std::is_same_v<Function, maximum> || is_named<Function, Number, ::cuda::maximum>            ? reduction::maximum
    : std::is_same_v<Function, minimum> || is_named<Function, Number, ::cuda::minimum>            ? reduction::minimum
                                                                                                  : reduction::unknown;

// ---- operands: row(i)[j] is residue i of number j -------------------------------------------------------------

/// Numbers in planes, from one of them on.
struct plane_operand {
  const std::uint32_t* first; // its residue modulo m_0
  std::int64_t stride;

  THRUST_RNS_HD const std::uint32_t* row(int i) const { return first + i * stride; }
};

/// One number, again and again.
struct constant_row {
  std::uint32_t residue;
  THRUST_RNS_HD std::uint32_t operator[](std::int64_t) const { return residue; }
};
template <class Number>
struct constant_operand {
  Number number;
  THRUST_RNS_HD constant_row row(int i) const { return {number.residue(i)}; }
};

/// Where numbers go, and the cached evaluations (or null) that are dropped.
struct plane_output {
  std::uint32_t* first;
  std::int64_t stride;
  std::uint64_t* evaluations;

  THRUST_RNS_HD std::uint32_t* row(int i) const { return first + i * stride; }
};

template <class Number>
THRUST_RNS_HD plane_output output_at(const span<Number>& s, std::int64_t index) {
  return {s.plane(0) + index, s.stride(), s.evaluations() == nullptr ? nullptr : s.evaluations() + index};
}

} // namespace detail
} // namespace thrust_rns
