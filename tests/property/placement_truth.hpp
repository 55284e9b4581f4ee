// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_PROPERTY_PLACEMENT_TRUTH_HPP
#define MUSTER_TESTS_PROPERTY_PLACEMENT_TRUTH_HPP

/// \file
/// The answer by trying everything, and a check of placements, both from the rules and sharing nothing with the
/// library's search.

#include <muster/placement/answer.hpp>

#include "property/placement_world.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace placement_property {

enum class truth : std::uint8_t { no, yes, unknown };

template <class M>
struct judge_of {
  using state = typename M::state_type;
  const world<M>& of;

  // ---- how many are enough

  [[nodiscard]] bool is_legal_size(pod_count size) const {
    const muster::size_rule& rule = of.group.sizes;
    if (rule.kind == muster::size_rule::shape::any) return true;
    if (rule.kind == muster::size_rule::shape::rigid)
      return size == (of.group.world_size > 0 ? of.group.world_size : muster::declared_pods(of.group));
    for (pod_count legal = rule.smallest; legal <= rule.largest; legal += rule.step)
      if (legal == size) return true;
    return false;
  }
  [[nodiscard]] pod_count minimum() const {
    if (of.group.policy == muster::group_policy::basic) return 1;
    pod_count minima = 0;
    for (const auto& set : of.group.pod_sets) minima += set.minimum;
    return std::max(minima, of.group.min_count.value_or(muster::declared_pods(of.group)));
  }
  struct wants {
    std::vector<pod_count> pending, required;  // new pods, set by set
    pod_count have = 0, all = 0;
    std::vector<pod_count> enough;  // the numbers of new pods, ascending, that make the group enough
  };
  /// \param afresh what runs counts as pending again
  [[nodiscard]] wants wanted(bool afresh) const {
    wants w;
    pod_count required = 0;
    bool reachable = true;
    for (std::size_t s = 0; s < of.sets(); ++s) {
      pod_count have = of.have(s), pending = of.pending[s];
      if (afresh) {
        pending += have - of.succeeded[s];
        have = of.succeeded[s];
      }
      w.pending.push_back(pending);
      w.required.push_back(std::max<pod_count>(0, of.group.pod_sets[s].minimum - have));
      w.have += have;
      w.all += pending;
      required += w.required.back();
      reachable = reachable && w.required.back() <= pending;
    }
    if (afresh) {  // those that run, and as many new ones as are needed beside them
      pod_count running = 0;
      for (std::size_t s = 0; s < of.sets(); ++s) running += of.have(s) - of.succeeded[s];
      for (const pod_count n : wanted(false).enough) w.enough.push_back(n + running);
      return w;
    }
    const pod_count least_new = of.pending == std::array<pod_count, 3>{} ? 0 : 1;
    for (pod_count n = std::max(least_new, required); reachable && n <= w.all; ++n)
      if (w.have + n >= minimum() && is_legal_size(w.have + n)) w.enough.push_back(n);
    return w;
  }

  // ---- domains and limits

  [[nodiscard]] bool held_agree() const {
    if (const auto makes = held_makes(); makes.size() > 1 || makes.count(-1) != 0) return false;
    if (of.group.required == muster::no_level) return true;
    std::set<std::string> found;
    for (const auto& pod : of.pods)
      if (of.is_held(pod)) found.insert(of.domain(pod.on, of.group.required));
    return found.size() <= 1 && found.count("") == 0;
  }
  /// Makes of the nodes of own pods with devices that run, if the group keeps to one.
  [[nodiscard]] std::set<int> held_makes() const {
    std::set<int> found;
    for (const auto& pod : of.pods)
      if (of.group.one_device_model && of.is_held(pod) && small_amounts<M>::asks_devices(pod.request))
        found.insert(make_at(pod.on));
    return found;
  }
  [[nodiscard]] int make_at(std::size_t n) const { return small_amounts<M>::make_of(of.nodes[n].capacity); }

  static constexpr int any_make = -2;
  /// Makes all new devices may be of together.
  [[nodiscard]] std::set<int> makes(bool pinned) const {
    if (!of.group.one_device_model) return {any_make};
    std::set<int> found = pinned ? held_makes() : std::set<int>{};
    if (!found.empty()) return found;
    for (std::size_t n = 0; n < of.nodes.size(); ++n) found.insert(make_at(n));
    found.insert(-1);
    return found;
  }
  /// Whether a pod of a set may sit on a node, if the devices are of a make.
  [[nodiscard]] bool may(std::size_t set, std::size_t n, int make) const {
    const bool bound = make != any_make && small_amounts<M>::asks_devices(of.group.pod_sets[set].request);
    return of.may(set, n) && (!bound || make_at(n) == make);
  }

  /// Domains all new pods may lie in together; one nameless where none is required.
  [[nodiscard]] std::set<std::string> domains(bool pinned) const {
    if (of.group.required == muster::no_level) return {"anywhere"};
    std::set<std::string> found;
    for (const auto& pod : of.pods)
      if (pinned && of.is_held(pod)) found.insert(of.domain(pod.on, of.group.required));
    if (!found.empty()) return found;
    for (std::size_t n = 0; n < of.nodes.size(); ++n)
      if (const auto name = of.domain(n, of.group.required); !name.empty()) found.insert(name);
    return found;
  }
  [[nodiscard]] bool in(std::size_t n, const std::string& domain) const {
    return of.group.required == muster::no_level || of.domain(n, of.group.required) == domain;
  }
  [[nodiscard]] std::vector<std::pair<std::string, int>> arenas(bool pinned) const {
    std::vector<std::pair<std::string, int>> found;
    for (const std::string& domain : domains(pinned))
      for (const int make : makes(pinned)) found.push_back({domain, make});
    return found;
  }
  using counts = std::map<std::pair<std::size_t, std::string>, pod_count>;
  /// Adds pods to the counts under every limit; false if one is exceeded.
  bool count(counts& so_far, std::size_t n, pod_count pods) const {
    bool good = true;
    for (std::size_t i = 0; i < of.group.limits.size(); ++i) {
      const std::string domain = of.domain(n, of.group.limits[i].level);
      if (domain.empty()) continue;
      pod_count& here = so_far[{i, domain}];
      here += pods;
      good = good && (here <= of.group.limits[i].count || pods <= 0);
    }
    return good;
  }
  [[nodiscard]] counts held_counts() const {
    counts so_far;
    for (const auto& pod : of.pods)
      if (of.is_held(pod)) count(so_far, pod.on, 1);
    return so_far;
  }

  // ---- alike pods: every way to spread them over the nodes

  [[nodiscard]] pod_count most_alike(when at) const {
    const bool afresh = at == when::empty_open || at == when::empty_all;
    const wants w = wanted(afresh);
    std::size_t set = 0;
    while (set + 1 < of.sets() && w.pending[set] == 0) ++set;
    pod_count most = 0;
    for (const auto& [domain, make] : arenas(!afresh)) {
      std::vector<std::pair<std::size_t, pod_count>> slots;
      pod_count rest = 0;
      for (std::size_t n = 0; n < of.nodes.size(); ++n) {
        if (!of.exists(n, at) || !may(set, n, make) || !in(n, domain)) continue;
        state room = of.left(n, at);
        typename M::grant_type grant{};
        pod_count fit = 0;
        while (fit < w.all && M::allocate(room, of.group.pod_sets[set].request, 1, grant) == 1) ++fit;
        slots.push_back({n, fit});
        rest += fit;
      }
      counts so_far = afresh ? counts{} : held_counts();
      spread_over(slots, 0, 0, rest, w.all, so_far, most);
    }
    return std::min(most, w.all);
  }

  [[nodiscard]] static bool is_afresh(when at) { return at == when::empty_open || at == when::empty_all; }

  // ---- unlike pods: every pod on every node with every grant

  [[nodiscard]] truth enough_fits(when at) const {
    const wants w = wanted(is_afresh(at));
    return w.enough.empty() ? truth::unknown : can_seat(at, w.enough.front());
  }
  /// Whether so many pods sit at once, the required ones among them.
  [[nodiscard]] truth can_seat(when at, pod_count goal) const {
    const bool afresh = is_afresh(at);
    const wants w = wanted(afresh);
    search s{w, {}, {}, afresh ? counts{} : held_counts(), goal, 0, 300'000, any_make};
    for (std::size_t n = 0; n < of.nodes.size(); ++n) s.left.push_back(of.left(n, at));
    for (const auto& [domain, make] : arenas(!afresh)) {
      s.make = make;
      s.nodes.clear();
      for (std::size_t n = 0; n < of.nodes.size(); ++n)
        if (of.exists(n, at) && in(n, domain)) s.nodes.push_back(n);
      pod_count surplus = s.goal;
      for (const pod_count required : w.required) surplus -= required;
      if (surplus < 0) return truth::unknown;
      if (seat(s, 0, 0, w.required.empty() ? 0 : w.required[0], surplus, 0)) return truth::yes;
      if (s.steps <= 0) return truth::unknown;
    }
    return truth::no;
  }

  // ---- a placement

  [[nodiscard]] std::string check(const std::vector<muster::seat<M>>& seats, bool must_be_enough) const {
    std::vector<state> left;
    for (std::size_t n = 0; n < of.nodes.size(); ++n) left.push_back(of.left(n, when::now));
    counts so_far = held_counts();
    const auto allowed = domains(true);
    std::set<std::string> used;
    std::set<int> used_makes = seats.empty() ? std::set<int>{} : held_makes();
    std::vector<pod_count> placed(of.sets(), 0);
    pod_count size = 0;
    for (const auto& seat : seats) {
      std::size_t n = 0;
      while (n < of.nodes.size() && of.nodes[n].id != number(seat.node)) ++n;
      if (n == of.nodes.size() || !of.exists(n, when::now)) return "a seat on no open node";
      if (seat.pod_set >= of.sets() || seat.count < 1) return "a seat of no pod";
      if (!of.may(seat.pod_set, n)) return "a seat on a node that is not eligible";
      if (!small_amounts<M>::take(left[n], of.group.pod_sets[seat.pod_set].request, seat.count, seat.grant))
        return "a grant that is not there";
      if (!count(so_far, n, seat.count)) return "a spread limit exceeded";
      if (of.group.required != muster::no_level) used.insert(of.domain(n, of.group.required));
      if (of.group.one_device_model && small_amounts<M>::asks_devices(of.group.pod_sets[seat.pod_set].request))
        used_makes.insert(make_at(n));
      placed[seat.pod_set] += seat.count;
      size += seat.count;
    }
    if (used.size() > 1) return "several domains";
    if (used_makes.size() > 1) return "several device models";
    for (const auto& domain : used)
      if (allowed.count(domain) == 0) return "a domain that is none";
    const wants w = wanted(false);
    for (std::size_t s = 0; s < of.sets(); ++s) {
      if (placed[s] > w.pending[s]) return "more pods than pending";
      if (must_be_enough && placed[s] < w.required[s]) return "a pod set below its minimum";
    }
    if (must_be_enough && std::find(w.enough.begin(), w.enough.end(), size) == w.enough.end() && w.all > 0)
      return "not enough";
    return {};
  }

 private:
  void spread_over(const std::vector<std::pair<std::size_t, pod_count>>& slots, std::size_t i, pod_count sum,
                   pod_count rest, pod_count goal, counts& so_far, pod_count& most) const {
    most = std::max(most, sum);
    if (i == slots.size() || sum + rest <= most || most >= goal) return;
    for (pod_count here = std::min(slots[i].second, goal - sum); here >= 0; --here) {
      const counts before = so_far;
      if (count(so_far, slots[i].first, here))
        spread_over(slots, i + 1, sum + here, rest - slots[i].second, goal, so_far, most);
      so_far = before;
    }
  }

  struct search {
    const wants& w;
    std::vector<state> left;
    std::vector<std::size_t> nodes;
    counts so_far;
    pod_count goal;
    pod_count placed;
    int steps;
    int make;
  };
  /// Seats `more` pods of set s, and up to `surplus` beyond the required ones of all sets, from node i on.
  bool seat(search& s, std::size_t set, pod_count here, pod_count required, pod_count surplus, std::size_t i) const {
    if (s.placed == s.goal && here >= required && rest_is_nothing(s, set)) return true;
    if (set == of.sets() || --s.steps <= 0) return false;
    if (here >= required) {  // go on to the next set
      const std::size_t next = set + 1;
      if (seat(s, next, 0, next < of.sets() ? s.w.required[next] : 0, surplus, 0)) return true;
    }
    if (here >= s.w.pending[set] || (here >= required && surplus == 0)) return false;
    for (std::size_t k = i; k < s.nodes.size(); ++k) {
      const std::size_t n = s.nodes[k];
      if (!may(set, n, s.make)) continue;
      const counts before = s.so_far;
      const bool room = count(s.so_far, n, 1);
      const state was = s.left[n];
      const bool found =
          room && small_amounts<M>::any_grant(was, of.group.pod_sets[set].request, [&](const auto& grant) {
            s.left[n] = was;
            M::charge(s.left[n], grant);
            ++s.placed;
            const bool all = seat(s, set, here + 1, required, here >= required ? surplus - 1 : surplus, k);
            --s.placed;
            return all;
          });
      s.left[n] = was;
      s.so_far = before;
      if (found) return true;
    }
    return false;
  }
  [[nodiscard]] bool rest_is_nothing(const search& s, std::size_t set) const {
    for (std::size_t next = set + 1; next < of.sets(); ++next)
      if (s.w.required[next] > 0) return false;
    return true;
  }
};

}  // namespace placement_property

#endif
