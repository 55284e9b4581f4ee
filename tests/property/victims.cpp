// SPDX-License-Identifier: BSL-1.0

// cheapest_victims() against trying everything: every set of units, and for each every placement of the group.
//
// An instance that fails is named by its seed; MUSTER_TEST_INSTANCE=<seed> runs that one alone. MUSTER_TEST_ROUNDS
// makes the run longer: 5 is 100,000 instances.

#include <muster/cluster/digest.hpp>
#include <muster/placement/options.hpp>
#include <muster/preemption/cheapest_victims.hpp>
#include <muster/preemption/victim_plan.hpp>
#include <muster/resource/resource_vector.hpp>
#include <muster/workload/validate.hpp>

#include "property/victims_world.hpp"
#include "support/catch.hpp"
#include "support/generator.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace victims_property;
using two = muster::resource_vector<2>;
using placement_property::table_filter;

/// What a victims_world says evicting costs, as a host would write it. With one part, `important` is only its first.
/// \tparam AddsUp what it says of itself; `gangs` does not
template <std::size_t N, bool AddsUp>
struct told_cost {
  static constexpr std::size_t components = N;
  static constexpr bool adds_up = AddsUp;
  costing how = costing::lost;
  muster::lost_work<> work{};

  using value = muster::cost_value<N>;
  using members = muster::evicted_members<two>;

  value operator()(const members& gone) const {
    value all{};
    if (how == costing::lost) {
      all.part[0] = work(gone).part[0];
    } else if (how == costing::pods) {
      all.part[0] = muster::evicted_pods{}(gone).part[0];
    } else {
      for (const auto* pod : gone.pods) all += share(gone.group, *pod, gone.now);
      if (how == costing::gangs && gone.group != nullptr) {
        const auto scheduled = gone.group->members.scheduled();
        if (scheduled - static_cast<pod_count>(gone.pods.size()) < *gone.group->spec.min_count)
          all.part[0] = value_of(gone.group) * scheduled;
      }
    }
    return all;
  }
  value share(const muster::group_record<two>* group, const muster::pod_record<two>& pod,
              muster::time_point at) const {
    value one{};
    switch (how) {
      case costing::lost: one.part[0] = work.share(group, pod, at).part[0]; break;
      case costing::pods: one.part[0] = 1; break;
      case costing::gangs:
        one.part[0] = group != nullptr ? value_of(group) : 1 + static_cast<std::int64_t>(number(pod.id) % 3);
        break;
      case costing::important:
        one.part[0] = (group != nullptr ? group->spec.priority : pod.priority) >= 5 ? 1 : 0;
        if constexpr (N > 1) one.part[1] = pod.request[0];
    }
    return one;
  }
  static std::int64_t value_of(const muster::group_record<two>* group) {
    return static_cast<std::int64_t>(number(group->id) % 3);
  }
};

/// Spares the units of one priority.
struct but_priority {
  std::int32_t spared = -1;
  bool operator()(const muster::victim_unit<two>& unit) const { return unit.priority != spared; }
};

/// How many instances were of which sort, and how far small budgets go.
struct tally {
  std::array<int, 7> outcomes{};
  int too_dear = 0, unproved = 0, superadditive = 0, of_two_parts = 0, several_victims = 0, saturated = 0;
  int small = 0, small_evicted = 0, small_best = 0, small_reducible = 0;
};

/// One instance, and what is so of it.
template <std::size_t N, bool AddsUp>
class instance {
 public:
  using cost_type = told_cost<N, AddsUp>;
  using space_type = muster::victim_space<two, cost_type>;
  using plan_type = muster::victim_plan<two, N>;
  using options = muster::victim_options<cost_type, but_priority, table_filter>;
  using mask = victims_world<two>::mask;

  instance(const victims_world<two>& of, generator& rng, tally& seen) : of_{of}, rng_{rng}, seen_{seen} {}

  /// The first thing that is wrong, or nothing. \param used memory of questions before
  std::string run(space_type& used) {
    how_.cost = {of_.how, {.restart = of_.restart}};
    how_.may = {of_.spared};
    how_.filter = of_.base.filter;
    if (!find_truth()) {
      ++seen_.too_dear;
      return {};
    }
    auto model = of_.build();
    const auto view = model.view(victims_world<two>::at(now));
    const std::uint64_t before = digest(model);
    const auto states = states_of(view);

    const plan_type plan = cheapest_victims(view, world<two>::own, used, how_);
    ++seen_.outcomes[static_cast<std::size_t>(plan.outcome)];
    if (std::string wrong = judge(plan, false); !wrong.empty()) return wrong;
    if (plan.outcome != expected_ && !nothing_waits_)
      return "it is " + named(plan.outcome) + ", not " + named(expected_);
    if (plan.evicts()) {
      seen_.unproved += plan.proved ? 0 : 1;
      seen_.several_victims += plan.victims.units.size() > 1 ? 1 : 0;
      seen_.superadditive += of_.how == costing::gangs ? 1 : 0;
      seen_.of_two_parts += N > 1 ? 1 : 0;
      seen_.saturated += plan.saturated ? 1 : 0;
    }

    if (std::string other = difference(plan, cheapest_victims(view, world<two>::own, used, how_)); !other.empty())
      return "asked twice: " + other;
    space_type fresh;
    if (std::string other = difference(plan, cheapest_victims(view, world<two>::own, fresh, how_)); !other.empty())
      return "with memory of its own: " + other;
    if constexpr (!AddsUp)
      if (whole_group_waits())
        if (std::string other = difference(plan, cheapest_victims(view, of_.base.group, fresh, how_)); !other.empty())
          return "asked by its spec: " + other;
    for (const std::uint64_t budget : {0U, 10U, 1000U}) {
      options little = how_;
      little.budget = budget;
      const plan_type some = cheapest_victims(view, world<two>::own, fresh, little);
      if (std::string wrong = judge(some, true); !wrong.empty())
        return "with a budget of " + std::to_string(budget) + " it is " + named(some.outcome) + ": " + wrong;
      if (std::string other = difference(some, cheapest_victims(view, world<two>::own, used, little));
          !other.empty())
        return "asked twice with a budget of " + std::to_string(budget) + ": " + other;
    }
    if (digest(model) != before || states_of(view) != states) return "a trace in the cluster";

    auto shuffled = of_.build(&rng_);
    if (digest(shuffled) != before) return "the test is wrong: another cluster from shuffled changes";
    const auto other_view = shuffled.view(victims_world<two>::at(now));
    if (std::string other = difference(plan, cheapest_victims(other_view, world<two>::own, used, how_));
        !other.empty())
      return "built from shuffled changes: " + other;
    return {};
  }

 private:
  using outcome = muster::preemption_outcome;

  static std::string named(outcome one) { return std::string{name(one)}; }
  static std::string text(const sum& cost) { return std::to_string(cost[0]) + ":" + std::to_string(cost[1]); }
  [[nodiscard]] sum cost_of(mask out) const {
    sum all = of_.cost_of(out);
    if (N == 1) all[1] = 0;
    return all;
  }
  static sum plain(const muster::cost_value<N>& cost) {
    sum all{cost.part[0], 0};
    if constexpr (N > 1) all[1] = cost.part[1];
    return all;
  }

  // ---- the truth

  /// What is so; false if it takes too long to find.
  bool find_truth() {
    const judge_of<two> judged{of_.base};
    const auto wants = judged.wanted(false);
    if (wants.all == 0) {  // nothing waits: nothing is to be done, or the question is none
      expected_ = outcome::not_needed;
      nothing_waits_ = true;
      return true;
    }
    if (wants.enough.empty()) return expected_ = outcome::hold, true;
    if (!judged.held_agree()) return expected_ = outcome::invalid, true;
    const truth as_it_is = of_.fits(of_.base);
    if (as_it_is == truth::unknown || works(of_.everybody()) == truth::unknown) return false;
    if (as_it_is == truth::yes) {
      expected_ = outcome::not_needed;
    } else if (works(0) == truth::yes) {
      expected_ = outcome::wait;
    } else if (!of_.may_preempt || works(of_.everybody()) == truth::no) {
      expected_ = outcome::none;
    } else {
      expected_ = outcome::evict;
    }
    if (works(of_.everybody()) == truth::no) return true;
    std::vector<std::pair<std::pair<sum, int>, mask>> by_cost;
    for (mask out = 0; out <= of_.everybody(); ++out) by_cost.push_back({{cost_of(out), std::popcount(out)}, out});
    std::sort(by_cost.begin(), by_cost.end());
    for (const auto& [worth, out] : by_cost) {
      const truth fits = works(out);
      if (fits == truth::unknown) return false;
      if (fits == truth::no) continue;
      best_ = worth;
      break;
    }
    return true;
  }
  /// Whether the group fits without these units: of more units it fits where it fits of fewer.
  truth works(mask out) {
    if (const auto known = known_.find(out); known != known_.end()) return known->second;
    for (const auto& [other, fits] : known_) {
      if (fits == truth::yes && (other & out) == other) return truth::yes;
      if (fits == truth::no && (other & out) == out) return truth::no;
    }
    return known_[out] = of_.fits(of_.without(out));
  }

  // ---- a plan

  std::string judge(const plan_type& plan, bool little) {
    if (!plan.evicts() && !plan.victims.units.empty()) return "victims without an eviction";
    switch (plan.outcome) {
      case outcome::undecided:
        if (!little) return "undecided";
        ++seen_.small;
        if (expected_ == outcome::hold || expected_ == outcome::invalid) return "undecided about a refused group";
        return bound_holds(plan);
      case outcome::evict: return judge_victims(plan, little);
      case outcome::not_needed:
        if (nothing_waits_) return {};
        if (expected_ != outcome::not_needed) return "it does not fit as it is";
        return judge_seats(plan, of_.base);
      case outcome::wait:
        if (works(0) != truth::yes) return "it does not fit once they have left";
        return judge_seats(plan, of_.without(0));
      case outcome::none:
        // that the group may not preempt is known without knowing whether it fits later
        if (little && !of_.may_preempt && plan.reason == muster::preemption_reason::policy_never) return {};
        if (expected_ != outcome::none) return "a wrong none, for " + std::string{name(plan.reason)};
        if (of_.may_preempt != (plan.reason != muster::preemption_reason::policy_never)) return "the policy";
        if (of_.may_preempt && of_.units.empty() != (plan.reason == muster::preemption_reason::no_units))
          return "whether there are units";
        return {};
      case outcome::hold:
      case outcome::invalid: break;
    }
    if (plan.fault != muster::cost_fault::none) return "a fault of the cost: " + std::string{name(plan.fault)};
    return plan.outcome == expected_ || nothing_waits_ ? "" : "held without cause";
  }
  std::string judge_seats(const plan_type& plan, const world<two>& left) {
    const judge_of<two> judged{left};
    return judged.check(plan.seats, true);
  }
  std::string judge_victims(const plan_type& plan, bool little) {
    if (nothing_waits_ || !best_) return "victims, yet no set works";
    if (!of_.may_preempt) return "victims of a group that may not preempt";
    mask out = 0;
    std::size_t at = 0;
    for (const auto& unit : plan.victims.units) {
      std::vector<std::uint64_t> pods;
      for (const auto* pod : plan.victims.pods_of(unit)) pods.push_back(number(pod->id));
      while (at < of_.units.size() && of_.units[at].pods != pods) ++at;
      if (at == of_.units.size()) return "a victim that is no unit, or out of order";
      out |= mask{1} << at;
    }
    if (works(out) != truth::yes) return "victims that are not enough";
    if (std::string wrong = judge_seats(plan, of_.without(out)); !wrong.empty()) return "the seats: " + wrong;
    const sum cost = cost_of(out);
    if (plain(plan.cost) != cost) return "cost " + text(plain(plan.cost)) + ", counted " + text(cost);
    if (plan.cost.saturated() && !plan.saturated) return "a cost at the top of its range, and not said";
    if (std::string wrong = bound_holds(plan); !wrong.empty()) return wrong;
    if (plan.bound > plan.cost) return "a bound above the cost";
    // what is held at the top of its range costs more than is told: of such sets none is known to be the best
    const std::pair found{cost, plan.cost.saturated() && cost == best_->first ? best_->second : std::popcount(out)};
    if (plan.proved) {
      if (plan.cost != plan.bound) return "proved, and the bound is not the cost";
      if (cost != best_->first || (plan.fewest > 0 && found != *best_))
        return "proved " + text(cost) + ", the best is " + text(best_->first) + " by " + std::to_string(best_->second) +
               " units";
      if (plan.fewest != (plan.cost.saturated() ? 0 : plan.victims.units.size()))
        return "proved, and not as few units as are fewest";
    } else if (plan.fewest != 0) {
      return "a number of units that nothing proves";
    }
    bool reducible = false;
    for (std::size_t u = 0; u < of_.units.size(); ++u)
      if ((out >> u & 1U) != 0) reducible = reducible || works(out & ~(mask{1} << u)) == truth::yes;
    if (reducible && !little) return "a victim that could stay";
    if (little) {
      ++seen_.small;
      ++seen_.small_evicted;
      seen_.small_best += found == *best_ ? 1 : 0;
      seen_.small_reducible += reducible ? 1 : 0;
    }
    return {};
  }
  std::string bound_holds(const plan_type& plan) {
    if (!best_ || plain(plan.bound) <= best_->first) return {};
    return "bound " + text(plain(plan.bound)) + " above the best, " + text(best_->first);
  }

  static std::string difference(const plan_type& a, const plan_type& b) {
    if (a.outcome != b.outcome) return "outcome " + named(a.outcome) + " / " + named(b.outcome);
    if (a.reason != b.reason || a.placement != b.placement || a.fault != b.fault) return "reason";
    if (a.cost != b.cost || a.bound != b.bound) return "cost or bound";
    if (a.fewest != b.fewest || a.proved != b.proved || a.saturated != b.saturated) return "what is proved";
    if (a.steps != b.steps) return "steps";
    if (!(a.domain == b.domain)) return "domain";
    if (a.victims.units.size() != b.victims.units.size()) return "number of victims";
    for (std::size_t u = 0; u < a.victims.units.size(); ++u) {
      const auto &x = a.victims.units[u], &y = b.victims.units[u];
      if (x.first != y.first || x.pods != y.pods || x.kind != y.kind || x.priority != y.priority) return "victims";
    }
    if (a.seats.size() != b.seats.size()) return "number of seats";
    for (std::size_t i = 0; i < a.seats.size(); ++i) {
      const auto &x = a.seats[i], &y = b.seats[i];
      if (x.node != y.node || x.pod_set != y.pod_set || x.count != y.count || !(x.grant == y.grant)) return "seats";
    }
    return {};
  }
  [[nodiscard]] bool whole_group_waits() const {
    for (std::size_t s = 0; s < of_.base.sets(); ++s)
      if (of_.base.pending[s] != of_.base.group.pod_sets[s].count || of_.base.have(s) != 0) return false;
    return true;
  }
  static std::vector<two::state_type> states_of(const muster::snapshot<two>& view) {
    std::vector<two::state_type> all;
    for (std::uint32_t node = 0; node < view.size(); ++node) {
      all.push_back(view.now(node));
      all.push_back(view.later(node));
    }
    return all;
  }

  const victims_world<two>& of_;
  generator& rng_;
  tally& seen_;
  options how_;
  outcome expected_ = outcome::none;
  bool nothing_waits_ = false;
  std::optional<std::pair<sum, int>> best_;  // over all sets that work, the empty one too: cost, then units
  std::map<mask, truth> known_;
};

/// Whether evicting makes a group fit that would not fit without, and, if `several`, no unit alone would.
bool turns_on_victims(const victims_world<two>& of, bool several) {
  const judge_of<two> judged{of.base};
  for (std::size_t u = 0; several && u < of.units.size(); ++u)
    if (of.fits(of.without(1U << u)) == truth::yes) return false;
  return !judged.wanted(false).enough.empty() && judged.held_agree() && of.fits(of.without(0)) == truth::no &&
         of.fits(of.without(of.everybody())) == truth::yes;
}

std::string run_one(std::uint64_t seed, tally& seen, std::string* text = nullptr) {
  static instance<1, false>::space_type any_cost;
  static instance<1, true>::space_type that_adds_up;
  static instance<2, true>::space_type two_parts;
  generator rng{seed};
  int looked_for = rng.chance(80) ? 40 : 0;  // most worlds are to be worth asking about
  const bool several = rng.chance(50);
  for (;;) {
    const victims_world<two> of{rng};
    if (muster::first_fault(of.base.group, of.base.levels).fault != muster::group_fault::none) continue;
    if (looked_for-- > 0 && !turns_on_victims(of, several)) continue;
    if (text != nullptr) *text = of.text();
    if (of.how == costing::gangs || rng.chance(20)) return instance<1, false>{of, rng, seen}.run(any_cost);
    if (of.how == costing::important || rng.chance(20)) return instance<2, true>{of, rng, seen}.run(two_parts);
    return instance<1, true>{of, rng, seen}.run(that_adds_up);
  }
}

}  // namespace

TEST_CASE("the cheapest victims are the cheapest, against trying every set", "[property]") {
  tally seen;
  if (const char* one = std::getenv("MUSTER_TEST_INSTANCE")) {
    std::string text;
    const std::string wrong = run_one(std::strtoull(one, nullptr, 10), seen, &text);
    std::printf("%s", text.c_str());
    CHECK(wrong == "");
    return;
  }
  generator seeds{"the cheapest victims are the cheapest, against trying every set"};
  const int all = muster_test::long_rounds(20000);
  int failures = 0;
  for (int i = all; i > 0 && failures < 10; --i) {
    const std::uint64_t seed = seeds();
    const std::string wrong = run_one(seed, seen);
    if (wrong.empty()) continue;
    ++failures;
    FAIL_CHECK("MUSTER_TEST_INSTANCE=" << seed << ": " << wrong);
  }
  std::printf("victims:");
  for (std::size_t o = 0; o < seen.outcomes.size(); ++o)
    std::printf(" %s %d,", std::string{name(static_cast<muster::preemption_outcome>(o))}.c_str(), seen.outcomes[o]);
  std::printf(" truths too dear %d; of the evictions unproved %d, of several units %d, of gangs lost whole %d, of two "
              "parts %d, at the top of the range %d; small budgets: %d decided nothing or evicted, %d evicted, %d of "
              "them the best, %d more than needed\n",
              seen.too_dear, seen.unproved, seen.several_victims, seen.superadditive, seen.of_two_parts, seen.saturated,
              seen.small, seen.small_evicted, seen.small_best, seen.small_reducible);
  using muster::preemption_outcome;
  for (const auto outcome : {preemption_outcome::not_needed, preemption_outcome::wait, preemption_outcome::evict,
                             preemption_outcome::none, preemption_outcome::hold, preemption_outcome::invalid})
    CHECK(seen.outcomes[static_cast<std::size_t>(outcome)] > 0);
  const int evictions = seen.outcomes[static_cast<std::size_t>(preemption_outcome::evict)];
  CHECK(evictions > all / 10);
  CHECK(seen.too_dear * 100 < all);
  CHECK(seen.unproved == 0);
  CHECK(seen.several_victims * 4 > evictions);
  CHECK(seen.superadditive * 10 > evictions);
  CHECK(seen.of_two_parts * 10 > evictions);
}
