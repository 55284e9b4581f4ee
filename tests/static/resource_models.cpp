// SPDX-License-Identifier: BSL-1.0
// What is a resource model, what is not, and which refinements the shipped ones meet.
#include <muster/resource/devices.hpp>
#include <muster/resource/joint.hpp>
#include <muster/resource/model.hpp>
#include <muster/resource/resource_vector.hpp>

#include <cstdint>
#include <string>
#include <type_traits>

using namespace muster;

using gpus = devices<8>;
using gpus_and_more = joint<devices<8>, resource_vector<2>>;
using nested = joint<resource_vector<1>, gpus_and_more>;
using two_vectors = joint<resource_vector<1>, resource_vector<2>>;

static_assert(dimensional_model<resource_vector<1>>);
static_assert(dimensional_model<resource_vector<5>>);
static_assert(dimensional_model<gpus>);
static_assert(dimensional_model<gpus_and_more>);
static_assert(dimensional_model<nested>);
static_assert(dimensional_model<two_vectors>);

static_assert(model_with_devices<gpus>);
static_assert(model_with_devices<gpus_and_more>);
static_assert(!model_with_devices<resource_vector<3>>);
struct devices_without_room : resource_vector<1> {
  static void set_health(state_type&, std::uint32_t, bool);
};
static_assert(resource_model<devices_without_room> && !model_with_devices<devices_without_room>);

static_assert(model_with_makes<gpus> && model_with_makes<gpus_and_more> && model_with_makes<nested>);
static_assert(!model_with_makes<resource_vector<3>> && !model_with_makes<devices_without_room>);
static_assert(!model_of<resource_vector<1>>({4}) && !asks_devices<resource_vector<1>>({4}));
static_assert(model_of<nested>({{1}, {{.count = 2, .model = device_model{5}}, {}}}) == device_model{5});

static_assert(dimensions_of<resource_vector<3>> == 3);
static_assert(dimensions_of<gpus_and_more> == dimensions_of<gpus> + 2);
static_assert(dimensions_of<nested> == 1 + dimensions_of<gpus_and_more>);

// What the model keeps per node and per pod is plain memory.
template <class M>
constexpr bool plain =
    std::is_trivially_copyable_v<typename M::state_type> && std::is_trivially_copyable_v<typename M::request_type> &&
    std::is_trivially_copyable_v<typename M::grant_type>;
static_assert(plain<resource_vector<3>> && plain<gpus> && plain<gpus_and_more>);

// Not models.
struct nothing {};
struct forgets_release : resource_vector<1> {
  static void release(state_type&, const grant_type&) = delete;
};
struct takes_every_grant : resource_vector<1> {
  static bool may_charge(const state_type&, const grant_type&) = delete;
};
struct counts_in_int : resource_vector<1> {
  static int count_fitting(const state_type&, const request_type&, pod_count);
};
struct says_yes_loosely : resource_vector<1> {
  static int fits(const state_type&, const request_type&);
};
struct incomparable_request {
  bool operator==(const incomparable_request&) const = delete;
};
struct asks_incomparably : resource_vector<1> {
  using request_type = incomparable_request;
};

static_assert(!resource_model<nothing>);
static_assert(!resource_model<int>);
static_assert(!resource_model<std::string>);
static_assert(!resource_model<forgets_release>);
static_assert(!resource_model<takes_every_grant>);
static_assert(!resource_model<counts_in_int>);
static_assert(!resource_model<says_yes_loosely>);
static_assert(!resource_model<asks_incomparably>);

// A model without dimensions is a model all the same, of no dimension.
struct opaque {
  using capacity_type = resource_vector<1>::capacity_type;
  using state_type = resource_vector<1>::state_type;
  using request_type = resource_vector<1>::request_type;
  using grant_type = resource_vector<1>::grant_type;
  using counted = resource_vector<1>;

  static constexpr bool grant_follows_from_request = true;
  static state_type empty_node(const capacity_type& c) { return counted::empty_node(c); }
  static bool fits(const state_type& s, const request_type& r) { return counted::fits(s, r); }
  static pod_count count_fitting(const state_type& s, const request_type& r, pod_count limit) {
    return counted::count_fitting(s, r, limit);
  }
  static pod_count allocate(state_type& s, const request_type& r, pod_count limit, grant_type& g) {
    return counted::allocate(s, r, limit, g);
  }
  static grant_type force(state_type& s, const request_type& r) { return counted::force(s, r); }
  static void charge(state_type& s, const grant_type& g) { counted::charge(s, g); }
  static void release(state_type& s, const grant_type& g) { counted::release(s, g); }
  static grant_type part(const grant_type& g, const request_type& r, pod_count i) { return counted::part(g, r, i); }
  static bool may_charge(const state_type& s, const grant_type& g) { return counted::may_charge(s, g); }
  static bool covers(const state_type& s, const grant_type& g, const request_type& r, pod_count count) {
    return counted::covers(s, g, r, count);
  }
  static amount_fault check_capacity(const capacity_type& c) { return counted::check_capacity(c); }
  static amount_fault check_request(const request_type& r) { return counted::check_request(r); }
  static void add_to_hash(hasher& h, const capacity_type& c) { counted::add_to_hash(h, c); }
};
static_assert(resource_model<opaque>);
static_assert(!dimensional_model<opaque>);
static_assert(dimensions_of<opaque> == 0);
static_assert(!preparing_model<opaque>);

// Models answer in constant expressions, so a wrong one is found before a program runs.
static_assert([] {
  auto state = gpus::empty_node({.count = 8});
  gpus::grant_type grant;
  const gpus::request_type pair{.whole = 2};
  const auto covered = gpus::allocate(state, pair, 3, grant);
  const auto left = gpus::count_fitting(state, pair, 100);
  gpus::release(state, grant);
  return covered == 3 && left == 1 && gpus::count_fitting(state, pair, 100) == 4;
}());
