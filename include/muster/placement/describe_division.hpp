// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DESCRIBE_DIVISION_HPP
#define MUSTER_PLACEMENT_DESCRIBE_DIVISION_HPP

/// \file
/// A division in a sentence.
///
///     fits: 12 pods and a leader on 3 leaves
///     6 of 7 pods fit in the best domain of level 1
///     1 of 2 slices fits in the best domain of level 0; of its layers 1 of 2 and 5 of 6
///     25 of 26 pods fit in all
///     no room for the leader
///     invalid: slice size below 1 (layer 0)
/// \see Kueue: the message of a topology that does not fit

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/text.hpp>
#include <muster/core/topology.hpp>
#include <muster/placement/describe.hpp>
#include <muster/placement/division.hpp>

#include <cstddef>

namespace muster::inline MUSTER_ABI {

/// Writes what `divide` answered to a wish, without an end of line.
/// \return the end of what was written \complexity O(layers); no allocation \exceptions only what `out` throws
template <text_output Out>
Out describe(Out out, const division_wish& wish, const division& answer, const describe_names& names = {});

// ---------------------------------------------------------------------------------------------------------------------

namespace placement_detail {

template <text_output Out>
Out put_part(Out out, pod_count fit, pod_count of) {
  out = put(out, fit, digits::grouped);
  out = put(out, " of ");
  return put(out, of, digits::grouped);
}

template <text_output Out>
Out put_too_few(Out out, const division_wish& wish, const division& answer, const describe_names& names) {
  const bool one = answer.needed == 1;
  out = put_part(out, answer.fit, answer.needed);
  out = put(out, wish.layers.empty() ? (one ? " pod" : " pods") : (one ? " slice" : " slices"));
  out = put(out, answer.fit == 1 ? " fits in " : " fit in ");
  if (wish.meaning != level_wish::required || wish.level == no_level) return put(out, "all");
  if (wish.level == node_level) return put(out, "the best node");
  out = put_name(put(out, "the best domain of "), names.levels, static_cast<std::size_t>(wish.level), "level");
  for (std::size_t l = 0; wish.layers.size() > 1 && l < wish.layers.size(); ++l) {
    out = put(out, l == 0 ? "; of its layers " : l + 1 == wish.layers.size() ? " and " : ", ");
    out = put_part(out, answer.layers_fit[l], wish.pods / wish.layers[l].pods);
  }
  return out;
}

}  // namespace placement_detail

template <text_output Out>
Out describe(Out out, const division_wish& wish, const division& answer, const describe_names& names) {
  switch (answer.refusal) {
    case division_refusal::none:
      out = put(out, "fits: ");
      out = put_counted(out, wish.pods, "pod", "pods");
      if (wish.leader) out = put(out, " and a leader");
      out = put(out, " on ");
      return put_counted(out, answer.shares.size(), "leaf", "leaves");
    case division_refusal::fault:
      out = put(out, "invalid: ");
      out = put(out, name(answer.fault));
      if (answer.fault < division_fault::layer_level || answer.fault > division_fault::layer_divides) return out;
      out = put(out, " (layer ");
      out = put(out, answer.layer);
      return put(out, ")");
    case division_refusal::too_few_slices: return placement_detail::put_too_few(out, wish, answer, names);
    case division_refusal::level_empty:
    case division_refusal::leader_no_room: break;
  }
  return put(out, name(answer.refusal));
}

}  // namespace muster::inline MUSTER_ABI

#endif
