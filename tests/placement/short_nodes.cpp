// SPDX-License-Identifier: BSL-1.0
// The counts of a refusal that are read off the index, against those of looking at every node.
#include "support/catch.hpp"
#include "support/compiled_once.hpp"
#include "support/generator.hpp"

#include <muster/cluster/apply.hpp>
#include <muster/placement/place.hpp>
#include <muster/resource/devices.hpp>
#include <muster/resource/joint.hpp>
#include <muster/resource/resource_vector.hpp>

#include <cstddef>
#include <cstdint>

using namespace muster;
using muster_test::generator;

namespace {

struct odd_kinds_only {
  template <class M>
  reason_code operator()(const pod_group<M>&, std::size_t, kind_id kind) const noexcept {
    return number(kind) % 2 == 0 ? reason_code{1} : eligible_node;
  }
};

template <class M>
void check_counts(const snapshot<M>& view, const pod_group<M>& group, const placement_answer<M>& answer, bool odd_only) {
  std::uint32_t open = 0, full = 0;
  pod_count slots = 0;
  decltype(answer.lack.short_nodes) lacking{};
  const auto& request = group.pod_sets[0].request;
  for (std::uint32_t p = 0; p < view.size(); ++p) {
    if (!view.open(p) || (odd_only && number(view.kind(p)) % 2 == 0)) continue;
    ++open;
    if (!M::fits(view.now(p), request)) ++full;
    slots += M::count_fitting(view.now(p), request, max_pods_per_node);
    for (std::size_t d = 0; d < dimensions_of<M>; ++d)
      if (M::amount_needed(request, d) > 0 && M::amount_left(view.now(p), d) < M::amount_needed(request, d)) ++lacking[d];
  }
  CHECK(answer.lack.open_nodes == open);
  CHECK(answer.lack.full_nodes == full);
  CHECK(answer.lack.seated == slots);
  CHECK(answer.lack.short_nodes == lacking);
}

/// Clusters of up to 200 nodes, some closed, with pods on them; refused gangs of pods that `ask` draws.
template <class M, class Capacity, class Ask>
void check_refusals(generator& draw, const Capacity& capacity, const Ask& ask) {
  for (int round = 0; round < 40; ++round) {
    cluster<M> model;
    std::uint64_t last = 0;
    const auto say = [&](change_content<M> what) { apply(model, change<M>{revision{++last}, std::move(what)}); };
    const auto nodes = 1 + draw.below(200);
    for (std::uint64_t n = 0; n < nodes; ++n) {
      say(node_seen<M>{{node_id{n}, kind_id{static_cast<std::uint32_t>(draw.below(4))}, capacity(), {}}});
      if (draw.chance(10)) say(node_closed{node_id{n}});
      for (std::uint64_t p = draw.below(6); p > 0; --p) {
        pod_seen<M> seen;
        seen.pod = pod_id{last};
        seen.request = ask();
        say(seen);
        say(pod_placed<M>{seen.pod, node_id{n}});
      }
    }
    pod_group<M> group;
    group.disruption = disruption_mode::all;
    group.pod_sets.push_back({ask(), 1'000'000, 0});
    const auto view = model.view();
    workspace<M> space;
    if (const auto& answer = place(view, group, space); !answer.fits()) check_counts(view, group, answer, false);
    overlay<M> trial{view};
    typename M::grant_type grant{};
    for (std::uint32_t p = 0; p < view.size(); p += 3) (void)trial.take(p, ask(), 1, grant);
    const place_options<odd_kinds_only> options;
    if (const auto& answer = place(view, group, space, options); !answer.fits()) check_counts(view, group, answer, true);
  }
}

}  // namespace

TEST_CASE("nodes short of one of three resources are counted as if each were looked at", "[placement]") {
  generator draw{"short nodes, three resources"};
  using three = resource_vector<3>;
  const auto amounts = [&](amount most) { return three::amounts{draw.between(0, 8), draw.between(0, most), draw.between(0, most)}; };
  check_refusals<three>(draw, [&] { return amounts(1000); }, [&] { return amounts(300); });
}

TEST_CASE("with a leading resource of coarse levels too", "[placement]") {
  generator draw{"short nodes, coarse levels"};
  using two = resource_vector<2>;
  check_refusals<two>(
      draw, [&] { return two::amounts{draw.between(0, 100'000), draw.between(0, 20)}; },
      [&] { return two::amounts{draw.between(0, 40'000), draw.between(0, 9)}; });
}

TEST_CASE("with devices and shares of them too", "[placement]") {
  generator draw{"short nodes, devices"};
  using held = joint<devices<8>, resource_vector<1>>;
  check_refusals<held>(
      draw,
      [&] {
        held::capacity_type made;
        made.first.count = static_cast<std::uint32_t>(draw.between(0, 8));
        made.second = {draw.between(0, 500)};
        return made;
      },
      [&] {
        held::request_type made;
        if (draw.chance(50)) made.first.whole = static_cast<std::uint32_t>(draw.between(0, 4));
        else made.first.share = static_cast<std::int32_t>(draw.between(1, 1000));
        made.second = {draw.between(0, 200)};
        return made;
      });
}
