// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_RESOURCE_DETAIL_DEVICE_HOSTING_HPP
#define MUSTER_RESOURCE_DETAIL_DEVICE_HOSTING_HPP

/// \file
/// Whether the devices of one node can host pods of several requests together, and which device each gets.
///
/// Which idle devices whole requests take does not matter to shares, so they are packed after each other. Whole ones
/// first: all of them into link groups, each pod into one, if that can be; else those that must be linked, and then the
/// others one by one onto what is idle still. Last the shares, onto the devices that are left.

#include <muster/core/amount.hpp>
#include <muster/core/bits.hpp>
#include <muster/core/config.hpp>
#include <muster/resource/detail/bins.hpp>
#include <muster/resource/model.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace muster::inline MUSTER_ABI::resource_detail {

/// Members of `among` in the link group of its lowest member.
template <class State>
[[nodiscard]] constexpr std::uint64_t linked(const State& state, std::uint64_t among) noexcept {
  const std::uint8_t group = state.link_group[lowest_member(among)];
  std::uint64_t members = 0;
  for (std::uint64_t rest = among; rest != 0; rest &= rest - 1)
    if (state.link_group[lowest_member(rest)] == group) members |= rest & -rest;
  return members;
}

/// Of `among` the link group with the fewest members, and of equal ones with the lowest number, that has `needed` of
/// them; none if no group has.
template <class State>
[[nodiscard]] constexpr std::uint64_t tightest_group(const State& state, std::uint64_t among,
                                                     pod_count needed) noexcept {
  std::uint64_t best = 0;
  for (std::uint64_t rest = among; rest != 0;) {
    const std::uint64_t group = linked(state, rest);
    rest &= ~group;
    if (count_bits(group) < needed) continue;
    const bool better = best == 0 || count_bits(group) < count_bits(best) ||
                        (count_bits(group) == count_bits(best) &&
                         state.link_group[lowest_member(group)] < state.link_group[lowest_member(best)]);
    if (better) best = group;
  }
  return best;
}

/// Of packing, that count as one step of a search.
inline constexpr std::uint64_t steps_at_once = 8;

/// Packs the requests that `which` names. \param steps what that took is added
template <class Bins, class Request, class Which>
[[nodiscard]] hosting pack_requests(Bins& bins, std::span<const Request> requests, std::span<const pod_count> counts,
                                    const Which& which, std::uint64_t& steps) {
  std::size_t sizes = 0;
  for (std::size_t i = 0; i < requests.size(); ++i)
    if (counts[i] > 0 && which(requests[i])) {
      if (sizes++ == Bins::most_sizes) return hosting::unknown;
      bins.add_items(requests[i].whole > 0 ? static_cast<std::int32_t>(requests[i].whole) : requests[i].share,
                     counts[i]);
    }
  const hosting answer = bins.pack();
  steps += bins.steps() / steps_at_once;
  return answer;
}

/// What lies where afterwards: visit(request, bin, pods).
template <class Bins, class Request, class Which, class Visit>
void for_each_packed(const Bins& bins, std::span<const Request> requests, std::span<const pod_count> counts,
                     const Which& which, const Visit& visit) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (counts[i] <= 0 || !which(requests[i])) continue;
    for (std::size_t b = 0; b < bins.bins(); ++b)
      if (const pod_count pods = bins.count(size, b); pods > 0) visit(i, b, pods);
    ++size;
  }
}

/// \see devices<M>::hosts
template <class Devices, class Emit>
[[nodiscard]] hosting host_on_devices(const typename Devices::state_type& state,
                                      std::span<const typename Devices::request_type> requests,
                                      std::span<const pod_count> counts, const Emit& emit, std::uint64_t& steps) {
  using mask = typename Devices::mask;
  using request = typename Devices::request_type;
  using grant = typename Devices::grant_type;
  constexpr std::size_t room = Devices::device_room;
  const auto whole_milli = std::int32_t{1000};
  const auto take_lowest = [](mask& from, pod_count count) {
    const mask taken = lowest_members(from, static_cast<std::uint32_t>(count));
    from &= ~taken;
    return taken;
  };
  const auto is_whole = [](const request& one) { return one.whole > 0; };
  const auto is_linked = [](const request& one) { return one.whole > 0 && one.one_link_group; };
  const auto is_share = [](const request& one) { return one.whole == 0 && one.share > 0; };

  mask idle = state.idle;
  pod_count whole = 0;
  bool any_linked = false, any_wide = false, any_share = false;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const request& one = requests[i];
    if (counts[i] <= 0 || (one.whole == 0 && one.share <= 0)) continue;
    if (one.model != decltype(one.model){} && one.model != state.model) return hosting::no;
    if (counts[i] > static_cast<pod_count>(room) * whole_milli) return hosting::no;
    whole += counts[i] * static_cast<pod_count>(one.whole);
    any_linked = any_linked || is_linked(one);
    any_wide = any_wide || one.whole > 1;
    any_share = any_share || is_share(one);
  }
  if (whole > count_bits(idle)) return hosting::no;
  for (std::size_t i = 0; i < requests.size(); ++i)
    if (counts[i] > 0 && requests[i].whole == 0 && requests[i].share <= 0) emit(i, counts[i], grant{});

  const auto pack_into_groups = [&](const auto& which) {
    bin_packing<room> groups;
    std::array<mask, room> members{};
    for (mask rest = idle; rest != 0;) {
      const mask group = members[groups.bins()] = linked(state, rest);
      rest &= ~group;
      groups.add_bin(static_cast<std::int32_t>(count_bits(group)));
    }
    const hosting answer = pack_requests(groups, requests, counts, which, steps);
    if (answer != hosting::yes) return answer;
    for_each_packed(groups, requests, counts, which, [&](std::size_t i, std::size_t group, pod_count pods) {
      const mask on = take_lowest(members[group], pods * static_cast<pod_count>(requests[i].whole));
      idle &= ~on;
      emit(i, pods, grant{on, whole_milli});
    });
    return answer;
  };
  const bool grouped = any_wide && linked(state, idle) != idle && pack_into_groups(is_whole) == hosting::yes;
  if (!grouped && any_linked)
    if (const hosting answer = pack_into_groups(is_linked); answer != hosting::yes) return answer;
  for (std::size_t i = 0; i < requests.size() && !grouped; ++i) {
    const auto each = static_cast<pod_count>(requests[i].whole);
    if (each == 0 || requests[i].one_link_group) continue;
    for (pod_count left = counts[i]; left > 0;) {
      mask from = each > 1 ? tightest_group(state, idle, each) : idle;
      if (from == 0) from = idle;
      const pod_count pods = std::min<pod_count>(left, count_bits(from) / each);
      const mask on = take_lowest(from, pods * each);
      idle &= ~on;
      emit(i, pods, grant{on, whole_milli});
      left -= pods;
    }
  }

  if (!any_share) return hosting::yes;
  bin_packing<room> open;
  std::array<std::size_t, room> device{};
  const mask taken = state.idle & ~idle;
  for (mask rest = state.well & ~taken; rest != 0; rest &= rest - 1) {
    device[open.bins()] = lowest_member(rest);
    open.add_bin(state.left[lowest_member(rest)]);
  }
  const hosting answer = pack_requests(open, requests, counts, is_share, steps);
  if (answer == hosting::yes)
    for_each_packed(open, requests, counts, is_share, [&](std::size_t i, std::size_t bin, pod_count pods) {
      emit(i, pods, grant{mask{1} << device[bin], static_cast<std::int32_t>(pods) * requests[i].share});
    });
  return answer;
}

}  // namespace muster::inline MUSTER_ABI::resource_detail

#endif
