// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_COUNTS_HPP
#define MUSTER_PLACEMENT_DETAIL_COUNTS_HPP

/// \file
/// Pods per class, packed side by side into a few words.
///
/// Every count has a field of one width and a guard bit above it, so that a whole vector is subtracted, each count
/// not below 0, in four operations a word: set all guards, subtract, and keep the fields whose guard is still set.

#include <muster/core/config.hpp>

#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>

namespace muster::inline MUSTER_ABI::placement_detail {

/// Pods of one class on a node, in a domain or in a demand; a group has at most max_pods_per_group pods.
using class_count = std::uint32_t;

template <std::size_t Words>
struct packed_counts {
  std::array<std::uint64_t, Words> words{};
  friend auto operator<=>(const packed_counts&, const packed_counts&) = default;
};

/// Where each class has its field.
class count_layout {
 public:
  count_layout() = default;

  /// \pre most >= every count that will be packed
  count_layout(std::size_t classes, class_count most) noexcept
      : classes_{classes}, width_{static_cast<unsigned>(std::bit_width(most)) + 1U}, fields_{64U / width_} {
    for (unsigned i = 0; i < fields_; ++i) guards_ |= std::uint64_t{1} << (i * width_ + width_ - 1U);
  }

  [[nodiscard]] std::size_t words() const noexcept { return (classes_ + fields_ - 1) / fields_; }

  template <std::size_t Words>
  [[nodiscard]] packed_counts<Words> pack(std::span<const class_count> counts) const noexcept {
    packed_counts<Words> to;
    for (std::size_t c = 0; c < classes_; ++c) to.words[c / fields_] |= std::uint64_t{counts[c]} << shift(c);
    return to;
  }

  template <std::size_t Words>
  void unpack(const packed_counts<Words>& from, std::span<class_count> counts) const noexcept {
    const std::uint64_t field = (std::uint64_t{1} << (width_ - 1U)) - 1U;
    for (std::size_t c = 0; c < classes_; ++c)
      counts[c] = static_cast<class_count>(from.words[c / fields_] >> shift(c) & field);
  }

  /// a - b, no count below 0. \param clipped set if any would have been
  template <std::size_t Words>
  [[nodiscard]] packed_counts<Words> subtract(const packed_counts<Words>& a, const packed_counts<Words>& b,
                                              bool& clipped) const noexcept {
    packed_counts<Words> left;
    std::uint64_t lost = 0;
    for (std::size_t w = 0; w < Words; ++w) {
      const std::uint64_t difference = (a.words[w] | guards_) - b.words[w];
      const std::uint64_t kept = difference & guards_;
      left.words[w] = difference & (kept - (kept >> (width_ - 1U)));
      lost |= kept ^ guards_;
    }
    clipped = lost != 0;
    return left;
  }

  /// Whether two vectors differ in the last class at most. In order, such vectors stand side by side.
  template <std::size_t Words>
  [[nodiscard]] bool differ_in_last_only(const packed_counts<Words>& a, const packed_counts<Words>& b) const noexcept {
    const std::size_t last = (classes_ - 1) / fields_;
    for (std::size_t w = 0; w < Words; ++w) {
      std::uint64_t difference = a.words[w] ^ b.words[w];
      if (w == last) difference &= ~(((std::uint64_t{1} << width_) - 1U) << shift(classes_ - 1));
      if (difference != 0) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] unsigned shift(std::size_t c) const noexcept {
    return width_ * (fields_ - 1U - static_cast<unsigned>(c % fields_));
  }

  std::size_t classes_ = 1;
  unsigned width_ = 2;
  unsigned fields_ = 32;
  std::uint64_t guards_ = 0;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
