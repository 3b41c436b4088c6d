// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include "matrices.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <thrust/extrema.h>

using namespace thrust_rns;
using test::integers;

namespace {

using wide = number<moduli_for_bits<128>, symmetric_range>;
using mixed = number<moduli_set<65536, 251, 2147483647, 3>>; // composite, even, the largest and the smallest

template <class Number>
integers random_matrix(std::mt19937_64& engine, std::int64_t rows, std::int64_t columns) {
  return test::make_integers(rows, columns, [&] { return test::random_value<Number>(engine); });
}
integers constant_matrix(std::int64_t rows, std::int64_t columns, const mpz_class& x) {
  return test::make_integers(rows, columns, [&] { return x; });
}

integers plus(integers a, const integers& b, int sign) {
  for (std::size_t k = 0; k < a.values.size(); ++k) a.values[k] += sign * b.values[k];
  return a;
}

/// A b, all places of operands and results: strides, transposes, accumulation.
template <class Number>
void check_product(std::mt19937_64& engine, const integers& a, const integers& b) {
  CAPTURE(a.rows);
  CAPTURE(a.columns);
  CAPTURE(b.columns);
  const integers ab = test::product(a, b), c0 = random_matrix<Number>(engine, a.rows, b.columns);
  for (int places = 0; places < 8; ++places) {
    CAPTURE(places);
    const bool turn_a = (places & 1) != 0, turn_b = (places & 2) != 0, turn_c = (places & 4) != 0;
    const std::int64_t gap = places % 3, offset = places % 5;
    test::placed_matrix<Number> x(turn_a ? a.transposed() : a, gap, offset);
    test::placed_matrix<Number> y(turn_b ? b.transposed() : b, 2 - gap, offset + 1);
    test::placed_matrix<Number> z(turn_c ? c0.transposed() : c0, gap + 1, offset);
    const auto left = turn_a ? x.view().transposed() : x.view();
    const auto right = turn_b ? y.view().transposed() : y.view();
    const auto result = turn_c ? z.view().transposed() : z.view();
    const auto read = [&] { return turn_c ? z.read().transposed() : z.read(); };
    matrix_multiply_add(thrust::device, left, right, result);
    CHECK(read().values == test::wrapped<Number>(plus(c0, ab, 1)).values);
    matrix_multiply_subtract(thrust::device, left, right, result);
    CHECK(read().values == c0.values);
    matrix_multiply(thrust::device, left, right, result);
    CHECK(read().values == test::wrapped<Number>(ab).values);
  }
}

/// Larger ones, by a random vector.
template <class Number>
void check_large(std::mt19937_64& engine, const integers& a, const integers& b) {
  CAPTURE(a.rows);
  CAPTURE(a.columns);
  CAPTURE(b.columns);
  test::placed_matrix<Number> x(a, 3, 1), y(b, 1, 2), z(a.rows, b.columns, 2, 3);
  matrix_multiply(thrust::device, x.view(), y.view(), z.view());
  CHECK(test::is_product(engine, a, b, z.read(), test::dynamic_range<typename Number::base_type>()));
}

} // namespace

TEST_CASE("products of all small shapes, strides and transposes") {
  THRUST_RNS_TEST_ENGINE(engine, 1801);
  for (const std::int64_t inner : {0, 1, 3, 5, 31, 32, 33}) {
    check_product<wide>(engine, random_matrix<wide>(engine, 3, inner), random_matrix<wide>(engine, inner, 5));
  }
  check_product<wide>(engine, random_matrix<wide>(engine, 1, 9), random_matrix<wide>(engine, 9, 1));
  check_product<wide>(engine, random_matrix<wide>(engine, 35, 4), random_matrix<wide>(engine, 4, 67));
  check_product<mixed>(engine, random_matrix<mixed>(engine, 17, 33), random_matrix<mixed>(engine, 33, 19));
}

TEST_CASE("extreme entries") {
  THRUST_RNS_TEST_ENGINE(engine, 1802);
  for (const std::int64_t inner : {1, 5, 33}) {
    for (const mpz_class& x : {test::smallest<wide>(), test::largest<wide>(), mpz_class(-1)}) {
      check_product<wide>(engine, constant_matrix(3, inner, x), constant_matrix(inner, 2, x));
    }
    const mpz_class top = test::largest<mixed>();
    check_product<mixed>(engine, constant_matrix(2, inner, top), constant_matrix(inner, 3, top));
  }
  // All residues are m - 1: the largest products.
  check_large<wide>(engine, constant_matrix(70, 761, -1), constant_matrix(761, 65, -1));
}

TEST_CASE("large shapes") {
  THRUST_RNS_TEST_ENGINE(engine, 1803);
  const std::int64_t n = test::amount(130, 70);
  check_large<wide>(engine, random_matrix<wide>(engine, n, 761), random_matrix<wide>(engine, 761, n + 3));
  check_large<wide>(engine, random_matrix<wide>(engine, 64, 64), random_matrix<wide>(engine, 64, 64));
  check_large<mixed>(engine, random_matrix<mixed>(engine, n + 1, 129), random_matrix<mixed>(engine, 129, 257));
  check_large<wide>(engine, random_matrix<wide>(engine, 129, 17), random_matrix<wide>(engine, 17, 127));
}

TEST_CASE("long sums of -128 x -128") {
  for (const std::int64_t inner : {std::int64_t{131072}, std::int64_t{131073}}) {
    if (test::small() && inner == 131072) continue;
    device_vector<wide> x(static_cast<std::size_t>(inner), wide(-128));
    const wide want = wide(inner) * wide(16384);
    for (const std::int64_t n :
         {std::int64_t{1}, std::int64_t{3}, std::int64_t{66}}) { // one vector is every row and column
      CAPTURE(n);
      if (n > 3 && (test::small() || inner == 131072 || !THRUST_RNS_CUDA_BACKEND)) continue;
      const auto s = x.as_span();
      const matrix_span<wide> row(s.plane(0), s.stride(), 1, inner, inner);
      host_matrix<wide> want_all(n, n);
      device_matrix<wide> rows(n, inner, device_vector<wide>(static_cast<std::size_t>(n * inner), wide(-128)));
      device_matrix<wide> c(n, n);
      matrix_multiply(thrust::device, rows, rows.transposed(), c);
      for (std::int64_t k = 0; k < n * n; ++k) want_all(k / n, k % n) = want;
      CHECK(host_matrix<wide>(c) == want_all);
      if (n == 1) {
        CHECK(dot_product(x, x) == want);
        matrix_multiply(thrust::device, row, as_column(x), c);
        CHECK(wide(c(0, 0)) == want);
      }
    }
  }
}

TEST_CASE("vectors, and matrices times vectors") {
  THRUST_RNS_TEST_ENGINE(engine, 1804);
  for (const std::int64_t inner : {1, 31, 300, 5000}) {
    const integers a = random_matrix<mixed>(engine, 7, inner), x = random_matrix<mixed>(engine, inner, 1);
    const device_matrix<mixed> m(7, inner, test::make<mixed>(a.values));
    const device_vector<mixed> v(test::make<mixed>(x.values));
    device_vector<mixed> y(7), z(7);
    matrix_multiply(thrust::device, m, as_column(v), as_column(y));
    matrix_multiply(thrust::device, as_row(v), m.transposed(), as_row(z)); // the same
    const integers ax = test::wrapped<mixed>(test::product(a, x));
    CHECK(y.to_vector() == test::make<mixed>(ax.values));
    CHECK(z == y);
    const host_vector<mixed> w = v;
    CHECK(dot_product(w, w) == dot_product(v, v));
    const integers xx = test::product(x.transposed(), x);
    CHECK(test::value(dot_product(v, v)) == test::wrap<mixed>(xx(0, 0)));
  }
  CHECK(dot_product(device_vector<mixed>(), device_vector<mixed>()) == mixed(0));
}

TEST_CASE("batches, of distinct and of shared operands") {
  THRUST_RNS_TEST_ENGINE(engine, 1805);
  const auto check = [&](std::int64_t m, std::int64_t k, std::int64_t n, std::int64_t batch) {
    CAPTURE(m);
    CAPTURE(batch);
    const integers a = random_matrix<mixed>(engine, batch * m, k), b = random_matrix<mixed>(engine, batch * k, n);
    test::placed_matrix<mixed> x(a), y(b), z(batch * m, n), shared(batch * m, n);
    const auto xs = x.view().block(0, 0, m, k).batched(batch, m * k);
    const auto ys = y.view().block(0, 0, k, n).batched(batch, k * n);
    matrix_multiply(thrust::device, xs, ys, z.view().block(0, 0, m, n).batched(batch, m * n));
    matrix_multiply(thrust::device, xs, y.view().block(0, 0, k, n),
                    shared.view().block(0, 0, m, n).batched(batch, m * n));
    const integers distinct = z.read(), by_first = shared.read();
    for (std::int64_t t = 0; t < batch; ++t) {
      integers at(m, k), bt(k, n), b0(k, n), ct(m, n), dt(m, n);
      for (std::int64_t i = 0; i < m * k; ++i) at(i / k, i % k) = a(t * m + i / k, i % k);
      for (std::int64_t i = 0; i < k * n; ++i) bt(i / n, i % n) = b(t * k + i / n, i % n);
      for (std::int64_t i = 0; i < k * n; ++i) b0(i / n, i % n) = b(i / n, i % n);
      for (std::int64_t i = 0; i < m * n; ++i) ct(i / n, i % n) = distinct(t * m + i / n, i % n);
      for (std::int64_t i = 0; i < m * n; ++i) dt(i / n, i % n) = by_first(t * m + i / n, i % n);
      CHECK(ct.values == test::wrapped<mixed>(test::product(at, bt)).values);
      CHECK(dt.values == test::wrapped<mixed>(test::product(at, b0)).values);
    }
  };
  check(4, 4, 4, 50);
  check(2, 3, 5, 7);
  check(3, 40, 1, 5);
  check(65, 33, 66, 3);
  test::placed_matrix<mixed> none(3, 3);
  const auto nothing = none.view().batched(0, 9);
  matrix_multiply(thrust::device, nothing, nothing, nothing);
  CHECK(none.read()(1, 1) == 7);
}

TEST_CASE("products drop cached evaluations of what they write, and of nothing else") {
  using small = number<moduli_for_bits<64>, symmetric_range>;
  device_matrix<small> a(2, 2, {small(1), small(2), small(3), small(4)}), c(3, 2);
  for (std::int64_t k = 0; k < 6; ++k) c(k / 2, k % 2) = small(100 + k);
  CHECK(thrust::max_element(c.begin(), c.end()) - c.begin() == 5);
  matrix_multiply(thrust::device, a, a, c.as_span().block(1, 0, 2, 2)); // 7 10 15 22
  CHECK(thrust::max_element(c.begin(), c.end()) - c.begin() == 1);
  CHECK(thrust::min_element(c.begin(), c.end()) - c.begin() == 2);
  matrix_multiply_subtract(thrust::device, a, a, c.as_span().block(1, 0, 2, 2).transposed());
  CHECK(thrust::min_element(c.begin(), c.end()) - c.begin() == 3); // 10 - 15
  matrix_multiply(thrust::device, device_matrix<small>(2, 0), device_matrix<small>(0, 2),
                  c.as_span().block(0, 0, 2, 2));
  CHECK(thrust::max_element(c.begin(), c.end()) - c.begin() == 4); // 15 - 10
}

TEST_CASE("what does not fit together is refused with its sizes, and nothing is written") {
  device_matrix<wide> m(6, 6), c(2, 3), before = m;
  const auto refused = [&](const auto& a, const auto& b, const auto& result, const char* text) {
    CAPTURE(text);
    std::string what;
    try {
      matrix_multiply(thrust::device, a, b, result);
    } catch (const std::invalid_argument& e) {
      what = e.what();
    }
    CHECK(what.find(text) != std::string::npos);
  };
  const auto block = [&](std::int64_t i, std::int64_t j, std::int64_t rows, std::int64_t columns) {
    return m.as_span().block(i, j, rows, columns);
  };
  refused(block(0, 0, 2, 3), block(0, 0, 2, 3), c.as_span(), "(2 x 3) (2 x 3): the inner ones differ");
  refused(block(0, 0, 2, 3).batched(2, 18), block(0, 0, 3, 3), c.as_span(), "(2 x 3, batch 2)");
  refused(block(0, 0, 2, 3), block(0, 0, 3, 3), c.as_span().batched(2, 0), "in one place");
  device_matrix<wide> d(6, 6), squares(2, 2);
  for (const std::int64_t stride : {1, 5, 6, 7}) { // 2 x 2 blocks: from one row down to the next too
    CAPTURE(stride);
    refused(squares, squares, d.as_span().block(0, 1, 2, 2).batched(2, stride), "in one place");
    refused(squares, squares, d.as_span().block(0, 1, 2, 2).transposed().batched(2, stride), "in one place");
  }
  for (const std::int64_t stride : {2, 4, 12, 14}) {
    CAPTURE(stride);
    matrix_multiply(thrust::device, squares, squares, d.as_span().block(0, 0, 2, 2).batched(2, stride));
  }
  refused(block(0, 0, 2, 2), block(0, 2, 2, 2), block(1, 1, 2, 2), "overlaps an operand");
  refused(block(0, 2, 2, 2), block(3, 3, 2, 2), block(4, 4, 2, 2), "overlaps an operand");
  refused(block(0, 2, 2, 2), block(3, 3, 2, 2), block(4, 4, 2, 2).transposed(), "overlaps an operand");
  refused(m, m, m.as_span(), "overlaps an operand");
  device_vector<wide> v(12, wide(5));
  const auto column = [&](std::int64_t first) { return as_column(v).block(first, 0, 4, 1); };
  const auto row = [&](std::int64_t first) { return as_row(v).block(0, first, 1, 4); };
  for (std::int64_t first = 1; first < 8; ++first) {
    CAPTURE(first);
    refused(block(0, 0, 4, 4), column(4), column(first), "overlaps an operand");
    refused(column(4).transposed(), block(0, 0, 4, 4), column(first).transposed(), "overlaps an operand");
    refused(row(4), block(0, 0, 4, 4), row(first), "overlaps an operand");
  }
  CHECK(v == device_vector<wide>(12, wide(5)));
  CHECK_THROWS_AS(block(5, 0, 2, 1), std::invalid_argument);
  CHECK_THROWS_AS((device_matrix<wide>(2, 2, device_vector<wide>(3))), std::invalid_argument);
  CHECK(m == before);

  // Neighbours are fine: a step of block elimination.
  for (std::int64_t k = 0; k < 36; ++k) m(k / 6, k % 6) = wide(k);
  matrix_multiply_subtract(thrust::device, block(2, 0, 4, 2), block(0, 2, 2, 4), block(2, 2, 4, 4));
  CHECK(wide(m(5, 5)) == wide(35 - (30 * 5 + 31 * 11)));
  CHECK(wide(m(5, 1)) == wide(31));
  matrix_multiply(thrust::device, block(0, 0, 4, 4), column(4), column(8));
  matrix_multiply(thrust::device, row(4), block(0, 0, 4, 4), row(0));
  CHECK(wide(v[8]) == wide(5 * (0 + 1 + 2 + 3)));
  CHECK(wide(v[3]) == wide(5 * (3 + 9) + 5 * wide(m(2, 3)) + 5 * wide(m(3, 3))));
}

TEST_CASE("bounds that make a product exact") {
  using base = moduli_set<13, 7, 11>; // M = 1001: 0 .. 1000, -500 .. 500
  using plain = number<base>;
  using centred = number<base, symmetric_range>;
  CHECK(matrix_product_fits(10, plain(10), plain(10)));
  CHECK_FALSE(matrix_product_fits(11, plain(10), plain(10)));
  CHECK(matrix_product_fits(5, centred(10), centred(10)));
  CHECK_FALSE(matrix_product_fits(6, centred(10), centred(10)));
  CHECK(matrix_product_fits(INT64_MAX, centred(0), centred(10)));
  CHECK(matrix_product_fits(0, centred(400), centred(400)));
  CHECK_FALSE(matrix_product_fits(INT64_MAX, wide(1), wide(test::make<wide>(test::power_of_two(100)))));
  CHECK(matrix_product_fits(INT64_MAX, wide(1), wide(test::make<wide>(test::power_of_two(70)))));
  const device_matrix<centred> a(1, 2, {centred(-5), centred(4)}), b(2, 1, {centred(-50), centred(1)}),
      d(2, 1, {centred(-51), centred(1)});
  CHECK(matrix_product_is_exact(a, b));
  CHECK_FALSE(matrix_product_is_exact(a, d));
  CHECK(matrix_product_is_exact(device_matrix<centred>(3, 0), device_matrix<centred>(0, 3)));
}

TEST_CASE("matrices move between host and device, and multiply there") {
  host_matrix<wide> a(2, 3, {wide(1), wide(2), wide(3), wide(4), wide(5), wide(6)});
  device_matrix<wide> b(3, 1, {wide(1), wide(-1), wide(2)});
  const host_matrix<wide> on_host = a * host_matrix<wide>(b);
  const device_matrix<wide> on_device = device_matrix<wide>(a) * b;
  CHECK(on_host(0, 0) == wide(5));
  CHECK(on_host(1, 0) == wide(11));
  CHECK(host_matrix<wide>(on_device) == on_host);
  CHECK(on_host.rows() == 2);
  CHECK(on_host.columns() == 1);
}

TEST_CASE("words read and written: 4 x 4 matrices by tiles of 2 x 2") {
  // Each of 16 threads reads 4 + 4 words of global memory. With tiles, 4 blocks of 4 threads take 2 steps; a step stages a tile of
  // A and one of B, a word of each a thread, and each thread reads 2 + 2 of them.
  constexpr detail::matrix_traffic plain = detail::traffic_without_tiles(4, 4, 4);
  CHECK(plain.global_reads == 128);
  constexpr detail::matrix_traffic tiled = detail::traffic_of_tiles(4, 4, 4, 2, 2, 2, 1, 1);
  CHECK(tiled.global_reads == 64);
  CHECK(tiled.shared_writes == 64);
  CHECK(tiled.shared_reads == 128);

  // The same, counted by a model of the loops.
  std::int64_t global_reads = 0, shared_writes = 0, shared_reads = 0;
  int a[4][4], b[4][4], c[4][4] = {}, want[4][4] = {};
  for (int k = 0; k < 16; ++k) {
    a[k / 4][k % 4] = k + 1;
    b[k / 4][k % 4] = 3 * k - 5;
  }
  for (int k = 0; k < 64; ++k) want[k / 16][k % 4] += a[k / 16][k / 4 % 4] * b[k / 4 % 4][k % 4];
  for (int block = 0; block < 4; ++block) {
    for (int step = 0; step < 2; ++step) {
      int tile_a[2][2], tile_b[2][2];
      for (int thread = 0; thread < 4; ++thread) {
        const int i = thread / 2, j = thread % 2;
        tile_a[i][j] = a[block / 2 * 2 + i][step * 2 + j];
        tile_b[i][j] = b[step * 2 + i][block % 2 * 2 + j];
        global_reads += 2;
        shared_writes += 2;
      }
      for (int thread = 0; thread < 4; ++thread) { // after a barrier
        for (int k = 0; k < 2; ++k) {
          c[block / 2 * 2 + thread / 2][block % 2 * 2 + thread % 2] += tile_a[thread / 2][k] * tile_b[k][thread % 2];
          shared_reads += 2;
        }
      }
    }
  }
  CHECK(std::equal(&c[0][0], &c[0][0] + 16, &want[0][0]));
  CHECK(global_reads == tiled.global_reads);
  CHECK(shared_writes == tiled.shared_writes);
  CHECK(shared_reads == tiled.shared_reads);
}

#if !THRUST_RNS_CUDA_BACKEND
TEST_CASE("all instructions of the host agree") {
  THRUST_RNS_TEST_ENGINE(engine, 1806);
  for (const std::int64_t inner : {1, 4, 255, 256, 257, 600}) {
    const std::int64_t m = 37, n = 83;
    const host_matrix<mixed> a(m, inner, test::make<mixed>(random_matrix<mixed>(engine, m, inner).values));
    const host_matrix<mixed> b(inner, n, test::make<mixed>(random_matrix<mixed>(engine, inner, n).values));
    const host_matrix<mixed> want = a * b;
    for (const detail::instructions use :
         {detail::instructions::portable, detail::instructions::avx2, detail::instructions::avx512}) {
      if (use > detail::widest_instructions()) continue;
      host_matrix<mixed> c(m, n);
      const detail::matrix_problem p =
          detail::checked_problem(a.as_span(), b.as_span(), c.as_span(), detail::accumulation::assign);
      detail::multiply_matrices_on_host(thrust::seq, p, detail::list_of_moduli<mixed::base_type>(), use);
      CHECK(c == want);
    }
  }
}

TEST_CASE("sums of the host modulo m by all instructions, up to the largest") {
  THRUST_RNS_TEST_ENGINE(engine, 1807);
  using detail::instructions;
  for (const std::uint32_t m : {2u, 3u, 251u, 65536u, 2147483646u, 2147483647u}) {
    for (const std::uint32_t factor : {1u, m / 2, m - 1}) {
      CAPTURE(m);
      CAPTURE(factor);
      const detail::sum_reducer reduce(m, factor);
      for (const int lanes : {1, 4, 8}) {
        detail::panel_sums sums{};
        sums.lanes = lanes;
        constexpr int row = 2;
        std::uint64_t *high = sums.high + 16 * row, *low = sums.low + 16 * row;
        for (int j = 0; j < 16; ++j) {
          high[j] = j == 0 ? 0 : j == 1 ? INT64_MAX : engine() >> (1 + 3 * j);
          low[j] = j == 0 ? 0 : j < 9 ? 0xffffffffu : engine() >> 32;
        }
        for (const instructions use : {instructions::portable, instructions::avx2, instructions::avx512}) {
          if (use > detail::widest_instructions()) continue;
          std::uint32_t x[16];
          reduce(use, sums, row, x);
          for (int j = 0; j < 16; ++j) {
            const int at = detail::place_of_column(j, lanes);
            mpz_class want = mpz_class(static_cast<unsigned long>(high[at])) << 32;
            want = (want + static_cast<unsigned long>(low[at])) * static_cast<unsigned long>(factor);
            CHECK(mpz_class(static_cast<unsigned long>(x[j])) == want % static_cast<unsigned long>(m));
          }
        }
      }
    }
  }
}
#endif
