// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PREEMPTION_DETAIL_VICTIM_BOUND_HPP
#define MUSTER_PREEMPTION_DETAIL_VICTIM_BOUND_HPP
#include <muster/core/config.hpp>
#include <muster/core/search_budget.hpp>
#include <muster/preemption/detail/preemptor.hpp>
#include <muster/preemption/detail/unit_costs.hpp>
#include <muster/preemption/detail/victim_model.hpp>
#include <span>
namespace muster::inline MUSTER_ABI::preemption_detail {
enum class choice : std::int8_t { open, stays, leaves };
inline constexpr wide no_solution = wide{1} << 120;
inline constexpr std::int64_t full_usage = 1 << 16;

template <resource_model M>
class victim_bound {
 public:
  void start(const victim_model<M>& model, const preemptor<M>& gang, std::span<const std::int64_t> ranks) {
    model_ = &model;
    gang_ = &gang;
    ranks_ = ranks;
    usage_.assign(ranks.size(), 0);
  }
  wide bound(std::span<const choice> choices, wide, search_budget&) {
    wide sum = 0;
    for (std::size_t u = 0; u < choices.size(); ++u) {
      if (choices[u] == choice::leaves) sum += ranks_[u];
      usage_[u] = choices[u] == choice::leaves ? full_usage : choices[u] == choice::stays ? 0 : full_usage / 2;
    }
    return sum;
  }
  [[nodiscard]] std::int64_t usage(std::size_t unit) const noexcept { return usage_[unit]; }
  const victim_model<M>* model_ = nullptr;
  const preemptor<M>* gang_ = nullptr;
  std::span<const std::int64_t> ranks_;
  std::vector<std::int64_t> usage_;
};
}
#endif
