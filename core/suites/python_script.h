// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace wb {

/// A Python program in resources/python that makes or reads a suite.
struct HelperScript {
  /// "export_opinfo.py"
  std::string name;
  std::vector<std::string> arguments;
  /// What the program does, for messages: "making opinfo".
  std::string purpose;
  /// The interpreter; "" means the one that findPython() finds.
  std::string python{};
};

/// The interpreter to use: `given`, else the one that findPython() finds.
[[nodiscard]] Result<std::filesystem::path> pythonFor(const std::string& given);

/// Runs the script and hands over each line of its standard output as it comes. Errors of stage `job`: no
/// interpreter; the script failed (the last line that it wrote to standard error); stopped.
Result<void> runScript(const HelperScript& script, const std::function<void(std::string_view)>& onLine,
                       const std::stop_token& stop);

/// Turns "\\\\", "\\n", "\\r" and "\\t" in a field of such a line back into what they stand for.
[[nodiscard]] std::string unescapeField(std::string_view field);

}  // namespace wb
