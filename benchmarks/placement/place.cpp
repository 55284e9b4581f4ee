// SPDX-License-Identifier: BSL-1.0
// place/64x8/S/N          64 pods of 8 GPUs, GPUs alone counted
// place/512x1/S/N         512 pods of 1 GPU; .../devices: each GPU counted on its own
// place/64x8x3/S/N        64 pods of 8 GPUs, CPU and memory; no two nodes have the same
// place/64x8/40kinds/S/N  64 pods of 8 GPUs on 40 kinds of nodes, a quarter of which a filter excludes
// S is the state, N the number of nodes; where fewer than the gang needs are idle, nothing is asked.

#include "placement/ask.hpp"
#include "support/measure.hpp"
#include "support/scene.hpp"

#include <muster/placement/eligibility.hpp>
#include <muster/placement/options.hpp>

#include <cstddef>
#include <cstdint>

namespace {

using namespace muster_bench;

struct three_of_four_kinds {
  template <class M>
  muster::reason_code operator()(const muster::pod_group<M>&, std::size_t, muster::kind_id kind) const noexcept {
    return number(kind) % 4 == 3 ? muster::reason_code{1} : muster::eligible_node;
  }
};

[[maybe_unused]] const bool declared = [] {
  for (const std::int64_t n : cluster_sizes) {
    for (const filling how : all_fillings) {
      if (idle_nodes(how, n) <= 64) continue;
      declare("place/64x8", name(how), n,
              [=](benchmark::State& state) { measure_placing(state, scene_of<gpus>(how, n), 64, 8); });
      declare("place/512x1", name(how), n,
              [=](benchmark::State& state) { measure_placing(state, scene_of<gpus>(how, n), 512, 1); });
      declare("place/512x1/devices", name(how), n,
              [=](benchmark::State& state) { measure_placing(state, scene_of<single_gpus>(how, n), 512, 1); });
      declare("place/64x8x3", name(how), n,
              [=](benchmark::State& state) { measure_placing(state, scene_of<gpus_cpu_memory>(how, n), 64, 8); });
      declare("place/64x8/40kinds", name(how), n, [=](benchmark::State& state) {
        const muster::place_options<three_of_four_kinds> options;
        measure_placing(state, scene_of<gpus>(how, n, 40), 64, 8, options);
      });
    }
  }
  return true;
}();

}  // namespace
