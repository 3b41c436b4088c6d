// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Matrix products modulo 17 moduli of 31 bits on the GPU by each kernel, and exact products of integer matrices. CUDA
// events, after a warm-up, median of 11; every result is compared with another kernel's. Prints the rows of the tables of
// docs/matrix.md.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

#include <cuda_runtime_api.h>

#include <thrust/device_vector.h>
#include <thrust/tabulate.h>

#include <thrust_rns/device/device_matrix.cuh>
#include <thrust_rns/matrix.h>

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
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  call();
  std::vector<float> times;
  for (int k = 0; k < rounds; ++k) {
    check(cudaEventRecord(begin));
    call();
    check(cudaEventRecord(end));
    check(cudaEventSynchronize(end));
    float ms = 0;
    check(cudaEventElapsedTime(&ms, begin, end));
    times.push_back(ms);
  }
  check(cudaEventDestroy(begin));
  check(cudaEventDestroy(end));
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
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
  double macs() const { return 1.0 * wide::size * static_cast<double>(p.rows * p.columns) * static_cast<double>(p.inner); }

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
    row(what, want,
        [&] { return detail::launch_product_by(kernel, thrust::raw_pointer_cast(temp.data()), bytes, p, moduli, nullptr); },
        bytes_per_word);
  }
};

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
    x.tile_row<detail::tile_shape<128, 64, 8, 8, 4>>("tiles 128 x 64 x 8, 8 x 4 a thread", &want);
    x.tile_row<detail::tile_shape<128, 128, 16, 8, 4>>("tiles 128 x 128, 8 x 4 a thread", &want);
    x.tile_row<detail::tile_shape<128, 128, 16, 8, 8>>("tiles 128 x 128, 8 x 8 a thread", &want);
    x.tile_row<detail::tile_shape<128, 64, 16, 8, 8>>("tiles 128 x 64, 8 x 8 a thread", &want);
    x.tile_row<detail::tile_shape<128, 128, 8, 8, 8>>("tiles 128 x 128 x 8, 8 x 8 a thread", &want);
    x.kernel_row(matrix_kernel::tensor_cores, "Tensor Cores", &want, 16);
    // Its two passes.
    using plan = detail::tensor_plan<4>;
    const detail::packed_sizes<plan> sizes(1024, 1024, 1024, wide::size, wide::size);
    thrust::device_vector<unsigned char> packed(sizes.a + sizes.b);
    unsigned char *pa = thrust::raw_pointer_cast(packed.data()), *pb = pa + sizes.a;
    x.row("Tensor Cores: packing A", nullptr, [&] {
      return detail::launch_pack<plan, plan::rows>(detail::lines_of_planes{x.p.a, 1024, 1024, 1, x.moduli}, wide::size, pa,
                                                   nullptr);
    });
    x.row("Tensor Cores: packing B", nullptr, [&] {
      return detail::launch_pack<plan, plan::columns>(detail::lines_of_planes{x.p.b.transposed(), 1024, 1024, 1, x.moduli},
                                                      wide::size, pb, nullptr);
    });
    x.row("Tensor Cores: multiplying", &want, [&] {
      return detail::launch_packed<plan>(detail::packed_operands{pa, pb, 1024, 1024, 1024, 1, 1, 1}, x.moduli,
                                         detail::store_in_planes{x.p.c, x.p.mode}, nullptr);
    }, 16);
  }
  for (const std::int64_t n : {64, 128, 256, 512, 2048, 4096}) {
    product x(n, n, n);
    x.kernel_row(matrix_kernel::tiles, "tiles", nullptr);
    const device_matrix<wide> want = x.c;
    x.kernel_row(matrix_kernel::tensor_cores, "Tensor Cores", &want, 16);
  }
  for (const std::int64_t n : {8, 16, 24, 32, 48}) {
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
}
