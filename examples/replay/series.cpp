// SPDX-License-Identifier: BSL-1.0
#include "series.hpp"

#include "engine.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace replay {

void levels::add(const levels& rate, seconds length) {
  allocated += rate.allocated * length;
  useful += rate.useful * length;
  waiting_jobs += rate.waiting_jobs * length;
  holding_jobs += rate.holding_jobs * length;
}

time_series::time_series(seconds end, std::size_t bins) {
  const auto wanted = static_cast<seconds>(bins);
  width_ = std::max<seconds>(1, (end + wanted - 1) / wanted);
  sums_.resize(static_cast<std::size_t>((end + width_ - 1) / width_));
}

void time_series::add(seconds from, seconds to, const levels& rate) {
  while (from < to) {
    const seconds bin = from / width_;
    const seconds until = std::min(to, (bin + 1) * width_);
    sums_[static_cast<std::size_t>(bin)].add(rate, until - from);
    from = until;
  }
}

void write_series(const std::string& file, const std::vector<run_result>& runs) {
  std::ofstream out(file);
  out << "load,rule,from_s,measured,allocated_gpus,useful_gpus,waiting_jobs,holding_jobs\n";
  for (const run_result& one : runs) {
    for (std::size_t bin = 0; bin < one.series.bins(); ++bin) {
      const seconds from = static_cast<seconds>(bin) * one.series.width();
      const double length = static_cast<double>(std::min(one.series.width(), one.window_to - from));
      const levels& sum = one.series.sum(bin);
      char line[160];
      std::snprintf(line, sizeof line, "%lld,%d,%.1f,%.1f,%.1f,%.1f\n", static_cast<long long>(from),
                    from >= one.window_from ? 1 : 0, static_cast<double>(sum.allocated) / length,
                    static_cast<double>(sum.useful) / length, static_cast<double>(sum.waiting_jobs) / length,
                    static_cast<double>(sum.holding_jobs) / length);
      out << one.load << ',' << one.rule_key << ',' << line;
    }
  }
  out.close();
  if (!out) throw std::runtime_error(file + ": cannot be written");
}

}  // namespace replay
