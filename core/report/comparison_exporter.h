// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"
#include "core/model/report.h"

namespace wb {

/// Two runs and their names, which are those of a file or a directory.
struct Comparison {
  const Report& a;
  const Report& b;
  std::string nameA, nameB;
};

/// The JSON {"a": report, "b": report, "nameA", "nameB", "operators": [{"op", "winner", "why", "cases",
/// "ratio", "low", "high", "minimum", "maximum", "a": {verdict: count}, "b": {…}}]}; it has figures of time
/// only where both were timed.
[[nodiscard]] std::string comparisonJson(const Comparison& comparison);
[[nodiscard]] std::string comparisonMarkdown(const Comparison& comparison);

/// Writes a comparison by the file's extension. Errors: another extension, or the file cannot be written.
Result<void> exportComparison(const Comparison& comparison, const std::filesystem::path& file);
[[nodiscard]] bool canExportComparison(const std::filesystem::path& file);
/// All extensions for messages: ".md or .json".
[[nodiscard]] std::string comparisonExtensions();

}  // namespace wb
