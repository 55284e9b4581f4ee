// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_BENCHMARKS_SUPPORT_MEASURE_HPP
#define MUSTER_BENCHMARKS_SUPPORT_MEASURE_HPP

/// \file
/// One way to measure a decision.
///
/// Every iteration first changes the state, so that no question is asked twice, then asks and reads the whole answer, then
/// checks it. The reported time is that of asking and reading alone, taken between two readings of the clock; what a reading costs is
/// in it and is reported by floor/clock. What the change cost is reported beside it as the counter change_us.

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdint>
#include <string>

namespace muster_bench {

inline constexpr std::int64_t cluster_sizes[] = {125, 1'250, 12'500, 125'000, 1'000'000};

/// \param change (round) makes the state a new one
/// \param ask () decides, and returns a number made of the whole answer
/// \param check (round) what is wrong with the answer, or nothing
/// \param questions how many `ask` asks at once; the time reported is that of one
template <class Change, class Ask, class Check>
void measure(benchmark::State& state, Change&& change, Ask&& ask, Check&& check, double questions = 1) {
  using clock = std::chrono::steady_clock;
  using seconds = std::chrono::duration<double>;
  std::uint64_t round = 0;
  seconds changing{0};
  for ([[maybe_unused]] auto iteration : state) {
    const clock::time_point begin = clock::now();
    change(round);
    const clock::time_point changed = clock::now();
    std::uint64_t read = ask();
    benchmark::DoNotOptimize(read);
    const clock::time_point answered = clock::now();
    state.SetIterationTime(seconds{answered - changed}.count() / questions);
    changing += changed - begin;
    if (const char* wrong = check(round); wrong != nullptr) {
      state.SkipWithError(wrong);
      break;
    }
    ++round;
  }
  state.counters["change_us"] = benchmark::Counter(changing.count() * 1e6, benchmark::Counter::kAvgIterations);
}

/// A benchmark called "what/state/nodes".
template <class Body>
benchmark::internal::Benchmark* declare(const std::string& what, const std::string& in, std::int64_t nodes, Body body) {
  const std::string name = what + "/" + in + (in.empty() ? "" : "/") + std::to_string(nodes);
  return benchmark::RegisterBenchmark(name.c_str(), body)->UseManualTime()->Unit(benchmark::kMicrosecond);
}

}  // namespace muster_bench

#endif
