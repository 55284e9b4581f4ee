// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_FIRST_PRICES_HPP
#define MUSTER_PLACEMENT_DETAIL_FIRST_PRICES_HPP

/// \file
/// The prices that pricing begins with: the nearer they are to the last ones, the fewer rounds it takes.
///
/// For models of which amounts decide what a node hosts. A pod is worth the shares it needs of what all nodes have
/// left, each weighed by the fourth power of how much of its dimension is asked for in all: what is scarce decides.
/// Found by trial; any other prices would do, too.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/placement/detail/game.hpp>
#include <muster/placement/detail/mix.hpp>
#include <muster/resource/model.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

/// \tparam M additive (`is_additive`): of any other model nothing is counted and nothing written
template <resource_model M>
class first_prices {
 public:
  static constexpr std::size_t dims = dimensions_of<M>;
  using node = std::array<amount, dims>;

  void start() noexcept { left_ = {}; }

  /// Counts what a node has left.
  void add(const typename M::state_type& left) noexcept {
    for (std::size_t d = 0; d < dims; ++d)
      left_[d] = saturating_add(left_[d], std::max<amount>(0, M::amount_left(left, d)));
  }

  /// Writes the prices, none below 1. \param needs of each class \param asked by all pods together
  void write(std::span<const node> needs, const node& asked, std::vector<price>& to) {
    std::array<wide_int, dims> weight{};
    for (std::size_t d = 0; d < dims; ++d) {
      if (left_[d] == 0) continue;
      const wide_int pressure = std::min<wide_int>((static_cast<wide_int>(asked[d]) << 6U) / left_[d], 1 << 10);
      weight[d] = pressure * pressure * pressure * pressure;
    }
    worth_.assign(needs.size(), 0);
    wide_int most = 0;
    for (std::size_t c = 0; c < needs.size(); ++c) {
      for (std::size_t d = 0; d < dims; ++d)  // a weight is at most 2^40, a share 2^32
        if (const amount here = std::min(needs[c][d], left_[d]); here > 0)
          worth_[c] += weight[d] * ((static_cast<wide_int>(here) << 32U) / left_[d]);
      most = std::max(most, worth_[c]);
    }
    to.assign(needs.size(), top_price);
    for (std::size_t c = 0; c < needs.size() && most > 0; ++c)
      to[c] = std::max<price>(1, static_cast<price>((worth_[c] * top_price + most / 2) / most));
  }

 private:
  node left_{};
  std::vector<wide_int> worth_;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
