// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// CRC-32C (Castagnoli, reflected polynomial 0x82f63b78), eight bytes a step.

#include <cstddef>
#include <cstdint>

#include <thrust_rns/detail/array.h>

namespace thrust_rns {
namespace detail {

using crc_tables = array<array<std::uint32_t, 256>, 8>;

/// [k][b]: the CRC of byte b and k zero bytes.
constexpr crc_tables make_crc_tables() {
  crc_tables t{};
  for (int b = 0; b < 256; ++b) {
    auto crc = static_cast<std::uint32_t>(b);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82f63b78U : 0);
    t[0][b] = crc;
  }
  for (int k = 1; k < 8; ++k) {
    for (int b = 0; b < 256; ++b) t[k][b] = (t[k - 1][b] >> 8) ^ t[0][static_cast<int>(t[k - 1][b] & 255)];
  }
  return t;
}

inline constexpr crc_tables crc_table = make_crc_tables();

class crc32c {
 public:
  void add(const unsigned char* bytes, std::size_t count) {
    std::uint32_t crc = crc_;
    for (; count >= 8; bytes += 8, count -= 8) {
      const std::uint32_t low = crc ^ word(bytes), high = word(bytes + 4);
      crc = 0;
      for (int k = 0; k < 4; ++k) {
        crc ^= crc_table[7 - k][byte(low, k)];
        crc ^= crc_table[3 - k][byte(high, k)];
      }
    }
    for (; count > 0; ++bytes, --count) crc = (crc >> 8) ^ crc_table[0][byte(crc ^ *bytes, 0)];
    crc_ = crc;
  }
  std::uint32_t value() const { return ~crc_; }

 private:
  static int byte(std::uint32_t x, int k) { return static_cast<int>((x >> (8 * k)) & 255); }
  static std::uint32_t word(const unsigned char* p) {
    return std::uint32_t{p[0]} | std::uint32_t{p[1]} << 8 | std::uint32_t{p[2]} << 16 | std::uint32_t{p[3]} << 24;
  }

  std::uint32_t crc_ = ~std::uint32_t{0};
};

} // namespace detail
} // namespace thrust_rns
