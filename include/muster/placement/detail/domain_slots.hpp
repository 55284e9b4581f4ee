// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_DOMAIN_SLOTS_HPP
#define MUSTER_PLACEMENT_DETAIL_DOMAIN_SLOTS_HPP

/// \file
/// Bounds, for all domains of a level in one walk over the words of the index, on how many alike pods each holds.

#include <muster/cluster/domains.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/bits.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/detail/counting.hpp>
#include <muster/placement/detail/seating.hpp>
#include <muster/resource/model.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

/// A run of positions and the domain it is part of.
struct domain_piece {
  run where{};
  std::uint32_t domain = 0;
};

struct slot_bounds {
  pod_count most = 0;   ///< no more fit
  bool exact = true;    ///< as many do
};

/// The pieces of all domains of a level, ascending. \complexity O(pieces), once sorted O(pieces log pieces)
template <class View>
void list_pieces(const View& view, std::size_t level, std::vector<domain_piece>& pieces) {
  pieces.clear();
  const auto domains = static_cast<std::uint32_t>(view.base().domains(level));
  bool sorted = true;
  for (std::uint32_t d = 0; d < domains; ++d)
    for (const run& one : view.base().domain_runs(level, d)) {
      sorted = sorted && (pieces.empty() || pieces.back().where.last <= one.first);
      pieces.push_back({one, d});
    }
  if (sorted) return;
  std::sort(pieces.begin(), pieces.end(),
            [](const domain_piece& a, const domain_piece& b) { return a.where.first < b.where.first; });
}

/// Adds to each domain's bounds what its pieces hold, 64 nodes at once. \pre may_count_sure_slots(view, request)
/// \complexity O(levels x (words + pieces))
template <class View, class M = typename View::model>
void bound_slots(const View& view, const typename M::request_type& request, std::span<const domain_piece> pieces,
                 std::vector<slot_bounds>& bounds) {
  const auto& index = view.base().index();
  const auto needed = levels_needed(view, request);
  const auto read = [&view](std::size_t i) { return view.bits(i); };
  for (std::size_t level = needed[0]; level < index.leading_level_count(); ++level) {
    if (view.population(level) == 0) continue;
    const pod_count each = static_cast<pod_count>(level) / M::amount_needed(request, 0);
    const auto sure = sure_levels(view, request, each);
    auto piece = pieces.begin();
    index.visit_words(read, level, 0, view.base().size(), [&](std::size_t w, std::uint64_t nodes) {
      for (std::size_t d = 1; d < dimensions_of<M>; ++d) nodes &= index.reaching(read, d, needed[d], w);
      std::uint64_t plenty = nodes;
      for (std::size_t d = 1; d < dimensions_of<M>; ++d) plenty &= index.reaching(read, d, sure[d], w);
      const std::size_t base = w * 64;
      while (piece != pieces.end() && piece->where.last <= base) ++piece;
      for (auto at = piece; nodes != 0 && at != pieces.end() && at->where.first < base + 64; ++at) {
        std::uint64_t here = nodes;
        if (at->where.first > base) here &= ~std::uint64_t{0} << (at->where.first - base);
        if (at->where.last < base + 64) here &= ~(~std::uint64_t{0} << (at->where.last - base));
        slot_bounds& of = bounds[at->domain];
        of.most += each * count_bits(here);
        of.exact = of.exact && (here & ~plenty) == 0;
        nodes &= ~here;
      }
      return true;
    });
  }
}

/// What the domains of a level hold, as far as the index knows.
struct domain_bounds {
  std::vector<slot_bounds> of;  ///< by domain
  std::vector<domain_piece> pieces;
};

/// Bounds all domains a question may use for pods of set `s`; false where the index cannot: their nodes must be looked
/// at then. \complexity that of list_pieces and bound_slots
template <class Query>
[[nodiscard]] bool bound_domains(const Query& q, std::size_t s, domain_bounds& out) {
  if constexpr (dimensions_of<typename Query::model> == 0) {
    return false;
  } else {
    if (q.anywhere || q.filtered || q.by_model || q.level == node_level || q.last_domain - q.first_domain < 2 ||
        !may_count_sure_slots(q.view, q.request(s)))
      return false;
    list_pieces(q.view, static_cast<std::size_t>(q.level), out.pieces);
    out.of.assign(q.view.base().domains(static_cast<std::size_t>(q.level)), {});
    bound_slots(q.view, q.request(s), out.pieces, out.of);
    return true;
  }
}

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
