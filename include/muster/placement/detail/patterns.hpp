// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_PATTERNS_HPP
#define MUSTER_PLACEMENT_DETAIL_PATTERNS_HPP

/// \file
/// Which counts of each class of pods a node can host at once: its maximal patterns.
///
/// Nodes that are alike for the question are asked once. Nodes whose patterns come out equal are one list.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/hash.hpp>
#include <muster/placement/detail/additive_patterns.hpp>
#include <muster/placement/detail/budget.hpp>
#include <muster/placement/detail/hashed_items.hpp>
#include <muster/placement/detail/hosted_patterns.hpp>
#include <muster/placement/detail/mix.hpp>
#include <muster/placement/detail/pattern_lists.hpp>
#include <muster/resource/model.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

template <resource_model M>
class pattern_builder {
 public:
  /// Starts afresh for these classes. The mix gets the lists, one group a list, with no sites yet.
  void start(std::span<const typename M::request_type> requests, mix& to) {
    to_ = &to;
    to.counts.reserve(32 * requests.size());  // it then grows by whole patterns
    nodes_.clear();
    known_.start();
    lists_.start(to);
    of_node_.start(requests, to);
  }

  /// The list of a node; nullopt if there are too many patterns or the budget is out.
  /// \param may bit c: class c may use the node \param cap the most pods the node may take
  [[nodiscard]] std::optional<std::uint32_t> list_of(const typename M::state_type& left, std::uint64_t may,
                                                     pod_count cap, search_budget& budget) {
    const known_node here{of_node_.read(left), may, cap, 0};
    const std::uint64_t hash = hash_of(here);
    const std::uint32_t alike = known_.find(hash, [&](std::uint32_t known) {
      return nodes_[known].may == may && nodes_[known].cap == cap && nodes_[known].left == here.left;
    });
    if (alike != hashed_items::none) return nodes_[alike].list;
    const std::size_t first = to_->counts.size();
    if (!of_node_.list(here.left, may, cap, to_->counts, budget)) {
      to_->counts.resize(first);
      return std::nullopt;
    }
    known_.add(hash);
    nodes_.push_back(here);
    nodes_.back().list = lists_.merge(first);
    return nodes_.back().list;
  }

  /// Whether a node's answer was ever not known: then patterns may be missing, and a no proves nothing.
  [[nodiscard]] bool incomplete() const noexcept {
    if constexpr (is_additive<M>) return false;
    else return of_node_.incomplete();
  }

 private:
  using lister = std::conditional_t<is_additive<M>, additive_patterns<M>, hosted_patterns<M>>;

  struct known_node {
    typename lister::node left;
    std::uint64_t may;
    pod_count cap;
    std::uint32_t list;
  };

  [[nodiscard]] static std::uint64_t hash_of(const known_node& one) noexcept {
    return mixed(one.may + static_cast<std::uint64_t>(one.cap) * 0x9e3779b97f4a7c15U + lister::hash_of(one.left));
  }

  mix* to_ = nullptr;
  lister of_node_;
  pattern_lists lists_;
  std::vector<known_node> nodes_;
  hashed_items known_;  // nodes_, by what their patterns depend on
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
