// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_EXACT_SPACE_HPP
#define MUSTER_PLACEMENT_DETAIL_EXACT_SPACE_HPP

/// \file
/// What exact search keeps between calls, and what it knows of each domain.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/answer.hpp>
#include <muster/placement/detail/demand.hpp>
#include <muster/placement/detail/exact.hpp>
#include <muster/placement/detail/packing.hpp>
#include <muster/placement/detail/sites.hpp>
#include <muster/resource/model.hpp>

#include <cstdint>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

/// Memory of exact search, kept in the workspace.
template <resource_model M>
struct exact_space {
  /// What is known of a domain.
  struct domain_bound {
    std::uint32_t domain = 0;
    pod_count bound = 0;     ///< no more pods can sit there
    domain_refusal proof{};  ///< what the bound rests on; it names no domain yet
    refusal_reason by = refusal_reason::too_few_slots;
    std::uint32_t pod_set = 0;
    enum class state : std::uint8_t {
      open,      ///< may still seat as many as the bound says
      closed,    ///< proved not to seat enough, and not of interest
      given_up,  ///< the search there ended without an answer
    };
    state now = state::open;

    /// The number of pods to ask for next.
    [[nodiscard]] pod_count target(const demand<M>& wanted, bool largest) const noexcept {
      const pod_count legal = wanted.legal_part(bound);
      if (legal < wanted.needed) return bound;
      return largest ? legal : wanted.needed;
    }
  };

  /// The question of the last search now, and where it ended.
  struct ended_search {
    std::uint64_t question = 0;
    std::uint32_t domain = 0;
    pod_count target = -1;
  };

  std::vector<domain_bound> domains;
  std::vector<std::uint32_t> queue;  // a heap of the open ones still to ask
  ended_search last;
  std::vector<pod_price> prices;  // of the proofs, one a pod set
  site_table<M> sites;
  mix_search search;
  allowance may;  // scratch
  packer<M> packing;
  std::vector<class_on_node> on_nodes;
  std::vector<pod_count> counts, quota_left;
  std::vector<std::size_t> next_quota, next_seat;  // of each class, of each pod set
  std::vector<std::uint32_t> seat_goes_to;
  std::vector<typename M::request_type> requests;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
