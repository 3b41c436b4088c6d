// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Products of matrices of residues on Hopper's Tensor Cores (`wgmma`), for devices of compute capability 9.0 and programs
/// compiled for sm_90a.
///
/// **Bytes.** Tensor Cores multiply bytes and add in 32 bits. A residue is x = sum of x_i 256^i, i < L, with unsigned
/// bytes, L = 1, 2 or 4 as m <= 2^8, 2^16, 2^31; so
///
///     sum over k of x_k y_k = sum over s < 2 L - 1 of 256^s S_s,    S_s = sum over i + j = s, k of x_(k,i) y_(k,j):
///
/// L^2 products of matrices of bytes, added in 2 L - 1 accumulators. There is no cheaper way at L = 4: sums of bytes as
/// Karatsuba's method has them do not fit in bytes.
///
/// **Bound.** For L = 4 and m < 2^31 the top byte is at most 127, and of all S_s, S_2 has the largest terms, three products
/// of full bytes, 195075. As unsigned words the sums are right up to 22016 terms; `longest_sum` terms are taken at a time,
/// and parts are added modulo m.
///
/// **Passes.** 1. Both operands are packed: bytes of one place together, as core matrices of 8 lines x 16 terms, in the
/// order in which blocks will copy them; whatever strides, edges and alignment they have ends here. 2. A block of two
/// warpgroups multiplies tiles, with a ring of stages in shared memory that is filled by bulk copies; the sums of a tile
/// are put together and reduced modulo m in registers.

#include <cstdint>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/matrix_problem.h>
#include <thrust_rns/modular.h>
#include <thrust_rns/detail/matrix_kernels.cuh>
#include <thrust_rns/detail/wgmma.cuh>

namespace thrust_rns {
namespace detail {

/// Numbers of one kernel, for residues of `Limbs` bytes.
template <int Limbs>
struct tensor_plan {
  static_assert(Limbs == 1 || Limbs == 2 || Limbs == 4);
  static constexpr int limbs = Limbs, sums = 2 * Limbs - 1;
  static constexpr int warpgroups = 2, threads = 128 * warpgroups;
  static constexpr int rows = 64 * warpgroups, columns = Limbs == 1 ? 256 : Limbs == 2 ? 128 : 64; // of a tile
  static constexpr int inner = Limbs == 1 ? 128 : 64;                                              // terms of a stage
  static constexpr int a_bytes = Limbs * rows * inner, b_bytes = Limbs * columns * inner;
  static constexpr int stage_bytes = a_bytes + b_bytes;
  static constexpr int stages = (227 * 1024 - 1024) / stage_bytes < 6 ? (227 * 1024 - 1024) / stage_bytes : 6;
  static constexpr int bytes = stages * stage_bytes + 1024;

  static constexpr std::int64_t largest_term = Limbs == 1 ? 255 * 255 : Limbs == 2 ? 2 * 255 * 255 : 3 * 255 * 255;
  static constexpr std::int64_t longest_sum = Limbs == 1 ? 65536 : Limbs == 2 ? 32768 : 16384;
  static_assert(longest_sum * largest_term < (std::int64_t{1} << 32) && longest_sum % inner == 0);

  THRUST_RNS_HD static constexpr std::int64_t tiles_of(std::int64_t lines, int tile) {
    return (lines + tile - 1) / tile;
  }
  THRUST_RNS_HD static constexpr std::int64_t stages_of(std::int64_t terms) { return (terms + inner - 1) / inner; }
};

// ---- packing --------------------------------------------------------------------------------------------------------

/// Residues from planes, as lines (rows of A or columns of B) of terms.
struct lines_of_planes {
  matrix_planes<const std::uint32_t> planes; // rows: lines
  std::int64_t lines, terms, batch;          // batch: 1 if one matrix serves all
  modulus_list moduli;

  __device__ std::int64_t slices() const { return moduli.size * batch; }
  __device__ bool along_terms() const { return planes.column_stride == 1; }
  /// The residues modulo m_plane of terms k .. k + 15 of a line; zeros outside.
  __device__ void read(std::int64_t slice, std::int64_t line, std::int64_t k, std::uint32_t (&x)[16]) const {
    const std::uint32_t* from = planes.slice(slice / batch, slice % batch) + line * planes.row_stride;
#pragma unroll
    for (int t = 0; t < 16; ++t) {
      x[t] = line < lines && k + t < terms ? from[(k + t) * planes.column_stride] : 0;
    }
  }
};

/// packed[slice][tile][stage][limb][8 lines][16 terms][line][byte]; `Lines` lines a tile. A thread writes 16 terms of a line.
template <int Limbs, int Lines, class Source>
__global__ void __launch_bounds__(matrix_threads)
    pack_bytes(const __grid_constant__ Source source, unsigned char* packed) {
  using plan = tensor_plan<Limbs>;
  constexpr int chunks = plan::inner / 16;
  const std::int64_t tiles = plan::tiles_of(source.lines, Lines), stages = plan::stages_of(source.terms);
  const std::int64_t count = source.slices() * tiles * stages * Lines * chunks;
  const std::int64_t step = std::int64_t{gridDim.x} * matrix_threads;
  const bool along_terms = source.along_terms();
  for (std::int64_t u = std::int64_t{blockIdx.x} * matrix_threads + threadIdx.x; u < count; u += step) {
    const int within = static_cast<int>(u % (Lines * chunks));
    const std::int64_t stage = u / (Lines * chunks) % stages, tile = u / (Lines * chunks) / stages % tiles,
                       slice = u / (Lines * chunks) / stages / tiles;
    const int line = along_terms ? within / (8 * chunks) * 8 + within % 8 : within % Lines;
    const int chunk = along_terms ? within / 8 % chunks : within / Lines;
    std::uint32_t x[16];
    source.read(slice, tile * Lines + line, stage * plan::inner + chunk * 16, x);
    unsigned char* out = packed + ((slice * tiles + tile) * stages + stage) * (Limbs * Lines * plan::inner) +
                         (line / 8 * chunks + chunk) * 128 + line % 8 * 16;
#pragma unroll
    for (int limb = 0; limb < Limbs; ++limb) {
      std::uint32_t words[4];
#pragma unroll
      for (int w = 0; w < 4; ++w) { // byte `limb` of four residues
        const std::uint32_t low = __byte_perm(x[4 * w], x[4 * w + 1], 0x0040 + 0x0011 * limb);
        const std::uint32_t high = __byte_perm(x[4 * w + 2], x[4 * w + 3], 0x0040 + 0x0011 * limb);
        words[w] = __byte_perm(low, high, 0x5410);
      }
      *reinterpret_cast<uint4*>(out + limb * Lines * plan::inner) = uint4{words[0], words[1], words[2], words[3]};
    }
  }
}

// ---- multiplying ----------------------------------------------------------------------------------------------------

/// The packed operands, and the shape of the product.
struct packed_operands {
  const unsigned char *a, *b;
  std::int64_t rows, columns, inner, batch;
  std::int64_t a_batch, b_batch; // 1 if one matrix serves all
};

/// Writes residues of C's planes.
struct store_in_planes {
  matrix_planes<std::uint32_t> c;
  accumulation mode;

  __device__ void operator()(const modulus& m, std::int64_t plane, std::int64_t z, std::int64_t i, std::int64_t j,
                             std::uint32_t x) const {
    std::uint32_t& out = c.slice(plane, z)[i * c.row_stride + j * c.column_stride];
    out = combine(m, mode, mode == accumulation::assign ? 0 : out, x);
  }
};

/// The sum modulo m from the sums of its bytes' products: sum over s of 256^s S_s.
template <int Sums>
__device__ std::uint32_t join_sums(const modulus& m, const std::uint32_t (&s)[Sums]) {
  std::uint64_t low = 0; // below 2^57
#pragma unroll
  for (int k = 0; k < Sums && k < 4; ++k) low += std::uint64_t{s[k]} << (8 * k);
  if constexpr (Sums > 4) {
    std::uint64_t high = 0; // below 2^49
#pragma unroll
    for (int k = 4; k < Sums; ++k) high += std::uint64_t{s[k]} << (8 * (k - 4));
    low += std::uint64_t{m.reduce(high)} << 32;
  }
  return m.reduce(low);
}

#if THRUST_RNS_WGMMA

// d += a b: a 64 x 32, b 32 x (64, 128, 256), unsigned bytes. Of d a thread holds, with g = lane / 4 and t = lane % 4, at
// [4 i + j] and [4 i + j + 2] column 8 i + 2 t + j of rows 16 warp + g and 16 warp + g + 8.

__device__ inline void wgmma_bytes(int (&d)[32], std::uint64_t a, std::uint64_t b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n64k32.s32.u8.u8 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
      "%32, %33, 1;"
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]), "+r"(d[4]), "+r"(d[5]), "+r"(d[6]), "+r"(d[7]), "+r"(d[8]),
        "+r"(d[9]), "+r"(d[10]), "+r"(d[11]), "+r"(d[12]), "+r"(d[13]), "+r"(d[14]), "+r"(d[15]), "+r"(d[16]),
        "+r"(d[17]), "+r"(d[18]), "+r"(d[19]), "+r"(d[20]), "+r"(d[21]), "+r"(d[22]), "+r"(d[23]), "+r"(d[24]),
        "+r"(d[25]), "+r"(d[26]), "+r"(d[27]), "+r"(d[28]), "+r"(d[29]), "+r"(d[30]), "+r"(d[31])
      : "l"(a), "l"(b));
}

__device__ inline void wgmma_bytes(int (&d)[64], std::uint64_t a, std::uint64_t b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n128k32.s32.u8.u8 "
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

__device__ inline void wgmma_bytes(int (&d)[128], std::uint64_t a, std::uint64_t b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n256k32.s32.u8.u8 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
      "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
      "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
      "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
      "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}, "
      "%128, %129, 1;"
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]), "+r"(d[4]), "+r"(d[5]), "+r"(d[6]), "+r"(d[7]), "+r"(d[8]),
        "+r"(d[9]), "+r"(d[10]), "+r"(d[11]), "+r"(d[12]), "+r"(d[13]), "+r"(d[14]), "+r"(d[15]), "+r"(d[16]),
        "+r"(d[17]), "+r"(d[18]), "+r"(d[19]), "+r"(d[20]), "+r"(d[21]), "+r"(d[22]), "+r"(d[23]), "+r"(d[24]),
        "+r"(d[25]), "+r"(d[26]), "+r"(d[27]), "+r"(d[28]), "+r"(d[29]), "+r"(d[30]), "+r"(d[31]), "+r"(d[32]),
        "+r"(d[33]), "+r"(d[34]), "+r"(d[35]), "+r"(d[36]), "+r"(d[37]), "+r"(d[38]), "+r"(d[39]), "+r"(d[40]),
        "+r"(d[41]), "+r"(d[42]), "+r"(d[43]), "+r"(d[44]), "+r"(d[45]), "+r"(d[46]), "+r"(d[47]), "+r"(d[48]),
        "+r"(d[49]), "+r"(d[50]), "+r"(d[51]), "+r"(d[52]), "+r"(d[53]), "+r"(d[54]), "+r"(d[55]), "+r"(d[56]),
        "+r"(d[57]), "+r"(d[58]), "+r"(d[59]), "+r"(d[60]), "+r"(d[61]), "+r"(d[62]), "+r"(d[63]), "+r"(d[64]),
        "+r"(d[65]), "+r"(d[66]), "+r"(d[67]), "+r"(d[68]), "+r"(d[69]), "+r"(d[70]), "+r"(d[71]), "+r"(d[72]),
        "+r"(d[73]), "+r"(d[74]), "+r"(d[75]), "+r"(d[76]), "+r"(d[77]), "+r"(d[78]), "+r"(d[79]), "+r"(d[80]),
        "+r"(d[81]), "+r"(d[82]), "+r"(d[83]), "+r"(d[84]), "+r"(d[85]), "+r"(d[86]), "+r"(d[87]), "+r"(d[88]),
        "+r"(d[89]), "+r"(d[90]), "+r"(d[91]), "+r"(d[92]), "+r"(d[93]), "+r"(d[94]), "+r"(d[95]), "+r"(d[96]),
        "+r"(d[97]), "+r"(d[98]), "+r"(d[99]), "+r"(d[100]), "+r"(d[101]), "+r"(d[102]), "+r"(d[103]), "+r"(d[104]),
        "+r"(d[105]), "+r"(d[106]), "+r"(d[107]), "+r"(d[108]), "+r"(d[109]), "+r"(d[110]), "+r"(d[111]), "+r"(d[112]),
        "+r"(d[113]), "+r"(d[114]), "+r"(d[115]), "+r"(d[116]), "+r"(d[117]), "+r"(d[118]), "+r"(d[119]), "+r"(d[120]),
        "+r"(d[121]), "+r"(d[122]), "+r"(d[123]), "+r"(d[124]), "+r"(d[125]), "+r"(d[126]), "+r"(d[127])
      : "l"(a), "l"(b));
}

/// A block's tiles; all threads of the block call `run` together.
template <class Plan, class Store>
struct tensor_block {
  const packed_operands& p;
  const modulus_list& moduli;
  const Store& store;
  unsigned char* memory; // stages, then barriers

  // Two kinds of barriers a stage: its bytes have come; all warps have multiplied them.
  __device__ std::uint32_t came(int stage) const {
    return shared_address(memory + Plan::stages * Plan::stage_bytes) + 16 * static_cast<unsigned>(stage);
  }
  __device__ std::uint32_t done(int stage) const { return came(stage) + 8; }

  __device__ std::int64_t tiles_down() const { return Plan::tiles_of(p.rows, Plan::rows); }
  __device__ std::int64_t tiles_across() const { return Plan::tiles_of(p.columns, Plan::columns); }

  /// A place in the sequence of tiles and of their stages.
  struct place {
    std::int64_t tile, k;
  };

  __device__ void fetch(const place& at, int stage) const {
    const std::int64_t column = at.tile % tiles_across(), row = at.tile / tiles_across() % tiles_down();
    const std::int64_t slice = at.tile / tiles_across() / tiles_down(), plane = slice / p.batch, z = slice % p.batch;
    const std::int64_t steps = Plan::stages_of(p.inner);
    const std::int64_t a_slice = plane * p.a_batch + (p.a_batch == 1 ? 0 : z);
    const std::int64_t b_slice = plane * p.b_batch + (p.b_batch == 1 ? 0 : z);
    const std::uint32_t target = shared_address(memory + stage * Plan::stage_bytes);
    barrier_expect(came(stage), Plan::stage_bytes);
    copy_bulk(target, p.a + ((a_slice * tiles_down() + row) * steps + at.k) * Plan::a_bytes, Plan::a_bytes,
              came(stage));
    copy_bulk(target + Plan::a_bytes, p.b + ((b_slice * tiles_across() + column) * steps + at.k) * Plan::b_bytes,
              Plan::b_bytes, came(stage));
  }

  __device__ void run() const {
    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    // Through a shuffle: so the compiler knows that all threads of a warp agree, and need not serialise wgmma.
    const int warpgroup = __shfl_sync(0xffffffffu, warp / 4, 0);
    const std::int64_t steps = Plan::stages_of(p.inner);
    const std::int64_t tiles = moduli.size * p.batch * tiles_down() * tiles_across();

    if (threadIdx.x < Plan::stages) {
      barrier_init(came(static_cast<int>(threadIdx.x)), 1);
      barrier_init(done(static_cast<int>(threadIdx.x)), Plan::threads / 32);
      asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
      asm volatile("fence.proxy.async;" ::: "memory");
    }
    __syncthreads();

    place ahead{blockIdx.x, 0}; // what is fetched next
    int fetched = 0;            // the stage it goes to
    const auto advance = [&] {
      fetched = fetched + 1 == Plan::stages ? 0 : fetched + 1;
      if (++ahead.k == steps) {
        ahead.k = 0;
        ahead.tile += gridDim.x;
      }
    };
    if (threadIdx.x == 0) {
      for (int s = 0; s + 2 < Plan::stages; ++s) { // a stage is filled two steps after its last use: nobody waits long
        if (ahead.tile < tiles) fetch(ahead, fetched);
        advance();
      }
    }
    __syncwarp();

    int stage = 0, parity = 0, parity_ahead = 1; // of `fetched`: its first use waits for nothing
    for (std::int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
      int d[Plan::sums][Plan::columns / 2];
#  pragma unroll
      for (int s = 0; s < Plan::sums; ++s) {
#  pragma unroll
        for (int i = 0; i < Plan::columns / 2; ++i) {
          d[s][i] = 0;
          asm volatile("" : "+r"(d[s][i])::"memory"); // settled before the fence
        }
      }
#  pragma unroll 1
      for (std::int64_t k = 0; k < steps; ++k) {
        if (threadIdx.x == 0) {
          if (ahead.tile < tiles) {
            barrier_wait(done(fetched), parity_ahead);
            fetch(ahead, fetched);
          }
          advance();
          if (fetched == 0) parity_ahead ^= 1;
        }
        __syncwarp();
        barrier_wait(came(stage), parity);
        const std::uint32_t from = shared_address(memory + stage * Plan::stage_bytes);
        const std::uint64_t left =
            matrix_descriptor(from + static_cast<unsigned>(warpgroup) * (64 * Plan::inner), 128, 8 * Plan::inner);
        const std::uint64_t right = matrix_descriptor(from + Plan::a_bytes, 128, 8 * Plan::inner);
        wgmma_fence();
#  pragma unroll
        for (int t = 0; t < Plan::inner / 32; ++t) {
#  pragma unroll
          for (int i = 0; i < Plan::limbs; ++i) {
#  pragma unroll
            for (int j = 0; j < Plan::limbs; ++j) { // descriptors count units of 16 bytes
              wgmma_bytes(d[i + j], left + (i * Plan::rows * Plan::inner + t * 256) / 16,
                          right + (j * Plan::columns * Plan::inner + t * 256) / 16);
            }
          }
        }
        wgmma_commit();
        wgmma_wait();
        if (lane == 0) barrier_arrive(done(stage));
        stage = stage + 1 == Plan::stages ? 0 : stage + 1;
        if (stage == 0) parity ^= 1;
      }
#  pragma unroll
      for (int s = 0; s < Plan::sums; ++s) {
#  pragma unroll
        for (int i = 0; i < Plan::columns / 2; ++i) asm volatile("" : "+r"(d[s][i])::"memory");
      }
      write(d, tile, 64 * warpgroup + 16 * (warp % 4) + lane / 4, lane % 4 * 2);
    }
  }

  /// Puts together, reduces and writes a thread's part of a tile; `row` and `column`: its first entry.
  __device__ void write(const int (&d)[Plan::sums][Plan::columns / 2], std::int64_t tile, int row, int column) const {
    const std::int64_t first_column = tile % tiles_across() * Plan::columns + column;
    const std::int64_t first_row = tile / tiles_across() % tiles_down() * Plan::rows + row;
    const std::int64_t slice = tile / tiles_across() / tiles_down(), plane = slice / p.batch, z = slice % p.batch;
    const modulus m(moduli.value[plane]);
#  pragma unroll
    for (int i = 0; i < Plan::columns / 2; ++i) {
      std::uint32_t s[Plan::sums];
#  pragma unroll
      for (int k = 0; k < Plan::sums; ++k) s[k] = static_cast<std::uint32_t>(d[k][i]);
      const std::uint32_t x = join_sums(m, s);
      const std::int64_t r = first_row + i % 4 / 2 * 8, c = first_column + i / 4 * 8 + i % 2;
      if (r < p.rows && c < p.columns) store(m, plane, z, r, c, x);
    }
  }
};
#endif

/// Launch with tensor_plan::threads threads and ::bytes of dynamic shared memory, if the kernel's attributes allow that many
/// threads: compiled without wgmma, they do not.
template <class Plan, class Store>
__global__ void __launch_bounds__(THRUST_RNS_WGMMA ? Plan::threads : 32, 1)
    multiply_packed(const __grid_constant__ packed_operands operands, const __grid_constant__ modulus_list moduli,
                    const __grid_constant__ Store store) {
#if THRUST_RNS_WGMMA
  extern __shared__ __align__(1024) unsigned char shared_memory[];
  const tensor_block<Plan, Store> team{operands, moduli, store, shared_memory};
  team.run();
#endif
}

} // namespace detail
} // namespace thrust_rns
