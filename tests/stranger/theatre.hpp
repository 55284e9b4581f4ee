// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_STRANGER_THEATRE_HPP
#define MUSTER_TESTS_STRANGER_THEATRE_HPP

/// \file
/// A host that looks like no scheduler: theatres with seats of three colours. A party sits on chairs of one colour and
/// does not care which, but its members want to sit together, so a party takes chairs of the colour of which it finds
/// enough.
///
/// The resource model shows no dimensions, its grants do not follow from the request, and the node type has other names
/// for everything.

// clang-format off
#include "stranger/assert.hpp"  // before every header of muster
// clang-format on

#include <muster/core/hash.hpp>
#include <muster/node/node.hpp>
#include <muster/resource/model.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace stranger {

/// One visitor group of `chairs` people sits on chairs of one colour: the least of the colours that still has room.
struct seats_by_colour {
  struct capacity_type {
    std::array<int, 3> chairs{};
    bool operator==(const capacity_type&) const = default;
  };
  struct state_type {
    std::array<int, 3> unsold{};
    bool operator==(const state_type&) const = default;
  };
  struct request_type {
    int chairs = 1;
    bool not_red = false;
    bool operator==(const request_type&) const = default;
  };
  struct grant_type {
    std::array<int, 3> sold{};
    bool operator==(const grant_type&) const = default;
  };
  static constexpr bool grant_follows_from_request = false;

  static state_type empty_node(const capacity_type& house) { return {house.chairs}; }
  static bool fits(const state_type& left, const request_type& party) { return count_fitting(left, party, 1) == 1; }
  static muster::pod_count count_fitting(const state_type& left, const request_type& party, muster::pod_count limit) {
    if (party.chairs == 0) return limit;
    muster::pod_count count = 0;
    for (std::size_t c = party.not_red ? 1 : 0; c < 3; ++c)
      if (left.unsold[c] > 0) count += left.unsold[c] / party.chairs;
    return count < limit ? count : limit;
  }
  static muster::pod_count allocate(state_type& left, const request_type& party, muster::pod_count limit,
                                    grant_type& grant) {
    grant = {};
    if (limit <= 0) return 0;
    if (party.chairs == 0) return limit;
    std::size_t best = 3;
    for (std::size_t c = party.not_red ? 1 : 0; c < 3; ++c)
      if (left.unsold[c] >= party.chairs && (best == 3 || left.unsold[c] < left.unsold[best])) best = c;
    if (best == 3) return 0;
    const muster::pod_count room = left.unsold[best] / party.chairs;
    const muster::pod_count count = room < limit ? room : limit;
    grant.sold[best] = static_cast<int>(count) * party.chairs;
    charge(left, grant);
    return count;
  }
  static grant_type force(state_type& left, const request_type& party) {
    grant_type grant;
    if (allocate(left, party, 1, grant) == 1) return grant;
    grant.sold[2] = party.chairs;
    charge(left, grant);
    return grant;
  }
  static void charge(state_type& left, const grant_type& grant) {
    for (std::size_t c = 0; c < 3; ++c) left.unsold[c] -= grant.sold[c];
  }
  static void release(state_type& left, const grant_type& grant) {
    for (std::size_t c = 0; c < 3; ++c) left.unsold[c] += grant.sold[c];
  }
  static grant_type part(const grant_type& grant, const request_type& party, muster::pod_count) {
    grant_type one;
    for (std::size_t c = 0; c < 3; ++c)
      if (grant.sold[c] > 0) one.sold[c] = party.chairs;
    return one;
  }
  static bool may_charge(const state_type& left, const grant_type& grant) {
    for (std::size_t c = 0; c < 3; ++c)
      if (grant.sold[c] < 0 || (grant.sold[c] > 0 && grant.sold[c] > left.unsold[c])) return false;
    return true;
  }
  static bool covers(const state_type&, const grant_type& grant, const request_type& party, muster::pod_count count) {
    int colours = 0, sold = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      if (grant.sold[c] == 0) continue;
      ++colours;
      sold += grant.sold[c];
      if (c == 0 && party.not_red) return false;
    }
    return count >= 1 && colours == (party.chairs > 0 ? 1 : 0) && sold == party.chairs * count;
  }
  static muster::amount_fault check_capacity(const capacity_type& house) {
    for (const int chairs : house.chairs)
      if (chairs < 0) return muster::amount_fault::negative;
    return muster::amount_fault::none;
  }
  static muster::amount_fault check_request(const request_type& party) {
    return party.chairs < 0 ? muster::amount_fault::negative : muster::amount_fault::none;
  }
  static void add_to_hash(muster::hasher& hash, const capacity_type& house) {
    for (const int chairs : house.chairs) hash.add(chairs);
  }
  static void add_to_hash(muster::hasher& hash, const request_type& party) {
    hash.add(party.chairs).add(party.not_red);
  }
  static void add_to_hash(muster::hasher& hash, const grant_type& grant) {
    for (const int chairs : grant.sold) hash.add(chairs);
  }
};

/// The host's own machine, if that is the word.
struct theatre {
  std::string title;
  std::uint64_t licence;
  std::array<int, 3> rows;
  int city, street;
  bool open_air;
};

}  // namespace stranger

template <>
struct muster::node_traits<stranger::theatre> {
  static node_id id(const stranger::theatre& house) { return node_id{house.licence}; }
  static kind_id kind(const stranger::theatre& house) { return kind_id{house.open_air ? 4'000'000'000U : 17U}; }
  static stranger::seats_by_colour::capacity_type capacity(const stranger::theatre& house) { return {house.rows}; }
  static label_id label(const stranger::theatre& house, std::size_t level) {
    const int value = level == 0 ? house.city : house.street;
    return value < 0 ? no_label : label_id{static_cast<std::uint64_t>(value) << 40U};
  }
};

#endif
