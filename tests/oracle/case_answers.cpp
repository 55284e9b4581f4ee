// SPDX-License-Identifier: BSL-1.0
//
// The question of a case, its answers, and what must hold at its end.
#include "case_reader.hpp"

#include <utility>

namespace oracle {
namespace {

bool flag(line_words& line, const char* what) { return line.quantity(what, 0, 1) == 1; }

template <typename Value>
void once(line_words& line, std::optional<Value>& slot, Value value) {
  if (slot) {
    line.fail(line.first(), "a second answer to the same question");
  }
  slot = std::move(value);
}

}  // namespace

void case_reader::query(line_words& line) {
  before_query(line);
  domains_nest(line);
  apart_come_last(line);
  const auto asked = line.next("the question");
  if (asked.text == "feasible" || asked.text == "preempt") {
    data_.asked = asked.text == "feasible" ? question::feasible : question::preempt;
    const auto from = line;
    data_.asked_group = group_of(line);
    for (const auto each : running_[data_.asked_group]) {
      if (each != 0 && !data_.groups[data_.asked_group].may_run()) {
        auto again = from;
        line.fail(again.next("the group"), "the queried group runs pods already");
      }
    }
  } else if (asked.text == "deadlock") {
    data_.asked = question::deadlock;
  } else {
    line.fail(asked, "a question is feasible, preempt or deadlock");
  }
  has_query_ = true;
}

void case_reader::question_is(line_words& line, question wanted) const {
  if (data_.asked != wanted) {
    line.fail(line.first(), std::string{"an answer to the question "} + oracle::name(wanted) + ", which was not asked");
  }
}

void case_reader::answer(line_words& line) {
  if (!has_query_) {
    line.fail(line.first(), "an answer before its query");
  }
  const auto kind = line.next("what is answered");
  if (kind.text == "feasible") {
    question_is(line, question::feasible);
    answer_feasible(line);
  } else if (kind.text == "free_fit") {
    question_is(line, question::preempt);
    once(line, data_.free_fit, flag(line, "free_fit"));
  } else if (kind.text == "victims") {
    question_is(line, question::preempt);
    answer_victims(line);
  } else if (kind.text == "deadlocked") {
    question_is(line, question::deadlock);
    answer_deadlocked(line);
  } else if (kind.text == "break_min_cost") {
    question_is(line, question::deadlock);
    once(line, data_.break_min_cost, line.quantity("the cost"));
  } else {
    line.fail(kind, "an unknown answer");
  }
}

void case_reader::answer_feasible(line_words& line) {
  const auto& asked = data_.groups[data_.asked_group];
  feasible_answer made;
  const auto verdict = line.next("0 or 1");
  made.feasible = line.quantity_of(verdict, "the answer", 0, 1) == 1;
  line.literal("max");
  made.max = line.quantity("the most pods", 0, asked.waiting());
  const auto needed = data_.needed(data_.asked_group);
  if (asked.only_min() && made.feasible != (made.max >= needed)) {
    line.fail(verdict, "feasible must be 1 exactly when max reaches " + std::to_string(needed));
  }
  once(line, data_.feasible, made);
}

void case_reader::answer_victims(line_words& line) {
  victims_answer made;
  made.possible = flag(line, "victims");
  if (made.possible) {
    line.literal("min_cost");
    made.min_cost = line.quantity("the cost");
    line.literal("units_at_min_cost");
    made.units_at_min_cost = line.quantity("the units");
    line.literal("min_units");
    made.min_units = line.quantity("the units", 0, made.units_at_min_cost);
  }
  once(line, data_.victims, made);
}

void case_reader::answer_deadlocked(line_words& line) {
  deadlock_answer made;
  const auto count = line.quantity("the number of groups", 0, static_cast<amount>(data_.groups.size()));
  for (amount taken = 0; taken < count; ++taken) {
    const auto from = line;
    const auto stuck = group_of(line);
    if (!made.stuck.empty() && stuck <= made.stuck.back()) {
      auto again = from;
      line.fail(again.next("the group"), "groups are named once each, in file order");
    }
    made.stuck.push_back(stuck);
  }
  once(line, data_.deadlocked, std::move(made));
}

void case_reader::note(line_words& line) {
  const auto kind = line.next("what is noted");
  if (kind.text == "k8s_first" || kind.text == "k8s_mostalloc") {
    note_evicted(line, data_.evicting[kind.text == "k8s_first" ? 0 : 1]);
    return;
  }
  if (kind.text != "greedy_placed") {
    return;  // never needed to judge an answer
  }
  question_is(line, question::feasible);
  if (!has_query_) {
    line.fail(line.first(), "a note before the query");
  }
  greedy_note made{};
  static constexpr std::array<std::string_view, 4> orders{"ff", "ffd", "bfd", "ffi"};
  for (std::size_t each = 0; each < orders.size(); ++each) {
    line.literal(orders[each]);
    made[each] = line.quantity("the pods placed", 0, data_.groups[data_.asked_group].waiting());
  }
  line.finish();
  once(line, data_.greedy_placed, made);
}

void case_reader::note_evicted(line_words& line, std::optional<evicting_note>& to) {
  question_is(line, question::preempt);
  evicting_note made;
  const auto first = line.next("a cost, or none");
  if (first.text == "cost") {
    made.exists = true;
    made.cost = line.quantity("the cost");
    line.literal("units");
    made.units = line.quantity("the number of units");
  } else if (first.text != "none") {
    line.fail(first, "what is noted is cost or none");
  }
  line.finish();
  once(line, to, made);
}

void case_reader::end(line_words& line) {
  line.finish();
  if (!has_query_) {
    line.fail(line.first(), "the case has no query");
  }
  if (data_.free_fit.has_value() != data_.victims.has_value()) {
    line.fail(line.first(), "free_fit and victims are answered together");
  }
  if (data_.deadlocked.has_value() != data_.break_min_cost.has_value()) {
    line.fail(line.first(), "deadlocked and break_min_cost are answered together");
  }
}

}  // namespace oracle
