// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_REPLAY_GANGS_HPP
#define MUSTER_REPLAY_GANGS_HPP

// Gangs, whole or not at all.
//
// Best effort: in order of arrival every waiting gang is asked for, and each that fits is placed. A gang is not
// asked for when the answer is known: all free GPUs are too few for it, or a gang of the same pods and no more
// of them has been refused and nothing freed since. Small gangs overtake large ones, without limit.
//
// Strict order: only the first gang of the queue is asked for; while it does not fit, nobody else gets in.

#include "rule.hpp"
#include "waiting_jobs.hpp"

#include <cstdint>
#include <deque>
#include <map>

namespace replay {

class gangs_best_effort : public rule {
 public:
  void arrived(std::span<const std::size_t> jobs, run_state& state) override;
  void ended(std::span<const std::size_t> jobs, run_state& state) override;

 private:
  struct one_size {
    waiting_jobs jobs;          // by workers
    std::int64_t limit = most;  // larger gangs have been refused since the last release
  };
  static constexpr std::int64_t most = INT64_MAX;

  void place_all(run_state& state);

  std::map<int, one_size> sizes_;  // by GPUs per worker
};

class gangs_strict_order : public rule {
 public:
  void arrived(std::span<const std::size_t> jobs, run_state& state) override;
  void ended(std::span<const std::size_t> jobs, run_state& state) override;

 private:
  void place_from_head(run_state& state);

  std::deque<std::size_t> queue_;
};

}  // namespace replay

#endif
