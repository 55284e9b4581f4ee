// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_ORACLE_SOLVE_PREEMPT_HPP
#define MUSTER_TESTS_ORACLE_SOLVE_PREEMPT_HPP

#include "case_file.hpp"
#include "judge_preempt.hpp"

#include <optional>

namespace oracle {

// The library's answer to `query preempt`: once for the least cost, once for the fewest units. The times are those of
// the calls alone, the least of three, with a space that was used before. Nothing where the case holds what this
// translation does not carry over: single devices, pods that hold other amounts than they ask, more than five
// resources, more pods than are told one by one, or a gang that needs no pod at all.
[[nodiscard]] std::optional<preempt_result> solve_preempt(const case_data& of);

}  // namespace oracle

#endif
