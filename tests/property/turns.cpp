// SPDX-License-Identifier: BSL-1.0
// Turn after turn on a small cluster: what is planned can be assumed whole, in any order of the queue the same is
// planned, and what changed between plan and deed is never overlooked.
#include <muster/cycle/assume.hpp>
#include <muster/cycle/schedule.hpp>
#include <muster/cycle/still_valid.hpp>

#include "property/change_source.hpp"
#include "property/placement_amounts.hpp"
#include "support/catch.hpp"
#include "support/cluster_view.hpp"
#include "support/generator.hpp"
#include "support/scene.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

using namespace muster;

namespace {

using muster_test::generator;
using placement_property::small_amounts;

template <std::size_t N>
bool is_overdrawn(const std::array<amount, N>& left) {
  return std::any_of(left.begin(), left.end(), [](amount a) { return a < 0; });
}
template <class State>
  requires requires(const State& state) { state.left; }
bool is_overdrawn(const State& state) {
  return std::any_of(std::begin(state.left), std::end(state.left), [](auto milli) { return milli < 0; });
}

struct tally {
  int bound = 0, refused = 0, unreserved = 0, disturbed = 0, void_now = 0;
};

template <class M>
class small_world {
 public:
  small_world(generator& rng, tally& seen) : rng_{rng}, seen_{seen}, s_{nested_levels(1)} {
    for (auto nodes = rng_.between(2, 6); nodes > 0; --nodes)
      s_.node(++nodes_, small_amounts<M>::capacity(rng_), {static_cast<std::uint64_t>(rng_.between(1, 2))});
  }

  /// A turn, and what is wrong with it.
  std::string turn() {
    for (auto more = rng_.between(1, 3); more > 0; --more) add_group();
    const plan<M> made = schedule(s_.view(), std::span{queue_});
    rng_.shuffle(queue_);
    const plan<M> again = schedule(s_.view(), std::span{queue_});
    if (!std::equal(made.actions.begin(), made.actions.end(), again.actions.begin(), again.actions.end(),
                    [](const action<M>& a, const action<M>& b) { return a.id == b.id && a.verdict == b.verdict; }))
      return "another plan for another order of the queue";
    const bool disturbed = rng_.chance(50);
    if (disturbed) disturb();
    seen_.disturbed += disturbed ? 1 : 0;
    for (const action<M>& one : made.actions) {
      if (one.kind == action_kind::bind)
        if (std::string fault = carry_out(made, one, disturbed); !fault.empty()) return fault;
      if (one.kind == action_kind::unreserve) {
        ++seen_.unreserved;
        (void)assume(s_.model(), made, one, s_.next_revision());
      }
      if (is_proved_no(one.verdict)) ++seen_.refused;
    }
    return end_some();
  }

 private:
  void add_group() {
    pod_group<M> gang;
    gang.id = group_id{++groups_};
    gang.disruption = disruption_mode::all;
    for (auto sets = rng_.between(1, 3); sets > 0; --sets)
      gang.pod_sets.push_back({small_amounts<M>::request(rng_), rng_.between(1, 3), 0});
    if (rng_.chance(50)) gang.min_count = rng_.between(1, 2);
    if (rng_.chance(30)) gang.required = topology_level{0};
    if (rng_.chance(30)) gang.limits.push_back({rng_.chance(50) ? node_level : topology_level{0}, rng_.between(1, 3)});
    s_.group(gang);
    for (std::uint32_t set = 0; set < gang.pod_sets.size(); ++set) {
      s_.pods(pods_ + 1, gang.pod_sets[set].count, gang, set);
      pods_ += static_cast<std::uint64_t>(gang.pod_sets[set].count);
    }
    if (rng_.chance(30)) set_aside_for(gang);
    queue_.push_back(gang.id);
  }
  void set_aside_for(const pod_group<M>& gang) {
    const auto view = s_.view();
    const auto position = static_cast<std::uint32_t>(rng_.below(view.size()));
    auto left = view.now(position);
    set_aside<M> kept{set_aside_id{++asides_}, gang.id, 0, view.id(position), 1, {}, end_of_time};
    if (M::allocate(left, gang.pod_sets[0].request, 1, kept.grant) == 1) s_.say(kept);
  }

  /// Something happens between plan and deed.
  void disturb() {
    const auto view = s_.view();
    const node_id node = view.id(static_cast<std::uint32_t>(rng_.below(view.size())));
    const pod_id pod{1 + rng_.below(pods_)};
    switch (rng_.below(4)) {
      case 0: s_.say(node_closed{node}); break;
      case 1:
        s_.filler(++pods_, number(node), small_amounts<M>::request(rng_));
        guesses_ = !M::grant_follows_from_request;
        break;
      case 2: s_.say(pod_ended{pod, ending::failed}); break;
      default:
        if (const pod_record<M>* known = view.pod(pod); known != nullptr && view.group_of(*known) != no_group) {
          pod_seen<M> other;
          other.pod = pod;
          other.group = view.group_of(*known);
          other.pod_set = known->pod_set;
          other.request = small_amounts<M>::request(rng_);
          s_.say(other);
        }
    }
  }

  std::string carry_out(const plan<M>& made, const action<M>& bind, bool disturbed) {
    std::vector<bool> before;
    for (std::uint32_t p = 0; p < s_.view().size(); ++p) before.push_back(is_overdrawn(left_on(p)));
    if (!still_valid(bind, made, s_.view())) {
      ++seen_.void_now;
      return disturbed || guesses_ ? "" : "void although nothing happened";
    }
    const pod_count ran = s_.view().group(bind.group)->members.scheduled();
    if (const apply_result result = assume(s_.model(), made, bind, s_.next_revision()); result.outcome != apply_outcome::applied)
      return "not assumed: " + std::string{name(result.outcome)};
    ++seen_.bound;
    const auto view = s_.view();
    for (std::uint32_t p = 0; p < view.size(); ++p)
      if (!before[p] && !guesses_ && is_overdrawn(left_on(p))) return "a node is overdrawn";
    const group_record<M>& group = *view.group(bind.group);
    if (group.members.scheduled() != ran + bind.placed) return "not all of the bound pods are placed";
    const pod_count have = group.members.scheduled() + group.members.succeeded();
    return have >= minimum_pods(group.spec) || disturbed ? "" : "fewer run than are enough";
  }
  /// What is left on a node, what is set aside there given back: a plan may use what is kept for its group.
  auto left_on(std::uint32_t position) { return s_.view().unreserved(position); }

  std::string end_some() {
    const auto view = s_.view();
    std::vector<pod_id> running;
    for (std::uint64_t p = 1; p <= pods_; ++p)
      if (const pod_record<M>* pod = view.pod(pod_id{p}); pod != nullptr && pod->charged && rng_.chance(30))
        running.push_back(pod->id);
    for (const pod_id pod : running) s_.end(number(pod));
    return muster_test::balance_fault(s_.model(), s_.view());
  }

  generator& rng_;
  tally& seen_;
  muster_test::scene<M> s_;
  std::vector<group_id> queue_;
  bool guesses_ = false;  // a pod runs of whose devices nobody told: they are guessed anew with all that is learnt
  std::uint64_t nodes_ = 0, groups_ = 0, pods_ = 0, asides_ = 0;
};

template <class M>
void run_turns(const char* what) {
  generator rng{what};
  tally seen;
  for (int round = muster_test::rounds(400); round > 0; --round) {
    small_world<M> world{rng, seen};
    for (int turn = 0; turn < 4; ++turn) {
      const std::string fault = world.turn();
      INFO(what << ", seed " << rng.seed());
      REQUIRE(fault == "");
    }
  }
  std::printf("%s: bound %d, refused %d, unreserved %d, disturbed %d, void by then %d\n", what, seen.bound, seen.refused,
              seen.unreserved, seen.disturbed, seen.void_now);
  CHECK(seen.bound > 0);
  CHECK(seen.refused > 0);
  CHECK(seen.unreserved > 0);
  CHECK(seen.void_now > 0);
}

/// Nodes, groups and their pods, and whatever else happens.
template <class M>
std::vector<change<M>> some_story(generator& rng, std::vector<group_id>& queue) {
  std::vector<change_content<M>> all;
  for (std::uint64_t n = 1; n <= 5; ++n)
    all.push_back(node_seen<M>{{node_id{n}, {}, small_amounts<M>::capacity(rng), {label_id{n % 2}}}});
  std::uint64_t pods = 100;  // others than those of the source
  for (std::uint64_t g = 11; g <= 14; ++g) {
    pod_group<M> gang;
    gang.id = group_id{g};
    gang.disruption = disruption_mode::all;
    gang.priority = static_cast<std::int32_t>(rng.below(2));
    for (auto sets = rng.between(1, 2); sets > 0; --sets)
      gang.pod_sets.push_back({small_amounts<M>::request(rng), rng.between(1, 3), 0});
    for (std::uint32_t set = 0; set < gang.pod_sets.size(); ++set)
      for (auto left = gang.pod_sets[set].count; left > 0; --left) {
        pod_seen<M> seen;
        seen.pod = pod_id{++pods};
        seen.group = gang.id;
        seen.pod_set = set;
        seen.request = gang.pod_sets[set].request;
        seen.priority = gang.priority;
        all.push_back(seen);
      }
    all.push_back(group_seen<M>{gang});
    queue.push_back(gang.id);
  }
  change_source::source<M> others{rng, change_source::limits{}};
  for (auto more = rng.below(25); more > 0; --more) all.push_back(others.content());
  for (const group_id other : others.groups()) queue.push_back(other);
  rng.shuffle(all);
  std::vector<change<M>> story;
  for (std::uint64_t i = 0; i < all.size(); ++i) story.push_back({revision{i + 1}, all[i]});
  return story;
}

/// Everything an action says but its tick, which counts the changes that were news.
template <class M>
std::string words_of(const plan<M>& made) {
  std::string words;
  const auto add = [&words](auto number) { words += std::to_string(number) + ' '; };
  for (const action<M>& one : made.actions) {
    words += std::string{name(one.kind)} + ' ' + std::string{name(one.verdict)} + ' ';
    words += std::string{name(one.reason)} + ' ' + std::string{name(one.decided_by)} + ' ';
    words += std::string{name(one.gate)} + ' ';
    for (const auto number : {one.placed, one.pending, one.lack.needed, one.lack.seated, one.lack.bound}) add(number);
    add(number(one.group));
    add(static_cast<std::uint64_t>(one.id));
    add(number(one.computed_from));
    for (const seat<M>& each : made.seats_of(one)) {
      hasher grant;
      M::add_to_hash(grant, each.grant);
      for (const std::uint64_t number : {number(each.node), static_cast<std::uint64_t>(each.count), grant.value()}) add(number);
    }
    for (const pod_id pod : made.pods_of(one)) add(number(pod));
    for (const set_aside_id kept : made.set_asides_of(one)) add(number(kept));
    words += '\n';
  }
  return words;
}

template <class M>
void turns_of_shuffled_changes(const char* what) {
  generator rng{what};
  int bound = 0, refused = 0;
  for (int round = muster_test::rounds(300); round > 0; --round) {
    CAPTURE(what, rng.seed(), round);
    std::vector<group_id> queue;
    auto story = some_story<M>(rng, queue);
    cluster<M> in_order{nested_levels(1)}, shuffled{nested_levels(1)};
    for (const change<M>& each : story) apply(in_order, each);
    for (auto repeats = rng.below(story.size()); repeats > 0; --repeats) story.push_back(rng.pick(story));
    rng.shuffle(story);
    for (const change<M>& each : story) apply(shuffled, each);
    const time_point at{duration{rng.between(0, 6)}};
    const plan<M> first = schedule(in_order.view(at), std::span{queue});
    rng.shuffle(queue);
    const plan<M> second = schedule(shuffled.view(at), std::span{queue});
    REQUIRE(words_of(first) == words_of(second));
    for (const action<M>& one : first.actions) {
      bound += one.kind == action_kind::bind ? 1 : 0;
      refused += is_proved_no(one.verdict) ? 1 : 0;
    }
  }
  std::printf("%s: bound %d, refused %d\n", what, bound, refused);
  CHECK(bound > 0);
  CHECK(refused > 0);
}

}  // namespace

TEST_CASE("changes in any order, some twice, give the same turn: two resources", "[cycle]") {
  turns_of_shuffled_changes<resource_vector<2>>("turns of shuffled changes, two resources");
}
TEST_CASE("changes in any order, some twice, give the same turn: four devices", "[cycle]") {
  turns_of_shuffled_changes<devices<4>>("turns of shuffled changes, four devices");
}

TEST_CASE("turn after turn, two resources", "[cycle]") { run_turns<resource_vector<2>>("turns, two resources"); }
TEST_CASE("turn after turn, four devices", "[cycle]") { run_turns<devices<4>>("turns, four devices"); }
