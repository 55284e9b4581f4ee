// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_SCORING_SLOT_POTENTIAL_HPP
#define MUSTER_SCORING_SLOT_POTENTIAL_HPP

/// \file
/// How much a node can still do: the sum over the known shapes of weight times g(slots), where *slots* is about how
/// many more pods of a shape alone the node takes, and g(s) = s^(2/3).
///
/// A pod goes to the node that loses least (`least_loss`). g is concave: the last slot of a shape on a node counts
/// most, and a node that has many is used first. No frequencies are used, only which shapes there are, so rare wide
/// pods count as much as common narrow ones; what a shape weighs grows with its width and with how scarce the nodes are
/// that take it (`weigh_shape`).
///
/// What pods need besides the scarce resource (CPU beside GPUs) must be there for the first pod of a shape, but hardly
/// limits how many follow: others that need less of it may come. A shape therefore says what a *further* pod is taken
/// to need. Its slots are 0 where the request does not fit, else as many as pods of that further need would fit; a
/// third of such amounts is best on the openb trace. Requests that differ by noise should be made one shape
/// (`coarse_amount`): many nearly equal narrow ones would outweigh the wide ones.
///
/// On that trace this leaves fewer GPUs idle than fragmentation gradient descent (fragmentation.hpp);
/// benchmarks/fragmentation shows by how much, where wide pods pay for it, and that it is worse where pods also leave.
///
/// Each node is judged by itself: how many gangs fit a rack is not in it. A value costs one count of pods for each
/// shape. The rule is muster's own; that pods should lose least of what others can use is FGD's.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/resource/model.hpp>
#include <muster/scoring/node_value.hpp>
#include <muster/scoring/pod_shape.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI {

namespace scoring_detail {
/// floor(cube root of x). \pre 0 <= x < 2^62
[[nodiscard]] constexpr std::int64_t cube_root(std::int64_t x) noexcept {
  std::int64_t root = 0;
  for (std::int64_t step = std::int64_t{1} << 20; step > 0; step /= 2)
    if (const std::int64_t next = root + step; next * next <= x / next) root = next;
  return root;
}
}  // namespace scoring_detail

/// 1000 s^(2/3), rounded down. \pre 0 <= s <= max_pods_per_node \complexity 21 divisions
[[nodiscard]] constexpr std::int64_t concave_value(pod_count s) noexcept {
  return scoring_detail::cube_root(s * s * 1'000'000'000);
}

/// The weight of a shape: its width times `gang_factor` (10 for one device or a share of one), times how scarce the
/// nodes are that take it. A greater factor keeps more room for wide pods and leaves more idle; with the default no
/// more pods of 8 devices fail than under FGD on openb's default trace. All three amounts in one unit, such as devices;
/// where nothing accepts a shape it counts as if one did.
/// \param width what a pod of it takes of the scarce resource, in whole units (a share counts 1)
/// \pre all amounts are from 0 to max_amount, gang_factor >= 1
/// \return 1 to max_shape_weight \complexity O(1)
[[nodiscard]] constexpr std::int64_t weigh_shape(amount width, amount all, amount accepting,
                                                 std::int64_t gang_factor = 24) noexcept {
  const amount base = width > 1 ? saturating_multiply(gang_factor, width) : 10;
  const amount on = accepting > 1 ? accepting : 1;
  const amount scarcity = saturating_add(saturating_multiply(100, all), on / 2) / on;
  const amount weight = saturating_multiply(base, scarcity);
  return weight < 1 ? 1 : weight < max_shape_weight ? weight : max_shape_weight;
}

template <resource_model M>
struct slot_shape {
  typename M::request_type request{};
  /// What a further pod is taken to need, in nothing more than the request; left out, it is the request.
  typename M::request_type further{};
  std::int64_t weight = 0;  ///< 0: counts nothing
};

/// The first thing that is wrong with a list of shapes. \complexity O(shapes)
template <resource_model M>
[[nodiscard]] constexpr shape_fault check_shapes(std::span<const slot_shape<M>> shapes) {
  scoring_detail::shape_checker<M> checker{shapes.size()};
  for (const slot_shape<M>& one : shapes) {
    checker.add(one.request, one.weight);
    checker.add(one.further, one.weight);
  }
  return checker.found();
}

template <resource_model M, shape_acceptance<M> Accepts = accepts_all>
class slot_potential {
 public:
  using model = M;

  /// \pre check_shapes(shapes) == shape_fault::none \complexity O(shapes), allocates
  explicit slot_potential(std::span<const slot_shape<M>> shapes, Accepts accepts = {})
      : accepts_{std::move(accepts)} {
    MUSTER_ASSERT(check_shapes(shapes) == shape_fault::none);
    shapes_.reserve(shapes.size());
    for (const slot_shape<M>& one : shapes) {
      const bool same = one.further == typename M::request_type{} || one.further == one.request;
      shapes_.push_back({prepare<M>(same ? one.request : one.further), one.request, one.weight, same});
    }
  }

  /// What the node is worth: at least 0, at most 2^62.
  /// \complexity O(shapes) counts of pods \exceptions what the acceptance throws; allocates nothing
  [[nodiscard]] std::int64_t value(const typename M::state_type& left,
                                   const typename M::capacity_type& capacity) const {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      const entry& one = shapes_[i];
      if (one.weight == 0 || !accepts_(capacity, i)) continue;
      const pod_count slots = M::count_fitting(left, one.further, max_pods_per_node);
      if (slots == 0 || (!one.alike && !M::fits(left, one.request))) continue;
      sum += one.weight * (slots < table_size ? of_slots[static_cast<std::size_t>(slots)] : concave_value(slots));
    }
    return sum;
  }

 private:
  struct entry {
    prepared<M> further;
    typename M::request_type request;
    std::int64_t weight = 0;
    bool alike = false;  // the first pod needs what further ones need
  };
  static constexpr pod_count table_size = 256;
  static constexpr auto of_slots = [] {
    std::array<std::int32_t, table_size> values{};
    for (std::size_t s = 0; s < values.size(); ++s)
      values[s] = static_cast<std::int32_t>(concave_value(static_cast<pod_count>(s)));
    return values;
  }();

  std::vector<entry> shapes_;
  [[no_unique_address]] Accepts accepts_;
};

}  // namespace muster::inline MUSTER_ABI

#endif
