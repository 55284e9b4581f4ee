// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_REPLAY_PLACER_HPP
#define MUSTER_REPLAY_PLACER_HPP

// The one seam between the replay and what decides. Every question is asked, every answer bound and every job
// released through this class; the rest of the replay knows nodes and counts only.

#include "trace.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace replay {

// count pods on a node.
struct share {
  int node = 0;
  int count = 0;
};

struct gang_answer {
  bool fits = false;
  int sat = 0;                    // pods that found room; all of them when it fits
  std::span<const share> shares;  // when it fits; valid until the next question
};

class cluster_placer {
 public:
  explicit cluster_placer(const node_list& nodes);

  // Decides a whole gang and, when it fits, binds it.
  [[nodiscard]] gang_answer place_gang(std::size_t job_index, int workers, int gpus_per_worker);
  // Decides one pod (the rank-th of its job) and, when it fits, binds it; answers the node.
  [[nodiscard]] std::optional<int> place_one_pod(std::size_t job_index, int rank, int gpus_per_worker);
  // All pods of the job have ended.
  void release(std::size_t job_index, int gpus_per_worker, std::span<const share> shares);

  [[nodiscard]] std::int64_t total_gpus() const { return total_gpus_; }
  [[nodiscard]] std::int64_t free_gpus() const { return free_gpus_; }
  // Nodes by their free GPUs, and the pods of a size they would take now.
  [[nodiscard]] const std::vector<std::int64_t>& nodes_by_free() const { return nodes_by_free_; }
  [[nodiscard]] std::int64_t room_for(int gpus_per_worker) const;

  [[nodiscard]] std::int64_t decisions() const { return decisions_; }
  [[nodiscard]] double decision_seconds() const { return decision_seconds_; }

 private:
  void change_free(int node, int by);

  std::vector<int> free_;
  std::vector<std::set<int>> by_free_;
  std::vector<share> shares_;
  std::vector<std::int64_t> nodes_by_free_;
  std::int64_t total_gpus_ = 0;
  std::int64_t free_gpus_ = 0;
  std::int64_t decisions_ = 0;
  double decision_seconds_ = 0;
};

}  // namespace replay

#endif
