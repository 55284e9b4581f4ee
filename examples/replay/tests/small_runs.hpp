// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_REPLAY_TESTS_SMALL_RUNS_HPP
#define MUSTER_REPLAY_TESTS_SMALL_RUNS_HPP

#include "engine.hpp"
#include "generator.hpp"

#include <string>
#include <utility>
#include <vector>

namespace replay {

inline run_result run_rule(const std::string& rule_key, std::vector<job> jobs, const node_list& nodes, seconds span) {
  trace input;
  input.jobs = std::move(jobs);
  input.span = span;
  progress quiet(true);
  return run(input, nodes, rules_named(rule_key).front(), "test", quiet);
}

inline run_result run_generated(const std::string& rule_key, const node_list& nodes,
                                const generator_settings& settings) {
  progress quiet(true);
  return run(generate(nodes, settings), nodes, rules_named(rule_key).front(), "test", quiet);
}

}  // namespace replay

#endif
