// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>

#include "core/base/quantity.h"
#include "core/service/http/pages/pages.h"

namespace wb {
namespace {

/// Less than this, and the journal may soon be unable to take a run.
constexpr std::uintmax_t leastFreeBytes = std::uintmax_t{64} << 20;

HealthLook lookAtDevice(const DeviceState& device, const std::vector<StoppedWorker>& stopped) {
  HealthLook look{"device " + device.device, true, std::string(name(device.worker.state))};
  if (device.worker.state == WorkerStatus::State::failed) {
    look.isGood = false;
    look.found = "no worker starts: " + device.worker.failure.text;
  } else if (!device.noWorker.empty()) {
    look.isGood = false;
    look.found = "the last run found no worker: " + device.noWorker;
  } else if (const auto found = std::ranges::find(stopped, device.device, &StoppedWorker::device);
             found != stopped.end()) {
    look.isGood = false;
    look.found = "a worker does not answer: process " + std::to_string(found->process) + " is stopped";
  }
  return look;
}

}  // namespace

std::vector<HealthLook> lookAtHealth(const Service& service, const std::filesystem::path& folder) {
  std::vector<HealthLook> looks;
  const auto devices = service.devices();
  const std::vector<StoppedWorker> stopped = stoppedWorkers();
  looks.reserve(devices.size());
  for (const DeviceState& device : devices) looks.push_back(lookAtDevice(device, stopped));
  if (devices.empty()) looks.push_back({"devices", false, "there are none"});
  const bool canWrite = ::access(folder.c_str(), W_OK | X_OK) == 0;
  looks.push_back({"folder", canWrite, canWrite ? "can be written" : "cannot be written"});
  std::error_code failed;
  const auto space = std::filesystem::space(folder, failed);
  const bool hasRoom = !failed && space.available >= leastFreeBytes;
  looks.push_back({"disk", hasRoom,
                   failed ? failed.message() : formatBytes(static_cast<double>(space.available)) + " free"});
  return looks;
}

}  // namespace wb
