// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_RESOURCE_DEVICES_HPP
#define MUSTER_RESOURCE_DEVICES_HPP

/// \file
/// Up to M single devices (GPUs) on a node: a pod takes whole idle ones, or a share in milli-units of one.
///
/// Terms. A device is *idle* when all its 1000 milli are left and it is well. A *share* lies on one device. The
/// *model* of a node's devices and the *link group* of each device are part of the capacity; a request may demand a
/// model, and that all its devices lie in one link group.
///
/// Rules.
/// - Whole devices: the lowest-numbered idle ones of one link group, which is the one with the fewest idle devices that
///   suffices (ties: the lowest group number). Where no group does, `one_link_group` refuses, and the pod else gets the
///   lowest-numbered idle devices of all, as pods of a single device always do.
/// - A share: the device with the least left that still holds it (ties: the lowest number).
/// - A sick device takes no new pod; what runs there keeps its grant.
/// - A device the node does not have holds nothing, whatever grant names it.
///
/// `count_fitting` is exact for alike pods: idle / k for whole devices (summed over link groups where one is
/// demanded), and the sum over devices of left / share. For *unlike* shares the choice of devices is a packing
/// problem: `hosts` solves it exactly for one node, `allocate` answers one request at a time. `hosts` gives every pod
/// the devices of one link group if there is a way to; else it gives what demands it that, and the others after them.
/// Dimensions shown: 0 idle devices (what whole requests need), 1 the most left on one well device (what shares need).

#include <muster/core/amount.hpp>
#include <muster/core/bits.hpp>
#include <muster/core/config.hpp>
#include <muster/core/hash.hpp>
#include <muster/resource/detail/device_hosting.hpp>
#include <muster/resource/model.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace muster::inline MUSTER_ABI {

inline constexpr std::int32_t whole_device = 1000;  ///< milli-units of one device

template <std::size_t M>
struct devices {
  static_assert(M >= 1 && M <= 64, "a node holds 1 to 64 devices");

  using mask = std::uint64_t;

  struct capacity_type {
    std::uint32_t count = 0;  ///< devices 0 .. count-1 exist
    device_model model = any_model;
    std::array<std::uint8_t, M> link_group{};  ///< devices with equal numbers are linked
    bool operator==(const capacity_type&) const = default;
  };

  struct state_type {
    std::array<std::int32_t, M> left{};  ///< milli left on each device; negative if overcommitted
    mask idle = 0;                       ///< devices that are well and wholly left
    mask well = 0;                       ///< devices that exist and are not sick
    device_model model = any_model;
    std::array<std::uint8_t, M> link_group{};
    std::uint8_t count = 0;                         ///< devices 0 .. count-1 exist
    bool operator==(const state_type&) const = default;
  };

  struct request_type {
    std::uint32_t whole = 0;  ///< this many whole devices ...
    std::int32_t share = 0;   ///< ... or this many milli of one device (then whole is 0)
    device_model model = any_model;
    bool one_link_group = false;
    bool operator==(const request_type&) const = default;
  };

  /// Devices and what was taken from each: whole ones in a mask, or a number of milli on one device.
  struct grant_type {
    mask on = 0;
    std::int32_t milli = 0;
    bool operator==(const grant_type&) const = default;
  };

  static constexpr std::size_t dimensions = 2;
  static constexpr std::size_t device_room = M;
  static constexpr bool dimensions_decide = false;
  static constexpr bool grant_follows_from_request = false;

  [[nodiscard]] static constexpr state_type empty_node(const capacity_type& capacity) noexcept {
    state_type state;
    state.count = static_cast<std::uint8_t>(capacity.count < M ? capacity.count : M);
    for (std::size_t d = 0; d < state.count; ++d) state.left[d] = whole_device;
    state.idle = state.well = first_numbers(state.count);
    state.model = capacity.model;
    state.link_group = capacity.link_group;
    return state;
  }

  [[nodiscard]] static constexpr std::optional<device_model> model_of(const capacity_type& capacity) noexcept {
    return capacity.count > 0 ? std::optional{capacity.model} : std::nullopt;
  }
  [[nodiscard]] static constexpr bool asks_devices(const request_type& request) noexcept {
    return request.whole > 0 || request.share > 0;
  }

  [[nodiscard]] static constexpr bool fits(const state_type& state, const request_type& request) noexcept {
    return count_fitting(state, request, 1) == 1;
  }

  /// A request, and the reciprocal of what it asks in 2^-20: exact up to 1000. Who asks more gets nothing.
  struct prepared_type {
    request_type request;
    std::uint32_t reciprocal = 0;
  };
  [[nodiscard]] static constexpr prepared_type prepare(const request_type& request) noexcept {
    const std::uint32_t by = request.whole > 0 ? request.whole : static_cast<std::uint32_t>(request.share);
    return {request, by > 0 && by <= whole_device ? ((1U << 20U) + by - 1) / by : 0};
  }
  [[nodiscard]] static constexpr pod_count count_fitting(const state_type& state, const prepared_type& ready,
                                                         pod_count limit) noexcept {
    const auto quotient = [&](std::uint32_t x) { return x * ready.reciprocal >> 20U; };
    const request_type& request = ready.request;
    if (request.whole == 0 && request.share <= 0) return limit;
    if (request.model != any_model && request.model != state.model) return 0;
    std::uint32_t count = 0;
    if (request.whole == 0) {
      for (mask rest = state.well; rest != 0; rest &= rest - 1)
        if (const std::int32_t left = state.left[lowest_member(rest)]; left >= request.share)
          count += quotient(static_cast<std::uint32_t>(left));
    } else if (!request.one_link_group) {
      count = quotient(count_bits(state.idle));
    } else {
      for (mask rest = state.idle; rest != 0;) {
        const mask group = resource_detail::linked(state, rest);
        count += quotient(count_bits(group));
        rest &= ~group;
      }
    }
    return count < limit ? static_cast<pod_count>(count) : limit;
  }
  [[nodiscard]] static constexpr pod_count count_fitting(const state_type& state, const request_type& request,
                                                         pod_count limit) noexcept {
    return count_fitting(state, prepare(request), limit);
  }

  [[nodiscard]] static constexpr pod_count allocate(state_type& state, const request_type& request, pod_count limit,
                                                    grant_type& grant) noexcept {
    grant = {};
    if (limit <= 0) return 0;
    if (request.whole == 0 && request.share <= 0) return limit;
    if (request.model != any_model && request.model != state.model) return 0;
    return request.whole > 0 ? allocate_whole(state, request, limit, grant)
                             : allocate_share(state, request, limit, grant);
  }

  /// Exact for any mix of requests; `unknown` only where packing one node is too hard. \param steps adds what it took
  template <class Emit>
  [[nodiscard]] static hosting hosts(const state_type& state, std::span<const request_type> requests,
                                     std::span<const pod_count> counts, const Emit& emit) {
    std::uint64_t ignored = 0;
    return hosts(state, requests, counts, emit, ignored);
  }
  template <class Emit>
  [[nodiscard]] static hosting hosts(const state_type& state, std::span<const request_type> requests,
                                     std::span<const pod_count> counts, const Emit& emit, std::uint64_t& steps) {
    return resource_detail::host_on_devices<devices>(state, requests, counts, emit, steps);
  }

  /// A grant for a pod that is there: as `allocate` where it fits, else overcommitting the devices with the most left.
  [[nodiscard]] static constexpr grant_type force(state_type& state, const request_type& request) noexcept {
    grant_type grant;
    if (allocate(state, request, 1, grant) == 1) return grant;
    grant = {0, request.whole > 0 ? whole_device : request.share};
    const std::uint32_t wanted = request.whole > 0 ? request.whole : 1;
    for (std::uint32_t taken = 0; taken < wanted; ++taken) {
      std::size_t best = M;
      const mask well = state.well & ~grant.on;  // a sick device only where no other is left
      for (std::size_t d = 0; d < state.count; ++d)
        if ((grant.on & bit(d)) == 0 && (well == 0 || (well & bit(d)) != 0) &&
            (best == M || state.left[d] > state.left[best]))
          best = d;
      if (best == M) break;
      grant.on |= bit(best);
    }
    charge(state, grant);
    return grant;
  }

  static constexpr void charge(state_type& state, const grant_type& grant) noexcept {
    for (mask rest = grant.on & first_numbers(state.count); rest != 0; rest &= rest - 1)
      state.left[lowest_member(rest)] -= grant.milli;
    if (grant.milli > 0) state.idle &= ~grant.on;
  }

  static constexpr void release(state_type& state, const grant_type& grant) noexcept {
    for (mask rest = grant.on & first_numbers(state.count); rest != 0; rest &= rest - 1) {
      const std::size_t d = lowest_member(rest);
      state.left[d] += grant.milli;
      if (state.left[d] == whole_device) state.idle |= bit(d) & state.well;
    }
  }

  [[nodiscard]] static constexpr grant_type part(const grant_type& grant, const request_type& request,
                                                 pod_count index) noexcept {
    if (request.whole == 0) return {grant.on, request.share};
    const mask earlier = lowest_members(grant.on, static_cast<std::uint32_t>(index) * request.whole);
    return {lowest_members(grant.on & ~earlier, request.whole), whole_device};
  }

  /// Every device is well and has that much left; a whole one is then idle.
  [[nodiscard]] static constexpr bool may_charge(const state_type& state, const grant_type& grant) noexcept {
    if (grant.milli < 0 || (grant.on & ~state.well) != 0) return false;
    for (mask rest = grant.on; rest != 0; rest &= rest - 1)
      if (state.left[lowest_member(rest)] < grant.milli) return false;
    return true;
  }

  /// Make and link groups are read off the state. Pods on whole devices get their parts in the order of `part`.
  [[nodiscard]] static constexpr bool covers(const state_type& state, const grant_type& grant,
                                             const request_type& request, pod_count count) noexcept {
    if (count < 1) return false;
    if (request.whole == 0 && request.share <= 0) return grant == grant_type{};
    if (request.model != any_model && request.model != state.model) return false;
    const pod_count on = count_bits(grant.on);
    if (request.whole == 0) return on == 1 && count <= whole_device && grant.milli == request.share * count;
    const auto each = static_cast<pod_count>(request.whole);
    if (grant.milli != whole_device || on % each != 0 || on / each != count) return false;
    for (pod_count i = 0; request.one_link_group && i < count; ++i) {
      const mask own = part(grant, request, i).on;
      if (resource_detail::linked(state, own) != own) return false;
    }
    return true;
  }

  /// What is left on well devices that have too little for a device of the request; on all, if it asks for none.
  [[nodiscard]] static constexpr amount milli_too_small(const state_type& state, const request_type& request) noexcept {
    const std::int32_t needed = request.whole > 0 ? whole_device : request.share > 0 ? request.share : whole_device + 1;
    amount sum = 0;
    for (mask rest = state.well; rest != 0; rest &= rest - 1)
      if (const std::int32_t left = state.left[lowest_member(rest)]; left > 0 && left < needed) sum += left;
    return sum;
  }

  static constexpr void set_health(state_type& state, std::uint32_t device, bool healthy) noexcept {
    if (device >= state.count) return;
    const bool idle = healthy && state.left[device] == whole_device;
    state.well = healthy ? state.well | bit(device) : state.well & ~bit(device);
    state.idle = idle ? state.idle | bit(device) : state.idle & ~bit(device);
  }

  [[nodiscard]] static constexpr amount_fault check_capacity(const capacity_type& capacity) noexcept {
    return capacity.count > M ? amount_fault::too_many_devices : amount_fault::none;
  }

  [[nodiscard]] static constexpr amount_fault check_request(const request_type& request) noexcept {
    if (request.whole > M) return amount_fault::too_many_devices;
    if (request.share < 0) return amount_fault::negative;
    if (request.whole > 0 && request.share > 0) return amount_fault::mixed_request;
    return request.share > whole_device ? amount_fault::not_a_share : amount_fault::none;
  }

  [[nodiscard]] static constexpr amount_fault check_grant(const grant_type& grant) noexcept {
    if (M < 64 && (grant.on >> (M % 64)) != 0) return amount_fault::too_many_devices;
    if (grant.milli < 0) return amount_fault::negative;
    return grant.milli > whole_device ? amount_fault::not_a_share : amount_fault::none;
  }
  [[nodiscard]] static constexpr bool is_there(const capacity_type& capacity, const grant_type& grant) noexcept {
    return (grant.on & ~first_numbers(capacity.count)) == 0;
  }

  static constexpr void add_to_hash(hasher& hash, const capacity_type& capacity) noexcept {
    hash.add(capacity.count).add(static_cast<std::uint32_t>(capacity.model));
    for (const std::uint8_t group : capacity.link_group) hash.add(group);
  }
  static constexpr void add_to_hash(hasher& hash, const request_type& request) noexcept {
    hash.add(request.whole).add(request.share);
    hash.add(static_cast<std::uint32_t>(request.model)).add(request.one_link_group);
  }
  static constexpr void add_to_hash(hasher& hash, const grant_type& grant) noexcept {
    hash.add(grant.on).add(grant.milli);
  }

  [[nodiscard]] static constexpr amount amount_left(const state_type& state, std::size_t dimension) noexcept {
    if (dimension == 0) return count_bits(state.idle);
    amount most = 0;
    if (state.idle != 0) return whole_device;
    for (mask rest = state.well; rest != 0; rest &= rest - 1)
      if (state.left[lowest_member(rest)] > most) most = state.left[lowest_member(rest)];
    return most;
  }

  [[nodiscard]] static constexpr amount amount_needed(const request_type& request, std::size_t dimension) noexcept {
    if (dimension == 0) return static_cast<amount>(request.whole);
    return request.whole > 0 ? whole_device : request.share;
  }
  [[nodiscard]] static constexpr bool adds_up(std::size_t dimension) noexcept { return dimension == 0; }
  [[nodiscard]] static constexpr bool leading_decides(const request_type& request) noexcept {
    return request.whole > 0 && request.model == any_model && !request.one_link_group;
  }

 private:
  [[nodiscard]] static constexpr mask bit(std::size_t device) noexcept { return mask{1} << device; }

  [[nodiscard]] static constexpr pod_count allocate_whole(state_type& state, const request_type& request,
                                                          pod_count limit, grant_type& grant) noexcept {
    const auto each = static_cast<pod_count>(request.whole);
    mask from = state.idle;
    if (request.one_link_group || (each > 1 && count_bits(from) > each)) {
      const mask group = resource_detail::tightest_group(state, from, each);
      if (group == 0 && request.one_link_group) return 0;
      if (group != 0) from = group;
    }
    const pod_count most = count_bits(from) / each, count = most < limit ? most : limit;
    if (count <= 0) return 0;
    grant = {lowest_members(from, static_cast<std::uint32_t>(count * each)), whole_device};
    charge(state, grant);
    return count;
  }

  [[nodiscard]] static constexpr pod_count allocate_share(state_type& state, const request_type& request,
                                                          pod_count limit, grant_type& grant) noexcept {
    std::size_t best = M;
    for (mask rest = state.well; rest != 0; rest &= rest - 1) {
      const std::size_t d = lowest_member(rest);
      if (state.left[d] >= request.share && (best == M || state.left[d] < state.left[best])) best = d;
    }
    if (best == M) return 0;
    const pod_count most = state.left[best] / request.share, count = most < limit ? most : limit;
    grant = {bit(best), static_cast<std::int32_t>(count) * request.share};
    charge(state, grant);
    return count;
  }
};

}  // namespace muster::inline MUSTER_ABI

#endif
