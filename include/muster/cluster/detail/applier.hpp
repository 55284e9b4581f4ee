// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CLUSTER_DETAIL_APPLIER_HPP
#define MUSTER_CLUSTER_DETAIL_APPLIER_HPP

/// \file
/// What each kind of change does to the ledger: check the input, compare with the register, write it, refresh what
/// hangs on it.

#include <muster/cluster/change.hpp>
#include <muster/cluster/detail/content.hpp>
#include <muster/cluster/detail/ledger.hpp>
#include <muster/cluster/detail/outcomes.hpp>
#include <muster/core/config.hpp>
#include <muster/core/hash.hpp>
#include <muster/workload/validate.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>

namespace muster::inline MUSTER_ABI::cluster_detail {

template <resource_model M>
struct applier {
  ledger<M>& books;
  revision at;

  apply_result operator()(const node_seen<M>& seen) {
    const node_spec<M>& spec = seen.node;
    if (spec.id == no_node) return refuse(change_fault::reserved_id);
    if (spec.labels.size() > books.shape.size()) return refuse(change_fault::too_many_labels);
    if (const amount_fault fault = M::check_capacity(spec.capacity); fault != amount_fault::none)
      return refuse(change_fault::bad_capacity, fault);
    const std::uint32_t slot = books.node_slot(spec.id);
    labels path = spec.labels;
    path.resize(books.shape.size(), no_label);
    const std::uint64_t content = content_of<M>(spec.kind, spec.capacity, path);
    const apply_outcome outcome = compare(
        books.nodes[slot].spec_at, at, [&] { return books.nodes[slot].spec_content; }, [&] { return content; });
    if (outcome != apply_outcome::applied) return {outcome};
    const std::uint32_t number = books.domains.intern(path);
    node_record& node = books.nodes[slot];
    const bool same_place = node.present && node.kind == spec.kind && node.path == number;
    if (!same_place) books.settled = false;
    books.leave_index(slot);
    node.spec_at = at;
    node.spec_content = content;
    node.kind = spec.kind;
    node.path = number;
    books.refresh_node(slot, &spec.capacity);
    touch(slot);
    return at > books.gone_at(slot) ? is_applied : is_stale;
  }

  apply_result operator()(const node_gone& gone) {
    if (gone.node == no_node) return refuse(change_fault::reserved_id);
    const std::uint32_t slot = books.node_slot(gone.node);
    node_extras& more = books.extras_of(slot);
    if (const apply_outcome outcome = compare(more.gone_at, at); outcome != apply_outcome::applied) return {outcome};
    const auto before = looks_of(slot);
    more.gone_at = at;
    books.refresh_node(slot, nullptr);
    touch(slot);
    return at > books.nodes[slot].spec_at || looks_of(slot) != before ? is_applied : is_stale;
  }

  apply_result operator()(const node_closed& closed) {
    if (closed.until <= closed.from) return refuse(change_fault::ends_before_start);
    return set_window(closed.node, true, closed.from, closed.until);
  }
  apply_result operator()(const node_opened& opened) { return set_window(opened.node, false, {}, {}); }

  apply_result operator()(const device_health& said) {
    if (said.node == no_node) return refuse(change_fault::reserved_id);
    if constexpr (!model_with_devices<M>) {
      return refuse(change_fault::no_devices);
    } else {
      if (said.device >= M::device_room) return refuse(change_fault::no_devices);
      const std::uint32_t slot = books.node_slot(said.node);
      node_extras::health& known = books.extras_of(slot).devices[said.device];
      const apply_outcome outcome = compare(
          known.at, at, [&] { return std::uint64_t{known.healthy}; }, [&] { return std::uint64_t{said.healthy}; });
      if (outcome != apply_outcome::applied) return {outcome};
      known = {at, said.healthy};
      books.refresh_node(slot, nullptr);
      touch(slot);
      return at <= books.gone_at(slot) ? is_stale : parked_unless_present(slot);
    }
  }

  apply_result operator()(const pod_seen<M>& seen) {
    if (seen.pod_set >= max_pod_sets) return refuse(change_fault::too_many_pod_sets);
    if (const amount_fault fault = M::check_request(seen.request); fault != amount_fault::none)
      return refuse(change_fault::bad_request, fault);
    const std::uint32_t p = books.pod_slot(seen.pod);
    const apply_outcome outcome = compare(
        books.pods[p].spec_at, at, [&] { return content_of_pod(books, p); }, [&] { return content_of<M>(seen); });
    if (outcome != apply_outcome::applied) return {outcome};
    const std::uint32_t group = seen.group == no_group ? no_slot : books.group_slot(seen.group);
    pod_record<M>& pod = books.pods[p];
    books.uncharge_pod(p);
    if (pod.counted) books.add_to_counts(pod, -1);
    pod.counted = false;
    if (pod.group != group) {
      books.detach_from_group(p);
      if (group != no_slot) books.attach_to_group(p, group);
    }
    pod.spec_at = at;
    pod.request = seen.request;
    pod.priority = seen.priority;
    pod.preemption = seen.preemption;
    pod.scheduler = seen.scheduler;
    pod.pod_set = seen.pod_set;
    pod.rank = seen.rank;
    pod.gated = seen.gated;
    pod.seen = seen.at;
    return refresh(p);
  }

  apply_result operator()(const pod_placed<M>& placed) {
    if (placed.node == no_node) return refuse(change_fault::reserved_id);
    if (placed.grant)
      if (const amount_fault fault = check_grant<M>(*placed.grant); fault != amount_fault::none)
        return refuse(change_fault::bad_grant, fault);
    const std::uint32_t p = books.pod_slot(placed.pod);
    if (const apply_outcome outcome = compare(
            books.pods[p].placed_at, at, [&] { return content_of_place(books, p); },
            [&] { return content_of<M>(placed); });
        outcome != apply_outcome::applied)
      return {outcome};
    const std::uint32_t slot = books.node_slot(placed.node);
    pod_record<M>& pod = books.pods[p];
    const bool same_grant = placed.grant ? pod.grant_is_given && pod.grant == *placed.grant : !pod.grant_is_given;
    if (pod.node != slot || !same_grant) {
      books.uncharge_pod(p);
      if (pod.node != slot) {
        books.detach_from_node(p);
        books.attach_to_node(p, slot);
      }
    }
    pod.has_place = true;
    pod.placed_at = at;
    pod.how = placed.how;
    pod.placed = placed.at;
    pod.grant_is_given = placed.grant.has_value();
    if (placed.grant) pod.grant = *placed.grant;
    return refresh(p);
  }

  apply_result operator()(const pod_unplaced& unplaced) {
    const std::uint32_t p = books.pod_slot(unplaced.pod);
    if (const apply_outcome outcome = compare(
            books.pods[p].placed_at, at, [&] { return content_of_place(books, p); },
            [&] { return content_of(unplaced); });
        outcome != apply_outcome::applied)
      return {outcome};
    pod_record<M>& pod = books.pods[p];
    books.uncharge_pod(p);
    books.detach_from_node(p);
    pod.has_place = false;
    pod.placed_at = at;
    pod.placed = unplaced.at;
    return refresh(p);
  }

  apply_result operator()(const pod_terminating& leaving) {
    const std::uint32_t p = books.pod_slot(leaving.pod);
    pod_record<M>& pod = books.pods[p];
    const apply_outcome outcome = compare(
        pod.leaving_at, at, [&] { return content_of(pod_terminating{pod.id, pod.until, pod.left}); },
        [&] { return content_of(leaving); });
    if (outcome != apply_outcome::applied) return {outcome};
    pod.leaving_at = at;
    pod.until = leaving.until;
    pod.left = leaving.at;
    return refresh(p);
  }

  apply_result operator()(const pod_ended& ended) {
    const std::uint32_t p = books.pod_slot(ended.pod);
    pod_record<M>& pod = books.pods[p];
    const apply_outcome outcome = compare(
        pod.ended_at, at, [&] { return content_of(pod_ended{pod.id, pod.end, pod.ended}); },
        [&] { return content_of(ended); });
    if (outcome != apply_outcome::applied) return {outcome};
    pod.ended_at = at;
    pod.end = ended.how;
    pod.ended = ended.at;
    return refresh(p);
  }

  apply_result operator()(const group_seen<M>& seen) {
    const group_finding found = first_fault(seen.group, books.shape);
    if (found.fault != group_fault::none) return refuse(change_fault::bad_group);
    group_record<M>& group = books.groups[books.group_slot(seen.group.id)];
    const apply_outcome outcome = compare(
        group.spec_at, at, [&] { return content_of(group.spec); }, [&] { return content_of(seen.group); });
    if (outcome != apply_outcome::applied) return {outcome};
    group.spec_at = at;
    group.spec = seen.group;
    ++books.tick;
    return at > group.gone_at ? is_applied : is_stale;
  }

  apply_result operator()(const group_gone& gone) {
    if (gone.group == no_group) return refuse(change_fault::reserved_id);
    group_record<M>& group = books.groups[books.group_slot(gone.group)];
    if (const apply_outcome outcome = compare(group.gone_at, at); outcome != apply_outcome::applied) return {outcome};
    group.gone_at = at;
    ++books.tick;
    return at > group.spec_at ? is_applied : is_stale;
  }

  apply_result operator()(const group_satisfied& satisfied) {
    if (satisfied.group == no_group) return refuse(change_fault::reserved_id);
    group_record<M>& group = books.groups[books.group_slot(satisfied.group)];
    const apply_outcome outcome = compare(
        group.satisfied_at, at, [&] { return content_of(group_satisfied{group.id, group.satisfied}); },
        [&] { return content_of(satisfied); });
    if (outcome != apply_outcome::applied) return {outcome};
    group.satisfied_at = at;
    group.satisfied = satisfied.at;
    ++books.tick;
    return is_applied;
  }

  apply_result operator()(const set_aside<M>& kept) {
    if (kept.node == no_node || kept.group == no_group) return refuse(change_fault::reserved_id);
    if (kept.count < 1 || kept.count > max_pods_per_node) return refuse(change_fault::too_many_pods);
    if (kept.pod_set >= max_pod_sets) return refuse(change_fault::too_many_pod_sets);
    if (const amount_fault fault = check_grant<M>(kept.grant); fault != amount_fault::none)
      return refuse(change_fault::bad_grant, fault);
    set_aside_record<M>& aside = books.asides[kept.id];
    const apply_outcome outcome = compare(
        aside.at, at, [&] { return content_of(aside.what); }, [&] { return content_of(kept); });
    if (outcome != apply_outcome::applied) return {outcome};
    withdraw(aside);
    if (aside.node != no_slot) books.asides_on.erase({aside.node, kept.id});
    aside.what = kept;
    aside.at = at;
    aside.node = books.node_slot(kept.node);
    if (aside.is_live()) books.asides_on.emplace(aside.node, kept.id);
    books.refresh_aside(aside);
    touch(aside.node);
    const bool over = aside.at <= aside.dropped_at || aside.at <= books.gone_at(aside.node);
    if (over) return is_stale;
    const bool finds_no_slot = !aside.charged && kept.until > books.time;
    if (finds_no_slot || !names_what_is_there(aside.node, kept.grant)) return is_parked;
    return parked_unless_present(aside.node);
  }

  apply_result operator()(const set_aside_dropped& dropped) {
    set_aside_record<M>& aside = books.asides[dropped.id];
    if (const apply_outcome outcome = compare(aside.dropped_at, at); outcome != apply_outcome::applied)
      return {outcome};
    withdraw(aside);
    aside.dropped_at = at;
    if (aside.node == no_slot) return is_parked;
    if (!aside.is_live()) books.asides_on.erase({aside.node, dropped.id});
    books.refresh_aside(aside);
    touch(aside.node);
    return aside.at > at ? is_stale : is_applied;
  }

 private:
  void touch(std::uint32_t slot) noexcept { books.nodes[slot].touched = ++books.tick; }

  void withdraw(set_aside_record<M>& aside) {
    if (!aside.charged) return;
    books.withdraw(aside);
    touch(aside.node);
  }

  /// What a node's late death may change while the node is there again: its window, what is left, lost pods.
  [[nodiscard]] std::tuple<bool, typename M::state_type, std::size_t> looks_of(std::uint32_t slot) const {
    const node_record& node = books.nodes[slot];
    std::size_t lost = 0;
    for (std::uint32_t p = node.first_pod; p != no_slot; p = books.pods[p].next_on_node)
      if (books.pods[p].phase == phase::lost) ++lost;
    return {node.open, node.present ? books.now[node.position] : typename M::state_type{}, lost};
  }

  apply_result parked_unless_present(std::uint32_t slot) const {
    return books.nodes[slot].present ? is_applied : is_parked;
  }

  /// Whether a node, if it was seen, has all that a grant names.
  [[nodiscard]] bool names_what_is_there(std::uint32_t slot, const typename M::grant_type& grant) const {
    const std::uint32_t position = books.nodes[slot].position;
    return position == no_position || is_there<M>(books.capacity[position], grant);
  }

  apply_result set_window(node_id id, bool closed, time_point from, time_point until) {
    if (id == no_node) return refuse(change_fault::reserved_id);
    const std::uint32_t slot = books.node_slot(id);
    node_extras& more = books.extras_of(slot);
    const auto content = [](bool shut, time_point a, time_point b) {
      return hasher{}.add(shut).add(a.time_since_epoch().count()).add(b.time_since_epoch().count()).value();
    };
    const apply_outcome outcome = compare(
        more.closed_at, at, [&] { return content(more.closed, more.from, more.until); },
        [&] { return content(closed, from, until); });
    if (outcome != apply_outcome::applied) return {outcome};
    books.leave_index(slot);
    more.closed_at = at;
    more.closed = closed;
    more.from = from;
    more.until = until;
    books.enter_index(slot);
    touch(slot);
    return at <= more.gone_at ? is_stale : parked_unless_present(slot);
  }

  apply_result refresh(std::uint32_t p) {
    books.refresh_pod(p);
    const pod_record<M>& pod = books.pods[p];
    if (pod.node != no_slot) touch(pod.node);
    else ++books.tick;
    if (pod.spec_at == never_seen) return is_parked;
    const bool should_be_charged = pod.has_place && !is_terminal(pod.phase);
    if (!should_be_charged) return is_applied;
    return pod.charged && names_what_is_there(pod.node, pod.grant) ? is_applied : is_parked;
  }
};

}  // namespace muster::inline MUSTER_ABI::cluster_detail

#endif
