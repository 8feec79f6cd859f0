// SPDX-License-Identifier: Apache-2.0
#include "app/cli/batch/detach.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "app/cli/options/option_errors.h"
#include "app/cli/output/output.h"
#include "app/cli/output/suite_progress.h"
#include "core/model/exit/exit_status.h"
#include "core/runner/batch/batch.h"
#include "core/runner/batch/batch_place.h"
#include "core/runner/remote/slurm.h"
#include "core/runner/remote/target_places.h"
#include "core/targets/target_file.h"

namespace wb {
namespace {

Result<RunTarget> targetOf(const JobOptions& options) {
  if (options.where.size() != 1)
    return usageError("--detach needs one --target",
                      "name a cluster or a host: --target slurm://PARTITION?gres=gpu:1");
  WB_TRY(const auto known, readTargets(targetFile()));
  auto target = findTarget(options.where.front(), known);
  if (!target) return of("--target", std::move(target).error());
  if (!options.request.sanitizer.empty())
    return usageError("--detach and --sanitize exclude each other", "wait for the run: leave out --detach");
  return target;
}

/// The device of its workers, and whether there are so many there.
Result<std::string> deviceOf(const RunTarget& target, int workers) {
  if (target.kind == TargetKind::slurm) return slurmDevice(target);
  WB_TRY(const auto there, devicesOf(target, [](const std::string& text) { say(text); }));
  WB_TRY(const std::string device, resolveDevice(target.device.empty() ? "auto" : target.device, there));
  WB_DO(workerDevices(device, workers, there));
  return device;
}

Result<Batch> prepare(const JobOptions& options, JobRequest request) {
  WB_TRY(const RunTarget target, targetOf(options));
  WB_TRY(request.device, deviceOf(target, options.workers));
  if (target.kind != TargetKind::local)
    request.opinfoThere = [&](const std::string& device, const std::string& dtype) {
      return opinfoOn({target}, device, dtype, [](const std::string& text) { say(text); });
    };
  SuiteProgressLine line;
  auto planned = planJob(request, line.progress());
  if (!planned) return withOptions(planned.error());
  for (const Error& each : planned->leftOut) complain("left out: " + describe(each));
  if (isBehindSsh(target))
    if (const auto possible = checkElsewhere(planned->job, true); !possible)
      return of("--target", possible.error());
  return newBatch(target, std::move(planned->job), options.workers, newBatchId());
}

}  // namespace

int runDetached(const JobOptions& options, JobRequest request) {
  auto batch = prepare(options, std::move(request));
  if (!batch) return refuse(batch.error());
  const auto handed =
      batchPlace(batch->target)->handOver(*batch, !options.printScript, [](const std::string& text) {
        say(text);
      });
  if (!handed) return refuse(handed.error());
  const std::string place = isBehindSsh(batch->target) ? fmt::format(" on {}", titleOf(batch->target)) : "";
  if (options.printScript) {
    if (!place.empty()) say(fmt::format("the script lies in {}{}", handed->path, place));
    show(handed->script);
    return settled(ExitStatus::good);
  }
  say(fmt::format("{} {}{}: {}",
                  batch->target.kind == TargetKind::slurm ? "submitted as job" : "started as process",
                  batch->submittedAs, place, handed->path));
  say(fmt::format("warpbench attach {} shows how it goes, and its result", batch->id()));
  show(batch->id() + "\n");
  return settled(ExitStatus::good);
}

}  // namespace wb
