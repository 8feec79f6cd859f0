// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "core/model/json/json_codec.h"
#include "core/report/formats.h"

namespace wb {

Result<std::string> jsonReport(const Report& report) {
  return dump(toJson(report), 2) + "\n";
}

}  // namespace wb
