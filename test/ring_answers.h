// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Products made by other programs, in data/ring: whole ones, and digests of batches whose operands have a formula.

#include "rings.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <thrust/iterator/constant_iterator.h>

namespace test {

// ---- the files -------------------------------------------------------------------------------------------------

/// A file of the folder `data`: that of the source, of the environment variable THRUST_RNS_TEST_DATA or of the working
/// directory, whichever is there first.
inline std::ifstream open_data(const std::string& name) {
  std::vector<std::string> folders{THRUST_RNS_TEST_DATA_FOLDER};
  if (const char* folder = std::getenv("THRUST_RNS_TEST_DATA")) folders.push_back(folder);
  folders.push_back("test/data");
  for (const std::string& folder : folders) {
    std::ifstream file(folder + "/" + name);
    if (file) return file;
  }
  FAIL("no folder of test data holds ", name);
  return {};
}

/// A product a b = c. Kinds: small_big (b ternary), byte_big (b of 8 bits), big_big, r3 (modulo 3), pow2 (modulo 1024, b in [-5, 5]).
struct answer {
  int degree = 0, modulus = 0;
  std::string kind, name;
  integers a, b, c;
};

inline std::vector<answer> read_answers(const std::string& name) {
  std::ifstream file = open_data(name);
  std::vector<answer> answers;
  for (std::string line; std::getline(file, line);) {
    char kind[32] = {}, title[64] = {};
    answer r;
    if (std::sscanf(line.c_str(), "case n=%d m=%d kind=%31s name=%63s", &r.degree, &r.modulus, kind, title) != 4)
      continue;
    r.kind = kind;
    r.name = title;
    for (integers* values : {&r.a, &r.b, &r.c}) {
      REQUIRE(std::getline(file, line));
      std::istringstream numbers(line);
      for (int x = 0; numbers >> x;) values->push_back(x);
      REQUIRE(values->size() == static_cast<std::size_t>(r.degree));
    }
    answers.push_back(r);
  }
  return answers;
}

/// A batch and the digest of its products. Kinds as above, and big_small_shared (a ternary). Shared: the first operand of the first
/// pair is that of all.
struct batch {
  std::string kind;
  int degree = 0, modulus = 0;
  std::uint64_t seed = 0;
  int count = 0, bound_a = 0, bound_b = 0, shared = 0;
  std::uint64_t digest = 0;
};

inline std::vector<batch> read_batches() {
  std::ifstream file = open_data("ring/batch.txt");
  std::vector<batch> batches;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream text(line);
    batch r;
    text >> r.kind >> r.degree >> r.modulus >> r.seed >> r.count >> r.bound_a >> r.bound_b >> r.shared >> std::hex >>
        r.digest;
    REQUIRE(text);
    batches.push_back(r);
  }
  return batches;
}

// ---- operands and digests of batches ---------------------------------------------------------------------------

/// SplitMix64 at a place of its sequence.
inline std::uint64_t mixed_bits(std::uint64_t seed, std::uint64_t place) {
  std::uint64_t z = seed + (place + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// Operand 0 or 1 of a pair of a batch: coefficients in [-bound, bound].
inline integers operand_of(const batch& r, int operand, int pair) {
  const int bound = operand == 0 ? r.bound_a : r.bound_b;
  integers values(static_cast<std::size_t>(r.degree));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto place = ((static_cast<std::uint64_t>(operand) << 20 | static_cast<std::uint64_t>(pair)) << 11) | i;
    const auto draw = static_cast<std::uint32_t>(mixed_bits(r.seed, place) >> 32);
    values[i] = static_cast<int>(draw % static_cast<std::uint32_t>(2 * bound + 1)) - bound;
  }
  return values;
}

/// FNV-1a of centred coefficients as 16-bit integers, low byte first.
inline std::uint64_t digest_of(const bytes& rows, const element_kind& kind) {
  std::uint64_t digest = 0xcbf29ce484222325;
  for (std::size_t row = 0; row < rows.size(); row += kind.row_bytes()) {
    for (const int x : read_row(rows.data() + row, kind)) {
      for (const int byte : {x & 0xff, x >> 8 & 0xff})
        digest = (digest ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3;
    }
  }
  return digest;
}

// ---- checks ----------------------------------------------------------------------------------------------------

struct multiplication_of_kinds {
  element_kind a, b, c;
  multiplication multiply;
};

/// One first operand for all, by a constant iterator or by ring_multiplies_by.
template <class R, class A, class B>
multiplication multiplies_constant() {
  return [](device_bytes& a, std::ptrdiff_t at_a, device_bytes& b, std::ptrdiff_t at_b, device_bytes& c,
            std::ptrdiff_t at_c, std::ptrdiff_t size) {
    const A operand = *row_of<A>(a, at_a);
    const auto result = row_of<thrust_rns::detail::result_element<R>>(c, at_c);
    const thrust::constant_iterator<A> first(operand);
    return thrust::transform(first, first + size, row_of<B>(b, at_b), result, thrust_rns::ring_multiplies<R>{}) -
           result;
  };
}
template <class R, class A, class B>
multiplication multiplies_by() {
  return [](device_bytes& a, std::ptrdiff_t at_a, device_bytes& b, std::ptrdiff_t at_b, device_bytes& c,
            std::ptrdiff_t at_c, std::ptrdiff_t size) {
    const A operand = *row_of<A>(a, at_a);
    const auto first = row_of<B>(b, at_b);
    const auto result = row_of<thrust_rns::detail::result_element<R>>(c, at_c);
    return thrust::transform(first, first + size, result, thrust_rns::ring_multiplies_by<R, A>{operand}) - result;
  };
}

/// How to multiply operands of a kind, in the rings of degree Degree.
template <int Degree, int Modulus>
multiplication_of_kinds multiplication_for(const std::string& kind, bool shared) {
  using namespace thrust_rns;
  using ring = prime_ring<Degree, Modulus>;
  using ring_3 = prime_ring<Degree, 3>;
  using ring_1024 = prime_ring<Degree, 1024>;
  using full = full_element<ring>;
  using byte = small_element<ring>;
  using ternary = ternary_element<ring>;
  using full_1024 = full_element<ring_1024>;
  using up_to_5 = small_element<ring, 5>;
  const auto f = kind_of<full>(), t = kind_of<ternary>();
  if (kind == "small_big")
    return {f, t, f, shared ? multiplies_constant<ring, full, ternary>() : multiplies<ring, full, ternary>()};
  if (kind == "big_small_shared" && shared) return {t, f, f, multiplies_by<ring, ternary, full>()};
  REQUIRE(!shared);
  if (kind == "byte_big") return {f, kind_of<byte>(), f, multiplies<ring, full, byte>()};
  if (kind == "big_big") return {f, f, f, multiplies<ring, full, full>()};
  if (kind == "r3") return {t, t, t, multiplies<ring_3, ternary, ternary>()};
  REQUIRE(kind == "pow2");
  return {kind_of<full_1024>(), kind_of<up_to_5>(), kind_of<full_1024>(), multiplies<ring_1024, full_1024, up_to_5>()};
}

inline bytes rows_of(const std::vector<integers>& elements, const element_kind& kind) {
  bytes rows = with_neighbours(elements, kind, 0);
  rows.resize(elements.size() * kind.row_bytes());
  return rows;
}

template <int Degree, int Modulus>
void check_answers(const std::string& file) {
  const std::vector<answer> answers = read_answers(file);
  CHECK(answers.size() >= 5);
  for (const answer& r : answers) {
    CAPTURE(r.name);
    CAPTURE(r.kind);
    REQUIRE(r.degree == Degree);
    const multiplication_of_kinds by = multiplication_for<Degree, Modulus>(r.kind, false);
    CHECK(r.modulus == (r.kind == "r3" ? 3 : r.kind == "pow2" ? 1024 : Modulus));
    CHECK(product(r.a, r.b, r.modulus) == r.c); // the oracle of the other tests
    device_bytes a(rows_of({r.a}, by.a)), b(rows_of({r.b}, by.b)), c(by.c.row_bytes(), untouched);
    by.multiply(a, 0, b, 0, c, 0, 1);
    CHECK(first_difference(on_host(c), rows_of({r.c}, by.c), by.c) == -1);
  }
}

template <int Degree, int Modulus>
void check_batches() {
  int checked = 0;
  for (const batch& r : read_batches()) {
    if (r.degree != Degree) continue;
    CAPTURE(r.kind);
    CAPTURE(r.shared);
    const multiplication_of_kinds by = multiplication_for<Degree, Modulus>(r.kind, r.shared != 0);
    std::vector<integers> as, bs;
    for (int pair = 0; pair < r.count; ++pair) {
      if (pair == 0 || r.shared == 0) as.push_back(operand_of(r, 0, pair));
      bs.push_back(operand_of(r, 1, pair));
    }
    device_bytes a(rows_of(as, by.a)), b(rows_of(bs, by.b));
    device_bytes c(static_cast<std::size_t>(r.count) * by.c.row_bytes(), untouched);
    by.multiply(a, 0, b, 0, c, 0, r.count);
    CHECK(digest_of(on_host(c), by.c) == r.digest);
    ++checked;
  }
  CHECK(checked == 6);
}

/// Full by ternary and by full elements, and modulo 3, against the definition.
template <int Degree, int Modulus>
void check_degree(std::mt19937_64& engine) {
  CAPTURE(Degree);
  using ring = thrust_rns::prime_ring<Degree, Modulus>;
  using full = thrust_rns::full_element<ring>;
  using ternary = thrust_rns::ternary_element<ring>;
  check_products<ring, full, ternary>(engine);
  check_products<ring, full, full>(engine);
  check_products<thrust_rns::prime_ring<Degree, 3>, ternary, ternary>(engine);
}

} // namespace test
