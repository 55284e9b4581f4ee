// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_ORACLE_GREEDY_HPP
#define MUSTER_TESTS_ORACLE_GREEDY_HPP

// What simple orders place of the asked group, as `note greedy_placed` counts it.

#include "case_file.hpp"

namespace oracle {

// Pod after pod, none moved again: first fit in class order, first fit and best
// fit with the largest pods first, first fit with the smallest first. With a
// topology the best domain of each. A pod is as large as its largest share of
// the largest node (then the sum of the shares, then class order); best fit
// leaves the least sum of such shares on the node.
[[nodiscard]] greedy_note place_greedily(const case_data& of);

}  // namespace oracle

#endif
