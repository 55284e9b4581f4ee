// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_REPLAY_WAITING_JOBS_HPP
#define MUSTER_REPLAY_WAITING_JOBS_HPP

// Waiting jobs by a size, answering "the first to arrive among those of at most this size".

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>

namespace replay {

class waiting_jobs {
 public:
  void add(std::int64_t size, std::size_t job_index) { by_size_[size].push_back(job_index); }

  // Jobs are numbered by arrival.
  [[nodiscard]] std::optional<std::size_t> first_within(std::int64_t limit) const {
    std::optional<std::size_t> first;
    for (auto entry = by_size_.begin(); entry != by_size_.end() && entry->first <= limit; ++entry) {
      if (!first || entry->second.front() < *first) first = entry->second.front();
    }
    return first;
  }

  // Takes out the first job of the size.
  void take(std::int64_t size) {
    const auto entry = by_size_.find(size);
    entry->second.pop_front();
    if (entry->second.empty()) by_size_.erase(entry);
  }

 private:
  std::map<std::int64_t, std::deque<std::size_t>> by_size_;
};

}  // namespace replay

#endif
