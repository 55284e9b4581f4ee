// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_SHORTFALL_HPP
#define MUSTER_PLACEMENT_SHORTFALL_HPP

/// \file
/// What would be enough: how many more nodes of a given shape make a refused gang of alike pods fit, and in which
/// domain.
///
/// The new nodes are empty, open and eligible. Each takes count_fitting pods of its shape, at most the node's own
/// spread limit. Where a domain is required they all go to the one domain that then needs the fewest (ties: the
/// first). A spread limit per domain of another level is a wall that more nodes of the same domain do not move; new
/// nodes are then counted as standing in the domains that have room under it, fullest use first, and if that never
/// suffices the answer is "no number helps". What is set aside for the group counts as free.

#include <muster/cluster/overlay.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/detail/answering.hpp>
#include <muster/placement/detail/counting.hpp>
#include <muster/placement/detail/query.hpp>
#include <muster/placement/options.hpp>
#include <muster/placement/set_asides.hpp>
#include <muster/placement/workspace.hpp>
#include <muster/workload/validate.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace muster::inline MUSTER_ABI {

/// The answer: `nodes` more of the shape in `domain` (empty path: anywhere).
struct node_shortfall {
  pod_count nodes = 0;
  domain_path domain{};
};

namespace placement_detail {

/// Fewest new nodes, each taking up to `each` pods, that raise the pods of one domain from what sits to `needed`.
/// `rooms`: how many more pods each sub-domain under a limit may take beyond what sits; empty if nothing limits.
[[nodiscard]] inline std::optional<pod_count> nodes_to_add(pod_count missing, pod_count each,
                                                           std::vector<pod_count> rooms, bool limited) {
  if (missing <= 0) return 0;
  if (each <= 0) return std::nullopt;
  if (!limited) return divide_up(missing, each);
  std::sort(rooms.begin(), rooms.end(), std::greater<>{});
  pod_count nodes = 0;
  for (const pod_count room : rooms) {  // whole nodes first
    const pod_count whole = std::min(room / each, divide_up(missing, each));
    nodes += whole;
    missing -= whole * each;
    if (missing <= 0) return nodes;
  }
  for (pod_count& room : rooms) room %= each;
  std::sort(rooms.begin(), rooms.end(), std::greater<>{});
  for (const pod_count rest : rooms) {  // then nodes that a limit leaves partly empty
    if (rest == 0) break;
    ++nodes;
    missing -= rest;
    if (missing <= 0) return nodes;
  }
  return std::nullopt;
}

/// Counts for the demand that lies in the workspace, on a snapshot or on an overlay where the group has its set-asides.
template <class View, class Options, class M = typename View::model>
[[nodiscard]] std::optional<node_shortfall> count_shortfall(const View& view, const typename M::capacity_type& shape,
                                                            workspace<M>& space, const Options& options) {
  query<View, Options> q{view, options, space};
  if (!q.find_domains()) return std::nullopt;
  q.ask_filter();
  std::size_t s = 0;
  if (!is_alike(q, s)) return std::nullopt;
  const auto& base = view.base();
  const pod_group<M>& group = *space.demand.group;
  const pod_count needed = space.demand.needed;
  pod_count each = M::count_fitting(M::empty_node(shape), q.request(s), max_pods_per_group);
  const spread_limit* wall = nullptr;  // the tightest limited level that is not the node
  for (const spread_limit& limit : group.limits) {
    if (limit.level == node_level) each = std::min(each, limit.count);
    else if (wall == nullptr || limit.level > wall->level) wall = &limit;
  }
  std::optional<node_shortfall> best;
  if (group.required == node_level && each >= needed) best = node_shortfall{1, {}};  // one new node takes all
  for (std::uint32_t d = q.first_domain; d < q.last_domain; ++d) {
    q.reset_room();
    const pod_count sit = count_slots(view, tense::now, q.request(s), q.runs_of(s, d), space.room, needed);
    if (sit >= needed) return node_shortfall{0, group.required == node_level ? domain_path{} : q.name(d)};
    if (group.required == node_level) continue;
    std::vector<pod_count> rooms;
    if (wall != nullptr) {
      const auto level = static_cast<std::size_t>(wall->level);
      std::vector<bool> seen(base.domains(level), false);
      for (const run& r : q.runs_of(s, d))
        for (std::uint32_t p = r.first; p < r.last; ++p) {
          const std::uint32_t sub = base.domain_of(p, level);
          if (sub == no_domain || seen[sub]) continue;
          seen[sub] = true;
          rooms.push_back(space.room.room(p, needed));
        }
    }
    const auto more = nodes_to_add(needed - sit, each, rooms, wall != nullptr);
    if (more && (!best || *more < best->nodes)) best = node_shortfall{*more, q.name(d)};
  }
  if (needed <= 0 && !best) best = node_shortfall{};
  return best;
}

}  // namespace placement_detail

/// How many more nodes of `shape` would do for a declared group of alike pods.
///
/// \return 0 nodes if it fits as it is; nullopt if no number helps, if the pods are not alike, or if the group is
///         faulty or held
/// \complexity as `place`, plus O(domains of limited levels) a domain
/// \determinism ties fall to the first domain in label order
template <resource_model M, class Options = place_options<>>
[[nodiscard]] std::optional<node_shortfall> shortfall(const snapshot<M>& view, const pod_group<M>& group,
                                                      const typename M::capacity_type& shape, workspace<M>& space,
                                                      const Options& options = {}) {
  using namespace placement_detail;
  if (first_fault(group, view.levels()).fault != group_fault::none) return std::nullopt;
  space.demand.from_spec(group);
  shortage<M> ignored;
  if (space.demand.conclude(options.extras, options.once_enough, ignored) != refusal_reason::none) return std::nullopt;
  if (!view.anything_set_aside()) return count_shortfall(view, shape, space, options);
  overlay<M>& on = trial_on(space, view);
  give_set_asides(on, group.id);
  return count_shortfall(on, shape, space, options);
}

}  // namespace muster::inline MUSTER_ABI

#endif
