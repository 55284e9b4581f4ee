// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_BENCHMARKS_TOPOLOGY_SLOT_COUNTS_HPP
#define MUSTER_BENCHMARKS_TOPOLOGY_SLOT_COUNTS_HPP

// How many pods of one size fit, node by node, rack by rack and block by block, and how a number of them is divided.

#include "policy.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace topology_study {

// Neighbours in an order: nodes of a rack, racks of a block, both of the cluster.
struct range {
  std::uint32_t first = 0, last = 0;
};

// The counts of one moment; counted again when the cluster has changed or another size is asked for.
class slot_counts {
 public:
  explicit slot_counts(const machines& on)
      : of_host_(on.hosts.size()), of_rack_(on.racks), of_block_(on.blocks), hosts_of_(on.racks), racks_of_(on.blocks) {
    for (std::uint32_t i = 0; i < on.hosts.size(); ++i) {
      const host& at = on.hosts[i];
      if (i == 0 || on.hosts[i - 1].rack != at.rack) hosts_of_[at.rack].first = i;
      hosts_of_[at.rack].last = i + 1;
      if (i == 0 || on.hosts[i - 1].block != at.block) racks_of_[at.block].first = at.rack;
      racks_of_[at.block].last = at.rack + 1;
    }
  }

  void count(const view& on, int gpus) {
    if (gpus == gpus_ && on.tick() == tick_) return;
    gpus_ = gpus;
    tick_ = on.tick();
    const auto ready = model::prepare({gpus});
    for (std::uint32_t b = 0; b < racks_of_.size(); ++b) {
      of_block_[b] = 0;
      for (std::uint32_t r = racks_of_[b].first; r < racks_of_[b].last; ++r) {
        of_rack_[r] = 0;
        for (std::uint32_t i = hosts_of_[r].first; i < hosts_of_[r].last; ++i)
          of_rack_[r] += of_host_[i] = static_cast<int>(model::count_fitting(on.now(i), ready, gpus_per_node));
        of_block_[b] += of_rack_[r];
      }
    }
  }

  [[nodiscard]] std::span<const int> of_host() const { return of_host_; }
  [[nodiscard]] std::span<const int> of_rack() const { return of_rack_; }
  [[nodiscard]] std::span<const int> of_block() const { return of_block_; }
  [[nodiscard]] int most_in_rack() const { return *std::max_element(of_rack_.begin(), of_rack_.end()); }
  [[nodiscard]] int most_in_block() const { return *std::max_element(of_block_.begin(), of_block_.end()); }
  [[nodiscard]] range hosts_of(std::uint32_t rack) const { return hosts_of_[rack]; }
  [[nodiscard]] range racks_of(std::uint32_t block) const { return racks_of_[block]; }
  [[nodiscard]] range all_blocks() const { return {0, static_cast<std::uint32_t>(of_block_.size())}; }
  [[nodiscard]] range all_racks() const { return {0, static_cast<std::uint32_t>(of_rack_.size())}; }

 private:
  std::vector<int> of_host_, of_rack_, of_block_;
  std::vector<range> hosts_of_, racks_of_;
  int gpus_ = 0;
  std::uint64_t tick_ = 0;
};

inline constexpr std::uint32_t none = ~std::uint32_t{0};

// The member of a range with the smallest count that is at least `pods`, the first of equal ones; or none.
[[nodiscard]] inline std::uint32_t tightest(range among, std::span<const int> counts, int pods) {
  std::uint32_t best = none;
  for (std::uint32_t i = among.first; i < among.last; ++i)
    if (counts[i] >= pods && (best == none || counts[i] < counts[best])) best = i;
  return best;
}

// Divides pods among domains: the largest is filled, again and again, until one holds what is left; of those the
// smallest takes it. Equal ones in their order. No division uses fewer domains, and none has more pairs of pods in one.
// emit(domain, pods) \pre the counts add up to `pods` or more
template <class Emit>
void divide(std::span<const std::uint32_t> among, std::span<const int> counts, int pods, Emit&& emit) {
  std::vector<std::uint32_t> order(among.begin(), among.end());
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return counts[a] > counts[b]; });
  for (std::size_t at = 0; pods > 0 && at < order.size(); ++at) {
    if (counts[order[at]] < pods) {
      emit(order[at], counts[order[at]]);
      pods -= counts[order[at]];
      continue;
    }
    std::size_t last = at;  // the first of the smallest that suffice
    for (std::size_t next = at; next < order.size() && counts[order[next]] >= pods; ++next)
      if (counts[order[next]] < counts[order[last]]) last = next;
    emit(order[last], pods);
    return;
  }
}

// The same among a range.
template <class Emit>
void divide(range among, std::span<const int> counts, int pods, Emit&& emit) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = among.first; i < among.last; ++i)
    if (counts[i] > 0) all.push_back(i);
  divide(std::span<const std::uint32_t>{all}, counts, pods, emit);
}

}  // namespace topology_study

#endif
