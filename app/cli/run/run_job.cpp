// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/run_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/cli/output/output.h"
#include "app/cli/run/interrupts.h"
#include "core/runner/remote/target_places.h"
#include "core/runner/report_feed.h"
#include "core/targets/target_file.h"

namespace wb {
namespace {

RunnerOptions optionsFor(bool judges) {
  return {.warmSpare = false, .judges = judges};
}

}  // namespace

const std::vector<Device>& knownDevices() {
  static const std::vector<Device> known = devices();
  return known;
}

Result<std::shared_ptr<Runner>> makeWorkers(const std::string& device, int workers, const std::string& python,
                                            bool judges) {
  WB_TRY(const auto devices, workerDevices(device, workers, knownDevices()));
  std::vector<WorkerPlace> places;
  places.reserve(devices.size());
  for (const std::string& each : devices) places.push_back({localLauncher(python), each});
  return std::make_shared<Runner>(std::move(places), optionsFor(judges));
}

Result<TargetWorkers> targetWorkers(const std::vector<std::string>& words, int workers, bool judges) {
  WB_TRY(const std::vector<RunTarget> known, readTargets(targetFile()));
  TargetWorkers made;
  std::vector<WorkerPlace> places;
  std::vector<std::pair<RunTarget, std::string>> devices;
  for (const std::string& word : words) {
    WB_TRY(const RunTarget target, findTarget(word, known));
    WB_TRY(std::vector<WorkerPlace> own,
           placesOf(target, workers, [](const std::string& text) { say(text); }));
    devices.emplace_back(target, own.front().device);
    for (WorkerPlace& place : own) places.push_back(std::move(place));
  }
  numberJobs(places);
  // Processors beside GPUs run no cases.
  const auto isGpu = [](const auto& each) { return each.second.starts_with("cuda"); };
  if (std::ranges::any_of(devices, isGpu))
    std::erase_if(devices, [&](const auto& each) { return !isGpu(each); });
  made.device = devices.front().second;
  for (const auto& [target, device] : devices) {
    if (target.kind != TargetKind::local)
      made.elsewhere.push_back(target);
    else
      made.isHere = true;
  }
  made.runner = std::make_shared<Runner>(std::move(places), optionsFor(judges));
  return made;
}

std::shared_ptr<const Report> runJob(Job job, const RunWay& way) {
  std::shared_ptr<Runner> runner = way.runner;
  if (!runner) {
    auto made = makeWorkers(job.device, way.workers, way.python, job.strict);
    if (!made) return nullptr;
    runner = *std::move(made);
  }
  std::shared_ptr<const Report> last;
  auto feed = std::make_shared<ReportFeed>(
      job,
      [&](std::shared_ptr<const Report> report) {
        if (way.onReport) way.onReport(*report);
        last = std::move(report);
      },
      std::chrono::milliseconds{100});
  const auto run = runner->submit(
      std::move(job), [&, take = ReportFeed::listener(feed)](Runner::RunId id, const Event& event) {
        if (way.onEvent) way.onEvent(event);
        take(id, event);
      });
  {
    const Interrupts interrupts([&] { runner->cancel(run); });
    runner->wait();
  }
  feed.reset();
  return last;
}

}  // namespace wb
