// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_RESOURCE_MODEL_HPP
#define MUSTER_RESOURCE_MODEL_HPP

/// \file
/// What a resource model is: the one place that knows what is counted on a node.
///
/// Everything above this room is a template over a model and asks it only these questions: does one more
/// pod fit, how many alike pods fit, take them, give them back; and of a grant somebody chose: may it be taken as it
/// is, and is it what these pods ask. What the dimensions mean never crosses.
///
/// A model `M` is a class of static functions over four value types:
///
/// | type | what |
/// | --- | --- |
/// | `M::capacity_type` | what a node has when it is empty |
/// | `M::state_type` | what a node has left; may be negative where the host overcommitted it |
/// | `M::request_type` | what one pod asks |
/// | `M::grant_type` | what one or several alike pods were given on one node |
///
/// Laws (checked by `tests/resource/model_laws.hpp` for every shipped model):
/// - `fits(s, r)` is `count_fitting(s, r, 1) == 1`; `count_fitting` is exact: that many alike pods fit and not one
///   more.
/// - `allocate(s, r, limit, g)` covers at least one and at most `limit` pods when one fits, and is 0 otherwise;
///   repeated until `count_fitting` pods are covered it never fails.
/// - `release` undoes `charge` and `allocate` exactly, in any order.
/// - `part(g, r, i)` for every i below the number of pods of one grant are disjoint and add up to `g`.
/// - what `allocate` gives may be charged to the state before, and covers its pods there: that many and no other number
///   unless they ask nothing; so does each `part` for one pod.
/// - where a grant may be charged and covers n pods, at least n fit. Charging never makes what may not be charged
///   chargeable.
/// - adding capacity never lowers `count_fitting`.
/// - where `leading_decides(r)` and r needs some of dimension 0, `count_fitting` is what is left of it by that need.
///
/// A *dimensional* model also shows an array of amounts that must suffice for a pod to fit: a necessary
/// condition, which indexes, certificates and explanations work with. Dimension 0 leads: the capacity
/// index sorts nodes by it, so put what is scarce first (GPUs before CPU).

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/hash.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace muster::inline MUSTER_ABI {

/// Whether one node can host several pods of several requests at once.
enum class hosting : std::uint8_t {
  no,
  yes,
  unknown,  ///< the model's own search for a choice of devices ended first
};

/// For a model's `hosts`, where only the answer matters.
struct ignore_grants {
  template <class Grant>
  constexpr void operator()(std::size_t, pod_count, const Grant&) const noexcept {}
};

/// What can be wrong with a capacity or a request.
enum class amount_fault : std::uint8_t {
  none,
  negative,          ///< an amount below 0
  too_large,         ///< an amount above max_amount
  too_many_devices,  ///< more devices than the model has room for
  not_a_share,       ///< a share of a device that is not within 1 .. 1000 milli
  mixed_request,     ///< whole devices and a share in one request
};

[[nodiscard]] constexpr std::string_view name(amount_fault fault) noexcept {
  switch (fault) {
    case amount_fault::none: return "none";
    case amount_fault::negative: return "negative amount";
    case amount_fault::too_large: return "amount above the largest allowed";
    case amount_fault::too_many_devices: return "more devices than the model holds";
    case amount_fault::not_a_share: return "share outside 1..1000 milli";
    case amount_fault::mixed_request: return "whole devices and a share in one request";
  }
  return "?";
}

template <class M>
concept resource_model =
    std::regular<typename M::capacity_type> && std::regular<typename M::state_type> &&
    std::regular<typename M::request_type> && std::regular<typename M::grant_type> &&
    requires(const typename M::capacity_type& capacity, const typename M::state_type& state,
             typename M::state_type& changed, const typename M::request_type& request,
             const typename M::grant_type& grant, typename M::grant_type& granted, pod_count count, hasher& hash) {
      // the state of an empty node
      { M::empty_node(capacity) } -> std::same_as<typename M::state_type>;
      // whether one pod fits; how many alike pods fit, counted up to a limit
      { M::fits(state, request) } -> std::same_as<bool>;
      { M::count_fitting(state, request, count) } -> std::same_as<pod_count>;
      // takes room for up to `count` pods; how many the grant covers
      { M::allocate(changed, request, count, granted) } -> std::same_as<pod_count>;
      // a grant for one pod that is there whether it fits or not (the host says so)
      { M::force(changed, request) } -> std::same_as<typename M::grant_type>;
      { M::charge(changed, grant) } -> std::same_as<void>;
      { M::release(changed, grant) } -> std::same_as<void>;
      // the share of the i-th pod in a grant
      { M::part(grant, request, count) } -> std::same_as<typename M::grant_type>;
      // whether exactly this grant may be taken: it is all there, and nothing of it is out of order
      { M::may_charge(state, grant) } -> std::same_as<bool>;
      // whether the grant is what `count` pods of the request ask of such a node, whatever is left there
      { M::covers(state, grant, request, count) } -> std::same_as<bool>;
      // what is wrong with an input
      { M::check_capacity(capacity) } -> std::same_as<amount_fault>;
      { M::check_request(request) } -> std::same_as<amount_fault>;
      { M::add_to_hash(hash, capacity) } -> std::same_as<void>;
      { M::add_to_hash(hash, request) } -> std::same_as<void>;
      { M::add_to_hash(hash, grant) } -> std::same_as<void>;
      // true if a grant follows from the request alone, whatever else runs on the node
      { M::grant_follows_from_request } -> std::convertible_to<bool>;
    };

template <class M>
concept dimensional_model =
    resource_model<M> &&
    requires(const typename M::state_type& state, const typename M::request_type& request, std::size_t dimension) {
      { M::dimensions } -> std::convertible_to<std::size_t>;
      { M::amount_left(state, dimension) } -> std::same_as<amount>;
      { M::amount_needed(request, dimension) } -> std::same_as<amount>;
      // whether the needs of all pods on a node add up to at most what is left (false: each pod alone is bounded)
      { M::adds_up(dimension) } -> std::same_as<bool>;
      // whether a pod fits as soon as every amount suffices
      { M::dimensions_decide } -> std::convertible_to<bool>;
    };

/// Number of dimensions of a model; 0 where it shows none.
template <resource_model M>
inline constexpr std::size_t dimensions_of = 0;
template <dimensional_model M>
inline constexpr std::size_t dimensions_of<M> = M::dimensions;

/// Whether on every node as many pods fit as have room in dimension 0, whatever else is left there: of a model whose
/// dimensions decide, where the request needs no other one. A model may know more of its requests by a static
/// `leading_decides(request)` of its own.
template <resource_model M>
[[nodiscard]] constexpr bool leading_decides(const typename M::request_type& request) {
  if constexpr (dimensions_of<M> == 0) {
    return false;
  } else if constexpr (requires {
                         { M::leading_decides(request) } -> std::same_as<bool>;
                       }) {
    return M::leading_decides(request);
  } else {
    bool decides = M::dimensions_decide;
    for (std::size_t d = 1; d < dimensions_of<M>; ++d) decides = decides && M::amount_needed(request, d) <= 0;
    return decides;
  }
}

/// A model whose nodes hold single devices that can fall sick, numbered below `device_room`.
template <class M>
concept model_with_devices =
    resource_model<M> && requires(typename M::state_type& state, std::uint32_t device, bool healthy) {
      { M::set_health(state, device, healthy) } -> std::same_as<void>;
      { M::device_room } -> std::convertible_to<std::size_t>;
    };

/// A model that tells how much is left, in milli-devices, on well devices that have too little for one device of a
/// request; on all of them where it asks for none.
template <class M>
concept model_with_shares = model_with_devices<M> && requires(const typename M::state_type& state,
                                                              const typename M::request_type& request) {
  { M::milli_too_small(state, request) } -> std::same_as<amount>;
};

enum class device_model : std::uint32_t {};  ///< the host's number of a make of device
inline constexpr device_model any_model{0};  ///< in a request: every model will do; of a node: the one without a number

/// A model that tells the one make of device a node has (nothing where it has none), and whether a pod asks for
/// devices. Only such a model can keep a gang on one device model (workload/pod_group.hpp).
template <class M>
concept model_with_makes =
    resource_model<M> && requires(const typename M::capacity_type& capacity, const typename M::request_type& request) {
      { M::model_of(capacity) } -> std::same_as<std::optional<device_model>>;
      { M::asks_devices(request) } -> std::same_as<bool>;
    };

/// The same of any model: one that does not tell has no devices that anybody asks for.
template <resource_model M>
[[nodiscard]] constexpr std::optional<device_model> model_of(const typename M::capacity_type& capacity) {
  if constexpr (model_with_makes<M>) return M::model_of(capacity);
  else return std::nullopt;
}
template <resource_model M>
[[nodiscard]] constexpr bool asks_devices(const typename M::request_type& request) {
  if constexpr (model_with_makes<M>) return M::asks_devices(request);
  else return false;
}

/// What is wrong with a grant the host gave. A model without `check_grant` takes every grant.
template <resource_model M>
[[nodiscard]] constexpr amount_fault check_grant(const typename M::grant_type& grant) {
  if constexpr (requires {
                  { M::check_grant(grant) } -> std::same_as<amount_fault>;
                })
    return M::check_grant(grant);
  else
    return amount_fault::none;
}

/// A model that answers exactly whether pods of several requests fit on one node together, in whatever order; with
/// `yes` it emits (index of the request, pods, their grant) until all pods are covered, and the grants can be charged.
template <class M>
concept hosting_model = resource_model<M> && requires(const typename M::state_type& state,
                                                      std::span<const typename M::request_type> requests,
                                                      std::span<const pod_count> counts) {
  { M::hosts(state, requests, counts, ignore_grants{}) } -> std::same_as<hosting>;
};

/// The same of any model. One without `hosts` is given the pods in the order of the requests and in the reverse; where
/// neither works the answer is `unknown`, and a refusal of unlike pods is then not proved.
template <resource_model M, class Emit>
[[nodiscard]] hosting hosts(const typename M::state_type& state, std::span<const typename M::request_type> requests,
                            std::span<const pod_count> counts, const Emit& emit) {
  if constexpr (hosting_model<M>) {
    return M::hosts(state, requests, counts, emit);
  } else {
    for (const bool backward : {false, true}) {
      const auto fill = [&](const auto& give) {
        typename M::state_type left = state;
        for (std::size_t k = 0; k < requests.size(); ++k) {
          const std::size_t i = backward ? requests.size() - 1 - k : k;
          for (pod_count rest = counts[i]; rest > 0;) {
            typename M::grant_type grant{};
            const pod_count here = M::allocate(left, requests[i], rest, grant);
            if (here == 0) return false;
            give(i, here, grant);
            rest -= here;
          }
        }
        return true;
      };
      if (!fill(ignore_grants{})) continue;
      (void)fill(emit);
      return hosting::yes;
    }
    return hosting::unknown;
  }
}

/// The same, and adds to `steps` what the answer took: at least 1. A model whose answer may take long can say so by a
/// `hosts` with this argument; a search then knows what it spends.
template <resource_model M, class Emit>
[[nodiscard]] hosting hosts(const typename M::state_type& state, std::span<const typename M::request_type> requests,
                            std::span<const pod_count> counts, const Emit& emit, std::uint64_t& steps) {
  ++steps;
  if constexpr (requires {
                  { M::hosts(state, requests, counts, emit, steps) } -> std::same_as<hosting>;
                })
    return M::hosts(state, requests, counts, emit, steps);
  else
    return hosts<M>(state, requests, counts, emit);
}

/// Whether a node of that capacity has everything a grant names. A model without `is_there` names nothing by itself.
/// What is not there is not charged.
template <resource_model M>
[[nodiscard]] constexpr bool is_there(const typename M::capacity_type& capacity, const typename M::grant_type& grant) {
  if constexpr (requires { { M::is_there(capacity, grant) } -> std::same_as<bool>; })
    return M::is_there(capacity, grant);
  else return true;
}

/// A request made ready to be counted on many nodes (exact reciprocals instead of divisions).
/// A model without `prepare` is asked with the request itself.
template <class M>
concept preparing_model = resource_model<M> && requires(const typename M::request_type& request,
                                                        const typename M::state_type& state, pod_count limit) {
  typename M::prepared_type;
  { M::prepare(request) } -> std::same_as<typename M::prepared_type>;
  { M::count_fitting(state, M::prepare(request), limit) } -> std::same_as<pod_count>;
};

template <resource_model M>
[[nodiscard]] constexpr auto prepare(const typename M::request_type& request) {
  if constexpr (preparing_model<M>)
    return M::prepare(request);
  else
    return request;
}

template <resource_model M>
using prepared = decltype(prepare<M>(std::declval<const typename M::request_type&>()));

}  // namespace muster::inline MUSTER_ABI

#endif
