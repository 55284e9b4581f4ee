// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_REPLAY_PLACER_HPP
#define MUSTER_REPLAY_PLACER_HPP

// The one seam between the replay and muster, which decides. Every question is asked, every answer bound and every
// job released through this class; the rest of the replay knows nodes and counts only, and placer.cpp is the only
// file that includes the library.
//
// The library's cluster model is kept in step as a scheduler would keep it from a watch, through apply(): nodes, pods
// and, under the gang rules, groups are seen, pods are bound and end, groups go. Beside it stand the free GPUs of
// each node in whole numbers, counted from the answers alone: a node that would be overfilled stops the run, so does
// a refusal where there is room, and `check()` compares every node with the model.

#include "trace.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
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

enum class seen_as : std::uint8_t {
  pods,  // pods on their own: nobody told the scheduler that they belong together
  gang,  // a pod group with all its pods
};

// A gang placed within a turn.
struct placed_gang {
  std::size_t job_index = 0;
  std::vector<share> shares;
};

class cluster_placer {
 public:
  cluster_placer(const node_list& nodes, std::size_t jobs, seen_as how);
  ~cluster_placer();
  cluster_placer(const cluster_placer&) = delete;
  cluster_placer& operator=(const cluster_placer&) = delete;

  // A job's pods exist from now on. Jobs are numbered from 0.
  void arrive(std::size_t job_index, const job& one);
  // Decides a whole gang and, when it fits, binds it.
  [[nodiscard]] gang_answer place_gang(std::size_t job_index, const job& one);
  // Hands a whole queue of gangs to the library for one turn, and binds what it plans. Jobs are judged by number.
  [[nodiscard]] std::vector<placed_gang> take_turn(std::span<const std::size_t> queue, bool strict_order);
  // Decides one pod (the rank-th of its job) as a group of one and, when it fits, binds it; answers the node.
  [[nodiscard]] std::optional<int> place_one_pod(std::size_t job_index, int rank, const job& one);
  // All pods of the job have ended.
  void release(std::size_t job_index, const job& one, std::span<const share> shares);

  [[nodiscard]] std::int64_t total_gpus() const { return total_gpus_; }
  [[nodiscard]] std::int64_t free_gpus() const { return free_gpus_; }
  // The pods of a size that all nodes together would take now.
  [[nodiscard]] std::int64_t room_for(int gpus_per_worker) const;
  // Throws std::logic_error when the model and the count here differ on any node.
  void check();

  // Questions asked and changes applied, and the seconds spent in the library on each.
  struct effort {
    std::int64_t count = 0;
    double seconds = 0;
  };
  [[nodiscard]] const effort& decisions() const { return decisions_; }
  [[nodiscard]] const effort& changes() const { return changes_; }

 private:
  struct library;

  void bind_gang(std::size_t job_index, const std::vector<share>& shares, int gpus_per_worker);
  void change_free(int node, int by);

  std::unique_ptr<library> library_;
  seen_as how_;
  std::vector<int> free_;
  std::vector<std::int64_t> nodes_by_free_;
  std::vector<share> shares_;
  std::int64_t total_gpus_ = 0;
  std::int64_t free_gpus_ = 0;
  effort decisions_;
  effort changes_;
};

}  // namespace replay

#endif
