// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// The first pass over blocks of elements on the host, by every kind of instructions that this processor has.

#include "vectors.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include <thrust_rns/detail/host_evaluation.h>

namespace {

using thrust_rns::detail::evaluation_block;
using thrust_rns::detail::instructions;

std::vector<instructions> instructions_here() {
  std::vector<instructions> kinds{instructions::portable};
  if (thrust_rns::detail::widest_instructions() != instructions::portable) kinds.push_back(instructions::avx2);
  if (thrust_rns::detail::widest_instructions() == instructions::avx512) kinds.push_back(instructions::avx512);
  return kinds;
}

template <class Number>
void check_keys() {
  THRUST_RNS_TEST_ENGINE(engine, 1501);
  constexpr std::size_t n = 2 * evaluation_block + 3;
  for (const test::pattern p : test::all_patterns) {
    CAPTURE(static_cast<int>(p));
    const std::vector<Number> x = test::make<Number>(test::make_pattern<Number>(p, engine, n));
    const thrust_rns::host_vector<Number> v = x;
    for (const instructions use : instructions_here()) {
      CAPTURE(static_cast<int>(use));
      for (const int count : {evaluation_block, evaluation_block - 1, 1}) {
        for (std::int64_t first = 0; first < 4; ++first) {
          std::uint64_t keys[evaluation_block + 1];
          keys[count] = 12345;
          thrust_rns::detail::evaluate_block<Number>(v.as_span(), first, count, keys, use);
          CHECK(keys[count] == 12345);
          std::size_t wrong = 0;
          for (int k = 0; k < count; ++k) wrong += keys[k] != evaluate(x[static_cast<std::size_t>(first + k)]).key();
          CHECK(wrong == 0);
        }
      }
    }
  }
}

} // namespace

TEST_CASE("a block's keys are those of its numbers, by all instructions") {
  using namespace thrust_rns;
  check_keys<number<moduli_set<13, 7, 16>, symmetric_range>>(); // fewer planes than are taken at once
  check_keys<number<moduli_set<13, 7>>>();
  check_keys<number<moduli_for_bits<64>>>();
  check_keys<number<moduli_for_bits<128>, symmetric_range>>();  // one plane more
  check_keys<number<moduli_for_bits<1024>>>();                  // two more
  check_keys<number<moduli_for_bits<2048>, symmetric_range>>(); // three more
  check_keys<number<isupov_moduli<512>>>();
}
