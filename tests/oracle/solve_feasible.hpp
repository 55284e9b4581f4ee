// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_ORACLE_SOLVE_FEASIBLE_HPP
#define MUSTER_TESTS_ORACLE_SOLVE_FEASIBLE_HPP

// The one place where cases meet the library.

#include "case_file.hpp"
#include "judge.hpp"

#include <optional>
#include <string>

namespace oracle {

// The library's answer to `query feasible`; the time is that of the call alone,
// the least of three, with a workspace that was used before. Nothing where the case holds lines that
// this translation does not carry over.
[[nodiscard]] std::optional<feasible_result> solve_feasible(const case_data& of);

// The case as the library's write_case() writes it, told to the library first; nothing where the library refuses it.
[[nodiscard]] std::optional<std::string> written_by_library(const case_data& of);

}  // namespace oracle

#endif
