// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_ORACLE_CASE_CLUSTER_HPP
#define MUSTER_TESTS_ORACLE_CASE_CLUSTER_HPP

// A case told to the library, change by change. Nodes and groups have their
// place in the file as key, and domains the place of their name in its natural
// order (numbers as numbers), so that what is decided by order is decided as
// where the case was written. The eight levels of a case are those of the
// cluster, tier8 first.
//
// Pods of the asked group that run, succeeded or wait are seen; of the others those that run.

#include <muster/cluster/apply.hpp>
#include <muster/cluster/change.hpp>
#include <muster/cluster/cluster.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/resource/resource_vector.hpp>
#include <muster/workload/validate.hpp>

#include "case_amounts.hpp"
#include "case_file.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
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

// By letters, and by value where both have a number.
struct natural_order {
  bool operator()(const std::string& left, const std::string& right) const {
    const auto digit = [](char letter) { return std::isdigit(static_cast<unsigned char>(letter)) != 0; };
    std::size_t a = 0, b = 0;
    while (a < left.size() && b < right.size()) {
      std::size_t first = a, second = b;
      while (first < left.size() && digit(left[first])) {
        ++first;
      }
      while (second < right.size() && digit(right[second])) {
        ++second;
      }
      if (first - a != second - b && first != a && second != b) {
        return first - a < second - b;  // the longer number is the greater one: keys have no leading zeros
      }
      if (left[a] != right[b]) {
        return left[a] < right[b];
      }
      ++a;
      ++b;
    }
    return left.size() - a < right.size() - b;
  }
};

template <class M>
class cluster_builder {
 public:
  using model = M;

  explicit cluster_builder(const case_data& of) : case_{of}, cluster_{levels_of(of)} {
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
  // Whether the asked group is too large for its pods to be told one by one. None of it runs then: it is asked about as
  // declared.
  [[nodiscard]] bool as_declared() const { return as_declared_; }
  // What the library finds wrong with the asked group itself.
  [[nodiscard]] muster::group_fault fault() const {
    return muster::first_fault(read_group(case_.asked_group), cluster_.levels()).fault;
  }

  [[nodiscard]] muster::pod_group<model> read_group(std::size_t index) const {
    const auto& from = case_.groups[index];
    muster::pod_group<model> made;
    made.id = group_key(index);
    for (const auto& each : from.classes) {
      if (!each.apart) {
        made.pod_sets.push_back({request_of<M>(each), each.count, each.minimum});
      }
    }
    made.min_count = from.min();
    made.priority = static_cast<std::int32_t>(from.priority);
    made.disruption = from.mode == eviction_mode::all ? muster::disruption_mode::all : muster::disruption_mode::single;
    made.policy = from.basic ? muster::group_policy::basic : muster::group_policy::gang;
    made.started = at_second(from.start);
    made.checkpoint = at_second(from.checkpoint);
    if (from.topology) {
      made.required = *from.topology == level_count ? muster::node_level
                                                    : muster::topology_level{static_cast<std::uint8_t>(*from.topology)};
    }
    if (from.per_node != 0) {
      made.limits.push_back({muster::node_level, from.per_node});
    }
    for (std::size_t level = 0; level <= level_count; ++level) {
      if (from.at_most[level]) {
        made.limits.push_back({level == level_count ? muster::node_level
                                                    : muster::topology_level{static_cast<std::uint8_t>(level)},
                               *from.at_most[level]});
      }
    }
    made.one_device_model = from.one_model;
    if (from.sizes) {
      made.sizes = {muster::size_rule::shape::stepped, from.sizes->smallest, from.sizes->largest, from.sizes->step};
    }
    return made;
  }

 private:
  static muster::topology levels_of(const case_data& of) {
    auto made = muster::nested_levels(level_count);
    for (std::size_t level = 0; level < level_count; ++level) {
      made.levels[level].merge_equal_names = of.merged[level];
    }
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
    std::map<std::string, std::uint64_t, natural_order> labels;
    for (const auto& each : case_.nodes) {
      for (const auto& label : each.labels) {
        labels.emplace(label, 0);
      }
    }
    std::uint64_t key = 0;
    for (auto& [label, place] : labels) {
      place = key++;
    }
    for (std::size_t at = 0; at < case_.nodes.size(); ++at) {
      const auto& each = case_.nodes[at];
      muster::node_seen<model> seen;
      seen.node.id = node_key(at);
      seen.node.kind = muster::kind_id{static_cast<std::uint32_t>(each.kind)};
      seen.node.capacity = capacity_of<M>(each);
      for (const auto& label : each.labels) {
        seen.node.labels.push_back(label.empty() ? muster::no_label : muster::label_id{labels.at(label)});
      }
      tell(seen);
      if (each.devices) {
        for (std::size_t device = 0; device < each.devices->sick.size(); ++device) {
          if (each.devices->sick[device]) {
            tell(muster::device_health{node_key(at), static_cast<std::uint32_t>(device), false});
          }
        }
      }
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
    const auto& classes = case_.groups[group].classes;
    const auto& of = classes[pod_class];
    // What stands apart and is of no class is of a pod set the group has not: classes apart come last.
    seen.pod_set = static_cast<std::uint32_t>(of.apart ? of.of.value_or(classes.size()) : pod_class);
    seen.request = request_of<M>(of);
    seen.priority = static_cast<std::int32_t>(case_.groups[group].priority);
    tell(seen);
    return seen.pod;
  }

  static constexpr amount most_told = 1'000'000;

  void add_pods() {
    const group& asked = case_.groups[case_.asked_group];
    amount told = 0, waiting = 0;
    bool all_wait = true;
    for (const auto& each : case_.runs) {
      told = muster::saturating_add(told, each.count);
      all_wait = all_wait && each.group != case_.asked_group;
    }
    for (std::size_t which = 0; which < asked.classes.size(); ++which) {
      told = muster::saturating_add(told, asked.classes[which].succeeded);
      waiting = muster::saturating_add(waiting, asked.waiting(which));
      all_wait = all_wait && asked.classes[which].succeeded == 0 && !asked.classes[which].apart &&
                 asked.waiting(which) == asked.classes[which].count;
    }
    as_declared_ = waiting > most_told && all_wait;
    if (told > most_told || (waiting > most_told && !as_declared_)) {
      refused_ = "more than " + std::to_string(most_told) + " pods to tell one by one";
      return;
    }
    for (const auto& each : case_.runs) {
      for (amount pod = 0; pod < each.count; ++pod) {
        const auto id = add_pod(each.group, each.pod_class);
        tell(muster::pod_placed<model>{id, node_key(each.node), muster::placing::bound, grant_for(each, pod), {}});
        if (pod < each.leaving) {
          tell(muster::pod_terminating{id, at_second(each.until), {}});
        }
      }
    }
    if (case_.asked != question::deadlock && !as_declared_) {
      const auto& classes = asked.classes;
      for (std::size_t which = 0; which < classes.size(); ++which) {
        for (amount pod = 0; pod < classes[which].succeeded; ++pod) {
          tell(muster::pod_ended{add_pod(case_.asked_group, which), muster::ending::succeeded});
        }
        for (amount pod = 0; pod < asked.waiting(which); ++pod) {
          add_pod(case_.asked_group, which);
        }
      }
    }
  }

  // What the case says that a pod of a run holds; nothing: what follows from its request. Each pod of a run has an
  // equal part of the grant lines, in their order.
  std::optional<typename M::grant_type> grant_for(const run& of, amount pod) const {
    const auto& asked = case_.groups[of.group].classes[of.pod_class].request;
    if (!of.holds && of.grants.empty()) {
      return std::nullopt;
    }
    const auto each = of.grants.size() / static_cast<std::size_t>(of.count);
    const auto own = std::span{of.grants}.subspan(each * static_cast<std::size_t>(pod), each);
    if (!of.holds) {
      return grant_of<M>({&asked, own});
    }
    return grant_of<M>({pod == 0 ? &*of.holds : nullptr, own});  // the sum is what is known
  }

  void keep(std::size_t group, std::size_t node, typename M::grant_type grant, amount until) {
    muster::set_aside<model> made;
    made.id = muster::set_aside_id{kept_++};
    made.group = group_key(group);
    made.node = node_key(node);
    made.count = 1;
    made.grant = grant;
    made.until = at_second(until);
    tell(made);
  }
  void add_kept() {
    for (const auto& each : case_.kept) {
      keep(each.group, each.node, grant_of<M>({&each.kept, {}}), each.until);
    }
    for (const auto& each : case_.kept_devices) {
      keep(each.group, each.node, grant_of<M>({nullptr, std::span{&each.kept, 1}}), each.until);
    }
  }

  const case_data& case_;
  muster::cluster<model> cluster_;
  std::string refused_;
  bool as_declared_ = false;
  std::uint64_t revision_ = 0;
  std::uint64_t pods_ = 0;
  std::uint64_t kept_ = 0;
};

}  // namespace oracle

#endif
