// SPDX-License-Identifier: BSL-1.0
// rank/64x1/S/N      which of 100 racks hold 64 pods of 1 GPU, fullest first, GPUs alone counted
// rank/64x1x3/S/N    the same with CPU and memory; no two nodes have the same
// rank/3sets/S/N     the same, GPUs alone, for three pod sets: of 1, 2 and 4 GPUs
// Nothing is placed. S is the state, N the number of nodes.

#include "support/measure.hpp"
#include "support/scene.hpp"

#include <muster/placement/rank_domains.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

using namespace muster_bench;

constexpr std::uint64_t racks = 100;
constexpr muster::topology_level rack{0};

/// The least and the most slots, node by node, of the racks that hold the gang.
template <class M>
bool is_right(const muster::snapshot<M>& view, const muster::pod_set<M>& pods, const muster::domain_ranking& ranking) {
  std::vector<muster::pod_count> slots(view.domains(0), 0);
  for (std::uint32_t p = 0; p < view.size(); ++p)
    if (view.open(p)) slots[view.domain_of(p, 0)] += M::count_fitting(view.now(p), pods.request, muster::max_pods_per_group);
  std::size_t held = 0;
  for (const muster::pod_count each : slots) held += each >= pods.count ? 1U : 0U;
  muster::pod_count before = 0;
  for (const muster::ranked_domain& one : ranking.domains) {
    if (one.slots < before || one.slots != slots[one.domain] || one.slots < pods.count) return false;
    before = one.slots;
  }
  return held == ranking.domains.size();
}

template <class M>
void measure_ranking(benchmark::State& state, scene<M>& in, const std::vector<muster::pod_set<M>>& sets) {
  muster::workspace<M> space;
  std::vector<muster::domain_ranking> made(sets.size());
  measure(
      state, [&](std::uint64_t round) { in.move_probe(round); },
      [&] {
        std::uint64_t sum = 0;
        for (std::size_t s = 0; s < sets.size(); ++s) {
          rank_domains(in.model.view(), sets[s], rack, space, made[s]);
          for (const muster::ranked_domain& one : made[s].domains) sum += one.domain + static_cast<std::uint64_t>(one.slots);
        }
        return sum;
      },
      [&](std::uint64_t round) -> const char* {
        if (round % 64 != 0) return nullptr;
        for (std::size_t s = 0; s < sets.size(); ++s)
          if (!is_right(in.model.view(), sets[s], made[s])) return "a wrong ranking";
        return nullptr;
      });
}

template <class M>
muster::pod_set<M> gang(std::uint32_t gpus_each) {
  return {amounts_of<M>::pod(gpus_each), 64, 0};
}

[[maybe_unused]] const bool declared = [] {
  for (const std::int64_t n : {std::int64_t{125}, std::int64_t{1'250}, std::int64_t{12'500}}) {
    for (const filling how : all_fillings) {
      declare("rank/64x1", name(how), n, [=](benchmark::State& state) {
        measure_ranking<gpus>(state, scene_of<gpus>(how, n, 1, racks), {gang<gpus>(1)});
      });
      declare("rank/64x1x3", name(how), n, [=](benchmark::State& state) {
        measure_ranking<gpus_cpu_memory>(state, scene_of<gpus_cpu_memory>(how, n, 1, racks), {gang<gpus_cpu_memory>(1)});
      });
      declare("rank/3sets", name(how), n, [=](benchmark::State& state) {
        measure_ranking<gpus>(state, scene_of<gpus>(how, n, 1, racks), {gang<gpus>(1), gang<gpus>(2), gang<gpus>(4)});
      });
    }
  }
  return true;
}();

}  // namespace
