// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CORE_SLOT_MAP_HPP
#define MUSTER_CORE_SLOT_MAP_HPP

/// \file
/// A map from the slots of records to what only few records have.
///
/// Entries lie beside each other; an open-addressing table with linear probing says where. To erase moves the last
/// entry into the gap and the table's later probes back, so that nothing is left of what went and the memory is kept:
/// what comes and goes allocates nothing. A sorted array would be moved once for each of many that come together.
///
/// \complexity find, at and erase O(1) expected \determinism entries stand in an order that follows from the calls

#include <muster/core/config.hpp>
#include <muster/core/hash.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI {

template <class Value>
class slot_map {
 public:
  using entry = std::pair<std::uint32_t, Value>;

  [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }
  [[nodiscard]] auto begin() const noexcept { return entries_.begin(); }
  [[nodiscard]] auto end() const noexcept { return entries_.end(); }

  [[nodiscard]] const Value* find(std::uint32_t slot) const noexcept {
    if (entries_.empty()) return nullptr;
    const std::uint32_t at = cells_[cell_of(slot)];
    return at == free_cell ? nullptr : &entries_[at].second;
  }

  /// The value of a slot, made if there is none. It stays where it is until the next `at` of a new slot or `erase`.
  [[nodiscard]] Value& at(std::uint32_t slot) {
    if ((entries_.size() + 1) * 2 > cells_.size()) grow();
    const std::size_t cell = cell_of(slot);
    if (cells_[cell] == free_cell) {
      entries_.emplace_back(slot, Value{});
      cells_[cell] = static_cast<std::uint32_t>(entries_.size() - 1);
    }
    return entries_[cells_[cell]].second;
  }

  /// Forgets a slot, if it is there.
  void erase(std::uint32_t slot) noexcept {
    if (entries_.empty()) return;
    std::size_t gap = cell_of(slot);
    const std::uint32_t at = cells_[gap];
    if (at == free_cell) return;
    cells_[cell_of(entries_.back().first)] = at;
    if (at + 1 != entries_.size()) entries_[at] = std::move(entries_.back());
    entries_.pop_back();
    cells_[gap] = free_cell;
    for (std::size_t next = (gap + 1) & mask(); cells_[next] != free_cell; next = (next + 1) & mask()) {
      const std::size_t home = mixed(entries_[cells_[next]].first) & mask();
      if (((next - home) & mask()) < ((next - gap) & mask())) continue;  // it is found without the gap
      cells_[gap] = std::exchange(cells_[next], free_cell);
      gap = next;
    }
  }

 private:
  static constexpr std::uint32_t free_cell = ~std::uint32_t{0};

  [[nodiscard]] std::size_t mask() const noexcept { return cells_.size() - 1; }

  /// The cell of a slot, or the free one where it would go.
  [[nodiscard]] std::size_t cell_of(std::uint32_t slot) const noexcept {
    std::size_t i = mixed(slot) & mask();
    while (cells_[i] != free_cell && entries_[cells_[i]].first != slot) i = (i + 1) & mask();
    return i;
  }

  void grow() {
    cells_.assign(cells_.empty() ? 16 : cells_.size() * 2, free_cell);
    for (std::size_t at = 0; at < entries_.size(); ++at)
      cells_[cell_of(entries_[at].first)] = static_cast<std::uint32_t>(at);
  }

  std::vector<entry> entries_;
  std::vector<std::uint32_t> cells_;  ///< positions in entries_
};

}  // namespace muster::inline MUSTER_ABI

#endif
