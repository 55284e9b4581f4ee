// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_BENCHMARKS_SUPPORT_SAMPLE_HPP
#define MUSTER_BENCHMARKS_SUPPORT_SAMPLE_HPP

// One number over the seeds of a study, and what it is more than another over the same seeds.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace muster_bench {

class sample {
 public:
  void add(double x) { values_.push_back(x); }
  [[nodiscard]] std::size_t size() const noexcept { return values_.size(); }
  [[nodiscard]] const std::vector<double>& values() const noexcept { return values_; }

  [[nodiscard]] double mean() const {
    double sum = 0;
    for (const double x : values_) sum += x;
    return values_.empty() ? 0 : sum / static_cast<double>(values_.size());
  }
  // Sample deviation.
  [[nodiscard]] double deviation() const {
    if (values_.size() < 2) return 0;
    double sum = 0;
    const double middle = mean();
    for (const double x : values_) sum += (x - middle) * (x - middle);
    return std::sqrt(sum / static_cast<double>(values_.size() - 1));
  }
  [[nodiscard]] double standard_error() const {
    return values_.empty() ? 0 : deviation() / std::sqrt(static_cast<double>(values_.size()));
  }

 private:
  std::vector<double> values_;
};

// Seed by seed, what `a` is more than `b`.
[[nodiscard]] inline sample paired_difference(const sample& a, const sample& b) {
  sample made;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) made.add(a.values()[i] - b.values()[i]);
  return made;
}

}  // namespace muster_bench

#endif
