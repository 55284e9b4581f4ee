// SPDX-License-Identifier: BSL-1.0
#include "live_cluster.hpp"

#include <muster/cluster/changes.hpp>
#include <muster/core/ids.hpp>
#include <muster/placement/largest_gang.hpp>
#include <muster/placement/verify.hpp>
#include <muster/workload/pod_group.hpp>

#include <stdexcept>
#include <string>
#include <utility>

namespace topology_study {

namespace {

constexpr std::int64_t forget_after = 100'000;  // ended pods; until then they are tombstones of the model

}  // namespace

live_cluster::live_cluster(const machines& on) : cluster_{muster::nested_levels(2)} {
  for (std::size_t i = 0; i < on.hosts.size(); ++i) {
    muster::node_seen<model> seen;
    seen.node.id = muster::node_id{i};
    seen.node.capacity = {gpus_per_node};
    seen.node.labels = {muster::label_id{on.hosts[i].block}, muster::label_id{on.hosts[i].rack}};
    apply(seen);
  }
  const view ordered = now();
  for (std::uint32_t i = 0; i < ordered.size(); ++i)
    if (muster::number(ordered.id(i)) != i) throw std::logic_error("nodes do not stand in the order of hosts");
}

void live_cluster::apply(muster::change_content<model> what) {
  const auto said = muster::apply(cluster_, {muster::revision{++revision_}, std::move(what)});
  if (said.outcome != muster::apply_outcome::applied)
    throw std::logic_error("a change was not applied: " + std::string(muster::name(said.outcome)) + ", " +
                           std::string(muster::name(said.fault)));
}

std::int64_t live_cluster::room_for(int gpus) {
  return muster::largest_gang(now(), muster::pod_set<model>{{gpus}, 1, 0}, muster::no_level, space_).pods;
}

std::uint64_t live_cluster::bind(const replay::job& gang, std::span<const share> seats) {
  muster::pod_group<model> group;
  group.pod_sets.push_back({{gang.gpus_per_worker}, gang.workers, gang.workers});
  group.disruption = muster::disruption_mode::all;
  const view before = now();
  seats_.clear();
  for (const share& one : seats) {
    if (one.position >= before.size()) throw std::logic_error("a policy names a node that is not there");
    muster::seat<model> made{before.id(one.position), {}, one.pods, one.position, 0};
    made.grant[0] = std::int64_t{gang.gpus_per_worker} * one.pods;
    seats_.push_back(made);
  }
  if (const auto said = muster::verify(before, group, seats_); !said.holds())
    throw std::logic_error("a placement does not hold: " + std::string(muster::name(said.why)));
  const std::uint64_t first = next_pod_;
  for (const share& one : seats)
    for (int i = 0; i < one.pods; ++i) {
      const muster::pod_id pod{next_pod_++};
      muster::pod_seen<model> seen;
      seen.pod = pod;
      seen.request = {gang.gpus_per_worker};
      apply(seen);
      apply(muster::pod_placed<model>{.pod = pod, .node = muster::node_id{one.position}});
    }
  return first;
}

void live_cluster::end(const replay::job& gang, std::uint64_t first_pod) {
  for (int i = 0; i < gang.workers; ++i)
    apply(muster::pod_ended{.pod = muster::pod_id{first_pod + static_cast<std::uint64_t>(i)}});
  over_ += gang.workers;
  if (over_ < forget_after) return;
  muster::forget(cluster_, muster::revision{revision_});
  over_ = 0;
}

}  // namespace topology_study
