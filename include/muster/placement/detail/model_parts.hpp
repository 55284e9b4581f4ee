// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_MODEL_PARTS_HPP
#define MUSTER_PLACEMENT_DETAIL_MODEL_PARTS_HPP

/// \file
/// What to try where a gang keeps to one device model: each domain once for each model of its nodes.
///
/// A part stands for the placements in its domain whose devices are all of its model; pods that ask for no devices may
/// use every node of the domain. A domain without devices is one part without a model. The parts of a domain stand in
/// the order of the first node of their model, so that no number of a model decides anything.

#include <muster/cluster/cluster.hpp>
#include <muster/cluster/domains.hpp>
#include <muster/core/config.hpp>
#include <muster/resource/model.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

/// Neighbouring nodes of one device model.
struct model_run {
  device_model model{};
  run nodes{};
};

struct model_part {
  std::uint32_t domain = 0;
  std::optional<device_model> model{};
  std::uint32_t first_run = 0, last_run = 0;  ///< of its nodes with devices, in model_parts::runs
};

struct model_parts {
  std::vector<model_part> parts;
  std::vector<run> runs;
  std::vector<model_run> scratch;

  void clear() noexcept {
    parts.clear();
    runs.clear();
  }
  [[nodiscard]] std::span<const run> runs_of(std::size_t part) const noexcept {
    return std::span{runs}.subspan(parts[part].first_run, parts[part].last_run - parts[part].first_run);
  }
};

/// Adds the parts of one domain, at least one.
/// \param nodes of the domain \param only the model to keep to, where members pin it \param also a part of this model,
///        too, for a node that is not there yet
/// \complexity O(nodes + runs of one model x models)
template <resource_model M>
void add_parts(const snapshot<M>& view, std::uint32_t domain, std::span<const run> nodes,
               std::optional<device_model> only, std::optional<device_model> also, model_parts& to) {
  auto& seen = to.scratch;
  seen.clear();
  for (const run& r : nodes)
    for (std::uint32_t p = r.first; p < r.last; ++p) {
      const std::optional<device_model> here = model_of<M>(view.capacity(p));
      if (!here || (only && *only != *here)) continue;
      if (!seen.empty() && seen.back().model == *here && seen.back().nodes.last == p) ++seen.back().nodes.last;
      else seen.push_back({*here, {p, p + 1}});
    }
  const std::size_t before = to.parts.size();
  const auto known = [&](device_model model) {
    return std::any_of(to.parts.begin() + static_cast<std::ptrdiff_t>(before), to.parts.end(),
                       [model](const model_part& part) { return part.model == model; });
  };
  const auto add = [&](std::optional<device_model> model) {
    model_part& part = to.parts.emplace_back();
    part.domain = domain;
    part.model = model;
    part.first_run = static_cast<std::uint32_t>(to.runs.size());
    for (const model_run& one : seen)
      if (one.model == model) to.runs.push_back(one.nodes);
    part.last_run = static_cast<std::uint32_t>(to.runs.size());
  };
  for (const model_run& one : seen)
    if (!known(one.model)) add(one.model);
  if (also && (!only || *only == *also) && !known(*also)) add(also);
  if (to.parts.size() == before) add(only);
}

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
