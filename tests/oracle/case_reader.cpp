// SPDX-License-Identifier: BSL-1.0
#include "case_reader.hpp"

#include <algorithm>
#include <utility>

namespace oracle {

bool case_reader::take(line_words& line) {
  const auto first = line.next("the first word");
  using handler = void (case_reader::*)(line_words&);
  static constexpr std::pair<std::string_view, handler> plain[] = {
      {"resources", &case_reader::resources}, {"now", &case_reader::now},          {"node", &case_reader::node_line},
      {"group", &case_reader::group_line},    {"class", &case_reader::class_line}, {"run", &case_reader::run_line},
      {"query", &case_reader::query},         {"answer", &case_reader::answer},
  };
  if (first.text == "end") {
    end(line);
    return true;
  }
  if (first.text == "note") {
    note(line);
    return false;
  }
  for (const auto& [word, read] : plain) {
    if (first.text == word) {
      (this->*read)(line);
      line.finish();
      return false;
    }
  }
  if (!extension(line)) {
    line.fail(first, "an unknown line");
  }
  data_.extended = true;
  line.finish();
  return false;
}

void case_reader::before_query(line_words& line) const {
  if (has_query_) {
    line.fail(line.first(), "this line stands after the query");
  }
}

amounts case_reader::vector_of(line_words& line, const char* what) const {
  amounts read;
  for (const auto& each : data_.resources) {
    read.push_back(line.quantity(std::string{what} + " of " + each));
  }
  return read;
}

std::size_t case_reader::node_of(line_words& line) const {
  const auto name = line.next("the node");
  const auto found = node_at_.find(name.text);
  if (found == node_at_.end()) {
    line.fail(name, "no node of this name so far");
  }
  return found->second;
}

std::size_t case_reader::group_of(line_words& line) const {
  const auto name = line.next("the group");
  const auto found = group_at_.find(name.text);
  if (found == group_at_.end()) {
    line.fail(name, "no group of this name so far");
  }
  return found->second;
}

std::size_t case_reader::class_of(line_words& line, std::size_t in_group) const {
  const auto index = line.next("the class index");
  const auto value = static_cast<std::size_t>(line.quantity_of(index, "the class index"));
  if (value >= data_.groups[in_group].classes.size()) {
    line.fail(index, "group " + data_.groups[in_group].name + " has no class of this index so far");
  }
  return value;
}

void case_reader::resources(line_words& line) {
  if (!data_.resources.empty()) {
    line.fail(line.first(), "a second line of resources");
  }
  while (!line.at_end() || data_.resources.empty()) {
    const auto name = line.next("the first resource");
    if (data_.resources.empty() && name.text != "gpu") {
      line.fail(name, "the first resource is always gpu");
    }
    if (std::find(data_.resources.begin(), data_.resources.end(), name.text) != data_.resources.end()) {
      line.fail(name, "this resource is already there");
    }
    if (data_.resources.size() == max_resources) {
      line.fail(name, "more than " + std::to_string(max_resources) + " resources");
    }
    data_.resources.emplace_back(name.text);
  }
}

void case_reader::now(line_words& line) {
  if (std::exchange(has_now_, true)) {
    line.fail(line.first(), "a second line of now");
  }
  if (!data_.groups.empty()) {
    line.fail(line.first(), "now stands before the first group");
  }
  data_.now = line.quantity("the time");
}

void case_reader::node_line(line_words& line) {
  before_query(line);
  if (data_.resources.empty()) {
    line.fail(line.first(), "a node before the resources");
  }
  node made;
  const auto name = line.next("the name of the node");
  made.name = name.text;
  line.literal("cap");
  made.capacity = vector_of(line, "the capacity");
  const auto labels_from = line;
  while (!line.at_end()) {
    node_label(line, made, line.next("a label"));
  }
  // Known only once all labels of the line are read: what is above each.
  for (auto again = labels_from; !again.at_end();) {
    const auto label = again.next("a label");
    const auto level = static_cast<std::size_t>(
        std::find(level_names.begin(), level_names.end(), label.text.substr(0, label.text.find('='))) -
        level_names.begin());
    auto above = made.labels;
    std::fill(above.begin() + static_cast<std::ptrdiff_t>(level), above.end(), std::string{});
    if (data_.merged[level]) {
      continue;
    }
    const auto [known, fresh] = above_label_.emplace(made.labels[level], above);
    if (!fresh && known->second != above) {
      line.fail(label, "this " + std::string{level_names[level]} + " lies in another domain above");
    }
  }
  if (!node_at_.emplace(made.name, data_.nodes.size()).second) {
    line.fail(name, "a second node of this name");
  }
  used_.emplace_back(data_.resources.size(), 0);
  data_.nodes.push_back(std::move(made));
}

void case_reader::node_label(line_words& line, node& made, const word& label) {
  const auto equals = label.text.find('=');
  const auto key = label.text.substr(0, equals);
  const auto found = std::find(level_names.begin() + first_plain_level, level_names.end(), key);
  if (equals == std::string_view::npos || found == level_names.end()) {
    line.fail(label, "a label is zone=, block= or rack=");
  }
  const auto value = label.text.substr(equals + 1);
  if (value.empty()) {
    line.fail(label, "a label without a name");
  }
  take_label(line, made, label, static_cast<std::size_t>(found - level_names.begin()), value);
}

void case_reader::group_line(line_words& line) {
  before_query(line);
  if (!data_.runs.empty()) {
    line.fail(line.first(), "this line stands after the first run");
  }
  group made;
  const auto name = line.next("the name of the group");
  made.name = name.text;
  std::vector<std::string_view> seen;
  bool has_checkpoint = false;
  word dated = name;
  while (!line.at_end()) {
    const auto key = line.next("a key");
    if (std::find(seen.begin(), seen.end(), key.text) != seen.end()) {
      line.fail(key, "this key is already there");
    }
    seen.push_back(key.text);
    if (key.text == "priority") {
      made.priority = line.quantity("the priority", std::numeric_limits<std::int32_t>::min(),
                                    std::numeric_limits<std::int32_t>::max());
    } else if (key.text == "min") {
      made.stated_min = line.quantity("min");
    } else if (key.text == "mode") {
      const auto mode = line.next("the mode");
      if (mode.text != "all" && mode.text != "single") {
        line.fail(mode, "a mode is all or single");
      }
      made.mode = mode.text == "all" ? eviction_mode::all : eviction_mode::single;
    } else if (key.text == "start" || key.text == "checkpoint") {
      const bool checkpoint = key.text == "checkpoint";
      const auto when = line.next("the time");
      (checkpoint ? made.checkpoint : made.start) = line.quantity_of(when, "the time");
      dated = checkpoint || !has_checkpoint ? when : dated;
      has_checkpoint = has_checkpoint || checkpoint;
    } else if (key.text == "topology") {
      made.topology = level_of(line, true);
      data_.extended = data_.extended || *made.topology < first_plain_level || *made.topology == level_count;
    } else if (key.text == "pernode") {
      made.per_node = line.quantity("pernode");
    } else {
      line.fail(key, "an unknown key");
    }
  }
  if (!has_checkpoint) {
    made.checkpoint = made.start;
  }
  if (made.checkpoint > data_.now) {
    line.fail(dated, "the last checkpoint is later than now");
  }
  if (!group_at_.emplace(made.name, data_.groups.size()).second) {
    line.fail(name, "a second group of this name");
  }
  running_.emplace_back();
  data_.groups.push_back(std::move(made));
}

void case_reader::class_line(line_words& line) {
  before_query(line);
  if (!data_.runs.empty()) {
    line.fail(line.first(), "this line stands after the first run");
  }
  const auto in_group = group_of(line);
  pod_class made;
  const auto count = line.next("the number of pods");
  made.count = line.quantity_of(count, "the number of pods");
  checked_sum(line, count, data_.groups[in_group].pods(), made.count);
  made.request = vector_of(line, "the request");
  for (const auto each : made.request) {
    checked_product(line, count, made.count, each);
  }
  running_[in_group].push_back(0);
  data_.groups[in_group].classes.push_back(std::move(made));
}

void case_reader::run_line(line_words& line) {
  before_query(line);
  run made;
  made.group = group_of(line);
  made.pod_class = class_of(line, made.group);
  made.node = node_of(line);
  const auto count = line.next("the number of pods");
  made.count = line.quantity_of(count, "the number of pods", 1);
  if (!run_at_.try_emplace({made.group, made.pod_class, made.node}, data_.runs.size()).second) {
    line.fail(line.first(), "a second run of this class on this node");
  }
  const auto& of_class = data_.groups[made.group].classes[made.pod_class];
  auto& running = running_[made.group][made.pod_class];
  running = checked_sum(line, count, running, made.count);
  if (running > of_class.count) {
    line.fail(count, "more pods run than the " + std::to_string(of_class.count) + " of the class");
  }
  are_in_class(line, count, made.group, made.pod_class);
  for (std::size_t r = 0; r < data_.resources.size(); ++r) {
    auto& used = used_[made.node][r];
    used = checked_sum(line, count, used, checked_product(line, count, made.count, of_class.request[r]));
  }
  data_.runs.push_back(made);
}

}  // namespace oracle
