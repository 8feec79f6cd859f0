// SPDX-License-Identifier: Apache-2.0
#include "core/runner/remote/target_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/files/paths.h"
#include "core/base/process/process.h"
#include "core/base/text.h"
#include "core/runner/remote/far_devices.h"
#include "core/runner/remote/files/neighbours.h"
#include "core/runner/remote/remote_launcher.h"
#include "core/runner/remote/slurm.h"
#include "core/runner/remote/ssh/ssh_call.h"

namespace wb {
namespace {

using Say = std::function<void(const std::string&)>;

constexpr std::string_view gpu = "cuda:";
constexpr std::chrono::seconds longestAnswer{40};
constexpr std::chrono::minutes longestMaking{15};

/// The last line of what a host printed; what its login printed comes before.
std::string_view lastLine(std::string_view text) {
  text = trimmed(text);
  const std::size_t line = text.rfind('\n');
  return line == std::string_view::npos ? text : text.substr(line + 1);
}

Result<std::vector<Device>> askedDevices(const RunTarget& target, const Say& say,
                                         const std::stop_token& stop) {
  WB_TRY(const SshAnswer answer, callReach(target, "--devices", {.limit = longestAnswer, .say = say}, stop));
  return answer.ok() ? devicesFrom(answer.out, titleOf(target)) : failureOf(target, answer);
}

/// What warpbench-reach prints and how it ends, on this machine or on the one that ssh reaches.
Result<SshAnswer> makeOpinfo(const RunTarget& target, const std::vector<std::string>& words, const Say& say,
                             const std::stop_token& stop) {
  if (isBehindSsh(target)) {
    std::string arguments;
    // Nothing in a target's text ends such quotation marks.
    for (const std::string& word : words) arguments += fmt::format("'{}' ", word);
    return callReach(target, arguments, {.limit = longestMaking, .say = say}, stop);
  }
  Command command{.argv = {(programFolder() / "warpbench-reach").string()}};
  command.argv.insert(command.argv.end(), words.begin(), words.end());
  if (!target.python.empty()) command.environment.emplace_back("WARPBENCH_PYTHON", target.python);
  WB_TRY(Captured ran, runToEnd(command, longestMaking, stop));
  return SshAnswer{ran.ending, std::move(ran.out), std::move(ran.err), ran.timedOut, ran.stopped};
}

Result<std::string> opinfoOf(const RunTarget& target, const std::string& device, const std::string& dtype,
                             const Say& say, const std::stop_token& stop) {
  std::vector<std::string> words{"--opinfo", device.substr(0, device.find(':')), dtype};
  if (target.kind == TargetKind::slurm) words.push_back(format(seenThere(target)));
  WB_TRY(const SshAnswer answer, makeOpinfo(target, words, say, stop));
  if (answer.ending == Ending{opinfoFailed, 0}) {
    return Error{Stage::job, fmt::format("{} cannot make opinfo: {}", titleOf(target), lastLine(answer.err)),
                 "name an interpreter there that has torch 2.11, by the target's option python"};
  }
  if (!answer.ok()) return failureOf(target, answer);
  const std::size_t mark = answer.out.find(opinfoMark);
  if (mark == std::string::npos) return Error{Stage::job, fmt::format("{} gave no opinfo", titleOf(target))};
  return answer.out.substr(mark + opinfoMark.size());
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
    WB_TRY(const SlurmPrograms programs,
           isBehindSsh(target) ? Result<SlurmPrograms>(SlurmPrograms{}) : sharedPrograms(target));
    // Each job has devices of its own, whatever they are called on its node.
    for (int i = 1; i <= std::max(workers, 1); ++i)
      places.push_back({isBehindSsh(target) ? remoteLauncher(target) : slurmLauncher(target, programs),
                        slurmDevice(target),
                        {},
                        titleOf(target)});
    numberJobs(places);
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
                      isHere ? std::string() : hostOf(target), isHere ? std::string() : titleOf(target)});
  return places;
}

void numberJobs(std::vector<WorkerPlace>& places) {
  std::map<std::string, int> jobs;
  for (WorkerPlace& place : places)
    if (place.launcher->isOnDemand())
      place.host = fmt::format("{}, job {}", place.title, ++jobs[place.title]);
}

Result<std::string> opinfoOn(const std::vector<RunTarget>& targets, const std::string& device,
                             const std::string& dtype, const Say& say, const std::stop_token& stop) {
  std::optional<std::string> first;
  for (const RunTarget& target : targets) {
    WB_TRY(const std::string index, opinfoOf(target, device, dtype, say, stop));
    if (!first) first = index;
    if (index != *first)
      return Error{Stage::job,
                   fmt::format("{} and {} make different samples of opinfo", titleOf(targets.front()),
                               titleOf(target)),
                   "give both the same torch, or run on one of them"};
  }
  return first.value_or("");
}

Result<void> checkElsewhere(const Job& job, bool valuesAreThere) {
  WB_DO(neighboursOf(job));
  if (valuesAreThere) return {};
  for (const Case& each : job.cases)
    if (each.values.starts_with("stored:"))
      return Error{Stage::job,
                   fmt::format("the values of the suite {} are in a file of this machine, and are not copied",
                               job.suite),
                   "use a suite whose values are drawn: smoke, shapes, layouts or values"};
  return {};
}

}  // namespace wb
