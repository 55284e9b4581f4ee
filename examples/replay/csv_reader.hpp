// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_REPLAY_CSV_READER_HPP
#define MUSTER_REPLAY_CSV_READER_HPP

// A strict reader of comma separated whole numbers and plain words. The first fault ends the reading and is
// named by file, line and column; the caller gets the whole table or none of it.
//
// Rules: the first line names the columns; each line has as many fields as the first; no quotes, no empty
// lines; the last line ends in a newline, for a file without one may have been cut. "\r\n" ends a line too.

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace replay {

// what() reads "FILE:LINE:COLUMN: the fault", column in characters from 1.
class csv_error : public std::runtime_error {
 public:
  csv_error(const std::string& file, std::size_t line, std::size_t column, const std::string& fault);
};

class csv_table {
 public:
  // Takes the whole text of a file; throws csv_error on the first malformed line.
  csv_table(std::string file, std::string text);

  // Opens and reads the file; throws std::runtime_error naming it when that fails.
  [[nodiscard]] static csv_table from_file(const std::string& file);

  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] const std::vector<std::string_view>& header() const { return header_; }
  [[nodiscard]] bool has(std::string_view name) const;
  // The index of a named column; throws csv_error at line 1 when there is none.
  [[nodiscard]] std::size_t column(std::string_view name) const;

  [[nodiscard]] std::size_t rows() const { return fields_.size() / header_.size(); }
  [[nodiscard]] std::string_view field(std::size_t row, std::size_t column) const;
  // The field as a whole number from least to most; throws csv_error naming row and column otherwise.
  [[nodiscard]] std::int64_t number(std::size_t row, std::size_t column, std::int64_t least, std::int64_t most) const;
  [[noreturn]] void fault(std::size_t row, std::size_t column, const std::string& text) const;

 private:
  std::string file_;
  std::string text_;
  std::vector<std::string_view> header_;
  std::vector<std::string_view> fields_;
  std::vector<std::size_t> line_starts_;  // of the rows, as offsets into text_
};

}  // namespace replay

#endif
