// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_ORACLE_JUDGE_HPP
#define MUSTER_TESTS_ORACLE_JUDGE_HPP

// Whether a solver's answer to a case is right. Nothing is taken on trust: a
// placement that breaks a rule of the case is wrong, whatever the answer says.

#include "../support/reference_check.hpp"
#include "case_file.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oracle {

enum class decision : std::uint8_t { no, yes, undecided };

struct feasible_result {
  decision decided = decision::undecided;
  std::optional<amount> max{};          // the most pods, where the solver knows it
  std::vector<reference::seat> placed{};  // of a yes; of the best attempt else, where there is one
  double microseconds = 0;              // of the call alone, the least of three
  std::string detail{};                 // verdict and reason in the solver's words
  std::string proof{};                  // of a no: the kinds of its certificate, joined by "+"
  std::string refuted{};                // why that certificate does not hold; empty if it does
  std::string uncheckable{};            // why it cannot be counted again; empty if it can
};

enum class agreement : std::uint8_t { yes, no, undecided, skipped };

[[nodiscard]] const char* name(agreement value);

struct judgement {
  agreement agree = agreement::skipped;
  std::string why;  // what is wrong
};

// `skipped` where the case has no proven answer and nothing else is wrong.
[[nodiscard]] judgement judge(const case_data& of, const feasible_result& given);

// What simple means settle: yes where one of the noted greedy orders places
// enough, no where summed capacity or single classes prove it.
[[nodiscard]] std::optional<decision> plain_decision(const case_data& of);

}  // namespace oracle

#endif
