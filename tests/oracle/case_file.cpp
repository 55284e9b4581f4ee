// SPDX-License-Identifier: BSL-1.0
#include "case_file.hpp"

#include "case_reader.hpp"

#include <algorithm>
#include <fstream>
#include <istream>
#include <memory>
#include <set>

namespace oracle {
namespace {

constexpr std::size_t most_faults = 20;

}  // namespace

amount group::pods() const {
  amount total = 0;
  for (const auto& each : classes) {
    total += each.apart ? 0 : each.count;
  }
  return total;
}

amount group::min() const { return stated_min.value_or(pods()); }

bool group::may_run() const {
  return std::any_of(classes.begin(), classes.end(), [](const pod_class& each) { return each.waiting.has_value(); });
}

amount group::waiting(std::size_t in_class) const {
  return may_run() ? classes[in_class].waiting.value_or(0) : classes[in_class].count;
}

amount group::waiting() const {
  amount total = 0;
  for (std::size_t each = 0; each < classes.size(); ++each) {
    total += classes[each].apart ? 0 : waiting(each);
  }
  return total;
}

bool group::only_min() const {
  bool only = !sizes;
  for (const auto& each : classes) {
    only = only && each.minimum == 0;
  }
  return only;
}

const char* name(question asked) {
  switch (asked) {
    case question::feasible: return "feasible";
    case question::preempt: return "preempt";
    case question::deadlock: return "deadlock";
  }
  return "?";
}

bool case_data::open(std::size_t node) const {
  const auto& each = nodes[node];
  return !each.lost && !(each.closed && each.closed->from <= now && now < each.closed->until);
}

amount case_data::have(std::size_t group, std::size_t in_class) const {
  amount total = groups[group].classes[in_class].succeeded;
  for (const auto& each : runs) {
    if (each.group != group) {
      continue;
    }
    const auto& of = groups[group].classes[each.pod_class];
    if (of.apart ? of.of == in_class : each.pod_class == in_class) {
      total += each.count - each.leaving;
    }
  }
  return total;
}

amount case_data::needed(std::size_t group) const {
  const auto& of = groups[group];
  if (!of.may_run()) {
    return of.min();
  }
  const amount waiting = of.waiting();
  if (of.basic && waiting == 0) {
    return 0;
  }
  amount have_all = 0;
  for (std::size_t each = 0; each < of.classes.size(); ++each) {
    have_all += of.classes[each].apart ? 0 : have(group, each);
  }
  return std::max<amount>(of.min() - have_all, waiting > 0 ? 1 : 0);
}

std::vector<amounts> case_data::free(std::size_t for_group) const {
  std::vector<amounts> left;
  for (const auto& each : nodes) {
    left.push_back(each.capacity);
  }
  for (const auto& each : runs) {
    const auto& request = groups[each.group].classes[each.pod_class].request;
    for (std::size_t r = 0; r < request.size(); ++r) {
      left[each.node][r] -= each.holds ? (*each.holds)[r] : each.count * request[r];
    }
  }
  for (const auto& each : kept) {
    if (each.group != for_group && now < each.until) {
      for (std::size_t r = 0; r < each.kept.size(); ++r) {
        left[each.node][r] -= each.kept[r];
      }
    }
  }
  return left;
}

std::string to_string(const fault& found) {
  auto text = found.file + ":" + std::to_string(found.line) + ":" + std::to_string(found.column) + ": " + found.what;
  if (!found.word.empty()) {
    text += ": '" + found.word + "'";
  }
  return text;
}

read_result read_cases(std::istream& in, const std::string& file) {
  read_result result;
  std::set<std::string, std::less<>> names;
  std::unique_ptr<case_reader> reading;
  bool skipping = false;  // after a fault, to the next `case`
  std::string text;
  std::size_t number = 0;
  const auto start = [&](line_words& line) {
    const auto name = line.next("the name of the case");
    line.finish();
    if (!names.emplace(name.text).second) {
      line.fail(name, "a second case of this name");
    }
    reading = std::make_unique<case_reader>(std::string{name.text}, line.number());
  };

  while (result.faults.size() < most_faults && std::getline(in, text)) {
    ++number;
    if (text.empty() || text.front() == '#') {
      continue;
    }
    try {
      if (skipping && !text.starts_with("case ")) {
        continue;
      }
      skipping = false;
      line_words line{text, number, file};
      if (line.first().text == "case") {
        const auto open = std::move(reading);
        line.next("'case'");
        if (open) {
          result.faults.push_back({file, number, 1, "case", "case " + open->name() + " has no end yet"});
        }
        start(line);
      } else if (!reading) {
        line.fail(line.first(), "a line outside a case");
      } else if (reading->take(line)) {
        result.cases.push_back(std::move(*reading).data());
        reading.reset();
      }
    } catch (fault& found) {
      result.faults.push_back(std::move(found));
      reading.reset();
      skipping = true;
    }
  }
  if (in.bad()) {
    result.faults.push_back({file, number, 1, {}, "reading failed after this line"});
  } else if (reading && result.faults.size() < most_faults) {
    result.faults.push_back({file, number + 1, 1, {}, "the file ends inside case " + reading->name()});
  } else if (result.faults.empty() && result.cases.empty()) {
    result.faults.push_back({file, number + 1, 1, {}, "the file holds no case"});
  }
  if (!result.faults.empty()) {
    result.cases.clear();
  }
  return result;
}

read_result read_case_file(const std::string& path) {
  std::ifstream in{path, std::ios::binary};
  if (!in) {
    return {{}, {{path, 0, 0, {}, "cannot be opened"}}};
  }
  return read_cases(in, path);
}

}  // namespace oracle
