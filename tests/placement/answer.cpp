// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/answer.hpp>
#include <muster/resource/devices.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"

#include <set>
#include <string_view>

using muster::refusal_reason;

TEST_CASE("a fresh answer claims nothing", "[placement]") {
  const muster::placement_answer<muster::resource_vector<2>> answer;
  CHECK_FALSE(answer.fits());
  CHECK(answer.verdict == muster::verdict::undecided);
  CHECK(answer.reason == refusal_reason::none);
  CHECK(answer.fault.fault == muster::group_fault::none);
  CHECK(answer.placed == 0);
  CHECK(answer.seats.empty());
  CHECK(answer.lack.without_pods == muster::empty_fit::unknown);
  CHECK(answer.domain.level == muster::no_level);
}

TEST_CASE("what is missing is never negative", "[placement]") {
  muster::shortage<muster::resource_vector<1>> lack;
  CHECK(lack.missing() == 0);
  lack.needed = 5;
  lack.seated = 3;
  CHECK(lack.missing() == 2);
  lack.seated = 7;
  CHECK(lack.missing() == 0);
}

TEST_CASE("a shortage has a number for every dimension, and a place even without any", "[placement]") {
  CHECK(muster::shortage<muster::resource_vector<3>>{}.short_nodes.size() == 3);
  CHECK(muster::shortage<muster::devices<8>>{}.short_nodes.size() == 2);
}

TEST_CASE("every refusal reason has a name of its own", "[placement]") {
  std::set<std::string_view> names;
  int count = 0;
  for (const auto reason :
       {refusal_reason::none, refusal_reason::pod_gated, refusal_reason::not_admitted, refusal_reason::behind_blocked,
        refusal_reason::group_unknown, refusal_reason::members_missing,
        refusal_reason::set_members_missing, refusal_reason::no_legal_size, refusal_reason::group_fault,
        refusal_reason::domains_differ, refusal_reason::members_differ, refusal_reason::too_few_slots, refusal_reason::set_too_few_slots,
        refusal_reason::too_little_capacity, refusal_reason::models_differ,
        refusal_reason::no_combination, refusal_reason::search_ended, refusal_reason::search_too_large}) {
    names.insert(name(reason));
    ++count;
  }
  CHECK(static_cast<int>(names.size()) == count);
  CHECK(names.count("?") == 0);
}
