// SPDX-License-Identifier: BSL-1.0
// Domains under a limit as sites of sites: their patterns, made and listed, against all sums of their members'.
#include <muster/placement/detail/limited.hpp>

#include "support/catch.hpp"
#include "support/generator.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <set>
#include <span>
#include <vector>

using namespace muster::placement_detail;
using muster::search_budget;

namespace {

using row = std::vector<class_count>;

/// All nodes are listed.
class no_source final : public pattern_source {
 public:
  [[nodiscard]] dear_pattern find_dearer(std::uint32_t, std::span<const price>, price, effort,
                                         search_budget&) override {
    return {};
  }
  [[nodiscard]] class_count most(std::uint32_t, std::size_t) const override { return 0; }
  [[nodiscard]] bool list(std::uint32_t, std::span<const price>, price, search_budget&) override { return false; }
};

/// Nodes of a few kinds, and domains of them.
struct world {
  mix of;
  no_source nodes;
  limited_domains limited;

  void start(std::size_t classes, class_count demand) {
    of.clear(classes);
    of.demand.assign(classes, demand);
    limited.start(of, nodes);
  }
  std::uint32_t node(const std::vector<row>& patterns) {
    const auto first = of.patterns();
    for (const row& one : patterns) of.counts.insert(of.counts.end(), one.begin(), one.end());
    of.groups.push_back({first, of.patterns(), 0});
    return static_cast<std::uint32_t>(of.groups.size() - 1);
  }
  std::uint32_t domain(const std::vector<std::uint32_t>& members, muster::pod_count cap) {
    return limited.domains().group_of(members, cap);
  }
  [[nodiscard]] row pattern(std::uint32_t p) const { return {of.pattern(p).begin(), of.pattern(p).end()}; }

  /// Every vector that a group can host, and no pod more than are asked of its class.
  [[nodiscard]] std::set<row> all(std::uint32_t group) {
    std::set<row> found{row(of.classes(), 0)};
    if (!limited.domains().is_domain(group)) {
      for (std::uint32_t p = of.groups[group].first; p < of.groups[group].last; ++p) add_below(pattern(p), found);
      return found;
    }
    for (const std::uint32_t member : limited.domains().members(group)) {
      std::set<row> sums;
      for (const row& part : all(member))
        for (row sum : found) {
          for (std::size_t c = 0; c < sum.size(); ++c) sum[c] = std::min(sum[c] + part[c], of.demand[c]);
          if (std::accumulate(sum.begin(), sum.end(), std::size_t{0}) <= limited.domains().cap(group)) sums.insert(sum);
        }
      found = std::move(sums);
    }
    return found;
  }
  static void add_below(const row& top, std::set<row>& to) {
    if (!to.insert(top).second) return;
    for (std::size_t c = 0; c < top.size(); ++c) {
      if (top[c] == 0) continue;
      row less = top;
      --less[c];
      add_below(less, to);
    }
  }
  static void add_nodes(limited_domains& in, std::uint32_t group, std::vector<std::uint32_t>& to) {
    if (!in.domains().is_domain(group)) return to.push_back(group);
    for (const std::uint32_t member : in.domains().members(group)) add_nodes(in, member, to);
  }

  /// Checks that the parts of a pattern are what its nodes host, within all limits, and cover it.
  void check_split(std::uint32_t group, std::uint32_t p) {
    std::vector<std::uint32_t> members;
    add_nodes(limited, group, members);
    const auto spread = limited.split(group, p);
    REQUIRE(spread.size() == members.size() * of.classes());
    std::vector<row> given;
    for (std::size_t n = 0; n < members.size(); ++n) {
      const auto part = spread.subspan(n * of.classes(), of.classes());
      given.emplace_back(part.begin(), part.end());
    }
    row sum(of.classes(), 0);
    for (std::size_t n = 0; n < members.size(); ++n) {
      CHECK(all(members[n]).contains(given[n]));
      for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += given[n][c];
    }
    const row asked = pattern(p);
    CHECK(std::equal(asked.begin(), asked.end(), sum.begin(), std::less_equal<>{}));
    std::size_t node = 0;
    check_limits(group, given, node);
  }
  std::size_t check_limits(std::uint32_t group, const std::vector<row>& given, std::size_t& node) {
    if (!limited.domains().is_domain(group)) {
      const row& one = given.at(node++);
      return std::accumulate(one.begin(), one.end(), std::size_t{0});
    }
    std::size_t pods = 0;
    for (const std::uint32_t member : limited.domains().members(group)) pods += check_limits(member, given, node);
    CHECK(pods <= limited.domains().cap(group));
    return pods;
  }
};

/// Two levels of domains over nodes of three kinds.
std::uint32_t draw(world& w, muster_test::generator& rng) {
  const std::size_t classes = 1 + rng.below(3);
  w.start(classes, static_cast<class_count>(rng.between(1, 9)));
  std::vector<std::uint32_t> kinds;
  for (int k = 0; k < 3; ++k) {
    std::vector<row> patterns(1 + rng.below(3), row(classes, 0));
    for (row& one : patterns)
      for (std::size_t c = 0; c < classes; ++c) one[c] = static_cast<class_count>(rng.between(0, 3));
    for (row& one : patterns)
      for (std::size_t c = 0; c < classes; ++c) one[c] = std::min(one[c], w.of.demand[c]);
    kinds.push_back(w.node(patterns));
  }
  const auto draw_members = [&](const std::vector<std::uint32_t>& from, std::uint64_t most) {
    std::vector<std::uint32_t> members;
    for (auto m = 2 + rng.below(most - 1); m > 0; --m) members.push_back(from[rng.below(from.size())]);
    return members;
  };
  std::vector<std::uint32_t> parts = kinds;
  if (rng.chance(50))
    for (int d = 0; d < 2; ++d) parts.push_back(w.domain(draw_members(kinds, 3), rng.between(1, 4)));
  return w.domain(draw_members(parts, 3), rng.between(1, 8));
}

std::vector<price> draw_prices(std::size_t classes, muster_test::generator& rng) {
  std::vector<price> prices;
  for (std::size_t c = 0; c < classes; ++c) prices.push_back(rng.between(0, 4));
  return prices;
}

}  // namespace

TEST_CASE("a domain of two nodes has the sums of their patterns, cut to its limit", "[placement]") {
  world w;
  w.start(2, 1000);
  const auto kind = w.node({{2, 0}, {0, 2}});
  const auto group = w.domain({kind, kind}, 3);
  CHECK(w.domain({kind, kind}, 3) == group);
  CHECK(w.domain({kind, kind}, 2) != group);
  search_budget budget;
  REQUIRE(w.limited.list(group, std::vector<price>{0, 0}, 0, budget));
  std::vector<row> found;
  for (std::uint32_t p = w.of.groups[group].first; p < w.of.groups[group].last; ++p) found.push_back(w.pattern(p));
  // sums (4,0), (2,2), (0,4): of at most three pods that is 3+0, 2+1, 1+2 and 0+3
  CHECK(found == std::vector<row>{{3, 0}, {2, 1}, {1, 2}, {0, 3}});
}

TEST_CASE("a domain with too many patterns has no list, the second time too", "[placement]") {
  world w;
  w.start(6, 1000);
  std::vector<row> each(6, row(6, 0));
  for (std::size_t c = 0; c < 6; ++c) each[c][c] = 40;
  const auto kind = w.node(each);
  const auto six = w.domain(std::vector<std::uint32_t>(6, kind), 100), two = w.domain({kind, kind}, 5);
  const std::vector<price> free(6, 0), dear{32, 16, 8, 4, 2, 1};
  search_budget budget;
  CHECK_FALSE(w.limited.list(six, free, 0, budget));
  CHECK_FALSE(w.limited.list(six, free, 0, budget));
  search_budget spent{0};
  CHECK_FALSE(w.limited.list(two, free, 0, spent));
  CHECK(w.limited.list(two, free, 0, budget));
  // but the one pattern that is worth most, 80 of the dearest class and 20 of the next, is no trouble to find or list
  const dear_pattern best = w.limited.find_dearer(six, dear, -1, effort::thorough, budget);
  CHECK(best.worth == 100 * 32);
  CHECK(w.pattern(best.pattern) == row{100, 0, 0, 0, 0, 0});
  CHECK(w.limited.list(six, dear, best.worth, budget));
  CHECK(w.of.groups[six].last - w.of.groups[six].first == 1);
}

TEST_CASE("the dearest pattern of a domain is the dearest of all it can host", "[placement]") {
  muster_test::generator rng{"limited dearest"};
  for (int round = muster_test::rounds(300); round > 0; --round) {
    world w;
    const auto group = draw(w, rng);
    const auto prices = draw_prices(w.of.classes(), rng);
    price most = 0;
    for (const row& one : w.all(group)) most = std::max(most, worth(one, prices));
    search_budget budget;
    const dear_pattern best = w.limited.find_dearer(group, prices, -1, effort::thorough, budget);
    // pods above the demand are worth something to the bound, but no pattern has them
    CHECK(best.worth >= most);
    CHECK(w.all(group).contains(w.pattern(best.pattern)));
    w.check_split(group, best.pattern);
    CHECK(w.limited.find_dearer(group, prices, best.worth, effort::thorough, budget).worth < 0);
    const bool demand_binds = worth(w.pattern(best.pattern), prices) < best.worth;
    if (!demand_binds) CHECK(best.worth == most);
  }
}

TEST_CASE("a domain's list has every pattern that is worth enough, and each can be shared out", "[placement]") {
  muster_test::generator rng{"limited lists"};
  for (int round = muster_test::rounds(200); round > 0; --round) {
    world w;
    const auto group = draw(w, rng);
    const auto prices = draw_prices(w.of.classes(), rng);
    const std::set<row> all = w.all(group);
    price most = 0;
    for (const row& one : all) most = std::max(most, worth(one, prices));
    const price least = most - rng.between(0, 4);
    search_budget budget;
    REQUIRE(w.limited.list(group, prices, least, budget));
    const auto [first, last, sites, listed] = w.of.groups[group];
    REQUIRE(listed);
    for (const row& one : all) {
      if (worth(one, prices) < least) continue;
      bool covered = false;
      for (std::uint32_t p = first; p < last; ++p)
        covered = covered || std::equal(one.begin(), one.end(), w.of.pattern(p).begin(), std::less_equal<>{});
      CHECK(covered);
    }
    for (std::uint32_t p = first; p < last; ++p) {
      CHECK(all.contains(w.pattern(p)));
      w.check_split(group, p);
    }
  }
}

TEST_CASE("a blend of a domain's patterns is one it can host", "[placement]") {
  muster_test::generator rng{"limited blends"};
  for (int round = muster_test::rounds(300); round > 0; --round) {
    world w;
    const auto group = draw(w, rng);
    const std::size_t classes = w.of.classes();
    search_budget budget;
    std::vector<pattern_share> shares;
    for (int s = 0; s < 3; ++s)
      shares.push_back({w.limited.find_dearer(group, draw_prices(classes, rng), -1, effort::thorough, budget).pattern,
                        rng.between(1, 100)});
    std::vector<std::int64_t> wanted;
    for (std::size_t c = 0; c < classes; ++c) wanted.push_back(rng.between(0, 9 * part_unit));
    const std::uint32_t made = w.limited.blend(group, shares, wanted, budget);
    REQUIRE(made != dear_pattern::not_kept);
    CHECK(w.all(group).contains(w.pattern(made)));
    w.check_split(group, made);
    for (const pattern_share& share : shares) w.check_split(group, share.pattern);
  }
}

TEST_CASE("a blend of two halves has half of each", "[placement]") {
  world w;
  w.start(2, 100);
  const auto kind = w.node({{4, 0}, {0, 4}});
  const auto group = w.domain({kind, kind, kind, kind}, 14);
  search_budget budget;
  const std::vector<pattern_share> halves{
      {w.limited.find_dearer(group, std::vector<price>{1, 0}, -1, effort::thorough, budget).pattern, 7},
      {w.limited.find_dearer(group, std::vector<price>{0, 1}, -1, effort::thorough, budget).pattern, 7}};
  const std::vector<std::int64_t> wanted{7 * part_unit, 7 * part_unit};
  const row made = w.pattern(w.limited.blend(group, halves, wanted, budget));
  CHECK(made[0] >= 6);
  CHECK(made[1] >= 6);
  CHECK(made[0] + made[1] <= 14);
}

TEST_CASE("of shares without weight nothing is blended", "[placement]") {
  world w;
  w.start(1, 9);
  const auto kind = w.node({{4}});
  const auto group = w.domain({kind, kind}, 5);
  search_budget budget;
  const std::uint32_t p = w.limited.find_dearer(group, std::vector<price>{1}, -1, effort::thorough, budget).pattern;
  const std::vector<std::int64_t> wanted{5 * part_unit};
  CHECK(w.limited.blend(group, std::vector<pattern_share>{{p, 0}}, wanted, budget) == dear_pattern::not_kept);
  CHECK(w.limited.blend(kind, std::vector<pattern_share>{{p, 1}}, wanted, budget) == dear_pattern::not_kept);
  CHECK(w.limited.blend(group, std::vector<pattern_share>{{p, 1}}, wanted, budget) == p);
}

TEST_CASE("a domain that is full gives nothing", "[placement]") {
  world w;
  w.start(2, 9);
  const auto kind = w.node({{4, 1}});
  const auto group = w.domain({kind, kind}, 0);
  search_budget budget;
  const std::vector<price> prices{1, 0};
  const dear_pattern best = w.limited.find_dearer(group, prices, -1, effort::thorough, budget);
  CHECK(best.worth == 0);
  CHECK(w.pattern(best.pattern) == row{0, 0});
  w.check_split(group, best.pattern);
  REQUIRE(w.limited.list(group, prices, 0, budget));
  CHECK(w.of.groups[group].last - w.of.groups[group].first == 1);
}
