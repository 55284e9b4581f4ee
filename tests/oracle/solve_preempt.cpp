// SPDX-License-Identifier: BSL-1.0
#include "solve_preempt.hpp"

#include <muster/preemption/cheapest_victims.hpp>
#include <muster/preemption/list_victim_units.hpp>
#include <muster/preemption/victim_plan.hpp>
#include <muster/preemption/victim_unit.hpp>
#include <muster/resource/resource_vector.hpp>
#include <muster/scoring/eviction_cost.hpp>

#include "case_cluster.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace oracle {
namespace {

constexpr std::size_t most_resources = 5;
using model = muster::resource_vector<most_resources>;
using plan = muster::victim_plan<model>;

// How many units go. A unit counts by its first pod, so costs add up, and a set of pods that is no whole unit is
// never asked about.
struct evicted_units {
  static constexpr std::size_t components = 1;
  static constexpr bool adds_up = true;
  std::vector<muster::pod_id> firsts;  // ascending

  muster::cost_value<1> operator()(const muster::evicted_members<model>& gone) const {
    muster::cost_value<1> sum{};
    for (const auto* pod : gone.pods) {
      sum += share(gone.group, *pod, gone.now);
    }
    return sum;
  }
  muster::cost_value<1> share(const muster::group_record<model>*, const muster::pod_record<model>& pod,
                              muster::time_point) const {
    return muster::cost_value<1>::of(std::binary_search(firsts.begin(), firsts.end(), pod.id) ? 1 : 0);
  }
};

evicted_units units_of(const muster::snapshot<model>& view) {
  muster::victim_units<model> all;
  muster::list_victim_units(view, all);
  evicted_units made;
  for (const auto& unit : all.units) {
    made.firsts.push_back(unit.first);
  }
  return made;
}

// What is measured in devices and milliseconds, in devices and seconds; a bound is rounded up: costs are whole.
[[nodiscard]] amount in_seconds(const muster::cost_value<1>& cost) { return cost.part[0] / 1000; }
[[nodiscard]] amount up_to_seconds(const muster::cost_value<1>& bound) { return (bound.part[0] + 999) / 1000; }

victim_set translate(const muster::snapshot<model>& view, const plan& from) {
  victim_set made;
  made.units = static_cast<amount>(from.victims.units.size());
  for (const auto& unit : from.victims.units) {
    for (const auto* pod : from.victims.pods_of(unit)) {
      const taken_pods one{muster::number(view.group_of(*pod)), pod->pod_set, muster::number(view.node_of(*pod)), 1};
      const auto same = std::find_if(made.taken.begin(), made.taken.end(), [&](const taken_pods& each) {
        return each.group == one.group && each.pod_class == one.pod_class && each.node == one.node;
      });
      if (same == made.taken.end()) {
        made.taken.push_back(one);
      } else {
        ++same->pods;
      }
    }
  }
  for (const auto& seat : from.seats) {
    made.placed.push_back({seat.pod_set, muster::number(seat.node), seat.count});
  }
  return made;
}

// Asks three times; what the last call says stays in the space.
template <class Space, class Options>
double ask(const muster::snapshot<model>& view, muster::group_id group, Space& space, const Options& options) {
  using clock = std::chrono::steady_clock;
  clock::duration least = clock::duration::max();  // another program may stand in the way of one
  for (int call = 0; call < 3; ++call) {
    const auto before = clock::now();
    (void)muster::cheapest_victims(view, group, space, options);
    least = std::min<clock::duration>(least, clock::now() - before);
  }
  return std::chrono::duration<double, std::micro>(least).count();
}

decision decided_by(const plan& of) {
  switch (of.outcome) {
    case muster::preemption_outcome::not_needed:
    case muster::preemption_outcome::wait:
    case muster::preemption_outcome::evict: return decision::yes;
    case muster::preemption_outcome::none:
    case muster::preemption_outcome::hold: return decision::no;
    case muster::preemption_outcome::undecided:
    case muster::preemption_outcome::invalid: break;
  }
  return decision::undecided;
}

bool carries_over(const case_data& of) {
  const auto& asked = of.groups[of.asked_group];
  const bool holds = std::any_of(of.runs.begin(), of.runs.end(),
                                 [](const run& each) { return each.holds.has_value() || !each.grants.empty(); });
  return !of.with_devices && !holds && of.resources.size() <= most_resources &&
         (of.needed(of.asked_group) > 0 || !asked.only_min());
}

}  // namespace

std::optional<preempt_result> solve_preempt(const case_data& of) {
  static muster::victim_space<model> for_cost;
  static muster::victim_space<model, evicted_units> for_units;
  if (!carries_over(of)) {
    return std::nullopt;
  }
  cluster_builder<model> built{of};
  // A group that asks for more than it has, or for no legal size, is a fault to the library and a no to the format.
  const auto fault = built.fault();
  if (fault == muster::group_fault::min_count_above_total || fault == muster::group_fault::size_rule_unreachable) {
    return preempt_result{.decided = decision::no, .free_fit = false, .detail = std::string{name(fault)}};
  }
  if (!built.refused().empty()) {
    return preempt_result{.detail = built.refused()};
  }
  if (built.as_declared()) {
    return std::nullopt;
  }
  const auto view = built.cluster().view(at_second(of.now));
  const auto asked = group_key(of.asked_group);
  const case_filter filter{&of.groups[of.asked_group]};
  const muster::victim_options<muster::lost_work<>, muster::anyone, case_filter> by_cost{.filter = filter};
  const muster::victim_options<evicted_units, muster::anyone, case_filter> by_units{.cost = units_of(view),
                                                                                             .filter = filter};
  const double microseconds = ask(view, asked, for_cost, by_cost);
  const double units_microseconds = ask(view, asked, for_units, by_units);
  const plan& cheapest = for_cost.plan;
  const plan& fewest = for_units.plan;

  preempt_result made;
  made.microseconds = microseconds;
  made.units_microseconds = units_microseconds;
  made.steps = std::max(cheapest.steps, fewest.steps);
  made.detail = std::string{name(cheapest.outcome)} + ": " + std::string{name(cheapest.reason)};
  made.decided = decided_by(cheapest);
  if (const auto other = decided_by(fewest); other != made.decided) {
    made.detail += "; by units " + std::string{name(fewest.outcome)} + ": " + std::string{name(fewest.reason)};
    if (other != decision::undecided && made.decided != decision::undecided) {
      made.refuted = "whether victims exist does not depend on what they cost";
    }
    made.decided = decision::undecided;
    return made;
  }
  if (made.decided == decision::yes) {
    made.cheapest = translate(view, cheapest);
    made.cheapest.cost = in_seconds(cheapest.cost);
    made.cheapest_proved = cheapest.proved || !cheapest.evicts();
    made.cost_bound = cheapest.evicts() ? up_to_seconds(cheapest.bound) : 0;
    made.fewest = translate(view, fewest);
    made.fewest.cost = cost_of(of, made.fewest.taken);  // the library was not asked
    made.fewest_proved = fewest.proved || !fewest.evicts();
    made.units_bound = fewest.evicts() ? fewest.bound.part[0] : 0;
    if (!cheapest.evicts()) {
      made.free_fit = true;
    } else if (cheapest.proved) {
      made.free_fit = false;
    }
  } else if (made.decided == decision::no) {
    made.free_fit = false;
  }
  return made;
}

}  // namespace oracle
