// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_REPLAY_GNUPLOT_HPP
#define MUSTER_REPLAY_GNUPLOT_HPP

// Has gnuplot draw what a script in a folder says, if it is installed.

#include <string>

namespace replay {

// A text between gnuplot's single quotes.
[[nodiscard]] std::string quoted(const std::string& text);

// Runs folder/script, which makes folder/picture. Answers the sentence to tell the user: where the picture is, or why
// there is none.
[[nodiscard]] std::string run_gnuplot(const std::string& folder, const std::string& script,
                                      const std::string& picture);

}  // namespace replay

#endif
