// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/best_candidate.hpp>
#include <muster/placement/candidate_scores.hpp>
#include <muster/placement/candidates.hpp>
#include <muster/placement/explain.hpp>
#include <muster/placement/list_candidates.hpp>
#include <muster/placement/place.hpp>
#include <muster/placement/verify.hpp>
#include <muster/placement/verify_certificate.hpp>
#include <muster/resource/resource_vector.hpp>
#include <muster/scoring/domain_score.hpp>
#include <muster/scoring/gangs_lost.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/generator.hpp"
#include "support/scene.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <vector>

namespace {

using cores = muster::resource_vector<1>;
using two = muster::resource_vector<2>;
using muster::best_candidate;
using muster::candidate_effort;
using muster::candidate_list;
using muster::kubernetes_judgements;
using muster::place_options;
using muster::topology_level;
using muster::verdict;

constexpr topology_level rack{0};

/// A cluster of racks, and its candidates.
template <class M>
struct racks : muster_test::scene<M> {
  racks() : muster_test::scene<M>{muster::nested_levels(1)} {}
  [[nodiscard]] candidate_list candidates() {
    const auto view = this->view();
    candidate_list list;
    REQUIRE(list_candidates(view, rack, all_nodes(view), list).ok());
    return list;
  }
  [[nodiscard]] std::uint32_t at(std::uint64_t node) { return *this->view().find(muster::node_id{node}); }
};

const place_options<> usual{};

/// Notes what pods_count says.
struct counted {
  static constexpr std::int64_t scaled(std::int64_t number, std::int64_t, std::int64_t) { return number; }
  std::int64_t* pods;
  std::int64_t operator()(const muster::candidate_trial<cores>& trial) const {
    *pods = muster::pods_count{}(trial);
    return *pods;
  }
};
/// What is left on the candidate's nodes.
struct left_over {
  static constexpr std::int64_t scaled(std::int64_t number, std::int64_t, std::int64_t) { return number; }
  std::int64_t operator()(const muster::candidate_trial<cores>& trial) const {
    std::int64_t sum = 0;
    for (const muster::run& some : trial.nodes)
      for (auto p = some.first; p < some.last; ++p) sum += trial.after.now(p)[0];
    return sum;
  }
};

/// Does not know what the first rack is worth.
struct unsure {
  static constexpr std::int64_t scaled(std::int64_t number, std::int64_t, std::int64_t) { return number; }
  double operator()(const muster::candidate_trial<cores>& trial) const {
    return trial.nodes.front().first == 0 ? std::numeric_limits<double>::quiet_NaN() : 0.25;
  }
};

}  // namespace

TEST_CASE("row 21: of two racks that hold the gang the fuller one", "[placement]") {
  racks<cores> s;  // 2, 3 and 1 nodes of 2 cores
  for (const std::uint64_t n : {1U, 2U}) s.node(n, {2}, {1});
  for (const std::uint64_t n : {3U, 4U, 5U}) s.node(n, {2}, {2});
  s.node(6, {2}, {3});
  muster::workspace<cores> space;
  const auto gang = racks<cores>::gang(1, 3, {1});
  const auto chosen =
      best_candidate(s.view(), gang, s.candidates(), space, usual, kubernetes_judgements<cores>{});
  REQUIRE(chosen.verdict == verdict::fits);
  CHECK(chosen.candidate == 0);
  CHECK(chosen.tried == 3);
  CHECK(chosen.feasible == 2);
  CHECK(chosen.score == 100 + 75);
  CHECK(space.answer.placed == 3);
  CHECK(muster_test::on(space.answer, 1) + muster_test::on(space.answer, 2) == 3);
}

TEST_CASE("row 22: nodes in use count", "[placement]") {
  racks<cores> s;
  s.node(1, {4}, {1});
  s.node(2, {6}, {2});
  s.node(3, {6}, {3});
  s.node(4, {2}, {4});
  s.filler(90, 2, {2});
  s.filler(91, 3, {1});
  muster::workspace<cores> space;
  const auto gang = racks<cores>::gang(1, 3, {1});
  const auto chosen =
      best_candidate(s.view(), gang, s.candidates(), space, usual, kubernetes_judgements<cores>{});
  REQUIRE(chosen.verdict == verdict::fits);
  CHECK(chosen.candidate == 1);  // 5 of 6; the others 3 of 4 and 4 of 6
  CHECK(chosen.score == 100 + 83);
  CHECK(chosen.feasible == 3);
}

TEST_CASE("the candidate that seats more of the gang scores higher by it", "[placement]") {
  racks<cores> s;
  s.node(1, {2}, {1});  // full with two
  s.node(2, {9}, {2});
  muster::workspace<cores> space;
  const auto gang = racks<cores>::gang(1, 4, {1}, 2);
  const auto list = s.candidates();
  // 50 + 100 against 100 + 44
  CHECK(best_candidate(s.view(), gang, list, space, usual, kubernetes_judgements<cores>{}).candidate == 0);
  CHECK(space.answer.placed == 2);
  const muster::judgements<muster::pods_count, muster::resource_fit<cores>> by_pods{{{3}, {1}}};  // 150 + 100, 300 + 44
  CHECK(best_candidate(s.view(), gang, list, space, usual, by_pods).candidate == 1);
  CHECK(space.answer.placed == 4);
  const muster::judgements<muster::pods_count, muster::resource_fit<cores>> left_out{{{0}, {1}}};
  CHECK(best_candidate(s.view(), gang, list, space, usual, left_out).candidate == 0);
  const muster::judgements<muster::pods_count, muster::resource_fit<cores>> negative{{{1}, {-5}}};  // counts as 0
  CHECK(best_candidate(s.view(), gang, list, space, usual, negative).candidate == 1);
}

TEST_CASE("row 31: nominated pods first, unscored; where they do not fit the others as ever", "[placement]") {
  racks<cores> s;
  for (std::uint64_t n = 1; n <= 9; ++n) s.node(n, {2}, {(n + 2) / 3});
  s.filler(90, 1, {1});  // rack 1 is fullest, so that scores would choose it
  const auto gang = racks<cores>::gang(1, 3, {1});
  const auto list = s.candidates();
  const std::array<std::uint32_t, 3> nominated{s.at(2), s.at(4), s.at(5)};  // one in rack 1, two in rack 2
  muster::workspace<cores> space;
  candidate_effort effort;
  CHECK(best_candidate(s.view(), gang, list, space, usual, kubernetes_judgements<cores>{}, effort).candidate == 0);
  effort.nominated = nominated;
  auto chosen = best_candidate(s.view(), gang, list, space, usual, kubernetes_judgements<cores>{}, effort);
  CHECK(chosen.candidate == 1);
  CHECK(chosen.by_nomination);
  CHECK(chosen.tried == 1);
  for (std::uint64_t n = 4; n <= 6; ++n) s.filler(100 + n, n, {2});
  chosen = best_candidate(s.view(), gang, list, space, usual, kubernetes_judgements<cores>{}, effort);
  CHECK(chosen.candidate == 0);
  CHECK(!chosen.by_nomination);
  CHECK(chosen.tried == 3);
  CHECK(chosen.feasible == 2);
}

TEST_CASE("a refusal is told by the nominated candidate, else by the first", "[placement]") {
  racks<cores> s;
  s.node(1, {3}, {1});
  s.node(2, {2}, {2});
  s.node(3, {1}, {3});
  s.filler(90, 2, {1});
  const auto gang = racks<cores>::gang(1, 4, {1});
  const auto list = s.candidates();
  muster::workspace<cores> space;
  auto chosen = best_candidate(s.view(), gang, list, space);
  CHECK(chosen.verdict == verdict::never);
  CHECK(chosen.candidate == 0);
  CHECK(space.answer.lack.seated == 3);
  const muster::inside<> where{list.nodes(0)};
  CHECK(verify(s.view(), gang, space.answer.proof, where).holds());
  candidate_effort effort;
  const std::array<std::uint32_t, 1> nominated{s.at(3)};
  effort.nominated = nominated;
  chosen = best_candidate(s.view(), gang, list, space, usual, muster::judgements<>{}, effort);
  CHECK(chosen.candidate == 2);
  CHECK(space.answer.lack.seated == 1);
  // two pods would fit rack 2 without its filler: the verdict is the most hopeful one
  s.filler(91, 1, {2});
  s.leave(91);
  const auto three = racks<cores>::gang(2, 3, {1});
  chosen = best_candidate(s.view(), three, list, space);
  CHECK(chosen.verdict == verdict::wait);
}

TEST_CASE("without candidates a gang is refused as on no nodes at all", "[placement]") {
  racks<cores> s;
  s.node(1, {3});
  muster::workspace<cores> space;
  const auto chosen = best_candidate(s.view(), racks<cores>::gang(1, 1, {1}), s.candidates(), space);
  CHECK(chosen.candidate == muster::no_candidate);
  CHECK(chosen.verdict == verdict::never);
  CHECK(space.answer.lack.needed == 1);
  CHECK(space.answer.lack.seated == 0);
}

TEST_CASE("a faulty group and an unknown one are named, whatever the candidates", "[placement]") {
  racks<cores> s;
  s.node(1, {3}, {1});
  muster::workspace<cores> space;
  auto faulty = racks<cores>::gang(1, 1, {1});
  faulty.disruption = muster::disruption_mode::unstated;
  CHECK(best_candidate(s.view(), faulty, s.candidates(), space).verdict == verdict::invalid);
  CHECK(best_candidate(s.view(), muster::group_id{8}, s.candidates(), space).verdict == verdict::hold);
}

TEST_CASE("a domain pinned by members that run and too small for more says what would do", "[placement]") {
  racks<cores> s;
  s.node(1, {2}, {1});
  s.node(2, {8}, {2});
  const auto gang = racks<cores>::gang(1, 4, {1});
  s.group(gang);
  s.pods(10, 4, gang);
  s.bind(10, 1);
  const auto view = s.view();
  candidate_list list;
  REQUIRE(list_candidates(view, rack, all_nodes(view), gang.id, list).ok());
  REQUIRE(list.size() == 1);
  CHECK(list.pinned);
  muster::workspace<cores> space;
  const auto chosen = best_candidate(view, gang.id, list, space);
  CHECK(chosen.verdict == verdict::never);
  CHECK(space.answer.lack.needed == 3);
  CHECK(space.answer.lack.seated == 1);
  const place_options<muster::inside<>> here{.filter = {list.nodes(0)}};
  const std::array<cores::capacity_type, 1> shape{{{1}}};
  const auto ladder = explain(view, gang.id, shape, space, here);
  bool named = false;
  for (const muster::rung& one : ladder.rungs)
    if (one.kind == muster::rung_kind::more_nodes) {
      named = true;
      CHECK(one.answer == muster::rung_answer::helps);
      CHECK(one.proved == 2);  // nodes of one core
    }
  CHECK(named);
}

TEST_CASE("members that ran before count with those placed", "[placement]") {
  racks<cores> s;
  s.node(1, {8}, {1});
  const auto gang = racks<cores>::gang(1, 3, {1});
  s.group(gang);
  s.pods(10, 3, gang);
  s.bind(10, 1);
  std::int64_t pods = 0;
  const muster::judgements<counted> by{{{1, {&pods}}}};
  muster::workspace<cores> space;
  CHECK(best_candidate(s.view(), gang.id, s.candidates(), space, usual, by).verdict == verdict::fits);
  CHECK(pods == 3);
  CHECK(space.answer.placed == 2);
}

TEST_CASE("where not all are tried a seed draws the order, and none is always passed over", "[placement]") {
  racks<cores> s;
  for (std::uint64_t n = 0; n < 8; ++n) s.node(n, {2}, {n + 1});
  const auto gang = racks<cores>::gang(1, 2, {1});
  const auto list = s.candidates();
  muster::workspace<cores> space;
  std::set<std::size_t> taken;
  for (std::uint64_t seed = 0; seed < 64; ++seed) {
    candidate_effort effort;
    effort.percent = 13;  // one of eight
    effort.seed = seed;
    const auto chosen = best_candidate(s.view(), gang, list, space, usual, kubernetes_judgements<cores>{}, effort);
    REQUIRE(chosen.verdict == verdict::fits);
    CHECK(chosen.tried == 1);
    const auto again = best_candidate(s.view(), gang, list, space, usual, kubernetes_judgements<cores>{}, effort);
    CHECK(again.candidate == chosen.candidate);
    taken.insert(chosen.candidate);
  }
  CHECK(taken.size() == 8);
  // without judgements one is enough, the first
  const auto first = best_candidate(s.view(), gang, list, space);
  CHECK(first.candidate == 0);
  CHECK(first.tried == 1);
}

TEST_CASE("one budget for all; where it ends and none is feasible the gang is undecided", "[placement]") {
  muster_test::generator rng{5};
  int ended = 0;
  for (int round = 0; round < 300; ++round) {
    racks<two> s;
    for (std::uint64_t n = 0; n < 6; ++n) s.node(n, {rng.between(4, 9), rng.between(4, 9)}, {n / 2 + 1});
    auto gang = racks<two>::gang(1, rng.between(1, 3), {rng.between(1, 4), rng.between(1, 4)});
    for (int more = 0; more < 2; ++more)
      gang.pod_sets.push_back({{rng.between(1, 4), rng.between(1, 4)}, rng.between(1, 3), 0});
    const auto view = s.view();
    const auto list = s.candidates();
    place_options<> none;
    none.budget = 0;
    muster::workspace<two> space;
    const auto chosen = best_candidate(view, gang, list, space, none);
    const auto said = space.answer.verdict;
    const auto full = best_candidate(view, gang, list, space);
    CHECK(full.undecided == 0);
    CHECK(full.verdict != verdict::undecided);
    if (chosen.undecided == 0) CHECK((chosen.verdict == verdict::fits) == (full.verdict == verdict::fits));
    if (chosen.verdict == verdict::fits) CHECK(full.verdict == verdict::fits);
    else if (chosen.undecided > 0) {
      ++ended;
      CHECK(chosen.verdict == verdict::undecided);
      CHECK(said == verdict::undecided);  // not the refusal of a candidate before it
    }
  }
  CHECK(ended > 5);
}

TEST_CASE("of two racks the one whose gangs to come lose least", "[placement]") {
  racks<cores> s;  // 4 nodes of 2 cores, and 3: gangs of 4 pods of 2 cores come, in one rack each
  for (std::uint64_t n = 1; n <= 4; ++n) s.node(n, {2}, {1});
  for (std::uint64_t n = 5; n <= 7; ++n) s.node(n, {2}, {2});
  s.filler(90, 5, {1});
  s.filler(91, 1, {1});
  s.filler(92, 2, {1});
  s.filler(93, 3, {1});
  s.filler(94, 4, {1});
  const std::array<muster::gang_shape<cores>, 2> shapes{{{{1}, 4, rack, 10}, {{2}, 2, rack, 10}}};
  REQUIRE(check_shapes<cores>(shapes, s.view().levels()) == muster::shape_fault::none);
  muster::gang_mix<cores> mix{shapes};
  mix.rebuild(s.view());
  muster::seat_space seats;
  muster::workspace<cores> space;
  // Two pods of a core. Rack 1 has 4 slots of a core and none of two: a gang of four is lost. Rack 2 has 5 and 2; there
  // they use up node 5 and half of node 6: a gang of four is lost, and the pair.
  const auto gang = racks<cores>::gang(1, 2, {1});
  const muster::judgements<muster::gangs_kept<cores>> kept{{{1, {&mix, &seats}}}};
  const auto list = s.candidates();
  auto chosen = best_candidate(s.view(), gang, list, space, usual, kept);
  CHECK(chosen.candidate == 0);
  CHECK(chosen.score > 0);
  s.filler(95, 6, {2});
  s.filler(96, 7, {1});
  mix.rebuild(s.view());  // rack 2 has two slots left, too few for a gang to come
  chosen = best_candidate(s.view(), gang, list, space, usual, kept);
  CHECK(chosen.candidate == 1);
}

TEST_CASE("a judgement in floating point that does not know never wins", "[placement]") {
  racks<cores> s;
  s.node(1, {2}, {1});
  s.node(2, {2}, {2});
  muster::workspace<cores> space;
  const auto gang = racks<cores>::gang(1, 1, {1});
  const muster::judgements<unsure> by{};
  const auto chosen = best_candidate(s.view(), gang, s.candidates(), space, usual, by);
  REQUIRE(chosen.verdict == verdict::fits);
  CHECK(chosen.candidate == 1);
}

TEST_CASE("a judgement sees the seats taken, and the overlay is left as it was", "[placement]") {
  racks<cores> s;
  s.node(1, {2}, {1});
  s.node(2, {4}, {2});
  const auto view = s.view();
  muster::overlay<cores> on{view};
  on.charge(0, {1}, 1);
  muster::workspace<cores> space;
  const auto chosen = best_candidate(on, racks<cores>::gang(1, 1, {1}), s.candidates(), space, usual,
                                     muster::judgements<left_over>{});
  CHECK(chosen.score == 3);  // 0 in the first rack
  CHECK(chosen.candidate == 1);
  CHECK(on.now(0)[0] == 1);
  CHECK(on.now(1)[0] == 4);
}

TEST_CASE("the choice is the best of what place says of each candidate", "[placement]") {
  muster_test::generator rng{31};
  int fitted = 0, refused = 0;
  for (int round = 0; round < 200; ++round) {
    racks<two> s;
    const auto nodes = static_cast<std::uint64_t>(rng.between(1, 9));
    for (std::uint64_t n = 0; n < nodes; ++n)
      s.node(n, {rng.between(1, 6), rng.between(1, 6)}, {static_cast<std::uint64_t>(rng.between(1, 4))});
    if (rng.between(0, 1) == 1) s.filler(90, 0, {1, 1});
    auto gang = racks<two>::gang(1, rng.between(1, 4), {rng.between(1, 3), rng.between(1, 3)});
    if (rng.between(0, 1) == 1) gang.pod_sets.push_back({{rng.between(1, 4), rng.between(0, 3)}, rng.between(1, 3), 0});
    gang.min_count = rng.between(1, declared_pods(gang));
    const auto view = s.view();
    const auto list = s.candidates();
    std::vector<std::array<std::int64_t, 2>> scores(list.size(), {-1, -1});
    std::int64_t most = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto answer = place(view, gang, place_options<muster::inside<>>{.filter = {list.nodes(i)}});
      if (!answer.fits()) continue;
      std::array<std::int64_t, 2> asked{}, capacity{};
      for (const muster::run& some : list.nodes(i))
        for (auto p = some.first; p < some.last; ++p)
          for (std::size_t d = 0; d < 2; ++d) {
            capacity[d] += view.capacity(p)[d];
            asked[d] += view.capacity(p)[d] - view.now(p)[d];
          }
      for (const auto& seat : answer.seats)
        for (std::size_t d = 0; d < 2; ++d) asked[d] += gang.pod_sets[seat.pod_set].request[d] * seat.count;
      scores[i] = {answer.placed, (asked[0] * 100 / capacity[0] + asked[1] * 100 / capacity[1]) / 2};
      most = std::max(most, answer.placed);
    }
    std::size_t best = muster::no_candidate;
    std::int64_t highest = -1;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (scores[i][0] < 0) continue;
      const std::int64_t total = scores[i][0] * 100 / most + scores[i][1];
      if (total > highest) {
        highest = total;
        best = i;
      }
    }
    muster::workspace<two> space;
    const auto chosen = best_candidate(view, gang, list, space, usual, kubernetes_judgements<two>{});
    REQUIRE((chosen.verdict == verdict::fits) == (best != muster::no_candidate));
    if (chosen.verdict == verdict::fits) {
      ++fitted;
      CHECK(chosen.candidate == best);
      if (chosen.feasible > 1) CHECK(chosen.score == highest);
      CHECK(verify(view, gang, space.answer.seats, muster::inside<>{list.nodes(best)}).holds());
    } else {
      ++refused;
      CHECK(chosen.tried == list.size());
    }
  }
  CHECK(fitted > 50);
  CHECK(refused > 10);
}

TEST_CASE("what is told of the chosen candidate is what was found, with the steps that were left", "[placement]") {
  muster_test::generator rng{6};
  int told_again = 0;
  for (int round = 0; round < 400; ++round) {
    racks<two> s;
    for (std::uint64_t n = 0; n < 15; ++n) s.node(n, {rng.between(4, 9), rng.between(4, 9)}, {n / 3 + 1});
    auto gang = racks<two>::gang(1, rng.between(1, 4), {rng.between(1, 4), rng.between(1, 4)});
    for (int more = 0; more < 2; ++more)
      gang.pod_sets.push_back({{rng.between(1, 4), rng.between(1, 4)}, rng.between(1, 4), 0});
    const auto view = s.view();
    const auto list = s.candidates();
    for (const std::uint64_t budget : {1U, 2U, 4U, 8U, 16U, 32U, 64U}) {
      place_options<> some;
      some.budget = budget;
      muster::workspace<two> space;
      const auto chosen = best_candidate(view, gang, list, space, some);
      CHECK((space.answer.verdict == verdict::fits) == (chosen.verdict == verdict::fits));
      CHECK((space.answer.verdict == verdict::undecided) == (chosen.verdict == verdict::undecided));
      if (chosen.verdict == verdict::undecided && chosen.candidate > 0) ++told_again;
    }
  }
  CHECK(told_again > 10);
}
