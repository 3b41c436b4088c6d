// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Matrix products modulo 17 moduli of 31 bits on the GPU by each kernel, and exact products of integer matrices. CUDA
// events, after a warm-up, median of 11; every result is compared with another kernel's, products of integers with the host's by a
// random vector modulo 2^64. With cuBLAS also a product of the same shape in FP64. Prints the tables of docs/matrix.md.

#include "measure.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include <cuda_runtime_api.h>

#include <thrust/device_vector.h>
#include <thrust/tabulate.h>

#include <thrust_rns/exact_matmul.h>
#include <thrust_rns/matrix.h>
#include <thrust_rns/device/device_matrix.cuh>

#if defined(THRUST_RNS_HAS_CUBLAS)
#  include <cublas_v2.h>
#endif

namespace {

using namespace thrust_rns;
using detail::matrix_kernel;

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::printf("CUDA: %s\n", cudaGetErrorString(status));
  std::exit(1);
}

/// Milliseconds, median.
template <class Call>
double milliseconds(Call call, int rounds = 11) {
  const double s = measured::median_seconds(call, rounds);
  check(cudaGetLastError());
  return 1e3 * s;
}

/// Some residue at each place.
struct some_residue {
  std::uint64_t seed;
  std::uint32_t modulus;
  __host__ __device__ std::uint32_t operator()(std::int64_t k) const {
    std::uint64_t x = (static_cast<std::uint64_t>(k) + seed) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9u;
    return static_cast<std::uint32_t>((x >> 31) % modulus);
  }
};

template <class Number>
void fill(device_matrix<Number>& m, std::uint64_t seed) {
  const auto s = m.as_span();
  for (int p = 0; p < Number::size; ++p) {
    const thrust::device_ptr<std::uint32_t> first(s.plane(p));
    thrust::tabulate(first, first + m.rows() * m.columns(),
                     some_residue{seed + 1000003 * static_cast<std::uint64_t>(p), Number::base_type::moduli[p]});
  }
}

using wide = number<moduli_for_bits<512>>;

struct product {
  device_matrix<wide> a, b, c;
  detail::matrix_problem p;
  detail::modulus_list moduli = detail::list_of_moduli<wide::base_type>();

  product(std::int64_t m, std::int64_t k, std::int64_t n) : a(m, k), b(k, n), c(m, n) {
    fill(a, 1);
    fill(b, 2);
    if (detail::make_problem(a.as_span(), b.as_span(), c.as_span(), detail::accumulation::assign, p) !=
        detail::matrix_fault::none) {
      std::exit(1);
    }
  }
  double macs() const {
    return 1.0 * wide::size * static_cast<double>(p.rows * p.columns) * static_cast<double>(p.inner);
  }

  /// A row of the table, and whether the result is `want`.
  template <class Call>
  void row(const char* what, const device_matrix<wide>* want, Call call, double bytes_per_word = 0) {
    check(cudaMemset(c.as_span().plane(0), 0xff, static_cast<std::size_t>(p.rows * p.columns) * 4));
    const double ms = milliseconds([&] { check(call()); });
    check(cudaDeviceSynchronize());
    std::printf("| %lld x %lld x %lld | %s | %.3f | %.2f |", static_cast<long long>(p.rows),
                static_cast<long long>(p.inner), static_cast<long long>(p.columns), what, ms, macs() / ms * 1e-9);
    if (bytes_per_word != 0) std::printf(" %.0f |", macs() * bytes_per_word / ms * 1e-9);
    std::printf(" %s\n", want == nullptr ? "" : *want == c ? "equal" : "WRONG");
    std::fflush(stdout);
  }
  template <class Shape>
  void tile_row(const char* what, const device_matrix<wide>* want) {
    row(what, want, [&] { return detail::launch_tiles<Shape>(p, moduli, nullptr); });
  }
  void kernel_row(matrix_kernel kernel, const char* what, const device_matrix<wide>* want, double bytes_per_word = 0) {
    std::size_t bytes = 0;
    check(detail::launch_product_by(kernel, nullptr, bytes, p, moduli, nullptr));
    thrust::device_vector<unsigned char> temp(bytes + 16);
    row(
        what, want,
        [&] {
          return detail::launch_product_by(kernel, thrust::raw_pointer_cast(temp.data()), bytes, p, moduli, nullptr);
        },
        bytes_per_word);
  }
};

struct random_word {
  std::uint64_t seed;
  __host__ __device__ std::int64_t operator()(std::int64_t k) const {
    std::uint64_t x = (static_cast<std::uint64_t>(k) + seed) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9u;
    return static_cast<std::int64_t>(x ^ (x >> 32));
  }
};

thrust::device_vector<std::int64_t> random_words(std::int64_t count, std::uint64_t seed) {
  thrust::device_vector<std::int64_t> v(static_cast<std::size_t>(count));
  thrust::tabulate(v.begin(), v.end(), random_word{seed});
  return v;
}

/// m v modulo 2^64, of limb 0.
std::vector<std::uint64_t> times_vector(const thrust::host_vector<std::int64_t>& m, std::int64_t rows,
                                        std::int64_t columns, int limbs, const std::vector<std::uint64_t>& v) {
  std::vector<std::uint64_t> result(static_cast<std::size_t>(rows), 0);
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) {
      result[static_cast<std::size_t>(i)] +=
          static_cast<std::uint64_t>(std::int64_t{m[static_cast<std::size_t>((i * columns + j) * limbs)]}) *
          v[static_cast<std::size_t>(j)];
    }
  }
  return result;
}

/// n x n matrices of integers of `limbs` limbs.
double integers_row(std::int64_t n, int limbs, int rounds) {
  const auto a = random_words(n * n * limbs, 1), b = random_words(n * n * limbs, 2);
  const integer_span x(thrust::raw_pointer_cast(a.data()), n, n, limbs),
      y(thrust::raw_pointer_cast(b.data()), n, n, limbs);
  device_integer_matrix c;
  const double ms = milliseconds([&] { c = exact_matmul(thrust::device, x, y); }, rounds);
  const std::vector<std::uint64_t> v(static_cast<std::size_t>(n), 0x9e3779b97f4a7c15u);
  const bool equal =
      times_vector(c.words(), n, n, c.limbs(), v) == times_vector(a, n, n, limbs, times_vector(b, n, n, limbs, v));
  std::printf("| %lld | %d | %d | %.3f | %s\n", static_cast<long long>(n), 64 * limbs, 64 * c.limbs(), ms,
              equal ? "equal" : "WRONG");
  std::fflush(stdout);
  return ms;
}

/// The passes of a product of n x n matrices of 64-bit integers.
void integer_passes(std::int64_t n) {
  using plan = detail::tensor_plan<1>;
  const auto a = random_words(n * n, 1), b = random_words(n * n, 2);
  const integer_span x(thrust::raw_pointer_cast(a.data()), n, n), y(thrust::raw_pointer_cast(b.data()), n, n);
  const detail::integer_base base(detail::modulus_class::byte,
                                  126 + detail::bit_length(static_cast<std::uint64_t>(n - 1)));
  const detail::packed_sizes<plan> sizes(n, n, n, base.moduli.size, base.moduli.size);
  thrust::device_vector<unsigned char> packed(sizes.a + sizes.b), c(static_cast<std::size_t>(n * n * base.moduli.size)),
      tables = detail::bytes_of_tables(base);
  device_integer_matrix result(n, n, 3);
  unsigned char *pa = thrust::raw_pointer_cast(packed.data()), *pb = pa + sizes.a,
                *pc = thrust::raw_pointer_cast(c.data());
  bool ready = false;
  check(detail::prepare_tensor_kernel<plan, detail::store_weighted<std::uint8_t>>(ready));
  const double measured = milliseconds([&] { detail::bits_of_entries(thrust::device, x); });
  const double pack = milliseconds(
      [&] { check(detail::launch_pack_integers<plan, plan::rows>(x.source(), n, n, base.moduli, pa, nullptr)); });
  const double pack_b = milliseconds([&] {
    check(detail::launch_pack_integers<plan, plan::columns>(y.source().transposed(), n, n, base.moduli, pb, nullptr));
  });
  const double multiply = milliseconds([&] {
    check(detail::launch_packed<plan>(detail::packed_operands{pa, pb, n, n, n, 1, 1, 1}, base.moduli,
                                      detail::store_weighted<std::uint8_t>{pc, n * n, n, 1, false, base.weights},
                                      nullptr));
  });
  const detail::integer_problem p{x.source(), y.source(), n, n, n, thrust::raw_pointer_cast(result.words().data()), 3};
  const double join = milliseconds([&] {
    check(detail::launch_to_limbs(pc, p, detail::tables_at(thrust::raw_pointer_cast(tables.data()), base), nullptr));
  });
  const double macs =
      static_cast<double>(base.moduli.size) * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
  std::printf(
      "| %lld | %d moduli: bits of A %.3f, packing A %.3f, B %.3f, multiplying %.3f (%.0f x 10^12 a second), limbs "
      "%.3f\n",
      static_cast<long long>(n), base.moduli.size, measured, pack, pack_b, multiply, macs / multiply * 1e-9, join);
  std::fflush(stdout);
}

#if defined(THRUST_RNS_HAS_CUBLAS)
double double_row(std::int64_t n) {
  thrust::device_vector<double> a(static_cast<std::size_t>(n * n), 1.5), b = a, c = a;
  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 0;
  const double one = 1, zero = 0;
  const int m = static_cast<int>(n);
  const double ms = milliseconds([&] {
    cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, m, m, &one, thrust::raw_pointer_cast(a.data()), m,
                thrust::raw_pointer_cast(b.data()), m, &zero, thrust::raw_pointer_cast(c.data()), m);
  });
  std::printf("| %lld | FP64, cublasDgemm | | %.3f | %.1f TFLOP/s\n", static_cast<long long>(n), ms,
              2.0 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n) / ms * 1e-9);
  cublasDestroy(handle);
  return ms;
}
#endif

} // namespace

int main() {
  std::puts("| shape | kernel | ms | 10^12 multiply-adds of residues a second | of bytes |");
  {
    product x(1024, 1024, 1024);
    x.kernel_row(matrix_kernel::without_tiles, "without tiles", nullptr);
    const device_matrix<wide> want = x.c;
    x.tile_row<detail::tile_shape<8, 8, 8, 1, 1>>("tiles 8 x 8", &want);
    x.tile_row<detail::tile_shape<16, 16, 16, 1, 1>>("tiles 16 x 16", &want);
    x.tile_row<detail::tile_shape<32, 32, 32, 1, 1>>("tiles 32 x 32", &want);
    x.tile_row<detail::tile_shape<64, 64, 16, 4, 4>>("tiles 64 x 64, 4 x 4 a thread", &want);
    x.tile_row<detail::tile_shape<128, 64, 16, 8, 4>>("tiles 128 x 64, 8 x 4 a thread", &want);
    x.tile_row<detail::tile_shape<128, 128, 16, 8, 8>>("tiles 128 x 128, 8 x 8 a thread", &want);
    x.tile_row<detail::tile_shape<128, 128, 12, 8, 8>>("tiles 128 x 128 x 12, 8 x 8 a thread", &want);
    x.kernel_row(matrix_kernel::tensor_cores, "Tensor Cores", &want, 16);
    // Its two passes.
    using plan = detail::tensor_plan<4>;
    const detail::packed_sizes<plan> sizes(1024, 1024, 1024, wide::size, wide::size);
    thrust::device_vector<unsigned char> packed(sizes.a + sizes.b);
    unsigned char *pa = thrust::raw_pointer_cast(packed.data()), *pb = pa + sizes.a;
    x.row("Tensor Cores: packing A", nullptr, [&] {
      return detail::launch_pack<plan, plan::rows>(detail::lines_of_planes{x.p.a, 1024, 1024, 1, x.moduli}, wide::size,
                                                   pa, nullptr);
    });
    x.row("Tensor Cores: packing B", nullptr, [&] {
      return detail::launch_pack<plan, plan::columns>(
          detail::lines_of_planes{x.p.b.transposed(), 1024, 1024, 1, x.moduli}, wide::size, pb, nullptr);
    });
    x.row(
        "Tensor Cores: multiplying", &want,
        [&] {
          return detail::launch_packed<plan>(detail::packed_operands{pa, pb, 1024, 1024, 1024, 1, 1, 1}, x.moduli,
                                             detail::store_in_planes{x.p.c, x.p.mode}, nullptr);
        },
        16);
  }
  for (const std::int64_t n : {64, 128, 256, 512, 2048, 4096}) {
    product x(n, n, n);
    x.kernel_row(matrix_kernel::tiles, "tiles", nullptr);
    const device_matrix<wide> want = x.c;
    x.kernel_row(matrix_kernel::tensor_cores, "Tensor Cores", &want, 16);
  }
  for (const std::int64_t n : {8, 32}) {
    product x(1024, 1024, n);
    x.kernel_row(matrix_kernel::without_tiles, "without tiles", nullptr);
    const device_matrix<wide> want = x.c;
    x.kernel_row(matrix_kernel::tiles, "tiles", &want);
    x.kernel_row(matrix_kernel::tensor_cores, "Tensor Cores", &want, 16);
  }
  {
    product x(4096, 4096, 1);
    x.kernel_row(matrix_kernel::vector, "vector", nullptr);
    const device_matrix<wide> want = x.c;
    x.kernel_row(matrix_kernel::without_tiles, "without tiles", &want);
  }
  std::puts("| n | bits of A, B | of C | ms | |");
  for (const std::int64_t n : {1024, 2048, 4096}) {
    const double exact = integers_row(n, 1, 11);
    integer_passes(n);
#if defined(THRUST_RNS_HAS_CUBLAS)
    std::printf("| %lld | ratio to FP64 | | %.2f |\n", static_cast<long long>(n), exact / double_row(n));
#else
    static_cast<void>(exact);
#endif
  }
  integers_row(1024, 2, 11);
  integers_row(1024, 16, 5);
  integers_row(100, 16, 11);
}
