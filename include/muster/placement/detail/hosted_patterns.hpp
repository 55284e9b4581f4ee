// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_HOSTED_PATTERNS_HPP
#define MUSTER_PLACEMENT_DETAIL_HOSTED_PATTERNS_HPP

/// \file
/// The maximal patterns of a node whose model is asked for every one of them: where amounts alone do not decide.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/hash.hpp>
#include <muster/core/search_budget.hpp>
#include <muster/placement/detail/mix.hpp>
#include <muster/resource/model.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

template <resource_model M>
class hosted_patterns {
 public:
  using request = typename M::request_type;
  /// What of a node its patterns depend on.
  using node = typename M::state_type;

  void start(std::span<const request> requests, const mix& of) {
    requests_ = requests;
    demand_ = of.demand;
    incomplete_ = false;
    steps_ = 0;
  }

  [[nodiscard]] static const node& read(const node& left) noexcept { return left; }
  [[nodiscard]] static std::uint64_t hash_of([[maybe_unused]] const node& of) noexcept {
    hasher hash;
    if constexpr (dimensions_of<M> > 0)
      for (std::size_t d = 0; d < dimensions_of<M>; ++d) hash.add(M::amount_left(of, d));
    return hash.value();
  }

  /// Adds the patterns of a node in ascending order; false if they are too many or the budget is out.
  /// \param may bit c: class c may use the node \param cap the most pods the node may take
  [[nodiscard]] bool list(const node& of, std::uint64_t may, pod_count cap, std::vector<class_count>& to,
                          search_budget& budget) {
    node_ = &of;
    to_ = &to;
    const std::size_t classes = requests_.size(), first = to.size();
    counts_.assign(classes, 0);
    alone_.resize(classes);
    order_.resize(classes);
    std::iota(order_.begin(), order_.end(), std::uint32_t{0});
    for (std::size_t c = 0; c < classes; ++c) {
      const pod_count limit = std::min<pod_count>(cap, demand_[c]);
      alone_[c] = (may >> c & 1U) == 0 || limit <= 0 ? 0 : M::count_fitting(of, requests_[c], limit);
    }
    std::sort(order_.begin(), order_.end(), [this](std::uint32_t a, std::uint32_t b) {
      return alone_[a] != alone_[b] ? alone_[a] < alone_[b] : a < b;  // the one of which most fit comes last
    });
    if (!choose(0, cap, budget)) return false;
    sort(first);
    return true;
  }

  /// Whether the model ever did not know an answer: then patterns may be missing, and a no proves nothing.
  [[nodiscard]] bool incomplete() const noexcept { return incomplete_; }

 private:
  /// Counts of the classes from order_[at] on; false if out of budget or patterns.
  [[nodiscard]] bool choose(std::size_t at, pod_count room, search_budget& budget) {
    if (at == order_.size()) {
      const bool maximal = is_maximal(room);
      if (!budget.spend(1 + std::exchange(steps_, 0))) return false;
      if (maximal) to_->insert(to_->end(), counts_.begin(), counts_.end());
      return to_->size() <= most_patterns * counts_.size();
    }
    const std::uint32_t c = order_[at];
    const pod_count most = std::min(room, alone_[c]);
    if (at + 1 == order_.size()) {
      const pod_count taken = take_most(c, most);
      const bool good = choose(at + 1, room - taken, budget);
      counts_[c] = 0;
      return good;
    }
    bool good = true;
    for (pod_count taken = 0;; ++taken) {
      good = choose(at + 1, room - taken, budget);
      if (!good || taken == most || !take(c, 1)) break;
    }
    counts_[c] = 0;
    return good;
  }

  /// Adds as many pods of a class as fit, at most `most`: one more would not. Tries all of them, then bisects.
  [[nodiscard]] pod_count take_most(std::uint32_t c, pod_count most) {
    pod_count low = 0, tried = most;
    for (pod_count high = most; low < high; tried = low + (high - low + 1) / 2) {
      if (take(c, tried - low)) low = tried;
      else high = tried - 1;
    }
    return low;
  }
  /// Adds pods of a class; false, with nothing changed, if they do not fit.
  bool take(std::uint32_t c, pod_count pods) {
    counts_[c] += static_cast<class_count>(pods);
    wide_counts_.assign(counts_.begin(), counts_.end());
    const hosting answer =
        muster::hosts<M>(*node_, requests_, std::span<const pod_count>{wide_counts_}, ignore_grants{}, steps_);
    incomplete_ = incomplete_ || answer == hosting::unknown;
    if (answer == hosting::yes) return true;
    counts_[c] -= static_cast<class_count>(pods);
    return false;
  }
  [[nodiscard]] bool is_maximal(pod_count room) {
    if (room <= 0) return true;
    for (const std::uint32_t c : order_) {
      if (static_cast<pod_count>(counts_[c]) >= alone_[c] || !take(c, 1)) continue;
      --counts_[c];
      return false;
    }
    return true;
  }

  /// Brings the patterns from counts `first` on into one order, whatever the order of the classes was.
  void sort(std::size_t first) {
    const std::size_t classes = counts_.size();
    const auto width = static_cast<std::ptrdiff_t>(classes);
    const auto row = [&](std::size_t p) { return to_->begin() + static_cast<std::ptrdiff_t>(first + p * classes); };
    rows_.resize((to_->size() - first) / classes);
    std::iota(rows_.begin(), rows_.end(), std::uint32_t{0});
    std::sort(rows_.begin(), rows_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::lexicographical_compare(row(a), row(a) + width, row(b), row(b) + width);
    });
    sorted_.clear();
    for (const std::uint32_t p : rows_) sorted_.insert(sorted_.end(), row(p), row(p) + width);
    std::copy(sorted_.begin(), sorted_.end(), row(0));
  }

  std::span<const request> requests_;
  std::vector<class_count> demand_;
  const node* node_ = nullptr;
  std::vector<class_count>* to_ = nullptr;
  std::vector<class_count> counts_, sorted_;
  std::vector<pod_count> alone_, wide_counts_;
  std::vector<std::uint32_t> order_, rows_;
  std::uint64_t steps_ = 0;  // that the model took and the budget does not know of yet
  bool incomplete_ = false;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
