// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Work on all cores of the host, whatever Thrust's backend is.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace thrust_rns {
namespace detail {

/// Calls f(first, last) for pieces of [0, count) of `grain` elements, in ascending order of their beginnings, on all
/// cores and the calling thread. An exception of the earliest piece that throws one is thrown again; pieces behind it
/// may be left out.
template <class Function>
void for_each_piece(std::int64_t count, std::int64_t grain, const Function& f) {
  const std::int64_t pieces = (count + grain - 1) / grain;
  std::atomic<std::int64_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  std::int64_t failed = pieces; // guarded by mutex
  const auto work = [&] {
    for (;;) {
      const std::int64_t piece = next.fetch_add(1);
      if (piece >= pieces) return;
      try {
        f(piece * grain, std::min(count, (piece + 1) * grain));
      } catch (...) {
        next.store(pieces); // those before have begun
        const std::lock_guard<std::mutex> lock(mutex);
        if (piece < failed) {
          failed = piece;
          failure = std::current_exception();
        }
        return;
      }
    }
  };
  const auto cores = static_cast<std::int64_t>(std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  try {
    for (std::int64_t t = 1; t < std::min(cores, pieces); ++t) threads.emplace_back(work);
  } catch (const std::system_error&) { // fewer threads then
  }
  work();
  for (std::thread& t : threads) t.join();
  if (failure) std::rethrow_exception(failure);
}

} // namespace detail
} // namespace thrust_rns
