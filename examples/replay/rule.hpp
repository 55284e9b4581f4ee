// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_REPLAY_RULE_HPP
#define MUSTER_REPLAY_RULE_HPP

// A rule decides who is asked for, and when; the placer decides whether and where it sits.

#include "run_state.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace replay {

class rule {
 public:
  virtual ~rule() = default;
  // The jobs submitted in one second, by their place in the input.
  virtual void arrived(std::span<const std::size_t> jobs, run_state& state) = 0;
  // The jobs that ended in one second; their GPUs are free.
  virtual void ended(std::span<const std::size_t> jobs, run_state& state) = 0;
};

struct rule_entry {
  std::string_view key;    // for the command line and the CSV
  std::string_view title;  // for people
  std::string_view text;   // the rule in one sentence
  seen_as how;             // what the scheduler is told of a job
  std::unique_ptr<rule> (*make)(const cluster_placer& cluster);
};

// All rules, in the order of the report.
[[nodiscard]] std::span<const rule_entry> all_rules();
// The rules of a comma separated list of keys; throws std::runtime_error naming an unknown one.
[[nodiscard]] std::vector<rule_entry> rules_named(std::string_view list);

}  // namespace replay

#endif
