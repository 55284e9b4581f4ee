// SPDX-License-Identifier: BSL-1.0
#include "ledger.hpp"

#include <algorithm>
#include <stdexcept>

namespace replay {

void counts_by_workers::add(int workers, std::int64_t by) {
  all_ += by;
  for (auto at = static_cast<std::size_t>(workers); at < sums_.size(); at += at & (~at + 1)) sums_[at] += by;
}

std::int64_t counts_by_workers::up_to(std::int64_t workers) const {
  const auto most = static_cast<std::int64_t>(sums_.size()) - 1;
  std::int64_t sum = 0;
  for (auto at = static_cast<std::size_t>(std::clamp<std::int64_t>(workers, 0, most)); at > 0; at &= at - 1) {
    sum += sums_[at];
  }
  return sum;
}

ledger::ledger(const std::vector<job>& jobs, seconds window_from, seconds window_to)
    : jobs_(jobs),
      window_from_(window_from),
      window_to_(window_to),
      series_(window_to, 800),
      started_(jobs.size(), never),
      held_(jobs.size()) {
  std::map<int, int> most_workers;
  for (const job& one : jobs) {
    int& most = most_workers[one.gpus_per_worker];
    most = std::max(most, one.workers);
  }
  for (const auto& [gpus, most] : most_workers) idle_.emplace(gpus, counts_by_workers(most));
}

void ledger::advance(seconds to, const cluster_placer& cluster) {
  if (now_levels_.allocated + cluster.free_gpus() != cluster.total_gpus()) {
    throw std::logic_error("the pods' GPUs and the free GPUs do not add up to the cluster's");
  }
  if (now_levels_.useful > now_levels_.allocated) throw std::logic_error("more GPUs useful than allocated");
  for (const seconds edge : {window_from_, window_to_}) {
    if (now_ < edge && edge < to) advance_part(edge, cluster);
  }
  advance_part(to, cluster);
}

void ledger::advance_part(seconds to, const cluster_placer& cluster) {
  const seconds from = now_;
  const seconds length = to - from;
  now_ = to;
  if (length <= 0 || from >= window_to_) return;
  series_.add(from, to, now_levels_);
  if (from < window_from_) return;
  window_sum_.add(now_levels_, length);
  waited_.members += now_levels_.holding_jobs * length;
  for (const auto& [gpus, counts] : idle_) {
    if (counts.all() == 0) continue;
    const std::int64_t fitting = counts.up_to(cluster.room_for(gpus));
    const std::int64_t covered = counts.up_to(cluster.free_gpus() / gpus);
    waited_.order += fitting * length;
    waited_.fragmentation += (covered - fitting) * length;
    waited_.capacity += (counts.all() - covered) * length;
  }
}

void ledger::count_idle(std::size_t job_index, std::int64_t by) {
  const job& one = jobs_[job_index];
  idle_.at(one.gpus_per_worker).add(one.workers, by);
}

void ledger::arrive(std::size_t job_index) {
  ++now_levels_.waiting_jobs;
  count_idle(job_index, 1);
}

void ledger::hold(std::size_t job_index, int pods) {
  if (held_[job_index] == 0) {
    count_idle(job_index, -1);
    ++now_levels_.holding_jobs;
  }
  held_[job_index] += pods;
  if (held_[job_index] > jobs_[job_index].workers) throw std::logic_error("a job holds more pods than it has");
  now_levels_.allocated += std::int64_t{pods} * jobs_[job_index].gpus_per_worker;
}

void ledger::start(std::size_t job_index) {
  if (held_[job_index] != jobs_[job_index].workers) throw std::logic_error("a job starts without all its pods");
  started_[job_index] = now_;
  --now_levels_.waiting_jobs;
  --now_levels_.holding_jobs;
  now_levels_.useful += gpus_of(jobs_[job_index]);
}

void ledger::end(std::size_t job_index) {
  now_levels_.allocated -= gpus_of(jobs_[job_index]);
  now_levels_.useful -= gpus_of(jobs_[job_index]);
  held_[job_index] = 0;
  ++ended_;
}

}  // namespace replay
