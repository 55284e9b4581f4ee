// SPDX-License-Identifier: BSL-1.0
#ifndef MUSTER_PLACEMENT_CASE_COLUMNS_HPP
#define MUSTER_PLACEMENT_CASE_COLUMNS_HPP

/// \file
/// How a resource model stands in a case file: its columns, and the lines only it has.
///
/// The first column is `gpu`. A vector writes its amounts in order; devices write their number, and the extended lines
/// `devices`, `share`, `wants` and `grant`; a joint writes the first part's columns and then the second's. Specialise
/// `case_columns` for a model of your own; without that `write_case` does not compile for it.

#include <muster/core/config.hpp>
#include <muster/core/text.hpp>
#include <muster/resource/devices.hpp>
#include <muster/resource/joint.hpp>
#include <muster/resource/model.hpp>
#include <muster/resource/resource_vector.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace muster::inline MUSTER_ABI {

template <resource_model M>
struct case_columns;

namespace case_parts {
template <text_output Out, std::integral Number>
Out put_word(Out out, Number number) {
  *out++ = ' ';
  return put(out, number);
}
}  // namespace case_parts

template <std::size_t N>
struct case_columns<resource_vector<N>> {
  using amounts = typename resource_vector<N>::amounts;
  static constexpr std::size_t count = N;
  template <text_output Out>
  static Out put_amounts(Out out, const amounts& values) {
    for (const amount a : values) out = case_parts::put_word(out, a);
    return out;
  }
  template <text_output Out>
  static Out put_capacity(Out out, const amounts& values) { return put_amounts(out, values); }
  template <text_output Out>
  static Out put_request(Out out, const amounts& values) { return put_amounts(out, values); }
  /// Lines about a node, a class and what a pod holds; `who` is the words that name it.
  template <text_output Out>
  static Out put_node_lines(Out out, std::string_view, const amounts&) { return out; }
  template <text_output Out>
  static Out put_class_lines(Out out, std::string_view, const amounts&) { return out; }
  template <text_output Out>
  static Out put_grant_lines(Out out, std::string_view, const amounts&) { return out; }
};

template <std::size_t K>
struct case_columns<devices<K>> {
  using model = devices<K>;
  static constexpr std::size_t count = 1;
  template <text_output Out>
  static Out put_capacity(Out out, const typename model::capacity_type& capacity) {
    return case_parts::put_word(out, capacity.count);
  }
  template <text_output Out>
  static Out put_request(Out out, const typename model::request_type& request) {
    return case_parts::put_word(out, request.whole);
  }
  template <text_output Out>
  static Out put_node_lines(Out out, std::string_view who, const typename model::capacity_type& capacity) {
    if (capacity.count == 0) return out;
    out = put(put(out, "devices "), who);
    const auto make = static_cast<std::uint32_t>(capacity.model);
    out = case_parts::put_word(out, make == 0 ? 1U : make);
    for (std::uint32_t d = 0; d < capacity.count; ++d)
      out = case_parts::put_word(out, unsigned{capacity.link_group[d]});
    return put(out, "\n");
  }
  template <text_output Out>
  static Out put_class_lines(Out out, std::string_view who, const typename model::request_type& request) {
    if (request.share > 0) {
      out = put(put(out, "share "), who);
      out = put(case_parts::put_word(out, request.share), "\n");
    }
    if (request.model != any_model || request.one_link_group) {
      out = put(put(out, "wants "), who);
      out = case_parts::put_word(out, static_cast<std::uint32_t>(request.model));
      out = put(out, request.one_link_group ? " 1\n" : " 0\n");
    }
    return out;
  }
  template <text_output Out>
  static Out put_grant_lines(Out out, std::string_view who, const typename model::grant_type& grant) {
    for (auto rest = grant.on; rest != 0; rest &= rest - 1) {
      out = put(put(out, "grant "), who);
      out = case_parts::put_word(out, std::countr_zero(rest));
      out = put(case_parts::put_word(out, grant.milli), "\n");
    }
    return out;
  }
};

template <class A, class B>
struct case_columns<joint<A, B>> {
  static constexpr std::size_t count = case_columns<A>::count + case_columns<B>::count;
  template <text_output Out, class Both>
  static Out put_capacity(Out out, const Both& capacity) {
    return case_columns<B>::put_capacity(case_columns<A>::put_capacity(out, capacity.first), capacity.second);
  }
  template <text_output Out, class Both>
  static Out put_request(Out out, const Both& request) {
    return case_columns<B>::put_request(case_columns<A>::put_request(out, request.first), request.second);
  }
  template <text_output Out, class Both>
  static Out put_node_lines(Out out, std::string_view who, const Both& capacity) {
    return case_columns<B>::put_node_lines(case_columns<A>::put_node_lines(out, who, capacity.first), who,
                                           capacity.second);
  }
  template <text_output Out, class Both>
  static Out put_class_lines(Out out, std::string_view who, const Both& request) {
    return case_columns<B>::put_class_lines(case_columns<A>::put_class_lines(out, who, request.first), who,
                                            request.second);
  }
  template <text_output Out, class Both>
  static Out put_grant_lines(Out out, std::string_view who, const Both& grant) {
    return case_columns<B>::put_grant_lines(case_columns<A>::put_grant_lines(out, who, grant.first), who, grant.second);
  }
};

}  // namespace muster::inline MUSTER_ABI

#endif
