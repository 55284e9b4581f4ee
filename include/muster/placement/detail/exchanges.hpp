// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_DETAIL_EXCHANGES_HPP
#define MUSTER_PLACEMENT_DETAIL_EXCHANGES_HPP

/// \file
/// Local search on an arrangement: pods go from node to node, pods of two sets or all pods of two nodes change places.
///
/// A node is taken after the other; of all that can be done with it and one other node the best is done, if the whole
/// then scores strictly more, so the search ends. The first of equals is taken. Where no pair of nodes gains, three
/// might: what is found is best only in that sense.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/search_budget.hpp>
#include <muster/placement/detail/arrangement.hpp>
#include <muster/resource/model.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::inline MUSTER_ABI::placement_detail {

template <resource_model M, class Objective>
class exchanges {
 public:
  using arranged = arrangement<M, Objective>;
  using mixes = node_mixes<M, Objective>;
  static constexpr std::uint32_t nothing = mixes::nothing, impossible = mixes::impossible;

  /// \param until steps of the budget that may be spent
  exchanges(arranged& on, search_budget& budget, std::uint64_t until)
      : on_{on}, of_{on.of()}, budget_{budget}, until_{until} {}

  /// Improves until nothing gains; false if the steps ended first.
  bool run() {
    for (bool changed = true; changed;) {
      changed = false;
      const std::vector<std::uint32_t> sources = on_.used();
      for (const std::uint32_t a : sources) {
        if (on_.sites()[a].mix == nothing) continue;  // emptied meanwhile
        changed = improve_at(a) || changed;
        if (is_out()) return false;
      }
    }
    return true;
  }

  /// Seats all pods one by one, each where the whole then scores most; false if one found no place or the steps ended.
  /// \pre the sites are empty
  bool fill() {
    for (std::size_t set = 0; set < of_.sets(); ++set)
      for (pod_count pod = 0; pod < of_.wanted()[set]; ++pod) {
        best_ = {};
        visit_targets(no_site, [&](std::uint32_t b) {
          to_.assign(of_.counts(on_.sites()[b].mix).begin(), of_.counts(on_.sites()[b].mix).end());
          ++to_[set];
          const std::uint32_t mix = of_.mix_of(on_.sites()[b].kind, to_);
          if (mix != impossible) consider(b, mix, b, mix);
        });
        if (is_out() || !best_.found) return false;
        do_best();
      }
    return true;
  }

  [[nodiscard]] bool is_out() const noexcept { return budget_.out() || budget_.spent() >= until_; }

 private:
  static constexpr std::uint32_t no_site = ~std::uint32_t{0};
  struct exchange {
    bool found = false;
    std::uint32_t a = 0, mix_a = 0, b = 0, mix_b = 0;
    std::int64_t total = 0;
  };

  /// Every site that holds pods but one, then the first empty one of each cell.
  template <class Visit>
  void visit_targets(std::uint32_t but, Visit&& visit) {
    for (std::size_t i = 0; i < on_.used().size() && !is_out(); ++i)  // a trial puts back what it takes
      if (const std::uint32_t b = on_.used()[i]; b != but) visit(b);
    for (std::size_t c = 0; c + 1 < on_.cells().size() && !is_out(); ++c)
      for (std::uint32_t b = on_.cells()[c]; b < on_.cells()[c + 1]; ++b)
        if (on_.sites()[b].mix == nothing) {
          visit(b);
          break;
        }
  }

  [[nodiscard]] bool improve_at(std::uint32_t a) {
    best_ = {};
    visit_targets(a, [&](std::uint32_t b) {
      shift(a, b);
      if (on_.sites()[b].mix == nothing || a < b) change_places(a, b);
    });
    if (!best_.found || best_.total <= on_.total()) return false;
    do_best();
    return true;
  }

  void read(std::uint32_t a, std::uint32_t b) {
    const auto in_a = of_.counts(on_.sites()[a].mix), in_b = of_.counts(on_.sites()[b].mix);
    from_.assign(in_a.begin(), in_a.end());
    to_.assign(in_b.begin(), in_b.end());
  }
  /// Looks at the counts as they lie there; false if one of the nodes does not host them.
  bool look(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t mix_b = of_.mix_of(on_.sites()[b].kind, to_);
    if (mix_b == impossible) return false;
    const std::uint32_t mix_a = of_.mix_of(on_.sites()[a].kind, from_);
    if (mix_a == impossible) return false;
    consider(a, mix_a, b, mix_b);
    return true;
  }

  /// One pod or more of a set from a to b, and all pods of a.
  void shift(std::uint32_t a, std::uint32_t b) {
    read(a, b);
    for (std::size_t set = 0; set < of_.sets(); ++set) {
      const pod_count most = from_[set], before = to_[set];
      for (pod_count pods = 1; pods <= most && !is_out(); ++pods) {
        --from_[set];
        ++to_[set];
        if (!look(a, b)) break;
      }
      from_[set] = most;
      to_[set] = before;
    }
    for (std::size_t set = 0; set < of_.sets(); ++set) to_[set] += from_[set];
    from_.assign(of_.sets(), 0);
    (void)look(a, b);
  }

  /// One pod of a set for one or more of another, and all pods of a for all of b.
  void change_places(std::uint32_t a, std::uint32_t b) {
    read(a, b);
    const std::vector<pod_count> in_a = from_, in_b = to_;
    for (std::size_t s = 0; s < of_.sets(); ++s)
      for (std::size_t t = 0; t < of_.sets(); ++t) {
        if (s == t) continue;
        for (pod_count i = 1; i <= in_a[s]; ++i)
          for (pod_count j = 1; j <= in_b[t] && (i == 1 || j == 1) && !is_out(); ++j) {
            from_[s] = in_a[s] - i, to_[s] = in_b[s] + i;
            from_[t] = in_a[t] + j, to_[t] = in_b[t] - j;
            (void)look(a, b);
          }
        from_[s] = in_a[s], from_[t] = in_a[t];
        to_[s] = in_b[s], to_[t] = in_b[t];
      }
    from_ = in_b;
    to_ = in_a;
    (void)look(a, b);
  }

  /// Notes an exchange if it is legal and the whole scores more than by the best so far.
  void consider(std::uint32_t a, std::uint32_t mix_a, std::uint32_t b, std::uint32_t mix_b) {
    const std::uint32_t was_a = on_.sites()[a].mix, was_b = on_.sites()[b].mix;
    const std::int64_t total = on_.total();
    on_.set(a, nothing);
    on_.set(b, nothing);
    bool legal = on_.allows(a, of_.pods(mix_a));
    if (legal) {
      on_.set(a, mix_a);
      legal = a == b || on_.allows(b, of_.pods(mix_b));
    }
    if (legal) {
      on_.set(b, mix_b);
      on_.judge();
      if (!best_.found || on_.total() > best_.total) best_ = {true, a, mix_a, b, mix_b, on_.total()};
    }
    on_.set(a, nothing);
    on_.set(b, nothing);
    on_.set(a, was_a);
    on_.set(b, was_b);
    on_.restore_total(total);
  }
  void do_best() {
    on_.set(best_.a, nothing);
    on_.set(best_.b, nothing);
    on_.set(best_.a, best_.mix_a);
    on_.set(best_.b, best_.mix_b);
    on_.restore_total(best_.total);
  }

  arranged& on_;
  mixes& of_;
  search_budget& budget_;
  std::uint64_t until_;
  exchange best_;
  std::vector<pod_count> from_, to_;
};

}  // namespace muster::inline MUSTER_ABI::placement_detail

#endif
