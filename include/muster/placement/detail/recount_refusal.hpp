// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_RECOUNT_REFUSAL_HPP
#define MUSTER_PLACEMENT_DETAIL_RECOUNT_REFUSAL_HPP

/// \file
/// What a refusal of one domain says is held and asked, counted again.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/certificate.hpp>
#include <muster/placement/detail/recount.hpp>
#include <muster/placement/detail/recount_ways.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

/// Held and asked, counted again.
struct recounted {
  std::int64_t held = 0, asked = 0;
  certificate_fault fault = certificate_fault::none;
  bool sure = true;  ///< else the model could not say of some ways whether a node hosts them, and they are in `held`
};

/// \param claimed what the certificate says is held: a cheap count that is no more is enough
template <resource_model M, class Filter>
[[nodiscard]] recounted recount_prices(const recount<M, Filter>& books, const pod_group<M>& group,
                                       const recounted_domain& in, tense when, std::span<const pod_price> prices,
                                       std::int64_t claimed, std::uint64_t& steps) {
  const auto& demand = books.demand(when);
  if (prices.size() != group.pod_sets.size()) return {0, 0, certificate_fault::wrong_prices};
  for (const pod_price one : prices)
    if (one < 0 || one > max_pod_price) return {0, 0, certificate_fault::wrong_prices};
  recounted made;
  recounted_ways<M, Filter> ways{books, group, in, when, prices, steps};
  auto held = books.wider_limits().empty() ? std::nullopt : ways.bound_on_worth();
  if (!held || *held > claimed) held = ways.most_worth();
  if (!held) return {0, 0, certificate_fault::too_dear};
  made.held = *held;
  made.sure = ways.sure();
  // all pods, less the dearest that need not sit
  std::vector<std::pair<pod_price, pod_count>> spare;
  for (std::size_t s = 0; s < prices.size(); ++s) {
    made.asked += prices[s] * demand.pending[s];
    spare.push_back({prices[s], demand.pending[s] - demand.required[s]});
  }
  std::sort(spare.begin(), spare.end(), std::greater<>{});
  pod_count rest = demand.all - demand.needed;
  for (const auto& [each, pods] : spare) {
    const pod_count here = std::clamp<pod_count>(rest, 0, std::max<pod_count>(pods, 0));
    made.asked -= each * here;
    rest -= here;
  }
  return made;
}

/// Pods of one set that the nodes of a domain take, each set for itself.
template <resource_model M, class Filter>
[[nodiscard]] pod_count recount_slots(const recount<M, Filter>& books, const pod_group<M>& group,
                                      const recounted_domain& in, tense when, std::size_t s) {
  std::vector<std::pair<std::uint32_t, pod_count>> slots;
  const pod_count pending = books.demand(when).pending[s];
  for (const std::uint32_t p : in.nodes)
    if (const auto left = books.may(s, p, in) ? books.left(p, when) : std::nullopt) {
      const pod_count most = std::min(books.node_room(p, when), pending);
      slots.push_back({p, M::count_fitting(*left, group.pod_sets[s].request, most)});
    }
  return std::min(books.sum_under_limits(std::move(slots), when), pending);
}

template <resource_model M, class Filter>
[[nodiscard]] recounted recount_refusal(const recount<M, Filter>& books, const pod_group<M>& group,
                                        const recounted_domain& in, const certificate& of, const domain_refusal& one,
                                        std::uint64_t& steps) {
  const auto& demand = books.demand(one.when);
  const std::size_t sets = group.pod_sets.size();
  const auto usable = [&](std::uint32_t p) {
    for (std::size_t s = 0; s < sets; ++s)
      if (demand.pending[s] > 0 && books.may(s, p, in)) return true;
    return false;
  };
  constexpr recounted no_subject{0, 0, certificate_fault::no_such_subject};
  recounted made;
  switch (one.kind) {
    case proof_kind::prices: return recount_prices(books, group, in, one.when, of.prices_of(one), one.held, steps);
    case proof_kind::exhausted: break;
    case proof_kind::limits: {
      std::vector<std::pair<std::uint32_t, pod_count>> rooms;
      for (const std::uint32_t p : in.nodes)
        if (usable(p) && books.left(p, one.when)) rooms.push_back({p, books.node_room(p, one.when)});
      return {std::min(books.sum_under_limits(std::move(rooms), one.when), demand.all), demand.needed};
    }
    case proof_kind::slots:
      if (one.subject != all_sets) {
        if (one.subject >= sets) return no_subject;
        return {recount_slots(books, group, in, one.when, one.subject), demand.required[one.subject]};
      }
      for (std::size_t s = 0; s < sets; ++s) made.held += recount_slots(books, group, in, one.when, s);
      made.asked = demand.needed;
      return made;
    case proof_kind::capacity_of_minima:
    case proof_kind::capacity:
      if constexpr (dimensions_of<M> > 0) {
        if (one.subject >= dimensions_of<M> || !M::adds_up(one.subject)) return no_subject;
        const auto need = [&](std::size_t s) { return M::amount_needed(group.pod_sets[s].request, one.subject); };
        amount total = 0, minima = 0;
        for (const std::uint32_t p : in.nodes)
          if (const auto left = books.left(p, one.when); left && usable(p))
            total = saturating_add(total, std::max<amount>(0, M::amount_left(*left, one.subject)));
        std::vector<std::pair<amount, pod_count>> more;  // (need, pods beyond the minimum)
        for (std::size_t s = 0; s < sets; ++s) {
          minima = saturating_add(minima, saturating_multiply(need(s), demand.required[s]));
          made.held += demand.required[s];
          more.push_back({need(s), recount_slots(books, group, in, one.when, s) - demand.required[s]});
        }
        if (one.kind == proof_kind::capacity_of_minima) return {total, minima, certificate_fault::none};
        std::sort(more.begin(), more.end());
        total -= minima;
        for (const auto& [each, pods] : more) {
          pod_count here = std::max<pod_count>(pods, 0);
          if (each > 0) here = std::min(here, std::max<amount>(total, 0) / each);
          total -= here * each;
          made.held += here;
        }
        made.asked = demand.needed;
        return made;
      }
      break;
  }
  return no_subject;
}

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
