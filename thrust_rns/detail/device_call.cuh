// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// What every call of the device layer does: the size query, launches, and telling planes from whole numbers.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <cuda_runtime_api.h>

#include <thrust_rns/detail/candidate.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/span.h>
#include <thrust_rns/detail/launch.cuh>
#include <thrust_rns/detail/quads.cuh>

namespace thrust_rns {
namespace detail {

/// Whether to go on: false for a size query and for a buffer that is too small.
inline bool prepare(void* d_temp_storage, std::size_t& temp_storage_bytes, std::size_t needed) {
  if (d_temp_storage != nullptr) return temp_storage_bytes >= needed;
  temp_storage_bytes = needed;
  return false;
}
inline cudaError_t refusal(const void* d_temp_storage) {
  return d_temp_storage == nullptr ? cudaSuccess : cudaErrorInvalidValue;
}

// ---- what differs between planes and whole numbers ----

template <class T>
using planes_iterator = basic_iterator<T, thrust::device_system_tag>;

template <class T>
quad_range range_of(planes_iterator<T> d_in, std::int64_t num_items) {
  return {d_in.index(), d_in.index() + num_items};
}

template <class T>
residue_layout layout_of_input(planes_iterator<T> d_in) {
  return layout_of(span<const std::remove_const_t<T>>(d_in.underlying_span()));
}
template <class Number>
residue_layout layout_of_input(const Number* d_in) {
  return layout_of(d_in);
}

/// The elements that masks of bits cover.
struct counted_range {
  std::int64_t count, base;
};
template <class T>
counted_range counted_of(planes_iterator<T> d_in, std::int64_t num_items) {
  const quad_range range = range_of(d_in, num_items);
  return {4 * range.quads(), 4 * range.first_quad()};
}
template <class Number>
counted_range counted_of(const Number*, std::int64_t num_items) {
  return {num_items, 0};
}

template <class T>
std::int64_t origin_of(planes_iterator<T> d_in) {
  return d_in.index();
}
template <class Number>
std::int64_t origin_of(const Number*) {
  return 0;
}

template <class T>
std::uint64_t* evaluations_of_input(planes_iterator<T> d_in) {
  return d_in.underlying_span().evaluations();
}
template <class Number>
std::uint64_t* evaluations_of_input(const Number*) {
  return nullptr;
}

} // namespace detail
} // namespace thrust_rns
