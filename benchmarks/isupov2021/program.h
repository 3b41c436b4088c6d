// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// What the parts of the program isupov2021 share: options, the record of results, one function a range.

#include <cstdint>
#include <cstdio>
#include <set>
#include <string>

namespace isupov2021 {

struct options {
  std::int64_t count = 5'000'000;
  int repetitions = 11;     // of calls up to 100 ms; longer ones: slow_repetitions
  int slow_repetitions = 3; // at least 3
  std::set<int> bits;       // empty: all, and so on
  std::set<std::string> sets, methods;

  template <class T>
  static bool chosen(const std::set<T>& from, const T& x) {
    return from.empty() || from.count(x) != 0;
  }
};

/// JSON lines to a file, if there is one; each line must be complete at once, so that an interrupted run leaves whole lines.
struct record {
  std::FILE* file = nullptr;
  bool all_right = true;

  void line(const std::string& json) const {
    if (file == nullptr) return;
    std::fputs((json + "\n").c_str(), file);
    std::fflush(file);
  }
};

/// Times the maximum by all chosen methods, for the two bases of `Bits`; defined in range_<Bits>.cu.
template <int Bits>
void measure_range(const options& o, record& r);

/// Runs all chosen methods on small hard inputs, for the two bases and both ranges of numbers.
template <int Bits>
void check_range(const options& o, record& r);

/// Refinements that 2^0, 2^1 ... need by both rules, for 8, 32, 64 and 256 moduli. Host only.
void count_refinements(record& r);

} // namespace isupov2021
