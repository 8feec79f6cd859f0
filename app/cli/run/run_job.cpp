// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/run_job.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/run/interrupts.h"
#include "core/runner/report_feed.h"

namespace wb {
namespace {

constexpr std::string_view gpu = "cuda:";
constexpr RunnerOptions options{.warmSpare = false};

}  // namespace

const std::vector<Device>& knownDevices() {
  static const std::vector<Device> known = devices();
  return known;
}

Result<std::vector<std::string>> workerDevices(const std::string& device, int workers,
                                               const std::vector<Device>& there) {
  std::vector<std::string> list{device};
  if (!device.starts_with(gpu)) {
    list.resize(static_cast<std::size_t>(std::max(workers, 1)), device);
    return list;
  }
  const int first = std::stoi(device.substr(gpu.size()));
  for (int i = 1; i < workers; ++i) {
    list.push_back(fmt::format("{}{}", gpu, first + i));
    const auto same = [&](const Device& one) { return one.id == list.back(); };
    if (std::none_of(there.begin(), there.end(), same))
      return Error{Stage::job,
                   fmt::format("{} workers need {} GPUs from {} on; there is no {}", workers, workers, device,
                               list.back()),
                   "ask for fewer workers: each has a GPU of its own"};
  }
  return list;
}

Result<std::shared_ptr<Runner>> makeWorkers(const std::string& device, int workers,
                                            const std::string& python) {
  WB_TRY(const auto devices, workerDevices(device, workers, knownDevices()));
  std::vector<WorkerPlace> places;
  for (const std::string& each : devices) places.push_back({localLauncher(python), each});
  return std::make_shared<Runner>(std::move(places), options);
}

std::shared_ptr<const Report> runJob(Job job, const RunWay& way) {
  std::shared_ptr<Runner> runner = way.runner;
  if (!runner) {
    auto made = makeWorkers(job.device, way.workers, way.python);
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
