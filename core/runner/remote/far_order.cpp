// SPDX-License-Identifier: Apache-2.0
#include "core/runner/remote/far_order.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/model/json/json_codec.h"

namespace wb {
namespace {

bool isSession(const std::string& name) {
  const auto isHex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return name.size() == 32 && std::all_of(name.begin(), name.end(), isHex);
}

}  // namespace

std::string text(const FarOrder& order) {
  return dump({{"session", order.session},
               {"new", order.isNew},
               {"device", order.wish.device},
               {"inPython", order.wish.python},
               {"judges", order.wish.judges},
               {"sanitizer", order.wish.sanitizer},
               {"walls", order.wish.walls.has_value()},
               {"run", order.wish.walls ? order.wish.walls->run : 0},
               {"cluster", order.cluster},
               {"python", order.python},
               {"grace", order.graceSeconds}});
}

Result<FarOrder> farOrderFrom(std::string_view line) {
  const Error none{Stage::setup, "this is no order for the far end of a link"};
  const Result<nlohmann::json> json = parseJson(line);
  if (!json || !json->is_object()) return none;
  FarOrder order;
  try {
    order.session = json->at("session").get<std::string>();
    order.isNew = json->at("new").get<bool>();
    order.wish.device = json->at("device").get<std::string>();
    order.wish.python = json->at("inPython").get<bool>();
    order.wish.judges = json->at("judges").get<bool>();
    order.wish.sanitizer = json->at("sanitizer").get<std::string>();
    if (json->at("walls").get<bool>()) order.wish.walls = WallWish{json->at("run").get<std::uint32_t>(), {}};
    order.cluster = json->at("cluster").get<std::string>();
    order.python = json->at("python").get<std::string>();
    order.graceSeconds = json->at("grace").get<double>();
  } catch (const nlohmann::json::exception&) {
    return none;
  }
  if (!isSession(order.session)) return none;
  return order;
}

}  // namespace wb
