// SPDX-License-Identifier: BSL-1.0
#include "refusal_table.hpp"

#include "greedy.hpp"

#include <algorithm>

namespace oracle {
namespace {

constexpr std::array<const char*, 5> proof_names{"slots", "capacity", "spread_limits", "prices", "exhausted"};

// "F3" of "cases/F3.cases".
std::string stem(const std::string& file) {
  const auto slash = file.find_last_of('/');
  const auto name = slash == std::string::npos ? file : file.substr(slash + 1);
  return name.substr(0, name.find('.'));
}

}  // namespace

void refusal_table::add(const std::string& file, const case_data& of, const feasible_result& given) {
  if (!of.feasible) {
    return;
  }
  if (rows_.empty() || rows_.back().label != stem(file)) {
    rows_.push_back({});
    rows_.back().label = stem(file);
  }
  row& to = rows_.back();
  ++to.cases;
  to.undecided += given.decided == decision::undecided ? 1U : 0U;
  if (of.feasible->feasible) {
    ++to.feasible;
    const auto placed = place_greedily(of);
    for (std::size_t each = 0; each < 3; ++each) {
      to.refused[each] += placed[each] < of.needed(of.asked_group) ? 1U : 0U;
    }
    to.refused[3] += given.decided == decision::no ? 1U : 0U;
  }
  if (given.decided == decision::no) {
    ++to.noes;
    const auto kind = given.proof.starts_with("capacity_of") ? std::string{"capacity"} : given.proof;
    const auto known = std::find(proof_names.begin(), proof_names.end(), kind);
    to.proved[static_cast<std::size_t>(known - proof_names.begin())] += given.proof.empty() ? 0U : 1U;
  }
}

void refusal_table::add(row& to, const row& from) {
  to.cases += from.cases;
  to.feasible += from.feasible;
  to.undecided += from.undecided;
  to.noes += from.noes;
  for (std::size_t each = 0; each < to.refused.size(); ++each) {
    to.refused[each] += from.refused[each];
  }
  for (std::size_t each = 0; each < to.proved.size(); ++each) {
    to.proved[each] += from.proved[each];
  }
}

std::string refusal_table::line(const row& of) {
  std::string made = "| " + of.label + " | " + std::to_string(of.cases) + " | " + std::to_string(of.feasible) + " |";
  for (const auto count : of.refused) {
    made += " " + std::to_string(count) + " |";
  }
  made += " " + std::to_string(of.undecided) + " | " + std::to_string(of.noes) + " |";
  for (const auto count : of.proved) {
    made += " " + std::to_string(count) + " |";
  }
  return made + "\n";
}

std::string refusal_table::text() const {
  std::string made =
      "| family | cases | feasible | first fit refuses | FFD | BFD | muster | undecided | noes by muster "
      "| slots | sums | spread limits | prices | search | several |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
  row total;
  total.label = "all";
  for (const row& each : rows_) {
    made += line(each);
    add(total, each);
  }
  return made + line(total);
}

}  // namespace oracle
