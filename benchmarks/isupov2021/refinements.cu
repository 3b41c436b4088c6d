// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors

// Figures 2 and 3 of the paper: how often Algorithm 1 scales up a power of two. Host code only.

#include "program.h"

#include <thrust_rns/floating_interval.h>
#include <thrust_rns/moduli_set.h>
#include <thrust_rns/number.h>

#include <string>

namespace isupov2021 {
namespace {

template <int Bits>
void count_for(record& r) {
  using base = thrust_rns::isupov_moduli<Bits>;
  using number = thrust_rns::number<base>;
  std::string counts[2];
  number x(1);
  for (int p = 0; p < thrust_rns::dynamic_range_bits<base>; ++p, x += x) { // M is odd: 2^p < M for p < bit length of M
    for (const auto rule : {thrust_rns::refinement::original, thrust_rns::refinement::improved}) {
      std::string& s = counts[rule == thrust_rns::refinement::improved];
      s += (s.empty() ? "" : ",") + std::to_string(thrust_rns::floating_interval(x, 1e-7, rule).refinements);
    }
  }
  for (const int rule : {0, 1}) {
    r.line(R"({"record":"refinements","set":"isupov","bits":)" + std::to_string(Bits) + R"(,"moduli":)" +
           std::to_string(base::size) + R"(,"accuracy":1e-7,"rule":")" + (rule == 0 ? "original" : "improved") +
           R"(","of_power_of_two":[)" + counts[rule] + "]}");
  }
}

} // namespace

void count_refinements(record& r) {
  count_for<128>(r);
  count_for<512>(r);
  count_for<1024>(r);
  count_for<4096>(r);
}

} // namespace isupov2021
