// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_NODE_NODE_HPP
#define MUSTER_NODE_NODE_HPP

/// \file
/// One machine as the model keeps it, and the traits through which the host's own node type enters.
///
/// `node_traits<N>` forwards to members: `id`, `capacity`, and, where the type has them, `kind` and `labels`.
/// A host whose type looks different specialises it. `check_node<N, M>()` is a constant expression that fails with
/// one line naming the first member that is missing or mistyped.
///
/// *Kind*: nodes of one kind are alike in everything that is static: taints, labels, OS, driver, who may use
/// them. Eligibility is asked once per kind, so give equal nodes equal kinds; a type without kinds has one.

#include <muster/core/amount.hpp>
#include <muster/core/config.hpp>
#include <muster/core/ids.hpp>
#include <muster/core/time.hpp>
#include <muster/core/topology.hpp>
#include <muster/resource/model.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace muster::inline MUSTER_ABI {

template <resource_model M>
struct node_spec {
  node_id id{};
  kind_id kind{};
  typename M::capacity_type capacity{};
  muster::labels labels{};
};

/// Whether a node may take new pods, at the time a snapshot was asked for.
enum class node_state : std::uint8_t {
  open,    ///< takes pods
  closed,  ///< cordoned or in a maintenance window: what runs stays, nothing new comes
  lost,    ///< gone: its capacity is away and its pods are lost members
};

[[nodiscard]] constexpr std::string_view name(node_state state) noexcept {
  switch (state) {
    case node_state::open: return "open";
    case node_state::closed: return "closed";
    case node_state::lost: return "lost";
  }
  return "?";
}

template <class Node>
struct node_traits {
  [[nodiscard]] static constexpr decltype(auto) id(const Node& node)
    requires requires { node.id; }
  {
    return (node.id);
  }
  [[nodiscard]] static constexpr decltype(auto) capacity(const Node& node)
    requires requires { node.capacity; }
  {
    return (node.capacity);
  }
  [[nodiscard]] static constexpr kind_id kind(const Node& node) {
    if constexpr (requires { { node.kind } -> std::convertible_to<kind_id>; }) return node.kind;
    else return kind_id{};
  }
  [[nodiscard]] static constexpr label_id label(const Node& node, std::size_t level) {
    if constexpr (requires { { node.labels[level] } -> std::convertible_to<label_id>; node.labels.size(); })
      return level < node.labels.size() ? node.labels[level] : no_label;
    else return no_label;
  }
};

namespace node_parts {
template <class N>
concept has_id = requires(const N& node) { { node_traits<N>::id(node) } -> std::convertible_to<node_id>; };
template <class N, class M>
concept has_capacity = requires(const N& node) {
  { node_traits<N>::capacity(node) } -> std::convertible_to<typename M::capacity_type>;
};
template <class N>
concept has_kind = requires(const N& node) { { node_traits<N>::kind(node) } -> std::convertible_to<kind_id>; };
template <class N>
concept has_label = requires(const N& node, std::size_t level) {
  { node_traits<N>::label(node, level) } -> std::convertible_to<label_id>;
};
}  // namespace node_parts

/// A type that can be read as a node whose resources are counted by model M.
template <class N, class M>
concept node_like = resource_model<M> && node_parts::has_id<N> && node_parts::has_capacity<N, M> &&
                    node_parts::has_kind<N> && node_parts::has_label<N>;

/// Compiles iff N can be read as a node; the failing line names what is missing.
template <class N, resource_model M>
consteval bool check_node() {
  static_assert(node_parts::has_id<N>, "node_traits<N>::id(node) must give a muster::node_id (member `id`)");
  static_assert(node_parts::has_capacity<N, M>,
                "node_traits<N>::capacity(node) must give the model's capacity_type (member `capacity`)");
  static_assert(node_parts::has_kind<N>, "node_traits<N>::kind(node) must give a muster::kind_id");
  static_assert(node_parts::has_label<N>, "node_traits<N>::label(node, level) must give a muster::label_id");
  return true;
}

/// The host's node as the model keeps it. \param levels how many topology levels are read
template <resource_model M, node_like<M> N>
[[nodiscard]] node_spec<M> read_node(const N& node, std::size_t levels) {
  node_spec<M> spec{node_traits<N>::id(node), node_traits<N>::kind(node), node_traits<N>::capacity(node), {}};
  for (std::size_t l = 0; l < levels; ++l) spec.labels.push_back(node_traits<N>::label(node, l));
  return spec;
}

}  // namespace muster::inline MUSTER_ABI

#endif
