// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_BENCHMARKS_SUPPORT_MEASURE_HPP
#define MUSTER_BENCHMARKS_SUPPORT_MEASURE_HPP

/// \file
/// One way to measure a decision.
///
/// Every iteration first changes the state, so that no question is asked twice, then asks and reads the whole answer, then
/// checks it. The time is that of asking and reading alone, between two readings of the clock; what a reading costs is
/// in it and is reported by floor/clock. Beside the mean that Google Benchmark prints stand two counters:
///
/// - median_us: the median of the iterations, which a busy machine disturbs less; the figures are made of it;
/// - change_us: the median of what the change of state before a question cost, which is in no other number.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace muster_bench {

inline constexpr std::int64_t cluster_sizes[] = {125, 1'250, 12'500, 125'000, 1'000'000};

/// Times of many iterations; of the first few ten thousand where there are more.
class samples {
 public:
  samples() { kept_.reserve(most); }
  void add(double seconds) {
    if (kept_.size() < most) kept_.push_back(seconds);
  }
  [[nodiscard]] double median() {
    if (kept_.empty()) return 0;
    const auto middle = kept_.begin() + static_cast<std::ptrdiff_t>(kept_.size() / 2);
    std::nth_element(kept_.begin(), middle, kept_.end());
    return *middle;
  }

 private:
  static constexpr std::size_t most = 1U << 15U;
  std::vector<double> kept_;
};

/// \param change (round) makes the state a new one
/// \param ask () decides, and returns a number made of the whole answer
/// \param check (round) what is wrong with the answer, or nothing
/// \param questions how many `ask` asks at once; the times are those of one
template <class Change, class Ask, class Check>
void measure(benchmark::State& state, Change&& change, Ask&& ask, Check&& check, double questions = 1) {
  using clock = std::chrono::steady_clock;
  using seconds = std::chrono::duration<double>;
  samples changing, asking;
  std::uint64_t round = 0;
  for ([[maybe_unused]] auto iteration : state) {
    const clock::time_point begin = clock::now();
    change(round);
    const clock::time_point changed = clock::now();
    std::uint64_t read = ask();
    benchmark::DoNotOptimize(read);
    const clock::time_point answered = clock::now();
    const double took = seconds{answered - changed}.count() / questions;
    state.SetIterationTime(took);
    asking.add(took);
    changing.add(seconds{changed - begin}.count());
    if (const char* wrong = check(round); wrong != nullptr) {
      state.SkipWithError(wrong);
      break;
    }
    ++round;
  }
  state.counters["median_us"] = asking.median() * 1e6;
  state.counters["change_us"] = changing.median() * 1e6;
}

/// A benchmark called "what/state/nodes".
template <class Body>
benchmark::internal::Benchmark* declare(const std::string& what, const std::string& in, std::int64_t nodes, Body body) {
  const std::string name = what + "/" + in + (in.empty() ? "" : "/") + std::to_string(nodes);
  return benchmark::RegisterBenchmark(name.c_str(), body)->UseManualTime()->Unit(benchmark::kMicrosecond);
}

}  // namespace muster_bench

#endif
