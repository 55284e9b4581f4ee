// SPDX-License-Identifier: BSL-1.0
#include "options.hpp"

#include "rule.hpp"

#include <charconv>
#include <stdexcept>
#include <string_view>

namespace replay {

namespace {

std::int64_t number(std::string_view option, std::string_view text, std::int64_t least, std::int64_t most) {
  std::int64_t value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || rest != text.data() + text.size() || value < least || value > most) {
    throw std::runtime_error(std::string(option) + ": '" + std::string(text) + "' is not a whole number from " +
                             std::to_string(least) + " to " + std::to_string(most));
  }
  return value;
}

std::vector<int> loads(std::string_view option, std::string_view list) {
  std::vector<int> result;
  while (true) {
    const std::size_t comma = list.find(',');
    result.push_back(static_cast<int>(number(option, list.substr(0, comma), 1, 1'000)));
    if (comma == std::string_view::npos) return result;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace

options read_options(int count, const char* const* words) {
  options result;
  for (int at = 1; at < count; ++at) {
    const std::string_view option = words[at];
    const auto value = [&]() -> std::string_view {
      if (at + 1 == count) throw std::runtime_error(std::string(option) + ": a value is missing");
      return words[++at];
    };
    if (option == "--nodes") {
      result.nodes_file = value();
    } else if (option == "--uniform") {
      result.uniform = static_cast<int>(number(option, value(), 1, 1'000'000));
    } else if (option == "--trace") {
      result.trace_file = value();
    } else if (option == "--loads") {
      result.loads = loads(option, value());
    } else if (option == "--copies") {
      result.copies = static_cast<int>(number(option, value(), 1, 1'000));
    } else if (option == "--days") {
      result.days = static_cast<int>(number(option, value(), 1, 3'650));
    } else if (option == "--seed") {
      result.seed = static_cast<std::uint64_t>(number(option, value(), 0, INT64_MAX));
    } else if (option == "--rules") {
      result.rules = value();
      static_cast<void>(rules_named(result.rules));
    } else if (option == "--out") {
      result.out = value();
    } else if (option == "--quiet") {
      result.quiet = true;
    } else if (option == "--no-speed") {
      result.speed = false;
    } else if (option == "--no-picture") {
      result.picture = false;
    } else if (option == "--help") {
      result.help = true;
    } else {
      throw std::runtime_error("unknown option '" + std::string(option) + "'; --help lists them");
    }
  }
  if (!result.nodes_file.empty() && result.uniform > 0) {
    throw std::runtime_error("--nodes and --uniform: only one list of nodes can be used");
  }
  const bool nodes_given = !result.nodes_file.empty() || result.uniform > 0;
  if (!result.trace_file.empty() && nodes_given && !result.loads.empty()) {
    throw std::runtime_error("--loads: with a trace the load follows from the nodes; leave out --nodes or --loads");
  }
  if (result.trace_file.empty() && result.copies > 1) throw std::runtime_error("--copies: needs a --trace");
  if (result.loads.empty()) result.loads = {90, 105};
  return result;
}

std::string usage() {
  std::string text =
      "replay: the same stream of gangs under several rules of scheduling\n\n"
      "  --trace FILE.csv   a gang trace (ITP or Helios Venus columns); default: the embedded generator\n"
      "  --nodes FILE.csv   a node list (openb columns; nodes without GPUs are left out)\n"
      "  --uniform N        N nodes of 8 GPUs; default: 1250, or with a trace as many as the load needs\n"
      "  --loads A,B        offered load in percent; default 90,105\n"
      "  --copies K         with a trace: K copies of it, each shifted cyclically by a seeded offset\n"
      "  --days D           span of the generated input; default 30\n"
      "  --seed S           seed of the generator and of the copies' offsets; default 1\n"
      "  --rules a,b        default pods,quota,gangs,strict\n"
      "  --out DIR          where the CSV files and the picture go; default replay-out\n"
      "  --no-picture, --no-speed, --quiet, --help\n\nrules:\n";
  for (const rule_entry& entry : all_rules()) {
    text += "  " + std::string(entry.key) + std::string(entry.key.size() < 14 ? 14 - entry.key.size() : 1, ' ') +
            std::string(entry.text) + "\n";
  }
  return text;
}

}  // namespace replay
