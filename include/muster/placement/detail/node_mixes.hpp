// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_NODE_MIXES_HPP
#define MUSTER_PLACEMENT_DETAIL_NODE_MIXES_HPP

/// \file
/// Which mixes of pods a node hosts, what each of them is given there, and what the node gains by it.
///
/// A *mix* is how many pods of each pod set sit on one node. Nodes of which the same is left, for the same pod sets and
/// as many pods, are of one *kind*, and what was found out of a mix on one of them holds for all. The model says what
/// the pods of a mix are given: one choice of devices for each mix, `hosts`' (resource/model.hpp). A node on which the
/// given placement chose better is a kind of its own, where that mix is given just this.
///
/// Gains are held at +-2^42, so that the sums of a placement and those that bound it do not overflow.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/hash.hpp>
#include <muster/core/search_budget.hpp>
#include <muster/placement/detail/hashed_items.hpp>
#include <muster/placement/improvement.hpp>
#include <muster/resource/model.hpp>
#include <muster/scoring/node_value.hpp>
#include <muster/scoring/score_value.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

template <resource_model M, class Objective>
class node_mixes {
 public:
  using state = typename M::state_type;
  using grant = typename M::grant_type;

  static constexpr bool by_node = node_value<Objective, M>;
  static constexpr std::uint32_t nothing = 0;  ///< no pods: a mix of every kind
  static constexpr std::uint32_t impossible = ~std::uint32_t{0};
  static constexpr std::int64_t most_gain = std::int64_t{1} << 42;
  static constexpr std::size_t most_listed = 4096;  ///< mixes of one kind
  static constexpr std::size_t most_known = std::size_t{1} << 20;  ///< mixes of all kinds, tried ones too

  /// Pods of one set and their grant.
  struct part {
    std::size_t set = 0;
    pod_count count = 0;
    grant given{};
  };

  node_mixes(const Objective& objective, std::vector<typename M::request_type> requests, std::vector<pod_count> wanted,
             search_budget& budget)
      : objective_{objective}, requests_{std::move(requests)}, wanted_{std::move(wanted)}, budget_{budget} {
    kinds_found_.start();
    mixes_found_.start();
    kinds_.push_back({});  // of the mix of nothing
    kinds_found_.add(0);
    add_mix(0, std::vector<pod_count>(sets(), 0), {});
  }

  [[nodiscard]] std::size_t sets() const noexcept { return wanted_.size(); }
  [[nodiscard]] std::span<const pod_count> wanted() const noexcept { return wanted_; }
  [[nodiscard]] std::size_t kinds() const noexcept { return kinds_.size(); }
  /// Whether pods of a set may use nodes of a kind.
  [[nodiscard]] bool may(std::uint32_t kind, std::size_t set) const noexcept {
    return (kinds_[kind].may >> set & 1U) != 0;
  }
  /// How many pods of a set, and no others, sit on a node of a kind: at least as many as in any mix.
  [[nodiscard]] pod_count alone(std::uint32_t kind, std::size_t set) const {
    const node_kind& of = kinds_[kind];
    const pod_count limit = std::min(of.cap, wanted_[set]);
    return may(kind, set) && limit > 0 ? M::count_fitting(of.left, requests_[set], limit) : 0;
  }

  [[nodiscard]] std::span<const pod_count> counts(std::uint32_t mix) const noexcept {
    return std::span{counts_}.subspan(mix * sets(), sets());
  }
  [[nodiscard]] pod_count pods(std::uint32_t mix) const noexcept {
    pod_count sum = 0;
    for (const pod_count count : counts(mix)) sum += count;
    return sum;
  }
  [[nodiscard]] std::int64_t gain(std::uint32_t mix) const noexcept { return mixes_[mix].gain; }
  [[nodiscard]] std::span<const part> parts(std::uint32_t mix) const noexcept {
    return std::span{parts_}.subspan(mixes_[mix].first, mixes_[mix].last - mixes_[mix].first);
  }
  /// Whether the model was ever unsure, or a mix not tried for lack of memory: then nothing is proved.
  [[nodiscard]] bool incomplete() const noexcept { return incomplete_; }

  /// What a node gains from one state to another; 0 where the objective judges the whole set.
  [[nodiscard]] std::int64_t gain_between(const state& before, const state& after,
                                          const typename M::capacity_type& capacity) const {
    return std::clamp(saturating_add(worth(after, capacity), -worth(before, capacity)), -most_gain, most_gain);
  }

  /// \param may bit i: pods of set i may use the node \param cap the most pods it may take
  [[nodiscard]] std::uint32_t kind_of(const state& left, const typename M::capacity_type& capacity, std::uint64_t may,
                                      pod_count cap) {
    hasher hash;
    hash.add(may).add(cap);
    if constexpr (dimensions_of<M> > 0)
      for (std::size_t d = 0; d < dimensions_of<M>; ++d) hash.add(M::amount_left(left, d));
    const std::uint32_t known = kinds_found_.find(hash.value(), [&](std::uint32_t k) {
      return !kinds_[k].own && kinds_[k].may == may && kinds_[k].cap == cap && kinds_[k].left == left &&
             kinds_[k].capacity == capacity;
    });
    if (known != hashed_items::none) return known;
    return add_kind(hash.value(), {left, capacity, may, cap, false, {}, listing::not_yet});
  }

  /// The kind and the mix of a node on which pods were given something already: as that is better or as good, a kind of
  /// its own, unless the model gives the same.
  struct seeded {
    std::uint32_t kind = 0, mix = 0;
  };
  [[nodiscard]] seeded seed(std::uint32_t kind, std::span<const pod_count> counts, std::vector<part> given) {
    state after = kinds_[kind].left;
    for (const part& one : given) M::charge(after, one.given);
    const std::uint32_t usual = mix_of(kind, counts, false);
    if (usual != impossible) {
      state as_usual = kinds_[kind].left;
      for (const part& one : parts(usual)) M::charge(as_usual, one.given);
      if (as_usual == after) return {kind, usual};
      if constexpr (by_node)
        if (gain(usual) >= gain_between(kinds_[kind].left, after, kinds_[kind].capacity)) return {kind, usual};
    }
    node_kind own = kinds_[kind];
    own.own = true;
    own.listed = listing::not_yet;
    own.all.clear();
    const std::uint32_t it = add_kind(0, own);
    return {it, add_mix(it, counts, given)};
  }

  /// The number of a mix on nodes of a kind; `impossible` if they do not host it. Counts as a step where `count_step`.
  [[nodiscard]] std::uint32_t mix_of(std::uint32_t kind, std::span<const pod_count> counts, bool count_step = true) {
    if (count_step) (void)budget_.spend(1);
    pod_count pods = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      pods += counts[i];
      if (counts[i] > 0 && (kinds_[kind].may >> i & 1U) == 0) return impossible;
    }
    if (pods == 0) return nothing;
    if (pods > kinds_[kind].cap) return impossible;
    const std::uint32_t known = mixes_found_.find(hash_of(kind, counts), [&](std::uint32_t m) {
      return mixes_[m].kind == kind && std::ranges::equal(this->counts(m), counts);
    });
    if (known != hashed_items::none) return mixes_[known].hosted ? known : impossible;
    if (mixes_.size() >= most_known) {
      incomplete_ = true;
      return impossible;
    }
    scratch_.clear();
    std::uint64_t steps = 0;
    const auto emit = [this](std::size_t i, pod_count count, const grant& given) {
      scratch_.push_back({i, count, given});
    };
    const hosting hosted = muster::hosts<M>(kinds_[kind].left, requests_, counts, emit, steps);
    if (count_step) (void)budget_.spend(steps);
    incomplete_ = incomplete_ || hosted == hosting::unknown;
    if (hosted == hosting::yes) return add_mix(kind, counts, scratch_);
    mixes_found_.add(hash_of(kind, counts));
    counts_.insert(counts_.end(), counts.begin(), counts.end());
    mixes_.push_back({kind, 0, 0, 0, false});
    return impossible;
  }

  /// All mixes of a kind, that of nothing first; empty where they are too many or the budget is out.
  [[nodiscard]] std::span<const std::uint32_t> all_mixes(std::uint32_t kind) {
    if (kinds_[kind].listed == listing::not_yet) {
      std::vector<std::uint32_t> found;
      std::vector<pod_count> counts(sets(), 0);
      const bool done = list(kind, 0, counts, found);
      if (!done && budget_.out()) return {};
      kinds_[kind].listed = done ? listing::done : listing::too_many;
      if (done) kinds_[kind].all = std::move(found);
    }
    return kinds_[kind].all;
  }

 private:
  enum class listing : std::uint8_t { not_yet, done, too_many };
  struct node_kind {
    state left{};
    typename M::capacity_type capacity{};
    std::uint64_t may = 0;
    pod_count cap = 0;
    bool own = false;
    std::vector<std::uint32_t> all{};
    listing listed = listing::not_yet;
  };
  struct node_mix {
    std::uint32_t kind = 0;
    std::int64_t gain = 0;
    std::size_t first = 0, last = 0;  // of the parts
    bool hosted = true;
  };

  [[nodiscard]] std::int64_t worth(const state& left, const typename M::capacity_type& capacity) const {
    constexpr std::int64_t most = std::int64_t{1} << 62;
    if constexpr (by_node) return std::clamp(score_value(objective_.value(left, capacity)), -most, most);
    else return 0;
  }

  [[nodiscard]] static std::uint64_t hash_of(std::uint32_t kind, std::span<const pod_count> counts) noexcept {
    hasher hash;
    hash.add(kind);
    for (const pod_count count : counts) hash.add(count);
    return hash.value();
  }

  std::uint32_t add_kind(std::uint64_t hash, const node_kind& kind) {
    kinds_found_.add(hash);
    kinds_.push_back(kind);
    return static_cast<std::uint32_t>(kinds_.size() - 1);
  }

  std::uint32_t add_mix(std::uint32_t kind, std::span<const pod_count> counts, const std::vector<part>& given) {
    state after = kinds_[kind].left;
    for (const part& one : given) M::charge(after, one.given);
    const std::int64_t gain =
        given.empty() ? 0 : gain_between(kinds_[kind].left, after, kinds_[kind].capacity);
    mixes_found_.add(hash_of(kind, counts));
    counts_.insert(counts_.end(), counts.begin(), counts.end());
    mixes_.push_back({kind, gain, parts_.size(), parts_.size() + given.size(), true});
    parts_.insert(parts_.end(), given.begin(), given.end());
    return static_cast<std::uint32_t>(mixes_.size() - 1);
  }

  /// Every mix that has what `counts` has of the sets before `set`: of a mix that is not hosted none with more is.
  [[nodiscard]] bool list(std::uint32_t kind, std::size_t set, std::vector<pod_count>& counts,
                          std::vector<std::uint32_t>& found) {
    if (budget_.out()) return false;
    if (set == sets()) {
      if (found.size() == most_listed) return false;
      found.push_back(mix_of(kind, counts));
      return true;
    }
    bool good = true;
    for (counts[set] = 0; good && counts[set] <= wanted_[set]; ++counts[set]) {
      if (counts[set] > 0 && mix_of(kind, counts) == impossible) break;
      good = list(kind, set + 1, counts, found);
    }
    counts[set] = 0;
    return good;
  }

  const Objective& objective_;
  std::vector<typename M::request_type> requests_;
  std::vector<pod_count> wanted_;  // pods of each set
  search_budget& budget_;
  std::vector<node_kind> kinds_;
  std::vector<node_mix> mixes_;
  std::vector<pod_count> counts_;  // sets() for each mix
  std::vector<part> parts_;
  std::vector<part> scratch_;
  hashed_items kinds_found_, mixes_found_;
  bool incomplete_ = false;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
