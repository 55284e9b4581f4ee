// SPDX-License-Identifier: BSL-1.0
#include "progress.hpp"

#include <cstdio>

namespace replay {

void progress::begin(const std::string& load, const std::string& rule, std::size_t jobs) {
  title_ = "load " + load + ", " + rule;
  jobs_ = jobs;
  calls_ = 0;
  begin_ = said_ = clock::now();
}

void progress::at(std::size_t arrived, seconds now) {
  if (quiet_ || ++calls_ % 1024 != 0) return;
  const auto time = clock::now();
  if (time - said_ < std::chrono::seconds(2)) return;
  said_ = time;
  std::fprintf(stderr, "  %s: day %.1f, %zu of %zu jobs have arrived\n", title_.c_str(),
               static_cast<double>(now) / 86'400.0, arrived, jobs_);
}

void progress::end() {
  if (quiet_) return;
  std::fprintf(stderr, "  %s: done in %.1f s\n", title_.c_str(),
               std::chrono::duration<double>(clock::now() - begin_).count());
}

}  // namespace replay
