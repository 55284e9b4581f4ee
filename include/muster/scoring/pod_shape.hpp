// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_SCORING_POD_SHAPE_HPP
#define MUSTER_SCORING_POD_SHAPE_HPP

/// \file
/// The pods a cluster is known to be asked for: what judgements about its future go by.
///
/// A *shape* is a request with a weight: how many pods of it came (fragmentation.hpp), or how much it would hurt not to
/// host one more (slot_potential.hpp). Shapes of whole gangs are those of gangs_lost.hpp. Which nodes take a shape is
/// what they host and, besides, what an *acceptance* says: a function object (capacity, index of the shape) -> bool,
/// for what a request cannot say itself, such as "a device of one of these three models". It must depend on the
/// arguments alone.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/resource/model.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace muster::inline MUSTER_ABI {

template <resource_model M>
struct weighted_shape {
  typename M::request_type request{};
  std::int64_t weight = 0;  ///< 0: counts nothing
};

inline constexpr std::size_t max_shapes = 4096;
inline constexpr std::int64_t max_shape_weight = std::int64_t{1} << 30;

/// Every node takes every shape that it hosts.
struct accepts_all {
  template <class Capacity>
  [[nodiscard]] constexpr bool operator()(const Capacity&, std::size_t) const noexcept {
    return true;
  }
};

template <class A, class M>
concept shape_acceptance =
    resource_model<M> && requires(const A& accepts, const typename M::capacity_type& capacity, std::size_t shape) {
      { accepts(capacity, shape) } -> std::convertible_to<bool>;
    };

enum class shape_fault : std::uint8_t {
  none,
  too_many,   ///< more than max_shapes
  request,    ///< a request the model calls faulty
  weight,     ///< a weight below 0 or above max_shape_weight
  pods,       ///< a gang of fewer than 1 or more than max_pods_per_group pods
  level,      ///< a gang's level is not one of the topology's
  no_weight,  ///< there are shapes, and all weights are 0
};

[[nodiscard]] constexpr std::string_view name(shape_fault fault) noexcept {
  switch (fault) {
    case shape_fault::none: return "none";
    case shape_fault::too_many: return "too many shapes";
    case shape_fault::request: return "a shape's request is faulty";
    case shape_fault::weight: return "a weight is out of range";
    case shape_fault::pods: return "a gang's pods are out of range";
    case shape_fault::level: return "a gang's level is not in the topology";
    case shape_fault::no_weight: return "all weights are 0";
  }
  return "?";
}

namespace scoring_detail {
/// Finds the first fault of a list of shapes, whatever else a shape says.
template <resource_model M>
class shape_checker {
 public:
  constexpr explicit shape_checker(std::size_t shapes) noexcept : any_weight_{shapes == 0} {
    if (shapes > max_shapes) found_ = shape_fault::too_many;
  }
  constexpr void add(const typename M::request_type& request, std::int64_t weight) {
    any_weight_ = any_weight_ || weight > 0;
    if (found_ != shape_fault::none) return;
    if (M::check_request(request) != amount_fault::none) found_ = shape_fault::request;
    else if (weight < 0 || weight > max_shape_weight) found_ = shape_fault::weight;
  }
  /// What else must hold.
  constexpr void require(bool holds, shape_fault otherwise) noexcept {
    if (!holds && found_ == shape_fault::none) found_ = otherwise;
  }
  [[nodiscard]] constexpr shape_fault found() const noexcept {
    return found_ != shape_fault::none ? found_ : any_weight_ ? shape_fault::none : shape_fault::no_weight;
  }

 private:
  shape_fault found_ = shape_fault::none;
  bool any_weight_;
};
}  // namespace scoring_detail

/// The first thing that is wrong with a list of shapes. An empty list is none: nothing is known yet, and every node is
/// as good as any other. \complexity O(shapes)
template <resource_model M>
[[nodiscard]] constexpr shape_fault check_shapes(std::span<const weighted_shape<M>> shapes) {
  scoring_detail::shape_checker<M> checker{shapes.size()};
  for (const weighted_shape<M>& one : shapes) checker.add(one.request, one.weight);
  return checker.found();
}

/// An amount rounded down to one of `steps` values an octave, so that requests that differ by noise make one shape, and
/// none of the shapes known asks more than the pods it stands for. \pre x >= 0, steps >= 1 \complexity O(log x)
[[nodiscard]] constexpr amount coarse_amount(amount x, amount steps = 4) noexcept {
  amount unit = 1;
  while (x / unit / 2 >= steps) unit *= 2;
  return x / unit * unit;
}

}  // namespace muster::inline MUSTER_ABI

#endif
