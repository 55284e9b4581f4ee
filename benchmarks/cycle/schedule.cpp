// SPDX-License-Identifier: BSL-1.0
// schedule/1000/S/N: one whole turn over a queue of 1,000 gangs of 1 to 16 pods of 1, 2, 4 or 8 GPUs.

#include "placement/ask.hpp"
#include "support/measure.hpp"
#include "support/scene.hpp"

#include <muster/cycle/schedule.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace {

using namespace muster_bench;

constexpr std::size_t queued = 1000;

void measure_turn(benchmark::State& state, scene<gpus>& in) {
  std::vector<muster::group_id> queue;
  muster::pod_count asked = 0;
  seeded draw{77};
  for (std::size_t g = 0; g < queued; ++g) {
    const auto each = std::uint32_t{1} << draw.below(4);
    const auto pods = static_cast<muster::pod_count>(1 + draw.below(16));
    queue.push_back(in.see_group(amounts_of<gpus>::pod(each), pods));
    for (muster::pod_count p = 0; p < pods; ++p) (void)in.see_pod(amounts_of<gpus>::pod(each), queue.back());
    asked += pods * each;
  }
  muster::schedule_space<gpus> space;
  measure(
      state, [&](std::uint64_t round) { in.move_probe(round); },
      [&] {
        const auto& plan = schedule(in.model.view(), std::span<const muster::group_id>{queue}, space);
        std::uint64_t sum = 0;
        for (const auto& action : plan.actions)
          sum += number(action.id) + number(action.group) + static_cast<std::uint64_t>(action.kind) +
                 static_cast<std::uint64_t>(action.placed) + static_cast<std::uint64_t>(action.lack.seated);
        for (const auto& seat : plan.seats)
          sum += number(seat.node) + static_cast<std::uint64_t>(seat.count) + read_grant(seat.grant);
        for (const muster::pod_id pod : plan.pods) sum += number(pod);
        return sum;
      },
      [&](std::uint64_t) -> const char* {
        if (space.plan.actions.size() != queued) return "an action missing";
        muster::amount taken = 0;
        for (const auto& seat : space.plan.seats) taken += seat.grant[0];
        const muster::amount free = muster::amount{in.free_nodes()} * gpus_per_node;
        if (taken > free) return "more taken than there is";
        return taken == asked || taken > free - gpus_per_node * 16 ? nullptr : "less placed than fits";
      });
}

[[maybe_unused]] const bool declared = [] {
  for (const std::int64_t n : cluster_sizes)
    for (const filling how : all_fillings)
      declare("schedule/1000", name(how), n, [=](benchmark::State& state) { measure_turn(state, scene_of<gpus>(how, n)); })
          ->Iterations(32);
  return true;
}();

}  // namespace
