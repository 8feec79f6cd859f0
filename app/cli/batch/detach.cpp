// SPDX-License-Identifier: Apache-2.0
#include "app/cli/batch/detach.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "app/cli/options/option_errors.h"
#include "app/cli/output/output.h"
#include "app/cli/output/suite_progress.h"
#include "core/base/files/file.h"
#include "core/base/files/paths.h"
#include "core/model/exit/exit_status.h"
#include "core/runner/batch/batch.h"
#include "core/runner/batch/batch_script.h"
#include "core/runner/remote/slurm.h"
#include "core/targets/target_file.h"

namespace wb {
namespace {

Result<RunTarget> clusterOf(const JobOptions& options) {
  if (options.where.size() != 1)
    return usageError("--detach needs one --target", "name a cluster: --target slurm://PARTITION?gres=gpu:1");
  WB_TRY(const auto known, readTargets(targetFile()));
  auto target = findTarget(options.where.front(), known);
  if (!target) return of("--target", std::move(target).error());
  if (target->kind != TargetKind::slurm)
    return usageError(fmt::format("--detach needs a scheduler, and {} has none", titleOf(*target)),
                      "name a cluster: --target slurm://PARTITION?gres=gpu:1");
  if (isBehindSsh(*target))
    return usageError(
        "--detach does not hand runs over by ssh",
        fmt::format("log in on {} and run it there, or wait for it: leave out --detach", target->host));
  if (!options.request.sanitizer.empty())
    return usageError("--detach and --sanitize exclude each other", "wait for the run: leave out --detach");
  return target;
}

Result<Batch> prepare(const JobOptions& options, JobRequest request) {
  WB_TRY(const RunTarget target, clusterOf(options));
  request.device = slurmDevice(target);
  SuiteProgressLine line;
  auto planned = planJob(request, line.progress());
  if (!planned) return withOptions(planned.error());
  for (const Error& each : planned->leftOut) complain("left out: " + describe(each));
  WB_TRY(Batch batch, makeBatch(target, std::move(planned->job), static_cast<std::size_t>(options.workers)));
  WB_DO(writeFileAtomically(batch.script(), batchScript(batch, programFolder() / "warpbench")));
  return batch;
}

}  // namespace

int runDetached(const JobOptions& options, JobRequest request) {
  auto batch = prepare(options, std::move(request));
  if (!batch) return refuse(batch.error());
  if (options.printScript) {
    show(batchScript(*batch, programFolder() / "warpbench"));
    return settled(ExitStatus::good);
  }
  auto job = submitScript(*batch);
  if (!job) return refuse(job.error());
  say(fmt::format("submitted as job {}: {}", *job, batch->script().string()));
  if (const auto written = rememberSubmission(*batch, *std::move(job)); !written) complain(written.error());
  say(fmt::format("warpbench attach {} shows how it goes, and its result", batch->id()));
  show(batch->id() + "\n");
  return settled(ExitStatus::good);
}

}  // namespace wb
