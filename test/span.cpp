// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include "vectors.h"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/reduce.h>

#include <thrust_rns/span.h>

namespace {

using number = thrust_rns::number<thrust_rns::isupov_moduli<64>, thrust_rns::symmetric_range>;
using span = thrust_rns::span<number>;
using const_span = thrust_rns::span<const number>;

static_assert(std::is_trivially_copyable_v<span> && std::is_trivially_copyable_v<const_span>);
static_assert(std::is_convertible_v<span, const_span> && !std::is_convertible_v<const_span, span>);
static_assert(std::is_same_v<decltype(const_span().plane(0)), const std::uint32_t*>);

/// Memory of the test's own for `stride` numbers and evaluations, on the host.
struct memory {
  static constexpr std::int64_t stride = 24;
  alignas(16) std::uint32_t residues[number::size * stride] = {};
  alignas(16) std::uint64_t evaluations[stride] = {};
};

} // namespace

TEST_CASE("a default span is empty") {
  const span s;
  CHECK(s.size() == 0);
  CHECK(s.stride() == 0);
  CHECK(s.plane(0) == nullptr);
  CHECK(s.evaluations() == nullptr);
  const span nothing(nullptr, 0, 0);
  CHECK(nothing.size() == 0);
}

TEST_CASE("a span that breaks a layout rule is refused with the rule") {
  memory m;
  const char* too_short = "thrust_rns::span: the stride must be at least the size";
  const char* not_quads = "thrust_rns::span: the stride must be a multiple of 4 elements";
  const char* misaligned = "thrust_rns::span: residues and evaluations must be aligned to 16 bytes";
  CHECK_THROWS_WITH_AS(span(m.residues, 20, 21), too_short, std::invalid_argument);
  CHECK_THROWS_WITH_AS(span(m.residues, 20, -1), too_short, std::invalid_argument);
  CHECK_THROWS_WITH_AS(span(m.residues, -4, -4), too_short, std::invalid_argument);
  CHECK_THROWS_WITH_AS(span(m.residues, 22, 20), not_quads, std::invalid_argument);
  CHECK_THROWS_WITH_AS(span(m.residues, 21, 21), not_quads, std::invalid_argument);
  for (int k = 1; k < 4; ++k) {
    CHECK_THROWS_WITH_AS(span(m.residues + k, 20, 20), misaligned, std::invalid_argument);
    CHECK_THROWS_WITH_AS(const_span(m.residues + k, 20, 20), misaligned, std::invalid_argument);
  }
  CHECK_THROWS_WITH_AS(span(m.residues, 20, 20, m.evaluations + 1), misaligned, std::invalid_argument);
  CHECK_NOTHROW(span(m.residues, 20, 20, m.evaluations + 2));
  CHECK_NOTHROW(span(m.residues, 20, 0));
}

TEST_CASE("load and store address residue i of element j at i * stride + j") {
  THRUST_RNS_TEST_ENGINE(engine, 401);
  memory m;
  const span s(m.residues, m.stride, 21, m.evaluations);
  CHECK(s.size() == 21);
  CHECK(s.stride() == m.stride);
  for (std::int64_t j = 0; j < 21; ++j) {
    const number x = test::make<number>(test::random_value<number>(engine));
    m.evaluations[j] = 99;
    s.store(j, x);
    CHECK(s.load(j) == x);
    CHECK(m.evaluations[j] == 0);
    for (int i = 0; i < number::size; ++i) {
      CHECK(m.residues[i * m.stride + j] == x.residue(i));
      CHECK(s.plane(i) == m.residues + i * m.stride);
    }
  }
}

TEST_CASE("a span without evaluations stores just the residues") {
  memory m;
  const span s(m.residues, m.stride, 4);
  s.store(3, number(-1));
  CHECK(s.load(3) == number(-1));
  CHECK(s.evaluations() == nullptr);
}

TEST_CASE("a span of numbers converts to a span of const numbers over the same memory") {
  memory m;
  const span s(m.residues, m.stride, 20, m.evaluations);
  s.store(7, number(-3));
  const const_span c = s;
  CHECK(c.load(7) == number(-3));
  CHECK(c.plane(2) == s.plane(2));
  CHECK(c.stride() == s.stride());
  CHECK(c.size() == s.size());
  CHECK(c.evaluations() == s.evaluations());
}

TEST_CASE("algorithms run over device memory of the user's own, at any offset") {
  THRUST_RNS_TEST_ENGINE(engine, 402);
  constexpr std::int64_t size = 1003, stride = 1004;
  const std::vector<mpz_class> z = test::make_pattern<number>(test::pattern::random_length, engine, size);
  std::vector<std::uint32_t> planes(number::size * stride);
  const std::vector<number> x = test::make<number>(z);
  for (std::size_t j = 0; j < x.size(); ++j) {
    for (int i = 0; i < number::size; ++i) planes[static_cast<std::size_t>(i) * stride + j] = x[j].residue(i);
  }
  thrust::device_vector<std::uint32_t> residues(planes.begin(), planes.end());
  thrust::device_vector<std::uint64_t> evaluations(stride);
  const span s(thrust::raw_pointer_cast(residues.data()), stride, size, thrust::raw_pointer_cast(evaluations.data()));
  const thrust_rns::device_iterator<number> first(s, 0);
  const thrust_rns::const_device_iterator<number> bare(
      const_span(thrust::raw_pointer_cast(residues.data()), stride, size), 0);
  for (int offset = 0; offset < 5; ++offset) {
    test::check_extrema(first + offset, first + size - offset / 2, z.data() + offset);
    test::check_extrema(bare + offset, bare + size - offset / 2, z.data() + offset);
    CHECK(test::value(thrust::reduce(first + offset, first + size)) ==
          test::sum_of<number>(z.data() + offset, size - offset));
    CHECK(test::value(thrust::reduce(bare, bare + size - offset)) == test::sum_of<number>(z.data(), size - offset));
  }
  CHECK(static_cast<std::uint64_t>(evaluations[0]) != 0);
  CHECK(static_cast<std::uint64_t>(evaluations[size]) == 0); // beyond the size nothing is written

  first[500] = test::make<number>(test::largest<number>());
  CHECK(thrust::max_element(first, first + size) - first == 500);
  // From here on the planes are written directly: the evaluations must be zeroed.
  thrust::fill(residues.begin(), residues.end(), 0U);
  thrust::fill(evaluations.begin(), evaluations.end(), 0U);
  CHECK(thrust::max_element(first, first + size) == first);
  CHECK(thrust::reduce(first, first + size) == number(0));
}

TEST_CASE("algorithms run over host memory of the user's own") {
  memory m;
  const span s(m.residues, m.stride, 21, m.evaluations);
  const thrust_rns::basic_iterator<number, thrust::host_system_tag> first(s, 0);
  for (int j = 0; j < 21; ++j) first[j] = (j * 5) % 21 - 10;
  CHECK(thrust::max_element(first, first + 21) - first == 4);      // 5 * 4 = 20
  CHECK(thrust::min_element(first + 1, first + 21) - first == 17); // 5 * 17 = 85 = 1 mod 21
  CHECK(thrust::reduce(first, first + 21) == number(0));
  CHECK(m.evaluations[21] == 0);
}
