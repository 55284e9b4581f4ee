// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_RECOUNT_NUMBERS_HPP
#define MUSTER_PLACEMENT_DETAIL_RECOUNT_NUMBERS_HPP

/// \file
/// What the dearest n pods of a node, or of a domain, are worth, for every n.
///
/// Where a domain has room for so many pods only their number couples its nodes, once every pod has a price. So this
/// is all of their ways that must be kept, and two nodes are added number by number.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/certificate.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

class worth_by_number {
 public:
  /// Pods of the last number are counted, and more are worth no more.
  [[nodiscard]] std::size_t pods() const noexcept { return worth_.size() - 1; }
  [[nodiscard]] std::int64_t most() const noexcept { return worth_.back(); }

  /// Counts of each kind that are hosted at once. \param prices of the kinds, dearest first \complexity O(pods)
  void offer(std::span<const pod_count> counts, std::span<const pod_price> prices) {
    std::size_t n = 0;
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < counts.size(); ++k)
      for (pod_count each = 0; each < counts[k]; ++each) {
        sum += prices[k];
        if (++n == worth_.size()) worth_.push_back(worth_.back());
        worth_[n] = std::max(worth_[n], sum);
      }
    for (++n; n < worth_.size(); ++n) worth_[n] = std::max(worth_[n], sum);
  }
  /// No more than so many pods.
  void cut(pod_count room) {
    const auto most = static_cast<std::size_t>(std::max<pod_count>(room, 0));
    if (most < pods()) worth_.resize(most + 1);
  }
  /// The two together, of up to `room` pods. \complexity O(pods x pods of the other)
  void add(const worth_by_number& other, pod_count room) {
    std::vector<std::int64_t> sums(pods() + other.pods() + 1, 0);
    for (std::size_t a = 0; a < worth_.size(); ++a)
      for (std::size_t b = 0; b < other.worth_.size(); ++b)
        sums[a + b] = std::max(sums[a + b], worth_[a] + other.worth_[b]);
    worth_ = std::move(sums);
    cut(room);
  }

 private:
  std::vector<std::int64_t> worth_{0};  // of 0, 1, 2 ... pods, never falling
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
