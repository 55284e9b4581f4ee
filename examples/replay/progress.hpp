// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_REPLAY_PROGRESS_HPP
#define MUSTER_REPLAY_PROGRESS_HPP

// A line on the error stream every two seconds of a run, so that a long one can be told from a hung one.

#include "trace.hpp"

#include <chrono>
#include <cstddef>
#include <string>

namespace replay {

class progress {
 public:
  explicit progress(bool quiet) : quiet_(quiet) {}
  void begin(const std::string& load, const std::string& rule, std::size_t jobs);
  void at(std::size_t arrived, seconds now);
  void end();

 private:
  using clock = std::chrono::steady_clock;

  bool quiet_;
  std::string title_;
  std::size_t jobs_ = 0;
  std::size_t calls_ = 0;
  clock::time_point begin_;
  clock::time_point said_;
};

}  // namespace replay

#endif
