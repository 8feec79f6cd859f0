// SPDX-License-Identifier: Apache-2.0
#include "core/runner/remote/far_devices.h"

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

}  // namespace wb
