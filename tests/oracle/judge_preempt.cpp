// SPDX-License-Identifier: BSL-1.0
#include "judge_preempt.hpp"

#include "case_instance.hpp"

#include <algorithm>
#include <set>

namespace oracle {
namespace {

// The case once the taken pods, and those that are on their way out, have left.
struct aftermath {
  case_data left;
  amount units = 0;
  std::string fault{};
};

std::string take(const case_data& of, const taken_pods& each, aftermath& made) {
  const auto& asked = of.groups[of.asked_group];
  if (each.group >= of.groups.size()) {
    return "a victim of no group";
  }
  const auto& group = of.groups[each.group];
  if (each.group == of.asked_group || group.priority >= asked.priority) {
    return "a victim of group " + group.name + ", which is of no lower priority";
  }
  for (auto& from : made.left.runs) {
    if (from.group != each.group || from.pod_class != each.pod_class || from.node != each.node) {
      continue;
    }
    if (each.pods <= 0 || each.pods > from.count) {
      return std::to_string(each.pods) + " of " + std::to_string(from.count) + " pods of group " + group.name +
             " taken from one node";
    }
    from.count -= each.pods;
    made.units += group.mode == eviction_mode::single ? each.pods : 0;
    return {};
  }
  return "a victim of group " + group.name + " where none of its pods runs";
}

aftermath after(const case_data& of, const victim_set& victims) {
  aftermath made{of};
  for (auto& each : made.left.runs) {
    each.count -= each.leaving;
    each.leaving = 0;
  }
  std::set<std::size_t> whole;
  for (const auto& each : victims.taken) {
    made.fault = take(of, each, made);
    if (!made.fault.empty()) {
      return made;
    }
    if (of.groups[each.group].mode == eviction_mode::all) {
      whole.insert(each.group);
    }
  }
  made.units += static_cast<amount>(whole.size());
  for (const auto& each : made.left.runs) {
    if (whole.contains(each.group) && each.count > 0) {
      made.fault = "group " + of.groups[each.group].name + " is taken in part";
    }
  }
  return made;
}

}  // namespace

amount cost_of(const case_data& of, const std::vector<taken_pods>& taken) {
  amount sum = 0;
  for (const auto& each : taken) {
    const auto& group = of.groups[each.group];
    sum += each.pods * group.classes[each.pod_class].request.front() * std::max<amount>(of.now - group.checkpoint, 0);
  }
  return sum;
}

std::string broken_rule(const case_data& of, const victim_set& victims) {
  auto made = after(of, victims);
  if (!made.fault.empty()) {
    return made.fault;
  }
  const amount cost = cost_of(of, victims.taken);
  if (cost != victims.cost) {
    return "they cost " + std::to_string(cost) + ", not " + std::to_string(victims.cost);
  }
  if (made.units != victims.units) {
    return "they are " + std::to_string(made.units) + " units, not " + std::to_string(victims.units);
  }
  std::erase_if(made.left.runs, [](const run& each) { return each.count == 0; });
  return reference::broken_rule(to_instance(made.left), victims.placed);
}

judgement judge_victims(const case_data& of, const preempt_result& given) {
  const auto wrong = [](std::string why) { return judgement{agreement::no, std::move(why)}; };
  if (!given.refuted.empty()) {
    return wrong(given.refuted);
  }
  const bool says_yes = given.decided == decision::yes;
  if (says_yes) {
    for (const auto* each : {&given.cheapest, &given.fewest}) {
      const auto broken = broken_rule(of, *each);
      if (!broken.empty()) {
        return wrong(std::string{each == &given.cheapest ? "the cheapest" : "the fewest"} +
                     " victims do not hold: " + broken);
      }
    }
  }
  if (of.victims) {
    const auto& proven = *of.victims;
    if (given.free_fit && *given.free_fit != *of.free_fit) {
      return wrong(*of.free_fit ? "it fits without victims" : "it does not fit without victims");
    }
    if (given.decided != decision::undecided && says_yes != proven.possible) {
      return wrong(proven.possible ? "victims exist" : "no victims make it fit");
    }
    if (says_yes) {
      // A set that holds and is better than the proven best would prove the case wrong: that is said, too.
      if (given.cheapest.cost < proven.min_cost || given.cost_bound > proven.min_cost ||
          (given.cheapest_proved && given.cheapest.cost != proven.min_cost)) {
        return wrong("the least cost is " + std::to_string(proven.min_cost));
      }
      if (given.cheapest.cost == proven.min_cost && (given.cheapest.units < proven.units_at_min_cost ||
          (given.cheapest_proved && given.cheapest.units != proven.units_at_min_cost))) {
        return wrong("the fewest units of that cost are " + std::to_string(proven.units_at_min_cost));
      }
      if (given.fewest.units < proven.min_units || given.units_bound > proven.min_units ||
          (given.fewest_proved && given.fewest.units != proven.min_units)) {
        return wrong("the fewest units are " + std::to_string(proven.min_units));
      }
    }
  }
  if (!given.proved()) {
    return {agreement::undecided, {}};
  }
  return {of.victims ? agreement::yes : agreement::skipped, {}};
}

}  // namespace oracle
