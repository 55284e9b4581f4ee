// SPDX-License-Identifier: BSL-1.0
#include "source_text.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace architecture {

namespace {

[[nodiscard]] bool is_word(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

[[nodiscard]] std::string_view without_leading_space(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view{} : text.substr(first);
}

// Where the literal that starts at `from` ends (one past its last character).
[[nodiscard]] std::size_t end_of_literal(std::string_view text, std::size_t from) {
  const char quote = text[from];
  if (quote == '"' && from > 0 && text[from - 1] == 'R') {
    const auto open = text.find('(', from);
    const std::string close = ")" + std::string{text.substr(from + 1, open - from - 1)} + "\"";
    const auto end = text.find(close, open);
    return end == std::string_view::npos ? text.size() : end + close.size();
  }
  for (std::size_t at = from + 1; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == quote || text[at] == '\n') {
      return at + 1;
    }
  }
  return text.size();
}

[[nodiscard]] bool is_digit(char letter) { return std::isdigit(static_cast<unsigned char>(letter)) != 0; }

// The number that starts at `from`, as the preprocessor reads it: with what is written to its end.
[[nodiscard]] std::string_view number_at(std::string_view line, std::size_t from) {
  std::size_t end = from + 1;
  for (; end < line.size(); ++end) {
    const char letter = line[end], before = line[end - 1];
    const bool sign =
        (letter == '+' || letter == '-') && std::string_view{"eEpP"}.find(before) != std::string_view::npos;
    const bool separates = letter == '\'' && end + 1 < line.size() && is_word(line[end + 1]);
    if (!is_word(letter) && letter != '.' && !sign && !separates) break;
  }
  return line.substr(from, end - from);
}

[[nodiscard]] bool is_floating(std::string_view number) {
  const bool hexadecimal = number.starts_with("0x") || number.starts_with("0X");
  const auto value = number.substr(0, number.find('_'));  // without a suffix of a user's own
  return value.find_first_of(hexadecimal ? ".pP" : ".eE") != std::string_view::npos;
}

}  // namespace

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string code_of(std::string_view text) {
  std::string code{text};
  const auto blank = [&code](std::size_t from, std::size_t to) {
    for (std::size_t at = from; at < to; ++at) {
      if (code[at] != '\n') code[at] = ' ';
    }
  };
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (text.substr(at, 2) == "//") {
      end = std::min(text.find('\n', at), text.size());
      blank(at, end);
    } else if (text.substr(at, 2) == "/*") {
      const auto close = text.find("*/", at + 2);
      end = close == std::string_view::npos ? text.size() : close + 2;
      blank(at, end);
    } else if (text[at] == '"' || (text[at] == '\'' && (at == 0 || !is_word(text[at - 1])))) {
      end = end_of_literal(text, at);  // a quote behind a digit separates digits
      blank(at, end);
    }
    at = end;
  }
  return code;
}

std::vector<include_line> includes_of(std::string_view text) {
  const std::string code = code_of(text);
  const auto real_lines = lines_of(text);
  const auto code_lines = lines_of(code);
  std::vector<include_line> found;
  for (std::size_t i = 0; i < code_lines.size(); ++i) {
    auto rest = without_leading_space(code_lines[i]);
    if (!rest.starts_with('#')) continue;
    rest = without_leading_space(rest.substr(1));
    if (!rest.starts_with("include")) continue;
    auto name = real_lines[i].substr(real_lines[i].find("include") + 7);
    name = without_leading_space(name);
    if (name.empty()) continue;
    const bool quoted = name.front() == '"';
    const auto end = name.find(quoted ? '"' : '>', 1);
    if (end == std::string_view::npos) continue;
    found.push_back({std::string{name.substr(1, end - 1)}, quoted, static_cast<int>(i) + 1});
  }
  return found;
}

std::vector<int> lines_with_word(std::string_view code, std::string_view word) {
  std::vector<int> found;
  int number = 0;
  for (const auto line : lines_of(code)) {
    ++number;
    for (auto at = line.find(word); at != std::string_view::npos; at = line.find(word, at + 1)) {
      const auto end = at + word.size();
      const bool starts = at == 0 || !is_word(line[at - 1]);
      const bool ends = !is_word(word.back()) || end == line.size() || !is_word(line[end]);
      if (starts && ends) {
        found.push_back(number);
        break;
      }
    }
  }
  return found;
}

std::vector<literal> floating_literals(std::string_view code) {
  std::vector<literal> found;
  int number = 0;
  for (const auto line : lines_of(code)) {
    ++number;
    for (std::size_t at = 0; at < line.size(); ++at) {
      const bool starts = is_digit(line[at]) || (line[at] == '.' && at + 1 < line.size() && is_digit(line[at + 1]));
      if (!starts || (at > 0 && is_word(line[at - 1]))) continue;
      const auto text = number_at(line, at);
      if (is_floating(text)) found.push_back({std::string{text}, number});
      at += text.size() - 1;
    }
  }
  return found;
}

}  // namespace architecture
