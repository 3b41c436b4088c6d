// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Order on the CUDA backend: the device layer with a Thrust policy's stream and allocator; the same steps as host_order.h.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <cuda_runtime_api.h>

#include <thrust/copy.h>
#include <thrust/gather.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/ordering.h>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/number.h>
#include <thrust_rns/detail/move_kernels.cuh>
#include <thrust_rns/detail/scratch.cuh>
#include <thrust_rns/device/device_evaluate.cuh>
#include <thrust_rns/device/device_sort.cuh>

namespace thrust_rns {
namespace detail {

/// Runs `call(temp, bytes, stream)` of the device layer twice, for the size and for good.
template <class Policy, class Call>
void queue_on_device(Policy& exec, const char* what, Call call) {
  const cudaStream_t stream = stream_of(exec);
  std::size_t bytes = 0;
  check_cuda(call(static_cast<void*>(nullptr), bytes, stream), what);
  const scratch<Policy> memory(exec, bytes);
  check_cuda(call(static_cast<void*>(memory.bytes()), bytes, stream), what);
}

/// What the device layer takes: planes as they are, all else as a pointer.
template <class T, class System>
basic_iterator<T, System> device_items(basic_iterator<T, System> first) {
  return first;
}
template <class Iterator>
auto* device_items(Iterator first) {
  return raw_pointer_of(first);
}

/// Values that DeviceSort can move.
template <class Values, class Value>
inline constexpr bool is_device_movable = is_number_iterator<Values> ||
                                          (is_array_of<Values, Value> && std::is_trivially_copyable_v<Value> &&
                                           alignof(Value) <= 16);

struct cuda_order {
  using place = DeviceSort::Index;

  /// Temporary memory for n elements, from the policy's allocator if it brings one.
  template <class T, class Policy>
  class array {
   public:
    array(Policy& exec, std::int64_t n) : memory_(exec, (static_cast<std::size_t>(n) + 1) * sizeof(T)) {}
    T* data() const { return reinterpret_cast<T*>(memory_.bytes()); }

   private:
    scratch<Policy> memory_;
  };

  template <class Policy, class Function>
  static auto with_policy_for(std::int64_t, Policy& exec, Function f) {
    return f(exec);
  }

  /// Fills the cache of evaluations, if there is one.
  template <class Policy, class Iterator>
  static void evaluate(Policy& exec, Iterator first, std::int64_t count) {
    if (count == 0 || first.underlying_span().evaluations() == nullptr) return;
    queue_on_device(exec, "thrust_rns: evaluation", [&](void* temp, std::size_t& bytes, cudaStream_t stream) {
      return DeviceEvaluate::Keys(temp, bytes, device_items(first), nullptr, count, stream);
    });
  }

  /// Sorts the numbers where they are.
  template <class Policy, class Iterator>
  static void sort(Policy& exec, Iterator first, std::int64_t count, bool descending) {
    queue_on_device(exec, "thrust_rns: sort", [&](void* temp, std::size_t& bytes, cudaStream_t stream) {
      return descending ? DeviceSort::SortKeysDescending(temp, bytes, device_items(first), count, stream)
                        : DeviceSort::SortKeys(temp, bytes, device_items(first), count, stream);
    });
  }

  template <class Policy, class Iterator>
  static void find_order(Policy& exec, Iterator first, std::int64_t count, bool descending, place* places) {
    queue_on_device(exec, "thrust_rns: sort", [&](void* temp, std::size_t& bytes, cudaStream_t stream) {
      return descending ? DeviceSort::SortIndicesDescending(temp, bytes, device_items(first), places, count, stream)
                        : DeviceSort::SortIndices(temp, bytes, device_items(first), places, count, stream);
    });
  }

  template <class Policy, class T, class System, class Number>
  static void gather(Policy& exec, basic_iterator<T, System> first, const place* places, std::int64_t count,
                     basic_iterator<Number, System> result) {
    move(exec, gather_words<std::uint64_t, place>, gather_words<std::uint32_t, place>, first, places, count, result);
  }
  template <class Policy, class T, class System, class Number>
  static void scatter(Policy& exec, basic_iterator<T, System> first, const place* places, std::int64_t count,
                      basic_iterator<Number, System> result) {
    move(exec, scatter_words<std::uint64_t, place>, scatter_words<std::uint32_t, place>, first, places, count, result);
  }

  template <class Policy, class Items>
  static void permute(Policy& exec, Items items, const place* places, std::int64_t count) {
    using Item = typename thrust::iterator_traits<Items>::value_type;
    if constexpr (is_device_movable<Items, Item>) {
      queue_on_device(exec, "thrust_rns: sort", [&](void* temp, std::size_t& bytes, cudaStream_t stream) {
        return DeviceSort::Permute(temp, bytes, device_items(items), places, count, stream);
      });
    } else {
      temporary_array<Item, Policy> copy(0, exec, count);
      const thrust::device_ptr<const place> map(places);
      thrust::gather(exec, map, map + count, items, copy.begin());
      thrust::copy(exec, copy.begin(), copy.end(), items);
    }
  }

  /// f of the residues of x, in the memory where the numbers are.
  template <class Policy, class Number, class Function>
  static auto with_residues(Policy& exec, const Number& x, Function f) {
    const array<Number, Policy> copy(exec, 1);
    check_cuda(cudaMemcpyAsync(copy.data(), &x, sizeof x, cudaMemcpyHostToDevice, stream_of(exec)),
               "thrust_rns: copying a number");
    return f(layout_of<Number>(copy.data()).element(0));
  }

  /// What work that is queued leaves at p.
  template <class Policy>
  static std::int64_t read(Policy& exec, const std::int64_t* p) {
    const char* what = "thrust_rns: reading a result";
    std::int64_t value = 0;
    check_cuda(cudaMemcpyAsync(&value, p, sizeof value, cudaMemcpyDeviceToHost, stream_of(exec)), what);
    check_cuda(cudaStreamSynchronize(stream_of(exec)), what);
    return value;
  }

  template <class Policy>
  static void finish(Policy& exec) {
    synchronize_optional(exec, "thrust_rns: order");
  }

 private:
  template <class Word>
  using mover = void (*)(word_rows<const Word>, const place*, std::int64_t, int, word_rows<Word>);

  template <class Policy, class T, class System, class Number>
  static void move(Policy& exec, mover<std::uint64_t> move_evaluations, mover<std::uint32_t> move_residues,
                   basic_iterator<T, System> first, const place* places, std::int64_t count,
                   basic_iterator<Number, System> result) {
    const char* what = "thrust_rns: moving numbers";
    const auto& from = first.underlying_span();
    const auto& to = result.underlying_span();
    const cudaStream_t stream = stream_of(exec);
    if (to.evaluations() != nullptr) {
      // Without evaluations to copy, the zeros of a buffer stand for them, so that no element keeps an old one.
      const array<std::uint64_t, Policy> zeros(exec, from.evaluations() != nullptr ? 0 : 1);
      if (from.evaluations() == nullptr) check_cuda(cudaMemsetAsync(zeros.data(), 0, 16, stream), what);
      const word_rows<const std::uint64_t> keys =
          from.evaluations() != nullptr ? word_rows<const std::uint64_t>{from.evaluations() + first.index(), 0, 1}
                                        : word_rows<const std::uint64_t>{zeros.data(), 0, 0};
      check_cuda(move_words<std::uint64_t, place>(move_evaluations, keys, places, count, 1,
                                                  {to.evaluations() + result.index(), 0, 1}, stream),
                 what);
    }
    check_cuda(
        move_words<std::uint32_t, place>(move_residues, {from.plane(0) + first.index(), from.stride(), 1}, places,
                                         count, Number::size, {to.plane(0) + result.index(), to.stride(), 1}, stream),
        what);
  }
};

} // namespace detail
} // namespace thrust_rns
