// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/seat_pod_by_pod.hpp>

#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/scene.hpp"

#include <array>
#include <vector>

namespace {

using slots = muster::resource_vector<1>;

struct yard : muster_test::scene<slots> {
  template <class Rule, class Filter = muster::everywhere>
  std::vector<muster::amount> seated(const muster::pod_group<slots>& group, const Rule& rule,
                                     const Filter& filter = {}) {
    const auto view = this->view();
    muster::overlay<slots> on{view};
    std::vector<muster::pod_count> waiting;
    for (const auto& set : group.pod_sets) waiting.push_back(set.count);
    std::vector<muster::seat<slots>> seats;
    rule(muster::seating_question<slots>{on, group, waiting, {}}, filter, seats);
    std::vector<muster::amount> nodes;
    for (const auto& one : seats) nodes.push_back(static_cast<muster::amount>(number(one.node)));
    return nodes;
  }
};

using where = std::vector<muster::amount>;

}  // namespace

TEST_CASE("each pod goes where it scores highest, of equal nodes to the first", "[placement]") {
  yard s;
  s.node(1, {4});
  s.node(2, {4});
  const auto gang = yard::gang(1, 4, {1});
  CHECK(s.seated(gang, muster::seat_pod_by_pod<>{}) == where{1, 2, 1, 2});
  CHECK(s.seated(gang, muster::seat_pod_by_pod<muster::most_allocated<slots>>{}) == where{1, 1, 1, 1});
}

TEST_CASE("a pod that finds no node is passed over", "[placement]") {
  yard s;
  s.node(1, {4});
  auto gang = yard::gang(1, 2, {3});
  gang.pod_sets.push_back({{1}, 2, 0});
  CHECK(s.seated(gang, muster::seat_pod_by_pod<>{}) == where{1, 1});  // one of 3, one of 1
}

TEST_CASE("the filter is asked for every pod set and node", "[placement]") {
  yard s;
  s.node(1, {4}, {}, 7);
  s.node(2, {2}, {}, 8);
  const auto not_seven = [](const muster::pod_group<slots>&, std::size_t, muster::kind_id kind) {
    return kind == muster::kind_id{7} ? muster::reason_code{1} : muster::eligible_node;
  };
  CHECK(s.seated(yard::gang(1, 3, {1}), muster::seat_pod_by_pod<>{}, not_seven) == where{2, 2});
}
