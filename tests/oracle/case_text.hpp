// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_ORACLE_CASE_TEXT_HPP
#define MUSTER_TESTS_ORACLE_CASE_TEXT_HPP

// A case as the text it is read from, to show and to repeat what a random test
// found. Notes and answers other than `feasible` are left out.

#include "case_file.hpp"

#include <string>

namespace oracle {

[[nodiscard]] std::string to_text(const case_data& of);

}  // namespace oracle

#endif
