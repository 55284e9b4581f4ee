// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_CLUSTER_DOMAINS_HPP
#define MUSTER_CLUSTER_DOMAINS_HPP

/// \file
/// Topology domains as runs of node positions.
///
/// Label paths are interned: a node carries the number of its path. For every level each path belongs to one domain or
/// none, and each domain is a list of position runs (one per node kind; more where a level merges equal names).
/// Domains of a level are numbered in the order of their names (the path, or a merged level's own value), so their
/// order is the host's labels' and nothing else's.

#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/storage.hpp>
#include <muster/core/topology.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace muster::inline MUSTER_ABI {

/// Positions first .. last-1.
struct run {
  std::uint32_t first = 0, last = 0;
  friend bool operator==(const run&, const run&) = default;
};

/// Adds to `out` what two lists of runs have in common. \pre both ascending, no two runs of one list overlap
/// \complexity O(runs of both)
template <class Runs>
void add_common(std::span<const run> a, std::span<const run> b, Runs& out) {
  auto one = a.begin(), other = b.begin();
  while (one != a.end() && other != b.end()) {
    const run both{std::max(one->first, other->first), std::min(one->last, other->last)};
    if (both.first < both.last) out.push_back(both);
    if (one->last < other->last) ++one;
    else ++other;
  }
}

/// Whether a position is in one of the runs. \pre ascending, no two overlap \complexity O(log runs)
[[nodiscard]] constexpr bool hold(std::span<const run> runs, std::uint32_t position) noexcept {
  const auto after = std::upper_bound(runs.begin(), runs.end(), position,
                                      [](std::uint32_t p, const run& one) { return p < one.last; });
  return after != runs.end() && position >= after->first;
}

inline constexpr std::uint32_t no_domain = ~std::uint32_t{0};

class domain_table {
 public:
  domain_table() = default;
  domain_table(domain_table&&) = default;  // a map's entries stay where they are when it moves
  domain_table& operator=(domain_table&&) = default;
  domain_table(const domain_table& other)
      : numbers_{other.numbers_}, paths_(other.paths_.size()), levels_{other.levels_} {
    for (const auto& [path, number] : numbers_) paths_[number] = &path;
  }
  domain_table& operator=(const domain_table& other) {
    if (this != &other) *this = domain_table{other};
    return *this;
  }
  ~domain_table() = default;

  /// Number of a label path; the same labels always get the same number.
  [[nodiscard]] std::uint32_t intern(const labels& path) {
    const auto [where, added] = numbers_.try_emplace(path, static_cast<std::uint32_t>(paths_.size()));
    if (added) paths_.push_back(&where->first);
    return where->second;
  }
  [[nodiscard]] const labels& path(std::uint32_t number) const noexcept { return *paths_[number]; }

  /// Place of every path in the order of its labels, for sorting nodes.
  [[nodiscard]] std::vector<std::uint32_t> ranks() const {
    std::vector<std::uint32_t> rank(paths_.size());
    std::uint32_t next = 0;
    for (const auto& [path, number] : numbers_) rank[number] = next++;
    return rank;
  }

  /// Computes the domains of every level. \param path_at path number of each position, in position order
  void rebuild(const topology& shape, std::span<const std::uint32_t> path_at) {
    levels_.assign(shape.size(), {});
    for (std::size_t l = 0; l < shape.size(); ++l) rebuild_level(shape, l, path_at);
  }

  [[nodiscard]] std::size_t count(std::size_t level) const noexcept { return levels_[level].names.size(); }
  /// Domain of a path at a level, or no_domain.
  [[nodiscard]] std::uint32_t domain_of(std::uint32_t path, std::size_t level) const noexcept {
    return levels_[level].of_path[path];
  }
  [[nodiscard]] std::span<const run> runs(std::size_t level, std::uint32_t domain) const noexcept {
    const one_level& here = levels_[level];
    return std::span{here.runs}.subspan(here.offsets[domain], here.offsets[domain + 1] - here.offsets[domain]);
  }
  [[nodiscard]] domain_path name(std::size_t level, std::uint32_t domain) const {
    return {static_cast<topology_level>(level), levels_[level].names[domain]};
  }

 private:
  struct one_level {
    std::vector<std::uint32_t> of_path;
    std::vector<labels> names;
    std::vector<std::uint32_t> offsets;
    std::vector<run> runs;
  };

  void rebuild_level(const topology& shape, std::size_t l, std::span<const std::uint32_t> path_at) {
    one_level& level = levels_[l];
    level.of_path.assign(paths_.size(), no_domain);
    std::vector<bool> used(paths_.size(), false);
    for (const std::uint32_t path : path_at) used[path] = true;
    std::vector<std::pair<labels, std::uint32_t>> named;  // (name of the domain, number of the path)
    for (const auto& [path, number] : numbers_) {
      if (!used[number] || label_at(path, l) == no_label) continue;
      if (shape.levels[l].merge_equal_names) named.push_back({labels{path[l]}, number});
      else named.push_back({path.first(l + 1), number});
    }
    if (shape.levels[l].merge_equal_names) std::sort(named.begin(), named.end());  // whole paths are in order already
    for (const auto& [name, number] : named) {
      if (level.names.empty() || level.names.back() != name) level.names.push_back(name);
      level.of_path[number] = static_cast<std::uint32_t>(level.names.size() - 1);
    }
    struct piece {
      std::uint32_t domain;
      run where;
    };
    std::vector<piece> pieces;
    for (std::uint32_t position = 0; position < path_at.size(); ++position) {
      const std::uint32_t domain = level.of_path[path_at[position]];
      if (domain == no_domain) continue;
      if (!pieces.empty() && pieces.back().domain == domain && pieces.back().where.last == position)
        ++pieces.back().where.last;
      else pieces.push_back({domain, {position, position + 1}});
    }
    std::stable_sort(pieces.begin(), pieces.end(), [](const piece& a, const piece& b) { return a.domain < b.domain; });
    level.offsets.assign(level.names.size() + 1, 0);
    for (const piece& p : pieces) {
      level.runs.push_back(p.where);
      ++level.offsets[p.domain + 1];
    }
    for (std::size_t d = 0; d < level.names.size(); ++d) level.offsets[d + 1] += level.offsets[d];
    level.runs.shrink_to_fit();
  }

  std::map<labels, std::uint32_t> numbers_;
  std::vector<const labels*> paths_;  ///< keys of numbers_, which stay where they are
  std::vector<one_level> levels_;
};

}  // namespace muster::inline MUSTER_ABI

#endif
