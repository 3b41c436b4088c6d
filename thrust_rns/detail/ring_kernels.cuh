// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Products in Z_m[x]/(x^n - x - 1) on Tensor Cores: one warp a pair, one matrix product a pair, no reduction pass.
///
/// **The map.** c = T g with T[k][j] = F[k - j], where F folds the reduction by x^n = x + 1 into f:
/// F[d] = f_d for d > 0, F[0] = f_0 + f_(n-1), F[-e] = f_(n-e) + f_(n-e-1). Row 0 alone differs: c_0 takes
/// -c_(n-1) + f_(n-1) g_(n-1) in the end. With S[x] = F[x - (n-1)] and R[y] = g[n-1-y],
///
///     c[shifts r + s] = sum over kappa < n-1 + shifts of R[kappa - s] S[shifts r + kappa],    s < shifts,
///
/// is a matrix product: left matrix rows s (the reversed g at `shifts` offsets), right matrix columns r. Both are overlapping
/// views of arrays of bytes in shared memory, so each fragment word is one load, and the right matrix's fragment of
/// (tile, k step) depends on k step + shifts/4 tile alone: it is loaded once and stays in registers for all tiles.
///
/// **Bytes.** A full g (m <= 8192) is two unsigned bytes g = g0 + 256 g1: the 16 rows are 8 shifts of g0, then 8 of g1. A small
/// g is one signed byte: 16 shifts. A folded f that fits a signed byte (|f| <= 63) is one right matrix; any other is two,
/// F = F0 + 256 F1 with -128 <= F0 < 128, taken one after the other: c = 256 (R F1 mod m) + R F0.
///
/// No branch and no address depends on coefficients.

#include <cstdint>
#include <type_traits>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/ring_product.h>
#include <thrust_rns/ring.h>
#include <thrust_rns/detail/wgmma.cuh>

namespace thrust_rns {
namespace detail {

/// Numbers of one kernel: `Rows` is g above, the type of the reversed operand, `Columns` is f, that of the folded one.
template <class R, class Rows, class Columns>
struct ring_plan {
  using ring = R;
  using rows = Rows;
  using columns = Columns;
  static constexpr int n = R::degree, modulus = R::modulus, top_word = (n - 1) / 4;

  static constexpr std::int64_t rows_largest = Rows::is_full ? modulus - 1 : -Rows::coefficients::smallest;
  static constexpr std::int64_t columns_largest = Columns::is_full ? modulus - 1 : -Columns::coefficients::smallest;

  static constexpr int limbs = Rows::is_full ? 2 : 1;
  static constexpr int passes = 2 * columns_largest <= 127 ? 1 : 2;
  static constexpr int shifts = 16 / limbs;
  static constexpr int k_steps = (n - 1 + shifts + 31) / 32;
  static constexpr int tiles = (n + 8 * shifts - 1) / (8 * shifts);
  static constexpr int tile_step = shifts / 4;
  static constexpr int window = tile_step * (tiles - 1); // right fragments held beside the current one

  // 32-bit sums, the last pass's with what the pass before left and the correction of c_0.
  static constexpr std::int64_t digit = passes == 1 ? 2 * columns_largest : 128;
  static constexpr std::int64_t largest_sum =
      n * digit * (limbs == 2 ? 255 + 256 * (rows_largest / 256) : rows_largest) + (passes == 1 ? 0 : 256 * modulus) +
      rows_largest * columns_largest + modulus;
  static_assert(largest_sum < (std::int64_t{1} << 31), "thrust_rns: the sums of this product do not fit in 32 bits");

  // Words of four coefficients; a lane stages `lane_words` neighbours: 2 modulo 4, so that its accesses meet no bank twice.
  static constexpr int needed_lane_words = (top_word + 1 + 31) / 32;
  static constexpr int lane_words = (needed_lane_words + 1) / 4 * 4 + 2;
  static constexpr int raw_words = 32 * lane_words + 4;

  // Shared memory of a warp, bytes. Left: four byte-shifted copies of pairs of words, entry i of copy s at
  // copy(s) + 8 (i + 1 + top_word % 2); the bases are apart by 2 and 16 words modulo 32, free of bank conflicts.
  static constexpr int parity = top_word % 2;
  static constexpr int copy_words = 2 * (8 * k_steps + 1 + parity);
  static constexpr int copy_1 = (copy_words + 29) / 32 * 32 + 2;
  static constexpr int copy_2 = (copy_1 + copy_words + 15) / 32 * 32 + 16;
  static constexpr int left_bytes = (4 * (copy_1 + copy_2 + copy_words) + 15) / 16 * 16;
  static constexpr int columns_read = shifts * (8 * tiles - 1) + 32 * k_steps;
  static constexpr int columns_written = 4 * (top_word + 32 * lane_words);
  static constexpr int right_stride =
      ((columns_read > columns_written ? columns_read : columns_written) + 15) / 16 * 16;
  static constexpr int raw_guard = 16; // zeros before a raw row
  static constexpr int rows_raw_bytes =
      (raw_words * 4 * static_cast<int>(sizeof(typename Rows::storage_type)) + 127) / 128 * 128;
  static constexpr int columns_raw_bytes =
      (raw_words * 4 * static_cast<int>(sizeof(typename Columns::storage_type)) + 127) / 128 * 128;
  static constexpr int left = 0;
  static constexpr int right = left_bytes;
  static constexpr int rows_raw = (right + passes * right_stride + raw_guard + 127) / 128 * 128;
  static constexpr int columns_raw = rows_raw + rows_raw_bytes;
  static constexpr int bytes = columns_raw + columns_raw_bytes;

  // Blocks of one warp; how many a multiprocessor can hold: its registers belong to its four parts, so 16 warps may have 128
  // each, 12 warps 168, 8 warps 255.
  static constexpr int registers = 4 * tiles + 2 * (window + 1) + 36; // about
  static constexpr int blocks = registers <= 130 && passes == 1 ? 16 : registers <= 168 ? 12 : 8;
};

/// Which of two operands is folded: one that fits a byte folded, if there is one; else the full one; else the second.
template <class R, class A, class B>
struct fold_choice {
  template <class E>
  static constexpr int rank = E::is_full ? 1 : (-E::coefficients::smallest <= 63 ? 2 : 0);
  static constexpr bool first = rank<A> > rank<B>;
  using plan = std::conditional_t<first, ring_plan<R, B, A>, ring_plan<R, A, B>>;
};

// ---- instructions ----------------------------------------------------------------------------------------------

__device__ inline uint2 load_shared_64(std::uint32_t address) {
  uint2 r;
  asm volatile("ld.shared.v2.b32 {%0, %1}, [%2];" : "=r"(r.x), "=r"(r.y) : "r"(address));
  return r;
}

__device__ inline void copy_async_16(std::uint32_t shared, const void* global) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared), "l"(global) : "memory");
}

/// c += a b: a 16 x 32 (row), b 32 x 8 (column), bytes; a unsigned or signed, b signed.
template <bool UnsignedA>
__device__ inline void mma_16x8x32(int (&c)[4], uint2 a01, uint2 a23, uint2 b) {
  if constexpr (UnsignedA) {
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
        "%3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a01.x), "r"(a01.y), "r"(a23.x), "r"(a23.y), "r"(b.x), "r"(b.y));
  } else {
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
        "%3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a01.x), "r"(a01.y), "r"(a23.x), "r"(a23.y), "r"(b.x), "r"(b.y));
  }
}

/// Two neighbouring bytes of x as 16-bit integers, sign-extended: bytes 0 and 1, or 2 and 3.
template <int First>
__device__ inline std::uint32_t widen_bytes(std::uint32_t x) {
  std::uint32_t r;
  asm("prmt.b32 %0, %1, 0, %2;" : "=r"(r) : "r"(x), "n"(First == 0 ? 0x9180 : 0xb3a2));
  return r;
}

// ---- reduction -------------------------------------------------------------------------------------------------

/// x - t m with t next to x/m: in (-0.6 m, 0.6 m), for |x| <= Largest.
///
/// t = x (1/m) in floating point, rounded to an integer by adding 1.5 2^23: wrong by at most 1/2 + 3 2^-24 |x|/m.
template <int M, std::int64_t Largest>
__device__ inline int reduce_near(int x) {
  static_assert(Largest < (std::int64_t{1} << (M == 3 ? 29 : 31))); // modulo 3, t is exact
  if constexpr (Largest / M < (M == 3 ? 1 << 17 : 1 << 19)) {
    const int t = __float_as_int(__fmaf_rn(__int2float_rn(x), 1.0f / M, 12582912.0f)) - 0x4b400000;
    return x - t * M;
  } else { // t = round(x ceil(2^32/m) / 2^32), wrong by at most 1/2 + |x| 2^-32
    constexpr std::int64_t reciprocal = ((std::int64_t{1} << 32) + M - 1) / M;
    const int t = static_cast<int>((x * reciprocal + (std::int64_t{1} << 31)) >> 32);
    return x - t * M;
  }
}

/// 256 times the same.
template <int M, std::int64_t Largest>
__device__ inline int reduce_near_times_256(int x) {
  if constexpr (Largest / M < (1 << 19)) { // modulo 2^32, with the 1.5 2^23 of t taken out by the constant
    const std::uint32_t t = __float_as_uint(__fmaf_rn(__int2float_rn(x), 1.0f / M, 12582912.0f));
    return static_cast<int>((static_cast<std::uint32_t>(x) << 8) + 0x40000000u * M - t * (256u * M));
  } else {
    return 256 * reduce_near<M, Largest>(x);
  }
}

/// x mod m in [0, m) in the low half; the high half of the result is anything.
template <int M, std::int64_t Largest>
__device__ inline std::uint32_t reduce_low_half(int x) {
  if constexpr ((M & (M - 1)) == 0) {
    return static_cast<std::uint32_t>(x) & (M - 1);
  } else if constexpr (Largest / M < (1 << 19)) { // as in reduce_near; the constant's low half is zero
    const std::uint32_t t = __float_as_uint(__fmaf_rn(__int2float_rn(x), 1.0f / M, 12582912.0f));
    return static_cast<std::uint32_t>(x) - t * M;
  } else {
    return static_cast<std::uint32_t>(reduce_near<M, Largest>(x));
  }
}

/// Both halves of x: from (-m, m), as 16 bits, to [0, m).
template <int M>
__device__ inline std::uint32_t make_canonical(std::uint32_t x) {
  if constexpr ((M & (M - 1)) == 0) {
    return x;
  } else {
    return __viaddmin_u16x2(x, static_cast<std::uint32_t>(M) * 0x10001u, x); // a negative half is a large one
  }
}

/// Both halves of x: coefficients modulo From, read as centred integers; modulo To, in [0, To).
template <int From, int To>
__device__ inline std::uint32_t change_modulus(std::uint32_t x) {
  constexpr std::uint32_t lift = (From + To - 1) / To * To - From; // = -From mod To, not negative
  const auto change = [](std::uint32_t c) { return (c + (c > (From - 1) / 2 ? lift : 0u)) % std::uint32_t{To}; };
  return change(x & 0xffff) | (change(x >> 16) << 16);
}

/// Two coefficients modulo M in the halves of c, as Output has them; ternary ones as 16-bit integers.
template <int M, int N, class Output>
__device__ inline std::uint32_t change_coefficients(std::uint32_t c) {
  if constexpr (std::is_same_v<Output, full_element<prime_ring<N, M>>>) {
    return c;
  } else if constexpr (Output::is_full) {
    return change_modulus<M, Output::coefficients::modulus>(c);
  } else {
    c = change_modulus<M, 3>(c);
    return __vsub2(c, ((c >> 1) & 0x10001u) * 3); // 2 becomes -1
  }
}

/// Coefficients i, i + 1 of the product in the halves of c; adds those of the addend; writes zeros from N on. `end`: the
/// end of the tile, so that the compiler sees which tiles need no test.
template <int M, int N, class Output, class Addend>
__device__ inline void put_coefficient_pair(Output* out, const Addend* addend, int end, int i, std::uint32_t c) {
  if (end > Output::row && i >= Output::row) return;
  if constexpr (!std::is_void_v<Addend>) {
    std::uint32_t e;
    if constexpr (Addend::is_full) {
      e = *reinterpret_cast<const std::uint32_t*>(addend->data() + i);
    } else {
      const auto residue = [](int x) {
        x %= M;
        return static_cast<std::uint32_t>(x < 0 ? x + M : x);
      };
      e = residue((*addend)[i]) | (residue((*addend)[i + 1]) << 16);
    }
    c += e; // below 2^14 each
    c = __vminu2(c, __vsub2(c, std::uint32_t{M} * 0x10001u));
  }
  c = change_coefficients<M, N, Output>(c);
  if (end > N && i + 1 >= N) c &= i < N ? 0xffffu : 0u;
  if constexpr (Output::is_full) {
    *reinterpret_cast<std::uint32_t*>(out->data() + i) = c;
  } else {
    *reinterpret_cast<std::uint16_t*>(out->data() + i) = static_cast<std::uint16_t>(__byte_perm(c, 0, 0x4420));
  }
}

// ---- a warp's share --------------------------------------------------------------------------------------------

/// Stages operands, multiplies, and writes results; one object a warp, whose shared memory is `memory`.
template <class Plan>
struct toeplitz_warp {
  using R = typename Plan::ring;
  using Rows = typename Plan::rows;
  using Columns = typename Plan::columns;
  static constexpr int n = Plan::n, words = Plan::lane_words, modulus = Plan::modulus;

  unsigned char* memory;
  int lane;

  /// Byte offset of left copy s.
  __device__ static int copy(int s) { return Plan::left + 4 * ((s & 1) * Plan::copy_1 + (s >> 1) * Plan::copy_2); }

  /// Everything but the places of the raw operands, which are under way.
  __device__ void clear() const {
    clear(0, Plan::rows_raw);
    clear(Plan::rows_raw + static_cast<int>(sizeof(Rows)), Plan::columns_raw);
    clear(Plan::columns_raw + static_cast<int>(sizeof(Columns)), Plan::bytes);
  }
  __device__ void clear(int first, int last) const {
    for (int i = first + 16 * lane; i < last; i += 512) *reinterpret_cast<uint4*>(memory + i) = uint4{0, 0, 0, 0};
  }

  template <class Element>
  __device__ void fetch(const Element* row, int raw) const {
    const auto* source = reinterpret_cast<const unsigned char*>(row);
    const std::uint32_t target = shared_address(memory + raw);
#pragma unroll
    for (int i = 0; i < static_cast<int>(sizeof(Element)); i += 512) {
      if (i + 512 <= static_cast<int>(sizeof(Element)) || i + 16 * lane < static_cast<int>(sizeof(Element))) {
        copy_async_16(target + i + 16 * lane, source + i + 16 * lane);
      }
    }
  }
  /// The same from memory of any kind; the warp must synchronise before it reads.
  template <class Element>
  __device__ void fetch_now(const Element& element, int raw) const {
    const auto* source = reinterpret_cast<const uint4*>(&element);
    for (int i = lane; i < static_cast<int>(sizeof(Element) / 16); i += 32) {
      reinterpret_cast<uint4*>(memory + raw)[i] = source[i];
    }
  }

  /// Word w (of `lane`'s, counted from its first) of the raw rows operand, reversed bytes: limb 0 and limb 1.
  /// Writes R at four byte shifts: entry i of copy s holds R[4 i - s ..] of limb 0 and limb 1, or of one limb R at i and i - 2.
  __device__ void stage_rows() const {
    constexpr int extra = Plan::limbs == 2 ? 2 : 4;
    std::uint32_t first[words + extra], second[words + extra]; // [w + 2], w = -2 .. : reversed words
    const unsigned char* raw = memory + Plan::rows_raw;
    if constexpr (Plan::limbs == 2) {
#pragma unroll
      for (int w = -2; w < words; w += 2) {
        const uint4 v = *reinterpret_cast<const uint4*>(raw + 8 * (words * lane + w));
        first[w + 2] = __byte_perm(v.x, v.y, 0x0246);
        second[w + 2] = __byte_perm(v.x, v.y, 0x1357);
        first[w + 3] = __byte_perm(v.z, v.w, 0x0246);
        second[w + 3] = __byte_perm(v.z, v.w, 0x1357);
      }
    } else {
#pragma unroll
      for (int w = -2; w < words + 2; w += 2) {
        const uint2 v = *reinterpret_cast<const uint2*>(raw + 4 * (words * lane + w));
        first[w + 2] = __byte_perm(v.x, 0, 0x0123);
        first[w + 3] = __byte_perm(v.y, 0, 0x0123);
      }
#pragma unroll
      for (int w = -2; w < words; ++w) second[w + 2] = first[w + 4];
    }
#pragma unroll
    for (int s = 0; s < 4; ++s) {
      // Word w of the operand belongs to entry top_word - w: two neighbours a store, aligned to 16 bytes.
      unsigned char* entries = memory + copy(s) + 8 * (1 + Plan::parity + Plan::top_word - words * lane);
      const auto shifted = [&](const std::uint32_t* x, int w) {
        return s == 3 ? x[w + 2] : __funnelshift_r(x[w + 2], x[w + 1], 8 * (3 - s));
      };
      // One limb: for w = -1 the second word comes from words 1 and 0.
      const auto shifted_second = [&](int w) {
        if constexpr (Plan::limbs == 2) return shifted(second, w);
        return s == 3 ? first[w + 4] : __funnelshift_r(first[w + 4], first[w + 3], 8 * (3 - s));
      };
#pragma unroll
      for (int w = s % 2 == 0 ? words - 1 : words - 2; w >= 0; w -= 2) {
        if (31 * words + w <= Plan::top_word + 1 || words * lane + w <= Plan::top_word + 1) {
          *reinterpret_cast<uint4*>(entries - 8 * w) =
              make_uint4(shifted(first, w), shifted_second(w), shifted(first, w - 1), shifted_second(w - 1));
        }
      }
      if constexpr (32 * words == Plan::top_word + 1) { // the last word of the last lane, in the odd copies
        if (s % 2 == 1 && lane == 31) {
          *reinterpret_cast<uint2*>(entries - 8 * (words - 1)) =
              make_uint2(shifted(first, words - 1), shifted_second(words - 1));
        }
      }
    }
    if constexpr (Plan::limbs == 1) { // the second words of entries top_word + 1 (even copies) and + 2
      if (lane < 6) {
        const int s = lane < 4 ? lane : 2 * (lane - 4), beyond = lane < 4 ? 2 : 1;
        const std::uint32_t low =
            __byte_perm(*reinterpret_cast<const std::uint32_t*>(raw + 4 * (2 - beyond)), 0, 0x0123);
        const std::uint32_t high =
            __byte_perm(*reinterpret_cast<const std::uint32_t*>(raw + 4 * (1 - beyond)), 0, 0x0123);
        *reinterpret_cast<std::uint32_t*>(memory + copy(s) + 8 * (1 + Plan::parity + Plan::top_word + beyond) + 4) =
            __funnelshift_r(low, high, 8 * (3 - s));
      }
    }
  }

  /// Two words at words `at` and `at + 1` of a right matrix, `at` of known parity.
  template <bool Even>
  __device__ void put_words(unsigned char* matrix, int at, std::uint32_t x, std::uint32_t y) const {
    auto* target = reinterpret_cast<std::uint32_t*>(matrix) + at;
    if constexpr (Even) {
      *reinterpret_cast<uint2*>(target) = uint2{x, y};
    } else {
      target[0] = x;
      target[1] = y;
    }
  }

  /// Writes S: folded sums below n - 1, then F[0], f, and zeros or bits that meet only zeros of R or results beyond n.
  /// The sums of the last lanes overshoot, and f is written over them.
  __device__ void stage_columns() const {
    const unsigned char* raw = memory + Plan::columns_raw;
    unsigned char* right = memory + Plan::right;
    const int first = words * lane;
    if constexpr (Plan::passes == 1) {
      std::uint32_t x[words + 1], biased[words + 1];
#pragma unroll
      for (int w = 0; w < words; w += 2) {
        const uint2 v = *reinterpret_cast<const uint2*>(raw + 4 * (first + w));
        x[w] = v.x;
        x[w + 1] = v.y;
      }
      x[words] = *reinterpret_cast<const std::uint32_t*>(raw + 4 * (first + words));
#pragma unroll
      for (int w = 0; w <= words; ++w) biased[w] = (x[w] & 0x7f7f7f7fu) ^ 0x40404040u; // + 64, in each byte
      const auto fold = [&](int w) { return (biased[w] + __funnelshift_r(biased[w], biased[w + 1], 8)) ^ 0x80808080u; };
#pragma unroll
      for (int w = 0; w < words; w += 2) put_words<true>(right, first + w, fold(w), fold(w + 1));
      __syncwarp();
#pragma unroll
      for (int w = 0; w < words; w += 2) {
        put_words<Plan::top_word % 2 == 0>(right, Plan::top_word + first + w, x[w], x[w + 1]);
      }
      if (lane == 0) right[n - 1] = static_cast<unsigned char>(x[0] + columns_top());
    } else {
      std::uint32_t x[2 * words + 2]; // two coefficients each
#pragma unroll
      for (int w = 0; w <= words; ++w) {
        if constexpr (Columns::is_full) {
          const uint2 v = *reinterpret_cast<const uint2*>(raw + 8 * (first + w));
          x[2 * w] = v.x;
          x[2 * w + 1] = v.y;
        } else {
          const std::uint32_t v = *reinterpret_cast<const std::uint32_t*>(raw + 4 * (first + w));
          x[2 * w] = widen_bytes<0>(v);
          x[2 * w + 1] = widen_bytes<2>(v);
        }
      }
      const auto put = [&](int at, std::uint32_t a, std::uint32_t b) { // four coefficients as two balanced digits
        reinterpret_cast<std::uint32_t*>(right)[at] = __byte_perm(a, b, 0x6420);
        reinterpret_cast<std::uint32_t*>(right + Plan::right_stride)[at] =
            __byte_perm(__vadd2(a, 0x00800080u), __vadd2(b, 0x00800080u), 0x7531);
      };
#pragma unroll
      for (int w = 0; w < words; ++w) {
        put(first + w, __vadd2(x[2 * w], __funnelshift_r(x[2 * w], x[2 * w + 1], 16)),
            __vadd2(x[2 * w + 1], __funnelshift_r(x[2 * w + 1], x[2 * w + 2], 16)));
      }
      __syncwarp();
#pragma unroll
      for (int w = 0; w < words; ++w) put(Plan::top_word + first + w, x[2 * w], x[2 * w + 1]);
      if (lane == 0) {
        const int f = static_cast<std::int16_t>(x[0]) + columns_top();
        right[n - 1] = static_cast<unsigned char>(f);
        right[Plan::right_stride + n - 1] = static_cast<unsigned char>((f + 128) >> 8);
      }
    }
  }

  /// The coefficient of x^(n-1) of a raw operand.
  template <class Element>
  __device__ int top(int raw) const {
    return reinterpret_cast<const typename Element::storage_type*>(memory + raw)[n - 1];
  }
  __device__ int rows_top() const { return top<Rows>(Plan::rows_raw); }
  __device__ int columns_top() const { return top<Columns>(Plan::columns_raw); }

  // ---- accumulators: those of tile N hold c[shifts (8 N + 2 t + j) + g], g = lane / 4, t = lane % 4, at [j], and at
  // [j + 2] limb 1 of the same or the coefficient 8 further ----

  using accumulators = int[Plan::tiles][4];

  __device__ void multiply(accumulators& sum, std::uint32_t left, std::uint32_t right) const {
    uint2 f[Plan::window + Plan::k_steps];
#pragma unroll
    for (int v = 0; v < Plan::window; ++v) f[v] = load_shared_64(right + 32 * v);
#pragma unroll
    for (int k = 0; k < Plan::k_steps; ++k) {
      f[k + Plan::window] = load_shared_64(right + 32 * (k + Plan::window));
      const uint2 g01 = load_shared_64(left + 64 * k), g23 = load_shared_64(left + 64 * k + 8);
#pragma unroll
      for (int tile = 0; tile < Plan::tiles; ++tile) {
        mma_16x8x32<Plan::limbs == 2>(sum[tile], g01, g23, f[k + Plan::tile_step * tile]);
      }
    }
  }

  /// A coefficient's sum; two limbs: j = 0, 1; one limb: j = 0 .. 3.
  __device__ static int& combined(accumulators& sum, int tile, int j) {
    if constexpr (Plan::limbs == 2) {
      sum[tile][j] += 256 * sum[tile][j + 2];
      sum[tile][j + 2] = 0;
    }
    return sum[tile][j];
  }
  static constexpr int per_tile = Plan::limbs == 2 ? 2 : 4;

  __device__ void product(accumulators& sum) const {
    const int g = lane >> 2, t = lane & 3;
    const std::uint32_t left = shared_address(memory + copy(g & 3) + 8 * (1 + Plan::parity - (g >> 2) + 2 * t));
    const std::uint32_t right = shared_address(memory + Plan::right + Plan::shifts * g + 8 * t);
#pragma unroll
    for (int tile = 0; tile < Plan::tiles; ++tile) {
#pragma unroll
      for (int j = 0; j < 4; ++j) sum[tile][j] = 0;
    }
#pragma unroll 1
    for (int pass = Plan::passes - 1;; --pass) {
      multiply(sum, left, right + pass * Plan::right_stride);
      if (pass == 0) break;
#pragma unroll
      for (int tile = 0; tile < Plan::tiles; ++tile) {
#pragma unroll
        for (int j = 0; j < per_tile; ++j) {
          int& x = combined(sum, tile, j);
          x = reduce_near_times_256<modulus, Plan::largest_sum>(x);
        }
      }
    }
  }

  /// c_0 takes -c_(n-1) + correction.
  __device__ void correct(accumulators& sum, int correction) const {
    constexpr int tile = (n - 1) / (8 * Plan::shifts), rest = (n - 1) % (8 * Plan::shifts);
    constexpr int column = rest / Plan::shifts, row = rest % Plan::shifts;
    constexpr int j = column % 2 + (Plan::limbs == 1 && row >= 8 ? 2 : 0), source = 4 * (row % 8) + column / 2;
    int last = combined(sum, tile, j);
    if constexpr (2 * Plan::largest_sum >= (std::int64_t{1} << 31)) {
      last = reduce_near<modulus, Plan::largest_sum>(last);
    }
    last = __shfl_sync(0xffffffffu, last, source);
    if (lane == 0) sum[0][0] += correction - last;
  }

  /// Coefficients i .. i + 3 of the product modulo 3 in the bytes of c, each -1, 0 or 1.
  template <class Output, class Addend>
  __device__ static void put_four(Output* out, const Addend* addend, int end, int i, std::uint32_t c) {
    if (end > Output::row && i >= Output::row) return;
    if constexpr (!std::is_void_v<Addend>) {
      std::uint32_t sums = 0;
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        const int x = static_cast<std::int8_t>(c >> (8 * k)) + (*addend)[i + k];
        sums |= static_cast<std::uint32_t>((x % 3 + 4) % 3 - 1 & 0xff) << (8 * k);
      }
      c = sums;
    }
    if (end > n && i + 4 > n) c &= i >= n ? 0u : 0xffffffffu >> (8 * (i + 4 - n));
    *reinterpret_cast<std::uint32_t*>(out->data() + i) = c;
  }

  /// Reduces and writes the result, whole words, 128 neighbouring bytes a warp at a time.
  template <class Output, class Addend>
  __device__ void store(accumulators& sum, Output* out, const Addend* addend) const {
    const int g = lane >> 2, t = lane & 3;
    const std::uint32_t halves = (g & 1) != 0 ? 0x3276 : 0x5410;
#pragma unroll
    for (int tile = 0; tile < Plan::tiles; ++tile) {
      if constexpr (modulus == 3) {
        std::uint32_t c[4];
#pragma unroll
        for (int j = 0; j < per_tile; ++j) {
          c[j] = static_cast<std::uint32_t>(reduce_near<3, Plan::largest_sum>(combined(sum, tile, j)));
        }
        // Bytes: coefficients + 0, 8, 16, 24 of this lane; a 4 x 4 transposition over the lanes g % 4.
        std::uint32_t x = __byte_perm(__byte_perm(c[0], c[2], 0x0040), __byte_perm(c[1], c[3], 0x0040), 0x5410);
        std::uint32_t y = __shfl_xor_sync(0xffffffffu, x, 4);
        x = __byte_perm(x, y, (g & 1) != 0 ? 0x3715 : 0x6240);
        y = __shfl_xor_sync(0xffffffffu, x, 8);
        x = __byte_perm(x, y, (g & 2) != 0 ? 0x3276 : 0x5410);
        put_four(out, addend, 128 * (tile + 1), 128 * tile + 32 * t + 8 * (g & 3) + (g & 4), x);
      } else {
#pragma unroll
        for (int j = 0; j < per_tile; j += 2) {
          // j, j + 1: 8 coefficients apart (two limbs: columns; one limb: rows g and g + 8 of a column).
          const int a = Plan::limbs == 2 ? 0 : j / 2, b = Plan::limbs == 2 ? 1 : j / 2 + 2;
          std::uint32_t c = __byte_perm(reduce_low_half<modulus, Plan::largest_sum>(combined(sum, tile, a)),
                                        reduce_low_half<modulus, Plan::largest_sum>(combined(sum, tile, b)), 0x5410);
          c = make_canonical<modulus>(c);
          c = __byte_perm(c, __shfl_xor_sync(0xffffffffu, c, 4), halves);
          put_coefficient_pair<modulus, n>(
              out, addend, 8 * Plan::shifts * (tile + 1),
              8 * Plan::shifts * tile + 2 * Plan::shifts * t + 8 * j + 8 * (g & 1) + (g & 6), c);
        }
      }
    }
  }
};

/// No operand is the same for all pairs; or `Rows` or `Columns` is, and comes as a kernel parameter.
struct no_shared_operand {
  static constexpr bool is_full = false;
};

/// out[i] := rows[i] columns[i] (+ addends[i]), i < count, in the ring of the plan. With a shared operand the pointer to
/// its kind is not used. Addend void: nothing to add.
template <class Plan, class Output, class Addend, class Shared>
__global__ void __launch_bounds__(32, Plan::blocks)
    toeplitz_products(const typename Plan::rows* __restrict__ rows, const typename Plan::columns* __restrict__ columns,
                      const Addend* addends, Output* out, std::int64_t count, const __grid_constant__ Shared shared) {
#if __CUDA_ARCH__ >= 800
  constexpr bool shared_rows = std::is_same_v<Shared, typename Plan::rows>;
  constexpr bool shared_columns = !shared_rows && std::is_same_v<Shared, typename Plan::columns>;
  __shared__ __align__(128) unsigned char memory[Plan::bytes];
  const toeplitz_warp<Plan> team{memory, static_cast<int>(threadIdx.x)};
  const unsigned step = gridDim.x;
  std::int64_t i = blockIdx.x;
  rows += i;
  columns += i;
  out += i;
  if constexpr (!std::is_void_v<Addend>) addends += i;

  const auto fetch = [&] {
    if constexpr (!shared_rows) team.fetch(rows, Plan::rows_raw);
    if constexpr (!shared_columns) team.fetch(columns, Plan::columns_raw);
    asm volatile("cp.async.commit_group;" ::: "memory");
  };

  if (i < count) fetch();
  if constexpr (shared_rows) team.fetch_now(shared, Plan::rows_raw);
  if constexpr (shared_columns) team.fetch_now(shared, Plan::columns_raw);
  team.clear();
  __syncwarp();
  if constexpr (shared_rows) team.stage_rows();
  if constexpr (shared_columns) team.stage_columns();
  for (; i < count; i += step) {
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncwarp();
    const int correction = team.rows_top() * team.columns_top();
    if constexpr (!shared_columns) team.stage_columns();
    if constexpr (!shared_rows) team.stage_rows();
    __syncwarp();
    rows += step;
    columns += step;
    if (i + step < count) fetch();

    typename toeplitz_warp<Plan>::accumulators sum;
    team.product(sum);
    __syncwarp();
    team.correct(sum, correction);
    if constexpr (std::is_void_v<Addend>) {
      team.template store<Output, void>(sum, out, nullptr);
    } else {
      team.store(sum, out, addends);
      addends += step;
    }
    out += step;
  }
#else // no integer mma.sync of this shape: a lane a coefficient
  __shared__ typename Plan::rows a;
  __shared__ typename Plan::columns b;
  const int lane = static_cast<int>(threadIdx.x);
  for (std::int64_t i = blockIdx.x; i < count; i += gridDim.x) {
    __syncwarp();
    const auto copy = [&](auto& target, const auto* source) {
      for (int k = lane; k < target.row; k += 32) target.data()[k] = source->data()[k];
    };
    if constexpr (std::is_same_v<Shared, typename Plan::rows>) {
      copy(a, &shared);
    } else {
      copy(a, rows + i);
    }
    if constexpr (std::is_same_v<Shared, typename Plan::columns> && !std::is_same_v<Shared, typename Plan::rows>) {
      copy(b, &shared);
    } else {
      copy(b, columns + i);
    }
    __syncwarp();
    for (int k = lane; k < Output::row; k += 32) {
      std::int64_t c = 0;
      if (k < Plan::n) {
        c = product_coefficient(a, b, k);
        if constexpr (!std::is_void_v<Addend>) c += addends[i][k];
      }
      set_coefficient<Plan::modulus>(out[i], k, c);
    }
  }
#endif
}

} // namespace detail
} // namespace thrust_rns
