// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/run_job.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/run/interrupts.h"
#include "core/runner/fleet.h"
#include "core/runner/report_feed.h"

namespace wb {
namespace {

constexpr std::string_view gpu = "cuda:";
constexpr RunnerOptions options{.warmSpare = false};

/// A Runner or a Fleet, which are used alike.
template <class Workers>
std::shared_ptr<const Report> drive(Workers& workers, Job job, const RunWay& way) {
  std::shared_ptr<const Report> last;
  auto feed = std::make_shared<ReportFeed>(
      job,
      [&](std::shared_ptr<const Report> report) {
        if (way.onReport) way.onReport(*report);
        last = std::move(report);
      },
      std::chrono::milliseconds{100});
  const auto run = workers.submit(
      std::move(job), [&, take = ReportFeed::listener(feed)](Runner::RunId id, const Event& event) {
        if (way.onEvent) way.onEvent(event);
        take(id, event);
      });
  {
    const Interrupts interrupts([&] { workers.cancel(run); });
    workers.wait();
  }
  feed.reset();
  return last;
}

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
                   "ask for fewer workers: each has a GPU of its own",
                   {}};
  }
  return list;
}

std::shared_ptr<const Report> runJob(Job job, const RunWay& way) {
  if (way.workers <= 1) {
    Runner runner(localLauncher(way.python), job.device, options);
    return drive(runner, std::move(job), way);
  }
  std::vector<FleetMember> members;
  const auto places = workerDevices(job.device, way.workers, knownDevices());
  if (!places) return nullptr;
  for (const std::string& place : *places) members.push_back({localLauncher(way.python), place});
  Fleet fleet(std::move(members), options);
  return drive(fleet, std::move(job), way);
}

}  // namespace wb
