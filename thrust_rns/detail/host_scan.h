// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Prefix scans on Thrust's host backends, with the caller's policy: the sums (extremes) of pieces, those before each piece,
/// then each piece by itself.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/host_reduce.h>
#include <thrust_rns/detail/residue_functions.h>
#include <thrust_rns/functional.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/modular.h>
#include <thrust_rns/number.h>
#include <thrust_rns/span.h>

namespace thrust_rns {
namespace detail {

inline constexpr std::int64_t scan_piece = 16384; // elements

/// Calls f(task) for 0 <= task < tasks, as the policy likes.
template <class Policy, class Function>
void for_each_task(Policy& exec, std::int64_t tasks, Function f) {
  thrust::for_each_n(exec, thrust::counting_iterator<std::int64_t>(0), tasks, f);
}

/// Scans of sums: task t is plane t % n of piece t / n.
template <class Number>
struct sums_of_pieces {
  plane_operand in;
  std::int64_t count;
  std::uint32_t* before; // [piece][plane]

  void operator()(std::int64_t t) const {
    const int plane = static_cast<int>(t % Number::size);
    const std::uint32_t* x = in.row(plane);
    const std::int64_t first = t / Number::size * scan_piece, last = std::min(count, first + scan_piece);
    std::uint64_t sum = 0;
    for (std::int64_t j = first; j < last; ++j) sum += x[j];
    before[t] = moduli_of<typename Number::base_type>()[plane].reduce(sum);
  }
};

template <class Number, bool Inclusive>
struct scan_pieces {
  plane_operand in;
  plane_output out;
  std::int64_t count;
  const std::uint32_t* before;

  void operator()(std::int64_t t) const {
    const int plane = static_cast<int>(t % Number::size);
    const modulus m = moduli_of<typename Number::base_type>()[plane];
    const std::uint32_t* x = in.row(plane);
    std::uint32_t* y = out.row(plane);
    const std::int64_t first = t / Number::size * scan_piece, last = std::min(count, first + scan_piece);
    std::uint32_t sum = before[t];
    for (std::int64_t j = first; j < last; ++j) {
      const std::uint32_t next = m.add(sum, x[j]);
      y[j] = Inclusive ? next : sum;
      sum = next;
    }
    if (plane == 0 && out.evaluations != nullptr) std::fill(out.evaluations + first, out.evaluations + last, 0);
  }
};

template <bool Inclusive, class Number, class Policy>
void scan_sums_on_host(Policy& exec, const plane_operand& in, const plane_output& out, std::int64_t count,
                       const Number& init) {
  const std::int64_t tasks = (count + scan_piece - 1) / scan_piece * Number::size;
  std::vector<std::uint32_t> before(static_cast<std::size_t>(tasks));
  for_each_task(exec, tasks, sums_of_pieces<Number>{in, count, before.data()});
  for (int i = 0; i < Number::size; ++i) {
    const modulus m = moduli_of<typename Number::base_type>()[i];
    std::uint32_t sum = init.residue(i);
    for (auto t = static_cast<std::size_t>(i); t < before.size(); t += Number::size) {
      const std::uint32_t next = m.add(sum, before[t]);
      before[t] = sum;
      sum = next;
    }
  }
  for_each_task(exec, tasks, scan_pieces<Number, Inclusive>{in, out, count, before.data()});
}

// ---- maxima and minima ------------------------------------------------------------------------------------------

/// The best number so far and its key; key 0: none yet.
template <class Number>
struct running_extreme {
  Number number;
  std::uint64_t key;

  /// Whether x, of key `k`, is better; Order 1: larger, -1: smaller.
  template <int Order, class X>
  bool loses_to(X x, std::uint64_t k) const {
    return key == 0 || Order * compare_evaluated<Number>(x, k, residues_of<Number>{number}, key) > 0;
  }
};

/// Task t: piece t. Blocks of elements are read before they are written.
template <class Number, int Order, bool Inclusive>
struct scan_extremes_of_pieces {
  span<const Number> in;
  std::int64_t first_in, count;
  plane_output out;
  const running_extreme<Number>* before;

  void operator()(std::int64_t t) const {
    running_extreme<Number> best = before[t];
    const std::int64_t last = std::min(count, (t + 1) * scan_piece);
    for (std::int64_t j = t * scan_piece; j < last; j += evaluation_block) {
      const int n = static_cast<int>(std::min<std::int64_t>(evaluation_block, last - j));
      const Number earlier = best.number;
      bool better[evaluation_block];
      mark(best, j, n, better);
      const plane_operand x{in.plane(0) + first_in + j, in.stride()};
      for (int i = 0; i < Number::size; ++i) {
        const std::uint32_t* from = x.row(i);
        std::uint32_t* to = out.row(i) + j;
        std::uint32_t r = earlier.residue(i);
        for (int k = 0; k < n; ++k) {
          const std::uint32_t next = better[k] ? from[k] : r;
          to[k] = Inclusive ? next : r;
          r = next;
        }
      }
      if (out.evaluations != nullptr) std::fill(out.evaluations + j, out.evaluations + j + n, 0);
    }
  }

 private:
  void mark(running_extreme<Number>& best, std::int64_t j, int n, bool* better) const {
    std::uint64_t keys[evaluation_block];
    keys_of_block<Number>(in, first_in + j, n, keys);
    for (int k = 0; k < n; ++k) {
      const strided_residues x{in.plane(0) + first_in + j + k, in.stride()};
      better[k] = best.template loses_to<Order>(x, keys[k]);
      if (better[k]) best = {in.load(first_in + j + k), keys[k]};
    }
  }
};

/// Task t: best[t + 1] := the extreme of piece t.
template <class Number, int Order>
struct extremes_of_pieces {
  span<const Number> in;
  std::int64_t first_in, count;
  running_extreme<Number>* best;

  void operator()(std::int64_t t) const {
    best_so_far<Number, Order> found(layout_of<Number>(in));
    const std::int64_t last = std::min(count, (t + 1) * scan_piece);
    for (std::int64_t j = t * scan_piece; j < last; j += evaluation_block) {
      const int n = static_cast<int>(std::min<std::int64_t>(evaluation_block, last - j));
      std::uint64_t keys[evaluation_block];
      keys_of_block<Number>(in, first_in + j, n, keys);
      for (int k = 0; k < n; ++k) found.consider(keys[k], first_in + j + k);
    }
    best[t + 1] = {in.load(found.get().index), found.get().key};
  }
};

/// init may be null.
template <int Order, bool Inclusive, class Number, class Policy>
void scan_extremes_on_host(Policy& exec, const span<const Number>& in, std::int64_t first_in, const plane_output& out,
                           std::int64_t count, const Number* init) {
  const std::int64_t pieces = (count + scan_piece - 1) / scan_piece;
  std::vector<running_extreme<Number>> best(static_cast<std::size_t>(pieces), running_extreme<Number>{});
  if (init != nullptr) best[0] = {*init, evaluate_key<Number>(residues_of<Number>{*init})};
  for_each_task(exec, pieces - 1, extremes_of_pieces<Number, Order>{in, first_in, count, best.data()});
  for (std::size_t t = 1; t < best.size(); ++t) {
    if (!best[t - 1].template loses_to<Order>(residues_of<Number>{best[t].number}, best[t].key)) best[t] = best[t - 1];
  }
  for_each_task(exec, pieces, scan_extremes_of_pieces<Number, Order, Inclusive>{in, first_in, count, out, best.data()});
}

} // namespace detail
} // namespace thrust_rns
