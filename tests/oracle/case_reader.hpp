// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_ORACLE_CASE_READER_HPP
#define MUSTER_TESTS_ORACLE_CASE_READER_HPP

// The state of reading one case: what is declared so far, and the rules that
// look across lines. The plain lines are in case_reader.cpp, those of
// EXTENSIONS.md in case_extensions.cpp and the files named below.

#include "case_file.hpp"
#include "case_words.hpp"

#include <array>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace oracle {

class case_reader {
 public:
  case_reader(std::string name, std::size_t line) {
    data_.name = std::move(name);
    data_.line = line;
  }

  // Takes one line; true when it was `end`. Throws `fault`.
  bool take(line_words& line);

  [[nodiscard]] const std::string& name() const { return data_.name; }
  [[nodiscard]] case_data&& data() && { return std::move(data_); }

 private:
  void resources(line_words& line);
  void now(line_words& line);
  void node_line(line_words& line);
  void node_label(line_words& line, node& made, const word& label);
  void group_line(line_words& line);
  void class_line(line_words& line);
  void run_line(line_words& line);
  void query(line_words& line);
  void answer(line_words& line);
  void answer_feasible(line_words& line);
  void answer_victims(line_words& line);
  void answer_deadlocked(line_words& line);
  void note(line_words& line);
  void note_evicted(line_words& line, std::optional<evicting_note>& to);
  void end(line_words& line);

  // Lines of EXTENSIONS.md; false when the first word is none of them.
  bool extension(line_words& line);
  void kind(line_words& line);
  void ineligible(line_words& line);
  void closed(line_words& line);
  void lost(line_words& line);
  void leaving(line_words& line);
  void kept(line_words& line);
  void minimum(line_words& line);
  void sizes(line_words& line);
  void basic(line_words& line);
  void holds(line_words& line);
  // Those about members of a group, in case_members.cpp.
  bool member_extension(line_words& line);
  void apart(line_words& line);
  void waiting(line_words& line);
  void succeeded(line_words& line);
  void apart_come_last(line_words& line) const;
  // Refuses, at `at`, more pods of a class than it has: those that run, succeeded and wait.
  void are_in_class(line_words& line, const word& at, std::size_t in_group, std::size_t in_class) const;
  // Those about topology levels, in case_levels.cpp.
  bool level_extension(line_words& line);
  void merged(line_words& line);
  void label(line_words& line);
  void at_most(line_words& line);
  void domains_nest(line_words& line) const;
  // Those that name single devices, in case_devices.cpp.
  bool device_extension(line_words& line);
  void devices(line_words& line);
  void sick(line_words& line);
  void share(line_words& line);
  void wants(line_words& line);
  void grant(line_words& line);
  void kept_device(line_words& line);
  void one_model(line_words& line);

  // Reads a line by its first word; false if it is none of these.
  struct known_line {
    std::string_view word;
    void (case_reader::*read)(line_words&);
  };
  bool read_known(std::span<const known_line> known, line_words& line);
  void before_query(line_words& line) const;
  void question_is(line_words& line, question wanted) const;
  amounts vector_of(line_words& line, const char* what) const;
  std::size_t node_of(line_words& line) const;
  std::size_t group_of(line_words& line) const;
  std::size_t class_of(line_words& line, std::size_t in_group) const;
  pod_class& named_class(line_words& line);  // GROUP CLASSINDEX
  run& named_run(line_words& line);          // GROUP CLASSINDEX NODE
  static std::size_t level_of(line_words& line, bool or_node = false);
  // Takes a domain's name at a level for a node.
  void take_label(line_words& line, node& made, const word& at, std::size_t level, std::string_view name);

  case_data data_;
  std::map<std::string, std::size_t, std::less<>> node_at_;
  std::map<std::string, std::size_t, std::less<>> group_at_;
  // For every label: its level, and the labels above it.
  std::map<std::string, std::size_t, std::less<>> level_of_label_;
  std::map<std::string, std::array<std::string, level_count>, std::less<>> above_label_;
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, std::size_t> run_at_;  // group, class, node
  std::vector<amounts> used_;                                                        // of every node
  std::vector<std::vector<amount>> running_;                                         // of every class of every group
  bool has_now_ = false;
  bool has_query_ = false;
};

}  // namespace oracle

#endif
