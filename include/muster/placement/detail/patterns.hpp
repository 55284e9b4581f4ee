// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_PATTERNS_HPP
#define MUSTER_PLACEMENT_DETAIL_PATTERNS_HPP

/// \file
/// Which counts of each class of pods a node can host at once: its maximal patterns.
///
/// Nodes that are alike for the question are asked once. Nodes whose patterns come out equal are one list. Where
/// amounts decide what a node hosts, the patterns of one that has many are made as they are asked for, and listed only
/// if all of them are needed.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/hash.hpp>
#include <muster/core/search_budget.hpp>
#include <muster/placement/detail/additive_patterns.hpp>
#include <muster/placement/detail/dearest_additive.hpp>
#include <muster/placement/detail/hashed_items.hpp>
#include <muster/placement/detail/hosted_patterns.hpp>
#include <muster/placement/detail/made_patterns.hpp>
#include <muster/placement/detail/mix.hpp>
#include <muster/placement/detail/pattern_lists.hpp>
#include <muster/resource/model.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

/// Of which nodes the patterns are listed before they are asked for.
enum class listing : std::uint8_t { at_once, where_few };

template <resource_model M>
class pattern_builder final : public pattern_source {
 public:
  /// Starts afresh for these classes. The mix gets the groups, with no sites yet.
  void start(std::span<const typename M::request_type> requests, mix& to) {
    to_ = &to;
    to.counts.reserve(32 * requests.size());  // it then grows by whole patterns
    nodes_.clear();
    known_.start();
    lists_.start(to);
    of_node_.start(requests, to);
    node_of_.clear();
    alone_at_.clear();
    alone_.clear();
    made_.start(to);
    if constexpr (is_additive<M>) dearest_.start(of_node_.needs());
  }

  /// The group of a node; nullopt if there are too many patterns or the budget is out.
  /// \param may bit c: class c may use the node \param cap the most pods the node may take
  [[nodiscard]] std::optional<std::uint32_t> group_of(const typename M::state_type& left, std::uint64_t may,
                                                      pod_count cap, listing how, search_budget& budget) {
    const known_node here{of_node_.read(left), may, cap, 0};
    const std::uint64_t hash = hash_of(here);
    const std::uint32_t alike = known_.find(hash, [&](std::uint32_t known) {
      return nodes_[known].may == may && nodes_[known].cap == cap && nodes_[known].left == here.left;
    });
    if (alike != hashed_items::none) return nodes_[alike].group;
    const bool unlisted = how == listing::where_few && has_many(here);
    const std::optional<std::uint32_t> group = unlisted ? add_unlisted(here) : add_list(here, budget);
    if (!group) return std::nullopt;
    known_.add(hash);
    nodes_.push_back(here);
    nodes_.back().group = *group;
    return group;
  }

  [[nodiscard]] dear_pattern find_dearer(std::uint32_t group, std::span<const price> prices, price above, effort how,
                                         search_budget& budget) override {
    if constexpr (is_additive<M>) {
      const known_node& node = nodes_[node_of_[group]];
      found_.resize(prices.size());
      if (!dearest_.find(node.left, alone_of(group), node.cap, prices, above, how, found_, budget)) return {};
      return {made_.keep(group, found_), worth(found_, prices)};
    } else {
      return {};  // all are listed
    }
  }

  [[nodiscard]] class_count most(std::uint32_t group, std::size_t pod_class) const override {
    return alone_of(group)[pod_class];
  }

  [[nodiscard]] bool list(std::uint32_t group, std::span<const price>, price, search_budget& budget) override {
    const known_node& node = nodes_[node_of_[group]];
    const std::uint32_t first = to_->patterns();
    if (!append_patterns(node, budget)) return false;
    to_->groups[group].first = first;
    to_->groups[group].last = to_->patterns();
    to_->groups[group].listed = true;
    return true;
  }

  /// Whether a node's answer was ever not known: then patterns may be missing, and a no proves nothing.
  [[nodiscard]] bool incomplete() const noexcept {
    if constexpr (is_additive<M>) return false;
    else return of_node_.incomplete();
  }

  using lister = std::conditional_t<is_additive<M>, additive_patterns<M>, hosted_patterns<M>>;
  /// What it knows of the classes.
  [[nodiscard]] const lister& of_node() const noexcept { return of_node_; }

 private:
  /// More mixes than this of all classes but one, of each from none to all it could have alone, are many patterns.
  static constexpr std::uint64_t few = 256;
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  struct known_node {
    typename lister::node left;
    std::uint64_t may;
    pod_count cap;
    std::uint32_t group;
  };

  [[nodiscard]] static std::uint64_t hash_of(const known_node& one) noexcept {
    return mixed(one.may + static_cast<std::uint64_t>(one.cap) * 0x9e3779b97f4a7c15U + lister::hash_of(one.left));
  }

  [[nodiscard]] bool append_patterns(const known_node& node, search_budget& budget) {
    const std::size_t first = to_->counts.size();
    if (of_node_.list(node.left, node.may, node.cap, to_->counts, budget)) return true;
    to_->counts.resize(first);
    return false;
  }
  [[nodiscard]] std::optional<std::uint32_t> add_list(const known_node& node, search_budget& budget) {
    const std::size_t first = to_->counts.size();
    if (!append_patterns(node, budget)) return std::nullopt;
    return lists_.merge(first);
  }

  // ---- patterns that are made as they are asked for

  /// If so, how many of each class the node takes alone stands at the end of alone_.
  [[nodiscard]] bool has_many(const known_node& node) {
    if constexpr (is_additive<M>) {
      const std::size_t classes = to_->classes(), first = alone_.size();
      std::uint64_t mixes = 1, most = 1;
      for (std::uint32_t c = 0; c < classes; ++c) {
        alone_.push_back(of_node_.most_alone(c, node.left, node.may, node.cap));
        const std::uint64_t counts = std::uint64_t{alone_.back()} + 1;
        mixes = std::min(mixes * std::min(counts, most), few + 1);
        if (counts > most) most = counts;
      }
      if (mixes > few) return true;
      alone_.resize(first);
    }
    return false;
  }
  [[nodiscard]] std::uint32_t add_unlisted(const known_node& node) {
    const auto group = static_cast<std::uint32_t>(to_->groups.size());
    node_of_.resize(group + 1, none);
    alone_at_.resize(group + 1, none);
    node_of_[group] = static_cast<std::uint32_t>(nodes_.size());
    alone_at_[group] = static_cast<std::uint32_t>(alone_.size() - to_->classes());
    if constexpr (is_additive<M>) dearest_.expect(node.left);
    to_->groups.push_back({0, 0, 0, false});
    return group;
  }
  [[nodiscard]] std::span<const class_count> alone_of(std::uint32_t group) const noexcept {
    return std::span{alone_}.subspan(alone_at_[group], to_->classes());
  }

  mix* to_ = nullptr;
  lister of_node_;
  pattern_lists lists_;
  std::vector<known_node> nodes_;
  hashed_items known_;  // nodes_, by what their patterns depend on
  std::vector<std::uint32_t> node_of_, alone_at_;  // in nodes_ and alone_, of each group that was not listed at once
  std::vector<class_count> alone_, found_;         // alone_: how many of each class a node takes alone
  made_patterns made_;
  additive_dearest<std::max<std::size_t>(1, dimensions_of<M>)> dearest_;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
