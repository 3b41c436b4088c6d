// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include <thrust_rns/exchange.h>

#include <string>

#include "vectors.h"

using namespace thrust_rns;

namespace {

using u64 = number<isupov_moduli<64>>;
using s256 = number<isupov_moduli<256>, symmetric_range>;
using u1024 = number<moduli_for_bits<1024>>;
using mixed = number<moduli_set<2147483647, 105, 4>, symmetric_range>;

/// Integers as limbs, by GMP: what an import reads and an export must write.
template <class Limb>
std::vector<Limb> to_limbs(const std::vector<mpz_class>& values, const limb_layout& layout, std::size_t room,
                           Limb unused) {
  const int limbs = layout.limbs(), bits = static_cast<int>(8 * sizeof(Limb)) * limbs;
  std::vector<Limb> all(room, unused);
  for (std::size_t e = 0; e < values.size(); ++e) {
    const mpz_class z = test::modulo(values[e], test::power_of_two(bits));
    std::vector<Limb> row(static_cast<std::size_t>(limbs), 0);
    mpz_export(row.data(), nullptr, -1, sizeof(Limb), 0, 0, z.get_mpz_t());
    for (int j = 0; j < limbs; ++j) {
      all[static_cast<std::size_t>(layout.offset(static_cast<std::int64_t>(e), j))] = row[static_cast<std::size_t>(j)];
    }
  }
  return all;
}

/// Limbs of an integer of the range, with a sign where it has one.
template <class Number, class Limb>
int limbs_of_range(bool with_sign) {
  const int bits = dynamic_range_bits<typename Number::base_type> + (with_sign ? 1 : 0);
  const int limb = static_cast<int>(8 * sizeof(Limb));
  return (bits + limb - 1) / limb;
}

template <class Function>
std::string message_of(Function f) {
  try {
    f();
  } catch (const range_error& e) {
    return e.what();
  }
  return "nothing was thrown";
}

/// Values in, at an offset in a vector; out again; both against GMP's limbs.
template <class Number, class Limb>
void check_round_trip(const std::vector<mpz_class>& values, const limb_layout& layout, std::size_t room, int offset) {
  const auto n = static_cast<std::ptrdiff_t>(values.size());
  constexpr Limb unused = 0x5a5a5a5a;
  const std::vector<Limb> limbs = to_limbs<Limb>(values, layout, room, unused);
  const thrust::device_vector<Limb> in(limbs.begin(), limbs.end());
  device_vector<Number> v(values.size() + 7, Number(3));
  thrust::max_element(v.begin(), v.end()); // fills the cache
  REQUIRE(test::count_evaluated(v) == n + 7);
  const auto first = v.begin() + offset, last = first + n;
  import_limbs(thrust::device, in.begin(), layout, first, last);
  CHECK(test::count_evaluated(v) == 7); // nothing stale
  const std::vector<Number> all = v.to_vector();
  for (std::ptrdiff_t e = 0; e < n + 7; ++e) {
    const bool imported = e >= offset && e < offset + n;
    const Number expected = imported ? test::make<Number>(values[static_cast<std::size_t>(e - offset)]) : Number(3);
    if (all[static_cast<std::size_t>(e)] != expected) FAIL_CHECK("element " << e << " of " << n);
  }
  if (n > 0)
    CHECK(thrust::max_element(first, last) - first == std::max_element(values.begin(), values.end()) - values.begin());

  thrust::device_vector<Limb> out(room, unused);
  export_limbs(v.cbegin() + offset, v.cbegin() + offset + n, out.begin(), layout);
  CHECK(test::copy_of(out) == limbs);
}

} // namespace

TEST_CASE_TEMPLATE("integers of the range survive in every layout", Number, u64, s256, u1024, mixed) {
  THRUST_RNS_TEST_ENGINE(engine, 3001);
  using Limb = std::uint64_t;
  const int limbs = limbs_of_range<Number, Limb>(Number::is_symmetric);
  for (const int more : {0, 2}) {
    CAPTURE(more);
    const std::vector<mpz_class> values = test::sample_values<Number>(engine, test::amount(300, 30));
    const std::size_t n = values.size(), all = static_cast<std::size_t>(limbs + more);
    const auto count = static_cast<std::int64_t>(n);
    for (const bool reversed : {false, true}) {
      CAPTURE(reversed);
      const auto layouts = [&](limb_layout layout) {
        if (reversed) layout = layout.most_significant_first();
        return Number::is_symmetric ? layout.twos_complement() : layout;
      };
      check_round_trip<Number, Limb>(values, layouts(limb_layout::rows(limbs + more)), n * all, 0);
      check_round_trip<Number, Limb>(values, layouts(limb_layout::rows(limbs + more, limbs + 5)),
                                     n * static_cast<std::size_t>(limbs + 5), 3);
      check_round_trip<Number, Limb>(values, layouts(limb_layout::planes(limbs + more, count + 3)), (n + 3) * all, 5);
    }
  }
}

TEST_CASE_TEMPLATE("limbs of 32 bits, every size and offset", Number, s256) {
  THRUST_RNS_TEST_ENGINE(engine, 3002);
  using Limb = std::uint32_t;
  const int limbs = limbs_of_range<Number, Limb>(true);
  for (const std::size_t n : test::sizes_to_try()) {
    CAPTURE(n);
    const std::vector<mpz_class> values = test::make_pattern<Number>(test::pattern::random_length, engine, n);
    const int offset = static_cast<int>(n % 5);
    const auto rows = limb_layout::rows(limbs).twos_complement();
    const auto planes = limb_layout::planes(limbs, static_cast<std::int64_t>(n)).twos_complement();
    check_round_trip<Number, Limb>(values, rows, n * static_cast<std::size_t>(limbs), offset);
    check_round_trip<Number, Limb>(values, planes, n * static_cast<std::size_t>(limbs), offset);
  }
}

TEST_CASE_TEMPLATE("fewer limbs than the range has, and no sign in the symmetric range", Number, s256, u1024) {
  THRUST_RNS_TEST_ENGINE(engine, 3003);
  using Limb = std::uint64_t;
  const int range = limbs_of_range<Number, Limb>(Number::is_symmetric);
  for (const int limbs : {1, 2, range - 1, range}) {
    CAPTURE(limbs);
    const bool with_sign = Number::is_symmetric && limbs != 2;
    const mpz_class end = test::power_of_two(64 * limbs - (with_sign ? 1 : 0));
    std::vector<mpz_class> values;
    for (const mpz_class& z : test::sample_values<Number>(engine, 60)) {
      if (z < end && z >= (with_sign ? mpz_class(-end) : mpz_class(0))) values.push_back(z);
    }
    for (int k = 0; k < 50; ++k) {
      const mpz_class z = test::random_below(engine, end);
      if (z <= test::largest<Number>()) values.push_back(k % 2 == 0 && with_sign ? mpz_class(-z) : z);
    }
    const auto layout = with_sign ? limb_layout::rows(limbs).twos_complement() : limb_layout::rows(limbs);
    check_round_trip<Number, Limb>(values, layout, values.size() * static_cast<std::size_t>(limbs), 1);
  }
}

TEST_CASE_TEMPLATE("limbs outside the range are refused and named, and nothing is written", Number, u64, s256, mixed) {
  using Limb = std::uint64_t;
  const int limbs = limbs_of_range<Number, Limb>(true) + 1;
  const auto layout = limb_layout::rows(limbs).twos_complement();
  const mpz_class low = test::smallest<Number>(), high = test::largest<Number>();
  for (const mpz_class& bad : {mpz_class(low - 1), mpz_class(high + 1), mpz_class(-test::power_of_two(64 * limbs - 1)),
                               mpz_class(test::power_of_two(64 * limbs - 1) - 1), mpz_class(-high - 2)}) {
    CAPTURE(bad.get_str());
    std::vector<mpz_class> values(300, high);
    values[1] = low;
    values[299] = values[131] = bad;
    const std::vector<Limb> host = to_limbs<Limb>(values, layout, 300 * static_cast<std::size_t>(limbs), 0);
    const thrust::device_vector<Limb> in(host.begin(), host.end());
    device_vector<Number> v(300, Number(3));
    thrust::max_element(v.begin(), v.end());
    const std::string message = message_of([&] { import_limbs(in.begin(), layout, v.begin(), v.end()); });
    CHECK(message.rfind("element 131: thrust_rns: " + bad.get_str().substr(0, 40), 0) == 0);
    CHECK(message.find("is outside the range") != std::string::npos);
    CHECK(v == device_vector<Number>(300, Number(3)));
    CHECK(test::count_evaluated(v) == 300);
  }
}

TEST_CASE_TEMPLATE("numbers that do not fit are refused and named, and nothing is written", Number, s256, u1024) {
  THRUST_RNS_TEST_ENGINE(engine, 3004);
  using Limb = std::uint64_t;
  for (const int limbs : {1, 3}) {
    for (const bool with_sign : {false, true}) {
      CAPTURE(limbs);
      CAPTURE(with_sign);
      const auto layout = with_sign ? limb_layout::rows(limbs).twos_complement() : limb_layout::rows(limbs);
      const mpz_class end = test::power_of_two(64 * limbs - (with_sign ? 1 : 0));
      std::vector<mpz_class> bad{end, end + test::power_of_two(200), test::largest<Number>()};
      if (Number::is_symmetric) bad.push_back(with_sign ? mpz_class(-end - 1) : mpz_class(-1));
      if (Number::is_symmetric) bad.push_back(test::smallest<Number>());
      for (const mpz_class& z : bad) {
        CAPTURE(z.get_str());
        std::vector<mpz_class> values(200, end - 1);
        values[77] = values[190] = z;
        const device_vector<Number> v = test::make<Number>(values);
        thrust::device_vector<Limb> out(200 * static_cast<std::size_t>(limbs), 7);
        const std::string message = message_of([&] { export_limbs(v.begin(), v.end(), out.begin(), layout); });
        CHECK(message.rfind("element 77: thrust_rns: " + z.get_str().substr(0, 40), 0) == 0);
        CHECK(message.find(" does not fit in " + std::to_string(limbs) + " limbs of 64 bits") != std::string::npos);
        CHECK(test::copy_of(out) == std::vector<Limb>(out.size(), 7));
      }
    }
  }
}

TEST_CASE("a layout that is too small is refused") {
  device_vector<u64> v(10);
  thrust::device_vector<std::uint64_t> limbs(100);
  for (const auto& layout : {limb_layout::rows(0), limb_layout::rows(3, 2), limb_layout::planes(2, 9)}) {
    CHECK_THROWS_AS(import_limbs(limbs.begin(), layout, v.begin(), v.end()), std::invalid_argument);
    CHECK_THROWS_AS(export_limbs(v.begin(), v.end(), limbs.begin(), layout), std::invalid_argument);
  }
}

TEST_CASE("numbers next to M and M/2, where the quotient is in doubt, come out right") {
  THRUST_RNS_TEST_ENGINE(engine, 3005);
  const auto check = [&](auto example) {
    using Number = decltype(example);
    const mpz_class& m = test::dynamic_range<typename Number::base_type>();
    std::vector<mpz_class> values;
    for (int k = 0; k < 700; ++k) {
      mpz_class z =
          test::random_below(engine, test::power_of_two(1 + k % dynamic_range_bits<typename Number::base_type>));
      if (k % 3 == 0) z = m - z;
      if (k % 3 == 1) z += m / 2;
      values.push_back(test::wrap<Number>(k % 2 == 0 ? z : mpz_class(-z)));
    }
    const int limbs = limbs_of_range<Number, std::uint64_t>(true);
    check_round_trip<Number, std::uint64_t>(values, limb_layout::rows(limbs).twos_complement(),
                                            values.size() * static_cast<std::size_t>(limbs), 0);
  };
  check(s256{});
  check(u1024{});
  check(mixed{});
}

TEST_CASE("host vectors too") {
  const std::vector<std::uint64_t> limbs{1, 2, 3, 4};
  host_vector<u64> v(4);
  import_limbs(thrust::host, limbs.data(), limb_layout::rows(1), v.begin(), v.end());
  CHECK(v == host_vector<u64>{1, 2, 3, 4});
  std::vector<std::uint64_t> back(4);
  export_limbs(v.begin(), v.end(), back.data(), limb_layout::rows(1).most_significant_first());
  CHECK(back == limbs);
}
