// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_PROPERTY_PLACEMENT_AMOUNTS_HPP
#define MUSTER_TESTS_PROPERTY_PLACEMENT_AMOUNTS_HPP

/// \file
/// Small random amounts of a model, every grant a pod could be given, and whether a grant is what pods ask: the part of
/// the placement properties that knows what is counted. Nothing here asks the model how it would choose.

#include <muster/resource/devices.hpp>
#include <muster/resource/joint.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/generator.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>

namespace placement_property {

using muster::pod_count;
using muster_test::generator;

template <class M>
struct small_amounts;

template <std::size_t N>
struct small_amounts<muster::resource_vector<N>> {
  using model = muster::resource_vector<N>;
  using amounts = typename model::amounts;

  static amounts capacity(generator& rng) {
    amounts all{};
    for (std::size_t d = 0; d < N; ++d) all[d] = rng.chance(10) ? 0 : rng.between(1, d == 0 ? 4 : 9);
    return all;
  }
  static amounts request(generator& rng) {
    amounts one{};
    for (std::size_t d = 0; d < N; ++d) one[d] = rng.between(d == 0 && rng.chance(80) ? 1 : 0, d == 0 ? 2 : 4);
    return one;
  }
  static bool asks_devices(const amounts&) { return false; }
  static int make_of(const amounts&) { return -1; }
  static void rename_makes(amounts&) {}
  /// The same amounts in units of which it takes `by` for one.
  static void scale(amounts& values, muster::amount by) {
    for (auto& a : values) a *= by;
  }
  static void ask_no_devices(amounts&) {}
  static std::string text(const amounts& values) {
    std::string all;
    for (const auto a : values) all += (all.empty() ? "" : " ") + std::to_string(a);
    return all;
  }
  /// Calls `take(grant)` for every way to give one pod room on the node; stops and answers true once it does.
  template <class Take>
  static bool any_grant(const amounts& left, const amounts& request, Take&& take) {
    for (std::size_t d = 0; d < N; ++d)
      if (request[d] > 0 && request[d] > left[d]) return false;
    return take(request);
  }
  /// Takes the grant of `count` pods if it is one; false if it is not.
  static bool take(amounts& left, const amounts& request, pod_count count, const amounts& grant) {
    for (std::size_t d = 0; d < N; ++d) {
      if (grant[d] != request[d] * count) return false;
      if (grant[d] > 0 && grant[d] > left[d]) return false;
      left[d] -= grant[d];
    }
    return true;
  }
};

template <std::size_t K>
struct small_amounts<muster::devices<K>> {
  using model = muster::devices<K>;
  using state = typename model::state_type;
  using request_type = typename model::request_type;
  using grant_type = typename model::grant_type;

  static typename model::capacity_type capacity(generator& rng) {
    typename model::capacity_type all;
    all.count = static_cast<std::uint32_t>(rng.chance(60) ? K : rng.below(K + 1));
    all.model = muster::device_model{static_cast<std::uint32_t>(rng.between(1, 2))};
    for (auto& group : all.link_group) group = static_cast<std::uint8_t>(rng.below(2));
    return all;
  }
  static request_type request(generator& rng) {
    static constexpr std::int32_t shares[] = {250, 300, 500, 700, 1000};
    request_type one;
    if (rng.chance(40))
      one.share = rng.pick(shares);
    else
      one.whole = static_cast<std::uint32_t>(rng.between(rng.chance(90) ? 1 : 0, rng.chance(70) ? 2 : 3));
    if (rng.chance(25)) one.model = muster::device_model{static_cast<std::uint32_t>(rng.between(1, 2))};
    one.one_link_group = rng.chance(15);
    return one;
  }
  static bool asks_devices(const request_type& one) { return one.whole != 0 || one.share != 0; }
  static void ask_no_devices(request_type& one) { one.whole = 0, one.share = 0; }
  /// The make of a node's devices; -1: none.
  static int make_of(const typename model::capacity_type& all) {
    return all.count == 0 ? -1 : static_cast<int>(all.model);
  }
  /// Devices and milli-units have no other units.
  template <class Made>
  static void scale(Made&, muster::amount) {}
  /// Another number for every make.
  template <class Made>
  static void rename_makes(Made& made) {
    constexpr std::uint32_t other[] = {0, 7, 3};
    made.model = muster::device_model{other[static_cast<std::size_t>(made.model)]};
  }
  static std::string text(const typename model::capacity_type& all) {
    std::string line =
        std::to_string(all.count) + " of model " + std::to_string(static_cast<unsigned>(all.model)) + " linked";
    for (const auto group : all.link_group) line += " " + std::to_string(group);
    return line;
  }
  static std::string text(const request_type& one) {
    return std::to_string(one.whole) + " whole, share " + std::to_string(one.share) + ", model " +
           std::to_string(static_cast<unsigned>(one.model)) + (one.one_link_group ? ", linked" : "");
  }
  static std::string text(const grant_type& grant) {
    return std::to_string(grant.milli) + " on mask " + std::to_string(grant.on);
  }
  template <class Take>
  static bool any_grant(const state& left, const request_type& request, Take&& take) {
    if (request.whole == 0 && request.share == 0) return take(grant_type{});
    if (request.model != muster::any_model && request.model != left.model) return false;
    for (std::uint64_t on = 1; on < (std::uint64_t{1} << K); ++on) {
      if (std::popcount(on) != static_cast<int>(request.whole > 0 ? request.whole : 1)) continue;
      const grant_type grant{on, request.whole > 0 ? muster::whole_device : request.share};
      if (is_one_pods(left, request, grant) && take(grant)) return true;
    }
    return false;
  }
  static bool take(state& left, const request_type& request, pod_count count, const grant_type& grant) {
    if (request.whole == 0 && request.share == 0) return grant == grant_type{};
    if (request.model != muster::any_model && request.model != left.model) return false;
    if (request.whole > 0) {
      if (std::popcount(grant.on) != static_cast<int>(request.whole) * static_cast<int>(count)) return false;
      if (grant.milli != muster::whole_device) return false;
      for (pod_count i = 0; i < count; ++i)
        if (!is_one_pods(left, request, model::part(grant, request, i))) return false;
    } else {
      if (std::popcount(grant.on) != 1 || grant.milli != request.share * static_cast<std::int32_t>(count)) return false;
      const auto d = static_cast<std::size_t>(std::countr_zero(grant.on));
      if ((left.well & grant.on) == 0 || left.left[d] < grant.milli) return false;
    }
    model::charge(left, grant);
    return true;
  }

 private:
  static bool is_one_pods(const state& left, const request_type& request, const grant_type& grant) {
    int group = -1;
    for (std::size_t d = 0; d < K; ++d) {
      if ((grant.on >> d & 1U) == 0) continue;
      if ((left.well >> d & 1U) == 0 || left.left[d] < grant.milli) return false;
      if (request.one_link_group && request.whole > 0 && group >= 0 && group != left.link_group[d]) return false;
      group = left.link_group[d];
    }
    return true;
  }
};

template <class A, class B>
struct small_amounts<muster::joint<A, B>> {
  using model = muster::joint<A, B>;
  using state = typename model::state_type;
  using request_type = typename model::request_type;
  using grant_type = typename model::grant_type;

  static typename model::capacity_type capacity(generator& rng) {
    return {small_amounts<A>::capacity(rng), small_amounts<B>::capacity(rng)};
  }
  static request_type request(generator& rng) {
    return {small_amounts<A>::request(rng), small_amounts<B>::request(rng)};
  }
  static bool asks_devices(const request_type& one) {
    return small_amounts<A>::asks_devices(one.first) || small_amounts<B>::asks_devices(one.second);
  }
  static int make_of(const typename model::capacity_type& all) {
    return std::max(small_amounts<A>::make_of(all.first), small_amounts<B>::make_of(all.second));
  }
  static void ask_no_devices(request_type& one) {
    small_amounts<A>::ask_no_devices(one.first);
    small_amounts<B>::ask_no_devices(one.second);
  }
  template <class Both>
  static void scale(Both& both, muster::amount by) {
    small_amounts<A>::scale(both.first, by);
    small_amounts<B>::scale(both.second, by);
  }
  template <class Both>
  static void rename_makes(Both& both) {
    small_amounts<A>::rename_makes(both.first);
    small_amounts<B>::rename_makes(both.second);
  }
  template <class Both>
  static std::string text(const Both& both) {
    return small_amounts<A>::text(both.first) + " and " + small_amounts<B>::text(both.second);
  }
  template <class Take>
  static bool any_grant(const state& left, const request_type& request, Take&& take) {
    return small_amounts<A>::any_grant(left.first, request.first, [&](const auto& first) {
      return small_amounts<B>::any_grant(left.second, request.second,
                                         [&](const auto& second) { return take(grant_type{first, second}); });
    });
  }
  static bool take(state& left, const request_type& request, pod_count count, const grant_type& grant) {
    return small_amounts<A>::take(left.first, request.first, count, grant.first) &&
           small_amounts<B>::take(left.second, request.second, count, grant.second);
  }
};

}  // namespace placement_property

#endif
