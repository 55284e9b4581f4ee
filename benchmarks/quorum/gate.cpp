// SPDX-License-Identifier: BSL-1.0
// gate/S/N: may a gang of eight be tried? 64 gangs wait, every other one member short; before each round one member of
// one gang gets or loses a scheduling gate. The time is that of one of the 64 questions.

#include "support/measure.hpp"
#include "support/scene.hpp"

#include <muster/quorum/gate.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace {

using namespace muster_bench;

constexpr std::size_t waiting = 64;
constexpr muster::pod_count members = 8;

void measure_gate(benchmark::State& state, scene<gpus>& in) {
  struct gang {
    muster::group_id id{};
    muster::pod_id first{};
    bool complete = false, gated = false;
  };
  const auto request = amounts_of<gpus>::pod(1);
  std::array<gang, waiting> gangs;
  for (std::size_t g = 0; g < waiting; ++g) {
    gangs[g] = {in.see_group(request, members), {}, g % 2 == 0, false};
    for (muster::pod_count m = 0; m < members - (gangs[g].complete ? 0 : 1); ++m) {
      const muster::pod_id pod = in.see_pod(request, gangs[g].id);
      if (m == 0) gangs[g].first = pod;
    }
  }
  std::size_t open = 0;
  measure(
      state,
      [&](std::uint64_t round) {
        gang& other = gangs[muster::mixed(round) % waiting];
        other.gated = !other.gated;
        in.see_pod_again(other.first, request, other.id, other.gated);
      },
      [&] {
        const auto view = in.model.view();
        std::uint64_t sum = 0;
        open = 0;
        for (const gang& one : gangs) {
          const muster::gate_answer answer = gate(view, one.id);
          sum += static_cast<std::uint64_t>(answer.verdict) + static_cast<std::uint64_t>(answer.reason) + answer.pod_set +
                 static_cast<std::uint64_t>(answer.have) + static_cast<std::uint64_t>(answer.needed);
          open += answer.open() ? 1U : 0U;
        }
        return sum;
      },
      [&](std::uint64_t) -> const char* {
        std::size_t expected = 0;
        for (const gang& one : gangs) expected += one.complete && !one.gated ? 1U : 0U;
        return open == expected ? nullptr : "wrong gates open";
      },
      waiting);
}

[[maybe_unused]] const bool declared = [] {
  for (const std::int64_t n : cluster_sizes)
    for (const filling how : all_fillings)
      declare("gate", name(how), n, [=](benchmark::State& state) { measure_gate(state, scene_of<gpus>(how, n)); })
          ->Iterations(2000);
  return true;
}();

}  // namespace
