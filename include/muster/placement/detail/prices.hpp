// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_PRICES_HPP
#define MUSTER_PLACEMENT_DETAIL_PRICES_HPP

/// \file
/// Finds prices that refuse a mix, or a mixture of patterns that meets it on average.
///
/// Column generation: for given prices every site answers with its dearest pattern, and what may be missing with its
/// dearest; the answers of one round are one column of a matrix game whose rows are the classes (entry: how far the
/// column stays below the demand, as a share of what the sites hold of the class). The other player's mixture gives
/// the next prices; the first ones are the mix's. It ends when prices refuse the mix (checked in whole numbers), when
/// the mixture of columns meets the demand, or when no column improves the mixture.
///
/// Where sites have many patterns, most rounds look only at those that were dearest before: any column that improves
/// the mixture will do. When none of them does, the round is repeated with all patterns, and only that can end it.
/// Where patterns are not listed, that again is first done in a hurry. A mixture that meets the demand is still
/// improved by such rounds: the more it has to spare, the easier it is rounded to whole sites.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/search_budget.hpp>
#include <muster/placement/detail/game.hpp>
#include <muster/placement/detail/mix.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

/// Sites of one group, `sites` of them, among those still to fill.
struct site_part {
  std::uint32_t group = 0, sites = 0;
};

class price_finder {
 public:
  /// A mix over some of its sites, with the demand still open there.
  struct question {
    mix& of;  ///< gets the patterns that are made
    std::span<const site_part> sites;
    std::span<const class_count> demand;
    const allowance& may;
    const char* dead;  ///< by pattern, whether it is out of the running; nullptr: none is
  };

  /// True if prices were found that refuse: see `best`. Else, if `met`, the mixture meets it on average, or all but
  /// meets it: see `visit_mixture`.
  /// \complexity O(rounds x patterns x classes)
  [[nodiscard]] bool refuse(const question& q, search_budget& budget) {
    const std::size_t classes = q.of.classes();
    game_.start(classes);
    chosen_.assign((classes + 1) * q.sites.size(), 0);
    columns_.assign((classes + 1) * classes, 0);
    known_.assign(known_patterns * q.sites.size(), none);
    rounds_ = 0;
    met_ = too_many_ = false;
    near_.clear();
    best_.assign(classes, 1);
    scale_.resize(classes);
    find_scale(q);
    entries_.resize(classes);
    given_.resize(classes);
    for (std::size_t c = 0; c < classes; ++c)
      best_[c] = q.demand[c] == 0 ? 0 : q.of.first.empty() ? top_price : q.of.first[c];
    bool unlisted = false;
    for (const site_part& part : q.sites) unlisted = unlisted || !q.of.groups[part.group].listed;
    const bool many = unlisted || q.of.patterns() > 2048 + 16 * q.sites.size();
    const std::size_t most_rounds = 60 + 6 * classes, most_quick = 4 * classes;
    std::size_t polished = 0;
    std::size_t quick = 0;  // quick rounds since all patterns were looked at
    std::size_t extra = 0;  // and since the mixture meets the demand
    for (effort how = effort::hurried; !budget.out();) {
      column_ = free_column();
      if (how == effort::known) {
        answer_quickly(q, best_, budget);
        ++quick;
      } else {
        balance_ = answer(q, best_, how, budget);
        if (too_many_ || (unlisted && budget.out())) return false;
        if (balance_.refuses()) {
          if (how == effort::thorough || !unlisted) return true;
          if (rounds_ > 0) {  // what one look in a hurry finds says little
            how = effort::thorough;
            continue;
          }
        }
        keep_near(balance_);
        ++rounds_;
        quick = 0;
      }
      set_entries(q);
      if (rounds_ >= most_rounds) break;
      if (!game_.enter(entries_, column_)) {
        if (met_) return false;
        if (how == effort::known || (how == effort::hurried && unlisted)) {
          how = how == effort::known ? effort::hurried : effort::thorough;
          continue;
        }
        if (!many || polished++ >= most_polished || !solve_afresh()) break;
        quick = most_quick;
      }
      if (game_.weight() >= matrix_game::one / 2) {
        met_ = true;
        if (!many || ++extra > most_quick) return false;
        next_prices();
        how = effort::known;
        continue;
      }
      next_prices();
      how = many && quick < most_quick ? effort::known : effort::hurried;
    }
    met_ = game_.weight() >= nearly_met;
    return false;
  }

  /// What all sites give at most under prices; worth nothing where the budget is out after it.
  /// \pre refuse() was asked the question last
  [[nodiscard]] price_balance balance(const question& q, std::span<const price> prices, search_budget& budget) {
    column_ = 0;
    return answer(q, prices, effort::thorough, budget);
  }
  /// The last one drawn up.
  [[nodiscard]] const price_balance& balance() const noexcept { return balance_; }

  /// Whether the sites' patterns that were dearest before leave it open that these prices refuse: a cheap look before a
  /// balance is drawn up. \pre refuse() was asked the question last \complexity O(sites x classes)
  [[nodiscard]] bool may_refuse(const question& q, std::span<const price> prices, search_budget& budget) const {
    price_balance sum;
    for (std::size_t j = 0; j < q.sites.size(); ++j) {
      const price most = dearest_known<0>(q, j, prices).worth;
      sum.supply = saturating_add(sum.supply, saturating_multiply(most, q.sites[j].sites));
    }
    budget.spend(q.sites.size());
    sum.demand = worth(q.demand, prices);
    sum.missing = dearest_missing(q.demand, q.may, prices);
    return sum.refuses();
  }

  /// The last prices tried: those that refuse, or the best found.
  [[nodiscard]] std::span<const price> best() const noexcept { return best_; }
  /// Prices under which the sites' supply exceeded the demand by little, best first; several, `classes` each.
  [[nodiscard]] std::span<const price> near() const noexcept { return near_; }
  [[nodiscard]] bool met() const noexcept { return met_; }

  /// The mixture: its weight in all, and of each pattern of a site part in it; visit(pattern, weight), a pattern of
  /// several columns as often.
  [[nodiscard]] std::int64_t weight() const noexcept { return game_.weight(); }
  template <class Visit>
  void visit_mixture(std::size_t j, std::size_t parts, Visit&& visit) const {
    for (std::size_t i = 0; i < game_.parts(); ++i) {
      const auto [column, its_weight] = game_.mixture(i);
      if (column != matrix_game::no_column && its_weight > 0) visit(chosen_[column * parts + j], its_weight);
    }
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  static constexpr std::size_t known_patterns = 8, most_polished = 2;  // kept a site
  // where the sites hold no more than is asked the numbers end a little short of it
  static constexpr std::int64_t nearly_met = matrix_game::one / 2 - (matrix_game::one >> 12);

  void find_scale(const question& q) {
    for (std::size_t c = 0; c < scale_.size(); ++c) {
      std::int64_t supply = 0;
      for (const site_part& part : q.sites) {
        const site_group& group = q.of.groups[part.group];
        class_count most = group.listed ? 0 : q.of.source->most(part.group, c);
        for (std::uint32_t p = group.first; p < group.last; ++p)
          if (q.dead == nullptr || q.dead[p] == 0) most = std::max(most, q.of.pattern(p)[c]);
        supply += static_cast<std::int64_t>(most) * part.sites;
      }
      scale_[c] = std::max<std::int64_t>({supply, q.demand[c], 1});
    }
  }

  /// A column that the mixture does not have: at most as many as classes are in it.
  [[nodiscard]] std::uint32_t free_column() const noexcept {
    for (std::uint32_t column = 0;; ++column) {
      bool used = false;
      for (std::size_t i = 0; i < game_.parts(); ++i) used = used || game_.mixture(i).column == column;
      if (!used) return column;
    }
  }

  /// Many steps add up small errors: solves for the columns of the mixture alone. False if none would enter.
  [[nodiscard]] bool solve_afresh() {
    const std::size_t classes = entries_.size();
    order_.clear();
    for (std::size_t i = 0; i < game_.parts(); ++i)
      if (game_.mixture(i).column != matrix_game::no_column) order_.push_back(game_.mixture(i).column);
    game_.start(classes);
    bool any = false;
    for (const std::uint32_t column : order_)
      any = game_.enter(std::span{columns_}.subspan(column * classes, classes), column) || any;
    return any;
  }

  /// How far the sites' answers stay below the demand.
  void set_entries(const question& q) {
    for (std::size_t c = 0; c < entries_.size(); ++c) {
      const std::int64_t over = static_cast<std::int64_t>(given_[c]) - static_cast<std::int64_t>(q.demand[c]);
      entries_[c] =
          2 * matrix_game::one - static_cast<std::int64_t>(static_cast<wide_int>(over) * matrix_game::one / scale_[c]);
    }
    std::copy(entries_.begin(), entries_.end(),
              columns_.begin() + static_cast<std::ptrdiff_t>(column_ * entries_.size()));
  }

  /// Every site's dearest pattern and the dearest that may be missing: the column `given_`, and the balance.
  price_balance answer(const question& q, std::span<const price> prices, effort how, search_budget& budget) {
    std::fill(given_.begin(), given_.end(), std::uint64_t{0});
    price_balance sum;
    for (std::size_t j = 0; j < q.sites.size(); ++j) {
      const site_group& group = q.of.groups[q.sites[j].group];
      dear_pattern best;
      if (group.listed) {
        best = dearest_pattern(q.of, group, prices, q.dead);
        budget.spend(group.last - group.first);
      } else {
        best = dearest_known<0>(q, j, prices);
        const dear_pattern dearer = q.of.source->find_dearer(q.sites[j].group, prices, best.worth, how, budget);
        if (dearer.worth > best.worth) best = dearer;
      }
      if (best.pattern == dear_pattern::not_kept) {
        too_many_ = true;
      } else {
        choose(q, j, best.pattern, best.worth);
        remember(j, best.pattern);
      }
      if (best.worth > 0) sum.supply = saturating_add(sum.supply, saturating_multiply(best.worth, q.sites[j].sites));
    }
    sum.demand = worth(q.demand, prices);
    for_each_missing(q.demand, q.may, prices, [&](std::size_t c, std::uint64_t missing) {
      given_[c] += missing;
      sum.missing += static_cast<price>(missing) * prices[c];
    });
    return sum;
  }

  /// The same of the patterns that were dearest before, without the balance.
  void answer_quickly(const question& q, std::span<const price> prices, search_budget& budget) {
    std::fill(given_.begin(), given_.end(), std::uint64_t{0});
    with_classes(prices.size(), [&]<std::size_t Classes>() {
      for (std::size_t j = 0; j < q.sites.size(); ++j) {
        const auto [best, most] = dearest_known<Classes>(q, j, prices);
        choose(q, j, best, most);
      }
    });
    budget.spend(q.sites.size());
    for_each_missing(q.demand, q.may, prices, [this](std::size_t c, std::uint64_t missing) { given_[c] += missing; });
  }

  /// Of the patterns that were dearest at a site before. \pre there are some
  template <std::size_t Classes>
  [[nodiscard]] dear_pattern dearest_known(const question& q, std::size_t j, std::span<const price> prices) const {
    const class_count* const counts = q.of.counts.data();
    dear_pattern best;
    for (std::size_t i = j * known_patterns; i < (j + 1) * known_patterns && known_[i] != none; ++i)
      if (const price here = worth_of<Classes>(counts + known_[i] * prices.size(), prices); here > best.worth)
        best = {known_[i], here};
    return best;
  }

  void choose(const question& q, std::size_t j, std::uint32_t best, price worth_there) {
    chosen_[column_ * q.sites.size() + j] = best;
    if (worth_there <= 0) return;  // nothing of what has a price
    const auto pattern = q.of.pattern(best);
    for (std::size_t c = 0; c < pattern.size(); ++c) given_[c] += std::uint64_t{pattern[c]} * q.sites[j].sites;
  }

  /// Puts a pattern in front of those that were dearest at a site; the one that was not for longest falls out.
  void remember(std::size_t j, std::uint32_t pattern) {
    const auto first = known_.begin() + static_cast<std::ptrdiff_t>(j * known_patterns);
    auto at = std::find(first, first + std::ptrdiff_t{known_patterns} - 1, pattern);
    for (; at != first; --at) *at = *(at - 1);
    *first = pattern;
  }

  void keep_near(const price_balance& here) {
    const price over = here.supply + here.missing - here.demand;
    if (over <= 2 * top_price) near_.insert(near_.begin(), best_.begin(), best_.end());
    if (near_.size() > 6 * best_.size()) near_.resize(6 * best_.size());
  }

  void next_prices() {
    std::int64_t most = 1;
    for (std::size_t c = 0; c < best_.size(); ++c) {
      best_[c] =
          static_cast<price>((static_cast<wide_int>(std::max<std::int64_t>(game_.rows()[c], 0)) << 24U) / scale_[c]);
      most = std::max(most, best_[c]);
    }
    for (price& one : best_) one = static_cast<price>((static_cast<wide_int>(one) * top_price + most / 2) / most);
  }

  matrix_game game_;
  std::vector<price> best_, near_;
  std::vector<std::int64_t> scale_, entries_;
  std::vector<std::int64_t> columns_;  // entries, column after column
  std::vector<std::uint64_t> given_;
  std::vector<std::uint32_t> chosen_;  // column x site
  std::vector<std::uint32_t> known_;   // site x known_patterns
  std::vector<std::uint32_t> order_;
  std::uint32_t column_ = 0;
  std::size_t rounds_ = 0;
  price_balance balance_;
  bool too_many_ = false;  // patterns to keep those that were made
  bool met_ = false;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
