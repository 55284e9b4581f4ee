// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_PROPERTY_VICTIMS_WORLD_HPP
#define MUSTER_TESTS_PROPERTY_VICTIMS_WORLD_HPP

/// \file
/// A small random cluster full of other groups' pods, as plain data: whose they are, what they cost, and whether the
/// group fits once some of them have left, by trying everything.

#include <muster/scoring/eviction_cost.hpp>

#include "property/placement_truth.hpp"
#include "property/placement_world.hpp"
#include "support/generator.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace victims_property {

using muster::pod_count;
using muster_test::generator;
using placement_property::judge_of;
using placement_property::small_amounts;
using placement_property::truth;
using placement_property::when;
using placement_property::world;

inline constexpr std::int64_t now = 1000;
inline constexpr std::int64_t unknown_time = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
inline constexpr std::int32_t own_priority = 10;

__extension__ using wide = __int128;

/// What evicting costs, from plain numbers. `lost`: the first resource times the milliseconds since the checkpoint, and
/// `restart` for each pod. `pods`: each counts. `gangs`: a value for each pod, and a gang taken below its minimum is
/// lost whole. `important`: pods of priority 5 and more, and among equals the first resource.
enum class costing : std::uint8_t { lost, pods, gangs, important };

/// Of two parts, the second 0 where one is enough.
using sum = std::array<std::int64_t, 2>;

[[nodiscard]] inline std::int64_t held_at_top(wide value) {
  return value > never ? never : static_cast<std::int64_t>(value);
}

template <class M>
struct victims_world {
  struct owner {
    std::uint64_t id = 0;
    std::int32_t priority = 0;
    bool whole = false;  // evicted as one
    bool gone = false;   // its pods stand for themselves
    pod_count minimum = 0;
    std::int64_t started = never, checkpoint = unknown_time;
  };
  struct about {
    std::optional<std::size_t> owner;
    std::int32_t priority = 0;  // of the pod itself
    std::int64_t placed = 0;
  };
  struct unit {
    std::optional<std::size_t> owner;    // a group that is there
    std::int32_t priority = 0;
    std::vector<std::uint64_t> pods;     // ascending
  };
  using mask = std::uint32_t;

  world<M> base;
  std::vector<owner> owners;
  std::map<std::uint64_t, about> pods;  // those of others
  bool may_preempt = true;
  std::int32_t spared = -1;             // units of this priority may not be evicted
  costing how = costing::lost;
  std::int64_t restart = 0;
  std::vector<unit> units;              // that may be evicted, by their first pods

  explicit victims_world(generator& rng) : base{rng, rng.chance(40)} {
    base.group.priority = own_priority;
    may_preempt = !rng.chance(4);
    if (!may_preempt) base.group.preemption = muster::preemption_policy::never;
    crowd(rng);
    give_owners(rng);
    if (rng.chance(15)) spared = static_cast<std::int32_t>(rng.below(10));
    how = static_cast<costing>(rng.below(4));
    restart = rng.chance(50) ? 0 : rng.between(1, 2000);
    list_units();
  }

  // ---- who may leave, and what it costs

  [[nodiscard]] const owner* group_of(const about& pod) const {
    return pod.owner && !owners[*pod.owner].gone ? &owners[*pod.owner] : nullptr;
  }
  [[nodiscard]] static bool holds(const world<M>& of, const typename world<M>::pod& pod) {
    return !pod.leaving && !of.nodes[pod.on].lost;
  }
  [[nodiscard]] std::int64_t value_of(const owner* group, std::uint64_t pod) const {
    return static_cast<std::int64_t>(group != nullptr ? group->id % 3 : 1 + pod % 3);
  }
  [[nodiscard]] sum cost_of(mask out) const {
    std::map<std::size_t, std::vector<std::uint64_t>> by_owner;
    sum total{};
    const auto add = [&](const sum& part) {
      for (std::size_t i = 0; i < 2; ++i) total[i] = held_at_top(wide{total[i]} + part[i]);
    };
    for (std::size_t u = 0; u < units.size(); ++u) {
      if ((out >> u & 1U) == 0) continue;
      if (units[u].owner)
        for (const std::uint64_t pod : units[u].pods) by_owner[*units[u].owner].push_back(pod);
      else
        add(cost_in(nullptr, 0, units[u].pods));
    }
    for (const auto& [at, gone] : by_owner) add(cost_in(&owners[at], held_by(at), gone));
    return total;
  }

  // ---- whether it fits then

  /// The cluster once these units, and those that are on their way out, have left.
  [[nodiscard]] world<M> without(mask out) const {
    world<M> left = base;
    std::erase_if(left.pods, [&](const auto& pod) {
      if (pod.leaving) return true;
      for (std::size_t u = 0; u < units.size(); ++u)
        if ((out >> u & 1U) != 0 && std::count(units[u].pods.begin(), units[u].pods.end(), pod.id) != 0) return true;
      return false;
    });
    return left;
  }
  [[nodiscard]] mask everybody() const { return static_cast<mask>((1U << units.size()) - 1U); }
  [[nodiscard]] static truth fits(const world<M>& of) {
    const judge_of<M> judge{of};
    return judge.enough_fits(when::now);
  }

  // ---- told to the library

  [[nodiscard]] std::vector<muster::change<M>> changes() const {
    using namespace muster;
    std::vector<change<M>> all = base.changes();
    for (auto& each : all) {
      if (auto* seen = std::get_if<pod_seen<M>>(&each.what)) {
        const auto of = pods.find(number(seen->pod));
        if (of == pods.end()) {
          seen->priority = own_priority;
          seen->preemption = base.group.preemption;
          continue;
        }
        seen->group = of->second.owner ? group_id{owners[*of->second.owner].id} : no_group;
        seen->priority = of->second.priority;
      } else if (auto* placed = std::get_if<pod_placed<M>>(&each.what)) {
        if (const auto of = pods.find(number(placed->pod)); of != pods.end()) placed->at = at(of->second.placed);
      }
    }
    const auto say = [&](change_content<M> what) { all.push_back({revision{all.size() + 1}, std::move(what)}); };
    for (const owner& one : owners) {
      pod_group<M> group;
      group.id = group_id{one.id};
      group.pod_sets.push_back({{}, 8, 0});
      group.min_count = one.minimum;
      group.priority = one.priority;
      group.disruption = one.whole ? disruption_mode::all : disruption_mode::single;
      group.started = at(one.started);
      group.checkpoint = at(one.checkpoint);
      say(group_seen<M>{group});
      if (one.gone) say(group_gone{group.id});
    }
    return all;
  }
  /// The cluster; with a generator as placement_property::told has it.
  [[nodiscard]] muster::cluster<M> build(generator* shuffle = nullptr) const {
    return placement_property::told<M>(base.levels, changes(), shuffle);
  }
  [[nodiscard]] static muster::time_point at(std::int64_t time) { return muster::time_point{muster::duration{time}}; }

  [[nodiscard]] std::string text() const {
    std::string all = base.text();
    for (const owner& one : owners)
      all += "group " + std::to_string(one.id) + " priority " + std::to_string(one.priority) +
             (one.whole ? " whole" : " single") + (one.gone ? " gone" : "") + " min " + std::to_string(one.minimum) +
             " started " + std::to_string(one.started) + " checkpoint " + std::to_string(one.checkpoint) + "\n";
    for (const auto& [id, pod] : pods)
      all += "pod " + std::to_string(id) + " of " +
             (pod.owner ? std::to_string(owners[*pod.owner].id) : std::string{"none"}) + " priority " +
             std::to_string(pod.priority) + " placed " + std::to_string(pod.placed) + "\n";
    all += "costing " + std::to_string(static_cast<unsigned>(how)) + " restart " + std::to_string(restart) +
           " spared " + std::to_string(spared) + (may_preempt ? "" : " may not preempt") + "\nunits";
    for (const unit& one : units) {
      all += " [";
      for (const std::uint64_t pod : one.pods) all += " " + std::to_string(pod);
      all += " ]";
    }
    return all + "\n";
  }

 private:
  static constexpr std::size_t most_others = 8;

  /// Fills the nodes with pods of others.
  void crowd(generator& rng) {
    auto others = static_cast<std::size_t>(
        std::count_if(base.pods.begin(), base.pods.end(), [](const auto& pod) { return pod.set < 0; }));
    const auto wanted = static_cast<std::size_t>(rng.between(2, most_others));
    for (std::uint64_t tries = 0; tries < 24 && others < wanted && !base.nodes.empty(); ++tries) {
      typename world<M>::pod one;
      one.id = 150 + tries;
      one.on = static_cast<std::size_t>(rng.below(base.nodes.size()));
      one.request = small_amounts<M>::request(rng);
      one.leaving = rng.chance(8);
      auto room = base.left(one.on, when::now);
      if (M::allocate(room, one.request, 1, one.grant) != 1) continue;
      base.pods.push_back(one);
      ++others;
    }
  }
  void give_owners(generator& rng) {
    static constexpr std::int32_t priorities[] = {-3, 0, 0, 4, 5, 5, 9, 9, 10, 11};
    const auto time = [&] {
      if (rng.chance(3)) return rng.chance(50) ? unknown_time : never;
      return rng.chance(15) ? now + rng.between(0, 50) : now - rng.between(0, 400);
    };
    for (std::uint64_t id = 70; id < 74; ++id) {
      owner one;
      one.id = id;
      one.priority = rng.pick(priorities);
      one.whole = rng.chance(50);
      one.gone = rng.chance(8);
      one.minimum = rng.between(0, 4);
      one.started = time();
      one.checkpoint = rng.chance(40) ? unknown_time : time();
      owners.push_back(one);
    }
    for (const auto& pod : base.pods) {
      if (pod.set >= 0) continue;
      about of;
      if (rng.chance(80)) of.owner = static_cast<std::size_t>(rng.below(owners.size()));
      of.priority = rng.pick(priorities);
      of.placed = time();
      pods[pod.id] = of;
    }
  }
  void list_units() {
    std::map<std::size_t, unit> whole;
    std::vector<unit> all;
    for (const auto& [id, of] : pods) {
      const auto pod = std::find_if(base.pods.begin(), base.pods.end(), [&](const auto& p) { return p.id == id; });
      if (!holds(base, *pod)) continue;
      const owner* group = group_of(of);
      if (group != nullptr && group->whole) {
        unit& one = whole[*of.owner];
        one.owner = of.owner;
        one.priority = group->priority;
        one.pods.push_back(id);
      } else {
        unit one;
        if (group != nullptr) one.owner = of.owner;
        one.priority = group != nullptr ? group->priority : of.priority;
        one.pods = {id};
        all.push_back(one);
      }
    }
    for (const auto& [at, one] : whole) all.push_back(one);
    std::sort(all.begin(), all.end(), [](const unit& a, const unit& b) { return a.pods.front() < b.pods.front(); });
    for (const unit& one : all)
      if (one.priority < own_priority && one.priority != spared) units.push_back(one);
  }
  /// How many pods of a group hold a place and stay.
  [[nodiscard]] pod_count held_by(std::size_t at) const {
    pod_count count = 0;
    for (const auto& pod : base.pods)
      if (pod.set < 0 && holds(base, pod) && pods.at(pod.id).owner == at) ++count;
    return count;
  }
  [[nodiscard]] sum cost_in(const owner* group, pod_count held, const std::vector<std::uint64_t>& gone) const {
    wide first = 0, second = 0;
    for (const std::uint64_t id : gone) {
      const about& of = pods.at(id);
      const auto pod = std::find_if(base.pods.begin(), base.pods.end(), [&](const auto& p) { return p.id == id; });
      const wide devices = pod->request[0];
      switch (how) {
        case costing::lost: {
          std::int64_t since = of.placed;
          if (group != nullptr) since = group->checkpoint == unknown_time ? group->started : group->checkpoint;
          const wide lost = std::max<wide>(0, wide{now} - since);
          first += std::min<wide>(devices * std::min<wide>(lost, never), never) + restart;
          break;
        }
        case costing::pods: first += 1; break;
        case costing::gangs: first += value_of(group, id); break;
        case costing::important:
          first += (group != nullptr ? group->priority : of.priority) >= 5 ? 1 : 0;
          second += devices;
      }
    }
    if (how == costing::gangs && group != nullptr && held - static_cast<pod_count>(gone.size()) < group->minimum)
      first = wide{value_of(group, 0)} * held;
    return {held_at_top(first), held_at_top(second)};
  }
};

}  // namespace victims_property

#endif
