// SPDX-License-Identifier: BSL-1.0
#include <muster/resource/devices.hpp>

#include "model_laws.hpp"
#include "support/catch.hpp"
#include "support/generator.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

using namespace muster;
using muster_test::generator;

namespace {

inline constexpr device_model make_a{1};
inline constexpr device_model make_b{2};

/// Whole devices and shares, two makes, up to three link groups.
template <std::size_t M>
struct any_request {
  using model = devices<M>;

  static auto capacity(generator& rng) {
    typename model::capacity_type all;
    all.count = static_cast<std::uint32_t>(rng.between(0, static_cast<std::int64_t>(M)));
    all.model = rng.chance(50) ? make_a : make_b;
    for (auto& group : all.link_group) group = static_cast<std::uint8_t>(rng.below(3));
    return all;
  }
  static auto more(generator& rng, typename model::capacity_type all) {
    all.count = static_cast<std::uint32_t>(rng.between(all.count, static_cast<std::int64_t>(M)));
    return all;
  }
  static auto request(generator& rng) {
    typename model::request_type one;
    if (rng.chance(50)) one.share = static_cast<std::int32_t>(rng.chance(50) ? rng.between(1, 1000) : 125 * rng.between(1, 8));
    else one.whole = static_cast<std::uint32_t>(rng.between(0, static_cast<std::int64_t>(M) / 2));
    if (one.share > 0 && one.share < 50) one.share += 50;
    if (rng.chance(40)) one.model = rng.chance(50) ? make_a : make_b;
    one.one_link_group = rng.chance(40);
    return one;
  }
};

using eight = devices<8>;

eight::state_type node_of(std::uint32_t count) { return eight::empty_node({.count = count}); }

}  // namespace

TEST_CASE("devices keep the laws of a model", "[resource]") {
  model_laws::hold<devices<4>>("devices<4>", any_request<4>{});
  model_laws::hold<devices<8>>("devices<8>", any_request<8>{});
  model_laws::hold<devices<16>>("devices<16>", any_request<16>{}, 200);
}

TEST_CASE("all 64 devices of the largest node can be had", "[resource]") {
  using model = devices<64>;
  auto state = model::empty_node({.count = 64});
  CHECK(model::amount_left(state, 0) == 64);
  model::grant_type grant;
  CHECK(model::allocate(state, {.whole = 64}, 1, grant) == 1);
  CHECK(grant.on == ~std::uint64_t{0});
  CHECK(model::amount_left(state, 0) == 0);
  CHECK(model::check_grant(grant) == amount_fault::none);
  model::release(state, grant);
  CHECK(state == model::empty_node({.count = 64}));
}

TEST_CASE("whole devices are the lowest-numbered idle ones", "[resource]") {
  auto state = node_of(8);
  eight::grant_type first, second;
  CHECK(eight::allocate(state, {.whole = 2}, 1, first) == 1);
  CHECK(first == eight::grant_type{0b11, whole_device});
  CHECK(eight::allocate(state, {.whole = 3}, 1, second) == 1);
  CHECK(second == eight::grant_type{0b11100, whole_device});
  eight::release(state, first);
  CHECK(eight::allocate(state, {.whole = 3}, 1, first) == 1);
  CHECK(first.on == 0b100011);
}

TEST_CASE("a device of which a share is taken is not idle", "[resource]") {
  auto state = node_of(2);
  eight::grant_type grant;
  CHECK(eight::allocate(state, {.share = 1}, 1, grant) == 1);
  CHECK(eight::count_fitting(state, {.whole = 1}, 9) == 1);
  CHECK(eight::count_fitting(state, {.whole = 2}, 9) == 0);
  CHECK(eight::amount_left(state, 0) == 1);
  CHECK(eight::amount_left(state, 1) == whole_device);
}

TEST_CASE("a share goes to the device with the least left that holds it", "[resource]") {
  auto state = node_of(3);
  eight::charge(state, {0b001, 300});  // 700 left
  eight::charge(state, {0b010, 600});  // 400 left
  eight::grant_type grant;
  CHECK(eight::allocate(state, {.share = 400}, 5, grant) == 1);
  CHECK(grant == eight::grant_type{0b010, 400});
  CHECK(eight::allocate(state, {.share = 400}, 5, grant) == 1);
  CHECK(grant == eight::grant_type{0b001, 400});
  CHECK(eight::allocate(state, {.share = 400}, 5, grant) == 2);
  CHECK(grant == eight::grant_type{0b100, 800});
  CHECK(eight::allocate(state, {.share = 400}, 5, grant) == 0);
}

TEST_CASE("a share of 1000 milli is a device, but not asked as a whole one", "[resource]") {
  auto state = node_of(2);
  eight::grant_type grant;
  CHECK(eight::allocate(state, {.share = whole_device}, 9, grant) == 1);
  CHECK(grant == eight::grant_type{0b01, whole_device});
  CHECK(eight::count_fitting(state, {.whole = 1}, 9) == 1);
}

TEST_CASE("a demand for one link group takes the tightest that suffices", "[resource]") {
  // Groups: 0 has devices 0..3, 1 has 4 and 5, 2 has 6 and 7.
  const eight::capacity_type capacity{.count = 8, .link_group = {0, 0, 0, 0, 1, 1, 2, 2}};
  auto state = eight::empty_node(capacity);
  const eight::request_type pair{.whole = 2, .one_link_group = true};
  CHECK(eight::count_fitting(state, pair, 9) == 4);
  CHECK(eight::count_fitting(state, {.whole = 3, .one_link_group = true}, 9) == 1);
  CHECK(eight::count_fitting(state, {.whole = 3}, 9) == 2);
  CHECK(eight::count_fitting(state, {.whole = 5, .one_link_group = true}, 9) == 0);
  eight::grant_type grant;
  CHECK(eight::allocate(state, pair, 9, grant) == 1);
  CHECK(grant.on == 0b00110000);  // two groups of two: the lower number
  CHECK(eight::allocate(state, pair, 9, grant) == 1);
  CHECK(grant.on == 0b11000000);
  CHECK(eight::allocate(state, pair, 9, grant) == 2);
  CHECK(grant.on == 0b00001111);
}

TEST_CASE("who demands no link group gets one where one suffices", "[resource]") {
  const eight::capacity_type capacity{.count = 8, .link_group = {0, 0, 0, 0, 0, 1, 1, 1}};
  auto state = eight::empty_node(capacity);
  eight::grant_type grant;
  CHECK(eight::allocate(state, {.whole = 3}, 1, grant) == 1);
  CHECK(grant.on == 0b11100000);
  CHECK(eight::allocate(state, {.whole = 1}, 1, grant) == 1);
  CHECK(grant.on == 0b00000001);
  CHECK(eight::allocate(state, {.whole = 2}, 9, grant) == 2);
  CHECK(grant.on == 0b00011110);

  state = eight::empty_node(capacity);
  eight::charge(state, {0b00001100, whole_device});  // three idle in either group
  CHECK(eight::allocate(state, {.whole = 4}, 1, grant) == 1);
  CHECK(grant.on == 0b00110011);
}

TEST_CASE("idle devices that lie apart do not make up one link group", "[resource]") {
  const eight::capacity_type capacity{.count = 4, .link_group = {5, 5, 9, 9}};
  auto state = eight::empty_node(capacity);
  eight::charge(state, {0b0101, whole_device});
  CHECK(eight::amount_left(state, 0) == 2);
  CHECK(eight::fits(state, {.whole = 2}));
  CHECK_FALSE(eight::fits(state, {.whole = 2, .one_link_group = true}));
}

TEST_CASE("a demanded make of device keeps other nodes out", "[resource]") {
  const auto state = eight::empty_node({.count = 8, .model = make_a});
  CHECK(eight::count_fitting(state, {.whole = 4, .model = make_a}, 9) == 2);
  CHECK(eight::count_fitting(state, {.whole = 4, .model = make_b}, 9) == 0);
  CHECK(eight::count_fitting(state, {.share = 500, .model = make_b}, 9) == 0);
  CHECK(eight::count_fitting(state, {.model = make_b}, 9) == 9);  // asks no device
}

TEST_CASE("a node has one make of device, or no device and then none", "[resource]") {
  CHECK(eight::model_of({.count = 1, .model = make_b}) == make_b);
  CHECK(eight::model_of({.count = 1}) == any_model);
  CHECK(eight::model_of({.count = 0, .model = make_b}) == std::nullopt);
  CHECK(eight::asks_devices({.whole = 1}));
  CHECK(eight::asks_devices({.share = 1}));
  CHECK_FALSE(eight::asks_devices({.model = make_b}));
}

TEST_CASE("a sick device takes no new pod and gives its old one back", "[resource]") {
  auto state = node_of(2);
  eight::grant_type grant;
  REQUIRE(eight::allocate(state, {.share = 400}, 1, grant) == 1);
  eight::set_health(state, 0, false);
  CHECK(eight::count_fitting(state, {.share = 400}, 9) == 2);
  CHECK(eight::count_fitting(state, {.whole = 1}, 9) == 1);
  eight::release(state, grant);
  CHECK(eight::count_fitting(state, {.whole = 1}, 9) == 1);
  eight::set_health(state, 0, true);
  CHECK(state == node_of(2));
}

TEST_CASE("a pod that is there overcommits the devices with the most left", "[resource]") {
  auto state = node_of(2);
  eight::charge(state, {0b01, 900});
  eight::charge(state, {0b10, 700});
  const auto forced = eight::force(state, {.whole = 1});
  CHECK(forced == eight::grant_type{0b10, whole_device});
  CHECK(state.left[1] == -700);
  CHECK(eight::count_fitting(state, {.share = 100}, 9) == 1);
}

TEST_CASE("more whole devices than there are can be forced and taken back", "[resource]") {
  auto state = node_of(2);
  const auto forced = eight::force(state, {.whole = 8});
  CHECK(eight::count_fitting(state, {.share = 1}, 9) == 0);
  eight::release(state, forced);
  CHECK(state == node_of(2));
}

TEST_CASE("a grant may be charged if every device is well and has that much left", "[resource]") {
  auto state = node_of(3);
  eight::charge(state, {0b001, 700});
  CHECK(eight::may_charge(state, {0b001, 300}));
  CHECK_FALSE(eight::may_charge(state, {0b001, 301}));
  CHECK(eight::may_charge(state, {0b110, whole_device}));
  CHECK_FALSE(eight::may_charge(state, {0b011, whole_device}));
  CHECK_FALSE(eight::may_charge(state, {0b1000, 1}));  // no such device
  eight::set_health(state, 2, false);
  CHECK_FALSE(eight::may_charge(state, {0b100, 1}));
  CHECK_FALSE(eight::may_charge(state, {0b010, -1}));
  CHECK(eight::may_charge(state, {}));
}

TEST_CASE("a grant covers pods that ask just that, of the right make, each in one link group", "[resource]") {
  const auto state = eight::empty_node({.count = 8, .model = make_a, .link_group = {0, 0, 1, 1, 0, 0, 0, 0}});
  CHECK(eight::covers(state, {0b1111, whole_device}, {.whole = 2}, 2));
  CHECK_FALSE(eight::covers(state, {0b1111, whole_device}, {.whole = 2}, 1));
  CHECK_FALSE(eight::covers(state, {0b0111, whole_device}, {.whole = 2}, 1));
  CHECK_FALSE(eight::covers(state, {0b0011, 500}, {.whole = 2}, 1));
  CHECK_FALSE(eight::covers(state, {0b0011, whole_device}, {.whole = 2, .model = make_b}, 1));
  CHECK(eight::covers(state, {0b0011, whole_device}, {.whole = 2, .model = make_a}, 1));
  CHECK(eight::covers(state, {0b1111, whole_device}, {.whole = 2, .one_link_group = true}, 2));
  CHECK(eight::covers(state, {0b110011, whole_device}, {.whole = 4, .one_link_group = true}, 1));
  CHECK_FALSE(eight::covers(state, {0b011110, whole_device}, {.whole = 2, .one_link_group = true}, 2));  // 1 and 2
  CHECK(eight::covers(state, {0b1, 900}, {.share = 300}, 3));
  CHECK_FALSE(eight::covers(state, {0b1, 900}, {.share = 300}, 2));
  CHECK_FALSE(eight::covers(state, {0b11, 300}, {.share = 300}, 1));  // a share lies on one device
  CHECK(eight::covers(state, {}, {}, 7));
  CHECK_FALSE(eight::covers(state, {0b1, whole_device}, {}, 1));
  CHECK_FALSE(eight::covers(state, {0b1, 300}, {.share = 300}, std::int64_t{1} << 62));
}

TEST_CASE("a device the node does not have is never charged, forced or made well", "[resource]") {
  auto state = node_of(2);
  eight::charge(state, {0b110, 300});
  CHECK(state.left[1] == 700);
  CHECK(state.left[2] == 0);
  eight::release(state, {0b110, 300});
  CHECK(state == node_of(2));
  eight::set_health(state, 2, true);
  CHECK(state == node_of(2));
  CHECK(eight::force(state, {.whole = 3}).on == 0b11);
  CHECK(eight::is_there({.count = 2}, {0b11, 300}));
  CHECK_FALSE(eight::is_there({.count = 2}, {0b110, 300}));
  CHECK(devices<64>::is_there({.count = 64}, {~std::uint64_t{0}, 1}));
}

TEST_CASE("devices, shares and grants outside the range are refused by name", "[resource]") {
  CHECK(eight::check_capacity({.count = 8}) == amount_fault::none);
  CHECK(eight::check_capacity({.count = 9}) == amount_fault::too_many_devices);
  CHECK(devices<64>::check_capacity({.count = ~std::uint32_t{0}}) == amount_fault::too_many_devices);
  CHECK(eight::check_request({.whole = 9}) == amount_fault::too_many_devices);
  CHECK(eight::check_request({.share = -1}) == amount_fault::negative);
  CHECK(eight::check_request({.share = 1001}) == amount_fault::not_a_share);
  CHECK(eight::check_request({.whole = 1, .share = 1}) == amount_fault::mixed_request);
  CHECK(eight::check_request({}) == amount_fault::none);
  CHECK(eight::check_grant({0xff, whole_device}) == amount_fault::none);
  CHECK(eight::check_grant({0x100, whole_device}) == amount_fault::too_many_devices);
  CHECK(eight::check_grant({1, -1}) == amount_fault::negative);
  CHECK(eight::check_grant({1, 1001}) == amount_fault::not_a_share);
}

TEST_CASE("what it takes to say whether shares fit together is told", "[resource]") {
  const auto node = node_of(8);
  const auto ask = [&](const std::array<eight::request_type, 2>& requests, std::array<pod_count, 2> counts) {
    std::uint64_t steps = 0;
    const hosting answer = hosts<eight>(node, std::span<const eight::request_type>{requests},
                                        std::span<const pod_count>{counts}, ignore_grants{}, steps);
    return std::pair{answer, steps};
  };
  CHECK(ask({{{.share = 500}, {.share = 250}}}, {8, 16}) == std::pair{hosting::yes, std::uint64_t{1}});
  // three of either fill a device, so 25 pods are one too many, which no sum shows
  const auto [answer, steps] = ask({{{.share = 320}, {.share = 310}}}, {12, 13});
  CHECK(answer == hosting::no);
  CHECK(steps > 10);
}

namespace {

/// Shares as requests of their own, so many of each.
template <std::size_t M>
struct asked_together {
  using model = devices<M>;
  std::vector<typename model::request_type> requests;
  std::vector<pod_count> counts;

  void add(typename model::request_type one, pod_count count) {
    requests.push_back(one);
    counts.push_back(count);
  }
  /// What the model says; a yes only if every pod got a grant of its own that was there.
  [[nodiscard]] hosting ask(const typename model::state_type& node) const {
    auto left = node;
    auto missing = counts;
    bool legal = true;
    const auto take = [&](std::size_t i, pod_count pods, const typename model::grant_type& grant) {
      legal = legal && model::covers(left, grant, requests[i], pods) && model::may_charge(left, grant);
      model::charge(left, grant);
      missing[i] -= pods;
    };
    const hosting answer = hosts<model>(node, std::span<const typename model::request_type>{requests},
                                        std::span<const pod_count>{counts}, take);
    if (answer == hosting::yes) {
      CHECK(legal);
      CHECK(std::all_of(missing.begin(), missing.end(), [](pod_count n) { return n == 0; }));
    }
    return answer;
  }
  /// Every grant for every pod.
  [[nodiscard]] bool can_host(typename model::state_type left, std::size_t i = 0, pod_count placed = 0) const {
    while (i < requests.size() && placed == counts[i]) ++i, placed = 0;
    if (i == requests.size()) return true;
    for (std::uint64_t on = 1; on < std::uint64_t{1} << M; ++on) {
      const typename model::grant_type grant{on, requests[i].whole > 0 ? whole_device : requests[i].share};
      if (!model::covers(left, grant, requests[i], 1) || !model::may_charge(left, grant)) continue;
      auto rest = left;
      model::charge(rest, grant);
      if (can_host(rest, i, placed + 1)) return true;
    }
    return false;
  }
};

}  // namespace

TEST_CASE("shares fit together where tightest fit, largest first, fails", "[resource]") {
  auto node = devices<2>::empty_node({.count = 2});
  devices<2>::charge(node, {0b01, 300});
  devices<2>::charge(node, {0b10, 100});  // 700 and 900 are left
  asked_together<2> asked;
  for (const std::int32_t share : {500, 400}) asked.add({.share = share}, 1);
  asked.add({.share = 300}, 2);
  CHECK(asked.ask(node) == hosting::yes);
  asked.add({.share = 101}, 1);
  CHECK(asked.ask(node) == hosting::no);
}

TEST_CASE("what a node of devices hosts is what trying every grant finds", "[resource]") {
  using four = devices<4>;
  generator rng{"devices hosted together"};
  int yes = 0, no = 0;
  for (int round = muster_test::rounds(3000); round > 0; --round) {
    four::capacity_type all{.count = static_cast<std::uint32_t>(rng.between(1, 4)), .model = make_a};
    for (auto& group : all.link_group) group = static_cast<std::uint8_t>(rng.below(2));
    auto node = four::empty_node(all);
    for (std::uint32_t d = 0; d < all.count; ++d) {
      if (rng.chance(50)) four::charge(node, {std::uint64_t{1} << d, static_cast<std::int32_t>(100 * rng.between(1, 10))});
      if (rng.chance(8)) four::set_health(node, d, false);
    }
    asked_together<4> asked;
    for (auto sets = rng.between(1, 4); sets > 0; --sets) {
      four::request_type one;
      if (rng.chance(30)) {
        one.whole = static_cast<std::uint32_t>(rng.between(1, 2));
        one.one_link_group = rng.chance(50);
      } else {
        one.share = static_cast<std::int32_t>(100 * rng.between(1, 8));
      }
      asked.add(one, rng.between(0, 2));
    }
    const bool truth = asked.can_host(node);
    (truth ? yes : no) += 1;
    REQUIRE(asked.ask(node) == (truth ? hosting::yes : hosting::no));
  }
  CHECK(yes > 0);
  CHECK(no > 0);
}

TEST_CASE("every pod's devices lie in one link group where there is a way to", "[resource]") {
  using six = devices<6>;
  generator rng{"devices of one group where possible"};
  int all_can = 0, not_all = 0;
  for (int round = muster_test::rounds(1500); round > 0; --round) {
    six::capacity_type all{.count = 6};
    for (auto& group : all.link_group) group = static_cast<std::uint8_t>(rng.below(3));
    auto node = six::empty_node(all);
    for (std::uint32_t d = 0; d < all.count; ++d)
      if (rng.chance(10)) six::charge(node, {std::uint64_t{1} << d, whole_device});
    asked_together<6> free, linked;  // the same pods, without the demand and with it
    for (auto sets = rng.between(1, 3); sets > 0; --sets) {
      six::request_type one{.whole = static_cast<std::uint32_t>(rng.between(1, 3))};
      const pod_count count = rng.between(0, 2);
      free.add(one, count);
      one.one_link_group = true;
      linked.add(one, count);
    }
    if (free.ask(node) != hosting::yes) continue;
    bool all_linked = true;
    (void)hosts<six>(node, std::span<const six::request_type>{free.requests}, std::span<const pod_count>{free.counts},
                     [&](std::size_t i, pod_count pods, const six::grant_type& grant) {
                       all_linked = all_linked && six::covers(node, grant, linked.requests[i], pods);
                     });
    REQUIRE(all_linked == linked.can_host(node));
    ++(all_linked ? all_can : not_all);
  }
  CHECK(all_can > 100);
  CHECK(not_all > 100);
}

TEST_CASE("eight devices cut up without a rest are put together again", "[resource]") {
  generator rng{"devices cut up"};
  for (int round = muster_test::rounds(300); round > 0; --round) {
    std::map<std::int32_t, pod_count> pieces;
    for (int device = 0; device < 8; ++device)
      for (std::int32_t left = 1000; left > 0;) {
        auto piece = static_cast<std::int32_t>(50 * rng.between(2, 10));
        if (left - piece < 100) piece = left;
        ++pieces[piece];
        left -= piece;
      }
    asked_together<8> asked;
    for (const auto& [share, count] : pieces) asked.add({.share = share}, count);
    REQUIRE(asked.ask(node_of(8)) == hosting::yes);
    --asked.requests.back().share;
    const pod_count room = asked.counts.back();  // a thousandth of each of the largest
    asked.add({.share = static_cast<std::int32_t>(room) + 1}, 1);
    REQUIRE(asked.ask(node_of(8)) == hosting::no);
  }
}

TEST_CASE("shares of every size are counted as by division, whatever is left", "[resource]") {
  eight::state_type state = node_of(1);
  for (std::int32_t share = 1; share <= whole_device; ++share) {
    const auto ready = eight::prepare({.share = share});
    for (std::int32_t left = -1; left <= whole_device; ++left) {
      state.left[0] = left;
      const pod_count expected = left > 0 ? left / share : 0;
      if (eight::count_fitting(state, ready, max_pods_per_node) != expected) FAIL(share << " of " << left);
    }
  }
}

TEST_CASE("whole devices of every width are counted as by division", "[resource]") {
  using most = devices<64>;
  most::state_type state = most::empty_node({.count = 64});
  for (std::uint32_t idle = 0; idle <= 64; ++idle) {
    state.idle = first_numbers(idle);
    for (std::uint32_t width = 1; width <= 64; ++width)
      if (most::count_fitting(state, most::prepare({.whole = width}), 100) != idle / width)
        FAIL(width << " of " << idle);
  }
  CHECK(most::count_fitting(state, most::prepare({.whole = 2000}), 100) == 0);
  CHECK(most::count_fitting(state, most::prepare({.share = 2000}), 100) == 0);
}

TEST_CASE("what is too small for a device of a request is what is left below it", "[resource]") {
  eight::state_type state = node_of(4);
  state.left = {1000, 700, 300, -200};
  state.idle = 1;
  CHECK(eight::milli_too_small(state, {.share = 500}) == 300);
  CHECK(eight::milli_too_small(state, {.share = 300}) == 0);
  CHECK(eight::milli_too_small(state, {.share = 701}) == 1000);
  CHECK(eight::milli_too_small(state, {.whole = 2}) == 1000);
  CHECK(eight::milli_too_small(state, {}) == 2000);  // a pod that asks for none can use none
  eight::set_health(state, 1, false);
  CHECK(eight::milli_too_small(state, {.whole = 2}) == 300);
}
