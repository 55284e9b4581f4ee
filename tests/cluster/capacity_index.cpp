// SPDX-License-Identifier: BSL-1.0
#include <muster/cluster/capacity_index.hpp>

#include "support/catch.hpp"
#include "support/generator.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

using namespace muster;
using muster_test::generator;

namespace {

template <std::size_t D>
std::vector<std::size_t> visited(const capacity_index<D>& index, std::size_t level,
                                 const typename capacity_index<D>::levels& needed, std::size_t first, std::size_t last) {
  std::vector<std::size_t> found;
  index.visit_level([&](std::size_t i) { return index.bits(i); }, level, needed, first, last, [&](std::size_t position) {
    found.push_back(position);
    return true;
  });
  return found;
}

}  // namespace

TEST_CASE("what a level promises is never too little", "[cluster]") {
  generator rng{"levels of amounts"};
  for (int round = muster_test::rounds(3000); round > 0; --round) {
    capacity_index<2> index;
    const std::array<amount, 2> largest{static_cast<amount>(rng() >> (16 + rng.below(48))),
                                        static_cast<amount>(rng() >> (16 + rng.below(48)))};
    index.reset(10, largest);
    for (std::size_t d = 0; d < 2; ++d) {
      const amount left = rng.between(-5, largest[d]), needed = rng.between(0, largest[d] + 5);
      CAPTURE(rng.seed(), round, d, largest[d], left, needed);
      const auto has = index.level_of(left, d), asks = index.level_needed(needed, d);
      if (left >= needed) REQUIRE(has >= asks);             // a node that could host is never passed over
      if (needed > largest[d] && asks == 255) REQUIRE(has < asks);
      REQUIRE(has < (d == 0 ? capacity_index<2>::leading_levels : capacity_index<2>::other_levels));
      REQUIRE(index.covers(left, d));
      REQUIRE(index.covers(largest[d], d));
      if (asks == 255) REQUIRE(needed > largest[d]);
    }
  }
}

TEST_CASE("up to 63 units of the leading dimension are told exactly apart", "[cluster]") {
  capacity_index<1> index;
  index.reset(1, {63});
  CHECK(index.leading_is_exact());
  CHECK(index.leading_level_count() == 64);
  for (amount left = 0; left <= 63; ++left) {
    CHECK(index.level_of(left, 0) == left);
    CHECK(index.level_needed(left, 0) == left);
  }
  CHECK(index.level_needed(64, 0) == 255);
  CHECK(index.level_of(-1, 0) == 0);
  index.reset(1, {64});
  CHECK_FALSE(index.leading_is_exact());
  index.reset(1, {8});
  CHECK(index.leading_level_count() == 9);
  CHECK_FALSE(index.covers(9, 0));
}

TEST_CASE("an index over no nodes answers", "[cluster]") {
  capacity_index<2> index;
  index.reset(0, {0, 0});
  CHECK(visited<2>(index, 0, {}, 0, 0).empty());
  CHECK(index.population(0) == 0);
  CHECK(index.level_needed(1, 0) == 255);
  capacity_index<0> none;
  none.reset(0, {0});
  CHECK(visited<0>(none, 0, {}, 0, 0).empty());
}

TEST_CASE("an index without dimensions still knows who is open", "[cluster]") {
  capacity_index<0> index;
  index.reset(70, {0});
  index.insert(3, {0});
  index.insert(69, {0});
  CHECK(visited<0>(index, 0, {}, 0, 70) == std::vector<std::size_t>{3, 69});
  index.erase(3, {0});
  CHECK(visited<0>(index, 0, {}, 0, 70) == std::vector<std::size_t>{69});
  CHECK(index.population(0) == 1);
}

TEST_CASE("a visit that is stopped says so", "[cluster]") {
  capacity_index<1> index;
  index.reset(200, {3});
  for (std::size_t position = 0; position < 200; ++position) index.insert(position, {1});
  int calls = 0;
  const auto read = [&](std::size_t i) { return index.bits(i); };
  CHECK_FALSE(index.visit_level(read, 1, {}, 0, 200, [&](std::size_t) { return ++calls < 5; }));
  CHECK(calls == 5);
  CHECK(index.visit_level(read, 1, {}, 0, 200, [&](std::size_t) { return true; }));
  CHECK(index.visit_level(read, 0, {}, 0, 200, [&](std::size_t) { return false; }));
}

TEST_CASE("an index agrees with a scan after any moves, over one word and over three summary layers", "[cluster]") {
  using index_type = capacity_index<3>;
  generator rng{"capacity_index"};
  for (const std::size_t nodes : {std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{65}, std::size_t{1000},
                                  std::size_t{4097}, std::size_t{270'000}, std::size_t{600'000}}) {
    index_type index;
    index.reset(nodes, {8, 100, 7});
    std::map<std::size_t, index_type::levels> expected;
    const auto random_levels = [&] {
      return index_type::levels{index.level_of(rng.between(0, 8), 0), index.level_of(rng.between(0, 100), 1),
                                index.level_of(rng.between(0, 7), 2)};
    };
    for (int round = muster_test::rounds(40); round > 0; --round) {
      for (auto steps = rng.below(60); steps > 0; --steps) {
        // Few clusters of positions far apart, so that whole summaries are empty.
        std::size_t position = static_cast<std::size_t>(rng.below(nodes));
        if (rng.chance(60)) position = (position / 100'000) * 100'000 + static_cast<std::size_t>(rng.below(70));
        if (position >= nodes) continue;
        const auto known = expected.find(position);
        if (known == expected.end()) {
          const auto at = random_levels();
          index.insert(position, at);
          expected.emplace(position, at);
        } else if (rng.chance(40)) {
          index.erase(position, known->second);
          expected.erase(known);
        } else {
          const auto to = random_levels();
          index.move(position, known->second, to);
          known->second = to;
        }
      }
      const auto level = static_cast<std::size_t>(rng.below(index.leading_level_count()));
      index_type::levels needed{0, rng.chance(50) ? std::uint8_t{0} : index.level_needed(rng.between(0, 100), 1),
                                rng.chance(50) ? std::uint8_t{0} : index.level_needed(rng.between(0, 7), 2)};
      std::size_t first = static_cast<std::size_t>(rng.below(nodes + 1)), last = static_cast<std::size_t>(rng.below(nodes + 1));
      if (first > last || rng.chance(20)) {
        first = 0;
        last = nodes;
      }
      std::vector<std::size_t> matching;
      std::uint32_t population = 0;
      for (const auto& [position, at] : expected) {
        if (at[0] != level) continue;
        ++population;
        if (position >= first && position < last && at[1] >= needed[1] && at[2] >= needed[2]) matching.push_back(position);
      }
      CAPTURE(rng.seed(), nodes, round, level, first, last);
      REQUIRE(visited<3>(index, level, needed, first, last) == matching);
      REQUIRE(index.population(level) == population);
    }
  }
}

TEST_CASE("moves on bits that are kept elsewhere are the same moves", "[cluster]") {
  struct elsewhere {
    const capacity_index<2>& index;
    std::map<std::size_t, std::uint64_t> words;
    [[nodiscard]] std::uint64_t get(std::size_t i) const {
      const auto found = words.find(i);
      return found == words.end() ? index.bits(i) : found->second;
    }
    [[nodiscard]] std::uint64_t& at(std::size_t i) { return words.try_emplace(i, index.bits(i)).first->second; }
  };
  generator rng{"moves elsewhere"};
  capacity_index<2> index;
  index.reset(5000, {8, 100});
  std::vector<capacity_index<2>::levels> at(5000);
  const auto random_levels = [&] {
    return capacity_index<2>::levels{static_cast<std::uint8_t>(rng.below(9)), static_cast<std::uint8_t>(rng.below(13))};
  };
  for (std::size_t position = 0; position < 5000; ++position) index.insert(position, at[position] = random_levels());
  auto moved = index;
  elsewhere store{index, {}};
  for (int step = 0; step < 2000; ++step) {
    const auto position = static_cast<std::size_t>(rng.below(5000));
    const auto to = random_levels();
    moved.move(position, at[position], to);
    index.move_in(store, position, at[position], to);
    at[position] = to;
  }
  for (std::size_t level = 0; level < 9; ++level) {
    std::vector<std::size_t> found;
    index.visit_level([&](std::size_t i) { return store.get(i); }, level, {0, 5}, 0, 5000, [&](std::size_t position) {
      found.push_back(position);
      return true;
    });
    CHECK(found == visited<2>(moved, level, {0, 5}, 0, 5000));
  }
}

TEST_CASE("an index costs what its essay says", "[cluster]") {
  capacity_index<3> index;
  index.reset(1'000'000, {8, 1'000'000, 1'000'000});
  CHECK(index.bytes() * 8 <= std::size_t{1'020'000} * (9 + 15 * 2));
}
