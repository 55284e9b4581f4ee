// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_SHORTFALL_HPP
#define MUSTER_PLACEMENT_SHORTFALL_HPP

/// \file
/// What would be enough: how many more nodes of a given shape make a refused gang of alike pods fit, and in which
/// domain.
///
/// The new nodes are empty, open and eligible. Each takes count_fitting pods of its shape, at most the node's own
/// spread limit. *Where they stand*: each has the labels of some node the cluster knows, open or not, so it is in
/// domains that exist; no domain is added. Where neither a level is required nor one limited, labels do not matter.
/// Where a level is required they all stand in the one domain that then needs the fewest (ties: the first); where the
/// node itself is required, one new node takes all. Where the gang keeps to one device model it may be that of the new
/// nodes or another one, for which new nodes take only pods without devices.
///
/// Exact: see placement/detail/gains.hpp.

#include <muster/cluster/cluster.hpp>
#include <muster/cluster/domains.hpp>
#include <muster/cluster/overlay.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/storage.hpp>
#include <muster/core/topology.hpp>
#include <muster/placement/answer.hpp>
#include <muster/placement/detail/answering.hpp>
#include <muster/placement/detail/gains.hpp>
#include <muster/placement/detail/query.hpp>
#include <muster/placement/options.hpp>
#include <muster/placement/workspace.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>
#include <muster/workload/validate.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI {

/// The answer: `nodes` more of the shape in `domain` (empty path: anywhere).
struct node_shortfall {
  pod_count nodes = 0;
  domain_path domain{};
};

/// How many more nodes of `shape` would do for a declared group of alike pods.
///
/// \return 0 nodes if it fits as it is; nullopt if no number helps, if the pods are not alike, or if the group is
///         faulty or held. `explain` tells these apart, and answers for unlike pods, too
/// \complexity O(n log n) a limited level, O(n) without one \exceptions as `place`; allocates
/// \determinism ties fall to the first domain in label order
template <resource_model M, options_for<M> Options = place_options<>>
[[nodiscard]] std::optional<node_shortfall> shortfall(const snapshot<M>& view, const pod_group<M>& group,
                                                      const typename M::capacity_type& shape, workspace<M>& space,
                                                      const Options& options = {});

// ---------------------------------------------------------------------------------------------------------------------

namespace placement_detail {

template <class Query>
class node_counter {
  using M = typename Query::model;

 public:
  /// Counts for alike pods of set `s`. \param each pods a new node takes \param model of its devices
  node_counter(Query& q, std::size_t s, pod_count each, std::optional<device_model> model)
      : q_{q},
        walls_{walls_of(q.wanted().group->limits)},
        holds_(q.view.size(), 0),
        set_{s},
        model_{model},
        each_{each} {
    pod_count most = q.wanted().needed;
    for (const spread_limit& limit : q.wanted().group->limits)
      if (limit.level == node_level) most = std::min(most, limit.count);
    each_ = std::min(each_, most);
    q.reset_room();  // less what members that run take of the limits
    const auto ready = prepare<M>(q.request(s));
    visit_candidates(q.view, q.request(s), q.eligible_runs(s), [&](std::uint32_t p) {
      holds_[p] = q.space.room.room(p, std::min(M::count_fitting(q.view.now(p), ready, most), q.view.pods_left(p)));
      return true;
    });
  }

  /// Nodes that make the group fit in a domain.
  [[nodiscard]] std::optional<pod_count> nodes_in(std::uint32_t domain) {
    const bool helps = each_ > 0 && q_.takes(set_, domain, model_);
    const gains beside{0, helps ? any_number : 0, {}};
    const pod_count each = helps ? each_ : 1;
    gains sum;
    if (walls_.empty()) sum = beside;
    spots_.clear();
    const auto& base = q_.view.base();
    for (const run& r : q_.nodes_of(domain))
      for (std::uint32_t p = r.first; p < r.last; ++p) {
        const pod_count here = q_.takes(set_, domain, model_of<M>(base.capacity(p))) ? holds_[p] : 0;
        if (walls_.empty()) sum.holds += here;
        else spots_.push_back({{here, beside.whole, {}}, p});
      }
    for (const spread_limit& wall : walls_) merge_domains(wall, each);
    for (spot& one : spots_) sum.add(one.of);
    return sum.nodes_for(q_.wanted().needed, each);
  }

  /// Nodes, none or one, that make one node take all.
  [[nodiscard]] std::optional<pod_count> one_node() const {
    const pod_count needed = q_.wanted().needed;
    bool allowed = walls_.empty();
    for (std::uint32_t p = 0; p < q_.view.size(); ++p) {
      const bool under_walls = std::all_of(walls_.begin(), walls_.end(), [&](const spread_limit& wall) {
        return wall.count >= needed || domain_of(p, wall) == no_domain;
      });
      if (!under_walls) continue;
      if (holds_[p] >= needed) return 0;
      allowed = true;
    }
    return allowed && each_ >= needed ? std::optional<pod_count>{1} : std::nullopt;
  }

 private:
  /// Nodes that stand in the same domains of the levels merged so far.
  struct spot {
    gains of;
    std::uint32_t position = 0;  ///< of one of them
  };

  [[nodiscard]] std::uint32_t domain_of(std::uint32_t position, const spread_limit& wall) const noexcept {
    return q_.view.base().domain_of(position, static_cast<std::size_t>(wall.level));
  }

  /// Makes one spot of those that share a domain of the limited level, and cuts it.
  void merge_domains(const spread_limit& wall, pod_count each) {
    std::sort(spots_.begin(), spots_.end(), [&](const spot& a, const spot& b) {
      const std::uint32_t first = domain_of(a.position, wall), second = domain_of(b.position, wall);
      return first != second ? first < second : a.position < b.position;
    });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < spots_.size();) {
      spot one = std::move(spots_[i++]);
      if (const std::uint32_t domain = domain_of(one.position, wall); domain != no_domain) {
        for (; i < spots_.size() && domain_of(spots_[i].position, wall) == domain; ++i) one.of.add(spots_[i].of);
        one.of.cut(q_.space.room.room_from(static_cast<std::size_t>(wall.level), one.position, wall.count), each);
      }
      spots_[kept++] = std::move(one);
    }
    spots_.resize(kept);
  }

  Query& q_;
  short_list<spread_limit, 1> walls_;
  std::vector<pod_count> holds_;  ///< pods that fit now, by position
  std::vector<spot> spots_;
  std::size_t set_;
  std::optional<device_model> model_;
  pod_count each_;
};

template <capacity_view View, class Options, class M = typename View::model>
[[nodiscard]] std::optional<node_shortfall> fewest_nodes(const View& view, const typename M::capacity_type& shape,
                                                         workspace<M>& space, const Options& options) {
  query<View> q{view, space};
  if (space.demand.needed <= 0) return node_shortfall{};
  std::size_t s = 0;
  const std::optional<device_model> made_of = model_of<M>(shape);
  if (q.find_domains(made_of) != refusal_reason::none) return std::nullopt;
  q.ask(options.filter);
  if (!is_alike(q, s)) return std::nullopt;
  node_counter count{q, s, M::count_fitting(M::empty_node(shape), q.request(s), max_pods_per_node), made_of};
  std::optional<node_shortfall> best;
  if (q.level == node_level) {
    if (!q.wanted().held.empty()) return best;  // members that run stay where they are
    if (const auto more = count.one_node()) best = node_shortfall{*more, {}};
    return best;
  }
  for (std::uint32_t d = q.first_domain; d < q.last_domain; ++d)
    if (const auto more = count.nodes_in(d); more && (!best || *more < best->nodes))
      best = node_shortfall{*more, q.name(d)};
  return best;
}

}  // namespace placement_detail

template <resource_model M, options_for<M> Options>
std::optional<node_shortfall> shortfall(const snapshot<M>& view, const pod_group<M>& group,
                                        const typename M::capacity_type& shape, workspace<M>& space,
                                        const Options& options) {
  using namespace placement_detail;
  if (first_fault(group, view.levels()).fault != group_fault::none) return std::nullopt;
  space.demand.from_spec(group);
  shortage<M> ignored;
  if (space.demand.conclude(options.extras, options.once_enough, ignored) != refusal_reason::none) return std::nullopt;
  if (!view.anything_set_aside(group.id)) return fewest_nodes(view, shape, space, options);
  overlay<M>& on = trial_on(space, view);
  give_set_asides(on, group.id);
  return fewest_nodes(on, shape, space, options);
}

}  // namespace muster::inline MUSTER_ABI

#endif
