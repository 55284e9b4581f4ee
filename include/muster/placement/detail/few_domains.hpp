// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_FEW_DOMAINS_HPP
#define MUSTER_PLACEMENT_DETAIL_FEW_DOMAINS_HPP

/// \file
/// The search for the fewest domains: single ones from narrow to wide, then sets of them, scope by scope.
///
/// *The fewest of a scope*. The largest units first, more and more of them until they hold the gang, then as few of
/// these as do: a first yes after few asks. Units that its seats do not use are left out. Then all sets of the least
/// number that no cut refuses, of one more, and so on, until one holds the gang or the first yes is reached.
///
/// *The rest of the rule*. With the number known its sets are searched rung by rung from narrow to wide, those with the
/// fewest slots first; the first rung that has one decides.
///
/// Where all of a wider domain refuses, every narrower one in it is refused as well, so a search that was left open
/// there no longer matters.

#include <muster/cluster/domains.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/topology.hpp>
#include <muster/core/verdict.hpp>
#include <muster/placement/detail/domain_units.hpp>
#include <muster/placement/detail/few_units.hpp>
#include <muster/placement/detail/subset_search.hpp>
#include <muster/placement/fewest_domains.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

template <class Asks>
class few_domains {
 public:
  few_domains(Asks& asks, const fewest_wish& wish, fewest_answer& made)
      : asks_{asks}, wish_{wish}, made_{made}, units_{asks, wish.level}, sets_left_{wish.most_sets} {}

  void decide() {
    made_.verdict = asks_.on_all_nodes();
    made_.steps = asks_.budget().spent();
    if (!made_.fits()) return;
    units_.take_held();
    note_used();
    if (asks_.space().answer.placed == 0) {
      made_.least = static_cast<std::uint32_t>(made_.domains.size());
      made_.best = true;
      return;
    }
    most_ = made_.domains.size();
    left_ = asks_.options().budget;
    search();
    made_.asks = asks_.count();
    made_.steps = asks_.budget().spent();
    made_.verdict = asks_.finish(nodes_, left_);
    if (!made_.fits()) return;  // the caller's stop ended it
    note_used();
    made_.least = static_cast<std::uint32_t>(std::min(least_, made_.domains.size()));
    made_.best = best_ && made_.proved();
  }

 private:
  static constexpr std::size_t unbounded = std::numeric_limits<std::size_t>::max();
  static constexpr pod_count any_slots = std::numeric_limits<pod_count>::max();

  void search() {
    if (try_single_domains()) return;
    const std::vector<topology_level> rungs = units_.rungs();
    if (wish_.rule == fewest_rule::nearest) {
      most_ = unbounded;  // more domains that are nearer go before fewer that are not
      for (const topology_level rung : rungs) {
        if (!search_rung(rung)) continue;
        (void)settle(rung);
        return;
      }
      least_ = 1;  // of what was found on all nodes nothing is known
      return;
    }
    (void)search_rung(rungs.back());
    narrower_open_ = false;
    for (const topology_level rung : rungs)
      if (settle(rung)) return;
  }

  /// Asks single domains for the whole gang, of every level from the node to the wish's. Those with the fewest slots
  /// are asked first, so the first yes is the best.
  [[nodiscard]] bool try_single_domains() {
    const run all{0, asks_.view().base().size()};
    for (const topology_level level : units_.single_levels()) {
      if (level != wish_.level && !asks_.view().base().levels().nests_in_coarser(level)) {
        passed_over_ = true;
        continue;
      }
      units_.measure(level);
      const std::size_t pinned = units_.table().pinned;
      if (pinned > 1 || !units_.hold_members()) continue;
      const subset_end end = search_sets({&all, 1}, units_.free_units({&all, 1}), 1 - pinned, any_slots, true);
      if (end.found) {
        best_ = !narrower_open_ && !passed_over_ && !end.open;
        return true;
      }
      narrower_open_ = end.open;
    }
    at_least_ = narrower_open_ ? 1 : 2;
    return false;
  }

  /// Looks for the fewest domains in the scopes of a rung; whether any scope holds the gang on fewer than `most_`.
  [[nodiscard]] bool search_rung(topology_level rung) {
    found_ = open_ = false;
    std::size_t least = unbounded;
    units_.visit_scopes(rung, [&](std::span<const run> scope) { least = std::min(least, search_scope(scope)); });
    if (!found_) narrower_open_ = open_;
    least_ = std::max(at_least_, std::min(least, most_));
    return found_;
  }

  /// \return no set of the scope with fewer domains holds the gang; unbounded: none does
  [[nodiscard]] std::size_t search_scope(std::span<const run> scope) {
    const std::size_t pinned = units_.table().pinned;
    std::vector<std::uint32_t> free = units_.free_units(scope);
    std::reverse(free.begin(), free.end());
    std::size_t needed = fewest_needed(units_.table(), free);
    if (needed > free.size()) return unbounded;
    if (pinned + needed >= most_) return pinned + needed;
    const set_answer largest = take_largest(scope, free, needed);
    if (largest == set_answer::no) return unbounded;
    if (largest == set_answer::unknown) return pinned + needed;
    needed = std::max(needed, fewest_needed(units_.table(), free));
    for (std::size_t pick = needed; pick <= free.size() && pinned + pick < most_; ++pick) {
      const subset_end end = search_sets(scope, free, pick, any_slots, true);
      if (end.found) most_ = pinned + pick;
      else if (end.open) open_ = true;
      else if (pick == needed) needed = std::max(pick + 1, fewest_needed(units_.table(), free));
    }
    return needed > free.size() ? unbounded : pinned + needed;
  }

  /// Looks for few of the largest units that hold the gang. `no`: all of the scope do not; `unknown`: that was left
  /// undecided, and sets of it are not worth asking.
  [[nodiscard]] set_answer take_largest(std::span<const run> scope, std::span<const std::uint32_t> free,
                                        std::size_t needed) {
    const std::size_t pinned = units_.table().pinned;
    const std::size_t top = most_ == unbounded ? free.size() : std::min(free.size(), most_ - 1 - pinned);
    std::size_t low = needed, high = needed;  // fewer than low of the largest do not, high units do
    for (std::size_t step = 1;; step *= 2) {
      const set_answer said = try_largest(scope, free.first(high), high);
      if (said == set_answer::yes) break;
      if (high == free.size()) {
        open_ = open_ || said == set_answer::unknown;
        return said;
      }
      low = std::max(high + 1, fewest_needed(units_.table(), free));
      if (low > free.size()) return set_answer::no;
      if (low > top) return set_answer::yes;  // other sets may still do
      high = std::min(top, std::max(low, high + step));
    }
    while (low < high) {
      std::size_t middle = low + (high - low) / 2;
      if (try_largest(scope, free.first(middle), middle) == set_answer::yes) high = middle;
      else low = middle + 1;
    }
    return set_answer::yes;
  }
  /// Asks some units, and where they hold the gang those of them its seats are in. \param number lowered to theirs
  set_answer try_largest(std::span<const run> scope, std::span<const std::uint32_t> units, std::size_t& number) {
    const set_answer said = ask(scope, units);
    if (said != set_answer::yes) return said;
    most_ = std::min(most_, units_.table().pinned + units.size());
    number = units.size();
    const std::vector<std::uint32_t> used = units_.used_of(units, asks_.seats());
    if (used.size() < units.size() && ask(scope, used) == set_answer::yes) {
      most_ = std::min(most_, units_.table().pinned + used.size());
      number = used.size();
    }
    return said;
  }

  /// With the number of domains known: looks for the sets of a rung with the fewest slots.
  [[nodiscard]] bool settle(topology_level rung) {
    const std::size_t pinned = units_.table().pinned;
    if (most_ < pinned) return false;
    pod_count slots = any_slots;
    bool open = false;
    units_.visit_scopes(rung, [&](std::span<const run> scope) {
      const subset_end end = search_sets(scope, units_.free_units(scope), most_ - pinned, slots, false);
      if (end.found) slots = slots_;
      open = open || end.open;
    });
    if (slots == any_slots) {
      narrower_open_ = open;
      return false;
    }
    best_ = !narrower_open_ && !passed_over_ && !open;
    return true;
  }

  /// Sets of so many units in a scope, in the order given.
  subset_end search_sets(std::span<const run> scope, const std::vector<std::uint32_t>& order, std::size_t pick,
                         pod_count below, bool any) {
    const auto one = [&](std::span<const std::uint32_t> units) { return ask(scope, units); };
    subset_search search{units_.table(), std::span<const std::uint32_t>{order}, sets_left_, one};
    const subset_end end = search.run(pick, below, any);
    slots_ = search.slots();
    return end;
  }

  set_answer ask(std::span<const run> scope, std::span<const std::uint32_t> units) {
    std::vector<run> nodes = units_.nodes_of(scope, units);
    const auto asked = asks_.ask(nodes);
    if (asked.said == set_answer::yes) {
      found_ = true;
      nodes_ = std::move(nodes);
      left_ = asked.left;
    }
    if (asked.said == set_answer::unknown && asks_.out()) sets_left_ = 0;  // no other is asked either
    if (asked.said == set_answer::no)
      if (const auto* prices = asks_.learned()) units_.learn(*prices);
    return asked.said;
  }

  /// Writes down the domains that the seats and members that run use, and the narrowest that holds them all.
  void note_used() {
    const auto& base = asks_.view().base();
    std::vector<std::uint32_t> positions(units_.held().begin(), units_.held().end());
    for (const auto& seat : asks_.space().answer.seats) positions.push_back(seat.position);
    const auto domain_at = [&](std::uint32_t p, topology_level level) {
      return level == node_level ? p : base.domain_of(p, static_cast<std::size_t>(level));
    };
    std::set<std::pair<std::uint32_t, std::uint32_t>> used;  // (domain, position of a node in none)
    for (const std::uint32_t p : positions) {
      const std::uint32_t domain = domain_at(p, wish_.level);
      used.insert({domain, domain == no_domain ? p : 0});
    }
    made_.domains.clear();
    for (const auto& [domain, p] : used) {
      if (wish_.level != node_level && domain != no_domain) {
        made_.domains.push_back(base.domain_name(static_cast<std::size_t>(wish_.level), domain));
        continue;
      }
      const std::uint32_t at = wish_.level == node_level ? domain : p;
      made_.domains.push_back({node_level, {static_cast<label_id>(number(base.id(at)))}});
    }
    const auto together = [&](topology_level level) {
      const std::uint32_t first = positions.empty() ? no_domain : domain_at(positions.front(), level);
      return first != no_domain && std::all_of(positions.begin(), positions.end(),
                                               [&](std::uint32_t p) { return domain_at(p, level) == first; });
    };
    made_.shared = no_level;
    for (std::size_t l = 0; l < base.levels().size(); ++l)
      if (together(static_cast<topology_level>(l))) made_.shared = static_cast<topology_level>(l);
    if (together(node_level)) made_.shared = node_level;
  }

  Asks& asks_;
  const fewest_wish& wish_;
  fewest_answer& made_;
  few_units<Asks> units_;
  std::uint32_t sets_left_;
  std::vector<run> nodes_;  // of the best set so far; none: all nodes
  std::uint64_t left_ = 0;  // the steps that were left when it was asked
  std::size_t most_ = 0;    // domains it uses at most
  std::size_t at_least_ = 1;  // no fewer by single domains alone
  std::size_t least_ = 1;     // nor by the rung searched last
  pod_count slots_ = 0;     // of the set that was found last
  bool found_ = false, open_ = false;
  bool narrower_open_ = false;  // a narrower level may hold the gang as well
  bool passed_over_ = false;    // nothing is known of some narrower level
  bool best_ = false;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
