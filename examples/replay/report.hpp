// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_REPLAY_REPORT_HPP
#define MUSTER_REPLAY_REPORT_HPP

// The figures of a set of runs over the same arrivals, as text for people and as one CSV.

#include "engine.hpp"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace replay {

// Waiting by gang size, in GPUs of the whole gang.
struct wait_figures {
  std::string sizes;  // "9-32"
  std::size_t jobs = 0;
  std::size_t cut_off = 0;
  seconds mean = 0;
  seconds p50 = 0;
  seconds p95 = 0;
  seconds p99 = 0;
  seconds most = 0;
  bool p50_cut_off = false;  // it or a shorter wait was cut off: the true figure may be larger
  bool p95_cut_off = false;
  bool p99_cut_off = false;
};

// One entry per size that occurs, then one for all jobs.
[[nodiscard]] std::vector<wait_figures> waits_by_size(const run_result& one);

// with_speed adds decisions and model changes per second, the only figures that differ between two runs.
void write_table(std::ostream& out, const std::vector<run_result>& runs, bool with_speed);
void write_summary(const std::string& file, const std::vector<run_result>& runs);

}  // namespace replay

#endif
