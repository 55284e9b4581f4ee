// SPDX-License-Identifier: BSL-1.0
#include "quota_then_pods.hpp"

namespace replay {

void quota_then_pods::let_in(run_state& state) {
  entering_.clear();
  while (const auto first = outside_.first_within(unpromised_)) {
    const std::int64_t need = gpus_of(state.at(*first));
    outside_.take(need);
    unpromised_ -= need;
    entering_.push_back(*first);
  }
  pods_.enter(entering_, state);
}

void quota_then_pods::arrived(std::span<const std::size_t> jobs, run_state& state) {
  for (const std::size_t job_index : jobs) outside_.add(gpus_of(state.at(job_index)), job_index);
  let_in(state);
}

void quota_then_pods::ended(std::span<const std::size_t> jobs, run_state& state) {
  for (const std::size_t job_index : jobs) unpromised_ += gpus_of(state.at(job_index));
  pods_.retry(state);
  let_in(state);
}

}  // namespace replay
