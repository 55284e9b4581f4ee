// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_ORACLE_WRITE_CASE_PROPERTY_HPP
#define MUSTER_TESTS_ORACLE_WRITE_CASE_PROPERTY_HPP

// Any small cluster and question, written as a case, read back and told to the
// library again, gets the same answer; and the text does not depend on the order
// in which the cluster was learnt. So for the asked group as it is declared, and
// for what is left to place of it beside its members that run.

#include <muster/cluster/apply.hpp>
#include <muster/placement/place.hpp>
#include <muster/placement/write_case.hpp>
#include <muster/workload/validate.hpp>

#include "../support/catch.hpp"
#include "../support/generator.hpp"
#include "case_cluster.hpp"
#include "case_file.hpp"
#include "property/placement_world.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

namespace written {

using muster_test::generator;

// A random world of the placement properties on more levels, with grants, set-asides and groups it has not.
template <class M>
struct scene {
  placement_property::world<M> world;
  muster::topology levels;
  muster::pod_group<M> asked;
  std::vector<muster::change<M>> changes;
  muster::time_point now;

  scene(generator& rng, bool alike) : world{rng, alike}, asked{world.group} {
    levels = muster::nested_levels(static_cast<std::size_t>(rng.between(0, 8)));
    for (auto& rule : levels.levels) rule.merge_equal_names = rng.chance(12);
    now = at(rng.between(0, 4000));
    constrain(rng);
    changes = world.changes();
    for (auto& each : changes)
      if (auto* group = std::get_if<muster::group_seen<M>>(&each.what)) group->group = asked;
    add_other_group(rng);
    for (auto& each : changes) vary(rng, each.what);
  }

  [[nodiscard]] muster::cluster<M> build(generator* shuffle = nullptr) const {
    auto all = changes;
    if (shuffle != nullptr) shuffle->shuffle(all);
    muster::cluster<M> model{levels};
    for (const auto& each : all) muster::apply(model, each);
    return model;
  }

 private:
  static muster::time_point at(std::int64_t milliseconds) { return muster::time_point{muster::duration{milliseconds}}; }

  void constrain(generator& rng) {
    asked.required = muster::no_level;
    asked.limits.clear();
    const auto level = [&] {
      const auto chosen = rng.below(levels.size() + 1);
      return chosen == levels.size() ? muster::node_level : muster::topology_level{static_cast<std::uint8_t>(chosen)};
    };
    if (rng.chance(50)) asked.required = level();
    while (rng.chance(40)) asked.limits.push_back({level(), rng.between(rng.chance(10) ? 0 : 1, 4)});
    if (rng.chance(10)) asked.min_count = 0;
  }

  // The pods of the other group are of its classes, some more than it declares.
  void add_other_group(generator& rng) {
    if (rng.chance(40)) return;
    muster::pod_group<M> other;
    other.id = world.other;
    other.disruption = muster::disruption_mode::single;
    if (rng.chance(30)) other.policy = muster::group_policy::basic;
    for (auto& each : changes) {
      auto* pod = std::get_if<muster::pod_seen<M>>(&each.what);
      if (pod == nullptr || pod->group != world.other) continue;
      std::uint32_t set = 0;
      while (set < other.pod_sets.size() && !(other.pod_sets[set].request == pod->request)) ++set;
      if (set == other.pod_sets.size()) other.pod_sets.push_back({pod->request, rng.between(0, 1), 0});
      pod->pod_set = set;
      if (rng.chance(60)) ++other.pod_sets[set].count;
    }
    changes.push_back({muster::revision{changes.size() + 1}, muster::group_seen<M>{other}});
  }

  void vary(generator& rng, muster::change_content<M>& what) {
    if (auto* node = std::get_if<muster::node_seen<M>>(&what)) {
      node->node.labels = {};
      for (std::size_t level = 0; level < levels.size(); ++level)
        node->node.labels.push_back(rng.chance(8) ? muster::no_label : muster::label_id{8 + rng.below(3)});
    } else if (auto* pod = std::get_if<muster::pod_seen<M>>(&what)) {
      if (pod->group != world.own) return;
      // more rarely of one that waits: the question is invalid then
      if (rng.chance(pod->pod < muster::pod_id{5000} ? 10 : 1)) pod->request = request(rng);
      if (rng.chance(3)) pod->pod_set += 2;
    } else if (auto* placed = std::get_if<muster::pod_placed<M>>(&what)) {
      if (rng.chance(3)) placed->node = muster::node_id{7};  // which nobody told of
      if (rng.chance(30)) placed->grant.reset();
      else if (rng.chance(20)) disturb(rng, *placed->grant);
    } else if (auto* leaving = std::get_if<muster::pod_terminating>(&what)) {
      leaving->until = at(rng.between(0, 6000));
    } else if (auto* kept = std::get_if<muster::set_aside<M>>(&what)) {
      if (rng.chance(60)) kept->until = at(now.time_since_epoch().count() + rng.between(-300, 900));
      if (rng.chance(20)) kept->group = muster::group_id{77};
    }
  }

  static auto request(generator& rng) { return placement_property::small_amounts<M>::request(rng); }

  template <std::size_t N>
  static void disturb(generator& rng, std::array<muster::amount, N>& grant) {
    grant[rng.below(N)] += rng.between(0, 2);
  }
  template <class Grant>
  static void disturb(generator& rng, Grant& grant)
    requires requires { grant.on; }
  {
    grant.on ^= std::uint64_t{1} << rng.below(4);  // a device more or less, there or not
  }
  template <class Both>
  static void disturb(generator& rng, Both& grant)
    requires requires { grant.first; }
  {
    if (rng.chance(50)) disturb(rng, grant.first);
    else disturb(rng, grant.second);
  }
};

// What the case says of the asked group and kinds, as the filter it was written with.
inline placement_property::table_filter filter_of(const oracle::case_data& of) {
  placement_property::table_filter made;
  const auto& classes = of.groups[of.asked_group].classes;
  for (std::size_t s = 0; s < classes.size(); ++s)
    for (const auto& bar : classes[s].barred)
      made.code.at(s).at(static_cast<std::size_t>(bar.kind)) = static_cast<std::uint32_t>(bar.reason);
  return made;
}

template <class M>
std::string sentence(const muster::placement_answer<M>& answer) {
  return std::string{name(answer.verdict)} + " (" + std::string{name(answer.reason)} + "), " +
         std::to_string(answer.placed) + " placed, " + std::to_string(answer.lack.needed) + " needed, " +
         std::to_string(answer.lack.seated) + " to " + std::to_string(answer.lack.bound) + " sit";
}

enum class asking : std::uint8_t { declared, members };

/// A member runs on a node that is not there, and so in nobody knows which domain of the required level: `place` says
/// so, and no line of a case does.
template <class M>
bool is_beyond_a_case(const muster::snapshot<M>& view, const muster::pod_group<M>& asked) {
  bool adrift = false;
  view.visit_members(*view.group(asked.id), [&](const muster::pod_record<M>& pod) {
    adrift = adrift || (muster::is_scheduled(pod.phase) && !view.find(view.node_of(pod)));
  });
  return adrift && asked.required != muster::no_level;
}

template <class M>
void write_and_read(const char* what, int usual, asking how) {
  using options = muster::place_options<placement_property::table_filter>;
  generator rng{what};
  std::array<int, 8> verdicts{};
  int beside_members = 0;
  const auto answer_of = [&](const auto& view, const muster::pod_group<M>& asked, const options& chosen) {
    return how == asking::declared ? place(view, asked, chosen) : place(view, asked.id, chosen);
  };
  const auto text_of = [&](const auto& view, const muster::pod_group<M>& asked, const auto& filter) {
    std::string text;
    if (how == asking::declared) write_case(std::back_inserter(text), view, asked, {}, filter);
    else write_case(std::back_inserter(text), view, asked.id, {}, filter);
    return text;
  };
  for (int round = muster_test::rounds(usual); round > 0; --round) {
    const scene<M> of{rng, rng.chance(50)};
    if (first_fault(of.asked, of.levels).fault != muster::group_fault::none) continue;
    auto model = of.build();
    const auto view = model.view(of.now);
    if (how == asking::members && is_beyond_a_case(view, of.asked)) continue;
    const auto answer = answer_of(view, of.asked, options{.filter = of.world.filter});
    const std::string text = text_of(view, of.asked, of.world.filter);
    INFO("round " << round << "\n" << text << sentence(answer));

    auto again = of.build(&rng);
    REQUIRE(text_of(again.view(of.now), of.asked, of.world.filter) == text);

    std::istringstream in{text};
    const auto read = oracle::read_cases(in, "written");
    for (const auto& fault : read.faults) FAIL(to_string(fault));
    REQUIRE(read.cases.size() == 1);
    const auto& got = read.cases.front();
    oracle::cluster_builder<M> built{got};
    REQUIRE(built.refused().empty());
    const auto view_again = built.cluster().view(oracle::at_second(got.now));
    const auto answer_again =
        answer_of(view_again, built.read_group(got.asked_group), options{.filter = filter_of(got)});
    REQUIRE(sentence(answer_again) == sentence(answer));
    if (text.find("\nrun g50 ") != text.npos) ++beside_members;
    ++verdicts[static_cast<std::size_t>(answer.verdict)];
  }
  std::printf("%s:", what);
  for (std::size_t v = 0; v < verdicts.size(); ++v)
    std::printf(" %s %d", std::string{name(static_cast<muster::verdict>(v))}.c_str(), verdicts[v]);
  std::printf(", %d beside members\n", beside_members);
  using muster::verdict;
  for (const verdict v : {verdict::fits, verdict::wait, verdict::not_now, verdict::closed, verdict::never})
    CHECK(verdicts[static_cast<std::size_t>(v)] > 0);
  if (how == asking::members) CHECK(beside_members > muster_test::rounds(usual) / 10);
}

}  // namespace written

#endif
