// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_RECOUNT_HPP
#define MUSTER_PLACEMENT_DETAIL_RECOUNT_HPP

/// \file
/// Counts again what a certificate claims, node by node and pod by pod, from the rules alone.
///
/// Nothing here is shared with the search: no index, no classes, no patterns. It is plain on purpose. What is trusted
/// is the resource model: it is asked what one node hosts, as by the search.

#include <muster/cluster/cluster.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/topology.hpp>
#include <muster/placement/certificate.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

/// A domain that was allowed, the device model its devices must be of where the gang keeps to one, and its nodes.
struct recounted_domain {
  domain_path name{};
  std::optional<device_model> model{};
  bool by_model = false;
  std::vector<std::uint32_t> nodes;
};

/// What a group asks in a tense.
struct recounted_demand {
  std::vector<pod_count> pending, required;               // set by set
  std::vector<std::pair<std::uint32_t, pod_count>> held;  // (position, pods) that count against limits
  pod_count have = 0, all = 0, needed = 0;
};

template <resource_model M, class Filter>
class recount {
 public:
  recount(const snapshot<M>& view, const pod_group<M>& group, const group_record<M>* members, const Filter& filter)
      : view_{view}, group_{group}, filter_{filter} {
    demand_.pending.resize(group.pod_sets.size());
    std::vector<pod_count> have(group.pod_sets.size(), 0);
    for (std::size_t s = 0; s < group.pod_sets.size(); ++s) {
      demand_.pending[s] = group.pod_sets[s].count;
      if (members == nullptr) continue;
      const member_counts in = s < members->by_set.size() ? members->by_set[s] : member_counts{};
      demand_.pending[s] = in.unscheduled();
      have[s] = in.scheduled() + in.succeeded();
    }
    if (members != nullptr)
      view.visit_members(*members, [&](const pod_record<M>& pod) {
        if (!pod.charged || pod.phase == phase::terminating) return;
        demand_.held.push_back({view.position_of(pod), 1});
        if (have.size() > pod.pod_set) held_of_set_.push_back(pod.pod_set);
        if (asks_devices<M>(pod.request)) held_model_ = model_of<M>(view.capacity(view.position_of(pod)));
      });
    for (const spread_limit& limit : group.limits) {
      auto& pods = held_in_.emplace_back();
      for (const auto& [position, count] : demand_.held) pods[domain_at(position, limit.level)] += count;
    }
    for (std::size_t level = max_levels; level-- > 0;)
      if (std::any_of(group.limits.begin(), group.limits.end(), [&](const spread_limit& limit) {
            return static_cast<std::size_t>(limit.level) == level;
          }))
        wider_limits_.push_back(static_cast<topology_level>(level));
    view.visit_set_asides(group.id, [&](const set_aside<M>& kept, std::uint32_t position) {
      kept_.emplace(position, kept.grant);
    });
    count_enough(have);
    afresh_ = demand_;
    for (const std::uint32_t s : held_of_set_) {
      ++afresh_.pending[s];
      --have[s];
    }
    count_enough_afresh(have);
  }

  [[nodiscard]] const recounted_demand& demand(tense when) const noexcept {
    return is_afresh(when) ? afresh_ : demand_;
  }

  /// Every domain that was allowed, with its nodes; each once for every device model there if the group keeps to one.
  [[nodiscard]] std::vector<recounted_domain> domains(tense when) const {
    std::vector<recounted_domain> found = whole_domains(when);
    bool asks = false;
    for (const pod_set<M>& set : group_.pod_sets) asks = asks || asks_devices<M>(set.request);
    if (!group_.one_device_model || !asks) return found;
    std::vector<recounted_domain> parts;
    for (const recounted_domain& whole : found) {
      std::set<std::optional<device_model>> models;
      const std::optional<device_model> held = held_model(when);
      for (const std::uint32_t p : whole.nodes)
        if (const auto model = model_of<M>(view_.capacity(p)); model && (!held || held == model)) models.insert(model);
      if (models.empty()) models.insert(held);
      for (const auto& model : models) parts.push_back({whole.name, model, true, whole.nodes});
    }
    return parts;
  }

  /// What a node has in a tense; nothing where it does not count.
  [[nodiscard]] std::optional<typename M::state_type> left(std::uint32_t p, tense when) const {
    if (when == tense::empty_all) return view_.empty(p, true);
    if (!view_.open(p)) return std::nullopt;
    if (when == tense::empty_open) return view_.empty(p);
    typename M::state_type state = when == tense::now ? view_.now(p) : view_.later(p);
    const auto [first, last] = kept_.equal_range(p);
    for (auto kept = first; kept != last; ++kept) M::release(state, kept->second);
    return state;
  }
  /// Whether a pod set may use a node of the domain.
  [[nodiscard]] bool may(std::size_t s, std::uint32_t p, const recounted_domain& in) const {
    if (is_outside(filter_, p) || filter_(group_, s, view_.kind(p)) != eligible_node) return false;
    if (!in.by_model || !asks_devices<M>(group_.pod_sets[s].request)) return true;
    const auto model = model_of<M>(view_.capacity(p));
    return model && model == in.model;
  }

  /// More pods of the group under the limits of one level in the domain of a node; nothing if it is not limited.
  [[nodiscard]] std::optional<pod_count> room(topology_level level, std::uint32_t p, tense when) const {
    const std::uint32_t domain = domain_at(p, level);
    std::optional<pod_count> least;
    for (std::size_t i = 0; i < held_in_.size() && domain != no_domain; ++i) {
      if (group_.limits[i].level != level) continue;
      pod_count left = group_.limits[i].count;
      if (const auto held = held_in_[i].find(domain); held != held_in_[i].end() && !is_afresh(when))
        left -= held->second;
      least = std::max<pod_count>(0, std::min(least.value_or(left), left));
    }
    return least;
  }
  /// The most pods a node may take at all, and under the limits of its own.
  [[nodiscard]] pod_count node_room(std::uint32_t p, tense when) const {
    pod_count slots = max_pods_per_node;
    if (!is_afresh(when)) {
      slots = when == tense::now ? view_.pods_left(p) : view_.pods_left_later(p);
      slots += static_cast<pod_count>(kept_.count(p));
    }
    const pod_count most = std::min(demand(when).all, slots);
    return std::min(most, room(node_level, p, when).value_or(most));
  }

  /// Domain of a node at a level, the node itself at the lowest.
  [[nodiscard]] std::uint32_t domain_at(std::uint32_t p, topology_level level) const {
    return level == node_level ? p : view_.domain_of(p, static_cast<std::size_t>(level));
  }
  /// Levels above the nodes whose domains are limited, the finest first. They nest.
  [[nodiscard]] const std::vector<topology_level>& wider_limits() const noexcept { return wider_limits_; }

  /// The most pods of one kind, so many on each node by itself, under the limits of wider domains: domain by domain
  /// the sum or the limit, from the finest level up. \complexity O(n log n) a limited level
  [[nodiscard]] pod_count sum_under_limits(std::vector<std::pair<std::uint32_t, pod_count>> of, tense when) const {
    for (const topology_level level : wider_limits_) {
      const auto at = [&](const std::pair<std::uint32_t, pod_count>& one) { return domain_at(one.first, level); };
      std::sort(of.begin(), of.end(), [&](const auto& a, const auto& b) { return at(a) < at(b); });
      std::vector<std::pair<std::uint32_t, pod_count>> after;  // one of its nodes stands for a domain
      for (const auto& one : of) {
        const std::optional<pod_count> most = room(level, one.first, when);
        if (!most || after.empty() || at(after.back()) != at(one)) after.push_back({one.first, 0});
        after.back().second += one.second;
        if (most) after.back().second = std::min(after.back().second, *most);
      }
      of = std::move(after);
    }
    pod_count sum = 0;
    for (const auto& [p, pods] : of) sum += pods;
    return sum;
  }

 private:
  [[nodiscard]] static bool is_afresh(tense when) noexcept {
    return when == tense::empty_open || when == tense::empty_all;
  }

  /// The domains of the required level, or all nodes as one.
  [[nodiscard]] std::vector<recounted_domain> whole_domains(tense when) const {
    std::vector<recounted_domain> found;
    const topology_level level = group_.required;
    if (level == no_level) {
      found.emplace_back();
      for (std::uint32_t p = 0; p < view_.size(); ++p) found[0].nodes.push_back(p);
      return found;
    }
    const auto& held = demand(when).held;
    std::map<std::uint32_t, std::vector<std::uint32_t>> members;
    if (level != node_level)
      for (std::uint32_t d = 0; d < view_.domains(static_cast<std::size_t>(level)); ++d) members[d];
    for (std::uint32_t p = 0; p < view_.size(); ++p)
      if (domain_at(p, level) != no_domain) members[domain_at(p, level)].push_back(p);
    for (auto& [d, nodes] : members) {
      if (!held.empty() && domain_at(held[0].first, level) != d) continue;
      domain_path name{node_level, {}};
      if (level == node_level)
        name.path.push_back(static_cast<label_id>(number(view_.id(d))));
      else
        name = view_.domain_name(static_cast<std::size_t>(level), d);
      found.push_back({std::move(name), {}, false, std::move(nodes)});
    }
    return found;
  }
  /// The device model that members pin; in the tenses without pods none runs.
  [[nodiscard]] std::optional<device_model> held_model(tense when) const noexcept {
    return is_afresh(when) ? std::nullopt : held_model_;
  }

  /// The fewest new pods that make the group enough.
  void count_enough(const std::vector<pod_count>& have) {
    pod_count required = set_required(demand_, have);
    for (const pod_count n : have) demand_.have += n;
    for (const pod_count n : demand_.pending) demand_.all += n;
    pod_count size = demand_.have + std::max<pod_count>(required, demand_.all > 0 ? 1 : 0);
    size = std::max(size, minimum_pods(group_));
    demand_.needed =
        legal_size_at_least(group_.sizes, size, full_size(group_)).value_or(max_pods_per_group) - demand_.have;
  }
  /// The same when those that run are to be placed as well.
  void count_enough_afresh(const std::vector<pod_count>& have) {
    (void)set_required(afresh_, have);
    const auto held = static_cast<pod_count>(held_of_set_.size());
    afresh_.held.clear();
    afresh_.all += held;
    afresh_.have -= held;
    afresh_.needed += held;
  }
  pod_count set_required(recounted_demand& of, const std::vector<pod_count>& have) const {
    of.required.assign(have.size(), 0);
    pod_count sum = 0;
    for (std::size_t s = 0; s < have.size(); ++s)
      sum += of.required[s] = std::max<pod_count>(0, group_.pod_sets[s].minimum - have[s]);
    return sum;
  }

  const snapshot<M>& view_;
  const pod_group<M>& group_;
  const Filter& filter_;
  recounted_demand demand_, afresh_;
  std::vector<std::map<std::uint32_t, pod_count>> held_in_;  // of each limit by domain
  std::vector<topology_level> wider_limits_;
  std::multimap<std::uint32_t, typename M::grant_type> kept_;  // set aside for the group, by position
  std::vector<std::uint32_t> held_of_set_;
  std::optional<device_model> held_model_;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
