// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_REPLAY_POD_BY_POD_HPP
#define MUSTER_REPLAY_POD_BY_POD_HPP

// Pod by pod: nobody looks at gangs. Each pod takes a place as soon as it fits and holds it until its job ends;
// the job starts when its last pod is there. Jobs that each hold a part can wait for each other for ever.

#include "pod_queue.hpp"
#include "rule.hpp"

namespace replay {

class pod_by_pod : public rule {
 public:
  explicit pod_by_pod(bool failed_goes_back) : pods_(failed_goes_back) {}
  void arrived(std::span<const std::size_t> jobs, run_state& state) override { pods_.enter(jobs, state); }
  void ended(std::span<const std::size_t>, run_state& state) override { pods_.retry(state); }

 private:
  pod_queue pods_;
};

}  // namespace replay

#endif
