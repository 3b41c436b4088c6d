// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

#include <thrust_rns/moduli_set.h>

#include "support.h"

using namespace thrust_rns;

namespace {

using unordered = moduli_set<2147483647, 15, 1073741824, 49>;

static_assert(moduli_for_bits<64>::size == 3 && moduli_for_bits<128>::size == 5 && moduli_for_bits<256>::size == 9);
static_assert(moduli_for_bits<512>::size == 17 && moduli_for_bits<1024>::size == 34);
static_assert(moduli_for_bits<2048>::size == 67 && moduli_for_bits<4096>::size == 133);
static_assert(moduli_for_bits<8192>::size == 265 && moduli_for_bits<8431>::size == 272);
static_assert(moduli_for_bits<2>::size == 2 && moduli_for_bits<61>::size == 2 && moduli_for_bits<62>::size == 3);
static_assert(moduli_set<13, 7, 16>::size == 3 && moduli_set<13, 7, 16>::moduli[2] == 16);
static_assert(dynamic_range_bits<moduli_set<2, 3>> == 3 && dynamic_range_bits<moduli_set<13, 7, 16>> == 11);
static_assert(dynamic_range_bits<moduli_set<65535, 65537>> == 32 && dynamic_range_bits<moduli_set<65536, 65537>> == 33);

using lower = moduli_slice<moduli_for_bits<4096>, 0, 70>;
using upper = moduli_slice<moduli_for_bits<4096>, 70, 63>;
static_assert(lower::size == 70 && upper::size == 63 && moduli_slice<unordered, 1, 2>::moduli[1] == 1073741824);

bool is_prime(std::uint32_t m) { return mpz_probab_prime_p(test::mpz(m).get_mpz_t(), 40) != 0; }

/// What device code reads: digit `k % 4` of group and modulus `k / 4`, then M, then ceil(M/2).
template <class Base>
struct table_entry {
  THRUST_RNS_HD std::uint32_t operator()(int k) const {
    using constants = detail::base_constants<Base>;
    constexpr int entries = constants::digits * Base::size;
    if (k < entries) {
      return detail::expansions_of<Base>().group[k / 4 / Base::size][k / 4 % Base::size].digit[k % 4];
    }
    k -= entries;
    if (k < constants::words) return detail::table<detail::make_range_words<Base>>()[k];
    return detail::table<detail::make_half_range_words<Base>>()[k - constants::words];
  }
};

template <class Base>
bool follows_the_greedy_rule() {
  mpz_class product = 1;
  int found = 0;
  for (std::uint32_t m = Base::first; found < Base::size; m += 2) {
    if (mpz_gcd_ui(nullptr, product.get_mpz_t(), m) != 1) continue;
    if (Base::moduli[found++] != m) return false;
    product *= m;
  }
  return product == test::dynamic_range<Base>();
}

} // namespace

TEST_CASE("the table holds the largest primes below 2^31 and no other number") {
  constexpr auto primes = detail::largest_primes<detail::maximum_moduli>();
  std::uint32_t next = 2147483647;
  for (int i = 0; i < primes.size(); ++i, --next) {
    while (!is_prime(next)) --next;
    REQUIRE(primes[i] == next);
  }
}

TEST_CASE("n of the largest primes give more than 31 n - 1 bits, and n - 1 too few") {
  constexpr auto primes = detail::largest_primes<detail::maximum_moduli>();
  mpz_class product = 1;
  for (int n = 1; n <= primes.size(); ++n) {
    product *= static_cast<unsigned long>(primes[n - 1]);
    CAPTURE(n);
    // So bits 31 (n - 1) .. 31 n - 1 take n of them: the range exceeds 2^bits, and that of n - 1 does not.
    REQUIRE(product > test::power_of_two(31 * n - 1));
    REQUIRE(product < test::power_of_two(31 * n));
  }
}

TEST_CASE_TEMPLATE("a base for B bits has the fewest moduli whose product exceeds 2^B", Base, moduli_for_bits<64>,
                   moduli_for_bits<256>, moduli_for_bits<1024>, moduli_for_bits<4096>, moduli_for_bits<8192>) {
  constexpr int bits = Base::size == 3     ? 64
                       : Base::size == 9   ? 256
                       : Base::size == 34  ? 1024
                       : Base::size == 133 ? 4096
                                           : 8192;
  const mpz_class& range = test::dynamic_range<Base>();
  CHECK(range > test::power_of_two(bits));
  CHECK(range / Base::moduli[Base::size - 1] <= test::power_of_two(bits));
  CHECK(static_cast<std::size_t>(dynamic_range_bits<Base>) == mpz_sizeinbase(range.get_mpz_t(), 2));
}

TEST_CASE("the slices of a base are coprime and together make its range") {
  const mpz_class &a = test::dynamic_range<lower>(), &b = test::dynamic_range<upper>();
  CHECK(a * b == test::dynamic_range<moduli_for_bits<4096>>());
  CHECK(gcd(a, b) == 1);
}

TEST_CASE("the published sets are the greedy runs from their first moduli") {
  CHECK(follows_the_greedy_rule<isupov_moduli<64>>());
  CHECK(follows_the_greedy_rule<isupov_moduli<128>>());
  CHECK(follows_the_greedy_rule<isupov_moduli<256>>());
  CHECK(follows_the_greedy_rule<isupov_moduli<512>>());
  CHECK(follows_the_greedy_rule<isupov_moduli<1024>>());
  CHECK(follows_the_greedy_rule<isupov_moduli<2048>>());
  CHECK(follows_the_greedy_rule<isupov_moduli<4096>>());
}

TEST_CASE("the published sets cover the bits in their names") {
  CHECK(test::dynamic_range<isupov_moduli<64>>() == mpz_class("18917302063512225009"));
  CHECK(test::dynamic_range<isupov_moduli<64>>() > test::power_of_two(64));
  CHECK(test::dynamic_range<isupov_moduli<128>>() > test::power_of_two(128));
  CHECK(test::dynamic_range<isupov_moduli<256>>() > test::power_of_two(256));
  CHECK(test::dynamic_range<isupov_moduli<512>>() > test::power_of_two(512));
  CHECK(test::dynamic_range<isupov_moduli<1024>>() > test::power_of_two(1024));
  CHECK(test::dynamic_range<isupov_moduli<2048>>() > test::power_of_two(2048));
  CHECK(test::dynamic_range<isupov_moduli<4096>>() > test::power_of_two(4096));
}

TEST_CASE_TEMPLATE("tables agree with exact rationals, on the host and in device code", Base, moduli_set<2, 3>,
                   moduli_set<13, 7, 16>, unordered, isupov_moduli<64>, moduli_for_bits<256>) {
  using constants = detail::base_constants<Base>;
  const mpz_class& range = test::dynamic_range<Base>();
  REQUIRE(constants::range_bits == static_cast<int>(mpz_sizeinbase(range.get_mpz_t(), 2)));

  // M w_i/m_i = 1 mod m_i, and digit t of w_i/m_i is floor(2^(24 t) w_i/m_i) mod 2^24.
  std::vector<std::uint32_t> want;
  for (int group = 0; group < constants::groups; ++group) {
    for (int i = 0; i < Base::size; ++i) {
      const mpz_class m = test::mpz(Base::moduli[i]);
      mpz_class w;
      REQUIRE(mpz_invert(w.get_mpz_t(), mpz_class(range / m).get_mpz_t(), m.get_mpz_t()) != 0);
      for (int t = 4 * group + 1; t <= 4 * group + 4; ++t) {
        const mpz_class digits = (w << static_cast<unsigned long>(24 * t)) / m;
        want.push_back(static_cast<std::uint32_t>(test::modulo(digits, 1 << 24).get_ui()));
      }
    }
  }
  for (const mpz_class& z : {range, mpz_class((range + 1) / 2)}) {
    for (int j = 0; j < constants::words; ++j) {
      want.push_back(static_cast<std::uint32_t>(mpz_class(z >> static_cast<unsigned long>(32 * j)).get_ui()));
    }
  }
  std::vector<int> indices;
  for (std::size_t k = 0; k < want.size(); ++k) indices.push_back(static_cast<int>(k));
  const auto device = test::on_device<std::uint32_t>(indices, table_entry<Base>{});
  for (std::size_t k = 0; k < want.size(); ++k) {
    CAPTURE(k);
    REQUIRE(table_entry<Base>{}(static_cast<int>(k)) == want[k]);
    REQUIRE(device[k] == want[k]);
  }

  // What the algorithms need of the number of digits (base_tables.h).
  mpz_class error = 0;
  for (int i = 0; i < Base::size; ++i) error += Base::moduli[i] - 1;
  CHECK(test::mpz(constants::error) == error);
  CHECK(2 * error * range < test::power_of_two(24 * constants::digits));
}
