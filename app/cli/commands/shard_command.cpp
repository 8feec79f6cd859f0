// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/commands/verb.h"
#include "app/cli/output/output.h"
#include "app/cli/output/progress_printer.h"
#include "app/cli/output/terminal.h"
#include "app/cli/run/chosen_device.h"
#include "app/cli/run/interrupts.h"
#include "app/cli/run/run_job.h"
#include "core/model/exit/exit_status.h"
#include "core/runner/batch/batch.h"
#include "core/runner/batch/batch_events.h"
#include "core/runner/batch/batch_process.h"
#include "core/runner/batch/event_file.h"
#include "core/runner/batch/shard_claim.h"
#include "core/runner/batch/shard_launcher.h"
#include "core/runner/remote/slurm.h"
#include "core/runner/remote/target_places.h"
#include "core/runner/runner.h"

namespace wb {
namespace {

struct ShardOptions {
  std::string folder;
  std::size_t number = 0;
};

int runShard(const ShardOptions& options) {
  auto batch = readBatch(options.folder);
  if (!batch) return refuse(batch.error());
  auto part = jobOfShard(*batch, options.number);
  if (!part) return refuse(part.error());
  const bool isOnCluster = batch->target.kind == TargetKind::slurm;
  const auto device = chosenDevice(isOnCluster ? slurmDevice(batch->target) : batch->job.device);
  if (!device) return refuse(device.error());
  const auto places = workerDevices(*device, batch->workers, knownDevices());
  if (!places) return refuse(places.error());
  // A process that is there already goes on; of two tasks the later one does.
  std::optional<Result<BatchHold>> hold;
  if (!isOnCluster) hold.emplace(BatchHold::take(*batch));
  if (hold && !*hold) return refuse(hold->error());
  const auto claim = ShardClaim::take(*batch, options.number);
  if (!claim) return refuse(claim.error());
  const auto before = reportBefore(*batch, options.number);
  if (!before) return refuse(before.error());
  auto file = EventFile::open(batch->events(options.number));
  if (!file) return refuse(file.error());

  Job job = *std::move(part);
  job.device = *device;
  ProgressPrinter printer(stderr, terminal(STDERR_FILENO), false);
  std::vector<WorkerPlace> workers;
  for (const std::string& each : *places)
    workers.push_back({shardLauncher(localLauncher(batch->target.python)), each});
  Runner runner(std::move(workers), {.warmSpare = false});
  const auto write = [&](const Event& event) -> Result<void> {
    WB_DO(claim->check());
    return file->append(event);
  };
  std::optional<Error> notWritten;
  Outcome outcome = Outcome::running;
  std::optional<Runner::RunId> run;
  run = runner.submit(
      job,
      [&](Runner::RunId id, const Event& event) {
        // What comes after an event that could not be written must not be, either.
        const Result<void> written = notWritten ? Result<void>() : write(event);
        if (!written) {
          notWritten = written.error();
          runner.cancel(id);
        }
        printer.take(job, event);
        if (const auto* finished = std::get_if<Finished>(&event)) outcome = finished->outcome;
      },
      *before);
  {
    const Interrupts interrupts([&] { runner.cancel(*run); });
    runner.wait();
  }
  printer.clear();
  if (notWritten) return refuse(*notWritten);
  return outcome == Outcome::finished    ? ExitStatus::good
         : outcome == Outcome::cancelled ? ExitStatus::cancelled
                                         : ExitStatus::noWorker;
}

}  // namespace

Verb shardVerb() {
  auto options = std::make_shared<ShardOptions>();
  const auto declare = [options](CLI::App& app) {
    app.add_option("RUN", options->folder, "The folder of the run")->required();
    app.add_option("--number", options->number, "Which of its parts, from 0 on")->capture_default_str();
  };
  return {"shard", "Do one part of a run that was started with --detach; its script calls this", declare,
          [options](const std::string&) { return runShard(*options); }};
}

}  // namespace wb
