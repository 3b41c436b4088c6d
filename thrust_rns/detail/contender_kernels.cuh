// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// The second of two kernels that find an extreme: which of the contenders that the first has left is the best.
///
/// A few are compared exactly by one warp. Else all blocks of the device work through *levels*. If need be, a first one gives ranks
/// to the elements that are open, and a second finds out which are contenders then: those within one of the best rank. A
/// level after these takes one of the best ranks as R and gives each contender the rank of X - R, which is small, since
/// they are within three units of the last place of R; the next contenders are those within one of the best of these. Each R
/// is better than the one before, and the best difference is below 2^-33 times the one before; when none is better than
/// 0, R was the best, and the first X with X - R = 0 is the answer. A group of elements stays in the contest as a whole while one
/// of them does; that costs time but changes nothing.
///
/// A level writes the groups' ranks in place: each group belongs to one warp, which reads its rank before it clears it.

#include <cstdint>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/candidate.h>
#include <thrust_rns/detail/small_values.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/number.h>
#include <thrust_rns/block/evaluate.cuh>
#include <thrust_rns/detail/evaluate_kernels.cuh>
#include <thrust_rns/detail/extremum_kernels.cuh>
#include <thrust_rns/detail/window_kernels.cuh>

namespace thrust_rns {
namespace detail {

/// Where the best goes: its index, counted from `origin`, and the number; either may be null.
template <class Number>
struct extreme_output {
  std::int64_t* index = nullptr;
  Number* value = nullptr;
};

/// An element and its rank, 0 for none. Of equal ranks the earlier element is better.
struct ranked {
  std::uint64_t rank = 0;
  std::int64_t element = -1;

  __device__ void take(const ranked& other) {
    if (other.rank > rank || (other.rank == rank && rank != 0 && other.element < element)) *this = other;
  }
};

template <class Number>
struct contest {
  residue_layout layout;
  int order;                // 1: the largest, -1: the smallest
  std::int64_t count, base; // elements base .. base + count - 1 in groups of 128
  const uint4* open;
  search_memory memory;
  int records;
  ranked* levels;         // 2 of each block
  std::uint64_t* arrived; // blocks at the barrier
  bool resident;          // window_memory
  std::uint64_t* evaluations;
  std::int64_t origin;
  extreme_output<Number> out;
};

/// Words of shared memory for the residues of R.
template <class Base>
inline constexpr int reference_words = (Base::size + 31) / 32 * 32;

/// Residues of X - R.
template <class Base>
struct shifted_residues {
  residue_layout layout;
  const std::uint32_t* reference; // zeros for R = 0

  __device__ std::uint32_t operator()(int i, std::int64_t element) const {
    return shift(i, layout.element(element)(i));
  }
  __device__ std::uint32_t shift(int i, std::uint32_t x) const {
    return moduli_of<Base>()[i].subtract(x, reference[i]);
  }
};

template <class Number, bool Planes>
class contest_block {
  using Base = typename Number::base_type;
  using signed_number = number<Base, symmetric_range>; // what differences are
  using shape = window_shape<Base>;
  static constexpr int warps = shape::threads / 32;

 public:
  struct storage {
    ranked of_warp[warps];
    std::uint64_t rank;
    int contenders;
    std::int64_t element[32];
  };

  __device__ contest_block(const contest<Number>& c, storage& shared, window_queue::storage* queues,
                           std::uint32_t* reference, std::uint32_t* words)
      : c_(c), shared_(shared), queues_(queues), reference_(reference), words_(words) {}

  __device__ void run() {
    search_record seen; // of the thread's records, then what matters of all
    for (int r = static_cast<int>(threadIdx.x); r < c_.records; r += shape::threads) seen.merge(c_.memory.records[r]);
    ranked best = best_of_block({seen.rank, seen.element});
    const bool any_open = __syncthreads_or(seen.open != 0), any_unsure = __syncthreads_or(seen.unsure != 0);
    const bool evaluates = any_open && (c_.evaluations != nullptr || any_unsure || is_small(best.rank));
    if (!evaluates && few_contenders(best.rank)) {
      if (blockIdx.x == 0) put_answer(best_of_few());
      return;
    }
    if (c_.resident) load_windows<Base>(words_, 0, window_schedule<Base>::steps);
    if (evaluates) {
      set_reference(-1);
      best.take(level(task::evaluate, 0));
      level(task::confirm, best.rank);
    }
    constexpr int most_levels = base_constants<Base>::range_bits / 30 + 4; // only bits that are no residues reach it
    for (int k = 0; k < most_levels; ++k) {
      set_reference(best.element);
      const ranked next = level(task::compare, best.rank);
      if (next.element < 0) break;
      best = next;
      if (next.rank == rank(zero_key)) break;
    }
    if (blockIdx.x == 0) put_answer(best.element);
  }

 private:
  __device__ std::uint64_t rank(std::uint64_t key) const { return c_.order == 1 ? rank_of<1>(key) : rank_of<-1>(key); }

  /// Whether elements that are open and next to 0 may be as good.
  __device__ bool is_small(std::uint64_t best) const {
    constexpr std::uint64_t least = (std::uint64_t{1} << base_constants<Base>::leading_bits);
    const std::uint64_t code = encode<Base>(least, 64); // of the smallest X > 0 that the first pass resolves
    return best < (c_.order == 1 ? zero_key + code : ~(zero_key - code));
  }

  __device__ ranked best_of_block(ranked x) {
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) {
      x.take({__shfl_xor_sync(~0u, x.rank, offset), __shfl_xor_sync(~0u, x.element, offset)});
    }
    __syncthreads(); // of_warp has been read
    if (threadIdx.x % 32 == 0) shared_.of_warp[threadIdx.x / 32] = x;
    __syncthreads();
    for (int w = 0; w < warps; ++w) x.take(shared_.of_warp[w]);
    return x;
  }

  // ---- a few contenders ----

  /// Whether each contender is the only one of its record, and there are up to 32: listed then, in any order.
  __device__ bool few_contenders(std::uint64_t best) {
    if (threadIdx.x == 0) shared_.contenders = 0;
    __syncthreads();
    bool crowded = false;
    for (int r = static_cast<int>(threadIdx.x); r < c_.records; r += shape::threads) {
      const search_record& record = c_.memory.records[r];
      if (record.rank == 0 || record.rank + 1 < best) continue;
      crowded = crowded || record.contenders != 1;
      const int at = atomicAdd(&shared_.contenders, 1);
      if (at < 32) shared_.element[at] = record.element;
    }
    return __syncthreads_or(crowded) == 0 && shared_.contenders <= 32;
  }

  /// By the first warp.
  __device__ std::int64_t best_of_few() const {
    std::int64_t best = shared_.element[0];
    if (threadIdx.x >= 32) return best;
    for (int k = 1; k < shared_.contenders; ++k) {
      const std::int64_t other = shared_.element[k];
      const int sign =
          c_.order * sign_near_zero<Base>(warp_team{}, difference_of<Base, strided_residues, strided_residues>{
                                                           c_.layout.element(other), c_.layout.element(best)});
      if (sign > 0 || (sign == 0 && other < best)) best = other;
    }
    return best;
  }

  __device__ void put_answer(std::int64_t answer) { // that of thread 0
    if (threadIdx.x == 0) {
      shared_.element[0] = answer;
      if (c_.out.index != nullptr) *c_.out.index = answer - c_.origin;
    }
    __syncthreads();
    if (c_.out.value == nullptr) return;
    for (int i = static_cast<int>(threadIdx.x); i < Base::size; i += shape::threads) {
      c_.out.value->set_residue(i, c_.layout.element(shared_.element[0])(i));
    }
  }

  // ---- levels ----

  enum class task {
    evaluate, // gives ranks to open elements
    confirm,  // drops contenders whose ranks are not within one of the best
    compare   // ranks differences to R
  };

  __device__ void set_reference(std::int64_t element) { // -1: R = 0
    __syncthreads();
    for (int i = static_cast<int>(threadIdx.x); i < Base::size; i += shape::threads) {
      reference_[i] = element < 0 ? 0 : c_.layout.element(element)(i);
    }
    __syncthreads();
  }

  /// One task for the elements that it concerns, `bar` being the best rank so far: the best that all blocks find.
  __device__ ranked level(task what, std::uint64_t bar) {
    const shifted_residues<Base> shifted{c_.layout, reference_};
    ranked best;
    window_queue todo(queues_[threadIdx.x / 128], c_.count, c_.base);
    for (;;) {
      const int rows = todo.take(
          [&](std::int64_t u) { return what == task::evaluate ? choose_open(u) : choose_near(u, what, bar, best); });
      if (c_.resident ? rows == 0 : __syncthreads_or(rows) == 0) break;
      window_tile<Base>::evaluate({words_, c_.resident}, window_rows(todo, rows).element, shifted,
                                  [&](std::int64_t element, const leading_window& found) {
                                    best.take({settle(what, bar, element, found), element});
                                  });
    }
    return best_of_grid(best);
  }

  /// The rank of an element, and what becomes of it.
  __device__ std::uint64_t settle(task what, std::uint64_t bar, std::int64_t element,
                                  const leading_window& found) const {
    auto* best = reinterpret_cast<unsigned long long*>(c_.memory.rank + (element - c_.base) / (Planes ? 128 : 32));
    if (what == task::compare) {
      const std::uint64_t r = rank(key_from_window<signed_number>(found));
      atomicMax(best, r);
      return r;
    }
    std::uint64_t key = key_from_window<Number>(found);
    if (key == 0) key = key_by_magnification<Number>(c_.layout.element(element), std::uint64_t{1} << 62);
    const std::uint64_t r = rank(key);
    if (what == task::evaluate) {
      if (c_.evaluations != nullptr) store_relaxed(c_.evaluations + element, key);
      atomicMax(best, r);
    } else if (r + 1 < bar) {
      const auto at = static_cast<int>((element - c_.base) % 128);
      auto* words = reinterpret_cast<unsigned*>(c_.memory.contenders + (element - c_.base) / 128);
      const int word = Planes ? at % 4 : at / 32, bit = Planes ? at / 4 : at % 32;
      atomicAnd(words + word, ~(1u << bit));
    }
    return r;
  }

  __device__ uint4 choose_open(std::int64_t u) const {
    const uint4 bits = ballots_of_group<Planes>(c_.open, u);
    if (threadIdx.x % 32 == 0 && (bits.x | bits.y | bits.z | bits.w) != 0) { // they are in the contest now
      uint4& contenders = c_.memory.contenders[u];
      const uint4 open = c_.open[u];
      contenders = {contenders.x | open.x, contenders.y | open.y, contenders.z | open.z, contenders.w | open.w};
    }
    return bits;
  }

  /// The contenders of group u that windows must see. Neighbours of R are ranked here, if all of the warp's are.
  __device__ uint4 choose_near(std::int64_t u, task what, std::uint64_t bar, ranked& best) const {
    const int lane = static_cast<int>(threadIdx.x % 32);
    std::uint64_t* ranks = c_.memory.rank + (Planes ? u : 4 * u);
    const std::uint64_t own = __ldcg(ranks + (Planes ? 0 : lane / 8));
    const bool near = own != 0 && own + 1 >= bar;
    __syncwarp();
    if (what == task::compare && (Planes ? lane == 0 : lane % 8 == 0)) ranks[Planes ? 0 : lane / 8] = 0;
    const unsigned lanes = __ballot_sync(~0u, near);
    if (lanes == 0) return {0, 0, 0, 0};
    uint4 bits = ballots_of_group<Planes>(c_.memory.contenders, u);
    bits = {bits.x & lanes, bits.y & lanes, bits.z & lanes, bits.w & lanes};
    if constexpr (Planes) {
      if (what == task::compare && rank_small(u, bits, best)) return {0, 0, 0, 0};
    }
    return bits;
  }

  /// Ranks the chosen elements of group u if X - R is determined by three residues for each of them.
  __device__ bool rank_small(std::int64_t u, const uint4& bits, ranked& best) const {
    using rule = small_values<signed_number>;
    if constexpr (!rule::complete && !rule::testable) return false;
    constexpr int few = Base::size < 3 ? Base::size : 3;
    const int lane = static_cast<int>(threadIdx.x % 32);
    const std::int64_t last = c_.base + c_.count - 4, own = c_.base + 128 * u + 4 * lane;
    const std::int64_t element = own < last ? own : last; // all lanes read
    const bool chosen[4] = {(bits.x >> lane & 1) != 0, (bits.y >> lane & 1) != 0, (bits.z >> lane & 1) != 0,
                            (bits.w >> lane & 1) != 0};
    const shifted_residues<Base> shifted{c_.layout, reference_};
    const auto quad = [&](int i) {
      uint4 r = *reinterpret_cast<const uint4*>(c_.layout.element(element).first + i * c_.layout.plane_stride);
      return uint4{shifted.shift(i, r.x), shifted.shift(i, r.y), shifted.shift(i, r.z), shifted.shift(i, r.w)};
    };
    uint4 r[3] = {{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}};
#pragma unroll
    for (int i = 0; i < few; ++i) r[i] = quad(i);
    const small_value v[4] = {rule::from_residues(r[0].x, r[1].x, r[2].x), rule::from_residues(r[0].y, r[1].y, r[2].y),
                              rule::from_residues(r[0].z, r[1].z, r[2].z), rule::from_residues(r[0].w, r[1].w, r[2].w)};
    if constexpr (!rule::complete) {
      const auto& tests = table<make_small_value_tests<Base>>();
      bool small = true;
      const auto look = [&](int i) {
        const small_value_test test = tests[i];
        const uint4 x = quad(i);
        small = small && (rule::agrees(v[0], x.x, test) || !chosen[0]) &&
                (rule::agrees(v[1], x.y, test) || !chosen[1]) && (rule::agrees(v[2], x.z, test) || !chosen[2]) &&
                (rule::agrees(v[3], x.w, test) || !chosen[3]);
      };
      look(3);
      if (!__all_sync(~0u, small)) return false;
#pragma unroll 8
      for (int i = 4; i < Base::size; ++i) look(i);
      if (!__all_sync(~0u, small)) return false;
    }
    std::uint64_t of_group = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      if (!chosen[k]) continue;
      const std::uint64_t x = rank(rule::key(v[k]));
      if (x > of_group) of_group = x;
      best.take({x, element + k});
    }
    of_group = warp_maximum(of_group);
    if (lane == 0) c_.memory.rank[u] = of_group;
    return true;
  }

  /// What the blocks have found; they all wait for it.
  __device__ ranked best_of_grid(ranked best) {
    best = best_of_block(best);
    ranked* levels = c_.levels + (levels_ % 2) * gridDim.x;
    ++levels_;
    __syncthreads();
    if (threadIdx.x == 0) {
      levels[blockIdx.x] = best;
      __threadfence();
      atomicAdd(reinterpret_cast<unsigned long long*>(c_.arrived), 1ULL);
      while (load_relaxed(c_.arrived) < static_cast<std::uint64_t>(levels_) * gridDim.x) __nanosleep(64);
      __threadfence();
    }
    __syncthreads();
    best = ranked{};
    for (unsigned b = threadIdx.x; b < gridDim.x; b += shape::threads) {
      best.take({__ldcg(&levels[b].rank), __ldcg(&levels[b].element)});
    }
    return best_of_block(best);
  }

  const contest<Number>& c_;
  storage& shared_;
  window_queue::storage* queues_;
  std::uint32_t* reference_;
  std::uint32_t* words_;
  int levels_ = 0;
};

/// All blocks must be on the device at once (a cooperative launch).
template <class Number, bool Planes>
__global__ void __launch_bounds__(window_shape<typename Number::base_type>::threads, 1)
    best_of_contenders(contest<Number> c) {
  using Base = typename Number::base_type;
  using block = contest_block<Number, Planes>;
  extern __shared__ __align__(128) unsigned char memory[];
  __shared__ typename block::storage shared;
  __shared__ std::uint32_t reference[reference_words<Base>];
  auto* queues = reinterpret_cast<window_queue::storage*>(memory);
  auto* words = reinterpret_cast<std::uint32_t*>(queues + window_shape<Base>::warpgroups);
  block(c, shared, queues, reference, words).run();
}

} // namespace detail
} // namespace thrust_rns
