// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Order on Thrust's host backends: the steps of sorting, searching and selecting, by Thrust's algorithms over keys and places.

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include <cuda/functional>

#include <thrust/copy.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/gather.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/host_evaluation.h>
#include <thrust_rns/detail/host_reduce.h>
#include <thrust_rns/detail/ordering.h>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/extrema.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/number.h>

namespace thrust_rns {
namespace detail {

/// The order codes of one block of elements; null: only their evaluations are kept.
template <class Number, class Numbers>
struct codes_of_block {
  Numbers numbers;
  std::int64_t first, count;
  bool descending;
  std::uint64_t* codes;

  void operator()(std::int64_t block) const {
    const std::int64_t begin = block * evaluation_block;
    const int here = static_cast<int>(std::min<std::int64_t>(evaluation_block, count - begin));
    std::uint64_t keys[evaluation_block];
    keys_of_block<Number>(numbers, first + begin, here, keys);
    if (codes == nullptr) return;
    for (int k = 0; k < here; ++k) codes[begin + k] = order_code<Number>::make(keys[k], descending);
  }
};

/// Gives each record of a run of unequal numbers the code of its difference from the run's reference; 1 if it does.
template <class Number>
struct subtract_reference {
  residue_layout layout;
  bool descending, first_level;
  const run_record<std::int64_t>* records;
  const std::int64_t* beginnings;
  std::int64_t count;
  run_record<std::int64_t>* out;

  std::int64_t operator()(std::int64_t k) const {
    const std::int64_t run = beginnings[k];
    const run_record<std::int64_t>& r = records[k];
    out[k] = {r.code, run, r.index};
    if (run == k && (k + 1 == count || beginnings[k + 1] == k + 1)) return 0;
    if (!first_level && r.code == code_of_equal<Number>(descending)) return 0;
    out[k].code = difference_code<Number>(layout.element(r.index), layout.element(records[run].index), descending);
    return 1;
  }
};

struct host_order {
  using place = std::int64_t;

  /// Temporary memory for n elements, from the policy's allocator.
  template <class T, class Policy>
  class array {
   public:
    array(Policy& exec, std::int64_t n) : elements_(0, exec, n) {}
    T* data() { return thrust::raw_pointer_cast(&*elements_.begin()); }

   private:
    temporary_array<T, Policy> elements_;
  };

  /// f(policy), or f of a sequential one where starting threads would take longer than the work on `count` elements.
  template <class Policy, class Function>
  static auto with_policy_for(std::int64_t count, Policy& exec, Function f) {
    constexpr std::int64_t worth_threads = 5000;
    if (count >= worth_threads) return f(exec);
    thrust::cpp::tag sequential;
    return f(sequential);
  }

  /// Fills the cache of evaluations, if there is one.
  template <class Policy, class Iterator>
  static void evaluate(Policy& exec, Iterator first, std::int64_t count) {
    if (first.underlying_span().evaluations() == nullptr) return;
    with_policy_for(count, exec, [&](auto& policy) { make_codes(policy, first, count, false, nullptr); });
  }

  /// places[i] := the index of the number that is i-th in order, equal ones in their order.
  template <class Policy, class Iterator>
  static void find_order(Policy& exec, Iterator first, std::int64_t count, bool descending, place* places) {
    using Number = typename numbers_behind<Iterator>::number;
    with_policy_for(count, exec, [&](auto& policy) {
      array<std::uint64_t, std::decay_t<decltype(policy)>> code_array(policy, count);
      std::uint64_t* codes = code_array.data();
      make_codes(policy, first, count, descending, codes);
      thrust::sequence(policy, places, places + count);
      thrust::stable_sort_by_key(policy, codes, codes + count, places);
      settle_runs<Number>(policy, view_of(first).layout, count, descending, codes, places);
    });
  }

  /// Number i from `result` := number places[i] from `first`, with its evaluation. The two must not overlap.
  template <class Policy, class T, class System, class Number>
  static void gather(Policy& exec, basic_iterator<T, System> first, const place* places, std::int64_t count,
                     basic_iterator<Number, System> result) {
    with_policy_for(count, exec, [&](auto& policy) {
      each_row(
          first, result, [&](auto* from, auto* to) { thrust::gather(policy, places, places + count, from, to); },
          [&](std::uint64_t* to) { thrust::fill(policy, to, to + count, 0); });
    });
  }
  /// Number places[i] from `result` := number i from `first`.
  template <class Policy, class T, class System, class Number>
  static void scatter(Policy& exec, basic_iterator<T, System> first, const place* places, std::int64_t count,
                      basic_iterator<Number, System> result) {
    with_policy_for(count, exec, [&](auto& policy) {
      each_row(
          first, result, [&](auto* from, auto* to) { thrust::scatter(policy, from, from + count, places, to); },
          [&](std::uint64_t* to) { thrust::for_each(policy, places, places + count, [=](place p) { to[p] = 0; }); });
    });
  }
  /// Element i := element places[i], of numbers or of values.
  template <class Policy, class Number, class System>
  static void permute(Policy& exec, basic_iterator<Number, System> items, const place* places, std::int64_t count) {
    array<std::uint64_t, Policy> memory(exec, count);
    with_policy_for(count, exec, [&](auto& policy) {
      each_row(
          items, items,
          [&](auto* row, auto*) {
            auto* copy = reinterpret_cast<decltype(row)>(memory.data());
            thrust::gather(policy, places, places + count, row, copy);
            thrust::copy(policy, copy, copy + count, row);
          },
          [](std::uint64_t*) {});
    });
  }
  template <class Policy, class Values>
  static void permute(Policy& exec, Values items, const place* places, std::int64_t count) {
    temporary_array<typename thrust::iterator_traits<Values>::value_type, Policy> copy(0, exec, count);
    thrust::gather(exec, places, places + count, items, copy.begin());
    thrust::copy(exec, copy.begin(), copy.end(), items);
  }

  /// f of the residues of x.
  template <class Policy, class Number, class Function>
  static auto with_residues(Policy&, const Number& x, Function f) {
    return f(layout_of<Number>(&x).element(0));
  }

  template <class Policy>
  static void finish(Policy&) {}

 private:
  template <class Policy, class Iterator>
  static void make_codes(Policy& exec, Iterator first, std::int64_t count, bool descending, std::uint64_t* codes) {
    using numbers = numbers_behind<Iterator>;
    using Codes = codes_of_block<typename numbers::number, decltype(numbers::host_input(first))>;
    const thrust::counting_iterator<std::int64_t> blocks(0);
    thrust::for_each(exec, blocks, blocks + (count + evaluation_block - 1) / evaluation_block,
                     Codes{numbers::host_input(first), numbers::host_offset(first), count, descending, codes});
  }

  /// Calls move(from, to) for each plane, and for the evaluations if there are any on both sides, else drop(to).
  template <class T, class System, class Number, class Move, class Drop>
  static void each_row(basic_iterator<T, System> first, basic_iterator<Number, System> result, Move move, Drop drop) {
    const auto& from = first.underlying_span();
    const auto& to = result.underlying_span();
    if (from.evaluations() != nullptr && to.evaluations() != nullptr) {
      move(from.evaluations() + first.index(), to.evaluations() + result.index());
    } else if (to.evaluations() != nullptr) {
      drop(to.evaluations() + result.index());
    }
    for (int i = 0; i < Number::size; ++i) move(from.plane(i) + first.index(), to.plane(i) + result.index());
  }

  template <class Number, class Policy>
  static void settle_runs(Policy& exec, residue_layout layout, std::int64_t count, bool descending,
                          const std::uint64_t* codes, place* places) {
    using record = run_record<place>;
    const thrust::counting_iterator<place> index(0);
    array<place, Policy> selected_array(exec, count);
    place* selected = selected_array.data();
    const place records = thrust::copy_if(exec, index, index + count, selected, in_close_run{codes, count}) - selected;
    if (records == 0) return;

    array<record, Policy> record_array(exec, records), other_array(exec, records);
    array<place, Policy> beginning_array(exec, records);
    record *now = record_array.data(), *next = other_array.data();
    place* beginnings = beginning_array.data();
    thrust::transform(exec, selected, selected + records, now, [=](place at) {
      return record{codes[at], 0, places[at]};
    });
    for (int level = 0; level <= reference_levels; ++level) {
      const auto begins = thrust::make_transform_iterator(index, run_beginning<place>{now, &records});
      thrust::inclusive_scan(exec, begins, begins + records, beginnings, ::cuda::maximum<place>());
      const place unsettled = thrust::transform_reduce(
          exec, index, index + records,
          subtract_reference<Number>{layout, descending, level == 0, now, beginnings, records, next}, place{0},
          ::cuda::std::plus<place>());
      std::swap(now, next);
      if (unsettled == 0) break;
      if (level < reference_levels) {
        thrust::sort(exec, now, now + records, record_before<place>{});
      } else {
        thrust::sort(exec, now, now + records, record_before_exactly<Number, place>{layout, descending});
      }
    }
    thrust::for_each(exec, index, index + records, [=](place k) { places[selected[k]] = now[k].index; });
  }
};

} // namespace detail
} // namespace thrust_rns
