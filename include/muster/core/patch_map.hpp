// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CORE_PATCH_MAP_HPP
#define MUSTER_CORE_PATCH_MAP_HPP

/// \file
/// A small map from 32-bit numbers to values that differ from what lies underneath: what an overlay changed.
///
/// Open addressing, nothing is erased one by one; `clear` costs what was put in and keeps the memory.

#include <muster/core/config.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI {

template <class Value>
class patch_map {
 public:
  [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }

  [[nodiscard]] const Value* find(std::uint32_t key) const noexcept {
    if (entries_.empty()) return nullptr;
    const cell& here = cells_[cell_of(key)];
    return here.key == nobody ? nullptr : &entries_[here.entry].value;
  }
  [[nodiscard]] Value* find(std::uint32_t key) noexcept {
    return const_cast<Value*>(std::as_const(*this).find(key));
  }

  /// The value at `key`, made from `initial` if there is none. It may move when another is made.
  /// \pre key is not the largest number
  Value& at(std::uint32_t key, const Value& initial) {
    if (Value* found = find(key)) return *found;
    if ((entries_.size() + 1) * 2 > cells_.size()) grow();
    cells_[cell_of(key)] = {key, static_cast<std::uint32_t>(entries_.size())};
    entries_.push_back({key, initial});
    return entries_.back().value;
  }

  /// Keys in the order they were first put in.
  [[nodiscard]] std::uint32_t key(std::size_t nth) const noexcept { return entries_[nth].key; }
  [[nodiscard]] const Value& value(std::size_t nth) const noexcept { return entries_[nth].value; }

  void clear() noexcept {
    for (std::size_t i = entries_.size(); i-- > 0;) cells_[cell_of(entries_[i].key)].key = nobody;
    entries_.clear();
  }

 private:
  static constexpr std::uint32_t nobody = ~std::uint32_t{0};
  struct cell {
    std::uint32_t key = nobody, entry = 0;
  };
  struct entry {
    std::uint32_t key;
    Value value;
  };

  /// Where a key is, or would be. Keys are neighbours more often than not, which Fibonacci hashing (Knuth, TAOCP 3,
  /// 6.4) keeps apart.
  [[nodiscard]] std::size_t cell_of(std::uint32_t key) const noexcept {
    std::size_t i = (key * 0x9e3779b97f4a7c15U) >> shift_;
    while (cells_[i].key != key && cells_[i].key != nobody) i = (i + 1) & mask_;
    return i;
  }

  void grow() {
    cells_.assign(cells_.empty() ? 64 : cells_.size() * 2, {});
    mask_ = cells_.size() - 1;
    shift_ = 64U - static_cast<unsigned>(std::bit_width(mask_));
    for (std::size_t i = 0; i < entries_.size(); ++i)
      cells_[cell_of(entries_[i].key)] = {entries_[i].key, static_cast<std::uint32_t>(i)};
  }

  std::vector<cell> cells_;
  std::vector<entry> entries_;
  std::size_t mask_ = 0;
  unsigned shift_ = 0;
};

}  // namespace muster::inline MUSTER_ABI

#endif
