// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/detail/patterns.hpp>

#include "support/catch.hpp"
#include "support/generator.hpp"

#include <muster/resource/devices.hpp>
#include <muster/resource/model.hpp>
#include <muster/resource/resource_vector.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

using namespace muster;
using namespace muster::placement_detail;
using muster_test::generator;

namespace {

using counts = std::vector<class_count>;

template <class M>
struct question {
  std::vector<typename M::request_type> requests;
  counts demand;
  typename M::state_type node;
  std::uint64_t may = 0;
  pod_count cap = 0;

  [[nodiscard]] bool hosted(const counts& pods) const {
    pod_count sum = 0;
    std::vector<pod_count> wide(pods.begin(), pods.end());
    for (std::size_t c = 0; c < pods.size(); ++c) {
      sum += wide[c];
      if (wide[c] > demand[c] || (wide[c] > 0 && (may >> c & 1U) == 0)) return false;
    }
    return sum <= cap &&
           hosts<M>(node, std::span{requests}, std::span<const pod_count>{wide}, ignore_grants{}) == hosting::yes;
  }

  /// By trying every vector of counts.
  [[nodiscard]] std::vector<counts> maximal() const {
    std::vector<counts> found;
    counts pods(demand.size(), 0);
    for (;;) {
      if (hosted(pods)) {
        bool more = false;
        for (std::size_t c = 0; c < pods.size() && !more; ++c) {
          ++pods[c];
          more = hosted(pods);
          --pods[c];
        }
        if (!more) found.push_back(pods);
      }
      std::size_t c = 0;
      while (c < pods.size() && pods[c] == demand[c]) pods[c++] = 0;
      if (c == pods.size()) return found;
      ++pods[c];
    }
  }
};

/// What the builder lists, in its order.
template <class M>
std::vector<counts> listed(pattern_builder<M>& builder, const mix& problem, const question<M>& of) {
  search_budget budget;
  const std::optional<std::uint32_t> list = builder.group_of(of.node, of.may, of.cap, listing::at_once, budget);
  REQUIRE(list);
  std::vector<counts> rows;
  for (std::uint32_t p = problem.groups[*list].first; p < problem.groups[*list].last; ++p) {
    const auto row = problem.pattern(p);
    rows.emplace_back(row.begin(), row.end());
  }
  return rows;
}

template <class M, class Draw>
void lists_the_maximal_ones(const char* what, const Draw& draw) {
  generator rng{what};
  for (int round = muster_test::rounds(1000); round > 0; --round) {
    CAPTURE(what, rng.seed(), round);
    question<M> of;
    for (auto classes = rng.between(1, 4); classes > 0; --classes) {
      of.requests.push_back(draw.request(rng));
      of.demand.push_back(static_cast<class_count>(rng.between(0, 4)));
    }
    mix problem, alone;
    problem.clear(of.demand.size());
    problem.demand = of.demand;
    alone = problem;
    pattern_builder<M> builder, fresh;
    builder.start(of.requests, problem);
    std::vector<std::vector<counts>> all;
    for (int node = 0; node < 4; ++node) {
      of.node = draw.node(rng);
      of.may = rng.below(16);
      of.cap = rng.chance(50) ? rng.between(0, 6) : max_pods_per_node;
      auto rows = listed(builder, problem, of);
      fresh.start(of.requests, alone = mix{of.demand, alone.required, {}, {}, nullptr});
      REQUIRE(rows == listed(fresh, alone, of));  // whatever was listed before
      all.push_back(rows);
      auto expected = of.maximal();
      std::sort(rows.begin(), rows.end());
      std::sort(expected.begin(), expected.end());
      REQUIRE(rows == expected);
    }
    for (std::size_t a = 0; a < problem.groups.size(); ++a)  // equal lists are one
      for (std::size_t b = 0; b < a; ++b) {
        const auto row = [&](std::size_t g) {
          return std::span{problem.counts}.subspan(
              problem.groups[g].first * of.demand.size(),
              (problem.groups[g].last - problem.groups[g].first) * of.demand.size());
        };
        REQUIRE_FALSE(std::ranges::equal(row(a), row(b)));
      }
  }
}

struct draw_vectors {
  static amount some(generator& rng, amount most) { return rng.chance(30) ? 0 : rng.between(1, most); }
  static resource_vector<3>::amounts request(generator& rng) { return {some(rng, 4), some(rng, 50), some(rng, 3)}; }
  static resource_vector<3>::amounts node(generator& rng) {
    return {rng.between(-1, 12), rng.chance(20) ? max_amount : rng.between(0, 150), rng.between(0, 9)};
  }
};

struct draw_devices {
  static devices<4>::request_type request(generator& rng) {
    devices<4>::request_type one;
    if (rng.chance(50)) one.share = static_cast<std::int32_t>(rng.between(1, 10) * 100);
    else one.whole = static_cast<std::uint32_t>(rng.between(0, 3));
    return one;
  }
  static devices<4>::state_type node(generator& rng) {
    devices<4>::capacity_type has;
    has.count = static_cast<std::uint32_t>(rng.between(0, 4));
    auto state = devices<4>::empty_node(has);
    for (auto taken = rng.below(3); taken > 0; --taken) {
      devices<4>::grant_type ignored;
      (void)devices<4>::allocate(state, request(rng), 1, ignored);
    }
    return state;
  }
};

}  // namespace

TEST_CASE("the patterns of a node are the maximal ones, each once: counted resources", "[placement]") {
  lists_the_maximal_ones<resource_vector<3>>("patterns of counted resources", draw_vectors{});
}
TEST_CASE("the patterns of a node are the maximal ones, each once: devices", "[placement]") {
  lists_the_maximal_ones<devices<4>>("patterns of devices", draw_devices{});
}

TEST_CASE("what is made as it is asked for is what a list has", "[placement]") {
  using M = resource_vector<3>;
  generator rng{"patterns that are made"};
  std::size_t unlisted = 0, dearer = 0;
  for (int round = muster_test::rounds(200); round > 0; --round) {
    CAPTURE(rng.seed(), round);
    std::vector<M::request_type> requests;
    mix problem;
    const auto classes = static_cast<std::size_t>(rng.between(3, 6));
    problem.clear(classes);
    for (std::size_t c = 0; c < classes; ++c) {
      requests.push_back({rng.between(0, 9), rng.between(1, 9), rng.chance(50) ? 0 : rng.between(1, 9)});
      problem.demand[c] = static_cast<class_count>(rng.between(1, 40));
    }
    const M::state_type node{rng.between(20, 80), rng.between(20, 80), rng.between(20, 80)};
    const std::uint64_t may = rng.chance(70) ? ~std::uint64_t{0} : rng.below(std::uint64_t{1} << classes);
    const pod_count cap = rng.chance(50) ? rng.between(1, 30) : max_pods_per_node;
    pattern_builder<M> builder;
    builder.start(requests, problem);
    search_budget budget;
    const auto group = builder.group_of(node, may, cap, listing::where_few, budget);
    REQUIRE(group);
    if (problem.groups[*group].listed) continue;
    ++unlisted;

    mix whole;
    whole.clear(classes);
    whole.demand = problem.demand;
    pattern_builder<M> lister;
    lister.start(requests, whole);
    const auto list = lister.group_of(node, may, cap, listing::at_once, budget);
    REQUIRE(list);
    const auto is_listed = [&](std::span<const class_count> row) {
      for (std::uint32_t p = 0; p < whole.patterns(); ++p)
        if (std::ranges::equal(whole.pattern(p), row)) return true;
      return false;
    };
    for (std::size_t c = 0; c < classes; ++c) {
      class_count most = 0;
      for (std::uint32_t p = 0; p < whole.patterns(); ++p) most = std::max(most, whole.pattern(p)[c]);
      CHECK(builder.most(*group, c) == most);
    }
    std::vector<price> prices(classes);
    for (int asked = 0; asked < 20; ++asked) {
      for (price& one : prices) one = rng.chance(25) ? 0 : rng.between(1, asked < 10 ? 9 : top_price);
      const price best = dearest_pattern(whole, whole.groups[*list], prices).worth;
      const dear_pattern hurried = builder.find_dearer(*group, prices, -1, effort::hurried, budget);
      REQUIRE(hurried.worth >= 0);
      CHECK(hurried.worth <= best);
      CHECK(worth(problem.pattern(hurried.pattern), prices) == hurried.worth);
      const dear_pattern found = builder.find_dearer(*group, prices, -1, effort::thorough, budget);
      REQUIRE(found.worth == best);
      CHECK(worth(problem.pattern(found.pattern), prices) == best);
      CHECK(is_listed(problem.pattern(found.pattern)));  // nothing fits beside it, of what costs nothing either
      CHECK(builder.find_dearer(*group, prices, best, effort::thorough, budget).worth == -1);
      if (hurried.worth < best) {
        ++dearer;
        const auto kept = problem.patterns();
        const dear_pattern again = builder.find_dearer(*group, prices, hurried.worth, effort::thorough, budget);
        CHECK(again.worth == best);
        CHECK(again.pattern == found.pattern);  // made once
        CHECK(problem.patterns() == kept);
      }
    }
    REQUIRE(builder.list(*group, std::vector<price>(problem.classes(), 0), 0, budget));
    const site_group& now = problem.groups[*group];
    CHECK(now.listed);
    REQUIRE(now.last - now.first == whole.patterns());
    for (std::uint32_t p = 0; p < whole.patterns(); ++p)
      REQUIRE(std::ranges::equal(problem.pattern(now.first + p), whole.pattern(p)));
  }
  CHECK(unlisted > 20);
  CHECK(dearer > 20);
}

TEST_CASE("a dear pattern that takes too long to find is not claimed", "[placement]") {
  using M = resource_vector<2>;
  std::vector<M::request_type> requests;
  std::vector<price> prices;
  mix problem;
  problem.clear(40);
  for (std::int64_t c = 0; c < 40; ++c) {
    requests.push_back({1'000 + 37 * c, 2'000 - 29 * c});
    prices.push_back(1'500 + 4 * c + c % 7);
    problem.demand[static_cast<std::size_t>(c)] = 1'000;
  }
  pattern_builder<M> builder;
  builder.start(requests, problem);
  search_budget few{5'000};
  const auto group = builder.group_of({99'991, 99'989}, ~std::uint64_t{0}, max_pods_per_node, listing::where_few, few);
  REQUIRE(group);
  REQUIRE_FALSE(problem.groups[*group].listed);
  (void)builder.find_dearer(*group, prices, -1, effort::hurried, few);
  CHECK_FALSE(few.out());
  (void)builder.find_dearer(*group, prices, -1, effort::thorough, few);
  CHECK(few.out());
  CHECK(few.spent() < 8'000);
}

TEST_CASE("too many patterns, or too few steps, list nothing", "[placement]") {
  using M = resource_vector<2>;
  const std::vector<M::request_type> requests{{3, 1}, {1, 3}, {2, 2}, {1, 1}};
  mix problem;
  problem.clear(4);
  problem.demand = {16'000, 16'000, 16'000, 16'000};
  pattern_builder<M> builder;
  builder.start(requests, problem);
  search_budget unlimited, few{100};
  CHECK_FALSE(builder.group_of({1'000, 1'000}, 15, max_pods_per_node, listing::at_once, unlimited));
  CHECK(problem.counts.empty());
  CHECK(unlimited.spent() < 10 * most_patterns);
  CHECK_FALSE(builder.group_of({200, 200}, 15, max_pods_per_node, listing::at_once, few));
  CHECK(few.spent() < 100 + 2'000);
  CHECK(problem.counts.empty());
  CHECK(builder.group_of({8, 8}, 15, max_pods_per_node, listing::at_once, unlimited));
}
