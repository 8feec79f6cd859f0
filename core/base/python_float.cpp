// SPDX-License-Identifier: Apache-2.0
#include "core/base/python_float.h"

#include <fmt/format.h>

#include <cmath>

namespace wb {

std::string pythonFloat(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

}  // namespace wb
