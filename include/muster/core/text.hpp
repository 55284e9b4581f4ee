// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CORE_TEXT_HPP
#define MUSTER_CORE_TEXT_HPP

/// \file
/// Words and numbers into any output iterator of char: what every `describe` is made of.
/// No allocation, no locale.

#include <muster/core/config.hpp>

#include <concepts>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace muster::inline MUSTER_ABI {

template <class Out>
concept text_output = std::output_iterator<Out, char>;

template <text_output Out>
constexpr Out put(Out out, std::string_view words) {
  for (const char c : words) *out++ = c;
  return out;
}

/// How the digits of a number are grouped.
enum class digits : std::uint8_t { plain, grouped };

/// The number in decimal; `grouped` sets a comma every three digits.
template <text_output Out, std::integral Number>
constexpr Out put(Out out, Number number, digits style = digits::plain) {
  char buffer[32];
  int length = 0;
  const bool negative = number < Number{0};
  auto rest = negative ? std::uint64_t{0} - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
  int in_group = 0;
  do {
    if (style == digits::grouped && in_group == 3) {
      buffer[length++] = ',';
      in_group = 0;
    }
    buffer[length++] = static_cast<char>('0' + static_cast<int>(rest % 10U));
    rest /= 10U;
    ++in_group;
  } while (rest != 0);
  if (negative) *out++ = '-';
  while (length > 0) *out++ = buffer[--length];
  return out;
}

/// "1 node", "1,250 nodes".
template <text_output Out, std::integral Number>
constexpr Out put_counted(Out out, Number number, std::string_view one, std::string_view many) {
  out = put(out, number, digits::grouped);
  *out++ = ' ';
  return put(out, number == Number{1} ? one : many);
}

}  // namespace muster::inline MUSTER_ABI

#endif
