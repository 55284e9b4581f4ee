// SPDX-License-Identifier: BSL-1.0
//
// The lines of EXTENSIONS.md that name single devices.
#include "case_reader.hpp"

#include <utility>

namespace oracle {
namespace {

constexpr amount whole_device = 1000;
constexpr std::size_t most_devices = 64;

}  // namespace

bool case_reader::device_extension(line_words& line) {
  static constexpr known_line known[] = {
      {"devices", &case_reader::devices}, {"sick", &case_reader::sick},   {"share", &case_reader::share},
      {"wants", &case_reader::wants},     {"grant", &case_reader::grant}, {"keptdevice", &case_reader::kept_device},
      {"onemodel", &case_reader::one_model},
  };
  const bool found = read_known(known, line);
  data_.with_devices = data_.with_devices || found;
  return found;
}

void case_reader::devices(line_words& line) {
  auto& of = data_.nodes[node_of(line)];
  if (of.devices) {
    line.fail(line.first(), "a second line of devices for this node");
  }
  device_list made;
  made.model = line.quantity("the model");
  while (!line.at_end()) {
    const auto link = line.next("the link group");
    if (made.link_group.size() == most_devices) {
      line.fail(link, "more than " + std::to_string(most_devices) + " devices");
    }
    made.link_group.push_back(line.quantity_of(link, "the link group", 0, 255));
  }
  if (static_cast<amount>(made.link_group.size()) != of.capacity.front()) {
    line.fail(line.first(), "the node's gpu capacity is " + std::to_string(of.capacity.front()) + ", not " +
                                std::to_string(made.link_group.size()));
  }
  made.sick.assign(made.link_group.size(), false);
  of.devices = std::move(made);
}

void case_reader::sick(line_words& line) {
  auto& of = data_.nodes[node_of(line)];
  if (!of.devices) {
    line.fail(line.first(), "this node has no line of devices so far");
  }
  const auto device = line.next("the device");
  const auto most = static_cast<amount>(of.devices->sick.size()) - 1;
  const auto index = static_cast<std::size_t>(line.quantity_of(device, "the device", 0, most));
  if (of.devices->sick[index]) {
    line.fail(device, "this device is sick already");
  }
  of.devices->sick[index] = true;
}

void case_reader::share(line_words& line) {
  auto& of = named_class(line);
  if (of.share != 0) {
    line.fail(line.first(), "a second share for this class");
  }
  if (of.request.front() != 0) {
    line.fail(line.first(), "this class takes whole devices");
  }
  of.share = line.quantity("the share", 1, whole_device);
}

void case_reader::wants(line_words& line) {
  auto& of = named_class(line);
  if (of.device_model != 0 || of.one_link_group) {
    line.fail(line.first(), "a second line of wants for this class");
  }
  of.device_model = line.quantity("the model");
  of.one_link_group = line.quantity("linked", 0, 1) == 1;
}

void case_reader::one_model(line_words& line) {
  auto& of = data_.groups[group_of(line)];
  if (of.one_model) {
    line.fail(line.first(), "this group keeps to one model already");
  }
  of.one_model = true;
}

void case_reader::grant(line_words& line) {
  auto& of = named_run(line);
  const auto& on = data_.nodes[of.node];
  if (!on.devices) {
    line.fail(line.first(), "this node has no line of devices so far");
  }
  device_grant made;
  made.device = line.quantity("the device", 0, static_cast<amount>(on.devices->sick.size()) - 1);
  made.milli = line.quantity("what is granted", 1);
  of.grants.push_back(made);
}

void case_reader::kept_device(line_words& line) {
  device_aside made;
  made.group = group_of(line);
  made.node = node_of(line);
  const auto& on = data_.nodes[made.node];
  if (!on.devices) {
    line.fail(line.first(), "this node has no line of devices so far");
  }
  made.kept.device = line.quantity("the device", 0, static_cast<amount>(on.devices->sick.size()) - 1);
  made.kept.milli = line.quantity("what is kept", 1, whole_device);
  if (!line.at_end()) {
    made.until = line.quantity("the time it is given back");
  }
  data_.kept_devices.push_back(made);
}

}  // namespace oracle
