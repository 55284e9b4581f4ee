// SPDX-License-Identifier: BSL-1.0
//
// Topology levels: their names, and the lines of EXTENSIONS.md about them.
#include "case_reader.hpp"

#include <algorithm>
#include <string_view>

namespace oracle {

std::size_t case_reader::level_of(line_words& line, bool or_node) {
  const auto level = line.next("the level");
  if (or_node && level.text == "node") {
    return level_count;
  }
  const auto found = std::find(level_names.begin(), level_names.end(), level.text);
  if (found == level_names.end()) {
    line.fail(level, "a level is zone, block, rack or tier4 to tier8");
  }
  return static_cast<std::size_t>(found - level_names.begin());
}

void case_reader::take_label(line_words& line, node& made, const word& at, std::size_t level, std::string_view name) {
  if (!made.labels[level].empty()) {
    line.fail(at, "a second label of this level");
  }
  const auto [known, fresh] = level_of_label_.emplace(name, level);
  if (!fresh && known->second != level) {
    line.fail(at, "this name is already a " + std::string{level_names[known->second]});
  }
  made.labels[level] = name;
}

bool case_reader::level_extension(line_words& line) {
  static constexpr known_line known[] = {
      {"merged", &case_reader::merged},
      {"label", &case_reader::label},
      {"atmost", &case_reader::at_most},
  };
  return read_known(known, line);
}

void case_reader::merged(line_words& line) {
  if (!data_.nodes.empty()) {
    line.fail(line.first(), "merged stands before the first node");
  }
  data_.merged[level_of(line)] = true;
}

void case_reader::label(line_words& line) {
  auto& of = data_.nodes[node_of(line)];
  auto ahead = line;
  const auto at = ahead.next("the level");
  const auto level = level_of(line);
  if (level >= first_plain_level) {
    line.fail(at, "this level stands in the line of the node");
  }
  const auto name = line.next("the name of the domain");
  take_label(line, of, name, level, name.text);
}

void case_reader::at_most(line_words& line) {
  auto& of = data_.groups[group_of(line)];
  auto ahead = line;
  const auto at = ahead.next("the level");
  const auto level = level_of(line, true);
  if (of.at_most[level]) {
    line.fail(at, "a second limit for this level");
  }
  of.at_most[level] = line.quantity("the limit");
}

// What lies above each domain is known once all lines about nodes are read.
void case_reader::domains_nest(line_words& line) const {
  std::map<std::string_view, std::array<std::string, level_count>> above;
  for (const auto& each : data_.nodes) {
    for (std::size_t level = 0; level < level_count; ++level) {
      if (each.labels[level].empty() || data_.merged[level]) {
        continue;
      }
      auto over = each.labels;
      std::fill(over.begin() + static_cast<std::ptrdiff_t>(level), over.end(), std::string{});
      const auto [known, fresh] = above.emplace(each.labels[level], over);
      if (!fresh && known->second != over) {
        line.fail(line.first(), "the " + std::string{level_names[level]} + " " + each.labels[level] +
                                    " lies in several domains above");
      }
    }
  }
}

}  // namespace oracle
