// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_LAYERS_HPP
#define MUSTER_PLACEMENT_DETAIL_LAYERS_HPP

/// \file
/// Fills site after site: dynamic programming over what is still missing, as wide as the caller allows.
///
/// A layer is a site. A state is what is still missing of each class. A child is kept only if every price of the pool
/// says that the sites behind it can still meet it; equal states merge, so alike sites need no rule of symmetry, and of
/// states that differ in the last class only the one that misses least stays. A layer wider than allowed keeps the
/// states with the most room under their tightest price; where the caller says what the sites should give on average,
/// of those with about as much room the ones that miss what they then should.
///
/// If no layer was ever cut, an empty layer proves that the mix cannot be met. A layer that was cut proves nothing; the
/// states just before the end are kept for the caller to learn prices from.

#include <muster/core/config.hpp>
#include <muster/core/search_budget.hpp>
#include <muster/placement/detail/counts.hpp>
#include <muster/placement/detail/mix.hpp>
#include <muster/placement/detail/prices.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

/// Prices that hold for every state: rows of one width, the first with a 1 for every class.
struct price_pool {
  std::size_t classes = 0;
  std::vector<price> all;
  [[nodiscard]] std::size_t size() const noexcept { return classes == 0 ? 0 : all.size() / classes; }
  [[nodiscard]] std::span<const price> operator[](std::size_t i) const noexcept {
    return std::span{all}.subspan(i * classes, classes);
  }
  void add(std::span<const price> prices) {
    for (std::size_t i = 0; i < size(); ++i)
      if (std::equal(prices.begin(), prices.end(), (*this)[i].begin())) return;
    all.insert(all.end(), prices.begin(), prices.end());
  }
};

enum class pass_end : std::uint8_t {
  met,      ///< a choice of patterns was found
  refuted,  ///< there is none: no layer was cut
  lost,     ///< a layer was cut, and later one was empty
  ended,    ///< out of budget, or of memory
};

template <std::size_t Words>
class layered_search {
 public:
  using state = packed_counts<Words>;

  /// The most states kept of all layers together: bounds the memory.
  static constexpr std::size_t most_states = std::size_t{1} << 20;
  static constexpr std::size_t most_children = 1024;  // before they are merged and cut for the first time
  static constexpr price largest_value = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::int64_t furthest = std::int64_t{1} << 28;  // off course, of a class: 64 squares can be added

  /// \param sites in the order in which they are filled \param start what is missing before the first
  /// \param expected what a site of each should give of each class, in units of 1 / part_unit pods; or empty
  [[nodiscard]] pass_end run(const mix& of, const count_layout& layout, std::span<const site_part> sites,
                             std::span<const class_count> start, const allowance& may, const std::vector<char>& dead,
                             const price_pool& pool, std::span<const std::int64_t> expected, std::size_t width,
                             search_budget& budget) {
    of_ = &of;
    expected_ = expected;
    course_.clear();
    if (!expected.empty())
      for (const class_count one : start) course_.push_back(std::int64_t{one} * part_unit);
    layout_ = &layout;
    sites_ = sites;
    may_ = &may;
    pool_ = &pool;
    prepare(start, dead);
    states_.assign(1, layout_->pack<Words>(start));
    offsets_.assign(1, 0);
    cut_ = false;
    for (std::size_t run = 0; run < sites.size(); ++run)
      for (std::uint32_t i = 0; i < sites[run].sites; ++i) {
        const std::uint32_t behind = sites[run].sites - i - 1;
        const pass_end end = fill(run, behind, width, budget);
        if (end != pass_end::lost) return end;  // lost: goes on
        if (offsets_.back() == states_.size()) return cut_ ? pass_end::lost : pass_end::refuted;
      }
    return cut_ ? pass_end::lost : pass_end::refuted;
  }

  /// After `met`: the pattern of each filled site, first to last; emit(index into the sites, pattern). Sites that
  /// are not named stay as they are.
  template <class Emit>
  void trace(Emit&& emit) const {
    state wanted = last_;
    for (std::size_t layer = offsets_.size(); layer-- > 0;) {
      const std::size_t run = run_of(layer);
      const std::size_t end = layer + 1 < offsets_.size() ? offsets_[layer + 1] : states_.size();
      const state* before = nullptr;
      for (std::size_t i = offsets_[layer]; i < end && before == nullptr; ++i)
        for (std::uint32_t k = lists_[run]; k < lists_[run + 1]; ++k) {
          bool clipped = false;
          if (layout_->subtract(states_[i], patterns_[k].counts, clipped) != wanted) continue;
          emit(run, patterns_[k].number);
          before = &states_[i];
          break;
        }
      MUSTER_ASSERT(before != nullptr);
      wanted = *before;
    }
  }

  /// After `lost`: states before the end; visit(counts missing, run, sites of the run still to fill).
  template <class Visit>
  void visit_last_states(std::size_t before_end, Visit&& visit) {
    if (before_end >= offsets_.size()) return;
    std::size_t layer = offsets_.size() - 1 - before_end;
    if (offsets_[layer] == states_.size()) return;
    const std::size_t end = layer + 1 < offsets_.size() ? offsets_[layer + 1] : states_.size();
    std::size_t run = 0, first = 0;
    while (run < sites_.size() && first + sites_[run].sites <= layer) first += sites_[run++].sites;
    const auto left =
        run < sites_.size() ? static_cast<std::uint32_t>(first + sites_[run].sites - layer) : std::uint32_t{0};
    for (const std::size_t i : {std::size_t{offsets_[layer]}, end - 1}) {
      layout_->unpack(states_[i], std::span<class_count>{ending_});
      visit(std::span<const class_count>{ending_}, run, left);
    }
  }

 private:
  struct known_pattern {
    state counts;
    std::uint32_t number;
  };
  struct child {
    state missing;
    price room;               // in units of 2^grain()
    std::int64_t off_course;  // the square of how far
  };

  [[nodiscard]] std::size_t run_of(std::size_t layer) const noexcept {
    std::size_t run = 0;
    while (layer >= sites_[run].sites) layer -= sites_[run++].sites;
    return run;
  }

  void prepare(std::span<const class_count> start, const std::vector<char>& dead) {
    const std::size_t prices = pool_->size();
    patterns_.clear();
    values_.clear();
    lists_.assign(1, 0);
    dearest_.assign(prices * sites_.size(), 0);
    std::size_t alive = 0;
    price most_pods = 0;  // of any pattern
    for (const site_part& part : sites_)
      for (std::uint32_t p = of_->groups[part.group].first; p < of_->groups[part.group].last; ++p) {
        if (dead[p] != 0) continue;
        ++alive;
        most_pods = std::max(most_pods, worth(of_->pattern(p), (*pool_)[0]));
      }
    patterns_.reserve(alive);
    values_.reserve(alive * prices);
    scale_.resize(prices);
    shifts_.assign(prices, 0);
    for (std::size_t i = 0; i < prices; ++i) {
      const price most = std::max<price>(1, *std::max_element((*pool_)[i].begin(), (*pool_)[i].end()));
      scale_[i] = top_price / most;
      while (most_pods * most >> shifts_[i] >= largest_value) ++shifts_[i];
    }
    for (std::size_t run = 0; run < sites_.size(); ++run) {
      const site_group& group = of_->groups[sites_[run].group];
      for (std::uint32_t p = group.first; p < group.last; ++p) {
        if (dead[p] != 0) continue;
        const auto counts = of_->pattern(p);
        patterns_.push_back({layout_->pack<Words>(counts), p});
        for (std::size_t i = 0; i < prices; ++i) {
          const price exact = worth(counts, (*pool_)[i]);
          values_.push_back(static_cast<std::uint32_t>((exact >> shifts_[i]) + (shifts_[i] == 0 ? 0 : 1)));
          dearest_[run * prices + i] = std::max(dearest_[run * prices + i], exact);
        }
      }
      lists_.push_back(static_cast<std::uint32_t>(patterns_.size()));
    }
    behind_.assign(prices * (sites_.size() + 1), 0);
    for (std::size_t i = 0; i < prices; ++i) {
      behind_[sites_.size() * prices + i] = dearest_missing(start, *may_, (*pool_)[i]);
      for (std::size_t run = sites_.size(); run-- > 0;)
        behind_[run * prices + i] = saturating_add(behind_[(run + 1) * prices + i],
                                                   saturating_multiply(dearest_[run * prices + i], sites_[run].sites));
    }
    start_worth_.resize(prices);
    for (std::size_t i = 0; i < prices; ++i) start_worth_[i] = worth(start, (*pool_)[i]);
    limits_.resize(prices);
    base_.resize(prices);
    missing_.resize(of_->classes());
    ending_.resize(of_->classes());
  }

  /// Whether what is missing may stay so.
  [[nodiscard]] bool is_met(const state& missing) {
    layout_->unpack(missing, std::span<class_count>{ending_});
    return may_->allows(ending_);
  }

  /// One layer: the children of all states. `lost` means: go on.
  pass_end fill(std::size_t run, std::uint32_t sites_behind, std::size_t width, search_budget& budget) {
    const std::size_t prices = pool_->size();
    for (std::size_t i = 0; i < prices; ++i)
      limits_[i] = std::min(start_worth_[i],  // more than that is never missing: rooms stay small numbers
                            saturating_add(behind_[(run + 1) * prices + i],
                                           saturating_multiply(dearest_[run * prices + i], sites_behind)));
    // to value a state afresh under many prices takes as long as to look at some patterns
    const std::uint64_t valuing = prices * missing_.size() / 256;
    children_.clear();
    for (std::size_t c = 0; c < course_.size(); ++c) course_[c] -= expected_[run * course_.size() + c];
    floor_ = 0;
    std::size_t full = most_children;
    const std::size_t first = offsets_.back(), last = states_.size();
    for (std::size_t s = first; s < last; ++s) {
      budget.spend(valuing);
      const state from = states_[s];
      layout_->unpack(from, std::span<class_count>{missing_});
      for (std::size_t i = 0; i < prices; ++i) base_[i] = worth(missing_, (*pool_)[i]);
      for (std::uint32_t k = lists_[run]; k < lists_[run + 1]; ++k) {
        const std::uint32_t ahead = k - lists_[run];
        if (ahead % budget_lot == 0 && !budget.spend(std::min(budget_lot, lists_[run + 1] - k))) return pass_end::ended;
        const std::uint32_t* value = values_.data() + std::size_t{k} * prices;
        price room = std::numeric_limits<price>::max();
        for (std::size_t i = 0; i < prices && room >= 0; ++i)
          room = std::min(room, (limits_[i] - base_[i] + (price{value[i]} << shifts_[i])) * scale_[i]);
        if (room < 0) continue;
        bool clipped = false;
        const state to = layout_->subtract(from, patterns_[k].counts, clipped);
        if (clipped) {
          budget.spend(valuing);
          room = room_after_clipping(to);
          if (room < 0) continue;
        }
        const bool few_missing = clipped || base_[0] - value[0] <= static_cast<price>(may_->in_all);
        if (few_missing && is_met(to)) {
          last_ = to;
          return pass_end::met;
        }
        room >>= grain();
        if (room < floor_) {
          cut_ = true;
          continue;
        }
        children_.push_back({to, room, course_.empty() ? 0 : off_course(to)});
        if (children_.size() < full) continue;
        keep(width);
        if (children_.size() > most_states) return pass_end::ended;
        full = std::max(most_children, 2 * children_.size());
      }
    }
    keep(width);
    if (states_.size() + children_.size() > most_states) return pass_end::ended;
    offsets_.push_back(static_cast<std::uint32_t>(states_.size()));
    for (const child& one : children_) states_.push_back(one.missing);
    return pass_end::lost;
  }

  /// Rooms that differ by less than 1 / 256 of the dearest pod are alike where a course is given.
  [[nodiscard]] unsigned grain() const noexcept { return course_.empty() ? 0 : 12; }
  /// The square of how far a state is from the course.
  [[nodiscard]] std::int64_t off_course(const state& missing) {
    layout_->unpack(missing, std::span<class_count>{ending_});
    std::int64_t sum = 0;
    for (std::size_t c = 0; c < course_.size(); ++c) {
      const std::int64_t off = std::int64_t{ending_[c]} * part_unit - course_[c];
      const std::int64_t bounded = std::clamp(off / 64, -furthest, furthest);
      sum += bounded * bounded;
    }
    return sum;
  }

  /// The room of a state from which more was taken than was missing: its worth is counted afresh.
  [[nodiscard]] price room_after_clipping(const state& to) {
    layout_->unpack(to, std::span<class_count>{ending_});
    price room = std::numeric_limits<price>::max();
    for (std::size_t i = 0; i < pool_->size() && room >= 0; ++i)
      room = std::min(room, (limits_[i] - worth(ending_, (*pool_)[i])) * scale_[i]);
    return room;
  }

  /// Merges equal states, drops those that only miss more of the last class, and cuts to the width. What is cut later
  /// has no more room than `floor_`.
  void keep(std::size_t width) {
    std::sort(children_.begin(), children_.end(), [](const child& a, const child& b) { return a.missing < b.missing; });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < children_.size(); ++i)
      if (kept == 0 || !layout_->differ_in_last_only(children_[kept - 1].missing, children_[i].missing))
        children_[kept++] = children_[i];
    children_.resize(kept);
    if (kept <= width) return;
    cut_ = true;
    const auto roomier = [](const child& a, const child& b) {
      if (a.room != b.room) return a.room > b.room;
      return a.off_course != b.off_course ? a.off_course < b.off_course : a.missing < b.missing;
    };
    std::nth_element(children_.begin(), children_.begin() + static_cast<std::ptrdiff_t>(width), children_.end(),
                     roomier);
    children_.resize(width);
    std::sort(children_.begin(), children_.end(), roomier);
    floor_ = children_.back().room;
  }

  const mix* of_ = nullptr;
  const allowance* may_ = nullptr;
  const price_pool* pool_ = nullptr;
  const count_layout* layout_ = nullptr;
  std::span<const site_part> sites_;
  std::span<const std::int64_t> expected_;
  std::vector<std::int64_t> course_;  // what is missing on average, in units of 1 / part_unit pods
  std::vector<known_pattern> patterns_;
  std::vector<std::uint32_t> lists_;              // of patterns, run after run
  std::vector<std::uint32_t> values_;             // pattern x price: the worth, rounded up to a multiple of 2^shift
  std::vector<unsigned> shifts_;                  // of each price; none unless a pattern is worth 2^32
  std::vector<price> dearest_, behind_, limits_;  // run x price
  std::vector<price> base_, start_worth_;
  std::vector<price> scale_;  // makes the dearest class of a price about top_price: rooms compare across prices
  std::vector<class_count> missing_, ending_;
  std::vector<state> states_;
  std::vector<std::uint32_t> offsets_;  // of states, layer after layer
  std::vector<child> children_;
  state last_{};
  price floor_ = 0;  // children of less room are cut
  bool cut_ = false;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
