// SPDX-License-Identifier: BSL-1.0
// The rules that are compared. A topology is preferred only: a gang goes to a rack, else to a block, else anywhere.

#include <muster/placement/best_candidate.hpp>
#include <muster/placement/count_domains.hpp>
#include <muster/placement/divide.hpp>
#include <muster/placement/place.hpp>
#include <muster/placement/rank_domains.hpp>
#include <muster/scoring/domain_score.hpp>
#include <muster/scoring/gangs_lost.hpp>
#include <muster/scoring/scorer.hpp>
#include <muster/workload/pod_group.hpp>

#include "policy.hpp"
#include "slot_counts.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace topology_study {

namespace {

using replay::job;
using replay::seconds;

muster::pod_group<model> group_of(const job& gang) {
  muster::pod_group<model> group;
  group.pod_sets.push_back({{gang.gpus_per_worker}, gang.workers, gang.workers});
  group.disruption = muster::disruption_mode::all;
  return group;
}

// Nodes in the order of hosts; the topology is not looked at.
class first_fit final : public policy {
 public:
  bool place(const view& on, const job& gang, seconds, std::vector<share>& seats) override {
    const auto ready = model::prepare({gang.gpus_per_worker});
    int left = gang.workers;
    for (std::uint32_t i = 0; i < on.size() && left > 0; ++i) {
      const auto pods = static_cast<int>(model::count_fitting(on.now(i), ready, left));
      if (pods > 0) seats.push_back({i, pods});
      left -= pods;
    }
    return left == 0;
  }
};

// Kubernetes 1.37: every domain that holds the gang is a placement candidate, scored by its pods (here always the same)
// and by how much of it is then allocated; the first in label order of equal ones. Inside, pod by pod, the least
// allocated node. Its topology constraint has one level: tried for the rack, then the block, then without.
class kubernetes_default final : public policy {
 public:
  explicit kubernetes_default(const machines& on) : counts_{on} {}

  bool place(const view& on, const job& gang, seconds, std::vector<share>& seats) override {
    counts_.count(on, gang.gpus_per_worker);
    if (const auto rack = best(on, rack_level, counts_.of_rack(), gang)) {
      seat(on, on.domain_runs(1, *rack), gang, seats);
    } else if (const auto block = best(on, block_level, counts_.of_block(), gang)) {
      seat(on, on.domain_runs(0, *block), gang, seats);
    } else {
      const muster::run whole{0, on.size()};
      seat(on, {&whole, 1}, gang, seats);
    }
    return !seats.empty();
  }

 private:
  static std::optional<std::uint32_t> best(const view& on, muster::topology_level level, std::span<const int> counts,
                                           const job& gang) {
    std::optional<std::uint32_t> chosen;
    std::int64_t highest = 0;
    for (std::uint32_t d = 0; d < counts.size(); ++d) {
      if (counts[d] < gang.workers) continue;
      auto use = muster::use_of(on, on.domain_runs(static_cast<std::size_t>(level), d));
      use.add({gang.gpus_per_worker}, gang.workers);
      const std::int64_t score =
          *muster::pods_count_score(gang.workers, gang.workers) + muster::resource_fit_score<1>(use, {1});
      if (!chosen || score > highest) chosen = d, highest = score;
    }
    return chosen;
  }

  void seat(const view& on, std::span<const muster::run> nodes, const job& gang, std::vector<share>& seats) {
    candidates_.clear();
    for (const muster::run& some : nodes)
      for (std::uint32_t i = some.first; i < some.last; ++i)
        if (model::fits(on.now(i), {gang.gpus_per_worker})) candidates_.push_back({i, on.now(i), 0});
    for (int pod = 0; pod < gang.workers; ++pod) {
      candidate* least = nullptr;
      std::int64_t highest = 0;
      for (candidate& one : candidates_) {
        if (!model::fits(one.left, {gang.gpus_per_worker})) continue;
        const std::int64_t score =
            muster::least_allocated<model>{}(one.left, on.capacity(one.position), {gang.gpus_per_worker});
        if (least == nullptr || score > highest) least = &one, highest = score;
      }
      if (least == nullptr) return seats.clear();
      least->left[0] -= gang.gpus_per_worker;
      ++least->pods;
    }
    for (const candidate& one : candidates_)
      if (one.pods > 0) seats.push_back({one.position, one.pods});
  }

  struct candidate {
    std::uint32_t position = 0;
    model::state_type left{};
    int pods = 0;
  };
  slot_counts counts_;
  std::vector<candidate> candidates_;
};

// A tree of slots over blocks, racks and nodes, and a rule that divides the gang over it: a rack is preferred, else a
// block, else several.
template <muster::division_rule Rule>
class divided final : public policy {
 public:
  explicit divided(const machines&) {
    wish_.level = rack_level;
    wish_.meaning = muster::level_wish::preferred;
    wish_.rule = Rule;
  }

  bool place(const view& on, const job& gang, seconds, std::vector<share>& seats) override {
    muster::count_domains(on, muster::pod_set<model>{{gang.gpus_per_worker}, 1, 0}, muster::node_level, space_, tree_);
    wish_.pods = gang.workers;
    for (const muster::domain_share& one : muster::divide(tree_, wish_, divisions_).shares)
      seats.push_back({tree_[one.domain].number, static_cast<int>(one.pods)});
    return !seats.empty();
  }

 private:
  muster::division_wish wish_;
  muster::workspace<model> space_;
  muster::domain_tree tree_;
  muster::division_space divisions_;
};

// muster's best: the tightest domain of the finest level that holds the gang. place() with the rack required and
// `most_allocated` takes the rack whose nodes are then fullest, so a pod goes where the least is left beside it, and of
// equal ones the rack with the fewest slots. A gang larger than every rack goes to the tightest block, and there and
// over several blocks it is divided among the fewest subdomains.
class muster_best final : public policy {
 public:
  explicit muster_best(const machines& on) : counts_{on} { options_.extras = false; }

  bool place(const view& on, const job& gang, seconds, std::vector<share>& seats) override {
    muster::pod_group<model> group = group_of(gang);
    group.required = rack_level;
    if (muster::place(on, group, space_, options_).fits()) {
      for (const auto& seat : space_.answer.seats) seats.push_back({seat.position, static_cast<int>(seat.count)});
      return true;
    }
    counts_.count(on, gang.gpus_per_worker);
    group.required = block_level;
    if (muster::place(on, group, space_, options_).fits()) {
      seat_in_block(on.domain_of(space_.answer.seats.front().position, 0), gang.workers, seats);
      return true;
    }
    divide(counts_.all_blocks(), counts_.of_block(), gang.workers,
           [&](std::uint32_t block, int pods) { seat_in_block(block, pods, seats); });
    return !seats.empty();
  }

 private:
  void seat_in_block(std::uint32_t block, int pods, std::vector<share>& seats) {
    divide(counts_.racks_of(block), counts_.of_rack(), pods, [&](std::uint32_t rack, int in_rack) {
      divide(counts_.hosts_of(rack), counts_.of_host(), in_rack,
             [&](std::uint32_t i, int count) { seats.push_back({i, count}); });
    });
  }

  slot_counts counts_;
  muster::workspace<model> space_;
  muster::place_options<muster::everywhere, muster::most_allocated<model>> options_;
};

// Of the racks that hold the gang, the few fullest are tried, and the one is taken by which the fewest gangs of the mix
// that came so far stop fitting; several racks as by the smallest spread.
class fewest_gangs_lost final : public policy {
 public:
  explicit fewest_gangs_lost(const machines& on) : wider_{on}, largest_rack_{on.largest_rack()} {}

  bool place(const view& on, const job& gang, seconds held_out, std::vector<share>& seats) override {
    learn(gang);
    keep_in_step(on);
    muster::rank_domains(on, muster::pod_set<model>{{gang.gpus_per_worker}, gang.workers, 0}, rack_level, space_, racks_);
    if (racks_.domains.empty()) return wider_.place(on, gang, held_out, seats);
    among_.clear();
    for (const muster::ranked_domain& rack : racks_.domains) {
      const muster::domain_path name = on.domain_name(1, rack.domain);
      among_.add({&name, 1}, on.domain_runs(1, rack.domain));
      if (among_.size() == tried) break;
    }
    const muster::judgements<muster::gangs_kept<model>> kept{{{1, {&*mix_, &scratch_}}}};
    if (muster::best_candidate(on, group_of(gang), among_, space_, muster::place_options<>{}, kept).verdict !=
        muster::verdict::fits)
      return false;
    for (const auto& seat : space_.answer.seats) seats.push_back({seat.position, static_cast<int>(seat.count)});
    return true;
  }

 private:
  static constexpr std::size_t tried = 8;

  void learn(const job& gang) {
    const auto a_node = static_cast<std::size_t>(gpus_per_node / gang.gpus_per_worker);
    const auto workers = static_cast<std::size_t>(gang.workers);
    const muster::topology_level level = workers <= a_node ? muster::node_level
                                         : workers <= largest_rack_ * a_node ? rack_level
                                                                             : block_level;
    const auto same = [&](const muster::gang_shape<model>& one) {
      return one.request[0] == gang.gpus_per_worker && one.pods == gang.workers;
    };
    const auto known = std::find_if(mixed_.begin(), mixed_.end(), same);
    if (known != mixed_.end()) {
      ++known->weight;
    } else {
      mixed_.push_back({{gang.gpus_per_worker}, gang.workers, level, 1});
    }
    if (known == mixed_.end() || ++learned_ % 256 == 0) mix_.reset();
  }

  void keep_in_step(const view& on) {
    if (!mix_) {
      mix_.emplace(std::span<const muster::gang_shape<model>>{mixed_});
      mix_->rebuild(on);
    } else {
      for (std::uint32_t p = 0; p < on.size(); ++p)
        if (on.node(p).touched > tick_) mix_->update(on, p);
    }
    tick_ = on.tick();
  }

  divided<muster::division_rule::smallest_spread> wider_;
  std::size_t largest_rack_, learned_ = 0;
  std::uint64_t tick_ = 0;
  std::vector<muster::gang_shape<model>> mixed_;
  std::optional<muster::gang_mix<model>> mix_;
  muster::seat_space scratch_;
  muster::workspace<model> space_;
  muster::domain_ranking racks_;
  muster::candidate_list among_;
};

// Slurm's --switches=n@t: for so long a gang that could start holds out for a domain of the finest level that would
// hold it on the empty cluster; then it takes what there is.
template <class Otherwise, seconds Deadline>
class holds_out final : public policy {
 public:
  explicit holds_out(const machines& on)
      : counts_{on}, otherwise_{on}, nodes_of_a_rack_{on.largest_rack()}, nodes_of_a_block_{on.largest_block()} {}

  bool place(const view& on, const job& gang, seconds held_out, std::vector<share>& seats) override {
    if (held_out < Deadline) {
      counts_.count(on, gang.gpus_per_worker);
      const auto a_node = static_cast<std::size_t>(gpus_per_node / gang.gpus_per_worker);
      const auto workers = static_cast<std::size_t>(gang.workers);
      if (workers <= nodes_of_a_rack_ * a_node) {
        if (counts_.most_in_rack() < gang.workers) return false;
      } else if (workers <= nodes_of_a_block_ * a_node) {
        if (counts_.most_in_block() < gang.workers) return false;
      }
    }
    return otherwise_.place(on, gang, held_out, seats);
  }

 private:
  slot_counts counts_;
  Otherwise otherwise_;
  std::size_t nodes_of_a_rack_, nodes_of_a_block_;
};

template <class Policy>
std::unique_ptr<policy> make(const machines& on) {
  if constexpr (std::is_constructible_v<Policy, const machines&>) return std::make_unique<Policy>(on);
  else return std::make_unique<Policy>();
}

template <class Policy, seconds Deadline>
constexpr policy_entry holding_out(std::string_view key, std::string_view title) {
  return {key, title, &make<holds_out<Policy, Deadline>>, Deadline};
}

constexpr policy_entry entries[] = {
    {"first_fit", "first-fit", &make<first_fit>},
    {"kubernetes", "Kubernetes' default", &make<kubernetes_default>},
    {"kueue", "Kueue's rule", &make<divided<muster::division_rule::best_fit>>},
    {"spread", "muster's smallest spread", &make<divided<muster::division_rule::smallest_spread>>},
    {"muster", "muster's best", &make<muster_best>},
    {"gangs_lost", "fewest gangs lost", &make<fewest_gangs_lost>},
    holding_out<muster_best, 300>("muster_5min", "muster's, holds out 5 min"),
    holding_out<muster_best, 3'600>("muster_1h", "muster's, holds out 1 h"),
};

}  // namespace

std::span<const policy_entry> all_policies() { return entries; }

std::vector<policy_entry> policies_named(std::string_view list) {
  std::vector<policy_entry> chosen;
  for (std::size_t from = 0; from <= list.size();) {
    const std::size_t comma = std::min(list.find(',', from), list.size());
    const std::string_view key = list.substr(from, comma - from);
    const auto known =
        std::find_if(std::begin(entries), std::end(entries), [&](const auto& one) { return one.key == key; });
    if (known == std::end(entries)) throw std::runtime_error("no such policy: '" + std::string(key) + "'");
    chosen.push_back(*known);
    from = comma + 1;
  }
  return chosen;
}

}  // namespace topology_study
