// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_REPLAY_PICTURE_HPP
#define MUSTER_REPLAY_PICTURE_HPP

// Allocated against useful GPUs over time, one panel a run: a data file and a script for gnuplot, which draws.

#include "engine.hpp"

#include <string>
#include <vector>

namespace replay {

// Writes picture.dat and picture.gp to the folder and has gnuplot make allocated_useful.svg of them. Answers
// the sentence to tell the user: where the picture is, or why there is none.
[[nodiscard]] std::string draw_picture(const std::string& folder, const std::string& title,
                                       const std::vector<run_result>& runs);

}  // namespace replay

#endif
