// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_CANDIDATES_HPP
#define MUSTER_PLACEMENT_CANDIDATES_HPP

/// \file
/// The sets of nodes among which one is chosen for a gang as a whole, how much of them is tried, and what was chosen.
///
/// A *candidate* is a set of nodes with a name: as a rule a domain of a level, or what domains of several levels have
/// in common. The list holds them in the order of their names, which are the host's labels (single nodes in the order
/// of positions), so the order is the same however the cluster came about. A list that is not *constrained* holds one
/// candidate, the parent, without a name.
/// \see list_candidates.hpp, which makes lists; best_candidate.hpp, which chooses; Kubernetes 1.37 (placements)

#include <muster/cluster/domains.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/topology.hpp>
#include <muster/core/verdict.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace muster::inline MUSTER_ABI {

/// The domains whose common nodes a candidate is; none names the parent.
using candidate_name = std::span<const domain_path>;

/// What is wrong with what a list was to be made of. The list is then empty.
enum class candidate_fault : std::uint8_t {
  none,
  unknown_group,        ///< no such group
  unknown_level,        ///< the topology has no such level
  node_gone,            ///< a member runs on a node that is not there
  node_without_domain,  ///< a member runs on a node without the label of the level
  domains_differ,       ///< members run in several domains of the level
};

[[nodiscard]] constexpr std::string_view name(candidate_fault fault) noexcept {
  switch (fault) {
    case candidate_fault::none: return "none";
    case candidate_fault::unknown_group: return "no such group";
    case candidate_fault::unknown_level: return "no such level";
    case candidate_fault::node_gone: return "a member runs on a node that is not there";
    case candidate_fault::node_without_domain: return "a member runs on a node without the label";
    case candidate_fault::domains_differ: return "members run in several domains";
  }
  return "?";
}

struct candidate_finding {
  candidate_fault fault = candidate_fault::none;
  std::optional<pod_id> pod{};  ///< the member it was seen at, the one with the least id
  [[nodiscard]] bool ok() const noexcept { return fault == candidate_fault::none; }
};

class candidate_list {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return ends_.size(); }
  [[nodiscard]] bool empty() const noexcept { return ends_.empty(); }
  /// Ascending runs of positions of the view the list was made of, none overlapping another.
  [[nodiscard]] std::span<const run> nodes(std::size_t i) const noexcept {
    const std::size_t first = i == 0 ? 0 : ends_[i - 1].runs;
    return std::span{runs_}.subspan(first, ends_[i].runs - first);
  }
  [[nodiscard]] candidate_name name(std::size_t i) const noexcept {
    const std::size_t first = i == 0 ? 0 : ends_[i - 1].parts;
    return std::span{parts_}.subspan(first, ends_[i].parts - first);
  }
  /// Nodes of a candidate. \complexity O(runs)
  [[nodiscard]] std::uint32_t count(std::size_t i) const noexcept {
    std::uint32_t sum = 0;
    for (const run& one : nodes(i)) sum += one.last - one.first;
    return sum;
  }
  bool constrained = false;  ///< a level says where; else the one candidate is the parent
  bool pinned = false;       ///< members that run left no choice

  void clear() noexcept {
    parts_.clear();
    runs_.clear();
    ends_.clear();
    constrained = pinned = false;
  }
  /// Takes a candidate, behind those that are there: of equal ones the first is chosen. Without nodes it is none.
  /// \pre the runs ascend
  /// \param more where two candidates combine, the second one's name
  void add(candidate_name name, std::span<const run> nodes, candidate_name more = {}) {
    if (nodes.empty()) return;
    for (const domain_path& part : name) parts_.push_back(part);
    for (const domain_path& part : more) parts_.push_back(part);
    for (const run& some : nodes) runs_.push_back(some);
    ends_.push_back({parts_.size(), runs_.size()});
  }

 private:
  struct end {
    std::size_t parts = 0, runs = 0;
  };
  std::vector<domain_path> parts_;
  std::vector<run> runs_;
  std::vector<end> ends_;
};

inline constexpr std::size_t no_candidate = std::numeric_limits<std::size_t>::max();

struct candidate_choice {
  std::size_t candidate = no_candidate;      ///< the chosen one; else the one whose refusal lies in the workspace;
                                             ///< none where there is no candidate, even where nothing waits
  muster::verdict verdict = verdict::never;  ///< `fits`, or the most hopeful of the refusals
  bool by_nomination = false;                ///< taken because pods were nominated to it
  std::int64_t score = 0;                    ///< its total, where several were compared
  std::size_t tried = 0, feasible = 0, undecided = 0;
};

/// How many candidates are tried, and in which order.
struct candidate_effort {
  std::int64_t percent = 100;   ///< of the candidates, feasible ones to find; 0 or less: by how many nodes they have
                                ///< (candidates_to_find); without judgements one feasible is enough
  std::uint64_t seed = 0;       ///< of the order, where not all are tried
  std::span<const std::uint32_t> nominated{};  ///< positions, one for each pod of the gang that is nominated to a node
};

}  // namespace muster::inline MUSTER_ABI

#endif
