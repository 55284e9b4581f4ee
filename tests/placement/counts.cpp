// SPDX-License-Identifier: BSL-1.0
// Packed counts against counts in a plain vector.
#include <muster/placement/detail/counts.hpp>

#include "support/catch.hpp"
#include "support/generator.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

using namespace muster::placement_detail;

namespace {

template <std::size_t Words>
void compare(const count_layout& layout, const std::vector<class_count>& a, const std::vector<class_count>& b) {
  const auto packed_a = layout.pack<Words>(a), packed_b = layout.pack<Words>(b);
  std::vector<class_count> back(a.size()), expected(a.size());
  layout.unpack(packed_a, std::span<class_count>{back});
  CHECK(back == a);
  bool below = false, clipped = false;
  for (std::size_t c = 0; c < a.size(); ++c) {
    expected[c] = a[c] - std::min(a[c], b[c]);
    below = below || b[c] > a[c];
  }
  layout.unpack(layout.subtract(packed_a, packed_b, clipped), std::span<class_count>{back});
  CHECK(back == expected);
  CHECK(clipped == below);
  CHECK((packed_a < packed_b) == (a < b));  // in order the first class counts most
  CHECK(layout.differ_in_last_only(packed_a, packed_b) == std::equal(a.begin(), a.end() - 1, b.begin()));
}

}  // namespace

TEST_CASE("counts of any width are packed, subtracted and ordered as they are", "[placement]") {
  muster_test::generator rng{"counts"};
  std::size_t most_words = 0;
  for (int round = muster_test::rounds(2000); round > 0; --round) {
    std::vector<class_count> most(1 + rng.below(12)), a(most.size()), b(most.size());
    for (std::size_t c = 0; c < most.size(); ++c) {
      most[c] = static_cast<class_count>(rng.chance(20) ? rng.between(0, 2) : rng.between(0, 1 << rng.between(1, 20)));
      a[c] = static_cast<class_count>(rng.between(0, most[c]));
      b[c] = rng.chance(40) ? a[c] : static_cast<class_count>(rng.between(0, most[c]));
    }
    count_layout layout;
    layout.arrange(most);
    most_words = std::max(most_words, layout.words());
    REQUIRE(layout.words() <= 8);
    if (layout.words() == 1) compare<1>(layout, a, b);
    compare<8>(layout, a, b);
  }
  CHECK(most_words >= 3);
}

TEST_CASE("counts that fill a word to the last bit stay in it", "[placement]") {
  count_layout layout;
  layout.arrange(std::vector<class_count>{0xffff, 0xffff, 0xffff, 0xfff});  // 17 + 17 + 17 + 13 bits
  CHECK(layout.words() == 1);
  layout.arrange(std::vector<class_count>{0xffff, 0xffff, 0xffff, 0x1fff});
  CHECK(layout.words() == 2);
}
