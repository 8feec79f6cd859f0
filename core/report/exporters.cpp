// SPDX-License-Identifier: Apache-2.0
#include "core/report/exporters.h"

#include <algorithm>
#include <array>

#include "core/base/file.h"
#include "core/report/formats.h"

namespace wb {

std::span<const Exporter> exporters() {
  static constexpr std::array list = {
      Exporter{"html", "HTML page", ".html", htmlReport},
      Exporter{"json", "JSON", ".json", jsonReport},
      Exporter{"csv", "CSV table of the cases", ".csv", csvReport},
      Exporter{"markdown", "Markdown", ".md", markdownReport},
  };
  return list;
}

namespace {
char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
}  // namespace

const Exporter* findExporter(std::string_view idOrExtension) {
  std::string wanted(idOrExtension);
  std::transform(wanted.begin(), wanted.end(), wanted.begin(), lower);
  for (const Exporter& exporter : exporters())
    if (wanted == exporter.id || wanted == exporter.extension || wanted == exporter.extension.substr(1))
      return &exporter;
  return nullptr;
}

Result<void> exportReport(const Report& report, const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  const Exporter* exporter = extension.empty() ? nullptr : findExporter(extension);
  if (exporter == nullptr) {
    std::string known;
    for (const Exporter& one : exporters()) known.append(known.empty() ? "" : ", ").append(one.extension);
    return Error{Stage::report,
                 extension.empty()
                     ? "The report file " + file.string() + " has no extension to say its format"
                     : "There is no report format " + extension,
                 "use one of " + known,
                 {file.string(), 0, 0}};
  }
  Result<std::string> content = exporter->write(report);
  if (!content) return std::move(content).error();
  return writeFileAtomically(file, *content);
}

}  // namespace wb
