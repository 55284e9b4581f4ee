// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_ORACLE_REFUSAL_TABLE_HPP
#define MUSTER_TESTS_ORACLE_REFUSAL_TABLE_HPP

// Which feasible gangs simple orders refuse, and what the library's noes rest on:
// a line a file, as a table in Markdown.

#include "case_file.hpp"
#include "judge.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace oracle {

class refusal_table {
 public:
  // A case with a proven answer, and the library's.
  void add(const std::string& file, const case_data& of, const feasible_result& given);
  [[nodiscard]] std::string text() const;

 private:
  struct row {
    std::string label;
    std::size_t cases = 0;
    std::size_t feasible = 0;
    std::array<std::size_t, 4> refused{};  // by first fit, first and best fit decreasing, and the library
    std::size_t undecided = 0;
    std::size_t noes = 0;
    std::array<std::size_t, 6> proved{};  // see proof_names; the last: domains with different proofs
  };
  static void add(row& to, const row& from);
  [[nodiscard]] static std::string line(const row& of);

  std::vector<row> rows_;
};

}  // namespace oracle

#endif
