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

/// A Python program of ours that makes or reads a suite, from resources/python.
struct HelperScript {
  std::string name;  ///< "export_opinfo.py"
  std::vector<std::string> arguments;
  std::string purpose;   ///< for messages: "making opinfo"
  std::string python{};  ///< interpreter; "": as findPython() says
};

/// The interpreter to use: `given`, else as findPython() says.
[[nodiscard]] Result<std::filesystem::path> pythonFor(const std::string& given);

/// Runs it and hands over each line of its standard output as it comes.
/// Errors of stage `job`: no interpreter, the last line it wrote to standard error when it fails, stopped.
Result<void> runScript(const HelperScript& script, const std::function<void(std::string_view)>& onLine,
                       const std::stop_token& stop);

/// "\\\\", "\\n", "\\r", "\\t" in a field of such a line back to what they stand for.
[[nodiscard]] std::string unescapeField(std::string_view field);

}  // namespace wb
