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

/// The quotas for all pending pods, in the order in which they are seated: every set's minimum, then set by set. Who
/// seats fewer pods than that counts those that sit, so that a set that fits nowhere takes no place from the next.
/// \complexity O(s)
template <resource_model M>
void list_quotas(const demand<M>& of, std::vector<quota>& out) {
  out.clear();
  const auto add = [&](std::size_t s, pod_count count) {
    if (count <= 0) return;
    if (!out.empty() && out.back().pod_set == s) out.back().count += count;
    else out.push_back({static_cast<std::uint32_t>(s), count});
  };
  for (std::size_t s = 0; s < of.sets.size(); ++s) add(s, of.sets[s].required);
  for (std::size_t s = 0; s < of.sets.size(); ++s) add(s, of.sets[s].pending - of.sets[s].required);
}

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
