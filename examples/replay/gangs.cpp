// SPDX-License-Identifier: BSL-1.0
#include "gangs.hpp"

#include <algorithm>

namespace replay {

void gangs_best_effort::place_all(run_state& state) {
  for (;;) {
    std::optional<std::size_t> first;
    for (const auto& [gpus, size] : sizes_) {
      const auto candidate = size.jobs.first_within(std::min(size.limit, state.cluster().free_gpus() / gpus));
      if (candidate && (!first || *candidate < *first)) first = candidate;
    }
    if (!first) return;
    const int workers = state.at(*first).workers;
    one_size& size = sizes_[state.at(*first).gpus_per_worker];
    const int sat = state.place_gang(*first);
    if (sat == workers) {
      size.jobs.take(workers);
    } else {
      size.limit = std::min(sat, workers - 1);
    }
  }
}

void gangs_best_effort::arrived(std::span<const std::size_t> jobs, run_state& state) {
  for (const std::size_t job_index : jobs) {
    const job& one = state.at(job_index);
    sizes_[one.gpus_per_worker].jobs.add(one.workers, job_index);
  }
  place_all(state);
}

void gangs_best_effort::ended(std::span<const std::size_t>, run_state& state) {
  for (auto& [gpus, size] : sizes_) size.limit = most;
  place_all(state);
}

void gangs_strict_order::place_from_head(run_state& state) {
  while (!queue_.empty()) {
    if (state.place_gang(queue_.front()) < state.at(queue_.front()).workers) return;
    queue_.pop_front();
  }
}

void gangs_strict_order::arrived(std::span<const std::size_t> jobs, run_state& state) {
  const bool head_is_blocked = !queue_.empty();
  queue_.insert(queue_.end(), jobs.begin(), jobs.end());
  if (!head_is_blocked) place_from_head(state);
}

void gangs_strict_order::ended(std::span<const std::size_t>, run_state& state) { place_from_head(state); }

}  // namespace replay
