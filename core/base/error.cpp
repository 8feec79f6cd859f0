// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"

#include <fmt/format.h>

namespace wb {

std::string text(const Place& place) {
  if (place.line <= 0) return place.file;
  const std::string position =
      place.column > 0 ? fmt::format("{}:{}", place.line, place.column) : fmt::format("{}", place.line);
  return place.file.empty() ? fmt::format("line {}", position) : fmt::format("{}:{}", place.file, position);
}

std::string describe(const Error& error) {
  std::string line = text(error.place);
  if (!line.empty()) line += ": ";
  line += error.text;
  if (!error.hint.empty()) line += fmt::format(" ({})", error.hint);
  return line;
}

}  // namespace wb
