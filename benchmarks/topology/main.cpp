// SPDX-License-Identifier: BSL-1.0
// Gangs on racks and blocks under several rules of placement. See README.md.

#include "machines.hpp"
#include "policy.hpp"
#include "study.hpp"
#include "study_report.hpp"
#include "trace_reader.hpp"

#include <charconv>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace topology_study;

constexpr const char* usage =
    "usage: muster_topology TOPOLOGY.csv TRACE.csv... [--nodes N] [--loads A,B] [--seeds N] [--first-seed N]\n"
    "                       [--policies a,b] [--threads N] [--out DIR] [--no-picture]\n";

struct command_line {
  std::vector<std::string> files;
  std::size_t nodes = 1'250;
  std::string out;
  bool picture = true;
  study_options options;
};

template <class Number>
bool read_number(std::string_view text, Number least, Number most, Number& to) {
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), to);
  return error == std::errc() && rest == text.data() + text.size() && to >= least && to <= most;
}

bool read_loads(std::string_view list, std::vector<int>& to) {
  to.clear();
  while (true) {
    const std::size_t comma = list.find(',');
    to.push_back(0);
    if (!read_number(list.substr(0, comma), 1, 1'000, to.back())) return false;
    if (comma == std::string_view::npos) return true;
    list.remove_prefix(comma + 1);
  }
}

// Takes an option with its value; false where there is none such or the value is not one of its.
bool take(std::string_view option, std::string_view value, command_line& to) {
  study_options& options = to.options;
  if (option == "--nodes") return read_number<std::size_t>(value, 1, 100'000, to.nodes);
  if (option == "--loads") return read_loads(value, options.loads);
  if (option == "--seeds") return read_number<std::size_t>(value, 1, 1'000, options.seeds);
  if (option == "--first-seed") return read_number<std::uint64_t>(value, 0, 1'000'000'000, options.first_seed);
  if (option == "--threads") return read_number<std::size_t>(value, 1, 64, options.threads);
  if (option == "--policies") options.policies = policies_named(value);
  else if (option == "--out") to.out = value;
  else return false;
  return true;
}

bool read(int count, char** words, command_line& to) {
  to.options.tells = true;
  to.options.policies.assign(all_policies().begin(), all_policies().end());
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    if (!word.starts_with("--")) to.files.emplace_back(word);
    else if (word == "--no-picture") to.picture = false;
    else if (i + 1 == count || !take(word, words[++i], to)) return false;
  }
  return to.files.size() >= 2;
}

void print_all(const command_line& line) {
  const machines listed = read_machines(replay::csv_table::from_file(line.files.front()));
  const machines on = extended(listed, line.nodes);
  std::vector<replay::trace> traces;
  for (std::size_t i = 1; i < line.files.size(); ++i)
    traces.push_back(replay::read_trace(replay::csv_table::from_file(line.files[i]), line.files[i]));
  if (!line.out.empty()) std::filesystem::create_directories(line.out);
  std::printf("%zu nodes of %d GPUs (the file lists %zu), %u racks, %u blocks; seeds %llu to %llu\n", on.hosts.size(),
              gpus_per_node, listed.hosts.size(), on.racks, on.blocks,
              static_cast<unsigned long long>(line.options.first_seed),
              static_cast<unsigned long long>(line.options.first_seed + line.options.seeds - 1));
  std::printf("One pass unmeasured to warm up, the same arrivals again measured. wait: hours, of all gangs; wide:\n"
              "hours, of gangs that no empty node holds; of those that started: in one rack, in one block, mean\n"
              "distance of their pods (0 on one node, 1 in one rack, 2 in one block, 3); us: in the policy, a gang.\n"
              "Below each row: what it is more than the first on the same seeds, and the standard error of that.\n");
  std::fflush(stdout);
  const std::vector<scenario> all = study(traces, on, line.options);
  for (const scenario& one : all) print_table(one);
  if (line.out.empty()) return;
  write_csv(line.out + "/topology.csv", all, line.options.first_seed);
  std::printf("\nfigures: %s/topology.csv\n", line.out.c_str());
  if (line.picture) std::printf("%s\n", draw_picture(line.out, all).c_str());
}

}  // namespace

int main(int count, char** words) {
  try {
    command_line line;
    if (!read(count, words, line)) {
      std::fputs(usage, stderr);
      return 2;
    }
    print_all(line);
  } catch (const std::exception& fault) {
    std::fflush(stdout);
    std::fprintf(stderr, "muster_topology: %s\n", fault.what());
    return 2;
  }
  return 0;
}
