// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_ROUNDING_HPP
#define MUSTER_PLACEMENT_DETAIL_ROUNDING_HPP

/// \file
/// From a mixture of patterns, which meets a mix on average, to whole sites: most are fixed, few are left to search.

#include <muster/core/config.hpp>
#include <muster/placement/detail/game.hpp>
#include <muster/placement/detail/mix.hpp>
#include <muster/placement/detail/prices.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

/// How a mixture becomes a choice.
struct rounding {
  std::uint32_t back = 0;        ///< so many sites of each pattern fewer than the mixture has
  std::size_t tail = 0;          ///< sites left to search: the last of the order
  std::size_t quarters = 0;      ///< of the site parts are behind the others in the order
  bool backwards = false;        ///< the last part comes first in the order
  std::size_t width = 0;         ///< of the widest pass
  bool after_following = false;  ///< not if the last one left no more sites than its tail
  bool blends = false;           ///< domains that follow get a pattern near all that the mixture has there
};

inline constexpr std::size_t without_limit = std::numeric_limits<std::size_t>::max();
/// What is tried in turn. A short tail that cannot be filled costs little, and another one often can; a long one in a
/// narrow pass costs less than a short one in a wide pass and has more to choose from.
inline constexpr std::array<rounding, 11> roundings{{{0, 16, 0, false, 64, false},
                                                     {0, 16, 0, true, 64, true},
                                                     {0, 16, 1, false, 8, true},
                                                     {0, 16, 2, false, 8, true},
                                                     {0, 16, 3, false, 8, true},
                                                     {0, 144, 0, false, 8, true},
                                                     {0, 144, 0, true, 8, true},
                                                     {0, 48, 0, false, 64, true},
                                                     {1, without_limit, 0, false, 64, false},
                                                     {0, 144, 0, false, 64, false},
                                                     {4, without_limit, 0, false, 64, false}}};

/// How far counts are from what is wanted, which is in units of 1 / part_unit pods: the sum of the squares.
[[nodiscard]] inline wide_int distance(std::span<const std::int64_t> wanted,
                                       std::span<const class_count> counts) noexcept {
  wide_int sum = 0;
  for (std::size_t c = 0; c < counts.size(); ++c) {
    const wide_int off = wanted[c] - static_cast<std::int64_t>(counts[c]) * part_unit;
    sum += off * off;
  }
  return sum;
}

/// Rounds a mixture, this way or that.
class mixture_rounding {
 public:
  /// \pre refuse() did not refuse, and its question was about `of`
  void start(const price_finder& mixture, const mix& of) {
    mixture_ = &mixture;
    of_ = &of;
  }

  /// How many sites of each chosen pattern the mixture has, rounded down; emit(site part, pattern, sites).
  template <class Emit>
  void round_down(std::span<const site_part> sites, Emit&& emit) {
    const std::int64_t all = mixture_->weight();
    if (all <= 0) return;
    for (std::size_t j = 0; j < sites.size(); ++j) {
      gather_shares(j, sites.size());
      for (const pattern_share& s : shares_)
        if (const std::uint32_t whole = whole_sites(s, sites[j].sites, all); whole > 0)
          emit(j, s.pattern, std::min(whole, sites[j].sites));
    }
  }

  /// Gives each of the sites that rounding left one of the patterns that the mixture has there, so that the sum of all
  /// stays close to the mixture's at every site; the tail is left. emit(site part, pattern).
  template <class Emit>
  void follow(std::span<const site_part> sites, std::span<const site_part> left, const rounding& how,
              search_budget& budget, Emit&& emit) {
    const std::int64_t all = mixture_->weight();
    if (all <= 0) return;
    std::size_t total = 0;
    for (const site_part& part : left) total += part.sites;
    ahead_.assign(of_->classes(), 0);
    for (std::size_t i = 0; i < sites.size() && total > how.tail; ++i) {
      const std::size_t first = how.quarters * sites.size() / 4;
      const std::size_t j = how.backwards ? sites.size() - 1 - i : (i + first) % sites.size();
      if (left[j].sites == 0) continue;
      gather_shares(j, sites.size());
      std::int64_t rest = 0;
      for (pattern_share& s : shares_) {  // what rounding left of each share, of one site
        const wide_int whole = static_cast<wide_int>(whole_sites(s, sites[j].sites, all)) * all;
        s.weight = static_cast<std::int64_t>(
            std::max<wide_int>(0, static_cast<wide_int>(s.weight) * sites[j].sites - whole) * part_unit / all);
        rest += s.weight;
      }
      for (std::uint32_t k = 0; k < left[j].sites && total > how.tail; ++k, --total)
        emit(j, nearest(sites[j].group, rest, how.blends, budget));
    }
  }

  /// Adds what a site of part j gives in the mixture: of each class, in units of 1 / part_unit pods.
  void add_expected(std::size_t j, std::size_t parts, std::vector<std::int64_t>& to) {
    const std::size_t first = to.size();
    to.resize(first + of_->classes(), 0);
    const std::int64_t all = mixture_->weight();
    if (all <= 0) return;
    gather_shares(j, parts);
    for (const pattern_share& s : shares_)
      for (std::size_t c = 0; c < of_->classes(); ++c)
        to[first + c] += static_cast<std::int64_t>(static_cast<wide_int>(of_->pattern(s.pattern)[c]) * s.weight *
                                                   part_unit / all);
  }

 private:
  /// The patterns of a site in the mixture, with their weights.
  void gather_shares(std::size_t j, std::size_t parts) {
    shares_.clear();
    mixture_->visit_mixture(j, parts, [this](std::uint32_t pattern, std::int64_t weight) {
      const auto where =
          std::find_if(shares_.begin(), shares_.end(), [&](const pattern_share& s) { return s.pattern == pattern; });
      if (where == shares_.end()) shares_.push_back({pattern, weight});
      else where->weight += weight;
    });
  }
  /// The mixture is a little short of exact: what is a whole number but for that counts as one.
  [[nodiscard]] static std::uint32_t whole_sites(const pattern_share& s, std::uint32_t sites,
                                                 std::int64_t all) noexcept {
    return static_cast<std::uint32_t>((static_cast<wide_int>(s.weight) * sites + all / 1024) / all);
  }
  /// What keeps the sum nearest to the mixture's; `ahead_` is what the mixture has more so far.
  [[nodiscard]] std::uint32_t nearest(std::uint32_t group, std::int64_t rest, bool blends, search_budget& budget) {
    const std::size_t classes = ahead_.size();
    for (const pattern_share& s : shares_)
      for (std::size_t c = 0; c < classes && rest > 0; ++c)
        ahead_[c] += static_cast<std::int64_t>(of_->pattern(s.pattern)[c]) * s.weight * part_unit / rest;
    std::uint32_t best = dear_pattern::not_kept;
    if (blends && !of_->groups[group].listed) best = of_->source->blend(group, shares_, ahead_, budget);
    if (best == dear_pattern::not_kept) best = nearest_share();
    for (std::size_t c = 0; c < classes; ++c) ahead_[c] -= static_cast<std::int64_t>(of_->pattern(best)[c]) * part_unit;
    return best;
  }
  [[nodiscard]] std::uint32_t nearest_share() const {
    std::uint32_t best = shares_.front().pattern;
    wide_int least = -1;
    for (const pattern_share& s : shares_) {
      const wide_int off = distance(ahead_, of_->pattern(s.pattern));
      if (least >= 0 && off >= least) continue;
      least = off;
      best = s.pattern;
    }
    return best;
  }

  const price_finder* mixture_ = nullptr;
  const mix* of_ = nullptr;
  std::vector<pattern_share> shares_;
  std::vector<std::int64_t> ahead_;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
