// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_DETAIL_EVICTION_TRIALS_HPP
#define MUSTER_PREEMPTION_DETAIL_EVICTION_TRIALS_HPP

/// \file
/// A cluster on which units are evicted and put back.
///
/// It is an overlay on which what is set aside for the gang is free to it and, in the tense `later`, whoever is on the
/// way out has left. Everything is undone when the trials end.

#include <muster/cluster/overlay.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/placement/certificate.hpp>
#include <muster/placement/set_asides.hpp>
#include <muster/preemption/victim_unit.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/member.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::preemption_detail {

template <resource_model M>
class eviction_trials {
 public:
  /// \param group the gang's \param when now, or later: once those on their way out have left
  /// \param out memory for who is out
  eviction_trials(overlay<M>& on, group_id group, const victim_units<M>& units, tense when,
                  std::vector<std::uint8_t>& out)
      : on_{on}, scope_{on}, units_{units}, out_{out} {
    out_.assign(units.units.size(), 0);
    const snapshot<M>& base = on.base();
    if (when == tense::later && base.anything_leaving())
      for (std::uint32_t node = 0; node < base.size(); ++node)
        if (base.node(node).leaving > 0)
          base.visit_pods_on(node, [&](const pod_record<M>& pod) {
            if (pod.phase == phase::terminating) on.vacate(pod);
          });
    give_set_asides(on, group);
  }

  [[nodiscard]] const overlay<M>& view() const noexcept { return on_; }
  [[nodiscard]] bool is_out(std::size_t unit) const noexcept { return out_[unit] != 0; }
  [[nodiscard]] const std::vector<std::uint8_t>& out() const noexcept { return out_; }

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

 private:
  [[nodiscard]] auto pods_of(std::size_t unit) const noexcept { return units_.pods_of(units_.units[unit]); }

  overlay<M>& on_;
  trial_scope<M> scope_;
  const victim_units<M>& units_;
  std::vector<std::uint8_t>& out_;  // of each unit
  std::uint64_t moved_ = 0;
};

}  // namespace muster::inline MUSTER_ABI::preemption_detail

#endif
