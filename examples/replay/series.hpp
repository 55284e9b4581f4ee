// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_REPLAY_SERIES_HPP
#define MUSTER_REPLAY_SERIES_HPP

// What held over time, as means over bins of equal width.

#include "trace.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace replay {

// What holds at one moment, or its sum over seconds.
struct levels {
  std::int64_t allocated = 0;     // GPUs held by pods
  std::int64_t useful = 0;        // of these, GPUs whose whole gang is there
  std::int64_t waiting_jobs = 0;  // jobs not started
  std::int64_t holding_jobs = 0;  // of these, jobs that hold some GPUs

  void add(const levels& rate, seconds length);
};

class time_series {
 public:
  time_series(seconds end, std::size_t bins);

  // The levels held from from to to.
  void add(seconds from, seconds to, const levels& rate);

  [[nodiscard]] std::size_t bins() const { return sums_.size(); }
  [[nodiscard]] seconds width() const { return width_; }
  [[nodiscard]] const levels& sum(std::size_t bin) const { return sums_[bin]; }

 private:
  seconds width_;
  std::vector<levels> sums_;
};

struct run_result;

// One line a bin and run: load,rule,from_s,measured,allocated_gpus,useful_gpus,waiting_jobs,holding_jobs.
void write_series(const std::string& file, const std::vector<run_result>& runs);

}  // namespace replay

#endif
