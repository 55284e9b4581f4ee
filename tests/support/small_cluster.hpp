// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_SUPPORT_SMALL_CLUSTER_HPP
#define MUSTER_TESTS_SUPPORT_SMALL_CLUSTER_HPP

/// \file
/// A cluster of counted GPUs that is told things in sequence, for tests that read like a story.

#include <muster/cluster/apply.hpp>
#include <muster/resource/resource_vector.hpp>

#include <cstdint>
#include <initializer_list>
#include <utility>

namespace muster_test {

using gpus = muster::resource_vector<1>;

/// A gang of these pod sets that is evicted as one.
inline muster::pod_group<gpus> gang_of(std::initializer_list<muster::pod_set<gpus>> sets) {
  muster::pod_group<gpus> gang;
  gang.disruption = muster::disruption_mode::all;
  for (const auto& set : sets) gang.pod_sets.push_back(set);
  return gang;
}

struct small_cluster {
  muster::cluster<gpus> model;
  std::uint64_t last = 0;

  explicit small_cluster(std::initializer_list<muster::amount> nodes, std::size_t levels = 0)
      : model{muster::nested_levels(levels)} {
    std::uint64_t n = 0;
    for (const muster::amount each : nodes) say(muster::node_seen<gpus>{{muster::node_id{++n}, {}, {each}, {}}});
  }

  muster::apply_result say(muster::change_content<gpus> what) {
    return muster::apply(model, muster::change<gpus>{muster::revision{++last}, std::move(what)});
  }

  /// A gang of `pods` alike pods that are all there; their ids are group * 1000 + 0, 1, ...
  muster::pod_group<gpus> submit(std::uint64_t group, muster::pod_count pods, muster::amount each = 1,
                                 std::int32_t priority = 0) {
    muster::pod_group<gpus> gang;
    gang.id = muster::group_id{group};
    gang.disruption = muster::disruption_mode::all;
    gang.priority = priority;
    gang.pod_sets.push_back({{each}, pods, 0});
    say(muster::group_seen<gpus>{gang});
    for (muster::pod_count p = 0; p < pods; ++p) add_pod(group, static_cast<std::uint64_t>(p), each, priority);
    return gang;
  }
  void add_pod(std::uint64_t group, std::uint64_t nth, muster::amount each = 1, std::int32_t priority = 0) {
    muster::pod_seen<gpus> pod;
    pod.pod = id(group, nth);
    pod.group = muster::group_id{group};
    pod.request = {each};
    pod.priority = priority;
    say(pod);
  }
  /// A pod of its own that takes `each` of a node.
  void block(std::uint64_t pod, std::uint64_t node, muster::amount each = 1) {
    muster::pod_seen<gpus> seen;
    seen.pod = muster::pod_id{pod};
    seen.request = {each};
    say(seen);
    say(muster::pod_placed<gpus>{muster::pod_id{pod}, muster::node_id{node}, muster::placing::bound, {}, {}});
  }
  static muster::pod_id id(std::uint64_t group, std::uint64_t nth) { return muster::pod_id{group * 1000 + nth}; }
};

}  // namespace muster_test

#endif
