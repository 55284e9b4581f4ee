// SPDX-License-Identifier: BSL-1.0
#include <muster/placement/seating_rule.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/catch.hpp"

#include <vector>

namespace {

using one = muster::resource_vector<1>;
using two = muster::resource_vector<2>;

struct nobody {
  template <class M>
  void operator()(const muster::seating_question<M>&, std::vector<muster::seat<M>>&) const {}
};
struct of_one_model {
  void operator()(const muster::seating_question<one>&, std::vector<muster::seat<one>>&) const {}
};
struct changing {
  void operator()(const muster::seating_question<one>&, std::vector<muster::seat<one>>&) {}
};
struct without_list {
  void operator()(const muster::seating_question<one>&) const {}
};

}  // namespace

TEST_CASE("a seating rule is a const function of a question and a list", "[placement]") {
  STATIC_REQUIRE(muster::seating_rule<nobody, one>);
  STATIC_REQUIRE(muster::seating_rule<nobody, two>);
  STATIC_REQUIRE(muster::seating_rule<of_one_model, one>);
  STATIC_REQUIRE_FALSE(muster::seating_rule<of_one_model, two>);
  STATIC_REQUIRE_FALSE(muster::seating_rule<changing, one>);
  STATIC_REQUIRE_FALSE(muster::seating_rule<without_list, one>);
  STATIC_REQUIRE_FALSE(muster::seating_rule<int, one>);
}
