// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_EXACT_HPP
#define MUSTER_PLACEMENT_DETAIL_EXACT_HPP

/// \file
/// Decides whether a mix can be met: with a choice of patterns, or with a proof that there is none.
///
/// 1. Prices. If some refuse the mix, that is the proof.
/// 2. Else a mixture of patterns meets it on average. Rounded down to whole sites it leaves few sites and a small
///    demand, which the layered search fills. Only of those the patterns must be listed. Where sites are domains, whose
///    lists are long, the mixture is first followed to the last site, and drawn up anew on the way.
/// 3. Else all sites are searched in layers, wider and wider. Patterns that lose more than the whole mix can spare
///    under any price of the pool are out. Where a pass that was cut dies, the states before its end are asked for
///    prices that refuse them; those hold for every state, so they join the pool and the pass is repeated.
/// 4. A pass that was never cut and finds nothing is a proof too (`exhausted`).
///
/// Never wrong: a yes is a choice of patterns, a no is 1 or 4, and out of budget is neither. Patterns and prices are
/// those of Gilmore and Gomory's cutting stock (1961); the layers are a beam search whose equal states are merged.

#include <muster/core/config.hpp>
#include <muster/core/search_budget.hpp>
#include <muster/placement/detail/layers.hpp>
#include <muster/placement/detail/mix.hpp>
#include <muster/placement/detail/near_lists.hpp>
#include <muster/placement/detail/prices.hpp>
#include <muster/placement/detail/rounding.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

enum class mix_end : std::uint8_t {
  met,        ///< `choice` meets it
  refused,    ///< `proof` refuses it
  exhausted,  ///< every choice was tried
  ended,      ///< out of budget or of memory
};

class mix_search {
 public:
  /// Whether `target` pods of the mix can sit, every class with its required ones. \pre target <= of.total()
  /// \param resume the last call ended with the very same question: what it learned is kept
  [[nodiscard]] mix_end decide(mix& of, std::uint64_t target, search_budget& budget, bool resume = false) {
    if (!resume) {
      learned_.all.clear();
      narrowest_ = 0;
    }
    choice.clear();
    proof.clear();
    allow_missing(of, target, may_);
    all_.clear();
    for (std::uint32_t g = 0; g < of.groups.size(); ++g)
      if (of.groups[g].sites > 0) all_.push_back({g, of.groups[g].sites});
    if (may_.allows(of.demand)) return mix_end::met;
    const price_finder::question whole{of, all_, of.demand, may_, nullptr};
    if (finder_.refuse(whole, budget)) {
      proof.assign(finder_.best().begin(), finder_.best().end());
      supply = finder_.balance().supply;
      simplify_prices(proof, trial_, [&](std::span<const price> prices) {
        if (!finder_.may_refuse(whole, prices, budget)) return false;
        const price_balance here = finder_.balance(whole, prices, budget);
        if (budget.out() || !here.refuses()) return false;
        supply = here.supply;
        return true;
      });
      return mix_end::refused;
    }
    if (budget.out()) return mix_end::ended;
    layout_.arrange(of.demand);
    if (layout_.words() == 1) return search(of, narrow_, budget);
    if (layout_.words() <= widest) return search(of, wide_, budget);
    return mix_end::ended;
  }

  std::vector<pattern_choice> choice;  ///< after `met`; sites that are not named stay empty
  std::vector<price> proof;            ///< after `refused`
  price supply = 0;                    ///< what all sites give at most under the proof

 private:
  static constexpr std::array<std::size_t, 6> widths{1, 8, 64, 512, 4096, without_limit};
  static constexpr std::size_t most_prices = 96;
  static constexpr std::size_t widest = 8;  // words of a state: all counts of a mix in 512 bits

  template <std::size_t Words>
  mix_end search(mix& of, layered_search<Words>& layers, search_budget& budget) {
    fill_pool(of);
    for (std::size_t i = 0; i < learned_.size(); ++i) pool_.add(learned_[i]);
    if (finder_.met() && narrowest_ == 0) {
      if (of.has_domains && (dive(of, false, budget) || dive(of, true, budget))) return mix_end::met;
      rounding_.start(finder_, of);
      for (const rounding& how : roundings) {
        if (how.after_following && !followed_) continue;
        if (try_rounded(of, layers, how, budget)) return mix_end::met;
        if (budget.out()) return mix_end::ended;
      }
    }
    demand_ = of.demand;
    choice.clear();
    mix_end end = mix_end::ended;
    if (near_.list(of, all_, demand_, may_, finder_.best(), budget)) {
      end = search_all(of, layers, budget);
    } else if (!budget.out() && near_.spare() < 0) {
      end = mix_end::refused;
      proof.assign(finder_.best().begin(), finder_.best().end());
      supply = near_.supply();
    }
    near_.take_away(of, choice);
    return end;
  }

  /// Passes over all sites, wider and wider. \pre they are listed
  template <std::size_t Words>
  mix_end search_all(mix& of, layered_search<Words>& layers, search_budget& budget) {
    dead_.assign(of.patterns(), 0);
    if (!drop_patterns(of, all_, budget)) return budget.out() ? mix_end::ended : mix_end::exhausted;
    sort_sites(of, all_);
    for (; narrowest_ < widths.size(); ++narrowest_) {
      switch (pass_and_learn(of, layers, all_, widths[narrowest_], 10, budget)) {
        case pass_end::met: return mix_end::met;
        case pass_end::refuted: return mix_end::exhausted;
        case pass_end::ended: learned_ = pool_; return mix_end::ended;
        case pass_end::lost: break;
      }
    }
    narrowest_ = widths.size() - 1;
    return mix_end::ended;
  }

  void fill_pool(const mix& of) {
    const std::size_t classes = of.classes();
    pool_.classes = classes;
    pool_.all.assign(classes, 1);
    pool_.add(finder_.best());
    for (std::size_t i = 0; i * classes < finder_.near().size(); ++i)
      pool_.add(finder_.near().subspan(i * classes, classes));
    if (classes > 8) return;
    std::array<price, 8> single{};
    for (std::size_t c = 0; c < classes; ++c) {
      single.fill(0);
      single[c] = 1;
      pool_.add(std::span{single}.first(classes));
    }
  }

  /// Patterns that lose more under a price than these sites can spare cannot be part of any choice that meets the
  /// demand. False if the sites cannot meet it at all.
  [[nodiscard]] bool drop_patterns(const mix& of, const std::vector<site_part>& sites, search_budget& budget) {
    worths_.resize(of.patterns());
    for (std::size_t i = 0; i < pool_.size(); ++i) {
      const auto prices = pool_[i];
      price spare = dearest_missing(demand_, may_, prices) - worth(demand_, prices);
      for (const site_part& part : sites) {
        const site_group& group = of.groups[part.group];
        price most = 0;
        for (std::uint32_t p = group.first; p < group.last; ++p) {
          if ((p - group.first) % budget_lot == 0 && !budget.spend(std::min(budget_lot, group.last - p))) return false;
          most = std::max(most, worths_[p] = worth(of.pattern(p), prices));
        }
        spare = saturating_add(spare, saturating_multiply(most, part.sites));
        for (std::uint32_t p = group.first; p < group.last; ++p) worths_[p] = most - worths_[p];  // what it loses
      }
      if (spare < 0) return false;
      for (const site_part& part : sites)
        for (std::uint32_t p = of.groups[part.group].first; p < of.groups[part.group].last; ++p)
          if (worths_[p] > spare) dead_[p] = 1;
    }
    return true;
  }

  /// Sites with fewer patterns first: what is fixed anyway, then what has least choice.
  void sort_sites(const mix& of, std::vector<site_part>& sites) {
    alive_.assign(of.groups.size(), 0);
    for (const site_part& part : sites)
      for (std::uint32_t p = of.groups[part.group].first; p < of.groups[part.group].last; ++p)
        alive_[part.group] += dead_[p] == 0 ? 1U : 0U;
    std::sort(sites.begin(), sites.end(), [&](const site_part& a, const site_part& b) {
      const auto here = alive_[a.group], there = alive_[b.group];
      return here != there ? here < there : a.group < b.group;
    });
  }

  void start_choice(const mix& of) {
    choice.clear();
    rest_ = all_;
    demand_ = of.demand;
  }
  /// Chooses what the mixture, which is of the rest, rounds down to, and follows it at the sites before the tail.
  void fix_rounded(const mix& of, const rounding& how, search_budget& budget) {
    const auto fix = [&](std::size_t j, std::uint32_t pattern, std::uint32_t sites) {
      sites = std::min(sites, rest_[j].sites);
      if (sites == 0) return;
      rest_[j].sites -= sites;
      choice.push_back({rest_[j].group, pattern, sites});
      const auto counts = of.pattern(pattern);
      for (std::size_t c = 0; c < demand_.size(); ++c) {
        const std::uint64_t given = std::uint64_t{counts[c]} * sites;
        demand_[c] -= static_cast<class_count>(std::min<std::uint64_t>(demand_[c], given));
      }
    };
    asked_ = rest_;
    rounding_.round_down(asked_, [&](std::size_t j, std::uint32_t pattern, std::uint32_t sites) {
      fix(j, pattern, sites > how.back ? sites - how.back : 0);
    });
    left_ = rest_;
    followed_ = false;
    rounding_.follow(asked_, left_, how, budget, [&](std::size_t j, std::uint32_t pattern) {
      fix(j, pattern, 1);
      followed_ = true;
    });
    std::erase_if(rest_, [](const site_part& part) { return part.sites == 0; });
  }

  /// Follows the mixture at half of the sites, then a new one, of what is left, at half of these, and so on to the last
  /// site: nothing need be listed, and it does where there is something to spare.
  [[nodiscard]] bool dive(mix& of, bool blends, search_budget& budget) {
    start_choice(of);
    for (const price_finder* mixture = &finder_;; mixture = &learner_) {
      rounding_.start(*mixture, of);
      std::size_t sites = 0;
      for (const site_part& part : rest_) sites += part.sites;
      fix_rounded(of, {0, sites / 2, 0, false, 0, false, blends}, budget);
      if (may_.allows(demand_)) return true;
      if (rest_.empty() || learner_.refuse({of, rest_, demand_, may_, nullptr}, budget) || !learner_.met())
        return false;
    }
  }

  /// Fixes what the mixture rounds down to, and where more sites than the tail are left as many by following the
  /// mixture; the rest is searched.
  template <std::size_t Words>
  bool try_rounded(mix& of, layered_search<Words>& layers, const rounding& how, search_budget& budget) {
    start_choice(of);
    fix_rounded(of, how, budget);
    if (choice.empty()) return false;
    if (may_.allows(demand_)) return true;
    const bool met = near_.list(of, rest_, demand_, may_, finder_.best(), budget) &&
                     fill_rest(of, layers, how.width, budget);
    if (!met) choice.clear();
    near_.take_away(of, choice);
    return met;
  }

  /// Fills the sites that are left, if passes up to some width can.
  template <std::size_t Words>
  bool fill_rest(mix& of, layered_search<Words>& layers, std::size_t widest_pass, search_budget& budget) {
    dead_.assign(of.patterns(), 0);
    if (!drop_patterns(of, rest_, budget)) return false;
    sort_sites(of, rest_);
    kept_ = pool_;
    bool met = false;
    expect_of_rest();
    for (std::size_t width = 8; width <= widest_pass; width *= 8) {
      const pass_end end = pass_and_learn(of, layers, rest_, width, 2, budget);
      met = end == pass_end::met;
      if (end != pass_end::lost) break;
    }
    pool_ = kept_;
    expected_.clear();
    return met;
  }

  /// What each of the sites that are left gives in the mixture.
  void expect_of_rest() {
    expected_.clear();
    for (const site_part& part : rest_) {
      const auto at = std::lower_bound(all_.begin(), all_.end(), part.group,
                                       [](const site_part& one, std::uint32_t group) { return one.group < group; });
      rounding_.add_expected(static_cast<std::size_t>(at - all_.begin()), all_.size(), expected_);
    }
  }

  /// Passes of one width; after each that was lost, prices are learned and it is repeated while that helps.
  template <std::size_t Words>
  pass_end pass_and_learn(mix& of, layered_search<Words>& layers,
                          const std::vector<site_part>& sites, std::size_t width, int rounds, search_budget& budget) {
    const std::size_t fixed = choice.size();
    for (;;) {
      const pass_end end = layers.run(of, layout_, sites, demand_, may_, dead_, pool_, expected_, width, budget);
      if (end == pass_end::met) {
        choice.resize(fixed);
        layers.trace([&](std::size_t run, std::uint32_t pattern) { add_choice(sites[run].group, pattern, fixed); });
        return end;
      }
      if (end != pass_end::lost || rounds-- == 0 || !learn(of, layers, sites, budget)) return end;
    }
  }

  void add_choice(std::uint32_t group, std::uint32_t pattern, std::size_t from) {
    for (std::size_t i = from; i < choice.size(); ++i)
      if (choice[i].pattern == pattern) {
        ++choice[i].sites;
        return;
      }
    choice.push_back({group, pattern, 1});
  }

  /// Asks the states before the end of a lost pass for prices; true if the pool grew.
  template <std::size_t Words>
  bool learn(mix& of, layered_search<Words>& layers, const std::vector<site_part>& sites, search_budget& budget) {
    const std::size_t before = pool_.size();
    for (const std::size_t back :
         {std::size_t{1}, std::size_t{2}, std::size_t{4}, std::size_t{8}, std::size_t{16}, std::size_t{32}}) {
      layers.visit_last_states(back, [&](std::span<const class_count> missing, std::size_t run, std::uint32_t left) {
        if (pool_.size() >= most_prices || budget.out()) return;
        suffix_.assign(sites.begin() + static_cast<std::ptrdiff_t>(run), sites.end());
        if (suffix_.empty()) return;
        suffix_.front().sites = left;
        if (learner_.refuse({of, suffix_, missing, may_, dead_.data()}, budget)) pool_.add(learner_.best());
      });
    }
    return pool_.size() > before;
  }

  allowance may_;
  count_layout layout_;
  std::vector<char> dead_;
  std::vector<price> worths_, trial_;
  std::vector<std::uint32_t> alive_;
  std::vector<site_part> all_, rest_, asked_, left_, suffix_;
  std::vector<class_count> demand_;
  std::vector<std::int64_t> expected_;  // of the sites of a pass, if a mixture says so
  price_finder finder_, learner_;
  mixture_rounding rounding_;
  near_lists near_;
  price_pool pool_, kept_, learned_;  // learned_: of a search that ended, for one that resumes it
  bool followed_ = false;
  std::size_t narrowest_ = 0;  // the first of the widths still to try
  layered_search<1> narrow_;
  layered_search<widest> wide_;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
