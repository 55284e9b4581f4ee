// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_LADDER_HPP
#define MUSTER_PLACEMENT_DETAIL_LADDER_HPP

/// \file
/// Climbs the ladder of `explain`: changes one thing about a group at a time and asks again.

#include <muster/cluster/cluster.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/detail/answering.hpp>
#include <muster/placement/detail/more_nodes.hpp>
#include <muster/placement/eligibility.hpp>
#include <muster/placement/options.hpp>
#include <muster/placement/rung.hpp>
#include <muster/placement/set_asides.hpp>
#include <muster/placement/shortfall.hpp>
#include <muster/placement/workspace.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

/// A filter that no longer knows one reason.
template <class Filter>
struct without_reason {
  Filter filter{};
  reason_code dropped{};
  template <class M>
  [[nodiscard]] reason_code operator()(const pod_group<M>& group, std::size_t pod_set, kind_id kind) const {
    const reason_code code = filter(group, pod_set, kind);
    return code == dropped ? eligible_node : code;
  }
  [[nodiscard]] std::span<const run> nodes() const
    requires confining_filter<Filter>
  {
    return filter.nodes();
  }
};

template <resource_model M, class Options>
class ladder {
  using filter = std::remove_cvref_t<decltype(Options::filter)>;
  static constexpr bool filtered = may_exclude<filter>;

 public:
  ladder(const snapshot<M>& view, const pod_group<M>& spec, const group_record<M>* members, workspace<M>& space,
         const Options& options)
      : view_{view}, spec_{spec}, space_{space}, options_{options} {
    if (members != nullptr) members_ = *members;
  }

  [[nodiscard]] explanation climb(std::span<const typename M::capacity_type> shapes) {
    explanation made;
    const auto& asked = ask(spec_, options_);
    made.verdict = asked.verdict;
    const empty_fit once_left = asked.lack.once_left;
    const bool refused = is_proved_no(made.verdict) || made.verdict == verdict::undecided;
    if (!refused) return made;
    const bool leaving = view_.anything_leaving();
    refused_ = is_proved_no(made.verdict);
    const std::vector<reason_code> reasons = reasons_given();
    if (leaving) made.rungs.push_back(wait_rung(once_left));
    made.rungs.push_back(lower_min_count());
    for (std::size_t i = 0; i < shapes.size(); ++i) made.rungs.push_back(more_nodes(shapes[i], i));
    add_wider_levels(made.rungs);
    if (space_.demand.keeps_to_one_model()) made.rungs.push_back(several_models());
    for (const reason_code reason : reasons) made.rungs.push_back(drop_reason(reason));
    made.rungs.push_back(largest_gang());
    return made;
  }

 private:
  /// Puts the demand of the group as changed into the workspace.
  [[nodiscard]] bool take(const pod_group<M>& spec) {
    changed_ = spec;
    if (!members_) return take_spec(view_, changed_, space_);
    members_->spec = changed_;
    return take_record(view_, *members_, space_);
  }
  template <class How>
  const placement_answer<M>& ask(const pod_group<M>& spec, const How& how) {
    if (take(spec)) answer_on_snapshot(view_, space_, how);
    return space_.answer;
  }

  [[nodiscard]] static rung_answer to_rung(verdict v) noexcept {
    return v == verdict::fits ? rung_answer::helps : is_proved_no(v) ? rung_answer::no_help : rung_answer::bounded;
  }

  [[nodiscard]] rung wait_rung(empty_fit once_left) const {
    rung one;
    one.kind = rung_kind::wait_for_leaving;
    one.answer = once_left == empty_fit::yes  ? rung_answer::helps
                 : once_left == empty_fit::no ? rung_answer::no_help
                                              : rung_answer::bounded;
    for (std::uint32_t p = 0; p < view_.size(); ++p) one.proved += view_.node(p).leaving;
    one.bound = one.proved;
    return one;
  }

  /// The most pods of a changed group that sit, as a rung.
  [[nodiscard]] rung most_pods(rung_kind kind, const pod_group<M>& spec) {
    Options how = options_;
    how.extras = how.largest = true;
    const auto& answer = ask(spec, how);
    rung one;
    one.kind = kind;
    one.answer = to_rung(answer.verdict);
    if (answer.fits()) {
      one.proved = space_.demand.have + answer.placed;
      one.bound = space_.demand.have + std::max(answer.placed, space_.demand.legal_part(answer.lack.bound));
      if (one.bound != one.proved) one.answer = rung_answer::bounded;
    } else if (one.answer == rung_answer::bounded) {
      one.bound = space_.demand.have + answer.lack.bound;
    }
    return one;
  }
  [[nodiscard]] rung lower_min_count() {
    pod_group<M> spec = spec_;
    spec.min_count = 0;
    return most_pods(rung_kind::lower_min_count, spec);
  }
  [[nodiscard]] rung largest_gang() {
    pod_group<M> spec = spec_;
    spec.min_count = 0;
    spec.sizes = {};
    for (pod_set<M>& set : spec.pod_sets) set.minimum = 0;
    return most_pods(rung_kind::largest_gang, spec);
  }

  [[nodiscard]] rung more_nodes(const typename M::capacity_type& shape, std::size_t which) {
    rung one;
    if (take(spec_)) {
      shortage<M> ignored;
      if (space_.demand.conclude(false, options_.once_enough, ignored) == refusal_reason::none) {
        if (view_.anything_set_aside(spec_.id)) {
          overlay<M>& on = trial_on(space_, view_);
          give_set_asides(on, spec_.id);
          one = count_nodes(on, shape);
        } else {
          one = count_nodes(view_, shape);
        }
      }
    }
    one.kind = rung_kind::more_nodes;
    one.shape = static_cast<std::uint32_t>(which);
    return one;
  }
  template <class View>
  [[nodiscard]] rung count_nodes(const View& view, const typename M::capacity_type& shape) {
    query<View> q{view, space_};
    if (q.find_domains(model_of<M>(shape)) != refusal_reason::none) return {};
    q.ask(options_.filter);
    std::size_t s = 0;
    if (!is_alike(q, s)) {
      search_budget budget{options_.budget, options_.stop};
      return node_finder<query<View>>{q, shape, refused_, budget}.find();
    }
    rung one;
    if (const auto more = fewest_nodes(view, shape, space_, options_)) {
      one.answer = rung_answer::helps;
      one.bound = one.proved = more->nodes;
      one.domain = more->domain;
    }
    return one;
  }

  void add_wider_levels(std::vector<rung>& to) {
    if (spec_.required == no_level) return;
    const std::size_t finest =
        spec_.required == node_level ? view_.levels().size() : static_cast<std::size_t>(spec_.required);
    for (std::size_t level = finest + 1; level-- > 0;) {
      pod_group<M> spec = spec_;
      spec.required = level == 0 ? no_level : static_cast<topology_level>(level - 1);
      rung one;
      one.kind = rung_kind::wider_level;
      one.level = spec.required;
      one.answer = to_rung(ask(spec, options_).verdict);
      to.push_back(one);
    }
  }

  [[nodiscard]] rung several_models() {
    pod_group<M> spec = spec_;
    spec.one_device_model = false;
    rung one;
    one.kind = rung_kind::several_models;
    one.answer = to_rung(ask(spec, options_).verdict);
    return one;
  }

  /// Reason codes that keep a pod set from a node. \pre the filter was just asked
  [[nodiscard]] std::vector<reason_code> reasons_given() const {
    std::vector<reason_code> found;
    if constexpr (filtered) {
      for (const reason_code code : space_.codes)
        if (code != eligible_node) found.push_back(code);
      std::sort(found.begin(), found.end());
      found.erase(std::unique(found.begin(), found.end()), found.end());
    }
    return found;
  }
  [[nodiscard]] rung drop_reason(reason_code reason) {
    using scorer = std::remove_cvref_t<decltype(options_.scorer)>;
    using stop = std::remove_cvref_t<decltype(options_.stop)>;
    rung one;
    one.kind = rung_kind::drop_reason;
    one.reason = reason;
    if constexpr (filtered) {
      const place_options<without_reason<filter>, scorer, stop> how{
          {options_.filter, reason}, options_.scorer, options_.extras, options_.once_enough,
          options_.largest,          options_.budget, false,           options_.stop};
      one.answer = to_rung(ask(spec_, how).verdict);
    }
    return one;
  }

  const snapshot<M>& view_;
  const pod_group<M>& spec_;
  workspace<M>& space_;
  const Options& options_;
  std::optional<group_record<M>> members_;
  pod_group<M> changed_;
  bool refused_ = false;  // as it is, by proof
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
