// SPDX-License-Identifier: Apache-2.0
#include "core/runner/remote/target_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/text.h"
#include "core/runner/remote/far_devices.h"
#include "core/runner/remote/files/neighbours.h"
#include "core/runner/remote/remote_launcher.h"
#include "core/runner/remote/slurm.h"
#include "core/runner/remote/ssh/bundle.h"
#include "core/runner/remote/ssh/ssh_call.h"
#include "core/runner/remote/ssh/ssh_command.h"

namespace wb {
namespace {

using Say = std::function<void(const std::string&)>;

constexpr std::string_view gpu = "cuda:";
constexpr std::chrono::seconds longestAnswer{40};

/// The last line of what a host printed; what its login printed comes before.
std::string_view lastLine(std::string_view text) {
  text = trimmed(text);
  const std::size_t line = text.rfind('\n');
  return line == std::string_view::npos ? text : text.substr(line + 1);
}

Result<std::vector<Device>> askedDevices(const RunTarget& target, const Say& say,
                                         const std::stop_token& stop) {
  WB_TRY(const Bundle bundle, ownBundle());
  const std::filesystem::path sockets = sshSockets();
  for (int tries = 0;; ++tries) {
    WB_TRY(const SshAnswer answer, callHost(target, sockets, startScript(target, bundle.hash, "--devices"),
                                            {}, longestAnswer, {}, stop));
    if (answer.ok()) return devicesFrom(lastLine(answer.out));
    if (answer.ending.exitCode != missingBundle || tries > 0) return failureOf(target, answer);
    if (say) say(fmt::format("copying Warpbench's programs to {}", titleOf(target)));
    WB_DO(copyBundle(target, sockets, bundle, {}, stop));
  }
}

std::string hostOf(const RunTarget& target) {
  return fmt::format("ssh:{}:{}:{}", target.host, target.port, optionOf(target, "config"));
}

}  // namespace

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

Result<std::vector<Device>> devicesOf(const RunTarget& target, const Say& say, const std::stop_token& stop) {
  return target.kind == TargetKind::ssh ? askedDevices(target, say, stop) : devices();
}

Result<std::vector<WorkerPlace>> placesOf(const RunTarget& target, int workers, const Say& say,
                                          const std::stop_token& stop) {
  std::vector<WorkerPlace> places;
  if (target.kind == TargetKind::slurm) {
    WB_TRY(const SlurmPrograms programs, sharedPrograms(target));
    for (int i = 0; i < std::max(workers, 1); ++i)
      places.push_back({slurmLauncher(target, programs), slurmDevice(target), fmt::format("slurm:{}", i)});
    return places;
  }
  std::string device = target.device;
  std::vector<Device> there;
  // A worker says by itself that its device is not there; that saves the question.
  if (device.empty() || (workers > 1 && device != "cpu")) {
    WB_TRY(there, devicesOf(target, say, stop));
    WB_TRY(device, resolveDevice(device, there));
  }
  WB_TRY(const std::vector<std::string> list, workerDevices(device, workers, there));
  const bool isHere = target.kind == TargetKind::local;
  for (const std::string& each : list)
    places.push_back({isHere ? localLauncher(target.python) : remoteLauncher(target), each,
                      isHere ? std::string() : hostOf(target)});
  return places;
}

Result<void> checkElsewhere(const Job& job) {
  WB_DO(neighboursOf(job));
  for (const Case& each : job.cases)
    if (each.values.starts_with("stored:"))
      return Error{Stage::job,
                   fmt::format("the values of the suite {} are in a file of this machine, and are not copied",
                               job.suite),
                   "use a suite whose values are drawn: smoke, shapes, layouts or values"};
  return {};
}

}  // namespace wb
