// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_BENCHMARKS_PLACEMENT_ASK_HPP
#define MUSTER_BENCHMARKS_PLACEMENT_ASK_HPP

/// \file
/// Asks `place`, reads all of the answer, and checks it.

#include "support/measure.hpp"
#include "support/scene.hpp"

#include <muster/cluster/overlay.hpp>
#include <muster/placement/place.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace muster_bench {

template <std::size_t N>
[[nodiscard]] std::uint64_t read_grant(const std::array<muster::amount, N>& grant) {
  std::uint64_t sum = 0;
  for (const muster::amount a : grant) sum += static_cast<std::uint64_t>(a);
  return sum;
}
[[nodiscard]] inline std::uint64_t read_grant(const single_gpus::grant_type& grant) {
  return grant.on + static_cast<std::uint64_t>(grant.milli);
}

[[nodiscard]] inline std::uint64_t read_domain(const muster::domain_path& domain,
                                               const std::optional<muster::device_model>& model) {
  std::uint64_t sum = static_cast<std::uint64_t>(domain.level) + static_cast<std::uint64_t>(model.value_or(muster::any_model));
  for (const muster::label_id label : domain.path) sum += number(label);
  return sum;
}

template <class M>
[[nodiscard]] std::uint64_t read_whole(const muster::placement_answer<M>& answer) {
  std::uint64_t sum = static_cast<std::uint64_t>(answer.verdict) + static_cast<std::uint64_t>(answer.reason) +
                      static_cast<std::uint64_t>(answer.placed) + static_cast<std::uint64_t>(answer.pending);
  for (const muster::seat<M>& one : answer.seats)
    sum += number(one.node) + one.position + one.pod_set + static_cast<std::uint64_t>(one.count) + read_grant(one.grant);
  const muster::shortage<M>& lack = answer.lack;
  sum += static_cast<std::uint64_t>(lack.needed + lack.seated + lack.bound) + lack.open_nodes + lack.shut_nodes + lack.full_nodes;
  for (const std::uint32_t nodes : lack.short_nodes) sum += nodes;
  for (const auto& excluded : lack.excluded) sum += static_cast<std::uint64_t>(excluded.reason) + excluded.nodes;
  sum += static_cast<std::uint64_t>(lack.once_left) + static_cast<std::uint64_t>(lack.without_pods) + lack.pod_set;
  sum += lack.domains + read_domain(lack.best_domain, lack.best_model) + read_domain(answer.domain, answer.model);
  sum += answer.steps + (answer.stopped ? 1 : 0);
  for (const muster::pod_price price : answer.proof.prices) sum += static_cast<std::uint64_t>(price);
  for (const muster::domain_refusal& one : answer.proof.refusals)
    sum += static_cast<std::uint64_t>(one.held + one.asked) + one.subject + static_cast<std::uint64_t>(one.kind) +
           static_cast<std::uint64_t>(one.when) + one.first_price + one.prices + one.steps +
           read_domain(one.domain, one.model);
  return sum;
}

/// What is wrong with a placement of a whole gang of one pod set, or nothing: taken on an overlay, no node is overfilled.
template <class M, class Filter>
[[nodiscard]] const char* wrong_seats(const muster::snapshot<M>& view, const muster::pod_group<M>& group,
                                      const muster::placement_answer<M>& answer, const Filter& filter) {
  muster::overlay<M> on{view};
  muster::pod_count seated = 0;
  for (const muster::seat<M>& one : answer.seats) {
    if (view.find(one.node) != std::optional{one.position}) return "a seat on another node";
    if (filter(group, one.pod_set, view.kind(one.position)) != muster::eligible_node) return "a seat on an excluded node";
    if (M::count_fitting(on.now(one.position), group.pod_sets[0].request, one.count) != one.count) return "a node overfilled";
    on.charge(one.position, one.grant);
    seated += one.count;
  }
  return seated == group.pod_sets[0].count ? nullptr : "not the whole gang";
}

inline constexpr std::uint64_t full_check_every = 64;

/// Measures the question whether a gang of `pods` pods of `gpus_each` can sit; it must fit. Clusters too small for it are left out.
template <class M, class Options = muster::place_options<>>
void measure_placing(benchmark::State& state, scene<M>& in, muster::pod_count pods, std::uint32_t gpus_each,
                     const Options& options = {}) {
  const muster::pod_group<M> group = in.gang(amounts_of<M>::pod(gpus_each), pods);
  muster::workspace<M> space;
  measure(
      state, [&](std::uint64_t round) { in.move_probe(round); },
      [&] { return read_whole<M>(place(in.model.view(), group, space, options)); },
      [&](std::uint64_t round) -> const char* {
        if (!space.answer.fits() || space.answer.placed != pods) return "not placed";
        return round % full_check_every == 0 ? wrong_seats(in.model.view(), group, space.answer, options.filter) : nullptr;
      });
}

}  // namespace muster_bench

#endif
