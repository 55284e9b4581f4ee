// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_ORACLE_JUDGE_PREEMPT_HPP
#define MUSTER_TESTS_ORACLE_JUDGE_PREEMPT_HPP

// Whether an answer to `query preempt` is right. A set of victims is counted
// again from the case alone: who may be taken, what it costs, how many units it
// is, and whether the gang sits as told once they have left.

#include "../support/reference_check.hpp"
#include "case_file.hpp"
#include "judge.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oracle {

// So many pods of one `run` line leave.
struct taken_pods {
  std::size_t group = 0;
  std::size_t pod_class = 0;
  std::size_t node = 0;
  amount pods = 0;
};

// A set of victims, and what the solver says of it.
struct victim_set {
  std::vector<taken_pods> taken{};
  std::vector<reference::seat> placed{};  // the gang, once they have left
  amount cost = 0;                        // in gpu-seconds
  amount units = 0;
};

struct preempt_result {
  decision decided = decision::undecided;  // whether any set works, the empty one too
  std::optional<bool> free_fit{};          // where the solver knows it
  victim_set cheapest{};                   // of a yes: of least cost, and then of fewest units
  bool cheapest_proved = false;
  amount cost_bound = 0;  // no set that works costs less
  victim_set fewest{};    // of a yes: of fewest units, whatever the cost
  bool fewest_proved = false;
  amount units_bound = 0;         // no set that works has fewer units
  double microseconds = 0;        // of the call for the cheapest alone, the least of three
  double units_microseconds = 0;  // of that for the fewest
  std::uint64_t steps = 0;        // of the call that took more
  std::string detail{};           // outcome and reason in the solver's words
  std::string refuted{};          // why its answers cannot both be true; empty if they can

  // How far from proved the cost is, in gpu-seconds.
  [[nodiscard]] amount gap() const { return decided == decision::yes ? cheapest.cost - cost_bound : 0; }
  [[nodiscard]] bool proved() const {
    return decided == decision::no || (decided == decision::yes && cheapest_proved && fewest_proved);
  }
};

// `skipped` where the case has no proven answer and nothing else is wrong.
[[nodiscard]] judgement judge_victims(const case_data& of, const preempt_result& given);

// What these pods lose, in gpu-seconds.
[[nodiscard]] amount cost_of(const case_data& of, const std::vector<taken_pods>& taken);

// Why these victims do not make the queried gang fit, or are not what is said of them; empty if all is well.
[[nodiscard]] std::string broken_rule(const case_data& of, const victim_set& victims);

}  // namespace oracle

#endif
