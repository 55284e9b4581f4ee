// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_RECOUNT_HPP
#define MUSTER_PLACEMENT_DETAIL_RECOUNT_HPP

/// \file
/// Counts again what a certificate claims, node by node and pod by pod, from the rules alone.
///
/// Nothing here is shared with the search: no index, no classes, no patterns, no merging of nodes. It is slow and plain
/// on purpose.

#include <muster/cluster/cluster.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/certificate.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>
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
    view_.visit_set_asides(group_.id, [&](const set_aside<M>& kept, std::uint32_t position) {
      if (position == p) M::release(state, kept.grant);
    });
    return state;
  }
  /// Whether a pod set may use a node of the domain.
  [[nodiscard]] bool may(std::size_t s, std::uint32_t p, const recounted_domain& in) const {
    if (filter_(group_, s, view_.kind(p)) != eligible_node) return false;
    if (!in.by_model || !asks_devices<M>(group_.pod_sets[s].request)) return true;
    const auto model = model_of<M>(view_.capacity(p));
    return model && model == in.model;
  }

  /// More pods of the group under the limits of one level in the domain of a node; nothing if it is not limited.
  [[nodiscard]] std::optional<pod_count> room(const spread_limit& limit, std::uint32_t p, tense when) const {
    const auto domain = [&](std::uint32_t at) {
      return limit.level == node_level ? at : view_.domain_of(at, static_cast<std::size_t>(limit.level));
    };
    if (domain(p) == no_domain) return std::nullopt;
    pod_count left = limit.count;
    for (const auto& [position, pods] : demand(when).held)
      if (domain(position) == domain(p)) left -= pods;
    return std::max<pod_count>(left, 0);
  }
  /// How many more pods a node may hold at all.
  [[nodiscard]] pod_count slots_left(std::uint32_t p, tense when) const {
    if (is_afresh(when)) return max_pods_per_node;
    pod_count slots = when == tense::now ? view_.pods_left(p) : view_.pods_left_later(p);
    view_.visit_set_asides(group_.id, [&](const set_aside<M>&, std::uint32_t position) { slots += position == p; });
    return slots;
  }
  /// The most pods a node may take under the limits of its own.
  [[nodiscard]] pod_count node_room(std::uint32_t p, tense when) const {
    pod_count most = std::min(demand(when).all, slots_left(p, when));
    for (const spread_limit& limit : group_.limits)
      if (limit.level == node_level) most = std::min(most, room(limit, p, when).value_or(most));
    return most;
  }

  /// Count vectors a node, or a domain, can host: every one, smaller ones too, where limits of wider domains matter;
  /// else the dearest alone will do.
  using ways = std::set<std::vector<pod_count>>;
  static constexpr std::size_t most_ways = std::size_t{1} << 16;

  /// The most that nodes are worth together under the limits of wider domains, which can host no more of each count
  /// than `most`; nothing if the ways are too many.
  [[nodiscard]] std::optional<std::int64_t> sum_under_limits(std::vector<std::pair<std::uint32_t, ways>> of, tense when,
                                                             std::span<const std::int64_t> worth,
                                                             std::span<const pod_count> most) const {
    for (std::size_t level = max_levels; level-- > 0;)
      for (const spread_limit& limit : group_.limits)
        if (static_cast<std::size_t>(limit.level) == level && !bind(of, limit, level, when, most)) return std::nullopt;
    std::int64_t sum = 0;
    for (const auto& [position, hosted] : of) {
      std::int64_t best = 0;
      for (const auto& counts : hosted)
        best = std::max(best, std::inner_product(counts.begin(), counts.end(), worth.begin(), std::int64_t{0}));
      sum = saturating_add(sum, best);
    }
    return sum;
  }
  /// The same for pods of one kind, so many on each node.
  [[nodiscard]] std::optional<std::int64_t> sum_under_limits(const std::vector<std::pair<std::uint32_t, pod_count>>& of,
                                                             tense when, pod_count most) const {
    std::vector<std::pair<std::uint32_t, ways>> nodes;
    for (const auto& [position, pods] : of) {
      nodes.push_back({position, {}});
      for (pod_count j = limited_above_nodes() ? 0 : pods; j <= pods; ++j) nodes.back().second.insert({j});
    }
    const std::int64_t one = 1;
    return sum_under_limits(std::move(nodes), when, {&one, 1}, {&most, 1});
  }
  [[nodiscard]] bool limited_above_nodes() const noexcept {
    return std::any_of(group_.limits.begin(), group_.limits.end(),
                       [](const spread_limit& limit) { return limit.level != node_level; });
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
    const auto domain = [&](std::uint32_t p) {
      return level == node_level ? p : view_.domain_of(p, static_cast<std::size_t>(level));
    };
    std::map<std::uint32_t, std::vector<std::uint32_t>> members;
    if (level != node_level)
      for (std::uint32_t d = 0; d < view_.domains(static_cast<std::size_t>(level)); ++d) members[d];
    for (std::uint32_t p = 0; p < view_.size(); ++p)
      if (domain(p) != no_domain) members[domain(p)].push_back(p);
    for (auto& [d, nodes] : members) {
      if (!held.empty() && domain(held[0].first) != d) continue;
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

  [[nodiscard]] bool bind(std::vector<std::pair<std::uint32_t, ways>>& of, const spread_limit& limit, std::size_t level,
                          tense when, std::span<const pod_count> most) const {
    std::map<std::uint32_t, std::pair<std::uint32_t, ways>> domains;
    std::vector<std::pair<std::uint32_t, ways>> after;
    for (auto& [position, hosted] : of) {
      const std::uint32_t domain = view_.domain_of(position, level);
      if (domain == no_domain) {
        after.emplace_back(position, std::move(hosted));
        continue;
      }
      const pod_count left = room(limit, position, when).value_or(0);
      const ways nothing{std::vector<pod_count>(most.size(), 0)};
      ways& sum = domains.try_emplace(domain, position, nothing).first->second.second;
      ways both;
      for (const auto& ours : sum)
        for (const auto& theirs : hosted) {
          std::vector<pod_count> counts(most.size());
          for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = std::min(ours[i] + theirs[i], most[i]);
          if (std::accumulate(counts.begin(), counts.end(), pod_count{0}) > left) continue;
          both.insert(std::move(counts));
          if (both.size() > most_ways) return false;
        }
      sum = std::move(both);
    }
    for (auto& [domain, one] : domains) after.push_back(std::move(one));
    of = std::move(after);
    return true;
  }

  const snapshot<M>& view_;
  const pod_group<M>& group_;
  const Filter& filter_;
  recounted_demand demand_, afresh_;
  std::vector<std::uint32_t> held_of_set_;
  std::optional<device_model> held_model_;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
