// SPDX-License-Identifier: BSL-1.0
// Gangs whose devices are all of one model.
#include <muster/placement/describe.hpp>
#include <muster/placement/describe_ladder.hpp>
#include <muster/placement/explain.hpp>
#include <muster/placement/place.hpp>
#include <muster/placement/shortfall.hpp>
#include <muster/placement/verify.hpp>
#include <muster/placement/verify_certificate.hpp>
#include <muster/resource/devices.hpp>
#include <muster/resource/joint.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/allocation.hpp"
#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/generator.hpp"
#include "support/scene.hpp"

#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

using namespace muster;

namespace {

using gpus = devices<8>;
using node_of = joint<gpus, resource_vector<1>>;  // devices and CPUs
using scene = muster_test::scene<node_of>;
using muster_test::on;

constexpr device_model a100{1}, h100{2}, l4{3};

node_of::capacity_type box(std::uint32_t devices, device_model model, amount cpus = 64) {
  return {{.count = devices, .model = model}, {cpus}};
}
node_of::request_type takes(std::uint32_t devices, amount cpus = 1) { return {{.whole = devices}, {cpus}}; }

pod_group<node_of> gang_of(pod_count pods, node_of::request_type each, std::uint64_t id = 1) {
  auto gang = scene::gang(id, pods, each);
  gang.one_device_model = true;
  return gang;
}

bool legal(scene& s, const pod_group<node_of>& group, const placement_answer<node_of>& answer) {
  return answer.fits() && verify(s.view(), group, std::span<const seat<node_of>>{answer.seats}).holds();
}
bool proved(scene& s, const pod_group<node_of>& group, const placement_answer<node_of>& answer) {
  return !answer.fits() && verify(s.view(), group, answer.proof).holds();
}

std::string sentence(const placement_answer<node_of>& answer) {
  static constexpr std::array<std::string_view, 3> names{"gpu", "share", "cpu"};
  std::string text;
  describe(std::back_inserter(text), answer, {.resources = names});
  return text;
}

const rung* find(const explanation& in, rung_kind kind, std::uint32_t shape = 0) {
  for (const rung& one : in.rungs)
    if (one.kind == kind && one.shape == shape) return &one;
  return nullptr;
}

}  // namespace

TEST_CASE("alike pods sit on one device model, though more fit on two", "[placement]") {
  scene s;
  s.node(1, box(4, a100));
  s.node(2, box(4, h100));
  s.node(3, box(2, h100));
  auto gang = gang_of(6, takes(1));
  const auto six = place(s.view(), gang);
  REQUIRE(legal(s, gang, six));
  CHECK(six.model == h100);
  CHECK(on(six, 1) == 0);
  CHECK(sentence(six) == "fits: 6 pods on 2 nodes with device model 2");

  gang.pod_sets[0].count = 7;  // ten devices, six of them of one model
  const auto seven = place(s.view(), gang);
  CHECK(seven.verdict == verdict::never);
  CHECK(seven.lack.seated == 6);
  CHECK(seven.lack.bound == 6);
  CHECK(seven.lack.best_model == h100);
  CHECK(seven.lack.domains == 2);
  CHECK(proved(s, gang, seven));
  CHECK(sentence(seven) == "never: 1 of 7 pods short, 6 sit with device model 2, the best of 2");
  gang.one_device_model = false;
  CHECK(place(s.view(), gang).fits());
}

TEST_CASE("pods that ask for no devices are not bound by the model", "[placement]") {
  scene s;
  s.node(1, box(4, a100, 4));
  s.node(2, box(4, h100, 4));
  s.node(3, box(0, any_model, 8));  // no devices
  auto gang = gang_of(4, takes(1, 1));
  gang.pod_sets.push_back({takes(0, 4), 3, 3});
  const auto answer = place(s.view(), gang);
  REQUIRE(legal(s, gang, answer));  // four devices of one model, and 4 + 8 CPUs elsewhere
  CHECK(answer.placed == 7);
  CHECK(on(answer, 3, 1) == 2);
  CHECK(on(answer, answer.model == a100 ? 2 : 1, 1) == 1);

  gang.pod_sets[1] = {takes(0, 4), 4, 4};  // twenty CPUs asked, sixteen are there
  const auto refused = place(s.view(), gang);
  CHECK(refused.verdict == verdict::never);
  CHECK(proved(s, gang, refused));
}

TEST_CASE("no pod with devices need sit, then no model is needed", "[placement]") {
  scene s;
  s.node(1, box(0, a100, 4));
  auto gang = gang_of(2, takes(1));
  gang.min_count = 2;
  gang.pod_sets.push_back({takes(0, 1), 2, 0});
  const auto answer = place(s.view(), gang);
  REQUIRE(legal(s, gang, answer));
  CHECK(answer.placed == 2);
  CHECK(answer.model == std::nullopt);

  gang.min_count = 3;
  const auto refused = place(s.view(), gang);
  CHECK(refused.verdict == verdict::never);
  REQUIRE(refused.proof.refusals.size() > 0);
  for (const domain_refusal& one : refused.proof.refusals) CHECK(one.model == std::nullopt);
  CHECK(proved(s, gang, refused));
}

TEST_CASE("unlike pods are searched for model by model", "[placement]") {
  scene s;
  for (std::uint64_t n = 1; n <= 3; ++n) s.node(n, box(5, a100));
  for (std::uint64_t n = 4; n <= 6; ++n) s.node(n, box(6, h100));
  auto gang = gang_of(3, takes(4));
  gang.pod_sets.push_back({takes(2), 3, 0});  // 4 + 2 on each, or 4 and 2 apart
  const auto answer = place(s.view(), gang);
  REQUIRE(legal(s, gang, answer));
  CHECK(answer.model == h100);
  CHECK(answer.placed == 6);

  s.filler(90, 4, takes(1));  // one node of five: no model holds all six
  const auto refused = place(s.view(), gang);
  CHECK(refused.verdict == verdict::not_now);
  CHECK(refused.lack.without_pods == empty_fit::yes);
  CHECK(proved(s, gang, refused));
  gang.one_device_model = false;
  CHECK(place(s.view(), gang).fits());
}

TEST_CASE("a required level and one model: both in one domain", "[placement]") {
  scene s{nested_levels(1)};
  s.node(1, box(2, a100), {1});
  s.node(2, box(2, h100), {1});
  s.node(3, box(1, a100), {2});
  s.node(4, box(2, a100), {2});
  auto gang = gang_of(3, takes(1));
  gang.required = topology_level{0};
  const auto three = place(s.view(), gang);
  REQUIRE(legal(s, gang, three));
  CHECK(three.model == a100);
  CHECK(three.domain == domain_path{topology_level{0}, {label_id{2}}});
  CHECK(sentence(three) == "fits: 3 pods on 2 nodes of level 0 2 with device model 1");
  gang.pod_sets[0].count = 4;  // rack 1 has four devices, of two models
  const auto four = place(s.view(), gang);
  CHECK(four.verdict == verdict::never);
  CHECK(four.lack.seated == 3);
  CHECK(four.lack.domains == 3);  // two models in rack 1, one in rack 2
  CHECK(proved(s, gang, four));
  REQUIRE(four.proof.refusals.size() >= 3);
  gang.required = no_level;
  CHECK(place(s.view(), gang).fits());  // five of the first model
}

TEST_CASE("legal sizes, spread limits and the largest gang are of one model, too", "[placement]") {
  scene s;
  s.node(1, box(3, a100));
  s.node(2, box(3, a100));
  s.node(3, box(8, h100));
  auto gang = gang_of(8, takes(1), 1);
  gang.min_count = 2;
  gang.sizes = {size_rule::shape::stepped, 2, 8, 2};
  CHECK(place(s.view(), gang).placed == 8);
  gang.limits = {{node_level, 2}};
  const auto limited = place(s.view(), gang);  // two on each node: four of the first model
  REQUIRE(legal(s, gang, limited));
  CHECK(limited.placed == 4);
  CHECK(limited.model == a100);
  gang.limits.clear();
  gang.pod_sets.push_back({takes(4), 2, 0});
  gang.min_count = 4;
  const auto largest = place(s.view(), gang, place_options<>{.largest = true});
  REQUIRE(legal(s, gang, largest));
  CHECK(largest.placed == 8);  // one each on eight devices
  CHECK(largest.model == h100);
}

TEST_CASE("a gang of one model waits for devices of one model", "[placement]") {
  scene s;
  s.node(1, box(4, a100));
  s.node(2, box(4, h100));
  s.filler(90, 1, takes(2));
  s.filler(91, 2, takes(2));
  auto gang = gang_of(4, takes(1));
  CHECK(place(s.view(), gang).verdict == verdict::not_now);
  s.leave(91);
  const auto waits = place(s.view(), gang);
  CHECK(waits.verdict == verdict::wait);
  CHECK(proved(s, gang, waits));
  s.say(node_closed{node_id{2}});
  s.say(node_closed{node_id{1}});
  CHECK(place(s.view(), gang).verdict == verdict::closed);
}

TEST_CASE("members that run pin the model; those that leave do not", "[placement]") {
  scene s;
  s.node(1, box(3, a100));
  s.node(2, box(8, h100));
  const auto gang = gang_of(4, takes(1));
  s.group(gang);
  s.pods(10, 4, gang);
  s.bind(10, 1);
  const auto pinned = place(s.view(), gang.id);
  CHECK(pinned.verdict == verdict::not_now);  // beside the one that runs there is room for two; afresh on the other
  CHECK(pinned.lack.needed == 3);
  CHECK(pinned.lack.seated == 2);
  CHECK(pinned.lack.domains == 1);
  CHECK(pinned.lack.best_model == a100);
  CHECK(verify(s.view(), gang.id, pinned.proof).holds());

  SECTION("a third device of the model") {
    s.node(3, box(1, a100));
    const auto fits = place(s.view(), gang.id);
    REQUIRE(fits.fits());
    CHECK(fits.model == a100);
    CHECK(on(fits, 2) == 0);
  }
  SECTION("the member leaves, and one takes its place") {
    s.leave(10);
    s.pod(14, gang);
    const auto fits = place(s.view(), gang.id);
    REQUIRE(fits.fits());
    CHECK(fits.model == h100);
    CHECK(fits.placed == 4);
  }
  SECTION("a member assumed on another model") {
    s.bind(11, 2, placing::assumed);
    const auto answer = place(s.view(), gang.id);
    CHECK(answer.verdict == verdict::invalid);
    CHECK(answer.reason == refusal_reason::models_differ);
    CHECK(answer.seats.empty());
    CHECK(answer.pending == 2);
    CHECK(sentence(answer) == "invalid: running members do not share a device model");
    workspace<node_of> space;
    CHECK(explain(s.view(), gang.id, {}, space).rungs.empty());
  }
  SECTION("on an overlay it is the same") {
    const auto view = s.view();
    overlay<node_of> trial{view};
    workspace<node_of> space;
    CHECK(place(trial, gang.id, space).verdict == verdict::not_now);
    CHECK(space.answer.lack.seated == 2);
  }
}

TEST_CASE("a member without devices pins no model, one on a node that has none cannot be met", "[placement]") {
  scene s;
  s.node(1, box(3, a100));
  s.node(2, box(4, h100));
  auto gang = gang_of(4, takes(1));
  gang.pod_sets.push_back({takes(0), 1, 0});
  s.group(gang);
  s.pods(10, 4, gang);
  s.pod(20, gang, 1);
  s.bind(20, 1);
  const auto answer = place(s.view(), gang.id);
  REQUIRE(answer.fits());
  CHECK(answer.model == h100);
  s.node(3, box(0, a100));
  s.bind(10, 3);  // the host says so
  CHECK(place(s.view(), gang.id).reason == refusal_reason::models_differ);
}

TEST_CASE("without the flag a gang may use all models, whatever its members do", "[placement]") {
  scene s;
  s.node(1, box(2, a100));
  s.node(2, box(2, h100));
  auto gang = gang_of(4, takes(1));
  gang.one_device_model = false;
  s.group(gang);
  s.pods(10, 4, gang);
  s.bind(10, 1);
  s.bind(11, 2);
  const auto answer = place(s.view(), gang.id);
  CHECK(answer.fits());
  CHECK(answer.model == std::nullopt);
  CHECK(answer.lack.domains == 0);
}

TEST_CASE("verify refutes devices of two models", "[placement]") {
  scene s;
  s.node(1, box(2, a100));
  s.node(2, box(2, h100));
  auto gang = gang_of(4, takes(1));
  gang.one_device_model = false;
  const auto both = place(s.view(), gang);
  REQUIRE(both.fits());
  gang.one_device_model = true;
  const auto said = verify(s.view(), gang, std::span<const seat<node_of>>{both.seats});
  CHECK(said.why == refutation::models_differ);
  CHECK(both.seats[said.seat].node != both.seats[0].node);
}

TEST_CASE("a certificate that skips a model, or names another, is refuted", "[placement]") {
  scene s;
  s.node(1, box(2, a100));
  s.node(2, box(2, h100));
  s.node(3, box(2, l4));
  const auto gang = gang_of(3, takes(1));
  const auto refused = place(s.view(), gang);
  REQUIRE(proved(s, gang, refused));
  const auto now = [](const certificate& of) {
    std::size_t count = 0;
    for (const domain_refusal& one : of.refusals) count += one.when == tense::now ? 1U : 0U;
    return count;
  };
  REQUIRE(now(refused.proof) == 3);
  for (std::size_t i = 0; i < refused.proof.refusals.size(); ++i) {
    certificate skips = refused.proof;
    skips.refusals.erase(skips.refusals.begin() + static_cast<std::ptrdiff_t>(i));
    CHECK(verify(s.view(), gang, skips).why == certificate_fault::domain_missing);
    certificate other = refused.proof;
    other.refusals[i].model = device_model{9};
    CHECK(verify(s.view(), gang, other).why == certificate_fault::domain_missing);
    certificate none = refused.proof;
    none.refusals[i].model.reset();
    CHECK(verify(s.view(), gang, none).why == certificate_fault::domain_missing);
    certificate twice = refused.proof;
    twice.refusals.push_back(twice.refusals[i]);
    CHECK(verify(s.view(), gang, twice).why == certificate_fault::no_such_domain);
  }
  auto free = gang;  // the whole cluster holds six
  free.one_device_model = false;
  CHECK_FALSE(verify(s.view(), free, refused.proof).holds());
}

TEST_CASE("more devices of another model do not help, of the right one they do", "[placement]") {
  scene s;
  s.node(1, box(4, a100));
  s.node(2, box(2, h100));
  const auto gang = gang_of(8, takes(1));
  workspace<node_of> space;
  const auto nodes = [&](node_of::capacity_type shape) { return shortfall(s.view(), gang, shape, space); };
  CHECK(nodes(box(2, a100))->nodes == 2);  // 4 + 2 + 2
  CHECK(nodes(box(2, h100))->nodes == 3);  // 2 + 2 + 2 + 2
  CHECK(nodes(box(3, l4))->nodes == 3);    // a model of its own: 3 + 3 + 3
  CHECK_FALSE(nodes(box(0, a100)));

  const std::vector<node_of::capacity_type> shapes{box(2, a100), box(3, l4), box(0, any_model)};
  const auto why = explain(s.view(), gang, std::span{shapes}, space);
  CHECK(why.verdict == verdict::never);
  CHECK(find(why, rung_kind::more_nodes, 0)->proved == 2);
  CHECK(find(why, rung_kind::more_nodes, 1)->proved == 3);
  CHECK(find(why, rung_kind::more_nodes, 2)->answer == rung_answer::no_help);
  REQUIRE(find(why, rung_kind::several_models) != nullptr);
  CHECK(find(why, rung_kind::several_models)->answer == rung_answer::no_help);  // six devices in all
  CHECK(find(why, rung_kind::largest_gang)->proved == 4);
}

TEST_CASE("new nodes of another model take the pods without devices of a mix", "[placement]") {
  scene s;
  s.node(1, box(2, a100, 3));
  auto gang = gang_of(2, takes(1, 1));
  gang.pod_sets.push_back({takes(0, 2), 3, 0});  // eight CPUs asked, three are there
  workspace<node_of> space;
  const std::vector<node_of::capacity_type> shapes{box(8, h100, 2), box(0, any_model, 4), box(1, h100, 16)};
  const auto why = explain(s.view(), gang, std::span{shapes}, space);
  CHECK(why.verdict == verdict::never);
  CHECK(find(why, rung_kind::more_nodes, 0)->proved == 3);  // a pod of two CPUs on each
  CHECK(find(why, rung_kind::more_nodes, 1)->proved == 2);
  CHECK(find(why, rung_kind::more_nodes, 2)->proved == 1);
  CHECK(find(why, rung_kind::several_models)->answer == rung_answer::no_help);
}

TEST_CASE("the ladder says that several models would do", "[placement]") {
  scene s;
  s.node(1, box(2, a100));
  s.node(2, box(2, h100));
  const auto gang = gang_of(3, takes(1));
  workspace<node_of> space;
  const auto why = explain(s.view(), gang, {}, space);
  std::string text;
  describe(std::back_inserter(text), why);
  CHECK(text ==
        "with min_count 2 it fits\n"
        "on several device models it fits\n"
        "2 pods of it sit at once\n");
  auto plain = gang;
  plain.one_device_model = false;
  plain.pod_sets[0].count = 5;
  CHECK(find(explain(s.view(), plain, {}, space), rung_kind::several_models) == nullptr);
}

TEST_CASE("a model is called what the host calls it", "[placement]") {
  scene s;
  s.node(1, box(2, h100));
  static constexpr std::array<std::string_view, 3> models{"any", "a100", "h100"};
  std::string text;
  describe(std::back_inserter(text), place(s.view(), gang_of(2, takes(1))), {.models = models});
  CHECK(text == "fits: 2 pods on 1 node with h100");
}

TEST_CASE("which model is taken does not hang on its number", "[placement]") {
  for (const bool swapped : {false, true}) {
    scene s;
    s.node(1, box(4, swapped ? h100 : a100));
    s.node(2, box(4, swapped ? a100 : h100));
    const auto answer = place(s.view(), gang_of(3, takes(1)));
    CHECK(on(answer, 1) == 3);
  }
}

TEST_CASE("shares of devices keep to one model as whole devices do", "[placement]") {
  muster_test::scene<gpus> s;
  s.node(1, {.count = 1, .model = a100});
  s.node(2, {.count = 2, .model = h100});
  auto gang = muster_test::scene<gpus>::gang(1, 3, {.share = 400});
  gang.one_device_model = true;
  gang.pod_sets.push_back({{.whole = 1}, 1, 1});
  CHECK(place(s.view(), gang).verdict == verdict::never);  // two shares on one device, and one whole
  gang.pod_sets[0].count = 2;
  const auto answer = place(s.view(), gang);
  REQUIRE(answer.fits());
  CHECK(answer.model == h100);
}

TEST_CASE("the second call for a gang of one model allocates nothing", "[placement]") {
  scene s{nested_levels(1)};
  for (std::uint64_t n = 1; n <= 12; ++n) s.node(n, box(5, n % 3 == 0 ? h100 : a100), {1 + n % 2});
  workspace<node_of> space;
  for (const topology_level level : {no_level, topology_level{0}, node_level})
    for (const pod_count unlike : {0, 2}) {
      auto gang = gang_of(6, takes(level == node_level ? 0 : 2));
      if (unlike > 0) gang.pod_sets.push_back({takes(1), unlike, 0});
      gang.required = level;
      const auto view = s.view();
      place(view, gang, space);
      CHECK(space.answer.fits());
      const muster_test::allocation_watch watch;
      place(view, gang, space);
      CHECK(watch.calls() == 0);
    }
}

TEST_CASE("a search that ended is not resumed for the same gang on one model", "[placement]") {
  scene s;
  for (std::uint64_t n = 1; n <= 3; ++n) s.node(n, box(5, a100));
  for (std::uint64_t n = 4; n <= 6; ++n) s.node(n, box(5, h100));
  auto gang = gang_of(4, takes(3));
  gang.pod_sets.push_back({takes(2), 4, 0});
  workspace<node_of> space;
  const auto ask = [&](bool one_model, std::uint64_t budget) {
    gang.one_device_model = one_model;
    return place(s.view(), gang, space, place_options<>{.budget = budget, .resume = true}).verdict;
  };
  (void)ask(false, 1);
  CHECK(ask(true, 1'000'000) == verdict::never);
  (void)ask(true, 1);
  CHECK(ask(false, 1'000'000) == verdict::fits);
}

TEST_CASE("a new node does not help members that run on another one and must share it", "[placement]") {
  for (const pod_count unlike : {0, 1}) {
    scene s;
    s.node(1, box(4, a100));
    auto gang = gang_of(6, takes(1));
    if (unlike > 0) gang.pod_sets.push_back({takes(2), unlike, 0});
    gang.required = node_level;
    s.group(gang);
    s.pods(10, 6, gang);
    s.pods(20, unlike, gang, 1);
    const std::vector<node_of::capacity_type> shapes{box(8, a100)};
    workspace<node_of> space;
    const auto nodes = [&] {
      return *find(explain(s.view(), gang.id, std::span{shapes}, space), rung_kind::more_nodes);
    };
    CHECK(nodes().proved == 1);
    s.bind(10, 1);
    CHECK(nodes().answer == rung_answer::no_help);
  }
}

TEST_CASE("no fewer nodes do for a gang of one model than the ladder says", "[placement]") {
  muster_test::generator rng{"ladder of one device model"};
  workspace<node_of> space;
  int helped = 0, no_help = 0, several = 0;
  const auto any_box = [&](std::uint32_t models) {
    const auto devices = static_cast<std::uint32_t>(rng.below(5));  // one draw after the other, whatever the compiler
    const device_model model{static_cast<std::uint32_t>(rng.below(models))};
    return box(devices, model, rng.between(1, 6));
  };
  for (int round = muster_test::rounds(300); round > 0; --round) {
    scene now{nested_levels(1)};
    const auto count = rng.below(6);
    std::array<bool, 3> known{};
    for (std::uint64_t n = 1; n <= count; ++n) {
      const std::uint64_t label = 1 + rng.below(2);
      known[label] = true;
      now.node(n, any_box(2), {label});
    }
    const auto pods = rng.between(1, 4);
    const auto devices = static_cast<std::uint32_t>(rng.between(1, 3));
    auto gang = gang_of(pods, takes(devices, rng.between(0, 2)));
    if (rng.chance(70)) {
      const auto needs = rng.between(1, 4);
      gang.pod_sets.push_back({takes(0, needs), rng.between(1, 3), 0});
    }
    if (rng.chance(30)) gang.pod_sets.push_back({takes(1, 1), rng.between(1, 2), 0});
    if (rng.chance(30)) gang.min_count = rng.between(1, declared_pods(gang));
    if (rng.chance(30)) gang.limits = {{node_level, rng.between(1, 2)}};
    if (rng.chance(40)) gang.required = rng.chance(60) ? topology_level{0} : node_level;
    const std::vector<node_of::capacity_type> shapes{any_box(3)};
    const auto why = explain(now.view(), gang, std::span{shapes}, space);
    if (why.rungs.empty()) continue;
    REQUIRE(verify(now.view(), gang, place(now.view(), gang).proof).holds());
    const rung& given = *find(why, rung_kind::more_nodes);
    REQUIRE(given.answer != rung_answer::bounded);
    // by adding them, in every domain
    std::optional<pod_count> fewest;
    for (std::uint64_t label = 1; label <= 2; ++label) {
      if (gang.required == topology_level{0} && !known[label]) continue;
      scene more = now;
      for (pod_count n = 1; n <= declared_pods(gang); ++n) {
        more.node(100 + static_cast<std::uint64_t>(n), shapes[0], {label});
        if (!place(more.view(), gang).fits()) continue;
        if (!fewest || n < *fewest) fewest = n;
        break;
      }
    }
    REQUIRE((given.answer == rung_answer::helps) == fewest.has_value());
    if (fewest) REQUIRE(given.proved == *fewest);
    ++(fewest ? helped : no_help);
    auto spread = gang;
    spread.one_device_model = false;
    const bool fits = place(now.view(), spread).fits();
    REQUIRE((find(why, rung_kind::several_models)->answer == rung_answer::helps) == fits);
    several += fits ? 1 : 0;
  }
  CHECK(helped > 20);
  CHECK(no_help > 20);
  CHECK(several > 5);
}
