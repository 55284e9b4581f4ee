// SPDX-License-Identifier: BSL-1.0
// Rows are those of the table of scenarios restated from Kubernetes 1.37.
#include <muster/cluster/apply.hpp>
#include <muster/cluster/cluster.hpp>
#include <muster/cluster/overlay.hpp>
#include <muster/resource/devices.hpp>
#include <muster/resource/resource_vector.hpp>
#include <muster/scoring/domain_score.hpp>

#include "support/catch.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace {

using cores = muster::resource_vector<1>;
using muster::candidates_to_find;
using muster::pods_count_score;
using muster::resource_fit_score;

// Nodes of one rack: capacity, and what already runs there.
struct node {
  muster::amount has = 0, used = 0;
};

// What resource fit gives every rack after some pods of one core each were placed there.
std::vector<std::int64_t> scores(const std::vector<std::vector<node>>& racks, muster::pod_count pods) {
  muster::cluster<cores> cluster{muster::nested_levels(1)};
  std::uint64_t id = 0;
  for (std::uint32_t rack = 0; rack < racks.size(); ++rack)
    for (const node& one : racks[rack]) {
      const muster::node_id where{++id};
      const muster::pod_id pod{id};
      muster::apply(cluster, {muster::revision{3 * id},
                              muster::node_seen<cores>{{where, {}, {one.has}, {muster::label_id{rack + 1}}}}});
      if (one.used == 0) continue;
      muster::apply(cluster,
                    {muster::revision{3 * id + 1}, muster::pod_seen<cores>{.pod = pod, .request = {one.used}}});
      muster::apply(cluster, {muster::revision{3 * id + 2}, muster::pod_placed<cores>{.pod = pod, .node = where}});
    }
  const auto view = cluster.view();
  std::vector<std::int64_t> made;
  for (std::uint32_t rack = 0; rack < view.base().domains(0); ++rack) {
    auto use = use_of(view, view.base().domain_runs(0, rack));
    use.add({1}, pods);
    made.push_back(resource_fit_score(use, std::array<std::int64_t, 1>{1}));
  }
  return made;
}

}  // namespace

TEST_CASE("row 21: the smaller of two empty racks is the fuller one", "[scoring]") {
  CHECK(scores({{{2}, {2}}, {{2}, {2}, {2}}}, 3) == std::vector<std::int64_t>{75, 50});
}

TEST_CASE("row 22: what runs already counts", "[scoring]") {
  CHECK(scores({{{4}}, {{6, 2}}, {{6, 1}}}, 3) == std::vector<std::int64_t>{75, 83, 66});
}

TEST_CASE("a sick device is not there, one that is shared is asked, what does not add up is left out", "[scoring]") {
  using gpus = muster::devices<8>;
  muster::cluster<gpus> cluster;
  const muster::node_id where{1};
  muster::apply(cluster, {muster::revision{1}, muster::node_seen<gpus>{{.id = where, .capacity = {8}}}});
  for (std::uint32_t d = 0; d < 4; ++d)
    muster::apply(cluster, {muster::revision{2 + d}, muster::device_health{where, d, false}});
  const std::vector<muster::run> all{{0, 1}};
  CHECK(use_of(cluster.view(), all).asked == std::array<muster::amount, 2>{0, 0});
  CHECK(use_of(cluster.view(), all).capacity == std::array<muster::amount, 2>{4, 0});
  const muster::pod_id pod{1};
  muster::apply(cluster, {muster::revision{8}, muster::pod_seen<gpus>{.pod = pod, .request = {.share = 100}}});
  muster::apply(cluster, {muster::revision{9}, muster::pod_placed<gpus>{.pod = pod, .node = where}});
  CHECK(use_of(cluster.view(), all).asked == std::array<muster::amount, 2>{1, 0});
  CHECK(resource_fit_score<2>(use_of(cluster.view(), all), {1, 1}) == 25);
}

TEST_CASE("an overlay that took the seats is asked, not added to", "[scoring]") {
  muster::cluster<cores> cluster;
  muster::apply(cluster, {muster::revision{1}, muster::node_seen<cores>{{.id = muster::node_id{1}, .capacity = {10}}}});
  muster::overlay<cores> on{cluster.view()};
  on.charge(0, {4}, 1);
  const std::vector<muster::run> all{{0, 1}};
  CHECK(resource_fit_score<1>(use_of(on, all), {1}) == 40);
}

TEST_CASE("row 28: the more pods sit, the better", "[scoring]") {
  CHECK(pods_count_score(4, 4) == 100);
  CHECK(pods_count_score(2, 4) == 50);
  CHECK(pods_count_score(1, 4) == 25);
  CHECK(pods_count_score(8, 8) == 100);  // four of them run already
  CHECK(pods_count_score(6, 8) == 75);
  CHECK(pods_count_score(0, 0) == std::nullopt);
}

TEST_CASE("row 29: resources are weighed, and left out where nobody asks", "[scoring]") {
  // two nodes of 5 CPU and 5 memory; pods (1, 0) and (2, 2)
  muster::domain_use<2> plain{{0, 0}, {10, 10}};
  plain.add({1, 0}, 1);
  plain.add({2, 2}, 1);
  CHECK(resource_fit_score<2>(plain, {1, 1}) == 25);
  plain.add({1, 0}, 1);  // one that runs already
  CHECK(resource_fit_score<2>(plain, {1, 1}) == 30);
  // and 5 GPUs each; pods (1, 0, 0) and (1, 2, 1), one (1, 0, 0) runs
  muster::domain_use<3> with_gpus{{0, 0, 0}, {10, 10, 10}};
  with_gpus.add({1, 0, 0}, 2);
  with_gpus.add({1, 2, 1}, 1);
  CHECK(resource_fit_score<3>(with_gpus, {1, 1, 1}) == 20);
  CHECK(resource_fit_score<3>(with_gpus, {1, 1, 0}) == 25);  // no pod asks for one
}

TEST_CASE("what there is none of is left out; too much counts as all; nothing to weigh is 0", "[scoring]") {
  CHECK(resource_fit_score<2>({{3, 4}, {10, 0}}, {1, 1}) == 30);
  CHECK(resource_fit_score<1>({{30}, {10}}, {1}) == 100);
  CHECK(resource_fit_score<1>({{-3}, {10}}, {1}) == 0);
  CHECK(resource_fit_score<2>({{3, 4}, {0, 0}}, {1, 1}) == 0);
  CHECK(resource_fit_score<2>({{3, 4}, {10, 10}}, {0, -5}) == 0);
  CHECK(resource_fit_score<2>({{10, 0}, {10, 10}}, {3, 1}) == 75);
  const muster::amount top = std::numeric_limits<muster::amount>::max();
  CHECK(resource_fit_score<1>({{top / 2}, {top}}, {std::int64_t{1} << 30}) == 49);
}

TEST_CASE("row 30: how many feasible candidates are enough", "[scoring]") {
  CHECK(candidates_to_find(50, 5000) == 5);
  CHECK(candidates_to_find(3, 30) == 3);
  CHECK(candidates_to_find(10, 1000) == 8);
  CHECK(candidates_to_find(1, 1) == 1);
  CHECK(candidates_to_find(50, 5000, 100) == 50);
  CHECK(candidates_to_find(50, 5000, 150) == 50);
  CHECK(candidates_to_find(50, 5000, 2) == 1);  // the user's share is taken as it is
  CHECK(candidates_to_find(0, 0) == 1);
  for (const auto& [nodes, percent] :
       {std::pair{0, 100}, {500, 91}, {1000, 82}, {2500, 55}, {5000, 10}, {5278, 5}, {90'000, 5}})
    CHECK(candidates_to_find(100, nodes) == percent);
  CHECK(candidates_to_find(10, std::numeric_limits<std::int64_t>::max()) == 1);
}

TEST_CASE("binpack of a domain: overfull is nothing, what there is none of counts as 0", "[scoring]") {
  using muster::domain_binpack_score;
  CHECK(domain_binpack_score<2>({{5, 2}, {10, 10}}, {1, 1}) == 35);
  CHECK(domain_binpack_score<2>({{5, 2}, {10, 10}}, {2, 1}) == 40);
  CHECK(domain_binpack_score<2>({{10, 10}, {10, 10}}, {2, 1}) == 100);
  CHECK(domain_binpack_score<2>({{11, 2}, {10, 10}}, {1, 1}) == 0);
  CHECK(domain_binpack_score<2>({{11, 2}, {10, 10}}, {0, 1}) == 20);  // nobody weighs it
  CHECK(domain_binpack_score<2>({{5, 2}, {10, 0}}, {1, 1}) == 25);
  CHECK(domain_binpack_score<2>({{5, 2}, {10, 10}}, {0, 0}) == 0);
  CHECK(domain_binpack_score<2>({{-5, 2}, {10, 10}}, {1, 1}) == 10);
  const muster::amount top = std::numeric_limits<muster::amount>::max();
  CHECK(domain_binpack_score<2>({{top / 2, top}, {top, top}}, {top, top}) == 74);  // 49 and 100
}

TEST_CASE("a candidate's total is the weighted sum of its scores", "[scoring]") {
  const auto total = [](const std::vector<std::int64_t>& scores, const std::vector<std::int64_t>& weights) {
    return muster::total_score(scores, weights);
  };
  CHECK(total({}, {}) == 0);
  CHECK(total({100, 25}, {1, 1}) == 125);
  CHECK(total({100, 25}, {2, 3}) == 275);
  CHECK(total({100, 25}, {-2, 3}) == 75);
  CHECK(total({-100, 25}, {2, 3}) == 75);
  const std::int64_t top = std::numeric_limits<std::int64_t>::max();
  CHECK(total({top, top}, {top, top}) == top);
  CHECK(total({1}, {top}) == muster::max_score_weight);
}

TEST_CASE("weights out of range are held at the ends", "[scoring]") {
  const std::int64_t top = std::numeric_limits<std::int64_t>::max();
  CHECK(resource_fit_score<2>({{10, 0}, {10, 10}}, {top, top}) == 50);
  CHECK(resource_fit_score<2>({{10, 0}, {10, 10}}, {-top, top}) == 0);
}
