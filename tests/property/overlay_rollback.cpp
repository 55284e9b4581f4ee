// SPDX-License-Identifier: BSL-1.0
// After a rollback an overlay answers every query as a fresh one, however savepoints nest; in between, what it says is the
// snapshot with its changes in. Also built with undo steps left out (mutants/), where it must fail.
#include "change_source.hpp"
#include "support/catch.hpp"
#include "support/cluster_view.hpp"
#include "support/generator.hpp"

#include <muster/cluster/apply.hpp>
#include <muster/cluster/cluster.hpp>
#include <muster/cluster/overlay.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using namespace muster;
using change_source::amounts;
using change_source::limits;
using change_source::source;
using muster_test::generator;
using muster_test::index_fault;

namespace {

/// Everything that can be asked of a view about what is left.
template <class M>
struct answers {
  std::vector<typename M::state_type> now, later;
  std::vector<std::uint64_t> bits;
  std::vector<std::uint32_t> populations;
  std::vector<pod_count> slots;
  std::vector<set_aside_id> kept;
  bool operator==(const answers&) const = default;
};

template <class View>
answers<typename View::model> ask_all(const View& view) {
  answers<typename View::model> all;
  const auto& index = view.base().index();
  for (std::uint32_t position = 0; position < view.base().size(); ++position) {
    all.now.push_back(view.now(position));
    all.later.push_back(view.later(position));
    all.slots.push_back(view.pods_left(position));
    all.slots.push_back(view.pods_left_later(position));
  }
  for (std::size_t i = 0; i * sizeof(std::uint64_t) < index.bytes(); ++i) all.bits.push_back(view.bits(i));
  for (std::size_t level = 0; level < index.leading_level_count(); ++level) all.populations.push_back(view.population(level));
  view.visit_set_asides([&](const auto& kept, std::uint32_t) { all.kept.push_back(kept.id); });
  return all;
}

/// What an overlay should say, kept by copying everything.
template <class M>
struct expectation {
  struct left {
    typename M::state_type now{}, later{};
  };
  std::vector<left> nodes;

  explicit expectation(const snapshot<M>& base) {
    for (std::uint32_t position = 0; position < base.size(); ++position)
      nodes.push_back({base.now(position), base.later(position)});
  }
  [[nodiscard]] bool agrees(const overlay<M>& with) const {
    bool same = with.size() == nodes.size();
    for (std::uint32_t position = 0; position < nodes.size(); ++position)
      same = same && with.now(position) == nodes[position].now && with.later(position) == nodes[position].later;
    return same;
  }
};

/// One random change of an overlay and of what is expected of it.
template <class M>
void change_both(overlay<M>& trial, expectation<M>& expected, const std::vector<pod_record<M>>& pods,
                 std::vector<std::pair<std::uint32_t, typename M::grant_type>>& taken, generator& rng) {
  const auto position = static_cast<std::uint32_t>(rng.below(expected.nodes.size()));
  auto& left = expected.nodes[position];
  const auto kind = rng.below(100);
  if (kind < 5) {
    const auto nth = rng.below(4);
    std::vector<std::pair<set_aside<M>, std::uint32_t>> kept;
    trial.visit_set_asides([&](const set_aside<M>& one, std::uint32_t where) { kept.emplace_back(one, where); });
    if (nth >= kept.size()) return;
    const auto& [dropped, where] = kept[nth];
    trial.drop(dropped, where);
    M::release(expected.nodes[where].now, dropped.grant);
    M::release(expected.nodes[where].later, dropped.grant);
  } else if (kind < 55) {
    const auto request = amounts<M>::request(rng);
    const pod_count limit = rng.between(1, 3);
    typename M::grant_type grant{}, mine{};
    const pod_count got = M::allocate(left.now, request, limit, mine);
    REQUIRE(trial.take(position, request, limit, grant) == got);
    if (got == 0) return;
    REQUIRE(grant == mine);
    M::charge(left.later, grant);
    taken.emplace_back(position, grant);
  } else if (kind < 70) {
    const auto grant = amounts<M>::grant(rng);
    trial.charge(position, grant);
    M::charge(left.now, grant);
    M::charge(left.later, grant);
    taken.emplace_back(position, grant);
  } else if (kind < 85) {
    if (taken.empty()) return;
    const auto one = rng.pick(taken);
    trial.release(one.first, one.second);
    M::release(expected.nodes[one.first].now, one.second);
    M::release(expected.nodes[one.first].later, one.second);
  } else if (!pods.empty()) {
    const auto& pod = rng.pick(pods);
    trial.vacate(pod);
    const auto where = trial.base().position_of(pod);
    if (where == no_position) return;
    M::release(expected.nodes[where].now, pod.grant);
    if (pod.phase != phase::terminating) M::release(expected.nodes[where].later, pod.grant);
  }
}

template <class M>
void rollback_leaves_no_trace(const char* name, int usual_rounds) {
  generator rng{name};
  for (int round = muster_test::rounds(usual_rounds); round > 0; --round) {
    CAPTURE(name, rng.seed(), round);
    limits of;
    of.nodes = 1 + rng.below(90);
    of.pods = 20;
    source<M> changes_of{rng, of};
    cluster<M> model{nested_levels(2)};
    for (const auto& each : changes_of.changes(static_cast<std::size_t>(rng.between(10, 300)), true)) apply(model, each);
    const auto base = model.view(changes_of.time());
    if (base.size() == 0) continue;
    std::vector<pod_record<M>> pods;
    for (const pod_id id : changes_of.pods())
      if (const auto* pod = base.pod(id)) pods.push_back(*pod);

    const auto untouched = ask_all(base);
    overlay<M> trial{base};
    REQUIRE(ask_all(trial) == untouched);
    expectation<M> expected{base};
    struct moment {
      typename overlay<M>::savepoint at;
      expectation<M> then;
      answers<M> said;
      std::vector<std::pair<std::uint32_t, typename M::grant_type>> taken;
    };
    std::vector<moment> moments;
    std::vector<std::pair<std::uint32_t, typename M::grant_type>> taken;
    for (auto steps = rng.below(60); steps > 0; --steps) {
      const auto kind = rng.below(100);
      if (kind < 15) {
        moments.push_back({trial.save(), expected, ask_all(trial), taken});
      } else if (kind < 28 && !moments.empty()) {
        trial.rollback(moments.back().at);
        expected = moments.back().then;
        taken = moments.back().taken;
        REQUIRE(ask_all(trial) == moments.back().said);
        if (rng.chance(50)) moments.pop_back();  // or roll back to it again later
      } else if (kind < 34 && moments.size() > 1) {
        trial.commit(moments.back().at);  // the changes now belong to the savepoint before
        moments.pop_back();
      } else {
        change_both(trial, expected, pods, taken, rng);
      }
      REQUIRE(expected.agrees(trial));
      REQUIRE(index_fault(trial) == "");
    }
    trial.rollback({});
    const auto rolled_back = ask_all(trial);
    CHECK(rolled_back == untouched);
    CHECK(rolled_back == ask_all(overlay<M>{base}));
    CHECK(ask_all(base) == untouched);  // the snapshot never noticed

    change_both(trial, expected = expectation<M>{base}, pods, taken = {}, rng);
    trial.reset(base);
    CHECK(ask_all(trial) == untouched);
  }
}

}  // namespace

TEST_CASE("a rolled back overlay is as fresh: counted resources", "[property]") {
  rollback_leaves_no_trace<resource_vector<2>>("overlay, resource_vector<2>", 150);
}

TEST_CASE("a rolled back overlay is as fresh: devices", "[property]") {
  rollback_leaves_no_trace<devices<4>>("overlay, devices<4>", 150);
}

TEST_CASE("a rolled back overlay is as fresh: devices and counted resources", "[property]") {
  rollback_leaves_no_trace<joint<devices<4>, resource_vector<1>>>("overlay, joint", 150);
}
