// SPDX-License-Identifier: BSL-1.0
// refuse/64x8/S/N            one pod of 8 GPUs more than fits, verdict and counts; .../explained: with its sentence
// place/largest/S/N          beside it, the largest gang that fits
// refuse/64x8x3, place/largest_x3, refuse/512x1/devices, place/largest/devices: the same with three resources, and GPU by GPU

#include "placement/ask.hpp"
#include "support/measure.hpp"
#include "support/scene.hpp"

#include <muster/placement/describe.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace muster_bench;

template <class M>
void measure_refusing(benchmark::State& state, scene<M>& in, std::uint32_t gpus_each, bool explained) {
  const muster::pod_count fitting = muster::pod_count{in.free_nodes()} * (gpus_per_node / gpus_each);
  const muster::pod_group<M> group = in.gang(amounts_of<M>::pod(gpus_each), fitting + 1);
  constexpr std::string_view resources[] = {"gpu", "cpu", "memory"};
  muster::workspace<M> space;
  char sentence[512];
  char* end = sentence;
  measure(
      state, [&](std::uint64_t round) { in.move_probe(round); },
      [&] {
        const auto& answer = place(in.model.view(), group, space);
        if (!explained) return read_whole<M>(answer);
        end = describe(sentence, answer, muster::describe_names{resources, {}, {}});
        benchmark::DoNotOptimize(sentence);
        return read_whole<M>(answer) + static_cast<std::uint64_t>(end - sentence);
      },
      [&](std::uint64_t) -> const char* {
        const auto& answer = space.answer;
        if (answer.verdict != muster::verdict::not_now && answer.verdict != muster::verdict::never) return "not refused";
        if (answer.lack.missing() != 1 || answer.lack.seated != fitting) return "wrong shortage";
        if (answer.lack.open_nodes != in.model.view().size()) return "wrong number of nodes";
        if (answer.lack.full_nodes != answer.lack.open_nodes - in.free_nodes()) return "wrong number of full nodes";
        return explained && std::string_view(sentence, static_cast<std::size_t>(end - sentence)).find("1 of ") == std::string_view::npos
                   ? "wrong sentence"
                   : nullptr;
      });
}

template <class M>
void measure_largest(benchmark::State& state, scene<M>& in, std::uint32_t gpus_each) {
  measure_placing(state, in, muster::pod_count{in.free_nodes()} * (gpus_per_node / gpus_each), gpus_each);
}

[[maybe_unused]] const bool declared = [] {
  for (const std::int64_t n : cluster_sizes) {
    for (const filling how : all_fillings) {
      const std::string in = name(how);
      declare("refuse/64x8", in, n,
              [=](benchmark::State& state) { measure_refusing(state, scene_of<gpus>(how, n), 8, false); });
      declare("refuse/64x8/explained", in, n,
              [=](benchmark::State& state) { measure_refusing(state, scene_of<gpus>(how, n), 8, true); });
      declare("place/largest", in, n, [=](benchmark::State& state) { measure_largest(state, scene_of<gpus>(how, n), 8); });
      declare("refuse/64x8x3", in, n,
              [=](benchmark::State& state) { measure_refusing(state, scene_of<gpus_cpu_memory>(how, n), 8, false); });
      declare("place/largest_x3", in, n,
              [=](benchmark::State& state) { measure_largest(state, scene_of<gpus_cpu_memory>(how, n), 8); });
      declare("refuse/512x1/devices", in, n,
              [=](benchmark::State& state) { measure_refusing(state, scene_of<single_gpus>(how, n), 1, false); });
      declare("place/largest/devices", in, n,
              [=](benchmark::State& state) { measure_largest(state, scene_of<single_gpus>(how, n), 1); });
    }
  }
  return true;
}();

}  // namespace
