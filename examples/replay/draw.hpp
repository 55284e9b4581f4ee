// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_REPLAY_DRAW_HPP
#define MUSTER_REPLAY_DRAW_HPP

// Seeded whole numbers that are the same with every standard library: the engine is std::mt19937_64, whose
// output the standard fixes; the distributions, which it does not fix, are our own integer arithmetic.

#include <cstddef>
#include <cstdint>
#include <random>

namespace replay {

class draw {
 public:
  explicit draw(std::uint64_t seed) : engine_(seed) {}

  // A number from 0 to bound - 1, each equally likely up to one part in 2^32; bound from 1 to 2^31.
  [[nodiscard]] std::int64_t below(std::int64_t bound) {
    const std::uint64_t high = engine_() >> 32;
    return static_cast<std::int64_t>((high * static_cast<std::uint64_t>(bound)) >> 32);
  }

  [[nodiscard]] std::int64_t between(std::int64_t least, std::int64_t most) { return least + below(most - least + 1); }

  // A row of a table by the rows' weights (a member `weight`), by running through their sums.
  template <class Row, std::size_t Count>
  [[nodiscard]] const Row& row_of(const Row (&table)[Count]) {
    std::int64_t sum = 0;
    for (const Row& row : table) sum += row.weight;
    std::int64_t at = below(sum);
    for (const Row& row : table) {
      if (at < row.weight) return row;
      at -= row.weight;
    }
    return table[Count - 1];
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace replay

#endif
