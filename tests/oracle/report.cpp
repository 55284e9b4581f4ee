// SPDX-License-Identifier: BSL-1.0
#include "report.hpp"

#include <algorithm>
#include <cstdio>

namespace oracle {
namespace {

std::string decimals(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

}  // namespace

std::string case_line(const case_data& of, const feasible_result& given, agreement agree) {
  const char* const decided = given.decided == decision::undecided ? "undecided"
                              : given.decided == decision::yes     ? "1"
                                                                   : "0";
  return of.name + " query=feasible feasible=" + decided + " max=" + (given.max ? std::to_string(*given.max) : "?") +
         " agree=" + name(agree) + " us=" + decimals(given.microseconds);
}

std::string victims_line(const case_data& of, const preempt_result& given, agreement agree) {
  const bool yes = given.decided == decision::yes;
  const auto if_yes = [&](amount value) { return yes ? std::to_string(value) : std::string{"?"}; };
  const char* const decided = given.decided == decision::undecided ? "undecided" : yes ? "1" : "0";
  return of.name + " query=preempt free_fit=" + (given.free_fit ? *given.free_fit ? "1" : "0" : "?") +
         " victims=" + decided + " cost=" + if_yes(given.cheapest.cost) + " units=" + if_yes(given.cheapest.units) +
         " min_units=" + if_yes(given.fewest.units) + " agree=" + name(agree) + " us=" + decimals(given.microseconds) +
         " us_units=" + decimals(given.units_microseconds) + " gap=" + std::to_string(given.gap()) +
         " steps=" + std::to_string(given.steps);
}

std::string skipped_line(const case_data& of) {
  std::string line = of.name + " query=" + name(of.asked);
  switch (of.asked) {
    case question::feasible: line += " feasible=? max=?"; break;
    case question::preempt: line += " free_fit=? victims=? cost=? units=? min_units=?"; break;
    case question::deadlock: line += " stuck=? break_cost=?"; break;
  }
  return line + " agree=skipped us=0.00";
}

void tally::add(agreement agree, const feasible_result& given) {
  ++cases_;
  ++of_[static_cast<std::size_t>(agree)];
  with_max_ += given.max ? 1U : 0U;
  microseconds_.push_back(given.microseconds);
  if (!given.proof.empty()) {
    ++proofs_[given.proof];
  }
}

void tally::add(const tally& other) {
  cases_ += other.cases_;
  for (std::size_t each = 0; each < 4; ++each) {
    of_[each] += other.of_[each];
  }
  with_max_ += other.with_max_;
  for (const auto& [kind, count] : other.proofs_) {
    proofs_[kind] += count;
  }
  microseconds_.insert(microseconds_.end(), other.microseconds_.begin(), other.microseconds_.end());
}

std::string tally::line(const std::string& label) const {
  std::string proofs;
  for (const auto& [kind, count] : proofs_) {
    proofs += " no_by_" + kind + "=" + std::to_string(count);
  }
  return label + " cases=" + std::to_string(cases_) + " yes=" + std::to_string(count(agreement::yes)) +
         " no=" + std::to_string(count(agreement::no)) + " undecided=" + std::to_string(count(agreement::undecided)) +
         " skipped=" + std::to_string(count(agreement::skipped)) + " with_max=" + std::to_string(with_max_) +
         " us_p50=" + decimals(percentile(microseconds_, 50)) + " us_p95=" + decimals(percentile(microseconds_, 95)) +
         " us_max=" + decimals(percentile(microseconds_, 100)) + proofs;
}

void preempt_tally::add(agreement agree, const preempt_result& given) {
  ++cases_;
  ++of_[static_cast<std::size_t>(agree)];
  proved_ += given.proved() ? 1U : 0U;
  microseconds_.push_back(given.microseconds);
  units_microseconds_.push_back(given.units_microseconds);
  most_steps_ = std::max(most_steps_, given.steps);
  widest_gap_ = std::max(widest_gap_, given.gap());
}

void preempt_tally::add(const preempt_tally& other) {
  cases_ += other.cases_;
  for (std::size_t each = 0; each < 4; ++each) {
    of_[each] += other.of_[each];
  }
  proved_ += other.proved_;
  microseconds_.insert(microseconds_.end(), other.microseconds_.begin(), other.microseconds_.end());
  units_microseconds_.insert(units_microseconds_.end(), other.units_microseconds_.begin(),
                             other.units_microseconds_.end());
  most_steps_ = std::max(most_steps_, other.most_steps_);
  widest_gap_ = std::max(widest_gap_, other.widest_gap_);
}

std::string preempt_tally::line(const std::string& label) const {
  const auto times = [](const char* what, const std::vector<double>& of) {
    return std::string{what} + "us_p50=" + decimals(percentile(of, 50)) + what + "us_p95=" +
           decimals(percentile(of, 95)) + what + "us_max=" + decimals(percentile(of, 100));
  };
  const auto count = [this](agreement agree) { return std::to_string(of_[static_cast<std::size_t>(agree)]); };
  return label + " cases=" + std::to_string(cases_) + " yes=" + count(agreement::yes) + " no=" + count(agreement::no) +
         " undecided=" + count(agreement::undecided) + " skipped=" + count(agreement::skipped) +
         " proved=" + std::to_string(proved_) + times(" ", microseconds_) + times(" units_", units_microseconds_) +
         " steps_max=" + std::to_string(most_steps_) + " gap_max=" + std::to_string(widest_gap_);
}

double percentile(std::vector<double> values, unsigned percent) {
  if (values.empty()) {
    return 0;
  }
  std::sort(values.begin(), values.end());
  const auto rank = std::max<std::size_t>(1, (values.size() * percent + 99) / 100);
  return values[rank - 1];
}

}  // namespace oracle
