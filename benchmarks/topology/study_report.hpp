// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_BENCHMARKS_TOPOLOGY_STUDY_REPORT_HPP
#define MUSTER_BENCHMARKS_TOPOLOGY_STUDY_REPORT_HPP

// The figures as a table for people, as CSV, and as a picture.

#include "study.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace topology_study {

// Means over the seeds, and below them what they are more than the first policy's on the same seeds, with the standard
// error of that difference.
void print_table(const scenario& one);

// A line for each scenario, seed and policy.
void write_csv(const std::string& file, const std::vector<scenario>& all, std::uint64_t first_seed);

// Writes topology.dat and topology.gp and has gnuplot make topology.svg of them. Answers the sentence to tell the user.
[[nodiscard]] std::string draw_picture(const std::string& folder, const std::vector<scenario>& all);

}  // namespace topology_study

#endif
