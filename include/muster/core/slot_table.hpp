// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CORE_SLOT_TABLE_HPP
#define MUSTER_CORE_SLOT_TABLE_HPP

/// \file
/// From the host's 64-bit key to the slot of a record, in one probe or a few.
///
/// The keys stay in the records, so the table costs 4 bytes an entry at a load of one half to a quarter: an
/// open-addressing table with linear probing, to which the caller passes the function that reads the
/// key at a slot. Records are never removed one by one (a record that ended stays as a tombstone until
/// the host forgets it), so there is no erase. `std::unordered_map` would cost a node and a pointer chase per
/// object on the path of every change.

#include <muster/core/config.hpp>
#include <muster/core/hash.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace muster::inline MUSTER_ABI {

inline constexpr std::uint32_t no_slot = ~std::uint32_t{0};

class slot_table {
 public:
  /// Slot whose key is `key`, or no_slot. \complexity O(1) expected.
  template <class KeyAt>
  [[nodiscard]] std::uint32_t find(std::uint64_t key, KeyAt key_at) const noexcept {
    if (slots_.empty()) return no_slot;
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = mixed(key) & mask;; i = (i + 1) & mask) {
      const std::uint32_t slot = slots_[i];
      if (slot == no_slot || key_at(slot) == key) return slot;
    }
  }

  /// Adds a slot whose key is not in the table yet.
  template <class KeyAt>
  void insert(std::uint32_t slot, KeyAt key_at) {
    if ((size_ + 1) * 2 > slots_.size()) rebuild(size_ < 8 ? 16 : size_ * 4, key_at);
    place(slot, key_at(slot));
    ++size_;
  }

  /// Forgets every entry; the caller inserts what remains.
  void clear() noexcept {
    slots_.clear();
    size_ = 0;
  }

  [[nodiscard]] std::size_t bytes() const noexcept { return slots_.capacity() * sizeof(std::uint32_t); }

 private:
  template <class KeyAt>
  void rebuild(std::size_t wanted, KeyAt key_at) {
    std::size_t capacity = 16;
    while (capacity < wanted) capacity *= 2;
    std::vector<std::uint32_t> old(capacity, no_slot);
    old.swap(slots_);
    for (const std::uint32_t slot : old)
      if (slot != no_slot) place(slot, key_at(slot));
  }

  void place(std::uint32_t slot, std::uint64_t key) noexcept {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = mixed(key) & mask;
    while (slots_[i] != no_slot) i = (i + 1) & mask;
    slots_[i] = slot;
  }

  std::vector<std::uint32_t> slots_;
  std::size_t size_ = 0;
};

}  // namespace muster::inline MUSTER_ABI

#endif
