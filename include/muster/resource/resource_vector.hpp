// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_RESOURCE_RESOURCE_VECTOR_HPP
#define MUSTER_RESOURCE_RESOURCE_VECTOR_HPP

/// \file
/// N countable resources that add up: CPU, memory, GPUs as a number, pod slots, NICs, attach limits.
///
/// A pod fits iff every amount it asks above 0 is left. A resource it does not ask is not looked at, so an
/// overcommitted CPU never keeps out a pod that asks none, and a request of 0 of a resource no node has fits.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/hash.hpp>
#include <muster/resource/model.hpp>

#include <array>
#include <cstddef>
#include <span>

namespace muster::inline MUSTER_ABI {

template <std::size_t N>
struct resource_vector {
  static_assert(N >= 1, "a resource vector counts at least one resource");

  using amounts = std::array<amount, N>;
  using capacity_type = amounts;
  using state_type = amounts;
  using request_type = amounts;
  using grant_type = amounts;

  struct prepared_type {
    amounts request{};
    std::array<divisor, N> by{};
  };

  static constexpr std::size_t dimensions = N;
  static constexpr bool dimensions_decide = true;
  static constexpr bool grant_follows_from_request = true;

  [[nodiscard]] static constexpr state_type empty_node(const capacity_type& capacity) noexcept { return capacity; }

  [[nodiscard]] static constexpr bool fits(const state_type& left, const request_type& request) noexcept {
    for (std::size_t d = 0; d < N; ++d)
      if (request[d] > 0 && request[d] > left[d]) return false;
    return true;
  }

  [[nodiscard]] static constexpr prepared_type prepare(const request_type& request) noexcept {
    prepared_type ready{request, {}};
    for (std::size_t d = 0; d < N; ++d)
      if (request[d] > 0) ready.by[d] = divisor{request[d]};
    return ready;
  }

  [[nodiscard]] static constexpr pod_count count_fitting(const state_type& left, const prepared_type& ready,
                                                         pod_count limit) noexcept {
    pod_count count = limit;
    for (std::size_t d = 0; d < N; ++d) {
      if (ready.request[d] <= 0) continue;
      if (left[d] < ready.request[d]) return 0;
      const pod_count here = ready.by[d].quotient(left[d]);
      if (here < count) count = here;
    }
    return count;
  }

  [[nodiscard]] static constexpr pod_count count_fitting(const state_type& left, const request_type& request,
                                                         pod_count limit) noexcept {
    pod_count count = limit;
    for (std::size_t d = 0; d < N; ++d) {
      if (request[d] <= 0) continue;
      if (left[d] < request[d]) return 0;
      if (left[d] / request[d] < count) count = left[d] / request[d];
    }
    return count;
  }

  [[nodiscard]] static constexpr pod_count allocate(state_type& left, const request_type& request, pod_count limit,
                                                    grant_type& grant) noexcept {
    const pod_count count = count_fitting(left, request, limit);
    for (std::size_t d = 0; d < N; ++d) {
      grant[d] = request[d] * count;
      left[d] -= grant[d];
    }
    return count;
  }

  template <class Emit>
  [[nodiscard]] static constexpr hosting hosts(state_type left, std::span<const request_type> requests,
                                               std::span<const pod_count> counts, const Emit& emit) {
    for (std::size_t i = 0; i < requests.size(); ++i) {
      if (counts[i] <= 0) continue;
      grant_type grant{};
      if (allocate(left, requests[i], counts[i], grant) != counts[i]) return hosting::no;
      emit(i, counts[i], grant);
    }
    return hosting::yes;
  }

  [[nodiscard]] static constexpr grant_type force(state_type& left, const request_type& request) noexcept {
    charge(left, request);
    return request;
  }

  static constexpr void charge(state_type& left, const grant_type& grant) noexcept {
    for (std::size_t d = 0; d < N; ++d) left[d] -= grant[d];
  }

  static constexpr void release(state_type& left, const grant_type& grant) noexcept {
    for (std::size_t d = 0; d < N; ++d) left[d] += grant[d];
  }

  [[nodiscard]] static constexpr grant_type part(const grant_type&, const request_type& request, pod_count) noexcept {
    return request;
  }

  [[nodiscard]] static constexpr bool may_charge(const state_type& left, const grant_type& grant) noexcept {
    for (std::size_t d = 0; d < N; ++d)
      if (grant[d] < 0 || (grant[d] > 0 && grant[d] > left[d])) return false;
    return true;
  }

  [[nodiscard]] static constexpr bool covers(const state_type&, const grant_type& grant, const request_type& request,
                                             pod_count count) noexcept {
    if (count < 1) return false;
    for (std::size_t d = 0; d < N; ++d)
      if (request[d] == 0 ? grant[d] != 0 : grant[d] % request[d] != 0 || grant[d] / request[d] != count) return false;
    return true;
  }

  [[nodiscard]] static constexpr amount_fault check_capacity(const capacity_type& capacity) noexcept {
    for (const amount a : capacity) {
      if (a < 0) return amount_fault::negative;
      if (a > max_amount) return amount_fault::too_large;
    }
    return amount_fault::none;
  }
  [[nodiscard]] static constexpr amount_fault check_request(const request_type& request) noexcept {
    return check_capacity(request);
  }
  [[nodiscard]] static constexpr amount_fault check_grant(const grant_type& grant) noexcept {
    return check_capacity(grant);
  }

  static constexpr void add_to_hash(hasher& hash, const amounts& values) noexcept {
    for (const amount a : values) hash.add(a);
  }

  [[nodiscard]] static constexpr amount amount_left(const state_type& left, std::size_t d) noexcept { return left[d]; }
  [[nodiscard]] static constexpr amount amount_needed(const request_type& request, std::size_t d) noexcept {
    return request[d];
  }
  [[nodiscard]] static constexpr bool adds_up(std::size_t) noexcept { return true; }
};

}  // namespace muster::inline MUSTER_ABI

#endif
