// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_REPLAY_ENGINE_HPP
#define MUSTER_REPLAY_ENGINE_HPP

// The discrete-event loop. One pass of the input warms the cluster up; the same arrivals, one span later, are
// measured; then nothing arrives any more and the run goes on until no event remains. Jobs that have not
// started by then wait for each other: they are stuck for ever.
//
// In one second the ends come first, then the arrivals in the order of the input.

#include "ledger.hpp"
#include "progress.hpp"
#include "rule.hpp"
#include "trace.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace replay {

struct measured_wait {
  std::int64_t gpus = 0;
  seconds waited = 0;
  bool cut_off = false;  // not started by the end of the window: waited until then
};

struct run_result {
  std::string load;  // as a word for files: "90", "105", "trace"
  std::string rule_key;
  std::string rule_title;
  std::int64_t total_gpus = 0;
  seconds window_from = 0;
  seconds window_to = 0;

  levels window_sum;
  waited_by_cause waited;
  std::vector<measured_wait> waits;  // of the jobs submitted in the window
  time_series series{1, 1};

  std::size_t jobs = 0;  // both passes
  std::size_t ended = 0;
  std::size_t stuck = 0;
  std::size_t stuck_holding = 0;  // of these, jobs that hold GPUs
  std::int64_t stuck_gpus = 0;    // the GPUs they hold for ever
  seconds last_start = 0;
  // Their seconds are the only figures that differ between two runs.
  cluster_placer::effort decisions;
  cluster_placer::effort changes;
};

[[nodiscard]] run_result run(const trace& input, const node_list& nodes, const rule_entry& rule,
                             const std::string& load, progress& shown);

}  // namespace replay

#endif
