// SPDX-License-Identifier: BSL-1.0
#include "case_text.hpp"

#include <sstream>

namespace oracle {
namespace {

class writer {
 public:
  explicit writer(const case_data& of) : case_{of} {}

  std::string text() {
    out_ << "case " << case_.name << "\nresources";
    for (const auto& each : case_.resources) {
      out_ << ' ' << each;
    }
    out_ << "\nnow " << case_.now << '\n';
    for (std::size_t level = 0; level < level_count; ++level) {
      if (case_.merged[level]) {
        out_ << "merged " << level_names[level] << '\n';
      }
    }
    for (const auto& each : case_.nodes) {
      node_lines(each);
    }
    for (const auto& each : case_.groups) {
      group_lines(each);
    }
    for (const auto& each : case_.runs) {
      run_lines(each);
    }
    for (const auto& each : case_.groups) {
      member_lines(each);
    }
    for (const auto& each : case_.kept) {
      out_ << "kept " << case_.groups[each.group].name << ' ' << case_.nodes[each.node].name;
      list(each.kept);
      if (each.until != for_ever) {
        out_ << ' ' << each.until;
      }
      out_ << '\n';
    }
    for (const auto& each : case_.kept_devices) {
      out_ << "keptdevice " << case_.groups[each.group].name << ' ' << case_.nodes[each.node].name << ' '
           << each.kept.device << ' ' << each.kept.milli;
      if (each.until != for_ever) {
        out_ << ' ' << each.until;
      }
      out_ << '\n';
    }
    out_ << "query " << name(case_.asked);
    if (case_.asked != question::deadlock) {
      out_ << ' ' << case_.groups[case_.asked_group].name;
    }
    out_ << '\n';
    if (case_.feasible) {
      out_ << "answer feasible " << case_.feasible->feasible << " max " << case_.feasible->max << '\n';
    }
    out_ << "end\n";
    return out_.str();
  }

 private:
  void list(const amounts& of) {
    for (const auto each : of) {
      out_ << ' ' << each;
    }
  }

  void node_lines(const node& of) {
    out_ << "node " << of.name << " cap";
    list(of.capacity);
    for (std::size_t level = first_plain_level; level < level_count; ++level) {
      if (!of.labels[level].empty()) {
        out_ << ' ' << level_names[level] << '=' << of.labels[level];
      }
    }
    out_ << '\n';
    for (std::size_t level = 0; level < first_plain_level; ++level) {
      if (!of.labels[level].empty()) {
        out_ << "label " << of.name << ' ' << level_names[level] << ' ' << of.labels[level] << '\n';
      }
    }
    if (of.kind != 0) {
      out_ << "kind " << of.name << ' ' << of.kind << '\n';
    }
    if (of.closed) {
      out_ << "closed " << of.name;
      if (of.closed->until != for_ever) {
        out_ << ' ' << of.closed->from << ' ' << of.closed->until;
      }
      out_ << '\n';
    }
    if (of.lost) {
      out_ << "lost " << of.name << '\n';
    }
    if (of.devices) {
      out_ << "devices " << of.name << ' ' << of.devices->model;
      list(of.devices->link_group);
      out_ << '\n';
      for (std::size_t device = 0; device < of.devices->sick.size(); ++device) {
        if (of.devices->sick[device]) {
          out_ << "sick " << of.name << ' ' << device << '\n';
        }
      }
    }
  }

  void group_lines(const group& of) {
    out_ << "group " << of.name << " priority " << of.priority;
    if (of.stated_min) {
      out_ << " min " << *of.stated_min;
    }
    out_ << " mode " << (of.mode == eviction_mode::all ? "all" : "single") << " start " << of.start << " checkpoint "
         << of.checkpoint;
    if (of.topology) {
      out_ << " topology " << (*of.topology == level_count ? "node" : level_names[*of.topology]);
    }
    if (of.per_node != 0) {
      out_ << " pernode " << of.per_node;
    }
    out_ << '\n';
    if (of.basic) {
      out_ << "basic " << of.name << '\n';
    }
    for (std::size_t which = 0; which < of.classes.size(); ++which) {
      class_lines(of, which);
    }
    for (std::size_t level = 0; level <= level_count; ++level) {
      if (of.at_most[level]) {
        out_ << "atmost " << of.name << ' ' << (level == level_count ? "node" : level_names[level]) << ' '
             << *of.at_most[level] << '\n';
      }
    }
    if (of.one_model) {
      out_ << "onemodel " << of.name << '\n';
    }
    if (of.sizes) {
      out_ << "sizes " << of.name << ' ' << of.sizes->smallest << ' ' << of.sizes->largest << ' ' << of.sizes->step
           << '\n';
    }
  }

  void class_lines(const group& in, std::size_t which) {
    const auto& of = in.classes[which];
    const auto named = in.name + ' ' + std::to_string(which) + ' ';
    out_ << "class " << in.name << ' ' << of.count;
    list(of.request);
    out_ << '\n';
    if (of.apart) {
      out_ << "apart " << in.name << ' ' << which;
      if (of.of) {
        out_ << ' ' << *of.of;
      }
      out_ << '\n';
    }
    if (of.minimum != 0) {
      out_ << "minimum " << named << of.minimum << '\n';
    }
    for (const auto& each : of.barred) {
      out_ << "ineligible " << named << each.kind << ' ' << each.reason << '\n';
    }
    if (of.share != 0) {
      out_ << "share " << named << of.share << '\n';
    }
    if (of.device_model != 0 || of.one_link_group) {
      out_ << "wants " << named << of.device_model << ' ' << of.one_link_group << '\n';
    }
  }

  void run_lines(const run& of) {
    const auto named =
        case_.groups[of.group].name + ' ' + std::to_string(of.pod_class) + ' ' + case_.nodes[of.node].name + ' ';
    out_ << "run " << named << of.count << '\n';
    if (of.leaving != 0) {
      out_ << "leaving " << named << of.leaving << ' ' << of.until << '\n';
    }
    for (const auto& each : of.grants) {
      out_ << "grant " << named << each.device << ' ' << each.milli << '\n';
    }
    if (of.holds) {
      out_ << "holds " << case_.groups[of.group].name << ' ' << of.pod_class << ' ' << case_.nodes[of.node].name;
      list(*of.holds);
      out_ << '\n';
    }
  }

  void member_lines(const group& of) {
    for (std::size_t which = 0; which < of.classes.size(); ++which) {
      if (of.classes[which].succeeded != 0) {
        out_ << "succeeded " << of.name << ' ' << which << ' ' << of.classes[which].succeeded << '\n';
      }
      if (of.classes[which].waiting) {
        out_ << "waiting " << of.name << ' ' << which << ' ' << *of.classes[which].waiting << '\n';
      }
    }
  }

  const case_data& case_;
  std::ostringstream out_;
};

}  // namespace

std::string to_text(const case_data& of) { return writer{of}.text(); }

}  // namespace oracle
