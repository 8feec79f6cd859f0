// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/run_output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/cli/output/output.h"
#include "app/cli/output/profile_output.h"
#include "app/cli/output/terminal.h"
#include "core/base/files/file.h"
#include "core/figures/figures.h"
#include "core/figures/text/text.h"
#include "core/model/json/json_codec.h"
#include "core/report/chrome_trace_exporter.h"
#include "core/report/exporters.h"

namespace wb {
namespace {

constexpr int usageStatus = 2;

void showResult(const Report& report, const Terminal& out) {
  const TextStyle style{.width = out.interactive ? static_cast<std::size_t>(out.width) : 0,
                        .colours = out.colors,
                        .maxRows = 40};
  show("\n" + toText(headline(report), style));
  if (counts(report).total > 0) show("\n" + toText(operatorsTable(report), style));
  const BarChart chart = speedupChart(report);
  if (!chart.bars.empty()) show("\n" + toText(chart, style));
  show(profileText(report, style));
}

/// The timeline, where one was asked for by --trace.
Result<void> writeTrace(const std::string& file, const Report& report) {
  auto trace = chromeTrace(report);
  if (!trace) return std::move(trace).error();
  return writeFileAtomically(file, *trace);
}

/// What the sanitizer came to, which the runner says in the log.
void showSanitizerSummary(const Report& report) {
  if (report.sanitizer.empty()) return;
  for (std::size_t i = 0; i < report.log.size(); ++i)
    if (report.log[i].source == "runner" && report.log[i].text.starts_with("compute-sanitizer"))
      show(printableLines(report.log[i].text) + "\n");
}

/// Writes the files; what is to be said of them comes after the result.
class Files {
 public:
  void add(const Result<void>& written, const std::string& wanted, const std::string& good) {
    if (!written) lines_.push_back("warpbench: " + wanted + describe(written.error()));
    if (written && !good.empty()) lines_.push_back(good);
    failed_ = failed_ || !written;
  }
  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::vector<std::string> lines_;
  bool failed_ = false;
};

Files writeFiles(const RunOptions& options, const Report& report) {
  Files files;
  if (const std::string& file = options.profile.trace; !file.empty())
    files.add(writeTrace(file, report),
              "--trace: ", fmt::format("trace: {} (open it in ui.perfetto.dev)", file));
  for (const std::string& file : options.reports)
    files.add(exportReport(report, file), "", fmt::format("report: {}", file));
  if (!options.json.empty() && options.json != "-")
    files.add(writeFileAtomically(options.json, dump(toJson(report), 2) + "\n"), "", "");
  return files;
}

}  // namespace

bool sanitizerFoundErrors(const Report& report) {
  for (const auto& kernel : report.kernels)
    for (const Diagnostic& diagnostic : kernel->diagnostics)
      if (diagnostic.severity == Severity::error && diagnostic.tool.starts_with("compute-sanitizer"))
        return true;
  return false;
}

int giveResult(const RunOptions& options, const Report& report, int status) {
  const Files files = writeFiles(options, report);
  if (options.json == "-") {
    show(dump(toJson(report), 2) + "\n");
  } else {
    showResult(report, terminal(STDOUT_FILENO));
    showSanitizerSummary(report);
  }
  flushShown();
  for (const std::string& line : files.lines()) say(line);
  return status == 0 && files.failed() ? usageStatus : status;
}

}  // namespace wb
