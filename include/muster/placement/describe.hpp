// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DESCRIBE_HPP
#define MUSTER_PLACEMENT_DESCRIBE_HPP

/// \file
/// The sentence a person can act on.
///
///     fits: 4 pods on 2 nodes
///     not now: 112 of 512 pods short, 400 sit; gpu on 1,200 of 1,250 nodes; without other pods it fits
///     never: 2 of 64 pods short, 62 sit; gpu on 3 of 65 nodes; 212 nodes excluded: tainted
///     not now: 2 of 8 pods short, 6 sit in rack 3 with device model 2, the best of 9; gpu on 1 of 4 nodes; ...
///     never: 1 of 3 pods short, 2 sit; pod set 0 finds 1 of the 2 places it needs; gpu on 1 of 2 nodes
///     never: 1 of 4 pods short, 3 sit; the summed gpu is 9, and the minima ask 10
///     hold: 2 of 3 pods are there

#include <muster/core/config.hpp>
#include <muster/core/hash.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/text.hpp>
#include <muster/core/verdict.hpp>
#include <muster/node/node.hpp>
#include <muster/placement/answer.hpp>
#include <muster/resource/model.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace muster::inline MUSTER_ABI {

/// What the host calls things. A name that is missing is written as its number.
struct describe_names {
  std::span<const std::string_view> resources{};  ///< index = dimension
  std::span<const std::string_view> levels{};     ///< index = topology level
  std::span<const std::string_view> reasons{};    ///< index = reason code
  std::span<const std::string_view> models{};     ///< index = device model
};

/// Writes one line, without an end of line, that says what was decided, why, with the numbers.
///
/// \return the end of what was written \exceptions only what `out` throws
/// \complexity O(dimensions + reasons + domains), or O(seats) expected for up to 4,096 seats of a placement; 16 KiB of
///             stack, no allocation
/// \determinism a function of the arguments; no locale
template <text_output Out, resource_model M>
Out describe(Out out, const placement_answer<M>& answer, const describe_names& names = {});

// ---------------------------------------------------------------------------------------------------------------------

namespace placement_detail {

template <text_output Out>
Out put_name(Out out, std::span<const std::string_view> names, std::size_t i, std::string_view otherwise) {
  if (i < names.size()) return put(out, names[i]);
  out = put(out, otherwise);
  *out++ = ' ';
  return put(out, i);
}

template <text_output Out>
Out put_domain(Out out, const domain_path& domain, const describe_names& names) {
  if (domain.level == node_level)
    out = put(out, "node");
  else
    out = put_name(out, names.levels, static_cast<std::size_t>(domain.level), "level");
  char between = ' ';
  for (const label_id label : domain.path) {
    *out++ = between;
    between = '/';
    if (label == no_label)
      *out++ = '-';
    else
      out = put(out, number(label));
  }
  return out;
}

/// " with device model 2", if the gang keeps to one
template <text_output Out>
Out put_model(Out out, std::optional<device_model> model, const describe_names& names) {
  if (!model) return out;
  out = put(out, " with ");
  return put_name(out, names.models, static_cast<std::size_t>(*model), "device model");
}

/// The nodes of a placement are counted in a table on the stack; beyond this many seats the sentence leaves them out.
inline constexpr std::size_t most_seats_told = 4096;

/// \pre at most most_seats_told seats
template <resource_model M>
[[nodiscard]] std::size_t count_nodes(const placement_answer<M>& answer) noexcept {
  constexpr std::uint16_t nobody = 0xffff;
  std::array<std::uint16_t, 2 * most_seats_told> seats_at;  // the first seat of a node, open addressing
  std::size_t cells = 16;
  while (cells < 2 * answer.seats.size()) cells *= 2;
  std::fill_n(seats_at.begin(), cells, nobody);
  std::size_t nodes = 0;
  for (std::size_t i = 0; i < answer.seats.size(); ++i) {
    const node_id node = answer.seats[i].node;
    std::size_t at = mixed(number(node)) & (cells - 1);
    while (seats_at[at] != nobody && answer.seats[seats_at[at]].node != node) at = (at + 1) & (cells - 1);
    if (seats_at[at] != nobody) continue;
    seats_at[at] = static_cast<std::uint16_t>(i);
    ++nodes;
  }
  return nodes;
}

template <text_output Out, resource_model M>
Out put_seats(Out out, const placement_answer<M>& answer, const describe_names& names) {
  if (answer.placed == 0) return put(out, ": nothing to place");
  out = put(out, ": ");
  out = put_counted(out, answer.placed, "pod", "pods");
  if (answer.seats.size() <= most_seats_told) {
    out = put(out, " on ");
    out = put_counted(out, count_nodes(answer), "node", "nodes");
  }
  if (answer.domain.level != no_level) {
    out = put(out, " of ");
    out = put_domain(out, answer.domain, names);
  }
  out = put_model(out, answer.model, names);
  if (answer.pending > 0) {
    out = put(out, ", ");
    out = put(out, answer.pending, digits::grouped);
    out = put(out, " pending");
  }
  return out;
}

/// "; a pod of set 0 counts 3, of set 1 2: these nodes hold at most 118 of 120 needed"
template <text_output Out, resource_model M>
Out put_prices(Out out, const placement_answer<M>& answer, const domain_refusal& by) {
  std::size_t set = 0;
  bool first = true;
  for (const pod_price each : answer.proof.prices_of(by)) {
    const std::size_t s = set++;
    if (each == 0) continue;
    out = put(out, first ? "; a pod of set " : ", of set ");
    first = false;
    out = put(out, s);
    out = put(out, " counts ");
    out = put(out, each, digits::grouped);
  }
  out = put(out, ": these nodes hold at most ");
  out = put(out, by.held, digits::grouped);
  out = put(out, " of ");
  out = put(out, by.asked, digits::grouped);
  return put(out, " needed");
}

/// What the best domain is refused by, where that says more than how many pods sit: "; the summed gpu suffices for 7 of
/// 9 pods". \complexity O(domains + pod sets)
template <text_output Out, resource_model M>
Out put_proof(Out out, const placement_answer<M>& answer, const describe_names& names) {
  const auto& all = answer.proof.refusals;
  const auto by = std::find_if(all.begin(), all.end(), [&](const domain_refusal& one) {
    return one.when == tense::now && one.domain == answer.lack.best_domain && one.model == answer.lack.best_model;
  });
  if (by == all.end()) return out;
  // of alike pods, and where slots are too few in sum, the number that sit says it all
  if (answer.reason == refusal_reason::too_few_slots && by->kind != proof_kind::limits) return out;
  const auto numbers = [&](std::string_view before, std::int64_t a, std::string_view between, std::int64_t b,
                           std::string_view after) {
    out = put(put(out, before), a, digits::grouped);
    return put(put(put(out, between), b, digits::grouped), after);
  };
  switch (by->kind) {
    case proof_kind::slots:
      if (by->subject == all_sets) return out;
      out = put(put(out, "; pod set "), by->subject);
      return numbers(" finds ", by->held, " of the ", by->asked, " places it needs");
    case proof_kind::capacity_of_minima:
      out = put_name(put(out, "; the summed "), names.resources, by->subject, "resource");
      return numbers(" is ", by->held, ", and the minima ask ", by->asked, "");
    case proof_kind::capacity:
      out = put_name(put(out, "; the summed "), names.resources, by->subject, "resource");
      return numbers(" suffices for ", by->held, " of ", by->asked, " pods");
    case proof_kind::limits:
      return numbers("; the spread limits leave room for ", by->held, " of ", by->asked, " pods");
    case proof_kind::prices: return put_prices(out, answer, *by);
    case proof_kind::exhausted: return put(out, "; every combination was tried");
  }
  return out;
}

template <text_output Out, resource_model M>
Out put_shortage(Out out, const placement_answer<M>& answer, const describe_names& names) {
  const shortage<M>& lack = answer.lack;
  out = put(out, ": ");
  out = put(out, lack.missing(), digits::grouped);
  out = put(out, " of ");
  out = put_counted(out, lack.needed, "pod", "pods");
  out = put(out, " short, ");
  out = put(out, lack.seated, digits::grouped);
  out = put(out, lack.seated == 1 ? " sits" : " sit");
  if (lack.best_domain.level != no_level) {
    out = put(out, " in ");
    out = put_domain(out, lack.best_domain, names);
  }
  out = put_model(out, lack.best_model, names);
  if (lack.best_domain.level != no_level || lack.best_model) {
    out = put(out, ", the best of ");
    out = put(out, lack.domains, digits::grouped);
  }
  out = put_proof(out, answer, names);
  bool any = false;
  if constexpr (dimensional_model<M>) {
    for (std::size_t d = 0; d < dimensions_of<M>; ++d) {
      if (lack.short_nodes[d] == 0) continue;
      out = put(out, any ? ", " : "; ");
      any = true;
      out = put_name(out, names.resources, d, "resource");
      out = put(out, " on ");
      out = put(out, lack.short_nodes[d], digits::grouped);
    }
  }
  if (any) {
    out = put(out, " of ");
    out = put_counted(out, lack.open_nodes, "node", "nodes");
  } else if (lack.full_nodes > 0) {
    out = put(out, "; no room on ");
    out = put(out, lack.full_nodes, digits::grouped);
    out = put(out, " of ");
    out = put_counted(out, lack.open_nodes, "node", "nodes");
  }
  for (const auto& excluded : lack.excluded) {
    out = put(out, "; ");
    out = put_counted(out, excluded.nodes, "node", "nodes");
    out = put(out, " excluded: ");
    out = put_name(out, names.reasons, static_cast<std::size_t>(excluded.reason), "reason");
  }
  if (lack.shut_nodes > 0) {
    out = put(out, "; ");
    out = put_counted(out, lack.shut_nodes, "node", "nodes");
    out = put(out, " closed or lost");
  }
  if (answer.verdict == verdict::wait) out = put(out, "; fits once what is terminating has left");
  if (answer.verdict == verdict::not_now)
    out = put(out, lack.without_pods == empty_fit::yes  ? "; without other pods it fits"
                   : lack.without_pods == empty_fit::no ? "; not without other pods either; on all nodes, not known"
                                                        : "; whether it fits without other pods is not known");
  if (answer.verdict == verdict::not_now && lack.once_left == empty_fit::unknown)
    out = put(out, "; whether it fits once what is terminating has left is not known");
  if (answer.verdict == verdict::closed)
    out = put(out, "; fits only if closed or lost nodes or sick devices come back");
  if (answer.verdict == verdict::undecided) {
    out = put(out, "; at most ");
    out = put(out, lack.bound, digits::grouped);
    out = put(out, " can sit, no proof that too few do");
    if (answer.reason == refusal_reason::search_too_large) out = put(out, "; too large to search, with any budget");
  }
  return out;
}

template <text_output Out>
Out put_odd_pod(Out out, const odd_pod& odd, const describe_names& names) {
  out = put(put(out, ": pod "), number(odd.pod));
  out = put(put(out, ", "), name(odd.in));
  if (odd.pods_value == odd.groups_value) return out;
  out = put(out, ", ");
  if (odd.in == disagreement::request) {
    out = put_name(out, names.resources, odd.dimension, "resource");
    *out++ = ' ';
  }
  out = put(out, odd.pods_value, digits::grouped);
  out = put(out, " instead of ");
  return put(out, odd.groups_value, digits::grouped);
}

}  // namespace placement_detail

template <text_output Out, resource_model M>
Out describe(Out out, const placement_answer<M>& answer, const describe_names& names) {
  out = put(out, name(answer.verdict));
  switch (answer.verdict) {
    case verdict::fits: return placement_detail::put_seats(out, answer, names);
    case verdict::invalid:
      out = put(out, ": ");
      if (answer.odd) return placement_detail::put_odd_pod(put(out, name(answer.reason)), *answer.odd, names);
      if (answer.reason != refusal_reason::group_fault) return put(out, name(answer.reason));
      out = put(out, name(answer.fault.fault));
      out = put(out, " (");
      out = put(out, answer.fault.number);
      return put(out, ")");
    case verdict::hold:
      out = put(out, ": ");
      if (answer.reason != refusal_reason::members_missing && answer.reason != refusal_reason::set_members_missing)
        return put(out, name(answer.reason));
      out = put(out, answer.lack.seated, digits::grouped);
      out = put(out, " of ");
      out = put_counted(out, answer.lack.needed, "pod is there", "pods are there");
      if (answer.reason == refusal_reason::set_members_missing) {
        out = put(out, " of pod set ");
        out = put(out, answer.lack.pod_set);
      }
      return out;
    default: return placement_detail::put_shortage(out, answer, names);
  }
}

}  // namespace muster::inline MUSTER_ABI

#endif
