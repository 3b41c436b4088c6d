// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Numbers to and from what only the host can read, through rows of 64-bit limbs in two's complement: all cores of the
/// host make or read the rows, the numbers' backend converts them.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

#include <thrust/device_vector.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/host_threads.h>
#include <thrust_rns/detail/memory.h>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/detail/words.h>
#include <thrust_rns/exchange.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/limbs.h>
#include <thrust_rns/number.h>

namespace thrust_rns {
namespace detail {

/// Limbs of a row, which hold every number of the range with its sign.
template <class Number>
inline constexpr int row_limbs = base_constants<typename Number::base_type>::range_bits / 64 + 1;

inline constexpr std::int64_t rows_at_once = 64; // a thread's

/// row := -row.
inline void negate_row(std::uint64_t* row, int limbs) {
  bool carry = true;
  for (int j = 0; j < limbs; ++j) {
    row[j] = ~row[j] + (carry ? 1 : 0);
    carry = carry && row[j] == 0;
  }
}

/// row := x, which is in the range.
template <class Number>
void write_row(const big_integer& x, std::uint64_t* row) {
  std::fill(row, row + row_limbs<Number>, 0);
  for (std::size_t j = 0; j < x.words.size(); ++j) row[j / 2] |= std::uint64_t{x.words[j]} << (32 * (j % 2));
  if (x.negative) negate_row(row, row_limbs<Number>);
}

/// The integer of a row, which may be changed.
template <class Number>
big_integer read_row(std::uint64_t* row) {
  big_integer x;
  x.negative = row[row_limbs<Number> - 1] >> 63 != 0;
  if (x.negative) negate_row(row, row_limbs<Number>);
  for (int j = 0; j < 2 * row_limbs<Number>; ++j)
    x.words.push_back(static_cast<std::uint32_t>(row[j / 2] >> (32 * (j % 2))));
  x.trim();
  return x;
}

/// Elements of a part that goes to the device at once, about 64 MB.
template <class Number>
inline constexpr std::int64_t rows_on_device = (std::int64_t{8} << 20) / row_limbs<Number>;

/// numbers[0 .. count) := the integers that write(e, row) puts in rows, from several threads. What it throws is thrown,
/// of several the earliest, and nothing is written then.
template <class Policy, class Number, class System, class Write>
void import_rows(Policy& exec, std::int64_t count, basic_iterator<Number, System> numbers, const Write& write) {
  constexpr int limbs = row_limbs<Number>;
  const std::unique_ptr<std::uint64_t[]> rows(new std::uint64_t[static_cast<std::size_t>(count * limbs)]);
  for_each_piece(count, rows_at_once, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t e = first; e < last; ++e) write(e, rows.get() + e * limbs);
  });
  auto layout = limb_layout::rows(limbs);
  if (Number::is_symmetric) layout = layout.twos_complement();
  if constexpr (is_cuda_system<System>) {
    const std::int64_t part = std::min(count, rows_on_device<Number>);
    thrust::device_vector<std::uint64_t> buffer(static_cast<std::size_t>(part * limbs));
    std::uint64_t* const p = thrust::raw_pointer_cast(buffer.data());
    for (std::int64_t first = 0; first < count; first += part) {
      const std::int64_t here = std::min(part, count - first);
      const auto bytes = static_cast<std::size_t>(here * limbs) * sizeof(std::uint64_t);
      copy_rows<System, thrust::host_system_tag>(p, bytes, rows.get() + first * limbs, bytes, bytes, 1);
      import_from<false>(exec, layout.source(p), here, numbers + first);
      wait_for(exec);
    }
  } else {
    import_from<false>(exec, layout.source(rows.get()), count, numbers);
  }
}

/// read(e, row) for the numbers of [first, last), from several threads; it may change the row.
template <class Policy, class T, class System, class Read>
void export_rows(Policy& exec, basic_iterator<T, System> first, basic_iterator<T, System> last, const Read& read) {
  using Number = std::remove_const_t<T>;
  constexpr int limbs = row_limbs<Number>;
  const std::int64_t count = last - first, part = std::min(count, rows_on_device<Number>);
  const auto layout = limb_layout::rows(limbs).twos_complement();
  const std::unique_ptr<std::uint64_t[]> rows(new std::uint64_t[static_cast<std::size_t>(part * limbs)]);
  const std::string nowhere; // every number fits
  [[maybe_unused]] thrust::device_vector<std::uint64_t> buffer;
  if constexpr (is_cuda_system<System>) buffer.resize(static_cast<std::size_t>(part * limbs));
  for (std::int64_t begin = 0; begin < count; begin += part) {
    const std::int64_t here = std::min(part, count - begin);
    if constexpr (is_cuda_system<System>) {
      std::uint64_t* const p = thrust::raw_pointer_cast(buffer.data());
      const auto bytes = static_cast<std::size_t>(here * limbs) * sizeof(std::uint64_t);
      export_to(exec, first + begin, here, layout.sink(p), nowhere);
      wait_for(exec);
      copy_rows<thrust::host_system_tag, System>(rows.get(), bytes, p, bytes, bytes, 1);
    } else {
      export_to(exec, first + begin, here, layout.sink(rows.get()), nowhere);
    }
    for_each_piece(here, rows_at_once, [&](std::int64_t e, std::int64_t end) {
      for (; e < end; ++e) read(begin + e, rows.get() + e * limbs);
    });
  }
}

} // namespace detail
} // namespace thrust_rns
