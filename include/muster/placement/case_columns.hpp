// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_CASE_COLUMNS_HPP
#define MUSTER_PLACEMENT_CASE_COLUMNS_HPP

/// \file
/// How a resource model stands in a case file: its columns, and the lines only it has.
///
/// The first column is `gpu`. A vector writes its amounts in order; devices write their number, and the extended lines
/// `devices`, `share`, `wants`, `grant` and `keptdevice`; a joint writes both parts, the one with devices first, since
/// the format counts devices in its first column, and it has one such column. Specialise `case_columns` for a model of
/// your own; without that `write_case` does not compile for it.
///
/// | member | what it says |
/// | --- | --- |
/// | `count`, `with_devices` | how many columns, and whether the first counts single devices |
/// | `put_capacity`, `put_request` | the columns of a node and of a class |
/// | `put_amounts`, `any_amount` | what a grant takes of the columns, devices aside, and whether that is anything |
/// | `is_usual` | whether a pod holds just what it asks, in whole grant lines that the node has |
/// | `put_node_lines`, `put_class_lines` | extended lines about a node and a class |
/// | `put_sick_line` | the line about a device of a node that is sick, if the node has it |
/// | `put_grant_lines`, `put_kept_lines` | those about the devices a pod holds, and those that are set aside |

#include <muster/core/bits.hpp>
#include <muster/core/config.hpp>
#include <muster/core/text.hpp>
#include <muster/resource/devices.hpp>
#include <muster/resource/joint.hpp>
#include <muster/resource/model.hpp>
#include <muster/resource/resource_vector.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace muster::inline MUSTER_ABI {

template <resource_model M>
struct case_columns;

namespace case_parts {

template <text_output Out>
Out put_each(Out out) { return out; }
/// Words and numbers, each after a space.
template <text_output Out, class Word, class... Words>
Out put_each(Out out, const Word& word, const Words&... words) {
  *out++ = ' ';
  return put_each(put(out, word), words...);
}
/// A line: its first word, then the others, each after a space.
template <text_output Out, class... Words>
Out put_line(Out out, std::string_view first, const Words&... words) {
  return put(put_each(put(out, first), words...), "\n");
}

}  // namespace case_parts

template <std::size_t N>
struct case_columns<resource_vector<N>> {
  using amounts = typename resource_vector<N>::amounts;
  static constexpr std::size_t count = N;
  static constexpr bool with_devices = false;

  template <text_output Out>
  static Out put_amounts(Out out, const amounts& values) {
    for (const amount a : values) out = case_parts::put_each(out, a);
    return out;
  }
  template <text_output Out>
  static Out put_capacity(Out out, const amounts& values) { return put_amounts(out, values); }
  template <text_output Out>
  static Out put_request(Out out, const amounts& values) { return put_amounts(out, values); }
  [[nodiscard]] static bool any_amount(const amounts& grant) noexcept {
    return std::any_of(grant.begin(), grant.end(), [](amount a) { return a != 0; });
  }
  [[nodiscard]] static bool is_usual(const amounts&, const amounts& request, const amounts& grant) noexcept {
    return grant == request;
  }
  /// `who` is the words that name the node, the class or the run.
  template <text_output Out>
  static Out put_node_lines(Out out, std::string_view, const amounts&) { return out; }
  template <text_output Out>
  static Out put_sick_line(Out out, std::string_view, const amounts&, std::uint32_t) { return out; }
  template <text_output Out>
  static Out put_class_lines(Out out, std::string_view, const amounts&) { return out; }
  template <text_output Out>
  static Out put_grant_lines(Out out, std::string_view, const amounts&, const amounts&) { return out; }
  template <text_output Out, class... Until>
  static Out put_kept_lines(Out out, std::string_view, const amounts&, const amounts&, const Until&...) { return out; }
};

template <std::size_t K>
struct case_columns<devices<K>> {
  using model = devices<K>;
  using capacity_type = typename model::capacity_type;
  using request_type = typename model::request_type;
  using grant_type = typename model::grant_type;
  static constexpr std::size_t count = 1;
  static constexpr bool with_devices = true;

  template <text_output Out>
  static Out put_capacity(Out out, const capacity_type& capacity) { return case_parts::put_each(out, capacity.count); }
  template <text_output Out>
  static Out put_request(Out out, const request_type& request) { return case_parts::put_each(out, request.whole); }
  /// Grant lines say which devices it is.
  template <text_output Out>
  static Out put_amounts(Out out, const grant_type&) { return case_parts::put_each(out, 0); }
  [[nodiscard]] static bool any_amount(const grant_type&) noexcept { return false; }
  [[nodiscard]] static bool is_usual(const capacity_type& capacity, const request_type& request,
                                     const grant_type& grant) noexcept {
    const std::uint32_t lines = request.whole > 0 ? request.whole : request.share > 0 ? 1U : 0U;
    return model::is_there(capacity, grant) && count_bits(grant.on) == lines &&
           (lines == 0 || grant.milli == (request.whole > 0 ? whole_device : request.share));
  }
  template <text_output Out>
  static Out put_node_lines(Out out, std::string_view who, const capacity_type& capacity) {
    if (capacity.count == 0) return out;
    out = case_parts::put_each(put(out, "devices"), who, static_cast<std::uint32_t>(capacity.model));
    for (std::uint32_t d = 0; d < capacity.count; ++d)
      out = case_parts::put_each(out, unsigned{capacity.link_group[d]});
    return put(out, "\n");
  }
  template <text_output Out>
  static Out put_sick_line(Out out, std::string_view who, const capacity_type& capacity, std::uint32_t device) {
    return device < capacity.count ? case_parts::put_line(out, "sick", who, device) : out;
  }
  template <text_output Out>
  static Out put_class_lines(Out out, std::string_view who, const request_type& request) {
    if (request.share > 0) out = case_parts::put_line(out, "share", who, request.share);
    if (request.model != any_model || request.one_link_group)
      out = case_parts::put_line(out, "wants", who, static_cast<std::uint32_t>(request.model),
                                 request.one_link_group ? 1 : 0);
    return out;
  }
  template <text_output Out>
  static Out put_grant_lines(Out out, std::string_view who, const capacity_type& capacity, const grant_type& grant) {
    return put_devices(out, "grant", who, capacity, grant);
  }
  template <text_output Out, class... Until>
  static Out put_kept_lines(Out out, std::string_view who, const capacity_type& capacity, const grant_type& grant,
                            const Until&... until) {
    return put_devices(out, "keptdevice", who, capacity, grant, until...);
  }

 private:
  /// A line for each device of the grant that is there.
  template <text_output Out, class... Words>
  static Out put_devices(Out out, std::string_view first, std::string_view who, const capacity_type& capacity,
                         const grant_type& grant, const Words&... words) {
    if (grant.milli == 0) return out;
    for (std::uint32_t d = 0; d < capacity.count; ++d)
      if ((grant.on >> d & 1U) != 0) out = case_parts::put_line(out, first, who, d, grant.milli, words...);
    return out;
  }
};

template <class A, class B>
struct case_columns<joint<A, B>> {
  using capacity_type = typename joint<A, B>::capacity_type;
  using request_type = typename joint<A, B>::request_type;
  using grant_type = typename joint<A, B>::grant_type;
  using first = case_columns<A>;
  using second = case_columns<B>;
  static_assert(!(first::with_devices && second::with_devices), "a case file has room for one part with devices");
  static constexpr std::size_t count = first::count + second::count;
  static constexpr bool with_devices = first::with_devices || second::with_devices;

  template <text_output Out>
  static Out put_capacity(Out out, const capacity_type& capacity) {
    if constexpr (second::with_devices)
      return first::put_capacity(second::put_capacity(out, capacity.second), capacity.first);
    else return second::put_capacity(first::put_capacity(out, capacity.first), capacity.second);
  }
  template <text_output Out>
  static Out put_request(Out out, const request_type& request) {
    if constexpr (second::with_devices)
      return first::put_request(second::put_request(out, request.second), request.first);
    else return second::put_request(first::put_request(out, request.first), request.second);
  }
  template <text_output Out>
  static Out put_amounts(Out out, const grant_type& grant) {
    if constexpr (second::with_devices) return first::put_amounts(second::put_amounts(out, grant.second), grant.first);
    else return second::put_amounts(first::put_amounts(out, grant.first), grant.second);
  }
  [[nodiscard]] static bool any_amount(const grant_type& grant) noexcept {
    return first::any_amount(grant.first) || second::any_amount(grant.second);
  }
  [[nodiscard]] static bool is_usual(const capacity_type& capacity, const request_type& request,
                                     const grant_type& grant) noexcept {
    return first::is_usual(capacity.first, request.first, grant.first) &&
           second::is_usual(capacity.second, request.second, grant.second);
  }
  template <text_output Out>
  static Out put_node_lines(Out out, std::string_view who, const capacity_type& capacity) {
    return second::put_node_lines(first::put_node_lines(out, who, capacity.first), who, capacity.second);
  }
  template <text_output Out>
  static Out put_sick_line(Out out, std::string_view who, const capacity_type& capacity, std::uint32_t device) {
    if constexpr (second::with_devices) return second::put_sick_line(out, who, capacity.second, device);
    else return first::put_sick_line(out, who, capacity.first, device);
  }
  template <text_output Out>
  static Out put_class_lines(Out out, std::string_view who, const request_type& request) {
    return second::put_class_lines(first::put_class_lines(out, who, request.first), who, request.second);
  }
  template <text_output Out>
  static Out put_grant_lines(Out out, std::string_view who, const capacity_type& capacity, const grant_type& grant) {
    out = first::put_grant_lines(out, who, capacity.first, grant.first);
    return second::put_grant_lines(out, who, capacity.second, grant.second);
  }
  template <text_output Out, class... Until>
  static Out put_kept_lines(Out out, std::string_view who, const capacity_type& capacity, const grant_type& grant,
                            const Until&... until) {
    out = first::put_kept_lines(out, who, capacity.first, grant.first, until...);
    return second::put_kept_lines(out, who, capacity.second, grant.second, until...);
  }
};

}  // namespace muster::inline MUSTER_ABI

#endif
