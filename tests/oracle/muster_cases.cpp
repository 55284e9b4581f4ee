// SPDX-License-Identifier: BSL-1.0
//
// muster_cases [--must-decide] [--decide-all] [--table] FILE...
//
// Asks the library every question of the case files and compares its answers
// with the proven ones: a line a case, then a line a file and one over all, those
// of `query preempt` by themselves, as FILE:preempt. The time is that of the
// library's call alone, the least of three.
//
//   --must-decide  a feasible case that simple means settle may not stay
//                  undecided: a yes that a noted greedy order reaches, a no that
//                  summed capacity or single classes prove
//   --decide-all   no feasible case may stay undecided, max is known for gangs that
//                  have a min alone, and every no has a certificate that can be
//                  counted again: none rests on a search that tried everything;
//                  and of every preempt case cost and units are proved
//   --table        instead of the lines a table in Markdown: the feasible gangs that
//                  first fit (in pod set order), first fit decreasing and best fit
//                  decreasing refuse, and what the library's noes rest on; nothing
//                  else is asked
//
// Exit status: 0 all is well, 1 something disagrees or stays undecided against
// these flags, 2 a wrong command line or a fault in a file.

#include "case_file.hpp"
#include "greedy.hpp"
#include "judge.hpp"
#include "judge_preempt.hpp"
#include "refusal_table.hpp"
#include "report.hpp"
#include "solve_feasible.hpp"
#include "solve_preempt.hpp"

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace {

struct options {
  bool must_decide = false;
  bool decide_all = false;
  bool table = false;
  std::vector<std::string> files;
};

struct findings {
  std::vector<std::string> lines;
  void add(const std::string& file, const oracle::case_data& of, const std::string& what, const std::string& detail) {
    lines.push_back(file + ":" + std::to_string(of.line) + ": " + of.name + ": " + what +
                    (detail.empty() ? "" : " (" + detail + ")"));
  }
};

struct tallies {
  oracle::tally feasible;
  oracle::preempt_tally preempt;
  void add(const tallies& other) {
    feasible.add(other.feasible);
    preempt.add(other.preempt);
  }
};

void run_preempt(const options& chosen, const std::string& file, const oracle::case_data& each, findings& found,
                 oracle::preempt_tally& counted) {
  const auto given = oracle::solve_preempt(each);
  if (!given) {
    std::printf("%s\n", oracle::skipped_line(each).c_str());
    counted.skip();
    return;
  }
  const auto judged = oracle::judge_victims(each, *given);
  std::printf("%s\n", oracle::victims_line(each, *given, judged.agree).c_str());
  counted.add(judged.agree, *given);
  if (judged.agree == oracle::agreement::no) {
    found.add(file, each, "disagrees: " + judged.why, given->detail);
  } else if (chosen.decide_all && !given->proved()) {
    found.add(file, each, "undecided", given->detail);
  }
}

tallies run_file(const options& chosen, const std::string& file, const std::vector<oracle::case_data>& cases,
                 findings& found, oracle::refusal_table& table) {
  tallies all;
  auto& counted = all.feasible;
  for (const auto& each : cases) {
    if (each.asked == oracle::question::preempt && !chosen.table) {
      run_preempt(chosen, file, each, found, all.preempt);
      continue;
    }
    const auto given = each.asked == oracle::question::feasible ? oracle::solve_feasible(each) : std::nullopt;
    if (!given) {
      if (!chosen.table) {
        std::printf("%s\n", oracle::skipped_line(each).c_str());
      }
      counted.skip();
      continue;
    }
    const auto judged = oracle::judge(each, *given);
    if (chosen.table) {
      table.add(file, each, *given);
      if (each.greedy_placed && oracle::place_greedily(each) != *each.greedy_placed) {
        found.add(file, each, "simple orders place other numbers than noted", "");
      }
    } else {
      std::printf("%s\n", oracle::case_line(each, *given, judged.agree).c_str());
    }
    counted.add(judged.agree, *given);
    if (judged.agree == oracle::agreement::no) {
      found.add(file, each, "disagrees: " + judged.why, given->detail);
    }
    if (given->decided == oracle::decision::undecided) {
      const auto plain = chosen.must_decide ? oracle::plain_decision(each) : std::nullopt;
      if (plain) {
        found.add(file, each,
                  *plain == oracle::decision::yes ? "undecided, but a greedy order places it"
                                                  : "undecided, but a simple bound refuses it",
                  given->detail);
      } else if (chosen.decide_all) {
        found.add(file, each, "undecided", given->detail);
      }
    } else if (chosen.decide_all && !given->max && each.groups[each.asked_group].only_min()) {
      found.add(file, each, "without max", given->detail);
    }
    if (chosen.decide_all && !given->uncheckable.empty()) {
      found.add(file, each, "a no that nobody can count again", given->uncheckable);
    }
  }
  return all;
}

// A line for each question that was asked; that of feasible cases where none was asked at all.
void summarize(const tallies& of, const std::string& label, std::vector<std::string>& lines) {
  if (of.feasible.cases() > 0 || of.preempt.cases() == 0) {
    lines.push_back(of.feasible.line(label));
  }
  if (of.preempt.cases() > 0) {
    lines.push_back(of.preempt.line(label + ":preempt"));
  }
}

}  // namespace

int main(int argc, char** argv) {
  options chosen;
  for (int arg = 1; arg < argc; ++arg) {
    const std::string_view text = argv[arg];
    if (text == "--must-decide") {
      chosen.must_decide = true;
    } else if (text == "--decide-all") {
      chosen.decide_all = true;
    } else if (text == "--table") {
      chosen.table = true;
    } else if (text.starts_with("-")) {
      std::fprintf(stderr, "muster_cases: unknown option %s\n", argv[arg]);
      return 2;
    } else {
      chosen.files.emplace_back(text);
    }
  }
  if (chosen.files.empty()) {
    std::fprintf(stderr, "usage: muster_cases [--must-decide] [--decide-all] [--table] FILE...\n");
    return 2;
  }

  findings found;
  std::vector<std::string> summary;
  tallies total;
  oracle::refusal_table table;
  bool faulty = false;
  for (const auto& file : chosen.files) {
    const auto read = oracle::read_case_file(file);
    for (const auto& fault : read.faults) {
      std::fprintf(stderr, "%s\n", oracle::to_string(fault).c_str());
      faulty = true;
    }
    const auto counted = run_file(chosen, file, read.cases, found, table);
    summarize(counted, file, summary);
    total.add(counted);
  }
  summarize(total, "total", summary);
  if (chosen.table) {
    std::printf("%s", table.text().c_str());
  } else {
    std::printf("\n");
    for (const auto& line : summary) {
      std::printf("%s\n", line.c_str());
    }
  }
  for (const auto& line : found.lines) {
    std::printf("%s\n", line.c_str());
  }
  return faulty ? 2 : found.lines.empty() ? 0 : 1;
}
