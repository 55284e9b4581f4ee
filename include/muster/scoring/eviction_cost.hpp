// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_SCORING_EVICTION_COST_HPP
#define MUSTER_SCORING_EVICTION_COST_HPP

/// \file
/// What it costs to evict some members of a group.
///
/// A *cost object* is asked for one group at a time: these of its members go, what is that worth? It must be
/// *monotone*: evicting nobody costs nothing, and one pod more never costs less. Costs of several groups add up, each
/// component by itself, and are compared component by component from the left. A cost is held at the top of 64 bits, so
/// that a set whose cost saturates is never taken for a cheap one, and whoever sums says that it did. A cost below zero,
/// or one that falls as pods are added, is a fault of the object: `check_cost` names it.
///
/// Because a search must bound the cost of sets it has not built, an object also tells the *share* of each member: a
/// number such that the cost of any set is at least the sum of the shares in it; 0 is always right, and slow. An object
/// whose cost of every set is that sum says `static constexpr bool adds_up = true`, which lets a search take one unit
/// for another.
///
/// *Lost work* is accelerators times the time since the last checkpoint; a group without one counts from its start, one
/// that has not started loses nothing. A gang of mode `all` leaves whole, so all of it is named. A checkpoint in the
/// future loses nothing: it is read as now.
///
/// \see Kubernetes 1.37, sections 7.3 and 9: it has no cost of lost work, and an earlier start stands in for it

#include <muster/cluster/cluster.hpp>
#include <muster/cluster/records.hpp>
#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/time.hpp>
#include <muster/resource/model.hpp>
#include <muster/workload/pod_group.hpp>

#include <algorithm>
#include <array>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace muster::inline MUSTER_ABI {

/// A cost of N components, compared from the left.
template <std::size_t N = 1>
struct cost_value {
  std::array<std::int64_t, N> part{};

  [[nodiscard]] static constexpr std::size_t size() noexcept { return N; }
  [[nodiscard]] static constexpr cost_value of(std::int64_t first) noexcept
    requires(N == 1)
  {
    return {{first}};
  }
  /// Whether a component stands at the top of its range: it may be more than it says.
  [[nodiscard]] constexpr bool saturated() const noexcept {
    return std::ranges::any_of(part, [](auto each) { return each == std::numeric_limits<std::int64_t>::max(); });
  }
  constexpr cost_value& operator+=(const cost_value& other) noexcept {
    for (std::size_t i = 0; i < N; ++i) part[i] = saturating_add(part[i], other.part[i]);
    return *this;
  }
  friend constexpr cost_value operator+(cost_value a, const cost_value& b) noexcept { return a += b; }
  friend constexpr auto operator<=>(const cost_value&, const cost_value&) noexcept = default;
};

/// Members of one group that would go. A pod that names no known group stands for itself: `group` is then null.
template <resource_model M>
struct evicted_members {
  const group_record<M>* group = nullptr;
  std::span<const pod_record<M>* const> pods{};  ///< at least one, each once
  time_point now{};
};

/// A cost object: `operator()` is the cost of the set, `share` a part of it that each member brings for certain.
template <class C, class M>
concept eviction_cost = resource_model<M> && requires(const C& cost, const evicted_members<M>& gone,
                                                      const pod_record<M>& pod) {
  { C::components } -> std::convertible_to<std::size_t>;
  { cost(gone) } -> std::same_as<cost_value<C::components>>;
  { cost.share(gone.group, pod, gone.now) } -> std::same_as<cost_value<C::components>>;
};

/// Whether a cost object says that the cost of every set is the sum of its members' shares.
template <class C>
inline constexpr bool adds_up = false;
template <class C>
  requires requires {
    { C::adds_up } -> std::convertible_to<bool>;
  }
inline constexpr bool adds_up<C> = C::adds_up;

enum class cost_fault : std::uint8_t {
  none,
  negative,    ///< a component is below 0
  decreasing,  ///< a set costs less than a part of it
  share,       ///< the shares of a set add up to more than its cost, or to less, though the object says they add up
  too_large,   ///< components of sums so large that a search cannot compare them as one number of 110 bits
};

[[nodiscard]] constexpr std::string_view name(cost_fault fault) noexcept {
  switch (fault) {
    case cost_fault::none: return "none";
    case cost_fault::negative: return "a cost below 0";
    case cost_fault::decreasing: return "a set costs less than a part of it";
    case cost_fault::share: return "shares that do not add up to the cost of their set";
    case cost_fault::too_large: return "components too large to be compared as one number";
  }
  return "?";
}

/// The first fault of a cost object on one set and the sets that begin it: of the first member, the first two, and so
/// on. \complexity the cost of every such set \determinism the order of `gone.pods` decides which sets are looked at
template <resource_model M, eviction_cost<M> Cost>
[[nodiscard]] cost_fault check_cost(const Cost& cost, const evicted_members<M>& gone) {
  using value = cost_value<Cost::components>;
  value before{}, shares{};
  for (std::size_t n = 1; n <= gone.pods.size(); ++n) {
    const value whole = cost(evicted_members<M>{gone.group, gone.pods.first(n), gone.now});
    const value share = cost.share(gone.group, *gone.pods[n - 1], gone.now);
    shares += share;
    for (std::size_t i = 0; i < Cost::components; ++i)
      if (whole.part[i] < 0 || share.part[i] < 0) return cost_fault::negative;
    if (whole < before) return cost_fault::decreasing;
    for (std::size_t i = 0; i < Cost::components; ++i)
      if (shares.part[i] > whole.part[i] || (adds_up<Cost> && shares != whole)) return cost_fault::share;
    before = whole;
  }
  return cost_fault::none;
}

/// How many pods go.
struct evicted_pods {
  static constexpr std::size_t components = 1;
  static constexpr bool adds_up = true;
  template <resource_model M>
  [[nodiscard]] constexpr cost_value<1> operator()(const evicted_members<M>& gone) const noexcept {
    return cost_value<1>::of(static_cast<std::int64_t>(gone.pods.size()));
  }
  template <resource_model M>
  [[nodiscard]] constexpr cost_value<1> share(const group_record<M>*, const pod_record<M>&, time_point) const noexcept {
    return cost_value<1>::of(1);
  }
};

/// What a pod's request counts in lost work: the amount of the model's first dimension, devices as a rule.
struct first_dimension {
  template <dimensional_model M>
  [[nodiscard]] constexpr amount operator()(const typename M::request_type& request) const noexcept {
    return M::amount_needed(request, 0);
  }
};

/// Work lost since the last checkpoint, in accelerators times milliseconds, and `restart` for every pod that must start
/// again (the same unit): what the width of a restart costs.
///
/// A pod that names no group counts from when it was placed.
template <class Weigh = first_dimension>
struct lost_work {
  static constexpr std::size_t components = 1;
  static constexpr bool adds_up = true;
  std::int64_t restart = 0;
  [[no_unique_address]] Weigh weigh{};

  template <resource_model M>
  [[nodiscard]] cost_value<1> operator()(const evicted_members<M>& gone) const {
    cost_value<1> sum{};
    for (const pod_record<M>* pod : gone.pods) sum += share(gone.group, *pod, gone.now);
    return sum;
  }
  template <resource_model M>
  [[nodiscard]] cost_value<1> share(const group_record<M>* group, const pod_record<M>& pod, time_point now) const {
    const std::int64_t lost =
        saturating_multiply(weigh.template operator()<M>(pod.request), since_saved(group, pod, now).count());
    return cost_value<1>::of(saturating_add(lost, restart));
  }

 private:
  template <resource_model M>
  [[nodiscard]] static duration since_saved(const group_record<M>* group, const pod_record<M>& pod, time_point now) {
    time_point saved = pod.placed;
    if (group != nullptr && group->present()) {
      saved = group->spec.checkpoint != beginning_of_time ? group->spec.checkpoint : group->spec.started;
    }
    if (saved >= now) return duration{0};
    const auto difference = saturating_add(now.time_since_epoch().count(), negated(saved.time_since_epoch().count()));
    return duration{difference};
  }
  [[nodiscard]] static constexpr std::int64_t negated(std::int64_t value) noexcept {
    return value == std::numeric_limits<std::int64_t>::min() ? std::numeric_limits<std::int64_t>::max() : -value;
  }
};

}  // namespace muster::inline MUSTER_ABI

#endif
