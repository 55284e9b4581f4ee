// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_ORACLE_CASE_CLUSTER_HPP
#define MUSTER_TESTS_ORACLE_CASE_CLUSTER_HPP

// A case told to the library, change by change. Nodes and groups have their
// place in the file as key, zone, block and rack are levels 0, 1 and 2, and a
// case with fewer resources than the model counts is padded with zeros.
//
// Pods of the asked group are all seen; of the others those that run are.

#include <muster/cluster/apply.hpp>
#include <muster/cluster/change.hpp>
#include <muster/cluster/cluster.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/resource/resource_vector.hpp>
#include <muster/workload/validate.hpp>

#include "case_file.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace oracle {

[[nodiscard]] inline muster::time_point at_second(amount seconds) {
  return seconds == for_ever ? muster::end_of_time : muster::time_point{std::chrono::seconds{seconds}};
}

[[nodiscard]] inline muster::node_id node_key(std::size_t node) { return muster::node_id{node}; }
[[nodiscard]] inline muster::group_id group_key(std::size_t group) { return muster::group_id{group}; }

// What the case says about which class of the asked group may use which kind of node.
struct case_filter {
  const group* asked;

  template <class M>
  [[nodiscard]] muster::reason_code operator()(const muster::pod_group<M>&, std::size_t pod_set,
                                               muster::kind_id kind) const noexcept {
    for (const auto& each : asked->classes[pod_set].barred) {
      if (muster::number(kind) == static_cast<std::uint32_t>(each.kind)) {
        return muster::reason_code{static_cast<std::uint32_t>(each.reason)};
      }
    }
    return muster::eligible_node;
  }
};

template <std::size_t N>
class cluster_builder {
 public:
  using model = muster::resource_vector<N>;

  explicit cluster_builder(const case_data& of) : case_{of}, cluster_{muster::nested_levels(level_count)} {
    add_nodes();
    for (std::size_t each = 0; each < case_.groups.size(); ++each) {
      tell(muster::group_seen<model>{read_group(each)});
    }
    add_pods();
    add_kept();
  }

  [[nodiscard]] muster::cluster<model>& cluster() { return cluster_; }
  // The first thing the library would not take, or nothing.
  [[nodiscard]] const std::string& refused() const { return refused_; }
  // What the library finds wrong with the asked group itself.
  [[nodiscard]] muster::group_fault fault() const {
    return muster::first_fault(read_group(case_.asked_group), cluster_.levels()).fault;
  }

  [[nodiscard]] muster::pod_group<model> read_group(std::size_t index) const {
    const auto& from = case_.groups[index];
    muster::pod_group<model> made;
    made.id = group_key(index);
    for (const auto& each : from.classes) {
      made.pod_sets.push_back({padded(each.request), each.count, each.minimum});
    }
    made.min_count = from.min();
    made.priority = static_cast<std::int32_t>(from.priority);
    made.disruption = from.mode == eviction_mode::all ? muster::disruption_mode::all : muster::disruption_mode::single;
    made.started = at_second(from.start);
    made.checkpoint = at_second(from.checkpoint);
    if (from.topology) {
      made.required = *from.topology == level_count ? muster::node_level
                                                    : muster::topology_level{static_cast<std::uint8_t>(*from.topology)};
    }
    if (from.per_node != 0) {
      made.limits.push_back({muster::node_level, from.per_node});
    }
    for (std::size_t level = 0; level < level_count; ++level) {
      if (from.at_most[level] != 0) {
        made.limits.push_back({muster::topology_level{static_cast<std::uint8_t>(level)}, from.at_most[level]});
      }
    }
    if (from.sizes) {
      made.sizes = {muster::size_rule::shape::stepped, from.sizes->smallest, from.sizes->largest, from.sizes->step};
    }
    return made;
  }

 private:
  static typename model::request_type padded(const amounts& of) {
    typename model::request_type made{};
    std::copy(of.begin(), of.end(), made.begin());
    return made;
  }

  void tell(muster::change_content<model> what) {
    const auto result = muster::apply(cluster_, muster::change<model>{muster::revision{++revision_}, std::move(what)});
    // Parked is well: a pod that ran on a lost node waits for it to come back.
    if (result.outcome == muster::apply_outcome::rejected && refused_.empty()) {
      refused_ = "change " + std::to_string(revision_) + " " + std::string{name(result.outcome)} + ": " +
                 std::string{name(result.fault)};
    }
  }

  void add_nodes() {
    std::map<std::string, std::uint64_t> labels;
    for (std::size_t at = 0; at < case_.nodes.size(); ++at) {
      const auto& each = case_.nodes[at];
      muster::node_seen<model> seen;
      seen.node.id = node_key(at);
      seen.node.kind = muster::kind_id{static_cast<std::uint32_t>(each.kind)};
      seen.node.capacity = padded(each.capacity);
      for (const auto& label : each.labels) {
        seen.node.labels.push_back(
            label.empty() ? muster::no_label : muster::label_id{labels.emplace(label, labels.size()).first->second});
      }
      tell(seen);
      if (each.closed) {
        tell(muster::node_closed{node_key(at), at_second(each.closed->from), at_second(each.closed->until)});
      }
      if (each.lost) {
        tell(muster::node_gone{node_key(at)});
      }
    }
  }

  muster::pod_id add_pod(std::size_t group, std::size_t pod_class) {
    muster::pod_seen<model> seen;
    seen.pod = muster::pod_id{pods_++};
    seen.group = group_key(group);
    seen.pod_set = static_cast<std::uint32_t>(pod_class);
    seen.request = padded(case_.groups[group].classes[pod_class].request);
    seen.priority = static_cast<std::int32_t>(case_.groups[group].priority);
    tell(seen);
    return seen.pod;
  }

  void add_pods() {
    for (const auto& each : case_.runs) {
      for (amount pod = 0; pod < each.count; ++pod) {
        const auto id = add_pod(each.group, each.pod_class);
        tell(muster::pod_placed<model>{id, node_key(each.node), muster::placing::bound, std::nullopt, {}});
        if (pod < each.leaving) {
          tell(muster::pod_terminating{id, at_second(each.until), {}});
        }
      }
    }
    if (case_.asked != question::deadlock) {
      const auto& classes = case_.groups[case_.asked_group].classes;
      for (std::size_t which = 0; which < classes.size(); ++which) {
        for (amount pod = 0; pod < classes[which].count; ++pod) {
          add_pod(case_.asked_group, which);
        }
      }
    }
  }

  void add_kept() {
    std::uint64_t id = 0;
    for (const auto& each : case_.kept) {
      muster::set_aside<model> made;
      made.id = muster::set_aside_id{id++};
      made.group = group_key(each.group);
      made.node = node_key(each.node);
      made.count = 1;
      made.grant = padded(each.kept);
      made.until = at_second(each.until);
      tell(made);
    }
  }

  const case_data& case_;
  muster::cluster<model> cluster_;
  std::string refused_;
  std::uint64_t revision_ = 0;
  std::uint64_t pods_ = 0;
};

}  // namespace oracle

#endif
