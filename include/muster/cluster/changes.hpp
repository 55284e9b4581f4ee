// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CLUSTER_CHANGES_HPP
#define MUSTER_CLUSTER_CHANGES_HPP

/// \file
/// The way back: a cluster as a list of changes, and a cluster that forgets what is over.
///
/// A cluster is its registers, so it can be written as the changes that set them. Applied to an empty cluster in any
/// order they give the same digest: a replica, a checkpoint, a bug report. What is over (ended pods, nodes and
/// groups that went, dropped set-asides) is kept as tombstones, so that a late change does not bring it back;
/// `forget` lets go of those the host will hear no more of.

#include <muster/cluster/apply.hpp>
#include <muster/cluster/change.hpp>
#include <muster/cluster/cluster.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/resource/model.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI {

/// Calls `emit(change<M>)` for every register that was written: nodes, groups, pods, set-asides.
/// \complexity O(nodes + pods + groups + set-asides)
/// \determinism the set of changes does not depend on how it was learnt, their order may
template <resource_model M, class Emit>
void for_each_change(const cluster<M>& model, Emit&& emit);

/// Drops what is over and was last heard of at `upto` or before: ended pods (but not those that succeeded in a group
/// that is there: they count), groups that went and have no pod left, nodes that went and have no pod left, dropped
/// set-asides.
///
/// \pre no change of revision `upto` or before is applied later
/// \complexity as applying every change that is kept: for once in a while
/// \exceptions allocates a new cluster before it lets go of the old one
template <resource_model M>
void forget(cluster<M>& model, revision upto);

// ---------------------------------------------------------------------------------------------------------------------

namespace cluster_detail {

/// The registers of one record, as changes.
template <resource_model M>
struct register_reader {
  const ledger<M>& books;

  template <class Emit>
  void read_node(std::uint32_t slot, Emit&& emit) const {
    const node_record& node = books.nodes[slot];
    if (node.spec_at != never_seen)
      emit(change<M>{node.spec_at,
                     node_seen<M>{{node.id, node.kind, books.capacity[node.position], books.domains.path(node.path)}}});
    if (!node.has_extras) return;
    const node_extras& more = *books.extras.find(slot);
    if (more.gone_at != never_seen) emit(change<M>{more.gone_at, node_gone{node.id}});
    if (more.closed_at != never_seen) {
      if (more.closed) emit(change<M>{more.closed_at, node_closed{node.id, more.from, more.until}});
      else emit(change<M>{more.closed_at, node_opened{node.id}});
    }
    for (const auto& [device, health] : more.devices)
      if (health.at != never_seen) emit(change<M>{health.at, device_health{node.id, device, health.healthy}});
  }

  template <class Emit>
  void read_pod(const pod_record<M>& pod, Emit&& emit) const {
    const group_id group = pod.group == no_slot ? no_group : books.groups[pod.group].id;
    if (pod.spec_at != never_seen)
      emit(change<M>{pod.spec_at, pod_seen<M>{pod.id, group, pod.pod_set, pod.request, pod.priority, pod.preemption,
                                              pod.scheduler, pod.rank, pod.gated, pod.seen}});
    if (pod.placed_at != never_seen) {
      if (pod.has_place) {
        pod_placed<M> placed{pod.id, books.nodes[pod.node].id, pod.how, {}, pod.placed};
        if (pod.grant_is_given) placed.grant = pod.grant;
        emit(change<M>{pod.placed_at, placed});
      } else {
        emit(change<M>{pod.placed_at, pod_unplaced{pod.id, pod.placed}});
      }
    }
    if (pod.leaving_at != never_seen) emit(change<M>{pod.leaving_at, pod_terminating{pod.id, pod.until, pod.left}});
    if (pod.ended_at != never_seen) emit(change<M>{pod.ended_at, pod_ended{pod.id, pod.end, pod.ended}});
  }

  template <class Emit>
  void read_group(const group_record<M>& group, Emit&& emit) const {
    if (group.spec_at != never_seen) emit(change<M>{group.spec_at, group_seen<M>{group.spec}});
    if (group.gone_at != never_seen) emit(change<M>{group.gone_at, group_gone{group.id}});
    if (group.satisfied_at != never_seen)
      emit(change<M>{group.satisfied_at, group_satisfied{group.id, group.satisfied}});
  }

  template <class Emit>
  void read_aside(set_aside_id id, const set_aside_record<M>& aside, Emit&& emit) const {
    if (aside.at != never_seen) emit(change<M>{aside.at, aside.what});
    if (aside.dropped_at != never_seen) emit(change<M>{aside.dropped_at, set_aside_dropped{id}});
  }
};

}  // namespace cluster_detail

template <resource_model M, class Emit>
void for_each_change(const cluster<M>& model, Emit&& emit) {
  const auto& books = model.books();
  const cluster_detail::register_reader<M> read{books};
  for (std::uint32_t slot = 0; slot < books.nodes.size(); ++slot) read.read_node(slot, emit);
  for (const group_record<M>& group : books.groups) read.read_group(group, emit);
  for (const pod_record<M>& pod : books.pods) read.read_pod(pod, emit);
  for (const auto& [id, aside] : books.asides) read.read_aside(id, aside, emit);
}

template <resource_model M>
void forget(cluster<M>& model, revision upto) {
  const auto& books = model.books();
  const cluster_detail::register_reader<M> read{books};
  cluster<M> kept{model.levels()};
  const auto keep = [&](const change<M>& one) { apply(kept, one); };

  std::vector<bool> node_named(books.nodes.size(), false), group_named(books.groups.size(), false);
  for (const pod_record<M>& pod : books.pods) {
    const revision last = std::max({pod.spec_at, pod.placed_at, pod.leaving_at, pod.ended_at});
    const bool counts = pod.ended_at != never_seen && pod.end == ending::succeeded && pod.group != no_slot &&
                        books.groups[pod.group].present();  // towards its group's minimum
    if (pod.ended_at != never_seen && last <= upto && !counts) continue;
    if (pod.node != no_slot) node_named[pod.node] = true;
    if (pod.group != no_slot) group_named[pod.group] = true;
    read.read_pod(pod, keep);
  }
  for (const auto& [id, aside] : books.asides) {
    if (aside.dropped_at >= aside.at && aside.dropped_at <= upto) continue;
    if (aside.node != no_slot) node_named[aside.node] = true;
    read.read_aside(id, aside, keep);
  }
  for (std::uint32_t slot = 0; slot < books.nodes.size(); ++slot) {
    const node_record& node = books.nodes[slot];
    if (!node.present && !node_named[slot] && node.has_extras) {
      const node_extras& more = *books.extras.find(slot);
      revision last = std::max({node.spec_at, more.gone_at, more.closed_at});
      for (const auto& [device, health] : more.devices) last = std::max(last, health.at);
      if (more.gone_at != never_seen && node.spec_at <= more.gone_at && last <= upto) continue;
    }
    read.read_node(slot, keep);
  }
  for (std::uint32_t slot = 0; slot < books.groups.size(); ++slot) {
    const group_record<M>& group = books.groups[slot];
    if (!group_named[slot] && group.gone_at != never_seen && group.gone_at >= group.spec_at && group.gone_at <= upto &&
        group.satisfied_at <= upto)
      continue;
    read.read_group(group, keep);
  }
  kept.books().latest = books.latest;
  kept.books().tick += books.tick;
  // what was planned before is checked anew
  for (node_record& node : kept.books().nodes) node.touched = kept.books().tick;
  model = std::move(kept);
}

}  // namespace muster::inline MUSTER_ABI

#endif
