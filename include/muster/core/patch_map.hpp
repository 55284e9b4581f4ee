// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CORE_PATCH_MAP_HPP
#define MUSTER_CORE_PATCH_MAP_HPP

/// \file
/// A small map from 32-bit numbers to values that differ from what lies underneath: what an overlay changed.
///
/// Open addressing, nothing is erased one by one; `clear` costs what was put in and keeps the memory.

#include <muster/core/config.hpp>
#include <muster/core/hash.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI {

template <class Value>
class patch_map {
 public:
  [[nodiscard]] bool empty() const noexcept { return used_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return used_.size(); }

  [[nodiscard]] const Value* find(std::uint32_t key) const noexcept {
    if (used_.empty()) return nullptr;
    for (std::size_t i = mixed(key) & mask_;; i = (i + 1) & mask_) {
      if (cells_[i].key == key) return &cells_[i].value;
      if (cells_[i].key == nobody) return nullptr;
    }
  }
  [[nodiscard]] Value* find(std::uint32_t key) noexcept {
    return const_cast<Value*>(std::as_const(*this).find(key));
  }

  /// The value at `key`, made from `initial` if there is none. \pre key is not the largest number
  Value& at(std::uint32_t key, const Value& initial) {
    if (Value* found = find(key)) return *found;
    if ((used_.size() + 1) * 2 > cells_.size()) grow();
    return insert(key, initial);
  }

  /// Keys in the order they were first put in.
  [[nodiscard]] std::uint32_t key(std::size_t nth) const noexcept { return cells_[used_[nth]].key; }
  [[nodiscard]] const Value& value(std::size_t nth) const noexcept { return cells_[used_[nth]].value; }

  void clear() noexcept {
    for (const std::uint32_t i : used_) cells_[i].key = nobody;
    used_.clear();
  }

 private:
  static constexpr std::uint32_t nobody = ~std::uint32_t{0};
  struct cell {
    std::uint32_t key = nobody;
    Value value{};
  };

  Value& insert(std::uint32_t key, const Value& value) {
    std::size_t i = mixed(key) & mask_;
    while (cells_[i].key != nobody) i = (i + 1) & mask_;
    cells_[i].key = key;
    cells_[i].value = value;
    used_.push_back(static_cast<std::uint32_t>(i));
    return cells_[i].value;
  }

  void grow() {
    std::vector<cell> old(cells_.empty() ? 64 : cells_.size() * 2);
    old.swap(cells_);
    mask_ = cells_.size() - 1;
    std::vector<std::uint32_t> order;
    order.swap(used_);
    used_.reserve(cells_.size() / 2);
    for (const std::uint32_t i : order) insert(old[i].key, old[i].value);
  }

  std::vector<cell> cells_;
  std::vector<std::uint32_t> used_;
  std::size_t mask_ = 0;
};

}  // namespace muster::inline MUSTER_ABI

#endif
