// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_PRICES_HPP
#define MUSTER_PLACEMENT_DETAIL_PRICES_HPP

/// \file
/// Finds prices that refuse a mix, or a mixture of patterns that meets it on average.
///
/// Column generation: for given prices every site answers with its dearest pattern, and what may be missing with its
/// dearest; the answers of one round are one column of a matrix game whose rows are the classes (entry: how far the
/// column stays below the demand, as a share of what the sites hold of the class). The other player's mixture gives
/// the next prices. It ends when prices refuse the mix (checked in whole numbers), when the mixture of columns
/// meets the demand, or when no column improves the mixture.
///
/// Where sites have many patterns, most rounds look only at those that were dearest before: any column that improves
/// the mixture will do. When none of them does, the round is repeated with all patterns, and only that can end it.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/detail/budget.hpp>
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
    const mix& of;
    std::span<const site_part> sites;
    std::span<const class_count> demand;
    const allowance& may;
    const char* dead;  ///< by pattern, whether it is out of the running; nullptr: none is
  };

  /// True if prices were found that refuse: see `best`. Else `columns` and `mixture` tell what meets it on average, if
  /// the budget did not end before.
  /// \complexity O(rounds x patterns x classes)
  [[nodiscard]] bool refuse(const question& q, search_budget& budget) {
    const std::size_t classes = q.of.classes();
    game_.start(classes);
    chosen_.assign((classes + 1) * q.sites.size(), 0);
    columns_.assign((classes + 1) * classes, 0);
    known_.assign(known_patterns * q.sites.size(), none);
    rounds_ = 0;
    met_ = false;
    near_.clear();
    best_.assign(classes, 1);
    scale_.resize(classes);
    find_scale(q);
    entries_.resize(classes);
    given_.resize(classes);
    for (std::size_t c = 0; c < classes; ++c) best_[c] = q.demand[c] > 0 ? top_price : 0;
    const bool many = q.of.patterns() > 2048 + 16 * q.sites.size();
    const std::size_t most_rounds = 60 + 6 * classes, most_quick = 4 * classes;
    std::size_t polished = 0;
    std::size_t quick = most_quick;  // quick rounds since all patterns were looked at
    while (!budget.out()) {
      const bool all = !many || quick >= most_quick;
      column_ = free_column();
      if (all) {
        const price_balance here = answer(q, best_, budget);
        if (here.refuses()) return true;
        keep_near(here);
        ++rounds_;
        quick = 0;
      } else {
        answer_quickly(q, best_, budget);
        ++quick;
      }
      set_entries(q);
      if (rounds_ >= most_rounds) return false;
      if (!game_.enter(entries_, column_)) {
        if (all && (!many || polished++ >= most_polished || !solve_afresh())) return false;
        quick = most_quick;
        if (!all) continue;
      }
      if (game_.weight() >= matrix_game::one / 2) {
        met_ = true;
        return false;
      }
      next_prices();
    }
    return false;
  }

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

  /// How many sites of each chosen pattern the mixture has, rounded down; emit(site part, pattern, sites).
  template <class Emit>
  void round_down(std::span<const site_part> sites, Emit&& emit) {
    const std::int64_t all = game_.weight();
    if (all <= 0) return;
    for (std::size_t j = 0; j < sites.size(); ++j) {
      gather_shares(j, sites.size());
      for (const share& s : shares_)
        if (const std::uint32_t whole = whole_sites(s, sites[j].sites, all); whole > 0)
          emit(j, s.pattern, std::min(whole, sites[j].sites));
    }
  }

  /// Gives each of the sites that rounding left one of the patterns that the mixture has there, so that the sum of all
  /// stays close to the mixture's at every site; the last `tail` sites are left, or backwards the first.
  /// emit(site part, pattern).
  template <class Emit>
  void follow(const mix& of, std::span<const site_part> sites, std::span<const site_part> left, std::size_t tail,
              bool backwards, Emit&& emit) {
    const std::int64_t all = game_.weight();
    if (all <= 0) return;
    std::size_t total = 0;
    for (const site_part& part : left) total += part.sites;
    ahead_.assign(of.classes(), 0);
    for (std::size_t i = 0; i < sites.size() && total > tail; ++i) {
      const std::size_t j = backwards ? sites.size() - 1 - i : i;
      if (left[j].sites == 0) continue;
      gather_shares(j, sites.size());
      std::int64_t rest = 0;
      for (share& s : shares_) {  // what rounding left of each share, of one site
        const wide_int whole = static_cast<wide_int>(whole_sites(s, sites[j].sites, all)) * all;
        s.weight = static_cast<std::int64_t>(
            std::max<wide_int>(0, static_cast<wide_int>(s.weight) * sites[j].sites - whole) * part_unit / all);
        rest += s.weight;
      }
      for (std::uint32_t k = 0; k < left[j].sites && total > tail; ++k, --total) emit(j, nearest(of, rest));
    }
  }

 private:
  struct share {
    std::uint32_t pattern;
    std::int64_t weight;
  };

  static constexpr std::uint32_t none = ~std::uint32_t{0};
  static constexpr std::size_t known_patterns = 8, most_polished = 2;  // kept a site
  static constexpr std::int64_t part_unit = 1024;                      // of a pod, in what `follow` adds up

  /// The patterns of a site in the mixture, with their weights.
  void gather_shares(std::size_t j, std::size_t sites) {
    shares_.clear();
    for (std::size_t i = 0; i < game_.parts(); ++i) {
      const auto [column, weight] = game_.mixture(i);
      if (column == matrix_game::no_column || weight <= 0) continue;
      const std::uint32_t pattern = chosen_[column * sites + j];
      const auto where =
          std::find_if(shares_.begin(), shares_.end(), [&](const share& s) { return s.pattern == pattern; });
      if (where == shares_.end())
        shares_.push_back({pattern, weight});
      else
        where->weight += weight;
    }
  }
  /// The mixture is a little short of exact: what is a whole number but for that counts as one.
  [[nodiscard]] static std::uint32_t whole_sites(const share& s, std::uint32_t sites, std::int64_t all) noexcept {
    return static_cast<std::uint32_t>((static_cast<wide_int>(s.weight) * sites + all / 1024) / all);
  }
  /// The share that keeps the sum nearest to the mixture's; `ahead_` is what the mixture has more so far.
  [[nodiscard]] std::uint32_t nearest(const mix& of, std::int64_t rest) {
    const std::size_t classes = ahead_.size();
    for (const share& s : shares_)
      for (std::size_t c = 0; c < classes && rest > 0; ++c)
        ahead_[c] += static_cast<std::int64_t>(of.pattern(s.pattern)[c]) * s.weight * part_unit / rest;
    std::uint32_t best = shares_.front().pattern;
    wide_int least = -1;
    for (const share& s : shares_) {
      wide_int off = 0;
      for (std::size_t c = 0; c < classes; ++c) {
        const wide_int here = ahead_[c] - static_cast<std::int64_t>(of.pattern(s.pattern)[c]) * part_unit;
        off += here * here;
      }
      if (least >= 0 && off >= least) continue;
      least = off;
      best = s.pattern;
    }
    for (std::size_t c = 0; c < classes; ++c) ahead_[c] -= static_cast<std::int64_t>(of.pattern(best)[c]) * part_unit;
    return best;
  }

  void find_scale(const question& q) {
    for (std::size_t c = 0; c < scale_.size(); ++c) {
      std::int64_t supply = 0;
      for (const site_part& part : q.sites) {
        const site_group& group = q.of.groups[part.group];
        class_count most = 0;
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
  price_balance answer(const question& q, std::span<const price> prices, search_budget& budget) {
    std::fill(given_.begin(), given_.end(), std::uint64_t{0});
    price_balance sum;
    for (std::size_t j = 0; j < q.sites.size(); ++j) {
      const site_group& group = q.of.groups[q.sites[j].group];
      const auto [best, most] = dearest_pattern(q.of, group, prices, q.dead);
      budget.spend(group.last - group.first);
      choose(q, j, best, most);
      remember(j, best);
      if (most > 0) sum.supply = saturating_add(sum.supply, saturating_multiply(most, q.sites[j].sites));
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
    if (worth_there <= 0) return;
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
  std::vector<std::int64_t> scale_, entries_, ahead_;
  std::vector<std::int64_t> columns_;  // entries, column after column
  std::vector<std::uint64_t> given_;
  std::vector<std::uint32_t> chosen_;  // column x site
  std::vector<std::uint32_t> known_;   // site x known_patterns
  std::vector<std::uint32_t> order_;
  std::uint32_t column_ = 0;
  std::vector<share> shares_;
  std::size_t rounds_ = 0;
  bool met_ = false;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
