// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include "matrices.h"
#include "streams.h"

#include <cstdint>
#include <vector>

#include <cuda_runtime_api.h>

#include <thrust/device_vector.h>
#include <thrust/fill.h>
#include <thrust/system/cuda/execution_policy.h>

#include <thrust_rns/device/device_matrix.cuh>

using namespace thrust_rns;
using detail::matrix_kernel;
using test::integers;

namespace {

using wide = number<moduli_for_bits<128>, symmetric_range>; // 4 bytes a residue
using medium = number<moduli_set<65536, 65535, 65533>>;     // 2
using narrow = number<moduli_set<256, 255, 253, 7>>;        // 1

template <class Number>
integers random_matrix(std::mt19937_64& engine, std::int64_t rows, std::int64_t columns) {
  return test::make_integers(rows, columns, [&] { return test::random_value<Number>(engine); });
}

bool has_tensor_cores() {
  bool ready = false;
  REQUIRE(detail::prepare_tensor_kernel<detail::tensor_plan<4>, detail::store_in_planes>(ready) == cudaSuccess);
  return ready;
}

/// Every kernel by name, with C added to.
template <class Number>
void check_kernels(std::mt19937_64& engine, const integers& a, const integers& b) {
  CAPTURE(a.rows);
  CAPTURE(a.columns);
  CAPTURE(b.columns);
  const integers c0 = random_matrix<Number>(engine, a.rows, b.columns);
  test::placed_matrix<Number> x(a, 1, 3), xt(a.transposed(), 2, 1), y(b, 3, 2), yt(b.transposed());
  const auto moduli = detail::list_of_moduli<typename Number::base_type>();
  for (const matrix_kernel kernel :
       {matrix_kernel::without_tiles, matrix_kernel::vector, matrix_kernel::tiles, matrix_kernel::tensor_cores}) {
    if (kernel == matrix_kernel::vector && a.rows != 1 && b.columns != 1) continue;
    if (kernel == matrix_kernel::tensor_cores && !has_tensor_cores()) continue;
    CAPTURE(static_cast<int>(kernel));
    for (int turned = 0; turned < 4; ++turned) {
      CAPTURE(turned);
      test::placed_matrix<Number> z(c0, 2, 1);
      detail::matrix_problem p;
      REQUIRE(detail::make_problem((turned & 1) != 0 ? xt.view().transposed() : x.view(),
                                   (turned & 2) != 0 ? yt.view().transposed() : y.view(), z.view(),
                                   turned == 3 ? detail::accumulation::subtract : detail::accumulation::add,
                                   p) == detail::matrix_fault::none);
      std::size_t bytes = 0;
      REQUIRE(detail::launch_product_by(kernel, nullptr, bytes, p, moduli, nullptr) == cudaSuccess);
      thrust::device_vector<unsigned char> temp(bytes + 16, 0xaa);
      REQUIRE(detail::launch_product_by(kernel, thrust::raw_pointer_cast(temp.data()), bytes, p, moduli, nullptr) ==
              cudaSuccess);
      REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
      integers difference = z.read();
      for (std::size_t k = 0; k < difference.values.size(); ++k) {
        difference.values[k] = turned == 3 ? c0.values[k] - difference.values[k] : difference.values[k] - c0.values[k];
      }
      CHECK(test::is_product(engine, a, b, difference, test::dynamic_range<typename Number::base_type>()));
    }
  }
}

template <class Number>
void check_shapes(std::mt19937_64& engine) {
  const std::int64_t shapes[][3] = {{1, 1, 1},     {1, 700, 1},     {1, 5, 40},    {33, 1300, 1}, {63, 65, 129},
                                    {64, 64, 256}, {130, 200, 257}, {128, 33, 65}, {2, 0, 3}};
  for (const auto& s : shapes) {
    if (test::small() && s[0] * s[1] * s[2] > 600000) continue;
    check_kernels<Number>(engine, random_matrix<Number>(engine, s[0], s[1]), random_matrix<Number>(engine, s[1], s[2]));
  }
  const mpz_class top = test::dynamic_range<typename Number::base_type>() - 1; // all residues m - 1
  check_kernels<Number>(engine, test::make_integers(65, 761, [&] { return top; }),
                        test::make_integers(761, 66, [&] { return top; }));
}

} // namespace

TEST_CASE("every kernel, whatever the shape") {
  THRUST_RNS_TEST_ENGINE(engine, 1901);
  check_shapes<wide>(engine);
  check_shapes<medium>(engine);
  check_shapes<narrow>(engine);
}

TEST_CASE("the longest sums: all residues m - 1") {
  if (!has_tensor_cores()) return;
  const auto check = [&](auto x, std::int64_t inner) { // x = -1 modulo all moduli: the product is K
    using number = decltype(x);
    CAPTURE(inner);
    const device_vector<number> line(static_cast<std::size_t>(inner), number(0) - number(1));
    device_matrix<number> rows(70, inner), c(70, 70);
    for (std::int64_t i = 0; i < 70; ++i) {
      thrust::copy(line.begin(), line.end(), rows.begin() + static_cast<std::ptrdiff_t>(i * inner));
    }
    matrix_multiply(rows, rows.transposed(), c);
    host_matrix<number> want(70, 70);
    for (std::int64_t k = 0; k < 4900; ++k) want(k / 70, k % 70) = number(inner);
    CHECK(host_matrix<number>(c) == want);
  };
  check(wide(0), 16384);
  check(wide(0), test::amount<std::int64_t>(131073, 16385));
  check(medium(0), test::amount<std::int64_t>(65537, 32769));
  check(narrow(0), test::amount<std::int64_t>(131073, 65537));
}

TEST_CASE("the kernels read and write as many words as docs/matrix.md says") {
  const auto count = [&](auto shape, std::int64_t m, std::int64_t k, std::int64_t n) {
    using Shape = decltype(shape);
    device_matrix<wide> a(m, k), b(k, n), c(m, n);
    detail::matrix_problem p;
    REQUIRE(detail::make_problem(a.as_span(), b.as_span(), c.as_span(), detail::accumulation::assign, p) ==
            detail::matrix_fault::none);
    p.planes = 1;
    thrust::device_vector<unsigned long long> counts(6, 0);
    const auto moduli = detail::list_of_moduli<wide::base_type>();
    const detail::words_counter first{thrust::raw_pointer_cast(counts.data())}, second{first.counts + 3};
    REQUIRE(detail::launch_kernel(detail::multiply_tiles<Shape, false, detail::words_counter>, Shape::tiles(p),
                                  Shape::threads, 0, nullptr, p, moduli, first) == cudaSuccess);
    REQUIRE(detail::launch_kernel(detail::multiply_without_tiles<detail::words_counter>, 3, detail::matrix_threads, 0,
                                  nullptr, p, moduli, second) == cudaSuccess);
    const auto tiled = detail::traffic_of_tiles(m, n, k, Shape::rows, Shape::columns, Shape::inner, Shape::thread_rows,
                                                Shape::thread_columns);
    CHECK(counts[0] == static_cast<unsigned long long>(tiled.global_reads));
    CHECK(counts[1] == static_cast<unsigned long long>(tiled.shared_writes));
    CHECK(counts[2] == static_cast<unsigned long long>(tiled.shared_reads));
    CHECK(counts[3] == static_cast<unsigned long long>(detail::traffic_without_tiles(m, n, k).global_reads));
    CHECK(counts[4] == 0);
  };
  count(detail::tile_shape<2, 2, 2, 1, 1>(), 4, 4, 4);
  count(detail::tile_shape<2, 2, 2, 1, 1>(), 5, 3, 4);
  count(detail::textbook_tile(), 40, 33, 50);
  count(detail::tile_shape<32, 32, 16, 4, 4>(), 64, 32, 96);
}

TEST_CASE("DeviceMatrix: size query, refusals, streams and graphs") {
  THRUST_RNS_TEST_ENGINE(engine, 1902);
  const std::int64_t n = 180; // enough for the Tensor Cores
  const integers a = random_matrix<wide>(engine, n, n), b = random_matrix<wide>(engine, n, n);
  test::placed_matrix<wide> x(a, 1), y(b), z(n, n);
  const test::stream_owner stream;
  std::size_t bytes = 0;
  REQUIRE(DeviceMatrix::Multiply(nullptr, bytes, x.view(), y.view(), z.view(), stream) == cudaSuccess);
  CHECK(bytes >= 16);
  thrust::device_vector<unsigned char> memory(bytes);
  void* temp = thrust::raw_pointer_cast(memory.data());

  std::size_t too_few = bytes - 1;
  if (has_tensor_cores()) {
    CHECK(DeviceMatrix::Multiply(temp, too_few, x.view(), y.view(), z.view(), stream) == cudaErrorInvalidValue);
  }
  CHECK(DeviceMatrix::Multiply(temp, bytes, x.view(), y.view(), x.view(), stream) == cudaErrorInvalidValue);
  CHECK(DeviceMatrix::Multiply(temp, bytes, x.view(), y.view().block(0, 0, 3, n), z.view(), stream) ==
        cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(z.read().values == std::vector<mpz_class>(static_cast<std::size_t>(n * n), 7));

  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
  CHECK(DeviceMatrix::Multiply(temp, bytes, x.view(), y.view(), z.view(), stream) == cudaSuccess);
  CHECK(DeviceMatrix::MultiplyAdd(temp, bytes, x.view(), y.view(), z.view(), stream) == cudaSuccess);
  CHECK(DeviceMatrix::MultiplySubtract(temp, bytes, x.view(), y.view(), z.view(), stream) == cudaSuccess);
  REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  for (int launch = 0; launch < 2; ++launch) {
    REQUIRE(cudaGraphLaunch(executable, stream) == cudaSuccess);
    stream.wait();
    CHECK(test::is_product(engine, a, b, z.read(), test::dynamic_range<wide::base_type>()));
  }
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);

  matrix_multiply_add(thrust::cuda::par_nosync.on(stream), x.view(), y.view(), z.view());
  matrix_multiply_subtract(thrust::cuda::par_nosync.on(stream), x.view(), y.view(), z.view());
  stream.wait();
  CHECK(test::is_product(engine, a, b, z.read(), test::dynamic_range<wide::base_type>()));
}

TEST_CASE("more residues than 2^31") {
  if (test::small()) return;
  using number = thrust_rns::number<moduli_for_bits<512>>;
  const std::int64_t n = 11300; // 17 planes: 2.17e9 residues
  std::size_t free = 0, total = 0;
  REQUIRE(cudaMemGetInfo(&free, &total) == cudaSuccess);
  if (free < (std::size_t{24} << 30)) {
    MESSAGE("too little memory, left out");
    return;
  }
  device_matrix<number> a(n, 64), b(64, n), c(n, n);
  thrust::fill(a.begin(), a.end(), number(0) - number(2));
  thrust::fill(b.begin(), b.end(), number(3));
  a(n - 1, 0) = number(5);
  b(0, n - 1) = number(7);
  matrix_multiply(a, b, c);
  const number row = number(0) - number(6);
  CHECK(number(c(0, 0)) == number(64) * row);
  CHECK(number(c(n - 2, n - 1)) == number(63) * row - number(14));
  CHECK(number(c(n - 1, n - 2)) == number(63) * row + number(15));
  CHECK(number(c(n - 1, n - 1)) == number(63) * row + number(35));
  CHECK(number(c(n / 2, n / 3)) == number(64) * row);
}
