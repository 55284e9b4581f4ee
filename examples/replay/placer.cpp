// SPDX-License-Identifier: BSL-1.0
#include "placer.hpp"

#include <algorithm>
#include <chrono>

namespace replay {

namespace {

class stopwatch {
 public:
  explicit stopwatch(double& sum) : sum_(sum), begin_(std::chrono::steady_clock::now()) {}
  ~stopwatch() { sum_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }
  stopwatch(const stopwatch&) = delete;
  stopwatch& operator=(const stopwatch&) = delete;

 private:
  double& sum_;
  std::chrono::steady_clock::time_point begin_;
};

std::size_t index(int value) { return static_cast<std::size_t>(value); }

}  // namespace

cluster_placer::cluster_placer(const node_list& nodes) : free_(nodes) {
  const int most = *std::max_element(nodes.begin(), nodes.end());
  by_free_.resize(index(most) + 1);
  nodes_by_free_.resize(index(most) + 1);
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    by_free_[index(nodes[node])].insert(static_cast<int>(node));
    ++nodes_by_free_[index(nodes[node])];
    total_gpus_ += nodes[node];
  }
  free_gpus_ = total_gpus_;
}

void cluster_placer::change_free(int node, int by) {
  int& free = free_[index(node)];
  by_free_[index(free)].erase(node);
  --nodes_by_free_[index(free)];
  free += by;
  by_free_[index(free)].insert(node);
  ++nodes_by_free_[index(free)];
  free_gpus_ += by;
}

gang_answer cluster_placer::place_gang(std::size_t, int workers, int gpus_per_worker) {
  ++decisions_;
  shares_.clear();
  int sat = 0;
  {
    const stopwatch timed(decision_seconds_);
    for (std::size_t free = index(gpus_per_worker); free < by_free_.size() && sat < workers; ++free) {
      for (const int node : by_free_[free]) {
        const int count = std::min(workers - sat, static_cast<int>(free) / gpus_per_worker);
        shares_.push_back({node, count});
        sat += count;
        if (sat == workers) break;
      }
    }
  }
  if (sat < workers) return {false, sat, {}};
  for (const share& one : shares_) change_free(one.node, -one.count * gpus_per_worker);
  return {true, sat, shares_};
}

std::optional<int> cluster_placer::place_one_pod(std::size_t job_index, int, int gpus_per_worker) {
  const gang_answer answer = place_gang(job_index, 1, gpus_per_worker);
  if (!answer.fits) return std::nullopt;
  return answer.shares.front().node;
}

void cluster_placer::release(std::size_t, int gpus_per_worker, std::span<const share> shares) {
  for (const share& one : shares) change_free(one.node, one.count * gpus_per_worker);
}

std::int64_t cluster_placer::room_for(int gpus_per_worker) const {
  std::int64_t pods = 0;
  for (std::size_t free = index(gpus_per_worker); free < nodes_by_free_.size(); ++free) {
    pods += nodes_by_free_[free] * (static_cast<std::int64_t>(free) / gpus_per_worker);
  }
  return pods;
}

}  // namespace replay
