// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/division.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <set>
#include <string_view>

TEST_CASE("every fault and refusal of a division has a name of its own", "[placement]") {
  std::set<std::string_view> names;
  int count = 0;
  for (auto each = std::uint8_t{0}; each <= static_cast<std::uint8_t>(muster::division_fault::rule_needs_preferred);
       ++each, ++count)
    names.insert(name(static_cast<muster::division_fault>(each)));
  for (auto each = std::uint8_t{1}; each <= static_cast<std::uint8_t>(muster::division_refusal::too_few_slices);
       ++each, ++count)
    names.insert(name(static_cast<muster::division_refusal>(each)));
  CHECK(static_cast<int>(names.size()) == count);
  CHECK_FALSE(names.contains("?"));
}

TEST_CASE("a wish asks for a required level and best fit unless it says otherwise", "[placement]") {
  const muster::division_wish wish;
  CHECK(wish.meaning == muster::level_wish::required);
  CHECK(wish.rule == muster::division_rule::best_fit);
  CHECK(wish.level == muster::no_level);
  CHECK(wish.layers.empty());
  CHECK(muster::division{}.fits());
}
