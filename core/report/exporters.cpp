// SPDX-License-Identifier: Apache-2.0
#include "core/report/exporters.h"

#include <algorithm>
#include <array>

#include "core/base/files/file.h"
#include "core/base/text.h"
#include "core/report/chrome_trace_exporter.h"
#include "core/report/formats.h"

namespace wb {

std::span<const Exporter> exporters() {
  static constexpr std::array list = {
      Exporter{"html", "HTML page", ".html", htmlReport},
      Exporter{"json", "JSON", ".json", jsonReport},
      Exporter{"csv", "CSV table of the cases", ".csv", csvReport},
      Exporter{"markdown", "Markdown", ".md", markdownReport},
      Exporter{"trace", "Timeline in Chrome's trace format, for Perfetto", ".trace.json", chromeTrace},
  };
  return list;
}

const Exporter* findExporter(std::string_view idOrExtension) {
  const std::string wanted = lowerCase(idOrExtension);
  for (const Exporter& exporter : exporters())
    if (wanted == exporter.id || wanted == exporter.extension || wanted == exporter.extension.substr(1))
      return &exporter;
  return nullptr;
}

const Exporter* exporterOf(const std::filesystem::path& file) {
  const std::string name = lowerCase(file.filename().string());
  const Exporter* best = nullptr;
  for (const Exporter& exporter : exporters())
    if (name.size() > exporter.extension.size() && name.ends_with(exporter.extension) &&
        (best == nullptr || best->extension.size() < exporter.extension.size()))
      best = &exporter;
  return best;
}

std::string reportExtensions() {
  std::string known;
  for (const Exporter& one : exporters()) known.append(known.empty() ? "" : ", ").append(one.extension);
  return known;
}

Result<void> exportReport(const Report& report, const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  const Exporter* exporter = exporterOf(file);
  if (exporter == nullptr)
    return Error{Stage::report,
                 extension.empty()
                     ? "The report file " + file.string() + " has no extension to say its format"
                     : "There is no report format " + extension,
                 "use one of " + reportExtensions(),
                 {file.string(), 0, 0}};
  WB_TRY(std::string content, exporter->write(report));
  return writeFileAtomically(file, content);
}

}  // namespace wb
