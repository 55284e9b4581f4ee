// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CORE_TOPOLOGY_HPP
#define MUSTER_CORE_TOPOLOGY_HPP

/// \file
/// Where nodes stand: an ordered list of levels, coarse to fine (zone, block, rack), each a label on the node.
///
/// A *domain* of level l is the path of label values down to l: "rack 1 of zone 1" and "rack 1 of zone 2" differ. A
/// level marked `merge_equal_names` drops the parents from the path: there its value alone names the domain. A node
/// that lacks the label of a level belongs to no domain of that level; a missing coarser label is part of the path
/// like a value. The node itself is the lowest level, `node_level`.
///
/// Two levels *nest* if of any two of their domains one holds the other or they share no node. A domain that is a
/// whole path lies within one domain of every coarser level, merged or not; a merged value may lie across several.

#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/storage.hpp>

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace muster::inline MUSTER_ABI {

/// Index of a level, 0 the coarsest.
enum class topology_level : std::uint8_t {};
inline constexpr topology_level node_level{255};  ///< each node is its own domain
inline constexpr topology_level no_level{254};    ///< "anywhere"
inline constexpr std::size_t max_levels = 8;

struct level_rule {
  bool merge_equal_names = false;
};

/// The levels of one cluster; fixed when the cluster is made.
struct topology {
  short_list<level_rule, 4> levels;

  [[nodiscard]] std::size_t size() const noexcept { return levels.size(); }
  /// Whether `level` is a level of this topology or the node itself.
  [[nodiscard]] bool has(topology_level level) const noexcept {
    return level == node_level || static_cast<std::size_t>(level) < levels.size();
  }
  /// Whether the domains of a level nest in those of every coarser one, wherever nodes stand. \pre has(finer)
  [[nodiscard]] bool nests_in_coarser(topology_level finer) const noexcept {
    return finer == node_level || !levels[static_cast<std::size_t>(finer)].merge_equal_names;
  }
};

/// A topology of `levels` levels, none of them merged.
[[nodiscard]] inline topology nested_levels(std::size_t levels) {
  MUSTER_ASSERT(levels <= max_levels);
  topology result;
  result.levels.resize(levels);
  return result;
}

/// Label values of one node, index = level; a missing tail means no label. A plain value of fixed size: an overflowing
/// push is a broken precondition.
class labels {
 public:
  constexpr labels() noexcept = default;
  constexpr labels(std::initializer_list<label_id> values) noexcept {
    for (const label_id each : values) push_back(each);
  }

  [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
  [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] constexpr label_id operator[](std::size_t level) const noexcept { return values_[level]; }
  [[nodiscard]] constexpr label_id& operator[](std::size_t level) noexcept { return values_[level]; }
  [[nodiscard]] constexpr label_id back() const noexcept { return values_[size_ - 1U]; }
  [[nodiscard]] constexpr const label_id* begin() const noexcept { return values_.data(); }
  [[nodiscard]] constexpr const label_id* end() const noexcept { return values_.data() + size_; }

  /// Appends a label. \pre size() < max_levels
  constexpr void push_back(label_id value) noexcept {
    MUSTER_ASSERT(size_ < max_levels);
    if (size_ < max_levels) values_[size_++] = value;
  }
  /// Makes it `size` long, the new ones `value`. \pre size <= max_levels
  constexpr void resize(std::size_t size, label_id value) noexcept {
    while (size_ > size) values_[--size_] = label_id{};
    while (size_ < size && size_ < max_levels) push_back(value);
  }
  /// The first `count` labels.
  [[nodiscard]] constexpr labels first(std::size_t count) const noexcept {
    labels result = *this;
    result.resize(count, no_label);
    return result;
  }

  friend constexpr bool operator==(const labels&, const labels&) noexcept = default;
  /// By the first label that differs, then by length.
  friend constexpr auto operator<=>(const labels& a, const labels& b) noexcept {
    return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  std::array<label_id, max_levels> values_{};
  std::uint8_t size_ = 0;
};

/// Label of a level, or no_label.
[[nodiscard]] inline label_id label_at(const labels& values, std::size_t level) noexcept {
  return level < values.size() ? values[level] : no_label;
}

/// Names one domain for people and across rebuilds: its level and the label path down to it
/// (with a merged level only that level's own value).
struct domain_path {
  topology_level level = no_level;
  labels path;
  friend bool operator==(const domain_path& a, const domain_path& b) { return a.level == b.level && a.path == b.path; }
};

}  // namespace muster::inline MUSTER_ABI

#endif
