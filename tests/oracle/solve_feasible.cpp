// SPDX-License-Identifier: BSL-1.0
#include "solve_feasible.hpp"

#include <muster/placement/place.hpp>
#include <muster/placement/verify.hpp>
#include <muster/placement/verify_certificate.hpp>
#include <muster/placement/write_case.hpp>
#include <muster/resource/devices.hpp>
#include <muster/resource/joint.hpp>
#include <muster/resource/resource_vector.hpp>

#include "case_cluster.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>

namespace oracle {
namespace {

constexpr std::size_t few_resources = 5;

// The first resource of a case with single devices counts them.
using with_devices = muster::joint<muster::devices<64>, muster::resource_vector<max_resources - 1>>;

template <class M>
feasible_result translate(const case_data& of, const muster::placement_answer<M>& answer) {
  feasible_result made;
  made.detail = std::string{name(answer.verdict)} + ": " + std::string{name(answer.reason)};
  for (const auto& seat : answer.seats) {
    made.placed.push_back({seat.pod_set, muster::number(seat.node), seat.count});
  }
  const auto& asked = of.groups[of.asked_group];
  const bool only_min = asked.only_min();
  switch (answer.verdict) {
    case muster::verdict::fits:
      made.decided = decision::yes;
      // More than the proved bound, or than all pods there are, cannot be.
      if (answer.placed == asked.waiting() || (only_min && answer.placed == answer.lack.bound)) {
        made.max = answer.placed;
      }
      break;
    case muster::verdict::undecided:
    case muster::verdict::invalid: break;
    case muster::verdict::hold:
    case muster::verdict::wait:
    case muster::verdict::not_now:
    case muster::verdict::closed:
    case muster::verdict::never:
      made.decided = decision::no;
      if (only_min && answer.lack.seated == answer.lack.bound) {
        made.max = answer.lack.seated;
      }
      break;
  }
  // With min 0 the format asks whether no pod at all can be placed, which is so; the library asks for progress.
  if (of.needed(of.asked_group) == 0 && only_min && made.decided == decision::no) {
    made.decided = decision::yes;
  }
  return made;
}

// The kinds of proof of the refusals now, each once.
std::string kinds(const muster::certificate& of) {
  std::set<std::string> found;
  for (const auto& each : of.refusals) {
    if (each.when == muster::tense::now) {
      std::string kind{name(each.kind)};
      std::replace(kind.begin(), kind.end(), ' ', '_');
      found.insert(kind);
    }
  }
  std::string joined;
  for (const auto& each : found) {
    joined += (joined.empty() ? "" : "+") + each;
  }
  return joined;
}

template <class M, class Options>
feasible_result solve(const case_data& of, const Options& options) {
  using clock = std::chrono::steady_clock;
  static muster::workspace<M> space;

  cluster_builder<M> built{of};
  // A group that asks for more than it has, or for no legal size, is a fault to the library and a no to the format.
  const auto fault = built.fault();
  if (fault == muster::group_fault::min_count_above_total || fault == muster::group_fault::size_rule_unreachable) {
    return {.decided = decision::no, .detail = std::string{name(fault)}};
  }
  if (!built.refused().empty()) {
    return {.decided = decision::undecided, .detail = built.refused()};
  }
  const auto view = built.cluster().view(at_second(of.now));
  const auto declared = built.read_group(of.asked_group);
  clock::duration least = clock::duration::max();  // of three calls: another program may stand in the way of one
  for (int call = 0; call < 3; ++call) {
    const auto before = clock::now();
    if (built.as_declared()) {
      (void)muster::place(view, declared, space, options);
    } else {
      (void)muster::place(view, group_key(of.asked_group), space, options);
    }
    least = std::min<clock::duration>(least, clock::now() - before);
  }
  const auto& answer = space.answer;
  auto made = translate(of, answer);
  if (muster::is_proved_no(answer.verdict)) {
    made.proof = kinds(answer.proof);
    const auto checked = built.as_declared()
                             ? muster::verify(view, declared, answer.proof, options.filter)
                             : muster::verify(view, group_key(of.asked_group), answer.proof, options.filter);
    const auto why = std::string{name(checked.why)} + " in refusal " + std::to_string(checked.refusal);
    if (checked.result == muster::proof::refuted) {
      made.refuted = why;
    } else if (checked.result == muster::proof::not_checkable) {
      made.uncheckable = why;
    }
  }
  if constexpr (std::is_same_v<M, with_devices>) {  // the reference cannot judge the choice of devices
    const auto checked = built.as_declared()
                             ? muster::verify(view, declared, answer.seats, options.filter)
                             : muster::verify(view, group_key(of.asked_group), answer.seats, options.filter);
    if (made.decided == decision::yes && !answer.seats.empty() && !checked.holds()) {
      made.refuted = "its seats: " + std::string{name(checked.why)};
    }
  }
  made.microseconds = std::chrono::duration<double, std::micro>(least).count();
  return made;
}

}  // namespace

std::optional<feasible_result> solve_feasible(const case_data& of) {
  // Three programs only, as each takes long to compile: one as hosts without a filter have it, one for the rest of what
  // is counted, and one for devices.
  const auto& asked = of.groups[of.asked_group];
  const muster::place_options<case_filter> filtered{.filter = {&asked}, .largest = true};
  if (of.with_devices) {
    return solve<with_devices>(of, filtered);
  }
  const bool barred = std::any_of(asked.classes.begin(), asked.classes.end(),
                                  [](const pod_class& each) { return !each.barred.empty(); });
  if (barred || of.resources.size() > few_resources) {
    return solve<muster::resource_vector<max_resources>>(of, filtered);
  }
  return solve<muster::resource_vector<few_resources>>(of, muster::place_options<>{.largest = true});
}

std::optional<std::string> written_by_library(const case_data& of) {
  cluster_builder<muster::resource_vector<max_resources>> built{of};
  if (!built.refused().empty()) {
    return std::nullopt;
  }
  static constexpr std::array<std::string_view, max_resources> columns{"gpu", "r1", "r2", "r3", "r4", "r5", "r6", "r7"};
  std::string text;
  const auto view = built.cluster().view(at_second(of.now));
  const auto& asked = of.groups[of.asked_group];
  const muster::case_names names{of.name, columns};
  if (asked.may_run()) {
    muster::write_case(std::back_inserter(text), view, group_key(of.asked_group), names, case_filter{&asked});
  } else {
    muster::write_case(std::back_inserter(text), view, built.read_group(of.asked_group), names, case_filter{&asked});
  }
  return text;
}

}  // namespace oracle
