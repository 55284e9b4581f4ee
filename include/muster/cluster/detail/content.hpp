// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CLUSTER_DETAIL_CONTENT_HPP
#define MUSTER_CLUSTER_DETAIL_CONTENT_HPP

/// \file
/// A hash of what each register holds: settles two contents under one revision, and makes up the digest.

#include <muster/cluster/change.hpp>
#include <muster/cluster/detail/ledger.hpp>
#include <muster/core/config.hpp>
#include <muster/core/hash.hpp>

#include <cstdint>

namespace muster::inline MUSTER_ABI::cluster_detail {

[[nodiscard]] inline std::int64_t ticks(time_point t) noexcept { return t.time_since_epoch().count(); }

template <resource_model M>
[[nodiscard]] std::uint64_t content_of(kind_id kind, const typename M::capacity_type& capacity, const labels& path) {
  hasher hash;
  hash.add(number(kind));
  M::add_to_hash(hash, capacity);
  for (const label_id label : path) hash.add(number(label));
  return hash.value();
}
template <resource_model M>
[[nodiscard]] std::uint64_t content_of(const pod_seen<M>& pod) {
  hasher hash;
  hash.add(number(pod.group)).add(pod.pod_set).add(pod.priority).add(static_cast<int>(pod.preemption));
  hash.add(number(pod.scheduler)).add(pod.rank).add(pod.gated).add(ticks(pod.at));
  M::add_to_hash(hash, pod.request);
  return hash.value();
}
template <resource_model M>
[[nodiscard]] std::uint64_t content_of_pod(const ledger<M>& books, std::uint32_t p) {
  const pod_record<M>& pod = books.pods[p];
  const group_id group = pod.group == no_slot ? no_group : books.groups[pod.group].id;
  return content_of<M>(pod_seen<M>{pod.id, group, pod.pod_set, pod.request, pod.priority, pod.preemption, pod.scheduler,
                                   pod.rank, pod.gated, pod.seen});
}

[[nodiscard]] inline std::uint64_t content_of(const pod_unplaced& unplaced) {
  return hasher{}.add(ticks(unplaced.at)).value();
}
[[nodiscard]] inline std::uint64_t content_of(const pod_terminating& leaving) {
  return hasher{}.add(ticks(leaving.until)).add(ticks(leaving.at)).value();
}
[[nodiscard]] inline std::uint64_t content_of(const pod_ended& ended) {
  return hasher{}.add(static_cast<int>(ended.how)).add(ticks(ended.at)).value();
}
[[nodiscard]] inline std::uint64_t content_of(const group_satisfied& satisfied) {
  return hasher{}.add(ticks(satisfied.at)).value();
}

template <resource_model M>
[[nodiscard]] std::uint64_t content_of(const pod_placed<M>& placed) {
  hasher hash;
  hash.add(number(placed.node)).add(static_cast<int>(placed.how)).add(placed.grant.has_value()).add(ticks(placed.at));
  if (placed.grant) M::add_to_hash(hash, *placed.grant);
  return hash.value();
}
template <resource_model M>
[[nodiscard]] std::uint64_t content_of_place(const ledger<M>& books, std::uint32_t p) {
  const pod_record<M>& pod = books.pods[p];
  if (!pod.has_place) return content_of(pod_unplaced{pod.id, pod.placed});
  pod_placed<M> placed{pod.id, books.nodes[pod.node].id, pod.how, {}, pod.placed};
  if (pod.grant_is_given) placed.grant = pod.grant;
  return content_of<M>(placed);
}

template <resource_model M>
[[nodiscard]] std::uint64_t content_of(const pod_group<M>& group) {
  hasher hash;
  for (const pod_set<M>& set : group.pod_sets) {
    M::add_to_hash(hash, set.request);
    hash.add(set.count).add(set.minimum);
  }
  hash.add(group.min_count.value_or(-1)).add(static_cast<int>(group.policy)).add(static_cast<int>(group.sizes.kind));
  hash.add(group.sizes.smallest).add(group.sizes.largest).add(group.sizes.step).add(group.world_size);
  hash.add(group.priority).add(static_cast<int>(group.preemption)).add(static_cast<int>(group.disruption));
  hash.add(static_cast<int>(group.required));
  for (const spread_limit& limit : group.limits) hash.add(static_cast<int>(limit.level)).add(limit.count);
  hash.add(group.one_device_model);
  hash.add(number(group.scheduler)).add(ticks(group.created)).add(ticks(group.started)).add(ticks(group.checkpoint));
  return hash.value();
}

template <resource_model M>
[[nodiscard]] std::uint64_t content_of(const set_aside<M>& kept) {
  hasher hash;
  hash.add(number(kept.group)).add(kept.pod_set).add(number(kept.node)).add(kept.count).add(ticks(kept.until));
  M::add_to_hash(hash, kept.grant);
  return hash.value();
}

}  // namespace muster::inline MUSTER_ABI::cluster_detail

#endif
