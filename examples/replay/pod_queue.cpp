// SPDX-License-Identifier: BSL-1.0
#include "pod_queue.hpp"

#include <algorithm>

namespace replay {

void pod_queue::try_once(std::size_t job_index, one_size& queue, run_state& state) {
  if (!queue.full && state.place_next_pod(job_index)) return;
  queue.full = true;
  queue.pods.push_back({next_ticket_++, job_index});
}

void pod_queue::enter(std::span<const std::size_t> jobs, run_state& state) {
  int most = 0;
  for (const std::size_t job_index : jobs) most = std::max(most, state.at(job_index).workers);
  for (int rank = 0; rank < most; ++rank) {
    for (const std::size_t job_index : jobs) {
      const job& one = state.at(job_index);
      if (rank < one.workers) try_once(job_index, sizes_[one.gpus_per_worker], state);
    }
  }
}

void pod_queue::retry(run_state& state) {
  for (auto& [gpus, queue] : sizes_) queue.full = false;
  for (;;) {
    one_size* first = nullptr;
    for (auto& [gpus, queue] : sizes_) {
      if (queue.full || queue.pods.empty()) continue;
      if (first == nullptr || queue.pods.front().ticket < first->pods.front().ticket) first = &queue;
    }
    if (first == nullptr) return;
    const waiting_pod head = first->pods.front();
    if (state.place_next_pod(head.job_index)) {
      first->pods.pop_front();
      continue;
    }
    first->full = true;
    if (failed_goes_back_) {
      first->pods.pop_front();
      first->pods.push_back({next_ticket_++, head.job_index});
    }
  }
}

}  // namespace replay
