// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_ORACLE_REPORT_HPP
#define MUSTER_TESTS_ORACLE_REPORT_HPP

// The lines muster_cases prints: one a case, then one a file and question and one over all.

#include "case_file.hpp"
#include "judge.hpp"
#include "judge_preempt.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace oracle {

// "NAME query=feasible feasible=0|1|undecided max=M|? agree=... us=T"
[[nodiscard]] std::string case_line(const case_data& of, const feasible_result& given, agreement agree);

// "NAME query=preempt free_fit=0|1|? victims=0|1|undecided cost=C|? units=U|? min_units=V|? agree=... us=T us_units=T
// gap=G steps=S"; C, U and V are of the best sets found, proved or not: agree=undecided says which.
[[nodiscard]] std::string victims_line(const case_data& of, const preempt_result& given, agreement agree);

// The line of a question that is not answered yet: every value "?", agree=skipped.
[[nodiscard]] std::string skipped_line(const case_data& of);

class tally {
 public:
  void add(agreement agree, const feasible_result& given);
  void skip() { ++cases_, ++of_[static_cast<std::size_t>(agreement::skipped)]; }
  void add(const tally& other);

  [[nodiscard]] std::size_t cases() const { return cases_; }
  [[nodiscard]] std::size_t count(agreement agree) const { return of_[static_cast<std::size_t>(agree)]; }
  // "LABEL cases=N yes=A no=B undecided=C skipped=D with_max=E us_p50=X us_p95=Y us_max=Z", and how many noes rest on each kind of proof
  [[nodiscard]] std::string line(const std::string& label) const;

 private:
  std::size_t cases_ = 0;
  std::size_t of_[4] = {};
  std::size_t with_max_ = 0;
  std::vector<double> microseconds_;
  std::map<std::string, std::size_t> proofs_;
};

// The same of `query preempt`; gaps are those of answers that are not proved, in gpu-seconds.
class preempt_tally {
 public:
  void add(agreement agree, const preempt_result& given);
  void skip() { ++cases_, ++of_[static_cast<std::size_t>(agreement::skipped)]; }
  void add(const preempt_tally& other);

  [[nodiscard]] std::size_t cases() const { return cases_; }
  // "LABEL cases=N yes=A no=B undecided=C skipped=D proved=E us_p50=X us_p95=Y us_max=Z units_us_p50=X units_us_p95=Y
  // units_us_max=Z steps_max=S gap_max=G", times and steps of the calls for the least cost and for the fewest units
  [[nodiscard]] std::string line(const std::string& label) const;

 private:
  std::size_t cases_ = 0;
  std::size_t of_[4] = {};
  std::size_t proved_ = 0;
  std::vector<double> microseconds_;
  std::vector<double> units_microseconds_;
  std::uint64_t most_steps_ = 0;
  amount widest_gap_ = 0;
};

// The value at rank ceil(n * percent / 100) of the sorted values; 0 of none.
[[nodiscard]] double percentile(std::vector<double> values, unsigned percent);

}  // namespace oracle

#endif
