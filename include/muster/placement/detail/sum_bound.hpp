// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_SUM_BOUND_HPP
#define MUSTER_PLACEMENT_DETAIL_SUM_BOUND_HPP

/// \file
/// A bound on what pods can gain on the nodes of a domain in sum, by prices.
///
/// A pod of each set is given a price, a whole number of any sign. A node takes the mix that gains most beyond the
/// price of its pods; the sum of these over all nodes, and the price of all pods that are to be placed, is never less
/// than what any placement gains: one that places all of them is one way to choose mixes, and pays the same prices.
/// (Lagrangian relaxation of "all pods sit once"; spread limits of wider levels than the node are left out.) Prices go
/// up where the mixes take too many pods of a set and down where too few, some rounds, then one by one to where the
/// bound is least; every round bounds, and the least bound is kept. Gains count in up to 1024ths, so that prices may
/// lie between them, and the bound is rounded down to what gains can add up to.
///
/// \complexity O(kinds + mixes x sets) a round
/// \see Fisher, "The Lagrangian relaxation method for solving integer programming problems" (1981)

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/search_budget.hpp>
#include <muster/placement/detail/arrangement.hpp>
#include <muster/resource/model.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

/// Prices and what gains are multiplied by beside them.
struct mix_prices {
  std::vector<std::int64_t> of_set;
  std::int64_t scale = 1;
};

/// What a mix gains beyond its price. \pre prices within +-2^42, gains times scale too, at most 2^18 pods
template <class Mixes>
[[nodiscard]] std::int64_t beyond_price(const Mixes& of, std::uint32_t mix, const mix_prices& prices) {
  std::int64_t rest = of.gain(mix) * prices.scale;
  const auto counts = of.counts(mix);
  for (std::size_t set = 0; set < counts.size(); ++set) rest -= counts[set] * prices.of_set[set];
  return rest;
}

/// Quotient of a by a positive b, rounded down.
[[nodiscard]] constexpr std::int64_t divide_down(std::int64_t a, std::int64_t b) noexcept {
  return a / b - (a % b < 0 ? 1 : 0);
}

template <resource_model M, class Objective>
class sum_bound {
 public:
  using arranged = arrangement<M, Objective>;
  static constexpr std::int64_t most_price = std::int64_t{1} << 42;
  static constexpr std::int64_t most_gain_in_sum = std::int64_t{1} << 60;
  static constexpr pod_count most_pods = pod_count{1} << 18;

  /// \pre the domain is laid out
  sum_bound(const arranged& on, search_budget& budget) : of_{on.of()}, budget_{budget} {
    for (std::size_t c = 0; c + 1 < on.cells().size(); ++c) {
      const std::uint32_t kind = on.sites()[on.cells()[c]].kind;
      const std::int64_t sites = on.cells()[c + 1] - on.cells()[c];
      if (!kinds_.empty() && kinds_.back().first == kind) kinds_.back().second += sites;
      else kinds_.push_back({kind, sites});
    }
  }

  /// The least bound found; nothing if there is none: too many mixes or pods, or the budget is out.
  /// \param goal a gain that is had already: a bound that does not pass it is as good as any \param steps that may be
  ///        spent \param prices those that bound least
  [[nodiscard]] std::optional<std::int64_t> find(std::int64_t goal, std::uint64_t steps, mix_prices& prices) {
    pod_count pods = 0;
    for (const pod_count wanted : of_.wanted()) pods += wanted;
    if (pods > most_pods) return std::nullopt;
    std::int64_t largest = 1;
    for (const auto& [kind, sites] : kinds_) {
      const auto all = of_.all_mixes(kind);
      if (all.empty() || of_.incomplete()) return std::nullopt;
      for (const std::uint32_t mix : all) {
        largest = std::max({largest, of_.gain(mix), -of_.gain(mix)});
        common_ = std::gcd(common_, of_.gain(mix));
      }
    }
    mix_prices now{std::vector<std::int64_t>(of_.sets(), 0), 1};
    const std::int64_t distant = goal < 0 ? -goal : goal;
    if (distant > most_gain_in_sum) return std::nullopt;
    while (now.scale < 1024 && largest * now.scale * 2 <= most_price && distant * now.scale * 2 <= most_gain_in_sum)
      now.scale *= 2;
    const std::int64_t each = goal * now.scale / std::max<pod_count>(pods, 1);  // what a pod gains now
    now.of_set.assign(of_.sets(), std::clamp(each, -most_price, most_price));
    goal_ = goal;
    best_ = now;
    least_.reset();
    end_ = budget_.spent() + steps;
    walk(now);
    for (int cycle = 0; cycle < cycles && !is_done(); ++cycle) {
      for (std::size_t set = 0; set <= of_.sets() && !is_done(); ++set) look_along(set, cycle);
    }
    prices = best_;
    return least_ ? std::optional{whole(*least_)} : std::nullopt;
  }

 private:
  static constexpr int rounds = 60, cycles = 6, halvings = 12;

  [[nodiscard]] bool is_done() const noexcept {
    return budget_.out() || budget_.spent() >= end_ || (least_ && whole(*least_) <= goal_);
  }

  /// The largest sum of gains that is not above a bound.
  [[nodiscard]] std::int64_t whole(std::int64_t bound) const noexcept {
    const std::int64_t common = std::max<std::int64_t>(1, common_);
    return divide_down(divide_down(bound, best_.scale), common) * common;
  }

  /// Looks at some prices: their bound is kept if it is the least; what mixes take too much of each set is in excess_.
  void look(const mix_prices& prices) {
    excess_.assign(of_.sets(), 0);
    std::int64_t sum = 0, priced = 0;
    for (const auto& [kind, sites] : kinds_) {
      const auto all = of_.all_mixes(kind);
      std::uint32_t best = all.front();
      std::int64_t most = 0;
      for (const std::uint32_t mix : all)
        if (const std::int64_t rest = beyond_price(of_, mix, prices); rest > most) {
          most = rest;
          best = mix;
        }
      (void)budget_.spend(all.size());
      sum = saturating_add(sum, saturating_multiply(most, sites));
      const auto counts = of_.counts(best);
      for (std::size_t set = 0; set < counts.size(); ++set) excess_[set] += counts[set] * sites;
    }
    for (std::size_t set = 0; set < of_.sets(); ++set) {
      priced += of_.wanted()[set] * prices.of_set[set];
      excess_[set] -= of_.wanted()[set];
    }
    if (sum > most_gain_in_sum) return;
    if (least_ && *least_ <= sum + priced) return;
    least_ = sum + priced;
    best_ = prices;
  }

  /// Moves every price towards where no more and no fewer pods of its set are taken than there are, by a stride of its
  /// own that grows while the way stays the same and is halved where it turns.
  void walk(mix_prices now) {
    std::vector<std::int64_t> stride(of_.sets());
    std::vector<int> was(of_.sets(), 0);
    for (std::size_t set = 0; set < of_.sets(); ++set) stride[set] = size_of(now.of_set[set]) / 2;
    for (int round = 0; round < rounds; ++round) {
      look(now);
      bool moved = false;
      for (std::size_t set = 0; set < of_.sets(); ++set) {
        const int way = excess_[set] > 0 ? 1 : excess_[set] < 0 ? -1 : 0;
        if (way * was[set] > 0) stride[set] = std::min(most_price, stride[set] + stride[set] / 4);
        else if (way * was[set] < 0) stride[set] = std::max<std::int64_t>(1, stride[set] / 2);
        if (way != 0) was[set] = way;
        now.of_set[set] = held(now.of_set[set] + way * stride[set]);
        moved = moved || way != 0;
      }
      if (!moved || is_done()) return;
    }
  }

  /// From the best prices along the price of one set, or along all of them together, halving where the bound is least:
  /// it is convex, and the excess says on which side.
  void look_along(std::size_t set, int cycle) {
    constexpr std::int64_t most = std::int64_t{1} << 20;
    mix_prices low = best_, high = best_;
    std::vector<std::int64_t> way(of_.sets(), 0);
    for (std::size_t s = 0; s < of_.sets(); ++s) {
      if (set != s && set != of_.sets()) continue;
      way[s] = std::max<std::int64_t>(1, size_of(best_.of_set[s]) >> (1 + 2 * cycle));
      low.of_set[s] = held(low.of_set[s] - way[s]);
      high.of_set[s] = held(high.of_set[s] + way[s]);
    }
    for (int i = 0; i < halvings && !is_done(); ++i) {
      mix_prices middle = low;
      std::int64_t uphill = 0;
      for (std::size_t s = 0; s < of_.sets(); ++s) middle.of_set[s] += (high.of_set[s] - low.of_set[s]) / 2;
      if (i > 0 && middle.of_set == low.of_set) return;
      look(middle);
      for (std::size_t s = 0; s < of_.sets(); ++s)
        uphill = saturating_add(uphill, -way[s] * std::clamp(excess_[s], -most, most));
      (uphill > 0 ? high : low) = middle;
    }
  }

  [[nodiscard]] static std::int64_t held(std::int64_t x) noexcept {
    return std::clamp(x, -most_price, most_price);
  }
  /// How large a price is, at least one whole gain.
  [[nodiscard]] std::int64_t size_of(std::int64_t x) const noexcept {
    return std::max(best_.scale, x < 0 ? -x : x);
  }

  node_mixes<M, Objective>& of_;
  search_budget& budget_;
  std::vector<std::pair<std::uint32_t, std::int64_t>> kinds_;  // and their sites
  std::vector<std::int64_t> excess_;                            // of each set
  mix_prices best_;
  std::optional<std::int64_t> least_;  // by the best prices
  std::int64_t goal_ = 0, common_ = 0;  // divides every gain
  std::uint64_t end_ = 0;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
