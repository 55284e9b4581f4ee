// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_BEST_ARRANGEMENT_HPP
#define MUSTER_PLACEMENT_DETAIL_BEST_ARRANGEMENT_HPP

/// \file
/// Branch and bound on an arrangement: every mix on every node, for few nodes and pods.
///
/// Node after node is given a mix. A branch ends where the nodes that are left have too few slots for a set, or, of an
/// objective that is a sum over nodes, where what is gained and the bound by prices on the rest (sum_bound.hpp) is not
/// more than the best so far. There, too, nodes of one cell are given their mixes in one order only. A judgement of the
/// whole set is asked for every arrangement.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/search_budget.hpp>
#include <muster/placement/detail/arrangement.hpp>
#include <muster/placement/detail/sum_bound.hpp>
#include <muster/resource/model.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

template <resource_model M, class Objective>
class best_arrangement {
 public:
  using arranged = arrangement<M, Objective>;
  static constexpr bool by_node = arranged::by_node;
  static constexpr std::size_t most_sites = 1024;

  /// \param prices of the domain, if it was bounded; nullptr: branches are not bounded
  best_arrangement(arranged& on, search_budget& budget, const mix_prices* prices)
      : on_{on}, of_{on.of()}, budget_{budget}, prices_{prices} {}

  /// Looks for arrangements that score more than `known`. `found` is called for each that is better than all before; it
  /// answers whether to go on. \return whether all were looked at \pre the sites are empty
  template <class Found>
  [[nodiscard]] bool run(std::int64_t known, Found&& found) {
    best_ = known;
    whole_ = true;
    if (!list()) return false;
    left_.assign(of_.wanted().begin(), of_.wanted().end());
    branch(0, 0, found);
    return whole_;
  }

 private:
  /// The mixes of each site and what those from a site on can give; false if there are too many.
  [[nodiscard]] bool list() {
    if (on_.sites().size() > most_sites) return false;
    order_.clear();
    for (std::uint32_t at = 0; at < on_.sites().size(); ++at) {
      const auto all = of_.all_mixes(on_.sites()[at].kind);
      if (all.empty()) return false;
      if (all.size() > 1) order_.push_back(at);
    }
    const std::size_t sets = of_.sets();
    sorted_.assign(of_.kinds(), {});
    slots_after_.assign((order_.size() + 1) * sets, 0);
    most_after_.assign(order_.size() + 1, 0);
    for (std::size_t i = order_.size(); i-- > 0;) {
      const std::uint32_t kind = on_.sites()[order_[i]].kind;
      auto& mixes = sorted_[kind];
      if (mixes.empty()) {
        const auto all = of_.all_mixes(kind);
        mixes.assign(all.begin(), all.end());
        if (prices_ != nullptr)
          std::stable_sort(mixes.begin(), mixes.end(), [this](std::uint32_t a, std::uint32_t b) {
            return beyond_price(of_, a, *prices_) > beyond_price(of_, b, *prices_);
          });
        else std::reverse(mixes.begin(), mixes.end());  // full nodes first
      }
      for (std::size_t set = 0; set < sets; ++set)
        slots_after_[i * sets + set] = slots_after_[(i + 1) * sets + set] + of_.alone(kind, set);
      if (prices_ != nullptr)
        most_after_[i] = saturating_add(most_after_[i + 1], beyond_price(of_, mixes.front(), *prices_));
    }
    return true;
  }

  /// Whether nothing better can come of the sites from i on.
  [[nodiscard]] bool is_closed(std::size_t i) const {
    const std::size_t sets = of_.sets();
    std::int64_t priced = 0;
    for (std::size_t set = 0; set < sets; ++set) {
      if (left_[set] > slots_after_[i * sets + set]) return true;
      if (prices_ != nullptr) priced += left_[set] * prices_->of_set[set];
    }
    if (prices_ == nullptr) return false;
    const std::int64_t most = saturating_add(most_after_[i], priced);
    return saturating_add(on_.total(), divide_down(most, prices_->scale)) <= best_;
  }

  /// \param first which of the mixes of the site may be the first one
  template <class Found>
  void branch(std::size_t i, std::size_t first, Found&& found) {
    if (!budget_.spend(1)) whole_ = false;
    if (!whole_) return;
    if (std::all_of(left_.begin(), left_.end(), [](pod_count pods) { return pods == 0; })) {
      on_.judge();
      if (on_.total() <= best_) return;
      best_ = on_.total();
      if (!found()) whole_ = false;
      return;
    }
    if (is_closed(i)) return;
    const std::uint32_t at = order_[i];
    const auto& mixes = sorted_[on_.sites()[at].kind];
    const bool like_next =
        by_node && i + 1 < order_.size() && on_.sites()[order_[i + 1]].cell == on_.sites()[at].cell;
    for (std::size_t m = first; m < mixes.size() && whole_; ++m) {
      const auto counts = of_.counts(mixes[m]);
      bool within = true;
      for (std::size_t set = 0; set < counts.size(); ++set) within = within && counts[set] <= left_[set];
      if (!within || !on_.allows(at, of_.pods(mixes[m]))) continue;
      for (std::size_t set = 0; set < counts.size(); ++set) left_[set] -= counts[set];
      on_.set(at, mixes[m]);
      branch(i + 1, like_next ? m : 0, found);
      on_.set(at, arranged::nothing);
      for (std::size_t set = 0; set < counts.size(); ++set) left_[set] += of_.counts(mixes[m])[set];
    }
  }

  arranged& on_;
  node_mixes<M, Objective>& of_;
  search_budget& budget_;
  const mix_prices* prices_;
  std::int64_t best_ = 0;
  bool whole_ = true;
  std::vector<std::uint32_t> order_;                // sites that may hold something
  std::vector<std::vector<std::uint32_t>> sorted_;  // mixes of each kind
  std::vector<pod_count> left_;                     // pods of each set that are not placed
  std::vector<pod_count> slots_after_;              // of each set, on the sites from one on
  std::vector<std::int64_t> most_after_;            // beyond prices, on these
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
