// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// A full element of Z_m[x]/(x^n - x - 1) times a batch of small ones, as one matrix product on Hopper's `wgmma`: for
/// devices of compute capability 9.0 and programs compiled for sm_90a.
///
/// **The map.** c_p[k] = sum over j of T[k][j] g_p[j], T[k][j] = F[k - j] with the fold of ring_kernels.cuh, row 0
/// corrected in the end; T in two balanced digits, F = F0 + 256 F1. D (64 pairs x 64 coefficients, twice) += G (64 x 32) T^t.
///
/// Tensor Cores read core matrices of 8 rows x 16 bytes. The one of T with coefficients 8 a .. and columns 16 b .. depends on
/// 2 b - a alone: 2 row/16 + 8 tiles of them are all of T. They are stored in this order, digit 0 and digit 1 of each side by
/// side; in a right matrix they lie 512 bytes apart along j, and 256 along k if blocks of 8 coefficients are taken
/// downwards. As 128 columns 128 bytes apart, one instruction multiplies by both digits.
///
/// Four warpgroups share a tile of 64 pairs and take its tiles of 64 coefficients in turn, each at its own pace: some
/// multiply while others reduce and write. The next 64 pairs are fetched meanwhile where two tiles fit in shared memory.

#include <cstdint>
#include <type_traits>

#include <thrust_rns/config.h>
#include <thrust_rns/ring.h>
#include <thrust_rns/detail/ring_kernels.cuh>
#include <thrust_rns/detail/wgmma.cuh>

namespace thrust_rns {
namespace detail {

template <class R, class Fixed, class Batch>
struct shared_plan {
  using ring = R;
  using fixed = Fixed;
  using batch = Batch;
  static constexpr int n = R::degree, modulus = R::modulus, row = Batch::row;
  static constexpr int pairs = 64;
  static constexpr int warpgroups = 4, threads = 128 * warpgroups;
  static constexpr int tiles = (n + 63) / 64, chunks = row / 16, k_steps = row / 32; // a chunk: 16 columns
  static constexpr int cores = 8 * tiles + 2 * chunks - 2;
  static constexpr int digit_bytes = 128 * cores, batch_bytes = pairs * row;
  static constexpr int result_row = 128 + 16; // bytes: 64 coefficients, and a step that spreads rows over the banks
  static constexpr int result_bytes = 16 * result_row; // a warp's
  static constexpr int bytes_for(int buffers) {
    return 2 * digit_bytes + buffers * batch_bytes + threads / 32 * result_bytes + 128;
  }
  static constexpr int most_bytes = 227 * 1024;
  static constexpr int buffers = bytes_for(2) <= most_bytes ? 2 : 1;
  static constexpr int bytes = bytes_for(buffers);

  static constexpr std::int64_t batch_largest = -Batch::coefficients::smallest;
  static constexpr std::int64_t largest_sum =
      n * batch_largest * (128 + 256 * ((2 * modulus + 126) / 256)) + (batch_largest + 1) * modulus;
  static constexpr bool fits = Fixed::is_full && !Batch::is_full && modulus > 3 && tiles >= 5 && bytes <= most_bytes &&
                               2 * static_cast<int>(sizeof(Fixed)) <= batch_bytes && sizeof(Fixed) <= 3072 &&
                               2 * largest_sum < (std::int64_t{1} << 31);
};

/// Two operands, the first fixed.
template <class R, class Fixed, class Batch>
inline constexpr bool has_shared_kernel = shared_plan<R, Fixed, Batch>::fits;

#if THRUST_RNS_WGMMA

/// d += a b: a 64 x 32, b 32 x 128, signed bytes. Of d a thread holds, with g = lane / 4 and t = lane % 4, at [4 i + j] and
/// [4 i + j + 2] column 8 i + 2 t + j of rows 16 warp + g and 16 warp + g + 8.
__device__ inline void wgmma_64x128x32(int (&d)[64], std::uint64_t a, std::uint64_t b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n128k32.s32.s8.s8 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
      "%64, %65, 1;"
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]), "+r"(d[4]), "+r"(d[5]), "+r"(d[6]), "+r"(d[7]), "+r"(d[8]),
        "+r"(d[9]), "+r"(d[10]), "+r"(d[11]), "+r"(d[12]), "+r"(d[13]), "+r"(d[14]), "+r"(d[15]), "+r"(d[16]),
        "+r"(d[17]), "+r"(d[18]), "+r"(d[19]), "+r"(d[20]), "+r"(d[21]), "+r"(d[22]), "+r"(d[23]), "+r"(d[24]),
        "+r"(d[25]), "+r"(d[26]), "+r"(d[27]), "+r"(d[28]), "+r"(d[29]), "+r"(d[30]), "+r"(d[31]), "+r"(d[32]),
        "+r"(d[33]), "+r"(d[34]), "+r"(d[35]), "+r"(d[36]), "+r"(d[37]), "+r"(d[38]), "+r"(d[39]), "+r"(d[40]),
        "+r"(d[41]), "+r"(d[42]), "+r"(d[43]), "+r"(d[44]), "+r"(d[45]), "+r"(d[46]), "+r"(d[47]), "+r"(d[48]),
        "+r"(d[49]), "+r"(d[50]), "+r"(d[51]), "+r"(d[52]), "+r"(d[53]), "+r"(d[54]), "+r"(d[55]), "+r"(d[56]),
        "+r"(d[57]), "+r"(d[58]), "+r"(d[59]), "+r"(d[60]), "+r"(d[61]), "+r"(d[62]), "+r"(d[63])
      : "l"(a), "l"(b));
}

/// Coefficients i .. i + 7 of a product modulo M; zeros from N on.
template <int M, int N, class Output>
__device__ inline void put_eight(Output* out, int i, uint4 c) {
  if (i >= Output::row) return;
  std::uint32_t x[4] = {c.x, c.y, c.z, c.w};
#  pragma unroll
  for (int k = 0; k < 4; ++k) {
    if (i + 2 * k + 1 >= N) x[k] &= i + 2 * k < N ? 0xffffu : 0u;
    x[k] = change_coefficients<M, N, Output>(x[k]);
  }
  if constexpr (Output::is_full) {
    *reinterpret_cast<uint4*>(out->data() + i) = uint4{x[0], x[1], x[2], x[3]};
  } else {
    *reinterpret_cast<uint2*>(out->data() + i) =
        uint2{__byte_perm(x[0], x[1], 0x6420), __byte_perm(x[2], x[3], 0x6420)};
  }
}

/// A block's share; all threads of the block call its members together.
template <class Plan>
struct shared_block {
  using Fixed = typename Plan::fixed;
  using Batch = typename Plan::batch;
  static constexpr int n = Plan::n, modulus = Plan::modulus;

  unsigned char* memory; // T, tiles of the batch, results, barriers

  __device__ unsigned char* batch(int buffer) const {
    return memory + 2 * Plan::digit_bytes + buffer * Plan::batch_bytes;
  }

  /// Writes T. Core e = 2 b - a + 8 tiles - 1 holds F[-8 (2 b - a) + r - c] in row r, column c; digit 0, then digit 1.
  __device__ void stage(const Fixed& f) const {
    auto* raw = reinterpret_cast<std::uint16_t*>(batch(0)); // the batch is not there yet
    for (int i = static_cast<int>(threadIdx.x); i < Fixed::row; i += Plan::threads) raw[i] = f.data()[i];
    __syncthreads();
    const auto folded = [&](int d) -> int {
      if (d > 0) return d < n ? raw[d] : 0;
      if (d == 0) return raw[0] + raw[n - 1];
      return -d < n ? raw[n + d] + raw[n + d - 1] : 0;
    };
#  pragma unroll 1
    for (int word = static_cast<int>(threadIdx.x); word < Plan::digit_bytes / 4; word += Plan::threads) {
      const int core = word / 32, r = word / 4 % 8, c = word % 4 * 4;
      const int d = -8 * (core - (8 * Plan::tiles - 1)) + r - c;
      std::uint32_t low = 0, high = 0;
#  pragma unroll
      for (int k = 0; k < 4; ++k) {
        const int x = folded(d - k);
        low |= static_cast<std::uint32_t>(x & 0xff) << (8 * k);
        high |= static_cast<std::uint32_t>((x + 128) >> 8) << (8 * k);
      }
      reinterpret_cast<std::uint32_t*>(memory)[64 * core + word % 32] = low;
      reinterpret_cast<std::uint32_t*>(memory)[64 * core + 32 + word % 32] = high;
    }
    __syncthreads();
  }

  /// Copies rows first .. first + 63 to core matrices: chunk b of row p at 128 (chunks (p / 8) + b) + 16 (p % 8).
  __device__ void fetch(const Batch* rows, std::int64_t first, std::int64_t count, int buffer) const {
    const std::uint32_t target = shared_address(batch(buffer));
#  pragma unroll 1
    for (int piece = static_cast<int>(threadIdx.x); piece < Plan::pairs * Plan::chunks; piece += Plan::threads) {
      // 8 rows x 4 chunks a warp, a multiple of 8 rows x all chunks a block
      const int r = piece % 8, rest = piece / 8, b = rest % Plan::chunks, p = rest / Plan::chunks * 8 + r;
      if (first + p < count) {
        copy_async_16(target + 128 * (Plan::chunks * (p / 8) + b) + 16 * r,
                      reinterpret_cast<const unsigned char*>(rows + first + p) + 16 * b);
      }
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
  }

  // Two kinds of barriers for each buffer, all threads arrive at them: its rows have come; its rows have been multiplied.
  __device__ std::uint32_t came(int buffer) const { return shared_address(memory + Plan::bytes - 128 + 16 * buffer); }
  __device__ std::uint32_t done(int buffer) const { return came(buffer) + 8; }

  /// What this thread copied is there, for the Tensor Cores of all.
  __device__ void announce(int buffer) const {
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    asm volatile("fence.proxy.async;" ::: "memory");
    barrier_arrive(came(buffer));
  }

  /// sum := a warpgroup's 64 pairs times 64 coefficients; `right`: the core of columns 0 and the tile's last 8 coefficients.
  __device__ static void multiply_tile(int (&sum)[32], std::uint64_t left, std::uint64_t right) {
    int d[64]; // digit 0 and digit 1 of a block of 8 coefficients alternate
#  pragma unroll
    for (int i = 0; i < 64; ++i) {
      d[i] = 0;
      asm volatile("" : "+r"(d[i])::"memory"); // settled before the fence
    }
    wgmma_fence();
#  pragma unroll
    for (int k = 0; k < Plan::k_steps; ++k) wgmma_64x128x32(d, left + 16 * k, right + 64 * k); // units of 16 bytes
    wgmma_commit();
    wgmma_wait();
#  pragma unroll
    for (int i = 0; i < 64; ++i) asm volatile("" : "+r"(d[i])::"memory");
#  pragma unroll
    for (int i = 0; i < 32; ++i) sum[i] = d[i / 4 * 8 + i % 4] + 256 * d[i / 4 * 8 + 4 + i % 4];
  }

  /// All batches of a block.
  template <class Output>
  __device__ void multiply(const Batch* rows, Output* out, std::int64_t count, int fixed_top) const {
    // Through a shuffle: so the compiler knows that all threads of a warp agree, and need not serialise wgmma.
    const int warpgroup = __shfl_sync(0xffffffffu, static_cast<int>(threadIdx.x) / 128, 0);
    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    const int g = lane >> 2, t = lane & 3;
    constexpr int top_tile = (n - 1) / 64, top_block = (n - 1) % 64 / 8, top_column = (n - 1) % 8;
    static_assert(top_tile == Plan::tiles - 1 && top_column % 2 == 0);
    const std::int64_t step = std::int64_t{gridDim.x} * Plan::pairs;
    std::int64_t first = std::int64_t{blockIdx.x} * Plan::pairs;

    if (threadIdx.x < 2 * Plan::buffers) barrier_init(came(0) + 8 * threadIdx.x, Plan::threads);
    asm volatile("fence.proxy.async;" ::: "memory"); // T, for the Tensor Cores
    __syncthreads();
    fetch(rows, first, count, 0);
    announce(0);
    if (Plan::buffers == 2) fetch(rows, first + step, count, 1);

    int buffer = 0, parity = 0;
    for (; first < count; first += step) {
      const std::uint64_t left = matrix_descriptor(shared_address(batch(buffer)), 128, 128 * Plan::chunks);
      const std::uint64_t right = matrix_descriptor(shared_address(memory), 512, 128);
      barrier_wait(came(buffer), parity);
      const bool last_batch = first + step >= count;
      int last[2] = {}; // c_(n-1) of the thread's two rows, and g_(n-1) f_(n-1) - c_(n-1)

#  pragma unroll 1
      for (int turn = warpgroup; turn < Plan::tiles; turn += Plan::warpgroups) {
        // The first warpgroup takes the tile of c_(n-1), then that of c_0.
        const int tile = turn == 0                  ? top_tile
                         : turn == Plan::warpgroups ? 0
                         : turn < Plan::warpgroups  ? turn
                                                    : turn - 1;
        int sum[32];
        multiply_tile(sum, left, right + 128 * static_cast<unsigned>(Plan::tiles - 1 - tile));
        if (turn == 0) {
#  pragma unroll
          for (int r = 0; r < 2; ++r) {
            const int p = 16 * (warp % 4) + g + 8 * r;
            const auto g_top = static_cast<std::int8_t>(
                batch(buffer)[128 * (Plan::chunks * (p / 8) + (n - 1) / 16) + 16 * (p % 8) + (n - 1) % 16]);
            last[r] = fixed_top * g_top -
                      __shfl_sync(0xffffffffu, sum[4 * (7 - top_block) + 2 * r], (lane & ~3) + top_column / 2);
          }
        }
        if (turn + Plan::warpgroups >= Plan::tiles) {
          barrier_arrive(done(buffer));
          if (Plan::buffers == 2) announce(1 - buffer);
        }
        if (tile == 0 && t == 0) {
#  pragma unroll
          for (int r = 0; r < 2; ++r) sum[4 * 7 + 2 * r] += last[r];
        }
        store(sum, out + first + 16 * (warp % 4), count - first - 16 * (warp % 4), tile);
      }
      if (!last_batch) {
        barrier_wait(done(buffer), parity);
        fetch(rows, first + Plan::buffers * step, count, buffer);
        if (Plan::buffers == 1) announce(0);
      }
      if (Plan::buffers == 2) buffer = 1 - buffer;
      if (buffer == 0) parity = 1 - parity;
    }
  }

  /// Reduces and writes a warp's 16 pairs x 64 coefficients, of `count` pairs from `out` on.
  template <class Output>
  __device__ void store(const int (&sum)[32], Output* out, std::int64_t count, int tile) const {
    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    const int g = lane >> 2, t = lane & 3;
    unsigned char* rows =
        memory + 2 * Plan::digit_bytes + Plan::buffers * Plan::batch_bytes + warp * Plan::result_bytes;
    __syncwarp();
#  pragma unroll
    for (int r = 0; r < 2; ++r) {
#  pragma unroll
      for (int i = 0; i < 8; ++i) {
        const std::uint32_t c =
            __byte_perm(reduce_low_half<modulus, Plan::largest_sum>(sum[4 * i + 2 * r]),
                        reduce_low_half<modulus, Plan::largest_sum>(sum[4 * i + 2 * r + 1]), 0x5410);
        *reinterpret_cast<std::uint32_t*>(rows + Plan::result_row * (g + 8 * r) + 16 * (7 - i) + 4 * t) =
            make_canonical<modulus>(c);
      }
    }
    __syncwarp();
#  pragma unroll
    for (int r = 0; r < 4; ++r) { // four rows of 128 bytes at a time
      const int p = 4 * r + lane / 8, i = 64 * tile + 8 * (lane % 8);
      const uint4 c = *reinterpret_cast<const uint4*>(rows + Plan::result_row * p + 16 * (lane % 8));
      if (p < count) put_eight<modulus, n>(out + p, i, c);
    }
  }
};
#endif

/// out[i] := fixed batch[i], i < count. Launch with shared_plan::threads threads and ::bytes of dynamic shared memory, if
/// the kernel's attributes allow that many threads: compiled without wgmma, they do not.
template <class Plan, class Output>
__global__ void __launch_bounds__(THRUST_RNS_WGMMA ? Plan::threads : 32, 1)
    shared_products(const typename Plan::batch* __restrict__ batch, Output* out, std::int64_t count,
                    const __grid_constant__ typename Plan::fixed fixed) {
#if THRUST_RNS_WGMMA
  extern __shared__ __align__(128) unsigned char shared_memory[];
  const shared_block<Plan> team{shared_memory};
  team.stage(fixed);
  team.multiply(batch, out, count, fixed.data()[Plan::n - 1]);
#endif
}

} // namespace detail
} // namespace thrust_rns
