// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_RANK_DOMAINS_HPP
#define MUSTER_PLACEMENT_RANK_DOMAINS_HPP

/// \file
/// Which domains of a level hold a gang of alike pods, the fullest first.
///
/// The *slots* of a domain are how many of the pods its nodes hold in sum; the domain holds the gang if it has as many
/// as the gang has pods. Nothing is placed. Where the index knows the leading dimension exactly, all domains are
/// bounded in one walk over its words, and nodes are looked at only in domains whose bound is at least the gang's size:
/// one rack of fifty is chosen without a look at the nodes of those that cannot hold it.
///
/// It ranks by slots alone, which is how `place` chooses among the domains of a required level; set minima, sizes,
/// spread limits and members that run are not asked, and what is set aside counts as taken. A gang of no pods is held
/// by every domain.

#include <muster/core/config.hpp>
#include <muster/core/topology.hpp>
#include <muster/placement/detail/answering.hpp>
#include <muster/placement/detail/counting.hpp>
#include <muster/placement/detail/domain_slots.hpp>
#include <muster/placement/detail/query.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/placement/workspace.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>
#include <muster/workload/validate.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace muster::inline MUSTER_ABI {

struct ranked_domain {
  std::uint32_t domain = 0;  ///< number of the domain in the view; of node_level the position
  pod_count slots = 0;       ///< at most max_pods_per_group
};

struct domain_ranking {
  std::vector<ranked_domain> domains;  ///< those that hold the gang: fewest slots first, equal ones in label order
  group_fault fault = group_fault::none;
};

/// \param pods the gang: its count of one request \param level of the topology, or node_level; no_level is one domain
/// \return in `out` the ranking; `fault`: no such level, a faulty request or count
/// \complexity where the index knows: O(levels x (words + domains)), and the nodes of domains that may hold the gang
///             and are not sure to; else O(open nodes of the domains that may host the pod); then O(d log d) for d that
///             hold it
/// \exceptions what the filter throws; allocates in `space`, whose answer is lost, and `out` only
/// \determinism a function of the view and the arguments
template <capacity_view View, class M = typename View::model, node_filter<M> Filter = everywhere>
void rank_domains(const View& view, const pod_set<M>& pods, topology_level level, workspace<M>& space,
                  domain_ranking& out, const Filter& filter = {}) {
  using namespace placement_detail;
  pod_group<M> group;
  group.disruption = disruption_mode::single;
  group.pod_sets.push_back({pods.request, pods.count, 0});
  group.required = level;
  out.domains.clear();
  out.fault = group_fault::none;
  if (!take_spec(view.base(), group, space)) {
    out.fault = space.answer.fault.fault;
    return;
  }
  query<View> q{view, space};
  (void)q.find_domains();
  q.ask(filter);
  const auto add = [&](std::uint32_t domain, pod_count slots) {
    if (slots >= pods.count) out.domains.push_back({domain, std::min(slots, max_pods_per_group)});
  };
  const auto count = [&](std::uint32_t domain) {
    return count_room(view, q.request(0), q.runs_of(0, domain), max_pods_per_group);
  };
  const bool bounded = bound_domains(q, 0, space.bounds), sure = holds_sure_slots(view);
  for (std::uint32_t d = q.first_domain; d < q.last_domain; ++d) {
    if (!bounded) {
      add(d, count(d));
    } else if (const slot_bounds& here = space.bounds.of[d]; here.most >= pods.count) {
      add(d, here.exact && sure ? here.most : count(d));
    }
  }
  const auto key = [](const ranked_domain& one) { return static_cast<std::uint64_t>(one.slots) << 32U | one.domain; };
  std::sort(out.domains.begin(), out.domains.end(),
            [&](const ranked_domain& a, const ranked_domain& b) { return key(a) < key(b); });
}

}  // namespace muster::inline MUSTER_ABI

#endif
