// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/run_output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "app/cli/options/option_errors.h"
#include "app/cli/output/output.h"
#include "app/cli/output/report_files.h"
#include "app/cli/output/terminal.h"
#include "core/base/files/file.h"
#include "core/figures/figures.h"
#include "core/figures/text/report_text.h"
#include "core/model/json/json_codec.h"
#include "core/report/chrome_trace_exporter.h"

namespace wb {
namespace {

void showResult(const Report& report, const Terminal& out) {
  show(reportText(report, {.width = out.interactive ? static_cast<std::size_t>(out.width) : 0,
                           .colours = out.colors,
                           .maxRows = 0}));
}

/// Writes the timeline, where --trace asked for one.
Result<void> writeTrace(const std::string& file, const Report& report) {
  WB_TRY(auto trace, chromeTrace(report));
  return writeFileAtomically(file, trace);
}

}  // namespace

int giveResult(const JobOptions& options, const Report& report, int status) {
  ReportFiles files;
  if (const std::string& file = options.profile.trace; !file.empty()) {
    auto written = writeTrace(file, report);
    if (!written) written = of("--trace", std::move(written).error());
    files.take(written, fmt::format("trace: {} (open it in ui.perfetto.dev)", file));
  }
  files.write(options.targets, report);
  if (options.targets.json == "-") {
    show(dump(toJson(report), 2) + "\n");
  } else {
    showResult(report, terminal(STDOUT_FILENO));
    if (const std::string line = sanitizerLine(report); !line.empty()) show(printableLines(line) + "\n");
  }
  return files.finish(status);
}

}  // namespace wb
