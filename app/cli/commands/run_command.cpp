// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/run_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "app/cli/commands/verb.h"
#include "app/cli/options/option_errors.h"
#include "app/cli/output/output.h"
#include "app/cli/output/run_output.h"
#include "app/cli/output/suite_progress.h"
#include "app/cli/run/chosen_device.h"
#include "app/cli/run/run_job.h"
#include "app/cli/run/watched_run.h"
#include "core/model/exit/exit_status.h"
#include "core/runner/process/worker_walls.h"
#include "core/runner/runner.h"
#include "core/runner/sanitizer/sanitizer.h"

namespace wb {
namespace {

/// The job that the options mean, its suite made for `device`.
Result<PlannedJob> plan(JobRequest request, const Result<std::string>& device) {
  if (device) request.device = *device;
  SuiteProgressLine line;
  return planJob(request, line.progress());
}

/// Workers that start while the suite is read or made; none where it is not known yet which are needed.
std::shared_ptr<Runner> earlyWorkers(const JobRequest& request, const std::string& device, int workers) {
  // A folder's kernels are not known yet, and for a file that is not there nobody need start.
  const auto isFile = [](const std::string& file) { return std::filesystem::is_regular_file(file); };
  if (!request.sanitizer.empty() || request.sandbox || !request.problem.empty() ||
      !std::ranges::all_of(request.files, isFile))
    return nullptr;
  auto made = makeWorkers(device, workers, request.python);
  if (!made) return nullptr;
  (*made)->start(std::ranges::any_of(request.files, [](const std::string& file) {
    return file.ends_with(".py") || file.ends_with(".json");
  }));
  return *std::move(made);
}

}  // namespace

int runJobOptions(const JobOptions& options) {
  if (const auto possible = checkJsonTarget(options.targets.json); !possible) return refuse(possible.error());
  const auto request = requestOf(options);
  if (!request) return refuse(request.error());
  const auto device = chosenDevice(request->device);
  const auto runner = device ? earlyWorkers(*request, *device, options.workers) : nullptr;
  auto planned = plan(*request, device);
  if (!planned) {
    complain(withOptions(planned.error()));
    return ExitStatus::usage;
  }
  if (!device) return refuse(device.error());
  Job& job = planned->job;
  if (job.stages.has(Stage::sanitize))
    if (const auto possible = checkSanitizer(job.sanitizer, *device); !possible)
      return refuse(of("--sanitize", possible.error()));
  if (job.sandbox)
    if (const auto possible = checkSandbox(); !possible) return refuse(of("--sandbox", possible.error()));
  if (const auto places = workerDevices(*device, options.workers, knownDevices()); !places)
    return refuse(places.error());
  for (const Error& each : planned->leftOut) complain("left out: " + describe(each));
  const auto last = runWatched(
      job,
      {.workers = options.workers, .verbose = options.verbose, .python = request->python, .runner = runner});
  if (!last) return refuse({Stage::setup, "the run gave no report", {}, {}});
  int status = exitStatus(*last);
  // This counts like a kernel that does not compile.
  if (status == ExitStatus::good && !planned->leftOut.empty()) status = ExitStatus::usage;
  return giveResult(options, *last, status);
}

Verb runVerb() {
  auto options = std::make_shared<JobOptions>();
  const auto declare = [options](CLI::App& app) {
    addJobOptions(app, *options);
    app.add_option("--stages", options->stages, "Stages to run, of " + allStages())->capture_default_str();
    app.add_flag("--profile", options->profile.asked, "Profile too, as warpbench profile does");
    addProfileOptions(app, options->profile);
  };
  return {"run", "Compile, check and time kernels against ATen", declare,
          [options](const std::string&) { return runJobOptions(*options); }};
}

}  // namespace wb
