// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_ARCHITECTURE_SOURCE_TEXT_HPP
#define MUSTER_TESTS_ARCHITECTURE_SOURCE_TEXT_HPP

/// \file
/// C++ source as text: enough of the language to tell code from comments, and includes from the rest.

#include <string>
#include <string_view>
#include <vector>

namespace architecture {

struct include_line {
  std::string name;  // what stands between the brackets or quotes
  bool quoted = false;
  int line = 0;
};

[[nodiscard]] std::vector<std::string_view> lines_of(std::string_view text);

/// The text with comments, string and character literals blanked out; lines and columns stay where they are.
[[nodiscard]] std::string code_of(std::string_view text);

/// The includes of a file, in order; `text` is the file as it is (a quoted name is a string literal).
[[nodiscard]] std::vector<include_line> includes_of(std::string_view text);

/// Lines of `code` that hold `word` as a whole word; a word with `::` at its end matches any name behind it.
[[nodiscard]] std::vector<int> lines_with_word(std::string_view code, std::string_view word);

struct literal {
  std::string text;
  int line = 0;
};

/// Floating-point literals of `code`: a number with a point, or with an exponent.
[[nodiscard]] std::vector<literal> floating_literals(std::string_view code);

}  // namespace architecture

#endif
