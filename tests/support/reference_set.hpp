// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_SUPPORT_REFERENCE_SET_HPP
#define MUSTER_TESTS_SUPPORT_REFERENCE_SET_HPP

// Sets of count vectors, as plain as can be; for reference.hpp.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace reference {

using count = std::int64_t;
using counts = std::vector<count>;

// A set of count vectors, no component above a given one; held as one flag for
// every vector, in mixed radix.
class vector_set {
 public:
  explicit vector_set(const counts& most) {
    std::size_t size = 1;
    for (const auto each : most) {
      radix_.push_back(static_cast<std::size_t>(each) + 1);
      size *= radix_.back();
    }
    holds_.assign(size, false);
  }

  void insert(const counts& vector) { holds_[index(vector)] = true; }

  [[nodiscard]] std::vector<counts> members() const {
    std::vector<counts> all;
    counts digits(radix_.size(), 0);
    for (const bool held : holds_) {
      if (held) {
        all.push_back(digits);
      }
      for (std::size_t each = 0; each < digits.size(); ++each) {
        if (static_cast<std::size_t>(++digits[each]) < radix_[each]) {
          break;
        }
        digits[each] = 0;
      }
    }
    return all;
  }

  // All sums of one member of each that no component leaves.
  [[nodiscard]] vector_set sum_with(const vector_set& other) const {
    auto sums = *this;
    sums.holds_.assign(holds_.size(), false);
    const auto right = other.members();
    for (const auto& left : members()) {
      for (const auto& more : right) {
        auto sum = left;
        bool inside = true;
        for (std::size_t each = 0; each < sum.size(); ++each) {
          sum[each] += more[each];
          inside = inside && static_cast<std::size_t>(sum[each]) < radix_[each];
        }
        if (inside) {
          sums.insert(sum);
        }
      }
    }
    return sums;
  }

  void keep_at_most(count pods) {
    for (const auto& each : members()) {
      if (total(each) > pods) {
        holds_[index(each)] = false;
      }
    }
  }

  [[nodiscard]] static count total(const counts& vector) {
    count sum = 0;
    for (const auto each : vector) {
      sum += each;
    }
    return sum;
  }

 private:
  [[nodiscard]] std::size_t index(const counts& vector) const {
    std::size_t at = 0;
    for (std::size_t each = vector.size(); each-- > 0;) {
      at = at * radix_[each] + static_cast<std::size_t>(vector[each]);
    }
    return at;
  }

  std::vector<std::size_t> radix_;
  std::vector<bool> holds_;
};

}  // namespace reference

#endif
