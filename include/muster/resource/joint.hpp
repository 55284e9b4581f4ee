// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_RESOURCE_JOINT_HPP
#define MUSTER_RESOURCE_JOINT_HPP

/// \file
/// Two resource models side by side on every node, e.g. `joint<devices<8>, resource_vector<2>>` for GPUs, CPU and
/// memory.
///
/// The parts do not influence each other, so alike pods fit jointly exactly min(first, second) times. The first part's
/// dimensions come first; its dimension 0 leads. Where both parts have devices, health, device models and
/// what is too small are those of the first.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/hash.hpp>
#include <muster/core/storage.hpp>
#include <muster/resource/model.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace muster::inline MUSTER_ABI {

template <resource_model A, resource_model B>
struct joint {
  template <class First, class Second>
  struct both {
    First first{};
    Second second{};
    bool operator==(const both&) const = default;
  };

  using capacity_type = both<typename A::capacity_type, typename B::capacity_type>;
  using state_type = both<typename A::state_type, typename B::state_type>;
  using request_type = both<typename A::request_type, typename B::request_type>;
  struct prepared_type {  // a type of its own: neither part may need preparing
    prepared<A> first{};
    prepared<B> second{};
  };

  /// The two grants cover the same pods.
  using grant_type = both<typename A::grant_type, typename B::grant_type>;

  static constexpr bool grant_follows_from_request = A::grant_follows_from_request && B::grant_follows_from_request;
  static constexpr bool dimensions_decide = [] {
    if constexpr (dimensional_model<A> && dimensional_model<B>)
      return A::dimensions_decide && B::dimensions_decide;
    else
      return false;
  }();
  static constexpr std::size_t dimensions = dimensions_of<A> + dimensions_of<B>;

  [[nodiscard]] static constexpr state_type empty_node(const capacity_type& capacity) {
    return {A::empty_node(capacity.first), B::empty_node(capacity.second)};
  }
  [[nodiscard]] static constexpr bool fits(const state_type& state, const request_type& request) {
    if constexpr (second_is_cheaper)
      return B::fits(state.second, request.second) && A::fits(state.first, request.first);
    else
      return A::fits(state.first, request.first) && B::fits(state.second, request.second);
  }
  [[nodiscard]] static constexpr prepared_type prepare(const request_type& request) {
    return {muster::prepare<A>(request.first), muster::prepare<B>(request.second)};
  }
  [[nodiscard]] static constexpr pod_count count_fitting(const state_type& state, const request_type& request,
                                                         pod_count limit) {
    const pod_count count = A::count_fitting(state.first, request.first, limit);
    return count == 0 ? 0 : B::count_fitting(state.second, request.second, count);
  }
  [[nodiscard]] static constexpr pod_count count_fitting(const state_type& state, const prepared_type& ready,
                                                         pod_count limit) {
    if constexpr (second_is_cheaper) {
      const pod_count count = B::count_fitting(state.second, ready.second, limit);
      return count == 0 ? 0 : A::count_fitting(state.first, ready.first, count);
    } else {
      const pod_count count = A::count_fitting(state.first, ready.first, limit);
      return count == 0 ? 0 : B::count_fitting(state.second, ready.second, count);
    }
  }

  [[nodiscard]] static constexpr pod_count allocate(state_type& state, const request_type& request, pod_count limit,
                                                    grant_type& grant) {
    // Where one part's grant covers fewer pods, both are taken again, as narrow; one pod always fits.
    for (pod_count wanted = count_fitting(state, request, limit); wanted > 0;) {
      const pod_count first = A::allocate(state.first, request.first, wanted, grant.first);
      const pod_count second = B::allocate(state.second, request.second, first, grant.second);
      if (second == first) return first;
      A::release(state.first, grant.first);
      B::release(state.second, grant.second);
      wanted = second;
    }
    return 0;
  }

  /// The parts choose apart from each other; pods of one request are paired in the order in which they are emitted.
  template <class Emit>
  [[nodiscard]] static hosting hosts(const state_type& state, std::span<const request_type> requests,
                                     std::span<const pod_count> counts, const Emit& emit) {
    std::uint64_t ignored = 0;
    return hosts(state, requests, counts, emit, ignored);
  }
  /// \param steps what both parts took is added
  template <class Emit>
  [[nodiscard]] static hosting hosts(const state_type& state, std::span<const request_type> requests,
                                     std::span<const pod_count> counts, const Emit& emit, std::uint64_t& steps) {
    short_list<typename A::request_type, 64> first;
    short_list<typename B::request_type, 64> second;
    for (const request_type& one : requests) {
      first.push_back(one.first);
      second.push_back(one.second);
    }
    short_list<piece<A>, 64> of_first;
    short_list<piece<B>, 64> of_second;
    const hosting answer =
        muster::hosts<A>(state.first, std::span<const typename A::request_type>{first.data(), first.size()}, counts,
                         gather(of_first), steps);
    if (answer == hosting::no) return answer;
    const hosting other =
        muster::hosts<B>(state.second, std::span<const typename B::request_type>{second.data(), second.size()}, counts,
                         gather(of_second), steps);
    if (answer != hosting::yes || other != hosting::yes) return other == hosting::no ? other : hosting::unknown;
    if constexpr (!std::same_as<Emit, ignore_grants>) pair_up(requests, of_first, of_second, emit);
    return hosting::yes;
  }

  [[nodiscard]] static constexpr grant_type force(state_type& state, const request_type& request) {
    return {A::force(state.first, request.first), B::force(state.second, request.second)};
  }
  static constexpr void charge(state_type& state, const grant_type& grant) {
    A::charge(state.first, grant.first);
    B::charge(state.second, grant.second);
  }
  static constexpr void release(state_type& state, const grant_type& grant) {
    A::release(state.first, grant.first);
    B::release(state.second, grant.second);
  }
  [[nodiscard]] static constexpr grant_type part(const grant_type& grant, const request_type& request,
                                                 pod_count index) {
    return {A::part(grant.first, request.first, index), B::part(grant.second, request.second, index)};
  }

  [[nodiscard]] static constexpr bool may_charge(const state_type& state, const grant_type& grant) {
    return A::may_charge(state.first, grant.first) && B::may_charge(state.second, grant.second);
  }
  [[nodiscard]] static constexpr bool covers(const state_type& state, const grant_type& grant,
                                             const request_type& request, pod_count count) {
    return A::covers(state.first, grant.first, request.first, count) &&
           B::covers(state.second, grant.second, request.second, count);
  }

  static constexpr std::size_t device_room = [] {
    if constexpr (model_with_devices<A>)
      return A::device_room;
    else if constexpr (model_with_devices<B>)
      return B::device_room;
    else
      return std::size_t{0};
  }();
  static constexpr void set_health(state_type& state, std::uint32_t device, bool healthy)
    requires(model_with_devices<A> || model_with_devices<B>)
  {
    if constexpr (model_with_devices<A>)
      A::set_health(state.first, device, healthy);
    else
      B::set_health(state.second, device, healthy);
  }

  [[nodiscard]] static constexpr amount milli_too_small(const state_type& state, const request_type& request)
    requires(model_with_shares<A> || (!model_with_devices<A> && model_with_shares<B>))
  {
    if constexpr (model_with_shares<A>)
      return A::milli_too_small(state.first, request.first);
    else
      return B::milli_too_small(state.second, request.second);
  }

  [[nodiscard]] static constexpr std::optional<device_model> model_of(const capacity_type& capacity)
    requires(model_with_makes<A> || model_with_makes<B>)
  {
    if constexpr (model_with_makes<A>)
      return A::model_of(capacity.first);
    else
      return B::model_of(capacity.second);
  }
  [[nodiscard]] static constexpr bool asks_devices(const request_type& request)
    requires(model_with_makes<A> || model_with_makes<B>)
  {
    if constexpr (model_with_makes<A>)
      return A::asks_devices(request.first);
    else
      return B::asks_devices(request.second);
  }

  [[nodiscard]] static constexpr amount_fault check_capacity(const capacity_type& capacity) {
    const amount_fault fault = A::check_capacity(capacity.first);
    return fault != amount_fault::none ? fault : B::check_capacity(capacity.second);
  }
  [[nodiscard]] static constexpr amount_fault check_request(const request_type& request) {
    const amount_fault fault = A::check_request(request.first);
    return fault != amount_fault::none ? fault : B::check_request(request.second);
  }
  [[nodiscard]] static constexpr amount_fault check_grant(const grant_type& grant) {
    const amount_fault fault = muster::check_grant<A>(grant.first);
    return fault != amount_fault::none ? fault : muster::check_grant<B>(grant.second);
  }
  [[nodiscard]] static constexpr bool is_there(const capacity_type& capacity, const grant_type& grant) {
    return muster::is_there<A>(capacity.first, grant.first) && muster::is_there<B>(capacity.second, grant.second);
  }

  /// A capacity, a request or a grant: for two vectors these are one type.
  template <class Both>
  static constexpr void add_to_hash(hasher& hash, const Both& value) {
    A::add_to_hash(hash, value.first);
    B::add_to_hash(hash, value.second);
  }

  [[nodiscard]] static constexpr amount amount_left(const state_type& state, std::size_t d) {
    if constexpr (dimensions_of<A> > 0)
      if (d < dimensions_of<A>) return A::amount_left(state.first, d);
    if constexpr (dimensions_of<B> > 0) return B::amount_left(state.second, d - dimensions_of<A>);
    return 0;
  }
  [[nodiscard]] static constexpr amount amount_needed(const request_type& request, std::size_t d) {
    if constexpr (dimensions_of<A> > 0)
      if (d < dimensions_of<A>) return A::amount_needed(request.first, d);
    if constexpr (dimensions_of<B> > 0) return B::amount_needed(request.second, d - dimensions_of<A>);
    return 0;
  }
  [[nodiscard]] static constexpr bool adds_up(std::size_t d) noexcept {
    if constexpr (dimensions_of<A> > 0)
      if (d < dimensions_of<A>) return A::adds_up(d);
    if constexpr (dimensions_of<B> > 0) return B::adds_up(d - dimensions_of<A>);
    return false;
  }

 private:
  /// Amounts alone are compared faster than devices are searched.
  static constexpr bool second_is_cheaper = [] {
    if constexpr (dimensional_model<A> && dimensional_model<B>) return B::dimensions_decide && !A::dimensions_decide;
    else return false;
  }();

  /// Pods of one request that one part gave a grant together.
  template <class Part>
  struct piece {
    std::size_t request = 0;
    pod_count pods = 0, used = 0;
    typename Part::grant_type grant{};
  };
  template <class Pieces>
  [[nodiscard]] static auto gather(Pieces& to) {
    return [&to](std::size_t request, pod_count pods, const auto& grant) { to.push_back({request, pods, 0, grant}); };
  }
  template <class Firsts, class Seconds, class Emit>
  static void pair_up(std::span<const request_type> requests, Firsts& firsts, Seconds& seconds, const Emit& emit) {
    for (auto& one : firsts)
      for (auto& other : seconds) {
        if (one.request != other.request) continue;
        const request_type& request = requests[one.request];
        if (one.used == 0 && other.used == 0 && one.pods == other.pods) {
          emit(one.request, one.pods, grant_type{one.grant, other.grant});
          one.used = other.used = one.pods;
        }
        for (; one.used < one.pods && other.used < other.pods; ++one.used, ++other.used)
          emit(one.request, pod_count{1},
               grant_type{A::part(one.grant, request.first, one.used),
                          B::part(other.grant, request.second, other.used)});
      }
  }
};

}  // namespace muster::inline MUSTER_ABI

#endif
