// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_ORACLE_CASE_WORDS_HPP
#define MUSTER_TESTS_ORACLE_CASE_WORDS_HPP

// One line of a case file, taken word by word. Every refusal is thrown as a
// `fault` that names the place; the reader alone catches it.

#include "case_file.hpp"

#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace oracle {

struct word {
  std::string_view text;
  std::size_t column = 1;
};

class line_words {
 public:
  line_words(std::string_view line, std::size_t number, std::string_view file)
      : file_{file}, number_{number}, end_{line.size() + 1} {
    std::size_t begin = 0;
    for (std::size_t at = 0; at <= line.size(); ++at) {
      if (at < line.size()) {
        const auto byte = static_cast<unsigned char>(line[at]);
        if (byte == '\t' || byte == '\r' || byte < 0x20 || byte == 0x7f) {
          fail({line.substr(at, 0), at + 1}, "a control character; words are separated by single spaces");
        }
        if (byte != ' ') {
          continue;
        }
      }
      if (at == begin) {
        fail({line.substr(at, 0), at + 1}, "a space too many");
      }
      words_.push_back({line.substr(begin, at - begin), begin + 1});
      begin = at + 1;
    }
  }

  [[noreturn]] void fail(const word& at, std::string what) const {
    throw fault{std::string{file_}, number_, at.column, std::string{at.text}, std::move(what)};
  }

  [[nodiscard]] bool at_end() const { return next_ == words_.size(); }
  [[nodiscard]] std::size_t number() const { return number_; }
  [[nodiscard]] const word& first() const { return words_.front(); }

  word next(std::string_view what) {
    if (at_end()) {
      fail({{}, end_}, std::string{what} + " is missing");
    }
    return words_[next_++];
  }

  void literal(std::string_view text) {
    const auto found = next("'" + std::string{text} + "'");
    if (found.text != text) {
      fail(found, "'" + std::string{text} + "' is expected here");
    }
  }

  amount quantity(std::string_view what, amount least = 0, amount most = for_ever) {
    return quantity_of(next(what), what, least, most);
  }

  amount quantity_of(const word& found, std::string_view what, amount least = 0, amount most = for_ever) const {
    const auto& text = found.text;
    const auto digits = text.substr(text.starts_with('-') && least < 0 ? 1 : 0);
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos) {
      fail(found, std::string{what} + " is not a number");
    }
    amount value = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc::result_out_of_range) {
      fail(found, std::string{what} + " does not fit in 64 bits");
    }
    if (value < least) {
      fail(found, std::string{what} + " is less than " + std::to_string(least));
    }
    if (value > most) {
      fail(found, std::string{what} + " is more than " + std::to_string(most));
    }
    return value;
  }

  void finish() {
    if (!at_end()) {
      fail(words_[next_], "a word too many");
    }
  }

 private:
  std::string_view file_;
  std::size_t number_;
  std::size_t end_;
  std::vector<word> words_;
  std::size_t next_ = 0;
};

// Sums and products of quantities, refused at `at` when they leave 64 bits.
inline amount checked_sum(const line_words& line, const word& at, amount left, amount right) {
  if (right > for_ever - left) {
    line.fail(at, "a sum with this does not fit in 64 bits");
  }
  return left + right;
}

inline amount checked_product(const line_words& line, const word& at, amount left, amount right) {
  if (right != 0 && left > for_ever / right) {
    line.fail(at, "a product with this does not fit in 64 bits");
  }
  return left * right;
}

}  // namespace oracle

#endif
