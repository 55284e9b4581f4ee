// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_REPLAY_QUOTA_THEN_PODS_HPP
#define MUSTER_REPLAY_QUOTA_THEN_PODS_HPP

// Quota, then pod by pod: a job is let in, in order of arrival among those that pass, when the GPUs not promised
// to jobs let in earlier cover it in sum; where they lie is not asked. A job let in counts whole against the sum
// until it ends, placed or not. Its pods are then placed one by one, by the same queue as pod by pod.

#include "pod_queue.hpp"
#include "rule.hpp"
#include "waiting_jobs.hpp"

#include <cstdint>

namespace replay {

class quota_then_pods : public rule {
 public:
  explicit quota_then_pods(std::int64_t gpus) : unpromised_(gpus), pods_(true) {}
  void arrived(std::span<const std::size_t> jobs, run_state& state) override;
  void ended(std::span<const std::size_t> jobs, run_state& state) override;

 private:
  void let_in(run_state& state);

  std::int64_t unpromised_;
  waiting_jobs outside_;
  std::vector<std::size_t> entering_;
  pod_queue pods_;
};

}  // namespace replay

#endif
