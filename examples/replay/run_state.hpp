// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_REPLAY_RUN_STATE_HPP
#define MUSTER_REPLAY_RUN_STATE_HPP

// What a rule may do at a moment of a run: ask for a place for a whole gang or for one pod of it. What fits is
// bound and booked at once, and a job whose pods are all there starts.

#include "ledger.hpp"
#include "placer.hpp"
#include "trace.hpp"

#include <cstddef>
#include <functional>
#include <queue>
#include <span>
#include <utility>
#include <vector>

namespace replay {

class run_state {
 public:
  run_state(const std::vector<job>& jobs, const node_list& nodes, seconds window_from, seconds window_to, seen_as how)
      : jobs_(jobs), cluster_(nodes, jobs.size(), how), books_(jobs, window_from, window_to), held_(jobs.size()) {}

  [[nodiscard]] const job& at(std::size_t job_index) const { return jobs_[job_index]; }
  [[nodiscard]] const cluster_placer& cluster() const { return cluster_; }
  [[nodiscard]] const ledger& books() const { return books_; }

  // Answers how many of the job's pods found room; all of them means that it has started.
  int place_gang(std::size_t job_index) {
    const job& one = jobs_[job_index];
    const gang_answer answer = cluster_.place_gang(job_index, one);
    if (!answer.fits) return answer.sat;
    held_[job_index].assign(answer.shares.begin(), answer.shares.end());
    books_.hold(job_index, one.workers);
    start(job_index);
    return one.workers;
  }

  // One turn of the library over a whole queue; the jobs it placed have started.
  void take_turn(std::span<const std::size_t> queue, bool strict_order) {
    for (placed_gang& gang : cluster_.take_turn(queue, strict_order)) {
      held_[gang.job_index] = std::move(gang.shares);
      books_.hold(gang.job_index, jobs_[gang.job_index].workers);
      start(gang.job_index);
    }
  }

  bool place_next_pod(std::size_t job_index) {
    const job& one = jobs_[job_index];
    const int rank = books_.held_pods(job_index);
    const std::optional<int> node = cluster_.place_one_pod(job_index, rank, one);
    if (!node) return false;
    held_[job_index].push_back({*node, 1});
    books_.hold(job_index, 1);
    if (rank + 1 == one.workers) start(job_index);
    return true;
  }

  // For the engine.
  void advance(seconds to) {
    books_.advance(to, cluster_);
    now_ = to;
  }
  void arrive(std::size_t job_index) {
    cluster_.arrive(job_index, jobs_[job_index]);
    books_.arrive(job_index);
  }
  void check() { cluster_.check(); }
  [[nodiscard]] bool any_running() const { return !ends_.empty(); }
  [[nodiscard]] seconds next_end() const { return ends_.top().first; }
  std::size_t end_next() {
    const std::size_t job_index = ends_.top().second;
    ends_.pop();
    cluster_.release(job_index, jobs_[job_index], held_[job_index]);
    std::vector<share>().swap(held_[job_index]);
    books_.end(job_index);
    return job_index;
  }

 private:
  void start(std::size_t job_index) {
    books_.start(job_index);
    ends_.emplace(now_ + jobs_[job_index].duration, job_index);
  }

  using end_event = std::pair<seconds, std::size_t>;

  const std::vector<job>& jobs_;
  cluster_placer cluster_;
  ledger books_;
  std::vector<std::vector<share>> held_;
  std::priority_queue<end_event, std::vector<end_event>, std::greater<>> ends_;
  seconds now_ = 0;
};

}  // namespace replay

#endif
