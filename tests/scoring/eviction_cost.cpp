// SPDX-License-Identifier: BSL-1.0
#include <muster/scoring/eviction_cost.hpp>

#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/generator.hpp"
#include "support/scene.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <span>
#include <string_view>
#include <vector>

namespace {

using two = muster::resource_vector<2>;
using scene = muster_test::scene<two>;
using muster::check_cost;
using muster::cost_fault;
using muster::cost_value;
using value = cost_value<1>;
using pair = cost_value<2>;
using members = muster::evicted_members<two>;

constexpr std::int64_t top = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t bottom = std::numeric_limits<std::int64_t>::min();

/// Group 1 with pods 10, 11 ... that run on node 1, and pod 90 of no group; a pod takes 4 of the first resource, and
/// was placed at 100.
struct yard {
  scene at{};
  muster::pod_group<two> gang = scene::gang(1, 3, {4, 7});

  yard() { at.node(1, {100, 100}); }
  void run(std::int64_t started, std::int64_t checkpoint) {
    gang.started = started == top ? muster::end_of_time : scene::time(started);
    gang.checkpoint = checkpoint == bottom ? muster::beginning_of_time : scene::time(checkpoint);
    at.group(gang);
    at.pods(10, 3, gang);
    for (const std::uint64_t pod : {10U, 11U, 12U}) place(pod, 100);
    muster::pod_seen<two> alone;
    alone.pod = muster::pod_id{90};
    alone.request = {4, 7};
    at.say(alone);
    place(90, 100);
  }
  void place(std::uint64_t pod, std::int64_t when) {
    muster::pod_placed<two> placed;
    placed.pod = muster::pod_id{pod};
    placed.node = muster::node_id{1};
    placed.at = when == bottom ? muster::beginning_of_time : scene::time(when);
    at.say(placed);
  }
  /// What a cost object says of so many pods of the group, at a time.
  template <class Cost>
  std::int64_t of(const Cost& cost, std::size_t pods, std::int64_t now) {
    const auto view = at.view(now);
    const auto records = of_group(view, pods);
    return cost(members{view.group(muster::group_id{1}), records, view.time()}).part[0];
  }
  template <class Cost>
  std::int64_t of_pod_alone(const Cost& cost, std::int64_t now) {
    const auto view = at.view(now);
    const auto* const pod = view.pod(muster::pod_id{90});
    return cost(members{nullptr, std::span{&pod, 1}, view.time()}).part[0];
  }
  static std::vector<const muster::pod_record<two>*> of_group(const muster::snapshot<two>& view, std::size_t pods) {
    std::vector<const muster::pod_record<two>*> records;
    for (std::uint64_t id = 10; records.size() < pods; ++id) records.push_back(view.pod(muster::pod_id{id}));
    return records;
  }
};

/// A cost object that says of n pods what stands at n - 1 of a list, and of the shares what stands in another, else 0.
template <std::size_t N>
struct told {
  static constexpr std::size_t components = N;
  std::vector<cost_value<N>> of_set;
  std::vector<cost_value<N>> of_member{};

  cost_value<N> operator()(const members& gone) const { return of_set.at(gone.pods.size() - 1); }
  cost_value<N> share(const muster::group_record<two>*, const muster::pod_record<two>& pod, muster::time_point) const {
    const std::size_t at = number(pod.id) - 10;
    return at < of_member.size() ? of_member[at] : cost_value<N>{};
  }
};

/// The same, that says its costs add up.
struct told_to_add_up : told<1> {
  static constexpr bool adds_up = true;
};

template <class Cost>
cost_fault fault_of(const Cost& cost) {
  yard y;
  y.run(0, 0);
  const auto view = y.at.view(50);
  const auto records = yard::of_group(view, cost.of_set.size());
  return check_cost(cost, members{view.group(muster::group_id{1}), records, view.time()});
}

struct no_share {
  static constexpr std::size_t components = 1;
  value operator()(const members&) const { return {}; }
};
struct other_components : no_share {
  pair share(const muster::group_record<two>*, const muster::pod_record<two>&, muster::time_point) const { return {}; }
};

static_assert(muster::eviction_cost<muster::lost_work<>, two>);
static_assert(muster::eviction_cost<muster::evicted_pods, two>);
static_assert(muster::eviction_cost<told<2>, two>);
static_assert(!muster::eviction_cost<no_share, two>, "without shares nothing can be bounded");
static_assert(!muster::eviction_cost<other_components, two>, "a share has the components of a cost");
static_assert(!muster::eviction_cost<muster::first_dimension, two>);

static_assert(muster::adds_up<muster::lost_work<>>);
static_assert(muster::adds_up<muster::evicted_pods>);
static_assert(muster::adds_up<told_to_add_up>);
static_assert(!muster::adds_up<told<1>>, "who does not say so does not add up");

/// Weighs by the second resource.
struct by_second {
  template <class M>
  muster::amount operator()(const typename M::request_type& request) const {
    return M::amount_needed(request, 1);
  }
};

}  // namespace

TEST_CASE("costs are compared from the left and add up by components", "[scoring]") {
  CHECK(pair{{1, 9}} < pair{{2, 0}});
  CHECK(pair{{1, 1}} < pair{{1, 2}});
  CHECK(pair{{1, 2}} == pair{{1, 2}});
  CHECK(pair{{1, 2}} + pair{{30, 40}} == pair{{31, 42}});
  CHECK(value::of(7) == value{{7}});
  CHECK(value{} == value::of(0));
  CHECK(pair::size() == 2);
}

TEST_CASE("a sum is held at the top of its range, and says so", "[scoring]") {
  CHECK(value::of(top - 1) + value::of(2) == value::of(top));
  CHECK((value::of(top - 1) + value::of(2)).saturated());
  CHECK((pair{{0, top}} + pair{{5, 5}}) == pair{{5, top}});
  CHECK((pair{{0, top}}).saturated());
  CHECK_FALSE((pair{{top - 1, 0}}).saturated());
  // one that saturates is never the cheaper one
  CHECK(value::of(top - 1) < value::of(top - 1) + value::of(1'000));
}

TEST_CASE("lost work is accelerators times the time since the checkpoint", "[scoring]") {
  yard y;
  y.run(100, 400);
  const muster::lost_work<> cost;
  CHECK(y.of(cost, 1, 1000) == 4 * 600);
  CHECK(y.of(cost, 3, 1000) == 3 * 4 * 600);
  CHECK(y.of(cost, 2, 400) == 0);
}

TEST_CASE("without a checkpoint it counts from the start, and what has not started loses nothing", "[scoring]") {
  yard known, unstarted;
  known.run(100, bottom);
  CHECK(known.of(muster::lost_work<>{}, 2, 1000) == 2 * 4 * 900);
  unstarted.run(top, bottom);
  CHECK(unstarted.of(muster::lost_work<>{}, 2, 1000) == 0);
}

TEST_CASE("a checkpoint or a start in the future loses nothing", "[scoring]") {
  yard saved, started;
  saved.run(100, 2000);
  CHECK(saved.of(muster::lost_work<>{}, 3, 1000) == 0);
  CHECK(saved.of(muster::lost_work<>{}, 3, 2000) == 0);
  CHECK(saved.of(muster::lost_work<>{}, 3, 2001) == 3 * 4);
  started.run(1500, bottom);
  CHECK(started.of(muster::lost_work<>{}, 1, 1000) == 0);
}

TEST_CASE("a restart counts once for each pod, lost work or not", "[scoring]") {
  yard y;
  y.run(100, 2000);
  CHECK(y.of(muster::lost_work<>{.restart = 50}, 3, 1000) == 150);
  CHECK(y.of(muster::lost_work<>{.restart = 50}, 1, 2010) == 4 * 10 + 50);
  CHECK(y.of_pod_alone(muster::lost_work<>{.restart = 50}, 100) == 50);
}

TEST_CASE("a pod of no group counts from when it was placed", "[scoring]") {
  yard y;
  y.run(300, 400);
  CHECK(y.of_pod_alone(muster::lost_work<>{}, 1000) == 4 * 900);
  CHECK(y.of_pod_alone(muster::lost_work<>{}, 99) == 0);
}

TEST_CASE("of a group that is gone a pod counts from when it was placed", "[scoring]") {
  yard y;
  y.run(300, 400);
  y.at.say(muster::group_gone{muster::group_id{1}});
  const auto view = y.at.view(1000);
  REQUIRE(view.group(muster::group_id{1}) == nullptr);
  const auto& pod = *view.pod(muster::pod_id{10});
  const muster::lost_work<> cost;
  CHECK(cost.share<two>(nullptr, pod, view.time()) == value::of(4 * 900));
  CHECK(cost.share(view.named_group(muster::group_id{1}), pod, view.time()) == value::of(4 * 900));
}

TEST_CASE("what is lost may be weighed otherwise", "[scoring]") {
  yard y;
  y.run(100, 400);
  CHECK(y.of(muster::lost_work<by_second>{}, 2, 1000) == 2 * 7 * 600);
}

TEST_CASE("lost work is held at the top of its range", "[scoring]") {
  yard y;
  y.run(bottom + 1, bottom);  // started at nearly the beginning of time
  const muster::lost_work<> cost;
  CHECK(y.of(cost, 1, 1000) == top);
  CHECK(y.of(cost, 3, 1000) == top);
  CHECK(y.of(muster::lost_work<>{.restart = top}, 2, 1000) == top);
  yard whole;
  whole.run(0, bottom);
  CHECK(whole.of(muster::lost_work<>{.restart = top - 40}, 1, 10) == top);
  CHECK(whole.of(muster::lost_work<>{.restart = top - 41}, 1, 10) == top - 1);
}

TEST_CASE("a pod placed at an unknown time lost more than can be told", "[scoring]") {
  yard y;
  y.run(0, 0);
  y.place(90, bottom);
  CHECK(y.of_pod_alone(muster::lost_work<>{}, 1000) == top);
  CHECK(y.of_pod_alone(muster::lost_work<>{}, 0) == top);
}

TEST_CASE("how many pods go", "[scoring]") {
  yard y;
  y.run(0, 0);
  CHECK(y.of(muster::evicted_pods{}, 1, 0) == 1);
  CHECK(y.of(muster::evicted_pods{}, 3, 0) == 3);
}

TEST_CASE("a sound cost object has no fault", "[scoring]") {
  CHECK(fault_of(told<1>{{value::of(5), value::of(5), value::of(9)}}) == cost_fault::none);
  CHECK(fault_of(told<1>{{value::of(5), value::of(8)}, {value::of(5), value::of(3)}}) == cost_fault::none);
  CHECK(fault_of(told<1>{{value::of(top), value::of(top)}, {value::of(top), value::of(top)}}) == cost_fault::none);
  // the second component may fall where the first rises
  CHECK(fault_of(told<2>{{pair{{1, 9}}, pair{{2, 0}}}}) == cost_fault::none);
}

TEST_CASE("every fault of a cost object is named", "[scoring]") {
  CHECK(fault_of(told<1>{{value::of(-1)}}) == cost_fault::negative);
  CHECK(fault_of(told<2>{{pair{{3, 0}}, pair{{4, -1}}}}) == cost_fault::negative);
  CHECK(fault_of(told<1>{{value::of(3)}, {value::of(-1)}}) == cost_fault::negative);
  CHECK(fault_of(told<1>{{value::of(3), value::of(7), value::of(6)}}) == cost_fault::decreasing);
  CHECK(fault_of(told<2>{{pair{{3, 5}}, pair{{3, 4}}}}) == cost_fault::decreasing);
  CHECK(fault_of(told<1>{{value::of(3)}, {value::of(4)}}) == cost_fault::share);
  CHECK(fault_of(told<1>{{value::of(3), value::of(5)}, {value::of(3), value::of(3)}}) == cost_fault::share);
  CHECK(fault_of(told<2>{{pair{{3, 1}}}, {pair{{0, 2}}}}) == cost_fault::share);
}

TEST_CASE("who says that costs add up is held to it", "[scoring]") {
  const std::vector<value> costs{value::of(5), value::of(8)};
  CHECK(fault_of(told_to_add_up{{costs, {value::of(5), value::of(3)}}}) == cost_fault::none);
  CHECK(fault_of(told_to_add_up{{costs, {value::of(5), value::of(2)}}}) == cost_fault::share);
  CHECK(fault_of(told_to_add_up{{costs, {value::of(4), value::of(3)}}}) == cost_fault::share);
  CHECK(fault_of(told<1>{costs, {value::of(4), value::of(2)}}) == cost_fault::none);
}

TEST_CASE("the library's own costs are sound, whatever the times", "[scoring]") {
  muster_test::generator random{"the library's own costs are sound"};
  for (int round = muster_test::rounds(300); round > 0; --round) {
    const auto when = [&] {
      static constexpr std::int64_t odd[] = {bottom, bottom + 1, -1, 0, 1, top / 8, top - 1, top};
      return random.chance(40) ? random.pick(odd) : random.between(-1000, 1000);
    };
    yard y;
    y.run(when(), when());
    const auto view = y.at.view(when());
    const auto records = yard::of_group(view, 3);
    const members gone{view.group(muster::group_id{1}), records, view.time()};
    const muster::lost_work<> cost{.restart = random.chance(20) ? top : random.between(0, 100)};
    REQUIRE(check_cost(cost, gone) == cost_fault::none);
    REQUIRE(check_cost(muster::evicted_pods{}, gone) == cost_fault::none);
  }
}

TEST_CASE("faults of cost objects have names of their own", "[scoring]") {
  std::set<std::string_view> names;
  for (const auto fault :
       {cost_fault::none, cost_fault::negative, cost_fault::decreasing, cost_fault::share, cost_fault::too_large})
    names.insert(name(fault));
  CHECK(names.size() == 5);
  CHECK(names.count("?") == 0);
}
