// SPDX-License-Identifier: BSL-1.0
#include "judge.hpp"

#include "../support/reference_bounds.hpp"
#include "case_instance.hpp"

#include <algorithm>

namespace oracle {

const char* name(agreement value) {
  switch (value) {
    case agreement::yes: return "yes";
    case agreement::no: return "no";
    case agreement::undecided: return "undecided";
    case agreement::skipped: return "skipped";
  }
  return "?";
}

judgement judge(const case_data& of, const feasible_result& given) {
  const auto wrong = [](std::string why) { return judgement{agreement::no, std::move(why)}; };
  const bool says_yes = given.decided == decision::yes;
  if (!of.with_devices && (says_yes || !given.placed.empty())) {
    const auto instance = to_instance(of);
    const auto broken = reference::broken_rule(instance, given.placed, says_yes);
    if (!broken.empty()) {
      return wrong("the placement does not hold: " + broken);
    }
  }
  if (!given.refuted.empty()) {
    return wrong("the certificate does not hold: " + given.refuted);
  }
  amount placed = 0;
  for (const auto& each : given.placed) {
    placed += each.pods;
  }
  if (given.max && placed > *given.max) {
    return wrong("max " + std::to_string(*given.max) + " is less than the " + std::to_string(placed) + " pods placed");
  }
  if (of.feasible) {
    const auto& proven = *of.feasible;
    if (given.decided != decision::undecided && says_yes != proven.feasible) {
      return wrong(proven.feasible ? "it fits" : "it does not fit");
    }
    if (given.max && *given.max != proven.max) {
      return wrong("max is " + std::to_string(proven.max));
    }
  }
  if (given.decided == decision::undecided) {
    return {agreement::undecided, {}};
  }
  return {of.feasible ? agreement::yes : agreement::skipped, {}};
}

std::optional<decision> plain_decision(const case_data& of) {
  if (of.greedy_placed) {
    const auto best = *std::max_element(of.greedy_placed->begin(), of.greedy_placed->end());
    if (best >= of.needed(of.asked_group)) {
      return decision::yes;
    }
  }
  if (reference::plainly_impossible(to_instance(of))) {
    return decision::no;
  }
  return std::nullopt;
}

}  // namespace oracle
