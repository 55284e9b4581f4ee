// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_PROPERTY_PLACEMENT_WORLD_HPP
#define MUSTER_TESTS_PROPERTY_PLACEMENT_WORLD_HPP

/// \file
/// A small random cluster and a group to place in it, as plain data, and the changes that tell a muster::cluster of it.

#include <muster/cluster/apply.hpp>
#include <muster/cluster/cluster.hpp>
#include <muster/placement/eligibility.hpp>

#include "property/placement_amounts.hpp"
#include "support/generator.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace placement_property {

enum class when : std::uint8_t { now, later, empty_open, empty_all };

/// A filter the host would write: a table of pod set x kind.
struct table_filter {
  std::array<std::array<std::uint32_t, 3>, 3> code{};
  bool throws = false;
  template <class M>
  muster::reason_code operator()(const muster::pod_group<M>&, std::size_t set, muster::kind_id kind) const {
#if defined(__cpp_exceptions)
    if (throws) throw 7;
#endif
    return muster::reason_code{code.at(set).at(static_cast<std::size_t>(kind))};
  }
};

/// A cluster of these changes; with a generator told in any order, some of them twice.
template <class M>
[[nodiscard]] muster::cluster<M> told(const muster::topology& levels, std::vector<muster::change<M>> all,
                                      generator* shuffle) {
  muster::cluster<M> model{levels};
  if (shuffle != nullptr) {
    for (std::size_t known = all.size(), twice = known / 4; twice > 0; --twice)
      all.push_back(all[static_cast<std::size_t>(shuffle->below(known))]);
    shuffle->shuffle(all);
  }
  for (const auto& one : all) muster::apply(model, one);
  return model;
}

template <class M>
struct world {
  using amounts = small_amounts<M>;
  using state = typename M::state_type;
  static constexpr muster::group_id own{50}, other{60};

  struct node {
    std::uint64_t id = 0;
    std::uint32_t kind = 0;
    typename M::capacity_type capacity{};
    std::array<std::uint64_t, 2> label{};  // 0: none
    bool closed = false, lost = false;
    std::vector<std::uint32_t> sick;
  };
  struct pod {
    std::uint64_t id = 0;
    int set = -1;  // of the own group; -1: another's
    std::size_t on = 0;
    typename M::request_type request{};
    typename M::grant_type grant{};
    bool leaving = false;
  };
  struct aside {
    bool own = false;
    std::size_t on = 0;
    typename M::grant_type grant{};
  };

  muster::topology levels;
  std::vector<node> nodes;
  std::vector<pod> pods;
  std::vector<aside> asides;
  muster::pod_group<M> group;
  std::array<pod_count, 3> pending{}, succeeded{};
  table_filter filter;
  bool alike = false;

  world(generator& rng, bool all_alike) : alike{all_alike} {
    levels = muster::nested_levels(2);
    levels.levels[1].merge_equal_names = rng.chance(15);
    make_nodes(rng);
    make_group(rng);
    make_pods(rng);
  }

  [[nodiscard]] std::size_t sets() const { return group.pod_sets.size(); }
  [[nodiscard]] bool may(std::size_t set, std::size_t n) const { return filter.code[set][nodes[n].kind] == 0; }

  /// Domain of a node at a level as text; empty: none.
  [[nodiscard]] std::string domain(std::size_t n, muster::topology_level level) const {
    if (level == muster::node_level) return "n" + std::to_string(nodes[n].id);
    const auto l = static_cast<std::size_t>(level);
    if (nodes[n].label[l] == 0) return {};
    std::string path = std::to_string(nodes[n].label[l]);
    if (l == 1 && !levels.levels[1].merge_equal_names) path += "/" + std::to_string(nodes[n].label[0]);
    return path;
  }
  [[nodiscard]] bool exists(std::size_t n, when at) const {
    return at == when::empty_all || (!nodes[n].closed && !nodes[n].lost);
  }

  [[nodiscard]] state left(std::size_t n, when at) const {
    state of = M::empty_node(nodes[n].capacity);
    if constexpr (muster::model_with_devices<M>)
      if (at != when::empty_all)
        for (const std::uint32_t device : nodes[n].sick) M::set_health(of, device, false);
    if (at == when::empty_open || at == when::empty_all) return of;
    for (const pod& one : pods)
      if (one.on == n && !(one.leaving && at == when::later)) M::charge(of, one.grant);
    for (const aside& kept : asides)
      if (kept.on == n && !kept.own) M::charge(of, kept.grant);
    return of;
  }
  /// Own pods that run on a node that is there.
  [[nodiscard]] bool is_held(const pod& one) const { return one.set >= 0 && !one.leaving && !nodes[one.on].lost; }
  [[nodiscard]] pod_count have(std::size_t set) const {
    pod_count count = succeeded[set];
    for (const pod& one : pods)
      if (is_held(one) && one.set == static_cast<int>(set)) ++count;
    return count;
  }

  [[nodiscard]] std::vector<muster::change<M>> changes() const {
    using namespace muster;
    std::vector<change<M>> all;
    const auto say = [&](change_content<M> what) { all.push_back({revision{all.size() + 1}, std::move(what)}); };
    for (const node& one : nodes) {
      node_spec<M> spec{node_id{one.id}, kind_id{one.kind}, one.capacity, {}};
      for (const std::uint64_t label : one.label) spec.labels.push_back(label == 0 ? no_label : label_id{label});
      say(node_seen<M>{spec});
      if constexpr (model_with_devices<M>)
        for (const std::uint32_t device : one.sick) say(device_health{node_id{one.id}, device, false});
      if (one.closed) say(node_closed{node_id{one.id}});
    }
    say(group_seen<M>{group});
    for (const pod& one : pods) {
      pod_seen<M> seen;
      seen.pod = pod_id{one.id};
      seen.group = one.set >= 0 ? own : one.id % 2 == 0 ? other : no_group;
      seen.pod_set = one.set >= 0 ? static_cast<std::uint32_t>(one.set) : 0;
      seen.request = one.request;
      say(seen);
      pod_placed<M> placed;
      placed.pod = seen.pod;
      placed.node = node_id{nodes[one.on].id};
      placed.how = static_cast<placing>(one.id % 3);
      placed.grant = one.grant;
      say(placed);
      if (one.leaving) say(pod_terminating{seen.pod});
    }
    std::uint64_t next = 5000;
    for (std::size_t s = 0; s < sets(); ++s)
      for (pod_count i = 0; i < pending[s] + succeeded[s]; ++i) {
        pod_seen<M> seen;
        seen.pod = pod_id{next++};
        seen.group = own;
        seen.pod_set = static_cast<std::uint32_t>(s);
        seen.request = group.pod_sets[s].request;
        say(seen);
        if (i >= pending[s]) say(pod_ended{seen.pod, ending::succeeded});
      }
    for (const aside& kept : asides)
      say(set_aside<M>{set_aside_id{next++}, kept.own ? own : other, 0, node_id{nodes[kept.on].id}, 1, kept.grant});
    for (const node& one : nodes)
      if (one.lost) say(node_gone{node_id{one.id}});
    return all;
  }

  /// The cluster; with a generator as `told` has it.
  [[nodiscard]] muster::cluster<M> build(generator* shuffle = nullptr) const {
    return told<M>(levels, changes(), shuffle);
  }

  /// The whole instance for a person to read.
  [[nodiscard]] std::string text() const {
    const auto level = [](muster::topology_level at) { return std::to_string(static_cast<unsigned>(at)); };
    std::string all = levels.levels[1].merge_equal_names ? "level 1 merges names\n" : "";
    for (const node& one : nodes) {
      all += "node " + std::to_string(one.id) + " kind " + std::to_string(one.kind) + " labels " +
             std::to_string(one.label[0]) + " " + std::to_string(one.label[1]) + " has " + amounts::text(one.capacity) +
             (one.closed ? " closed" : "") + (one.lost ? " lost" : "");
      for (const std::uint32_t device : one.sick) all += " sick " + std::to_string(device);
      all += "\n";
    }
    all += "minimum " + (group.min_count ? std::to_string(*group.min_count) : std::string{"all"}) + " policy " +
           std::to_string(static_cast<unsigned>(group.policy)) + " sizes " +
           std::to_string(static_cast<unsigned>(group.sizes.kind)) + ": " + std::to_string(group.sizes.smallest) +
           ".." + std::to_string(group.sizes.largest) + " step " + std::to_string(group.sizes.step) + " world " +
           std::to_string(group.world_size) + " required " + level(group.required) +
           (group.one_device_model ? " of one device model" : "");
    for (const auto& limit : group.limits) all += " limit " + level(limit.level) + ":" + std::to_string(limit.count);
    for (std::size_t s = 0; s < sets(); ++s) {
      all += "\nset of " + std::to_string(group.pod_sets[s].count) + " min " +
             std::to_string(group.pod_sets[s].minimum) + " each " + amounts::text(group.pod_sets[s].request) +
             "; pending " + std::to_string(pending[s]) + " succeeded " + std::to_string(succeeded[s]) + "; codes";
      for (const auto code : filter.code[s]) all += " " + std::to_string(code);
    }
    for (const pod& one : pods)
      all += "\npod " + std::to_string(one.id) + " set " + std::to_string(one.set) + " on " +
             std::to_string(nodes[one.on].id) + " holds " + amounts::text(one.grant) + (one.leaving ? " leaving" : "");
    for (const aside& kept : asides)
      all += std::string{"\naside "} + (kept.own ? "own" : "other") + " on " + std::to_string(nodes[kept.on].id) + " " +
             amounts::text(kept.grant);
    return all + "\n";
  }

 private:
  void make_nodes(generator& rng) {
    const auto count = static_cast<std::size_t>(rng.chance(3) ? 0 : rng.between(rng.chance(30) ? 1 : 3, alike ? 6 : 5));
    const bool many_faults = rng.chance(25);
    for (std::size_t n = 0; n < count; ++n) {
      node one;
      one.id = 1000 - 17 * n + 5000 * rng.below(2);
      one.kind = static_cast<std::uint32_t>(rng.below(3));
      one.capacity = amounts::capacity(rng);
      one.label = {rng.chance(12) ? 0U : 1 + rng.below(2), rng.chance(12) ? 0U : 1 + rng.below(2)};
      one.closed = rng.chance(many_faults ? 30 : 6);
      one.lost = rng.chance(many_faults ? 20 : 4);
      if constexpr (muster::model_with_devices<M>)
        while (rng.chance(15)) one.sick.push_back(static_cast<std::uint32_t>(rng.below(4)));
      nodes.push_back(one);
    }
  }

  void make_group(generator& rng) {
    group.id = own;
    group.disruption = muster::disruption_mode::all;
    const auto count = alike ? rng.between(1, 2) : rng.between(2, 3);
    const auto first = amounts::request(rng);
    if (rng.chance(30))
      for (auto& code : filter.code[0]) code = rng.chance(30) ? 3 : 0;
    for (std::int64_t s = 0; s < count; ++s) {
      const pod_count pods_here = rng.between(alike ? 1 : 0, rng.chance(60) ? 2 : alike ? 6 : 3);
      group.pod_sets.push_back(
          {alike ? first : amounts::request(rng), pods_here, rng.chance(40) ? rng.between(0, pods_here) : 0});
      if constexpr (muster::model_with_makes<M>)
        if (!alike && rng.chance(25)) amounts::ask_no_devices(group.pod_sets.back().request);
      filter.code[static_cast<std::size_t>(s)] = filter.code[0];
      if (!alike && rng.chance(30))
        for (auto& code : filter.code[static_cast<std::size_t>(s)]) code = rng.chance(30) ? 4 : 0;
    }
    const pod_count total = muster::declared_pods(group);
    if (rng.chance(70)) group.min_count = rng.between(0, total);
    if (rng.chance(15)) group.policy = muster::group_policy::basic, group.disruption = muster::disruption_mode::single;
    if (rng.chance(35)) {
      group.sizes.kind = rng.chance(40) ? muster::size_rule::shape::rigid : muster::size_rule::shape::stepped;
      group.sizes.smallest = rng.between(0, 2);
      group.sizes.largest = rng.between(group.sizes.smallest, 7);
      group.sizes.step = rng.between(1, 3);
      if (rng.chance(20) && total > 0) group.world_size = rng.between(1, total);
    }
    if (rng.chance(40)) {
      static constexpr muster::topology_level at[] = {muster::topology_level{0}, muster::topology_level{0},
                                                      muster::topology_level{1}, muster::node_level};
      group.required = rng.pick(at);
    }
    if (rng.chance(40)) group.limits.push_back({muster::node_level, rng.between(1, 3)});
    if (rng.chance(25)) group.limits.push_back({muster::topology_level{1}, rng.between(1, 4)});
    if (rng.chance(20)) group.limits.push_back({muster::topology_level{0}, rng.between(1, 5)});
    if constexpr (muster::model_with_makes<M>) group.one_device_model = rng.chance(50);
    for (std::size_t s = 0; s < sets(); ++s) {
      pending[s] = rng.chance(70) ? group.pod_sets[s].count : rng.between(0, group.pod_sets[s].count + 1);
      if (rng.chance(10)) succeeded[s] = rng.between(0, 2);
    }
  }

  void make_pods(generator& rng) {
    if (nodes.empty()) return;
    const auto count = rng.below(9);
    const bool own_run = rng.chance(35);
    for (std::uint64_t i = 0; i < count; ++i) {
      pod one;
      one.id = 100 + i;
      one.on = static_cast<std::size_t>(rng.below(nodes.size()));
      if (own_run && rng.chance(40)) one.set = static_cast<int>(rng.below(sets()));
      one.request = one.set >= 0 ? group.pod_sets[static_cast<std::size_t>(one.set)].request : amounts::request(rng);
      one.leaving = rng.chance(25);
      state room = left(one.on, when::now);
      if (M::allocate(room, one.request, 1, one.grant) != 1) {
        if (!rng.chance(5)) continue;
        one.grant = M::force(room, one.request);
      }
      pods.push_back(one);
    }
    while (rng.chance(20)) {
      aside kept;
      kept.own = rng.chance(50);
      kept.on = static_cast<std::size_t>(rng.below(nodes.size()));
      state room = M::empty_node(nodes[kept.on].capacity);
      for (const pod& one : pods)
        if (one.on == kept.on) M::charge(room, one.grant);
      for (const aside& before : asides)
        if (before.on == kept.on) M::charge(room, before.grant);
      if (M::allocate(room, amounts::request(rng), 1, kept.grant) == 1) asides.push_back(kept);
    }
  }
};

}  // namespace placement_property

#endif
