// SPDX-License-Identifier: BSL-1.0
// apply/bind_end/S/N: two changes, a pod gets its node and, 32 pods later, ends. Three topology levels; the pods belong to
// gangs and were seen before (change_us: what that took). The time is that of one pod, both changes together.

#include "support/measure.hpp"
#include "support/scene.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace {

using namespace muster_bench;

constexpr std::size_t batch = 1024, running = 32, gangs = 64;

template <class M>
void measure_bind_end(benchmark::State& state, scene<M>& in) {
  const auto request = amounts_of<M>::pod(1);
  std::array<muster::group_id, gangs> groups;
  for (auto& group : groups) group = in.see_group(request, batch / gangs);
  std::array<muster::pod_id, batch> pods;
  std::array<muster::node_id, batch> nodes;
  std::uint64_t next = 0;
  measure(
      state,
      [&](std::uint64_t) {
        for (std::size_t i = 0; i < batch; ++i) {
          pods[i] = in.see_pod(request, groups[i % gangs]);
          nodes[i] = in.idle[(next += 7919) % in.idle.size()];
        }
      },
      [&] {
        for (std::size_t i = 0; i < batch + running; ++i) {
          if (i < batch) in.place_pod(pods[i], nodes[i]);
          if (i >= running) in.end_pod(pods[i - running]);
        }
        return number(pods[0]);
      },
      [&](std::uint64_t) -> const char* {
        const auto view = in.model.view();
        for (const muster::pod_id pod : pods) {
          const auto* record = view.pod(pod);
          if (record == nullptr || record->phase != muster::phase::succeeded || record->charged) return "a pod not over";
        }
        return view.population(gpus_per_node) == in.free_nodes() ? nullptr : "capacity not given back";
      },
      batch);
}

[[maybe_unused]] const bool declared = [] {
  for (const std::int64_t n : cluster_sizes)
    for (const filling how : all_fillings)
      declare("apply/bind_end", name(how), n,
              [=](benchmark::State& state) { measure_bind_end(state, scene_of<gpus>(how, n)); })
          ->Iterations(64);
  return true;
}();

}  // namespace
