// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_HASHED_ITEMS_HPP
#define MUSTER_PLACEMENT_DETAIL_HASHED_ITEMS_HPP

/// \file
/// Finds again what a search has seen: items that it numbers 0, 1, 2 ... as it adds them, by a hash of each.
///
/// The items stay with the caller, who says of a number whether it is the item looked for: equal hashes may be of
/// different items. `start` forgets all and keeps the memory, at a cost that does not depend on what there was. (That
/// is what core/slot_table.hpp does not do: it is for keys of which each stands for one record, and that stay.)

#include <muster/core/config.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

class hashed_items {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  void start() {
    hashes_.clear();
    table_.assign(64, none);
  }

  /// The first number added with this hash of which is_it(number); `none` if there is none. \complexity O(1) expected
  template <class IsIt>
  [[nodiscard]] std::uint32_t find(std::uint64_t hash, const IsIt& is_it) const {
    for (std::size_t at = hash & mask(); table_[at] != none; at = (at + 1) & mask())
      if (hashes_[table_[at]] == hash && is_it(table_[at])) return table_[at];
    return none;
  }

  /// Adds the next item. \complexity O(1) expected and amortised
  void add(std::uint64_t hash) {
    hashes_.push_back(hash);
    if (hashes_.size() * 2 <= table_.size()) {
      put(static_cast<std::uint32_t>(hashes_.size() - 1));
      return;
    }
    table_.assign(table_.size() * 4, none);
    for (std::uint32_t item = 0; item < hashes_.size(); ++item) put(item);
  }

 private:
  [[nodiscard]] std::size_t mask() const noexcept { return table_.size() - 1; }
  void put(std::uint32_t item) noexcept {
    std::size_t at = hashes_[item] & mask();
    while (table_[at] != none) at = (at + 1) & mask();
    table_[at] = item;
  }

  std::vector<std::uint64_t> hashes_;  // of each item
  std::vector<std::uint32_t> table_;   // open addressing; a power of two, at most half full
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
