// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CLUSTER_DETAIL_LEDGER_HPP
#define MUSTER_CLUSTER_DETAIL_LEDGER_HPP

/// \file
/// Keeps records, what is left on every node, and the index in step.
///
/// Invariants between two calls:
/// - a pod is charged to its node iff it is placed, not over, its request is known, and the node is present and was not
///   lost since the pod was placed;
/// - now[position] = empty node, sick devices out, minus all charged grants and set-asides; the later state also
///   without the terminating pods, and is kept only for nodes that have some;
/// - while `settled`, positions are in (kind, path, key) order and the index holds exactly the open nodes;
/// - grants the host did not give are those of `force` in the order of pod ids, after all given ones.

#include <muster/cluster/detail/books.hpp>
#include <muster/core/config.hpp>
#include <muster/core/storage.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::cluster_detail {

template <resource_model M>
struct ledger : books<M> {
  using base = books<M>;
  using typename base::grant_type;
  using typename base::levels;
  using typename base::state;
  using base::asides, base::asides_for, base::asides_on, base::capacity, base::domains, base::eased, base::extras,
      base::groups, base::index, base::kinds, base::later, base::nodes, base::now, base::pods, base::settled,
      base::shape, base::slot_of, base::tick, base::time;
  using base::charge, base::count_largest, base::dims, base::forget_largest, base::gone_at, base::index_fits_with,
      base::levels_of, base::uncharge;

  // --- pods ---------------------------------------------------------------------------------------------------------

  [[nodiscard]] bool is_leaving(const pod_record<M>& pod) const noexcept { return pod.phase == phase::terminating; }

  void uncharge_pod(std::uint32_t p) {
    pod_record<M>& pod = pods[p];
    if (!pod.charged) return;
    pod.charged = false;
    uncharge(pod.node, pod.grant, is_leaving(pod));
    derive_grants(pod.node);
  }

  /// Whether grants are derived at once, or by the caller when all is charged.
  enum class deriving : std::uint8_t { at_once, later };

  /// Brings one pod's phase, charge and counts in line with its registers. Whoever changes its node or grant has
  /// uncharged it before.
  void refresh_pod(std::uint32_t p, deriving when = deriving::at_once) {
    pod_record<M>& pod = pods[p];
    const bool over = pod.ended_at != never_seen;
    const bool lost = pod.has_place && !over && gone_at(pod.node) >= pod.placed_at && gone_at(pod.node) != never_seen;
    phase next = phase::seen;
    if (over) next = static_cast<phase>(static_cast<int>(phase::succeeded) + static_cast<int>(pod.end));
    else if (lost) next = phase::lost;
    else if (pod.leaving_at != never_seen) next = phase::terminating;
    else if (pod.has_place) next = static_cast<phase>(static_cast<int>(phase::assumed) + static_cast<int>(pod.how));

    const bool here = pod.has_place && !over && !lost && nodes[pod.node].present && pod.spec_at != never_seen &&
                      (pod.charged || nodes[pod.node].charged < max_pods_per_node);
    if (pod.charged && (!here || (next == phase::terminating) != is_leaving(pod))) uncharge_pod(p);
    count_pod(p, next);
    if (here && !pod.charged) {
      if constexpr (M::grant_follows_from_request) {
        if (!pod.grant_is_given) pod.grant = pod.request;
      } else {
        if (!pod.grant_is_given) pod.grant = grant_type{};
      }
      charge(pod.node, pod.grant, is_leaving(pod));
      pod.charged = true;
      if (when == deriving::at_once) derive_grants(pod.node);
    }
  }

  /// Gives the pods whose grant the host did not say theirs again, in the order of their ids.
  void derive_grants(std::uint32_t slot) {
    if constexpr (!M::grant_follows_from_request) {
      short_list<std::uint32_t, 16> derived;
      for (std::uint32_t p = nodes[slot].first_pod; p != no_slot; p = pods[p].next_on_node)
        if (pods[p].charged && !pods[p].grant_is_given) derived.push_back(p);
      if (derived.empty()) return;
      std::sort(derived.begin(), derived.end(),
                [this](std::uint32_t a, std::uint32_t b) { return pods[a].id < pods[b].id; });
      for (const std::uint32_t p : derived) uncharge(slot, pods[p].grant, is_leaving(pods[p]));
      for (const std::uint32_t p : derived) {
        state trial = now[nodes[slot].position];
        pods[p].grant = M::force(trial, pods[p].request);
        charge(slot, pods[p].grant, is_leaving(pods[p]));
      }
    }
  }

  void count_pod(std::uint32_t p, phase next) {
    pod_record<M>& pod = pods[p];
    const bool counts = pod.spec_at != never_seen && pod.group != no_slot;
    if (pod.counted && counts && next == pod.phase) return;
    if (pod.counted) add_to_counts(pod, -1);
    pod.phase = next;
    pod.counted = counts;
    if (counts) add_to_counts(pod, 1);
  }

  void add_to_counts(const pod_record<M>& pod, pod_count n) {
    group_record<M>& group = groups[pod.group];
    group.members.add(pod.phase, n);
    if (group.by_set.size() <= pod.pod_set) group.by_set.resize(pod.pod_set + 1);
    group.by_set[pod.pod_set].add(pod.phase, n);
    if (pod.gated && pod.phase == phase::seen) group.gated += n;
  }

  void attach_to_node(std::uint32_t p, std::uint32_t slot) {
    pods[p].node = slot;
    link<on_node>(p, nodes[slot].first_pod);
  }
  void detach_from_node(std::uint32_t p) {
    if (pods[p].node == no_slot) return;
    unlink<on_node>(p, nodes[pods[p].node].first_pod);
    pods[p].node = no_slot;
  }
  void attach_to_group(std::uint32_t p, std::uint32_t slot) {
    pods[p].group = slot;
    link<in_group>(p, groups[slot].first_pod);
  }
  void detach_from_group(std::uint32_t p) {
    if (pods[p].group == no_slot) return;
    unlink<in_group>(p, groups[pods[p].group].first_pod);
    pods[p].group = no_slot;
  }

  /// Which members of a pod's record link it to the others of a list.
  struct on_node {
    static constexpr auto next = &pod_record<M>::next_on_node, previous = &pod_record<M>::previous_on_node;
  };
  struct in_group {
    static constexpr auto next = &pod_record<M>::next_in_group, previous = &pod_record<M>::previous_in_group;
  };

  /// Puts a pod at the front of a list.
  template <class List>
  void link(std::uint32_t p, std::uint32_t& first) {
    pods[p].*List::previous = no_slot;
    pods[p].*List::next = first;
    if (first != no_slot) pods[first].*List::previous = p;
    first = p;
  }
  template <class List>
  void unlink(std::uint32_t p, std::uint32_t& first) {
    const std::uint32_t next = pods[p].*List::next, previous = pods[p].*List::previous;
    (previous == no_slot ? first : pods[previous].*List::next) = next;
    if (next != no_slot) pods[next].*List::previous = previous;
  }

  // --- set-asides ---------------------------------------------------------------------------------------------------

  void refresh_aside(set_aside_record<M>& aside, deriving when = deriving::at_once) {
    if (aside.node == no_slot) return;  // dropped before it was seen
    const node_record& node = nodes[aside.node];
    const bool here = aside.is_live() && aside.what.until > time && node.present && gone_at(aside.node) < aside.at &&
                      (aside.charged || node.charged < max_pods_per_node);
    if (!here) {
      withdraw(aside, when);
    } else if (!aside.charged) {
      aside.charged = true;
      asides_for.emplace(aside.what.group, aside.what.id);
      charge(aside.node, aside.what.grant, false);
      if (when == deriving::at_once) derive_grants(aside.node);
    }
  }

  /// Gives back what it holds.
  void withdraw(set_aside_record<M>& aside, deriving when = deriving::at_once) {
    if (!aside.charged) return;
    aside.charged = false;
    asides_for.erase({aside.what.group, aside.what.id});
    uncharge(aside.node, aside.what.grant, false);
    if (when == deriving::at_once) derive_grants(aside.node);
  }

  /// Calls `visit(aside)` for the set-asides of a node that are not dropped.
  template <class Visit>
  void visit_asides_on(std::uint32_t slot, Visit&& visit) {
    for (auto on = asides_on.lower_bound({slot, set_aside_id{}}); on != asides_on.end() && on->first == slot; ++on)
      visit(asides.find(on->second)->second);
  }

  // --- what waits for a slot ----------------------------------------------------------------------------------------

  /// Charges what was parked on nodes that were full and no longer are: pods by id, then set-asides by id.
  void charge_parked() {
    while (!eased.empty()) {
      const std::uint32_t slot = eased.back();
      eased.pop_back();
      const std::uint16_t before = nodes[slot].charged;
      while (nodes[slot].charged < max_pods_per_node) {
        std::uint32_t first = no_slot;
        for (std::uint32_t p = nodes[slot].first_pod; p != no_slot; p = pods[p].next_on_node)
          if (waits_for_slot(pods[p]) && (first == no_slot || pods[p].id < pods[first].id)) first = p;
        if (first == no_slot) break;
        refresh_pod(first);
        if (!pods[first].charged) break;
      }
      visit_asides_on(slot, [&](set_aside_record<M>& aside) { refresh_aside(aside); });
      if (nodes[slot].charged != before) nodes[slot].touched = ++tick;
    }
  }
  /// Whether a pod on the list of a node would be charged there if the node held fewer.
  [[nodiscard]] bool waits_for_slot(const pod_record<M>& pod) const noexcept {
    return !pod.charged && pod.has_place && pod.spec_at != never_seen && !is_terminal(pod.phase) &&
           nodes[pod.node].present;
  }

  // --- nodes --------------------------------------------------------------------------------------------------------

  [[nodiscard]] bool closed_now(std::uint32_t slot) const noexcept {
    if (!nodes[slot].has_extras) return false;
    const node_extras& more = *extras.find(slot);
    return more.closed && more.closed_at > more.gone_at && more.from <= time && time < more.until;
  }

  void leave_index(std::uint32_t slot) noexcept {
    if (settled && nodes[slot].open) index.erase(nodes[slot].position, levels_of(now[nodes[slot].position]));
    nodes[slot].open = false;
  }
  void enter_index(std::uint32_t slot) noexcept {
    nodes[slot].open = nodes[slot].present && !closed_now(slot);
    if (settled && nodes[slot].open) index.insert(nodes[slot].position, levels_of(now[nodes[slot].position]));
  }

  /// Recomputes a node from its registers: presence, capacity, devices, and everything charged to it.
  void refresh_node(std::uint32_t slot, const typename M::capacity_type* resized) {
    node_record& node = nodes[slot];
    leave_index(slot);
    count_largest(slot, -1);
    node.present = node.spec_at != never_seen && node.spec_at > gone_at(slot);
    if (node.position == no_position && resized != nullptr) {
      node.position = static_cast<std::uint32_t>(now.size());
      slot_of.push_back(slot);
      capacity.emplace_back();
      now.emplace_back();
      settled = false;
    }
    if (resized != nullptr) capacity[node.position] = *resized;
    settled = settled && index_fits_with(slot);
    for (std::uint32_t p = node.first_pod; p != no_slot; p = pods[p].next_on_node) pods[p].charged = false;
    visit_asides_on(slot, [&](set_aside_record<M>& aside) {
      aside.charged = false;
      asides_for.erase({aside.what.group, aside.what.id});
    });
    later.erase(slot);
    node.leaving = node.charged = 0;
    if (node.position != no_position) {
      now[node.position] = M::empty_node(capacity[node.position]);
      apply_health(slot, now[node.position]);
    }
    for (std::uint32_t p = node.first_pod; p != no_slot; p = pods[p].next_on_node) refresh_pod(p, deriving::later);
    visit_asides_on(slot, [&](set_aside_record<M>& aside) { refresh_aside(aside, deriving::later); });
    derive_grants(slot);
    enter_index(slot);
  }

  void apply_health(std::uint32_t slot, state& left) const {
    if constexpr (model_with_devices<M>) {
      if (!nodes[slot].has_extras) return;
      const node_extras& more = *extras.find(slot);
      for (const auto& [device, health] : more.devices)
        if (!health.healthy && health.at > more.gone_at) M::set_health(left, device, false);
    }
  }

  // --- time and order -----------------------------------------------------------------------------------------------

  /// Re-reads what depends on the time: windows and set-asides that end.
  void advance(time_point to) {
    if (to == time) return;
    time = to;
    for (const auto& [slot, more] : extras) {
      if (!more.closed) continue;
      const bool was_open = nodes[slot].open;
      leave_index(slot);
      enter_index(slot);
      if (nodes[slot].open != was_open) nodes[slot].touched = ++tick;
    }
    for (auto& [id, aside] : asides) {
      const bool before = aside.charged;
      refresh_aside(aside);
      if (aside.charged != before) nodes[aside.node].touched = ++tick;
    }
    charge_parked();
  }

  /// Puts nodes in (kind, path, key) order and rebuilds index and domains. Nodes that went keep their place until
  /// forgotten.
  void settle() {
    if (settled) return;
    const std::vector<std::uint32_t> rank = domains.ranks();
    std::vector<std::uint32_t> order;
    for (std::uint32_t slot = 0; slot < nodes.size(); ++slot)
      if (nodes[slot].position != no_position) order.push_back(slot);
    const auto place = [&](std::uint32_t s) { return std::tuple{nodes[s].kind, rank[nodes[s].path], nodes[s].id}; };
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return place(a) < place(b); });

    std::vector<typename M::capacity_type> ordered_capacity(order.size());
    std::vector<state> ordered_now(order.size());
    std::vector<std::uint32_t> path_at(order.size());
    std::array<amount, dims == 0 ? 1 : dims> most{};
    kinds.clear();
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      const node_record& node = nodes[order[i]];
      ordered_capacity[i] = capacity[node.position];
      ordered_now[i] = now[node.position];
      path_at[i] = node.path;
      if constexpr (dims > 0) {
        const state empty = M::empty_node(ordered_capacity[i]);
        for (std::size_t d = 0; node.present && d < dims; ++d) most[d] = std::max(most[d], M::amount_left(empty, d));
      }
      if (kinds.empty() || kinds.back().first != node.kind) kinds.push_back({node.kind, {i, i}});
      ++kinds.back().second.last;
    }
    for (node_record& node : nodes) node.position = no_position;
    for (std::uint32_t i = 0; i < order.size(); ++i) nodes[order[i]].position = i;
    capacity.swap(ordered_capacity);
    now.swap(ordered_now);
    slot_of = std::move(order);
    slot_of.shrink_to_fit();
    nodes.shrink_to_fit();
    domains.rebuild(shape, path_at);
    index.reset(now.size(), most);
    settled = true;
    forget_largest();
    for (std::uint32_t i = 0; i < slot_of.size(); ++i) {
      count_largest(slot_of[i], 1);
      if (nodes[slot_of[i]].open) index.insert(i, levels_of(now[i]));
    }
  }
};

}  // namespace muster::inline MUSTER_ABI::cluster_detail

#endif
