// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_REPLAY_OPTIONS_HPP
#define MUSTER_REPLAY_OPTIONS_HPP

// The command line.

#include <cstdint>
#include <string>
#include <vector>

namespace replay {

struct options {
  std::string nodes_file;                         // --nodes FILE.csv
  int uniform = 0;                                // --uniform N: N nodes of 8 GPUs; 0: the default or by load
  std::string trace_file;                         // --trace FILE.csv; empty: the generator
  std::vector<int> loads;                         // --loads 90,105 in percent
  int copies = 1;                                 // --copies K
  int days = 30;                                  // --days D: the generator's span
  std::uint64_t seed = 1;                         // --seed S
  std::string rules = "pods,quota,gangs,strict";  // --rules a,b
  std::string out = "replay-out";                 // --out DIR
  bool quiet = false;                             // --quiet: no progress
  bool speed = true;                              // --no-speed: leave out decisions per second
  bool picture = true;                            // --no-picture
  bool help = false;                              // --help
};

// Throws std::runtime_error naming the option that is unknown, lacks its value or has a bad one.
[[nodiscard]] options read_options(int count, const char* const* words);
[[nodiscard]] std::string usage();

}  // namespace replay

#endif
