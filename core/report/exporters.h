// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/model/report.h"

namespace wb {

/// A report format. A new format needs one file x_exporter.cpp and one row in exporters.cpp.
struct Exporter {
  /// The id: "html".
  std::string_view id;
  /// The title for people: "HTML page".
  std::string_view title;
  /// The extension: ".html".
  std::string_view extension;
  /// Gives the whole file's content.
  Result<std::string> (*write)(const Report&);
};

[[nodiscard]] std::span<const Exporter> exporters();
[[nodiscard]] const Exporter* findExporter(std::string_view idOrExtension);

/// The format by the end of a file's name, the longest that fits: "x.trace.json" is a trace, "x.json" a
/// report. Null when there is none.
[[nodiscard]] const Exporter* exporterOf(const std::filesystem::path& file);
/// All extensions for messages: ".html, .json, …".
[[nodiscard]] std::string reportExtensions();

/// Writes a report by the file's extension, atomically. Errors: an unknown extension (known ones are listed),
/// the file cannot be written, the disk is full.
Result<void> exportReport(const Report& report, const std::filesystem::path& file);

}  // namespace wb
