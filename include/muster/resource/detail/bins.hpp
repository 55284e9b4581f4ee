// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_RESOURCE_DETAIL_BINS_HPP
#define MUSTER_RESOURCE_DETAIL_BINS_HPP

/// \file
/// Exact packing of items of a few sizes into a few bins: shares onto devices, whole devices into link groups.
///
/// Tightest fit, largest first, is tried first. Where it fails, bin after bin is filled in every way that can matter.
/// Of all packings look at the one whose first bin holds the most of the largest size, then of the next, and so on
/// bin by bin: no item of a later bin fits into an earlier one beside what is there, so only fillings that are full in
/// this sense are tried; and no filling wastes more room than all items together leave. What is left for the bins from
/// one on, once found to be too much, is remembered: fillings in another order lead to the same question. The problem
/// is hard in general; past `most_steps` the answer is `unknown`, never a guess.

#include <muster/core/config.hpp>
#include <muster/core/hash.hpp>
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
  static constexpr std::uint32_t most_steps = 1U << 18U;

  void add_bin(std::int32_t room) noexcept {
    bins_[count_] = {room, count_};
    ++count_;
  }
  /// Items of one size. \pre size > 0; fewer than most_sizes were added
  void add_items(std::int32_t size, pod_count count) noexcept {
    items_[sizes_] = {size, static_cast<std::int32_t>(count), sizes_};
    packed_[sizes_].fill(0);
    ++sizes_;
  }
  [[nodiscard]] std::size_t bins() const noexcept { return count_; }

  /// Packs all items; then count(i, b) says how many of the i-th added size lie in the b-th added bin.
  [[nodiscard]] hosting pack() noexcept {
    std::sort(items_.begin(), items_.begin() + sizes_, [](const item& a, const item& b) {
      return a.size != b.size ? a.size > b.size : a.number < b.number;
    });
    pod_count there = 0;
    for (std::size_t b = 0; b < count_; ++b) there += std::max(bins_[b].room, 0);
    pod_count asked = 0;
    for (std::size_t i = 0; i < sizes_; ++i) {
      if (items_[i].left > there / items_[i].size) return hosting::no;
      asked += pod_count{items_[i].left} * items_[i].size;
    }
    if (asked > there) return hosting::no;
    const auto rooms = bins_;
    const auto items = items_;
    if (tightest_fit()) return hosting::yes;
    bins_ = rooms;
    items_ = items;
    for (std::size_t i = 0; i < sizes_; ++i) packed_[i].fill(0);
    std::sort(bins_.begin(), bins_.begin() + count_,
              [](const bin& a, const bin& b) { return a.room != b.room ? a.room < b.room : a.number < b.number; });
    asked_ = asked;
    dead_.fill(nothing);
    return fill_from(0, there) ? hosting::yes : steps_ >= most_steps ? hosting::unknown : hosting::no;
  }
  /// Tries it took; 0 where the first one did.
  [[nodiscard]] std::uint32_t steps() const noexcept { return steps_; }
  [[nodiscard]] pod_count count(std::size_t added, std::size_t b) const noexcept { return packed_[added][b]; }

 private:
  struct item {
    std::int32_t size = 0, left = 0;  // left: still to be packed
    std::size_t number = 0;           // in the order in which they were added
  };
  struct bin {
    std::int32_t room = 0;
    std::size_t number = 0;
  };
  static constexpr std::uint16_t nothing = 0xffff;
  static constexpr std::size_t most_numbers = 16384;  // that dead ends are remembered in
  static constexpr std::size_t table_size = 2048;

  bool tightest_fit() noexcept {
    for (std::size_t i = 0; i < sizes_; ++i) {
      item& one = items_[i];
      while (one.left > 0) {
        bin* best = nullptr;
        for (std::size_t b = 0; b < count_; ++b)
          if (bins_[b].room >= one.size && (best == nullptr || bins_[b].room < best->room)) best = &bins_[b];
        if (best == nullptr) return false;
        const std::int32_t here = std::min(one.left, best->room / one.size);
        packed_[one.number][best->number] += here;
        best->room -= here * one.size;
        one.left -= here;
      }
    }
    return true;
  }

  /// Packs what is left into the bins from `b` on, which have `there` room.
  bool fill_from(std::size_t b, pod_count there) noexcept {
    if (asked_ == 0) return true;
    if (asked_ > there || is_short_of_slots(b)) return false;
    if (dead_[find_dead_end(b)] != nothing) return false;
    const std::int32_t room = std::max(bins_[b].room, 0);
    if (add_items_from(b, 0, room, there - asked_, there - room)) return true;
    if (steps_ < most_steps) remember_dead_end(b);
    return false;
  }

  /// Chooses how many items of the sizes from `i` on a bin takes into the room it has left, then fills the bins behind
  /// it. \param waste room it may leave empty \param behind room of the bins behind it
  bool add_items_from(std::size_t b, std::size_t i, std::int32_t room, pod_count waste, pod_count behind) noexcept {
    if (++steps_ >= most_steps) return false;
    while (i < sizes_ && (items_[i].left == 0 || items_[i].size > room)) ++i;
    if (i == sizes_) return room <= waste && !takes_one_more(room) && fill_from(b + 1, behind);
    item& one = items_[i];
    pod_count smaller = 0;  // what the sizes behind it could add
    for (std::size_t k = i + 1; k < sizes_ && smaller <= room; ++k)
      smaller += pod_count{items_[k].left} * items_[k].size;
    std::int32_t& here = packed_[one.number][bins_[b].number];
    for (std::int32_t taken = std::min(one.left, room / one.size); taken >= 0; --taken) {
      const std::int32_t rest = room - taken * one.size;
      if (rest - smaller > waste) return false;
      take(one, here, taken);
      if (add_items_from(b, i + 1, rest, waste, behind)) return true;
      take(one, here, -taken);
      if (steps_ >= most_steps) return false;
    }
    return false;
  }
  void take(item& from, std::int32_t& to, std::int32_t items) noexcept {
    to += items;
    from.left -= items;
    asked_ -= pod_count{items} * from.size;
  }

  [[nodiscard]] bool takes_one_more(std::int32_t room) const noexcept {
    for (std::size_t i = 0; i < sizes_; ++i)
      if (items_[i].left > 0 && items_[i].size <= room) return true;
    return false;
  }
  /// Whether the bins from `b` on take too few items of a size, even if it alone were left.
  [[nodiscard]] bool is_short_of_slots(std::size_t b) const noexcept {
    for (std::size_t i = 0; i < sizes_; ++i) {
      pod_count slots = 0;
      for (std::size_t k = b; k < count_ && slots < items_[i].left; ++k)
        slots += std::max(bins_[k].room, 0) / items_[i].size;
      if (slots < items_[i].left) return true;
    }
    return false;
  }

  // ---- dead ends: a bin, and how many items of each size the bins from it on cannot take

  [[nodiscard]] std::size_t numbers_each() const noexcept { return sizes_ + 1; }
  /// Where the table has it, or would.
  [[nodiscard]] std::size_t find_dead_end(std::size_t b) const noexcept {
    hasher hash;
    hash.add(b);
    for (std::size_t i = 0; i < sizes_; ++i) hash.add(items_[i].left);
    std::size_t at = hash.value() % table_size;
    for (; dead_[at] != nothing; at = (at + 1) % table_size) {
      const std::uint16_t* one = &numbers_[dead_[at] * numbers_each()];
      bool same = one[0] == b;
      for (std::size_t i = 0; i < sizes_ && same; ++i) same = one[i + 1] == items_[i].left;
      if (same) break;
    }
    return at;
  }
  /// Remembers it, if there is room.
  void remember_dead_end(std::size_t b) noexcept {
    if (known_ * 2 >= table_size || (known_ + 1) * numbers_each() > most_numbers) return;
    std::uint16_t* one = &numbers_[known_ * numbers_each()];
    *one++ = static_cast<std::uint16_t>(b);
    for (std::size_t i = 0; i < sizes_; ++i) *one++ = static_cast<std::uint16_t>(items_[i].left);
    dead_[find_dead_end(b)] = known_++;
  }

  std::array<bin, Bins> bins_;
  std::array<item, most_sizes> items_;
  std::array<std::array<std::int32_t, Bins>, most_sizes> packed_;  // rows of sizes that were added
  std::size_t count_ = 0, sizes_ = 0;
  pod_count asked_ = 0;  // the sizes of all items still to be packed
  std::uint32_t steps_ = 0;
  // of dead ends; read and written only where tightest fit failed
  std::array<std::uint16_t, table_size> dead_;
  std::array<std::uint16_t, most_numbers> numbers_;
  std::uint16_t known_ = 0;
};

}  // namespace muster::inline MUSTER_ABI::resource_detail

#endif
