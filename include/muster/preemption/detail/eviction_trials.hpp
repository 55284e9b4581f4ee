// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_DETAIL_EVICTION_TRIALS_HPP
#define MUSTER_PREEMPTION_DETAIL_EVICTION_TRIALS_HPP

/// \file
/// A cluster on which units are evicted and put back, and which says whether the gang would fit then.
///
/// It is an overlay on which what is set aside for the gang is free to it and, in the tense `later`, whoever is on the
/// way out has left. Everything is undone when the trials end.

#include <muster/cluster/overlay.hpp>
#include <muster/core/config.hpp>
#include <muster/core/verdict.hpp>
#include <muster/placement/answer.hpp>
#include <muster/placement/options.hpp>
#include <muster/placement/place.hpp>
#include <muster/placement/set_asides.hpp>
#include <muster/placement/workspace.hpp>
#include <muster/preemption/victim_unit.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/member.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::preemption_detail {

/// What a question about the gang answered.
enum class fit : std::uint8_t { no, yes, unknown, faulty };

/// \param Group a pod_group or a group_id, as place() takes them
template <resource_model M, class Group>
class eviction_trials {
 public:
  eviction_trials(overlay<M>& on, const Group& group, group_id id, const victim_units<M>& units, workspace<M>& space,
                  bool later)
      : on_{on}, scope_{on}, group_{group}, units_{units}, space_{space}, out_(units.units.size(), 0) {
    const snapshot<M>& base = on.base();
    if (later && base.anything_leaving())
      for (std::uint32_t node = 0; node < base.size(); ++node)
        if (base.node(node).leaving > 0)
          base.visit_pods_on(node, [&](const pod_record<M>& pod) {
            if (pod.phase == phase::terminating) on.vacate(pod);
          });
    give_set_asides(on, id);
  }

  [[nodiscard]] const overlay<M>& view() const noexcept { return on_; }
  [[nodiscard]] bool is_out(std::size_t unit) const noexcept { return out_[unit] != 0; }
  [[nodiscard]] const std::vector<std::uint8_t>& out() const noexcept { return out_; }
  [[nodiscard]] const placement_answer<M>& answer() const noexcept { return space_.answer; }

  /// Pods evicted and put back since this was last asked.
  [[nodiscard]] std::uint64_t take_moved() noexcept { return std::exchange(moved_, 0); }

  void evict(std::size_t unit) {
    if (out_[unit] != 0) return;
    out_[unit] = 1;
    moved_ += pods_of(unit).size();
    for (const pod_record<M>* pod : pods_of(unit)) on_.vacate(*pod);
  }
  void restore(std::size_t unit) {
    if (out_[unit] == 0) return;
    out_[unit] = 0;
    moved_ += pods_of(unit).size();
    for (const pod_record<M>* pod : pods_of(unit)) on_.reinstate(*pod);
  }
  /// Exactly these units out. \complexity O(pods of units that change)
  template <class Wanted>
  void evict_exactly(const Wanted& wanted) {
    for (std::size_t u = 0; u < out_.size(); ++u)
      if (wanted(u)) evict(u);
      else restore(u);
  }

  /// Whether the gang fits; the answer stays in the workspace.
  template <class Filter, class Stop>
  fit ask(const place_options<Filter, fullest_first, Stop>& options) {
    const verdict said = place(on_, group_, space_, options).verdict;
    switch (said) {
      case verdict::fits: return fit::yes;
      case verdict::undecided: return fit::unknown;
      case verdict::hold:
      case verdict::invalid: return fit::faulty;
      case verdict::wait:
      case verdict::not_now:
      case verdict::closed:
      case verdict::never: break;
    }
    return fit::no;
  }

 private:
  [[nodiscard]] auto pods_of(std::size_t unit) const noexcept { return units_.pods_of(units_.units[unit]); }

  overlay<M>& on_;
  trial_scope<M> scope_;
  const Group& group_;
  const victim_units<M>& units_;
  workspace<M>& space_;
  std::vector<std::uint8_t> out_;
  std::uint64_t moved_ = 0;
};

}  // namespace muster::inline MUSTER_ABI::preemption_detail

#endif
