// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_PROPERTY_PLACEMENT_CLAIM_HPP
#define MUSTER_TESTS_PROPERTY_PLACEMENT_CLAIM_HPP

/// \file
/// Whether what a certificate says is true, by trying everything: from the table in certificate.hpp and the world.

#include <muster/placement/certificate.hpp>

#include "property/placement_truth.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace placement_property {

template <class M>
struct claim_judge {
  using judge = judge_of<M>;
  using amount = muster::amount;
  const world<M>& of;
  const judge truth_of{of};

  /// `no` if anything it says is false; `unknown` if nothing is found false and not all is found true.
  [[nodiscard]] truth is_true(const muster::certificate& said) const {
    if (said.refusals.empty()) return due(when::now).empty() ? truth::yes : truth::no;
    truth all = truth::yes;
    std::size_t expected = 0;
    for (const when at : {when::now, when::later, when::empty_open, when::empty_all}) {
      const auto is_of = [&](const auto& one) { return static_cast<when>(one.when) == at; };
      if (std::none_of(said.refusals.begin(), said.refusals.end(), is_of)) continue;
      for (const place& where : due(at)) {
        ++expected;
        const auto is_this = [&](const auto& one) {
          return is_of(one) && one.domain == where.domain && one.model == where.model;
        };
        const auto one = std::find_if(said.refusals.begin(), said.refusals.end(), is_this);
        if (one == said.refusals.end()) return truth::no;
        const truth here = is_true(said, *one, where, at);
        if (here == truth::no) return here;
        if (here == truth::unknown) all = here;
      }
    }
    return expected == said.refusals.size() ? all : truth::no;
  }

 private:
  /// A domain that was allowed, and the device model there.
  struct place {
    muster::domain_path domain;
    bool by_make = false;
    std::optional<muster::device_model> model;
    std::vector<std::size_t> nodes;
  };
  struct option {  // what a node may take
    std::vector<pod_count> counts;
    std::int64_t worth;
  };
  using options = std::vector<std::pair<std::size_t, std::vector<option>>>;  // (node, what it may take)

  [[nodiscard]] std::vector<place> due(when at) const {
    const bool pinned = !judge::is_afresh(at);
    const auto level = of.group.required;
    std::vector<place> whole;
    if (level == muster::no_level) whole.emplace_back();
    for (std::size_t n = 0; n < of.nodes.size(); ++n) {
      if (truth_of.domains(pinned).count(level == muster::no_level ? "anywhere" : of.domain(n, level)) == 0) continue;
      muster::domain_path path{level, {}};
      if (level == muster::node_level) path.path.push_back(muster::label_id{of.nodes[n].id});
      else if (level != muster::no_level)
        for (std::size_t l = 0; l <= static_cast<std::size_t>(level); ++l) {
          if (of.levels.levels[1].merge_equal_names && l < static_cast<std::size_t>(level)) continue;
          const std::uint64_t label = of.nodes[n].label[l];
          path.path.push_back(label == 0 ? muster::no_label : muster::label_id{label});
        }
      auto known = std::find_if(whole.begin(), whole.end(), [&](const place& one) { return one.domain == path; });
      if (known == whole.end()) known = whole.insert(whole.end(), {path, false, {}, {}});
      known->nodes.push_back(n);
    }
    bool asks = false;
    for (const auto& set : of.group.pod_sets) asks = asks || small_amounts<M>::asks_devices(set.request);
    if (!of.group.one_device_model || !asks) return whole;
    std::vector<place> parts;
    const std::set<int> held = pinned ? truth_of.held_makes() : std::set<int>{};
    for (const place& one : whole) {
      std::set<int> makes;
      for (const std::size_t n : one.nodes)
        if (const int make = truth_of.make_at(n); make >= 0 && (held.empty() || held.count(make) > 0))
          makes.insert(make);
      if (makes.empty()) makes = held.empty() ? std::set<int>{-1} : held;
      for (const int make : makes) {
        std::optional<muster::device_model> model;
        if (make >= 0) model = static_cast<muster::device_model>(make);
        parts.push_back({one.domain, true, model, one.nodes});
      }
    }
    return parts;
  }
  [[nodiscard]] bool may(std::size_t s, std::size_t n, const place& in) const {
    if (!in.by_make || !small_amounts<M>::asks_devices(of.group.pod_sets[s].request)) return of.may(s, n);
    return in.model && truth_of.may(s, n, static_cast<int>(*in.model));
  }

  [[nodiscard]] truth is_true(const muster::certificate& said, const muster::domain_refusal& one, const place& in,
                              when at) const {
    using muster::proof_kind;
    const auto w = truth_of.wanted(judge::is_afresh(at));
    if (std::size_t{one.first_price} + one.prices > said.prices.size() || one.held >= one.asked) return truth::no;
    if (w.enough.empty()) return truth::unknown;
    const auto claim = [&](std::int64_t held, std::int64_t asked) {
      return held <= one.held && asked >= one.asked ? truth::yes : truth::no;
    };
    const std::size_t sets = of.sets();
    switch (one.kind) {
      case proof_kind::exhausted: return truth::unknown;
      case proof_kind::prices: return prices_are_true(said.prices_of(one), one, in, at);
      case proof_kind::limits: {
        options rooms;
        for (const std::size_t n : in.nodes)
          if (usable(n, in, at)) rooms.push_back({n, up_to(w.all)});
        return claim(std::min(dearest(rooms, at), w.all), w.enough.front());
      }
      case proof_kind::slots:
        if (one.subject != muster::all_sets)
          return one.subject < sets ? claim(slots(one.subject, in, at), w.required[one.subject]) : truth::no;
        {
          pod_count sum = 0;
          for (std::size_t s = 0; s < sets; ++s) sum += slots(s, in, at);
          return claim(sum, w.enough.front());
        }
      case proof_kind::capacity:
      case proof_kind::capacity_of_minima: break;
    }
    if (one.subject >= M::dimensions || !M::adds_up(one.subject)) return truth::no;
    amount total = 0, minima = 0;
    for (const std::size_t n : in.nodes)
      if (usable(n, in, at)) total += std::max<amount>(0, M::amount_left(of.left(n, at), one.subject));
    std::vector<pod_count> more;  // beyond the minima
    std::vector<amount> need;
    for (std::size_t s = 0; s < sets; ++s) {
      need.push_back(M::amount_needed(of.group.pod_sets[s].request, one.subject));
      minima += need[s] * w.required[s];
      more.push_back(std::max<pod_count>(0, slots(s, in, at) - w.required[s]));
    }
    if (one.kind == proof_kind::capacity_of_minima) return claim(total, minima);
    pod_count most = 0;
    const amount spare = std::max<amount>(0, total - minima);
    visit_counts(more, [&](const std::vector<pod_count>& counts) {
      if (std::inner_product(counts.begin(), counts.end(), need.begin(), amount{0}) <= spare)
        most = std::max(most, std::accumulate(counts.begin(), counts.end(), pod_count{0}));
    });
    return claim(std::accumulate(w.required.begin(), w.required.end(), most), w.enough.front());
  }

  [[nodiscard]] truth prices_are_true(std::span<const muster::pod_price> prices, const muster::domain_refusal& one,
                                      const place& in, when at) const {
    if (prices.size() != of.sets()) return truth::no;
    for (const auto each : prices)
      if (each < 0 || each > muster::max_pod_price) return truth::no;
    const auto w = truth_of.wanted(judge::is_afresh(at));
    const auto worth = [&](const std::vector<pod_count>& counts) {
      return std::inner_product(counts.begin(), counts.end(), prices.begin(), std::int64_t{0});
    };
    std::int64_t asked = std::numeric_limits<std::int64_t>::max();
    visit_counts(w.pending, [&](const std::vector<pod_count>& counts) {
      for (std::size_t s = 0; s < counts.size(); ++s)
        if (counts[s] < w.required[s]) return;
      if (std::accumulate(counts.begin(), counts.end(), pod_count{0}) >= w.enough.front())
        asked = std::min(asked, worth(counts));
    });
    if (asked < one.asked) return truth::no;
    options mixes, dearest_mixes;  // every mix, and the dearest of so many pods
    for (const std::size_t n : in.nodes) {
      if (!of.exists(n, at)) continue;
      std::vector<pod_count> most = w.pending;
      for (std::size_t s = 0; s < most.size(); ++s)
        if (prices[s] == 0 || !may(s, n, in)) most[s] = 0;
      std::vector<option> here, best = up_to(w.all);
      for (option& each : best) each.worth = 0;
      visit_counts(most, [&](std::vector<pod_count> counts) {
        const auto pods = static_cast<std::size_t>(std::accumulate(counts.begin(), counts.end(), pod_count{0}));
        if (!hosts(of.left(n, at), counts, 0)) return;
        best[pods].worth = std::max(best[pods].worth, worth(counts));
        here.push_back({std::move(counts), 0});
        here.back().worth = worth(here.back().counts);
      });
      mixes.push_back({n, std::move(here)});
      dearest_mixes.push_back({n, std::move(best)});
    }
    // each node for itself, under the limits
    if (dearest(dearest_mixes, at) <= one.held) return truth::yes;
    bool wide = false;
    for (const auto& limit : of.group.limits) wide = wide || limit.level != muster::node_level;
    if (!wide) return truth::no;
    // within a domain no more pods of a set than are pending need be counted
    return dearest(mixes, at, &w.pending) > one.held ? truth::no : truth::unknown;
  }

  [[nodiscard]] bool usable(std::size_t n, const place& in, when at) const {
    const auto w = truth_of.wanted(judge::is_afresh(at));
    bool any = false;
    for (std::size_t s = 0; s < of.sets(); ++s) any = any || (w.pending[s] > 0 && may(s, n, in));
    return any && of.exists(n, at);
  }
  [[nodiscard]] static std::vector<option> up_to(pod_count pods) {
    std::vector<option> all;
    for (pod_count j = 0; j <= pods; ++j) all.push_back({{j}, j});
    return all;
  }
  /// Pods of a set, each node for itself, under the limits.
  [[nodiscard]] pod_count slots(std::size_t s, const place& in, when at) const {
    const pod_count pending = truth_of.wanted(judge::is_afresh(at)).pending[s];
    options all;
    for (const std::size_t n : in.nodes) {
      if (!of.exists(n, at) || !may(s, n, in)) continue;
      std::vector<pod_count> counts(of.sets(), 0);
      while (counts[s] < pending && (++counts[s], hosts(of.left(n, at), counts, 0))) continue;
      if (!hosts(of.left(n, at), counts, 0)) --counts[s];
      all.push_back({n, up_to(counts[s])});
    }
    return std::min(dearest(all, at), pending);
  }
  /// Whether a node hosts these pods, pod by pod with every grant, from set s on.
  [[nodiscard]] bool hosts(const typename world<M>::state& left, std::vector<pod_count> counts, std::size_t s) const {
    while (s < counts.size() && counts[s] == 0) ++s;
    if (s == counts.size()) return true;
    --counts[s];
    return small_amounts<M>::any_grant(left, of.group.pod_sets[s].request, [&](const auto& grant) {
      auto rest = left;
      M::charge(rest, grant);
      return hosts(rest, counts, s);
    });
  }
  /// Every vector of counts up to `most`.
  template <class Visit>
  static void visit_counts(const std::vector<pod_count>& most, Visit&& visit) {
    std::vector<pod_count> counts(most.size(), 0);
    for (std::size_t s = 0; s < counts.size();) {
      visit(counts);
      for (s = 0; s < counts.size() && counts[s] == most[s]; ++s) counts[s] = 0;
      if (s < counts.size()) ++counts[s];
    }
  }
  /// The most that nodes are worth together under the limits, and with no more pods of each set than `caps`; what was
  /// found of it where that takes too long.
  [[nodiscard]] std::int64_t dearest(options all, when at, const std::vector<pod_count>* caps = nullptr) const {
    std::int64_t best = 0, rest = 0;
    for (auto& [n, mixes] : all) {
      std::stable_sort(mixes.begin(), mixes.end(), [](const option& a, const option& b) { return a.worth > b.worth; });
      rest += mixes.front().worth;
    }
    int steps = caps == nullptr ? std::numeric_limits<int>::max() : 2000;
    auto so_far = judge::is_afresh(at) ? typename judge::counts{} : truth_of.held_counts();
    std::vector<pod_count> room = caps == nullptr ? std::vector<pod_count>{} : *caps;
    const auto go_on = [&](const auto& self, std::size_t i, std::int64_t worth, std::int64_t beside) -> void {
      best = std::max(best, worth);
      if (i == all.size() || worth + beside <= best || --steps < 0) return;
      const auto& [n, mixes] = all[i];
      const std::int64_t after = beside - mixes.front().worth;
      for (const option& mix : mixes) {
        if (worth + mix.worth + after <= best) break;
        bool good = true;
        for (std::size_t s = 0; s < room.size(); ++s) good = good && mix.counts[s] <= room[s];
        if (!good) continue;
        const auto before = so_far;
        const auto room_before = room;
        for (std::size_t s = 0; s < room.size(); ++s) room[s] -= mix.counts[s];
        if (truth_of.count(so_far, n, std::accumulate(mix.counts.begin(), mix.counts.end(), pod_count{0})))
          self(self, i + 1, worth + mix.worth, after);
        so_far = before;
        room = room_before;
      }
    };
    go_on(go_on, 0, 0, rest);
    return best;
  }
};

}  // namespace placement_property

#endif
