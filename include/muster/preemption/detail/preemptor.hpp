// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_DETAIL_PREEMPTOR_HPP
#define MUSTER_PREEMPTION_DETAIL_PREEMPTOR_HPP

/// \file
/// The gang that preempts, as numbers: how many pods of each set wait, and how few are enough.
///
/// What `place` decides is decided there. These numbers bound what it can say: they may ask for too little, never for
/// too much.

#include <muster/cluster/cluster.hpp>
#include <muster/cluster/domains.hpp>
#include <muster/cluster/records.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/topology.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/placement/list_candidates.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::preemption_detail {

/// A group that is asked about: a pod_group, or the id of one in the cluster. \pre of the second: it is known
template <resource_model M, class Group>
[[nodiscard]] const pod_group<M>& spec_of(const snapshot<M>& view, const Group& group) {
  if constexpr (std::same_as<Group, group_id>) return view.group(group)->spec;
  else return group;
}
template <class Group>
[[nodiscard]] group_id id_of(const Group& group) noexcept {
  if constexpr (std::same_as<Group, group_id>) return group;
  else return group.id;
}

/// The nodes a filter keeps to; all, if it keeps to none.
template <resource_model M, class Filter>
[[nodiscard]] auto nodes_of(const snapshot<M>& view, const Filter& filter) {
  if constexpr (confining_filter<Filter>) return std::span<const run>{filter.nodes()};
  else return all_nodes(view);
}

struct asked_set {
  std::size_t pod_set = 0;
  pod_count waiting = 0;   ///< at least 1
  pod_count required = 0;  ///< of these, for the set's minimum
};

template <resource_model M>
struct preemptor {
  const pod_group<M>* group = nullptr;
  std::vector<asked_set> sets;  ///< those with waiting pods
  pod_count waiting = 0;
  pod_count needed = 0;         ///< new pods for enough
  pod_count most_on_node = 0;   ///< by a limit of the node level

  /// \pre as spec_of
  template <class Group>
  void read(const snapshot<M>& view, const Group& asked) {
    if constexpr (std::same_as<Group, group_id>) read_record(*view.group(asked));
    else read_spec(asked);
  }
  /// What these prices make enough of the gang worth at least. \pre a price for each of `sets`
  template <class Wide, class Prices>
  [[nodiscard]] Wide worth(const Prices& prices) const {
    Wide sum = 0;
    visit_cheapest(prices, [&](std::size_t k, pod_count pods) { sum += Wide{prices[k]} * pods; });
    return sum;
  }
  /// Adds the pods of the cheapest way to have enough at these prices.
  template <class Prices, class Pods>
  void add_cheapest(const Prices& prices, Pods& to) const {
    visit_cheapest(prices, [&](std::size_t k, pod_count pods) { to[k] += pods; });
  }

 private:
  void read_spec(const pod_group<M>& spec) {
    start(spec);
    for (std::size_t s = 0; s < spec.pod_sets.size(); ++s) add(s, spec.pod_sets[s].count, spec.pod_sets[s].minimum);
    finish(minimum_pods(spec));
  }
  void read_record(const group_record<M>& record) {
    const pod_group<M>& spec = record.spec;
    start(spec);
    pod_count have = 0;
    for (std::size_t s = 0; s < spec.pod_sets.size() && s < record.by_set.size(); ++s) {
      const member_counts& in = record.by_set[s];
      const pod_count runs = in.scheduled() + in.succeeded();
      add(s, in.unscheduled(), spec.pod_sets[s].minimum - runs);
      have += runs;
    }
    finish(minimum_pods(spec) - have);
  }
  template <class Prices, class Visit>
  void visit_cheapest(const Prices& prices, const Visit& visit) const {
    pod_count more = needed;
    for (std::size_t k = 0; k < sets.size(); ++k) {
      visit(k, sets[k].required);
      more -= sets[k].required;
    }
    by_price_.resize(sets.size());
    for (std::size_t k = 0; k < sets.size(); ++k) by_price_[k] = k;
    std::sort(by_price_.begin(), by_price_.end(),
              [&](std::size_t a, std::size_t b) { return prices[a] != prices[b] ? prices[a] < prices[b] : a < b; });
    for (const std::size_t k : by_price_) {
      const pod_count some = std::min(more, sets[k].waiting - sets[k].required);
      if (some <= 0) continue;
      visit(k, some);
      more -= some;
    }
  }
  void start(const pod_group<M>& spec) {
    group = &spec;
    sets.clear();
    waiting = 0;
    most_on_node = max_pods_per_node;
    for (const spread_limit& limit : spec.limits)
      if (limit.level == node_level) most_on_node = std::min(most_on_node, limit.count);
  }
  void add(std::size_t pod_set, pod_count count, pod_count required) {
    if (count <= 0) return;
    sets.push_back({pod_set, count, std::clamp<pod_count>(required, 0, count)});
    waiting += count;
  }
  void finish(pod_count enough) {
    pod_count required = 0;
    for (const asked_set& set : sets) required += set.required;
    needed = std::clamp(enough, std::max<pod_count>(required, waiting > 0 ? 1 : 0), waiting);
  }

  mutable std::vector<std::size_t> by_price_;
};

}  // namespace muster::inline MUSTER_ABI::preemption_detail

#endif
