// SPDX-License-Identifier: Apache-2.0
#include "core/runner/remote/far_devices.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/model/json/json_codec.h"

namespace wb {

std::string text(const std::vector<Device>& devices) {
  nlohmann::json list = nlohmann::json::array();
  for (const Device& device : devices)
    list.push_back({{"id", device.id},
                    {"name", device.name},
                    {"architecture", device.architecture},
                    {"memoryBytes", device.memoryBytes}});
  return dump(list);
}

Result<std::vector<Device>> devicesFrom(std::string_view line) {
  const Error none{Stage::setup, "this is no list of devices"};
  const Result<nlohmann::json> json = parseJson(line);
  if (!json || !json->is_array()) return none;
  std::vector<Device> devices;
  try {
    for (const nlohmann::json& each : *json)
      devices.push_back({each.at("id").get<std::string>(), each.at("name").get<std::string>(),
                         each.at("architecture").get<std::string>(),
                         each.at("memoryBytes").get<std::int64_t>()});
  } catch (const nlohmann::json::exception&) {
    return none;
  }
  return devices;
}

Result<std::vector<Device>> devicesFrom(std::string_view printed, const std::string& where) {
  if (const std::size_t mark = printed.rfind(devicesMark); mark != std::string_view::npos)
    if (auto devices = devicesFrom(printed.substr(mark + devicesMark.size()))) return devices;
  return Error{Stage::setup, fmt::format("{} gave no list of its devices", where),
               fmt::format("`warpbench target test {}` says where it fails", where)};
}

}  // namespace wb
