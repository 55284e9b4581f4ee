// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_ORACLE_CASE_INSTANCE_HPP
#define MUSTER_TESTS_ORACLE_CASE_INSTANCE_HPP

// The queried group of a case, as the reference reads it.

#include "../support/reference.hpp"
#include "case_file.hpp"

namespace oracle {

[[nodiscard]] reference::instance to_instance(const case_data& of);
// Whether members that run are in several domains of the required level, or in none.
[[nodiscard]] bool runs_apart(const case_data& of);

}  // namespace oracle

#endif
