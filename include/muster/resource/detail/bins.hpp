// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_RESOURCE_DETAIL_BINS_HPP
#define MUSTER_RESOURCE_DETAIL_BINS_HPP

/// \file
/// Exact packing of items of a few sizes into a few bins: shares onto devices, whole devices into link groups.
///
/// Tightest fit, largest first, is tried first. Where it fails, every way is: size after size, the counts of one size
/// over the bins; bins with equal room take falling counts, and a size of which the bins hold too few ends the
/// branch. The packing problem is hard in general; past `most_steps` the answer is `unknown`, never a guess.

#include <muster/core/config.hpp>
#include <muster/resource/model.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace muster::inline MUSTER_ABI::resource_detail {

/// At most 64 sizes and `Bins` bins.
template <std::size_t Bins>
class bin_packing {
 public:
  static constexpr std::size_t most_sizes = 64;
  static constexpr std::uint32_t most_steps = 1U << 16U;

  void add_bin(std::int32_t room) noexcept { room_[bins_++] = room; }
  /// Items of one size. \pre size > 0; fewer than most_sizes were added
  void add_items(std::int32_t size, pod_count count) noexcept {
    items_[sizes_] = {size, count, sizes_};
    packed_[sizes_].fill(0);
    ++sizes_;
  }
  [[nodiscard]] std::size_t bins() const noexcept { return bins_; }

  /// Packs all items; then count(i, b) says how many of the i-th added size lie in the b-th added bin.
  [[nodiscard]] hosting pack() noexcept {
    std::sort(items_.begin(), items_.begin() + sizes_,
              [](const items& a, const items& b) { return a.size != b.size ? a.size > b.size : a.number < b.number; });
    pod_count asked = 0, there = 0;
    for (std::size_t b = 0; b < bins_; ++b) there += std::max(room_[b], 0);
    for (std::size_t i = 0; i < sizes_; ++i) {
      if (items_[i].count > there / items_[i].size) return hosting::no;
      asked += items_[i].count * items_[i].size;
    }
    if (asked > there) return hosting::no;
    const auto before = room_;
    if (tightest_fit()) return hosting::yes;
    room_ = before;
    for (std::size_t i = 0; i < sizes_; ++i) packed_[i].fill(0);
    if (size_from(0)) return hosting::yes;
    return steps_ >= most_steps ? hosting::unknown : hosting::no;
  }
  /// Tries it took; 0 where the first one did.
  [[nodiscard]] std::uint32_t steps() const noexcept { return steps_; }
  [[nodiscard]] pod_count count(std::size_t added, std::size_t bin) const noexcept { return packed_[added][bin]; }

 private:
  struct items {
    std::int32_t size = 0;
    pod_count count = 0;
    std::size_t number = 0;
  };

  bool tightest_fit() noexcept {
    for (std::size_t i = 0; i < sizes_; ++i) {
      const items& one = items_[i];
      for (pod_count left = one.count; left > 0;) {
        std::size_t best = bins_;
        for (std::size_t b = 0; b < bins_; ++b)
          if (room_[b] >= one.size && (best == bins_ || room_[b] < room_[best])) best = b;
        if (best == bins_) return false;
        const auto here = static_cast<std::int32_t>(std::min<pod_count>(left, room_[best] / one.size));
        packed_[one.number][best] += here;
        room_[best] -= here * one.size;
        left -= here;
      }
    }
    return true;
  }

  bool size_from(std::size_t i) noexcept {
    if (i == sizes_) return true;
    pod_count there = 0;
    for (std::size_t b = 0; b < bins_; ++b)
      if (room_[b] > 0) there += room_[b] / items_[i].size;
    if (there < items_[i].count) return false;
    const auto before = room_;
    return bin_from(i, 0, items_[i].count, there, before);
  }

  /// Spreads the items of a size that are left over the bins from `b` on. \param there what these bins hold at most
  bool bin_from(std::size_t i, std::size_t b, pod_count left, pod_count there,
                const std::array<std::int32_t, Bins>& before) noexcept {
    if (left == 0) return size_from(i + 1);
    if (++steps_ >= most_steps || b == bins_ || there < left) return false;
    const items& one = items_[i];
    const pod_count here = before[b] > 0 ? before[b] / one.size : 0;
    pod_count most = std::min(here, left);
    for (std::size_t twin = b; twin-- > 0;)
      if (before[twin] == before[b]) {
        most = std::min<pod_count>(most, packed_[one.number][twin]);
        break;
      }
    for (pod_count k = most; k >= 0 && k + there - here >= left; --k) {
      packed_[one.number][b] = static_cast<std::int32_t>(k);
      room_[b] = before[b] - static_cast<std::int32_t>(k) * one.size;
      if (bin_from(i, b + 1, left - k, there - here, before)) return true;
      if (steps_ >= most_steps) break;
    }
    packed_[one.number][b] = 0;
    room_[b] = before[b];
    return false;
  }

  std::array<std::int32_t, Bins> room_{};
  std::array<items, most_sizes> items_{};
  std::array<std::array<std::int32_t, Bins>, most_sizes> packed_;  // rows of sizes that were added
  std::size_t bins_ = 0, sizes_ = 0;
  std::uint32_t steps_ = 0;
};

}  // namespace muster::inline MUSTER_ABI::resource_detail

#endif
