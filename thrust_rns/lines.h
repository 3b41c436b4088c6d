// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Many integers as text to a vector of numbers and back.
///
///   import_strings([policy,] from, from_last, first)    numbers := texts; returns their end
///   export_strings([policy,] first, last, to)           texts := numbers; returns their end
///   read_lines(is, vector [, file])                     the vector := the lines of a stream, one integer a line
///   write_lines(os, first, last)                        a line for each number
///
/// Texts are read as by from_string: an optional sign, then decimal digits or 0x and hexadecimal digits; they are
/// written in decimal, write_lines in hexadecimal after std::hex. from, to: random access iterators over std::string
/// (from: or std::string_view, const char*). A line may end in a carriage return and have blanks at both ends.
///
/// Errors: parse_error or range_error that names the first bad element (for read_lines the line, from 1, and `file`)
/// and quotes it; then nothing is written and the vector is as it was. Work: text is parsed and printed on all cores of
/// the host, the rest is exchange.h; memory and streams as in gmp_vector.h.
///
/// @code
/// #include <sstream>
/// #include <thrust_rns/device_vector.h>
/// #include <thrust_rns/lines.h>
/// using number = thrust_rns::number<thrust_rns::moduli_for_bits<128>, thrust_rns::symmetric_range>;
/// std::istringstream text("12\n-0x10\n340282366920938463463374607431768211456\n");
/// thrust_rns::device_vector<number> v;
/// thrust_rns::read_lines(text, v);
/// v.push_back(v[0] + v[1]);
/// thrust_rns::write_lines(std::cout, v.begin() + 2, v.end());
/// // prints 340282366920938463463374607431768211456
/// // prints -4
/// @endcode

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/basic_vector.h>
#include <thrust_rns/detail/host_rows.h>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/detail/words.h>
#include <thrust_rns/error.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/number.h>

namespace thrust_rns {
namespace detail {

/// Numbers := the integers in the texts text(e); place(e) says where a bad one is.
template <class Policy, class Number, class System, class Text, class Place>
void import_texts(Policy& exec, std::int64_t count, basic_iterator<Number, System> first, const Text& text,
                  const Place& place) {
  import_rows(exec, count, first, [&](std::int64_t e, std::uint64_t* row) {
    try {
      write_row<Number>(parse_integer<Number>(text(e)), row);
    } catch (const parse_error& error) {
      throw parse_error(place(e) + ": " + error.what());
    } catch (const range_error& error) {
      throw range_error(place(e) + ": " + error.what());
    }
  });
}

inline std::string_view without_blanks(std::string_view text) {
  const char* blanks = " \t\r";
  const auto first = text.find_first_not_of(blanks);
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

} // namespace detail

template <class Policy, class InputIterator, class Number, class System>
basic_iterator<Number, System> import_strings(const Policy& exec, InputIterator from, InputIterator from_last,
                                              basic_iterator<Number, System> first) {
  const std::int64_t count = from_last - from;
  detail::import_texts(
      detail::derived_policy(exec), count, first, [&](std::int64_t e) { return std::string_view(from[e]); },
      [](std::int64_t e) { return "element " + std::to_string(e); });
  return first + count;
}
template <class InputIterator, class Number, class System>
basic_iterator<Number, System> import_strings(InputIterator from, InputIterator from_last,
                                              basic_iterator<Number, System> first) {
  return import_strings(System(), from, from_last, first);
}

template <class Policy, class T, class System, class OutputIterator>
OutputIterator export_strings(const Policy& exec, basic_iterator<T, System> first, basic_iterator<T, System> last,
                              OutputIterator to) {
  detail::export_rows(detail::derived_policy(exec), first, last, [&](std::int64_t e, std::uint64_t* row) {
    to[e] = detail::to_decimal(detail::read_row<std::remove_const_t<T>>(row));
  });
  return to + (last - first);
}
template <class T, class System, class OutputIterator>
OutputIterator export_strings(basic_iterator<T, System> first, basic_iterator<T, System> last, OutputIterator to) {
  return export_strings(System(), first, last, to);
}

template <class Number, class Allocator, class System>
void read_lines(std::istream& is, detail::basic_vector<Number, Allocator, System>& numbers,
                const std::string& file = "") {
  std::string text; // all of it, and where each line begins
  std::vector<std::size_t> begins{0};
  for (std::string line; std::getline(is, line);) {
    text += line;
    begins.push_back(text.size());
  }
  if (is.bad()) throw file_error(file.empty() ? "thrust_rns: reading lines failed" : file + ": reading lines failed");
  const auto count = begins.size() - 1;
  detail::basic_vector<Number, Allocator, System> fresh(count, numbers.get_allocator());
  System exec;
  detail::import_texts(
      exec, static_cast<std::int64_t>(count), fresh.begin(),
      [&](std::int64_t e) {
        const auto k = static_cast<std::size_t>(e);
        return detail::without_blanks(std::string_view(text).substr(begins[k], begins[k + 1] - begins[k]));
      },
      [&](std::int64_t e) { return (file.empty() ? "line " : file + ":") + std::to_string(e + 1); });
  numbers = std::move(fresh);
}

template <class T, class System>
void write_lines(std::ostream& os, basic_iterator<T, System> first, basic_iterator<T, System> last) {
  using Number = std::remove_const_t<T>;
  const bool hexadecimal = (os.flags() & std::ios_base::hex) != 0;
  System exec;
  constexpr std::int64_t part = 1 << 16; // lines in memory
  std::vector<std::string> lines(static_cast<std::size_t>(std::min<std::int64_t>(part, last - first)));
  for (; first != last; first += std::min<std::int64_t>(part, last - first)) {
    const std::int64_t here = std::min<std::int64_t>(part, last - first);
    detail::export_rows(exec, first, first + here, [&](std::int64_t e, std::uint64_t* row) {
      const detail::big_integer x = detail::read_row<Number>(row);
      lines[static_cast<std::size_t>(e)] = hexadecimal ? detail::to_hexadecimal(x) : detail::to_decimal(x);
    });
    for (std::int64_t e = 0; e < here; ++e) os << lines[static_cast<std::size_t>(e)] << '\n';
  }
}

} // namespace thrust_rns
