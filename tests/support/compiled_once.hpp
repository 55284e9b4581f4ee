// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_TESTS_SUPPORT_COMPILED_ONCE_HPP
#define MUSTER_TESTS_SUPPORT_COMPILED_ONCE_HPP

/// \file
/// What most tests ask, of the resource models most of them use: compiled once, in compiled_once/, not once a test
/// file. It halves the time the tests take to build. Other models and options are compiled where they are asked, as
/// ever.

#include <muster/cluster/apply.hpp>
#include <muster/cluster/cluster.hpp>
#include <muster/cluster/overlay.hpp>
#include <muster/cycle/schedule.hpp>
#include <muster/placement/explain.hpp>
#include <muster/placement/place.hpp>
#include <muster/placement/verify.hpp>
#include <muster/placement/verify_certificate.hpp>
#include <muster/resource/devices.hpp>
#include <muster/resource/joint.hpp>
#include <muster/resource/resource_vector.hpp>

#include "support/scene.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace muster_test {
using devices_and_one = muster::joint<muster::devices<8>, muster::resource_vector<1>>;
}

/// Explicit instantiations for a model; `how` is extern or nothing.
#define MUSTER_TESTS_COMPILED_ONCE(how, ...)                                                                          \
  how template class muster_test::scene<__VA_ARGS__>;                                                                 \
  how template class muster::cluster<__VA_ARGS__>;                                                                    \
  how template class muster::overlay<__VA_ARGS__>;                                                                    \
  how template muster::apply_result muster::apply(muster::cluster<__VA_ARGS__>&, const muster::change<__VA_ARGS__>&); \
  MUSTER_TESTS_PLACE(how, const muster::snapshot<__VA_ARGS__>, __VA_ARGS__)                                           \
  MUSTER_TESTS_PLACE(how, muster::overlay<__VA_ARGS__>, __VA_ARGS__)                                                  \
  MUSTER_TESTS_ASK(how, const muster::pod_group<__VA_ARGS__>&, __VA_ARGS__)                                           \
  MUSTER_TESTS_ASK(how, muster::group_id, __VA_ARGS__)                                                                \
  how template muster::verification muster::verify(                                                                   \
      const muster::snapshot<__VA_ARGS__>&, const muster::pod_group<__VA_ARGS__>&,                                    \
      std::type_identity_t<std::span<const muster::seat<__VA_ARGS__>>>, const muster::everywhere&);                   \
  how template const muster::plan<__VA_ARGS__>& muster::schedule(                                                     \
      const muster::snapshot<__VA_ARGS__>&, std::span<const muster::group_id>, muster::schedule_space<__VA_ARGS__>&,  \
      const muster::default_stages&);

/// The search of a view under any options, and `place` under the usual ones.
#define MUSTER_TESTS_PLACE(how, view, ...)                                                                            \
  how template class muster::placement_detail::domain_search<                                                         \
      muster::placement_detail::query<std::remove_const_t<view>>>;                                                    \
  how template void muster::placement_detail::refuse(muster::placement_detail::query<std::remove_const_t<view>>&,     \
                                                     bool, std::size_t, std::uint32_t, muster::refusal_reason,        \
                                                     muster::search_budget&);                       \
  how template const muster::placement_answer<__VA_ARGS__>& muster::place(                                            \
      view&, const muster::pod_group<__VA_ARGS__>&, muster::workspace<__VA_ARGS__>&, const muster::place_options<>&); \
  how template const muster::placement_answer<__VA_ARGS__>& muster::place(                                            \
      view&, muster::group_id, muster::workspace<__VA_ARGS__>&, const muster::place_options<>&);

#define MUSTER_TESTS_ASK(how, group, ...)                                                                            \
  how template muster::explanation muster::explain(const muster::snapshot<__VA_ARGS__>&, group,                      \
                                                   std::span<const typename __VA_ARGS__::capacity_type>,             \
                                                   muster::workspace<__VA_ARGS__>&, const muster::place_options<>&); \
  how template muster::certificate_check muster::verify(const muster::snapshot<__VA_ARGS__>&, group,                 \
                                                        const muster::certificate&, const muster::everywhere&);

MUSTER_TESTS_COMPILED_ONCE(extern, muster::resource_vector<1>)
MUSTER_TESTS_COMPILED_ONCE(extern, muster::resource_vector<2>)
MUSTER_TESTS_COMPILED_ONCE(extern, muster::resource_vector<3>)
MUSTER_TESTS_COMPILED_ONCE(extern, muster::devices<4>)
MUSTER_TESTS_COMPILED_ONCE(extern, muster_test::devices_and_one)

#endif
