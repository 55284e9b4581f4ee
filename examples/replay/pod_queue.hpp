// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_REPLAY_POD_QUEUE_HPP
#define MUSTER_REPLAY_POD_QUEUE_HPP

// Waiting pods in one queue by the time of their last attempt.
//
// A pod is tried when it enters. Whenever capacity has been freed the pods are tried from the head of the
// queue: one that fits takes its place, one that does not goes to the back. The attempts of a moment end when
// each size has failed once (what remains of that size would fail too); the pods not reached keep their place.
// So the failed pod of one job comes up again behind the pods of the next, and jobs take freed capacity in
// turn. With `failed_goes_back` off the queue stays in order of arrival, as if every pod had been tried.
//
// The queue is kept as one deque per pod size, merged by ticket, so a moment costs the pods that are placed
// and one failure a size, not the pods that wait.

#include "run_state.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <span>

namespace replay {

class pod_queue {
 public:
  explicit pod_queue(bool failed_goes_back) : failed_goes_back_(failed_goes_back) {}

  // All pods of these jobs enter and are tried; jobs of one moment in turn, one pod each.
  void enter(std::span<const std::size_t> jobs, run_state& state);
  // Capacity has been freed.
  void retry(run_state& state);

 private:
  struct waiting_pod {
    std::uint64_t ticket;
    std::size_t job_index;
  };
  struct one_size {
    std::deque<waiting_pod> pods;
    bool full = false;  // the last attempt failed, and nothing has been freed since
  };

  void try_once(std::size_t job_index, one_size& queue, run_state& state);

  bool failed_goes_back_;
  std::uint64_t next_ticket_ = 0;
  std::map<int, one_size> sizes_;
};

}  // namespace replay

#endif
