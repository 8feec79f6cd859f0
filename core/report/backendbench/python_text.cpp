// SPDX-License-Identifier: Apache-2.0
#include "core/report/backendbench/python_text.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/python_float.h"

namespace wb {

std::string pythonJsonFloat(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return pythonFloat(value);
}

std::string pythonJsonString(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

}  // namespace wb
