// SPDX-License-Identifier: BSL-1.0
//
// The lines of EXTENSIONS.md about a group of which some run.
#include "case_reader.hpp"

namespace oracle {

bool case_reader::member_extension(line_words& line) {
  static constexpr known_line known[] = {
      {"apart", &case_reader::apart},
      {"waiting", &case_reader::waiting},
      {"succeeded", &case_reader::succeeded},
  };
  return read_known(known, line);
}

void case_reader::apart(line_words& line) {
  const auto in_group = group_of(line);
  auto& classes = data_.groups[in_group].classes;
  auto& made = classes[class_of(line, in_group)];
  if (made.apart) {
    line.fail(line.first(), "this class stands apart already");
  }
  made.apart = true;
  if (!line.at_end()) {
    auto ahead = line;
    const auto at = ahead.next("the class it is of");
    const auto of = class_of(line, in_group);
    if (classes[of].apart) {
      line.fail(at, "this class stands apart itself");
    }
    made.of = of;
  }
}

void case_reader::waiting(line_words& line) {
  const auto in_group = group_of(line);
  const auto in_class = class_of(line, in_group);
  auto& made = data_.groups[in_group].classes[in_class];
  if (made.waiting) {
    line.fail(line.first(), "a second line of waiting for this class");
  }
  const auto count = line.next("the number of pods");
  made.waiting = line.quantity_of(count, "the number of pods", 0, made.count);
  are_in_class(line, count, in_group, in_class);
}

void case_reader::succeeded(line_words& line) {
  const auto in_group = group_of(line);
  const auto in_class = class_of(line, in_group);
  auto& made = data_.groups[in_group].classes[in_class];
  if (made.succeeded != 0) {
    line.fail(line.first(), "a second line of succeeded for this class");
  }
  const auto count = line.next("the number of pods");
  made.succeeded = line.quantity_of(count, "the number of pods", 1, made.count);
  are_in_class(line, count, in_group, in_class);
}

void case_reader::are_in_class(line_words& line, const word& at, std::size_t in_group, std::size_t in_class) const {
  const auto& of = data_.groups[in_group].classes[in_class];
  // Each of the three is at most the count of the class.
  const auto rest = of.count - running_[in_group][in_class];
  if (rest < of.succeeded || rest - of.succeeded < of.waiting.value_or(0)) {
    line.fail(at, "more pods run, succeeded and wait than the " + std::to_string(of.count) + " of the class");
  }
}

void case_reader::apart_come_last(line_words& line) const {
  for (const auto& each : data_.groups) {
    for (std::size_t which = 1; which < each.classes.size(); ++which) {
      if (each.classes[which - 1].apart && !each.classes[which].apart) {
        line.fail(line.first(),
                  "class " + std::to_string(which) + " of group " + each.name + " comes after one that stands apart");
      }
    }
  }
}

}  // namespace oracle
