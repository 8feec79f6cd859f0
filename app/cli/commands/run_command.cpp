// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/run_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/batch/detach.h"
#include "app/cli/commands/verb.h"
#include "app/cli/options/option_errors.h"
#include "app/cli/output/output.h"
#include "app/cli/output/report_files.h"
#include "app/cli/output/run_output.h"
#include "app/cli/output/suite_progress.h"
#include "app/cli/run/chosen_device.h"
#include "app/cli/run/run_job.h"
#include "app/cli/run/watched_run.h"
#include "core/model/exit/exit_status.h"
#include "core/runner/process/worker_walls.h"
#include "core/runner/remote/target_places.h"
#include "core/runner/runner.h"
#include "core/runner/sanitizer/sanitizer.h"
#include "core/targets/run_target.h"

namespace wb {
namespace {

/// The job that the options mean, its suite made for `device`.
Result<PlannedJob> plan(JobRequest request, const Result<std::string>& device) {
  if (device) request.device = *device;
  SuiteProgressLine line;
  return planJob(request, line.progress());
}

/// Workers can start while the suite is read or made.
bool mayStartEarly(const JobRequest& request) {
  // A folder's kernels are not known yet, and for a file that is not there nobody need start.
  const auto isFile = [](const std::string& file) { return std::filesystem::is_regular_file(file); };
  return request.sanitizer.empty() && !request.sandbox && request.problem.empty() &&
         std::ranges::all_of(request.files, isFile);
}

void startEarly(Runner& runner, const JobRequest& request) {
  runner.start(std::ranges::any_of(request.files, [](const std::string& file) {
    return file.ends_with(".py") || file.ends_with(".json");
  }));
}

/// Where a job runs, and its workers as far as they are made already.
struct Way {
  Result<std::string> device;
  std::shared_ptr<Runner> runner{};
  /// The targets that are not on this machine, and whether one is.
  std::vector<RunTarget> elsewhere{};
  bool isHere = true;
};

Way wayOf(const JobOptions& options, const JobRequest& request) {
  if (options.where.empty()) {
    Way way{chosenDevice(request.device)};
    if (!way.device || !mayStartEarly(request)) return way;
    if (auto made = makeWorkers(*way.device, options.workers, request.python, request.strict))
      way.runner = *std::move(made);
    if (way.runner) startEarly(*way.runner, request);
    return way;
  }
  auto made = targetWorkers(options.where, options.workers, request.strict);
  if (!made) return {std::move(made).error()};
  if (mayStartEarly(request)) startEarly(*made->runner, request);
  return {made->device, made->runner, made->elsewhere, made->isHere};
}

/// The values of opinfo are needed where the kernels run.
JobRequest withOpinfoThere(JobRequest request, const Way& way) {
  if (way.elsewhere.empty() || way.isHere) return request;
  request.opinfoThere = [targets = way.elsewhere](const std::string& device, const std::string& dtype) {
    return opinfoOn(targets, device, dtype, [](const std::string& text) { say(text); });
  };
  return request;
}

}  // namespace

int runJobOptions(const JobOptions& options) {
  if (const auto possible = checkJsonTarget(options.targets.json); !possible) return refuse(possible.error());
  const auto request = requestOf(options);
  if (!request) return refuse(request.error());
  if (options.detach || options.printScript) return runDetached(options, *request);
  const Way way = wayOf(options, *request);
  const Result<std::string>& device = way.device;
  const bool isElsewhere = !way.elsewhere.empty();
  auto planned = plan(withOpinfoThere(*request, way), device);
  if (!planned) {
    complain(withOptions(planned.error()));
    return ExitStatus::usage;
  }
  if (!device) return refuse(device.error());
  Job& job = planned->job;
  if (isElsewhere)
    if (const auto possible = checkElsewhere(job, !way.isHere); !possible)
      return refuse(of("--target", possible.error()));
  if (job.stages.has(Stage::sanitize)) {
    auto possible = checkSanitizer(job.sanitizer, *device);
    if (const auto found = findSanitizer(); possible && !isElsewhere && !found) possible = found.error();
    if (!possible) return refuse(of("--sanitize", possible.error()));
  }
  if (job.sandbox && !isElsewhere)
    if (const auto possible = checkSandbox(); !possible) return refuse(of("--sandbox", possible.error()));
  if (options.where.empty())
    if (const auto places = workerDevices(*device, options.workers, knownDevices()); !places)
      return refuse(places.error());
  for (const Error& each : planned->leftOut) complain("left out: " + describe(each));
  replaceEarlier(options.targets, job);
  const auto last = runWatched(job, {.workers = options.workers,
                                     .verbose = options.verbose,
                                     .python = request->python,
                                     .runner = way.runner});
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
    app.add_flag("--detach", options->detach,
                 "Hand the run over to the cluster or host that --target names, and print its name for "
                 "`warpbench attach`");
    app.add_flag("--print-script", options->printScript, "Print the script that --detach would submit");
    app.add_option("--stages", options->stages, "Stages to run, of " + allStages())->capture_default_str();
    app.add_flag("--profile", options->profile.asked, "Profile too, as warpbench profile does");
    addProfileOptions(app, options->profile);
  };
  return {"run", "Compile, check and time kernels against ATen", declare,
          [options](const std::string&) { return runJobOptions(*options); }};
}

}  // namespace wb
