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
/// up where the mixes take too many pods of a set and down where too few, some rounds; every round bounds, the least
/// bound is kept. Gains count in up to 1024ths, so that prices may lie between them, and the bound is rounded down to
/// a whole gain, which no placement passes either.
///
/// \complexity O(kinds + mixes x sets) a round
/// \see Held and Karp (1971); Fisher, "The Lagrangian relaxation method for solving integer programming problems" (1981)

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/detail/arrangement.hpp>
#include <muster/placement/detail/budget.hpp>
#include <muster/resource/model.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
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

/// What a mix gains beyond its price. \pre prices within +-2^40, gains times scale too, at most 2^20 pods
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
  static constexpr int rounds = 100;
  static constexpr std::int64_t most_price = std::int64_t{1} << 40;
  static constexpr std::int64_t most_gain_in_sum = std::int64_t{1} << 60;
  static constexpr pod_count most_pods = pod_count{1} << 20;

  /// \pre the domain is laid out
  sum_bound(const arranged& on, search_budget& budget) : of_{on.of()}, budget_{budget} {
    for (std::size_t c = 0; c + 1 < on.cells().size(); ++c) {
      const std::uint32_t kind = on.sites()[on.cells()[c]].kind;
      const std::int64_t sites = on.cells()[c + 1] - on.cells()[c];
      if (!kinds_.empty() && kinds_.back().first == kind) kinds_.back().second += sites;
      else kinds_.push_back({kind, sites});
    }
  }

  /// The least bound found; nothing if there is none: too many mixes, gains too large, or the budget is out.
  /// \param goal a gain that is had already: prices aim at it \param prices those that bound least
  [[nodiscard]] std::optional<std::int64_t> find(std::int64_t goal, mix_prices& prices) {
    pod_count pods = 0;
    for (const pod_count wanted : of_.wanted()) pods += wanted;
    if (pods > most_pods) return std::nullopt;
    std::int64_t largest = 1;
    for (const auto& [kind, sites] : kinds_) {
      const auto all = of_.all_mixes(kind);
      if (all.empty() || of_.incomplete() || of_.coarse()) return std::nullopt;
      for (const std::uint32_t mix : all) largest = std::max({largest, of_.gain(mix), -of_.gain(mix)});
    }
    mix_prices now{std::vector<std::int64_t>(of_.sets(), 0), 1};
    const std::int64_t distant = goal < 0 ? -goal : goal;
    if (distant > most_gain_in_sum) return std::nullopt;
    while (now.scale < 1024 && largest * now.scale * 2 <= most_price && distant * now.scale * 2 <= most_gain_in_sum)
      now.scale *= 2;
    prices = now;
    std::optional<std::int64_t> least;
    std::int64_t part = 1;  // of a full step
    int without = 0;
    for (int round = 0; round < rounds && part <= 64; ++round) {
      const std::int64_t here = look(now);
      if (budget_.out()) break;
      if (here < std::numeric_limits<std::int64_t>::max() && (!least || here < *least)) {
        least = here;
        prices = now;
        without = 0;
      } else if (++without == 5) {
        part *= 2;
        without = 0;
        now = prices;
        (void)look(now);
      }
      if (least && divide_down(*least, now.scale) <= goal) break;
      if (!step(now, saturating_add(here, -goal * now.scale), part)) break;
    }
    if (least) least = divide_down(*least, prices.scale);
    return least;
  }

 private:
  /// The bound by some prices, the largest number if it is larger; what mixes take too much of each set, in excess_.
  [[nodiscard]] std::int64_t look(const mix_prices& prices) {
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
    return sum == std::numeric_limits<std::int64_t>::max() ? sum : saturating_add(sum, priced);
  }

  /// Moves the prices by the excess; false if there is none, so that they are best.
  [[nodiscard]] bool step(mix_prices& prices, std::int64_t gap, std::int64_t part) const {
    constexpr std::int64_t most = std::int64_t{1} << 14;
    std::int64_t square = 0;
    for (const std::int64_t excess : excess_) {
      const std::int64_t held = std::clamp(excess, -most, most);
      square += held * held;
    }
    if (square == 0) return false;
    const std::int64_t full = std::clamp<std::int64_t>(gap, 1, most_price);
    for (std::size_t set = 0; set < of_.sets(); ++set) {
      const std::int64_t held = std::clamp(excess_[set], -most, most);
      std::int64_t by = full * held / (square * part);
      if (by == 0 && held != 0) by = held > 0 ? 1 : -1;
      prices.of_set[set] = std::clamp(prices.of_set[set] + by, -most_price, most_price);
    }
    return true;
  }

  node_mixes<M, Objective>& of_;
  search_budget& budget_;
  std::vector<std::pair<std::uint32_t, std::int64_t>> kinds_;  // and their sites
  std::vector<std::int64_t> excess_;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
