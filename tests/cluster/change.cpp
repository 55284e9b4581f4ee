// SPDX-License-Identifier: BSL-1.0
#include <muster/cluster/change.hpp>

#include "support/catch.hpp"

#include <muster/resource/resource_vector.hpp>

#include <cstddef>
#include <set>
#include <string_view>

using namespace muster;
using counted = resource_vector<1>;

namespace {

/// Distinct names of the enumerators from the first to `last`; 0 if one has none.
template <class Enum>
std::size_t names_up_to(Enum last) {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(last); ++i) names.insert(name(static_cast<Enum>(i)));
  return names.count("?") != 0 ? 0 : names.size();
}

}  // namespace

TEST_CASE("every outcome and every fault of a change has its own name", "[cluster]") {
  CHECK(names_up_to(apply_outcome::rejected) == 5);
  CHECK(names_up_to(change_fault::bad_action) == static_cast<std::size_t>(change_fault::bad_action) + 1);
  CHECK(name(apply_outcome::parked) == "parked");
  CHECK(name(change_fault::bad_grant) == "bad grant");
}

TEST_CASE("a change says nothing until it has a revision", "[cluster]") {
  const change<counted> blank;
  CHECK(blank.at == never_seen);
}

TEST_CASE("what is left out means: for ever, unknown, not gated, on its own", "[cluster]") {
  const node_closed window;
  CHECK(window.from == beginning_of_time);
  CHECK(window.until == end_of_time);
  const pod_seen<counted> pod;
  CHECK(pod.group == no_group);
  CHECK_FALSE(pod.gated);
  const pod_placed<counted> placed;
  CHECK(placed.how == placing::bound);
  CHECK_FALSE(placed.grant.has_value());
  CHECK(pod_terminating{}.until == end_of_time);
  CHECK(set_aside<counted>{}.until == end_of_time);
}

TEST_CASE("results are equal if outcome and faults are", "[cluster]") {
  CHECK(apply_result{} == apply_result{apply_outcome::applied});
  CHECK_FALSE(apply_result{apply_outcome::rejected, change_fault::bad_request, amount_fault::negative} ==
              apply_result{apply_outcome::rejected, change_fault::bad_request, amount_fault::too_large});
}
