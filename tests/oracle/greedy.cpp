// SPDX-License-Identifier: BSL-1.0
#include "greedy.hpp"

#include "../support/reference.hpp"
#include "case_instance.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <vector>

namespace oracle {
namespace {

class greedy {
 public:
  explicit greedy(const case_data& of) : instance_{to_instance(of)} {
    largest_.assign(of.resources.size(), 1);
    for (const auto& each : of.nodes) {
      for (std::size_t r = 0; r < largest_.size(); ++r) {
        largest_[r] = std::max(largest_[r], each.capacity[r]);
      }
    }
    for (std::size_t which = 0; which < instance_.classes.size(); ++which) {
      in_order_.push_back(which);
    }
    falling_ = rising_ = in_order_;
    std::stable_sort(falling_.begin(), falling_.end(),
                     [this](std::size_t a, std::size_t b) { return size(a) > size(b); });
    std::stable_sort(rising_.begin(), rising_.end(),
                     [this](std::size_t a, std::size_t b) { return size(a) < size(b); });
  }

  [[nodiscard]] greedy_note place() const {
    greedy_note best{};
    for (const auto& nodes : reference::arenas(instance_)) {
      best[0] = std::max(best[0], place_in(nodes, in_order_, false));
      best[1] = std::max(best[1], place_in(nodes, falling_, false));
      best[2] = std::max(best[2], place_in(nodes, falling_, true));
      best[3] = std::max(best[3], place_in(nodes, rising_, false));
    }
    return best;
  }

 private:
  [[nodiscard]] double share(amount part, std::size_t r) const {
    return static_cast<double>(part) / static_cast<double>(largest_[r]);
  }
  [[nodiscard]] std::pair<double, double> size(std::size_t which) const {
    const auto& request = instance_.classes[which].request;
    double most = 0, sum = 0;
    for (std::size_t r = 0; r < request.size(); ++r) {
      most = std::max(most, share(request[r], r));
      sum += share(request[r], r);
    }
    return {most, sum};
  }

  [[nodiscard]] amount place_in(const std::vector<std::size_t>& nodes, const std::vector<std::size_t>& order,
                                bool best_fit) const {
    std::vector<reference::counts> free;
    for (const auto& each : instance_.nodes) {
      free.push_back(each.free);
    }
    std::map<std::pair<std::size_t, int>, amount> in_domain;  // pods by (level, domain); the node is a domain too
    amount placed = 0;
    for (const auto which : order) {
      const auto& asked = instance_.classes[which];
      for (amount pod = 0; pod < asked.pods; ++pod) {
        const auto found = choose(nodes, which, free, in_domain, best_fit);
        if (found == instance_.nodes.size()) {
          break;  // the others are alike
        }
        for (std::size_t r = 0; r < asked.request.size(); ++r) {
          free[found][r] -= asked.request[r];
        }
        for (const auto& limit : instance_.limits) {
          ++in_domain[{limit.level, domain(found, limit.level)}];
        }
        ++placed;
      }
    }
    return placed;
  }

  [[nodiscard]] std::size_t choose(const std::vector<std::size_t>& nodes, std::size_t which,
                                   const std::vector<reference::counts>& free,
                                   const std::map<std::pair<std::size_t, int>, amount>& in_domain,
                                   bool best_fit) const {
    std::size_t best = instance_.nodes.size();
    double least = 0;
    const auto& request = instance_.classes[which].request;
    for (const auto at : nodes) {
      if (!reference::may_use(instance_, which, at) || !has_room(request, free[at]) || is_full(at, in_domain)) {
        continue;
      }
      double rest = 0;
      for (std::size_t r = 0; r < request.size(); ++r) {
        rest += share(free[at][r] - request[r], r);
      }
      if (best == instance_.nodes.size() || rest < least) {
        best = at;
        least = rest;
      }
      if (!best_fit) {
        break;
      }
    }
    return best;
  }
  [[nodiscard]] static bool has_room(const reference::counts& request, const reference::counts& free) {
    for (std::size_t r = 0; r < request.size(); ++r) {
      if (request[r] > 0 && request[r] > free[r]) {
        return false;
      }
    }
    return true;
  }
  [[nodiscard]] bool is_full(std::size_t at, const std::map<std::pair<std::size_t, int>, amount>& in_domain) const {
    return std::any_of(instance_.limits.begin(), instance_.limits.end(), [&](const reference::limit& limit) {
      const auto known = in_domain.find({limit.level, domain(at, limit.level)});
      return domain(at, limit.level) != reference::no_domain && known != in_domain.end() && known->second >= limit.most;
    });
  }
  [[nodiscard]] int domain(std::size_t at, std::size_t level) const {
    return level == instance_.levels ? static_cast<int>(at) : instance_.nodes[at].domains[level];
  }

  reference::instance instance_;
  amounts largest_;
  std::vector<std::size_t> in_order_, falling_, rising_;
};

}  // namespace

greedy_note place_greedily(const case_data& of) { return greedy{of}.place(); }

}  // namespace oracle
