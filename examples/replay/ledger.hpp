// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_REPLAY_LEDGER_HPP
#define MUSTER_REPLAY_LEDGER_HPP

// The books of one run: who holds what, who waits and why, summed over the measured window. It decides
// nothing, and checks at every step that the sums it keeps are those of the jobs.
//
// Causes of waiting, for each job not yet started and each moment:
//   members        it holds places for some of its pods and waits for the others, whatever keeps those out
//   capacity       it holds nothing, and all free GPUs together are fewer than it needs
//   fragmentation  it holds nothing, the free GPUs are enough in sum but not in pieces its pods can use
//   order          it holds nothing and would fit whole now, but by the rule it is not its turn

#include "placer.hpp"
#include "series.hpp"
#include "trace.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace replay {

struct waited_by_cause {
  std::int64_t members = 0;
  std::int64_t capacity = 0;
  std::int64_t fragmentation = 0;
  std::int64_t order = 0;
};

// Counts of waiting jobs by workers, answering "how many with at most w" in log time.
class counts_by_workers {
 public:
  explicit counts_by_workers(int most) : sums_(static_cast<std::size_t>(most) + 1) {}
  void add(int workers, std::int64_t by);
  [[nodiscard]] std::int64_t up_to(std::int64_t workers) const;
  [[nodiscard]] std::int64_t all() const { return all_; }

 private:
  std::vector<std::int64_t> sums_;
  std::int64_t all_ = 0;
};

class ledger {
 public:
  // Measures from window_from to window_to.
  ledger(const std::vector<job>& jobs, seconds window_from, seconds window_to);

  void advance(seconds to, const cluster_placer& cluster);
  void arrive(std::size_t job_index);
  void hold(std::size_t job_index, int pods);
  void start(std::size_t job_index);
  void end(std::size_t job_index);

  static constexpr seconds never = -1;
  [[nodiscard]] seconds started_at(std::size_t job_index) const { return started_[job_index]; }
  [[nodiscard]] int held_pods(std::size_t job_index) const { return held_[job_index]; }
  [[nodiscard]] const levels& now() const { return now_levels_; }
  [[nodiscard]] const levels& window_sum() const { return window_sum_; }
  [[nodiscard]] const waited_by_cause& waited() const { return waited_; }
  [[nodiscard]] const time_series& series() const { return series_; }
  [[nodiscard]] std::size_t ended() const { return ended_; }
  [[nodiscard]] seconds clock() const { return now_; }

 private:
  void advance_part(seconds to, const cluster_placer& cluster);
  void count_idle(std::size_t job_index, std::int64_t by);

  const std::vector<job>& jobs_;
  seconds window_from_;
  seconds window_to_;
  seconds now_ = 0;
  levels now_levels_;
  levels window_sum_;
  waited_by_cause waited_;
  time_series series_;
  std::vector<seconds> started_;
  std::vector<int> held_;
  std::map<int, counts_by_workers> idle_;  // waiting jobs that hold nothing, by GPUs per worker
  std::size_t ended_ = 0;
};

}  // namespace replay

#endif
