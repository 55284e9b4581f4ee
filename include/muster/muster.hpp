// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_MUSTER_HPP
#define MUSTER_MUSTER_HPP

/// \file
/// Everything. A host that minds compile time includes the rooms' headers it uses.

#include <muster/cluster/apply.hpp>
#include <muster/cluster/changes.hpp>
#include <muster/cluster/cluster.hpp>
#include <muster/cluster/digest.hpp>
#include <muster/cluster/may_delete.hpp>
#include <muster/cluster/overlay.hpp>
#include <muster/cluster/uniformity.hpp>
#include <muster/cycle/assume.hpp>
#include <muster/cycle/plan.hpp>
#include <muster/cycle/schedule.hpp>
#include <muster/cycle/stages.hpp>
#include <muster/cycle/still_valid.hpp>
#include <muster/placement/best_candidate.hpp>
#include <muster/placement/count_domains.hpp>
#include <muster/placement/describe.hpp>
#include <muster/placement/describe_division.hpp>
#include <muster/placement/describe_ladder.hpp>
#include <muster/placement/divide.hpp>
#include <muster/placement/drop_short.hpp>
#include <muster/placement/explain.hpp>
#include <muster/placement/fitting_gangs.hpp>
#include <muster/placement/largest_gang.hpp>
#include <muster/placement/lay_ranks.hpp>
#include <muster/placement/list_candidates.hpp>
#include <muster/placement/place.hpp>
#include <muster/placement/place_by.hpp>
#include <muster/placement/place_in_tiers.hpp>
#include <muster/placement/place_near.hpp>
#include <muster/placement/place_next_fit.hpp>
#include <muster/placement/preferred.hpp>
#include <muster/placement/rank_domains.hpp>
#include <muster/placement/seat_division.hpp>
#include <muster/placement/seat_in_turn.hpp>
#include <muster/placement/set_asides.hpp>
#include <muster/placement/shortfall.hpp>
#include <muster/placement/verify.hpp>
#include <muster/placement/verify_certificate.hpp>
#include <muster/placement/write_case.hpp>
#include <muster/quorum/gate.hpp>
#include <muster/quorum/progress.hpp>
#include <muster/resource/devices.hpp>
#include <muster/resource/joint.hpp>
#include <muster/resource/resource_vector.hpp>
#include <muster/scoring/balanced_allocation.hpp>
#include <muster/scoring/binpack.hpp>
#include <muster/scoring/domain_score.hpp>
#include <muster/scoring/fragmentation.hpp>
#include <muster/scoring/gangs_lost.hpp>
#include <muster/scoring/node_value.hpp>
#include <muster/scoring/pod_shape.hpp>
#include <muster/scoring/score_value.hpp>
#include <muster/scoring/scorer.hpp>
#include <muster/scoring/seat_list.hpp>
#include <muster/scoring/set_spread.hpp>
#include <muster/scoring/slot_potential.hpp>
#include <muster/scoring/tier_score.hpp>
#include <muster/scoring/weighted_sum.hpp>
#include <muster/scoring/weights.hpp>
#include <muster/workload/validate.hpp>

#endif
