// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_ORACLE_CASE_AMOUNTS_HPP
#define MUSTER_TESTS_ORACLE_CASE_AMOUNTS_HPP

// The columns of a case as the amounts of a resource model. A part with devices
// reads the first column and the lines that name devices; the parts that are
// vectors share the other columns in order. A case with fewer resources than
// the model counts is padded with zeros.

#include <muster/resource/devices.hpp>
#include <muster/resource/joint.hpp>
#include <muster/resource/resource_vector.hpp>

#include "case_file.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace oracle {

// What pods hold, or what is kept: amounts of the columns, and single devices.
struct holding {
  const amounts* columns = nullptr;
  std::span<const device_grant> devices{};
};

template <class M>
struct columns_of;

template <std::size_t N>
struct columns_of<muster::resource_vector<N>> {
  using model = muster::resource_vector<N>;
  static constexpr bool with_devices = false;

  static typename model::amounts take(const amounts& row, std::size_t& from) {
    typename model::amounts made{};
    for (auto& each : made) {
      each = from < row.size() ? row[from] : 0;
      ++from;
    }
    return made;
  }
  static auto capacity(const node& of, std::size_t& from) { return take(of.capacity, from); }
  static auto request(const pod_class& of, std::size_t& from) { return take(of.request, from); }
  static auto grant(const holding& of, std::size_t& from) {
    return of.columns == nullptr ? typename model::amounts{} : take(*of.columns, from);
  }
};

template <std::size_t K>
struct columns_of<muster::devices<K>> {
  using model = muster::devices<K>;
  static constexpr bool with_devices = true;

  static typename model::capacity_type capacity(const node& of, std::size_t&) {
    typename model::capacity_type made{};
    made.count = static_cast<std::uint32_t>(of.capacity.front());
    if (of.devices) {
      made.model = muster::device_model{static_cast<std::uint32_t>(of.devices->model)};
      for (std::size_t d = 0; d < of.devices->link_group.size() && d < K; ++d) {
        made.link_group[d] = static_cast<std::uint8_t>(of.devices->link_group[d]);
      }
    }
    return made;
  }
  static typename model::request_type request(const pod_class& of, std::size_t&) {
    typename model::request_type made{};
    made.whole = static_cast<std::uint32_t>(of.request.front());
    made.share = static_cast<std::int32_t>(of.share);
    made.model = muster::device_model{static_cast<std::uint32_t>(of.device_model)};
    made.one_link_group = of.one_link_group;
    return made;
  }
  static typename model::grant_type grant(const holding& of, std::size_t&) {
    typename model::grant_type made{};
    for (const auto& each : of.devices) {
      made.on |= std::uint64_t{1} << static_cast<std::uint64_t>(each.device);
      made.milli = static_cast<std::int32_t>(each.milli);
    }
    return made;
  }
};

template <class A, class B>
struct columns_of<muster::joint<A, B>> {
  using model = muster::joint<A, B>;
  static constexpr bool with_devices = columns_of<A>::with_devices || columns_of<B>::with_devices;

  static typename model::capacity_type capacity(const node& of, std::size_t& from) {
    auto first = columns_of<A>::capacity(of, from);
    return {first, columns_of<B>::capacity(of, from)};
  }
  static typename model::request_type request(const pod_class& of, std::size_t& from) {
    auto first = columns_of<A>::request(of, from);
    return {first, columns_of<B>::request(of, from)};
  }
  static typename model::grant_type grant(const holding& of, std::size_t& from) {
    auto first = columns_of<A>::grant(of, from);
    return {first, columns_of<B>::grant(of, from)};
  }
};

template <class M>
typename M::capacity_type capacity_of(const node& of) {
  std::size_t from = columns_of<M>::with_devices ? 1 : 0;
  return columns_of<M>::capacity(of, from);
}
template <class M>
typename M::request_type request_of(const pod_class& of) {
  std::size_t from = columns_of<M>::with_devices ? 1 : 0;
  return columns_of<M>::request(of, from);
}
template <class M>
typename M::grant_type grant_of(const holding& of) {
  std::size_t from = columns_of<M>::with_devices ? 1 : 0;
  return columns_of<M>::grant(of, from);
}

}  // namespace oracle

#endif
