// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_BENCHMARKS_FRAGMENTATION_RUN_HPP
#define MUSTER_BENCHMARKS_FRAGMENTATION_RUN_HPP

// One run: pods are offered one at a time to a cluster in one node order, and what is allocated and fragmented is
// recorded by how much has arrived.

#include "draw.hpp"
#include "policies.hpp"
#include "trace.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace fragmentation_study {

enum class ties : std::uint8_t {
  fixed,  // to the first node in the run's order
  fresh,  // to any of them, drawn anew for each pod
};

// Ratings of all nodes for all shapes. A pod changes one node, so a shape that comes again has only those nodes rated
// that changed since.
class rating_table {
 public:
  rating_table(std::size_t shapes, std::size_t nodes)
      : nodes_{nodes}, scores_(shapes * nodes, unfit), devices_(shapes * nodes, -1), seen_(shapes, 0), last_(nodes) {
    forget();
  }
  static constexpr std::int64_t unfit = std::numeric_limits<std::int64_t>::min();

  void forget() {
    std::fill(seen_.begin(), seen_.end(), 0);
    changes_.clear();
    for (std::uint32_t n = 0; n < nodes_; ++n) changed(n);
  }
  void changed(std::uint32_t node) {
    last_[node] = changes_.size();
    changes_.push_back(node);
  }

  template <class Policy>
  void bring_up_to_date(std::uint32_t shape, const pod_shape& pod, const std::vector<site>& sites,
                        const Policy& policy) {
    const std::size_t row = shape * nodes_;
    for (std::size_t i = seen_[shape]; i < changes_.size(); ++i) {
      const std::uint32_t n = changes_[i];
      if (last_[n] != i) continue;
      const rating now = fits(sites[n], pod) ? policy.rate(sites[n], pod) : rating{unfit, -1};
      scores_[row + n] = now.score;
      devices_[row + n] = now.device;
    }
    seen_[shape] = changes_.size();
  }

  // The best node, or `nowhere`.
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};
  [[nodiscard]] std::uint32_t best(std::uint32_t shape, ties rule, replay::draw& random) const {
    const auto first = scores_.begin() + static_cast<std::ptrdiff_t>(shape * nodes_);
    const auto last = first + static_cast<std::ptrdiff_t>(nodes_);
    std::int64_t most = unfit;
    for (auto at = first; at != last; ++at) most = std::max(most, *at);
    if (most == unfit) return nowhere;
    if (rule == ties::fixed) return static_cast<std::uint32_t>(std::find(first, last, most) - first);
    auto skip = random.below(std::count(first, last, most));
    auto at = std::find(first, last, most);
    for (; skip > 0; --skip) at = std::find(at + 1, last, most);
    return static_cast<std::uint32_t>(at - first);
  }
  [[nodiscard]] std::int8_t device(std::uint32_t shape, std::uint32_t node) const {
    return devices_[shape * nodes_ + node];
  }

 private:
  std::size_t nodes_;
  std::vector<std::int64_t> scores_;
  std::vector<std::int8_t> devices_;
  std::vector<std::size_t> seen_;       // of each shape, how many changes
  std::vector<std::size_t> last_;       // change of each node
  std::vector<std::uint32_t> changes_;  // nodes
};

// What is recorded at one percentage of arrived demand: means over its arrivals.
struct level {
  double fragmented = 0, idle = 0;             // milli
  std::int64_t arrivals = 0, wide_failed = 0;  // pods of 8 GPUs that found no node so far
};

struct outcome {
  std::vector<level> levels = std::vector<level>(201);
  double seconds = 0;  // in decisions
  std::int64_t decisions = 0;
};

struct arrivals {
  std::vector<std::uint32_t> node_order;
  std::vector<std::uint32_t> pods;  // shapes
};

// The protocol's draw for one seed: order of the nodes, order of the pods up to 130 % of the GPUs.
[[nodiscard]] arrivals draw_arrivals(const machines& on, const trace& of, std::uint64_t seed);

template <class Policy>
class run {
 public:
  run(const machines& on, const trace& of, const std::vector<std::uint32_t>& node_order, const Policy& policy,
      ties rule, std::uint64_t seed, bool any_gpu)
      : of_{of}, policy_{policy}, rule_{rule}, any_gpu_{any_gpu}, random_{seed},
        table_{of.shapes.size(), on.nodes.size()} {
    for (const std::uint32_t n : node_order) {
      site at;
      at.has = on.nodes[n];
      at.left = model::empty_node(at.has);
      at.worth = policy.worth(at);
      sites_.push_back(at);
    }
  }

  struct seat {
    std::uint32_t node = rating_table::nowhere;
    grant given;
  };
  // Puts a pod somewhere, if there is room.
  seat put(std::uint32_t shape) {
    const pod_shape& pod = of_.shapes[shape];
    const auto start = std::chrono::steady_clock::now();
    if constexpr (requires { policy_.learns(sites_, decisions_); })
      if (policy_.learns(sites_, decisions_)) judge_anew();
    table_.bring_up_to_date(shape, pod, sites_, policy_);
    const std::uint32_t node = table_.best(shape, rule_, random_);
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    ++decisions_;
    if (node == rating_table::nowhere) return {};
    seat made{node, {}};
    site& at = sites_[node];
    take(at.left, pod, any_gpu_ && pod.shares() ? any_device(at, pod) : table_.device(shape, node), made.given);
    ++at.holds[class_of(pod)];
    touch(node);
    return made;
  }
  void remove(std::uint32_t shape, const seat& from) {
    site& at = sites_[from.node];
    model::release(at.left, from.given);
    --at.holds[class_of(of_.shapes[shape])];
    touch(from.node);
  }

  // The policy judges by something else from now on.
  void judge_anew() {
    for (site& at : sites_) at.worth = policy_.worth(at);
    table_.forget();
  }

  [[nodiscard]] const std::vector<site>& sites() const noexcept { return sites_; }
  [[nodiscard]] double seconds() const noexcept { return seconds_; }
  [[nodiscard]] std::int64_t decisions() const noexcept { return decisions_; }

 private:
  void touch(std::uint32_t node) {
    sites_[node].worth = policy_.worth(sites_[node]);
    table_.changed(node);
  }
  [[nodiscard]] std::int8_t any_device(const site& at, const pod_shape& pod) {
    std::vector<std::int8_t> may;
    for (std::uint32_t d = 0; d < at.has.first.count; ++d)
      if (at.left.first.left[d] >= pod.asks.first.share) may.push_back(static_cast<std::int8_t>(d));
    return may[static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(may.size())))];
  }

  const trace& of_;
  const Policy& policy_;
  ties rule_;
  bool any_gpu_;
  replay::draw random_;
  rating_table table_;
  std::vector<site> sites_;
  double seconds_ = 0;
  std::int64_t decisions_ = 0;
};

struct no_news {
  bool operator()(std::uint32_t) const noexcept { return false; }
};

// Offers all pods of a draw. \param measure what counts as fragmented, or nothing
// \param news shape -> whether the policy judges by something else from now on
template <class Policy, class News = no_news>
[[nodiscard]] outcome offer(const machines& on, const trace& of, const arrivals& drawn, const Policy& policy, ties rule,
                            std::uint64_t seed, const muster::fragmentation<model, make_table>* measure,
                            bool any_gpu = false, News news = {}) {
  run<Policy> cluster{on, of, drawn.node_order, policy, rule, seed, any_gpu};
  const std::int64_t all = on.gpu_milli();
  std::vector<std::int64_t> fragments;
  std::int64_t fragmented = 0, arrived = 0, used = 0, wide_failed = 0;
  if (measure != nullptr)
    for (const site& at : cluster.sites()) {
      fragments.push_back(measure->of(at.left, at.has));
      fragmented += fragments.back();
    }
  outcome made;
  for (const std::uint32_t shape : drawn.pods) {
    const pod_shape& pod = of.shapes[shape];
    arrived += pod.gpu_milli();
    if (news(shape)) cluster.judge_anew();
    const auto seat = cluster.put(shape);
    if (seat.node == rating_table::nowhere) {
      wide_failed += pod.asks.first.whole == 8 ? 1 : 0;
    } else {
      used += pod.gpu_milli();
      if (measure != nullptr) {
        const site& at = cluster.sites()[seat.node];
        fragmented -= fragments[seat.node];
        fragments[seat.node] = measure->of(at.left, at.has);
        fragmented += fragments[seat.node];
      }
    }
    level& here = made.levels[std::min<std::size_t>(200, static_cast<std::size_t>((200 * arrived + all) / (2 * all)))];
    here.idle += static_cast<double>(all - used);
    if (measure != nullptr) here.fragmented += static_cast<double>(fragmented) / static_cast<double>(measure->weight());
    here.wide_failed = wide_failed;
    ++here.arrivals;
  }
  for (level& one : made.levels)
    if (one.arrivals > 0) {
      const auto count = static_cast<double>(one.arrivals);
      one.fragmented /= count;
      one.idle /= count;
    }
  made.seconds = cluster.seconds();
  made.decisions = cluster.decisions();
  return made;
}

}  // namespace fragmentation_study

#endif
