// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/model/report.h"

namespace wb {

/// A report format. Plug point: one file x_exporter.cpp and one row in exporters.cpp.
struct Exporter {
  std::string_view id;                          ///< "html"
  std::string_view title;                       ///< "HTML page"
  std::string_view extension;                   ///< ".html"
  Result<std::string> (*write)(const Report&);  ///< the whole file's content
};

[[nodiscard]] std::span<const Exporter> exporters();
[[nodiscard]] const Exporter* findExporter(std::string_view idOrExtension);

/// By the end of a file's name, the longest that fits: "x.trace.json" is a trace, "x.json" a report. Null
/// when there is none.
[[nodiscard]] const Exporter* exporterOf(const std::filesystem::path& file);
/// ".html, .json, …": for messages.
[[nodiscard]] std::string reportExtensions();

/// Writes by the file's extension, atomically. Errors: unknown extension (known ones listed), unwritable,
/// disk full.
Result<void> exportReport(const Report& report, const std::filesystem::path& file);

}  // namespace wb
