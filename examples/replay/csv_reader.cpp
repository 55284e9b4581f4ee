// SPDX-License-Identifier: BSL-1.0
#include "csv_reader.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

namespace replay {

namespace {

std::string located(const std::string& file, std::size_t line, std::size_t column, const std::string& fault) {
  return file + ":" + std::to_string(line) + ":" + std::to_string(column) + ": " + fault;
}

// Appends the fields of one line and answers how many there were.
std::size_t split(std::string_view line, std::vector<std::string_view>& out) {
  std::size_t count = 1;
  std::size_t from = 0;
  for (std::size_t comma = line.find(','); comma != std::string_view::npos; comma = line.find(',', from)) {
    out.push_back(line.substr(from, comma - from));
    from = comma + 1;
    ++count;
  }
  out.push_back(line.substr(from));
  return count;
}

}  // namespace

csv_error::csv_error(const std::string& file, std::size_t line, std::size_t column, const std::string& fault)
    : std::runtime_error(located(file, line, column, fault)) {}

csv_table::csv_table(std::string file, std::string text) : file_(std::move(file)), text_(std::move(text)) {
  const std::string_view all = text_;
  if (all.empty()) throw csv_error(file_, 1, 1, "the file is empty; a header line was expected");
  std::size_t number = 0;
  for (std::size_t from = 0; from < all.size();) {
    ++number;
    const std::size_t end = all.find('\n', from);
    if (end == std::string_view::npos) {
      throw csv_error(file_, number, all.size() - from + 1,
                      "the last line does not end in a newline; the file may have been cut");
    }
    std::string_view line = all.substr(from, end - from);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.empty()) throw csv_error(file_, number, 1, "empty line");
    const std::size_t count = split(line, number == 1 ? header_ : fields_);
    if (number > 1) {
      if (count != header_.size()) {
        throw csv_error(file_, number, line.size() + 1,
                        std::to_string(count) + " fields where the header names " + std::to_string(header_.size()));
      }
      line_starts_.push_back(from);
    }
    from = end + 1;
  }
}

csv_table csv_table::from_file(const std::string& file) {
  if (std::filesystem::is_directory(file)) throw std::runtime_error(file + ": is a folder");
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error(file + ": cannot be opened");
  std::string text;
  char part[65536];
  do {
    in.read(part, sizeof part);
    text.append(part, static_cast<std::size_t>(in.gcount()));
  } while (in);
  if (in.bad()) throw std::runtime_error(file + ": cannot be read to its end");
  return csv_table(file, text);
}

bool csv_table::has(std::string_view name) const {
  return std::find(header_.begin(), header_.end(), name) != header_.end();
}

std::size_t csv_table::column(std::string_view name) const {
  const auto found = std::find(header_.begin(), header_.end(), name);
  if (found == header_.end()) throw csv_error(file_, 1, 1, "no column '" + std::string(name) + "'");
  if (std::find(found + 1, header_.end(), name) != header_.end()) {
    throw csv_error(file_, 1, 1, "column '" + std::string(name) + "' is named twice");
  }
  return static_cast<std::size_t>(found - header_.begin());
}

std::string_view csv_table::field(std::size_t row, std::size_t column) const {
  return fields_[row * header_.size() + column];
}

std::int64_t csv_table::number(std::size_t row, std::size_t column, std::int64_t least, std::int64_t most) const {
  const std::string_view text = field(row, column);
  std::int64_t value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty()) fault(row, column, "is empty");
  if (error == std::errc::invalid_argument || rest != text.data() + text.size()) {
    fault(row, column, "'" + std::string(text) + "' is not a whole number");
  }
  if (error == std::errc::result_out_of_range || value < least || value > most) {
    fault(row, column,
          "'" + std::string(text) + "' is not between " + std::to_string(least) + " and " + std::to_string(most));
  }
  return value;
}

void csv_table::fault(std::size_t row, std::size_t column, const std::string& text) const {
  const char* line = text_.data() + line_starts_[row];
  const std::size_t at = static_cast<std::size_t>(field(row, column).data() - line) + 1;
  throw csv_error(file_, row + 2, at, "column '" + std::string(header_[column]) + "' " + text);
}

}  // namespace replay
