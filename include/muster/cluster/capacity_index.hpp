// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CLUSTER_CAPACITY_INDEX_HPP
#define MUSTER_CLUSTER_CAPACITY_INDEX_HPP

/// \file
/// Which nodes have how much left, as bitmaps over node positions.
///
/// Terms. A *position* is a node's place in the order (kind, topology path, host's key), so every node kind and,
/// within a kind, every unmerged domain is one run of positions. The *level* of an amount is its value in steps of a
/// power of two, chosen so that the largest node lies within the range; with at most 63 units on the largest node
/// the leading dimension is exact.
///
/// Structure. For the leading dimension one bitmap for each level: the nodes at exactly that level, with two
/// summary layers (a bit for 64 words). For every other dimension, cumulative bitmaps: the nodes at that level or
/// above. A search walks the levels of the leading dimension upwards from what a pod needs, and inside a word
/// intersects with what it needs of the others; 64 nodes that cannot host the pod cost one operation. Only open
/// nodes are in the index.
///
/// Invariants: a node is in exactly one leading bitmap iff it is open; a cumulative bitmap holds it iff its level
/// reaches. What passes the index may still not fit (levels are coarse, a model's dimensions are only necessary):
/// the model is asked. What does not pass cannot fit.
///
/// \complexity a move costs O(dimensions + levels crossed); n nodes need n * (levels + 15 * (dimensions - 1)) bits

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace muster::inline MUSTER_ABI {

/// Levels of one node, or the levels a request needs, one a dimension.
template <std::size_t Dimensions>
using level_vector = std::array<std::uint8_t, Dimensions == 0 ? 1 : Dimensions>;

template <std::size_t Dimensions>
class capacity_index {
 public:
  static constexpr std::size_t leading_levels = 64;
  static constexpr std::size_t other_levels = 16;
  using word = std::uint64_t;
  using levels = level_vector<Dimensions>;

  /// Empties the index and fits it to `nodes` positions and the largest amount of each dimension.
  void reset(std::size_t nodes, const std::array<amount, Dimensions == 0 ? 1 : Dimensions>& largest) {
    nodes_ = nodes;
    words_ = (nodes + 63) / 64;
    summary_words_ = (words_ + 63) / 64;
    top_words_ = (summary_words_ + 63) / 64;
    for (std::size_t d = 0; d < Dimensions; ++d) {
      const amount top = static_cast<amount>(d == 0 ? leading_levels : other_levels) - 1;
      shift_[d] = 0;
      while ((largest[d] >> shift_[d]) > top) ++shift_[d];
    }
    leading_count_ = Dimensions == 0 ? 1 : static_cast<std::size_t>(largest[0] >> shift_[0]) + 1;
    for (std::size_t d = 1; d < Dimensions; ++d)
      other_count_[d] = static_cast<std::size_t>(largest[d] >> shift_[d]);
    std::size_t total = leading_count_ * stride();
    for (std::size_t d = 1; d < Dimensions; ++d) {
      other_base_[d] = total;
      total += other_count_[d] * words_;
    }
    bits_.assign(total, 0);
    bits_.shrink_to_fit();
    population_.fill(0);
  }

  /// The level of an amount left; negative amounts are at level 0.
  [[nodiscard]] std::uint8_t level_of(amount left, std::size_t dimension) const noexcept {
    if (left <= 0) return 0;
    const amount level = left >> shift_[dimension];
    const amount top = static_cast<amount>(dimension == 0 ? leading_count_ - 1 : other_count_[dimension]);
    return static_cast<std::uint8_t>(std::min(level, top));
  }
  /// The level below which no node can give `needed`; 255 if no node is large enough.
  [[nodiscard]] std::uint8_t level_needed(amount needed, std::size_t dimension) const noexcept {
    if (needed <= 0) return 0;
    const amount level = needed >> shift_[dimension];
    const amount top = static_cast<amount>(dimension == 0 ? leading_count_ - 1 : other_count_[dimension]);
    return level > top ? std::uint8_t{255} : static_cast<std::uint8_t>(level);
  }
  /// Whether a capacity can be indexed without a reset.
  [[nodiscard]] bool covers(amount capacity, std::size_t dimension) const noexcept {
    return (capacity >> shift_[dimension]) <
           static_cast<amount>(dimension == 0 ? leading_count_ : other_count_[dimension] + 1);
  }
  /// Whether a capacity is at the highest level. \pre covers
  [[nodiscard]] bool is_top(amount capacity, std::size_t dimension) const noexcept {
    return (std::max<amount>(capacity, 0) >> shift_[dimension]) ==
           static_cast<amount>(dimension == 0 ? leading_count_ - 1 : other_count_[dimension]);
  }
  /// Whether a level of the leading dimension is one amount, not a range.
  [[nodiscard]] bool leading_is_exact() const noexcept { return Dimensions > 0 && shift_[0] == 0; }
  [[nodiscard]] std::size_t leading_level_count() const noexcept { return leading_count_; }
  [[nodiscard]] std::size_t size() const noexcept { return nodes_; }
  [[nodiscard]] std::size_t words() const noexcept { return words_; }
  /// Open nodes at a level of the leading dimension.
  [[nodiscard]] std::uint32_t population(std::size_t level) const noexcept { return population_[level]; }
  [[nodiscard]] std::size_t bytes() const noexcept { return bits_.capacity() * sizeof(word); }

  [[nodiscard]] word bits(std::size_t i) const noexcept { return bits_[i]; }

  void insert(std::size_t position, const levels& at) noexcept {
    own_bits store{*this};
    set_leading(store, position, at[0]);
    ++population_[at[0]];
    for (std::size_t d = 1; d < Dimensions; ++d)
      for (std::size_t l = 1; l <= at[d]; ++l) set_other(store, position, d, l, true);
  }
  void erase(std::size_t position, const levels& at) noexcept {
    own_bits store{*this};
    clear_leading(store, position, at[0]);
    --population_[at[0]];
    for (std::size_t d = 1; d < Dimensions; ++d)
      for (std::size_t l = 1; l <= at[d]; ++l) set_other(store, position, d, l, false);
  }
  void move(std::size_t position, const levels& from, const levels& to) noexcept {
    if (from[0] != to[0]) {
      --population_[from[0]];
      ++population_[to[0]];
    }
    own_bits store{*this};
    move_in(store, position, from, to);
  }

  /// The same move on bits that are kept elsewhere (an overlay's): `store.at(i)` is a word to change.
  template <class Store>
  void move_in(Store& store, std::size_t position, const levels& from, const levels& to) const {
    if (from[0] != to[0]) {
      clear_leading(store, position, from[0]);
      set_leading(store, position, to[0]);
    }
    for (std::size_t d = 1; d < Dimensions; ++d) {
      for (std::size_t l = from[d]; l > to[d]; --l) set_other(store, position, d, l, false);
      for (std::size_t l = std::size_t{from[d]} + 1; l <= to[d]; ++l) set_other(store, position, d, l, true);
    }
  }

  /// Calls `visit(position)` for the nodes of one leading level within [first, last) that reach `needed` in
  /// every other dimension, in position order, until it returns false. Returns false if it was stopped.
  template <class Reader, class Visit>
  bool visit_level(const Reader& read, std::size_t level, const levels& needed, std::size_t first, std::size_t last,
                   Visit&& visit) const {
    return visit_words(read, level, first, last, [&](std::size_t w, word here) {
      for (std::size_t d = 1; d < Dimensions; ++d) here &= reaching(read, d, needed[d], w);
      for (; here != 0; here &= here - 1)
        if (!visit(w * 64 + static_cast<std::size_t>(std::countr_zero(here)))) return false;
      return true;
    });
  }

  /// Calls `visit(w, nodes)` for every word w with nodes of one leading level within [first, last), until it returns
  /// false.
  template <class Reader, class Visit>
  bool visit_words(const Reader& read, std::size_t level, std::size_t first, std::size_t last, Visit&& visit) const {
    const std::size_t base = level * stride();
    for (std::size_t w = first / 64; w * 64 < last; ++w) {
      word here = read(base + w);
      if (here == 0) {
        w = next_word(read, base, w + 1);
        if (w * 64 >= last) return true;
        here = read(base + w);
      }
      if (w == first / 64) here &= ~word{0} << (first % 64);
      if (last - w * 64 < 64) here &= (word{1} << (last - w * 64)) - 1;
      if (here != 0 && !visit(w, here)) return false;
    }
    return true;
  }

  /// Of the nodes of word w, those at a level of another dimension than the leading one, or above. At level 0 is
  /// everybody.
  template <class Reader>
  [[nodiscard]] word reaching(const Reader& read, std::size_t dimension, std::size_t level, std::size_t w) const {
    if (level == 0) return ~word{0};
    return level > other_count_[dimension] ? word{0} : read(other_base_[dimension] + (level - 1) * words_ + w);
  }

 private:
  struct own_bits {
    capacity_index& index;
    [[nodiscard]] word& at(std::size_t i) noexcept { return index.bits_[i]; }
  };

  [[nodiscard]] std::size_t stride() const noexcept { return words_ + summary_words_ + top_words_; }

  template <class Store>
  void set_leading(Store& store, std::size_t position, std::size_t level) const {
    std::size_t base = level * stride();
    std::size_t i = position;
    for (const std::size_t length : {words_, summary_words_, top_words_}) {
      word& here = store.at(base + i / 64);
      const word old = here;
      here |= word{1} << (i % 64);
      if (old != 0) return;
      i /= 64;
      base += length;
    }
  }

  template <class Store>
  void clear_leading(Store& store, std::size_t position, std::size_t level) const {
    std::size_t base = level * stride();
    std::size_t i = position;
    for (const std::size_t length : {words_, summary_words_, top_words_}) {
      const word left = store.at(base + i / 64) &= ~(word{1} << (i % 64));
      if (left != 0) return;
      i /= 64;
      base += length;
    }
  }

  template <class Store>
  void set_other(Store& store, std::size_t position, std::size_t dimension, std::size_t level, bool on) const {
    const std::size_t i = other_base_[dimension] + (level - 1) * words_ + position / 64;
    const word bit = word{1} << (position % 64);
    word& here = store.at(i);
    here = on ? here | bit : here & ~bit;
  }

  /// First word at or after `w` with a bit in the plane at `base`; words() if there is none.
  template <class Reader>
  [[nodiscard]] std::size_t next_word(const Reader& read, std::size_t base, std::size_t w) const {
    std::size_t s = w / 64;
    if (s >= summary_words_) return words_;
    word here = read(base + words_ + s) & (~word{0} << (w % 64));
    if (here == 0) {
      std::size_t t = (s + 1) / 64;
      if (t >= top_words_) return words_;
      word top = read(base + words_ + summary_words_ + t) & (~word{0} << ((s + 1) % 64));
      while (top == 0) {
        if (++t >= top_words_) return words_;
        top = read(base + words_ + summary_words_ + t);
      }
      s = t * 64 + static_cast<std::size_t>(std::countr_zero(top));
      here = read(base + words_ + s);
    }
    return s * 64 + static_cast<std::size_t>(std::countr_zero(here));
  }

  std::vector<word> bits_;
  std::size_t nodes_ = 0, words_ = 0, summary_words_ = 0, top_words_ = 0;
  std::size_t leading_count_ = 1;
  std::array<std::uint8_t, Dimensions == 0 ? 1 : Dimensions> shift_{};
  std::array<std::size_t, Dimensions == 0 ? 1 : Dimensions> other_count_{};
  std::array<std::size_t, Dimensions == 0 ? 1 : Dimensions> other_base_{};
  std::array<std::uint32_t, leading_levels> population_{};
};

}  // namespace muster::inline MUSTER_ABI

#endif
