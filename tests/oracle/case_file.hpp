// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_ORACLE_CASE_FILE_HPP
#define MUSTER_TESTS_ORACLE_CASE_FILE_HPP

// Oracle cases as plain data, and a strict reader for them.
//
// The format is one item a line, words separated by single spaces; the lines it
// was extended by are described in EXTENSIONS.md. The reader accepts exactly
// that: an unknown line or key, a doubled space, a name before its declaration,
// a number out of range are faults, each named by file, line, column and word.
// A file with a fault gives no cases at all, so nothing half read is judged.
//
// Nothing here knows the library.

#include <array>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace oracle {

using amount = std::int64_t;
using amounts = std::vector<amount>;

// Topology levels, outermost first. A node is below all of them. The plain format has the last three.
inline constexpr std::size_t level_count = 8;
inline constexpr std::size_t first_plain_level = 5;
inline constexpr std::array<const char*, level_count> level_names{"tier8", "tier7", "tier6", "tier5",
                                                                  "tier4", "zone",  "block", "rack"};

inline constexpr std::size_t max_resources = 8;
inline constexpr amount for_ever = std::numeric_limits<amount>::max();

struct time_window {
  amount from = 0;
  amount until = for_ever;  // the first second that is no longer inside
};

// The single devices of a node, where the case names them.
struct device_list {
  amount model = 0;
  amounts link_group;      // of every device
  std::vector<bool> sick;  // every device
};

struct node {
  std::string name;
  amounts capacity;
  std::array<std::string, level_count> labels;  // empty: no domain of that level
  amount kind = 0;
  std::optional<time_window> closed;
  bool lost = false;
  std::optional<device_list> devices;
};

struct bar {
  amount kind = 0;
  amount reason = 0;  // never 0
};

struct pod_class {
  amount count = 0;
  amounts request;
  amount minimum = 0;
  std::vector<bar> barred;  // node kinds this class may not use
  amount share = 0;         // thousandths of one device; 0: whole devices
  amount device_model = 0;  // 0: any
  bool one_link_group = false;
  // Of a group of which some run.
  std::optional<amount> waiting = std::nullopt;  // as stated
  amount succeeded = 0;
  bool apart = false;  // a class for what is not as class `of` asks, or of no class
  std::optional<std::size_t> of = std::nullopt;
};

enum class eviction_mode : std::uint8_t { all, single };

struct size_rule {
  amount smallest = 0;
  amount largest = 0;
  amount step = 1;
};

struct group {
  std::string name;
  amount priority = 0;
  std::optional<amount> stated_min;
  eviction_mode mode = eviction_mode::all;
  bool basic = false;  // no gang
  amount start = 0;
  amount checkpoint = 0;
  std::optional<std::size_t> topology;  // a level, or level_count for the node itself
  amount per_node = 0;                  // 0: no limit
  std::array<std::optional<amount>, level_count + 1> at_most{};  // of each level, and last of the node
  bool one_model = false;  // all its devices of one model
  std::optional<size_rule> sizes;
  std::vector<pod_class> classes;

  [[nodiscard]] amount pods() const;  // but those that stand apart
  [[nodiscard]] amount min() const;   // as stated, or all pods
  // Whether some of it may run while it is asked: a class has a `waiting` line.
  [[nodiscard]] bool may_run() const;
  [[nodiscard]] amount waiting(std::size_t in_class) const;  // all pods where nothing may run
  [[nodiscard]] amount waiting() const;                      // but those that stand apart
  // Whether `min` alone says what is enough: no minima of classes, no legal sizes.
  [[nodiscard]] bool only_min() const;
};

struct device_grant {
  amount device = 0;
  amount milli = 0;
};

// `count` pods of one class run on one node; `leaving` of them end at `until`.
struct run {
  std::size_t group = 0;
  std::size_t pod_class = 0;
  std::size_t node = 0;
  amount count = 0;
  amount leaving = 0;
  amount until = 0;
  std::vector<device_grant> grants;
  std::optional<amounts> holds;  // in all, where that is not what they ask
};

// Capacity of a node that only one group may use.
struct set_aside {
  std::size_t group = 0;
  std::size_t node = 0;
  amounts kept;
  amount until = for_ever;
};

// So many thousandths of a device that only one group may use.
struct device_aside {
  std::size_t group = 0;
  std::size_t node = 0;
  device_grant kept;
  amount until = for_ever;
};

enum class question : std::uint8_t { feasible, preempt, deadlock };

[[nodiscard]] const char* name(question asked);

struct feasible_answer {
  bool feasible = false;
  amount max = 0;
};

struct victims_answer {
  bool possible = false;
  amount min_cost = 0;
  amount units_at_min_cost = 0;
  amount min_units = 0;
};

struct deadlock_answer {
  std::vector<std::size_t> stuck;  // groups, in file order
};

// Pods placed by first fit, first fit decreasing, best fit decreasing and first
// fit increasing.
using greedy_note = std::array<amount, 4>;

// What the Kubernetes-style rule of FORMAT.md evicts; with no victims, cost and units are 0.
struct evicting_note {
  bool exists = false;
  amount cost = 0;
  amount units = 0;
};

struct case_data {
  std::string name;
  std::size_t line = 0;  // of its `case` line
  std::vector<std::string> resources;
  amount now = 0;
  std::array<bool, level_count> merged{};  // a domain of the level may lie in several domains above
  std::vector<node> nodes;
  std::vector<group> groups;
  std::vector<run> runs;
  std::vector<set_aside> kept;
  std::vector<device_aside> kept_devices;
  question asked = question::feasible;
  std::size_t asked_group = 0;  // unused by `query deadlock`
  bool extended = false;        // holds a line of EXTENSIONS.md

  bool with_devices = false;  // names single devices

  // Absent where a file written by a program has no proven answer.
  std::optional<feasible_answer> feasible;
  std::optional<bool> free_fit;
  std::optional<victims_answer> victims;
  std::optional<deadlock_answer> deadlocked;
  std::optional<amount> break_min_cost;
  std::optional<greedy_note> greedy_placed;
  std::array<std::optional<evicting_note>, 2> evicting;  // by the first node that fits, by the fullest

  // Whether the node takes new pods at `now`.
  [[nodiscard]] bool open(std::size_t node) const;
  // Pods of a class that run and stay, or succeeded; those that stand apart too.
  [[nodiscard]] amount have(std::size_t group, std::size_t in_class) const;
  // How many of the pods that wait `min` asks for.
  [[nodiscard]] amount needed(std::size_t group) const;
  // Of every node: capacity less what runs there and what is kept for groups
  // other than `for_group`. Negative where a node holds more than it has.
  [[nodiscard]] std::vector<amounts> free(std::size_t for_group) const;
};

struct fault {
  std::string file;
  std::size_t line = 0;
  std::size_t column = 0;  // in bytes, from 1
  std::string word;        // empty: the fault is that a word is missing
  std::string what;
};

// "FILE:LINE:COLUMN: what: 'word'"
[[nodiscard]] std::string to_string(const fault& found);

struct read_result {
  std::vector<case_data> cases;  // empty when there is any fault
  std::vector<fault> faults;     // at most one a case, and at most twenty
};

[[nodiscard]] read_result read_cases(std::istream& in, const std::string& file);
[[nodiscard]] read_result read_case_file(const std::string& path);

}  // namespace oracle

#endif
