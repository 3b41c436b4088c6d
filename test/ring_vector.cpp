// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include <cstdint>
#include <string>
#include <vector>

#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>

#include <thrust_rns/ring_vector.h>

#include "rings.h"

using namespace thrust_rns;

namespace {

using full = full_element<prime_ring<61, 4591>>;
using byte = small_element<prime_ring<61, 4591>>;
using ternary = ternary_element<prime_ring<61, 4591>>;

constexpr std::int64_t degree = 61;

template <class Integer>
std::vector<Integer> random_coefficients(std::mt19937_64& engine, std::int64_t count, int smallest, int largest) {
  std::vector<Integer> values(static_cast<std::size_t>(count * degree));
  for (Integer& x : values) x = static_cast<Integer>(smallest + static_cast<int>(engine() % (largest - smallest + 1)));
  return values;
}

template <class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const range_error& e) {
    return e.what();
  }
  return "none";
}

/// assign_coefficients to rows 1 .. count of rows that nobody has written, and copy_coefficients back.
template <class E, class Integer, class Policy, class Rows, class Integers>
void check_round_trip(const Policy& exec, Rows&, Integers&, int smallest, int largest) {
  THRUST_RNS_TEST_ENGINE(engine, 1301);
  const test::element_kind kind = test::kind_of<E>();
  for (const std::int64_t count : {0, 1, 33, 237}) {
    CAPTURE(count);
    const std::vector<Integer> values = random_coefficients<Integer>(engine, count, smallest, largest);
    E nothing;
    std::memset(static_cast<void*>(&nothing), test::untouched, sizeof nothing);
    const std::vector<E> start(static_cast<std::size_t>(count) + 2, nothing);
    Rows rows(start.begin(), start.end());
    Integers in(values.begin(), values.end());
    CHECK(assign_coefficients(exec, in.begin(), count, rows.begin() + 1) == rows.begin() + 1 + count);

    std::vector<test::integers> elements(static_cast<std::size_t>(count));
    for (std::size_t j = 0; j < elements.size(); ++j) {
      elements[j].resize(degree);
      for (std::size_t i = 0; i < degree; ++i) {
        const std::int64_t x = values[j * degree + i];
        elements[j][i] = E::is_full ? test::centred(x, kind.modulus) : static_cast<int>(x);
      }
    }
    std::vector<E> written(start.size());
    thrust::copy(rows.begin(), rows.end(), written.begin());
    const test::bytes want = test::with_neighbours(elements, kind, 1);
    CHECK(std::memcmp(written.data(), want.data(), (elements.size() + 1) * sizeof(E)) == 0);
    CHECK(std::memcmp(&written.back(), &nothing, sizeof nothing) == 0);

    for (const representatives which : {representatives::centred, representatives::canonical}) {
      Integers out(values.size() + 1, Integer{-77});
      CHECK(copy_coefficients(exec, rows.begin() + 1, count, out.begin(), which) == out.end() - 1);
      std::vector<Integer> got(out.size());
      thrust::copy(out.begin(), out.end(), got.begin());
      bool right = got.back() == -77;
      for (std::size_t k = 0; k + 1 < got.size(); ++k) {
        int x = elements[k / degree][k % degree];
        if (E::is_full && which == representatives::canonical && x < 0) x += kind.modulus;
        right = right && got[k] == x;
      }
      CHECK(right);
    }
  }
}

template <class E, class Integer>
void check_round_trips(int smallest, int largest) {
  ring_vector<E> rows;
  thrust::device_vector<Integer> integers;
  check_round_trip<E, Integer>(thrust::device, rows, integers, smallest, largest);
}

} // namespace

TEST_CASE("integers of several widths go to rows, and back in both ranges") {
  check_round_trips<full, std::int16_t>(-32768, 32767);
  check_round_trips<full, std::int64_t>(-100000000, 100000000);
  check_round_trips<byte, std::int16_t>(-128, 127);
  check_round_trips<ternary, std::int64_t>(-1, 1);
}

TEST_CASE("the same in host memory") {
  host_ring_vector<full> rows;
  thrust::host_vector<std::int32_t> integers;
  check_round_trip<full, std::int32_t>(thrust::host, rows, integers, -9000, 9000);
  host_ring_vector<byte> small_rows;
  check_round_trip<byte, std::int32_t>(thrust::seq, small_rows, integers, -128, 127);
}

TEST_CASE("64-bit integers are reduced, not cut off") {
  const std::vector<std::int64_t> extremes{INT64_MAX, INT64_MIN, INT64_MAX - 4591, std::int64_t{1} << 32, -1};
  thrust::device_vector<std::int64_t> integers(degree);
  thrust::copy(extremes.begin(), extremes.end(), integers.begin());
  ring_vector<full> rows(1);
  assign_coefficients(thrust::device, integers.begin(), 1, rows.begin());
  const full p = rows[0];
  for (std::size_t i = 0; i < extremes.size(); ++i) {
    CHECK(p.residue(static_cast<int>(i)) == (extremes[i] % 4591 + 4591) % 4591);
  }
}

TEST_CASE("small coefficients also go to 8 bits") {
  THRUST_RNS_TEST_ENGINE(engine, 1302);
  const auto values = random_coefficients<std::int16_t>(engine, 33, -128, 127);
  const thrust::device_vector<std::int16_t> in(values.begin(), values.end());
  ring_vector<byte> rows(33);
  assign_coefficients(thrust::device, in.begin(), 33, rows.begin());
  thrust::device_vector<std::int8_t> out(values.size());
  copy_coefficients(thrust::device, rows.begin(), 33, out.begin());
  for (std::size_t k = 0; k < values.size(); ++k) REQUIRE(out[k] == values[k]);
}

TEST_CASE("a coefficient that does not fit is named with its element and value, and nothing is written") {
  thrust::device_vector<std::int64_t> integers(40 * degree, 1);
  ring_vector<ternary> rows(40);
  const auto assign = [&] {
    return error_of([&] { assign_coefficients(thrust::device, integers.begin(), 40, rows.begin()); });
  };
  integers[39 * degree + 60] = 2;
  CHECK(assign() == "thrust_rns: element 39, coefficient 60 is 2, outside [-1, 1]");
  integers[7 * degree + 5] = INT64_MIN;
  CHECK(assign() == "thrust_rns: element 7, coefficient 5 is -9223372036854775808, outside [-1, 1]");
  integers[0] = (std::int64_t{1} << 32) + 1; // fits when cut off
  CHECK(assign() == "thrust_rns: element 0, coefficient 0 is 4294967297, outside [-1, 1]");
  for (std::size_t j = 0; j < rows.size(); ++j) CHECK(ternary(rows[j]) == ternary{});

  const auto* raw = thrust::raw_pointer_cast(integers.data()); // a raw pointer into memory of the device
  CHECK(error_of([&] {
          assign_coefficients(thrust::device, raw + degree, 39, thrust::raw_pointer_cast(rows.data()));
        }) == "thrust_rns: element 6, coefficient 5 is -9223372036854775808, outside [-1, 1]");
  assign_coefficients(thrust::device, raw + 8 * degree, 31, thrust::raw_pointer_cast(rows.data()));
  CHECK(ternary(rows[30])[60] == 1);
  CHECK(ternary(rows[31]) == ternary{});
}

TEST_CASE("no elements are fine, fewer are not") {
  thrust::device_vector<std::int32_t> integers;
  ring_vector<byte> rows;
  CHECK(assign_coefficients(thrust::device, integers.begin(), 0, rows.begin()) == rows.end());
  CHECK(copy_coefficients(thrust::device, rows.begin(), 0, integers.begin()) == integers.end());
  CHECK_THROWS_AS(assign_coefficients(thrust::device, integers.begin(), -1, rows.begin()), std::invalid_argument);
  CHECK_THROWS_AS(copy_coefficients(thrust::device, rows.begin(), -1, integers.begin()), std::invalid_argument);
}
