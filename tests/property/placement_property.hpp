// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_PROPERTY_PLACEMENT_PROPERTY_HPP
#define MUSTER_TESTS_PROPERTY_PLACEMENT_PROPERTY_HPP

/// \file
/// What every answer of `place` must keep to, asked of one random cluster and group at a time.
///
/// An instance that fails is named by its seed; MUSTER_TEST_INSTANCE=<seed> runs that one alone. MUSTER_TEST_ROUNDS
/// makes the run longer.

#include <muster/placement/place.hpp>
#include <muster/placement/verify.hpp>
#include <muster/placement/verify_certificate.hpp>

#include "property/placement_claim.hpp"
#include "property/placement_truth.hpp"
#include "property/placement_world.hpp"
#include "support/catch.hpp"
#include "support/generator.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace placement_property {

/// A scorer without sense, and one that throws.
template <class M>
struct odd_scorer {
  bool throws = false;
  std::int64_t operator()(const typename M::state_type& left, const typename M::capacity_type&,
                          const typename M::request_type&) const {
#if defined(__cpp_exceptions)
    if (throws) throw 8;
#endif
    return (M::amount_left(left, 0) * 7 + 3 * M::amount_left(left, M::dimensions - 1)) % 5;
  }
};

/// How often what was seen, so that a run that never meets a case is noticed.
struct tally {
  std::array<int, 8> verdicts{};
  int unlike_decided = 0, unknown_truths = 0, exhausted = 0;
  int one_model_decides = 0;  // refused on one device model, not on several
  int extras_compared = 0;    // with and without, in one domain
  int false_claims = 0, true_claims = 0, unknown_claims = 0;  // of changed certificates
  int verified_beside = 0;    // placements beside members that run, succeeded or are not there
};

template <class M>
[[nodiscard]] std::string difference(const muster::placement_answer<M>& a, const muster::placement_answer<M>& b) {
  if (a.verdict != b.verdict) return "verdict " + std::string{name(a.verdict)} + " / " + std::string{name(b.verdict)};
  if (a.reason != b.reason) return "reason";
  if (a.placed != b.placed || a.pending != b.pending) return "number placed";
  if (!(a.domain == b.domain)) return "domain";
  if (a.model != b.model || a.lack.best_model != b.lack.best_model) return "device model";
  if (a.lack.needed != b.lack.needed || a.lack.seated != b.lack.seated || a.lack.bound != b.lack.bound)
    return "shortage";
  if (a.lack.open_nodes != b.lack.open_nodes || a.lack.full_nodes != b.lack.full_nodes ||
      a.lack.short_nodes != b.lack.short_nodes)
    return "counts of nodes";
  if (a.seats.size() != b.seats.size()) return "number of seats";
  for (std::size_t i = 0; i < a.seats.size(); ++i) {
    const auto &x = a.seats[i], &y = b.seats[i];
    if (x.node != y.node || x.pod_set != y.pod_set || x.count != y.count || !(x.grant == y.grant)) return "seats";
  }
  return {};
}

/// Everything an overlay answers about what is left.
template <class M>
struct overlay_print {
  std::vector<typename M::state_type> left;
  std::vector<std::uint32_t> populations;
  std::vector<std::uint64_t> words;
  explicit overlay_print(const muster::overlay<M>& on) {
    for (std::uint32_t p = 0; p < on.size(); ++p) left.push_back(on.now(p)), left.push_back(on.later(p));
    for (std::size_t l = 0; l < on.index().leading_level_count(); ++l) {
      populations.push_back(on.population(l));
      (void)on.index().visit_level([&](std::size_t i) { return on.bits(i); }, l, {}, 0, on.size(),
                                   [&](std::size_t p) {
                                     words.push_back(p);
                                     return true;
                                   });
    }
  }
  bool operator==(const overlay_print&) const = default;
};

template <class M>
class instance {
 public:
  using judge = judge_of<M>;
  using answer_type = muster::placement_answer<M>;
  using wants = typename judge::wants;
  template <class Scorer>
  using options = muster::place_options<table_filter, Scorer>;

  instance(std::uint64_t seed, tally& seen) : rng_{seed}, seen_{seen}, of_{make(rng_)} {}

  [[nodiscard]] std::string text() const { return of_.text(); }
  /// The first thing that is wrong, or nothing.
  [[nodiscard]] std::string run() {
    const bool by_score = rng_.chance(25);
    return by_score ? run_with(odd_scorer<M>{}) : run_with(muster::fullest_first{});
  }

 private:
  static world<M> make(generator& rng) {
    const bool alike = rng.chance(60);
    for (;;) {
      world<M> of{rng, alike};
      if (muster::first_fault(of.group, of.levels).fault == muster::group_fault::none) return of;
    }
  }

  template <class Scorer>
  std::string run_with(Scorer scorer) {
    using namespace muster;
    options<Scorer> how{of_.filter, scorer, rng_.chance(75)};
    how.largest = rng_.chance(30);
    cluster<M> model = of_.build();
    const auto view = model.view();
    workspace<M> space;
    const answer_type answer = place(view, world<M>::own, space, how);
    ++seen_.verdicts[static_cast<std::size_t>(answer.verdict)];
    if (std::string fault = judge_answer(answer, how.extras, how.largest); !fault.empty())
      return fault + " (" + std::string{name(answer.verdict)} + ")";
    if (is_proved_no(answer.verdict))
      if (std::string fault = judge_proof(view, answer.proof); !fault.empty()) return fault;

    if (std::string d = difference<M>(answer, place(view, world<M>::own, space, how)); !d.empty())
      return "asked twice: " + d;
    if (whole_group_pending())
      if (std::string d = difference<M>(answer, place(view, of_.group, how)); !d.empty())
        return "asked by its spec: " + d;
    if (std::string fault = verified(view, answer); !fault.empty()) return fault;
    {
      cluster<M> other = of_.build(&rng_);
      const auto other_view = other.view();
      if (std::string d = difference<M>(answer, place(other_view, world<M>::own, space, how)); !d.empty())
        return "built from shuffled changes: " + d;
    }
    if (std::string fault = on_overlay(view, answer, how); !fault.empty()) return "on an overlay: " + fault;
    if (std::string fault = without_extras(view, answer, how); !fault.empty()) return fault;
    if (of_.group.one_device_model && is_proved_no(answer.verdict)) {
      world<M> several = of_;
      several.group.one_device_model = false;
      cluster<M> other = several.build();
      seen_.one_model_decides += place(other.view(), world<M>::own, how).fits() ? 1 : 0;
    }
    if (std::string fault = under_change(answer, how); !fault.empty()) return fault;
    if (answer.fits()) return with_more_room(answer, how);
    return {};
  }

  /// Extras are added to what sits without them: in the same domain they move no pod of any set.
  template <class Scorer>
  std::string without_extras(const muster::snapshot<M>& view, const answer_type& answer, options<Scorer> how) {
    if (!answer.fits() || !how.extras || how.largest) return {};
    how.extras = false;
    const answer_type few = muster::place(view, world<M>::own, how);
    if (!few.fits()) return "refused without extras";
    if (few.placed == 0 || few.placed == answer.placed || !(few.domain == answer.domain) || few.model != answer.model)
      return {};
    ++seen_.extras_compared;
    std::map<std::pair<muster::node_id, std::uint32_t>, pod_count> more;
    for (const auto& seat : answer.seats) more[{seat.node, seat.pod_set}] += seat.count;
    for (const auto& seat : few.seats) more[{seat.node, seat.pod_set}] -= seat.count;
    for (const auto& [where, count] : more)
      if (count < 0) return "extras moved a pod";
    return {};
  }

  /// The certificate holds. Of one that is changed `verify` holds nothing false and refutes nothing true.
  std::string judge_proof(const muster::snapshot<M>& view, const muster::certificate& given) {
    using namespace muster;
    const auto check = [&](const certificate& of) { return verify(view, world<M>::own, of, of_.filter); };
    const auto checked = check(given);
    if (checked.result == proof::not_checkable) {
      ++seen_.exhausted;
      const bool searched = std::any_of(given.refusals.begin(), given.refusals.end(), [](const domain_refusal& one) {
        return one.kind == proof_kind::exhausted;
      });
      return searched ? "" : "a certificate that is too dear to count: " + std::string{name(checked.why)};
    }
    if (!checked.holds()) {
      const domain_refusal at =
          checked.refusal < given.refusals.size() ? given.refusals[checked.refusal] : domain_refusal{};
      return "a certificate that does not hold: " + std::string{name(checked.why)} + " (" + std::string{name(at.kind)} +
             " " + std::string{name(at.when)} + " " + std::to_string(at.held) + " < " + std::to_string(at.asked) + ")";
    }
    const claim_judge<M> truth_of{of_};
    if (truth_of.is_true(given) == truth::no) return "a certificate that says something false";
    for (int i = 0; i < 3 && !given.empty(); ++i) {
      certificate changed = given;
      const std::string what = change(changed);
      const truth is = truth_of.is_true(changed);
      const proof said = check(changed).result;
      if (said == proof::holds && is == truth::no) return "a false certificate holds: " + what;
      if (said == proof::refuted && is == truth::yes) return "a true certificate is refuted: " + what;
      ++(is == truth::no ? seen_.false_claims : is == truth::yes ? seen_.true_claims : seen_.unknown_claims);
    }
    return {};
  }

  /// Changes one thing of a certificate; what. \pre it refuses something
  std::string change(muster::certificate& of) {
    using namespace muster;
    domain_refusal& one = of.refusals[rng_.below(of.refusals.size())];
    const auto by_one = [&](auto& number) { rng_.chance(50) ? ++number : --number; };
    switch (rng_.below(21)) {
      case 0: return --one.held, "held";
      case 1: return one.held += rng_.between(1, 3), "more held";
      case 2: return ++one.asked, "asked";
      case 3: return one.asked -= rng_.between(1, 3), "less asked";
      case 4: return one.held = one.asked, "held as much as asked";
      case 5: return one.domain.level = one.domain.level == no_level ? node_level : no_level, "level";
      case 6: return one.model = one.model ? std::nullopt : std::optional{device_model{1}}, "whether a model is named";
      case 7: return one.model = device_model{static_cast<std::uint32_t>(rng_.between(1, 2))}, "device model";
      case 8: return of.refusals.pop_back(), "a refusal less";
      case 9:
        return of.refusals.erase(of.refusals.begin() + (&one - of.refusals.data())), "a domain or a device model less";
      case 10: return of.refusals.push_back(domain_refusal{one}), "a refusal twice";
      case 11: return one.subject = rng_.chance(20) ? all_sets : static_cast<std::uint32_t>(rng_.below(5)), "subject";
      case 12: return one.kind = static_cast<proof_kind>(rng_.below(5)), "kind";
      case 13: return one.when = static_cast<tense>(rng_.below(4)), "tense";
      case 14: {
        const label_id label{rng_.chance(30) ? 1000 : 1 + rng_.below(2)};
        if (one.domain.path.empty()) return one.domain.path.push_back(label), "a label";
        return one.domain.path[rng_.below(one.domain.path.size())] = label, "a label of the path";
      }
      case 15:
        if (of.prices.empty()) return of.prices.push_back(1), "a price nobody asks for";
        if (rng_.chance(90)) return by_one(rng_.pick(of.prices)), "a price";
        return rng_.pick(of.prices) = rng_.chance(50) ? -1 : max_pod_price + 1, "a price out of range";
      case 16: return by_one(rng_.chance(50) ? one.first_price : one.prices), "where its prices are";
      default:
        one.kind = proof_kind::prices;
        one.first_price = static_cast<std::uint32_t>(of.prices.size());
        one.prices = static_cast<std::uint32_t>(of_.sets());
        for (std::size_t s = 0; s < of_.sets(); ++s) of.prices.push_back(rng_.between(0, 3));
        one.asked = rng_.between(1, 12);
        one.held = one.asked - rng_.between(1, 2);
        return "prices instead";
    }
  }

  /// `verify` holds the placement, beside the members that run, and of a spoiled one says what the judge says; of a
  /// group of which nothing runs also by its spec.
  template <class View>
  std::string verified(const View& view, const answer_type& answer) {
    using namespace muster;
    if (!answer.fits()) return {};
    const auto holds = [&](const std::vector<seat<M>>& seats) {
      return verify(view, world<M>::own, std::span<const seat<M>>{seats}, of_.filter).holds();
    };
    if (!holds(answer.seats)) return "a placement that verify refutes";
    if (answer.seats.empty()) return {};
    seen_.verified_beside += whole_group_pending() ? 0 : 1;
    for (int i = 0; i < 6; ++i) {
      auto seats = answer.seats;
      for (auto spoils = rng_.between(1, 2); spoils > 0; --spoils) {
        auto& one = seats[static_cast<std::size_t>(rng_.below(seats.size()))];
        const auto& other = seats[static_cast<std::size_t>(rng_.below(seats.size()))];
        switch (rng_.below(6)) {
          case 0:
            one.position = static_cast<std::uint32_t>(rng_.below(view.size()));
            one.node = view.base().id(one.position);
            break;
          case 1: one.grant = other.grant; break;
          case 2: one.count += rng_.between(-1, 1); break;
          case 3: one.pod_set = static_cast<std::uint32_t>(rng_.below(of_.sets())); break;
          case 4: std::swap(one, seats.front()); break;
          default: {
            auto state = M::empty_node(view.base().capacity(one.position));
            if (M::allocate(state, small_amounts<M>::request(rng_), 1, one.grant) == 0) break;
            (void)M::allocate(state, of_.group.pod_sets[one.pod_set].request, one.count, one.grant);
          }
        }
      }
      const judge truth_of{of_};
      const std::string fault = truth_of.check(seats, true);
      if (holds(seats) != fault.empty())
        return fault.empty() ? "a legal placement that verify refutes" : "verify holds what is " + fault;
      if (!whole_group_pending()) continue;
      if (holds(seats) != verify(view, of_.group, std::span<const seat<M>>{seats}, of_.filter).holds())
        return "verify by the spec says otherwise";
    }
    return {};
  }

  [[nodiscard]] bool whole_group_pending() const {
    for (std::size_t s = 0; s < of_.sets(); ++s)
      if (of_.pending[s] != of_.group.pod_sets[s].count || of_.have(s) != 0) return false;
    return true;
  }

  [[nodiscard]] std::string judge_answer(const answer_type& answer, bool extras, bool largest) {
    using muster::verdict;
    const judge truth_of{of_};
    const wants w = truth_of.wanted(false);
    if (!answer.fits() && answer.verdict != verdict::undecided && !answer.seats.empty()) return "a refusal with seats";
    if (std::string fault = truth_of.check(answer.seats, answer.fits()); !fault.empty()) return fault;
    pod_count sum = 0;
    for (const auto& seat : answer.seats) sum += seat.count;
    if (sum != answer.placed || answer.pending != w.all - sum) return "placed and pending do not add up";
    if (w.all == 0)
      return answer.fits() || answer.verdict == verdict::hold || !truth_of.held_agree()
                 ? ""
                 : "nothing pending, yet refused";
    if (w.enough.empty()) return answer.verdict == verdict::hold ? "" : "too few members, yet not held";
    if (!truth_of.held_agree())
      return answer.verdict == verdict::invalid ? "" : "running members in several domains, yet judged";
    if (answer.verdict == verdict::hold || answer.verdict == verdict::invalid) return "held without cause";
    if (!answer.fits() && answer.lack.needed != w.enough.front()) return "another number needed";
    return of_.alike ? judge_alike(truth_of, w, answer, extras) : judge_unlike(truth_of, w, answer, extras, largest);
  }

  std::string judge_alike(const judge& truth_of, const wants& w, const answer_type& answer, bool extras) const {
    using muster::verdict;
    const pod_count most = truth_of.most_alike(when::now);
    const pod_count needed = w.enough.front();
    if (most >= needed) {
      if (!answer.fits()) return "refused although " + std::to_string(most) + " fit";
      pod_count expected = needed;
      for (const pod_count n : w.enough)
        if (extras && n <= most) expected = n;
      return answer.placed == expected
                 ? ""
                 : "placed " + std::to_string(answer.placed) + ", should " + std::to_string(expected);
    }
    if (answer.lack.seated != most || answer.lack.bound != most)
      return "seated and bound should be " + std::to_string(most);
    const pod_count afresh = truth_of.wanted(true).enough.front();
    const verdict expected = truth_of.most_alike(when::later) >= needed        ? verdict::wait
                             : truth_of.most_alike(when::empty_open) >= afresh ? verdict::not_now
                             : truth_of.most_alike(when::empty_all) >= afresh  ? verdict::closed
                                                                               : verdict::never;
    return answer.verdict == expected ? "" : "should be " + std::string{name(expected)};
  }

  std::string judge_unlike(const judge& truth_of, const wants& w, const answer_type& answer, bool extras,
                           bool largest) const {
    using muster::verdict;
    const auto can_seat = [&](pod_count goal) { return truth_of.can_seat(when::now, goal); };
    const auto ask = [&](when at) {
      const truth found = truth_of.enough_fits(at);
      if (found == truth::unknown) ++seen_.unknown_truths;
      return found;
    };
    if (answer.fits()) {
      if (!extras && answer.placed != w.enough.front()) return "extras although they are off";
      if (extras && largest)
        for (const pod_count n : w.enough)
          if (n > answer.placed && can_seat(n) == truth::yes) return "not the largest: " + std::to_string(n) + " fit";
      ++seen_.unlike_decided;
      return {};
    }
    if (answer.lack.seated > answer.lack.bound) return "more seated than the bound";
    const truth now = ask(when::now);
    if (answer.verdict == verdict::undecided) return "undecided within the budget";
    ++seen_.unlike_decided;
    if (now == truth::yes) return "a wrong no";
    if (answer.lack.seated >= answer.lack.needed) return "refused although as many sit as are needed";
    if (can_seat(answer.lack.bound + 1) == truth::yes) return "more can sit than the bound";
    const bool minima = std::any_of(w.required.begin(), w.required.end(), [](pod_count n) { return n > 0; });
    if (!minima && answer.lack.seated > 0 && can_seat(answer.lack.seated) == truth::no) return "not so many can sit as are said to";
    if (largest && answer.lack.seated < answer.lack.bound && can_seat(answer.lack.seated + 1) == truth::yes)
      return "more can sit than were found";
    const bool empty_fits = answer.lack.without_pods == muster::empty_fit::yes;
    switch (answer.verdict) {
      case verdict::wait: return ask(when::later) == truth::no ? "a wrong wait" : "";
      case verdict::not_now:
        if (!empty_fits) return "not now, and not known whether without other pods";
        if (ask(when::later) == truth::yes) return "should wait";
        return ask(when::empty_open) == truth::no ? "a wrong not now" : "";
      case verdict::closed:
        if (ask(when::empty_open) == truth::yes) return "a closed that fits the open nodes";
        return ask(when::empty_all) == truth::no ? "a wrong closed" : "";
      case verdict::never:
        return ask(when::empty_all) == truth::yes || ask(when::later) == truth::yes ? "a wrong never" : "";
      default: return "an unexpected verdict";
    }
  }

  template <class Scorer>
  std::string on_overlay(const muster::snapshot<M>& view, const answer_type& answer, options<Scorer> how) {
    using namespace muster;
    overlay<M> on{view};
    workspace<M> space;
    const overlay_print<M> fresh{on};
    if (std::string d = difference<M>(answer, place(on, world<M>::own, space, how)); !d.empty())
      return "other than on the snapshot: " + d;
    if (!(overlay_print<M>{on} == fresh)) return "a trace";

    world<M> fuller = of_;
    for (int i = 0; i < 3 && !of_.nodes.empty(); ++i) {
      typename world<M>::pod taken;
      taken.id = 201 + 2 * static_cast<std::uint64_t>(i);
      taken.on = static_cast<std::size_t>(rng_.below(of_.nodes.size()));
      taken.request = small_amounts<M>::request(rng_);
      const auto position = view.find(node_id{of_.nodes[taken.on].id});
      if (!position || on.take(*position, taken.request, 1, taken.grant) != 1) continue;
      fuller.pods.push_back(taken);
    }
    const overlay_print<M> before{on};
    const answer_type beside = place(on, world<M>::own, space, how);
    if (!(overlay_print<M>{on} == before)) return "a trace beside others";
    cluster<M> model = fuller.build();
    const auto fuller_view = model.view();
    if (std::string d = difference<M>(beside, place(fuller_view, world<M>::own, how)); !d.empty())
      return "other than on a cluster with the same contents: " + d;
    return throwing(on, before, beside, how);
  }

  template <class Scorer>
  std::string throwing([[maybe_unused]] muster::overlay<M>& on, [[maybe_unused]] const overlay_print<M>& before,
                       [[maybe_unused]] const answer_type& expected, [[maybe_unused]] options<Scorer> how) {
#if defined(__cpp_exceptions)
    muster::workspace<M> space;
    const auto ask = [&](const options<Scorer>& hostile) {
      try {
        place(on, world<M>::own, space, hostile);
      } catch (const int) {
      }
      return overlay_print<M>{on} == before;
    };
    options<Scorer> hostile = how;
    hostile.filter.throws = true;
    if (!ask(hostile)) return "a trace after the filter threw";
    if constexpr (requires { hostile.scorer.throws; }) {
      hostile = how;
      hostile.scorer.throws = true;
      if (!ask(hostile)) return "a trace after the scorer threw";
    }
    if (std::string d = difference<M>(expected, place(on, world<M>::own, space, how)); !d.empty())
      return "after a throw: " + d;
#endif
    return {};
  }

  /// Other names, other units and a set written as two change no answer; a minimum less or a constraint less never
  /// loses a yes.
  template <class Scorer>
  std::string under_change(const answer_type& answer, const options<Scorer>& how) {
    world<M> other = of_;
    const auto which = rng_.below(6);
    const char* what = "";
    if (which == 0) {
      what = "other names";
      for (std::size_t n = other.nodes.size(); n > 1; --n)
        std::swap(other.nodes[n - 1].id, other.nodes[rng_.below(n)].id);
    } else if (which == 1) {
      what = "a set written as two";
      const auto s = static_cast<std::size_t>(rng_.below(other.sets()));
      auto& set = other.group.pod_sets[s];
      if (other.sets() == 3 || set.minimum > 0 || other.pending[s] < 2) return {};
      const std::size_t added = other.sets();
      const pod_count part = rng_.between(1, other.pending[s] - 1);
      set.count -= part;
      other.pending[s] -= part;
      other.group.pod_sets.push_back({set.request, part, 0});
      other.pending[added] = part;
      other.filter.code[added] = other.filter.code[s];
    } else if (which == 4) {
      return renamed_makes(answer, how);
    } else if (which == 5) {
      what = "other units";
      static constexpr muster::amount units[] = {3, 1000, muster::amount{1} << 30};
      const muster::amount by = rng_.pick(units);
      for (auto& node : other.nodes) small_amounts<M>::scale(node.capacity, by);
      for (auto& set : other.group.pod_sets) small_amounts<M>::scale(set.request, by);
      for (auto& pod : other.pods) small_amounts<M>::scale(pod.request, by), small_amounts<M>::scale(pod.grant, by);
      for (auto& aside : other.asides) small_amounts<M>::scale(aside.grant, by);
    } else if (which == 2) {
      what = "a lower minimum";
      auto& set = other.group.pod_sets[rng_.below(other.sets())];
      if (set.minimum > 0)
        --set.minimum;
      else if (other.group.min_count && *other.group.min_count > 0)
        --*other.group.min_count;
      else
        return {};
    } else {
      what = "a constraint less";
      auto& limits = other.group.limits;
      if (other.group.one_device_model && rng_.chance(60))
        other.group.one_device_model = false;
      else if (!limits.empty())
        limits.erase(limits.begin() + static_cast<std::ptrdiff_t>(rng_.below(limits.size())));
      else if (other.group.required != muster::no_level)
        other.group.required = muster::no_level;
      else
        return {};
    }
    if (muster::first_fault(other.group, other.levels).fault != muster::group_fault::none) return {};
    if (which >= 2 && which != 5 && !answer.fits()) return {};
    options<Scorer> same = how;
    same.filter = other.filter;
    muster::cluster<M> model = other.build();
    const auto view = model.view();
    const answer_type changed = muster::place(view, world<M>::own, same);
    if (changed.verdict == answer.verdict) return {};
    return std::string{what} + " made it " + std::string{name(changed.verdict)};
  }

  /// No number of a device model decides anything: under other ones the answer is the same, seat by seat.
  template <class Scorer>
  std::string renamed_makes(const answer_type& answer, const options<Scorer>& how) {
    world<M> other = of_;
    for (auto& node : other.nodes) small_amounts<M>::rename_makes(node.capacity);
    for (auto& set : other.group.pod_sets) small_amounts<M>::rename_makes(set.request);
    for (auto& pod : other.pods) small_amounts<M>::rename_makes(pod.request);
    muster::cluster<M> model = other.build();
    const auto view = model.view();
    answer_type renamed = muster::place(view, world<M>::own, how);
    renamed.model = answer.model, renamed.lack.best_model = answer.lack.best_model;
    const std::string d = difference<M>(answer, renamed);
    return d.empty() ? "" : "under other numbers of the device models: " + d;
  }

  /// A yes stays a yes when a node comes, opens, or is freed.
  template <class Scorer>
  std::string with_more_room(const answer_type& answer, const options<Scorer>& how) {
    world<M> roomier = of_;
    auto& pods = roomier.pods;
    const auto another = [](const auto& pod) { return pod.set < 0; };
    switch (rng_.below(4)) {
      case 0:
        if (const auto gone = std::find_if(pods.begin(), pods.end(), another); gone != pods.end()) pods.erase(gone);
        break;
      case 1:
        for (auto& node : roomier.nodes) node.closed = false;
        break;
      case 2: roomier.asides.clear(); break;
      default: {
        typename world<M>::node added;
        added.id = rng_.below(9000) * 10000 + 3;
        added.kind = static_cast<std::uint32_t>(rng_.below(3));
        added.capacity = small_amounts<M>::capacity(rng_);
        added.label = {1 + rng_.below(2), 1 + rng_.below(2)};
        roomier.nodes.push_back(added);
      }
    }
    bool own_kept = false;  // what was set aside for the group itself is room too
    for (const auto& kept : of_.asides) own_kept = own_kept || kept.own;
    if (own_kept && roomier.asides.empty()) return {};
    muster::cluster<M> model = roomier.build();
    const auto view = model.view();
    const answer_type more = muster::place(view, world<M>::own, how);
    if (!more.fits()) return "more room turned a yes into " + std::string{name(more.verdict)};
    return !of_.alike || more.placed >= answer.placed ? "" : "more room seats fewer pods";
  }

  generator rng_;
  tally& seen_;
  world<M> of_;
};

/// Runs `usual` instances, a fifth of them under a sanitizer; every failing one is named.
template <class M>
void run_instances(const char* what, int usual) {
  tally seen;
  if (const char* one = std::getenv("MUSTER_TEST_INSTANCE")) {
    instance<M> alone{std::strtoull(one, nullptr, 10), seen};
    std::printf("%s", alone.text().c_str());
    CHECK(alone.run() == "");
    return;
  }
  generator seeds{what};
  int failures = 0;
  for (int i = muster_test::long_rounds(usual); i > 0 && failures < 10; --i) {
    const std::uint64_t seed = seeds();
    const std::string fault = instance<M>{seed, seen}.run();
    if (fault.empty()) continue;
    ++failures;
    FAIL_CHECK(what << ": MUSTER_TEST_INSTANCE=" << seed << ": " << fault);
  }
  std::printf("%s:", what);
  for (std::size_t v = 0; v < seen.verdicts.size(); ++v)
    std::printf(" %s %d,", std::string{name(static_cast<muster::verdict>(v))}.c_str(), seen.verdicts[v]);
  std::printf(" unlike decided %d, truths too dear %d, noes by trying everything %d, noes by device models %d, "
              "extras compared %d, placements beside members %d, changed certificates: false %d, true %d, not judged "
              "%d\n",
              seen.unlike_decided, seen.unknown_truths, seen.exhausted, seen.one_model_decides, seen.extras_compared,
              seen.verified_beside, seen.false_claims, seen.true_claims, seen.unknown_claims);
  using muster::verdict;
  for (const verdict v : {verdict::fits, verdict::wait, verdict::not_now, verdict::closed, verdict::never})
    CHECK(seen.verdicts[static_cast<std::size_t>(v)] > 0);
  // nearly every truth is found by trying everything, and nearly every no has a certificate
  CHECK(seen.unlike_decided > 1000 * seen.unknown_truths);
  CHECK(seen.unlike_decided > 1000 * seen.exhausted);
  CHECK(seen.extras_compared > 0);
  CHECK(seen.verified_beside > 0);
  CHECK(seen.false_claims > 0);
  CHECK(seen.true_claims > 0);
  CHECK(seen.unknown_claims < seen.true_claims);
  CHECK((seen.one_model_decides > 0) == muster::model_with_makes<M>);
}

}  // namespace placement_property

#endif
