// SPDX-License-Identifier: BSL-1.0
#include <muster/resource/devices.hpp>
#include <muster/resource/resource_vector.hpp>
#include <muster/scoring/scorer.hpp>

#include "support/catch.hpp"

namespace {

using two = muster::resource_vector<2>;
constexpr muster::most_allocated<two> most{};
constexpr muster::least_allocated<two> least{};

struct by_name {
  std::int64_t operator()(const two::state_type&, const two::capacity_type&, const two::request_type&) const {
    return 1;
  }
};
struct not_a_score {
  const char* operator()(const two::state_type&, const two::capacity_type&, const two::request_type&) const {
    return "";
  }
};

// a model without dimensions cannot be scored by shares, but fullest_first always stands
static_assert(muster::node_scorer<muster::fullest_first, two>);
static_assert(muster::node_scorer<by_name, two>);
static_assert(muster::scoring_function<muster::most_allocated<two>, two>);
static_assert(!muster::node_scorer<not_a_score, two>);
static_assert(!muster::scoring_function<muster::fullest_first, two>);

}  // namespace

TEST_CASE("most allocated likes the node that is fuller after the pod", "[scoring]") {
  CHECK(most({4, 8}, {8, 8}, {2, 2}) > most({8, 8}, {8, 8}, {2, 2}));
  CHECK(most({2, 8}, {8, 8}, {2, 2}) > most({4, 8}, {8, 8}, {2, 2}));
}

TEST_CASE("least allocated likes the node that is emptier after the pod", "[scoring]") {
  CHECK(least({8, 8}, {8, 8}, {2, 2}) > least({4, 8}, {8, 8}, {2, 2}));
  CHECK(least({4, 8}, {8, 8}, {2, 2}) > least({2, 8}, {8, 8}, {2, 2}));
}

TEST_CASE("scores are mean shares over what the pod asks", "[scoring]") {
  // 8 of 8 left, 2 asked: 2/8 used; second: 4 of 8 left, 2 asked: 6/8 used; mean 1/2
  CHECK(most({8, 4}, {8, 8}, {2, 2}) == 500'000);
  CHECK(least({8, 4}, {8, 8}, {2, 2}) == 500'000);
  // what is not asked does not count
  CHECK(most({8, 0}, {8, 8}, {2, 0}) == 250'000);
  CHECK(least({8, 0}, {8, 8}, {2, 0}) == 750'000);
}

TEST_CASE("a pod that asks nothing, and a node that has nothing, score 0 and divide by nothing", "[scoring]") {
  CHECK(most({4, 4}, {8, 8}, {0, 0}) == 0);
  CHECK(least({4, 4}, {8, 8}, {0, 0}) == 0);
  CHECK(most({0, 0}, {0, 0}, {0, 0}) == 0);
  CHECK(least({0, 4}, {0, 8}, {0, 4}) == 0);
}

TEST_CASE("the largest amounts do not overflow a score", "[scoring]") {
  constexpr muster::amount all = muster::max_amount;
  CHECK(most({all, all}, {all, all}, {all, all}) == 1'000'000);
  CHECK(least({all, all}, {all, all}, {all, all}) == 0);
  CHECK(most({all, all}, {all, all}, {1, 1}) >= 0);
  CHECK(least({all, all}, {all, all}, {1, 1}) <= 1'000'000);
}

TEST_CASE("an overcommitted node is fuller than full", "[scoring]") {
  CHECK(most({-4, 8}, {8, 8}, {0, 1}) == most({8, 8}, {8, 8}, {0, 1}));  // not asked: not looked at
  CHECK(most({8, -8}, {8, 8}, {1, 1}) > most({8, 2}, {8, 8}, {1, 1}));
}

TEST_CASE("devices are scored by what is idle", "[scoring]") {
  using gpus = muster::devices<4>;
  const gpus::capacity_type four{.count = 4};
  const auto empty = gpus::empty_node(four);
  auto used = empty;
  gpus::grant_type grant;
  REQUIRE(gpus::allocate(used, {.whole = 2}, 1, grant) == 1);
  const muster::most_allocated<gpus> score{};
  CHECK(score(used, four, {.whole = 1}) > score(empty, four, {.whole = 1}));
}
