// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// A view of numbers stored as residue planes (structure of arrays), with their cached evaluations.

#include <cstdint>
#include <type_traits>

#include <thrust_rns/config.h>
#include <thrust_rns/error.h>
#include <thrust_rns/functional.h>
#include <thrust_rns/number.h>

namespace thrust_rns {

namespace detail {

/// 8-byte records that several streams or threads may fill at once, always with the same value: never torn, no order.
THRUST_RNS_HD inline std::uint64_t load_relaxed(const std::uint64_t* p) {
#if defined(__CUDA_ARCH__)
  return *const_cast<const volatile std::uint64_t*>(p);
#else
  return __atomic_load_n(p, __ATOMIC_RELAXED);
#endif
}

THRUST_RNS_HD inline void store_relaxed(std::uint64_t* p, std::uint64_t value) {
#if defined(__CUDA_ARCH__)
  *const_cast<volatile std::uint64_t*>(p) = value;
#else
  __atomic_store_n(p, value, __ATOMIC_RELAXED);
#endif
}

/// The residues of one element, `stride` words apart.
struct strided_residues {
  const std::uint32_t* first; // residue modulo m_0
  std::int64_t stride;
  THRUST_RNS_HD std::uint32_t operator()(int i) const { return first[i * stride]; }
};

} // namespace detail

/// A non-owning view of `size` numbers: residue i of element j is `residues[i * stride + j]`, and the evaluation of
/// element j, if there is room for evaluations, is `evaluations[j]` (0: not evaluated yet).
///
/// T is `number<...>` or `const number<...>`. Trivially copyable; pass it to kernels by value. Evaluations are a cache:
/// algorithms fill it through a view of const numbers too. Whoever writes residues through `plane` must afterwards
/// call `invalidate_evaluations` on the vector (or zero the evaluations of what was written).
///
/// Layout rules, checked by the constructor (std::invalid_argument): `residues` and `evaluations` are aligned to 16
/// bytes, `stride` is a multiple of 4 and at least `size`. All `stride` elements of each plane must exist, and be
/// initialised: algorithms read whole 16-byte groups.
template <class T>
class span {
 public:
  using element_type = T;
  using value_type = std::remove_const_t<T>;
  static_assert(is_number<value_type>, "thrust_rns: span<T> views numbers");
  using residue_type = std::conditional_t<std::is_const_v<T>, const std::uint32_t, std::uint32_t>;

  span() = default;

  span(residue_type* residues, std::int64_t stride, std::int64_t size, std::uint64_t* evaluations = nullptr)
      : span(unchecked{}, residues, stride, size, evaluations) {
    detail::require(size >= 0 && stride >= size, "thrust_rns::span: the stride must be at least the size");
    detail::require(stride % 4 == 0, "thrust_rns::span: the stride must be a multiple of 4 elements");
    detail::require(
        reinterpret_cast<std::uintptr_t>(residues) % 16 == 0 && reinterpret_cast<std::uintptr_t>(evaluations) % 16 == 0,
        "thrust_rns::span: residues and evaluations must be aligned to 16 bytes");
  }

  /// A view of numbers is a view of const numbers.
  template <class U, std::enable_if_t<std::is_same_v<const U, T>, int> = 0>
  THRUST_RNS_HD span(const span<U>& other)
      : span(unchecked{}, other.plane(0), other.stride(), other.size(), other.evaluations()) {}

  THRUST_RNS_HD residue_type* plane(int i) const { return residues_ + i * stride_; }
  THRUST_RNS_HD std::int64_t stride() const { return stride_; }
  THRUST_RNS_HD std::int64_t size() const { return size_; }
  THRUST_RNS_HD std::uint64_t* evaluations() const { return evaluations_; }

  /// Element j, by value. In the memory space of the caller.
  THRUST_RNS_HD value_type load(std::int64_t j) const {
    value_type x;
    for (int i = 0; i < value_type::size; ++i) x.set_residue(i, residues_[i * stride_ + j]);
    return x;
  }

  /// Element j := x; its cached evaluation is dropped. In the memory space of the caller.
  THRUST_RNS_HD void store(std::int64_t j, const value_type& x) const {
    static_assert(!std::is_const_v<T>, "thrust_rns: this view is read-only");
    if (evaluations_ != nullptr) detail::store_relaxed(evaluations_ + j, 0);
    for (int i = 0; i < value_type::size; ++i) residues_[i * stride_ + j] = x.residue(i);
  }

 private:
  struct unchecked {};
  THRUST_RNS_HD span(unchecked, residue_type* residues, std::int64_t stride, std::int64_t size,
                     std::uint64_t* evaluations)
      : residues_(residues), stride_(stride), size_(size), evaluations_(evaluations) {}

  residue_type* residues_ = nullptr;
  std::int64_t stride_ = 0;
  std::int64_t size_ = 0;
  std::uint64_t* evaluations_ = nullptr;
};

} // namespace thrust_rns
