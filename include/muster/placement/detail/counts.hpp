// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_COUNTS_HPP
#define MUSTER_PLACEMENT_DETAIL_COUNTS_HPP

/// \file
/// Pods per class, packed side by side into a few words.
///
/// Every count has a field as wide as its class needs and a guard bit above it, so that a whole vector is subtracted
/// in three operations a word: set all guards, subtract, and see whether a guard is gone. Only then, where more was
/// taken of a class than there was, is its field looked at alone.

#include <muster/core/config.hpp>

#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

/// Pods of one class on a node, in a domain or in a demand; a group has at most max_pods_per_group pods.
using class_count = std::uint32_t;

template <std::size_t Words>
struct packed_counts {
  std::array<std::uint64_t, Words> words{};
  friend auto operator<=>(const packed_counts&, const packed_counts&) = default;
};

/// Where each class has its field: the first class in the highest bits of the first word, and no field in two words.
class count_layout {
 public:
  /// \param most the greatest count of each class that will be packed
  void arrange(std::span<const class_count> most) {
    fields_.clear();
    guards_.assign(1, 0);
    unsigned free = 64;
    for (const class_count one : most) {
      const auto width = static_cast<unsigned>(std::bit_width(one));
      if (free < width + 1U) {
        guards_.push_back(0);
        free = 64;
      }
      free -= width + 1U;
      guards_.back() |= std::uint64_t{1} << (free + width);
      fields_.push_back({guards_.size() - 1, free, (std::uint64_t{1} << width) - 1U});
    }
  }

  [[nodiscard]] std::size_t words() const noexcept { return guards_.size(); }

  /// \pre Words >= words()
  template <std::size_t Words>
  [[nodiscard]] packed_counts<Words> pack(std::span<const class_count> counts) const noexcept {
    packed_counts<Words> to;
    for (std::size_t c = 0; c < fields_.size(); ++c)
      to.words[fields_[c].word] |= std::uint64_t{counts[c]} << fields_[c].shift;
    return to;
  }

  template <std::size_t Words>
  void unpack(const packed_counts<Words>& from, std::span<class_count> counts) const noexcept {
    for (std::size_t c = 0; c < fields_.size(); ++c)
      counts[c] = static_cast<class_count>(from.words[fields_[c].word] >> fields_[c].shift & fields_[c].mask);
  }

  /// a - b, no count below 0. \param clipped set if any would have been
  template <std::size_t Words>
  [[nodiscard]] packed_counts<Words> subtract(const packed_counts<Words>& a, const packed_counts<Words>& b,
                                              bool& clipped) const noexcept {
    packed_counts<Words> left;
    std::uint64_t lost = 0;
    for (std::size_t w = 0; w < Words; ++w) {
      const std::uint64_t guards = w < guards_.size() ? guards_[w] : 0;
      const std::uint64_t difference = (a.words[w] | guards) - b.words[w];
      lost |= ~difference & guards;
      left.words[w] = difference & ~guards;
    }
    clipped = lost != 0;
    if (clipped) clip(a, b, left);
    return left;
  }

  /// Whether two vectors differ in the last class at most. In order, such vectors stand side by side.
  template <std::size_t Words>
  [[nodiscard]] bool differ_in_last_only(const packed_counts<Words>& a, const packed_counts<Words>& b) const noexcept {
    const field& last = fields_.back();
    for (std::size_t w = 0; w < Words; ++w) {
      std::uint64_t difference = a.words[w] ^ b.words[w];
      if (w == last.word) difference &= ~(last.mask << last.shift);
      if (difference != 0) return false;
    }
    return true;
  }

 private:
  struct field {
    std::size_t word;
    unsigned shift;
    std::uint64_t mask;
  };

  /// Sets the fields to 0 of which more is taken than there is.
  template <std::size_t Words>
  void clip(const packed_counts<Words>& a, const packed_counts<Words>& b, packed_counts<Words>& left) const noexcept {
    for (const field& one : fields_) {
      const std::uint64_t bits = one.mask << one.shift;
      if ((a.words[one.word] & bits) < (b.words[one.word] & bits)) left.words[one.word] &= ~bits;
    }
  }

  std::vector<field> fields_;
  std::vector<std::uint64_t> guards_;  // of each word
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
