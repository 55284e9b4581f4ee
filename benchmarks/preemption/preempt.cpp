// SPDX-License-Identifier: BSL-1.0
// preempt/kubernetes/64x8/L/N   Kubernetes' rule: a gang of 64 pods of 8 GPUs on a full cluster laid out as L
// preempt/cheapest/64x8/L/N     the cheapest victims for it
// preempt/cheapest/mixed3/L/N   24 pods of 8 GPUs, 48 of 4, 64 of 2
// preempt/cheapest/mixed4/L/N   16 pods of 8 GPUs, 16 of 4, 64 of 1, and 8 without
//
// An iteration asks one cluster of several with a kept space; each is asked in `rounds` rounds and the least of its times
// counts. Answers are checked in the first round. Counters: percentiles over the clusters, how many optima are proved,
// the widest gap left of cost in thousandths, and once more where the search is stopped early, steps, gangs a cluster,
// and the most bytes that a second call with the same space allocates.

#include "preemption/full_cluster.hpp"
#include "support/allocation.hpp"
#include "support/measure.hpp"

#include <muster/preemption/cheapest_victims.hpp>
#include <muster/preemption/preempt_group.hpp>
#include <muster/preemption/verify_victims.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace muster_bench;
using model = full_cluster::model_type;
using group = muster::pod_group<model>;
using clock_type = std::chrono::steady_clock;

constexpr std::size_t rounds = 3;

/// Ends a search after a time.
struct until {
  clock_type::time_point end;
  bool operator()() const { return clock_type::now() >= end; }
};

/// Of the cost, in thousandths; all of it where nothing was found.
template <class Plan>
double gap(const Plan& plan) {
  if (!plan.evicts()) return plan.proved ? 0 : 1000;
  const double cost = static_cast<double>(plan.cost.part[0]), bound = static_cast<double>(plan.bound.part[0]);
  return plan.proved || cost == 0 ? 0 : 1000 * (cost - bound) / cost;
}

struct findings {
  std::size_t proved = 0, evicts = 0, units = 0, bytes = 0;
  double gap = 0, early_gap = 0;
  std::uint64_t steps = 0, gangs = 0;
};

struct cheapest {
  muster::victim_space<model> space;

  const auto& ask(full_cluster& on, const group& asks) { return muster::cheapest_victims(on.view(), asks, space); }
  const char* check(full_cluster& on, const group& asks, std::chrono::milliseconds early, findings& found) {
    const auto view = on.view();
    const muster_test::allocation_watch watch;
    const auto& plan = muster::cheapest_victims(view, asks, space);
    found.bytes = std::max(found.bytes, watch.bytes());
    if (plan.proved) ++found.proved;
    if (plan.evicts()) ++found.evicts;
    found.units = std::max(found.units, plan.victims.units.size());
    found.gap = std::max(found.gap, gap(plan));
    found.steps = std::max(found.steps, plan.steps);
    if (plan.evicts() && !muster::verify_victims(view, asks, plan).holds()) return "a wrong set of victims";
    muster::victim_options<muster::lost_work<>, muster::anyone, muster::everywhere, until> stopped{};
    stopped.stop.end = clock_type::now() + early;
    found.early_gap = std::max(found.early_gap, gap(muster::cheapest_victims(view, asks, space, stopped)));
    return nullptr;
  }
};

struct kubernetes {
  muster::preempt_space<model> space;

  const auto& ask(full_cluster& on, const group& asks) { return muster::preempt_group(on.view(), asks, space); }
  const char* check(full_cluster& on, const group& asks, std::chrono::milliseconds, findings& found) {
    const muster_test::allocation_watch watch;
    const auto& plan = ask(on, asks);
    found.bytes = std::max(found.bytes, watch.bytes());
    if (plan.evicts()) ++found.evicts;
    found.units = std::max(found.units, plan.victims.units.size());
    return nullptr;
  }
};

template <class Algorithm>
void measure_clusters(benchmark::State& state, layout how, std::uint64_t nodes, std::size_t count, const group& asks,
                      std::chrono::milliseconds early) {
  std::vector<std::unique_ptr<full_cluster>> clusters;
  for (std::size_t c = 0; c < count; ++c) clusters.push_back(std::make_unique<full_cluster>(how, nodes, c + 1));
  Algorithm algorithm;
  findings found;
  std::vector<double> least(count, HUGE_VAL);
  std::size_t at = 0;
  for ([[maybe_unused]] auto iteration : state) {
    full_cluster& on = *clusters[at % count];
    const auto begin = clock_type::now();
    const auto& plan = algorithm.ask(on, asks);
    auto sum = static_cast<std::uint64_t>(plan.outcome) + static_cast<std::uint64_t>(plan.cost.part[0]);
    for (const auto& seat : plan.seats) sum += number(seat.node) + static_cast<std::uint64_t>(seat.count);
    for (const auto* pod : plan.victims.pods) sum += number(pod->id);
    benchmark::DoNotOptimize(sum);
    const double took = std::chrono::duration<double>(clock_type::now() - begin).count();
    state.SetIterationTime(took);
    least[at % count] = std::min(least[at % count], took);
    if (at++ >= count) continue;
    found.gangs = std::max(found.gangs, on.gangs());
    if (const char* wrong = algorithm.check(on, asks, early, found); wrong != nullptr) {
      state.SkipWithError(wrong);
      break;
    }
  }
  std::sort(least.begin(), least.end());
  state.counters["median_us"] = 1e6 * least[count / 2];
  state.counters["max_us"] = 1e6 * least.back();
  state.counters["clusters"] = static_cast<double>(count);
  state.counters["gangs"] = static_cast<double>(found.gangs);
  state.counters["evicts"] = static_cast<double>(found.evicts);
  state.counters["units"] = static_cast<double>(found.units);
  state.counters["proved"] = static_cast<double>(found.proved);
  state.counters["gap"] = found.gap;
  state.counters["early_gap"] = found.early_gap;
  state.counters["max_steps"] = static_cast<double>(found.steps);
  state.counters["second_bytes"] = static_cast<double>(found.bytes);
}

template <class Algorithm>
void declare_preempt(const std::string& what, const group& asks, std::uint64_t nodes) {
  for (const layout how : {layout::packed, layout::scattered}) {
    const std::size_t count = nodes > 10'000 ? 3 : nodes < 1'000 ? 2 : how == layout::packed ? 12 : 9;
    const std::chrono::milliseconds early{how == layout::packed ? 20 : 100};
    declare("preempt/" + what, name(how), static_cast<std::int64_t>(nodes),
            [=](benchmark::State& state) { measure_clusters<Algorithm>(state, how, nodes, count, asks, early); })
        ->Iterations(static_cast<benchmark::IterationCount>(rounds * count));
  }
}

[[maybe_unused]] const bool declared = [] {
  const group alike = full_cluster::asking({{64, 8}});
  for (const std::uint64_t nodes : {125U, 1'250U, 12'500U}) {
    declare_preempt<kubernetes>("kubernetes/64x8", alike, nodes);
    declare_preempt<cheapest>("cheapest/64x8", alike, nodes);
  }
  for (const std::uint64_t nodes : {125U, 1'250U}) {
    declare_preempt<cheapest>("cheapest/mixed3", full_cluster::asking({{24, 8}, {48, 4}, {64, 2}}), nodes);
    declare_preempt<cheapest>("cheapest/mixed4", full_cluster::asking({{16, 8}, {16, 4}, {64, 1}, {8, 0}}), nodes);
  }
  return true;
}();

}  // namespace
