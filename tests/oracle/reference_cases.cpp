// SPDX-License-Identifier: BSL-1.0
//
// reference_cases LEAST FILE...: holds the reference solver, the count for alike
// pods and the simple bounds against every proven answer that is small enough.
// Fails on a wrong one, and when fewer than LEAST cases could be solved.

#include "../support/reference.hpp"
#include "../support/reference_bounds.hpp"
#include "case_file.hpp"
#include "case_instance.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

int wrong(const std::string& name, const char* what, long long found, long long proven) {
  std::printf("%s %s is %lld, proven %lld\n", name.c_str(), what, found, proven);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: reference_cases LEAST FILE...\n");
    return 2;
  }
  int solved_in_all = 0;
  int wrongs = 0;
  for (int arg = 2; arg < argc; ++arg) {
    const auto read = oracle::read_case_file(argv[arg]);
    for (const auto& fault : read.faults) {
      std::fprintf(stderr, "%s\n", to_string(fault).c_str());
      ++wrongs;
    }
    int asked = 0, solved = 0, alike = 0, proofs = 0, noes = 0;
    for (const auto& each : read.cases) {
      if (each.asked != oracle::question::feasible || !each.feasible) {
        continue;
      }
      ++asked;
      const auto instance = oracle::to_instance(each);
      if (instance.classes.size() == 1) {
        ++alike;
        const auto max = reference::alike_max(instance);
        if (max != each.feasible->max) {
          wrongs += wrong(each.name, "alike max", max, each.feasible->max);
        }
      }
      if (const auto result = reference::solve(instance)) {
        ++solved;
        if (result->max != each.feasible->max) {
          wrongs += wrong(each.name, "max", result->max, each.feasible->max);
        }
        if (result->feasible != each.feasible->feasible) {
          wrongs += wrong(each.name, "feasible", result->feasible, each.feasible->feasible);
        }
      }
      noes += each.feasible->feasible ? 0 : 1;
      if (reference::plainly_impossible(instance)) {
        ++proofs;
        if (each.feasible->feasible) {
          wrongs += wrong(each.name, "feasible by the simple bounds", 0, 1);
        }
      }
    }
    std::printf("%s: %d feasible cases, %d solved, %d alike counted, %d of %d noes by simple bounds\n", argv[arg],
                asked, solved, alike, proofs, noes);
    solved_in_all += solved;
  }
  if (solved_in_all < std::atoi(argv[1])) {
    std::printf("only %d cases were small enough, %s expected\n", solved_in_all, argv[1]);
    ++wrongs;
  }
  return wrongs == 0 ? 0 : 1;
}
