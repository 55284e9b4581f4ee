// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CLUSTER_DIGEST_HPP
#define MUSTER_CLUSTER_DIGEST_HPP

/// \file
/// One number for everything a cluster knows, whatever order it was learnt in. For tests, replicas and bug reports.

#include <muster/cluster/cluster.hpp>
#include <muster/cluster/detail/content.hpp>
#include <muster/core/config.hpp>
#include <muster/core/hash.hpp>

#include <cstdint>

namespace muster::inline MUSTER_ABI {

/// Hash of all registers. \complexity O(nodes + pods + groups + set-asides)
/// \determinism independent of the order and repetition of changes, of platform and of run
template <resource_model M>
[[nodiscard]] std::uint64_t digest(const cluster<M>& model) {
  using namespace cluster_detail;
  const ledger<M>& books = model.books();
  std::uint64_t sum = 0;
  for (std::uint32_t slot = 0; slot < books.nodes.size(); ++slot) {
    const node_record& node = books.nodes[slot];
    if (node.spec_at == never_seen) continue;
    sum += hasher{}.add(1).add(number(node.id)).add(number(node.spec_at)).add(node.spec_content).value();
  }
  for (const auto& [slot, more] : books.extras) {
    hasher hash;
    hash.add(2)
        .add(number(books.nodes[slot].id))
        .add(number(more.gone_at))
        .add(number(more.closed_at))
        .add(more.closed);
    hash.add(ticks(more.from)).add(ticks(more.until));
    for (const auto& [device, health] : more.devices) hash.add(device).add(number(health.at)).add(health.healthy);
    sum += hash.value();
  }
  for (std::uint32_t p = 0; p < books.pods.size(); ++p) {
    const pod_record<M>& pod = books.pods[p];
    hasher hash;
    hash.add(3).add(number(pod.id)).add(number(pod.spec_at)).add(number(pod.placed_at)).add(number(pod.leaving_at));
    hash.add(number(pod.ended_at)).add(pod.spec_at == never_seen ? 0 : content_of_pod(books, p));
    hash.add(content_of_place(books, p)).add(content_of(pod_terminating{pod.id, pod.until, pod.left}));
    hash.add(content_of(pod_ended{pod.id, pod.end, pod.ended}));
    sum += hash.value();
  }
  for (const group_record<M>& group : books.groups) {
    if (group.spec_at == never_seen && group.gone_at == never_seen && group.satisfied_at == never_seen) continue;
    hasher hash;
    hash.add(4).add(number(group.id)).add(number(group.spec_at)).add(number(group.gone_at));
    hash.add(number(group.satisfied_at)).add(ticks(group.satisfied)).add(content_of(group.spec));
    sum += hash.value();
  }
  for (const auto& [id, aside] : books.asides)
    sum += hasher{}
               .add(5)
               .add(number(id))
               .add(number(aside.at))
               .add(number(aside.dropped_at))
               .add(content_of(aside.what))
               .value();
  return mixed(sum);
}

}  // namespace muster::inline MUSTER_ABI

#endif
