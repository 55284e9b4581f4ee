// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_VERIFY_CERTIFICATE_HPP
#define MUSTER_PLACEMENT_VERIFY_CERTIFICATE_HPP

/// \file
/// Checks the certificate of a refusal, sharing no code with the search that wrote it but the resource model.
///
/// Every number is counted again from the rules: what is held must be no more than the certificate says, what is asked
/// no less, and held must be below asked. Every allowed domain of every tense it speaks of must be there, for every
/// device model there if the gang keeps to one. `exhausted` cannot be checked short of searching again, and prices of
/// nodes with very many mixes may be too dear to count again: see the complexity.

#include <muster/cluster/cluster.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/certificate.hpp>
#include <muster/placement/detail/recount.hpp>
#include <muster/placement/detail/recount_refusal.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/placement/verify.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

namespace muster::inline MUSTER_ABI {

struct certificate_check {
  proof result = proof::holds;
  certificate_fault why = certificate_fault::none;
  std::size_t refusal = 0;  ///< the one that is wrong, where it is one
  [[nodiscard]] bool holds() const noexcept { return result == proof::holds; }
};

/// Whether the certificate proves that a declared group, of which nothing runs, does not fit.
/// \return `not_checkable` if a refusal is `exhausted`, too dear to count again, or more is held only where the model
///         does not know what a node hosts, and none is wrong
/// \complexity counts and cuts O(s n log n) a refusal. Prices: O(s n) and, for each node that differs in what matters,
///             what it can host of all kinds of priced pods but one, times the logarithm of that one; with limits of
///             wider levels also O(pods of the domain x pods of the node), and where that does not tell, the ways of
///             the domains that differ, times their nodes'. All prices of a certificate together at most 2^27 such
///             steps and 2^16 ways a node or domain, beyond which they are too dear; memory O(n) and those ways
/// \exceptions none of its own, but of memory; what the filter throws passes through \determinism a function of the
///             arguments
template <resource_model M, node_filter<M> Filter = everywhere>
[[nodiscard]] certificate_check verify(const snapshot<M>& view, const pod_group<M>& group, const certificate& of,
                                       const Filter& filter = {});

/// The same for a group in the cluster, beside its members that run.
template <resource_model M, node_filter<M> Filter = everywhere>
[[nodiscard]] certificate_check verify(const snapshot<M>& view, group_id group, const certificate& of,
                                       const Filter& filter = {});

// ---------------------------------------------------------------------------------------------------------------------

namespace placement_detail {

template <resource_model M, node_filter<M> Filter>
[[nodiscard]] certificate_check check_certificate(const recount<M, Filter>& books, const pod_group<M>& group,
                                                  const certificate& of) {
  certificate_check result;
  std::uint64_t steps = 0;
  const auto refuted = [](certificate_fault why, std::size_t i) { return certificate_check{proof::refuted, why, i}; };
  // nothing to refuse where no domain is allowed
  if (of.empty() && !books.domains(tense::now).empty()) return refuted(certificate_fault::empty, 0);
  std::vector<bool> done(of.refusals.size(), false);
  // by what they speak of, so that each domain finds its own
  const auto before = [](const domain_refusal& a, tense when, const domain_path& domain,
                         const std::optional<device_model>& model) {
    if (a.when != when) return a.when < when;
    if (a.domain.level != domain.level) return a.domain.level < domain.level;
    if (a.domain.path != domain.path) return a.domain.path < domain.path;
    return a.model < model;
  };
  std::vector<std::size_t> sorted(of.refusals.size());
  std::iota(sorted.begin(), sorted.end(), std::size_t{0});
  std::stable_sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) {
    const domain_refusal& other = of.refusals[b];
    return before(of.refusals[a], other.when, other.domain, other.model);
  });
  for (const tense when : {tense::now, tense::later, tense::empty_open, tense::empty_all}) {
    const auto is_of = [when](const domain_refusal& one) { return one.when == when; };
    if (std::none_of(of.refusals.begin(), of.refusals.end(), is_of)) continue;
    for (const recounted_domain& in : books.domains(when)) {
      const auto is_this = [&](const domain_refusal& of_it) {
        return is_of(of_it) && of_it.domain == in.name && of_it.model == in.model;
      };
      const auto is_before = [&](std::size_t a, const recounted_domain& to) {
        return before(of.refusals[a], when, to.name, to.model);
      };
      const auto at = std::lower_bound(sorted.begin(), sorted.end(), in, is_before);
      if (at == sorted.end() || !is_this(of.refusals[*at]))
        return refuted(certificate_fault::domain_missing, of.refusals.size());
      const std::size_t i = *at;
      done[i] = true;
      const domain_refusal& one = of.refusals[i];
      if (std::size_t{one.first_price} + one.prices > of.prices.size())
        return refuted(certificate_fault::wrong_prices, i);
      if (one.kind == proof_kind::exhausted) {
        result = {proof::not_checkable, certificate_fault::none, i};
        continue;
      }
      const recounted made = recount_refusal(books, group, in, of, one, steps);
      if (made.fault == certificate_fault::too_dear) {
        result = {proof::not_checkable, made.fault, i};
        continue;
      }
      if (made.fault != certificate_fault::none) return refuted(made.fault, i);
      if (made.held > one.held && made.sure) return refuted(certificate_fault::held_too_low, i);
      if (made.asked < one.asked) return refuted(certificate_fault::asked_too_high, i);
      if (one.held >= one.asked) return refuted(certificate_fault::not_below, i);
      if (made.held > one.held) result = {proof::not_checkable, certificate_fault::none, i};
    }
  }
  for (std::size_t i = 0; i < done.size(); ++i)
    if (!done[i]) return refuted(certificate_fault::no_such_domain, i);
  return result;
}

}  // namespace placement_detail

template <resource_model M, node_filter<M> Filter>
certificate_check verify(const snapshot<M>& view, const pod_group<M>& group, const certificate& of,
                         const Filter& filter) {
  const placement_detail::recount<M, Filter> books{view, group, nullptr, filter};
  return placement_detail::check_certificate(books, group, of);
}

template <resource_model M, node_filter<M> Filter>
certificate_check verify(const snapshot<M>& view, group_id group, const certificate& of, const Filter& filter) {
  const group_record<M>* known = view.group(group);
  if (known == nullptr) return {proof::refuted, certificate_fault::group_unknown, 0};
  const placement_detail::recount<M, Filter> books{view, known->spec, known, filter};
  return placement_detail::check_certificate(books, known->spec, of);
}

}  // namespace muster::inline MUSTER_ABI

#endif
