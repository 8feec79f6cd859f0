// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/service/http/config/config.h"

namespace wb {

/// One setting of the service.
struct Setting {
  /// As in the file, the table before the point: "queue.most".
  std::string_view name;
  /// One line for --help.
  std::string_view help;
  /// Reads a text into the configuration; relative paths begin at `folder`. Gives what it wants instead, or
  /// "".
  std::function<std::string(ServeConfig&, const std::string& text, const std::filesystem::path& folder)> set;
};

/// All settings in the order in which --help shows them.
[[nodiscard]] std::span<const Setting> settings();
[[nodiscard]] const Setting* findSetting(std::string_view name);
/// With this begin the names of all variables.
inline constexpr std::string_view variablePrefix = "WARPBENCH_SERVE_";
/// "--queue-most" and "WARPBENCH_SERVE_QUEUE_MOST" for "queue.most".
[[nodiscard]] std::string flagOf(const Setting& setting);
[[nodiscard]] std::string variableOf(const Setting& setting);

}  // namespace wb
