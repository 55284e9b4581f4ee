// SPDX-License-Identifier: BSL-1.0
//
// The lines of EXTENSIONS.md.
#include "case_reader.hpp"

#include <span>
#include <utility>

namespace oracle {

bool case_reader::extension(line_words& line) {
  static constexpr known_line known[] = {
      {"kind", &case_reader::kind},   {"ineligible", &case_reader::ineligible}, {"closed", &case_reader::closed},
      {"lost", &case_reader::lost},   {"leaving", &case_reader::leaving},       {"kept", &case_reader::kept},
      {"holds", &case_reader::holds}, {"minimum", &case_reader::minimum},       {"sizes", &case_reader::sizes},
      {"basic", &case_reader::basic},
  };
  return read_known(known, line) || level_extension(line) || device_extension(line) || member_extension(line);
}

bool case_reader::read_known(std::span<const known_line> known, line_words& line) {
  for (const auto& [word, read] : known) {
    if (line.first().text == word) {
      before_query(line);
      (this->*read)(line);
      return true;
    }
  }
  return false;
}

pod_class& case_reader::named_class(line_words& line) {
  const auto in_group = group_of(line);
  return data_.groups[in_group].classes[class_of(line, in_group)];
}

run& case_reader::named_run(line_words& line) {
  const auto in_group = group_of(line);
  const auto in_class = class_of(line, in_group);
  const auto on_node = node_of(line);
  const auto known = run_at_.find({in_group, in_class, on_node});
  if (known == run_at_.end()) {
    line.fail(line.first(), "no run of this class on this node so far");
  }
  return data_.runs[known->second];
}

void case_reader::kind(line_words& line) {
  auto& of = data_.nodes[node_of(line)];
  if (of.kind != 0) {
    line.fail(line.first(), "a second kind for this node");
  }
  of.kind = line.quantity("the kind", 1);
}

void case_reader::ineligible(line_words& line) {
  auto& barred = named_class(line).barred;
  bar made;
  const auto kind = line.next("the kind");
  made.kind = line.quantity_of(kind, "the kind");
  made.reason = line.quantity("the reason", 1);
  for (const auto& each : barred) {
    if (each.kind == made.kind) {
      line.fail(kind, "this class is barred from the kind already");
    }
  }
  barred.push_back(made);
}

void case_reader::closed(line_words& line) {
  auto& of = data_.nodes[node_of(line)];
  if (of.closed) {
    line.fail(line.first(), "this node is closed already");
  }
  time_window made;
  if (!line.at_end()) {
    made.from = line.quantity("the time it closes");
    made.until = line.quantity("the time it opens", made.from);
  }
  of.closed = made;
}

void case_reader::lost(line_words& line) {
  auto& of = data_.nodes[node_of(line)];
  if (of.lost) {
    line.fail(line.first(), "this node is lost already");
  }
  of.lost = true;
}

void case_reader::leaving(line_words& line) {
  auto& of = named_run(line);
  if (of.leaving != 0) {
    line.fail(line.first(), "a second line of leaving for this run");
  }
  of.leaving = line.quantity("the number of pods", 1, of.count);
  of.until = line.quantity("the time they have left");
}

void case_reader::kept(line_words& line) {
  set_aside made;
  made.group = group_of(line);
  const auto from = line;
  made.node = node_of(line);
  made.kept = vector_of(line, "what is kept");
  if (!line.at_end()) {
    made.until = line.quantity("the time it is given back");
  }
  auto again = from;
  const auto node = again.next("the node");
  for (std::size_t r = 0; r < made.kept.size(); ++r) {
    auto& used = used_[made.node][r];
    used = checked_sum(line, node, used, made.kept[r]);
  }
  data_.kept.push_back(std::move(made));
}

void case_reader::basic(line_words& line) {
  auto& of = data_.groups[group_of(line)];
  if (of.basic) {
    line.fail(line.first(), "this group is basic already");
  }
  of.basic = true;
}

void case_reader::holds(line_words& line) {
  const auto first = line.first();
  auto& of = named_run(line);
  if (of.holds) {
    line.fail(first, "a second line of holds for this run");
  }
  of.holds = vector_of(line, "what is held");
  for (std::size_t r = 0; r < of.holds->size(); ++r) {
    used_[of.node][r] = checked_sum(line, first, used_[of.node][r], (*of.holds)[r]);
  }
}

void case_reader::minimum(line_words& line) {
  auto& of = named_class(line);
  if (of.minimum != 0) {
    line.fail(line.first(), "a second minimum for this class");
  }
  of.minimum = line.quantity("the minimum", 1, of.count);
}

void case_reader::sizes(line_words& line) {
  auto& of = data_.groups[group_of(line)];
  if (of.sizes) {
    line.fail(line.first(), "a second line of sizes for this group");
  }
  size_rule made;
  made.smallest = line.quantity("the smallest size");
  made.largest = line.quantity("the largest size", made.smallest);
  made.step = line.quantity("the step", 1);
  of.sizes = made;
}

}  // namespace oracle
