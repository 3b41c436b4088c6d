// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Conversion of many integers: a block takes a tile of 128 elements, a warp four moduli (or digits) of the whole tile
/// at a time, a thread four neighbours of it: per term of the sums two 16-byte loads and 16 multiply-adds.

#include <cstdint>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/exchange_sinks.h>
#include <thrust_rns/detail/exchange_sources.h>
#include <thrust_rns/detail/exchange_tables.h>
#include <thrust_rns/interval.h>
#include <thrust_rns/number.h>
#include <thrust_rns/span.h>

namespace thrust_rns {
namespace detail {

inline constexpr int exchange_tile = 128;
inline constexpr int exchange_pitch = exchange_tile + 4; // words; so that neither rows nor columns meet in one bank
inline constexpr int exchange_check_threads = 256;

/// Warps of a block that share `groups` passes, from `least` to `most`, so that few of them wait in the last round.
constexpr int warps_for(int groups, int least, int most) {
  const int rounds = (groups + most - 1) / most, warps = (groups + rounds - 1) / rounds;
  return warps < least ? least : warps;
}

/// Few warps a block, so that many blocks, each in another phase, share a multiprocessor; more where digits take much
/// of its shared memory.
template <class Base>
struct exchange_shape {
  using constants = exchange_constants<Base>;
  static constexpr int import_groups = (Base::size + 3) / 4;
  static constexpr std::size_t import_bytes(int digits) { // with a row for signs
    return sizeof(std::uint32_t) * static_cast<std::size_t>((digits + 1) * exchange_pitch);
  }
  static constexpr int import_threads = 32 * warps_for(import_groups, 2, constants::import_digits < 64 ? 6 : 12);

  static constexpr int export_groups = constants::export_pitch / 4;
  static constexpr int export_warps = warps_for(export_groups, exchange_tile / 32, 6);
  static constexpr int export_threads = 32 * export_warps;
  static constexpr int sums_of_round = 4 * export_warps;
  static constexpr std::size_t export_bytes = // residues, sums with a row to spare for the last word, signs
      sizeof(std::uint32_t) * exchange_pitch * static_cast<std::size_t>(Base::size + 2 * (sums_of_round + 1) + 1);
};

/// A tile of elements, aligned to quads of the planes; tile 0 may begin before the first element, the last end after
/// the last.
struct exchange_range {
  std::int64_t first, count; // elements

  THRUST_RNS_HD std::int64_t begin_of_tile(std::int64_t tile) const { return first / 4 * 4 + tile * exchange_tile; }
  THRUST_RNS_HD std::int64_t tiles() const { return (first % 4 + count + exchange_tile - 1) / exchange_tile; }
  THRUST_RNS_HD bool contains(std::int64_t element) const { return first <= element && element < first + count; }
};

/// Whether an earlier kernel has found an element that stops the conversion.
__device__ inline bool has_failed(const std::int64_t* failed, std::int64_t count) {
  return failed != nullptr && *failed < count;
}

/// *failed := the smaller of it and `index`; both at least 0.
__device__ inline void report_failure(std::int64_t* failed, std::int64_t index) {
  atomicMin(reinterpret_cast<unsigned long long*>(failed), static_cast<unsigned long long>(index));
}

template <class Index>
__global__ void set_no_failure(Index* failed, Index count) {
  *failed = count;
}

template <class Number, class Source>
__global__ void __launch_bounds__(exchange_check_threads)
    check_source(Source source, std::int64_t count, std::int64_t* failed) {
  const std::int64_t e = std::int64_t{blockIdx.x} * exchange_check_threads + threadIdx.x;
  if (e < count && !source_in_range<Number>(source, e)) report_failure(failed, e);
}

/// Numbers first .. of a view that the limits do not contain. Fills the cache of evaluations.
template <class Number>
__global__ void __launch_bounds__(exchange_check_threads)
    check_numbers(span<const Number> in, std::int64_t first, std::int64_t count,
                  const __grid_constant__ export_limits<Number> limits, std::int64_t* failed) {
  __shared__ digit_group digits[Number::size];
  for (int i = static_cast<int>(threadIdx.x); i < Number::size; i += exchange_check_threads) {
    digits[i] = expansions_of<typename Number::base_type>().group[0][i];
  }
  __syncthreads();
  const std::int64_t e = std::int64_t{blockIdx.x} * exchange_check_threads + threadIdx.x;
  if (e >= count) return;
  const strided_residues x{in.plane(0) + first + e, in.stride()};
  std::uint64_t key = in.evaluations() != nullptr ? load_relaxed(in.evaluations() + first + e) : 0;
  if (key == 0) {
    digit_sums sums;
#pragma unroll 8
    for (int i = 0; i < Number::size; ++i) sums.add(x(i), digits[i]);
    key = key_from_leading<Number>(sums.leading());
    if (key == 0) key = key_by_magnification<Number>(x, sums.leading());
    if (in.evaluations() != nullptr) store_relaxed(in.evaluations() + first + e, key);
  }
  if (!limits.contain(x, key)) report_failure(failed, e);
}

/// Calls f(row, element of the tile) for rows below `rows` and the elements of the tile. by_rows: neighbouring threads
/// take eight neighbouring rows of four elements, which neither global memory nor the banks of shared memory mind, else
/// neighbouring elements of a row. Four calls in a row do not depend on each other.
template <int Threads, class Function>
__device__ void for_each_of_tile(bool by_rows, int rows, Function f) {
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  if (by_rows) {
    for (int e = 4 * warp + lane / 8; e < exchange_tile; e += Threads / 8) {
#pragma unroll 4
      for (int row = lane % 8; row < rows; row += 8) f(row, e);
    }
  } else {
    for (int row = warp; row < rows; row += Threads / 32) {
#pragma unroll
      for (int e = 0; e < exchange_tile; e += 32) f(row, e + lane);
    }
  }
}

/// Turns the words of a tile into digits, in place and from the top: digit j lies in words up to j. A thread takes a
/// column.
template <int Bits, int Threads>
__device__ void words_to_digits(std::uint32_t* words, int digits) {
  static_assert(Bits < 32);
  constexpr int batch = 4; // loads before the stores
  for (int e = static_cast<int>(threadIdx.x); e < exchange_tile; e += Threads) {
    std::uint32_t* column = words + e;
    for (int top = digits - 1; top >= 0; top -= batch) {
      std::uint32_t d[batch];
#pragma unroll
      for (int b = 0; b < batch; ++b) {
        const unsigned bit = static_cast<unsigned>((top - b < 0 ? 0 : top - b) * Bits), word = bit / 32,
                       shift = bit % 32;
        const std::uint32_t low = column[word * exchange_pitch];
        const std::uint32_t high = shift + Bits > 32 ? column[(word + 1) * exchange_pitch] : 0;
        d[b] = __funnelshift_r(low, high, shift) & ((std::uint32_t{1} << Bits) - 1);
      }
#pragma unroll
      for (int b = 0; b < batch; ++b) {
        if (top - b >= 0) column[(top - b) * exchange_pitch] = d[b];
      }
    }
  }
}

/// sums[a][b] := sum over k < terms of left[k * left_pitch + a] right[k * exchange_pitch + b].
__device__ inline void multiply_tile(const std::uint32_t* left, std::int64_t left_pitch, const std::uint32_t* right,
                                     int terms, std::uint64_t (&sums)[4][4]) {
#pragma unroll
  for (int a = 0; a < 4; ++a) {
#pragma unroll
    for (int b = 0; b < 4; ++b) sums[a][b] = 0;
  }
#pragma unroll 4
  for (int k = 0; k < terms; ++k) {
    const uint4 l4 = *reinterpret_cast<const uint4*>(left + k * left_pitch);
    const uint4 r4 = *reinterpret_cast<const uint4*>(right + k * exchange_pitch);
    const std::uint32_t l[4] = {l4.x, l4.y, l4.z, l4.w}, r[4] = {r4.x, r4.y, r4.z, r4.w};
#pragma unroll
    for (int a = 0; a < 4; ++a) {
#pragma unroll
      for (int b = 0; b < 4; ++b) sums[a][b] += static_cast<std::uint64_t>(l[a]) * r[b];
    }
  }
}

/// Numbers first .. first + count - 1 of `out` := the integers of the source, all in range; their evaluations are
/// dropped. A block a tile; dynamic shared memory: import_bytes(digits).
template <class Number, class Source>
__global__ void __launch_bounds__(exchange_shape<typename Number::base_type>::import_threads)
    import_tile(Source source, int digits, span<Number> out, exchange_range range, const std::int64_t* failed) {
  using Base = typename Number::base_type;
  using constants = exchange_constants<Base>;
  using shape = exchange_shape<Base>;
  constexpr int threads = shape::import_threads;
  extern __shared__ __align__(16) std::uint32_t shared[];
  if (has_failed(failed, range.count)) return;
  const std::int64_t begin = range.begin_of_tile(blockIdx.x);
  const int thread = static_cast<int>(threadIdx.x);
  std::uint32_t* signs = shared + digits * exchange_pitch;

  const int words = (digits * constants::import_bits + 31) / 32;
  for_each_of_tile<threads>(source.by_rows(), words, [&](int j, int e) {
    const std::int64_t index = begin + e - range.first; // outside the range any element does
    shared[j * exchange_pitch + e] = source.word(index < 0 ? 0 : index < range.count ? index : range.count - 1, j);
  });
  for (int e = thread; e < exchange_tile; e += threads) {
    if (!range.contains(begin + e)) continue;
    if (source.may_be_negative()) signs[e] = source.is_negative(begin + e - range.first);
    if (out.evaluations() != nullptr) store_relaxed(out.evaluations() + begin + e, 0);
  }
  __syncthreads();
  if constexpr (constants::import_bits < 32) {
    words_to_digits<constants::import_bits, threads>(shared, digits);
    __syncthreads();
  }

  const auto& powers = table<make_import_powers<Base>>();
  const int lane = thread % 32;
  const std::int64_t element = begin + 4 * lane;
  for (int group = thread / 32; group < shape::import_groups; group += threads / 32) {
    std::uint64_t sums[4][4];
    multiply_tile(powers[0].column + 4 * group, constants::import_columns, shared + 4 * lane, digits, sums);
#pragma unroll
    for (int a = 0; a < 4; ++a) {
      const int i = 4 * group + a;
      if (i >= Base::size) break;
      const modulus m = moduli_of<Base>()[i];
      std::uint32_t x[4];
#pragma unroll
      for (int b = 0; b < 4; ++b) {
        x[b] = m.reduce(sums[a][b]);
        if (source.may_be_negative() && signs[4 * lane + b] != 0) x[b] = m.subtract(x[b], powers[digits].column[i]);
      }
      std::uint32_t* p = out.plane(i) + element;
      if (range.contains(element) && range.contains(element + 3)) {
        *reinterpret_cast<uint4*>(p) = make_uint4(x[0], x[1], x[2], x[3]);
      } else {
#pragma unroll
        for (int b = 0; b < 4; ++b) {
          if (range.contains(element + b)) p[b] = x[b];
        }
      }
    }
  }
}

/// The integers of numbers first .. first + count - 1 to the sink, which holds them: their lowest words, as `columns`
/// give them. A block a tile; dynamic shared memory: export_bytes.
template <class Number, class Sink>
__global__ void __launch_bounds__(exchange_shape<typename Number::base_type>::export_threads)
    export_tile(span<const Number> in, exchange_range range, Sink sink, int columns, const std::int64_t* failed) {
  using Base = typename Number::base_type;
  using constants = exchange_constants<Base>;
  using shape = exchange_shape<Base>;
  constexpr int threads = shape::export_threads, warps = shape::export_warps;
  extern __shared__ __align__(16) std::uint32_t shared[];
  std::uint32_t* residues = shared;                                                               // [n][pitch]
  auto* sums_of_tile = reinterpret_cast<std::uint64_t*>(shared + Base::size * exchange_pitch);    // [columns][pitch]
  std::uint32_t* signs = shared + (Base::size + 2 * (shape::sums_of_round + 1)) * exchange_pitch; // [pitch]
  if (has_failed(failed, range.count)) return;
  const std::int64_t begin = range.begin_of_tile(blockIdx.x), stride = in.stride();
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32, warp = thread / 32;

  constexpr int batch = 4;
  const bool exists = begin + 4 * lane < stride;
  for (int first = warp; first < Base::size; first += batch * warps) {
    uint4 x[batch];
#pragma unroll
    for (int b = 0; b < batch; ++b) {
      const int i = first + b * warps;
      x[b] = make_uint4(0, 0, 0, 0);
      if (exists && i < Base::size) x[b] = *reinterpret_cast<const uint4*>(in.plane(i) + begin + 4 * lane);
    }
#pragma unroll
    for (int b = 0; b < batch; ++b) {
      const int i = first + b * warps;
      if (i >= Base::size) break;
      const scaled_modulus m = table<make_scaled_moduli<Base>>()[i];
      *reinterpret_cast<uint4*>(residues + i * exchange_pitch + 4 * lane) =
          make_uint4(m.multiply(x[b].x), m.multiply(x[b].y), m.multiply(x[b].z), m.multiply(x[b].w));
    }
  }
  __syncthreads();

  const auto& factors = table<make_export_factors<Base>>();
  const auto& range_digits = table<make_range_digits<Base>>();
  const bool mine = thread < exchange_tile && range.contains(begin + thread); // element `thread` of the tile is mine
  carry_chain<Number> chain;
  [[maybe_unused]] typename Sink::collector collector;
  int stored = 0; // words of each element
  for (int first_column = 0; first_column < columns; first_column += shape::sums_of_round) {
    const int end_column = min(columns, first_column + shape::sums_of_round);
    const bool last = end_column == columns;
    if (first_column + 4 * warp < end_column) {
      std::uint64_t sums[4][4];
      multiply_tile(factors[0].column + first_column + 4 * warp, constants::export_pitch, residues + 4 * lane,
                    Base::size, sums);
#pragma unroll
      for (int a = 0; a < 4; ++a) {
        auto* p = reinterpret_cast<ulonglong2*>(sums_of_tile + (4 * warp + a) * exchange_pitch + 4 * lane);
        p[0] = make_ulonglong2(sums[a][0], sums[a][1]);
        p[1] = make_ulonglong2(sums[a][2], sums[a][3]);
      }
    }
    __syncthreads();

    if (mine) { // word j takes the place of a sum that has been used: a sum gives at most one word
      const auto* sum = sums_of_tile + thread;
      auto* word = sums_of_tile + thread;
      const auto put = [&](std::uint32_t w) {
        if constexpr (Sink::takes_words) {
          *word = w;
          word += exchange_pitch;
        } else {
          collector.put(w);
        }
      };
      int column = first_column;
      if (column == 0) {
        chain.start(sum[0], sum[exchange_pitch], strided_residues{in.plane(0) + begin + thread, stride});
        sum += 2 * exchange_pitch;
        column = 2;
      }
      for (; column < end_column; column += batch, sum += batch * exchange_pitch) {
        std::uint64_t s[batch];
        std::uint32_t digit[batch];
#pragma unroll
        for (int b = 0; b < batch; ++b) {
          if (column + b >= end_column) break;
          s[b] = sum[b * exchange_pitch];
          digit[b] = range_digits[column + b - 2];
        }
#pragma unroll
        for (int b = 0; b < batch; ++b) {
          if (column + b < end_column) chain.add(s[b], digit[b], put);
        }
      }
      if (last) {
        const std::uint32_t sign = chain.finish(put);
        signs[thread] = sign;
        if constexpr (!Sink::takes_words) collector.write(sink, begin + thread - range.first, sign);
      }
    }
    if constexpr (Sink::takes_words) {
      __syncthreads();
      const int ready = last ? exported_words<Base> : (end_column - 2) * constants::export_bits / 32; // words so far
      const int end = last ? sink.words() : min(ready, sink.words());
      for_each_of_tile<threads>(sink.by_rows(), end - stored, [&](int j, int e) {
        if (!range.contains(begin + e)) return;
        const auto sum = sums_of_tile[j * exchange_pitch + e];
        sink.store(begin + e - range.first, stored + j,
                   stored + j < ready ? static_cast<std::uint32_t>(sum) : signs[e]);
      });
      stored = ready;
    }
    __syncthreads(); // before the next round's sums
  }
}

} // namespace detail
} // namespace thrust_rns
