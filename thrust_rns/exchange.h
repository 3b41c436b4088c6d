// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Many integers to a vector of numbers and back, where the vector is: on the device, or in host memory.
///
///   import_limbs ([policy,] limbs, layout, first, last)     numbers [first, last) := the integers in `limbs`
///   export_limbs ([policy,] first, last, limbs, layout)     the reverse
///   import_values([policy,] from, from_last, first)         numbers := built-in integers or doubles; returns their end
///   export_values([policy,] first, last, to)                the reverse; returns the end of the values
///
/// first, last: iterators of `device_vector` or `host_vector` (or of a span), sub-ranges at any offset. Limbs are
/// unsigned integers of 32 or 64 bits in one of the layouts of limbs.h; values are integers of 32 to 128 bits, or
/// `double`. `limbs`, `from` and `to` are pointers into the memory of the numbers, `thrust::device_ptr`, or iterators
/// of Thrust's vectors; they must not overlap the numbers. Policy: any of the numbers' backend.
///
/// Exact. Integers are in the range of the number type or refused; doubles must be integers (no fraction, infinity or
/// NaN), and numbers become the nearest double, ties to even. An element that cannot be converted is a range_error that
/// names its index and its value; of several the first. Then nothing is written: where it can happen at all a pass
/// before tells. A layout that does not fit the count (limbs.h) is std::invalid_argument.
///
/// Work, for n moduli and b bits: about 1.2 n b/32 multiply-adds a number each way, no division; the integers are read
/// and the residues written once (or the reverse). Where elements may not fit, an import looks at the highest limbs
/// before, an export at the cached evaluations, which it computes where there are none. An import drops those of what
/// it writes. Memory beside the arrays: 16 bytes, from the policy's allocator. Streams: work is queued on the policy's
/// stream; returns when it is done, but under par_nosync at once where every element must fit.
///
/// Method: sums of products of digits of at most 32 bits (detail/exchange_tables.h). On the way back X = sum y_i M_i -
/// k M with y_i = x_i w_i mod m_i, where k = floor(sum y_i/m_i) is found in fixed point and, where that leaves a doubt,
/// by the exact comparison of interval.h. Even moduli are fine.
///
/// @code
/// #include <thrust/device_vector.h>
/// #include <thrust_rns/device_vector.h>
/// using number = thrust_rns::number<thrust_rns::moduli_for_bits<256>, thrust_rns::symmetric_range>;
/// const auto layout = thrust_rns::limb_layout::rows(2).twos_complement();
/// const thrust::device_vector<std::uint64_t> limbs{5, 1, ~std::uint64_t{0}, ~std::uint64_t{0}};  // 2^64 + 5, -1
/// thrust_rns::device_vector<number> v(2);
/// thrust_rns::import_limbs(thrust::device, limbs.begin(), layout, v.begin(), v.end());
/// std::cout << v[0] << ' ' << v[1] << '\n';  // prints 18446744073709551621 -1
/// thrust::device_vector<std::int64_t> values(2);
/// try {
///   thrust_rns::export_values(v.begin(), v.end(), values.begin());
/// } catch (const thrust_rns::range_error& e) {
///   std::cout << e.what() << '\n';
///   // prints element 0: thrust_rns: 18446744073709551621 does not fit in an integer of 64 bits
/// }
/// @endcode

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <type_traits>
#include <vector>

#include <thrust_rns/config.h>
#include <thrust_rns/convert.h>
#include <thrust_rns/detail/exchange_sinks.h>
#include <thrust_rns/detail/exchange_sources.h>
#include <thrust_rns/detail/host_exchange.h>
#include <thrust_rns/detail/memory.h>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/error.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/limbs.h>
#include <thrust_rns/number.h>
#if THRUST_RNS_CUDA_BACKEND
#  include <thrust_rns/detail/scratch.cuh>
#  include <thrust_rns/device/device_exchange.cuh>
#endif

namespace thrust_rns {
namespace detail {

/// *p on the host.
template <class System, class T>
T value_at(const T* p) {
  T x;
  copy_rows<thrust::host_system_tag, System>(&x, sizeof(T), p, sizeof(T), sizeof(T), 1);
  return x;
}

[[noreturn]] inline void throw_for_element(std::int64_t k, const std::string& what) {
  throw range_error("element " + std::to_string(k) + ": thrust_rns: " + what);
}

/// Throws what there is to say of element k.
template <class Number, class System, class Limb>
[[noreturn]] void throw_refused(const limb_words<Limb>& source, std::int64_t k) {
  std::vector<Limb> limbs;
  for (int j = 0; j < source.count; j += limb_words<Limb>::words_of_limb) {
    limbs.push_back(value_at<System>(source.first + k * source.element_stride +
                                     j / limb_words<Limb>::words_of_limb * source.limb_stride));
  }
  const limb_words<Limb> here{limbs.data(), 0, 1, source.count, source.is_signed};
  big_integer x;
  x.negative = here.is_negative(0);
  std::uint64_t carry = x.negative ? 1 : 0;
  for (int j = 0; j < here.count; ++j) {
    carry += x.negative ? ~here.word(0, j) : here.word(0, j);
    x.words.push_back(static_cast<std::uint32_t>(carry));
    carry >>= 32;
  }
  if (carry != 0) x.words.push_back(1);
  x.trim();
  throw_for_element(k, shorten(to_decimal(x)) + " is outside the range " + range_text<Number>());
}
template <class Number, class System>
[[noreturn]] void throw_refused(const double_words& source, std::int64_t k) {
  const auto x = value_at<System>(source.first + k);
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", x);
  throw_for_element(k, text + (double_words{&x}.is_valid(0) ? " is outside the range " + range_text<Number>()
                                                            : std::string(" is not an integer")));
}

template <class Limb>
std::string target_text(const limb_sink<Limb>& sink) {
  return std::to_string(sink.count / limb_sink<Limb>::words_of_limb) + " limbs of " + std::to_string(bits_of<Limb>) +
         " bits" + (sink.is_signed ? " with sign" : "");
}
template <class Value>
std::string target_text_of_values() {
  if constexpr (std::is_same_v<Value, double>) {
    return "a double";
  } else {
    return "an integer of " + std::to_string(bits_of<Value>) + " bits" +
           (is_signed_integer<Value> ? "" : " without sign");
  }
}

#if THRUST_RNS_CUDA_BACKEND
/// Runs `call(temp, bytes, failed, stream)` of the device layer; the index of the first element that failed, or count.
template <class Policy, class Call>
std::int64_t run_exchange(Policy& exec, std::int64_t count, bool may_fail, Call call) {
  const char* what = "thrust_rns: conversion of integers";
  const cudaStream_t stream = stream_of(exec);
  std::size_t bytes = 0;
  check_cuda(call(static_cast<void*>(nullptr), bytes, static_cast<std::int64_t*>(nullptr), stream), what);
  const scratch<Policy> memory(exec, bytes + 16);
  auto* failed = may_fail ? reinterpret_cast<std::int64_t*>(memory.bytes() + bytes) : nullptr;
  check_cuda(call(static_cast<void*>(memory.bytes()), bytes, failed, stream), what);
  if (!may_fail) {
    synchronize_optional(exec, what);
    return count;
  }
  std::int64_t index = count;
  check_cuda(cudaMemcpyAsync(&index, failed, sizeof index, cudaMemcpyDeviceToHost, stream), what);
  check_cuda(cudaStreamSynchronize(stream), what);
  return index;
}
#endif

/// Numbers `first` .. := `count` integers of a source. Checked = false: the caller knows that all are in the range.
template <bool Checked = true, class Policy, class Source, class Number, class System>
void import_from(Policy& exec, const Source& source, std::int64_t count, basic_iterator<Number, System> first) {
  if (count <= 0) return;
  std::int64_t failed = count;
  if constexpr (is_cuda_system<System>) {
#if THRUST_RNS_CUDA_BACKEND
    failed = run_exchange(exec, count, Checked && needs_range_check<Number>(source),
                          [&](void* temp, std::size_t& bytes, std::int64_t* f, cudaStream_t stream) {
                            return DeviceExchange::Import<Checked>(temp, bytes, source, first, count, f, stream);
                          });
#endif
  } else {
    failed = import_on_host<Checked>(exec, source, first.underlying_span(), first.index(), count);
  }
  if constexpr (Checked) {
    if (failed < count) throw_refused<Number, System>(source, failed);
  }
}

template <class Policy, class T, class System, class Sink>
void export_to(Policy& exec, basic_iterator<T, System> first, std::int64_t count, const Sink& sink,
               const std::string& target) {
  using Number = std::remove_const_t<T>;
  if (count <= 0) return;
  std::int64_t failed = count;
  if constexpr (is_cuda_system<System>) {
#if THRUST_RNS_CUDA_BACKEND
    failed = run_exchange(exec, count, !sink.template holds_all<Number>(),
                          [&](void* temp, std::size_t& bytes, std::int64_t* f, cudaStream_t stream) {
                            return DeviceExchange::Export(temp, bytes, first, sink, count, f, stream);
                          });
#endif
  } else {
    failed = export_on_host<Policy, Number>(exec, first.underlying_span(), first.index(), count, sink);
  }
  if (failed == count) return;
  const Number x = first[failed];
  throw_for_element(failed, shorten(to_decimal(to_big_integer(x))) + " does not fit in " + target);
}

} // namespace detail

template <class Policy, class Limbs, class Number, class System>
void import_limbs(const Policy& exec, Limbs limbs, const limb_layout& layout, basic_iterator<Number, System> first,
                  basic_iterator<Number, System> last) {
  detail::require(layout.is_valid(last - first), "thrust_rns::import_limbs: the layout is too small for the numbers");
  detail::import_from(detail::derived_policy(exec), layout.source(detail::raw_pointer_of(limbs)), last - first, first);
}
template <class Limbs, class Number, class System>
void import_limbs(Limbs limbs, const limb_layout& layout, basic_iterator<Number, System> first,
                  basic_iterator<Number, System> last) {
  import_limbs(System(), limbs, layout, first, last);
}

template <class Policy, class T, class System, class Limbs>
void export_limbs(const Policy& exec, basic_iterator<T, System> first, basic_iterator<T, System> last, Limbs limbs,
                  const limb_layout& layout) {
  detail::require(layout.is_valid(last - first), "thrust_rns::export_limbs: the layout is too small for the numbers");
  const auto sink = layout.sink(detail::raw_pointer_of(limbs));
  detail::export_to(detail::derived_policy(exec), first, last - first, sink, detail::target_text(sink));
}
template <class T, class System, class Limbs>
void export_limbs(basic_iterator<T, System> first, basic_iterator<T, System> last, Limbs limbs,
                  const limb_layout& layout) {
  export_limbs(System(), first, last, limbs, layout);
}

template <class Policy, class Values, class Number, class System>
basic_iterator<Number, System> import_values(const Policy& exec, Values from, Values from_last,
                                             basic_iterator<Number, System> first) {
  const std::int64_t count = from_last - from;
  detail::import_from(detail::derived_policy(exec), detail::source_of(detail::raw_pointer_of(from)), count, first);
  return first + count;
}
template <class Values, class Number, class System>
basic_iterator<Number, System> import_values(Values from, Values from_last, basic_iterator<Number, System> first) {
  return import_values(System(), from, from_last, first);
}

template <class Policy, class T, class System, class Values>
Values export_values(const Policy& exec, basic_iterator<T, System> first, basic_iterator<T, System> last, Values to) {
  const auto values = detail::raw_pointer_of(to);
  using value = std::remove_pointer_t<std::remove_const_t<decltype(values)>>;
  detail::export_to(detail::derived_policy(exec), first, last - first, detail::sink_of(values),
                    detail::target_text_of_values<value>());
  return to + (last - first);
}
template <class T, class System, class Values>
Values export_values(basic_iterator<T, System> first, basic_iterator<T, System> last, Values to) {
  return export_values(System(), first, last, to);
}

} // namespace thrust_rns
