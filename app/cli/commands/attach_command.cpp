// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <utility>

#include "app/cli/batch/follow.h"
#include "app/cli/commands/verb.h"
#include "app/cli/options/job_options.h"
#include "app/cli/output/output.h"
#include "app/cli/output/run_output.h"
#include "core/model/exit/exit_status.h"
#include "core/report/exporters.h"
#include "core/runner/batch/batch.h"
#include "core/runner/batch/batch_place.h"

namespace wb {
namespace {

struct AttachOptions {
  std::string run;
  bool now = false, cancel = false;
  /// Only what is said of reports.
  JobOptions output;
};

int attach(const AttachOptions& options) {
  if (const auto possible = checkJsonTarget(options.output.targets.json); !possible)
    return refuse(possible.error());
  if (const auto files = checkReportFiles(options.output.targets.reports); !files)
    return refuse(files.error());
  const auto batch = readBatch(options.run);
  if (!batch) return refuse(batch.error());
  if (options.cancel)
    if (const auto cancelled = batchPlace(batch->target)->cancel(*batch); !cancelled)
      return refuse(cancelled.error());
  const auto report = followBatch(
      *batch, {.now = options.now, .cancelled = options.cancel, .verbose = options.output.verbose});
  if (!report) return refuse(report.error());
  const bool goesOn = (*report)->outcome == Outcome::running;
  return giveResult(options.output, **report, goesOn ? ExitStatus::underWay : exitStatus(**report));
}

}  // namespace

Verb attachVerb() {
  auto options = std::make_shared<AttachOptions>();
  const auto declare = [options](CLI::App& app) {
    app.add_option("RUN", options->run, "The run, as `warpbench run --detach` has named it, or its folder")
        ->required();
    app.add_flag("--now", options->now, "Do not wait for its end: give what there is");
    app.add_flag("--cancel", options->cancel, "End it, and give what there is");
    app.add_flag("-v,--verbose", options->output.verbose, "Show what the kernels and the workers print");
    app.add_option("--json", options->output.targets.json,
                   "Write the report as JSON to this file, or - for standard output");
    app.add_option(
        "--report", options->output.targets.reports,
        fmt::format("Write the report; the format is the file's: {} (may be repeated)", reportExtensions()));
  };
  return {"attach", "Follow a run that was started with --detach, and gather its result", declare,
          [options](const std::string&) { return attach(*options); }};
}

}  // namespace wb
