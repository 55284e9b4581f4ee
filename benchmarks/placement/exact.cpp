// SPDX-License-Identifier: BSL-1.0
// exact/boundary  gangs of unlike pods at the last yes and the first no
// exact/tight     gangs that ask all that prices allow; 2 to 5 pod sets
// exact/elastic   gangs whose min_count is all that prices allow
// exact/limited   gangs that may have only so many pods in a rack or zone: at the most that sit, and one more
// exact/openb     node and pod shapes of a trace, see exact_openb.hpp; left out where it is not there
// exact/hard      5 and 6 pod sets on four tight node types, and thousands of small pods on distinct nodes
// .../125         a few of them on 125 nodes
//
// An iteration asks one instance with a kept workspace; every instance is asked in `rounds` rounds and the least of its
// times counts. Answers are checked in the first round: a placement by verify(), a no by verify() of its certificate.
// Counters: percentiles over the instances, the answers, the most steps, what proved the noes, the widest gap of an
// undecided one, and bytes: the most held at once in a first call, and allocated by a second one.

#include <muster/placement/verify.hpp>
#include <muster/placement/verify_certificate.hpp>

#include "placement/ask.hpp"
#include "placement/exact_instances.hpp"
#include "placement/exact_openb.hpp"
#include "support/allocation.hpp"
#include "support/measure.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace muster_bench;

constexpr std::size_t rounds = 3;

struct findings {
  std::size_t yes = 0, no = 0, undecided = 0, by[6] = {}, unchecked = 0;
  std::uint64_t steps = 0;
  std::size_t gap = 0, first_bytes = 0, second_bytes = 0;
};

/// Counts an answer; what is wrong with it, or nothing.
const char* read(const instance& of, const muster::placement_answer<trio>& answer, findings& found) {
  const auto view = of.nodes->view();
  found.steps = std::max(found.steps, answer.steps);
  if (answer.fits()) {
    ++found.yes;
    return verify(view, of.group, std::span{answer.seats}).holds() ? nullptr : "a wrong placement";
  }
  if (answer.verdict == muster::verdict::undecided) {
    ++found.undecided;
    found.gap = std::max(found.gap, static_cast<std::size_t>(answer.lack.bound - answer.lack.seated));
    return nullptr;
  }
  if (!muster::is_proved_no(answer.verdict)) return "not an answer";
  ++found.no;
  for (const muster::domain_refusal& one : answer.proof.refusals)
    if (one.when == muster::tense::now) ++found.by[static_cast<std::size_t>(one.kind)];
  const auto checked = verify(view, of.group, answer.proof);
  if (checked.result == muster::proof::not_checkable) ++found.unchecked;
  return checked.result == muster::proof::refuted ? "a wrong certificate" : nullptr;
}

/// What a first and a second call allocate.
void weigh(const instance& of, findings& found) {
  muster::workspace<trio> space;
  const auto view = of.nodes->view();
  const muster_test::allocation_watch first;
  place(view, of.group, space);
  found.first_bytes = std::max(found.first_bytes, static_cast<std::size_t>(first.peak()));
  const muster_test::allocation_watch second;
  place(view, of.group, space);
  found.second_bytes = std::max(found.second_bytes, second.bytes());
}

void report(benchmark::State& state, std::vector<double> seconds, const findings& found) {
  std::sort(seconds.begin(), seconds.end());
  const auto at = [&](std::size_t percent) {
    return seconds.empty() ? 0 : 1e6 * seconds[std::max<std::size_t>(1, (seconds.size() * percent + 99) / 100) - 1];
  };
  const auto number = [](auto value) { return static_cast<double>(value); };
  state.counters["median_us"] = at(50);
  state.counters["p95_us"] = at(95);
  state.counters["max_us"] = at(100);
  state.counters["yes"] = number(found.yes);
  state.counters["no"] = number(found.no);
  state.counters["undecided"] = number(found.undecided);
  state.counters["gap"] = number(found.gap);
  state.counters["max_steps"] = number(found.steps);
  state.counters["by_slots"] = number(found.by[static_cast<std::size_t>(muster::proof_kind::slots)]);
  state.counters["by_capacity"] = number(found.by[static_cast<std::size_t>(muster::proof_kind::capacity)] +
                                         found.by[static_cast<std::size_t>(muster::proof_kind::capacity_of_minima)]);
  state.counters["by_prices"] = number(found.by[static_cast<std::size_t>(muster::proof_kind::prices)]);
  state.counters["by_search"] = number(found.by[static_cast<std::size_t>(muster::proof_kind::exhausted)]);
  state.counters["unchecked"] = number(found.unchecked);
  state.counters["first_bytes"] = number(found.first_bytes);
  state.counters["second_bytes"] = number(found.second_bytes);
}

void measure_instances(benchmark::State& state, const std::vector<instance>& of) {
  using clock = std::chrono::steady_clock;
  muster::workspace<trio> space;
  findings found;
  std::vector<double> least(of.size(), HUGE_VAL);
  std::size_t at = 0;
  for (const instance& one : of) weigh(one, found);
  for ([[maybe_unused]] auto iteration : state) {
    const std::size_t which = at % of.size();
    const instance& one = of[which];
    const auto view = one.nodes->view();
    const clock::time_point begin = clock::now();
    std::uint64_t sum = read_whole<trio>(place(view, one.group, space));
    benchmark::DoNotOptimize(sum);
    const double took = std::chrono::duration<double>(clock::now() - begin).count();
    state.SetIterationTime(took);
    least[which] = std::min(least[which], took);
    if (at++ >= of.size()) continue;
    if (const char* wrong = read(one, space.answer, found); wrong != nullptr) {
      state.SkipWithError(wrong);
      break;
    }
  }
  report(state, std::move(least), found);
}

void declare_exact(const std::string& name, std::size_t count, std::function<std::vector<instance>()> draw) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [draw](benchmark::State& state) {
                                 const std::vector<instance> drawn = draw();
                                 if (drawn.empty()) {
                                   report(state, {}, {});
                                   state.SkipWithError("skipped: no trace; MUSTER_SHARED_DIR names its folder");
                                   return;
                                 }
                                 measure_instances(state, drawn);
                               })
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond)
      ->Iterations(static_cast<benchmark::IterationCount>(rounds * count));
}

std::vector<instance> draw_hard(std::size_t few_nodes, std::size_t nodes, std::size_t count) {
  std::vector<instance> made = draw_few_types(few_nodes, count - count / 5);
  for (instance& one : draw_small_pods(nodes, count / 5)) made.push_back(std::move(one));
  return made;
}

std::vector<instance> draw_from_trace(std::size_t nodes, std::size_t count) {
  const openb_trace trace = read_openb();
  return trace.empty() ? std::vector<instance>{} : draw_openb(trace, nodes, count);
}

[[maybe_unused]] const bool declared = [] {
  declare_exact("exact/boundary", 200, [] { return draw_boundary(1250, 100); });
  declare_exact("exact/tight", 160, [] { return draw_tight(1250, 160); });
  declare_exact("exact/elastic", 120, [] { return draw_elastic(1250, 120); });
  declare_exact("exact/limited", 96, [] { return draw_limited(1250, 48); });
  declare_exact("exact/openb", 120, [] { return draw_from_trace(1250, 120); });
  declare_exact("exact/hard", 60, [] { return draw_hard(100, 1250, 60); });
  declare_exact("exact/boundary/125", 16, [] { return draw_boundary(125, 8); });
  declare_exact("exact/tight/125", 8, [] { return draw_tight(125, 8); });
  declare_exact("exact/elastic/125", 8, [] { return draw_elastic(125, 8); });
  declare_exact("exact/limited/125", 12, [] { return draw_limited(125, 6); });
  declare_exact("exact/hard/125", 5, [] { return draw_hard(30, 125, 5); });
  return true;
}();

}  // namespace
