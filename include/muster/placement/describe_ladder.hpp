// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DESCRIBE_LADDER_HPP
#define MUSTER_PLACEMENT_DESCRIBE_LADDER_HPP

/// \file
/// The ladder of `explain` in sentences, a line a rung.
///
///     with min_count 6 it fits
///     2 more nodes of shape 0 would do
///     no number of nodes of shape 1 helps
///     within one domain of level 0 it fits
///     on several device models it fits

#include <muster/core/config.hpp>
#include <muster/core/text.hpp>
#include <muster/placement/describe.hpp>
#include <muster/placement/rung.hpp>

#include <cstddef>

namespace muster::inline MUSTER_ABI {

/// Writes one rung, without an end of line.
/// \return the end of what was written \complexity O(1); no allocation \exceptions only what `out` throws
template <text_output Out>
Out describe(Out out, const rung& one, const describe_names& names = {});

/// Writes all rungs, each with an end of line.
template <text_output Out>
Out describe(Out out, const explanation& of, const describe_names& names = {}) {
  for (const rung& one : of.rungs) {
    out = describe(out, one, names);
    *out++ = '\n';
  }
  return out;
}

// ---------------------------------------------------------------------------------------------------------------------

namespace placement_detail {

template <text_output Out>
Out put_end(Out out, rung_answer answer) {
  switch (answer) {
    case rung_answer::helps: return put(out, " it fits");
    case rung_answer::no_help: return put(out, " it does not fit either");
    case rung_answer::bounded: return put(out, " it is not known whether it fits");
  }
  return out;
}

template <text_output Out>
Out put_more_nodes(Out out, const rung& one, const describe_names& names) {
  if (one.answer == rung_answer::no_help) {
    out = put(out, "no number of nodes of shape ");
    return put(out, one.shape);
  }
  if (one.answer == rung_answer::bounded && one.bound == 0) {
    out = put(out, "it is not known how many nodes of shape ");
    return put(out, one.shape);
  }
  if (one.answer == rung_answer::bounded) out = put(out, "at least ");
  out = put_counted(out, one.bound, "more node", "more nodes");
  out = put(out, " of shape ");
  out = put(out, one.shape);
  if (one.domain.level != no_level) {
    out = put(out, " in ");
    out = put_domain(out, one.domain, names);
  }
  return out;
}

}  // namespace placement_detail

template <text_output Out>
Out describe(Out out, const rung& one, const describe_names& names) {
  using namespace placement_detail;
  switch (one.kind) {
    case rung_kind::wait_for_leaving:
      out = put(out, "once ");
      out = put_counted(out, one.proved, "pod has left,", "pods have left,");
      return put_end(out, one.answer);
    case rung_kind::lower_min_count:
      if (one.answer == rung_answer::no_help) return put(out, "no lower min_count helps");
      if (one.answer == rung_answer::bounded && one.proved == 0)
        return put(out, "whether a lower min_count helps is open");
      out = put(out, "with min_count ");
      out = put(out, one.proved, digits::grouped);
      return put(out, " it fits");
    case rung_kind::more_nodes:
      out = put_more_nodes(out, one, names);
      return put(out, one.answer == rung_answer::no_help ? " helps"
                      : one.answer == rung_answer::helps ? " would do"
                      : one.bound == 0                   ? " are needed, if any"
                      : one.bound == 1                   ? " is needed"
                                                         : " are needed");
    case rung_kind::wider_level:
      if (one.level == no_level) {
        out = put(out, "anywhere in the cluster");
      } else {
        out = put(out, "within one ");
        out = put_name(out, names.levels, static_cast<std::size_t>(one.level), "domain of level");
      }
      return put_end(out, one.answer);
    case rung_kind::several_models: return put_end(put(out, "on several device models"), one.answer);
    case rung_kind::drop_reason:
      out = put(out, "without ");
      out = put_name(out, names.reasons, static_cast<std::size_t>(one.reason), "reason");
      return put_end(out, one.answer);
    case rung_kind::largest_gang:
      if (one.answer == rung_answer::no_help) return put(out, "not one pod of it sits");
      out = put_counted(out, one.proved, "pod of it sits", "pods of it sit");
      out = put(out, " at once");
      if (one.answer == rung_answer::bounded) {
        out = put(out, ", at most ");
        out = put(out, one.bound, digits::grouped);
      }
      return out;
  }
  return out;
}

}  // namespace muster::inline MUSTER_ABI

#endif
