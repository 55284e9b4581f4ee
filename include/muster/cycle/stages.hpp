// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CYCLE_STAGES_HPP
#define MUSTER_CYCLE_STAGES_HPP

/// \file
/// The policy slots of one turn and their defaults. A host replaces the ones it has an opinion on.
///
/// | slot | asked | default |
/// | --- | --- | --- |
/// | `order(a, b)` | does group a go before b? | priority, then age, then key |
/// | `inspect(view, group)` | an odd pod, or none | one scheduler, priority and preemption policy; the sets' requests |
/// | `gate(view, group id)` | may it try? | the quorum gate |
/// | `admit(view, group)` | may it use capacity? 0, or the host's reason | everybody |
/// | `place(overlay, group id, workspace, gate answer)` | where do its waiting members sit? | `place` |
/// | `refused(overlay, group, answer, plan)` | anything to be done for a group that did not fit? | nothing |
/// | `go_on(action)` | after each group: are those behind it tried? | yes (best effort) |
///
/// A group that `gate` or `admit` stops is held (`verdict::hold`), one behind a group at which `go_on` said no is
/// `undecided`: of neither it was asked whether it fits. `admit` is where quota comes in, `refused` where preemption
/// does; both see what earlier groups of the turn took.

#include <muster/cluster/overlay.hpp>
#include <muster/cluster/uniformity.hpp>
#include <muster/core/config.hpp>
#include <muster/cycle/plan.hpp>
#include <muster/placement/place.hpp>
#include <muster/quorum/gate.hpp>

#include <cstdint>
#include <optional>

namespace muster::inline MUSTER_ABI {

/// Higher priority first, then the older group, then the smaller key. \see Kubernetes 1.37 section 4.1
struct by_priority_then_age {
  template <resource_model M>
  [[nodiscard]] bool operator()(const group_record<M>& a, const group_record<M>& b) const noexcept {
    if (a.spec.priority != b.spec.priority) return a.spec.priority > b.spec.priority;
    if (a.spec.created != b.spec.created) return a.spec.created < b.spec.created;
    return a.id < b.id;
  }
};

struct uniform_members {
  template <resource_model M>
  [[nodiscard]] std::optional<odd_pod> operator()(const snapshot<M>& view, const group_record<M>& group) const {
    return find_odd_pod(view, group);
  }
};

/// For hosts whose groups have no pods with attributes of their own.
struct no_inspection {
  template <resource_model M>
  [[nodiscard]] std::optional<odd_pod> operator()(const snapshot<M>&, const group_record<M>&) const noexcept {
    return std::nullopt;
  }
};

struct quorum_gate {
  matching policy = matching::running_and_waiting;
  template <resource_model M>
  [[nodiscard]] gate_answer operator()(const snapshot<M>& view, group_id group) const noexcept {
    return muster::gate(view, group, policy);
  }
};

struct admit_everybody {
  template <resource_model M>
  [[nodiscard]] std::uint32_t operator()(const overlay<M>&, const group_record<M>&) const noexcept {
    return 0;
  }
};

/// Whether the group is still held to its minimum is the gate's choice: what its answer says stands in for
/// `options.once_enough`. The options are copied for groups where the two differ.
template <class Options = place_options<>>
struct place_whole {
  Options options{};
  template <resource_model M>
  const placement_answer<M>& operator()(overlay<M>& on, group_id group, workspace<M>& space,
                                        const gate_answer& passed) const {
    if (passed.freed == options.once_enough) return place(on, group, space, options);
    Options chosen = options;
    chosen.once_enough = passed.freed;
    return place(on, group, space, chosen);
  }
};

struct leave_refused {
  template <resource_model M>
  void operator()(overlay<M>&, const group_record<M>&, const placement_answer<M>&, plan<M>&) const noexcept {}
};

/// A group that does not fit does not block those behind it.
struct best_effort {
  template <resource_model M>
  [[nodiscard]] bool operator()(const action<M>&) const noexcept {
    return true;
  }
};

/// A group that was tried and does not sit now, or is not known to, blocks those behind it. One that is held by the
/// gate, not admitted, faulty, or fits only if nodes came or came back does not.
struct strict_order {
  template <resource_model M>
  [[nodiscard]] bool operator()(const action<M>& last) const noexcept {
    return last.decided_by != stage::place || (last.verdict != verdict::wait && last.verdict != verdict::not_now &&
                                               last.verdict != verdict::undecided);
  }
};

template <class Order = by_priority_then_age, class Inspect = uniform_members, class Gate = quorum_gate,
          class Admit = admit_everybody, class Place = place_whole<>, class Refused = leave_refused,
          class GoOn = best_effort>
struct stages {
  [[no_unique_address]] Order order{};
  [[no_unique_address]] Inspect inspect{};
  [[no_unique_address]] Gate gate{};
  [[no_unique_address]] Admit admit{};
  [[no_unique_address]] Place place{};
  [[no_unique_address]] Refused refused{};
  [[no_unique_address]] GoOn go_on{};
};

using default_stages = stages<>;
using strict_stages = stages<by_priority_then_age, uniform_members, quorum_gate, admit_everybody, place_whole<>,
                             leave_refused, strict_order>;

}  // namespace muster::inline MUSTER_ABI

#endif
