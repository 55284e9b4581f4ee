// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_REPLAY_GANG_TURNS_HPP
#define MUSTER_REPLAY_GANG_TURNS_HPP

// The two gang rules once more, with nothing of them decided here: whenever anything has changed, muster::schedule()
// gets the whole queue for one turn. A turn costs every gang that waits, where gangs.hpp asks only for those whose
// answer is not known; both must start the same jobs at the same times, and a test holds them to it.

#include "rule.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace replay {

class gang_turns : public rule {
 public:
  explicit gang_turns(bool strict_order) : strict_order_(strict_order) {}

  void arrived(std::span<const std::size_t> jobs, run_state& state) override {
    queue_.insert(queue_.end(), jobs.begin(), jobs.end());
    take_turn(state);
  }
  void ended(std::span<const std::size_t>, run_state& state) override { take_turn(state); }

 private:
  void take_turn(run_state& state) {
    if (queue_.empty()) return;
    state.take_turn(queue_, strict_order_);
    std::erase_if(queue_, [&state](std::size_t job) { return state.books().started_at(job) != ledger::never; });
  }

  bool strict_order_;
  std::vector<std::size_t> queue_;
};

}  // namespace replay

#endif
