// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_IMPROVEMENT_HPP
#define MUSTER_PLACEMENT_IMPROVEMENT_HPP

/// \file
/// What a finished placement may be improved by, and what came of it.
///
/// An *objective* is one of two things, higher is better, read as every score is (scoring/score_value.hpp):
///
/// - a node value (scoring/node_value.hpp), such as slot_potential or fragmentation. A placement scores the sum over
///   all nodes of their values after it less those before, each difference held at +-2^42. That sum falls apart into
///   nodes, so it is bounded tightly;
/// - a judgement of the whole set: a const function object (candidate_trial) -> score, such as `nearness` or
///   gangs_kept; `nodes` are then all nodes. It is a black box: each trial asks it anew, and no bound is known unless
///   it has a member `bound(before, group, seats)` -> score, for an overlay without the seats: no placement of as many
///   pods of each pod set as the seats hold scores more there.
///
/// Either must answer alike for alike arguments. What is set aside for the group counts as given back, before and
/// after.

#include <muster/cluster/overlay.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/topology.hpp>
#include <muster/placement/answer.hpp>
#include <muster/placement/candidate_scores.hpp>
#include <muster/placement/verify.hpp>
#include <muster/resource/model.hpp>
#include <muster/scoring/node_value.hpp>
#include <muster/scoring/score_value.hpp>
#include <muster/scoring/seat_list.hpp>
#include <muster/scoring/set_spread.hpp>
#include <muster/workload/pod_group.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace muster::inline MUSTER_ABI {

template <class O, class M>
concept set_objective = resource_model<M> && requires(const O& judge, const candidate_trial<M>& trial) {
  { judge(trial) } -> score_number;
};
template <class O, class M>
concept placement_objective = node_value<O, M> || set_objective<O, M>;

/// A judgement of the whole set that states what no placement scores above.
template <class O, class M>
concept bounded_objective =
    set_objective<O, M> && requires(const O& judge, const overlay<M>& before, const pod_group<M>& group,
                                    std::span<const seat<M>> seats) {
      { judge.bound(before, group, seats) } -> score_number;
    };

struct improve_effort {
  /// Steps: a mix of pods looked at on a node, a whole set judged, a node of a branch. 0 leaves the placement alone.
  std::uint64_t budget = 1'000'000;
  /// Search what the bound leaves open, with what is left of the budget. Without, exchanges and a bound by prices.
  bool branch = true;
};

/// What keeps a placement from being improved.
enum class improve_fault : std::uint8_t {
  none,
  no_placement,  ///< the answer in the workspace is not `fits`
  refuted,       ///< it is no legal placement of the group in this view, or the group is faulty: see `wrong`
};

[[nodiscard]] constexpr std::string_view name(improve_fault fault) noexcept {
  switch (fault) {
    case improve_fault::none: return "none";
    case improve_fault::no_placement: return "no placement";
    case improve_fault::refuted: return "not a legal placement";
  }
  return "?";
}

struct improvement {
  improve_fault fault = improve_fault::none;
  verification wrong{};               ///< with `refuted`: what, and which seat
  std::int64_t before = 0, after = 0; ///< score of the placement given, and of the one left in its place
  std::optional<std::int64_t> bound;  ///< no legal placement of the same pods scores more; nothing if none is known
  bool proved = false;                ///< after == *bound: there is no better one
  std::uint64_t steps = 0;            ///< spent
  bool out_of_budget = false;         ///< budget or `stop` ended the search before it was through
  bool stopped = false;               ///< it was the caller's `stop`

  [[nodiscard]] bool ok() const noexcept { return fault == improve_fault::none; }
  [[nodiscard]] bool improved() const noexcept { return after > before; }
};

/// How near the pods of a set stand: less the distance of all pairs in sum (scoring/set_spread.hpp).
struct nearness {
  seat_space* space = nullptr;  ///< scratch

  /// \pre space is there \complexity that of spread_of
  template <resource_model M>
  [[nodiscard]] std::int64_t operator()(const candidate_trial<M>& trial) const {
    return -spread_of(trial.after, trial.answer.seats, *space).distance;
  }

  /// Level by level the most pairs are together where the domains with most room are filled first. What a node has room
  /// for is the sum over the pod sets, each counted alone, so the bound is rough where they compete; filters and the
  /// pods that run are not looked at.
  /// \complexity O(n (s + levels) + levels x n log n) for n nodes
  template <resource_model M>
  [[nodiscard]] std::int64_t bound(const overlay<M>& before, const pod_group<M>& group,
                                   std::span<const seat<M>> seats) const {
    std::vector<pod_count> of_set(group.pod_sets.size(), 0);
    pod_count pods = 0;
    for (const seat<M>& one : seats) {
      of_set[one.pod_set] += one.count;
      pods += one.count;
    }
    const snapshot<M>& base = before.base();
    std::vector<pod_count> room(base.size(), 0);
    for (std::uint32_t p = 0; p < base.size(); ++p) {
      if (!base.open(p)) continue;
      for (std::size_t s = 0; s < of_set.size(); ++s)
        if (of_set[s] > 0) room[p] += M::count_fitting(before.now(p), group.pod_sets[s].request, of_set[s]);
      room[p] = std::max<pod_count>(0, std::min({room[p], before.pods_left(p), limit_at(group, node_level, pods)}));
    }
    const std::size_t levels = base.levels().size();
    std::int64_t distance = 0;
    std::vector<pod_count> domains;
    for (std::size_t l = 0; l <= levels; ++l) {
      domains.clear();
      if (l < levels) domains.resize(base.domains(l), 0);
      const pod_count most = limit_at(group, static_cast<topology_level>(l), pods);
      for (std::uint32_t p = 0; p < base.size(); ++p) {
        const std::uint32_t domain = l < levels ? base.domain_of(p, l) : no_domain;
        if (domain == no_domain) domains.push_back(room[p]);
        else domains[domain] = std::min(domains[domain] + room[p], most);
      }
      distance = saturating_add(distance, pairs_of(pods) - most_together(domains, pods));
    }
    return -distance;
  }

 private:
  /// \return at most `pods`
  template <resource_model M>
  [[nodiscard]] static pod_count limit_at(const pod_group<M>& group, topology_level level, pod_count pods) {
    for (const spread_limit& limit : group.limits)
      if (limit.level == level) pods = std::min(pods, limit.count);
    return pods;
  }
  [[nodiscard]] static std::int64_t most_together(std::vector<pod_count>& domains, pod_count pods) {
    std::sort(domains.begin(), domains.end(), std::greater<>{});
    std::int64_t together = 0;
    for (const pod_count room : domains) {
      const pod_count here = std::min(room, pods);
      if (here <= 0) break;
      together = saturating_add(together, pairs_of(here));
      pods -= here;
    }
    return together;
  }
};

}  // namespace muster::inline MUSTER_ABI

#endif
