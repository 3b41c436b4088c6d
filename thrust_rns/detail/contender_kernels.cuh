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

template <class Number, bool Planes>
class contest_by_block {
  using Base = typename Number::base_type;
  using signed_number = number<Base, symmetric_range>; // what differences are
  static constexpr int threads = contest_windows<Base>::threads, warps = threads / 32;

  enum class task {
    evaluate, // gives ranks to open elements
    confirm,  // drops contenders whose ranks are not within one of the best
    compare   // ranks differences to R
  };

 public:
  struct storage {
    ranked of_warp[warps];
    int contenders;
    std::int64_t element[32];
    std::int64_t answer;
  };

  __device__ contest_by_block(const contest<Number>& c, storage& shared, window_queue::storage* queues,
                              std::uint32_t* reference, std::uint32_t* words)
      : c_(c), shared_(shared), queues_(queues), reference_(reference), words_(words) {}

  __device__ void run() {
    search_record seen; // of the thread's records, then what matters of all
    for (int r = static_cast<int>(threadIdx.x); r < c_.records; r += threads) seen.merge(c_.memory.records[r]);
    ranked best = best_of_block({seen.rank, seen.element});
    const int some_open = __syncthreads_count(seen.open != 0); // as many elements, if no thread has seen several
    const bool few_open = __syncthreads_or(seen.open > 1) == 0 && some_open <= most_open_of(c_.count);
    const bool any_unsure = __syncthreads_or(seen.unsure != 0);
    const bool evaluates =
        some_open > 0 && (any_unsure || is_small(best.rank) || (c_.evaluations != nullptr && !few_open));
    const bool answers = !evaluates && few_contenders(best.rank);
    if (answers && blockIdx.x == 0) put_answer(best_of_few());
    if (Planes && some_open > 0 && !evaluates && c_.evaluations != nullptr) evaluate_few();
    if (answers) return;
    constexpr int most_levels = base_constants<Base>::range_bits / 30 + 6; // only bits that are no residues reach it
    task what = evaluates ? task::evaluate : task::compare;
    for (int k = 0; k < most_levels; ++k) {
      if (what == task::compare) set_reference(best.element);
      const ranked next = level(what, best.rank); // one call, which is inlined: wgmma does not like to be in a function
      if (what == task::evaluate) {
        best.take(next);
        what = task::confirm;
      } else if (what == task::confirm) {
        what = task::compare;
      } else {
        if (next.element < 0) break;
        best = next;
        if (next.rank == rank(zero_key)) break;
      }
    }
    if (blockIdx.x == 0) put_answer(best.element);
  }

 private:
  __device__ std::uint64_t rank(std::uint64_t key) const { return c_.order == 1 ? rank_of<1>(key) : rank_of<-1>(key); }

  /// So few open elements are evaluated by a warp each: of random numbers one in 2^22 is open.
  __device__ static std::int64_t most_open_of(std::int64_t count) { return count >> 19; }

  /// The evaluations of a few open elements, which are not among the best.
  __device__ void evaluate_few() const {
    const window_queue groups(queues_[threadIdx.x / 128], c_.count, c_.base);
    groups.for_own_groups(
        [&](std::int64_t u) { return any_of_group(c_.open, u); },
        [&](std::int64_t u) {
          const uint4 open = __ldcg(c_.open + u);
#pragma unroll 1
          for (int k = 0; k < 4; ++k) {
            unsigned bits = k == 0 ? open.x : k == 1 ? open.y : k == 2 ? open.z : open.w;
#pragma unroll 1
            for (; bits != 0; bits &= bits - 1) {
              const std::int64_t element = c_.base + 128 * u + 4 * (__ffs(static_cast<int>(bits)) - 1) + k;
              const std::uint64_t key = evaluate_by<Number>(warp_team{}, c_.layout.element(element)).key();
              if (threadIdx.x % 32 == 0) store_relaxed(c_.evaluations + element, key);
            }
          }
        });
  }

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
    for (int r = static_cast<int>(threadIdx.x); r < c_.records; r += threads) {
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
      shared_.answer = answer;
      if (c_.out.index != nullptr) *c_.out.index = answer - c_.origin;
    }
    __syncthreads();
    if (c_.out.value == nullptr) return;
    for (int i = static_cast<int>(threadIdx.x); i < Base::size; i += threads) {
      c_.out.value->set_residue(i, c_.layout.element(shared_.answer)(i));
    }
  }

  // ---- levels ----

  __device__ void set_reference(std::int64_t element) {
    __syncthreads();
    for (int i = static_cast<int>(threadIdx.x); i < Base::size; i += threads) {
      reference_[i] = c_.layout.element(element)(i);
    }
    __syncthreads();
  }

  /// The rank of a group that the windows must compare.
  static constexpr std::uint64_t pending = 1;

  /// One task for the elements that it concerns, `bar` being the best rank so far: the best that all blocks find.
  __device__ __forceinline__ ranked level(task what, std::uint64_t bar) {
    ranked best;
    window_queue todo(queues_[threadIdx.x / 128], c_.count, c_.base);
    bool left = true;
    if (what == task::compare) {
      left = false;
      todo.for_own_groups([&](std::int64_t u) { return stays(u, bar); },
                          [&](std::int64_t u) { left |= !compare_group(u, best); });
    }
    left = __syncthreads_or(left) != 0;
    if (left && c_.resident && !loaded_) {
      load_windows<Base>(words_, 0, window_schedule<Base>::steps);
      loaded_ = true;
    }
    while (left) {
      const int rows =
          todo.take([&](std::int64_t u) { return wants(u, what, bar); },
                    [&](std::int64_t u) { return what == task::evaluate ? choose_open(u) : choose(u, what, bar); });
      if (c_.resident ? rows == 0 : __syncthreads_or(rows) == 0) break;
      evaluate_taken<Base>(todo, rows, {words_, c_.resident}, c_.layout, what == task::compare ? reference_ : nullptr,
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
    if constexpr (Number::is_symmetric) { // next to M/2
      if (key == 0) key = key_by_magnification<Number>(c_.layout.element(element), std::uint64_t{1} << 62);
    }
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

  /// The ranks of group u: one, or one of each word.
  __device__ std::uint64_t* ranks_of(std::int64_t u) const { return c_.memory.rank + (Planes ? u : 4 * u); }
  static constexpr int ranks_of_group = Planes ? 1 : 4;

  static __device__ bool is_chosen(std::uint64_t rank, task what, std::uint64_t bar) {
    return what == task::compare ? rank == pending : rank != 0 && rank + 1 >= bar;
  }

  /// Whether choose_open() or choose() will find any in group u; by a thread.
  __device__ bool wants(std::int64_t u, task what, std::uint64_t bar) const {
    if (what == task::evaluate) return any_of_group(c_.open, u);
    bool any = false;
#pragma unroll
    for (int k = 0; k < ranks_of_group; ++k) any |= is_chosen(__ldcg(ranks_of(u) + k), what, bar);
    return any;
  }

  /// The contenders of group u that windows must see.
  __device__ uint4 choose(std::int64_t u, task what, std::uint64_t bar) const {
    const int lane = static_cast<int>(threadIdx.x % 32);
    std::uint64_t* own = ranks_of(u) + (Planes ? 0 : lane / 8);
    const bool chosen = is_chosen(__ldcg(own), what, bar);
    __syncwarp();
    if (what == task::compare && chosen && lane % (Planes ? 32 : 8) == 0) *own = 0;
    const unsigned lanes = __ballot_sync(~0u, chosen);
    if (lanes == 0) return {0, 0, 0, 0};
    const uint4 bits = ballots_of_group<Planes>(c_.memory.contenders, u);
    return {bits.x & lanes, bits.y & lanes, bits.z & lanes, bits.w & lanes};
  }

  /// Whether group u stays in the contest. Its ranks become `pending` where it does, else 0. By a thread.
  __device__ bool stays(std::int64_t u, std::uint64_t bar) const {
    bool any = false;
#pragma unroll
    for (int k = 0; k < ranks_of_group; ++k) {
      std::uint64_t* own = ranks_of(u) + k;
      const bool near = is_chosen(__ldcg(own), task::confirm, bar);
      *own = near ? pending : 0;
      any |= near;
    }
    return any;
  }

  /// Compares group u here, if three residues determine X - R for all of its contenders, as for neighbours of R.
  __device__ bool compare_group(std::int64_t u, ranked& best) const {
    if constexpr (Planes) return compare_small(u, __ldcg(c_.memory.contenders + u), best);
    return false;
  }

  /// Ranks the chosen elements of group u if X - R is determined by three residues for each of them.
  __device__ bool compare_small(std::int64_t u, const uint4& bits, ranked& best) const {
    using small_differences = small_quad<signed_number>;
    if constexpr (!small_differences::rule::complete && !small_differences::useful) return false;
    const int lane = static_cast<int>(threadIdx.x % 32);
    const std::int64_t last = c_.base + c_.count - 4, own = c_.base + 128 * u + 4 * lane;
    const std::int64_t element = own < last ? own : last; // all lanes read
    const bool chosen[4] = {(bits.x >> lane & 1) != 0, (bits.y >> lane & 1) != 0, (bits.z >> lane & 1) != 0,
                            (bits.w >> lane & 1) != 0};
    const std::uint32_t* x = c_.layout.element(element).first;
    uint4 r[quad_batch<Base::size>], first[quad_batch<Base::size>];
    load_first_planes(r, x, c_.layout.plane_stride);
#pragma unroll
    for (int i = 0; i < 3 && i < quad_batch<Base::size>; ++i) {
      const modulus m = moduli_of<Base>()[i];
      const std::uint32_t s = reference_[i];
      first[i] = {m.subtract(r[i].x, s), m.subtract(r[i].y, s), m.subtract(r[i].z, s), m.subtract(r[i].w, s)};
    }
    small_differences small(first);
    const auto all_agree = [&] {
      return __all_sync(~0u, (small.agrees[0] || !chosen[0]) && (small.agrees[1] || !chosen[1]) &&
                                 (small.agrees[2] || !chosen[2]) && (small.agrees[3] || !chosen[3]));
    };
    if constexpr (!small_differences::rule::complete) {
      small.test(r[3], 3, reference_[3]);
      if (!all_agree()) return false;
      stream_planes<Base::size>(r, x, c_.layout.plane_stride, [&](const uint4& plane, int i) {
        if (i > 3) small.test(plane, i, reference_[i]);
      });
      if (!all_agree()) return false;
    }
    std::uint64_t of_group = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      if (!chosen[k]) continue;
      const std::uint64_t own_rank = rank(small_differences::rule::key(small.value[k]));
      if (own_rank > of_group) of_group = own_rank;
      best.take({own_rank, element + k});
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
    for (unsigned b = threadIdx.x; b < gridDim.x; b += threads) {
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
  bool loaded_ = false; // E
};

/// All blocks must be on the device at once (a cooperative launch).
template <class Number, bool Planes>
__global__ void __launch_bounds__(contest_windows<typename Number::base_type>::threads,
                                  contest_windows<typename Number::base_type>::blocks_at_once)
    best_of_contenders(contest<Number> c) {
  using Base = typename Number::base_type;
  using block = contest_by_block<Number, Planes>;
  extern __shared__ __align__(128) unsigned char memory[];
  __shared__ typename block::storage shared;
  __shared__ std::uint32_t reference[reference_words<Base>];
  auto* queues = reinterpret_cast<window_queue::storage*>(memory);
  auto* words = reinterpret_cast<std::uint32_t*>(queues + contest_windows<Base>::warpgroups);
  block(c, shared, queues, reference, words).run();
}

} // namespace detail
} // namespace thrust_rns
