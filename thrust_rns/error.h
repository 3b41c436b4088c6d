// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// What the library throws. Nothing is printed, nothing exits, and what was asked for has not happened in part (but for a
/// file that is being written).

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <thrust_rns/config.h>

namespace thrust_rns {

/// Text that is not an integer. The message quotes the text.
class parse_error : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// An integer outside the range of the type that was to hold it. The message quotes the value and the range.
class range_error : public std::out_of_range {
 public:
  using std::out_of_range::out_of_range;
};

/// A file that cannot be read or written, or is not what it should be. The message names the file, if it has a name.
class file_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

namespace detail {

/// Text for an error message, cut in the middle so that a 4096-bit number does not hide the sentence around it.
inline std::string shorten(std::string text, std::size_t most = 96) {
  if (text.size() <= most) return text;
  const std::size_t part = (most - 3) / 2;
  return text.substr(0, part) + "..." + text.substr(text.size() - part);
}

/// Text from outside for an error message: in quotation marks, shortened, and what is not printable as \\x and two digits.
inline std::string quote(std::string_view text) {
  std::string printable;
  for (const char c : text) {
    if (' ' <= c && c <= '~') {
      printable.push_back(c);
    } else {
      const auto byte = static_cast<unsigned char>(c);
      printable += {'\\', 'x', "0123456789abcdef"[byte / 16], "0123456789abcdef"[byte % 16]};
    }
  }
  return '"' + shorten(std::move(printable)) + '"';
}

/// A precondition on the host: throws std::invalid_argument with `what` unless `ok`.
inline void require(bool ok, const char* what) {
  if (!ok) throw std::invalid_argument(what);
}

} // namespace detail
} // namespace thrust_rns
