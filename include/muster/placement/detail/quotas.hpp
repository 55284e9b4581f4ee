// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_QUOTAS_HPP
#define MUSTER_PLACEMENT_DETAIL_QUOTAS_HPP

/// \file
/// In which order the pods of several pod sets are seated: set minima first, then up to enough in pod set order,
/// then extras.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/detail/demand.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

/// Seat this many pods of this set next.
struct quota {
  std::uint32_t pod_set = 0;
  pod_count count = 0;
};

/// The quotas for `total` pods of alike sets, in order. \complexity O(s)
template <resource_model M>
void list_quotas(const demand<M>& of, pod_count total, std::vector<quota>& out) {
  out.clear();
  pod_count listed = 0;
  const auto add = [&](std::size_t s, pod_count count) {
    count = std::min(count, total - listed);
    if (count <= 0) return;
    listed += count;
    if (!out.empty() && out.back().pod_set == s) out.back().count += count;
    else out.push_back({static_cast<std::uint32_t>(s), count});
  };
  for (std::size_t s = 0; s < of.sets.size(); ++s) add(s, of.sets[s].required);
  for (std::size_t s = 0; s < of.sets.size(); ++s) add(s, of.sets[s].pending - of.sets[s].required);
}

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
