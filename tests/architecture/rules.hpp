// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_ARCHITECTURE_RULES_HPP
#define MUSTER_TESTS_ARCHITECTURE_RULES_HPP

/// \file
/// The architecture's rules as functions from the text of headers to what is wrong with them.
///
/// Floors, ground first; a header includes its own room and lower floors, never a sibling or the umbrella:
///
///     core < resource < {node, workload} < cluster < {quorum, scoring, lifetime} < placement
///          < {preemption, deadlock} < {admission, recovery} < cycle

#include <map>
#include <string>
#include <vector>

namespace architecture {

/// Path below include/muster with forward slashes ("core/ids.hpp") and the file's text.
using header_tree = std::map<std::string, std::string>;

struct finding {
  std::string rule;
  std::string file;
  int line = 0;
  std::string what;

  [[nodiscard]] bool operator==(const finding&) const = default;
};

/// Everything that breaks a rule, by file and line. Rules, by the names they are reported under:
///
/// - unknown_room, upward_include, sideways_include, umbrella_include, foreign_detail, include_cycle,
///   unrooted_include (an own header not spelled `<muster/room/header.hpp>`);
/// - banned_header (streams, threads, clocks, ... of the standard library), boost_outside_its_walls;
/// - throw_expression, clock, global_state;
/// - floating_point (its types, literals, functions and headers);
/// - missing_spdx, wrong_guard, long_noun (350 lines and more), long_verb (250 and more);
/// - umbrella_content (muster.hpp holds anything but includes), umbrella_gap (it misses a header);
/// - heavy_schedule (cycle/schedule.hpp reaches Boost.Graph).
[[nodiscard]] std::vector<finding> check(const header_tree& headers);

/// Whether a header declares functions only. A header that defines a class, enumeration or concept is a noun.
[[nodiscard]] bool is_verb(const std::string& text);

}  // namespace architecture

#endif
