// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_WRITE_CASE_HPP
#define MUSTER_PLACEMENT_WRITE_CASE_HPP

/// \file
/// A snapshot and a question as a case file: to keep a surprising decision, to hand it on, to replay it elsewhere.
///
/// The format is line by line, one item a line (tests/oracle/EXTENSIONS.md has the lines beyond the plain format).
/// Nodes are named n<key>, groups g<key>. The finest three topology levels are written as zone, block and rack, the
/// coarser ones as tier4 to tier8, with the whole path as the name. Nodes that went are written as `lost`, since they
/// bear on the verdict `closed`. What is set aside is written for every group, declared or not.
///
/// Pods of other groups are written as runs of their class. A pod without a group, of a declared group that is asked,
/// beyond the declared ones of its class, or that asks or holds something else than its class, becomes a group p<key>
/// of one pod; what it holds is then said in a line of its own.
///
/// A question about a group in the cluster has its members too: runs of those that hold a place, and how many of each
/// class succeeded and wait. A member that asks or holds something else than its class stands apart in a class of its
/// own. Whether the group once ran at its minimum is not written: the case holds it to its minima, as `place` does
/// unless told otherwise. A member on a node that is not there is written as one that succeeded, since it counts; that
/// it leaves the required domain unknown is not.
///
/// Times are written in whole seconds, so that what is closed, kept or leaving now is so in the case too.

#include <muster/cluster/cluster.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/text.hpp>
#include <muster/placement/case_columns.hpp>
#include <muster/placement/detail/case_lines.hpp>
#include <muster/placement/detail/case_members.hpp>
#include <muster/placement/detail/case_runs.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>

namespace muster::inline MUSTER_ABI {

struct case_names {
  std::string_view name = "snapshot";             ///< one word
  std::span<const std::string_view> resources{};  ///< of the columns; the first is always gpu, missing ones r1 ...
};

/// Writes the question "can this declared group be placed?" with everything the snapshot knows that bears on it.
///
/// \pre the group has no fault (see `validate`)
/// \return the end of what was written
/// \complexity O(n log n + p log p) for n nodes and p pods, + sets x kinds
/// \exceptions none of its own; what the filter or the output throws passes through. Allocates
/// \determinism the same text for the same contents and question, whatever order they were learnt in
template <text_output Out, resource_model M, node_filter<M> Filter = everywhere>
Out write_case(Out out, const snapshot<M>& view, const pod_group<M>& question, const case_names& names = {},
               const Filter& filter = {});

/// Writes the question "can the rest of this group be placed beside its members that run?", as `place` reads it.
///
/// \return the end of what was written; nothing is written of a group that the snapshot does not know
/// \complexity besides O(m log m) for its m members   \exceptions, \determinism as above
/// \see place(view, group_id, ...) in place.hpp
template <text_output Out, resource_model M, node_filter<M> Filter = everywhere>
Out write_case(Out out, const snapshot<M>& view, group_id question, const case_names& names = {},
               const Filter& filter = {});

// ---------------------------------------------------------------------------------------------------------------------

namespace case_parts {

/// \param members of the asked group, where it is in the cluster
template <text_output Out, resource_model M, class Filter>
Out put_case(Out out, const snapshot<M>& view, const pod_group<M>& question, const group_members<M>* members,
             const case_names& names, const Filter& filter) {
  static_assert(case_columns<M>::count <= 8, "a case file has room for 8 resources");
  constexpr const Filter* nothing_asked = nullptr;
  const held_by_key<M> held{view, question.id, members != nullptr};
  out = put(put_line(out, "case", names.name), "resources gpu");
  for (std::size_t r = 1; r < case_columns<M>::count; ++r)
    out = put_each(out, r < names.resources.size() ? std::string{names.resources[r]} : word('r', r));
  out = put_line(put(out, "\n"), "now", seconds(view.time()));
  out = put_nodes(put_levels(out, view.levels()), view);

  const std::string asked = word('g', number(question.id));
  out = put_group(out, view, question, asked, &filter, members);
  for (const auto& [key, group] : held.groups) {
    if (group != nullptr) out = put_group(out, view, group->spec, word('g', key), nothing_asked);
    else out = put_line(out, "group", word('g', key), "min", 0);
  }
  for (const auto& [key, run] : held.singles) {
    const pod_record<M>& pod = run.leaving.empty() ? *run.staying.front() : *run.leaving.front();
    pod_group<M> one;
    one.disruption = disruption_mode::single;
    one.priority = pod.priority;
    one.pod_sets.push_back({pod.request, 1, 0});
    out = put_group(out, view, one, word('p', key), nothing_asked);
  }
  if (members != nullptr) out = put_members(out, view, *members, asked);
  for (const auto& [key, run] : held.runs)
    out = put_run(out, view, word(word('g', std::get<0>(key)), std::get<1>(key)), run);
  for (const auto& [key, run] : held.singles) out = put_run(out, view, word(word('p', key), 0), run);
  view.visit_set_asides(
      [&](const set_aside<M>& kept, std::uint32_t position) { out = put_kept(out, view, kept, position); });
  return put_line(put_line(out, "query feasible", asked), "end");
}

}  // namespace case_parts

template <text_output Out, resource_model M, node_filter<M> Filter>
Out write_case(Out out, const snapshot<M>& view, const pod_group<M>& question, const case_names& names,
               const Filter& filter) {
  return case_parts::put_case<Out, M>(out, view, question, nullptr, names, filter);
}

template <text_output Out, resource_model M, node_filter<M> Filter>
Out write_case(Out out, const snapshot<M>& view, group_id question, const case_names& names, const Filter& filter) {
  const group_record<M>* group = view.group(question);
  if (group == nullptr) return out;
  const case_parts::group_members<M> members{view, *group};
  return case_parts::put_case(out, view, group->spec, &members, names, filter);
}

}  // namespace muster::inline MUSTER_ABI

#endif
