// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

/// @file
/// Numbers as text. Host only.

#include <cstddef>
#include <istream>
#include <iterator>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <thrust_rns/config.h>
#include <thrust_rns/convert.h>
#include <thrust_rns/detail/words.h>
#include <thrust_rns/error.h>
#include <thrust_rns/functional.h>
#include <thrust_rns/number.h>

namespace thrust_rns {

/// The integer written in `text`: an optional sign, then decimal digits or 0x and hexadecimal digits.
/// Throws parse_error (quotes the text; blanks are not skipped) or range_error (names value and range).
///
/// @code
/// using number = thrust_rns::number<thrust_rns::moduli_for_bits<128>, thrust_rns::symmetric_range>;
/// std::cout << thrust_rns::from_string<number>("-0x10") + thrust_rns::from_string<number>("000123") << '\n';
/// // prints 107
/// @endcode
template <class Number>
Number from_string(std::string_view text) {
  const detail::big_integer x = detail::parse_integer<Number>(text);
  return detail::from_words<Number>(x.words.data(), x.words.size(), x.negative);
}

/// The integers written in the texts [first, last), in order. An error names the element as well.
template <class Number, class InputIterator>
std::vector<Number> from_strings(InputIterator first, InputIterator last) {
  std::vector<Number> numbers;
  for (std::size_t k = 0; first != last; ++first, ++k) {
    const auto where = [&](const char* what) { return "element " + std::to_string(k) + ": " + what; };
    try {
      numbers.push_back(from_string<Number>(std::string_view(*first)));
    } catch (const parse_error& e) {
      throw parse_error(where(e.what()));
    } catch (const range_error& e) {
      throw range_error(where(e.what()));
    }
  }
  return numbers;
}

/// X in decimal, with a minus sign if negative.
template <class Base, class Range>
std::string to_string(const number<Base, Range>& x) {
  return detail::to_decimal(detail::to_big_integer(x));
}

/// X in hexadecimal with 0x, as -0x2a for -42.
template <class Base, class Range>
std::string to_hex_string(const number<Base, Range>& x) {
  return detail::to_hexadecimal(detail::to_big_integer(x));
}

/// Decimal, or hexadecimal with 0x after std::hex; width and fill apply to the whole text.
template <class Base, class Range>
std::ostream& operator<<(std::ostream& os, const number<Base, Range>& x) {
  return os << ((os.flags() & std::ios_base::hex) != 0 ? to_hex_string(x) : to_string(x));
}

/// Reads one blank-delimited word. On a malformed or unrepresentable one sets failbit and leaves `x` as it was.
template <class Base, class Range>
std::istream& operator>>(std::istream& is, number<Base, Range>& x) {
  std::string text;
  if (!(is >> text)) return is;
  try {
    x = from_string<number<Base, Range>>(text);
  } catch (const std::logic_error&) { // parse_error or range_error
    is.setstate(std::ios_base::failbit);
  }
  return is;
}

} // namespace thrust_rns
