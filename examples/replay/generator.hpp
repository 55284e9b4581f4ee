// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_REPLAY_GENERATOR_HPP
#define MUSTER_REPLAY_GENERATOR_HPP

// The default input: gangs drawn from tables after Alibaba's 2026 spot-GPU trace. See generator.cpp for the
// tables, their source and what was smoothed.

#include "trace.hpp"

#include <cstdint>

namespace replay {

struct generator_settings {
  std::uint64_t seed = 1;
  seconds span = 30 * 86'400;
  int load_percent = 90;
};

// Draws jobs until their mean demand over the span reaches load_percent of all GPUs, and gives each a whole
// second of the span, uniformly: a Poisson stream with a fixed count. A draw that would not fit on the whole
// empty cluster is drawn again and counted in too_large. The same settings and nodes give the same jobs.
[[nodiscard]] trace generate(const node_list& nodes, const generator_settings& settings);

}  // namespace replay

#endif
