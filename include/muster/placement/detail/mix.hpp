// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_MIX_HPP
#define MUSTER_PLACEMENT_DETAIL_MIX_HPP

/// \file
/// The question of exact search, without nodes and resources: can these sites give enough pods of every class?
///
/// Terms. A *class* is all pods that are alike. A *pattern* is a vector of counts that a site can host at once; a site
/// that hosts a pattern also hosts every smaller one, so only the maximal patterns are listed. A *site* is what is
/// filled by one pattern: a node, or a domain under a limit. Alike sites are listed once with their number. A
/// *price* is a whole number a class, not negative.
///
/// The sites give enough iff patterns, one a site, can be chosen so that what is then still missing of each class is
/// at most what may be missing of it, and in all at most what may be missing in all.
///
/// Price bound. Whatever is chosen, the priced pods of all sites are at most W, the sum over sites of their dearest
/// pattern; what is missing is worth at most S, the dearest that may be missing. So the demand's worth d cannot be met
/// if d > W + S, and that is a proof anybody can check (linear programming duality; Gilmore and Gomory's patterns).

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/search_budget.hpp>
#include <muster/placement/certificate.hpp>
#include <muster/placement/detail/counts.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

/// A mix of more patterns than this is not made: the search is then not exact.
inline constexpr std::size_t most_patterns = std::size_t{1} << 16U;

using price = pod_price;
inline constexpr price top_price = max_pod_price;

inline constexpr std::int64_t part_unit = 1024;  ///< of a pod, where mixtures of patterns are added up

/// Sites with one list of patterns.
struct site_group {
  std::uint32_t first = 0, last = 0;  ///< of its patterns
  std::uint32_t sites = 0;
  bool listed = true;  ///< else none are, and the mix's source makes them as they are asked for
  friend bool operator==(const site_group&, const site_group&) = default;
};

/// How much may be missing at the end.
struct allowance {
  std::vector<class_count> of_class;
  std::uint64_t in_all = 0;

  [[nodiscard]] bool allows(std::span<const class_count> missing) const noexcept {
    std::uint64_t sum = 0;
    for (std::size_t c = 0; c < missing.size(); ++c) {
      if (missing[c] > of_class[c]) return false;
      sum += missing[c];
    }
    return sum <= in_all;
  }
};

/// A pattern of a site, and what it is worth.
struct dear_pattern {
  static constexpr std::uint32_t not_kept = ~std::uint32_t{0};  ///< there are too many of them
  std::uint32_t pattern = 0;
  price worth = -1;
};

/// A pattern in a mixture.
struct pattern_share {
  std::uint32_t pattern = 0;
  std::int64_t weight = 0;
};

/// How long to look for a dear pattern.
enum class effort : std::uint8_t {
  known,     ///< among those that were dearest before
  hurried,   ///< greedily, where patterns are not listed
  thorough,  ///< the dearest of all
};

/// Makes the patterns of groups that are not listed.
class pattern_source {
 public:
  /// Adds the dearest pattern of a site to the mix if it is worth more than `above`; else worth -1. What is found in a
  /// hurry may not be the dearest; nor is it where the budget is out after it.
  [[nodiscard]] virtual dear_pattern find_dearer(std::uint32_t group, std::span<const price> prices, price above,
                                                 effort how, search_budget& budget) = 0;
  /// The most pods of a class in any pattern.
  [[nodiscard]] virtual class_count most(std::uint32_t group, std::size_t pod_class) const = 0;
  /// Lists the patterns of a group that are worth `least` or more, if not others too; false if they are too many or the
  /// budget is out.
  [[nodiscard]] virtual bool list(std::uint32_t group, std::span<const price> prices, price least,
                                  search_budget& budget) = 0;
  /// Adds a pattern to the mix that a domain can host, made of parts of these of its patterns and near `wanted`, which
  /// is in units of 1 / part_unit pods; dear_pattern::not_kept where it is no domain, or not known how.
  [[nodiscard]] virtual std::uint32_t blend(std::uint32_t /*group*/, std::span<const pattern_share> /*shares*/,
                                            std::span<const std::int64_t> /*wanted*/, search_budget& /*budget*/) {
    return dear_pattern::not_kept;
  }

 protected:
  ~pattern_source() = default;
};

struct mix {
  std::vector<class_count> demand;
  std::vector<class_count> required;  ///< of the demand, may not be missing
  std::vector<class_count> counts;    ///< pattern after pattern
  std::vector<site_group> groups;
  pattern_source* source = nullptr;  ///< of the groups that are not listed
  bool has_domains = false;          ///< of several nodes, among these groups: to list one is dear
  std::vector<price> first{};        ///< prices to begin with, one a class; none: a pod is worth a pod

  [[nodiscard]] std::size_t classes() const noexcept { return demand.size(); }
  [[nodiscard]] std::uint32_t patterns() const noexcept {
    return demand.empty() ? 0 : static_cast<std::uint32_t>(counts.size() / demand.size());
  }
  [[nodiscard]] std::span<const class_count> pattern(std::uint32_t p) const noexcept {
    return std::span{counts}.subspan(p * classes(), classes());
  }
  /// Puts a pattern into the place of another one.
  void copy(std::uint32_t from, std::uint32_t to) noexcept {
    for (std::size_t c = 0; c < classes(); ++c) counts[to * classes() + c] = counts[from * classes() + c];
  }
  [[nodiscard]] std::uint64_t total() const noexcept {
    return std::accumulate(demand.begin(), demand.end(), std::uint64_t{0});
  }
  void clear(std::size_t classes) {
    demand.assign(classes, 0);
    required.assign(classes, 0);
    counts.clear();
    groups.clear();
    first.clear();
    has_domains = false;
  }
};

/// So many sites of a group are filled by this pattern.
struct pattern_choice {
  std::uint32_t group = 0, pattern = 0, sites = 0;
};

/// Calls with the number of classes as a template argument where it is one of most gangs', else with 0: loops over that
/// few are then written out.
template <class Call>
decltype(auto) with_classes(std::size_t classes, Call&& call) {
  switch (classes) {
    case 2: return call.template operator()<2>();
    case 3: return call.template operator()<3>();
    case 4: return call.template operator()<4>();
    case 5: return call.template operator()<5>();
    case 6: return call.template operator()<6>();
    default: return call.template operator()<0>();
  }
}

/// What the counts, one a price, are worth. At most max_pods_per_group pods a class at top_price, 64 classes: below
/// 2^58. \param Classes how many there are; 0: as many as prices
template <std::size_t Classes>
[[nodiscard]] price worth_of(const class_count* counts, std::span<const price> prices) noexcept {
  price sum = 0;
  for (std::size_t c = 0; c < (Classes != 0 ? Classes : prices.size()); ++c)
    sum += prices[c] * static_cast<price>(counts[c]);
  return sum;
}

[[nodiscard]] inline price worth(std::span<const class_count> counts, std::span<const price> prices) noexcept {
  return worth_of<0>(counts.data(), prices.first(counts.size()));
}

/// The first of the dearest patterns of a site. \param dead by pattern, whether it is out; nullptr: none is
[[nodiscard]] inline dear_pattern dearest_pattern(const mix& of, const site_group& group, std::span<const price> prices,
                                                  const char* dead = nullptr) noexcept {
  return with_classes(prices.size(), [&]<std::size_t Classes>() {
    const class_count* counts = of.counts.data() + std::size_t{group.first} * prices.size();
    dear_pattern best{group.first, -1};
    for (std::uint32_t p = group.first; p < group.last; ++p, counts += prices.size()) {
      if (dead != nullptr && dead[p] != 0) continue;
      if (const price here = worth_of<Classes>(counts, prices); here > best.worth) best = {p, here};
    }
    return best;
  });
}

/// Names what may be missing of a demand, dearest classes first: visit(class, pods). \complexity O(K^2)
template <class Visit>
void for_each_missing(std::span<const class_count> demand, const allowance& may, std::span<const price> prices,
                      Visit&& visit) {
  std::uint64_t left = may.in_all;
  for (price below = top_price + 1; left > 0 && below > 0;) {
    price next = 0;  // the dearest price not yet served
    for (const price one : prices)
      if (one < below) next = std::max(next, one);
    for (std::size_t c = 0; c < demand.size(); ++c) {
      if (prices[c] != next) continue;
      const std::uint64_t missing = std::min<std::uint64_t>({left, demand[c], may.of_class[c]});
      if (missing > 0) visit(c, missing);
      left -= missing;
    }
    below = next;
  }
}

/// The worth of the dearest that may be missing of a demand. \complexity O(K^2)
[[nodiscard]] inline price dearest_missing(std::span<const class_count> demand, const allowance& may,
                                           std::span<const price> prices) noexcept {
  price sum = 0;
  for_each_missing(demand, may, prices,
                   [&](std::size_t c, std::uint64_t missing) { sum += static_cast<price>(missing) * prices[c]; });
  return sum;
}

/// What may be missing if `target` pods are to sit. \pre target <= total
inline void allow_missing(const mix& of, std::uint64_t target, allowance& may) {
  may.in_all = of.total() - target;
  may.of_class.resize(of.classes());
  for (std::size_t c = 0; c < of.classes(); ++c) may.of_class[c] = of.demand[c] - of.required[c];
}

/// The worth of everything the sites can give at most, of what is asked, and of what may be missing.
struct price_balance {
  price demand = 0, supply = 0, missing = 0;
  [[nodiscard]] bool refuses() const noexcept { return demand > supply + missing; }
};

/// The most pods that can sit by one price, at most `total`; -1 if the required ones cannot.
/// \param supply the worth of the sites' dearest patterns \param may scratch
[[nodiscard]] inline std::int64_t most_by_price(const mix& of, std::span<const price> prices, price supply,
                                                allowance& may) {
  allow_missing(of, 0, may);
  const price demand = worth(of.demand, prices);
  const auto met = [&](std::uint64_t missing) {
    may.in_all = missing;
    return demand <= supply + dearest_missing(of.demand, may, prices);
  };
  std::uint64_t low = 0, high = of.total();  // the fewest missing pods that the price does not refuse
  if (!met(high)) return -1;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (met(middle))
      high = middle;
    else
      low = middle + 1;
  }
  return static_cast<std::int64_t>(of.total() - low);
}

/// The smallest whole prices that refuse as the given ones do, if rounding finds any: easier to read and to check.
/// \param trial scratch \param refuses asked with prices, whether they refuse
template <class Refuses>
void simplify_prices(std::vector<price>& prices, std::vector<price>& trial, Refuses&& refuses) {
  price most = 0;
  for (const price one : prices) most = std::max(most, one);
  if (most <= 0) return;
  trial.resize(prices.size());
  for (const price top : {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 64, 128, 1024}) {
    for (std::size_t c = 0; c < prices.size(); ++c) trial[c] = (prices[c] * top + most / 2) / most;
    if (!refuses(std::span<const price>{trial})) continue;
    prices = trial;
    return;
  }
}

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
