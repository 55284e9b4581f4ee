// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/describe.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/generator.hpp"
#include "support/small_cluster.hpp"

#include <muster/placement/place.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

using namespace muster;
using muster_test::gpus;
using muster_test::small_cluster;

namespace {

std::string told(const placement_answer<gpus>& answer) {
  static constexpr std::array<std::string_view, 1> resources{"gpu"};
  static constexpr std::array<std::string_view, 1> levels{"rack"};
  static constexpr std::array<std::string_view, 2> reasons{"", "tainted"};
  std::string text;
  describe(std::back_inserter(text), answer, {resources, levels, reasons});
  return text;
}

pod_group<gpus> gang(pod_count pods, amount each) {
  pod_group<gpus> made;
  made.disruption = disruption_mode::all;
  made.pod_sets.push_back({{each}, pods, 0});
  return made;
}

struct only_kind_zero {
  template <class M>
  reason_code operator()(const pod_group<M>&, std::size_t, kind_id kind) const {
    return kind == kind_id{} ? eligible_node : reason_code{1};
  }
};

}  // namespace

TEST_CASE("each verdict has a sentence with its numbers", "[placement]") {
  small_cluster now{4, 4, 4};
  now.block(1, 1, 3);
  CHECK(told(place(now.model.view(), gang(4, 2))) == "fits: 4 pods on 2 nodes");
  CHECK(told(place(now.model.view(), gang(5, 2))) ==
        "not now: 1 of 5 pods short, 4 sit; gpu on 1 of 3 nodes; without other pods it fits");
  CHECK(told(place(now.model.view(), gang(4, 4))) == "never: 2 of 4 pods short, 2 sit; gpu on 1 of 3 nodes");
  CHECK(told(place(now.model.view(), gang(0, 4))) == "fits: nothing to place");
  CHECK(told(place(now.model.view(), group_id{5})) == "hold: group unknown");
  now.say(pod_terminating{pod_id{1}, end_of_time, {}});
  CHECK(told(place(now.model.view(), gang(5, 2))) ==
        "wait: 1 of 5 pods short, 4 sit; gpu on 1 of 3 nodes; fits once what is terminating has left");
  now.say(node_closed{node_id{2}});
  CHECK(told(place(now.model.view(), gang(3, 4))) ==
        "closed: 2 of 3 pods short, 1 sits; gpu on 1 of 2 nodes; 1 node closed or lost; fits only if closed or lost nodes or sick "
        "devices come back");
}

TEST_CASE("faults and missing members are named", "[placement]") {
  small_cluster now{4};
  auto bad = gang(2, 1);
  bad.min_count = -1;
  CHECK(told(place(now.model.view(), bad)) == "invalid: min_count is negative (-1)");
  bad = gang(2, 1);
  bad.disruption = disruption_mode::unstated;
  CHECK(told(place(now.model.view(), bad)) == "invalid: the disruption mode is not stated (0)");
  auto few = now.submit(1, 2);
  few.pod_sets[0].count = 3;
  now.say(group_seen<gpus>{few});
  CHECK(told(place(now.model.view(), group_id{1})) == "hold: 2 of 3 pods are there");
  now.add_pod(1, 2, 4);
  CHECK(told(place(now.model.view(), group_id{1})) == "invalid: a pod disagrees with its group: pod 1002, request, gpu 4 instead of 1");
}

TEST_CASE("the nodes of a placement are counted, in whatever order its seats are", "[placement]") {
  muster_test::generator rng{"nodes of seats"};
  for (const std::size_t seats : {std::size_t{1}, std::size_t{7}, std::size_t{100}, std::size_t{4096}}) {
    placement_answer<gpus> answer;
    answer.verdict = verdict::fits;
    std::set<std::uint64_t> nodes;
    for (std::size_t i = 0; i < seats; ++i) {
      const std::uint64_t node = rng.below(seats) << 20U;
      nodes.insert(node);
      answer.seats.push_back({node_id{node}, {1}, 1, 0, 0});
      ++answer.placed;
    }
    std::string expected;
    put_counted(put(std::back_inserter(expected), " on "), nodes.size(), "node", "nodes");
    CHECK(told(answer).ends_with(expected));
  }
}

TEST_CASE("excluded nodes and the best domain are named", "[placement]") {
  small_cluster now({}, 1);
  for (std::uint64_t n = 1; n <= 6; ++n)
    now.say(node_seen<gpus>{{node_id{n}, kind_id{n > 4 ? 1U : 0U}, {2}, {label_id{n % 2}}}});
  auto asked = gang(5, 1);
  asked.required = topology_level{0};
  const auto answer = place(now.model.view(), asked, place_options<only_kind_zero>{});
  CHECK(told(answer) ==
        "never: 1 of 5 pods short, 4 sit in rack 0, the best of 2; 2 nodes excluded: tainted");
}

TEST_CASE("what refuses unlike pods is named with its numbers", "[placement]") {
  // sets of (gpus each, pods, minimum) on nodes of so many gpus
  struct set {
    amount each;
    pod_count pods, minimum;
  };
  const auto said = [](std::initializer_list<amount> nodes, std::initializer_list<set> sets, pod_count min_count,
                       pod_count most_a_node = 0) {
    small_cluster now(nodes);
    pod_group<gpus> made;
    made.disruption = disruption_mode::all;
    for (const set& one : sets) made.pod_sets.push_back({{one.each}, one.pods, one.minimum});
    made.min_count = min_count;
    if (most_a_node > 0) made.limits = {{node_level, most_a_node}};
    return told(place(now.model.view(), made));
  };
  // two pods of 4 need 8, and 7 are there
  CHECK(said({4, 3}, {{4, 2, 2}, {1, 1, 1}}, 3) ==
        "never: 1 of 3 pods short, 2 sit; pod set 0 finds 1 of the 2 places it needs; gpu on 1 of 2 nodes");
  // 3 + 3 + 2 + 2 of 9, though each set alone finds its places
  CHECK(said({6, 3}, {{3, 2, 2}, {2, 2, 2}}, 4) ==
        "never: 1 of 4 pods short, 3 sit; the summed gpu is 9, and the minima ask 10");
  // one and one needed, three enough: of 6, one of 3 and one of 2 leave 1
  CHECK(said({6}, {{3, 2, 1}, {2, 2, 1}}, 3).find("; the summed gpu suffices for 2 of 3 pods") != std::string::npos);
  // 5 + 5 + 3 + 3 of 8 + 8 is enough in sum, and so it sits; of 9 + 7 it does not
  CHECK(said({8, 8}, {{5, 2, 2}, {3, 2, 2}}, 4) == "fits: 4 pods on 2 nodes");
  const std::string mixed = said({9, 7}, {{5, 2, 2}, {3, 2, 2}}, 4);
  CHECK(mixed.starts_with("never: 1 of 4 pods short, 3 sit; a pod of set 0 counts "));
  CHECK(mixed.ends_with(" needed"));  // and no node is too small for one pod
  CHECK(said({8, 8}, {{5, 2, 2}, {1, 2, 2}}, 4, 1).find(
            "; the spread limits leave room for 2 of 4 pods") != std::string::npos);
}

TEST_CASE("an undecided answer says its bounds, and whether a greater budget helps", "[placement]") {
  placement_answer<gpus> answer;
  answer.verdict = verdict::undecided;
  answer.reason = refusal_reason::search_ended;
  answer.lack.needed = 8;
  answer.lack.seated = 6;
  answer.lack.bound = 7;
  CHECK(told(answer) == "undecided: 2 of 8 pods short, 6 sit; at most 7 can sit, no proof that too few do");
  answer.reason = refusal_reason::search_too_large;
  CHECK(told(answer).ends_with("; at most 7 can sit, no proof that too few do; too large to search, with any budget"));
}

TEST_CASE("a sentence says of a proof what the best domain was refused by", "[placement]") {
  placement_answer<gpus> answer;
  answer.verdict = verdict::not_now;
  answer.reason = refusal_reason::no_combination;
  answer.lack.needed = 3;
  answer.lack.seated = 2;
  domain_refusal one;
  one.kind = proof_kind::capacity;
  answer.proof.refusals.push_back(one);
  const auto says = [&](std::string_view what) { return told(answer).find(what) != std::string::npos; };
  CHECK_FALSE(says("every combination"));
  answer.proof.refusals[0].kind = proof_kind::exhausted;
  CHECK(says("every combination was tried"));
  answer.proof.refusals[0] = {{}, tense::now, proof_kind::prices, 0, 5, 6, 0, 1, 0};
  answer.proof.prices = {3};
  CHECK(says("a pod of set 0 counts 3: these nodes hold at most 5 of 6 needed"));
  CHECK(says("; whether it fits without other pods is not known"));
  answer.lack.without_pods = empty_fit::no;
  CHECK(says("; not without other pods either; on all nodes, not known"));
}
