// SPDX-License-Identifier: BSL-1.0
#include <muster/cluster/apply.hpp>

#include "support/catch.hpp"
#include "support/cluster_view.hpp"
#include "support/compiled_once.hpp"

#include <muster/cluster/cluster.hpp>
#include <muster/cluster/digest.hpp>
#include <muster/quorum/gate.hpp>
#include <muster/resource/devices.hpp>
#include <muster/resource/joint.hpp>
#include <muster/resource/resource_vector.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

using namespace muster;

namespace {

using counted = resource_vector<2>;

constexpr node_id n1{1}, n2{2}, n3{3}, n4{4};
constexpr pod_id a{11}, b{12}, c{13};
constexpr group_id gang{100};

constexpr time_point at(std::int64_t tick) { return time_point{duration{tick}}; }

constexpr apply_result applied{apply_outcome::applied}, duplicate{apply_outcome::duplicate}, stale{apply_outcome::stale},
    parked{apply_outcome::parked};

constexpr apply_result rejected(change_fault fault, amount_fault amounts = amount_fault::none) {
  return {apply_outcome::rejected, fault, amounts};
}

/// A cluster told in short words (not inlined: there are a hundred); every word is one change under the next revision, or under the one given.
template <class M>
struct told {
  cluster<M> model{nested_levels(2)};
  std::uint64_t last = 0;

  [[gnu::noinline]] apply_result say(change_content<M> what) { return say(++last, std::move(what)); }
  [[gnu::noinline]] apply_result say(std::uint64_t revision_number, change_content<M> what) {
    return apply(model, change<M>{revision{revision_number}, std::move(what)});
  }
  apply_result node(node_id id, typename M::capacity_type capacity) { return say(node_seen<M>{{id, {}, capacity, {}}}); }
  apply_result pod(pod_id id, typename M::request_type request, group_id group = gang) {
    pod_seen<M> seen;
    seen.pod = id;
    seen.group = group;
    seen.request = request;
    return say(seen);
  }
  apply_result place(pod_id id, node_id node, placing how = placing::bound) {
    return say(pod_placed<M>{id, node, how, {}, {}});
  }
  apply_result gang_of(pod_count min_count, pod_count pods, typename M::request_type request) {
    pod_group<M> group;
    group.id = gang;
    group.pod_sets = {{request, pods, 0}};
    group.min_count = min_count;
    group.disruption = disruption_mode::all;
    return say(group_seen<M>{group});
  }

  [[nodiscard]] typename M::state_type now(node_id id) { return model.view().now(model.view().find(id).value()); }
  [[nodiscard]] typename M::state_type later(node_id id) { return model.view().later(model.view().find(id).value()); }
  [[nodiscard]] phase phase_of(pod_id id) { return model.view().pod(id)->phase; }
  [[nodiscard]] member_counts members() { return model.view().named_group(gang)->members; }
};

template <class M>
std::string faults(told<M>& of) {
  const auto view = of.model.view();
  return muster_test::balance_fault<M>(of.model, view) + muster_test::index_fault(view);
}

}  // namespace

// --- the five answers ------------------------------------------------------------------------------------------------

TEST_CASE("what is new is applied, what is known is a duplicate, what is older is stale", "[cluster]") {
  told<counted> of;
  const node_seen<counted> small{{n1, {}, {8, 8}, {}}}, large{{n1, {}, {16, 8}, {}}};
  CHECK(of.say(5, large) == applied);
  const auto digest_then = digest(of.model);
  CHECK(of.say(5, large) == duplicate);
  CHECK(of.say(4, small) == stale);
  CHECK(digest(of.model) == digest_then);
  CHECK(of.now(n1) == counted::state_type{16, 8});
  CHECK(of.say(6, small) == applied);
  CHECK(of.now(n1) == counted::state_type{8, 8});
}

TEST_CASE("each kind of change is applied once, then a duplicate, then stale", "[cluster]") {
  using M = devices<4>;
  pod_group<M> group;
  group.id = gang;
  group.disruption = disruption_mode::single;
  pod_seen<M> seen;
  seen.pod = a;
  seen.group = gang;
  seen.request = {.whole = 1};
  const std::vector<change_content<M>> each_kind{
      node_seen<M>{{n1, {}, {.count = 4}, {}}},
      group_seen<M>{group},
      seen,
      pod_placed<M>{a, n1, placing::bound, {}, at(1)},
      pod_terminating{a, at(9), at(2)},
      device_health{n1, 2, false},
      node_closed{n1, at(0), at(5)},
      set_aside<M>{set_aside_id{1}, gang, 0, n1, 1, {0b10, 1000}, at(9)},
      set_aside_dropped{set_aside_id{1}},
      group_satisfied{gang, at(3)},
      pod_unplaced{a, at(4)},
      pod_ended{a, ending::failed, at(4)},
      node_opened{n1},
      group_gone{gang},
      node_gone{n1},
  };
  REQUIRE(each_kind.size() == std::variant_size_v<change_content<M>>);
  told<M> of;
  of.last = 100;
  for (const auto& what : each_kind) {
    CAPTURE(what.index());
    CHECK(of.say(what) == applied);
    const auto before = digest(of.model);
    CHECK(of.say(of.last, what) == duplicate);
    CHECK(of.say(50, what) == stale);
    CHECK(digest(of.model) == before);
    CHECK(faults(of) == "");
  }
}

TEST_CASE("two contents under one revision are settled the same way in either order", "[cluster]") {
  const auto settled = [](const change_content<counted>& one, const change_content<counted>& other) {
    told<counted> first, second;
    for (auto* of : {&first, &second}) {
      of->node(n1, {4, 4});
      of->node(n2, {4, 4});
      of->pod(a, {1, 1});
    }
    first.say(7, one);
    first.say(7, other);
    second.say(7, other);
    second.say(7, one);
    CAPTURE(one.index(), other.index());
    CHECK(digest(first.model) == digest(second.model));
    CHECK(muster_test::portrait_of<counted>(first.model.view(), {a}, {gang}) ==
          muster_test::portrait_of<counted>(second.model.view(), {a}, {gang}));
  };
  settled(node_seen<counted>{{n1, {}, {8, 8}, {}}}, node_seen<counted>{{n1, {}, {9, 8}, {}}});
  settled(node_seen<counted>{{n1, kind_id{1}, {8, 8}, {}}}, node_seen<counted>{{n1, {}, {8, 8}, {}}});
  settled(node_closed{n1, at(0), at(5)}, node_closed{n1, at(0), at(6)});
  settled(node_closed{n1, at(0), at(5)}, node_opened{n1});
  settled(pod_placed<counted>{a, n1, placing::bound, {}, {}}, pod_placed<counted>{a, n2, placing::bound, {}, {}});
  settled(pod_placed<counted>{a, n1, placing::bound, {}, {}}, pod_unplaced{a, {}});
  settled(pod_placed<counted>{a, n1, placing::bound, {}, {}}, pod_placed<counted>{a, n1, placing::bound, {{1, 1}}, {}});
  settled(pod_unplaced{a, at(1)}, pod_unplaced{a, at(2)});
  settled(pod_terminating{a, at(1), {}}, pod_terminating{a, at(2), {}});
  settled(pod_terminating{a, at(1), at(1)}, pod_terminating{a, at(1), at(2)});
  settled(pod_ended{a, ending::failed, {}}, pod_ended{a, ending::succeeded, {}});
  settled(pod_ended{a, ending::failed, at(1)}, pod_ended{a, ending::failed, at(2)});
  settled(group_satisfied{gang, at(1)}, group_satisfied{gang, at(2)});
  settled(set_aside<counted>{set_aside_id{1}, gang, 0, n1, 1, {1, 1}, at(9)},
          set_aside<counted>{set_aside_id{1}, gang, 0, n1, 1, {1, 2}, at(9)});
}

TEST_CASE("a change of what is not known yet is parked and takes effect when it is", "[cluster]") {
  told<counted> of;
  CHECK(of.place(a, n1) == parked);                               // neither pod nor node
  CHECK(of.pod(a, {3, 0}) == parked);                             // the node is missing
  CHECK(of.say(node_closed{n1, at(0), at(5)}) == parked);
  CHECK(of.say(pod_ended{b, ending::failed, {}}) == parked);      // a pod nobody described
  CHECK(of.say(set_aside_dropped{set_aside_id{4}}) == parked);
  CHECK(of.say(set_aside<counted>{set_aside_id{5}, gang, 0, n1, 1, {0, 2}, at(9)}) == parked);
  CHECK(of.members()[phase::bound] == 1);                         // a member all the same
  CHECK(of.node(n1, {8, 8}) == applied);
  CHECK(of.now(n1) == counted::state_type{5, 6});
  CHECK_FALSE(of.model.view(at(0)).open(0));
  CHECK(of.model.view(at(5)).open(0));
  CHECK(of.pod(b, {8, 8}) == applied);
  CHECK(of.phase_of(b) == phase::failed);
  CHECK(faults(of) == "");
}

TEST_CASE("device health is parked until its node is seen", "[cluster]") {
  told<devices<4>> of;
  CHECK(of.say(device_health{n1, 3, false}) == parked);
  CHECK(of.node(n1, {.count = 4}) == applied);
  CHECK(of.model.view().index().level_of(devices<4>::amount_left(of.now(n1), 0), 0) == 3);
}

// --- bad input ---------------------------------------------------------------------------------------------------------

TEST_CASE("a rejected change names its fault and changes nothing", "[cluster][bad_input]") {
  constexpr amount huge = std::numeric_limits<amount>::max(), tiny = std::numeric_limits<amount>::min();
  const auto node = [](node_id id, amount first, labels path = {}) {
    return node_seen<counted>{{id, {}, {first, 0}, std::move(path)}};
  };
  const auto pod = [](amount first, std::uint32_t set) {
    pod_seen<counted> seen;
    seen.pod = c;
    seen.request = {first, 0};
    seen.pod_set = set;
    return seen;
  };
  const auto kept = [](pod_count count, node_id on, group_id group, std::uint32_t set, amount first) {
    return set_aside<counted>{set_aside_id{9}, group, set, on, count, {first, 0}, at(9)};
  };
  pod_group<counted> unstated;
  unstated.id = gang;
  using f = change_fault;
  told<counted> of;
  of.node(n1, {8, 8});
  of.pod(a, {2, 2});
  of.place(a, n1);
  const auto before = muster_test::portrait_of<counted>(of.model.view(), {a, b, c}, {gang});
  const auto digest_before = digest(of.model);
  const auto tick_before = of.model.view().tick();
  const auto refused = [&](const change_content<counted>& what, const apply_result& answer) {
    CAPTURE(what.index(), name(answer.fault));
    CHECK(of.say(what) == answer);
    CHECK(digest(of.model) == digest_before);
    CHECK(of.model.view().tick() == tick_before);
    CHECK(of.model.view().pod(c) == nullptr);
  };
  refused(node(no_node, 1), rejected(f::reserved_id));
  refused(node(n3, -1), rejected(f::bad_capacity, amount_fault::negative));
  refused(node(n3, tiny), rejected(f::bad_capacity, amount_fault::negative));
  refused(node(n3, max_amount + 1), rejected(f::bad_capacity, amount_fault::too_large));
  refused(node(n3, huge), rejected(f::bad_capacity, amount_fault::too_large));
  refused(node(n3, 1, {label_id{1}, label_id{2}, label_id{3}}), rejected(f::too_many_labels));
  refused(node_gone{no_node}, rejected(f::reserved_id));
  refused(node_closed{no_node, at(0), at(1)}, rejected(f::reserved_id));
  refused(node_opened{no_node}, rejected(f::reserved_id));
  refused(node_closed{n3, at(5), at(5)}, rejected(f::ends_before_start));
  refused(node_closed{n3, at(5), at(4)}, rejected(f::ends_before_start));
  refused(device_health{n3, 0, false}, rejected(f::no_devices));
  refused(device_health{no_node, 0, false}, rejected(f::reserved_id));
  refused(pod(-1, 0), rejected(f::bad_request, amount_fault::negative));
  refused(pod(huge, 0), rejected(f::bad_request, amount_fault::too_large));
  refused(pod(1, max_pod_sets), rejected(f::too_many_pod_sets));
  refused(pod_placed<counted>{c, no_node, placing::bound, {}, {}}, rejected(f::reserved_id));
  refused(pod_placed<counted>{c, n3, placing::bound, {{huge, 0}}, {}}, rejected(f::bad_grant, amount_fault::too_large));
  refused(pod_placed<counted>{c, n3, placing::bound, {{0, -1}}, {}}, rejected(f::bad_grant, amount_fault::negative));
  refused(group_seen<counted>{unstated}, rejected(f::bad_group));
  refused(group_gone{no_group}, rejected(f::reserved_id));
  refused(group_satisfied{no_group, {}}, rejected(f::reserved_id));
  refused(kept(1, no_node, gang, 0, 1), rejected(f::reserved_id));
  refused(kept(1, n3, no_group, 0, 1), rejected(f::reserved_id));
  refused(kept(0, n3, gang, 0, 1), rejected(f::too_many_pods));
  refused(kept(-4, n3, gang, 0, 1), rejected(f::too_many_pods));
  refused(kept(max_pods_per_node + 1, n3, gang, 0, 1), rejected(f::too_many_pods));
  refused(kept(1, n3, gang, max_pod_sets, 1), rejected(f::too_many_pod_sets));
  refused(kept(1, n3, gang, 0, huge), rejected(f::bad_grant, amount_fault::too_large));
  refused(kept(1, n3, gang, 0, -1), rejected(f::bad_grant, amount_fault::negative));
  CHECK(muster_test::portrait_of<counted>(of.model.view(), {a, b, c}, {gang}) == before);
  CHECK(of.say(0, node(n3, 1)) == rejected(f::no_revision));
  CHECK(digest(of.model) == digest_before);
}

TEST_CASE("devices that a node has no room for are rejected", "[cluster][bad_input]") {
  told<joint<devices<4>, resource_vector<1>>> of;
  using M = joint<devices<4>, resource_vector<1>>;
  const auto empty = digest(of.model);
  CHECK(of.say(device_health{n1, 4, false}) == rejected(change_fault::no_devices));
  CHECK(of.say(device_health{n1, 1'000'000, false}) == rejected(change_fault::no_devices));
  CHECK(of.node(n1, {{.count = 5}, {1}}) == rejected(change_fault::bad_capacity, amount_fault::too_many_devices));
  CHECK(of.pod(a, {{.whole = 5}, {1}}) == rejected(change_fault::bad_request, amount_fault::too_many_devices));
  CHECK(of.say(pod_placed<M>{a, n1, placing::bound, M::grant_type{{0b10000, 1000}, {0}}, {}}) ==
        rejected(change_fault::bad_grant, amount_fault::too_many_devices));
  CHECK(of.say(pod_placed<M>{a, n1, placing::bound, M::grant_type{{~std::uint64_t{0}, 1000}, {0}}, {}}) ==
        rejected(change_fault::bad_grant, amount_fault::too_many_devices));
  CHECK(of.say(set_aside<M>{set_aside_id{1}, gang, 0, n1, 1, {{1, 1001}, {0}}, {}}) ==
        rejected(change_fault::bad_grant, amount_fault::not_a_share));
  CHECK(digest(of.model) == empty);
}

TEST_CASE("an empty cluster answers every question", "[cluster][bad_input]") {
  told<counted> of;
  const auto view = of.model.view();
  CHECK(view.size() == 0);
  CHECK(view.domains(0) == 0);
  CHECK(view.domains(1) == 0);
  CHECK(view.kinds().empty());
  CHECK(view.find(n1) == std::nullopt);
  CHECK(view.state_of(n1) == node_state::lost);
  CHECK(view.group(gang) == nullptr);
  CHECK(view.pod(a) == nullptr);
  CHECK_FALSE(view.anything_leaving());
  CHECK_FALSE(view.anything_set_aside());
  CHECK(muster_test::index_fault(view) == "");
  CHECK(digest(of.model) == digest(cluster<counted>{}));
}

TEST_CASE("ids that nobody knows and groups without pods do no harm", "[cluster][bad_input]") {
  told<counted> of;
  CHECK(of.say(node_gone{n4}).outcome != apply_outcome::rejected);
  CHECK(of.say(group_gone{gang}).outcome != apply_outcome::rejected);
  CHECK(of.say(pod_unplaced{a, {}}).outcome == apply_outcome::parked);
  CHECK(of.gang_of(0, 0, {0, 0}) == applied);
  CHECK(of.model.view().group(gang)->members.total() == 0);
  CHECK(faults(of) == "");
}

TEST_CASE("the largest amounts on one node keep their balance", "[cluster][bad_input]") {
  using M = resource_vector<1>;
  told<M> of;
  of.node(n1, {max_amount});
  for (std::uint64_t p = 0; p < 40; ++p) {
    of.pod(pod_id{p}, {max_amount});
    of.place(pod_id{p}, n1);
  }
  CHECK(of.now(n1) == M::state_type{max_amount - 40 * max_amount});
  CHECK(faults(of) == "");
}

TEST_CASE("no node holds more pods and set-asides than it may", "[cluster][bad_input]") {
  using M = resource_vector<1>;
  told<M> of;
  of.node(n1, {max_amount});
  for (std::uint64_t p = 0; p < max_pods_per_node; ++p) {
    of.pod(pod_id{p}, {max_amount});
    REQUIRE(of.place(pod_id{p}, n1) == applied);
  }
  of.pod(pod_id{1'000'000}, {max_amount});
  CHECK(of.place(pod_id{1'000'000}, n1) == parked);
  CHECK(of.say(set_aside<M>{set_aside_id{1}, gang, 0, n1, 1, {max_amount}, at(9)}) == parked);
  CHECK(of.now(n1) == M::state_type{max_amount - max_pods_per_node * max_amount});
}

TEST_CASE("what was parked on a full node takes the slot of what leaves: pods by id, then set-asides", "[cluster]") {
  using M = resource_vector<1>;
  told<M> of;
  of.node(n1, {max_amount});
  for (std::uint64_t p = 0; p < max_pods_per_node; ++p) {
    of.pod(pod_id{p}, {1});
    REQUIRE(of.place(pod_id{p}, n1) == applied);
  }
  CHECK(of.say(set_aside<M>{set_aside_id{1}, gang, 0, n1, 1, {1'000'000}, at(9)}) == parked);
  for (const std::uint64_t late : {30'003U, 30'001U, 30'002U}) {
    of.pod(pod_id{late}, {1000});
    REQUIRE(of.place(pod_id{late}, n1) == parked);
  }
  const auto taken = [&] { return max_amount - of.now(n1)[0]; };
  CHECK(taken() == max_pods_per_node);
  of.say(pod_ended{pod_id{7}, ending::succeeded, {}});
  CHECK(taken() == max_pods_per_node - 1 + 1000);
  CHECK(of.model.view().pod(pod_id{30'001})->charged);
  CHECK(of.place(pod_id{8}, n2) == parked);  // a node nobody has seen
  of.say(pod_unplaced{pod_id{9}, {}});
  CHECK(taken() == max_pods_per_node - 3 + 3000);
  CHECK(of.model.view().pod(pod_id{30'003})->charged);
  of.pod(pod_id{10}, {2});  // charged anew, on the slot it had
  CHECK(of.model.view().pod(pod_id{10})->charged);
  CHECK_FALSE(of.model.view().anything_set_aside());
  of.say(pod_ended{pod_id{30'002}, ending::failed, {}});
  CHECK(of.model.view().anything_set_aside());
  CHECK(taken() == max_pods_per_node - 3 + 1 + 2000 + 1'000'000);
  CHECK(faults(of) == "");
}

// --- nodes that come late, shrink, go and come back --------------------------------------------------------------------

TEST_CASE("a pod bound to a node not yet seen is parked and charged when the node appears", "[cluster]") {
  told<counted> of;
  of.pod(a, {3, 1});
  CHECK(of.place(a, n1) == parked);
  CHECK(of.model.view().size() == 0);
  CHECK(of.phase_of(a) == phase::bound);
  of.node(n1, {8, 8});
  CHECK(of.now(n1) == counted::state_type{5, 7});
  CHECK(of.model.view().position_of(*of.model.view().pod(a)) == 0);
}

TEST_CASE("a node that shrinks below its use keeps a negative balance", "[cluster]") {
  told<counted> of;
  of.node(n1, {8, 8});
  of.pod(a, {6, 6});
  of.place(a, n1);
  of.node(n1, {4, 8});
  CHECK(of.now(n1) == counted::state_type{-2, 2});
  CHECK(of.model.view().population(0) == 1);
  CHECK(faults(of) == "");
  of.say(pod_ended{a, ending::succeeded, {}});
  CHECK(of.now(n1) == counted::state_type{4, 8});
  CHECK(faults(of) == "");
}

TEST_CASE("a node that grows beyond any before is indexed anew", "[cluster]") {
  told<counted> of;
  of.node(n1, {8, 8});
  CHECK(of.model.view().index().leading_is_exact());
  of.node(n1, {8'000'000, 8});
  CHECK(faults(of) == "");
  CHECK_FALSE(of.model.view().index().leading_is_exact());
  of.node(n2, {1, 1});
  CHECK(faults(of) == "");
}

TEST_CASE("a node that goes takes its capacity at once and its pods become lost members", "[cluster]") {
  told<counted> of;
  of.gang_of(2, 3, {2, 2});
  of.node(n1, {8, 8});
  of.node(n2, {8, 8});
  of.pod(a, {2, 2});
  of.pod(b, {2, 2});
  of.pod(c, {2, 2});
  of.place(a, n1);
  of.place(b, n2);
  CHECK(of.say(node_gone{n1}) == applied);
  CHECK(of.model.view().state_of(n1) == node_state::lost);
  CHECK(of.model.view().find(n1) == std::nullopt);
  CHECK(of.model.view().population(6) == 1);
  CHECK(of.members()[phase::lost] == 1);
  CHECK(of.members()[phase::bound] == 1);
  CHECK(of.members()[phase::seen] == 1);
  CHECK(of.members().scheduled() == 1);
  CHECK(of.members().total() == 3);
  CHECK(of.model.view().position_of(*of.model.view().pod(a)) == no_position);
  CHECK(of.model.view().node_of(*of.model.view().pod(a)) == n1);
  CHECK(faults(of) == "");
}

TEST_CASE("a node that comes back is empty and open, and its old pods stay lost", "[cluster]") {
  told<devices<4>> of;
  of.node(n1, {.count = 4});
  of.pod(a, {.whole = 1});
  of.place(a, n1);
  of.say(node_closed{n1});
  of.say(device_health{n1, 0, false});
  of.say(set_aside<devices<4>>{set_aside_id{1}, gang, 0, n1, 1, {0b1000, 1000}, end_of_time});
  CHECK(devices<4>::amount_left(of.now(n1), 0) == 1);
  of.say(node_gone{n1});
  of.node(n1, {.count = 4});
  CHECK(of.model.view().state_of(n1) == node_state::open);
  CHECK(devices<4>::amount_left(of.now(n1), 0) == 4);
  CHECK(of.phase_of(a) == phase::lost);
  CHECK(faults(of) == "");
  of.place(a, n1);  // the host says it runs there again
  CHECK(of.phase_of(a) == phase::bound);
  CHECK(devices<4>::amount_left(of.now(n1), 0) == 3);
}

TEST_CASE("what was said of a node before it went is stale when it comes late", "[cluster]") {
  told<devices<4>> of;
  of.say(10, node_seen<devices<4>>{{n1, {}, {.count = 4}, {}}});
  of.say(20, node_gone{n1});
  of.say(30, node_seen<devices<4>>{{n1, {}, {.count = 2}, {}}});
  CHECK(of.say(15, node_closed{n1}) == stale);
  CHECK(of.say(20, node_closed{n1, at(0), at(9)}) == stale);
  CHECK(of.say(16, device_health{n1, 1, false}) == stale);
  CHECK(of.say(17, set_aside<devices<4>>{set_aside_id{1}, gang, 0, n1, 1, {1, 1000}, end_of_time}) == stale);
  CHECK(of.model.view().state_of(n1) == node_state::open);
  CHECK(devices<4>::amount_left(of.now(n1), 0) == 2);
}

TEST_CASE("a death that is heard of late loses the pods that were there, not those that came after", "[cluster]") {
  told<counted> of;
  of.say(10, node_seen<counted>{{n1, {}, {8, 8}, {}}});
  of.pod(a, {1, 1});
  of.pod(b, {1, 1});
  of.say(11, pod_placed<counted>{a, n1, placing::bound, {}, {}});
  of.say(30, node_seen<counted>{{n1, {}, {8, 8}, {}}});
  of.say(31, pod_placed<counted>{b, n1, placing::bound, {}, {}});
  CHECK(of.now(n1) == counted::state_type{6, 6});
  CHECK(of.say(20, node_gone{n1}) == applied);  // a member is lost: not as before
  CHECK(of.phase_of(a) == phase::lost);
  CHECK(of.phase_of(b) == phase::bound);
  CHECK(of.now(n1) == counted::state_type{7, 7});
}

TEST_CASE("a death before anything that is known is stale", "[cluster]") {
  told<counted> of;
  of.say(10, node_seen<counted>{{n1, {}, {8, 8}, {}}});
  CHECK(of.say(5, node_gone{n1}) == stale);
  CHECK(of.model.view().state_of(n1) == node_state::open);
}

TEST_CASE("a relabelled node stands in its new domain", "[cluster]") {
  told<counted> of;
  const auto labelled = [&](std::uint64_t zone) {
    return of.say(node_seen<counted>{{n1, {}, {8, 8}, {label_id{zone}, label_id{1}}}});
  };
  labelled(1);
  CHECK(of.model.view().label(0, 0) == label_id{1});
  labelled(2);
  const auto view = of.model.view();
  CHECK(view.label(0, 0) == label_id{2});
  CHECK(view.domains(0) == 1);
  CHECK(view.domain_name(1, 0).path == labels{label_id{2}, label_id{1}});
}

// --- windows, set-asides and time --------------------------------------------------------------------------------------

TEST_CASE("a closed node is out of the index within its window and only then", "[cluster]") {
  told<counted> of;
  of.node(n1, {8, 8});
  of.pod(a, {1, 1});
  of.place(a, n1);
  of.say(node_closed{n1, at(10), at(20)});
  for (const auto& [moment, open] : {std::pair{9, true}, {10, false}, {19, false}, {20, true}, {12, false}}) {
    const auto view = of.model.view(at(moment));
    CAPTURE(moment);
    CHECK(view.open(0) == open);
    CHECK(view.state_of(n1) == (open ? node_state::open : node_state::closed));
    CHECK(view.population(7) == (open ? 1 : 0));
    CHECK(view.now(0) == counted::state_type{7, 7});  // what runs stays
    CHECK(muster_test::index_fault(view) == "");
  }
  of.say(node_opened{n1});
  CHECK(of.model.view(at(12)).open(0));
}

TEST_CASE("a set-aside holds its capacity until its time or until it is dropped", "[cluster]") {
  told<counted> of;
  of.node(n1, {8, 8});
  of.say(set_aside<counted>{set_aside_id{1}, gang, 0, n1, 2, {4, 2}, at(10)});
  CHECK(of.model.view(at(9)).now(0) == counted::state_type{4, 6});
  CHECK(of.model.view(at(9)).later(0) == counted::state_type{4, 6});
  CHECK(of.model.view(at(10)).now(0) == counted::state_type{8, 8});
  CHECK(of.model.view(at(9)).now(0) == counted::state_type{4, 6});
  CHECK(of.say(set_aside_dropped{set_aside_id{1}}) == applied);
  CHECK(of.model.view(at(9)).now(0) == counted::state_type{8, 8});
  CHECK(of.say(set_aside<counted>{set_aside_id{1}, gang, 0, n1, 2, {1, 1}, at(10)}) == applied);
  CHECK(of.model.view(at(9)).now(0) == counted::state_type{7, 7});
}

TEST_CASE("a set-aside that moves frees the node it was on", "[cluster]") {
  told<counted> of;
  of.node(n1, {8, 8});
  of.node(n2, {8, 8});
  of.say(set_aside<counted>{set_aside_id{1}, gang, 0, n1, 1, {4, 2}, end_of_time});
  of.say(set_aside<counted>{set_aside_id{1}, gang, 0, n2, 1, {3, 3}, end_of_time});
  CHECK(of.now(n1) == counted::state_type{8, 8});
  CHECK(of.now(n2) == counted::state_type{5, 5});
  CHECK(faults(of) == "");
}

TEST_CASE("a set-aside dropped before it is heard of never takes anything", "[cluster]") {
  told<counted> of;
  of.node(n1, {8, 8});
  of.say(20, set_aside_dropped{set_aside_id{1}});
  CHECK(of.say(10, set_aside<counted>{set_aside_id{1}, gang, 0, n1, 1, {4, 2}, end_of_time}) == stale);
  CHECK(of.now(n1) == counted::state_type{8, 8});
}

// --- pods ---------------------------------------------------------------------------------------------------------------

TEST_CASE("a terminating pod holds its node now and not later", "[cluster]") {
  told<counted> of;
  of.node(n1, {8, 8});
  of.pod(a, {3, 3});
  of.pod(b, {2, 2});
  of.place(a, n1);
  of.place(b, n1);
  of.say(pod_terminating{a, at(50), at(1)});
  CHECK(of.phase_of(a) == phase::terminating);
  CHECK(of.now(n1) == counted::state_type{3, 3});
  CHECK(of.later(n1) == counted::state_type{6, 6});
  CHECK(of.model.view().anything_leaving());
  of.pod(c, {1, 1});
  of.place(c, n1);
  CHECK(of.later(n1) == counted::state_type{5, 5});
  of.say(pod_ended{a, ending::failed, {}});
  CHECK(of.now(n1) == counted::state_type{5, 5});
  CHECK(of.later(n1) == counted::state_type{5, 5});
  CHECK_FALSE(of.model.view().anything_leaving());
}

TEST_CASE("how a pod ended outweighs every other word on it", "[cluster]") {
  told<counted> of;
  of.node(n1, {8, 8});
  of.pod(a, {3, 3});
  of.place(a, n1);
  of.say(pod_ended{a, ending::succeeded, {}});
  of.place(a, n1, placing::ready);
  of.say(pod_terminating{a, {}, {}});
  of.say(node_gone{n1});
  CHECK(of.phase_of(a) == phase::succeeded);
  CHECK(of.members()[phase::succeeded] == 1);
}

TEST_CASE("a pod whose request changes is charged anew", "[cluster]") {
  told<counted> of;
  of.node(n1, {8, 8});
  of.pod(a, {3, 3});
  of.place(a, n1);
  of.pod(a, {5, 1});
  CHECK(of.now(n1) == counted::state_type{3, 7});
  of.pod(a, {5, 1}, no_group);
  CHECK(of.members().total() == 0);
  CHECK(faults(of) == "");
}

TEST_CASE("a grant that the host names is charged instead of the request", "[cluster]") {
  told<devices<4>> of;
  of.node(n1, {.count = 4});
  of.pod(a, {.whole = 1});
  of.pod(b, {.whole = 1});
  of.place(a, n1);
  CHECK(of.now(n1).idle == 0b1110);
  of.say(pod_placed<devices<4>>{b, n1, placing::bound, devices<4>::grant_type{0b0001, 1000}, {}});
  CHECK(of.now(n1).idle == 0b1100);  // the derived grant made way
  of.say(pod_unplaced{b, {}});
  CHECK(of.now(n1).idle == 0b1110);
  CHECK(faults(of) == "");
}

TEST_CASE("a grant on a device the node does not have is parked, and charged where the device is", "[cluster][bad_input]") {
  using M = joint<devices<8>, resource_vector<1>>;
  told<M> of;
  of.node(n1, {{.count = 4}, {10}});
  const auto empty = of.now(n1);
  of.pod(a, {{.whole = 2}, {3}});
  const pod_placed<M> placed{a, n1, placing::bound, M::grant_type{{0b00101000, 1000}, {3}}, {}};  // devices 3 and 5
  CHECK(of.say(placed) == parked);
  CHECK(of.now(n1).first.left == std::array<std::int32_t, 8>{1000, 1000, 1000, 0});
  CHECK(of.now(n1).first.idle == 0b0111);
  CHECK(of.now(n1).second == resource_vector<1>::state_type{7});  // what is there is charged
  CHECK(faults(of) == "");
  of.say(device_health{n1, 5, true});
  CHECK(of.now(n1).first.well == 0b1111);

  CHECK(of.say(set_aside<M>{set_aside_id{1}, gang, 0, n1, 1, {{0b1000000, 500}, {1}}, end_of_time}) == parked);
  CHECK(of.now(n1).first.idle == 0b0111);
  CHECK(of.now(n1).second == resource_vector<1>::state_type{6});
  of.say(set_aside_dropped{set_aside_id{1}});

  SECTION("the node grows") {
    of.node(n1, {{.count = 8}, {10}});
    CHECK(of.now(n1).first.idle == 0b11010111);
    of.say(pod_unplaced{a, {}});
    CHECK(of.now(n1) == M::empty_node({{.count = 8}, {10}}));
  }
  SECTION("the pod goes") {
    of.say(pod_unplaced{a, {}});
    CHECK(of.now(n1) == empty);
  }
  SECTION("the pod is there before the node is seen") {
    told<M> other;
    CHECK(other.pod(a, {{.whole = 2}, {3}}) == applied);
    CHECK(other.say(placed) == parked);
    CHECK(other.node(n1, {{.count = 4}, {10}}) == applied);
    CHECK(other.now(n1) == of.now(n1));
  }
  CHECK(faults(of) == "");
}

TEST_CASE("a node that loses a device keeps what its pods hold on the others", "[cluster]") {
  told<devices<8>> of;
  of.node(n1, {.count = 8});
  of.pod(a, {.whole = 8});
  of.say(pod_placed<devices<8>>{a, n1, placing::bound, devices<8>::grant_type{0xff, 1000}, {}});
  of.node(n1, {.count = 7});
  CHECK(of.now(n1).idle == 0);
  CHECK(faults(of) == "");
}

TEST_CASE("a pod moved from node to node changes what both have", "[cluster]") {
  told<counted> of;
  of.node(n1, {8, 8});
  of.node(n2, {8, 8});
  of.pod(a, {3, 3});
  of.place(a, n1);
  const auto touched = [&](node_id id) {
    const auto view = of.model.view();
    return view.node(view.find(id).value()).touched;
  };
  const auto first = touched(n1), second = touched(n2);
  of.place(a, n2);
  CHECK(of.now(n1) == counted::state_type{8, 8});
  CHECK(of.now(n2) == counted::state_type{5, 5});
  CHECK(touched(n1) > first);
  CHECK(touched(n2) > second);
  const auto third = touched(n2);
  of.say(pod_unplaced{a, {}});
  CHECK(touched(n2) > third);
  CHECK(touched(n2) <= of.model.view().tick());
}

TEST_CASE("a node whose window does not change is not touched by time", "[cluster]") {
  told<counted> of;
  of.node(n1, {8, 8});
  of.say(node_closed{n1, at(10), at(20)});
  const auto touched = [&](std::int64_t moment) { return of.model.view(at(moment)).node(0).touched; };
  const auto open = touched(1);
  CHECK(touched(5) == open);
  const auto closed = touched(12);
  CHECK(closed > open);
  CHECK(touched(13) == closed);
}

TEST_CASE("a gated member is counted as gated while it waits", "[cluster]") {
  told<counted> of;
  of.node(n1, {8, 8});
  pod_seen<counted> seen;
  seen.pod = a;
  seen.group = gang;
  seen.gated = true;
  of.say(seen);
  CHECK(of.model.view().named_group(gang)->gated == 1);
  seen.gated = false;
  of.say(seen);
  CHECK(of.model.view().named_group(gang)->gated == 0);
}

TEST_CASE("members are counted for the group and for each pod set", "[cluster]") {
  told<counted> of;
  of.node(n1, {8, 8});
  for (std::uint32_t set = 0; set < 3; ++set) {
    pod_seen<counted> seen;
    seen.pod = pod_id{set};
    seen.group = gang;
    seen.pod_set = set;
    of.say(seen);
  }
  of.place(pod_id{2}, n1, placing::assumed);
  const auto* group = of.model.view().named_group(gang);
  REQUIRE(group->by_set.size() == 3);
  CHECK(group->by_set[0][phase::seen] == 1);
  CHECK(group->by_set[2][phase::assumed] == 1);
  CHECK(group->by_set[2][phase::seen] == 0);
  CHECK(group->members[phase::seen] == 2);
}

TEST_CASE("a group that is gone and comes back keeps the pods that name it", "[cluster]") {
  told<counted> of;
  of.gang_of(1, 1, {1, 1});
  of.pod(a, {1, 1});
  CHECK(of.say(group_gone{gang}) == applied);
  CHECK(of.model.view().group(gang) == nullptr);
  CHECK(of.members().total() == 1);
  CHECK(of.gang_of(1, 1, {1, 1}) == applied);
  CHECK(of.model.view().group(gang)->members.total() == 1);
}

TEST_CASE("a host's own node type is read and applied", "[cluster]") {
  struct machine {
    node_id id{};
    counted::capacity_type capacity{};
    std::vector<label_id> labels;
  };
  cluster<counted> model{nested_levels(2)};
  CHECK(apply_node(model, revision{1}, machine{n1, {8, 8}, {label_id{4}}}) == applied);
  CHECK(apply_node(model, revision{2}, machine{n2, {-8, 8}, {}}) == rejected(change_fault::bad_capacity, amount_fault::negative));
  const auto view = model.view();
  CHECK(view.size() == 1);
  CHECK(view.label(0, 0) == label_id{4});
  CHECK(view.label(0, 1) == no_label);
}

// --- public fault reports ----------------------------------------------------------------------------------------------

TEST_CASE("B02: a member whose node is cleared counts as unscheduled, however often it is said", "[cluster][case]") {
  told<counted> of;
  of.gang_of(3, 3, {1, 1});
  for (const node_id n : {n1, n2, n3, n4}) of.node(n, {1, 1});
  for (const pod_id p : {a, b, c}) of.pod(p, {1, 1});
  of.place(a, n1);
  of.place(b, n2);
  of.place(c, n3);
  REQUIRE(of.members().scheduled() == 3);

  of.say(pod_unplaced{c, {}});
  CHECK(of.members().scheduled() == 2);
  CHECK(of.members().unscheduled() == 1);
  CHECK(minimum_pods(of.model.view().group(gang)->spec) - of.members().scheduled() == 1);
  CHECK(of.phase_of(c) == phase::seen);
  CHECK(of.now(n3) == counted::state_type{1, 1});

  CHECK(of.say(of.last, pod_unplaced{c, {}}) == duplicate);  // the same update again
  of.say(pod_unplaced{c, {}});                               // and under a later revision
  CHECK(of.members().scheduled() == 2);
  CHECK(of.members().unscheduled() == 1);

  of.place(c, n4);
  CHECK(of.members().scheduled() == 3);
  CHECK(of.now(n4) == counted::state_type{0, 0});
  CHECK(faults(of) == "");
}

TEST_CASE("B116: a member whose binding failed is unscheduled again and may be tried alone", "[cluster][case]") {
  told<counted> of;
  of.gang_of(3, 3, {1, 1});
  of.node(n1, {3, 3});
  for (const pod_id p : {a, b, c}) {
    of.pod(p, {1, 1});
    of.place(p, n1, placing::assumed);
  }
  CHECK(of.members()[phase::assumed] == 3);
  of.place(a, n1, placing::bound);
  of.place(b, n1, placing::bound);
  of.say(pod_unplaced{c, {}});
  CHECK(of.members().scheduled() == 2);
  CHECK(of.members().unscheduled() == 1);
  CHECK(minimum_pods(of.model.view().group(gang)->spec) - of.members().scheduled() == 1);
  CHECK(gate(of.model.view(), gang).open());
  const auto view = of.model.view();
  CHECK(counted::count_fitting(view.now(0), counted::request_type{1, 1}, 9) == 1);
  CHECK(faults(of) == "");
}
